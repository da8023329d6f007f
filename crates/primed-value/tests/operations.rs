//! What TLC answers for the native operations, one by one.

mod common;

use common::{EVEN, FAILS, IDENTITY, TestHost, fold, with_host};
use primed_value::host::Result;
use primed_value::value::{Lazy, Value};
use primed_value::{arithmetic as ar, build, functions as f, sequences as q, sets};

fn i<'a>(n: i64) -> Value<'a> {
    Value::Int(n)
}

fn tuple<'a>(h: &mut TestHost<'a>, items: &[i64]) -> Value<'a> {
    let items: Vec<Value<'a>> = items.iter().map(|n| i(*n)).collect();
    h.tup(&items)
}

#[track_caller]
fn gives<'a>(h: &mut TestHost<'a>, result: Result<Value<'a>>, expected: &str) {
    let text = match result {
        Ok(v) => fold(&h.show(v)),
        Err(e) => fold(&e.message),
    };
    assert_eq!(text, expected);
}

#[track_caller]
fn says<T: std::fmt::Debug>(result: Result<T>, expected: &str) {
    assert_eq!(fold(&result.unwrap_err().message), expected);
}

#[test]
fn arithmetic_has_32_bits() {
    with_host(|h| {
        let a = h.s("a");
        for (x, y, quotient) in [(-7, 2, "-4"), (7, -2, "-4"), (-7, -2, "3"), (7, 2, "3"), (-6, 2, "-3")] {
            let r = ar::div(h, i(x), i(y));
            gives(h, r, quotient);
        }
        let r = ar::add(h, i(1 << 30), i(1 << 30));
        assert_eq!(r.as_ref().unwrap_err().code, 2178);
        says(r, "Overflow when computing 1073741824+1073741824");
        says(ar::mul(h, i(13), i(479_001_600)), "Overflow when computing 13*479001600");
        says(ar::sub(h, i(i64::from(i32::MIN)), i(1)), "Overflow when computing -2147483648-1");
        says(ar::neg(h, i(i64::from(i32::MIN))), "Overflow when computing --2147483648");
        says(ar::div(h, i(i64::from(i32::MIN)), i(-1)), "Overflow when computing -2147483648 \\div -1");
        says(ar::div(h, i(1), i(0)), "The second argument of \\div is 0.");
        says(ar::modulo(h, i(7), i(-2)), "The second argument of % should be a positive number, but instead it is: -2");
        says(ar::pow(h, i(0), i(0)), "0^0 is undefined.");
        says(ar::pow(h, i(2), i(31)), "Overflow when computing 2^31");
        says(ar::pow(h, i(2), i(-1)), "The second argument of ^ should be a natural number, but instead it is: -1");
        for (x, y, power) in
            [(2, 30, "1073741824"), (-2, 31, "-2147483648"), (-1, 99, "-1"), (1, 1 << 30, "1"), (5, 0, "1")]
        {
            let r = ar::pow(h, i(x), i(y));
            gives(h, r, power);
        }
        let r = ar::modulo(h, i(-7), i(3));
        gives(h, r, "2");
        let r = ar::range(h, i(3), i(1));
        gives(h, r, "{}");
        let r = ar::range(h, i(1), i(3));
        gives(h, r, "1..3");
        says(ar::less(h, a, i(1)), "The first argument of < should be an integer, but instead it is: \"a\"");
        says(
            ar::leq(h, i(1), Value::Bool(true)),
            "The second argument of <= should be an integer, but instead it is: TRUE",
        );
        assert!(ar::geq(h, i(2), i(2)).unwrap() && !ar::greater(h, i(2), i(2)).unwrap());
        let plus = "Attempted to apply the operator overridden by the Java method public static tlc2.value.impl.IntValue \
                    tlc2.module.Integers.Plus(tlc2.value.impl.IntValue,tlc2.value.impl.IntValue), but it produced the following \
                    error: Cannot cast tlc2.value.impl.SetEnumValue to tlc2.value.impl.IntValue";
        let one = h.ints(&[1]);
        says(ar::add(h, one, i(1)), plus);
        let neg = "Attempted to apply the operator overridden by the Java method public static tlc2.value.impl.IntValue \
                   tlc2.module.Integers.Neg(tlc2.value.impl.IntValue), but it produced the following error: Cannot cast \
                   tlc2.value.impl.StringValue to tlc2.value.impl.IntValue";
        says(ar::neg(h, a), neg);
    });
}

