//! Calls of recursive definitions. Such a definition is compiled once, into code with a frame of its own: first the parameters, then
//! the values that it takes from around it. An operator that it takes from around it (a LET operator, an operator parameter)
//! becomes part of its code: the definition is compiled once for each, and gets the values that the operator needs.

use std::sync::Arc;

use primed_semantics::model::{Argument, DefinitionId, Expr, ExprKind, LocalId, Param};

use super::{Binding, Compiler, Names};
use crate::env::ThunkCode;
use crate::nodes::calls::{Passed, Recursive};
use crate::program::Procedure;

/// A definition, and the operators that it takes from around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ProcedureKey {
    definition: DefinitionId,
    operators: Vec<*const ExprKind>,
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
        for arg in args {
            arguments.push(match arg {
                Argument::Value(value) => self.passed(value, names),
                Argument::Operator(lambda) => self.passed(&lambda.body, names),
            });
        }
        let captured = self.analysis.definition(id).free.clone();
        let mut key = ProcedureKey { definition: id, operators: Vec::new() };
        self.capture(&captured, names, expr, &mut arguments, &mut key);
        let procedure = match self.procedures.get(&key) {
            Some(procedure) => procedure.clone(),
            None => {
                let procedure = Arc::new(Procedure::default());
                self.procedures.insert(key.clone(), procedure.clone());
                let depth = std::mem::replace(&mut self.depth, 0);
                let code = self.in_frame(|c| {
                    let names = c.procedure_names(&definition.params, &captured, names);
                    c.code(&definition.body, &names)
                });
                self.depth = depth;
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
                Some(Binding::Slot(slot)) => arguments.push(Passed::Same(slot)),
                Some(Binding::Operator { params, body, names: around }) => {
                    key.operators.push(&*body.kind);
                    let exchanged = names.exchanged || around.exchanged;
                    let around = Names { primed: names.primed, exchanged, ..around };
                    let free = self.free_in_operator(params, body);
                    self.capture(&free, &around, expr, arguments, key);
                }
                _ => arguments.push(Passed::ByNeed(ThunkCode(self.local(*local, expr, names)))),
            }
        }
    }

    /// The names inside a definition's own frame: a slot for each value, in the order of [`Compiler::capture`].
    pub(super) fn procedure_names(&mut self, params: &[Param], captured: &[LocalId], around: &Names<'m>) -> Names<'m> {
        let mut names = Names::default();
        for param in params {
            let slot = self.slot();
            names.bindings.insert(param.local, Binding::Slot(slot));
        }
        self.captured_names(captured, around, &mut names);
        names
    }

    fn captured_names(&mut self, captured: &[LocalId], around: &Names<'m>, names: &mut Names<'m>) {
        for local in captured {
            let binding = match around.bindings.get(local).cloned() {
                Some(Binding::Operator { params, body, names: around }) => {
                    let free = self.free_in_operator(params, body);
                    let mut inner = Names::default();
                    self.captured_names(&free, &around, &mut inner);
                    Binding::Operator { params, body, names: inner }
                }
                _ => Binding::Slot(self.slot()),
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
