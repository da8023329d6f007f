//! Interned values: kept whole and kept as lists of ids.

mod common;

use bumpalo::Bump;
use common::{TestHost, with_host};
use primed_value::compare::equal;
use primed_value::encode::{read_interned, read_number, write_interner};
use primed_value::intern::Interner;
use primed_value::symbol::Symbols;
use primed_value::value::{Lazy, Value};
use primed_value::{build, held, sets};

/// Large and small values of every kind that a state can hold, nested, with some that are equal.
fn values<'a>(h: &mut TestHost<'a>) -> Vec<Value<'a>> {
    let numbers: Vec<Value<'a>> = (0..9).map(Value::Int).collect();
    let mut all = vec![Value::Bool(true), Value::Int(-7), Value::Int(1 << 40), h.s("text"), h.model("m")];
    let (set, interval) = (h.set(&numbers), h.iv(0, 8));
    let (huge, same) = (h.iv(1 << 40, (1 << 40) + 5), (0..6).map(|n| Value::Int((1 << 40) + n)).collect::<Vec<_>>());
    let same = h.set(&same);
    let tuple = h.tup(&numbers);
    let record = h.rec(&[("a", set), ("b", tuple), ("c", interval), ("d", Value::Int(1)), ("e", huge)]);
    let function = h.fun(&[(set, record), (huge, tuple), (same, interval)]);
    let wide: Vec<_> = (0..6).map(|n| (h.iv(n, n + 7), h.iv(0, n))).collect();
    let wide = h.fun(&wide);
    // A domain of large values, and a function whose domain holds a function.
    let inner = h.fun(&[(function, set)]);
    let outer = h.fun(&[(inner, wide)]);
    let small = h.tup(&[outer]);
    let one = h.set(&[small]);
    let subset = sets::subset(h, interval);
    let pairs = sets::product(h, &[interval, set]);
    all.extend([set, interval, huge, same, tuple, record, function, wide, inner, outer, small, one, subset, pairs]);
    let of_lazy = h.tup(&[pairs, subset, interval, huge]);
    all.extend([of_lazy, h.ints(&[]), h.tup(&[])]);
    all
}

/// An evaluator with an arena and symbols of its own, which values out of a table may live in.
fn host<'a>(arena: &'a Bump, symbols: &'a Symbols) -> TestHost<'a> {
    TestHost { arena, symbols, limits: primed_value::host::Limits::default(), calls: 0 }
}

fn tables() -> [Interner; 4] {
    [Interner::new(), Interner::keeping_whole(0), Interner::keeping_whole(3), Interner::keeping_whole(12)]
}

#[test]
fn equal_values_have_equal_ids_however_they_are_kept() {
    let (tables, symbols) = (tables(), Symbols::new());
    for table in &tables {
        let arena = Bump::new();
        let h = &mut host(&arena, &symbols);
        {
            let all = values(h);
            let ids: Vec<_> = all.iter().map(|value| table.intern(h, *value).unwrap()).collect();
            let count = table.len();
            for (value, id) in all.iter().zip(&ids) {
                let back = table.get(h.arena, *id);
                assert!(equal(h, back, *value).unwrap());
                // What came out of it is known, and so is what is built of that.
                assert_eq!(table.known(back), Some(*id).filter(|_| table.known(back).is_some()));
                assert_eq!(table.intern(h, back).unwrap(), *id);
                assert_eq!(table.is_set(*id), sets::is_set(*value));
                let pair = h.tup(&[back, *value]);
                let twice = h.tup(&[*value, back]);
                assert_eq!(table.intern(h, pair).unwrap(), table.intern(h, twice).unwrap());
            }
            for (a, x) in all.iter().zip(&ids) {
                for (b, y) in all.iter().zip(&ids) {
                    if let Ok(same) = equal(h, *a, *b) {
                        assert_eq!(same, x == y, "{} and {}", h.show(*a), h.show(*b));
                    }
                }
            }
            let again: Vec<_> = values(h).iter().map(|value| table.intern(h, *value).unwrap()).collect();
            assert_eq!(again, ids);
            assert!(table.len() >= count && table.allocated_bytes() > 0);
        }
    }
}

