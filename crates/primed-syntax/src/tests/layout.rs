use super::{expr, units};

#[test]
fn a_list_is_a_column() {
    assert_eq!(expr("/\\ a\n/\\ b\n/\\ c"), "[/\\ a b c]");
    assert_eq!(expr("\\/ a"), "[\\/ a]");
}

#[test]
fn a_bullet_further_right_is_infix() {
    assert_eq!(expr("/\\ a\n /\\ b"), "[/\\ (\\land a b)]");
    assert_eq!(expr("a /\\ b"), "(\\land a b)");
}

#[test]
fn a_bullet_further_left_ends_the_list() {
    assert_eq!(expr("  /\\ a\n/\\ b"), "(\\land [/\\ a] b)");
}

#[test]
fn the_other_bullet_at_the_column_ends_the_list() {
    assert_eq!(expr("/\\ a\n\\/ b"), "(\\lor [/\\ a] b)");
}

#[test]
fn an_operator_at_or_left_of_the_column_takes_the_list() {
    assert_eq!(expr(" /\\ a\n /\\ b\n => c"), "(=> [/\\ a b] c)");
    assert_eq!(expr("/\\ a\n/\\ b\n  => c"), "[/\\ a (=> b c)]");
}

#[test]
fn lists_nest() {
    assert_eq!(expr("/\\ \\/ a\n   \\/ b\n/\\ /\\ c\n   /\\ d"), "[/\\ [\\/ a b] [/\\ c d]]");
    assert_eq!(expr("\\/ /\\ a\n   /\\ b\n\\/ c"), "[\\/ [/\\ a b] c]");
}

#[test]
fn delimiters_end_lists() {
    assert_eq!(expr("(/\\ a\n /\\ b) => c"), "(=> ([/\\ a b]) c)");
    assert_eq!(expr("{/\\ a, \\/ b}"), "{[/\\ a] [\\/ b]}");
    assert_eq!(expr("IF /\\ a\n   /\\ b THEN c ELSE \\/ d"), "(IF [/\\ a b] c [\\/ d])");
    assert_eq!(expr("LET x == /\\ a\n         /\\ b IN x"), "(LET x == [/\\ a b] IN x)");
    assert_eq!(expr("[x \\in {/\\ a} |-> /\\ b]"), "[fn x in {[/\\ a]} : [/\\ b]]");
    assert_eq!(expr("CASE /\\ a -> /\\ b [] c -> d"), "(CASE [/\\ a]->[/\\ b] c->d)");
    assert_eq!(expr("\\A x \\in \\/ S : x"), "(A x in [\\/ S] : x)");
}

#[test]
fn definitions_end_lists() {
    assert_eq!(units("A == /\\ a\n     /\\ b\nB == c"), "A == [/\\ a b]; B == c");
    assert_eq!(units("A == /\\ a\n     /\\ b c == d"), "A == [/\\ a b]; c == d");
    assert_eq!(expr("LET a == /\\ x\n b == \\/ y\nIN /\\ a\n   /\\ b"), "(LET a == [/\\ x] b == [\\/ y] IN [/\\ a b])");
    assert_eq!(units("A == /\\ a\n     /\\ b\nTHEOREM A"), "A == [/\\ a b]; THEOREM A");
}

#[test]
fn everything_in_an_item_is_right_of_its_bullet() {
    assert!(expr("  /\\ (a\n  )").starts_with("error: this is not inside the item of the `/\\` list at column 3"));
    assert!(expr("  /\\ IF a THEN\n  b ELSE c").starts_with("error"));
    assert_eq!(expr("/\\ (a\n )"), "[/\\ (a)]");
}

#[test]
fn open_expressions_end_with_the_item() {
    assert_eq!(
        expr("/\\ \\A x \\in S : a\n/\\ CASE a -> b\n   [] c -> d\n/\\ e"),
        "[/\\ (A x in S : a) (CASE a->b c->d) e]"
    );
    assert_eq!(expr("/\\ IF a THEN /\\ b\n             /\\ c ELSE d\n/\\ e"), "[/\\ (IF a [/\\ b c] d) e]");
}

#[test]
fn boxes_separate_the_arms_of_the_innermost_case() {
    assert_eq!(expr("CASE a -> CASE b -> c [] d -> e"), "(CASE a->(CASE b->c d->e))");
    assert_eq!(expr("CASE a -> CASE b -> c [] OTHER -> d [] OTHER -> e"), "(CASE a->(CASE b->c OTHER d) OTHER e)");
    assert_eq!(expr("CASE CASE a -> b -> c [] d -> e"), "(CASE (CASE a->b)->c d->e)");
    assert_eq!(expr("[CASE a -> b -> S]"), "[(CASE a->b) -> S]");
    assert_eq!(expr("CASE a -> []b [] c -> [][d]_e"), "(CASE a->([] b) c->([] Square(d, e)))");
}

#[test]
fn operators_as_arguments() {
    assert_eq!(expr("F(+, -, /\\, \\cup)"), "(F + - \\land \\union)");
    assert_eq!(expr("F(x, -)"), "(F x -)");
    assert_eq!(expr("+(1, 2)"), "(+ 1 2)");
    assert_eq!(expr("I!+(1, 2)"), "I!+(1 2)");
    assert_eq!(expr("F(DOMAIN, ', -x)"), "(F DOMAIN ' (-. x))");
}

#[test]
fn tabs_and_wide_characters_align() {
    assert_eq!(expr("\t/\\ a\n        /\\ b"), "[/\\ a b]");
    assert_eq!(expr("∀ x ∈ S : ∧ a\n          ∧ b"), "(A x in S : [/\\ a b])");
}
