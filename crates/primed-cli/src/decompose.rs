//! `primed decompose`: each definition of a module judged on its own.

use std::path::Path;

use primed::{Decomposition, Judged, Located, PieceKind, Severity, StubReason, UnitVerdict};
use serde::Serialize;

use crate::arguments::DecomposeArguments;
use crate::diagnostics::{self, Entry};
use crate::exit::{Failure, GOOD, SPECIFICATION};
use crate::output::Sink;
use crate::paint::{Paint, harmless};

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  the module is accepted, or every unit is ok, given what was stubbed
   64  the command was called wrongly
   70  a fault of Primed
  150  a unit is not ok, or something outside of all units (header, end, other modules), or the file cannot be read";

pub(crate) const LONG_HELP: &str = "\
JSON (`--json -`): an object for each unit, in order, with kind, name, line, end_line, verdict, diagnostics and stubs; the last
line is the summary. docs/json.md has the keys.

Exit codes:
    0  the module is accepted, or every unit is ok, given what was stubbed
   64  the command was called wrongly
   70  a fault of Primed
  150  a unit is not ok, or something outside of all units (header, end, other modules), or the file cannot be read

Examples:
  primed decompose Raft.tla
  primed decompose --json - --library modules Raft.tla";

/// Judges; the exit code.
pub(crate) fn run(arguments: &DecomposeArguments) -> Result<u8, Failure> {
    let libraries = arguments.libraries.all();
    let path = match arguments.spec.extension() {
        Some(_) => arguments.spec.clone(),
        None => arguments.spec.with_extension("tla"),
    };
    let found = match primed::decompose(&path, &libraries) {
        Ok(found) => found,
        Err(why) => return Err(unreadable(arguments, &path, why)),
    };
    let code = if found.fine() { GOOD } else { SPECIFICATION };
    if !arguments.common.only_json() {
        let text = text(&found, arguments.common.color.output());
        Sink::standard().promptly().text(&text).map_err(|e| e.failure(code))?;
    }
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, Some(&path))?;
        for unit in &found.units {
            sink.object(&Object::new(&found, unit)).map_err(|e| e.failure(code))?;
        }
        sink.object(&Summary::new(&found)).map_err(|e| e.failure(code))?;
        sink.finish().map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// The complaint about a file that cannot be read; programs get it in a summary.
fn unreadable(arguments: &DecomposeArguments, path: &Path, why: String) -> Failure {
    let Some(target) = &arguments.common.json else { return Failure::Complaint(SPECIFICATION, why) };
    let file = path.display().to_string();
    let mut entry = Entry::default();
    (entry.severity, entry.code, entry.message, entry.file) = ("error", 4220, &why, &file);
    let summary = Summary { summary: true, file: &file, diagnostics: vec![entry], ..Summary::default() };
    let written = Sink::json(target, Some(path)).and_then(|mut sink| {
        sink.object(&summary).map_err(|e| e.failure(SPECIFICATION))?;
        sink.finish().map_err(|e| e.failure(SPECIFICATION))
    });
    written.err().unwrap_or(Failure::Complaint(SPECIFICATION, why))
}

// Text.

fn text(found: &Decomposition, paint: Paint) -> String {
    let mut text = String::new();
    let wide = found.units.iter().map(|u| title(u).chars().count()).max().unwrap_or(0);
    for unit in &found.units {
        let verdict = format!("{:8}", unit.verdict.word());
        let verdict = match unit.verdict {
            UnitVerdict::Ok => paint.green(&verdict),
            _ => paint.bold_red(&verdict),
        };
        let stubs: Vec<String> = unit.stubs.iter().map(|s| stub_text(&s.name, s.arity, s.reason)).collect();
        let stubs = if stubs.is_empty() { String::new() } else { format!("   stubbed: {}", stubs.join(", ")) };
        let line = format!("{verdict}  {:wide$}  {:11}{}", title(unit), lines(unit), paint.dim(&stubs));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push('\n');
    let all = found.elsewhere.iter().chain(found.units.iter().flat_map(|u| &u.diagnostics));
    text.push_str(&diagnostics::render(&all.cloned().collect::<Vec<Located>>(), paint));
    text.push_str(&summary(found));
    text
}

/// A unit's name, or what it is.
fn title(unit: &Judged) -> String {
    match (&unit.name, unit.kind) {
        (Some(name), PieceKind::Definition) => harmless(name).into_owned(),
        (Some(name), kind) => format!("{} {}", shown(kind), harmless(name)),
        (None, kind) => shown(kind).to_owned(),
    }
}

fn shown(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Extends => "EXTENDS",
        PieceKind::Constants => "CONSTANT",
        PieceKind::Variables => "VARIABLE",
        PieceKind::Recursive => "RECURSIVE",
        PieceKind::Instance => "INSTANCE",
        PieceKind::Assumption => "ASSUME",
        PieceKind::Theorem => "THEOREM",
        PieceKind::Module => "MODULE",
        PieceKind::UseHide => "USE",
        PieceKind::Definition | PieceKind::Separator | PieceKind::Unknown => "(no unit)",
    }
}

