//! The state graph, recorded while states are searched: for each state what is observed of it, and its steps with what is
//! observed of them. States are the store's numbers, so that nothing has to be looked up; adjacency is flat.

use std::io::{self, Read, Write};

use crate::bytes::{damaged, read_list, write_list};
use crate::liveness::normal::{Check, Problem};

/// A state that was not expanded.
const UNKNOWN: u64 = u64::MAX;

/// What was observed while one state was expanded. It is reused from state to state.
#[derive(Debug, Default)]
pub struct Observed {
    /// What holds of the state, a bit for each of [`Problem::states`].
    label: Vec<u64>,
    targets: Vec<u32>,
    /// What holds of each step, [`Problem::step_bytes`] for each.
    marks: Vec<u8>,
}

impl Observed {
    /// Begins a state with its successors.
    pub(crate) fn begin(&mut self, targets: &[u32]) {
        self.targets.clear();
        self.targets.extend_from_slice(targets);
        self.marks.clear();
        self.label.clear();
    }

    /// Says what holds of the state, in the order of [`Problem::states`].
    pub fn state(&mut self, problem: &Problem, holds: impl IntoIterator<Item = bool>) {
        self.label.resize(problem.state_words(), 0);
        for (i, holds) in holds.into_iter().enumerate() {
            if let Some(word) = self.label.get_mut(i / 64) {
                *word |= u64::from(holds) << (i % 64);
            }
        }
    }

    /// Says what holds of the next step, in the order of [`Problem::steps`].
    pub fn step(&mut self, problem: &Problem, holds: impl IntoIterator<Item = bool>) {
        let first = self.marks.len();
        self.marks.resize(first + problem.step_bytes(), 0);
        for (i, holds) in holds.into_iter().enumerate() {
            if let Some(byte) = self.marks.get_mut(first + i / 8) {
                *byte |= u8::from(holds) << (i % 8);
            }
        }
    }
}

/// Expansions of one worker that are still to be put into the graph.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    states: Vec<(u32, u32)>,
    labels: Vec<u64>,
    targets: Vec<u32>,
    marks: Vec<u8>,
}

impl Pages {
    pub(crate) fn push(&mut self, state: u32, observed: &Observed) {
        self.states.push((state, observed.targets.len() as u32));
        self.labels.extend_from_slice(&observed.label);
        self.targets.extend_from_slice(&observed.targets);
        self.marks.extend_from_slice(&observed.marks);
    }
}

/// The state graph.
#[derive(Debug)]
pub(crate) struct Graph {
    words: usize,
    step_bytes: usize,
    pub(crate) initial: Vec<u32>,
    /// For each state the number of its first step.
    first: Vec<u64>,
    degree: Vec<u32>,
    labels: Vec<u64>,
    targets: Vec<u32>,
    marks: Vec<u8>,
}

impl Graph {
    pub(crate) fn new(problem: &Problem) -> Graph {
        Graph {
            words: problem.state_words(),
            step_bytes: problem.step_bytes(),
            initial: Vec::new(),
            first: Vec::new(),
            degree: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Puts expansions into the graph and empties the pages.
    pub(crate) fn append(&mut self, pages: &mut Pages) {
        let mut first = self.targets.len() as u64;
        for (i, (state, degree)) in pages.states.iter().enumerate() {
            let at = *state as usize;
            if self.first.len() <= at {
                self.first.resize(at + 1, UNKNOWN);
                self.degree.resize(at + 1, 0);
                self.labels.resize((at + 1) * self.words, 0);
            }
            self.first[at] = first;
            self.degree[at] = *degree;
            first += u64::from(*degree);
            let label = &pages.labels[i * self.words..(i + 1) * self.words];
            self.labels[at * self.words..(at + 1) * self.words].copy_from_slice(label);
        }
        self.targets.append(&mut pages.targets);
        self.marks.append(&mut pages.marks);
        pages.states.clear();
        pages.labels.clear();
    }

    /// One more than the largest number of a state.
    pub(crate) fn bound(&self) -> usize {
        self.first.len()
    }

    /// The state has been expanded.
    pub(crate) fn is_known(&self, state: u32) -> bool {
        self.first.get(state as usize).is_some_and(|first| *first != UNKNOWN)
    }

    /// The numbers of a state's steps.
    pub(crate) fn steps(&self, state: u32) -> std::ops::Range<usize> {
        match self.first.get(state as usize) {
            Some(first) if *first != UNKNOWN => {
                let first = *first as usize;
                first..first + self.degree[state as usize] as usize
            }
            _ => 0..0,
        }
    }

    pub(crate) fn target(&self, step: usize) -> u32 {
        self.targets[step]
    }

    /// Whether the state satisfies what has this number.
    pub(crate) fn state_holds(&self, state: u32, number: usize) -> bool {
        let word = self.labels.get(state as usize * self.words + number / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    /// Whether a step of the state satisfies a check.
    pub(crate) fn holds(&self, state: u32, step: usize, check: Check) -> bool {
        match check {
            Check::State(number) => self.state_holds(state, number),
            Check::Step(number) => self.marks[step * self.step_bytes + number / 8] >> (number % 8) & 1 == 1,
        }
    }

    /// The states that were expanded, in the order in which they were put into the graph: every one has a step, to itself.
    pub(crate) fn expanded(&self) -> Vec<u32> {
        let mut states: Vec<u32> = (0..self.first.len() as u32).filter(|s| self.is_known(*s)).collect();
        states.sort_by_key(|state| self.first[*state as usize]);
        states
    }

    /// Writes the graph.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_list(out, &self.initial)?;
        write_list(out, &self.first)?;
        write_list(out, &self.degree)?;
        write_list(out, &self.labels)?;
        write_list(out, &self.targets)?;
        write_list(out, &self.marks)
    }

    /// Reads what [`Graph::write`] wrote for the same problem.
    pub(crate) fn read(problem: &Problem, input: &mut dyn Read) -> io::Result<Graph> {
        let graph = Graph {
            initial: read_list(input)?,
            first: read_list(input)?,
            degree: read_list(input)?,
            labels: read_list(input)?,
            targets: read_list(input)?,
            marks: read_list(input)?,
            ..Graph::new(problem)
        };
        let states = graph.first.len();
        let steps = |(first, degree): (&u64, &u32)| match *first {
            UNKNOWN => true,
            first => first.saturating_add(u64::from(*degree)) <= graph.targets.len() as u64,
        };
        let fits = graph.degree.len() == states
            && graph.labels.len() == states * graph.words
            && graph.marks.len() == graph.targets.len() * graph.step_bytes
            && graph.first.iter().zip(&graph.degree).all(steps);
        if fits { Ok(graph) } else { Err(damaged("the graph for temporal properties does not fit")) }
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        (self.first.capacity() + self.labels.capacity()) * 8
            + (self.degree.capacity() + self.targets.capacity()) * 4
            + self.marks.capacity()
    }
}
