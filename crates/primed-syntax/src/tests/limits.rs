//! Nothing that can be written overflows the stack, panics or takes more than linear time.

use crate::cfg::parse_config;
use crate::span::SourceFile;
use crate::{MAX_NESTING, identifiers, parse_expression, parse_file};

const MANY: usize = 100_000;

fn file(text: impl Into<String>) -> SourceFile {
    SourceFile::new("test", text)
}

fn limited(text: String) {
    let start: String = text.chars().take(20).collect();
    let errors = parse_expression(&file(text)).expect_err(&start);
    let named = errors.iter().any(|d| d.message.contains(&MAX_NESTING.to_string()));
    assert!(named, "{start}: {:?}", errors.first());
}

#[test]
fn deep_texts_name_the_limit() {
    limited(format!("{}1{}", "(".repeat(MANY), ")".repeat(MANY)));
    limited("(".repeat(MANY));
    limited(format!("{}1", "~".repeat(MANY)));
    limited(format!("{}1", "- ".repeat(MANY)));
    limited(format!("1{}", "'".repeat(MANY)));
    limited(format!("1{}", "[1]".repeat(MANY)));
    limited(format!("1{}", ".a".repeat(MANY)));
    limited(format!("1{}", " + 1".repeat(MANY)));
    limited(format!("{}1", "\\A x \\in S : ".repeat(MANY)));
    limited(format!("{}1", "IF a THEN b ELSE ".repeat(MANY)));
    limited(format!("{}1", "LET a == 1 IN ".repeat(MANY)));
    limited(format!("{}1", "l :: ".repeat(MANY)));
    limited("/\\ ".repeat(MANY));
    limited("/\\ \\/ ".repeat(MANY));
    limited("CASE ".repeat(MANY));
    limited("{<<[".repeat(MANY));
    limited(format!("{}1{}", "F(".repeat(MANY), ")".repeat(MANY)));
    limited(format!("{}1{}", "{x : x \\in ".repeat(MANY), "}".repeat(MANY)));
}

#[test]
fn the_limit_itself_is_reached() {
    let n = MAX_NESTING - 1;
    for text in [
        format!("{}1{}", "(".repeat(n), ")".repeat(n)),
        format!("{}1", "~".repeat(n)),
        format!("1{}", " + 1".repeat(n)),
        format!("{}1", "\\A x \\in S : ".repeat(n)),
        format!("{}1{}", "[x \\in S |-> ".repeat(n), "]".repeat(n)),
        format!("{}1", "IF a THEN b ELSE ".repeat(n)),
        format!("{}1", "LET a == 1 IN ".repeat(n)),
        format!("{}1{}", "<<{".repeat(n / 2), "}>>".repeat(n / 2)),
    ] {
        let tree = parse_expression(&file(text));
        assert!(tree.is_ok(), "{tree:?}");
        drop(tree.clone());
    }
}

#[test]
fn wide_texts_have_no_limit() {
    for text in [
        format!("{{1{}}}", ", 1".repeat(MANY)),
        "/\\ a\n".repeat(MANY),
        format!("a{}", " \\X a".repeat(1500)),
        format!("CASE a -> b{}", " [] a -> b".repeat(MANY)),
    ] {
        assert!(parse_expression(&file(text)).is_ok());
    }
    let units = "x == 1\n".repeat(MANY);
    assert!(parse_file(&file(format!("---- MODULE M ----\n{units}===="))).diagnostics.is_empty());
}

#[test]
fn deep_modules_proofs_comments_and_configurations() {
    assert!(parse_expression(&file(format!("{}1", "(*".repeat(MANY)))).is_err());
    assert!(parse_expression(&file(format!("{}{}1", "(*".repeat(MANY), "*)".repeat(MANY)))).is_ok());
    let deep = format!("{}{}", "---- MODULE M ----\n".repeat(MANY), "====\n".repeat(MANY));
    assert!(!parse_file(&file(deep)).diagnostics.is_empty());
    let steps: String = (0..MANY).map(|n| format!("<{n}>1. a\n")).collect();
    assert!(!parse_file(&file(format!("---- MODULE M ----\nTHEOREM a\n{steps}<0> QED\n===="))).diagnostics.is_empty());
    let sets = format!("CONSTANT a = {}{}", "{".repeat(MANY), "}".repeat(MANY));
    assert!(!parse_config(&file(sets)).1.is_empty());
    let assume = format!("---- MODULE M ----\nTHEOREM {} a {}\n====", "ASSUME ".repeat(MANY), "PROVE b ".repeat(MANY));
    assert!(!parse_file(&file(assume)).diagnostics.is_empty());
}

#[test]
fn errors_everywhere_are_cut_off() {
    let text = format!("---- MODULE M ----\n{}====", "x == )\n".repeat(MANY));
    assert_eq!(parse_file(&file(text)).diagnostics.len(), crate::MAX_ERRORS);
}

/// A small generator of pseudo-random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const SAMPLE: &str = include_str!("sample.tla");

/// The sample, and below a folder named by the environment variable PRIMED_CORPUS all that ends in `.tla`.
fn samples() -> Vec<String> {
    let mut folders: Vec<std::path::PathBuf> = std::env::var_os("PRIMED_CORPUS").map(Into::into).into_iter().collect();
    let mut texts = vec![SAMPLE.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("tla") => texts.extend(std::fs::read_to_string(path)),
                _ => {}
            }
        }
    }
    texts
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let pieces = [
        "(", ")", "/\\", "\\/", "[", "]_", "<<", ">>", "{", "\"", "(*", "*)", "\n", "!", "==", "CASE", "LET", "\\A",
        "<1>", "∀", "'", "@",
    ];
    for _ in 0..=random.below(8) {
        let at = random.below(chars.len());
        match random.below(5) {
            0 => chars.truncate(at),
            1 => drop(chars.drain(at..(at + random.below(40)).min(chars.len()))),
            2 => {
                let piece = pieces.get(random.below(pieces.len())).copied().unwrap_or("");
                chars.splice(at..at, piece.chars());
            }
            3 => {
                let end = (at + random.below(200)).min(chars.len());
                let copy: Vec<char> = chars.get(at..end).unwrap_or(&[]).to_vec();
                let to = random.below(chars.len());
                chars.splice(to..to, copy);
            }
            _ => {
                let to = random.below(chars.len());
                if at < chars.len() && to < chars.len() {
                    chars.swap(at, to);
                }
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn no_mutilated_text_panics() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for text in samples() {
        for _ in 0..if text == SAMPLE { 3000 } else { 20 } {
            let broken = file(mutate(&text, &mut random));
            let parsed = parse_file(&broken);
            assert!(parsed.diagnostics.iter().all(|d| d.span.end as usize <= broken.text().len()));
            identifiers(&broken);
            drop(parse_expression(&broken));
            drop(parse_config(&broken));
        }
    }
}

#[test]
fn the_sample_is_a_module() {
    assert_eq!(parse_file(&file(SAMPLE)).diagnostics, []);
}
