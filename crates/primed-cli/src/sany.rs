//! `primed sany`: a specification looked at as SANY does, with its words and exit codes.

use primed::{Analysis, Depth, Located, ParsedFiles, Severity, SourceFile};
use serde::Serialize;

use crate::arguments::SanyArguments;
use crate::diagnostics::{self, Entry};
use crate::exit::{Failure, GOOD};
use crate::output::Sink;
use crate::paint::Paint;

pub(crate) const LONG_HELP: &str = "\
SANY's own options with one dash are understood too: -error-codes, -s, -l, -suppressMessages, -messagesAsErrors.

JSON (`--json -`): one object for each file with its verdict (OK, SYNTAX or SEMANTIC) and its diagnostics; each has severity,
SANY's code, message, file, module, line, column, end_line and end_column (the last character's), and, where there is some, help
and notes (other places that explain it).

Exit codes:
    0  every file is accepted
    2  with --error-codes: the syntax of a file, or a module that it needs is not there
    4  with --error-codes: names, arities, levels
   64  the command was called wrongly
   70  a fault of Primed
  255  without --error-codes: a file is refused; with it too: a file itself cannot be read

Examples:
  primed sany Raft.tla
  primed sany --error-codes --json - --library modules Raft.tla Paxos.tla";

/// SANY's exit codes.
const SYNTAX: u8 = 2;
const SEMANTIC: u8 = 4;
const REFUSED: u8 = 255;

