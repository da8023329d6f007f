//! Operators of standard modules: values, arguments of the wrong kind, the ends of domains.

mod common;

use common::Module;

#[test]
fn arithmetic() {
    Module::new("EXTENDS Integers").check(
        r#"
        2 + 3 ==> 5
        2 - 3 ==> -1
        -(-4) ==> 4
        6 * 7 ==> 42
        2 ^ 10 ==> 1024
        7 \div 2 ==> 3
        (-7) \div 2 ==> -4
        -7 \div 2 ==> -3
        -7 % 2 ==> 1
        2147483647 + 1 ==> error Overflow when computing 2147483647+1
        0 - 2147483647 - 2 ==> error Overflow when computing
        1 \div 0 ==> error The second argument of \div is 0.
        1 + "a" ==> error Attempted to apply the operator overridden by the Java method\npublic static tlc2.value.impl.IntValue tlc2.module.Integers.Plus
        2 > 1 ==> TRUE
        2 <= 1 ==> FALSE
        1..3 ==> {1, 2, 3}
        3..1 ==> {}
        5 \in Nat ==> TRUE
        -5 \in Nat ==> FALSE
        -5 \in Int ==> TRUE
        "a" \in Nat ==> error
        "#,
    );
}

#[test]
fn sequences() {
    Module::new("EXTENDS Sequences, Integers").check(
        r#"
        Len(<<1, 2>>) ==> 2
        Len("abc") ==> 3
        Len({}) ==> error The argument of Len should be a sequence, but instead it is:\n{}
        Head(<<5, 6>>) ==> 5
        Head(<<>>) ==> error Attempted to apply Head to the empty sequence.
        Tail(<<5, 6>>) ==> <<6>>
        Append(<<5>>, 6) ==> <<5, 6>>
        <<1>> \o <<2>> ==> <<1, 2>>
        "a" \o "b" ==> "ab"
        SubSeq(<<1, 2, 3>>, 2, 3) ==> <<2, 3>>
        SubSeq(<<1, 2, 3>>, 3, 2) ==> <<>>
        SubSeq(<<1, 2, 3>>, 0, 2) ==> error The second argument of SubSeq must be in the domain of its first argument:
        SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0) ==> <<2, 4>>
        SelectSeq({}, LAMBDA x : TRUE) ==> error The first argument of SelectSeq should be a sequence, but instead it is:\n{}
        SelectSeq(<<1>>, LAMBDA x : x) ==> error The second argument of SelectSeq should be a boolean-valued operator
        <<1, 2>> \in Seq({1, 2}) ==> TRUE
        <<1, 3>> \in Seq({1, 2}) ==> FALSE
        "#,
    );
}

#[test]
fn finite_sets() {
    Module::new("EXTENDS Integers, Sequences, FiniteSets, FiniteSetsExt").check(
        r#"
        Cardinality({1, 1, 2}) ==> 2
        Cardinality(SUBSET (1..10)) ==> 1024
        Cardinality(Nat) ==> error
        IsFiniteSet({1}) ==> TRUE
        IsFiniteSet(Nat) ==> FALSE
        FoldSet(LAMBDA x, acc : <<x>> \o acc, <<>>, {3, 1, 2}) ==> <<3, 2, 1>>
        FoldSet(+, 0, 1..10) ==> 55
        FoldSet(LAMBDA x, acc : x + acc, 0, {}) ==> 0
        SumSet({1, 2, 4}) ==> 7
        SumSet({}) ==> 0
        SumSet({"a"}) ==> error Attempted to apply the operator overridden by the Java method\npublic static tlc2.value.impl.IntValue tlc2.module.Integers.Plus
        ProductSet({2, 3}) ==> 6
        ReduceSet(LAMBDA x, acc : x - acc, {1, 2}, 10) ==> 11
        MapThenSumSet(LAMBDA x : x * x, {1, 2, 3}) ==> 14
        Quantify(1..10, LAMBDA x : x > 7) ==> 3
        Quantify({1}, LAMBDA x : x) ==> error The second argument of Quantify should be a boolean-valued operator
        Quantify(1, LAMBDA x : TRUE) ==> error The first argument of Quantify should be a set, but instead it is:\n1
        kSubset(2, {"a", "b", "c"}) ==> {{"a", "b"}, {"a", "c"}, {"b", "c"}}
        kSubset(0, {1}) ==> {{}}
        kSubset(2, {1}) ==> {}
        kSubset(-1, {1}) ==> {}
        kSubset(3, 1..6) ==> {T \in SUBSET (1..6) : Cardinality(T) = 3}
        Cardinality(kSubset(199, 1..200)) ==> 200
        kSubset(8, 1..20) ==> error Attempted to construct a set with too many elements
        kSubset("a", {1}) ==> error The first argument of kSubset should be a natural number, but instead it is:\n"a"
        kSubset(1, 2) ==> error The argument of second should be a kSubset, but instead it is:\n2
        Max({3, 9, 2}) ==> 9
        Min({3, 9, 2}) ==> 2
        Max(4..8) ==> 8
        Min({}) ==> error Attempted to compute the value of an expression of form\nCHOOSE x \in S: P, but no element of S satisfied P.
        Max({"a"}) ==> error The first argument of <= should be an integer, but instead it is:\n"a"
        Max({1, "a"}) ==> error
        Choices({{1, 2}, {3}}) ==> {{1, 3}, {2, 3}}
        ChooseUnique({1, 2, 3}, LAMBDA x : x > 2) ==> 3
        SymDiff({1, 2}, {2, 3}) ==> {1, 3}
        "#,
    );
}

