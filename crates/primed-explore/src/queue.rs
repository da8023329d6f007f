//! States in the order in which they were found, in few bytes.

use std::collections::VecDeque;

use crate::store::StateId;

/// A queue of states. Those that one worker found one after the other have numbers that follow each other: they are kept as runs.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    runs: VecDeque<Run>,
    len: usize,
}

/// So many states, the first of which has this number.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u64,
    len: u32,
}

impl Run {
    fn states(self) -> impl Iterator<Item = StateId> {
        (self.first..self.first + u64::from(self.len)).map(StateId::of)
    }
}

impl Queue {
    /// There is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a state at the end.
    pub(crate) fn push(&mut self, state: StateId) {
        let number = state.number();
        match self.runs.back_mut() {
            Some(run) if run.first + u64::from(run.len) == number && run.len < u32::MAX => run.len += 1,
            _ => self.runs.push_back(Run { first: number, len: 1 }),
        }
        self.len += 1;
    }

    /// Takes states from the front, at most so many, and puts them into `states`.
    pub(crate) fn take(&mut self, most: usize, states: &mut Vec<StateId>) {
        states.clear();
        while let Some(run) = self.runs.front_mut().filter(|_| states.len() < most) {
            let taken = Run { len: run.len.min(u32::try_from(most - states.len()).unwrap_or(u32::MAX)), ..*run };
            states.extend(taken.states());
            *run = Run { first: run.first + u64::from(taken.len), len: run.len - taken.len };
            if run.len == 0 {
                self.runs.pop_front();
            }
        }
        self.len -= states.len();
    }

    /// All states, from the front.
    pub(crate) fn iter(&self) -> impl Iterator<Item = StateId> {
        self.runs.iter().flat_map(|run| run.states())
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.runs.capacity() * size_of::<Run>()
    }
}

impl Extend<StateId> for Queue {
    fn extend<I: IntoIterator<Item = StateId>>(&mut self, states: I) {
        states.into_iter().for_each(|state| self.push(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_out_as_they_went_in() {
        // Runs, states that stand alone, and numbers that become less.
        let number = |n: u64| if n % 900 < 7 { n.wrapping_mul(0x9e37_79b9) } else { ((n / 900) << 33) | (n % 900) };
        let (mut queue, mut taken, mut states) = (Queue::default(), 0, Vec::new());
        for n in 0..20_000 {
            queue.push(StateId::of(number(n)));
            if n % 1000 == 0 {
                assert!(queue.iter().map(StateId::number).eq((taken..=n).map(number)));
                queue.take(700, &mut states);
                assert!(states.iter().map(|s| s.number()).eq((taken..taken + states.len() as u64).map(number)));
                taken += states.len() as u64;
                assert_eq!(queue.len as u64, n + 1 - taken);
            }
        }
        assert!(queue.bytes() < queue.len);
        queue.take(usize::MAX, &mut states);
        assert!(states.iter().map(|s| s.number()).eq((taken..20_000).map(number)));
        assert!(queue.is_empty() && queue.iter().next().is_none());
    }
}
