use super::expr;

#[test]
fn tighter_operators_first() {
    assert_eq!(expr("a + b * c"), "(+ a (* b c))");
    assert_eq!(expr("a * b + c"), "(+ (* a b) c)");
    assert_eq!(expr("a = b /\\ c \\in d => e"), "(=> (\\land (= a b) (\\in c d)) e)");
    assert_eq!(expr("~ a = b"), "(\\lnot (= a b))");
    assert_eq!(expr("~ a /\\ b"), "(\\land (\\lnot a) b)");
    assert_eq!(expr("[] a => <> b"), "(=> ([] a) (<> b))");
    assert_eq!(expr("UNION a \\cup SUBSET b"), "(\\union (UNION a) (SUBSET b))");
    assert_eq!(expr("- a + b"), "(+ (-. a) b)");
    assert_eq!(expr("a + - b"), "(+ a (-. b))");
    assert_eq!(expr("a @@ b :> c"), "(@@ a (:> b c))");
}

#[test]
fn left_associative_operators_repeat() {
    assert_eq!(expr("a - b - c"), "(- (- a b) c)");
    assert_eq!(expr("a /\\ b /\\ c"), "(\\land (\\land a b) c)");
    assert_eq!(expr("a (+) b \\oplus c"), "(\\oplus (\\oplus a b) c)");
}

#[test]
fn products_are_flat() {
    assert_eq!(expr("a \\X b \\times c"), "(\\times a b c)");
    assert_eq!(expr("(a \\X b) \\X c"), "(\\times ((\\times a b)) c)");
    assert_eq!(expr("a \\X (b \\X c)"), "(\\times a ((\\times b c)))");
}

#[test]
fn postfix_field_and_application() {
    assert_eq!(expr("a' + b^+"), "(+ (' a) (^+ b))");
    assert_eq!(expr("f[x].g'[y]"), "(' f[x].g)[y]");
    assert_eq!(expr("DOMAIN f[1]"), "(DOMAIN f[1])");
    assert_eq!(expr("-x'"), "(-. (' x))");
    assert_eq!(expr("x''"), "(' (' x))");
    assert_eq!(expr("a ^ b[c].d"), "(^ a b[c].d)");
}

#[test]
fn conflicts_are_errors() {
    for text in [
        "a /\\ b \\/ c",
        "a => b => c",
        "a = b = c",
        "a \\in b \\in c",
        "a \\cup b \\cap c",
        "a \\cup b \\ c",
        "a \\div -b",
        "a * -b",
        "[] x'",
        "UNCHANGED x'",
        "[] a = b",
        "a - b + c .. d * e - f % g ^ h & i ** j",
        "a .. b .. c",
        "a ~> b ~> c",
    ] {
        assert!(expr(text).starts_with("error: precedence conflict"), "{text}: {}", expr(text));
    }
}

#[test]
fn other_prefix_operators_may_follow_any_infix_one() {
    assert_eq!(expr("a = ~ b"), "(= a (\\lnot b))");
    assert_eq!(expr("- - a"), "(-. (-. a))");
    assert_eq!(expr("[]<>~a"), "([] (<> (\\lnot a)))");
}

#[test]
fn synonyms_arrive_canonical() {
    assert_eq!(expr("a <= b"), "(\\leq a b)");
    assert_eq!(expr("a =< b"), "(\\leq a b)");
    assert_eq!(expr("a # b"), "(/= a b)");
    assert_eq!(expr("a <=> b"), "(\\equiv a b)");
    assert_eq!(expr("a \\cap b"), "(\\intersect a b)");
    assert_eq!(expr("a \\circ b"), "(\\o a b)");
    assert_eq!(expr("a \\lor b"), "(\\lor a b)");
}