#[test]
fn sequences_and_strings() {
    with_host(|h| {
        let (abc, a, b) = (h.s("abc"), h.s("a"), h.s("b"));
        let (empty, one, two) = (tuple(h, &[]), tuple(h, &[1]), tuple(h, &[2]));
        let three = tuple(h, &[1, 2, 3]);
        let record = h.rec(&[("a", i(1))]);
        let domain = h.iv(1, 3);
        let lazy = h.closure(IDENTITY, domain);
        let r = q::len(h, abc);
        gives(h, r, "3");
        let r = q::len(h, lazy);
        gives(h, r, "3");
        let other = h.iv(2, 3);
        let other = h.closure(IDENTITY, other);
        says(q::len(h, other), "The argument of Len should be a sequence, but instead it is: (2 :> 2 @@ 3 :> 3)");
        says(q::len(h, record), "The argument of Len should be a sequence, but instead it is: [a |-> 1]");
        says(q::head(h, empty), "Attempted to apply Head to the empty sequence.");
        let r = q::head(h, three);
        gives(h, r, "1");
        let r = q::tail(h, one);
        gives(h, r, "<<>>");
        let r = q::tail(h, abc);
        gives(h, r, "\"bc\"");
        let r = q::append(h, lazy, i(9));
        gives(h, r, "<<1, 2, 3, 9>>");
        says(q::append(h, a, b), "Evaluating an expression of the form Append(s, v) when s is not a sequence: \"a\"");
        let r = q::concat(h, one, two);
        gives(h, r, "<<1, 2>>");
        let r = q::concat(h, a, b);
        gives(h, r, "\"ab\"");
        says(q::concat(h, a, one), "Evaluating an expression of the form t \\o s when s is not a string: <<1>>");
        says(q::concat(h, one, a), "Evaluating an expression of the form t \\o s when s is not a sequence: \"a\"");
        for (m, n, part) in [(2, 3, "<<2, 3>>"), (3, 2, "<<>>"), (7, 6, "<<>>"), (1, 3, "<<1, 2, 3>>")] {
            let r = q::subseq(h, three, i(m), i(n));
            gives(h, r, part);
        }
        let out = "argument of SubSeq must be in the domain of its first argument: <<1, 2, 3>> , but instead it is";
        says(q::subseq(h, three, i(0), i(2)), &format!("The second {out} 0"));
        says(q::subseq(h, three, i(1), i(4)), &format!("The third {out} 4"));
        let r = q::subseq(h, abc, i(2), i(3));
        gives(h, r, "\"bc\"");
        let r = q::reverse(h, three);
        gives(h, r, "<<3, 2, 1>>");
        let r = q::remove_at(h, three, i(2));
        gives(h, r, "<<1, 3>>");
        assert!(q::is_prefix(h, one, three).unwrap() && !q::is_prefix(h, two, three).unwrap());
        assert_eq!(q::index_of(h, three, i(3)).unwrap(), Some(3));
        assert!(!q::contains(h, three, i(4)).unwrap());
    });
}

#[test]
fn application_and_selection() {
    with_host(|h| {
        let (a, b) = (h.s("a"), h.s("b"));
        let pair = tuple(h, &[1, 2]);
        let record = h.rec(&[("a", i(1))]);
        let function = h.fun(&[(i(3), i(3)), (i(4), i(4))]);
        let r = f::apply(h, pair, i(1));
        gives(h, r, "1");
        says(f::apply(h, pair, i(3)), "Attempted to access index 3 of tuple <<1, 2>> which is out of bounds.");
        says(f::apply(h, pair, i(0)), "Attempted to access index 0 of tuple <<1, 2>> which is out of bounds.");
        says(f::apply(h, pair, a), "Attempted to access tuple at a non integral index: \"a\"");
        says(f::apply(h, record, b), "Attempted to access nonexistent field 'b' of record [a |-> 1]");
        says(f::apply(h, record, i(1)), "Attempted to access record by a non-string argument: 1");
        let (fa, fb) = (h.sym("a"), h.sym("b"));
        let r = f::select(h, record, fa);
        gives(h, r, "1");
        says(f::select(h, record, fb), "Attempted to select nonexistent field \"b\" from the record [a |-> 1]");
        says(f::select(h, Value::Bool(true), fa), "Attempted to select field \"a\" from a non-record value TRUE");
        let r = f::apply(h, function, i(3));
        gives(h, r, "3");
        says(f::apply(h, function, a), "Attempted to check equality of integer 3 with non-integer: \"a\"");
        let out = "Attempted to apply function: (3 :> 3 @@ 4 :> 4) to argument 5, which is not in the domain of the function.";
        says(f::apply(h, function, i(5)), out);
        says(f::apply(h, i(1), i(1)), "A non-function (an integer) was applied as a function.");
        says(f::apply(h, a, i(1)), "A non-function (a string) was applied as a function.");
        let one = h.ints(&[1]);
        says(f::apply(h, one, i(1)), "A non-function (a set of the form {e1, ... ,eN}) was applied as a function.");
        says(f::domain(h, i(1)), "Attempted to apply the operator DOMAIN to a non-function (an integer)");
        let r = f::domain(h, pair);
        gives(h, r, "1..2");
        let empty = h.tup(&[]);
        let r = f::domain(h, empty);
        gives(h, r, "{}");
        let nat = h.lazy(Lazy::Nat);
        let infinite = h.closure(IDENTITY, nat);
        let r = f::apply(h, infinite, i(7));
        gives(h, r, "7");
        let out = "In applying the function [x \\in Nat |-> <expression>], the first argument is: -1 which is not in its domain.";
        says(f::apply(h, infinite, i(-1)), out);
    });
}