fn lines(unit: &Judged) -> String {
    let (first, last) = (unit.lines.start, unit.lines.end.saturating_sub(1));
    if first == last { format!("{first}") } else { format!("{first}-{last}") }
}

fn stub_text(name: &str, arity: usize, reason: StubReason) -> String {
    let name = match arity {
        0 => harmless(name).into_owned(),
        n => format!("{}({})", harmless(name), vec!["_"; n].join(", ")),
    };
    match reason {
        StubReason::Unknown => name,
        StubReason::Broken(line) => format!("{name} (broken, line {line})"),
        StubReason::Later(line) => format!("{name} (defined later, line {line})"),
    }
}

fn summary(found: &Decomposition) -> String {
    let (fine, all) = found.definitions();
    let definitions = || found.units.iter().filter(|u| u.kind == PieceKind::Definition);
    let stubbed = definitions().filter(|u| u.verdict == UnitVerdict::Ok && !u.stubs.is_empty()).count();
    let also = if stubbed == 0 { String::new() } else { format!(", {stubbed} of them with names stubbed") };
    let whole = if found.accepted { "accepted" } else { "refused" };
    format!("{fine} of {all} definitions are fine{also}; the module as a whole is {whole}\n")
}

// JSON.

#[derive(Serialize)]
struct Object<'r> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
    line: u32,
    end_line: u32,
    verdict: &'static str,
    diagnostics: Vec<Entry<'r>>,
    stubs: Vec<StubEntry<'r>>,
}

#[derive(Serialize)]
struct StubEntry<'r> {
    name: &'r str,
    arity: usize,
    reason: &'static str,
    /// Where its definition is.
    #[serde(skip_serializing_if = "Option::is_none")]
    defined: Option<u32>,
    line: u32,
    column: u32,
}

#[derive(Default, Serialize)]
struct Summary<'r> {
    summary: bool,
    file: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'r str>,
    definitions: usize,
    definitions_ok: usize,
    units: usize,
    units_ok: usize,
    accepted: bool,
    diagnostics: Vec<Entry<'r>>,
}

impl<'r> Object<'r> {
    fn new(found: &'r Decomposition, unit: &'r Judged) -> Object<'r> {
        let stubs = unit.stubs.iter().map(|stub| {
            let (reason, defined) = match stub.reason {
                StubReason::Unknown => ("unknown", None),
                StubReason::Broken(line) => ("broken", Some(line)),
                StubReason::Later(line) => ("later", Some(line)),
            };
            let at = found.file.position(stub.span.start);
            StubEntry { name: &stub.name, arity: stub.arity, reason, defined, line: at.line, column: at.column }
        });
        Object {
            kind: unit.kind.word(),
            name: unit.name.as_deref(),
            line: unit.lines.start,
            end_line: unit.lines.end.saturating_sub(1),
            verdict: unit.verdict.word(),
            diagnostics: unit.diagnostics.iter().map(|d| entry(found, d)).collect(),
            stubs: stubs.collect(),
        }
    }
}

impl<'r> Summary<'r> {
    fn new(found: &'r Decomposition) -> Summary<'r> {
        let (definitions_ok, definitions) = found.definitions();
        Summary {
            summary: true,
            file: found.file.name(),
            module: found.module.as_deref(),
            definitions,
            definitions_ok,
            units: found.units.len(),
            units_ok: found.units.iter().filter(|u| u.verdict == UnitVerdict::Ok).count(),
            accepted: found.accepted,
            diagnostics: found.elsewhere.iter().map(|d| entry(found, d)).collect(),
        }
    }
}

fn entry<'r>(found: &'r Decomposition, located: &'r Located) -> Entry<'r> {
    Entry::new(located, found.module_of(located), located.diagnostic.severity == Severity::Error)
}
