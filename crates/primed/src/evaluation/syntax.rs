//! The first phase: is the module legal, definition by definition?

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::PathBuf;

use primed_semantics::analysis::{Decomposition, Judged, StubReason, UnitVerdict};
use primed_semantics::library::Library;
use primed_semantics::model::Located;
use primed_syntax::cfg::parse_config;
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::SourceFile;
use primed_syntax::{PieceKind, Word, WordKind, words};

use super::EvaluationSettings;
use crate::files::{Folders, folder_of, read_source};
use crate::load::read_config;

/// The most files of one specification that are looked at.
const MAX_MODULES: usize = 100;

/// What the first phase came to.
#[derive(Debug, Default)]
pub struct Syntax {
    /// The module's name, if it has a header.
    pub module: Option<String>,
    /// SANY accepts the specification as a whole.
    pub accepted: bool,
    /// Why the file cannot be read.
    pub unreadable: Option<String>,
    /// The definitions that the next-state relation is made of, directly or through others, in textual order: those about steps,
    /// without the relation itself where it has parts.
    pub actions: Vec<SyntaxUnit>,
    /// Other units with errors.
    pub others: Vec<SyntaxUnit>,
    /// Errors outside of all units: header, end, other modules.
    pub elsewhere: Vec<Located>,
    /// Warnings.
    pub warnings: Vec<Located>,
    /// Definitions without errors in the specification's files, and all of them.
    pub definitions: (usize, usize),
}

/// A unit of a module, judged on its own.
#[derive(Clone, Debug)]
pub struct SyntaxUnit {
    /// What it is.
    pub kind: PieceKind,
    /// What it defines, or what it is.
    pub name: String,
    /// The file.
    pub file: String,
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// Nothing is wrong with it, given that what others should define is defined.
    pub accepted: bool,
    /// What is wrong with it.
    pub errors: Vec<Located>,
    /// Names that only broken units would define: of these it is taken for granted that they are right.
    pub presumed: Vec<String>,
}

impl Syntax {
    /// 0 or 150.
    pub fn exit_code(&self) -> i32 {
        if self.accepted { 0 } else { 150 }
    }

    /// All errors, those of actions first.
    pub fn errors(&self) -> impl Iterator<Item = &Located> {
        let units = self.actions.iter().chain(&self.others);
        units.flat_map(|unit| &unit.errors).chain(&self.elsewhere)
    }
}

/// A file of the specification.
struct File {
    found: Decomposition,
    words: Vec<Word>,
}

/// A unit by the numbers of its file and of itself.
type Unit = (usize, usize);

/// Judges the specification.
pub(super) fn judge(settings: &EvaluationSettings) -> Syntax {
    let root = match read_source(&settings.spec) {
        Ok(root) => root,
        Err(why) => return Syntax { unreadable: Some(why), ..Syntax::default() },
    };
    let libraries = settings.libraries.clone();
    let folders = Folders([vec![folder_of(&settings.spec), PathBuf::from(".")], libraries].concat());
    let files = read(&root, &folders);
    let uses: Vec<Vec<Uses>> = files.iter().map(File::uses).collect();
    let actions = actions(&files, &uses, &relation(settings, &files));
    let mut syntax = Syntax::default();
    let mut told = HashSet::new();
    let mut fresh = |located: &Located| {
        let Located { file, diagnostic } = located;
        told.insert((file.name().to_owned(), diagnostic.span.start, diagnostic.message.clone()))
    };
    // Those of later files first: what the root says of them is the same once more.
    for (number, file) in files.iter().enumerate().rev() {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (i, unit) in file.found.units.iter().enumerate() {
            let mut judged = file.unit(unit);
            judged.errors.retain(&mut fresh);
            match actions.contains(&(number, i)) {
                true => own.push(judged),
                false if !judged.errors.is_empty() => others.push(judged),
                false => {}
            }
        }
        syntax.actions.splice(..0, own);
        syntax.others.splice(..0, others);
        let (errors, warnings): (Vec<Located>, Vec<Located>) =
            file.found.elsewhere.iter().filter(|l| fresh(l)).cloned().partition(is_error);
        syntax.elsewhere.splice(..0, errors);
        let inside = file.found.units.iter().flat_map(|u| &u.diagnostics).filter(|l| !is_error(l));
        syntax.warnings.extend(inside.cloned().chain(warnings));
        let (fine, all) = file.found.definitions();
        syntax.definitions = (syntax.definitions.0 + fine, syntax.definitions.1 + all);
    }
    if let Some(File { found, .. }) = files.first() {
        syntax.accepted = found.accepted;
        syntax.module = found.module.as_deref().map(str::to_owned);
    }
    syntax
}

