//! Laws that hold for all values, on a set of values of every kind.

mod common;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use common::{EVEN, IDENTITY, TestHost, with_host};
use primed_value::build;
use primed_value::compare::{compare, equal};
use primed_value::encode::{read_interned, read_number, read_value, write_interner, write_value};
use primed_value::error::EvalErrorKind;
use primed_value::freeze::{Frozen, FrozenRow, canonical_row, copy_into, same_row};
use primed_value::functions::force;
use primed_value::hash::hash;
use primed_value::intern::Interner;
use primed_value::iterate::Elements;
use primed_value::permute;
use primed_value::sets;
use primed_value::value::{Lazy, Value};

/// Finite sets in every form, with many that are equal.
fn finite_sets<'a>(h: &mut TestHost<'a>) -> Vec<Value<'a>> {
    let (none, one, two, three) = (h.ints(&[]), h.ints(&[1]), h.ints(&[1, 2]), h.ints(&[3, 1, 2]));
    let (nat, range, wide) = (h.lazy(Lazy::Nat), h.iv(1, 3), h.iv(-2, 40));
    let (a, b) = (h.s("a"), h.s("b"));
    let letters = h.set(&[b, a]);
    let (fa, fb) = (h.sym("a"), h.sym("b"));
    let evens = h.filter(EVEN, range);
    let nested = h.set(&[one, two, none]);
    let ranges = h.set(&[range, one]);
    let subset = sets::subset(h, two);
    let m = h.model("m1");
    let mut all = vec![none, one, two, three, range, wide, letters, evens, nested, ranges, subset];
    all.push(sets::subset(h, none));
    all.push(sets::subset(h, range));
    all.push(sets::function_set(h, two, letters));
    all.push(sets::function_set(h, letters, two));
    all.push(sets::function_set(h, none, one));
    all.push(sets::function_set(h, two, none));
    all.push(sets::record_set(h, vec![(fb, two), (fa, letters)]));
    all.push(sets::product(h, &[two, letters, one]));
    all.push(sets::product(h, &[two, none]));
    all.push(h.lazy(Lazy::Union(two, subset)));
    all.push(h.lazy(Lazy::Union(range, two)));
    all.push(h.lazy(Lazy::Intersection(nat, range)));
    all.push(h.lazy(Lazy::Difference(range, two)));
    all.push(h.lazy(Lazy::BigUnion(nested)));
    all.push(h.lazy(Lazy::BigUnion(ranges)));
    all.push(h.set(&[m, Value::Int(1)]));
    all.push(sets::function_set(h, three, evens));
    let triples = sets::function_set(h, range, evens);
    all.push(triples);
    all.push(sets::to_enumerated(h, triples).unwrap());
    all
}

/// Values of every kind, with many that are equal.
fn universe<'a>(h: &mut TestHost<'a>) -> Vec<Value<'a>> {
    let mut all = finite_sets(h);
    all.retain(|s| !matches!(s, Value::Lazy(Lazy::Union(_, Value::Lazy(_)))));
    let (range, shifted) = (h.iv(1, 3), h.iv(2, 3));
    let (a, b) = (h.s("a"), h.s("b"));
    let letters = h.set(&[a, b]);
    let (x, y) = (h.closure(IDENTITY, range), h.closure(IDENTITY, shifted));
    let (z, w) = (h.closure(IDENTITY, letters), h.ints(&[]));
    let w = h.closure(IDENTITY, w);
    for f in [x, y, z, w] {
        all.push(f);
        all.push(force(h, f).unwrap());
    }
    all.extend([Value::Bool(false), Value::Bool(true), Value::Int(-1), Value::Int(0), Value::Int(7), a, b]);
    for name in ["m1", "m2", "A_1", "A_2", "B_1"] {
        all.push(h.model(name));
    }
    all.push(h.tup(&[a, a]));
    all.push(h.tup(&[a, b]));
    all.push(h.rec(&[("a", a), ("b", b)]));
    all.push(h.rec(&[("b", b)]));
    all.push(h.lazy(Lazy::Nat));
    all.push(h.lazy(Lazy::Int));
    all
}

