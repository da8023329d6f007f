//! The table of productions: how an expression of a type can be written.

use std::sync::OnceLock;

use crate::generate::types::Type;

/// One way to write an expression.
#[derive(Debug)]
pub(crate) struct Production {
    pub(crate) weight: usize,
    /// May fail to evaluate.
    pub(crate) partial: bool,
    /// Its value may be large.
    pub(crate) large: bool,
    pub(crate) result: Type,
    pub(crate) form: String,
    pub(crate) parts: Vec<Part>,
}

/// A part of a production.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) ty: Type,
    /// A name or a constant only.
    pub(crate) atomic: bool,
    /// Names that are bound in it.
    pub(crate) binds: Vec<(String, Type)>,
}

/// All productions.
pub(crate) fn productions() -> &'static [Production] {
    static TABLE: OnceLock<Vec<Production>> = OnceLock::new();
    TABLE.get_or_init(|| include_str!("productions.txt").lines().filter_map(production).collect())
}

/// A line of the table; `None` if it says nothing, or is not of its form (a test finds those).
fn production(line: &str) -> Option<Production> {
    if line.starts_with('#') {
        return None;
    }
    let (weight, rest) = line.split_once(' ')?;
    let (result, rest) = rest.trim_start().split_once("  ")?;
    let (form, parts) = rest.rsplit_once("  ").unwrap_or((rest, ""));
    let digits = weight.trim_end_matches(['!', '*']);
    let parts: Option<Vec<Part>> = parts.split(' ').filter(|p| !p.is_empty()).map(part).collect();
    Some(Production {
        weight: digits.parse().ok()?,
        partial: weight.contains('!'),
        large: weight.contains('*'),
        result: Type::parse(result)?,
        form: form.trim().replace("%n", "\n"),
        parts: parts?,
    })
}

fn part(text: &str) -> Option<Part> {
    let (ty, binds) = text.split_once('[').map_or((text, ""), |(ty, binds)| (ty, binds.trim_end_matches(']')));
    let (ty, atomic) = ty.strip_suffix('.').map_or((ty, false), |ty| (ty, true));
    let binds: Option<Vec<(String, Type)>> = outer_commas(binds)
        .into_iter()
        .map(|bind| bind.split_once(':').and_then(|(name, ty)| Some((name.to_owned(), Type::parse(ty)?))))
        .collect();
    Some(Part { ty: Type::parse(ty)?, atomic, binds: binds? })
}

/// The pieces between commas that stand in no parentheses.
fn outer_commas(text: &str) -> Vec<&str> {
    let (mut pieces, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_production_whose_parts_all_occur() {
        let lines = include_str!("productions.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
        for line in lines {
            let found = production(line).unwrap_or_else(|| panic!("not a production: {line}"));
            for number in 1..=found.parts.len() {
                assert!(found.form.contains(&format!("%{number}")), "part {number} is not in: {line}");
            }
            let more = format!("%{}", found.parts.len() + 1);
            assert!(!found.form.contains(&more), "there is no part {more} in: {line}");
        }
        assert!(productions().len() > 150);
    }
}
