//! States in the order in which they were found, in few bytes.

use std::collections::VecDeque;

use crate::store::StateId;

/// States that are kept together, and given back together.
const CHUNK: usize = 1 << 10;

/// A queue of states. Numbers of states that follow each other lie close together: they are kept as differences.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    chunks: VecDeque<Chunk>,
    len: usize,
}

/// States whose numbers differ from one by less than 32 bits.
#[derive(Debug)]
struct Chunk {
    base: u64,
    differences: Vec<u32>,
    /// So many were taken.
    taken: usize,
}

impl Queue {
    /// There is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a state at the end.
    pub(crate) fn push(&mut self, state: StateId) {
        let number = state.number();
        let difference = |chunk: &Chunk| number.checked_sub(chunk.base).and_then(|d| u32::try_from(d).ok());
        let last = self.chunks.back_mut().filter(|chunk| chunk.differences.len() < CHUNK);
        match last.and_then(|chunk| Some((difference(chunk)?, chunk))) {
            Some((difference, chunk)) => chunk.differences.push(difference),
            None => {
                // Those that follow may have smaller numbers.
                let base = number & !u64::from(u32::MAX >> 1);
                let mut differences = Vec::with_capacity(CHUNK);
                differences.push((number - base) as u32);
                self.chunks.push_back(Chunk { base, differences, taken: 0 });
            }
        }
        self.len += 1;
    }

    /// Takes states from the front, at most so many, and puts them into `states`.
    pub(crate) fn take(&mut self, most: usize, states: &mut Vec<StateId>) {
        states.clear();
        while let Some(chunk) = self.chunks.front_mut().filter(|_| states.len() < most) {
            let rest = &chunk.differences[chunk.taken..];
            let rest = &rest[..rest.len().min(most - states.len())];
            states.extend(rest.iter().map(|difference| StateId::of(chunk.base + u64::from(*difference))));
            chunk.taken += rest.len();
            self.len -= rest.len();
            if chunk.taken == chunk.differences.len() {
                self.chunks.pop_front();
            }
        }
    }

    /// All states, from the front.
    pub(crate) fn iter(&self) -> impl Iterator<Item = StateId> {
        let states = |chunk: &Chunk| {
            let base = chunk.base;
            chunk.differences[chunk.taken..].iter().map(move |d| StateId::of(base + u64::from(*d))).collect::<Vec<_>>()
        };
        self.chunks.iter().flat_map(states)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<u32>() + self.chunks.capacity() * size_of::<Chunk>()
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
        let number = |n: u64| if n % 9000 == 7 { n << 33 } else { n.wrapping_mul(0x9e37_79b9) & 0xffff };
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
        assert!(queue.bytes() < 6 * queue.len);
        queue.take(usize::MAX, &mut states);
        assert!(states.iter().map(|s| s.number()).eq((taken..20_000).map(number)));
        assert!(queue.is_empty() && queue.iter().next().is_none());
    }
}
