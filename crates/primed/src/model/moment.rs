//! What a specification can ask of the behaviour that is looked at.

use primed_value::build;
use primed_value::host::Host;
use primed_value::value::Value;

use primed_engine::env::Env;

use super::space::{ModelSpace, values};

impl ModelSpace<'_> {
    /// What `TLCGet("action")` is of the last state of a path.
    pub(super) fn last_action<'a>(&'a self, env: &mut Env<'a>, path: &[Vec<u32>]) -> Option<Value<'a>> {
        match path {
            [.., before, last] => {
                env.set_current(&values(&self.interner, env.arena(), before));
                // Whatever it prints and stores it has printed and stored before.
                let registers = env.take_registers();
                env.put_registers(registers.clone());
                env.mute(true);
                let action = self.checker.action_to(&self.interner, env, last);
                env.mute(false);
                env.put_registers(registers);
                action
            }
            _ => Some(self.checker.taken_action(env, true)),
        }
    }

    /// The current state as a record.
    pub(super) fn record<'a>(&'a self, env: &mut Env<'a>) -> Value<'a> {
        let names = self.checker.model.variables.iter().map(|v| env.symbols().intern(&v.name));
        let fields = names.zip(env.current()).filter_map(|(name, value)| value.map(|v| (name, v))).collect();
        build::record(env, fields)
    }

    /// What `TLCExt!Trace` is of the state that is expanded.
    pub(super) fn trace_of<'a>(&'a self, env: &mut Env<'a>, path: &[Vec<u32>]) -> Value<'a> {
        let mut trace = Vec::with_capacity(path.len());
        for row in path {
            env.set_current(&values(&self.interner, env.arena(), row));
            trace.push(self.record(env));
        }
        build::tuple_vec(env, trace)
    }
}
