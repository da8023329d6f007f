//! Native forms give what the definitions in the standard modules give: each module is read a second time under another name,
//! where its operators are not native.

mod common;

use common::Module;

/// A copy of a standard module, with another name.
fn copied(name: &str) -> (String, String) {
    let path = format!("{}/../primed-semantics/modules/{name}.tla", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let copy = format!("{name}Defined");
    let head = text.replacen(&format!("MODULE {name}"), &format!("MODULE {copy}"), 1);
    (copy, head)
}

/// Checks rows `bounds : operator : arguments`.
fn agree(module: &str, units: &str, rows: &str) {
    let (name, text) = copied(module);
    let units = format!("EXTENDS Integers, Sequences, FiniteSets, TLC, {module}\n{units}\nD == INSTANCE {name}");
    let mut module = Module::with(&units, [(name, text)]);
    let rows = rows.lines().map(str::trim).filter(|row| !row.is_empty()).map(|row| {
        let parts: Vec<&str> = row.split(" :: ").collect();
        let [bounds, operator, arguments] = parts.as_slice() else { panic!("not a row: {row}") };
        let infix = !operator.starts_with(char::is_alphabetic);
        let arguments = arguments.trim();
        match infix {
            true => {
                let (left, right) = arguments.split_once(", ").unwrap_or_default();
                format!("\\A {bounds} : ({left} {operator} {right}) = D!{operator}({left}, {right}) ==> TRUE")
            }
            false => format!("\\A {bounds} : {operator}({arguments}) = D!{operator}({arguments}) ==> TRUE"),
        }
    });
    module.check(&rows.collect::<Vec<_>>().join("\n"));
}

#[test]
fn sequences_ext() {
    agree(
        "SequencesExt",
        "S == BoundedSeq({1, 2}, 3)\nA == SUBSET {1, 2, 3}\nT == BoundedSeq({1, 2}, 2)",
        r"
        s \in S :: ToSet :: s
        a \in A :: SetToSeq :: a
        a \in A :: SetToSeqs :: a
        s \in S, e \in 1..3 :: Contains :: s, e
        s \in S :: Reverse :: s
        s \in S :: Front :: s
        s \in S \ {<<>>} :: Last :: s
        s \in S, t \in T :: IsPrefix :: s, t
        a \in SUBSET T \ {{}} :: LongestCommonPrefix :: a
        s \in S, e \in 1..3 :: RemoveFirst :: s, e
        s \in S, e \in 1..3 :: RemoveFirstMatch :: s, LAMBDA x : x >= e
        s \in S :: Suffixes :: s
        s \in S :: AllSubSeqs :: s
        s \in S :: FoldSeq :: LAMBDA x, acc : <<x>> \o acc, <<7>>, s
        s \in S :: FoldLeft :: LAMBDA acc, x : acc * 10 + x, 5, s
        s \in S :: FoldRight :: LAMBDA x, acc : acc * 10 + x, s, 5
        s \in S :: FoldLeftDomain :: LAMBDA acc, i : acc * 10 + i, 5, s
        s \in S :: FoldRightDomain :: LAMBDA i, acc : acc * 10 + i, s, 5
        s \in S, e \in 1..3 :: SelectInSeq :: s, LAMBDA x : x = e
        s \in S, e \in 1..3 :: SelectLastInSeq :: s, LAMBDA x : x = e
        s \in [1..3 -> 1..2], i, j \in 1..3, e \in 1..2 :: SelectInSubSeq :: s, i, j, LAMBDA x : x = e
        s \in [1..3 -> 1..2], i, j \in 1..3, e \in 1..2 :: SelectLastInSubSeq :: s, i, j, LAMBDA x : x = e
        r, p \in T, s \in S :: ReplaceFirstSubSeq :: r, p, s
        r, p \in T, s \in S :: ReplaceAllSubSeqs :: r, p, s
        ",
    );
}

#[test]
fn finite_sets_ext() {
    agree(
        "FiniteSetsExt",
        "A == SUBSET (-1..3)",
        r"
        a \in A :: FoldSet :: LAMBDA x, acc : <<x>> \o acc, <<>>, a
        a \in A :: SumSet :: a
        a \in A, k \in -1..6 :: kSubset :: k, a
        a \in A \ {{}} :: Max :: a
        a \in A \ {{}} :: Min :: a
        a \in A, k \in 0..3 :: Quantify :: a, LAMBDA x : x > k
        ",
    );
}

#[test]
fn functions_and_folds() {
    agree(
        "Functions",
        "F == [1..3 -> 1..2] \\cup [{5, 7} -> 0..2] \\cup {<<>>}",
        r"
        f \in F :: Range :: f
        f \in F :: IsInjective :: f
        f \in F :: AntiFunction :: f
        f \in F :: FoldFunction :: LAMBDA v, acc : <<v>> \o acc, <<>>, f
        f \in F :: FoldFunctionOnSet :: LAMBDA v, acc : <<v>> \o acc, <<>>, f, DOMAIN f
        ",
    );
    agree(
        "Folds",
        "A == SUBSET (1..4)\nLeast(S) == CHOOSE x \\in S : \\A y \\in S : x <= y\nMost(S) == CHOOSE x \\in S : \\A y \\in S : y <= x",
        r"
        a \in A :: MapThenFoldSet :: LAMBDA x, acc : <<x>> \o acc, <<>>, LAMBDA x : x + 1, Least, a
        a \in A :: MapThenFoldSet :: LAMBDA x, acc : <<x>> \o acc, <<>>, LAMBDA x : x + 1, Most, a
        ",
    );
}

#[test]
fn bags() {
    agree(
        "Bags",
        "B == UNION {[D -> 1..2] : D \\in SUBSET {1, 2, 3}}",
        r"
        b \in B \cup {<<0>>, <<-1>>} :: IsABag :: b
        b \in B :: BagToSet :: b
        a \in SUBSET {1, 2} :: SetToBag :: a
        b \in B, e \in 1..4 :: BagIn :: e, b
        b \in B, e \in 1..4 :: CopiesIn :: e, b
        b, c \in B :: \oplus :: b, c
        b, c \in B :: \ominus :: b, c
        b, c \in B :: \sqsubseteq :: b, c
        b \in B :: BagCardinality :: b
        a \in SUBSET {<<>>, <<1>>, <<2, 1>>, 2 :> 1} :: BagUnion :: a
        b \in B :: BagOfAll :: LAMBDA e : e % 2, b
        ",
    );
    agree(
        "BagsExt",
        "B == UNION {[D -> 1..2] : D \\in SUBSET {1, 2, 3}}",
        r"
        b \in B :: FoldBag :: LAMBDA acc, x : acc * 10 + x, 0, b
        ",
    );
}

#[test]
fn bits_and_combinations() {
    agree(
        "Bitwise",
        "N == 0..17 \\cup {255, 256, 1000000}",
        r"
        a, b \in N :: & :: a, b
        a, b \in N :: | :: a, b
        a, b \in N :: ^^ :: a, b
        a \in N :: Not :: a
        a \in N, k \in 0..40 :: shiftR :: a, k
        ",
    );
    agree("Combinatorics", "", r"k \in 0..6, n \in 6..12 :: choose :: n, k");
}

#[test]
fn tlc() {
    agree(
        "TLC",
        "S == UNION {[1..n -> 1..3] : n \\in 0..3}\nF == {<<>>, <<1>>, <<1, 2>>, 2 :> 5, [a |-> 1], [a |-> 2, b |-> 3]}",
        r"
        f \in {<<>>, <<1>>, <<1, 2>>, 2 :> 5}, g \in {<<>>, <<7>>, <<8, 9, 3>>, 2 :> 6} :: @@ :: f, g
        k \in 1..3 :: :> :: k, 5
        a \in SUBSET (1..4) :: Permutations :: a
        s \in S :: SortSeq :: s, <
        s \in S :: SortSeq :: s, LAMBDA x, y : x > y
        ",
    );
}
