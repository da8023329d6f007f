//! Assumptions, which are looked at before anything is searched.

use bumpalo::Bump;
use primed_engine::Registers;
use primed_engine::env::Env;
use primed_value::error::EvalErrorKind;

use super::ModelChecker;
use super::report::{CheckVerdict, During, Unfingerprinted};
use super::run::RunInfo;

impl ModelChecker {
    /// The first assumption that is false or cannot be evaluated, in TLC's words.
    pub(super) fn false_assumption(&self, registers: &mut Registers, run: &RunInfo<'_>) -> Option<CheckVerdict> {
        for definition in &self.kept {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            env.put_registers(std::mem::take(registers));
            env.set_run(run);
            definition.keep(&mut env);
            *registers = env.take_registers();
        }
        self.assumptions.iter().find_map(|(name, assumption)| {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            env.put_registers(std::mem::take(registers));
            env.set_run(run);
            let holds = assumption.holds(&mut env);
            *registers = env.take_registers();
            match holds {
                Ok(true) => None,
                Ok(false) => Some(CheckVerdict::Assumption(format!("Assumption {name} is false."))),
                Err(error) if error.kind == EvalErrorKind::Unsupported => {
                    Some(CheckVerdict::Unsupported(error.message.clone()))
                }
                // TLC does not know any more what it evaluated.
                Err(error) if error.kind == EvalErrorKind::StackOverflow => {
                    let places = error.places.iter().map(|p| self.model.describe(*p)).collect();
                    let (message, code) = (error.message.clone(), error.code);
                    let (during, unfingerprinted) = (During::Initial, Unfingerprinted::No);
                    Some(CheckVerdict::Error { message, places, code, during, exit_code: 255, unfingerprinted })
                }
                Err(error) => Some(CheckVerdict::Assumption(format!(
                    "Evaluating assumption {name} failed.\n{}",
                    self.words(&error)
                ))),
            }
        })
    }
}
