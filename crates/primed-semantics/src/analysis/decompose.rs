//! Each top-level unit of a module judged on its own.
//!
//! A unit that does not parse, or that is wrong, is taken out; names that it would have defined are stood in for where
//! others use them. So every unit gets a verdict of its own, however broken its neighbours are.

use std::ops::Range;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast::{self, UnitKind};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};
use primed_syntax::{Piece, PieceKind, parse_file, parse_pieces, pieces_of};

use circles::Circles;

use super::files::{ParsedFiles, Reader, instantiated};
use super::stubs::Stubs;
use super::table::{self, Analyser};
use super::{Depth, analyse};
use crate::library::Library;
use crate::model::Located;

/// What a unit is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitVerdict {
    /// It parses, and names, arities and levels are right, given what was stood in for.
    Ok,
    /// It does not parse.
    Syntax,
    /// It parses, and something in it is wrong.
    Semantic,
}

impl UnitVerdict {
    /// The verdict in one word.
    pub fn word(self) -> &'static str {
        match self {
            UnitVerdict::Ok => "ok",
            UnitVerdict::Syntax => "syntax",
            UnitVerdict::Semantic => "semantic",
        }
    }
}

/// Why a name had to be stood in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubReason {
    /// Nothing in sight defines or declares it.
    Unknown,
    /// The unit that defines it is broken; its first line.
    Broken(u32),
    /// It is defined only after its use; on that line.
    Later(u32),
}

/// A name that was stood in for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// The name.
    pub name: Arc<str>,
    /// The number of arguments that it is used with.
    pub arity: usize,
    /// Why.
    pub reason: StubReason,
    /// Its first use.
    pub span: Span,
}

/// A top-level unit with its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What it is.
    pub kind: PieceKind,
    /// The name that it defines.
    pub name: Option<Arc<str>>,
    /// Where it stands in the file.
    pub span: Span,
    /// Its lines, from 1; the end is not one of them.
    pub lines: Range<u32>,
    /// The verdict.
    pub verdict: UnitVerdict,
    /// Errors and warnings.
    pub diagnostics: Vec<Located>,
    /// Names that were stood in for, each arity once.
    pub stubs: Vec<Stub>,
}

/// A module cut into its units.
#[derive(Debug)]
pub struct Decomposition {
    /// The module's name, if it has a header.
    pub module: Option<Arc<str>>,
    /// The text.
    pub file: SourceFile,
    /// Its units in order, without lines of dashes.
    pub units: Vec<Judged>,
    /// What is wrong outside of all units: header, end, other modules.
    pub elsewhere: Vec<Located>,
    /// SANY accepts the module as a whole.
    pub accepted: bool,
}

impl Decomposition {
    /// How many definitions are fine, and how many there are.
    pub fn definitions(&self) -> (usize, usize) {
        let all = self.units.iter().filter(|u| u.kind == PieceKind::Definition);
        let fine = all.clone().filter(|u| u.verdict == UnitVerdict::Ok).count();
        (fine, all.count())
    }

    /// The module is accepted; or each unit is ok, given what was stood in for, and nothing else is wrong.
    pub fn fine(&self) -> bool {
        let sound = !self.units.is_empty() && self.units.iter().all(|u| u.verdict == UnitVerdict::Ok);
        self.accepted || (sound && !self.elsewhere.iter().any(is_error))
    }

    /// The name of the module whose file a complaint is about.
    pub fn module_of<'d>(&'d self, located: &'d Located) -> &'d str {
        let file = located.file.name();
        if file == self.file.name() {
            return self.module.as_deref().unwrap_or_default();
        }
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        name.strip_suffix(".tla").unwrap_or(name)
    }
}

fn is_error(located: &Located) -> bool {
    located.diagnostic.severity == Severity::Error
}

/// The most complaints that are kept of one unit.
const MAX_COMPLAINTS: usize = 100;

