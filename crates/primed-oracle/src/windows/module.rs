//! The modules that put windows before TLC.
//!
//! The root module extends the specification and, after it, the module with the windows: TLC orders strings by where it reads
//! them first, and CHOOSE depends on that, so the specification's own words must come first.

use std::collections::BTreeMap;

use super::{Allowed, Form, Window};
use crate::specification::{Specification, constants as constants_of};

/// What is printed of a window that is tried.
pub(super) const TRIED: &str = "primed:tried";
/// What is printed of one that conforms.
pub(super) const CONFORMS: &str = "primed:conforms";

/// The files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// The module to run.
    pub root: String,
    /// Names and texts, the configuration included.
    pub files: Vec<(String, String)>,
}

/// Names that nobody else uses.
struct Fresh {
    window: String,
    phase: String,
    before: String,
    after: String,
    init: String,
    next: String,
    judged: String,
    formula: String,
}

impl Judge {
    /// Writes the modules for some windows. The constants are names in them that stand for model values.
    pub fn new(spec: &Specification, constants: &[(String, String)], windows: &[&Window], form: Form) -> Judge {
        let (root, module) = (spec.fresh("PrimedJudge"), spec.fresh("PrimedWindows"));
        let name = |name: &str| spec.fresh(name);
        let fresh = Fresh {
            window: name("window_"),
            phase: name("phase_"),
            before: name("Before_"),
            after: name("After_"),
            init: name("Init_"),
            next: name("Next_"),
            judged: name("Judged_"),
            formula: name("Formula_"),
        };
        let text = fresh.module(&module, spec.root(), constants, windows, form);
        let mut config = format!("INIT {}\nNEXT {}\nINVARIANT {}\n", fresh.init, fresh.next, fresh.judged);
        config.push_str(&constants_of(&spec.config));
        config.extend(constants.iter().map(|(name, model)| format!("CONSTANT {name} = {model}\n")));
        let head = format!("---- MODULE {root} ----\nEXTENDS {}, {module}\n====\n", spec.root());
        let files =
            vec![(format!("{root}.tla"), head), (format!("{module}.tla"), text), (format!("{root}.cfg"), config)];
        Judge { root, files }
    }
}

