//! How often actions were taken and expressions evaluated, in TLC's messages and order.

use primed::{CheckReport, VariableCount};

use super::clock::now;
use super::console::Console;

/// How many values each variable had; for each action the new states and all states that it led to, and below it its expressions
/// with the times that they were evaluated; then the same of invariants and constraints.
pub(super) fn print(console: &Console, report: &CheckReport) {
    console.plain(2201, &format!("The coverage statistics at {}", now()));
    for VariableCount { name, place, values } in &report.values {
        console.plain(2779, &format!("<{name} {place}>: {values}"));
    }
    for (code, line) in report.coverage.iter().flat_map(primed::Coverage::lines) {
        console.plain(code, &line);
    }
    console.plain(2202, "End of statistics.");
}