/// Judges each top-level unit of the first module of a file. Never fails: what cannot be read has the verdict for it.
pub fn decompose(root: &SourceFile, library: &dyn Library) -> Decomposition {
    let analysis = analyse(root, library, Depth::default());
    let accepted = !analysis.failed();
    let mut modules = parse_file(root).modules;
    let mut judge = if accepted && !modules.is_empty() {
        // Then its units are known; where they would be cut is no matter.
        let module = modules.remove(0);
        let mut judge = Judge::new(root, library, module.name.clone(), pieces_of(root, module));
        judge.begin();
        judge.note_warnings(analysis.diagnostics);
        judge
    } else {
        let parsed = parse_pieces(root);
        let name = parsed.name.unwrap_or_else(|| ast::Ident { name: Arc::from(""), span: Span::default() });
        let mut judge = Judge::new(root, library, name, parsed.pieces);
        let located = |diagnostic| Located { file: root.clone(), diagnostic };
        judge.elsewhere.extend(parsed.diagnostics.into_iter().map(located));
        judge.begin();
        judge.read_modules();
        while judge.round() {}
        judge.note_refusal(analysis.diagnostics);
        judge
    };
    judge.units.iter_mut().for_each(|u| u.diagnostics.truncate(MAX_COMPLAINTS));
    let module = Some(judge.name.name).filter(|n| !n.is_empty());
    Decomposition { module, file: root.clone(), units: judge.units, elsewhere: judge.elsewhere, accepted }
}

struct Judge<'j> {
    root: &'j SourceFile,
    library: &'j dyn Library,
    name: ast::Ident,
    pieces: Vec<Piece>,
    /// One for each piece.
    units: Vec<Judged>,
    elsewhere: Vec<Located>,
    /// Sound units that need a nested module that is broken: its name and its line.
    withheld: HashMap<usize, (Arc<str>, u32)>,
}

/// The units that would give a name its meaning.
#[derive(Default)]
struct Meaning {
    /// Those that are sound.
    sound: Vec<usize>,
    /// The line of the last one that is not.
    broken: Option<u32>,
}

