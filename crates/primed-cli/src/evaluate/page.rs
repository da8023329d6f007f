//! The result for people: a line for each phase, then what is behind it.

use std::path::Path;

use primed::evaluation::{
    Conformance, Evaluation, EvaluationPhase, EvaluationSettings, Opinion, PHASES, Phase, PhaseResult, Property,
    PropertyVerdict, Runtime, Syntax, SyntaxUnit,
};
use primed::{CheckVerdict, Located};

use super::arguments::EvaluateArguments;
use super::json::{draft_because, result};
use super::watch::Watching;
use crate::check::text::{push_result, push_trace};
use crate::diagnostics;
use crate::paint::{Paint, harmless, short};
use crate::windows::{rate, report};

/// Longest message on one line.
const LONG: usize = 300;
/// Longest name of an action in a table.
const NAME: usize = 60;

struct Page<'p> {
    text: String,
    paint: Paint,
    watch: &'p Watching<'p>,
    arguments: &'p EvaluateArguments,
}

/// All of it.
pub(crate) fn page(
    settings: &EvaluationSettings,
    found: &Evaluation,
    watch: &Watching<'_>,
    arguments: &EvaluateArguments,
    paint: Paint,
) -> String {
    let mut page = Page { text: String::new(), paint, watch, arguments };
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let config = settings.config_path().map(|path| format!(" with {}", name(&path))).unwrap_or_default();
    page.line(&format!("{}{}", paint.bold(&harmless(&name(&settings.spec))), harmless(&config)));
    page.line("");
    for phase in PHASES {
        let word = format!("{:10}", found.result(phase).word());
        let word = match found.result(phase) {
            PhaseResult::Passed => paint.green(&word),
            PhaseResult::Failed => paint.bold_red(&word),
            PhaseResult::Incomplete => paint.yellow(&word),
            PhaseResult::NotRun => paint.dim(&word),
        };
        let sums = sums(found, phase);
        page.line(&format!("{:11}  {word}  {}", phase.word(), short(&sums, LONG)));
    }
    page.status(found);
    page.syntax(&found.syntax);
    if let Phase::Run(runtime) = &found.runtime {
        page.runtime(runtime, &found.syntax);
    }
    if let Phase::Run(conformance) = &found.conformance {
        page.conformance(conformance);
    }
    if let Phase::Run(properties) = &found.invariants {
        page.properties(properties);
    }
    page.text
}

/// A phase in one line.
fn sums(found: &Evaluation, phase: EvaluationPhase) -> String {
    fn of<T>(phase: &Phase<T>, run: impl Fn(&T) -> String) -> String {
        match phase {
            Phase::Run(found) => run(found),
            Phase::NotRun { why, .. } => why.clone(),
        }
    }
    match phase {
        EvaluationPhase::Syntax => syntax_sums(&found.syntax),
        EvaluationPhase::Runtime => of(&found.runtime, runtime_sums),
        EvaluationPhase::Conformance => of(&found.conformance, conformance_sums),
        EvaluationPhase::Invariants => of(&found.invariants, |all| property_sums(all)),
    }
}

fn syntax_sums(syntax: &Syntax) -> String {
    if let Some(why) = &syntax.unreadable {
        return why.clone();
    }
    let accepted = syntax.actions.iter().filter(|a| a.accepted).count();
    let (fine, all) = syntax.definitions;
    let errors = syntax.errors().count();
    let errors = if errors == 0 { String::new() } else { format!("; {}", many(errors, "error")) };
    format!(
        "{accepted} of {} accepted, {fine} of {}{errors}",
        many(syntax.actions.len(), "action"),
        many(all, "definition")
    )
}

