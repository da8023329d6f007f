//! How often actions were taken and expressions evaluated, in TLC's messages and order.

use primed::{CheckReport, Coverage, CoverageKind, Mode, VariableCount};

use super::clock::now;
use super::console::Console;

/// How many values each variable had; for each action the new states and all states that it led to, and below it its expressions
/// with the times that they were evaluated; then the same of invariants and constraints.
pub(super) fn print(console: &Console, report: &CheckReport, mode: Mode) {
    let about = "see https://explain.tlapl.us/module-coverage-statistics for how to interpret the following statistics";
    console.plain(2201, &format!("The coverage statistics at {} ({about}).", now()));
    for VariableCount { name, place, values } in &report.values {
        // Iterative deepening does not count them.
        let values = if let Mode::Bounded(_) = mode { 0 } else { *values };
        console.plain(2779, &format!("<{name} {place}>: {values}"));
    }
    for (code, line) in report.coverage.iter().flat_map(|coverage| as_counted(coverage, mode).lines()) {
        console.plain(code, &line);
    }
    console.plain(2202, "End of statistics.");
}

/// For TLC no state that an action leads to is new in iterative deepening, and each is in a simulation.
fn as_counted(coverage: &Coverage, mode: Mode) -> Coverage {
    let distinct = match (coverage.kind, mode) {
        (CoverageKind::Action, Mode::Bounded(_)) => 0,
        (CoverageKind::Action, Mode::Simulation { .. }) => coverage.generated,
        _ => coverage.distinct,
    };
    Coverage { distinct, ..coverage.clone() }
}