#[test]
fn order_is_total_where_it_is_defined_and_agrees_with_equality() {
    with_host(|h| {
        let all = universe(h);
        for x in &all {
            assert_eq!(compare(h, *x, *x).unwrap(), Ordering::Equal);
            for y in &all {
                let (xy, yx) = (compare(h, *x, *y), compare(h, *y, *x));
                if let (Ok(xy), Ok(yx)) = (&xy, &yx) {
                    assert_eq!(*xy, yx.reverse(), "{} {}", h.show(*x), h.show(*y));
                    if let Ok(same) = equal(h, *x, *y) {
                        assert_eq!(same, xy.is_eq(), "{} {}", h.show(*x), h.show(*y));
                    }
                }
                for z in &all {
                    if let (Ok(Ordering::Less), Ok(Ordering::Less)) = (&xy, compare(h, *y, *z))
                        && let Ok(xz) = compare(h, *x, *z)
                    {
                        assert_eq!(xz, Ordering::Less, "{} {} {}", h.show(*x), h.show(*y), h.show(*z));
                    }
                }
            }
        }
    });
}

#[test]
fn equal_values_hash_equally_in_every_form() {
    with_host(|h| {
        let all = universe(h);
        let mut equals = 0;
        for (i, x) in all.iter().enumerate() {
            for y in &all[..i] {
                if let (Ok(same), Ok(a), Ok(b)) = (equal(h, *x, *y), hash(h, *x), hash(h, *y)) {
                    equals += usize::from(same);
                    assert_eq!(same, a == b, "{} {}", h.show(*x), h.show(*y));
                }
            }
        }
        assert!(equals > 15, "only {equals} equal pairs");
    });
}

#[test]
fn hashes_do_not_depend_on_the_order_of_interning() {
    let mut hashes = Vec::new();
    for first in ["zz", "yy"] {
        let (arena, symbols) = (bumpalo::Bump::new(), primed_value::symbol::Symbols::new());
        symbols.intern(first);
        let mut h =
            TestHost { arena: &arena, symbols: &symbols, limits: primed_value::host::Limits::default(), calls: 0 };
        let (y, z) = (h.s("yy"), h.s("zz"));
        let set = h.set(&[y, z, z]);
        let record = h.rec(&[("yy", set), ("zz", z)]);
        hashes.push(hash(&mut h, record).unwrap());
    }
    // A number that may never change.
    assert_eq!(hashes, [8_355_699_529_168_625_173; 2]);
}

#[test]
fn iteration_gives_exactly_the_elements() {
    with_host(|h| {
        for set in finite_sets(h) {
            let mut listed = Vec::new();
            let mut iterator = Elements::new(h, set).unwrap();
            while let Some(element) = iterator.next(h).unwrap() {
                assert!(sets::member(h, element, set).unwrap_or(true));
                listed.push(element);
            }
            let elements = match sets::elements(h, set) {
                Ok(elements) => elements.to_vec(),
                Err(_) => continue,
            };
            for pair in elements.windows(2) {
                assert_eq!(compare(h, pair[0], pair[1]).unwrap(), Ordering::Less, "{}", h.show(set));
            }
            let may_repeat = matches!(set, Value::Lazy(Lazy::Union(..) | Lazy::BigUnion(_)));
            if !may_repeat {
                assert_eq!(listed.len(), elements.len(), "{}", h.show(set));
                for (x, y) in listed.iter().zip(&elements) {
                    assert!(equal(h, *x, *y).unwrap());
                }
            }
            assert_eq!(sets::cardinality(h, set).unwrap(), elements.len() as i64);
            let again = build::set(h, listed).unwrap();
            assert!(equal(h, again, set).unwrap());
        }
    });
}

