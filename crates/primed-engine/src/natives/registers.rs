//! TLC's registers: what `TLCSet` stores and `TLCGet` reads.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

use primed_value::encode;
use primed_value::freeze::Frozen;
use primed_value::symbol::Symbol;

use crate::env::Env;

/// The key of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Register {
    Number(i64),
    Name(Symbol),
}

/// What TLCSet stored, and where the stream of random numbers is. It outlives the states that it was set in: whoever drives an
/// evaluation hands it from one environment to the next ([`Env::put_registers`]).
#[derive(Clone, Debug, Default)]
pub struct Registers {
    pub(super) values: Values,
    /// `TLCSet("exit", TRUE)` was evaluated.
    pub(crate) exit: bool,
    pub(crate) random: u64,
    /// The registers of the workers beside the first, where no worker evaluates: `TLCGet("all")` shows them, TLCSet sets all.
    pub(super) others: Vec<Arc<Values>>,
}

/// Ordered: an environment is made for each state that is expanded, and an empty one costs nothing.
pub(super) type Values = BTreeMap<Register, Arc<Frozen>>;

impl Registers {
    /// The registers as the thread that is no worker sees them: those of the first worker, and `TLCGet("all")` shows all.
    /// `None` if there is no worker.
    pub fn of_workers(workers: Vec<Registers>) -> Option<Registers> {
        let mut workers = workers.into_iter();
        let mut first = workers.next()?;
        first.others = workers.map(|w| Arc::new(w.values)).collect();
        Some(first)
    }

    /// The registers as so many workers have them before they start: what is set now is set for all of them.
    pub fn shared_by(&self, workers: usize) -> Registers {
        let mut shared = self.clone();
        shared.others = (1..workers).map(|_| Arc::new(self.values.clone())).collect();
        shared
    }

    /// Where the stream of random numbers begins.
    pub fn seeded(mut self, seed: u64) -> Registers {
        self.random = seed;
        self
    }

    /// The registers that a worker starts with.
    pub fn for_worker(&self) -> Registers {
        Registers { others: Vec::new(), ..self.clone() }
    }

    /// Writes the registers, for a checkpoint. That the search was to end is not part of it: who goes on wants it to go on.
    ///
    /// # Errors
    /// The writer's; a register that holds a function that cannot be listed.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        encode::write_number(out, self.random)?;
        encode::write_number(out, 1 + self.others.len() as u64)?;
        let all = std::iter::once(&self.values).chain(self.others.iter().map(|o| &**o));
        all.into_iter().try_for_each(|values| write_values(out, values))
    }

    /// Reads what [`Registers::write`] wrote, once the symbols are known.
    ///
    /// # Errors
    /// The reader's; bytes that are no registers.
    pub fn read(env: &mut Env<'_>, input: &mut dyn Read) -> io::Result<Registers> {
        let random = encode::read_number(input)?;
        let count = encode::read_number(input)?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(read_values(env, input)?);
        }
        let mut all = all.into_iter();
        let values = all.next().unwrap_or_default();
        Ok(Registers { values, exit: false, random, others: all.map(Arc::new).collect() })
    }
}

fn write_values(out: &mut dyn Write, values: &Values) -> io::Result<()> {
    encode::write_number(out, values.len() as u64)?;
    values.iter().try_for_each(|(register, value)| {
        let (kind, number) = match register {
            Register::Number(n) => (0, *n as u64),
            Register::Name(name) => (1, u64::from(name.0)),
        };
        encode::write_number(out, kind)?;
        encode::write_number(out, number)?;
        encode::write_value(out, value.get())
    })
}

fn read_values(env: &mut Env<'_>, input: &mut dyn Read) -> io::Result<Values> {
    let mut values = Values::default();
    for _ in 0..encode::read_number(input)? {
        let (kind, number) = (encode::read_number(input)?, encode::read_number(input)?);
        let register = match kind {
            0 => Register::Number(number as i64),
            _ => Register::Name(Symbol(number as u32)),
        };
        let value = encode::read_value(env, input)?;
        let frozen = Frozen::new(env, value).map_err(|error| encode::damaged(&error.message))?;
        values.insert(register, Arc::new(frozen));
    }
    Ok(values)
}