#[test]
fn bags() {
    Module::new("EXTENDS Bags, Integers\nB == INSTANCE BagsExt\nThree == (\"a\" :> 2 @@ \"b\" :> 1)").check(
        r#"
        EmptyBag ==> <<>>
        IsABag(Three) ==> TRUE
        IsABag(1) ==> FALSE
        IsABag([x \in {1} |-> 0]) ==> FALSE
        IsABag([x \in {1} |-> "a"]) ==> FALSE
        SetToBag({"a", "b"}) ==> [a |-> 1, b |-> 1]
        SetToBag(1) ==> error Applying BagToSet to the following value,\nwhich is not a function with a finite domain:\n1
        BagToSet(Three) ==> {"a", "b"}
        BagToSet(1) ==> error Applying BagToSet to the following value,\nwhich is not a function with a finite domain:\n1
        BagIn("a", Three) ==> TRUE
        BagIn("c", Three) ==> FALSE
        BagIn(1, Three) ==> error
        CopiesIn("a", Three) ==> 2
        CopiesIn("c", Three) ==> 0
        CopiesIn("a", [a |-> "x"]) ==> error The second argument of CopiesIn should be a bag, but instead it is:\n[a |-> "x"]
        BagCardinality(Three) ==> 3
        BagCardinality(EmptyBag) ==> 0
        BagCardinality({}) ==> error Applying BagCardinality to the following value,\nwhich is not a function with a finite domain:\n{}
        BagCardinality([a |-> 0]) ==> error Applying BagCardinality to the following value,\nwhich is not a bag:\n[a |-> 0]
        Three (+) [b |-> 1, c |-> 4] ==> [a |-> 2, b |-> 2, c |-> 4]
        Three (+) [b |-> 0] ==> error The second argument of (+) should be a bag, but instead it is:\n[b |-> 0]
        Three (-) [a |-> 1, b |-> 5] ==> [a |-> 1]
        Three (-) EmptyBag ==> Three
        {} (-) Three ==> error The first argument of (-) should be a bag, but instead it is:\n{}
        [a |-> 1] \sqsubseteq Three ==> TRUE
        Three \sqsubseteq [a |-> 9] ==> FALSE
        1 \sqsubseteq Three ==> error Applying \sqsubseteq to the following value,\nwhich is not a function with a finite domain:\n1
        BagUnion({Three, [a |-> 1]}) ==> [a |-> 3, b |-> 1]
        BagUnion({}) ==> <<>>
        BagUnion({[a |-> 7]}) ==> [a |-> 7]
        BagUnion(1) ==> error Applying BagUnion to the following value,\nwhich is not a finite enumerable set:\n1
        BagOfAll(LAMBDA x : "z", Three) ==> [z |-> 3]
        BagOfAll(LAMBDA x : x, 1) ==> error The second argument of BagOfAll should be a function with a finite domain
        SubBag([a |-> 1, b |-> 1]) ==> {<<>>, [a |-> 1], [b |-> 1], [a |-> 1, b |-> 1]}
        B!FoldBag(LAMBDA acc, x : acc * 10 + x, 0, <<2, 1>>) ==> 112
        B!FoldBag(LAMBDA acc, x : acc, 0, 1) ==> error The third argument of FoldBag should be a bag, but instead it is:\n1
        B!SumBag(<<2, 1>>) ==> 4
        B!BagAdd(Three, "a") ==> [a |-> 3, b |-> 1]
        B!BagRemove(Three, "b") ==> [a |-> 2]
        "#,
    );
}