#[test]
fn large_sets_are_sorted_and_searched() {
    with_host(|h| {
        let mut state = 12345u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as i64 % 50
        };
        let items: Vec<Value<'_>> = (0..300).map(|_| h.tup(&[Value::Int(next()), Value::Int(next())])).collect();
        let set = build::set(h, items.clone()).unwrap();
        let elements = sets::elements(h, set).unwrap();
        assert!(elements.len() > 200 && elements.len() <= 300);
        for pair in elements.windows(2) {
            assert_eq!(compare(h, pair[0], pair[1]).unwrap(), Ordering::Less);
        }
        for item in &items {
            assert!(sets::member(h, *item, set).unwrap());
        }
        let absent = h.tup(&[Value::Int(99), Value::Int(99)]);
        assert!(!sets::member(h, absent, set).unwrap());
        assert!(sets::member(h, Value::Int(1), set).is_err());
        let (half, rest) = items.split_at(150);
        let (x, y) = (build::set(h, half.to_vec()).unwrap(), build::set(h, rest.to_vec()).unwrap());
        let union = sets::union(h, x, y).unwrap();
        assert!(equal(h, union, set).unwrap());
        let only_x = sets::difference(h, set, y).unwrap();
        let both = sets::intersection(h, x, y).unwrap();
        let x_again = sets::union(h, only_x, both).unwrap();
        assert!(equal(h, x_again, x).unwrap());
        assert!(sets::subset_eq(h, x, set).unwrap() && !sets::subset_eq(h, set, x).unwrap());
    });
}

#[test]
fn values_that_are_nested_too_deep_are_errors() {
    with_host(|h| {
        let (mut x, mut y) = (Value::Int(1), Value::Int(1));
        for _ in 0..50_000 {
            x = h.tup(&[x]);
            y = h.set(&[y]);
        }
        let other = h.tup(&[x]);
        let error = equal(h, x, other).unwrap_err();
        assert_eq!(error.kind, EvalErrorKind::StackOverflow);
        assert_eq!(hash(h, x).unwrap_err().kind, EvalErrorKind::StackOverflow);
        assert_eq!(hash(h, y).unwrap_err().kind, EvalErrorKind::StackOverflow);
        assert!(primed_value::print::print(h, x).is_err());
        let _ = primed_value::print::print_short(h, y, 100);
        let nat = h.lazy(Lazy::Nat);
        let (mut union, mut subset) = (nat, nat);
        for _ in 0..50_000 {
            union = h.lazy(Lazy::Union(union, nat));
            subset = h.lazy(Lazy::Subset(subset));
        }
        assert!(sets::member(h, Value::Int(-1), union).is_err());
        assert!(sets::cardinality(h, subset).is_err());
        assert!(sets::is_finite_set(h, subset).is_err());
        assert!(Elements::new(h, subset).is_err());
        let mut out = String::new();
        assert!(primed_value::itf::write(h, x, &mut out).is_err());
        // Copying does not recurse.
        let arena = bumpalo::Bump::new();
        let mut copy = copy_into(&arena, x);
        for _ in 0..50_000 {
            copy = match copy {
                Value::Tuple(t) => t.elements[0],
                _ => panic!("not a tuple"),
            };
        }
        assert!(matches!(copy, Value::Int(1)));
    });
}

#[test]
fn freeze_keeps_values_and_hashes() {
    let symbols = primed_value::symbol::Symbols::new();
    for text in ["m1", "m2", "A_1", "B_1", "a", "b"] {
        symbols.intern(text);
    }
    let arena = bumpalo::Bump::new();
    let mut h = TestHost { arena: &arena, symbols: &symbols, limits: primed_value::host::Limits::default(), calls: 0 };
    let h = &mut h;
    for v in universe(h) {
        // What cannot be in a state has no hash.
        let before = hash(h, v).ok();
        let frozen = Frozen::new(h, v).unwrap();
        // The copy may be read from other threads, and be moved.
        let frozen = std::thread::spawn(move || {
            let moved = frozen;
            let _ = format!("{:?}", moved.get());
            moved
        })
        .join()
        .unwrap();
        let back = copy_into(&arena, frozen.get());
        drop(frozen);
        assert!(equal(h, v, back).unwrap());
        assert_eq!(hash(h, back).ok(), before);
    }
    let nat = h.lazy(Lazy::Nat);
    let infinite = h.closure(IDENTITY, nat);
    let frozen = Frozen::new(h, infinite).unwrap();
    assert!(matches!(frozen.get(), Value::Closure(c) if matches!(c.domain, Value::Lazy(Lazy::Nat))));
}