#[test]
fn copies_are_parts_of_what_is_stored_later() {
    let (table, symbols, arena) = (Interner::keeping_whole(0), Symbols::new(), Bump::new());
    let h = &mut host(&arena, &symbols);
    let all = values(h);
    let ids: Vec<_> = all.iter().map(|value| table.intern(h, *value).unwrap()).collect();
    // In an arena that is gone when the values are asked for.
    let (tuples, functions): (Vec<_>, Vec<_>) = {
        let arena = Bump::new();
        let mut g = host(&arena, &symbols);
        let copies: Vec<Value<'_>> = ids.iter().map(|id| table.get(&arena, *id)).collect();
        let pairs = copies.iter().map(|copy| {
            let domain = g.fun(&[(*copy, Value::Int(1))]);
            let tuple = g.tup(&[*copy, *copy, *copy, *copy]);
            (table.intern(&mut g, tuple).unwrap(), table.intern(&mut g, domain).unwrap())
        });
        pairs.unzip()
    };
    for ((value, tuple), function) in all.into_iter().zip(tuples).zip(functions) {
        let expected = (h.tup(&[value; 4]), h.fun(&[(value, Value::Int(1))]));
        let found = (table.get(&arena, tuple), table.get(&arena, function));
        assert!(equal(h, found.0, expected.0).unwrap());
        assert!(equal(h, found.1, expected.1).unwrap());
        assert_eq!(table.intern(h, expected.0).unwrap(), tuple);
        assert_eq!(table.intern(h, expected.1).unwrap(), function);
    }
}

#[test]
fn a_table_is_read_back_with_the_same_numbers() {
    with_host(|h| {
        for (one, two) in tables().into_iter().zip(tables()) {
            let all = values(h);
            let ids: Vec<_> = all.iter().filter_map(|value| Some((*value, one.intern(h, *value).ok()?))).collect();
            let mut bytes = Vec::new();
            write_interner(&mut bytes, &one).unwrap();
            let mut input = bytes.as_slice();
            for _ in 0..read_number(&mut input).unwrap() {
                read_interned(h, &mut input, &two).unwrap();
            }
            assert!(input.is_empty());
            assert!(ids.iter().all(|(value, id)| two.intern(h, *value).unwrap() == *id));
            assert_eq!(one.len(), two.len());
        }
    });
}

#[test]
fn what_has_no_canonical_form_is_held_as_it_stands() {
    let (table, symbols, arena) = (Interner::new(), Symbols::new(), Bump::new());
    let h = &mut host(&arena, &symbols);
    {
        let mixed = [h.s("a"), Value::Int(1)];
        let mixed = build::set(h, mixed.to_vec()).unwrap();
        let nat = h.lazy(Lazy::Nat);
        for part in [mixed, nat] {
            let whole = [h.tup(&[part, Value::Int(1)]), h.rec(&[("f", part)]), sets::subset(h, part)];
            for value in whole.into_iter().chain([part]) {
                assert!(table.intern(h, value).is_err());
                let id = table.hold(h, value).unwrap();
                assert!(Interner::is_held(id) && table.hold(h, value).unwrap() == id);
                assert!(table.is(h, value, id).unwrap() && !table.is(h, Value::Int(1), id).unwrap());
                let back = table.get(&arena, id);
                assert_eq!(h.show(back), h.show(value));
                assert_eq!(table.hold(h, back).unwrap(), id);
            }
        }
        // What has one is interned.
        let (one, two) = (h.iv(1, 3), h.ints(&[1, 2, 3]));
        assert_eq!(table.hold(h, one).unwrap(), table.intern(h, two).unwrap());
        assert!(!table.holds_none() && Interner::new().holds_none() && table.allocated_bytes() > 0);
    }
}