fn is_error(located: &Located) -> bool {
    located.diagnostic.severity == Severity::Error
}

/// The root and the user's modules that it extends or instantiates, directly or not.
fn read(root: &SourceFile, folders: &Folders) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut todo = VecDeque::from([root.clone()]);
    let mut known = HashSet::new();
    while let Some(source) = todo.pop_front() {
        if files.len() >= MAX_MODULES {
            break;
        }
        let file = File { found: primed_semantics::decompose(&source, folders), words: words(&source) };
        for name in file.modules() {
            if known.insert(name.clone())
                && let Ok(Some(source)) = folders.find(&name)
            {
                todo.push_back(source);
            }
        }
        files.push(file);
    }
    files
}

impl File {
    fn text(&self, word: &Word) -> &str {
        self.found.file.slice(word.span)
    }

    fn within(&self, unit: &Judged) -> &[Word] {
        let from = self.words.partition_point(|w| w.span.start < unit.span.start);
        let to = self.words.partition_point(|w| w.span.start < unit.span.end);
        self.words.get(from..to).unwrap_or_default()
    }

    /// The names of the modules that are extended or instantiated.
    fn modules(&self) -> Vec<String> {
        let extends = self.found.units.iter().filter(|u| u.kind == PieceKind::Extends);
        let extended = extends.flat_map(|u| self.within(u)).filter(|w| w.kind == WordKind::Name);
        let instances = self.words.iter().filter(|w| w.kind == WordKind::Module);
        extended.chain(instances).map(|w| self.text(w).to_owned()).collect()
    }

    /// What each unit uses.
    fn uses(&self) -> Vec<Uses> {
        let of = |unit: &Judged| {
            let words = self.within(unit);
            let names = words.iter().filter(|w| matches!(w.kind, WordKind::Name | WordKind::Foreign));
            Uses {
                step: words.iter().any(|w| w.kind == WordKind::Step),
                names: names.map(|w| (self.text(w).to_owned(), w.kind == WordKind::Foreign)).collect(),
            }
        };
        self.found.units.iter().map(of).collect()
    }

    fn unit(&self, unit: &Judged) -> SyntaxUnit {
        let mut errors: Vec<Located> = unit.diagnostics.iter().filter(|d| is_error(d)).cloned().collect();
        let mut presumed = Vec::new();
        for stub in &unit.stubs {
            let unknown = match stub.reason {
                StubReason::Broken(_) => {
                    presumed.push(stub.name.to_string());
                    continue;
                }
                StubReason::Unknown => {
                    Diagnostic::error(4200, format!("Unknown operator: `{}'.", stub.name), stub.span)
                }
                StubReason::Later(line) => {
                    let help = format!("it is defined at line {line}, after its use");
                    Diagnostic::error(4200, format!("Unknown operator: `{}'.", stub.name), stub.span).with_help(help)
                }
            };
            errors.push(Located { file: self.found.file.clone(), diagnostic: unknown });
        }
        SyntaxUnit {
            kind: unit.kind,
            name: unit.name.as_deref().unwrap_or(unit.kind.word()).to_owned(),
            file: self.found.file.name().to_owned(),
            lines: (unit.lines.start, unit.lines.end.saturating_sub(1)),
            accepted: unit.verdict == UnitVerdict::Ok && errors.is_empty(),
            errors,
            presumed,
        }
    }
}

