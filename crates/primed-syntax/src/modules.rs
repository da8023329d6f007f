//! What the grammar's rules for modules build: a stack of open modules, filled unit by unit.

use crate::ast::*;
use crate::lower::Builder;
use crate::span::Span;

/// A module whose end has not been read.
pub(crate) struct OpenModule {
    pub(crate) name: Ident,
    pub(crate) extends: Vec<Ident>,
    pub(crate) units: Vec<Unit>,
    pub(crate) start: u32,
}

/// How deep modules may be nested in each other.
const MAX_MODULE_NESTING: usize = 100;

impl Builder<'_> {
    /// The name of a module that is still open, if any.
    pub(crate) fn unclosed(&self) -> Option<Ident> {
        self.open.last().map(|m| m.name.clone())
    }

    pub(crate) fn begin_module(&mut self, start: u32, name: Ident) {
        self.depths.clear();
        if self.open.len() >= MAX_MODULE_NESTING {
            self.error(format!("modules are nested deeper than the limit of {MAX_MODULE_NESTING} levels"), name.span);
        }
        self.open.push(OpenModule { name, extends: Vec::new(), units: Vec::new(), start });
    }

    pub(crate) fn extends(&mut self, start: u32, names: Vec<Ident>) {
        match self.open.last_mut() {
            Some(module) if module.units.is_empty() && module.extends.is_empty() => module.extends = names,
            _ => self.error("EXTENDS stands once, at the beginning of a module", Span::new(start, start + 7)),
        }
    }

    pub(crate) fn end_module(&mut self, start: u32, end: u32) {
        let Some(open) = self.open.pop() else {
            return self.error("this ends a module, but none is open", Span::new(start, end));
        };
        let span = Span::new(open.start, end);
        let module = Module { name: open.name, extends: open.extends, units: open.units, span };
        match self.open.len() {
            0 => self.modules.push(module),
            depth if depth >= MAX_MODULE_NESTING => {}
            _ => self.unit(UnitKind::Module(Box::new(module)), span),
        }
    }

    /// Ends the innermost module where it is; its units and the names that it extends.
    pub(crate) fn close_module(&mut self) -> (Vec<Unit>, Vec<Ident>) {
        while self.open.len() > 1 {
            if let Some(inner) = self.open.pop() {
                self.error(format!("module `{}` has no end: expected `====`", inner.name.name), inner.name.span);
            }
        }
        self.open.pop().map_or_else(Default::default, |open| (open.units, open.extends))
    }

    pub(crate) fn unit(&mut self, kind: UnitKind, span: Span) {
        self.depths.clear();
        self.in_proof = false;
        let after_module = self.open.last().and_then(|m| m.units.last());
        let after_module = after_module.is_some_and(|u| matches!(u.kind, UnitKind::Module(_)));
        if after_module && matches!(&kind, UnitKind::Theorem(theorem) if theorem.name.is_some()) {
            // SANY (tlaplus#430).
            self.error("a named theorem cannot follow a nested module: put a line of dashes between them", span);
        }
        match self.open.last_mut() {
            Some(module) => module.units.push(Unit { kind, span }),
            None => self.error("this stands outside of a module", span),
        }
    }
}