#[test]
fn functions_not_yet_computed() {
    with_host(|h| {
        let nat = h.lazy(Lazy::Nat);
        let infinite = h.closure(IDENTITY, nat);
        let size = "Attempted to compute the number of elements in the overridden value Nat.";
        says(primed_value::compare::equal(h, infinite, infinite), size);
        says(f::force(h, infinite), size);
        let convert = "To convert a function of form [x \\in S |-> f(x)] to a tuple, the set S must be enumerable.";
        says(q::len(h, infinite), convert);
        let (range, other) = (h.iv(1, 2), h.ints(&[2, 5]));
        let fails = h.closure(FAILS, range);
        says(q::len(h, fails), "the body failed");
        assert_eq!(f::as_sequence(h, fails).map(<[_]>::len), None);
        let fails = h.closure(FAILS, other);
        assert!(f::sequence(h, fails).unwrap().is_none());
        let calls = h.calls;
        let same = h.closure(IDENTITY, range);
        let pair = tuple(h, &[1, 2]);
        assert!(primed_value::compare::equal(h, same, pair).unwrap());
        assert_eq!(h.calls, calls + 2);
        let field = h.sym("a");
        let text = "Attempted to apply function with integer domain to the non-integer argument \"a\"";
        says(f::select(h, pair, field), text);
        let a = h.s("a");
        let letters = h.set(&[a]);
        let record = h.closure(IDENTITY, letters);
        let r = f::select(h, record, field);
        gives(h, r, "\"a\"");
        let r = f::domain(h, record);
        gives(h, r, "{\"a\"}");
        let set = sets::function_set(h, letters, letters);
        assert!(sets::member(h, record, set).unwrap());
        let set = sets::record_set(h, vec![(field, letters)]);
        assert!(sets::member(h, record, set).unwrap());
    });
}

#[test]
fn except_and_merging() {
    with_host(|h| {
        let a = h.s("a");
        let pair = tuple(h, &[1, 2]);
        let record = h.rec(&[("a", i(1))]);
        let function = h.fun(&[(i(3), i(3)), (i(4), i(4))]);
        let updated = |h: &mut TestHost<'_>, v, expected: Option<&str>| {
            let shown = v;
            assert_eq!(shown, expected.map(str::to_owned));
            let _ = h;
        };
        let cases = [
            (pair, i(1), Some("<<9, 2>>")),
            (pair, i(3), None),
            (pair, i(0), None),
            (pair, i(i64::MIN), None),
            (record, a, Some("[a |-> 9]")),
            (function, i(3), Some("(3 :> 9 @@ 4 :> 4)")),
            (function, i(5), None),
        ];
        for (function, key, expected) in cases {
            let r = f::update(h, function, key, i(9)).unwrap().map(|v| h.show(v));
            updated(h, r, expected);
        }
        says(f::update(h, pair, a, i(9)), "Attempted to access tuple at a non integral index: \"a\"");
        says(f::update(h, record, i(1), i(9)), "Attempted to access record by a non-string argument: 1");
        says(f::update(h, function, a, i(9)), "Attempted to check equality of integer 3 with non-integer: \"a\"");
        says(f::update(h, i(1), i(1), i(2)), "Attempted to apply EXCEPT construct to the value 1.");
        let nat = h.lazy(Lazy::Nat);
        let infinite = h.closure(IDENTITY, nat);
        let changed = f::update(h, infinite, i(5), i(50)).unwrap().unwrap();
        let changed = f::update(h, changed, i(5), i(51)).unwrap().unwrap();
        let r = f::apply(h, changed, i(5));
        gives(h, r, "51");
        let r = f::apply(h, changed, i(6));
        gives(h, r, "6");
        assert!(f::update(h, changed, i(-1), i(0)).unwrap().is_none());

        let (x, y) = (f::single(h, i(1), i(2)), f::single(h, i(3), i(4)));
        let r = f::merge(h, x, y);
        gives(h, r, "(1 :> 2 @@ 3 :> 4)");
        let y = f::single(h, i(1), i(3));
        let r = f::merge(h, x, y);
        gives(h, r, "<<2>>");
        says(f::merge(h, i(1), x), "The first argument of @@ should be a function, but instead it is: 1");
        let r = f::merge(h, record, x);
        says(
            r,
            "Attempted to apply the operator overridden by the Java method public static tlc2.value.impl.Value tlc2.module.TLC.CombineFcn(tlc2.value.impl.Value,tlc2.value.impl.Value), but it produced the following error: Attempted to check equality of integer 1 with non-integer: \"a\"",
        );
    });
}

