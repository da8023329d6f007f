use super::{expr, units};

#[test]
fn quantifiers_and_choose() {
    assert_eq!(expr("\\A x, y \\in S, <<a, b>> \\in T, z \\in U : P"), "(A x y in S, <a b> in T, z in U : P)");
    assert_eq!(expr("\\E x, y : P"), "(E x y : P)");
    assert_eq!(expr("\\EE x : \\AA y : P"), "(EE x : (AA y : P))");
    assert_eq!(expr("\\forall x : \\exists y : P"), "(A x : (E y : P))");
    assert_eq!(expr("CHOOSE x \\in S : P"), "(CHOOSE x in S : P)");
    assert_eq!(expr("CHOOSE <<x, y>> : P"), "(CHOOSE <x y> : P)");
    assert_eq!(expr("\\E <<>> \\in S : P"), "(E <> in S : P)");
    assert!(expr("\\A x \\in S, y : P").starts_with("error: expected `\\in` and a set for `y`"));
}

#[test]
fn braces() {
    assert_eq!(expr("{}"), "{}");
    assert_eq!(expr("{a, b + 1}"), "{a (+ b 1)}");
    assert_eq!(expr("{x \\in S : x > 1}"), "{filter x in S : (> x 1)}");
    assert_eq!(expr("{<<x, y>> \\in S : x > y}"), "{filter <x y> in S : (> x y)}");
    assert_eq!(expr("{x \\in S \\/ T : P}"), "{filter x in (\\lor S T) : P}");
    assert_eq!(expr("{x + y : x \\in S, <<y, z>> \\in T}"), "{map (+ x y) : x in S, <y z> in T}");
    assert_eq!(expr("{x : x, y \\in S}"), "{map x : x y in S}");
    // What looks like a filter is one for SANY, be the bound name a name or not.
    assert!(expr("{(x) \\in S : x \\in T}").starts_with("error: in `{a \\in S : P}`"));
    assert_eq!(expr("{(x \\in S) : x \\in T}"), "{map ((\\in x S)) : x in T}");
    assert!(expr("{x : x}").starts_with("error"));
    assert!(expr("{x : 1}").starts_with("error: expected a bound"));
}

#[test]
fn brackets() {
    assert_eq!(expr("[x \\in S, y, z \\in T |-> x]"), "[fn x in S, y z in T : x]");
    assert_eq!(expr("[<<x, y>> \\in S |-> x]"), "[fn <x y> in S : x]");
    assert_eq!(expr("[S -> T]"), "[S -> T]");
    assert_eq!(expr("[a |-> 1, b |-> 2]"), "[record a=1 b=2]");
    assert_eq!(expr("[a : S, b : T]"), "[records a=S b=T]");
    assert_eq!(expr("[f EXCEPT ![1] = 2, ![a, b].c[d] = @ + 1]"), "[f EXCEPT ([1] = 2) ([a b] .c [d] = (+ @ 1))]");
    assert_eq!(expr("f[1, 2][3].a"), "f[1 2][3].a");
    assert!(expr("[1 |-> 2]").starts_with("error"));
}

#[test]
fn control() {
    assert_eq!(expr("IF a THEN b ELSE c + d"), "(IF a b (+ c d))");
    assert_eq!(expr("1 + IF a THEN b ELSE c"), "(+ 1 (IF a b c))");
    assert_eq!(expr("CASE a -> b [] c -> d [] OTHER -> e"), "(CASE a->b c->d OTHER e)");
    assert_eq!(
        expr("LET RECURSIVE f(_) f(x) == x g == 1 I == INSTANCE M h[y \\in S] == y IN f(g)"),
        "(LET RECURSIVE f/1 f(x) == x g == 1 I == INSTANCE M() h[y in S] == y IN (f g))"
    );
    assert_eq!(expr("F(LAMBDA x, y : x, z)"), "(F (LAMBDA x y : x) z)");
    assert_eq!(expr("l :: a = b"), "l::(= a b)");
    assert_eq!(expr("l(x, y) :: a"), "l(x y)::a");
    assert!(expr("1 :: a").starts_with("error: expected a label"));
}

#[test]
fn names_and_selectors() {
    assert_eq!(expr("I!J(1)!Op(x)"), "I!J(1)!Op(x)");
    assert_eq!(expr("Inv!2!<<!1!>>"), "Inv!2!<<!1!>>");
    assert_eq!(expr("Op(a)!:"), "Op(a)!:");
    assert_eq!(expr("Op!@!(x, y)!lab"), "Op!@!(x y)!lab");
    assert_eq!(expr("<<I!x, {J!y}>>"), "<I!x {J!y}>");
}