#[test]
fn freeze_rows_compare_by_value() {
    let symbols = primed_value::symbol::Symbols::new();
    let arena = bumpalo::Bump::new();
    let mut h = TestHost { arena: &arena, symbols: &symbols, limits: primed_value::host::Limits::default(), calls: 0 };
    let h = &mut h;
    let all: Vec<Value<'_>> = universe(h).into_iter().filter(|v| hash(h, *v).is_ok()).collect();
    let rows: Vec<FrozenRow> = all.iter().map(|v| FrozenRow::new(h, &[Value::Int(3), *v]).unwrap()).collect();
    for (x, a) in all.iter().zip(&rows) {
        assert_eq!(a.get().len(), 2);
        for (y, b) in all.iter().zip(&rows) {
            if let Ok(same) = equal(h, *x, *y) {
                assert_eq!(same, a == b, "{} {}", h.show(*x), h.show(*y));
            }
        }
    }
    let a = h.s("a");
    let mixed = h.set(&[Value::Int(1), a]);
    assert!(FrozenRow::new(h, &[mixed]).is_err());
}

#[test]
fn itf_is_tagged_json() {
    with_host(|h| {
        let (a, m) = (h.s("a\"\u{1}"), h.model("m1"));
        let (set, range, nat) = (h.ints(&[2, 1]), h.iv(1, 2), h.lazy(Lazy::Nat));
        let function = h.fun(&[(Value::Int(3), a), (Value::Int(4), m)]);
        let record = h.rec(&[("a", set), ("b", function)]);
        let tuple = h.tup(&[record, range, nat, Value::Int(1 << 60), Value::Bool(true)]);
        let mut out = String::new();
        primed_value::itf::write(h, tuple, &mut out).unwrap();
        let expected = concat!(
            r##"{"#tup":[{"a":{"#set":[1,2]},"b":{"#map":[[3,"a\"\u0001"],[4,"m1"]]}},{"#set":[1,2]},"##,
            r##"{"#unserializable":"Nat"},{"#bigint":"1152921504606846976"},true]}"##
        );
        assert_eq!(out, expected);
    });
}

#[test]
fn operations_on_sets_agree_with_a_simple_model() {
    let mut state = 99u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    with_host(|h| {
        for _ in 0..2000 {
            let mut sets_of = Vec::new();
            for _ in 0..2 {
                let (size, lo) = (next(14), next(10) as i64);
                let interval = next(3) == 0;
                let numbers: BTreeSet<i64> = match interval {
                    true => (lo..lo + size as i64).collect(),
                    false => (0..size).map(|_| next(20) as i64).collect(),
                };
                let v = match interval {
                    true => h.iv(lo, lo + size as i64 - 1),
                    false => {
                        let items: Vec<i64> = numbers.iter().rev().copied().collect();
                        h.ints(&items)
                    }
                };
                sets_of.push((numbers, v));
            }
            let [(a, x), (b, y)] = &sets_of[..] else { panic!("two sets") };
            let (x, y) = (*x, *y);
            let cases = [
                (sets::union(h, x, y), a.union(b).copied().collect::<Vec<i64>>()),
                (sets::intersection(h, x, y), a.intersection(b).copied().collect()),
                (sets::difference(h, x, y), a.difference(b).copied().collect()),
            ];
            for (result, expected) in cases {
                let result = result.unwrap();
                let expected = h.ints(&expected);
                assert!(equal(h, result, expected).unwrap(), "{} {}", h.show(x), h.show(y));
                assert_eq!(hash(h, result).unwrap(), hash(h, expected).unwrap());
                let elements = sets::elements(h, result).unwrap();
                let expected = sets::elements(h, expected).unwrap();
                assert_eq!(elements.len(), expected.len());
            }
            assert_eq!(sets::subset_eq(h, x, y).unwrap(), a.is_subset(b));
            assert_eq!(equal(h, x, y).unwrap(), a == b);
            assert_eq!(compare(h, x, y).unwrap(), a.len().cmp(&b.len()).then(a.cmp(b)));
            assert_eq!(sets::cardinality(h, x).unwrap(), a.len() as i64);
            for i in -1..22 {
                assert_eq!(sets::member(h, Value::Int(i), x).unwrap(), a.contains(&i));
            }
        }
    });
}

