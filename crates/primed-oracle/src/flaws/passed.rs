//! Whether an EXCEPT is what an operator is applied to.

/// Whether `[[x \in S |-> e] EXCEPT ...]` stands in an argument of one of the operators, or beside it if it is an infix one; or a
/// name that is defined as it does.
pub(super) fn an_except_of_a_constructor(tokens: &[String], operators: &[&str]) -> bool {
    excepts_of_constructors(tokens).any(|(outer, end)| {
        if applied(tokens, (outer, end), operators) {
            return true;
        }
        // `name == [[...] EXCEPT ...]`
        let Some(name) = outer.checked_sub(2).filter(|_| is(tokens, outer - 1, "==")).and_then(|i| tokens.get(i))
        else {
            return false;
        };
        let uses = tokens.iter().enumerate().filter(|(i, t)| *t == name && *i + 2 != outer);
        uses.into_iter().any(|(i, _)| applied(tokens, (i, i), operators))
    })
}

/// Whether `[[x \in S |-> e] EXCEPT ...][i]` stands somewhere.
pub(super) fn an_except_of_a_constructor_is_applied(tokens: &[String]) -> bool {
    excepts_of_constructors(tokens).any(|(_, end)| is(tokens, end + 1, "["))
}

/// Where each `[[x \in S |-> e] EXCEPT ...]` begins and ends.
fn excepts_of_constructors(tokens: &[String]) -> impl Iterator<Item = (usize, usize)> {
    let excepts = tokens.windows(2).enumerate().filter(|(_, w)| w[0] == "]" && w[1] == "EXCEPT").map(|(i, _)| i);
    excepts.filter_map(|at| {
        let inner = opening(tokens, at)?;
        let constructor = is(tokens, inner.wrapping_add(2), "\\in") || is(tokens, inner + 1, "<<");
        let outer = inner.checked_sub(1).filter(|outer| constructor && is(tokens, *outer, "["))?;
        Some((outer, closing(tokens, outer)))
    })
}

/// Whether what stands from one token to another is an operand.
fn applied(tokens: &[String], (begin, end): (usize, usize), operators: &[&str]) -> bool {
    let operator = |i: usize| tokens.get(i).is_some_and(|t| operators.contains(&t.as_str()));
    let beside = begin.checked_sub(1).is_some_and(operator) || operator(end + 1);
    let parenthesis = unmatched(tokens, (0..begin).rev(), (")", "("));
    beside || parenthesis.and_then(|i| i.checked_sub(1)).is_some_and(operator)
}

fn is(tokens: &[String], at: usize, wanted: &str) -> bool {
    tokens.get(at).is_some_and(|t| t == wanted)
}

/// The bracket that one closes.
fn opening(tokens: &[String], close: usize) -> Option<usize> {
    unmatched(tokens, (0..close).rev(), ("]", "["))
}

/// The bracket that closes one, or the end.
fn closing(tokens: &[String], open: usize) -> usize {
    unmatched(tokens, open + 1..tokens.len(), ("[", "]")).unwrap_or(tokens.len())
}

/// The first token `last`, on the way through tokens, that does not belong to a token `first` met before it.
fn unmatched(tokens: &[String], mut way: impl Iterator<Item = usize>, (first, last): (&str, &str)) -> Option<usize> {
    let mut depth = 0_usize;
    way.find(|i| {
        let token = tokens[*i].as_str();
        let found = token == last && depth == 0;
        if token == first {
            depth += 1;
        } else if token == last && depth > 0 {
            depth -= 1;
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flaws::tokens::tokens;

    #[test]
    fn an_except_is_passed_itself_or_under_a_name() {
        let passed = |text: &str| an_except_of_a_constructor(&tokens(text), &["Len", "\\o"]);
        assert!(passed("F == Len([[i \\in S |-> 0] EXCEPT ![1] = 2])"));
        assert!(passed("F == <<>> \\o [[i \\in S |-> 0] EXCEPT ![1] = 2]"));
        assert!(passed("F == [[i \\in S |-> 0] EXCEPT ![1] = 2] \\o <<>>"));
        assert!(passed("F == LET f == [[i \\in S |-> 0] EXCEPT ![1] = 2] IN Len(f)"));
        assert!(!passed("F == [[i \\in S |-> Len(<<>>)] EXCEPT ![1] = 2]"));
        assert!(!passed("F == Len([[a |-> 0] EXCEPT !.a = 2])"));
        let applied = |text: &str| an_except_of_a_constructor_is_applied(&tokens(text));
        assert!(applied("Next == [[i \\in S |-> TRUE] EXCEPT ![1] = FALSE][1] /\\ x' = x"));
        assert!(!applied("Next == [[i \\in S |-> TRUE] EXCEPT ![1] = FALSE] = f[1]"));
        assert!(!passed("F == Cardinality([[i \\in S |-> 0] EXCEPT ![1] = 2])"));
    }
}
