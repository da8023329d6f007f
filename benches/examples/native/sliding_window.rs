//! `conformance-suite/bench/sliding-window`: integers below `NUMBERS`, and two sequences that are never longer than `ROOM`, which
//! is known from `Len(...) < Room` before each `Append`. A length and three elements each: 33 bits.

use crate::search::Packed;

const NUMBERS: usize = 4;
const WINDOW: u8 = 3;
const ROOM: usize = 3;

pub(crate) struct SlidingWindow;

/// A sequence of at most `ROOM` elements; what is beyond its length is 0.
#[derive(Clone, Copy, Default)]
struct Queue {
    length: u8,
    elements: [u8; ROOM],
}

impl Queue {
    fn append(mut self, element: u8) -> Queue {
        self.elements[usize::from(self.length)] = element;
        self.length += 1;
        self
    }

    fn tail(mut self) -> Queue {
        self.elements.copy_within(1.., 0);
        self.elements[ROOM - 1] = 0;
        self.length -= 1;
        self
    }
}

#[derive(Clone, Copy, Default)]
struct State {
    base: u8,
    next: u8,
    wanted: u8,
    got: u8,
    data: [u8; NUMBERS],
    /// The number of a frame, then its bit.
    frames: Queue,
    acks: Queue,
}

fn ahead(a: u8, b: u8) -> u8 {
    (a + NUMBERS as u8 - b) % NUMBERS as u8
}

fn after(n: u8) -> u8 {
    (n + 1) % NUMBERS as u8
}

impl State {
    fn pack(&self) -> u64 {
        let mut row =
            u64::from(self.base) << 5 | u64::from(self.next) << 3 | u64::from(self.wanted) << 1 | u64::from(self.got);
        for bit in self.data {
            row = row << 1 | u64::from(bit);
        }
        for (queue, bits) in [(&self.frames, 3), (&self.acks, 2)] {
            row = row << 2 | u64::from(queue.length);
            for element in queue.elements {
                row = row << bits | u64::from(element);
            }
        }
        row
    }

    fn unpack(mut row: u64) -> State {
        let mut take = |bits: u32| {
            let value = (row & ((1 << bits) - 1)) as u8;
            row >>= bits;
            value
        };
        let mut state = State::default();
        for (queue, bits) in [(&mut state.acks, 2), (&mut state.frames, 3)] {
            queue.elements.iter_mut().rev().for_each(|element| *element = take(bits));
            queue.length = take(2);
        }
        state.data.iter_mut().rev().for_each(|bit| *bit = take(1));
        state.got = take(1);
        state.wanted = take(2);
        state.next = take(2);
        state.base = take(2);
        state
    }

    fn receive(mut self) -> State {
        let head = self.frames.elements[0];
        self.frames = self.frames.tail();
        if head >> 1 == self.wanted {
            self.wanted = after(self.wanted);
            self.got = head & 1;
        }
        self.acks = self.acks.append(self.wanted);
        self
    }
}

impl Packed for SlidingWindow {
    type Row = u64;

    fn initial(&self, emit: &mut dyn FnMut(u64)) {
        emit(State::default().pack());
    }

    fn next(&self, row: u64, emit: &mut impl FnMut(u64)) {
        let now = State::unpack(row);
        for bit in 0..2 {
            if ahead(now.next, now.base) < WINDOW {
                let mut then = now;
                then.data[usize::from(now.next)] = bit;
                then.next = after(now.next);
                emit(then.pack());
            }
        }
        for n in 0..NUMBERS as u8 {
            if ahead(n, now.base) < ahead(now.next, now.base) && usize::from(now.frames.length) < ROOM {
                emit(State { frames: now.frames.append(n << 1 | now.data[usize::from(n)]), ..now }.pack());
            }
        }
        if now.frames.length > 0 && usize::from(now.acks.length) < ROOM {
            emit(now.receive().pack());
        }
        if now.acks.length > 0 {
            let head = now.acks.elements[0];
            let base = if ahead(head, now.base) <= ahead(now.next, now.base) { head } else { now.base };
            emit(State { base, acks: now.acks.tail(), ..now }.pack());
        }
        if now.frames.length > 0 {
            emit(State { frames: now.frames.tail(), ..now }.pack());
        }
        if now.acks.length > 0 {
            emit(State { acks: now.acks.tail(), ..now }.pack());
        }
    }

    fn holds(&self, row: u64) -> bool {
        let now = State::unpack(row);
        let before = usize::from((now.wanted + NUMBERS as u8 - 1) % NUMBERS as u8);
        ahead(now.wanted, now.base) <= ahead(now.next, now.base)
            && (now.wanted == now.base || now.got == now.data[before])
    }
}