/// Analyses; the exit code.
pub(crate) fn run(arguments: &SanyArguments) -> Result<u8, Failure> {
    let libraries = arguments.libraries.all();
    let depth = Depth { semantics: !arguments.syntax_only, levels: !arguments.no_levels, lint: !arguments.no_linting };
    let mut json = match &arguments.common.json {
        Some(target) => Some(Sink::json(target, None)?.promptly()),
        None => None,
    };
    let mut people = (!arguments.common.only_json()).then(|| Sink::standard().promptly());
    let (mut code, mut parsed) = (GOOD, ParsedFiles::default());
    for file in &arguments.files {
        let path = match file.extension() {
            Some(_) => file.clone(),
            None => file.with_extension("tla"),
        };
        let shown = path.display().to_string();
        let report = match primed::analyse_with(&path, &libraries, depth, &mut parsed) {
            Ok(analysis) => Report::new(shown, analysis, &arguments.suppress_messages, &arguments.messages_as_errors),
            Err(why) => Report::unreadable(shown, why),
        };
        if let Some(people) = &mut people {
            let text = report.text() + &report.drawings(arguments.common.color.output());
            people.text(&text).map_err(|e| e.failure(code))?;
        }
        if let Some(json) = &mut json {
            json.object(&report.object()).map_err(|e| e.failure(code))?;
        }
        if code == GOOD {
            code = report.code(arguments.error_codes);
        }
        if code != GOOD && !arguments.keep_going {
            break;
        }
    }
    if let Some(json) = json {
        json.finish().map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// What is said of one file.
pub(crate) struct Report {
    file: String,
    analysis: Option<Analysis>,
    /// Why the file cannot be read.
    unreadable: Option<String>,
    suppressed: Vec<u32>,
    elevated: Vec<u32>,
}

impl Report {
    /// What an analysis says. Warnings with the codes in `suppressed` are left out, those in `elevated` count as errors.
    pub(crate) fn new(file: String, analysis: Analysis, suppressed: &[u32], elevated: &[u32]) -> Report {
        let (suppressed, elevated) = (suppressed.to_vec(), elevated.to_vec());
        Report { file, analysis: Some(analysis), unreadable: None, suppressed, elevated }
    }

    fn unreadable(file: String, why: String) -> Report {
        Report { file, analysis: None, unreadable: Some(why), suppressed: Vec::new(), elevated: Vec::new() }
    }

    fn is_error(&self, located: &Located) -> bool {
        let diagnostic = &located.diagnostic;
        diagnostic.severity == Severity::Error || self.elevated.contains(&diagnostic.code)
    }

    /// Warnings may be left out, errors not.
    fn shown(&self) -> Vec<&Located> {
        let all = self.analysis.iter().flat_map(|a| &a.diagnostics);
        all.filter(|d| d.diagnostic.severity == Severity::Error || !self.suppressed.contains(&d.diagnostic.code))
            .collect()
    }

    /// Whether the specification is accepted.
    pub(crate) fn accepted(&self) -> bool {
        self.verdict() == "OK"
    }

    fn verdict(&self) -> &'static str {
        let Some(analysis) = &self.analysis else { return "SYNTAX" };
        // Warnings of the first pass that count as errors are errors of the syntax, for SANY.
        let translation = |d: &&Located| self.is_error(d) && matches!(d.diagnostic.code, 4803..=4805);
        let unparsed = analysis.unparsed || self.shown().iter().any(translation);
        match (self.shown().iter().any(|d| self.is_error(d)), unparsed) {
            (false, _) => "OK",
            (true, true) => "SYNTAX",
            (true, false) => "SEMANTIC",
        }
    }

    fn code(&self, detailed: bool) -> u8 {
        match (self.verdict(), detailed && self.unreadable.is_none()) {
            ("OK", _) => GOOD,
            (_, false) => REFUSED,
            ("SYNTAX", true) => SYNTAX,
            (_, true) => SEMANTIC,
        }
    }

    // Text, in SANY's words.

    fn text(&self) -> String {
        format!("\n****** SANY2 Version 2.2 (Primed {})\n\n{}", env!("CARGO_PKG_VERSION"), self.body())
    }

    /// The text without the line that names the program.
    pub(crate) fn body(&self) -> String {
        let mut text = String::new();
        let Some(analysis) = &self.analysis else {
            let why = self.unreadable.as_deref().unwrap_or_default();
            text.push_str(&format!("Cannot find the specified file {}.\n{why}\n", self.file));
            return text;
        };
        for (_, file) in &analysis.parsed {
            text.push_str(&format!("Parsing file {}\n", file.name()));
        }
        if analysis.unparsed {
            self.syntax_errors(analysis, &mut text);
            return text;
        }
        let mut told = 0;
        for module in &analysis.processed {
            text.push_str(&format!("Semantic processing of module {}\n", module.name));
            if module.diagnostics > told {
                told = module.diagnostics;
                let until = analysis.diagnostics.get(..told).unwrap_or(&analysis.diagnostics);
                self.semantic_errors(analysis, until, &mut text);
            }
        }
        if analysis.aborted {
            text.push_str(&format!("Fatal errors in semantic processing of TLA spec {}\n\n", self.file));
        }
        text
    }

    /// The complaints once more, with their lines, what explains them and what to do.
    fn drawings(&self, paint: Paint) -> String {
        let drawn: Vec<Located> = self.shown().into_iter().cloned().collect();
        diagnostics::render(&drawn, paint)
    }

    fn syntax_errors(&self, analysis: &Analysis, text: &mut String) {
        for located in self.shown().into_iter().filter(|l| self.is_error(l)) {
            let (file, diagnostic) = (&located.file, &located.diagnostic);
            if diagnostic.code == 4003 {
                let at = file.position(diagnostic.span.start);
                let message = &diagnostic.message;
                text.push_str(&format!("***Parse Error***\n{message}\nat line {}, column {}\n\n", at.line, at.column));
                text.push_str(&format!("Residual stack trace follows:\n{}\n\n", outermost(file)));
                let module = analysis.module_of(located).unwrap_or_default();
                text.push_str(&format!("Fatal errors while parsing TLA+ spec in file {module}\n\n"));
                text.push_str(&format!("*** Errors: 1\n\nIn module {module}\n\n"));
                text.push_str(&format!("Could not parse module {module} from file {}\n\n\n", file.name()));
                return;
            }
            text.push_str(&format!("Fatal errors while parsing TLA+ spec in file {}\n\n", self.file));
            text.push_str(&format!("*** Errors: 1\n\n{}\n\n{}\n\n\n", location(analysis, located), diagnostic.message));
        }
    }

    fn semantic_errors(&self, analysis: &Analysis, until: &[Located], text: &mut String) {
        let visible =
            |d: &&Located| d.diagnostic.severity == Severity::Error || !self.suppressed.contains(&d.diagnostic.code);
        let (errors, warnings): (Vec<&Located>, Vec<&Located>) =
            until.iter().filter(visible).partition(|d| self.is_error(d));
        if !warnings.is_empty() {
            text.push_str(&format!("*** Warnings: {}\n\n", warnings.len()));
        }
        for located in warnings {
            text.push_str(&format!("{}\n\n{}\n\n\n", location(analysis, located), located.diagnostic.message));
        }
        if !errors.is_empty() {
            text.push_str(&format!("Semantic errors:\n\n*** Errors: {}\n\n", errors.len()));
        }
        for located in errors {
            text.push_str(&format!("{}\n\n{}\n\n\n", location(analysis, located), located.diagnostic.message));
        }
    }

    // JSON.

    fn object(&self) -> Object<'_> {
        let mut diagnostics: Vec<Entry<'_>> = self.shown().into_iter().map(|d| self.entry(d)).collect();
        if let Some(why) = &self.unreadable {
            let mut entry = Entry::default();
            (entry.severity, entry.code, entry.message, entry.file) = ("error", 4220, why, &self.file);
            diagnostics.push(entry);
        }
        let modules = self.analysis.iter().flat_map(|a| &a.parsed).map(|(name, _)| &**name).collect();
        Object { file: &self.file, verdict: self.verdict(), modules, diagnostics }
    }

    fn entry<'r>(&'r self, located: &'r Located) -> Entry<'r> {
        let module = self.analysis.as_ref().and_then(|a| a.module_of(located)).unwrap_or_default();
        Entry::new(located, module, self.is_error(located))
    }
}

/// The last line of SANY's residual stack trace: where the module begins. The productions that SANY was in are not known.
fn outermost(file: &SourceFile) -> String {
    let text = file.text();
    let dashes = |at: &usize| text.get(..*at).is_some_and(|t| t.trim_end_matches(' ').ends_with("----"));
    let word = text.match_indices("MODULE").map(|(at, _)| at).find(dashes).unwrap_or(0);
    let header = text.get(..word).unwrap_or("").trim_end_matches(' ').trim_end_matches('-').len();
    let at = file.position(header as u32);
    format!("Module definition starting at line {}, column {}.", at.line, at.column)
}

/// A place in SANY's words.
fn location(analysis: &Analysis, located: &Located) -> String {
    let module = analysis.module_of(located).unwrap_or_default();
    match located.diagnostic.code {
        4220 | 4222 | 4803..=4805 => format!("In module {module}"),
        _ => format!("{} of module {module}", located.file.range(located.diagnostic.span)),
    }
}

#[derive(Serialize)]
struct Object<'r> {
    file: &'r str,
    verdict: &'static str,
    modules: Vec<&'r str>,
    diagnostics: Vec<Entry<'r>>,
}
