//! Definitions of constant level that draw random numbers, print or set registers: TLC evaluates each once, before anything else, and
//! keeps the value (`SpecProcessor.processConstantDefns`).

use primed_semantics::model::{Argument, DefinitionId, ExprKind};
use primed_value::freeze::Frozen;

use super::{Compiler, Expression, Names};
use crate::env::Env;
use crate::natives;
use crate::node::Code;
use crate::nodes::kept::{Kept, KeptValue};

/// A definition whose value is kept.
#[derive(Debug)]
pub struct KeptDefinition {
    value: KeptValue,
    body: Expression,
}

impl KeptDefinition {
    /// Evaluates the definition and keeps its value; what cannot be evaluated now is evaluated where it is used.
    pub fn keep<'a>(&'a self, env: &mut Env<'a>) {
        let value = self.body.value(env).and_then(|value| Frozen::new(env, value));
        // There is no search yet that could be ended.
        let exits = std::mem::take(&mut env.registers.exit);
        if let (Ok(value), false) = (value, exits) {
            // Another search with the same compiled model has the same constants.
            drop(self.value.set(value));
        }
    }
}

impl<'m> Compiler<'m> {
    /// All definitions whose values are kept, in order.
    pub fn kept_definitions(&mut self) -> Vec<KeptDefinition> {
        let ids = (0..self.model.definitions.len()).map(|number| DefinitionId(number as u32));
        let kept: Vec<DefinitionId> = ids.filter(|id| self.is_kept(*id)).collect();
        let definition = |c: &mut Self, id| {
            let body = &c.model.definition(id).body;
            c.analysis.count(body);
            let (code, frame) = c.in_frame(|c| c.code(body, &Names::default()));
            KeptDefinition { value: c.kept_value(id), body: Expression { code, frame, pure: false } }
        };
        kept.into_iter().map(|id| definition(self, id)).collect()
    }

    /// A use of a definition; `here` is its code.
    pub(super) fn kept(&mut self, id: DefinitionId, args: &[Argument], here: Code) -> Code {
        if !args.is_empty() || !self.is_kept(id) {
            return here;
        }
        Box::new(Kept { value: self.kept_value(id), here })
    }

    fn kept_value(&mut self, id: DefinitionId) -> KeptValue {
        self.kept.entry(id).or_default().clone()
    }

    /// TLC keeps what a definition gives, not a value that stands in the configuration.
    fn is_kept(&mut self, id: DefinitionId) -> bool {
        let definition = self.model.definition(id);
        let plain = definition.params.is_empty() && !definition.recursive && natives::lookup(definition).is_none();
        let own = definition.body.place.file == definition.place.file && !self.model.instances.contains_key(&id);
        if !plain || !own || matches!(&*definition.body.kind, ExprKind::Local(_)) {
            return false;
        }
        let facts = self.analysis.definition(id);
        facts.moment && facts.constant_level()
    }
}