#[test]
fn frozen_values_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Frozen>();
    shared::<FrozenRow>();
}

#[test]
fn values_come_back_from_bytes() {
    with_host(|h| {
        let all = universe(h);
        let mut written = 0;
        for value in all {
            let Ok(row) = canonical_row(h, &[value]) else { continue };
            let mut bytes = Vec::new();
            write_value(&mut bytes, row[0]).unwrap();
            let back = read_value(h, &mut bytes.as_slice()).unwrap();
            assert!(same_row(&row, &[back]), "{}", h.show(value));
            assert_eq!(hash(h, back).unwrap(), hash(h, row[0]).unwrap());
            written += 1;
            // Damage is an error or another value, never worse.
            for at in 0..bytes.len() {
                assert!(read_value(h, &mut &bytes[..at]).is_err());
                for change in [1, 0x7f, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[at] ^= change;
                    let _ = read_value(h, &mut damaged.as_slice());
                }
            }
        }
        assert!(written > 40, "only {written} values");
        let deep: Vec<u8> = [5, 1].repeat(100_000);
        assert!(read_value(h, &mut deep.as_slice()).is_err());
    });
}

#[test]
fn a_table_of_values_is_read_back_with_the_same_numbers() {
    with_host(|h| {
        let (one, two) = (Interner::new(), Interner::new());
        let ids: Vec<_> =
            universe(h).into_iter().filter_map(|value| Some((value, one.intern(h, value).ok()?))).collect();
        assert!(one.len() > 20, "only {} values", one.len());
        let mut bytes = Vec::new();
        write_interner(&mut bytes, &one).unwrap();
        let mut input = bytes.as_slice();
        for _ in 0..read_number(&mut input).unwrap() {
            read_interned(h, &mut input, &two).unwrap();
        }
        assert!(input.is_empty());
        for (value, id) in ids {
            assert_eq!(two.intern(h, value).unwrap(), id, "{}", h.show(value));
        }
        assert_eq!(two.len(), one.len());
        // A value that is there already is no next one.
        let mut again = bytes.as_slice();
        read_number(&mut again).unwrap();
        assert!(read_interned(h, &mut again, &two).is_err());
    });
}

#[test]
fn permutations_form_a_group_and_map_values_of_every_kind() {
    with_host(|h| {
        let models: Vec<Value<'_>> = ["p", "q", "r", "s"].iter().map(|n| h.model(n)).collect();
        let [p, q, r, s] = models[..] else { panic!("four") };
        let swap = h.fun(&[(p, q), (q, p), (r, r), (s, s)]);
        let turn = h.fun(&[(p, q), (q, r), (r, s), (s, p)]);
        for (generators, size) in
            [(vec![swap], 1), (vec![turn], 3), (vec![swap, turn], 23), (vec![turn, swap, turn], 23)]
        {
            let set = h.set(&generators);
            assert_eq!(permute::group(h, set).unwrap().len(), size);
        }
        let set = h.set(&[swap]);
        let group = permute::group(h, set).unwrap();
        let inner = h.set(&[p, r]);
        let value = h.rec(&[("f", inner), ("g", p)]);
        let value = h.tup(&[value, swap, Value::Int(3)]);
        let (f, g) = (h.set(&[r, q]), q);
        let expected = h.rec(&[("f", f), ("g", g)]);
        let expected = h.tup(&[expected, swap, Value::Int(3)]);
        let image = group[0].apply(h, value).unwrap();
        assert!(equal(h, image, expected).unwrap(), "{}", h.show(image));
        for wrong in [Value::Int(1), h.set(&[p]), h.fun(&[(p, Value::Int(1))])] {
            assert!(permute::group(h, wrong).is_err());
        }
        let number = h.fun(&[(Value::Int(0), p)]);
        let number = h.set(&[number]);
        assert!(permute::group(h, number).is_err());
    });
}
