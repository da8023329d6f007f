//! The files of a specification: which ones, in which order, and what is wrong before any of them is understood
//! (4003, 4220 to 4222).

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast::{
    self, Assertion, AssumeItem, DefinitionBody, ExprKind, Fact, Proof, Selector, StepKind, UnitKind,
};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};

use super::expression::deeper;
use super::within::Within;
use crate::library::{self, Library};
use crate::model::Located;

/// A file that was parsed.
pub(super) struct File {
    pub(super) name: Arc<str>,
    pub(super) source: SourceFile,
    pub(super) module: Option<Rc<ast::Module>>,
    /// Numbers that TLC cannot represent, proofs left out.
    pub(super) numbers: Vec<Span>,
    /// The module is one of Primed's own.
    pub(super) standard: bool,
    extends: Vec<Arc<str>>,
    instances: Vec<Arc<str>>,
    nested: Vec<Arc<str>>,
}

/// Library files that were parsed, kept for analyses that need the same modules. A file whose text is another one now is
/// parsed again.
#[derive(Default)]
pub struct ParsedFiles {
    known: HashMap<String, Entry>,
}

struct Entry {
    source: SourceFile,
    modules: Vec<Rc<ast::Module>>,
    diagnostics: Vec<Diagnostic>,
}

impl Entry {
    fn new(source: &SourceFile) -> Entry {
        let parsed = primed_syntax::parse_file(source);
        let modules = parsed.modules.into_iter().map(Rc::new).collect();
        Entry { source: source.clone(), modules, diagnostics: parsed.diagnostics }
    }
}

impl ParsedFiles {
    fn get(&mut self, source: &SourceFile) -> &Entry {
        let entry = self.known.entry(source.name().to_owned()).or_insert_with(|| Entry::new(source));
        if entry.source.text() != source.text() {
            *entry = Entry::new(source);
        }
        entry
    }
}

/// Reads files.
pub(super) struct Reader<'l> {
    library: &'l dyn Library,
    pub(super) parsed: ParsedFiles,
    pub(super) files: Vec<File>,
    numbers: HashMap<Arc<str>, u32>,
    /// Modules that can be cut out of the root's file, once they were looked for.
    within: Option<Within>,
    pub(super) diagnostics: Vec<Located>,
}

