//! `conformance-suite/bench/filter-lock`: five functions over 1..N. Each value is in a range that is read off the
//! specification (`pc` one of six strings, the others below N + 2): 3 bits, with 4 processes 60 bits.

use crate::search::Packed;

const N: usize = 4;
const IDLE: u8 = 0;
const UP: u8 = 1;
const MARK: u8 = 2;
const SCAN: u8 = 3;
const CS: u8 = 4;
const LEAVE: u8 = 5;

pub(crate) struct FilterLock;

/// A state whose variables have been taken apart.
#[derive(Clone, Copy)]
struct State {
    pc: [u8; N],
    level: [u8; N],
    last: [u8; N],
    step: [u8; N],
    other: [u8; N],
}

impl State {
    fn pack(&self) -> u64 {
        let mut row = 0;
        for part in [&self.pc, &self.level, &self.last, &self.step, &self.other] {
            for value in part {
                row = row << 3 | u64::from(*value);
            }
        }
        row
    }

    fn unpack(mut row: u64) -> State {
        let mut state = State { pc: [0; N], level: [0; N], last: [0; N], step: [0; N], other: [0; N] };
        for part in [&mut state.other, &mut state.step, &mut state.last, &mut state.level, &mut state.pc] {
            for value in part.iter_mut().rev() {
                *value = (row & 7) as u8;
                row >>= 3;
            }
        }
        state
    }
}

impl Packed for FilterLock {
    type Row = u64;

    fn initial(&self, emit: &mut dyn FnMut(u64)) {
        emit(State { pc: [IDLE; N], level: [0; N], last: [0; N], step: [1; N], other: [1; N] }.pack());
    }

    fn next(&self, row: u64, emit: &mut impl FnMut(u64)) {
        let now = State::unpack(row);
        for p in 0..N {
            let mut then = now;
            match now.pc[p] {
                IDLE => {
                    then.step[p] = 1;
                    then.pc[p] = UP;
                }
                UP if usize::from(now.step[p]) < N => {
                    then.level[p] = now.step[p];
                    then.pc[p] = MARK;
                }
                UP => then.pc[p] = CS,
                MARK => {
                    then.last[usize::from(now.step[p]) - 1] = p as u8 + 1;
                    then.other[p] = 1;
                    then.pc[p] = SCAN;
                }
                SCAN => {
                    let other = usize::from(now.other[p]);
                    if usize::from(now.last[usize::from(now.step[p]) - 1]) == p + 1 && other <= N {
                        if !(other != p + 1 && now.level[other - 1] >= now.step[p]) {
                            then.other[p] += 1;
                        }
                    } else {
                        then.step[p] += 1;
                        then.pc[p] = UP;
                    }
                }
                CS => then.pc[p] = LEAVE,
                _ => {
                    then.level[p] = 0;
                    then.pc[p] = IDLE;
                }
            }
            emit(then.pack());
        }
    }

    fn holds(&self, row: u64) -> bool {
        let now = State::unpack(row);
        let within = |part: &[u8; N], least: u8, most: usize| part.iter().all(|v| (least..=most as u8).contains(v));
        now.pc.iter().filter(|pc| **pc == CS).count() <= 1
            && within(&now.pc, 0, 5)
            && within(&now.level, 0, N)
            && within(&now.last, 0, N)
            && within(&now.step, 1, N)
            && within(&now.other, 1, N + 1)
    }
}
