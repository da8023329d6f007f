//! Whether a PlusCal algorithm or its translation changed since it was translated (4803 to 4805).
//!
//! The translator writes checksums behind `BEGIN TRANSLATION`. That of the translation is the CRC-32 of its lines. That of the
//! algorithm is made from the translator's syntax tree, which is not built here: of an algorithm that is not fair it is not
//! known whether it changed. For a fair one the translator always writes the checksum of the word `fair`.

use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::Span;

/// The complaint about a root module, whose text from header to end this is.
pub(super) fn changed(module: &str, text: &str) -> Option<Diagnostic> {
    let (code, what) = match divergence(text)? {
        (false, false) => return None,
        (true, true) => (
            4803,
            format!(
                "Both the PlusCal algorithm and its TLA+ translation in module {module} have changed since the last translation."
            ),
        ),
        (true, false) => {
            (4804, format!("The PlusCal algorithm in module {module} has changed since its last translation."))
        }
        (false, true) => {
            (4805, format!("The TLA+ translation in module {module} has changed since its last translation."))
        }
    };
    let help = super::help::always(code).map(Into::into);
    Some(Diagnostic {
        severity: Severity::Warning,
        code,
        message: what,
        span: Span::default(),
        help,
        notes: Vec::new(),
    })
}

/// Whether the algorithm and whether the translation changed; nothing if there are no checksums to compare.
fn divergence(text: &str) -> Option<(bool, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let end = |line: &&str| line.starts_with('=') && line.bytes().all(|b| b == b'=');
    let head = lines.iter().take_while(|l| !end(l)).find_map(|l| {
        let algorithm = l.find("--algorithm").map(|_| false);
        algorithm.or_else(|| l.find("--fair").map(|_| true))
    });
    let fair = head?;
    let begin = lines.iter().position(|l| has_pair(l, "BEGIN"))?;
    let length = lines.iter().skip(begin + 1).position(|l| has_pair(l, "END"))?;
    let (algorithm, translation) = checksums(lines.get(begin)?)?;
    let body: String = lines.iter().skip(begin + 1).take(length).copied().collect();
    let algorithm = algorithm.is_some_and(|sum| fair && sum != hexadecimal("fair"));
    Some((algorithm, translation.is_some_and(|sum| sum != hexadecimal(&body))))
}

/// The word, blanks, and the first `TRANSLATION` of the line.
fn has_pair(line: &str, word: &str) -> bool {
    let Some(after) = line.find(word).map(|at| at + word.len()) else { return false };
    let Some(second) = line.find("TRANSLATION") else { return false };
    second >= after && line.get(after..second).is_some_and(|gap| gap.bytes().all(|b| b == b' '))
}

/// The two checksums of `\* BEGIN TRANSLATION (chksum(pcal) = "..." /\ chksum(tla) = "...")`; `\in STRING` stands for none.
fn checksums(line: &str) -> Option<(Option<&str>, Option<&str>)> {
    let rest = line.split_once("\\* BEGIN TRANSLATION")?.1.trim_start().strip_prefix('(')?;
    let (algorithm, rest) = checksum(rest, &["pcal", "pluscal"])?;
    let rest = rest.trim_start().strip_prefix("/\\")?;
    let (translation, rest) = checksum(rest, &["tla", "tla+"])?;
    rest.trim_start().starts_with(')').then_some((algorithm, translation))
}

fn checksum<'t>(text: &'t str, names: &[&str]) -> Option<(Option<&'t str>, &'t str)> {
    let (call, rest) = text.trim_start().split_once(')')?;
    let call = call.to_ascii_lowercase();
    let name = call.strip_prefix("chksum(").or_else(|| call.strip_prefix("checksum("))?;
    if !names.contains(&name) {
        return None;
    }
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix("\\in") {
        return rest.trim_start().strip_prefix("STRING").map(|rest| (None, rest));
    }
    let (sum, rest) = rest.strip_prefix('=')?.trim_start().strip_prefix('"')?.split_once('"')?;
    Some((Some(sum), rest))
}

/// CRC-32 (IEEE 802.3) as Java writes it.
fn hexadecimal(text: &str) -> String {
    let mut sum = u32::MAX;
    for byte in text.bytes() {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    format!("{:x}", !sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(head: &str, sums: &str, body: &str) -> Option<u32> {
        let text = format!(
            "---- MODULE M ----\n(* {head}\n*)\n\\* BEGIN TRANSLATION {sums}\n{body}\n\\* END TRANSLATION\n====\n"
        );
        changed("M", &text).map(|d| d.code)
    }

    #[test]
    fn the_sum_is_that_of_the_standard() {
        assert_eq!(hexadecimal("123456789"), "cbf43926");
        assert_eq!(hexadecimal(""), "0");
    }

    #[test]
    fn checksums_are_compared() {
        let sum = hexadecimal("VARIABLE x");
        let fair = hexadecimal("fair");
        let sums = |pcal: &str, tla: &str| format!("(chksum(pcal) = \"{pcal}\" /\\ chksum(tla) = \"{tla}\")");
        assert_eq!(code("--algorithm A", &sums("1", &sum), "VARIABLE x"), None);
        assert_eq!(code("--algorithm A", &sums("1", &sum), "VARIABLE y"), Some(4805));
        assert_eq!(code("--fair algorithm A", &sums(&fair, &sum), "VARIABLE x"), None);
        assert_eq!(code("--fair algorithm A", &sums("1", &sum), "VARIABLE x"), Some(4804));
        assert_eq!(code("--fair algorithm A", &sums("1", &sum), "VARIABLE y"), Some(4803));
        assert_eq!(code("algorithm", &sums("1", &sum), "VARIABLE y"), None);
        assert_eq!(code("--algorithm A", "(ChkSum(PlusCal) \\in STRING /\\ checksum(tla+) = \"1\")", "x"), Some(4805));
        assert_eq!(code("--algorithm A", "(chksum(pcal) \\in STRING /\\ chksum(tla) \\in STRING)", "x"), None);
        assert_eq!(code("--algorithm A", "", "x"), None);
        assert_eq!(code("--algorithm A", "(chksum(pcal) = \"1\"", "x"), None);
    }
}