impl<'j> Judge<'j> {
    fn new(root: &'j SourceFile, library: &'j dyn Library, name: ast::Ident, mut pieces: Vec<Piece>) -> Judge<'j> {
        pieces.retain(|p| p.kind != PieceKind::Separator);
        let (units, elsewhere, withheld) = Default::default();
        Judge { root, library, name, pieces, units, elsewhere, withheld }
    }

    fn reader(&self) -> Reader<'j> {
        Reader::new(self.library, ParsedFiles::default())
    }

    /// Notes the warnings of a module that is accepted.
    fn note_warnings(&mut self, warnings: Vec<Located>) {
        for located in warnings {
            let mine = located.file.name() == self.root.name();
            match self.unit_at(located.diagnostic.span).filter(|_| mine) {
                Some(unit) => self.units[unit].diagnostics.push(located),
                None => self.elsewhere.push(located),
            }
        }
    }

    /// Says why the module as a whole is refused, where nothing that was said explains it.
    fn note_refusal(&mut self, complaints: Vec<Located>) {
        let explained = self.elsewhere.iter().any(is_error)
            || self.units.iter().any(|u| u.verdict != UnitVerdict::Ok || !u.stubs.is_empty());
        let unsaid = |l: &Located| l.diagnostic.code == 4221 || (!explained && is_error(l));
        self.elsewhere.extend(complaints.into_iter().filter(unsaid));
    }

    /// Finds the units that need a nested module that is broken.
    fn withhold(&mut self) {
        self.withheld.clear();
        let mut gone: HashMap<Arc<str>, u32> = HashMap::new();
        for (i, (piece, unit)) in self.pieces.iter().zip(&self.units).enumerate() {
            let module = piece.name.clone().filter(|_| piece.kind == PieceKind::Module);
            if unit.verdict != UnitVerdict::Ok {
                gone.extend(module.map(|name| (name, unit.lines.start)));
                continue;
            }
            let Some(parsed) = piece.unit.as_ref().filter(|_| !gone.is_empty()) else { continue };
            let needed = instantiated(parsed).into_iter().find_map(|n| gone.get(&n).map(|line| (n.clone(), *line)));
            if let Some((needed, line)) = needed {
                gone.extend(module.map(|name| (name, line)));
                self.withheld.insert(i, (needed, line));
            }
        }
    }

    /// The pieces that are analysed, or those that are not.
    fn sound(&self, sound: bool) -> impl Iterator<Item = &Piece> {
        let is = move |i: usize| self.units.get(i).is_some_and(|u| u.verdict == UnitVerdict::Ok);
        let taken = move |i: usize| is(i) && !self.withheld.contains_key(&i);
        self.pieces.iter().enumerate().filter(move |(i, _)| taken(*i) == sound).map(|(_, p)| p)
    }

    /// The verdicts of the parser.
    fn begin(&mut self) {
        let line = |at: u32| self.root.position(at).line;
        for piece in &mut self.pieces {
            let broken = !piece.diagnostics.is_empty();
            let diagnostics = std::mem::take(&mut piece.diagnostics);
            let located = |diagnostic| Located { file: self.root.clone(), diagnostic };
            self.units.push(Judged {
                kind: piece.kind,
                name: piece.name.clone(),
                span: piece.span,
                lines: line(piece.span.start)..line(piece.span.end.max(piece.span.start + 1) - 1) + 1,
                verdict: if broken { UnitVerdict::Syntax } else { UnitVerdict::Ok },
                diagnostics: diagnostics.into_iter().map(located).collect(),
                stubs: Vec::new(),
            });
        }
    }

    /// The module of the units that are sound so far.
    fn module(&self) -> ast::Module {
        let kept: HashSet<&str> = self.sound(true).filter_map(|p| p.name.as_deref()).collect();
        let gone: HashSet<&str> =
            self.pieces.iter().filter_map(|p| p.name.as_deref()).filter(|n| !kept.contains(n)).collect();
        let mut units: Vec<ast::Unit> = self.sound(true).filter_map(|p| p.unit.clone()).collect();
        for unit in &mut units {
            if let UnitKind::Recursive(declarations) = &mut unit.kind {
                // Their definitions are broken: that is no fault of the declaration.
                declarations.retain(|d| !gone.contains(&*d.name.name));
            }
        }
        let extends = self.pieces.iter().flat_map(|p| p.extends.iter().cloned()).collect();
        ast::Module { name: self.name.clone(), extends, units, span: Span::new(0, self.root.text().len() as u32) }
    }

    /// Takes out the names after EXTENDS and the instances whose modules cannot be read.
    fn read_modules(&mut self) {
        let nested: HashSet<Arc<str>> =
            self.pieces.iter().filter(|p| p.kind == PieceKind::Module).filter_map(|p| p.name.clone()).collect();
        let mut extended: Vec<ast::Ident> = Vec::new();
        for i in 0..self.pieces.len() {
            let names = std::mem::take(&mut self.pieces[i].extends);
            let mut kept = Vec::with_capacity(names.len());
            for name in names {
                match self.unreadable(std::slice::from_ref(&name), None, name.span) {
                    Some(complaint) => self.refuse(i, vec![complaint]),
                    None => kept.push(name),
                }
            }
            extended.extend(kept.iter().cloned());
            self.pieces[i].extends = kept;
        }
        let mut known: HashMap<Arc<str>, Option<Located>> = HashMap::new();
        for i in 0..self.pieces.len() {
            let Some(unit) = self.pieces[i].unit.as_ref().filter(|_| self.units[i].verdict == UnitVerdict::Ok) else {
                continue;
            };
            let span = unit.span;
            let mut complaints = Vec::new();
            for name in instantiated(unit).into_iter().filter(|n| !nested.contains(n)) {
                let found = match known.get(&name) {
                    Some(found) => found.clone(),
                    None => self.unreadable(&extended, Some(&name), span),
                };
                complaints.extend(found.clone());
                known.insert(name, found);
            }
            if !complaints.is_empty() {
                self.refuse(i, complaints);
            }
        }
    }

    /// Why modules cannot be read, in one complaint.
    fn unreadable(&self, extends: &[ast::Ident], instance: Option<&Arc<str>>, span: Span) -> Option<Located> {
        let here = |name: &Arc<str>| ast::Ident { name: name.clone(), span };
        let unit = instance.map(|name| {
            let instance = ast::Instance { module: here(name), substitutions: Vec::new(), span };
            ast::Unit { kind: UnitKind::Instance { local: false, instance }, span }
        });
        let (name, units) = (self.name.clone(), unit.into_iter().collect());
        let mut reader = self.reader();
        let module = ast::Module { name, extends: extends.to_vec(), units, span };
        if reader.read_for(self.root, module).is_some() {
            return None;
        }
        let mut complaint = reader.diagnostics.into_iter().next()?;
        if complaint.file.name() == self.root.name() {
            complaint.diagnostic.span = span;
        }
        Some(complaint)
    }

    fn refuse(&mut self, index: usize, complaints: Vec<Located>) {
        if let Some(unit) = self.units.get_mut(index) {
            unit.verdict = UnitVerdict::Semantic;
            unit.diagnostics.extend(complaints);
        }
    }

    /// The unit that a place of the root belongs to.
    fn unit_at(&self, span: Span) -> Option<usize> {
        let after = self.units.partition_point(|u| u.span.start <= span.start);
        let index = after.checked_sub(1)?;
        self.units.get(index).filter(|u| span.start <= u.span.end).map(|_| index)
    }

    /// Analyses what is sound so far and takes out what is not; true if something was taken out.
    fn round(&mut self) -> bool {
        self.withhold();
        let mut reader = self.reader();
        let Some(order) = reader.read_for(self.root, self.module()) else {
            self.elsewhere.extend(reader.diagnostics);
            return false;
        };
        let mut analyser = Analyser::new();
        analyser.stubs = Some(self.stubs());
        analyser.sources = reader.files.iter().map(|f| f.source.clone()).collect();
        analyser.module_names = reader.files.iter().map(|f| f.name.clone()).collect();
        for number in order {
            let Some(file) = reader.files.get(number as usize) else { continue };
            let (name, Some(module)) = (file.name.clone(), file.module.clone()) else { continue };
            analyser.file = number;
            analyser.state = table::State::default();
            let id = analyser.module_body(&module);
            analyser.external.insert(name, id);
            if !analyser.messages.iter().any(|m| m.file == number && m.diagnostic.severity == Severity::Error) {
                analyser.module_level(id);
            }
            if analyser.aborted {
                break;
            }
        }
        let wrong = self.note_stubs(&analyser);
        self.attribute(analyser, wrong)
    }

    /// Stand-ins for what the units that were taken out would have said.
    fn stubs(&self) -> Stubs {
        let declares = |p: &Piece| matches!(p.kind, PieceKind::Constants | PieceKind::Variables | PieceKind::Extends);
        Stubs {
            gone: self.sound(false).filter_map(|p| p.name.clone()).collect(),
            any_gone: self.sound(false).any(declares),
            ..Stubs::default()
        }
    }

    /// Gives each complaint to its unit. Warnings are noted once no unit has errors any more.
    fn attribute(&mut self, analyser: Analyser, mut wrong: Vec<(usize, Located)>) -> bool {
        let (mut elsewhere, mut warnings) = (Vec::new(), Vec::new());
        for message in analyser.messages {
            let Some(file) = analyser.sources.get(message.file as usize) else { continue };
            let unit = if message.file == 0 { self.unit_at(message.diagnostic.span) } else { None };
            let located = Located { file: file.clone(), diagnostic: message.diagnostic };
            match (unit, located.diagnostic.severity) {
                (Some(unit), Severity::Error) => wrong.push((unit, located)),
                (Some(unit), Severity::Warning) => warnings.push((unit, located)),
                (None, _) => elsewhere.push(located),
            }
        }
        if wrong.is_empty() {
            self.elsewhere.extend(elsewhere);
            warnings.into_iter().for_each(|(unit, located)| self.units[unit].diagnostics.push(located));
            return false;
        }
        let mut again = false;
        for (unit, located) in wrong {
            again |= self.units.get(unit).is_some_and(|u| u.verdict == UnitVerdict::Ok);
            self.refuse(unit, vec![located]);
        }
        again
    }

    /// Notes what was stood in for; the result is names that a definition may not use: its own.
    fn note_stubs(&mut self, analyser: &Analyser) -> Vec<(usize, Located)> {
        let mut wrong = Vec::new();
        let Some(stubs) = &analyser.stubs else { return wrong };
        self.units.iter_mut().filter(|u| u.verdict == UnitVerdict::Ok).for_each(|u| u.stubs.clear());
        for (index, (name, line)) in &self.withheld {
            let (name, reason) = (name.clone(), StubReason::Broken(*line));
            let unit = &mut self.units[*index];
            unit.stubs.push(Stub { name, arity: 0, reason, span: unit.span });
        }
        let meanings = self.meanings();
        let declared = !self.sound(false).any(|p| p.kind == PieceKind::Recursive);
        let circles = if declared { self.circles(analyser, stubs, &meanings) } else { Circles::default() };
        let mut uses: Vec<_> = stubs.uses.iter().collect();
        uses.sort_by_key(|(_, _, spot)| spot.span.start);
        let mut seen = HashSet::new();
        for (name, arity, spot) in uses {
            let Some(index) = self.unit_at(spot.span) else { continue };
            if !seen.insert((index, name, *arity)) {
                continue;
            }
            let base = name.split('!').next().unwrap_or(name);
            let reason = meanings.get(base).map_or(StubReason::Unknown, |m| self.reason(m, index));
            let piece = self.pieces.get(index).filter(|p| p.kind == PieceKind::Definition);
            let own = reason == StubReason::Unknown && piece.is_some_and(|p| p.name.as_deref() == Some(base));
            let mutual = matches!(reason, StubReason::Later(_)) && circles.holds(index, meanings.get(base));
            if (own && declared) || mutual {
                wrong.push((
                    index,
                    Located { file: self.root.clone(), diagnostic: undeclared(base, *arity, spot.span) },
                ));
                continue;
            }
            self.units[index].stubs.push(Stub { name: name.clone(), arity: *arity, reason, span: spot.span });
        }
        wrong
    }

    fn meanings(&self) -> HashMap<Arc<str>, Meaning> {
        let mut meanings: HashMap<Arc<str>, Meaning> = HashMap::new();
        for (i, (piece, unit)) in self.pieces.iter().zip(&self.units).enumerate() {
            for name in names(piece) {
                let meaning = meanings.entry(name).or_default();
                match (unit.verdict, self.withheld.get(&i)) {
                    (UnitVerdict::Ok, None) => meaning.sound.push(i),
                    (UnitVerdict::Ok, Some((_, line))) => meaning.broken = Some(*line),
                    _ => meaning.broken = Some(unit.lines.start),
                }
            }
        }
        meanings
    }

    /// Why a name means nothing in a unit.
    fn reason(&self, meaning: &Meaning, user: usize) -> StubReason {
        let later = meaning.sound.get(meaning.sound.partition_point(|i| *i <= user));
        match (later.and_then(|i| self.units.get(*i)), meaning.broken) {
            (Some(later), _) => StubReason::Later(later.lines.start),
            (None, Some(line)) => StubReason::Broken(line),
            (None, None) => StubReason::Unknown,
        }
    }
}

/// A definition uses the name that it defines, or one that needs it: it means nothing there, unless RECURSIVE declares it (4200).
fn undeclared(name: &str, arity: usize, span: Span) -> Diagnostic {
    let declaration = match arity {
        0 => name.to_owned(),
        n => format!("{name}({})", vec!["_"; n.min(MAX_COMPLAINTS)].join(", ")),
    };
    let help = format!("what uses itself, through others too, is declared before: `RECURSIVE {declaration}`");
    Diagnostic::error(4200, format!("Unknown operator: `{name}'."), span).with_help(help)
}

/// The names that a piece defines or declares.
fn names(piece: &Piece) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = piece.name.iter().cloned().collect();
    match piece.unit.as_ref().map(|u| &u.kind) {
        Some(UnitKind::Constants(declarations)) => names.extend(declarations.iter().map(|d| d.name.name.clone())),
        Some(UnitKind::Variables(variables)) => names.extend(variables.iter().map(|n| n.name.clone())),
        _ => {}
    }
    names
}

mod circles;
#[cfg(test)]
mod tests;
