//! Formulas on plain graphs. Each answer is found a second time, by trying every lasso of the graph.

use fastrand::Rng;

use crate::keep::Disk;
use crate::liveness::Liveness;
use crate::liveness::formula::{Atom, Formula};
use crate::liveness::graph::Observed;
use crate::liveness::lasso::Ending;
use crate::liveness::normal::{Problem, Refusal};
use crate::progress::Progress;
use crate::search::{End, Limit, Report, Settings, search_with};
use crate::space::{Expand, StateSpace, Visit, Visitor};

/// A graph with labels: state `s` satisfies the state atom `a` if bit `a` of `labels[s]` is set, the step from `s` to `t`
/// the step atom `a` if `(7 * s + 3 * t + a) % 3 == 0` and `s # t`.
#[derive(Clone, Debug)]
struct Graph {
    initial: u32,
    edges: Vec<Vec<u32>>,
    labels: Vec<u32>,
}

impl Graph {
    fn state(&self, state: u32, atom: u32) -> bool {
        self.labels[state as usize] >> atom & 1 == 1
    }

    fn step(from: u32, to: u32, atom: u32) -> bool {
        from != to && (7 * from + 3 * to + atom).is_multiple_of(3)
    }

    fn asked(&self, atom: Atom, from: u32, to: u32) -> bool {
        match atom {
            Atom::State(number) => self.state(from, number),
            Atom::Step(number) => Graph::step(from, to, number),
        }
    }

    fn random(rng: &mut Rng) -> Graph {
        let states = rng.u32(1..5);
        let edges = (0..states).map(|_| (0..rng.u32(0..3)).map(|_| rng.u32(0..states)).collect());
        Graph { initial: 0, edges: edges.collect(), labels: (0..states).map(|_| rng.u32(0..8)).collect() }
    }

    fn check(&self, problem: &Problem, workers: usize) -> Report<(), ()> {
        let settings = Settings { workers, deadlock: false, ..Settings::default() };
        search_with(self, settings, &Progress::default(), Some(problem), Disk::default(), None)
    }

    /// Every behaviour that goes through at most `length` states before it repeats.
    fn lassos(&self, length: usize, run: &mut dyn FnMut(&[u32], usize)) {
        let mut paths = vec![vec![self.initial]];
        while let Some(path) = paths.pop() {
            let last = path.last().copied().unwrap_or(0);
            let steps: Vec<u32> = self.edges[last as usize].iter().copied().chain([last]).collect();
            for back in 0..path.len() {
                if steps.contains(&path[back]) {
                    run(&path, back);
                }
            }
            if path.len() < length {
                paths.extend(steps.iter().map(|next| [&path[..], &[*next]].concat()));
            }
        }
    }

    fn holds_on(&self, formula: &Formula, path: &[u32], back: usize) -> bool {
        let next = |i: usize| path.get(i + 1).copied().unwrap_or(path[back]);
        let asked = &mut |atom, i: usize| Ok::<_, ()>(self.asked(atom, path[i], next(i)));
        formula.holds_on_lasso(path.len(), back, asked) == Ok(true)
    }
}

impl StateSpace for Graph {
    type Worker = ();
    type Violation = ();
    type Failure = ();

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn initial(&self, (): &mut (), visitor: &mut dyn Visitor<()>) -> Result<(), ()> {
        visitor.visit(Visit { row: &[self.initial], key: &[], inside: true, action: 0 });
        Ok(())
    }

    fn successors(&self, (): &mut (), expand: Expand<'_>, visitor: &mut dyn Visitor<()>) -> Result<(), ()> {
        for next in &self.edges[expand.state[0] as usize] {
            visitor.visit(Visit { row: &[*next], key: &[], inside: true, action: 0 });
        }
        Ok(())
    }

    fn observe(
        &self,
        (): &mut (),
        problem: &Problem,
        expand: Expand<'_>,
        successors: &[u32],
        observed: &mut Observed,
    ) -> Result<(), ()> {
        let from = expand.state[0];
        let holds =
            |formula: &Formula, to: u32| formula.holds(&mut |atom| Ok::<_, ()>(self.asked(atom, from, to))) == Ok(true);
        observed.state(problem, problem.states.iter().map(|f| holds(f, from)));
        for to in successors {
            observed.step(problem, problem.steps.iter().map(|f| holds(f, *to)));
        }
        Ok(())
    }
}

fn state(number: u32) -> Formula {
    Formula::Atom(Atom::State(number))
}

fn step(number: u32) -> Formula {
    Formula::Atom(Atom::Step(number))
}