#[test]
fn functions() {
    Module::new("EXTENDS Functions, Integers, FiniteSets, TLC, Sequences").check(
        r#"
        Range([x \in 1..3 |-> x % 2]) ==> {0, 1}
        Range([a |-> 1]) ==> {1}
        Range(1) ==> error Attempted to apply the operator DOMAIN to a non-function
        IsInjective(<<1, 2, 1>>) ==> FALSE
        IsInjective([a |-> 1, b |-> 2]) ==> TRUE
        IsInjective(<<{1}, {2}, {1}>>) ==> FALSE
        IsInjective(<<>>) ==> TRUE
        IsInjective({}) ==> error The argument of IsInjective should be a function, but instead it is:\n{}
        AntiFunction(<<"a", "b">>) ==> [a |-> 1, b |-> 2]
        AntiFunction(<<"a", "b", "a">>) ==> [a |-> 1, b |-> 2]
        AntiFunction(1) ==> error The argument of AntiFunction should be a functions, but instead it is:\n1
        FoldFunction(LAMBDA v, acc : <<v>> \o acc, <<>>, [a |-> 1, b |-> 2]) ==> <<2, 1>>
        FoldFunction(+, 0, <<1, 2, 3>>) ==> 6
        FoldFunction(+, 0, 1) ==> error The third argument of FoldFunction should be a function, but instead it is:\n1
        FoldFunctionOnSet(+, 0, <<1, 2, 4>>, {1, 3}) ==> 5
        FoldFunctionOnSet(+, 0, <<1, 2>>, {3}) ==> error Attempted to access index 3 of tuple
        FoldFunctionOnSet(+, 0, <<1, 2>>, 3) ==> error The fourth argument of FoldFunctionOnSet should be a set
        FoldFunctionOnSet(+, 0, [n \in Nat |-> n], {3, 4}) ==> 7
        MapThenFoldSet(LAMBDA x, y : <<x>> \o y, <<>>, LAMBDA x : x * 10, LAMBDA S : CHOOSE x \in S : \A y \in S : y <= x, 1..3) ==> <<30, 20, 10>>
        MapThenFoldSet(LAMBDA x, y : x + y, 0, LAMBDA x : x, LAMBDA S : 7, {1}) ==> error StackOverflow
        MapThenFoldSet(LAMBDA x, y : x > 1 \/ y, FALSE, LAMBDA x : IF x = 1 THEN "no" ELSE x, LAMBDA S : CHOOSE x \in S : x = Cardinality(S), 1..3) ==> TRUE
        Restrict(<<1, 2, 3>>, {1, 2}) ==> <<1, 2>>
        Inverse([a |-> 1], {"a"}, {1}) ==> <<"a">>
        Cardinality(Bijection(1..3, 1..3)) ==> 6
        SumFunction(<<3, 4>>) ==> 7
        "#,
    );
}

