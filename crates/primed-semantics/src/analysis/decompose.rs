//! Each top-level unit of a module judged on its own.
//!
//! A unit that does not parse, or that is wrong, is taken out; names that it would have defined are stood in for where
//! others use them. So every unit gets a verdict of its own, however broken its neighbours are.

use std::ops::Range;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast::{self, UnitKind};
use primed_syntax::diagnostic::Severity;
use primed_syntax::span::{SourceFile, Span};
use primed_syntax::{Piece, PieceKind, parse_pieces};

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
}

/// Judges each top-level unit of the first module of a file. Never fails: what cannot be read has the verdict for it.
pub fn decompose(root: &SourceFile, library: &dyn Library) -> Decomposition {
    let parsed = parse_pieces(root);
    let pieces: Vec<Piece> = parsed.pieces.into_iter().filter(|p| p.kind != PieceKind::Separator).collect();
    let located = |diagnostic| Located { file: root.clone(), diagnostic };
    let name = parsed.name.unwrap_or_else(|| ast::Ident { name: Arc::from(""), span: Span::default() });
    let mut judge = Judge { root, library, name, pieces, units: Vec::new(), elsewhere: Vec::new() };
    judge.elsewhere.extend(parsed.diagnostics.into_iter().map(located));
    judge.begin();
    judge.read_modules();
    while judge.round() {}
    let module = Some(judge.name.name).filter(|n| !n.is_empty());
    let accepted = !analyse(root, library, Depth::default()).failed();
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
}

