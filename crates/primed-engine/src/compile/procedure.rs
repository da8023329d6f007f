//! Calls of recursive definitions. Such a definition is compiled once, into code with a frame of its own: first the parameters, then
//! the values that it takes from around it. An operator that it takes from around it (a LET operator, an operator parameter)
//! becomes part of its code: the definition is compiled once for each, and gets the values that the operator needs.

use std::sync::Arc;

use primed_semantics::model::{Argument, DefinitionId, Expr, ExprKind, Lambda, LocalId, Param};

use super::{Binding, Compiler, Facts, Names};
use crate::env::ThunkCode;
use crate::nodes::calls::{Passed, Recursive};
use crate::program::Procedure;

/// A definition, the operators that it takes from around it, and what it is passed: it is compiled once for each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ProcedureKey {
    definition: DefinitionId,
    operators: Vec<*const ExprKind>,
    /// For each slot whether its value may depend on the state.
    states: Vec<bool>,
}

impl<'m> Compiler<'m> {
    /// A call in a frame of its own, and which code it runs.
    pub(super) fn procedure_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        names: &Names<'m>,
        expr: &'m Expr,
    ) -> (Recursive, ProcedureKey) {
        let definition = self.model.definition(id);
        let mut arguments: Vec<Passed> = Vec::new();
        let mut key = ProcedureKey { definition: id, operators: Vec::new(), states: Vec::new() };
        for arg in args {
            let (Argument::Value(value) | Argument::Operator(Lambda { body: value, .. })) = arg;
            arguments.push(self.passed(value, names));
            let facts = self.whole_facts(value, names);
            key.states.push(facts.current || facts.next);
        }
        let captured = self.analysis.definition(id).free.clone();
        self.capture(&captured, names, expr, &mut arguments, &mut key);
        let procedure = match self.procedures.get(&key) {
            Some(procedure) => procedure.clone(),
            None => {
                let procedure = Arc::new(Procedure::default());
                self.procedures.insert(key.clone(), procedure.clone());
                let depth = std::mem::replace(&mut self.depth, 0);
                let inside = self.inside_procedure;
                self.inside_procedure |= definition.recursive;
                let code = self.in_frame(|c| {
                    let names = c.procedure_names(&definition.params, &captured, names, &key);
                    c.code(&definition.body, &names)
                });
                (self.depth, self.inside_procedure) = (depth, inside);
                drop(procedure.code.set(code));
                procedure
            }
        };
        (Recursive { procedure, arguments, place: expr.place }, key)
    }

    /// Passes the values of the names that a body takes from around it, and of those that operators among them take in turn.
    fn capture(
        &mut self,
        captured: &[LocalId],
        names: &Names<'m>,
        expr: &'m Expr,
        arguments: &mut Vec<Passed>,
        key: &mut ProcedureKey,
    ) {
        for local in captured {
            match names.bindings.get(local).cloned() {
                Some(Binding::Operator { params, body, names: around }) => {
                    key.operators.push(&*body.kind);
                    let exchanged = names.exchanged || around.exchanged;
                    let around = Names { primed: names.primed, exchanged, ..around };
                    let free = self.free_in_operator(params, body);
                    self.capture(&free, &around, expr, arguments, key);
                }
                _ => {
                    arguments.push(match self.slot_of(*local, names) {
                        Some(slot) => Passed::Same(slot),
                        None => Passed::ByNeed(ThunkCode(self.local(*local, expr, names))),
                    });
                    let mut facts = Facts { free: vec![*local], ..Facts::default() };
                    self.include_names(&mut facts, names);
                    key.states.push(facts.current || facts.next);
                }
            }
        }
    }

    /// The slot whose value can be passed on as it is.
    pub(super) fn slot_of(&self, local: LocalId, names: &Names<'m>) -> Option<u32> {
        match names.bindings.get(&local) {
            Some(Binding::Slot(slot)) => Some(*slot),
            Some(Binding::Passed(slot)) if !names.primed && !names.exchanged => Some(*slot),
            _ => None,
        }
    }

    /// The names inside a definition's own frame: a slot for each value, in the order of [`Compiler::capture`].
    pub(super) fn procedure_names(
        &mut self,
        params: &[Param],
        captured: &[LocalId],
        around: &Names<'m>,
        key: &ProcedureKey,
    ) -> Names<'m> {
        let mut names = Names::default();
        for param in params {
            let binding = self.passed_slot(key);
            names.bindings.insert(param.local, binding);
        }
        self.captured_names(captured, around, &mut names, key);
        names
    }

    /// The next slot of a frame that begins with what is passed.
    fn passed_slot(&mut self, key: &ProcedureKey) -> Binding<'m> {
        let slot = self.slot();
        match key.states.get(slot as usize) {
            Some(false) => Binding::Slot(slot),
            _ => Binding::Passed(slot),
        }
    }

    fn captured_names(&mut self, captured: &[LocalId], around: &Names<'m>, names: &mut Names<'m>, key: &ProcedureKey) {
        for local in captured {
            let binding = match around.bindings.get(local).cloned() {
                Some(Binding::Operator { params, body, names: around }) => {
                    let free = self.free_in_operator(params, body);
                    let mut inner = Names::default();
                    self.captured_names(&free, &around, &mut inner, key);
                    Binding::Operator { params, body, names: inner }
                }
                _ => self.passed_slot(key),
            };
            names.bindings.insert(*local, binding);
        }
    }

    /// The names that an operator takes from around it.
    fn free_in_operator(&mut self, params: &'m [Param], body: &'m Expr) -> Vec<LocalId> {
        let free = self.analysis.facts(body).free.clone();
        free.into_iter().filter(|local| params.iter().all(|p| p.local != *local)).collect()
    }
}
