//! Calls of recursive definitions. Such a definition is compiled once, into code with a frame of its own: first the parameters, then
//! the values that it takes from around it. An operator that it takes from around it (a LET operator, an operator parameter)
//! becomes part of its code: the definition is compiled once for each, and gets the values that the operator needs. So does an
//! operator that it is passed.

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

/// Most operators that one call may pass, with those that they take from around them in turn.
const MOST_OPERATORS: usize = 32;

impl<'m> Compiler<'m> {
    /// A call in a frame of its own, which code it runs, and the operators that it is passed.
    pub(super) fn procedure_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        names: &Names<'m>,
        expr: &'m Expr,
    ) -> (Recursive, ProcedureKey, Vec<Binding<'m>>) {
        let definition = self.model.definition(id);
        let mut arguments: Vec<Passed> = Vec::new();
        let mut key = ProcedureKey { definition: id, operators: Vec::new(), states: Vec::new() };
        let mut operators = Vec::new();
        for arg in args {
            match arg {
                Argument::Value(value) => {
                    arguments.push(self.passed(value, names));
                    let facts = self.whole_facts(value, names);
                    key.states.push(facts.current || facts.next);
                }
                Argument::Operator(lambda) => {
                    let operator = passed_operator(lambda, names);
                    self.capture_operator(&operator, names, expr, &mut arguments, &mut key);
                    operators.push(operator);
                }
            }
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
                let code = self.in_frame(|c| match key.operators.len() > MOST_OPERATORS {
                    true => c.unsupported("a recursive operator whose operator parameter grows", expr.place),
                    false => {
                        let names = c.procedure_names((&definition.params, &operators), &captured, names, &key);
                        c.code(&definition.body, &names)
                    }
                });
                (self.depth, self.inside_procedure) = (depth, inside);
                drop(procedure.code.set(code));
                procedure
            }
        };
        (Recursive { procedure, arguments, place: expr.place }, key, operators)
    }

    /// Passes what an operator takes from around it; the operator itself is part of the code.
    fn capture_operator(
        &mut self,
        operator: &Binding<'m>,
        names: &Names<'m>,
        expr: &'m Expr,
        arguments: &mut Vec<Passed>,
        key: &mut ProcedureKey,
    ) {
        let Binding::Operator { params, body, names: around } = operator else { return };
        key.operators.push(&*body.kind);
        let exchanged = names.exchanged || around.exchanged;
        let around = Names { primed: names.primed, exchanged, ..around.clone() };
        let free = self.free_in_operator(params, body);
        self.capture(&free, &around, expr, arguments, key);
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
                Some(operator @ Binding::Operator { .. }) => {
                    self.capture_operator(&operator, names, expr, arguments, key);
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
        (params, operators): (&[Param], &[Binding<'m>]),
        captured: &[LocalId],
        around: &Names<'m>,
        key: &ProcedureKey,
    ) -> Names<'m> {
        let mut names = Names::default();
        let mut operators = operators.iter();
        for param in params {
            let binding = match param.arity {
                0 => self.passed_slot(key),
                _ => match operators.next() {
                    Some(operator) => self.captured_binding(Some(operator.clone()), key),
                    None => self.passed_slot(key),
                },
            };
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
            let binding = self.captured_binding(around.bindings.get(local).cloned(), key);
            names.bindings.insert(*local, binding);
        }
    }

    fn captured_binding(&mut self, outside: Option<Binding<'m>>, key: &ProcedureKey) -> Binding<'m> {
        match outside {
            Some(Binding::Operator { params, body, names: around }) => {
                let free = self.free_in_operator(params, body);
                let mut inner = Names::default();
                self.captured_names(&free, &around, &mut inner, key);
                Binding::Operator { params, body, names: inner }
            }
            _ => self.passed_slot(key),
        }
    }

    /// The names that an operator takes from around it.
    fn free_in_operator(&mut self, params: &'m [Param], body: &'m Expr) -> Vec<LocalId> {
        let free = self.analysis.facts(body).free.clone();
        free.into_iter().filter(|local| params.iter().all(|p| p.local != *local)).collect()
    }
}

/// What a LAMBDA means as an argument. One that does nothing but call an operator that is at hand is that operator: a recursive
/// definition passes its own parameter on in this way.
fn passed_operator<'m>(lambda: &'m Lambda, names: &Names<'m>) -> Binding<'m> {
    let plain = Binding::Operator {
        params: &lambda.params,
        body: &lambda.body,
        names: Names { primed: false, ..names.clone() },
    };
    let ExprKind::CallLocal { local, args } = &*lambda.body.kind else { return plain };
    let same = |(param, arg): (&Param, &Argument)| matches!(arg, Argument::Value(e) if matches!(&*e.kind, ExprKind::Local(l) if *l == param.local));
    let passes_on = args.len() == lambda.params.len() && lambda.params.iter().zip(args).all(same);
    match names.bindings.get(local) {
        Some(operator @ Binding::Operator { .. }) if passes_on => operator.clone(),
        _ => plain,
    }
}