fn or(items: impl Into<Vec<Formula>>) -> Formula {
    Formula::Or(items.into())
}

fn and(items: impl Into<Vec<Formula>>) -> Formula {
    Formula::And(items.into())
}

fn leads_to(from: Formula, to: Formula) -> Formula {
    or([from.negated(), to.eventually()]).always()
}

/// A formula over states, as deep as asked.
fn random_formula(rng: &mut Rng, depth: u32) -> Formula {
    if depth == 0 {
        return if rng.bool() { state(rng.u32(0..3)) } else { state(rng.u32(0..3)).negated() };
    }
    let mut inner = || random_formula(rng, depth - 1);
    let (first, second) = (inner(), inner());
    match rng.u32(0..6) {
        0 => and([first, second]),
        1 => or([first, second]),
        2 => first.always(),
        3 => first.eventually(),
        4 => first.negated(),
        _ => leads_to(first, second),
    }
}

/// A fairness condition of a random kind.
fn random_fairness(rng: &mut Rng) -> Formula {
    let (enabled, taken) = (state(rng.u32(0..3)), step(rng.u32(0..3)));
    match rng.u32(0..4) {
        0 => or([enabled.negated(), taken]).eventually().always(),
        1 => or([enabled.negated().always().eventually(), taken.eventually().always()]),
        2 => taken.eventually().always(),
        _ => enabled.negated().always().eventually(),
    }
}

/// Compares the search with trying every lasso.
fn compare(graph: &Graph, fairness: &[Formula], property: &Formula) {
    let Ok(problem) = Problem::new(fairness, std::slice::from_ref(property)) else { return };
    let fair = |path: &[u32], back| fairness.iter().all(|f| graph.holds_on(f, path, back));
    let mut disproved = false;
    graph.lassos(7, &mut |path, back| {
        disproved = disproved || (fair(path, back) && !graph.holds_on(property, path, back));
    });
    for workers in [1, 2] {
        match graph.check(&problem, workers).end {
            End::Complete => {
                assert!(!disproved, "a counterexample was missed: {graph:?} {fairness:?} {property:?}");
            }
            End::Temporal(path, ending) => {
                let rows: Vec<u32> = path.iter().map(|s| s.row[0]).collect();
                let last = rows.len() - 1;
                let back = if let Ending::Back(back) = ending { back } else { last };
                assert_eq!(rows[0], graph.initial);
                for pair in rows.windows(2) {
                    assert!(graph.edges[pair[0] as usize].contains(&pair[1]), "{rows:?} is no path of {graph:?}");
                }
                let again = graph.edges[rows[last] as usize].contains(&rows[back]) || back == last;
                assert!(again, "{rows:?} does not go back to {back} in {graph:?}");
                assert!(fair(&rows, back), "{rows:?} {back} is not fair: {graph:?} {fairness:?}");
                assert!(!graph.holds_on(property, &rows, back), "{rows:?} {back} satisfies {property:?} in {graph:?}");
            }
            other => panic!("the search ended with {other:?}"),
        }
    }
}

#[test]
fn every_counterexample_is_one_and_none_is_missed() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..1000 {
        let graph = Graph::random(&mut rng);
        let depth = rng.u32(1..4);
        let property = random_formula(&mut rng, depth);
        compare(&graph, &[], &property);
    }
}

#[test]
fn fairness_is_respected_and_suffices() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..1000 {
        let graph = Graph::random(&mut rng);
        let fairness: Vec<Formula> = (0..rng.usize(1..4)).map(|_| random_fairness(&mut rng)).collect();
        let depth = rng.u32(1..3);
        let property = random_formula(&mut rng, depth);
        compare(&graph, &fairness, &property);
        compare(&graph, &fairness, &random_fairness(&mut rng));
    }
}

/// A cycle of `size` states whose states satisfy atom 0 only at the start.
fn ring(size: u32) -> Graph {
    let edges = (0..size).map(|s| vec![(s + 1) % size]).collect();
    Graph { initial: 0, edges, labels: (0..size).map(|s| u32::from(s == 0)).collect() }
}

#[test]
fn strong_fairness_of_many_actions_is_no_choice() {
    // TLC's normal form has two disjuncts for each; here there is one branch.
    let enabled = |n: u32| state(n % 3).negated().always().eventually();
    let fairness: Vec<Formula> = (0..30).map(|n| or([enabled(n), step(n).eventually().always()])).collect();
    let problem = Problem::new(&fairness, &[state(0).eventually()]);
    assert_eq!(problem.map(|p| p.branches.len()), Ok(1));
    let more: Vec<Formula> = (0..40).map(|n| or([enabled(n), step(n).eventually().always()])).collect();
    assert_eq!(Problem::new(&more, &[state(0)]).map(|_| ()), Err(Refusal::TooLarge));
}