fn runtime_sums(runtime: &Runtime) -> String {
    let report = match &runtime.outcome {
        Ok(report) => report,
        Err(error) => return error.to_string(),
    };
    let what = match &runtime.opinion {
        Some(Opinion::Disputed) => "the real TLC disagrees; ".to_owned(),
        Some(Opinion::Decided { message, .. }) => format!("by TLC: {message}; "),
        None => match &report.verdict {
            CheckVerdict::Holds => String::new(),
            CheckVerdict::Deadlock => "deadlock; ".into(),
            CheckVerdict::Stopped => "stopped by the specification; ".into(),
            CheckVerdict::Interrupted => "interrupted; ".into(),
            verdict => {
                crate::check::json::message(verdict).0.map(|m| format!("{}; ", short(m, 100))).unwrap_or_default()
            }
        },
    };
    let all = runtime.own_actions().count();
    let reached = all - runtime.never_reached().count();
    format!(
        "{what}{} states generated, {} distinct, depth {}; {reached} of {} reached",
        report.generated,
        report.distinct,
        report.depth,
        many(all, "action")
    )
}

fn conformance_sums(found: &Conformance) -> String {
    let tally = &found.tally;
    let conforming: usize = tally.rows.iter().map(|r| r.conforming).sum();
    let without = found.without_evidence().count();
    let without = match without {
        0 => String::new(),
        n => format!("; no evidence of {}", many(n, "action")),
    };
    let unreadable = found.unreadable.first().map(|why| format!("; {why}")).unwrap_or_default();
    let windows = many(tally.total(), "window");
    format!("{conforming} of {windows} conform ({}){without}{unreadable}", rate(conforming, tally.total()))
}

fn property_sums(all: &[Property]) -> String {
    let count = |word: &str| all.iter().filter(|p| result(p) == word).count();
    let mut text = format!("{} of {} hold", all.iter().filter(|p| p.holds()).count(), all.len());
    for word in ["disputed", "violated", "not evaluated", "not reached"] {
        if let n @ 1.. = count(word) {
            text.push_str(&format!(", {n} {word}"));
        }
    }
    text
}

