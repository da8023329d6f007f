//! What a search remembers changes nothing but its time: every model of the conformance suite is searched with much, little and
//! nothing remembered.

use primed::{CheckReport, CheckSettings};
use primed_conformance::Case;
use primed_tests::root;

/// So few entries that nearly everything is forgotten again and again.
const LITTLE: usize = 40;

/// All that a search says, but for the time.
fn answer(report: &CheckReport) -> String {
    let CheckReport { verdict, generated, distinct, left, depth, trace, .. } = report;
    format!("{verdict:?}: {generated} generated, {distinct} distinct, {left} left, depth {depth}, {trace:?}")
}

#[test]
fn what_is_remembered_changes_nothing() {
    let mut searched = 0;
    for case in Case::all(&root().join("conformance-suite")).unwrap() {
        let Ok(checker) = (if case.kind() == "model" { case.model() } else { continue }) else { continue };
        let off = case.names("arguments").contains(&"-deadlock");
        let settings = CheckSettings { deadlock: off.then_some(false), ..CheckSettings::default() };
        let plain = answer(&checker.check(CheckSettings { remembered: 0, ..settings }));
        for remembered in [LITTLE, settings.remembered] {
            let found = answer(&checker.check(CheckSettings { remembered, ..settings }));
            assert_eq!(found, plain, "{}, with {remembered} entries", case.name);
        }
        searched += 1;
    }
    assert!(searched > 100, "only {searched} models");
}

/// Where memory is short most values are kept as lists of numbers, and what is not looked at goes to disk.
#[test]
fn how_values_are_kept_changes_nothing() {
    const SHORT: usize = 1 << 20;
    let (mut searched, mut ended) = (0, Vec::new());
    for case in Case::all(&root().join("conformance-suite")).unwrap() {
        let Ok(checker) = (if case.kind() == "model" { case.model() } else { continue }) else { continue };
        let off = case.names("arguments").contains(&"-deadlock");
        let settings = CheckSettings { deadlock: off.then_some(false), remembered: 0, ..CheckSettings::default() };
        let found = checker.check(CheckSettings { max_bytes: SHORT, ..settings });
        if matches!(found.verdict, primed::CheckVerdict::Limit(_)) || answer(&found).contains("memory") {
            ended.push(case.name.clone());
            continue;
        }
        assert_eq!(answer(&found), answer(&checker.check(settings)), "{}", case.name);
        searched += 1;
    }
    assert!(searched > 100 && ended.len() < searched, "only {searched} models, too large are {ended:?}");
}