impl Fresh {
    fn module(
        &self,
        module: &str,
        root: &str,
        constants: &[(String, String)],
        windows: &[&Window],
        form: Form,
    ) -> String {
        let Fresh { window, phase, .. } = self;
        let (before, after) =
            (self.states(&self.before, windows, |w| &w.before), self.states(&self.after, windows, |w| &w.after));
        // Integers are needed for negative numbers only: a specification may have operators of its own instead.
        let integers = if before.contains("(-") || after.contains("(-") { ", Integers" } else { "" };
        let mut text = format!("---- MODULE {module} ----\nEXTENDS {root}, TLC{integers}\n");
        let names: Vec<&str> = constants.iter().map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            text.push_str(&format!("CONSTANTS {}\n", names.join(", ")));
        }
        text.push_str(&format!("VARIABLES {window}, {phase}\n{before}{after}"));
        let formulas = grouped(windows, |w| w.formula.clone());
        for (i, formula) in formulas.keys().enumerate() {
            text.push_str(&format!("{}{i} ==\n{formula}\n", self.formula));
        }
        text.push_str(&format!("{} ==\n{}", self.init, self.initial(windows)));
        text.push_str(&format!("{} ==\n{}", self.next, self.revealed(windows)));
        for (i, numbers) in formulas.values().enumerate() {
            text.push_str(&format!(
                "  \\/ /\\ {phase} = \"before\" /\\ {window} \\in {}\n     /\\ PrintT(<<\"{TRIED}\", {window}>>)\n",
                set(numbers)
            ));
            if form == Form::Given {
                let chosen: Vec<&&Window> = windows.iter().filter(|w| numbers.contains(&w.number)).collect();
                text.push_str(&self.given(&chosen));
            }
            text.push_str(&format!(
                "     /\\ ({}{i})\n     /\\ {phase}' = \"after\" /\\ {window}' = {window}\n",
                self.formula
            ));
        }
        let observed = match form {
            Form::Enumerated => self.observed(windows),
            Form::Given => "TRUE".to_owned(),
        };
        text.push_str(&format!(
            "{} == {phase} = \"after\" => (({observed}) => PrintT(<<\"{CONFORMS}\", {window}>>))\n====\n",
            self.judged
        ));
        text
    }

    /// A function from the numbers of windows to records of what was observed.
    fn states<'w>(
        &self,
        name: &str,
        windows: &[&'w Window],
        state: impl Fn(&'w Window) -> &'w Vec<(String, String)>,
    ) -> String {
        let mut text = format!("{name} == <<\n");
        let last = windows.iter().map(|w| w.number).max().unwrap_or(0);
        let by_number: BTreeMap<usize, &&Window> = windows.iter().map(|w| (w.number, w)).collect();
        // Numbers are positions: those that are not asked of hold an empty state.
        for number in 1..=last {
            let fields: Vec<String> = by_number.get(&number).map_or_else(Vec::new, |w| {
                state(w).iter().map(|(variable, value)| format!("{variable} |-> {value}")).collect()
            });
            let record = if fields.is_empty() { "<<>>".to_owned() } else { format!("[{}]", fields.join(", ")) };
            let comma = if number == last { "" } else { "," };
            text.push_str(&format!("  {record}{comma}\n"));
        }
        text + ">>\n"
    }

    fn initial(&self, windows: &[&Window]) -> String {
        let Fresh { window, phase, before, .. } = self;
        let mut text = String::new();
        let key = |w: &Window| (observed_names(&w.before), w.allowed.clone().map(allowed_key));
        for ((names, allowed), numbers) in grouped(windows, |w| key(w)) {
            let predicate = match allowed {
                None => String::new(),
                Some((false, predicate)) => format!("\n     /\\ ({predicate})"),
                Some((true, _)) => continue,
            };
            let values: String =
                names.iter().map(|name| format!("\n     /\\ {name} = {before}[{window}].{name}")).collect();
            text.push_str(&format!(
                "  \\/ /\\ {phase} = \"before\" /\\ {window} \\in {}{values}{predicate}\n",
                set(&numbers)
            ));
        }
        for predicate in initial_predicates(windows).keys() {
            text.push_str(&format!("  \\/ /\\ {phase} = \"initial\" /\\ {window} = 0\n     /\\ ({predicate})\n"));
        }
        text
    }

    /// From an initial state to one that has what was observed, and keeps the rest.
    fn revealed(&self, windows: &[&Window]) -> String {
        let Fresh { window, phase, before, .. } = self;
        let mut text = String::new();
        let from_initial: Vec<&&Window> =
            windows.iter().filter(|w| matches!(w.allowed, Some(Allowed::Initial(_)))).collect();
        for ((names, missing), numbers) in grouped_of(&from_initial, |w| (observed_names(&w.before), w.missing.clone()))
        {
            let values = names.iter().map(|name| format!("\n     /\\ {name}' = {before}[{window}'].{name}"));
            let kept = missing.iter().map(|name| format!("\n     /\\ {name}' = {name}"));
            let values: String = values.chain(kept).collect();
            text.push_str(&format!(
                "  \\/ /\\ {phase} = \"initial\" /\\ {phase}' = \"before\" /\\ {window}' \\in {}{values}\n",
                set(&numbers)
            ));
        }
        text
    }

    /// What was observed after the step, given to the next state.
    fn given(&self, windows: &[&&Window]) -> String {
        let Fresh { window, after, .. } = self;
        let mut text = String::new();
        let groups = grouped_of(windows, |w| observed_names(&w.after));
        if let [(names, _)] = groups.iter().collect::<Vec<_>>().as_slice() {
            return names.iter().map(|name| format!("     /\\ {name}' = {after}[{window}].{name}\n")).collect();
        }
        for (names, numbers) in &groups {
            let values: Vec<String> = names.iter().map(|name| format!("{name}' = {after}[{window}].{name}")).collect();
            let values = if values.is_empty() { "TRUE".to_owned() } else { values.join(" /\\ ") };
            text.push_str(&format!("        \\/ {window} \\in {} /\\ {values}\n", set(numbers)));
        }
        format!("     /\\\n{text}")
    }

    fn observed(&self, windows: &[&Window]) -> String {
        let Fresh { window, after, .. } = self;
        let parts: Vec<String> = grouped(windows, |w| observed_names(&w.after))
            .into_iter()
            .map(|(names, numbers)| {
                let same: String = names.iter().map(|name| format!(" /\\ {name} = {after}[{window}].{name}")).collect();
                format!("({window} \\in {}{same})", set(&numbers))
            })
            .collect();
        parts.join(" \\/ ")
    }
}

/// Whether it is about initial states, and the formula.
fn allowed_key(allowed: Allowed) -> (bool, String) {
    match allowed {
        Allowed::Initial(text) => (true, text),
        Allowed::Predicate(text) => (false, text),
    }
}

fn initial_predicates(windows: &[&Window]) -> BTreeMap<String, ()> {
    let texts = windows.iter().filter_map(|w| match &w.allowed {
        Some(Allowed::Initial(text)) => Some((text.clone(), ())),
        _ => None,
    });
    texts.collect()
}

fn observed_names(state: &[(String, String)]) -> Vec<String> {
    state.iter().map(|(name, _)| name.clone()).collect()
}

fn grouped<K: Ord>(windows: &[&Window], key: impl Fn(&Window) -> K) -> BTreeMap<K, Vec<usize>> {
    grouped_of(&windows.iter().collect::<Vec<_>>(), key)
}

fn grouped_of<K: Ord>(windows: &[&&Window], key: impl Fn(&Window) -> K) -> BTreeMap<K, Vec<usize>> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for window in windows {
        groups.entry(key(window)).or_default().push(window.number);
    }
    groups
}

fn set(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{{{}}}", texts.join(", "))
}