/// What a unit uses.
struct Uses {
    /// It has primes or UNCHANGED.
    step: bool,
    /// Names, and whether they are another module's.
    names: BTreeSet<(String, bool)>,
}

/// The names that the next-state relation has in the configuration, or in the formula that SPECIFICATION names.
fn relation(settings: &EvaluationSettings, files: &[File]) -> Vec<String> {
    let config = settings.config_path().and_then(|path| read_config(&path).ok());
    let config = config.map(|file| parse_config(&file).0).unwrap_or_default();
    if let Some(next) = config.next {
        return vec![next.name.to_string()];
    }
    let specification = config.specification.map_or_else(|| "Spec".to_owned(), |s| s.name.to_string());
    for file in files {
        let mut units = file.found.units.iter().filter(|u| u.name.as_deref() == Some(&*specification));
        let Some(unit) = units.next_back() else { continue };
        let words = file.within(unit);
        let begins = |i: &usize| matches!(words.get(*i..*i + 2), Some([a, b]) if (a.kind, b.kind) == (WordKind::Always, WordKind::Open));
        let Some(begin) = (0..words.len()).find(begins) else { continue };
        let inside = words.iter().skip(begin + 2).take_while(|w| w.kind != WordKind::Subscript);
        let names = inside.filter(|w| matches!(w.kind, WordKind::Name | WordKind::Foreign));
        return names.map(|w| file.text(w).to_owned()).collect();
    }
    vec!["Next".to_owned()]
}

/// The units that the next-state relation is made of.
fn actions(files: &[File], uses: &[Vec<Uses>], relation: &[String]) -> BTreeSet<Unit> {
    let mut defined: BTreeMap<&str, Vec<Unit>> = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        for (i, unit) in file.found.units.iter().enumerate() {
            if let (PieceKind::Definition, Some(name)) = (unit.kind, unit.name.as_deref()) {
                defined.entry(name).or_default().push((number, i));
            }
        }
    }
    // Of its own file, unless it is another module's: then of any other.
    let meant = |name: &str, foreign: bool, file: usize| {
        let all = defined.get(name).map_or(&[][..], Vec::as_slice);
        let near = all.iter().find(|(f, _)| (*f == file) != foreign);
        near.or_else(|| all.first()).copied()
    };
    let roots: BTreeSet<Unit> = relation.iter().filter_map(|name| meant(name, false, 0)).collect();
    let (mut reached, mut todo) = (roots.clone(), roots.iter().copied().collect::<Vec<_>>());
    let mut edges: Vec<(Unit, Unit)> = Vec::new();
    while let Some(unit) = todo.pop() {
        let Some(used) = uses.get(unit.0).and_then(|units| units.get(unit.1)) else { continue };
        for (name, foreign) in &used.names {
            let Some(other) = meant(name, *foreign, unit.0).filter(|other| *other != unit) else { continue };
            edges.push((unit, other));
            if reached.insert(other) {
                todo.push(other);
            }
        }
    }
    let step = |unit: &Unit| uses.get(unit.0).and_then(|units| units.get(unit.1)).is_some_and(|u| u.step);
    let mut about_steps: BTreeSet<Unit> = reached.iter().filter(|u| step(u)).copied().collect();
    loop {
        let more = edges.iter().filter(|(user, used)| about_steps.contains(used) && !about_steps.contains(user));
        let more: Vec<Unit> = more.map(|(user, _)| *user).collect();
        if more.is_empty() {
            break;
        }
        about_steps.extend(more);
    }
    let parts: BTreeSet<Unit> = about_steps.difference(&roots).copied().collect();
    if parts.is_empty() { roots } else { parts }
}
