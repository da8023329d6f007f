//! `conformance-suite/bench/paxos`: `mail` is a set of records of four kinds. The fields of each kind have few values, so the set
//! is a bit for each record that could be in it: 135. With two functions over the acceptors 153 bits, in three words.

use crate::search::Packed;

const ACCEPTORS: usize = 3;
const VALUES: usize = 2;
const ROUNDS: usize = 3;
/// Votes: a round from -1 to 2, a value or "none" (0).
const VOTES: usize = (ROUNDS + 1) * (VALUES + 1);
// Where the records of each kind begin.
const ASK: usize = 0;
const PROMISE: usize = ASK + ROUNDS;
const PROPOSE: usize = PROMISE + ACCEPTORS * ROUNDS * VOTES;
const ACCEPTED: usize = PROPOSE + ROUNDS * VALUES;
const MAJORITIES: [usize; 4] = [0b011, 0b101, 0b110, 0b111];

pub(crate) struct Paxos;

type Row = [u64; 3];

/// The sets are words 0 to 2; the functions begin at bit 10 of word 2.
#[derive(Clone, Copy)]
struct State {
    mail: Row,
    /// Rounds, from 0 for -1.
    promised: [u8; ACCEPTORS],
    /// `round * (VALUES + 1) + value`, the round from 0 for -1.
    vote: [u8; ACCEPTORS],
}

fn promise(a: usize, r: usize, vote: usize) -> usize {
    PROMISE + (a * ROUNDS + r) * VOTES + vote
}

fn accepted(a: usize, r: usize, v: usize) -> usize {
    ACCEPTED + (a * ROUNDS + r) * VALUES + v
}

impl State {
    fn unpack(row: Row) -> State {
        let mut rest = row[2] >> 10;
        let mut take = |bits: u32| {
            let value = (rest & ((1 << bits) - 1)) as u8;
            rest >>= bits;
            value
        };
        let promised = std::array::from_fn(|_| take(2));
        let vote = std::array::from_fn(|_| take(4));
        State { mail: [row[0], row[1], row[2] & 0x3ff], promised, vote }
    }

    fn pack(&self) -> Row {
        let (mut row, mut at) = (self.mail, 10);
        for (part, bits) in [(&self.promised, 2), (&self.vote, 4)] {
            for value in part {
                row[2] |= u64::from(*value) << at;
                at += bits;
            }
        }
        row
    }

    fn has(&self, record: usize) -> bool {
        self.mail[record / 64] >> (record % 64) & 1 == 1
    }

    fn send(mut self, record: usize) -> State {
        self.mail[record / 64] |= 1 << (record % 64);
        self
    }

    /// In how many ways each value is free after what the acceptors of a quorum promised: in none unless all have, in one if none
    /// has voted, else in one for each promise with the latest vote.
    fn free(&self, r: usize, quorum: usize) -> [usize; VALUES] {
        let (mut latest, mut ways) = (0, [1; VALUES]);
        for a in (0..ACCEPTORS).filter(|a| quorum >> a & 1 == 1) {
            let mut heard = false;
            for vote in (0..VOTES).filter(|vote| self.has(promise(a, r, *vote))) {
                heard = true;
                let (round, value) = (vote / (VALUES + 1), vote % (VALUES + 1));
                if round > latest {
                    (latest, ways) = (round, [0; VALUES]);
                }
                if round == latest && round > 0 && value > 0 {
                    ways[value - 1] += 1;
                }
            }
            if !heard {
                return [0; VALUES];
            }
        }
        ways
    }
}

impl Packed for Paxos {
    type Row = Row;

    fn initial(&self, emit: &mut dyn FnMut(Row)) {
        emit(State { mail: [0; 3], promised: [0; ACCEPTORS], vote: [0; ACCEPTORS] }.pack());
    }

    fn next(&self, row: Row, emit: &mut impl FnMut(Row)) {
        let now = State::unpack(row);
        for r in 0..ROUNDS {
            emit(now.send(ASK + r).pack());
            for v in 0..VALUES {
                if (0..VALUES).any(|w| now.has(PROPOSE + r * VALUES + w)) {
                    continue;
                }
                // Each quorum is a way to take the step, and counted as one.
                for quorum in MAJORITIES {
                    for _ in 0..now.free(r, quorum)[v] {
                        emit(now.send(PROPOSE + r * VALUES + v).pack());
                    }
                }
            }
        }
        for a in 0..ACCEPTORS {
            for r in 0..ROUNDS {
                if now.has(ASK + r) && r as u8 + 1 > now.promised[a] {
                    let mut then = now.send(promise(a, r, usize::from(now.vote[a])));
                    then.promised[a] = r as u8 + 1;
                    emit(then.pack());
                }
                for v in 0..VALUES {
                    if now.has(PROPOSE + r * VALUES + v) && r as u8 + 1 >= now.promised[a] {
                        let mut then = now.send(accepted(a, r, v));
                        then.promised[a] = r as u8 + 1;
                        then.vote[a] = ((r + 1) * (VALUES + 1) + v + 1) as u8;
                        emit(then.pack());
                    }
                }
            }
        }
    }

    fn holds(&self, row: Row) -> bool {
        let now = State::unpack(row);
        let chosen = |v: usize| {
            (0..ROUNDS).any(|r| {
                MAJORITIES.iter().any(|q| (0..ACCEPTORS).all(|a| q >> a & 1 == 0 || now.has(accepted(a, r, v))))
            })
        };
        (0..VALUES).filter(|v| chosen(*v)).count() <= 1
            && (0..ACCEPTORS).all(|a| now.vote[a] / (VALUES as u8 + 1) <= now.promised[a])
    }
}
