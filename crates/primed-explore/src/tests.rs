//! Plain graphs.

use crate::progress::Progress;
use crate::search::{self, End, Limit, Report, Settings};
use crate::simulate::{Simulation, SimulationReport, simulate};
use crate::space::{Expand, StateSpace, Visit, Visited, Visitor};

/// A graph: a state is a number; the first `initial` are initial. `bad` states violate, states above `bound` are outside.
struct Graph {
    initial: Vec<u32>,
    edges: Vec<(u32, u32)>,
    bad: Vec<u32>,
    bound: u32,
}

impl Graph {
    /// Visits a state; false ends the search.
    fn look(&self, state: u32, action: u32, visitor: &mut dyn Visitor<u32>) -> bool {
        let visit = Visit { row: &[state], key: &[], inside: state <= self.bound, action };
        let checked = !matches!(visitor.visit(visit), Visited::Known(_));
        !(checked && self.bad.contains(&state)) || visitor.violated(state, &[state], action)
    }
}

impl StateSpace for Graph {
    type Worker = ();
    type Violation = u32;
    type Failure = ();

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn initial(&self, (): &mut (), visitor: &mut dyn Visitor<u32>) -> Result<(), ()> {
        let _ = self.initial.iter().all(|s| self.look(*s, 0, visitor));
        Ok(())
    }

    fn successors(&self, (): &mut (), expand: Expand<'_>, visitor: &mut dyn Visitor<u32>) -> Result<(), ()> {
        let mut edges = self.edges.iter().enumerate().filter(|(_, (from, _))| *from == expand.state[0]);
        let _ = edges.all(|(i, (_, to))| self.look(*to, i as u32 + 1, visitor));
        Ok(())
    }
}

fn search(space: &Graph, settings: Settings) -> Report<u32, ()> {
    search::search(space, settings, &Progress::default())
}

fn graph(initial: &[u32], edges: &[(u32, u32)], bad: &[u32]) -> Graph {
    Graph { initial: initial.to_vec(), edges: edges.to_vec(), bad: bad.to_vec(), bound: u32::MAX }
}

#[test]
fn a_complete_search_counts_every_edge_and_every_state_once() {
    let space = graph(&[1, 1], &[(1, 2), (2, 3), (3, 1), (1, 3)], &[]);
    for workers in [1, 2, 4] {
        let report = search(&space, Settings { workers, ..Settings::default() });
        assert!(matches!(report.end, End::Complete));
        assert_eq!((report.generated, report.distinct, report.left, report.depth), (6, 3, 0, 2));
    }
}

#[test]
fn the_counterexample_is_a_shortest_one() {
    let space = graph(&[1], &[(1, 2), (2, 3), (3, 9), (1, 4), (4, 9)], &[9]);
    for workers in [1, 3] {
        let report = search(&space, Settings { workers, ..Settings::default() });
        let End::Violation(9, path) = report.end else { panic!("no violation") };
        let rows: Vec<u32> = path.iter().map(|s| s.row[0]).collect();
        assert_eq!(rows, [1, 4, 9]);
    }
}

#[test]
fn a_state_without_successor_is_a_deadlock_unless_it_is_only_outside() {
    let space = graph(&[1], &[(1, 2)], &[]);
    let End::Deadlock(path) = search(&space, Settings::default()).end else { panic!("no deadlock") };
    assert_eq!(path.last().map(|s| s.row[0]), Some(2));
    let allowed = search(&space, Settings { deadlock: false, ..Settings::default() });
    assert!(matches!(allowed.end, End::Complete));
    let bounded = Graph { bound: 1, ..graph(&[1], &[(1, 2)], &[]) };
    let report = search(&bounded, Settings::default());
    assert!(matches!(report.end, End::Complete));
    assert_eq!((report.generated, report.distinct), (2, 1));
}

#[test]
fn states_outside_the_constraints_are_checked() {
    let space = Graph { bound: 1, ..graph(&[1], &[(1, 2)], &[2]) };
    assert!(matches!(search(&space, Settings::default()).end, End::Violation(2, _)));
    let initial = graph(&[5], &[], &[5]);
    let End::Violation(5, path) = search(&initial, Settings::default()).end else { panic!("no violation") };
    assert_eq!(path.len(), 1);
}

