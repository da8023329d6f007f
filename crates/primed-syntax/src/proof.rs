//! Proofs: from the flat sequence of steps as written to steps inside steps, by the numbers of their levels.

use crate::ast::{Proof, Step, StepKind};
use crate::diagnostic::Diagnostic;
use crate::rules::STEPS_WANTED;

/// How deep steps may be nested (SANY's limit).
const MAX_PROOF_NESTING: usize = 100;

/// A step as written, before steps are nested.
#[derive(Debug)]
pub(crate) struct FlatStep {
    pub(crate) step: Step,
    /// `PROOF` stands behind it: the next step begins its proof.
    pub(crate) opens: bool,
}

/// Nests steps. A step of a deeper level begins the proof of the step before it.
pub(crate) fn nest(steps: Vec<FlatStep>, diagnostics: &mut Vec<Diagnostic>) -> Option<Proof> {
    let mut open: Vec<(u64, Vec<Step>)> = Vec::new();
    let mut opens = false;
    for FlatStep { step, opens: next_opens } in steps {
        let level = level(&step.name.name, &open, opens);
        if opens && open.last().is_some_and(|(last, _)| level <= *last) {
            diagnostics.push(Diagnostic::error(4003, STEPS_WANTED, step.name.span));
        }
        opens = next_opens;
        while open.len() > 1 && open.last().is_some_and(|o| o.0 > level) {
            close(&mut open, diagnostics);
        }
        if let Some(qed) = open.last().filter(|(same, steps)| *same == level && is_complete(steps)) {
            let after = qed.1.last().map_or(step.name.span, |s| s.span);
            let message = format!("the proof has ended with the QED step before `{}`", step.name.name);
            diagnostics.push(Diagnostic::error(4003, message, step.name.span.to(after)));
        }
        let depth = open.len();
        match open.last_mut() {
            Some((same, siblings)) if *same == level => siblings.push(step),
            Some((deepest, siblings)) if *deepest > level => {
                let message = format!("expected a step of level {deepest}, found `{}`", step.name.name);
                diagnostics.push(Diagnostic::error(4003, message, step.name.span));
                siblings.push(step);
            }
            _ if depth >= MAX_PROOF_NESTING => {
                let message = format!("proofs are nested deeper than the limit of {MAX_PROOF_NESTING} levels");
                diagnostics.push(Diagnostic::error(4003, message, step.name.span));
                return None;
            }
            _ => open.push((level, vec![step])),
        }
    }
    if let Some(last) = open.last().and_then(|(_, steps)| steps.last()).filter(|_| opens) {
        diagnostics.push(Diagnostic::error(4003, STEPS_WANTED, last.span));
    }
    while open.len() > 1 {
        close(&mut open, diagnostics);
    }
    open.pop().map(|(_, steps)| Proof::Steps(ends_in_qed(steps, diagnostics)))
}

/// Makes the innermost open sequence the proof of the step before it.
fn close(open: &mut Vec<(u64, Vec<Step>)>, diagnostics: &mut Vec<Diagnostic>) {
    let Some((_, steps)) = open.pop() else { return };
    let steps = ends_in_qed(steps, diagnostics);
    if let Some(parent) = open.last_mut().and_then(|(_, siblings)| siblings.last_mut()) {
        if parent.proof.is_some() {
            let message = format!("step `{}` has two proofs", parent.name.name);
            diagnostics.push(Diagnostic::error(4003, message, parent.name.span));
        }
        parent.proof = Some(Proof::Steps(steps));
    }
}

fn ends_in_qed(steps: Vec<Step>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Step> {
    if let Some(last) = steps.last().filter(|s| !matches!(s.kind, StepKind::Qed)) {
        let message = format!("expected a QED step after `{}`", last.name.name);
        diagnostics.push(Diagnostic::error(4003, message, last.span));
    }
    steps
}

fn is_complete(steps: &[Step]) -> bool {
    steps.last().is_some_and(|s| matches!(s.kind, StepKind::Qed))
}

/// The level of a step's name: `<2>1`, `<*>` (the current level) or `<+>` (one deeper). A proof that has its QED is no
/// longer current, unless PROOF begins the proof of that QED.
fn level(name: &str, open: &[(u64, Vec<Step>)], opens: bool) -> u64 {
    let inner = name.trim_start_matches('<').split('>').next().unwrap_or("");
    let current = || open.iter().rev().find(|(_, steps)| opens || !is_complete(steps)).or(open.first()).map(|o| o.0);
    match inner {
        "*" if opens => current().map_or(0, |c| c.saturating_add(1)),
        "*" => current().unwrap_or(0),
        "+" => current().map_or(0, |c| c.saturating_add(1)),
        digits => digits.parse().unwrap_or(u64::MAX),
    }
}
