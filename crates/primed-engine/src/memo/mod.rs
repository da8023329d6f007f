//! What parts of the next-state relation and invariants gave before, by what they read of the state.
//!
//! A next-state relation consists of many parts ([`crate::nodes::tagged`]), each of which reads little of a state: `pc[self]`, to
//! find that it is not enabled. While a part runs, every place of the state that it reads is noted, and what it found is
//! remembered under the values that it read. Where all parts of a state are known nothing is evaluated. What `x' = e` assigns is
//! remembered by itself, by what `e` reads, if its value decides nothing else.
//!
//! INVARIANT: a part is remembered only if it depends on nothing but the current state and constants (what asks for the
//! moment is left out by the compiler; what reads a state in another way calls [`crate::env::Env::spoil`]).
//! Values are known by their numbers in one table of interned values.
//!
//! The workers of a search remember together ([`SharedMemo`]): what one has learned is known to all.

mod edges;
mod function;
mod groups;
mod predicate;
mod shared;
mod trie;
mod watch;

use std::sync::Arc;

use primed_value::value::Value;

pub(crate) use function::Rows;
use groups::{DISABLED, Groups};
pub use predicate::Predicate;
use shared::Root;
pub use shared::SharedMemo;
pub(crate) use trie::{Asked, Location, Step};
use trie::{Inserted, NOTHING, Node, Tries};
use watch::{Source, Watch};

/// After so many questions it is looked at whether remembering helps.
const WINDOW: u32 = 1 << 11;
/// So many windows may pass before it does, since all is new in the beginning.
const PATIENCE: u32 = 6;

/// Most variables that all successors of one part change together.
const MOST_CHANGES: usize = 1 << 11;

/// So often something may depend on more than what can be noted.
const MOST_SPOILT: u32 = 64;

/// Something that is remembered, and how well that goes.
#[derive(Clone, Copy, Debug, Default)]
struct Subject {
    root: u32,
    /// It depends on the state alone.
    pure: bool,
    /// The action's number.
    action: u32,
    /// Questions and answers in this window.
    asked: u32,
    answered: u32,
    /// Windows in a row in which it did not help.
    failures: u32,
    /// Questions that are not asked any more, and how many the next time.
    pause: u32,
    pauses: u32,
    /// How often it depended on more than what could be noted.
    spoilt: u32,
}

impl Subject {
    /// Whether to ask; sometimes it does not pay.
    #[inline]
    fn asks(&mut self) -> bool {
        if !self.pure {
            return false;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        self.asked += 1;
        if self.asked == WINDOW {
            self.failures = if self.answered < WINDOW / 2 { self.failures + 1 } else { 0 };
            if self.failures >= PATIENCE {
                self.pauses = (self.pauses * 2).clamp(WINDOW, 1 << 24);
                self.pause = self.pauses;
            }
            (self.asked, self.answered) = (0, 0);
        }
        true
    }
}

impl Subject {
    /// Remembers an outcome, if there is one, by what was seen while it was found.
    fn learn(&mut self, tries: &mut Tries, seen: &Watch, outcome: Option<u32>) {
        if !seen.is_sound() {
            self.spoil();
        } else if let (Some(outcome), false) = (outcome, tries.is_over()) {
            // It may be forgotten when the next state is expanded.
            tries.insert(self.root, &seen.reads, &mut |_| outcome);
        }
    }

    /// It depended on more than what could be noted. It will be so again.
    fn spoil(&mut self) {
        self.spoilt += 1;
        self.pure = self.spoilt < MOST_SPOILT;
    }
}

/// What is known of a part in the state that is expanded.
#[derive(Clone, Copy, Debug)]
enum Decision {
    /// Run it, and note what it reads.
    Watch,
    /// Run it.
    Run,
    /// These successors, of the rows at hand.
    Found { first: u32, last: u32 },
}

/// What one worker remembers, together with the others.
#[derive(Debug)]
pub struct Memo {
    shared: Arc<SharedMemo>,
    width: usize,
    tries: Tries,
    parts: Vec<Subject>,
    predicates: Vec<Subject>,
    functions: Vec<Subject>,
    /// For what is watched inside of what is being watched: a formula in a state that a part found, a function in either.
    spare: Vec<Watch>,
    /// All parts were met once.
    complete: bool,
    /// It is off for good: parts are not the same each time.
    off: bool,
    groups: Groups,
    // Of the state that is expanded:
    starts: Vec<Option<Node>>,
    decisions: Vec<Decision>,
    /// The successors that are known, row after row, and the action of each.
    rows: Vec<u32>,
    actions: Vec<u32>,
    /// The part that is met next.
    part: usize,
    /// The known successor that is handed out.
    given: Option<usize>,
    watch: Watch,
}

impl Memo {
    /// What a worker knows that begins now: what the others do.
    pub fn new(shared: &Arc<SharedMemo>) -> Memo {
        let width = shared.width;
        Memo {
            shared: Arc::clone(shared),
            width,
            tries: Tries::new(Arc::clone(shared)),
            parts: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            spare: Vec::new(),
            complete: false,
            off: false,
            groups: Groups::default(),
            starts: Vec::new(),
            decisions: Vec::new(),
            rows: Vec::new(),
            actions: Vec::new(),
            part: 0,
            given: None,
            watch: Watch::new(width),
        }
    }

