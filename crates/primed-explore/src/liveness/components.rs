//! Strongly connected components (Tarjan 1972), without recursion.

use crate::liveness::product::{Numbers, Pair, Position, Product};

/// A component that has been left.
const LEFT: u32 = u32::MAX;
/// The component that is being looked at.
const LOOKED_AT: u32 = u32::MAX - 1;

/// A pair whose successors are being walked.
struct Frame {
    pair: Pair,
    number: u32,
    at: Position,
}

/// A component, while it is looked at.
pub(crate) struct Component<'c> {
    pub(crate) pairs: &'c [Pair],
    numbers: &'c Numbers,
    low: &'c [u32],
}

impl Component<'_> {
    /// The pair is in the component.
    pub(crate) fn contains(&self, pair: Pair) -> bool {
        self.numbers.get(pair).is_some_and(|n| self.low[n as usize] == LOOKED_AT)
    }
}

/// Whether a step belongs to the graph whose components are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// It does.
    Yes,
    /// It does not, but the pair that it leads to has to be looked at too.
    Apart,
    /// Neither does it nor the pair that it leads to.
    No,
}

/// Walks all pairs that `roots` lead to, and hands out each component; ends early with what `look` gives, if it gives
/// something, and with nothing if the walk is stopped.
pub(crate) fn components<T>(
    product: &Product<'_>,
    roots: impl Iterator<Item = Pair>,
    mut numbers: Numbers,
    follow: impl Fn(Pair, usize, Pair) -> Follow,
    mut look: impl FnMut(&Component<'_>) -> Option<T>,
) -> Option<T> {
    let mut low: Vec<u32> = Vec::new();
    let (mut frames, mut open): (Vec<Frame>, Vec<Pair>) = (Vec::new(), Vec::new());
    let (mut roots, mut apart) = (roots, Vec::new());
    while let Some(root) = apart.pop().or_else(|| roots.next()) {
        if numbers.get(root).is_some() {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(pair) = entered.take() {
                product.takes(low.len(), numbers.dense_bytes());
                if product.is_stopped() {
                    return None;
                }
                let number = numbers.add(pair);
                low.push(number);
                open.push(pair);
                frames.push(Frame { pair, number, at: Position::default() });
            }
            let Some(frame) = frames.last_mut() else { break };
            if let Some((step, pair)) = product.next(frame.pair, &mut frame.at) {
                let followed = follow(frame.pair, step, pair);
                if followed == Follow::No {
                    continue;
                }
                match numbers.get(pair) {
                    None if followed == Follow::Apart => apart.push(pair),
                    None => entered = Some(pair),
                    Some(_) if followed == Follow::Apart => {}
                    Some(known) => {
                        let reached = low[known as usize];
                        // What is in a component that was left does not lead back.
                        if reached < LOOKED_AT {
                            let own = &mut low[frame.number as usize];
                            *own = (*own).min(reached);
                        }
                    }
                }
                continue;
            }
            let Frame { pair, number, .. } = *frame;
            let lowest = leave(&mut frames, &mut low);
            if lowest == number {
                let first = open.iter().rposition(|p| *p == pair).unwrap_or(0);
                let members = &open[first..];
                mark(&numbers, &mut low, members, LOOKED_AT);
                if let Some(found) = look(&Component { pairs: members, numbers: &numbers, low: &low }) {
                    return Some(found);
                }
                mark(&numbers, &mut low, members, LEFT);
                open.truncate(first);
            }
        }
    }
    None
}

/// All successors of the last pair have been walked: what they lead back to, the pair before it leads back to as well.
fn leave(frames: &mut Vec<Frame>, low: &mut [u32]) -> u32 {
    let lowest = frames.pop().map_or(LEFT, |frame| low[frame.number as usize]);
    if let Some(before) = frames.last() {
        let own = &mut low[before.number as usize];
        *own = (*own).min(lowest);
    }
    lowest
}

fn mark(numbers: &Numbers, low: &mut [u32], members: &[Pair], as_what: u32) {
    for pair in members {
        if let Some(number) = numbers.get(*pair) {
            low[number as usize] = as_what;
        }
    }
}