#[test]
fn sets_of_sets_and_printing() {
    with_host(|h| {
        let nat = h.lazy(Lazy::Nat);
        let numbers = h.ints(&[3, 1, 2]);
        let v = sets::subset(h, numbers);
        assert_eq!(h.show(v), "{{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}");
        let v = sets::subset(h, i(1));
        assert_eq!(h.show(v), "SUBSET 1");
        let v = sets::subset(h, nat);
        assert_eq!(h.show(v), "SUBSET Nat");
        let many = h.iv(1, 40);
        let v = sets::subset(h, many);
        assert_eq!(h.show(v), "SUBSET (1..40)");
        let text = "Attempted to apply the operator overridden by the Java method public static tlc2.value.impl.IntValue \
                    tlc2.module.FiniteSets.Cardinality(tlc2.value.impl.Value), but it produced the following error: Overflow \
                    when computing the number of elements in: SUBSET (1..40)";
        says(sets::cardinality(h, v), text);
        let two = h.ints(&[1, 2]);
        let r = sets::union(h, two, nat);
        gives(h, r, "{1, 2} \\cup Nat");
        let r = sets::union(h, nat, two);
        gives(h, r, "{1, 2} \\cup Nat");
        let one = h.ints(&[1]);
        let r = sets::union(h, one, i(2));
        gives(h, r, "{1} \\cup 2");
        let mixed = h.ints(&[1, -1]);
        let r = sets::intersection(h, nat, mixed);
        gives(h, r, "{1}");
        let r = sets::difference(h, mixed, nat);
        gives(h, r, "{-1}");
        let r = sets::difference(h, nat, one);
        gives(h, r, "Nat \\ {1}");
        says(sets::difference(h, one, i(2)), "Attempted to check if the value: 1 is an element of the integer 2");
        let (empty, first) = (h.ints(&[]), h.ints(&[1]));
        let v = sets::function_set(h, empty, first);
        assert_eq!(h.show(v), "{<<>>}");
        let v = sets::function_set(h, first, empty);
        assert_eq!(h.show(v), "{}");
        let (x, y, range) = (h.s("x"), h.s("y"), h.iv(1, 2));
        let letters = h.set(&[x, y]);
        let v = sets::function_set(h, range, letters);
        assert_eq!(h.show(v), "{<<\"x\", \"x\">>, <<\"x\", \"y\">>, <<\"y\", \"x\">>, <<\"y\", \"y\">>}");
        let (domain, range) = (h.iv(1, 3), h.iv(1, 4));
        let v = sets::function_set(h, domain, range);
        assert_eq!(sets::cardinality(h, v).unwrap(), 64);
        let (a, b, three) = (h.sym("a"), h.sym("b"), h.ints(&[3]));
        let v = sets::record_set(h, vec![(b, three), (a, two)]);
        assert_eq!(h.show(v), "{[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}");
        let v = sets::record_set(h, vec![(a, empty), (b, one)]);
        assert_eq!(h.show(v), "{}");
        let v = sets::record_set(h, vec![(a, nat)]);
        assert_eq!(h.show(v), "[a: Nat]");
        let zero = h.ints(&[0]);
        let v = sets::product(h, &[two, two, zero]);
        assert_eq!(h.show(v), "{<<1, 1, 0>>, <<1, 2, 0>>, <<2, 1, 0>>, <<2, 2, 0>>}");
        let odd = h.s("a \"b\"\n\\");
        assert_eq!(h.show(odd), r#""a \"b\"\n\\""#);
        let one = h.fun(&[(odd, i(1))]);
        assert_eq!(h.show(one), r#"("a \"b\"\n\\" :> 1)"#);
        assert_eq!(primed_value::print::print_short(h, numbers, 4), "{1, ...");
        let any = h.lazy(Lazy::Any);
        assert_eq!(h.show(any), "ANY");
    });
}

#[test]
fn unions_finiteness_and_filters() {
    with_host(|h| {
        let (one, two) = (h.ints(&[1]), h.ints(&[2, 1]));
        let both = h.set(&[one, two]);
        let r = sets::big_union(h, both);
        gives(h, r, "{1, 2}");
        let empty = h.set(&[]);
        let r = sets::big_union(h, empty);
        gives(h, r, "{}");
        let (range, nat) = (h.iv(1, 2), h.lazy(Lazy::Nat));
        let odd = h.set(&[range, nat]);
        let r = sets::big_union(h, odd);
        gives(h, r, "Attempted to compare overridden value Nat with non-overridden value: 1..2");
        let (a, three) = (h.s("a"), h.iv(2, 3));
        let letters = h.set(&[a]);
        let clash = h.set(&[one, letters]);
        says(sets::big_union(h, clash), "Attempted to check equality of integer 1 with non-integer: \"a\"");
        let ranges = h.set(&[range, three]);
        let lazy = sets::big_union(h, ranges).unwrap();
        assert_eq!(h.show(lazy), "{1, 2, 3}");
        assert_eq!(sets::cardinality(h, lazy).unwrap(), 3);
        assert!(sets::member(h, i(3), lazy).unwrap());
        let text = "Attempted to apply the operator overridden by the Java method public static tlc2.value.IBoolValue \
                    tlc2.module.FiniteSets.IsFiniteSet(tlc2.value.impl.Value), but it produced the following error: Attempted to \
                    check if the integer 1 is a finite set.";
        says(sets::is_finite_set(h, i(1)), text);
        for s in [sets::subset(h, nat), h.lazy(Lazy::String), sets::function_set(h, nat, one)] {
            assert!(!sets::is_finite_set(h, s).unwrap());
        }
        assert!(sets::is_finite_set(h, lazy).unwrap());
        says(sets::cardinality(h, nat), "Attempted to compute cardinality of the value Nat");
        says(sets::cardinality(h, i(1)), "Attempted to compute cardinality of the value 1");
        let even = h.filter(EVEN, nat);
        assert!(sets::member(h, i(4), even).unwrap() && !sets::member(h, i(5), even).unwrap());
        let range = h.iv(1, 6);
        let some = sets::intersection(h, range, even);
        gives(h, some, "{2, 4, 6}");
        let lazy = h.filter(EVEN, range);
        assert_eq!(h.show(lazy), "{2, 4, 6}");
        let fails = h.closure(FAILS, one);
        says(f::force(h, fails), "the body failed");
        let r = sets::union(h, one, nat).unwrap();
        assert!(sets::member(h, i(1), r).unwrap() && sets::member(h, i(9), r).unwrap());
        let subsets = sets::subset(h, nat);
        assert!(sets::member(h, one, subsets).unwrap());
    });
}

#[test]
fn mixed_sets_fail_when_they_must_be_sorted() {
    with_host(|h| {
        let a = h.s("a");
        let mixed = h.set(&[i(1), a]);
        assert!(matches!(mixed, Value::Mixed(_)));
        assert!(sets::member(h, i(1), mixed).unwrap());
        says(sets::member(h, a, mixed), "Attempted to check equality of integer 1 with non-integer: \"a\"");
        let nat = h.lazy(Lazy::Nat);
        says(sets::subset_eq(h, mixed, nat), "Attempted to compare string \"a\" with non-string: 1");
        says(sets::elements(h, mixed), "Attempted to compare string \"a\" with non-string: 1");
        let m = h.model("m1");
        let three = h.set(&[m, i(1), a]);
        gives(h, Ok(three), "Attempted to compare string \"a\" with non-string: 1");
        let (one, letters, two) = (h.ints(&[1]), h.set(&[a]), h.ints(&[1, 2]));
        let sets = h.set(&[one, two, letters]);
        gives(h, Ok(sets), "Attempted to compare string \"a\" with non-string: 1");
        let t = tuple(h, &[1]);
        let v = h.set(&[t, i(1)]);
        gives(h, Ok(v), "Attempted to compare integer 1 with non-integer: <<1>>");
        let x = h.set(&[i(1), m]);
        let y = h.set(&[m, i(1)]);
        assert!(primed_value::compare::equal(h, x, y).unwrap());
    });
}

#[test]
fn limits_are_errors() {
    with_host(|h| {
        h.limits.set_size = 1000;
        let range = h.iv(1, 1001);
        says(sets::elements(h, range), "Attempted to construct a set with too many elements (>1000).");
        let ten = h.iv(1, 10);
        let subsets = sets::subset(h, ten);
        says(sets::elements(h, subsets), "Attempted to construct a set with too many elements (>1000).");
        let huge = h.iv(i64::MIN, i64::MAX);
        says(sets::elements(h, huge), "Attempted to construct a set with too many elements (>1000).");
        h.limits.memory = 1 << 20;
        let thirty = h.iv(1, 30);
        let subsets = sets::subset(h, thirty);
        let mut elements = primed_value::iterate::Elements::new(h, subsets).unwrap();
        let error = loop {
            match elements.next(h) {
                Ok(element) => assert!(element.is_some()),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind, primed_value::error::EvalErrorKind::Limit);
        h.limits.memory = 10;
        assert!(primed_value::limits::check_memory(h).is_err());
        let v = build::empty_set();
        assert_eq!(h.show(v), "{}");
    });
}

#[test]
fn membership_and_equality_across_forms() {
    with_host(|h| {
        let equal = primed_value::compare::equal;
        let (none, one, two) = (h.ints(&[]), h.ints(&[1]), h.ints(&[2]));
        let (nat, range) = (h.lazy(Lazy::Nat), h.iv(1, 2));
        let (a, field, other) = (h.s("a"), h.sym("a"), h.sym("b"));
        let empty = sets::function_set(h, one, none);
        assert!(equal(h, none, empty).unwrap());
        let unit = sets::function_set(h, none, one);
        let tuple_of_none = h.tup(&[]);
        let unit_set = h.set(&[tuple_of_none]);
        assert!(equal(h, unit_set, unit).unwrap());
        let (s, t) = (sets::sequences(h, one), sets::sequences(h, two));
        assert!(!equal(h, s, t).unwrap());
        let functions = sets::function_set(h, range, nat);
        let text =
            "Attempted to check if 1 which is not a TLC function value, is in the set of functions: [1..2 -> Nat]";
        says(sets::member(h, i(1), functions), text);
        let pair = tuple(h, &[1, 2]);
        assert!(sets::member(h, pair, functions).unwrap());
        let longer = h.iv(1, 3);
        let functions = sets::function_set(h, longer, nat);
        assert!(!sets::member(h, pair, functions).unwrap());
        let records = sets::record_set(h, vec![(field, nat)]);
        let text = "Attempted to check if non-record \"a\" is in the set of records: [a: Nat]";
        says(sets::member(h, a, records), text);
        let record = h.rec(&[("a", i(1))]);
        let wider = sets::record_set(h, vec![(other, nat), (field, nat)]);
        assert!(sets::member(h, record, records).unwrap() && !sets::member(h, record, wider).unwrap());
        let odd = h.tup(&[i(1), a]);
        let numbers = sets::sequences(h, nat);
        says(sets::member(h, odd, numbers), "Attempted to check if the value: \"a\" is an element of Nat.");
        let product = sets::product(h, &[nat, nat]);
        let triple = tuple(h, &[1, 2, 3]);
        assert!(sets::member(h, pair, product).unwrap() && !sets::member(h, triple, product).unwrap());
        let (x, y) = (h.rec(&[("a", i(1))]), h.rec(&[("b", a)]));
        assert!(!equal(h, x, y).unwrap());
        let z = h.rec(&[("a", a)]);
        says(equal(h, x, z), "Attempted to check equality of integer 1 with non-integer: \"a\"");
        let (f1, f2) = (f::single(h, i(2), i(1)), f::single(h, i(3), a));
        assert!(!equal(h, f1, f2).unwrap());
        let f3 = f::single(h, i(1), i(1));
        says(equal(h, f3, x), "Attempted to compare an integer with non-integer: \"a\".");
    });
}