    /// Looks up all parts for a state (its row, and the values of it). True if each is known: nothing needs to be run, and
    /// [`crate::env::Env::remembered`] has the successors.
    pub fn look_up(&mut self, row: &[u32], values: &[Value<'_>]) -> bool {
        self.part = 0;
        self.decisions.clear();
        self.rows.clear();
        self.actions.clear();
        if self.off {
            return false;
        }
        if !self.complete {
            // All parts are to be met in one state first.
            self.parts.clear();
            return false;
        }
        if self.tries.is_over() {
            self.forget();
        }
        self.tries.refresh();
        let mut all = true;
        let asked = Asked { row, values };
        let mut starts = std::mem::take(&mut self.starts);
        self.groups.start(&self.parts, &self.tries, asked, &mut starts);
        for (part, start) in starts.iter().enumerate() {
            let decision = match *start {
                DISABLED => Decision::Found { first: 0, last: 0 },
                start => self.decide(part, start, asked),
            };
            all &= matches!(decision, Decision::Found { .. });
            self.decisions.push(decision);
        }
        self.starts = starts;
        all
    }

    /// Begins to watch something by itself; gives what was being watched.
    fn watch_inside(&mut self, coarse: bool) -> Watch {
        let mut inner = self.spare.pop().unwrap_or_else(|| Watch::new(self.width));
        inner.begin(coarse);
        std::mem::replace(&mut self.watch, inner)
    }

    /// Goes on with what was being watched; gives what was seen meanwhile, to be given back to the spare ones.
    fn watch_again(&mut self, outer: Watch) -> Watch {
        std::mem::replace(&mut self.watch, outer)
    }

    /// What is known of a part, from a node of its trie on.
    fn decide(&mut self, part: usize, start: Option<Node>, asked: Asked<'_, '_>) -> Decision {
        let subject = &mut self.parts[part];
        if !subject.asks() {
            return Decision::Run;
        }
        let action = subject.action;
        let Some(leaf) = start.and_then(|node| self.tries.outcome_from(node, asked)) else { return Decision::Watch };
        let before = (self.actions.len(), self.rows.len());
        let mut start = before.1;
        for change in self.tries.leaf(leaf) {
            if change.begins() {
                start = self.rows.len();
                self.rows.extend_from_slice(asked.row);
                self.actions.push(action);
                continue;
            }
            let id = match change.source {
                Source::Value(id) => Some(id),
                Source::Trie(root) => self.tries.outcome(root, asked),
            };
            let Some(id) = id else {
                self.actions.truncate(before.0);
                self.rows.truncate(before.1);
                return Decision::Watch;
            };
            self.rows[start + change.variable as usize] = id;
        }
        self.parts[part].answered += 1;
        Decision::Found { first: before.0 as u32, last: self.actions.len() as u32 }
    }

    /// Forgets what was found, not how well that went.
    fn forget(&mut self) {
        self.tries.forget();
        self.watch.forget();
        self.spare.iter_mut().for_each(Watch::forget);
        self.find_roots();
        self.groups.reset(self.parts.len());
    }

    /// Numbers the tries of all subjects.
    fn find_roots(&mut self) {
        let Memo { tries, parts, predicates, functions, .. } = self;
        let find = |subjects: &mut [Subject], kind: fn(u32) -> Root| {
            (0..).zip(subjects).for_each(|(number, subject)| subject.root = tries.root(kind(number)));
        };
        find(parts, Root::Part);
        find(predicates, Root::Predicate);
        find(functions, Root::Function);
    }

    /// A part is met: what is known of it.
    fn meet(&mut self, action: u32, pure: bool) -> Decision {
        let part = self.part;
        self.part += 1;
        if self.off {
            return Decision::Run;
        }
        match self.decisions.get(part) {
            Some(_) if self.parts[part].action != action => {
                self.off = true;
                Decision::Run
            }
            Some(decision) => *decision,
            None if self.complete => {
                self.off = true;
                Decision::Run
            }
            None => {
                self.parts.push(Subject { pure, action, ..Subject::default() });
                Decision::Run
            }
        }
    }

    /// All parts were met, for the state that was looked up.
    fn met_all(&mut self) {
        if !self.complete {
            let parts = || self.parts.iter().map(|part| (part.action, part.pure));
            // Workers that met others would not speak of the same.
            self.off |= !self.shared.parts.get_or_init(|| parts().collect()).iter().copied().eq(parts());
            self.find_roots();
            self.groups.reset(self.parts.len());
        } else if self.part != self.parts.len() {
            self.off = true;
        }
        self.complete = true;
    }

    /// What the part that was watched found.
    fn learn(&mut self, part: usize) {
        let Some(subject) = self.parts.get_mut(part) else { return };
        let watch = &mut self.watch;
        if !watch.is_sound() || watch.changes.len() > MOST_CHANGES {
            subject.spoil();
            return;
        }
        if self.tries.is_over() {
            return;
        }
        let finds = !watch.changes.is_empty();
        let (reads, changes) = (&watch.reads, &watch.changes);
        let outcome = &mut |generation: &shared::Generation| match finds {
            true => generation.leaf(changes.as_slice().into()),
            false => NOTHING,
        };
        if self.tries.insert(subject.root, reads, outcome) == Inserted::Contradiction {
            subject.pure = false;
        }
    }
}
