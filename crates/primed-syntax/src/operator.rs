//! The operators of the language, read from `grammar/operators.tsv`: one table for the lexer, the parser and whoever
//! prints expressions.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How an operator stands to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Before its operand.
    Prefix,
    /// After its operand.
    Postfix,
    /// Between two operands.
    Infix,
    /// Between any number of operands: `\times`.
    Nfix,
}

/// Whether an operator may be repeated without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// `a op b op c` is `(a op b) op c`.
    Left,
    /// `a op b op c` is an error.
    None,
}

/// What the language says about one operator symbol.
#[derive(Debug, PartialEq, Eq)]
pub struct OperatorInfo {
    /// The canonical spelling.
    pub symbol: &'static str,
    /// How it stands to its operands.
    pub fixity: Fixity,
    /// The low end of its precedence range.
    pub low: u8,
    /// The high end of its precedence range.
    pub high: u8,
    /// Whether it associates.
    pub associativity: Associativity,
    /// Whether a module may define it.
    pub user_definable: bool,
    /// The other spellings, ASCII and Unicode.
    pub synonyms: Vec<&'static str>,
}

struct Table {
    operators: Vec<OperatorInfo>,
    by_spelling: HashMap<&'static str, usize>,
    longest_word: usize,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("../../../grammar/operators.tsv")));

/// The operator with this canonical symbol; unary minus is `-.`.
pub fn operator(symbol: &str) -> Option<&'static OperatorInfo> {
    spelled(symbol).filter(|o| o.symbol == symbol)
}

/// The operator with this spelling, canonical or not.
pub(crate) fn spelled(spelling: &str) -> Option<&'static OperatorInfo> {
    TABLE.by_spelling.get(spelling).and_then(|i| TABLE.operators.get(*i))
}

/// All operators, in the table's order.
pub fn operators() -> &'static [OperatorInfo] {
    &TABLE.operators
}

/// The length of the longest spelling, in bytes.
pub(crate) fn longest_spelling() -> usize {
    TABLE.longest_word
}

fn read(text: &'static str) -> Table {
    let mut table = Table { operators: Vec::new(), by_spelling: HashMap::new(), longest_word: 0 };
    for info in text.lines().filter(|l| !l.starts_with("# ")).filter_map(row) {
        for spelling in info.synonyms.iter().chain([&info.symbol]) {
            table.by_spelling.insert(spelling, table.operators.len());
            table.longest_word = table.longest_word.max(spelling.len());
        }
        table.operators.push(info);
    }
    table
}

fn row(line: &'static str) -> Option<OperatorInfo> {
    let mut cells = line.split('\t');
    let symbol = cells.next().filter(|s| !s.is_empty())?;
    let fixity = match cells.next()? {
        "prefix" => Fixity::Prefix,
        "postfix" => Fixity::Postfix,
        "nfix" => Fixity::Nfix,
        _ => Fixity::Infix,
    };
    let low = cells.next()?.parse().ok()?;
    let high = cells.next()?.parse().ok()?;
    let associativity = if cells.next()? == "left" { Associativity::Left } else { Associativity::None };
    let user_definable = cells.next()? == "yes";
    let synonyms = cells.next().unwrap_or("").split(' ').filter(|s| !s.is_empty()).collect();
    Some(OperatorInfo { symbol, fixity, low, high, associativity, user_definable, synonyms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let rows = include_str!("../../../grammar/operators.tsv").lines().filter(|l| !l.starts_with("# ")).count();
        assert_eq!(operators().len(), rows);
        assert!(operators().iter().all(|o| o.low <= o.high && o.low > 0 && o.high <= 17));
    }

    #[test]
    fn only_canonical_symbols_are_found() {
        assert_eq!(operator("\\leq").map(|o| (o.low, o.high)), Some((5, 5)));
        assert_eq!(operator("<="), None);
        assert_eq!(spelled("≤").map(|o| o.symbol), Some("\\leq"));
        assert_eq!(operator("\\times").map(|o| o.fixity), Some(Fixity::Nfix));
        assert_eq!(operator("-.").map(|o| o.fixity), Some(Fixity::Prefix));
    }
}
