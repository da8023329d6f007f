//! Plain graphs.

use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::keep::{Disk, Keeper};
use crate::progress::Progress;
use crate::search::{self, End, Limit, Report, Settings};
use crate::simulate::{Finished, Flaw, Flawed, Simulation, SimulationReport, simulate};
use crate::space::{Expand, StateSpace, Visit, Visited, Visitor};

/// A graph: a state is a number; the first `initial` are initial. `bad` states violate, states above `bound` are outside.
pub(crate) struct Graph {
    pub(crate) initial: Vec<u32>,
    pub(crate) edges: Vec<(u32, u32)>,
    pub(crate) bad: Vec<u32>,
    pub(crate) bound: u32,
}

impl Graph {
    /// Visits a state; false ends the search.
    fn look(&self, state: u32, action: u32, visitor: &mut dyn Visitor<u32>) -> bool {
        let visit = Visit { row: &[state], key: &[], inside: state <= self.bound, action };
        let checked = !matches!(visitor.visit(visit), Visited::Known(_));
        let goes_on = !(checked && self.bad.contains(&state)) || visitor.violated(state, &[state], action);
        goes_on && !visitor.is_over(0)
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

    fn save(&self, _: &[&()], _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn restore(&self, _: &mut dyn Read) -> io::Result<Vec<()>> {
        Ok(Vec::new())
    }

    fn save_violation(&self, violation: &u32, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&violation.to_le_bytes())
    }

    fn restore_violation(&self, input: &mut dyn Read) -> io::Result<u32> {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

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
    assert_eq!((report.distinct, report.left), (1, 1));
}

#[test]
fn one_expansion_alone_does_not_outgrow_memory() {
    const MANY: u32 = 100_000;
    let wide = graph(&[1], &(2..MANY).map(|n| (1, n)).collect::<Vec<_>>(), &[]);
    let initial = graph(&(1..MANY).collect::<Vec<_>>(), &[], &[]);
    for (space, workers) in [(&wide, 1), (&wide, 2), (&initial, 1)] {
        let (report, checkpoints) =
            kept(space, Settings { max_bytes: 1 << 20, workers, ..Settings::default() }, usize::MAX, None);
        assert!(matches!(report.end, End::Limit(Limit::Bytes)), "{:?}", report.end);
        assert!(report.distinct < 75_000, "{} states", report.distinct);
        assert!(checkpoints.is_empty(), "a state is half expanded");
        let (report, _) = simulated(space, Simulation { max_bytes: 1 << 20, workers, ..SIMULATION });
        assert!(matches!(report.end, End::Limit(Limit::Bytes)), "{:?}", report.end);
    }
}

fn simulated(space: &Graph, settings: Simulation) -> (SimulationReport<u32, ()>, u64) {
    let (report, generated, _) = simulated_on(space, settings);
    (report, generated)
}

/// What [`simulated_on`] gives.
type Simulated = (SimulationReport<u32, ()>, u64, Vec<(Flaw<u32>, usize)>);

/// The report, how many states were generated, and what ended behaviours before their time, with the length of each.
fn simulated_on(space: &Graph, settings: Simulation) -> Simulated {
    let (progress, flaws) = (Progress::default(), Mutex::new(Vec::new()));
    let finished: &Finished<'_, u32, ()> = &|path, _, _| {
        assert!(path.len() <= settings.steps + 1);
        None
    };
    let flawed: &Flawed<'_, u32> = &|flaw, path| flaws.lock().unwrap().push((flaw, path.len()));
    let report = simulate(space, settings, &progress, finished, flawed);
    (report, progress.generated(), flaws.into_inner().unwrap())
}

const SIMULATION: Simulation = Simulation {
    behaviours: Some(20),
    steps: 10,
    seed: 7,
    skip: 0,
    workers: 1,
    deadlock: false,
    keep_going: false,
    max_bytes: usize::MAX,
};

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
    let (report, _, flaws) = simulated_on(&space, Simulation { keep_going: true, ..SIMULATION });
    assert!(matches!(report.end, End::Complete));
    assert_eq!((flaws, report.behaviours), (vec![(Flaw::Violation(3), 3); 20], 20), "each ends its behaviour");
    let space = graph(&[1], &[(1, 2)], &[]);
    let (report, _) = simulated(&space, Simulation { deadlock: true, ..SIMULATION });
    assert!(matches!(report.end, End::Deadlock(path) if path.len() == 2));
    let (report, _, flaws) = simulated_on(&space, Simulation { deadlock: true, keep_going: true, ..SIMULATION });
    assert!(matches!(report.end, End::Complete));
    assert_eq!(flaws, [(Flaw::Deadlock, 2); 20]);
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

/// Keeps every checkpoint, and stops the search after so many questions.
struct Shelf<'p> {
    checkpoints: Mutex<Vec<Vec<u8>>>,
    patience: Mutex<usize>,
    progress: &'p Progress,
}