#[test]
fn actions_belong_below_fairness_and_tautologies_have_no_branches() {
    assert_eq!(Problem::new(&[], &[step(0).eventually()]).map(|_| ()), Err(Refusal::Step));
    assert_eq!(Problem::new(&[], &[or([state(0), step(0).eventually()]).always()]).map(|_| ()), Err(Refusal::Step));
    let tautology = or([state(0).eventually(), Formula::Constant(true)]);
    assert_eq!(Problem::new(&[], &[tautology]).map(|p| p.branches.len()), Ok(0));
    let always = Problem::new(&[], &[Formula::Constant(true).eventually()]).map(|p| p.branches.len());
    assert_eq!(always, Ok(1), "TLC does not see that this is one either");
}

#[test]
fn a_prefix_that_disproves_a_property_ends_the_search() {
    let endless = Graph { initial: 0, edges: (0..100).map(|s| vec![(s + 1).min(99)]).collect(), labels: labels(100) };
    // Once atom 0 holds, atom 1 never does: states 3 and 5 disprove it.
    let property = or([state(0).negated(), state(1).negated().always()]).always();
    let problem = Problem::new(&[], &[property]).unwrap_or_else(|e| panic!("{e:?}"));
    for workers in [1, 2] {
        let report = endless.check(&problem, workers);
        let End::Temporal(path, Ending::Any) = report.end else { panic!("no finite counterexample") };
        assert_eq!(path.iter().map(|s| s.row[0]).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!((report.generated, report.distinct, report.left), (7, 7, 1));
    }
}

fn labels(states: u32) -> Vec<u32> {
    (0..states).map(|s| u32::from(s == 3) | u32::from(s == 5) << 1).collect()
}

#[test]
fn long_cycles_need_no_stack() {
    let graph = ring(200_000);
    let again = step(0).eventually().always();
    let property = state(0).eventually().always();
    let problem = Problem::new(&[again], &[property]).unwrap_or_else(|e| panic!("{e:?}"));
    let stays = Problem::new(&[], &[state(0).always().eventually()]).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(matches!(graph.check(&problem, 1).end, End::Complete), "every third state is left again and again");
    let End::Temporal(path, ending) = graph.check(&stays, 1).end else { panic!("no counterexample") };
    assert!(path.len() < 200_000 && ending != Ending::Any);
}

#[test]
fn a_search_that_goes_on_for_long_is_looked_at_meanwhile() {
    let states = 400_000;
    let edges = (0..states).map(|n| vec![(n + 1) % states, u32::max(n, 1) - 1]).collect();
    let graph = Graph { initial: 0, edges, labels: labels(states) };
    let fairness = step(0).eventually().always();
    let problem = Problem::new(&[fairness], &[state(0).eventually()]).unwrap_or_else(|e| panic!("{e:?}"));
    let distinct = |liveness| {
        let settings = Settings { deadlock: false, liveness, ..Settings::default() };
        let report = search_with(&graph, settings, &Progress::default(), Some(&problem), Disk::default(), None);
        (matches!(report.end, End::Temporal(..)), report.distinct)
    };
    let (found, seen) = distinct(Liveness::Meanwhile);
    assert!(found && seen < states as usize / 2, "{seen} states");
    assert_eq!(distinct(Liveness::AtEnd), (true, states as usize));
    assert_eq!(distinct(Liveness::Never), (false, states as usize));
}

#[test]
fn the_walk_for_temporal_properties_does_not_outgrow_memory() {
    let states = 200_000;
    let edges = (0..states).map(|n| vec![(n + 1) % states]).collect();
    let graph = Graph { initial: 0, edges, labels: labels(states) };
    let again = state(0).eventually().always();
    let problem =
        Problem::new(std::slice::from_ref(&again), std::slice::from_ref(&again)).unwrap_or_else(|e| panic!("{e:?}"));
    let end = |max_bytes| {
        let settings = Settings { deadlock: false, liveness: Liveness::AtEnd, max_bytes, ..Settings::default() };
        search_with(&graph, settings, &Progress::default(), Some(&problem), Disk::default(), None)
    };
    assert!(matches!(end(64 << 20).end, End::Complete));
    let report = end(18 << 20);
    assert!(matches!(report.end, End::Limit(Limit::Bytes)), "{:?}", report.end);
    assert_eq!(report.distinct, states as usize, "the states have room, the walk has not");
}
