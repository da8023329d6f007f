//! Calls of recursive definitions. Such a definition is compiled once, into code with a frame of its own: first the parameters, then
//! the values that it takes from around it. An operator that it takes from around it (a LET operator, an operator parameter)
//! becomes part of its code: the definition is compiled once for each, and gets the values that the operator needs. So does an
//! operator that it is passed.

use std::sync::Arc;

use primed_semantics::model::{Argument, DefinitionId, Expr, ExprKind, Lambda, LocalId, Param};

use super::costs::Cost;
use super::{Binding, Compiler, Finds, Names};
use crate::nodes::calls::{Entry, Passed, Recursive};
use crate::program::Procedure;

/// A definition, the operators that it takes from around it, and what it is passed: it is compiled once for each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ProcedureKey {
    definition: DefinitionId,
    operators: Vec<*const ExprKind>,
    /// What each slot is passed.
    slots: Vec<Content>,
    /// Where its evaluations are counted.
    cost: Cost,
}

/// What the value in a slot may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// On no state.
    Constant,
    /// On the state that the frame was entered in.
    State,
    /// It may find states; `reads`: it reads the state that is being found.
    Finds { reads: bool },
}

/// Most operators that one call may pass, with those that they take from around them in turn.
const MOST_OPERATORS: usize = 32;

impl ProcedureKey {
    /// Each call inside of the call would pass more operators.
    pub(super) fn grows(&self) -> bool {
        self.operators.len() > MOST_OPERATORS
    }
}

/// A call in a frame of its own: what the frame begins with, which code is run, and the operators that it is passed.
pub(super) struct CallSite<'m> {
    pub(super) entry: Entry,
    pub(super) key: ProcedureKey,
    pub(super) operators: Vec<Binding<'m>>,
}

impl CallSite<'_> {
    /// The next slot of the frame.
    fn pass(&mut self, (passed, content): (Passed, Content)) {
        self.entry.arguments.push(passed);
        self.key.slots.push(content);
    }
}

impl<'m> Compiler<'m> {
    /// What a call passes; with `finds`, what can find states is passed in that form too.
    pub(super) fn call_site(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        names: &Names<'m>,
        expr: &'m Expr,
        finds: Option<Finds>,
    ) -> CallSite<'m> {
        let entry = Entry { arguments: Vec::new(), place: expr.place };
        let cost = self.procedure_cost(names);
        let key = ProcedureKey { definition: id, operators: Vec::new(), slots: Vec::new(), cost };
        let mut site = CallSite { entry, key, operators: Vec::new() };
        for arg in args {
            match arg {
                Argument::Value(value) => {
                    let passed = self.passed(value, names, finds);
                    site.pass(passed);
                }
                Argument::Operator(lambda) => {
                    let operator = passed_operator(lambda, names);
                    self.capture_operator(&operator, names, expr, finds, &mut site);
                    site.operators.push(operator);
                }
            }
        }
        let captured = self.analysis.definition(id).free.clone();
        self.capture(&captured, names, expr, finds, &mut site);
        site
    }

    /// A call in a frame of its own that has a value.
    pub(super) fn procedure_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        names: &Names<'m>,
        expr: &'m Expr,
    ) -> Recursive {
        let definition = self.model.definition(id);
        let CallSite { entry, key, operators } = self.call_site(id, args, names, expr, None);
        let procedure = match self.procedures.get(&key) {
            Some(procedure) => procedure.clone(),
            None => {
                let procedure = Arc::new(Procedure::default());
                self.procedures.insert(key.clone(), procedure.clone());
                let captured = self.analysis.definition(id).free.clone();
                let depth = std::mem::replace(&mut self.depth, 0);
                let inside = self.inside_procedure;
                self.inside_procedure |= definition.recursive;
                let code = self.in_frame(|c| match key.grows() {
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
        Recursive { procedure, entry }
    }

    /// Passes what an operator takes from around it; the operator itself is part of the code.
    fn capture_operator(
        &mut self,
        operator: &Binding<'m>,
        names: &Names<'m>,
        expr: &'m Expr,
        finds: Option<Finds>,
        site: &mut CallSite<'m>,
    ) {
        let Binding::Operator { params, body, names: around } = operator else { return };
        site.key.operators.push(&*body.kind);
        let exchanged = names.exchanged || around.exchanged;
        let around = Names { primed: names.primed, exchanged, ..around.clone() };
        let free = self.free_in_operator(params, body);
        self.capture(&free, &around, expr, finds, site);
    }

    /// Passes the values of the names that a body takes from around it, and of those that operators among them take in turn.
    fn capture(
        &mut self,
        captured: &[LocalId],
        names: &Names<'m>,
        expr: &'m Expr,
        finds: Option<Finds>,
        site: &mut CallSite<'m>,
    ) {
        for local in captured {
            match names.bindings.get(local).cloned() {
                Some(operator @ Binding::Operator { .. }) => {
                    self.capture_operator(&operator, names, expr, finds, site);
                }
                _ => {
                    let passed = self.captured(*local, names, expr, finds);
                    site.pass(passed);
                }
            }
        }
    }

    /// The slot whose value can be passed on as it is.
    pub(super) fn slot_of(&self, local: LocalId, names: &Names<'m>) -> Option<u32> {
        match names.bindings.get(&local) {
            Some(Binding::Slot(slot)) => Some(*slot),
            Some(Binding::Passed(slot) | Binding::Finds { slot, .. }) if !names.primed && !names.exchanged => {
                Some(*slot)
            }
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
        let mut names = Names { cost: key.cost, ..Names::default() };
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
        match key.slots.get(slot as usize) {
            Some(Content::Constant) => Binding::Slot(slot),
            Some(Content::Finds { reads }) => Binding::Finds { slot, reads: *reads },
            Some(Content::State) | None => Binding::Passed(slot),
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
                let mut inner = Names { cost: key.cost, ..Names::default() };
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
