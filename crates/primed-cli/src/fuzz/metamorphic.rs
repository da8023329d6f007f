//! What needs no TLC: a specification written otherwise, or searched by two workers, has the same counts.

use std::path::Path;

use primed_oracle::generate::{Specification, variants};

use super::native::{self, Answer, How};

/// What was done to the specification, with both answers, for each variant that is not counted as the specification itself.
pub(super) type Strayed = Vec<(&'static str, Answer, Answer)>;

/// Searches the variants of a specification that holds. `write` writes one into a folder.
pub(super) fn check<E>(
    specification: &Specification,
    folder: &Path,
    write: &mut dyn FnMut(&Specification, &Path) -> Result<(), E>,
) -> Result<(u64, Strayed), E> {
    let how = How { workers: 1, no_deadlock: specification.no_deadlock, graph: false };
    write(specification, folder)?;
    let (answer, _) = native::judge(folder, specification.name(), how);
    let (mut checked, mut strayed) = (0, Strayed::new());
    if answer.status != 0 {
        // What is found first depends on the order.
        return Ok((0, strayed));
    }
    let (two, _) = native::judge(folder, specification.name(), How { workers: 2, ..how });
    let mut compare = |what, other: Answer| {
        checked += 1;
        if counts(&other) != counts(&answer) {
            strayed.push((what, answer.clone(), other));
        }
    };
    compare("two workers search", two);
    for (number, (what, variant)) in variants(specification).into_iter().enumerate() {
        let folder = folder.join(format!("variant-{number}"));
        write(&variant, &folder)?;
        compare(what, native::judge(&folder, variant.name(), how).0);
    }
    Ok((checked, strayed))
}

fn counts(answer: &Answer) -> (i32, u64, u64, u64) {
    (answer.status, answer.generated, answer.distinct, answer.depth)
}