#[test]
fn sequences_ext_values() {
    Module::new("EXTENDS SequencesExt, Integers").check(
        r#"
        ToSet(<<2, 1, 2>>) ==> {1, 2}
        ToSet([a |-> 3]) ==> {3}
        SetToSeq({3, 1, 2}) ==> <<1, 2, 3>>
        SetToSeqs({1, 2, 3}) ==> {<<1, 2, 3>>, <<1, 3, 2>>, <<2, 1, 3>>, <<2, 3, 1>>, <<3, 1, 2>>, <<3, 2, 1>>}
        SetToSeqs({}) ==> {<<>>}
        SetToSeqs(1..9) ==> error Attempted to construct a set with too many elements
        Contains(<<1, 2>>, 2) ==> TRUE
        Contains(<<>>, 2) ==> FALSE
        Reverse(<<1, 2, 3>>) ==> <<3, 2, 1>>
        Front(<<1, 2, 3>>) ==> <<1, 2>>
        Front(<<>>) ==> <<>>
        Last(<<1, 2, 3>>) ==> 3
        Last(<<>>) ==> error Attempted to access index 0 of tuple
        LongestCommonPrefix({<<1, 2, 3>>, <<1, 2>>, <<1, 2, 4>>}) ==> <<1, 2>>
        LongestCommonPrefix({"abc", "abd"}) ==> "ab"
        LongestCommonPrefix({<<>>}) ==> <<>>
        IsPrefix(<<1>>, <<1, 2>>) ==> TRUE
        IsPrefix(<<1, 2>>, <<1>>) ==> FALSE
        IsPrefix("ab", "abc") ==> TRUE
        IsStrictPrefix(<<1>>, <<1>>) ==> FALSE
        IsSuffix(<<2>>, <<1, 2>>) ==> TRUE
        RemoveFirst(<<1, 2, 1>>, 1) ==> <<2, 1>>
        RemoveFirst(<<1>>, 5) ==> <<1>>
        RemoveFirstMatch(<<1, 2, 3>>, LAMBDA x : x > 1) ==> <<1, 3>>
        Suffixes(<<1, 2>>) ==> {<<>>, <<2>>, <<1, 2>>}
        AllSubSeqs(<<1, 2, 1>>) ==> {<<>>, <<1>>, <<2>>, <<1, 1>>, <<1, 2>>, <<2, 1>>, <<1, 2, 1>>}
        AllSubSeqs([i \in 1..30 |-> i]) ==> error Attempted to construct a set with too many elements
        SubSeqs(<<1, 2>>) ==> {<<>>, <<1>>, <<2>>, <<1, 2>>}
        FoldSeq(LAMBDA x, acc : <<x>> \o acc, <<>>, <<1, 2>>) ==> <<2, 1>>
        FoldLeft(LAMBDA acc, x : acc - x, 10, <<1, 2>>) ==> 7
        FoldRight(LAMBDA x, acc : x - acc, <<5, 3>>, 1) ==> 3
        FoldLeftDomain(LAMBDA acc, i : acc * 10 + i, 0, <<"a", "b">>) ==> 12
        FoldRightDomain(LAMBDA i, acc : acc * 10 + i, <<"a", "b">>, 0) ==> 21
        FlattenSeq(<<<<1>>, <<2, 3>>>>) ==> <<1, 2, 3>>
        SelectInSeq(<<5, 6, 7>>, LAMBDA x : x > 5) ==> 2
        SelectInSeq(<<5>>, LAMBDA x : x > 5) ==> 0
        SelectLastInSeq(<<5, 6, 7>>, LAMBDA x : x < 7) ==> 2
        SelectInSubSeq(<<6, 5, 6>>, 2, 3, LAMBDA x : x = 6) ==> 3
        SelectInSubSeq(<<6, 5, 6>>, 3, 2, LAMBDA x : x = 6) ==> 0
        SelectLastInSubSeq(<<6, 5, 6>>, 1, 2, LAMBDA x : x = 6) ==> 1
        ReplaceFirstSubSeq(<<9>>, <<1, 2>>, <<0, 1, 2, 1, 2>>) ==> <<0, 9, 1, 2>>
        ReplaceFirstSubSeq("x", "bc", "abcbc") ==> "axbc"
        ReplaceFirstSubSeq(<<9>>, <<>>, <<1>>) ==> <<9, 1>>
        ReplaceAllSubSeqs(<<9>>, <<1, 2>>, <<1, 2, 1, 1, 2>>) ==> <<9, 1, 9>>
        ReplaceAllSubSeqs("x", "b", "abcb") ==> "axcx"
        ReplaceAllSubSeqs("-", "", "ab") ==> "-a-b"
        ReplaceAllSubSeqs(<<9>>, <<>>, <<1, 2>>) ==> <<9, 1, 9, 2>>
        ReplaceAllSubSeqs(<<9>>, <<>>, <<>>) ==> <<9>>
        Zip(<<1, 2>>, <<"a", "b", "c">>) ==> <<<<1, "a">>, <<2, "b">>>>
        InsertAt(<<1, 3>>, 2, 2) ==> <<1, 2, 3>>
        RemoveAt(<<1, 2, 3>>, 2) ==> <<1, 3>>
        SetToSortSeq({1, 2, 3}, LAMBDA a, b : a > b) ==> <<3, 2, 1>>
        "#,
    );
}

