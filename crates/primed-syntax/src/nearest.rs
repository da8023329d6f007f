//! The nearest known name to an unknown one.

/// Advice for an unknown name: the known name that looks most like it, as `did you mean ...?`.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let word = |n: &str| n.chars().any(char::is_alphabetic);
    let limit = (name.chars().count() / 3).max(1);
    if name.chars().count() < 2 || !word(name) {
        return None;
    }
    let known: Vec<&str> = known.filter(|k| k.chars().count() > 1 && word(k)).collect();
    if let Some(same) = known.iter().filter(|k| k.eq_ignore_ascii_case(name)).min() {
        return Some(format!("did you mean `{same}`?"));
    }
    let near = known.into_iter().map(|k| (distance(name, k, limit), k)).filter(|(d, _)| *d <= limit);
    let best = near.min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    best.map(|(_, best)| format!("did you mean `{best}`?"))
}

/// How many letters must be changed, added, left out or exchanged with their neighbour (the optimal string alignment), or anything
/// above `limit` once it must be more.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_in_the_wrong_order_are_one_slip() {
        assert_eq!((distance("Stnad", "Stand", 1), distance("ab", "ba", 1), distance("abcd", "badc", 3)), (1, 1, 2));
        let known = || ["Stand", "Sit"].into_iter();
        assert_eq!(nearest("Stnad", known()).as_deref(), Some("did you mean `Stand`?"));
        assert_eq!(nearest("Run", known()), None);
    }
}