impl Judge<'_> {
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
        let sound =
            || self.pieces.iter().zip(&self.units).filter(|(_, u)| u.verdict == UnitVerdict::Ok).map(|(p, _)| p);
        let kept: HashSet<&str> = sound().filter_map(|p| p.name.as_deref()).collect();
        let gone: HashSet<&str> =
            self.pieces.iter().filter_map(|p| p.name.as_deref()).filter(|n| !kept.contains(n)).collect();
        let mut units: Vec<ast::Unit> = sound().filter_map(|p| p.unit.clone()).collect();
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
        let mut reader = Reader::new(self.library, ParsedFiles::default());
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
        let mut reader = Reader::new(self.library, ParsedFiles::default());
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
        self.note_stubs(&analyser);
        self.attribute(analyser)
    }

    /// Stand-ins for what the units that were taken out would have said.
    fn stubs(&self) -> Stubs {
        let broken =
            || self.pieces.iter().zip(&self.units).filter(|(_, u)| u.verdict != UnitVerdict::Ok).map(|(p, _)| p);
        let declares = |p: &Piece| matches!(p.kind, PieceKind::Constants | PieceKind::Variables | PieceKind::Extends);
        Stubs {
            gone: broken().filter_map(|p| p.name.clone()).collect(),
            any_gone: broken().any(declares),
            ..Stubs::default()
        }
    }

    /// Gives each complaint to its unit. Warnings are noted once no unit has errors any more.
    fn attribute(&mut self, analyser: Analyser) -> bool {
        let (mut wrong, mut elsewhere, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
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

    fn note_stubs(&mut self, analyser: &Analyser) {
        let Some(stubs) = &analyser.stubs else { return };
        self.units.iter_mut().filter(|u| u.verdict == UnitVerdict::Ok).for_each(|u| u.stubs.clear());
        let mut uses: Vec<_> = stubs.uses.iter().collect();
        uses.sort_by_key(|(_, _, spot)| spot.span.start);
        for (name, arity, spot) in uses {
            let Some(index) = self.unit_at(spot.span) else { continue };
            let reason = self.reason(name, index);
            let unit = &mut self.units[index];
            if !unit.stubs.iter().any(|s| (&s.name, s.arity) == (name, *arity)) {
                unit.stubs.push(Stub { name: name.clone(), arity: *arity, reason, span: spot.span });
            }
        }
    }

    /// Why a name means nothing in a unit.
    fn reason(&self, name: &str, user: usize) -> StubReason {
        let base = name.split('!').next().unwrap_or(name);
        let defines = |piece: &Piece| piece.name.as_deref() == Some(base) || declares(piece, base);
        let mut found = StubReason::Unknown;
        for (i, (piece, unit)) in self.pieces.iter().zip(&self.units).enumerate() {
            if !defines(piece) {
                continue;
            }
            found = match unit.verdict {
                UnitVerdict::Ok if i > user => return StubReason::Later(unit.lines.start),
                UnitVerdict::Ok => found,
                _ => StubReason::Broken(unit.lines.start),
            };
        }
        found
    }
}

/// A declaration that parses names it.
fn declares(piece: &Piece, name: &str) -> bool {
    match piece.unit.as_ref().map(|u| &u.kind) {
        Some(UnitKind::Constants(declarations)) => declarations.iter().any(|d| &*d.name.name == name),
        Some(UnitKind::Variables(names)) => names.iter().any(|n| &*n.name == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::NoLibrary;

    fn judged(body: &str) -> Vec<String> {
        let text = format!("---- MODULE M ----\n{body}\n====\n");
        let found = decompose(&SourceFile::new("M.tla", text), &NoLibrary);
        let line = |u: &Judged| {
            let stubs: Vec<String> = u.stubs.iter().map(|s| format!("{}/{}", s.name, s.arity)).collect();
            let codes: Vec<String> = u.diagnostics.iter().map(|d| d.diagnostic.code.to_string()).collect();
            let name = u.name.as_deref().unwrap_or(u.kind.word());
            [vec![name.to_owned(), u.verdict.word().to_owned()], codes, stubs].concat().join(" ")
        };
        found.units.iter().map(line).collect()
    }

    #[test]
    fn no_mutilated_module_panics() {
        let text = "---- MODULE M ----\nEXTENDS Naturals\nRECURSIVE F(_)\nF(n) == LET a == (* c *) n IN [x \\in {a} |-> F(\"s\")]\nI == INSTANCE N WITH a <- 1\nTHEOREM T == ASSUME NEW y PROVE y\n<1>1. y BY F DEF F\n<1> QED\n---- MODULE N ----\nCONSTANT a\n====\nA ++ B == I!a!1 \u{2227} <<A>>_B\n====\n";
        let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        for (n, at) in places.iter().enumerate() {
            let next = places.get(n + 3).copied().unwrap_or(text.len());
            for broken in [text[..*at].to_owned(), format!("{}{}", &text[..*at], &text[next..]), text[*at..].to_owned()]
            {
                let found = decompose(&SourceFile::new("M.tla", broken), &NoLibrary);
                assert!(found.units.iter().all(|u| u.lines.start < u.lines.end));
            }
        }
    }

    #[test]
    fn levels_are_checked_without_the_broken_units() {
        let body = "VARIABLE x\nA == (x\nB == (x')'\nC == [](A /\\ x' = 1)\nD == [][A]_x";
        assert_eq!(
            judged(body),
            ["variables ok", "A syntax 4003", "B semantic 4205", "C semantic 4310 A/0", "D ok A/0"]
        );
    }

    #[test]
    fn names_without_any_meaning_are_stood_in_for() {
        let body = "A == F(1) + F(2, 3) + y!z + Map(LAMBDA v : v, -)\nB == C'\nC == UNCHANGED v\nD == I!Op(1)!2";
        assert_eq!(judged(body), ["A ok F/1 +/2 F/2 y!z/0 Map/2", "B ok C/0", "C ok v/0", "D ok I/0"]);
    }

    #[test]
    fn missing_modules_are_the_fault_of_who_names_them() {
        let body = "EXTENDS Integers, Nowhere\nI == INSTANCE Elsewhere\nA == I!F(1) + 2\nB == Cardinality({})";
        assert_eq!(judged(body), ["extends semantic 4220", "I semantic 4220", "A ok I!F/1", "B ok Cardinality/1"]);
    }

    #[test]
    fn an_instance_may_lack_what_a_broken_unit_defines() {
        let inner = "---- MODULE N ----\nCONSTANTS a, f(_)\nB == f(a)\n====\n";
        let of = |body: &str| judged(&format!("{inner}{body}\nI == INSTANCE N")).split_off(1);
        assert_eq!(of("a == 1\nf(x) == )"), ["a ok", "f syntax 4003", "I ok f/1"]);
        assert_eq!(of("CONSTANT a b )\nf(x) == x"), ["constants syntax 4003", "f ok", "I ok a/0"]);
        assert_eq!(of("a == 1"), ["a ok", "I semantic 4240"]);
    }

    #[test]
    fn a_declaration_before_a_broken_definition_is_no_error() {
        let body = "RECURSIVE F(_), G(_)\nF(n) == IF n THEN G(n) ELSE F(n)\nG(n) == IF n THEN\nH == F(1)";
        assert_eq!(judged(body), ["recursive ok", "F ok G/1", "G syntax 4003", "H ok"]);
        assert_eq!(judged("RECURSIVE F(_)\nA == F(1)"), ["recursive semantic 4291", "A ok F/1"]);
    }

    #[test]
    fn a_broken_definition_spoils_no_neighbour() {
        let body = "EXTENDS Naturals\nVARIABLE x\nA == x = \nB(i) == /\\ x' = i + 1\n        /\\ A\nC == B(1, 2)\nD == C /\\ B(1)\n";
        assert_eq!(
            judged(body),
            ["extends ok", "variables ok", "A syntax 4003", "B ok A/0", "C semantic 4204", "D ok C/0"]
        );
    }
}