#[test]
fn sequences_ext_errors() {
    Module::new("EXTENDS SequencesExt, Integers").check(
        r#"
        SetToSeqs(1) ==> error Applying SetToSeqs to the following value,\nwhich is not a finite set:\n1
        Contains(1, 1) ==> error The argument of Contains should be a sequence, but instead it is:\n1
        Contains(<<"a">>, 1) ==> error
        LongestCommonPrefix({}) ==> error The argument of LongestCommonPrefix should be a non-empty set, but instead it is:\n{}
        LongestCommonPrefix({1}) ==> error The argument of LongestCommonPrefix should be a sequence, but instead it is:\n{1}
        RemoveFirst(1, 1) ==> error The first argument of RemoveFirst should be a sequence, but instead it is:\n1
        RemoveFirstMatch(<<1>>, LAMBDA x : x) ==> error The second argument of RemoveFirstMatch should be a boolean-valued function
        Suffixes(1) ==> error The argument of Suffixes should be a sequence, but instead it is:\n1
        AllSubSeqs({}) ==> error The argument of AllSubSeqs should be a sequence, but instead it is:\n{}
        FoldLeft(LAMBDA a, b : a, 0, 1) ==> error The third argument of FoldLeft should be a sequence, but instead it is:\n1
        FoldRight(LAMBDA a, b : a, 1, 0) ==> error The second argument of FoldRight should be a sequence, but instead it is:\n1
        FoldLeftDomain(LAMBDA a, b : a, 0, 1) ==> error The third argument of FoldLeftDomain should be a sequence
        FoldRightDomain(LAMBDA a, b : a, 1, 0) ==> error The second argument of FoldRightDomain should be a sequence
        SelectInSeq(1, LAMBDA x : TRUE) ==> error The first argument of SelectInSeq should be a sequence, but instead it is:\n1
        SelectInSeq(<<1>>, LAMBDA x : x) ==> error The third argument of SelectInSeq should be a boolean-valued operator
        SelectInSubSeq(<<1>>, 0, 1, LAMBDA x : TRUE) ==> error The second argument of SelectInSubSeq must be in the domain of its first argument:\n<<1>>\n, but instead it is\n0
        SelectLastInSubSeq(<<1>>, 1, "a", LAMBDA x : TRUE) ==> error The third argument of SelectLastInSubSeq should be a natural, but instead it is:\n"a"
        ReplaceAllSubSeqs(1, <<>>, <<>>) ==> error The first argument of ReplaceAllSubSeqs should be a sequence, but instead it is:\n1
        "#,
    );
}

#[test]
fn bits_and_combinations() {
    Module::new("EXTENDS Bitwise, Combinatorics, Integers").check(
        r#"
        12 & 10 ==> 8
        12 | 10 ==> 14
        12 ^^ 10 ==> 6
        0 & 5 ==> 0
        Not(5) ==> 2
        Not(0) ==> 0
        shiftR(20, 2) ==> 5
        shiftR(20, 40) ==> 0
        shiftR(20, -1) ==> error StackOverflow
        "a" & 1 ==> error Attempted to apply the operator overridden by the Java method
        choose(5, 2) ==> 10
        choose(5, 0) ==> 1
        choose(2, 3) ==> 0
        choose(34, 17) ==> error Overflow when computing 34choose17
        choose(33, 16) ==> 1166803110
        choose(-1, 2) ==> error The first argument of choose should be a natural number, but instead it is:\n-1
        factorial[5] ==> 120
        factorial[13] ==> error Overflow
        "#,
    );
}

