//! Words and symbols of a module without its comments: enough to recognise a construct.

/// The tokens of a text: words (a string in its quotes is one), and single symbols, but for those that belong together.
pub(super) fn tokens(text: &str) -> Vec<String> {
    const SYMBOLS: [&str; 14] = ["<<", ">>", "|->", "->", "==", "\\/", "/\\", "<>", "[]", "~>", "<-", "<=", "=>", ".."];
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' if rest.starts_with("\\*") => {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '(' if rest.starts_with("(*") => {
                rest = after_comment(rest);
                continue;
            }
            '"' => string(rest),
            '\\' if rest[1..].starts_with(char::is_alphabetic) => 1 + word(&rest[1..]),
            c if c.is_alphanumeric() || c == '_' => word(rest),
            _ => SYMBOLS.iter().find(|s| rest.starts_with(**s)).map_or(c.len_utf8(), |s| s.len()),
        };
        let (token, left) = rest.split_at(length);
        if !c.is_whitespace() {
            found.push(token.to_owned());
        }
        rest = left;
    }
    found
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i + 1,
            '\n' => return i,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// Comments in parentheses nest.
fn after_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("(*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*)") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
            if depth == 0 {
                return text.get(at..).unwrap_or("");
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    ""
}

/// Whether some tokens follow each other.
pub(super) fn follow(tokens: &[String], wanted: &[&str]) -> bool {
    tokens.windows(wanted.len()).any(|window| window.iter().zip(wanted).all(|(a, b)| a == b))
}

/// Whether all of these tokens occur.
pub(super) fn all(tokens: &[String], wanted: &[&str]) -> bool {
    wanted.iter().all(|w| tokens.iter().any(|t| t == w))
}

/// Whether one of these tokens occurs.
pub(super) fn one(tokens: &[String], wanted: &[&str]) -> bool {
    wanted.iter().any(|w| tokens.iter().any(|t| t == w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_tokens_and_strings_are_one() {
        let text = "A == (* (* x *) y *) [f EXCEPT ![\"a \\\" b\"] = 1] \\* EXCEPT\nB == S \\cup T";
        let found = tokens(text);
        let expected =
            ["A", "==", "[", "f", "EXCEPT", "!", "[", "\"a \\\" b\"", "]", "=", "1", "]", "B", "==", "S", "\\cup", "T"];
        assert_eq!(found, expected);
        assert!(follow(&found, &["f", "EXCEPT"]) && !follow(&found, &["EXCEPT", "f"]));
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in ["(*", "\"abc", "\\", "é\\é", "(* é", "\\*"] {
            tokens(text);
        }
    }
}
