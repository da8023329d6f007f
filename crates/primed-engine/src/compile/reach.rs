//! Counting the actions that TLC does not tell apart: it does not split `\E m \in msgs : A(m) \/ B(m)`, whose set depends on the
//! state, so that A and B are counted with the action that they stand in. Somebody who wants to know which of them were ever taken
//! has each counted where it is called.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hashbrown::HashSet;
use primed_semantics::model::{DefinitionId, Expr};

use super::{Compiler, Names};
use crate::node::Action;
use crate::nodes::counted::TakenAction;

/// The actions that are counted where they are called.
#[derive(Debug, Default)]
pub(super) struct Reach {
    listed: HashSet<DefinitionId>,
    counts: Vec<ActionCount>,
    /// The part of the next-state relation that is being compiled, by its name.
    part: Option<Option<Arc<str>>>,
    /// How many calls have a counter.
    calls: usize,
}

/// How often an action was taken that the next-state relation is not split into.
#[derive(Clone, Debug)]
pub struct ActionCount {
    /// The action.
    pub definition: DefinitionId,
    /// The name of the action of [`super::SplitRelation::actions`] that it stands in, if that has one.
    pub within: Option<Arc<str>>,
    /// States that it led to, duplicates included.
    pub generated: Arc<AtomicU64>,
}

impl<'m> Compiler<'m> {
    /// From now on, actions of a next-state relation that [`Compiler::split`] does not tell apart are counted each.
    pub fn count_actions(&mut self, next: &'m Expr) {
        let listed = self.action_definitions(next).into_iter().collect();
        self.reach = Some(Reach { listed, ..Reach::default() });
    }

    /// The counters, in the order in which they were met.
    pub fn action_counts(&self) -> Vec<ActionCount> {
        self.reach.as_ref().map(|reach| reach.counts.clone()).unwrap_or_default()
    }

    /// Compiles a part of the relation; whether a call inside is counted, so that the part must be run each time.
    pub(super) fn counting_calls<T>(
        &mut self,
        part: Option<Arc<str>>,
        compile: impl FnOnce(&mut Self) -> T,
    ) -> (T, bool) {
        let calls = |c: &Self| c.reach.as_ref().map_or(0, |reach| reach.calls);
        let before = calls(self);
        if let Some(reach) = &mut self.reach {
            reach.part = Some(part);
        }
        let compiled = compile(self);
        if let Some(reach) = &mut self.reach {
            reach.part = None;
        }
        (compiled, calls(self) > before)
    }

    /// The body of a definition that is called, counted if it is an action that has no count of its own.
    pub(super) fn taken(&mut self, id: DefinitionId, names: &Names<'m>, body: Box<dyn Action>) -> Box<dyn Action> {
        let name = self.model.qualified_name(id);
        let Some(reach) = self.reach.as_mut().filter(|reach| reach.listed.contains(&id)) else { return body };
        let Some(part) = reach.part.clone().filter(|part| part.as_deref() != Some(&*name)) else { return body };
        if names.enabled.is_some() || names.primed || names.exchanged {
            return body;
        }
        reach.calls += 1;
        let counter = match reach.counts.iter().find(|c| c.definition == id && c.within == part) {
            Some(known) => known.generated.clone(),
            None => {
                let generated = Arc::<AtomicU64>::default();
                reach.counts.push(ActionCount { definition: id, within: part, generated: generated.clone() });
                generated
            }
        };
        Box::new(TakenAction { action: body, counter })
    }
}