impl Keeper for Shelf<'_> {
    fn is_due(&self) -> bool {
        let mut patience = self.patience.lock().unwrap();
        *patience = patience.saturating_sub(1);
        if *patience == 0 {
            self.progress.stop();
        }
        true
    }

    fn keep(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        self.checkpoints.lock().unwrap().push(bytes);
    }
}

/// A search with checkpoints: its report, and all checkpoints that were written.
fn kept(space: &Graph, settings: Settings, patience: usize, from: Option<&[u8]>) -> (Report<u32, ()>, Vec<Vec<u8>>) {
    let progress = Progress::default();
    let shelf = Shelf { checkpoints: Mutex::default(), patience: Mutex::new(patience), progress: &progress };
    let disk = Disk { keeper: Some(&shelf), ..Disk::default() };
    let mut bytes = from.unwrap_or_default();
    let resume = from.map(|_| &mut bytes as &mut dyn Read);
    let report = search::search_with(space, settings, &progress, None, disk, resume);
    (report, shelf.checkpoints.into_inner().unwrap())
}

/// A graph with levels of many widths.
fn wide() -> Graph {
    let edges = (1..4000u32).flat_map(|n| [(n, n / 3 * 5 % 4001), (n, (n * 7 + 1) % 4001), (n, n)]);
    graph(&[1, 2], &edges.collect::<Vec<_>>(), &[400, 1200, 3999])
}