#[test]
fn a_search_that_keeps_going_reports_every_violation_and_the_full_counts() {
    let space = graph(&[1], &[(1, 2), (2, 3), (3, 4)], &[2, 4]);
    for workers in [1, 2] {
        let report = search(&space, Settings { workers, keep_going: true, deadlock: false, ..Settings::default() });
        let found: Vec<(u32, usize)> = report.violations.iter().map(|(v, path)| (*v, path.len())).collect();
        assert_eq!(found, [(2, 2), (4, 4)]);
        assert!(matches!(report.end, End::Complete));
        assert_eq!((report.generated, report.distinct, report.left, report.depth), (4, 4, 0, 4));
    }
}

#[test]
fn limits_and_requests_end_a_search() {
    let edges: Vec<(u32, u32)> = (1..2000).map(|n| (n, n + 1)).collect();
    let space = graph(&[1], &edges, &[]);
    let report = search(&space, Settings { max_states: 10, ..Settings::default() });
    assert!(matches!(report.end, End::Limit(Limit::States)), "{:?}", report.end);
    assert!(report.distinct < 2000);
    let report = search(&space, Settings { max_bytes: 100, ..Settings::default() });
    assert!(matches!(report.end, End::Limit(Limit::Bytes)));
    let progress = Progress::default();
    progress.stop();
    let report = search::search(&space, Settings::default(), &progress);
    assert!(matches!(report.end, End::Stopped));
    assert_eq!((report.distinct, report.left), (2, 1));
}

fn simulated(space: &Graph, settings: Simulation) -> (SimulationReport<u32, ()>, u64) {
    let progress = Progress::default();
    let report = simulate(space, settings, &progress, &|path, _, _| {
        assert!(path.len() <= settings.steps + 1);
        None
    });
    (report, progress.generated())
}

const SIMULATION: Simulation =
    Simulation { behaviours: Some(20), steps: 10, seed: 7, skip: 0, workers: 1, deadlock: false, keep_going: false };

#[test]
fn a_simulation_makes_behaviours_up_to_its_bounds() {
    let space = graph(&[1], &[(1, 2), (2, 1), (2, 3), (3, 1)], &[]);
    let (report, generated) = simulated(&space, SIMULATION);
    assert!(matches!(report.end, End::Complete));
    assert_eq!(report.behaviours, 20);
    assert!(generated >= 201, "{generated}");
    let (again, same) = simulated(&space, SIMULATION);
    assert_eq!((again.behaviours, same), (20, generated), "one seed, one simulation");
    let (report, _) = simulated(&space, Simulation { workers: 2, ..SIMULATION });
    assert_eq!(report.behaviours, 40);
}

#[test]
fn a_simulation_finds_violations_and_deadlocks() {
    let space = graph(&[1], &[(1, 2), (2, 3)], &[3]);
    let (report, _) = simulated(&space, SIMULATION);
    let End::Violation(3, path) = report.end else { panic!("no violation") };
    assert_eq!(path.iter().map(|s| s.row[0]).collect::<Vec<_>>(), [1, 2, 3]);
    let (report, _) = simulated(&space, Simulation { keep_going: true, ..SIMULATION });
    assert_eq!((report.violations.len(), report.behaviours), (20, 20));
    let space = graph(&[1], &[(1, 2)], &[]);
    let (report, _) = simulated(&space, Simulation { deadlock: true, ..SIMULATION });
    assert!(matches!(report.end, End::Deadlock(path) if path.len() == 2));
    let bounded = Graph { bound: 1, ..graph(&[1], &[(1, 2)], &[]) };
    let (report, _) = simulated(&bounded, Simulation { deadlock: true, ..SIMULATION });
    // As in the newest TLC: a state outside the constraints is not gone to, and counts for nothing.
    assert!(matches!(report.end, End::Deadlock(path) if path.len() == 1));
}

#[test]
fn a_bound_on_the_depth_is_kept() {
    let space = graph(&[1], &[(1, 2), (2, 3), (3, 4)], &[4]);
    let report = search(&space, Settings { max_depth: 3, ..Settings::default() });
    assert!(matches!(report.end, End::Complete));
    assert_eq!((report.generated, report.distinct, report.left, report.depth), (3, 3, 1, 3));
}