impl<'l> Reader<'l> {
    pub(super) fn new(library: &'l dyn Library, parsed: ParsedFiles) -> Reader<'l> {
        let (files, diagnostics) = (Vec::new(), Vec::new());
        Reader { library, parsed, files, numbers: HashMap::new(), within: None, diagnostics }
    }

    /// Parses the root and all that it needs; the numbers of the files in the order in which they must be understood, or
    /// `None` after an error.
    pub(super) fn read_all(&mut self, root: &SourceFile) -> Option<Vec<u32>> {
        let name = root.made_module().map_or_else(|| file_stem(root.name()), str::to_owned);
        self.take(&Entry::new(root), &name, false)?;
        self.ordered()
    }

    /// The same for a root that was parsed.
    pub(super) fn read_for(&mut self, root: &SourceFile, module: ast::Module) -> Option<Vec<u32>> {
        self.add(root.clone(), Rc::new(module), false)?;
        self.ordered()
    }

    fn ordered(&mut self) -> Option<Vec<u32>> {
        self.read_needed()?;
        let mut order = Vec::new();
        self.visit(0, &mut Vec::new(), &mut order)?;
        Some(order)
    }

    /// Parses what an expression needs beyond what was read; the numbers of the new files as [`Reader::read_all`] has them.
    pub(super) fn read_more(&mut self, expr: &ast::Expr) -> Option<Vec<u32>> {
        let known = self.files.len() as u32;
        let mut needs = Needs::default();
        needs.expr(expr);
        let new: Vec<Arc<str>> = needs.instances.into_iter().filter(|n| !self.numbers.contains_key(n)).collect();
        let mut order = Vec::new();
        for name in &new {
            if !self.numbers.contains_key(name) {
                self.find(0, name, expr.span)?;
            }
        }
        self.read_needed()?;
        for name in &new {
            let number = self.numbers.get(name).copied()?;
            self.visit(number, &mut Vec::new(), &mut order)?;
        }
        order.retain(|n| *n >= known);
        Some(order)
    }

    fn read_needed(&mut self) -> Option<()> {
        while let Some((from, name, span)) = self.unread(true).or_else(|| self.unread(false)) {
            self.find(from, &name, span)?;
        }
        Some(())
    }

    fn complain(&mut self, file: SourceFile, code: u32, span: Span, message: String) {
        let mut diagnostic = Diagnostic::error(code, message, span);
        diagnostic.help = super::help::always(code).map(Into::into);
        self.diagnostics.push(Located { file, diagnostic });
    }

    /// Looks whether the root's PlusCal algorithm was translated as it is (4803 to 4805).
    pub(super) fn check_translation(&mut self) {
        let Some(File { name, source, module: Some(module), .. }) = self.files.first() else { return };
        let span = module.span;
        // Whole lines: the header may stand behind something else.
        let text = source.text();
        let from = text.get(..span.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
        let to = text.get(span.end as usize..).and_then(|t| t.find('\n')).map_or(text.len(), |i| span.end as usize + i);
        let changed = super::pluscal::changed(name, text.get(from..to).unwrap_or(""));
        let located = changed.map(|diagnostic| Located { file: source.clone(), diagnostic });
        // SANY looks before it reads the other modules.
        self.diagnostics.splice(0..0, located);
    }

    fn find(&mut self, from: u32, name: &Arc<str>, span: Span) -> Option<()> {
        let found = match self.library.find(name) {
            Ok(Some(file)) => Some((file, false)),
            Ok(None) => {
                let standard = library::standard(name).map(|file| (file, true));
                standard.or_else(|| self.cut_out(name).map(|file| (file, false)))
            }
            Err(reason) => return self.unreadable(from, name, span, &reason),
        };
        if let Some((file, standard)) = found {
            let entry = self.parsed.get(&file);
            let kept = Entry {
                source: entry.source.clone(),
                modules: entry.modules.clone(),
                diagnostics: entry.diagnostics.clone(),
            };
            return self.take(&kept, name, standard);
        }
        let from = self.files.get(from as usize)?;
        let message = format!("Cannot find source file for module {name} imported in module {}.", from.name);
        let help = primed_syntax::nearest(name, library::standard_modules().map(|(module, _)| module));
        let help = help.or_else(|| super::help::always(4220).map(Into::into));
        let diagnostic = Diagnostic { help, ..Diagnostic::error(4220, message, span) };
        self.diagnostics.push(Located { file: from.source.clone(), diagnostic });
        None
    }

    /// The text of a module in the file of the root.
    fn cut_out(&mut self, name: &str) -> Option<SourceFile> {
        let root = &self.files.first()?.source;
        self.within.get_or_insert_with(|| Within::new(root)).module(root, name)
    }

    /// SANY has one message for a file that is missing and one that cannot be read; what is the matter is said here.
    fn unreadable(&mut self, from: u32, name: &str, span: Span, reason: &str) -> Option<()> {
        let from = self.files.get(from as usize)?;
        let message = format!("Module {name} imported in module {}: {reason}.", from.name);
        let diagnostic = Diagnostic::error(4220, message, span);
        self.diagnostics.push(Located { file: from.source.clone(), diagnostic });
        None
    }

    /// Takes over a file that was parsed; its first module must have the file's name.
    fn take(&mut self, entry: &Entry, name: &str, standard: bool) -> Option<()> {
        let source = &entry.source;
        let first = entry.modules.first().cloned();
        // What stands behind the first module is ignored.
        let end = first.as_ref().map_or(u32::MAX, |m| m.span.end);
        let mut failed = first.is_none();
        for diagnostic in entry.diagnostics.iter().filter(|d| d.span.start < end) {
            failed |= diagnostic.severity == Severity::Error;
            self.diagnostics.push(Located { file: source.clone(), diagnostic: diagnostic.clone() });
        }
        let module = first.filter(|_| !failed);
        let Some(module) = module else {
            self.push(source.clone(), name.into(), None);
            return None;
        };
        if &*module.name.name != name {
            let message = format!(
                "File name '{name}' does not match the name '{}' of the top level module it contains.",
                module.name.name
            );
            self.push(source.clone(), module.name.name.clone(), None);
            self.complain(source.clone(), 4221, module.name.span, message);
            return None;
        }
        self.add(source.clone(), module, standard)
    }

    fn push(&mut self, source: SourceFile, name: Arc<str>, module: Option<Rc<ast::Module>>) {
        let (extends, instances, nested) = (Vec::new(), Vec::new(), Vec::new());
        let numbers = Vec::new();
        self.files.push(File { name, source, module, numbers, standard: false, extends, instances, nested });
    }

    fn add(&mut self, source: SourceFile, module: Rc<ast::Module>, standard: bool) -> Option<()> {
        let mut needs = Needs::default();
        needs.module(&module);
        self.numbers.insert(module.name.name.clone(), self.files.len() as u32);
        self.push(source, module.name.name.clone(), Some(module));
        let file = self.files.last_mut()?;
        (file.extends, file.instances, file.nested) = (needs.extends, needs.instances, needs.nested);
        (file.numbers, file.standard) = (needs.numbers, standard);
        Some(())
    }

    /// The modules nested in those that a file extends.
    fn nested(&self, file: u32) -> HashSet<Arc<str>> {
        let mut names = HashSet::new();
        let numbers = |f: &File| f.extends.iter().filter_map(|n| self.numbers.get(n).copied()).collect::<Vec<u32>>();
        let (mut seen, mut open) = (HashSet::new(), self.files.get(file as usize).map(numbers).unwrap_or_default());
        while let Some(number) = open.pop() {
            if let Some(file) = self.files.get(number as usize).filter(|_| seen.insert(number)) {
                names.extend(file.nested.iter().cloned());
                open.extend(numbers(file));
            }
        }
        names
    }

    /// The first module that is needed and not read: all of EXTENDS come before the first of INSTANCE.
    fn unread(&self, extends: bool) -> Option<(u32, Arc<str>, Span)> {
        for (number, file) in self.files.iter().enumerate() {
            let needs = if extends { &file.extends } else { &file.instances };
            let mut unknown = needs.iter().filter(|n| !self.numbers.contains_key(*n)).peekable();
            if unknown.peek().is_none() {
                continue;
            }
            let nested = self.nested(number as u32);
            if let Some(name) = unknown.find(|n| !nested.contains(*n)) {
                let span = file.module.as_ref().map_or(Span::default(), |m| m.name.span);
                return Some((number as u32, name.clone(), span));
            }
        }
        None
    }

    /// Files in an order in which each comes after those that it needs; a cycle is error 4222.
    fn visit(&mut self, number: u32, path: &mut Vec<u32>, order: &mut Vec<u32>) -> Option<()> {
        if order.contains(&number) {
            return Some(());
        }
        let name = |r: &Reader<'_>, n: u32| r.files.get(n as usize).map_or(String::new(), |f| f.name.to_string());
        if let Some(start) = path.iter().position(|p| *p == number) {
            let mut cycle: Vec<String> = path.iter().skip(start).map(|p| name(self, *p)).collect();
            cycle.push(name(self, number));
            let file = self.files.get(number as usize)?.source.clone();
            let shown = cycle.join(" --> ");
            let message = format!("Circular dependency among .tla files; dependency cycle is:\n\n  {shown}");
            self.complain(file, 4222, Span::default(), message);
            return None;
        }
        path.push(number);
        let nested = self.nested(number);
        let file = self.files.get(number as usize)?;
        let needs: Vec<u32> = file
            .extends
            .iter()
            .chain(&file.instances)
            .filter(|n| !nested.contains(*n))
            .filter_map(|n| self.numbers.get(n).copied())
            .collect();
        for need in needs {
            deeper(|| self.visit(need, path, order))?;
        }
        path.pop();
        order.push(number);
        Some(())
    }
}

fn file_stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".tla").unwrap_or(name).to_owned()
}

