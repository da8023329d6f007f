//! Windows of a specification: steps of its own state graph, true ones and ones with something changed; judged by both.

use std::collections::HashMap;
use std::path::Path;

use primed::{Outcome, Spec};
use primed_oracle::generate::{Random, Specification};
use primed_oracle::read::Run;

use super::native::Found;
use super::values::itf;

/// A window, with its values as TLC prints them.
#[derive(Clone, Debug)]
pub(super) struct Window {
    action: usize,
    pre: Vec<String>,
    post: Vec<String>,
}

/// Chooses so many windows by chance: half are steps of the graph.
pub(super) fn choose(specification: &Specification, found: &Found, count: usize) -> Vec<Window> {
    let mut random = Random::new(specification.seed ^ 0x5eed);
    let actions = specification.actions();
    let mut windows: Vec<Window> = Vec::new();
    for _ in 0..count {
        let Some((from, to, name)) = random.pick(&found.steps) else { break };
        let (Some(pre), Some(post)) = (found.states.get(*from), found.states.get(*to)) else { continue };
        let named = actions.iter().position(|a| a.name == *name);
        let mut action = named.unwrap_or_else(|| random.below(actions.len()));
        let (mut pre, mut post) = (pre.clone(), post.clone());
        let Some(other) = random.pick(&found.states).cloned() else { break };
        let variable = random.below(pre.len());
        match random.below(20) {
            0..=5 => exchange(&mut post, &other, variable),
            6..=8 => exchange(&mut pre, &other, variable),
            9 => action = random.below(actions.len()),
            _ => {}
        }
        windows.push(Window { action, pre, post });
    }
    windows
}

fn exchange(state: &mut [String], other: &[String], variable: usize) {
    if let (Some(value), Some(new)) = (state.get_mut(variable), other.get(variable)) {
        value.clone_from(new);
    }
}

impl Window {
    /// As a line of JSON.
    pub(super) fn json(&self, specification: &Specification) -> Option<String> {
        let state = |values: &[String]| {
            let pairs = specification.variables().iter().zip(values);
            let fields: Option<Vec<String>> = pairs.map(|(n, v)| Some(format!("\"{n}\":{}", itf(v)?))).collect();
            Some(format!("{{{}}}", fields?.join(",")))
        };
        let name = &specification.actions().get(self.action)?.name;
        Some(format!("{{\"action\":\"{name}\",\"pre\":{},\"post\":{}}}", state(&self.pre)?, state(&self.post)?))
    }
}

/// Primed's verdicts, in words.
///
/// # Errors
/// If the specification cannot be opened for windows; the text says why.
pub(super) fn judge(folder: &Path, specification: &Specification, windows: &[Window]) -> Result<Vec<String>, String> {
    let spec = Spec::builder(folder.join(format!("{}.tla", specification.name()))).brief().open();
    let spec = spec.map_err(|e| e.to_string())?;
    let verdict = |(number, window): (usize, &Window)| {
        let Some(line) = window.json(specification) else { return "a value that cannot be read".to_owned() };
        match spec.judge(number + 1, &line).map(|v| v.outcome) {
            Some(Outcome::Error(trouble)) => format!("error: {}", trouble.message),
            Some(outcome) => outcome.word().to_owned(),
            None => "nothing".to_owned(),
        }
    };
    Ok(windows.iter().enumerate().map(verdict).collect())
}

/// The module with which TLC judges those windows whose numbers are given, and its configuration. A variable picks the window, one
/// step of its action follows, and an invariant prints the number if the state after it is the one observed.
pub(super) fn module(specification: &Specification, windows: &[Window], numbers: &[usize]) -> (String, String) {
    let variables = specification.variables();
    let name = specification.name();
    let (mut init, mut next, mut inv) = (String::new(), String::new(), String::new());
    let mut by_action: HashMap<usize, Vec<String>> = HashMap::new();
    for number in numbers {
        let Some(window) = windows.get(*number) else { continue };
        let equal = |(n, v): (&String, &String)| format!("{n} = {}", with_strings(v));
        let assigned: Vec<String> = variables.iter().zip(&window.pre).map(equal).collect();
        init.push_str(&format!("  \\/ wIndex = {number} /\\ {}\n", assigned.join(" /\\ ")));
        by_action.entry(window.action).or_default().push(number.to_string());
        let same: Vec<String> = variables.iter().zip(&window.post).map(equal).collect();
        let printed = format!("PrintT(<<\"conforms\", {number}>>)");
        inv.push_str(&format!("  /\\ (wIndex = -1 - {number} /\\ {}) => {printed}\n", same.join(" /\\ ")));
    }
    for (position, action) in specification.actions().iter().enumerate() {
        if let Some(numbers) = by_action.get(&position) {
            let indices = numbers.join(", ");
            next.push_str(&format!(
                "  \\/ wIndex \\in {{{indices}}} /\\ wIndex' = -1 - wIndex /\\ {}\n",
                action.formula
            ));
        }
    }
    let text = format!(
        "---- MODULE FuzzWindows ----\nEXTENDS {name}\nVARIABLE wIndex\nWInit ==\n{init}WNext ==\n{next}WInv ==\n{inv}====\n"
    );
    let constants = specification.config();
    let constants: String =
        constants.lines().filter(|l| l.starts_with("CONSTANT ")).map(|l| format!("{l}\n")).collect();
    (text, format!("{constants}INIT WInit\nNEXT WNext\nINVARIANT WInv\n"))
}

/// A value with functions over strings written out: TLC prints them as records, whose fields are identifiers, and identifiers of
/// the root module come first in TLC's order of strings.
fn with_strings(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find("[sq") {
        let end = rest[at..].find(']').map_or(rest.len(), |end| at + end);
        let pairs = rest[at + 1..end].split(", ").map(|pair| match pair.split_once(" |-> ") {
            Some((field, value)) => format!("\"{field}\" :> {value}"),
            None => pair.to_owned(),
        });
        text.push_str(&format!("{}({})", &rest[..at], pairs.collect::<Vec<_>>().join(" @@ ")));
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    text + rest
}

/// The numbers of the windows that conform, and the one whose evaluation failed, if the run ended there.
pub(super) fn read(run: &Run) -> (Vec<usize>, Option<usize>) {
    let number = |line: &String| line.strip_prefix("<<\"conforms\", ")?.strip_suffix(">>")?.parse().ok();
    let conforming = run.lines.iter().filter_map(number).collect();
    let failed = (run.status != 0).then(|| {
        let first = run.trace.last()?;
        let index: i64 = first.values.iter().find(|(name, _)| name == "wIndex")?.1.trim().parse().ok()?;
        usize::try_from(if index < 0 { -1 - index } else { index }).ok()
    });
    (conforming, failed.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_over_strings_have_no_fields() {
        let value = "<<[sq2 |-> 1, sq1 |-> 2], [fa |-> [sq1 |-> 1], fb |-> 2]>>";
        let expected = "<<(\"sq2\" :> 1 @@ \"sq1\" :> 2), [fa |-> (\"sq1\" :> 1), fb |-> 2]>>";
        assert_eq!(with_strings(value), expected);
        assert_eq!(with_strings("{1, 2}"), "{1, 2}");
    }
}
