//! How often actions were taken and expressions evaluated, in TLC's messages and order.

use primed::{CheckReport, Coverage, CoverageKind, ExpressionCount, VariableCount};

use super::clock::now;
use super::console::Console;

/// How many values each variable had; for each action the new states and all states that it led to, and below it its expressions
/// with the times that they were evaluated; then the same of invariants and constraints.
pub(super) fn print(console: &Console, report: &CheckReport) {
    console.plain(2201, &format!("The coverage statistics at {}", now()));
    for VariableCount { name, place, values } in &report.values {
        console.plain(2779, &format!("<{name} {place}>: {values}"));
    }
    for coverage in &report.coverage {
        let heading = heading(coverage);
        let Coverage { kind, distinct, generated, expressions, .. } = coverage;
        match kind {
            CoverageKind::Initial => console.plain(2773, &format!("{heading}: {distinct}:{generated}")),
            CoverageKind::Action => console.plain(2772, &format!("{heading}: {distinct}:{generated}")),
            CoverageKind::Invariant => console.plain(2774, &heading),
            CoverageKind::ActionConstraint | CoverageKind::Constraint => {
                console.plain(2778, &format!("{heading}: {distinct}:{generated}"));
            }
        }
        expressions.iter().for_each(|expression| line(console, expression));
    }
    console.plain(2202, "End of statistics.");
}

/// An action with its place, and the part of it that is meant.
fn heading(Coverage { name, declaration, place, part, .. }: &Coverage) -> String {
    let name = name.as_deref().unwrap_or("Action");
    let part = part.map(|[line, column, end_line, end_column]| format!(" ({line} {column} {end_line} {end_column})"));
    match declaration {
        Some(declaration) => format!("<{name} {declaration}{}>", part.unwrap_or_default()),
        None => format!("<{name} {place}>"),
    }
}

fn line(console: &Console, ExpressionCount { place, depth, count, cost }: &ExpressionCount) {
    let bars = "|".repeat(*depth);
    match cost {
        0 => console.plain(2221, &format!("  {bars}{place}: {count}")),
        _ => console.plain(2775, &format!("  {bars}{place}: {count}:{cost}")),
    }
}