#[test]
fn a_search_goes_on_from_each_of_its_checkpoints_as_if_it_had_not_ended() {
    let space = wide();
    let settings = Settings { keep_going: true, deadlock: false, ..Settings::default() };
    let whole = search(&space, settings);
    assert!(whole.depth > 5 && whole.violations.len() == 3, "{} levels", whole.depth);
    let mut seen = 0;
    for (workers, patience) in [(1, usize::MAX), (2, usize::MAX), (1, 3), (3, 4)] {
        let settings = Settings { workers, ..settings };
        let (_, checkpoints) = kept(&space, settings, patience, None);
        seen += checkpoints.len();
        for checkpoint in &checkpoints {
            let (report, _) = kept(&space, Settings { workers: 1, ..settings }, usize::MAX, Some(checkpoint));
            assert!(matches!(report.end, End::Complete));
            let counts = |r: &Report<u32, ()>| (r.generated, r.distinct, r.left, r.depth);
            assert_eq!(counts(&report), counts(&whole));
            let violations = |r: &Report<u32, ()>| {
                let mut all: Vec<_> = r.violations.iter().map(|(v, path)| (*v, path.len())).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(violations(&report), violations(&whole));
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_search_that_stops_at_every_chance_ends_with_the_same_counts() {
    let space = wide();
    let settings = Settings { keep_going: true, deadlock: false, ..Settings::default() };
    let whole = search(&space, settings);
    for workers in [1, 2] {
        let (mut report, mut checkpoints) = kept(&space, Settings { workers, ..settings }, 1, None);
        let mut runs = 1;
        while matches!(report.end, End::Stopped) {
            let last = checkpoints.pop().unwrap();
            (report, checkpoints) = kept(&space, Settings { workers, ..settings }, 1, Some(&last));
            runs += 1;
        }
        assert!(matches!(report.end, End::Complete) && runs > 3, "{runs} runs");
        assert_eq!(
            (report.generated, report.distinct, report.left, report.depth),
            (whole.generated, whole.distinct, whole.left, whole.depth)
        );
    }
}

/// A graph that asks for the end of the search after so many expansions, in the midst of a round.
struct Impatient<'p> {
    graph: &'p Graph,
    patience: AtomicUsize,
    progress: &'p Progress,
}

impl StateSpace for Impatient<'_> {
    type Worker = ();
    type Violation = u32;
    type Failure = ();

    fn width(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn save(&self, _: &[&()], _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn restore(&self, _: &mut dyn Read) -> io::Result<Vec<()>> {
        Ok(Vec::new())
    }

    fn initial(&self, worker: &mut (), visitor: &mut dyn Visitor<u32>) -> Result<(), ()> {
        self.graph.initial(worker, visitor)
    }

    fn successors(&self, worker: &mut (), expand: Expand<'_>, visitor: &mut dyn Visitor<u32>) -> Result<(), ()> {
        if self.patience.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.progress.stop();
        }
        self.graph.successors(worker, expand, visitor)
    }
}

#[test]
fn a_search_that_is_stopped_within_a_level_goes_on_there() {
    let space = Graph { bad: Vec::new(), ..wide() };
    let settings = Settings { deadlock: false, ..Settings::default() };
    let whole = search(&space, settings);
    for (workers, patience) in [(1, 7), (1, 130), (2, 19), (3, 211)] {
        let (mut checkpoint, mut runs): (Option<Vec<u8>>, usize) = (None, 0);
        let report = loop {
            let progress = Progress::default();
            let impatient = Impatient { graph: &space, patience: patience.into(), progress: &progress };
            let (checkpoints, patience) = (Mutex::default(), Mutex::new(usize::MAX));
            let shelf = Shelf { checkpoints, patience, progress: &progress };
            let disk = Disk { keeper: Some(&shelf), ..Disk::default() };
            let mut bytes = checkpoint.as_deref().unwrap_or_default();
            let resume = checkpoint.is_some().then_some(&mut bytes as &mut dyn Read);
            let settings = Settings { workers, ..settings };
            let report = search::search_with(&impatient, settings, &progress, None, disk, resume);
            runs += 1;
            if matches!(report.end, End::Complete) {
                break report;
            }
            assert!(matches!(report.end, End::Stopped));
            checkpoint = shelf.checkpoints.into_inner().unwrap().pop();
        };
        assert!(runs > 10, "{runs} runs");
        assert_eq!(
            (report.generated, report.distinct, report.left, report.depth),
            (whole.generated, whole.distinct, whole.left, whole.depth),
            "{workers} workers, {patience} states at once"
        );
    }
}

#[test]
fn a_checkpoint_that_was_cut_short_is_refused() {
    let (_, checkpoints) =
        kept(&wide(), Settings { deadlock: false, keep_going: true, ..Settings::default() }, 2, None);
    let whole = checkpoints.last().unwrap();
    for length in (0..whole.len()).step_by(97) {
        let (report, _) = kept(&wide(), Settings::default(), usize::MAX, Some(&whole[..length]));
        assert!(matches!(report.end, End::Disk(_)), "{length}");
    }
}

#[test]
fn states_that_outgrow_memory_go_to_disk_and_the_search_ends_when_its_tables_do() {
    let space = wide();
    let settings = Settings { keep_going: true, deadlock: false, ..Settings::default() };
    let whole = search(&space, settings);
    let folder = std::env::temp_dir().join(format!("primed-spill-{}", std::process::id()));
    let disk = Disk { spill: Some(&folder), spill_bytes: 1, ..Disk::default() };
    for workers in [1, 2] {
        let progress = Progress::default();
        let report = search::search_with(&space, Settings { workers, ..settings }, &progress, None, disk, None);
        assert!(matches!(report.end, End::Complete));
        assert_eq!((report.generated, report.distinct, report.depth), (whole.generated, whole.distinct, whole.depth));
        assert_eq!(report.violations.len(), 3);
        assert!(folder.exists(), "nothing was moved to disk");
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let progress = Progress::default();
    let tight = Settings { max_bytes: 100, ..settings };
    let report = search::search_with(&space, tight, &progress, None, disk, None);
    assert!(matches!(report.end, End::Limit(Limit::Bytes)), "{:?}", report.end);
    std::fs::remove_dir_all(&folder).unwrap();
    // A file stands where the folder should be.
    std::fs::write(&folder, "").unwrap();
    let report = search::search_with(&space, settings, &Progress::default(), None, disk, None);
    assert!(matches!(&report.end, End::Full(why) if why.contains("cannot be moved")), "{:?}", report.end);
    std::fs::remove_file(&folder).unwrap();
}