#[test]
fn random_choices() {
    Module::new("EXTENDS Randomization, TLC, Integers, FiniteSets").check(
        r#"
        RandomSubset(3, {5}) ==> {5}
        RandomSubset(0, {5}) ==> {}
        Cardinality(RandomSubset(4, 1..10)) ==> 4
        RandomSubset(4, 1..10) \subseteq 1..10 ==> TRUE
        RandomSubset("a", {}) ==> error The first argument of RandomSubset should be a nonnegative integer, but instead it is:\n"a"
        RandomSubset(1, Nat) ==> error The second argument of RandomSubset should be a a finite set, but instead it is:\nNat
        RandomSetOfSubsets(3, 2, 1..4) \subseteq SUBSET (1..4) ==> TRUE
        Cardinality(RandomSetOfSubsets(3, 2, 1..4)) \in 1..3 ==> TRUE
        RandomSetOfSubsets(3, 4, 1..4) ==> {1..4}
        RandomSetOfSubsets(3, 0, 1..4) ==> {{}}
        RandomSetOfSubsets(17, 2, 1..4) ==> error The first argument of RandomSetOfSubsets should be a nonnegative integer that is smaller than the subset's size of 2^4, but instead it is:\n17
        RandomSetOfSubsets(3, 5, 1..4) ==> error The second argument of RandomSetOfSubsets should be a nonnegative integer in range 0..Cardinality(S), but instead it is:\n5
        DOMAIN TestRandomSetOfSubsets(3, 2, 1..4) ==> 1..5
        RandomElement({7}) ==> 7
        RandomElement(1..3) \in 1..3 ==> TRUE
        RandomElement([1..40 -> 1..40]) \in [1..40 -> 1..40] ==> TRUE
        RandomElement([a : {1}, b : {2}]) ==> [a |-> 1, b |-> 2]
        RandomElement({1} \X {2}) ==> <<1, 2>>
        RandomElement({}) ==> error Attempted to apply the operator overridden by the Java method
        RandomElement(Nat) ==> error Applying RandomElement to the following value,\nwhich is not a finite set:\nNat
        "#,
    );
}

#[test]
fn tlc() {
    Module::new("EXTENDS TLC, Integers").check(
        r#"
        Assert(TRUE, "no") ==> TRUE
        Assert(FALSE, "msg") ==> error The first argument of Assert evaluated to FALSE; the second argument was:\n"msg"
        Print("x", 5) ==> 5
        PrintT("x") ==> TRUE
        1 :> 2 ==> <<2>>
        "a" :> 1 @@ "b" :> 2 @@ "a" :> 3 ==> [a |-> 1, b |-> 2]
        Permutations({1, 2}) ==> {<<1, 2>>, <<2, 1>>}
        Permutations({}) ==> {<<>>}
        Permutations(1) ==> error Applying Permutations to the following value,\nwhich is not a finite set:\n1
        SortSeq(<<3, 1, 2>>, <) ==> <<1, 2, 3>>
        SortSeq(<<<<1, "b">>, <<0, "c">>, <<1, "a">>>>, LAMBDA a, b : a[1] < b[1]) ==> <<<<0, "c">>, <<1, "b">>, <<1, "a">>>>
        SortSeq(1, <) ==> error The first argument of SortSeq should be a natural number, but instead it is:\n1
        SortSeq(<<1, 2>>, LAMBDA a, b : 7) ==> error The second argument of SortSeq should be a boolean function, but instead it is:\n7
        ToString(<<1, "a">>) ==> "<<1, \"a\">>"
        TLCEval({x \in 1..3 : x > 1}) ==> {2, 3}
        1 \in Any ==> TRUE
        TLCSet(1, 5) /\ TLCGet(1) = 5 ==> TRUE
        TLCSet("s:x", 5) /\ TLCGet("s:x") = 5 ==> TRUE
        TLCGet(7) ==> error Attempted to apply the operator overridden by the Java method
        TLCSet("x", 1) ==> error The first argument of TLCSet should be a nonnegative integer, but instead it is:\n"x"
        TLCSet(-1, 1) ==> error The first argument of TLCSet should be a nonnegative integer, but instead it is:\n-1
        TLCGet("level") ==> 0
        "#,
    );
}

#[test]
fn tlc_ext() {
    Module::new("EXTENDS TLC, TLCExt, Integers").check(
        r#"
        AssertError("The second argument of \\div is 0.", 1 \div 0) ==> TRUE
        AssertError("another text", 1 \div 0) ==> FALSE
        AssertError("no failure", 1 \div 1) ==> FALSE
        AssertEq(1, 1) ==> TRUE
        AssertEq(1, 2) ==> FALSE
        TLCGetOrDefault(3, "none") ==> "none"
        <<TLCGetAndSet(1, +, 5, 10), TLCGetAndSet(1, +, 1, 0), TLCGet(1)>> ==> <<10, 15, 16>>
        TLCDefer(1 \div 0) ==> TRUE
        TLCNoOp(3) ==> 3
        TLCModelValue("m1") = m1 ==> TRUE
        TLCCache(1 + 1, 5) ==> 2
        PickSuccessor(FALSE) ==> TRUE
        CounterExample.state ==> {}
        "#,
    );
}