/// The modules that a unit instantiates.
pub(super) fn instantiated(unit: &ast::Unit) -> Vec<Arc<str>> {
    let mut needs = Needs::default();
    needs.unit(unit);
    needs.extends.append(&mut needs.instances);
    needs.extends
}

/// Collects the names after EXTENDS and INSTANCE, wherever they stand.
#[derive(Default)]
struct Needs {
    extends: Vec<Arc<str>>,
    instances: Vec<Arc<str>>,
    /// Nested modules that are in scope; at the end those of the outermost module.
    nested: Vec<Arc<str>>,
    in_scope: HashSet<Arc<str>>,
    /// Of the module that is being looked at.
    own: Own,
    /// A nested module is being looked at.
    inside: bool,
    /// A proof is being looked at.
    proving: bool,
    numbers: Vec<Span>,
}

/// What INSTANCE can mean in one module.
#[derive(Default)]
struct Own {
    /// What comes next is a unit of the module.
    unit: bool,
    /// Its nested modules so far.
    nested: HashSet<Arc<str>>,
    /// Whether the first INSTANCE that is a unit, of each module, finds a nested one.
    found: HashMap<Arc<str>, bool>,
    /// INSTANCE in a LET or a proof: where it is among all, and the module.
    within: Vec<(usize, Arc<str>)>,
}