/// A count with its noun.
fn many(n: usize, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let heading = self.paint.bold(text);
        self.line("");
        self.line(&heading);
    }

    fn status(&mut self, found: &Evaluation) {
        let status = match draft_because(found).as_slice() {
            [] => self.paint.green("final"),
            reasons => {
                let reasons = reasons.iter().map(|r| short(r, 120)).collect::<Vec<_>>().join("; ");
                format!("{}  {reasons}", self.paint.bold(&format!("{:10}", "draft")))
            }
        };
        self.line(&format!("{:11}  {status}", "status"));
    }

    /// What is wrong, definition by definition.
    fn syntax(&mut self, syntax: &Syntax) {
        if syntax.accepted || syntax.unreadable.is_some() {
            return;
        }
        self.heading("Syntax");
        let others: Vec<&SyntaxUnit> = syntax.others.iter().collect();
        let all: Vec<&SyntaxUnit> = syntax.actions.iter().chain(others).collect();
        let width = all.iter().map(|u| short(&u.name, NAME).chars().count()).max().unwrap_or(0);
        for unit in all {
            let (from, to) = unit.lines;
            let lines = if from == to { format!("line {from}") } else { format!("lines {from}-{to}") };
            let verdict = match unit.accepted {
                true => self.paint.green("accepted"),
                false => self.paint.bold_red("refused "),
            };
            let presumed = match unit.presumed.as_slice() {
                [] => String::new(),
                names => format!("  if these are right: {}", short(&names.join(", "), LONG)),
            };
            let line = format!("  {:width$}  {verdict}  {lines}{}", short(&unit.name, NAME), self.paint.dim(&presumed));
            self.line(&line);
        }
        self.line("");
        let errors: Vec<Located> = syntax.errors().cloned().collect();
        self.text.push_str(diagnostics::render(&errors, self.paint).trim_end());
        self.text.push('\n');
    }

    fn runtime(&mut self, runtime: &Runtime, syntax: &Syntax) {
        let report = match &runtime.outcome {
            Ok(report) => report,
            Err(error) => {
                self.heading("Runtime");
                match runtime.complaints() {
                    [] => self.line(&format!("  {}", harmless(&error.to_string()))),
                    complaints => {
                        let drawn = diagnostics::render(complaints, self.paint);
                        self.text.push_str(&drawn);
                    }
                }
                return;
            }
        };
        self.heading("Runtime");
        let name = |a: &primed::evaluation::Reached| short(a.name.as_deref().unwrap_or("Action"), NAME);
        let width = runtime.actions.iter().map(|a| name(a).chars().count()).max().unwrap_or(0).max("action".len());
        let head = format!("  {:width$}  {:>12}  {:>12}", "action", "states", "new states");
        self.line(&self.paint.dim(&head));
        for action in &runtime.actions {
            let distinct = action.distinct.map_or_else(|| "-".to_owned(), |n| n.to_string());
            let line = format!("  {:width$}  {:>12}  {distinct:>12}", name(action), action.generated);
            self.line(&match action {
                _ if action.divided => line + &self.paint.dim("  consists of others"),
                _ if action.generated == 0 => line + &self.paint.yellow("  never reached"),
                _ => line,
            });
        }
        if !runtime.together.is_empty() {
            let names = short(&runtime.together.join(", "), LONG);
            self.line(&format!("  counted with the action that they stand in: {names}"));
        }
        // That it was cut short is said above.
        if report.verdict != CheckVerdict::Holds && !runtime.incomplete() {
            let name = syntax.module.as_deref().unwrap_or("the model");
            self.line("");
            push_trace(&mut self.text, report, self.paint);
            push_result(&mut self.text, name, report, self.paint);
        }
        self.cross_check(0);
    }

    fn conformance(&mut self, found: &Conformance) {
        self.heading("Conformance");
        let table = report::table(&found.tally, "  ", self.paint);
        self.text.push_str(&table);
        for why in &found.unreadable {
            self.line(&format!("  {}", harmless(why)));
        }
        let details =
            report::details(&found.tally, self.arguments.max_refusals, self.arguments.steps.brief, self.paint);
        self.text.push_str(&details);
        if self.watch.windows.chosen > 0 {
            let text = self.watch.windows.text(self.paint, "window");
            self.text.push_str(&text);
        }
    }

    fn properties(&mut self, all: &[Property]) {
        self.heading("Invariants");
        let width = all.iter().map(|p| short(&p.name, NAME).chars().count()).max().unwrap_or(0);
        for property in all {
            let word = result(property);
            let marked = match word {
                "holds" => self.paint.green(&format!("{word:13}")),
                "violated" | "disputed" => self.paint.bold_red(&format!("{word:13}")),
                _ => self.paint.yellow(&format!("{word:13}")),
            };
            let why = match &property.verdict {
                PropertyVerdict::NotEvaluated { message, .. } | PropertyVerdict::NotReached { message, .. } => {
                    short(message, LONG)
                }
                PropertyVerdict::Violated(_) | PropertyVerdict::Holds => String::new(),
            };
            let observed = match property.observed {
                Some((0, 0)) => "  no observed state violates it".to_owned(),
                Some((0, n)) => format!("  no observed state violates it, it has no value in {}", many(n, "window")),
                Some((n, _)) => self.paint.red(&format!("  observed states of {} violate it", many(n, "window"))),
                None => String::new(),
            };
            self.line(&format!("  {:width$}  {marked}  {why}{observed}", short(&property.name, NAME)));
        }
        for (i, property) in all.iter().enumerate() {
            self.evidence(property);
            self.cross_check(i + 1);
        }
    }

    /// What shows that a property is violated or cannot be evaluated.
    fn evidence(&mut self, property: &Property) {
        match &property.verdict {
            PropertyVerdict::Violated(report) => {
                self.line("");
                push_trace(&mut self.text, report, self.paint);
                push_result(&mut self.text, &short(&property.name, NAME), report, self.paint);
            }
            PropertyVerdict::NotEvaluated { complaints, .. } if !complaints.is_empty() => {
                let drawn = diagnostics::render(complaints, self.paint);
                self.line("");
                self.text.push_str(drawn.trim_end());
                self.text.push('\n');
            }
            PropertyVerdict::NotEvaluated { places, .. } if !places.is_empty() => {
                let name = self.paint.bold(&short(&property.name, NAME));
                self.line(&format!("\n{name} cannot be evaluated"));
                places.iter().take(3).for_each(|place| self.line(&format!("    at {}", harmless(place))));
            }
            _ => {}
        }
    }

    fn cross_check(&mut self, number: usize) {
        if let Some(crossed) = self.watch.models.get(&number) {
            crate::check::text::push_crossed(&mut self.text, crossed, self.paint);
        }
    }
}
