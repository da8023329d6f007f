//! Windows by name on whole specifications: what becomes of each kind of line, how a window is bound, what a refusal says.

mod binding;
mod evidence;
mod invariants;
mod library;
mod lines;
mod unobserved;
mod values;

use primed::{Outcome, Refused, Spec, SpecBuilder, Verdict};

/// A specification of one module and its configuration, written to a folder of its own. The module is `Spec`.
fn builder(folder: &tempfile::TempDir, body: &str, config: &str) -> SpecBuilder {
    let path = folder.path().join("Spec.tla");
    std::fs::write(&path, format!("---- MODULE Spec ----\n{body}\n====\n")).unwrap();
    std::fs::write(folder.path().join("Spec.cfg"), config).unwrap();
    Spec::builder(path)
}

/// Opens a specification as it is.
fn open(body: &str, config: &str) -> Spec {
    opened(body, config, |builder| builder)
}

/// Opens a specification with something asked for.
fn opened(body: &str, config: &str, ask: impl FnOnce(SpecBuilder) -> SpecBuilder) -> Spec {
    let folder = tempfile::tempdir().unwrap();
    ask(builder(&folder, body, config)).open().unwrap_or_else(|e| panic!("{e}"))
}

const BEHAVIOUR: &str = "INIT Init\nNEXT Next\n";

fn judge(spec: &Spec, window: &str) -> Verdict {
    spec.judge(1, window).expect("a verdict")
}

/// The word for the verdict on a window.
fn word(spec: &Spec, window: &str) -> &'static str {
    judge(spec, window).outcome.word()
}

/// A window in its short form.
fn window(action: &str, pre: &str, post: &str) -> String {
    format!(r#"{{"action": "{action}", "pre": {pre}, "post": {post}}}"#)
}

/// A window with an actor.
fn by(action: &str, actor: &str, pre: &str, post: &str) -> String {
    format!(r#"{{"action": "{action}", "actor": {actor}, "pre": {pre}, "post": {post}}}"#)
}

fn refused(verdict: Verdict) -> Refused {
    match verdict.outcome {
        Outcome::Refused(why) => *why,
        other => panic!("not refused: {other:?}"),
    }
}

fn error(verdict: Verdict) -> String {
    match verdict.outcome {
        Outcome::Error(trouble) => trouble.message,
        other => panic!("no error: {other:?}"),
    }
}