impl Needs {
    fn module(&mut self, module: &ast::Module) {
        let outer = self.nested.len();
        for name in module.extends.iter().map(|n| &n.name).filter(|n| !self.in_scope.contains(*n)).cloned() {
            self.extends.push(name);
        }
        let enclosing = std::mem::take(&mut self.own);
        for unit in &module.units {
            self.own.unit = true;
            self.unit(unit);
        }
        let own = std::mem::replace(&mut self.own, enclosing);
        let resolved = |(at, name): (usize, Arc<str>)| (own.found.get(&name) == Some(&true)).then_some(at);
        let gone: HashSet<usize> = own.within.into_iter().filter_map(resolved).collect();
        let mut at = 0..;
        self.instances.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
        if self.inside {
            for name in self.nested.drain(outer..) {
                self.in_scope.remove(&name);
            }
        }
    }

    fn unit(&mut self, unit: &ast::Unit) {
        let top = std::mem::take(&mut self.own.unit);
        match &unit.kind {
            UnitKind::Definition(definition) => match &definition.body {
                DefinitionBody::Operator(body) => self.expr(body),
                DefinitionBody::Function { bounds, body } => {
                    self.bounds(bounds);
                    self.expr(body);
                }
                DefinitionBody::Instance(instance) => self.instance(instance, top),
            },
            UnitKind::Instance { instance, .. } => self.instance(instance, top),
            UnitKind::Assumption(assumption) => self.expr(&assumption.body),
            UnitKind::Theorem(theorem) => {
                self.assertion(&theorem.body);
                self.proving = true;
                theorem.proof.iter().for_each(|p| self.proof(p));
                self.proving = false;
            }
            UnitKind::Module(module) => {
                let inside = std::mem::replace(&mut self.inside, true);
                deeper(|| self.module(module));
                self.inside = inside;
                if self.in_scope.insert(module.name.name.clone()) {
                    self.nested.push(module.name.name.clone());
                    self.own.nested.insert(module.name.name.clone());
                }
            }
            UnitKind::UseHide(statement) => {
                let proving = std::mem::replace(&mut self.proving, true);
                self.statement(statement);
                self.proving = proving;
            }
            _ => {}
        }
    }

    /// A nested module is found by INSTANCE in a unit of the module that it is nested in (`top`), and inside of others; by
    /// INSTANCE in a LET or a proof only if the first such unit finds it. Else SANY looks for a file.
    fn instance(&mut self, instance: &ast::Instance, top: bool) {
        let name = &instance.module.name;
        let (known, own) = (self.in_scope.contains(name), self.own.nested.contains(name));
        if top {
            self.own.found.entry(name.clone()).or_insert(known);
        } else if own || !known {
            self.own.within.push((self.instances.len(), name.clone()));
        }
        if !known || (own && !top) {
            self.instances.push(name.clone());
        }
        instance.substitutions.iter().for_each(|s| self.expr(&s.value));
    }