#[test]
fn initial_states_of_simulations_are_put_into_order() {
    with_host(|h| {
        let mixed = [h.s("a"), Value::Int(1)];
        let mixed = build::set(h, mixed.to_vec()).unwrap();
        let (nat, subsets) = (h.lazy(Lazy::Nat), sets::subset(h, mixed));
        for value in [mixed, subsets, h.tup(&[mixed]), h.rec(&[("f", subsets)])] {
            assert!(held::put_into_order(h, value).is_err(), "{}", h.show(value));
        }
        let infinite = [nat, sets::subset(h, nat), h.tup(&[nat, nat])];
        assert!(infinite.into_iter().all(|value| held::put_into_order(h, value).is_ok()));
    });
}

#[test]
fn workers_agree() {
    let table = Interner::keeping_whole(40);
    let ids: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let work = || {
            scope.spawn(|| {
                let mut ids = Vec::new();
                with_host(|h| {
                    for n in 0..300 {
                        let items: Vec<Value<'_>> = (0..n % 17).map(|i| Value::Int(i * n % 23)).collect();
                        let (set, tuple) = (h.set(&items), h.tup(&items));
                        let function = h.fun(&[(tuple, set)]);
                        let outer = h.tup(&[function, set, function, tuple]);
                        ids.push(table.intern(h, outer).unwrap().0);
                    }
                });
                ids
            })
        };
        let threads: Vec<_> = (0..4).map(|_| work()).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|list| *list == ids[0]));
}

/// Lists that differ from each other in one place: numbers, none of them twice.
fn chain(seed: u32, grows: bool) -> Vec<Vec<i64>> {
    let mut list: Vec<i64> = (0..200).map(|n| n * 10).collect();
    let mut all = vec![list.clone()];
    for n in 0..60u32 {
        let at = (n.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8) as usize % list.len();
        let new = i64::from(n) * 10_000 + 1_000 + i64::from(seed);
        if grows && n % 3 > 0 {
            list.insert(at, new);
        } else {
            list[at] = new;
        }
        all.push(list.clone());
    }
    all
}

#[test]
fn what_differs_from_what_was_looked_at_is_told_by_that() {
    for (grows, seed) in [(true, 0), (false, 0), (true, 7), (false, 99)] {
        let (table, alone) = (Interner::keeping_whole(0), Interner::keeping_whole(0));
        let (symbols, arena) = (Symbols::new(), Bump::new());
        let h = &mut host(&arena, &symbols);
        let wrap = |h: &mut TestHost<'_>, list: &[i64]| -> Vec<primed_value::intern::ValueId> {
            let arena = Bump::new();
            let symbols = h.symbols;
            let mut g = host(&arena, symbols);
            let elements: Vec<Value<'_>> = list.iter().map(|n| g.tup(&[Value::Int(*n)])).collect();
            let points: Vec<_> = elements.iter().enumerate().map(|(n, e)| (Value::Int(n as i64 * 2), *e)).collect();
            let values = [g.set(&elements), g.tup(&elements), g.fun(&points)];
            values.map(|value| table.intern(&mut g, value).unwrap()).to_vec()
        };
        let lists = chain(seed, grows);
        let mut ids: Vec<Vec<_>> = Vec::new();
        for list in &lists {
            // Looked at as a worker does that expands the state before.
            for id in ids.last().into_iter().flatten() {
                table.get(h.arena, *id);
            }
            ids.push(wrap(h, list));
        }
        let count = table.len();
        for (list, own) in lists.iter().zip(&ids) {
            assert_eq!(&wrap(h, list), own);
            let elements: Vec<Value<'_>> = list.iter().map(|n| h.tup(&[Value::Int(*n)])).collect();
            let points: Vec<_> = elements.iter().enumerate().map(|(n, e)| (Value::Int(n as i64 * 2), *e)).collect();
            let expected = [h.set(&elements), h.tup(&elements), h.fun(&points)];
            for (id, value) in own.iter().zip(expected) {
                let found = table.get(h.arena, *id);
                assert!(equal(h, found, value).unwrap(), "{}", h.show(found));
                assert_eq!(h.show(found), h.show(value));
                alone.intern(h, value).unwrap();
            }
        }
        assert_eq!((table.len(), alone.len()), (count, count));
        // One arena is looked at in between: the other has whole lists.
        assert!(table.allocated_bytes() < alone.allocated_bytes());
    }
}
