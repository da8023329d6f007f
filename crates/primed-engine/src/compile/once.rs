//! Which state functions are evaluated once for the values that they read.

use hashbrown::HashSet;
use primed_semantics::model::{Builtin, DefinitionId, Expr, ExprKind};

use super::analysis::{bound_sets, has_part};
use super::costs::Cost;
use super::{Compiler, Names};
use crate::node::Code;
use crate::nodes::once::Once;

impl<'m> Compiler<'m> {
    /// A use of a definition without parameters; `here` is its code.
    pub(super) fn once(&mut self, id: DefinitionId, names: &Names<'m>, here: Code) -> Code {
        if names.enabled.is_some() || names.cost != Cost::None {
            return here;
        }
        if !self.once.contains_key(&id) {
            let known = self.is_once(id).then(|| (self.once.len() as u32, self.variables(id)));
            self.once.insert(id, known);
        }
        match self.once.get(&id).cloned().flatten() {
            Some((number, variables)) => {
                let next = names.primed;
                Box::new(Once { number: number * 2 + u32::from(next), next, variables, here })
            }
            None => here,
        }
    }

    fn is_once(&mut self, id: DefinitionId) -> bool {
        let facts = self.analysis.definition(id);
        let moment = facts.next || facts.moment || facts.asks_run;
        facts.current && !moment && facts.free.is_empty() && self.takes_long(id)
    }

    /// The definition, or one that it uses, goes through all subsets or functions of something; constants are computed once anyway.
    fn takes_long(&mut self, id: DefinitionId) -> bool {
        let model = self.model;
        let mut seen = HashSet::new();
        has_part(&model.definition(id).body, |part, todo| {
            if let ExprKind::Call { definition, .. } = &*part.kind
                && seen.insert(*definition)
                && !self.analysis.definition(*definition).constant()
            {
                todo.push(&model.definition(*definition).body);
            }
            bound_sets(part).any(is_exponential)
        })
    }

    /// The variables that a definition may read, sorted.
    fn variables(&self, id: DefinitionId) -> Vec<u32> {
        let (mut seen, mut variables) = (HashSet::new(), Vec::new());
        has_part(&self.model.definition(id).body, |part, todo| {
            match &*part.kind {
                ExprKind::Variable(variable) => variables.push(variable.0),
                ExprKind::Call { definition, .. } if seen.insert(*definition) => {
                    todo.push(&self.model.definition(*definition).body);
                }
                _ => {}
            }
            false
        });
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

fn is_exponential(set: &Expr) -> bool {
    matches!(&*set.kind, ExprKind::FunctionSet(..) | ExprKind::Builtin { op: Builtin::PowerSet, .. })
}