#[test]
fn declarations() {
    assert_eq!(units("CONSTANTS C, F(_, _), _ ++ _, -. _, _^+"), "CONSTANT C F/2 ++/2 -./1 ^+/1");
    assert_eq!(units("VARIABLES x, y\nVARIABLE z"), "VARIABLE x y; VARIABLE z");
    assert_eq!(units("RECURSIVE F(_), g"), "RECURSIVE F/1 g");
}

#[test]
fn definitions() {
    assert_eq!(units("F(a, G(_, _), _+_) == 1"), "F(a G/2 +/2) == 1");
    assert_eq!(
        units("a ++ b == a\n-. a == a\na^+ == a\na \\prec b == a"),
        "++(a b) == a; -.(a) == a; ^+(a) == a; \\prec(a b) == a"
    );
    assert_eq!(units("f[x \\in S, <<y, z>> \\in T] == x"), "f[x in S, <y z> in T] == x");
    assert_eq!(units("LOCAL f == 1"), "LOCAL f == 1");
}

#[test]
fn instances() {
    assert_eq!(
        units("I(a) == INSTANCE M WITH x <- a + 1, + <- F, Op <- LAMBDA y : y, G <- ++, H <- -\nLOCAL INSTANCE N"),
        "I(a) == INSTANCE M(x<-(+ a 1) +<-F Op<-(LAMBDA y : y) G<-++ H<--); LOCAL INSTANCE N()"
    );
}

#[test]
fn assumptions_and_nested_modules() {
    assert_eq!(units("ASSUME A == 1 = 1\nASSUMPTION x\nAXIOM y"), "ASSUME A == (= 1 1); ASSUME x; AXIOM y");
    assert_eq!(
        units("---- MODULE In ----\nEXTENDS Naturals\nc == 1\n====\nI == INSTANCE In\n--------\nd == 2"),
        "MODULE In(c == 1); I == INSTANCE In(); ----; d == 2"
    );
}

#[test]
fn theorems_and_assume_prove() {
    assert_eq!(
        units("THEOREM T == a\nLEMMA b OBVIOUS\nCOROLLARY c PROOF OMITTED"),
        "THEOREM T == a; THEOREM b OBVIOUS; THEOREM c OMITTED"
    );
    assert_eq!(
        units(
            "THEOREM ASSUME NEW x, NEW CONSTANT y \\in S, NEW ACTION A(_), VARIABLE v, l :: ASSUME a PROVE b PROVE c"
        ),
        "THEOREM ASSUME NEW Constant x NEW Constant y in S NEW Action A/1 NEW Variable v l::(ASSUME a PROVE b) PROVE c"
    );
    assert_eq!(units("THEOREM []ASSUME a []PROVE b"), "THEOREM []ASSUME a PROVE b");
    assert_eq!(
        units("THEOREM a BY ONLY b, MODULE M DEF c, MODULE N"),
        "THEOREM a BY USE ONLY b MODULE M DEF c MODULE N"
    );
    assert_eq!(units("USE a DEF b\nHIDE DEFS c, +"), "USE a DEF b; HIDE  DEF c +");
}

#[test]
fn proof_steps() {
    let text = "THEOREM a\n<1>1. b = c\n  <2>1. SUFFICES ASSUME NEW x PROVE d BY <1>1!1\n  <2>. QED OBVIOUS\n<1> DEFINE e == 1 f(x) == x\n\
                <1>2. CASE e\n  PROOF BY <1>1, <2>1 DEF f\n<1> g(x) == x\n<1>3. PICK y \\in S : y\n<1> USE h\n<1> HAVE i\n\
                <1> TAKE j \\in S\n<1> WITNESS 1 \\in S, 2\n<1>x. INSTANCE M\n<1>4. /\\ k\n      /\\ l\n<1>q QED BY <1>4\nm == 1";
    assert_eq!(
        units(text),
        "THEOREM a {<1>1 (= b c) {<2>1 SUFFICES ASSUME NEW Constant x PROVE d BY USE <1>1!1 DEF ; <2> QED OBVIOUS;}; \
         <1> DEFINE e == 1 f(x) == x; <1>2 CASE e BY USE <1>1 <2>1 DEF f; <1> DEFINE g(x) == x; <1>3 PICK y in S : y; \
         <1> USE h DEF ; <1> HAVE i; <1> TAKE j in S; <1> WITNESS (\\in 1 S) 2; <1>x INSTANCE M(); <1>4 [/\\ k l]; \
         <1>q QED BY USE <1>4 DEF ;}; m == 1"
    );
    assert!(
        units("THEOREM a\n<1>1. b\n<2> QED\n<1>2. c\n<1> QED")
            .starts_with("THEOREM a {<1>1 b {<2> QED;}; <1>2 c; <1> QED;}")
    );
}