    fn bounds(&mut self, bounds: &[ast::Bound]) {
        bounds.iter().filter_map(|b| b.set.as_ref()).for_each(|s| self.expr(s));
    }

    fn assertion(&mut self, assertion: &Assertion) {
        match assertion {
            Assertion::Expr(expr) => self.expr(expr),
            Assertion::AssumeProve { assumptions, goal, .. } => {
                for item in assumptions {
                    match item {
                        AssumeItem::Assertion { assertion, .. } => deeper(|| self.assertion(assertion)),
                        AssumeItem::New { set, .. } => set.iter().for_each(|s| self.expr(s)),
                    }
                }
                self.expr(goal);
            }
        }
    }

    fn statement(&mut self, statement: &ast::ProofStatement) {
        for fact in statement.facts.iter().chain(&statement.defs) {
            if let Fact::Expr(expr) = fact {
                self.expr(expr);
            }
        }
    }

    fn proof(&mut self, proof: &Proof) {
        match proof {
            Proof::By(statement) => self.statement(statement),
            Proof::Steps(steps) => steps.iter().for_each(|s| self.step(s)),
            _ => {}
        }
    }

    fn step(&mut self, step: &ast::Step) {
        match &step.kind {
            StepKind::Assert { assertion, .. } => self.assertion(assertion),
            StepKind::UseHide(statement) => self.statement(statement),
            StepKind::Define(units) => units.iter().for_each(|u| self.unit(u)),
            StepKind::Instance { instance } => self.instance(instance, false),
            StepKind::Have(expr) | StepKind::Case(expr) => self.expr(expr),
            StepKind::Take(bounds) => self.bounds(bounds),
            StepKind::Witness(items) => self.exprs(items),
            StepKind::Pick { bounds, body } => {
                self.bounds(bounds);
                self.expr(body);
            }
            StepKind::Qed => {}
        }
        step.proof.iter().for_each(|p| deeper(|| self.proof(p)));
    }

    fn exprs(&mut self, items: &[ast::Expr]) {
        items.iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &ast::Expr) {
        deeper(|| self.any_expr(expr));
    }

    fn any_expr(&mut self, expr: &ast::Expr) {
        match &*expr.kind {
            ExprKind::Decimal(_) if !self.proving => self.numbers.push(expr.span),
            ExprKind::Number { digits, base } if !self.proving && i32::from_str_radix(digits, *base).is_err() => {
                self.numbers.push(expr.span);
            }
            ExprKind::Let { units, body } => {
                units.iter().for_each(|u| self.unit(u));
                self.expr(body);
            }
            ExprKind::Apply { args: items, .. }
            | ExprKind::Junction(_, items)
            | ExprKind::SetEnum(items)
            | ExprKind::Tuple(items)
            | ExprKind::Bracketed(items) => self.exprs(items),
            ExprKind::Qualified(parts) => {
                for part in parts {
                    if let Selector::Name { args, .. } | Selector::Args(args, _) = part {
                        self.exprs(args);
                    }
                }
            }
            ExprKind::Quantified { bounds, body, .. }
            | ExprKind::SetMap { body, bounds }
            | ExprKind::Function { bounds, body } => {
                self.bounds(bounds);
                self.expr(body);
            }
            ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
                self.bounds(std::slice::from_ref(bound));
                self.expr(body);
            }
            ExprKind::FunctionSet(a, b) | ExprKind::Subscripted { action: a, subscript: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().for_each(|(_, e)| self.expr(e)),
            ExprKind::Except { function, updates } => {
                self.expr(function);
                for update in updates {
                    for step in &update.path {
                        if let ast::ExceptStep::Index(args) = step {
                            self.exprs(args);
                        }
                    }
                    self.expr(&update.value);
                }
            }
            ExprKind::FunctionApply { function, args } => {
                self.expr(function);
                self.exprs(args);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Case { arms, other } => {
                arms.iter().for_each(|(a, b)| [a, b].into_iter().for_each(|e| self.expr(e)));
                other.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Field { record: body, .. }
            | ExprKind::Lambda { body, .. }
            | ExprKind::Label { body, .. }
            | ExprKind::Paren(body) => self.expr(body),
            _ => {}
        }
    }
}
