//! The expressions around an evaluation error, in TLC's words.

use primed::Unfingerprinted;

use super::console::Console;

/// The expressions around an error, or why a value cannot be fingerprinted.
pub(super) fn nested(console: &Console, places: &[String], unfingerprinted: Unfingerprinted, reason: &str) {
    let around = || -> String {
        let lines = places.iter().rev().enumerate().map(|(i, place)| format!("{i}. {}\n", as_nested(place)));
        lines.chain(["\n".into()]).collect()
    };
    // The innermost comes first, with the highest number.
    let made = || -> String {
        let last = places.len().saturating_sub(1);
        places.iter().enumerate().map(|(i, place)| format!("{}) {place}\n", last - i)).collect()
    };
    let lines = match unfingerprinted {
        Unfingerprinted::No => {
            let text =
                "The error occurred when TLC was evaluating the nested\nexpressions at the following positions:\n";
            return match places {
                [] => console.error(2103, &format!("{text}    The error call stack is empty.\n")),
                _ => console.error(2103, &format!("{text}{}", around())),
            };
        }
        Unfingerprinted::Used => around(),
        Unfingerprinted::Stored => made(),
    };
    let text = "TLC was unable to fingerprint.\n\nFingerprint Stack Trace:\n";
    console.error(2147, &format!("{text}{lines}\nReason:\n{reason}"));
}

/// `line 5, col 9 to line 5, col 20 of module M` as `Line 5, column 9 to line 5, column 20 in M`.
fn as_nested(place: &str) -> String {
    place.replacen("line ", "Line ", 1).replace(", col ", ", column ").replace(" of module ", " in ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_among_nested_expressions() {
        let place = as_nested("line 5, col 9 to line 6, col 20 of module M");
        assert_eq!(place, "Line 5, column 9 to line 6, column 20 in M");
    }
}
