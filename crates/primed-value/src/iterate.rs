//! Lazy iteration over sets in TLC's order, so that a quantifier can stop early without building the set.
//!
//! `SUBSET S` comes by cardinality, then lexicographically; functions, records and tuples as odometers with the last component
//! fastest; sets and intervals ascending; `S \cup T` and `UNION S` set after set, with what occurs twice coming twice, as in TLC.

use crate::build;
use crate::error::EvalError;
use crate::fail::{deeper, fail, show};
use crate::host::{Host, Listing, Result};
use crate::limits::check_memory;
use crate::sets::{elements_at, is_enumerable, member_at};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};

/// A lazy iterator over a set.
#[derive(Debug)]
pub struct Elements<'a> {
    kind: Kind<'a>,
    /// How deep in other values the set was.
    depth: u32,
}

#[derive(Debug)]
enum Kind<'a> {
    Slice(std::slice::Iter<'a, Value<'a>>),
    Interval(std::ops::RangeInclusive<i64>),
    Subset(Box<Subsets<'a>>),
    Odometer(Box<Odometer<'a>>),
    Chain(Box<Elements<'a>>, Box<Elements<'a>>),
    /// Elements whose membership in the set is as the flag says.
    Kept(Box<Elements<'a>>, Value<'a>, bool),
    /// Those found so far are kept if there are at most so many.
    Filtered(Box<Elements<'a>>, &'a Closure<'a>, Option<(Vec<Value<'a>>, usize)>),
    Flattened(Value<'a>, Box<Elements<'a>>, Option<Box<Elements<'a>>>),
}

impl<'a> Elements<'a> {
    /// An iterator over a set.
    ///
    /// # Errors
    /// TLC's when the value is not a set that it can enumerate; see also [`non_enumerable_bound`].
    #[inline]
    pub fn new<H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Elements<'a>> {
        Self::new_at(h, s, 0)
    }

    pub(crate) fn new_at<H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<Elements<'a>> {
        let kind = match s {
            Value::Set(set) => Kind::Slice(set.elements.iter()),
            Value::Interval((lo, hi)) => Kind::Interval(*lo..=*hi),
            Value::Mixed(items) => Kind::Slice(build::sorted(h, items, depth)?.iter()),
            Value::Lazy(lazy @ Lazy::Filter(..)) => Self::lazy(h, s, lazy, depth)?,
            Value::Lazy(lazy) => Self::lazy(h, s, lazy, depth).map_err(EvalError::in_made)?,
            _ => return Err(non_enumerable_bound(h, s)),
        };
        Ok(Elements { kind, depth })
    }

    fn lazy<H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, lazy: &'a Lazy<'a>, depth: u32) -> Result<Kind<'a>> {
        let depth = deeper(h, depth)?;
        let boxed = |h: &mut H, s: Value<'a>| Self::new_at(h, s, depth).map(Box::new);
        Ok(match lazy {
            Lazy::Subset(base) => Kind::Subset(Box::new(Subsets::new(h, *base, depth)?)),
            Lazy::Functions(..) | Lazy::Records(..) | Lazy::Product(_) => {
                Kind::Odometer(Box::new(Odometer::new(h, lazy, depth)?))
            }
            Lazy::Union(a, b) if is_enumerable(*a) && is_enumerable(*b) => Kind::Chain(boxed(h, *a)?, boxed(h, *b)?),
            Lazy::Union(a, b) => {
                let (a, b) = (show(h, *a), show(h, *b));
                return fail(format!(
                    "Attempted to enumerate S \\cup T when S:\n{a}\nand T:\n{b}\nare not both enumerable"
                ));
            }
            Lazy::Intersection(a, b) if is_enumerable(*a) => Kind::Kept(boxed(h, *a)?, *b, true),
            Lazy::Intersection(a, b) if is_enumerable(*b) => Kind::Kept(boxed(h, *b)?, *a, true),
            Lazy::Intersection(a, b) => {
                let (a, b) = (show(h, *a), show(h, *b));
                return fail(format!(
                    "Attempted to enumerate S \\cap T when neither S:\n{a}\nnor T:\n{b}\nis enumerable"
                ));
            }
            Lazy::Difference(a, b) if is_enumerable(*a) => Kind::Kept(boxed(h, *a)?, *b, false),
            Lazy::Difference(a, _) => {
                let a = show(h, *a);
                return fail(format!("Attempted to enumerate S \\ T when S:\n{a}\nis not enumerable."));
            }
            Lazy::Filter(a, closure) if is_enumerable(*a) => match h.listing(closure) {
                Listing::Kept(elements) => Kind::Slice(elements.iter()),
                Listing::Again(most) => Kind::Filtered(boxed(h, *a)?, closure, Some((Vec::new(), most))),
                Listing::Once => Kind::Filtered(boxed(h, *a)?, closure, None),
            },
            Lazy::Filter(a, _) => {
                let a = show(h, *a);
                return fail(format!("Attempted to enumerate {{ x \\in S : p(x) }} when S:\n{a}\nis not enumerable"));
            }
            Lazy::BigUnion(set) if is_enumerable(*set) => {
                let mut sets = boxed(h, *set)?;
                let first = match sets.next(h)? {
                    Some(first) if !is_enumerable(first) => {
                        return fail("Attempted to enumerate UNION(s), but some element of s is nonenumerable.");
                    }
                    Some(first) => Some(boxed(h, first)?),
                    None => None,
                };
                Kind::Flattened(s, sets, first)
            }
            Lazy::BigUnion(set) => {
                let set = show(h, *set);
                return fail(format!("Attempted to enumerate the nonenumerable set:\n{set}"));
            }
            _ => return Err(non_enumerable_bound(h, s)),
        })
    }

    /// What is still to come, if it is at hand as a whole: the quickest way for a loop that does not stop early.
    #[inline]
    pub fn as_slice(&self) -> Option<&'a [Value<'a>]> {
        match &self.kind {
            Kind::Slice(slice) => Some(slice.as_slice()),
            _ => None,
        }
    }

    /// The next element.
    ///
    /// # Errors
    /// Those of evaluating a filter or a membership on the way.
    #[inline]
    pub fn next<H: Host<'a> + ?Sized>(&mut self, h: &mut H) -> Result<Option<Value<'a>>> {
        match &mut self.kind {
            Kind::Slice(slice) => Ok(slice.next().copied()),
            Kind::Interval(range) => Ok(range.next().map(Value::Int)),
            _ => self.next_computed(h),
        }
    }

    fn next_computed<H: Host<'a> + ?Sized>(&mut self, h: &mut H) -> Result<Option<Value<'a>>> {
        check_memory(h)?;
        h.spend(1)?;
        match &mut self.kind {
            Kind::Subset(subsets) => Ok(subsets.next(h)),
            Kind::Odometer(odometer) => odometer.next(h),
            Kind::Chain(first, second) => match first.next(h)? {
                None => second.next(h),
                element => Ok(element),
            },
            Kind::Kept(elements, set, flag) => {
                while let Some(element) = elements.next(h)? {
                    h.spend(1)?;
                    if member_at(h, element, *set, self.depth)? == *flag {
                        return Ok(Some(element));
                    }
                }
                Ok(None)
            }
            Kind::Filtered(elements, closure, found) => {
                while let Some(element) = elements.next(h)? {
                    match h.call(closure, element)? {
                        Value::Bool(true) => {
                            if let Some((kept, _)) = found.as_mut().filter(|(kept, most)| kept.len() < *most) {
                                kept.push(element);
                            } else {
                                *found = None;
                            }
                            return Ok(Some(element));
                        }
                        Value::Bool(false) => {}
                        _ => {
                            let place = h.described(closure);
                            return fail(format!("Evaluating predicate {place} yielded non-Boolean value."));
                        }
                    }
                }
                if let Some((kept, _)) = found.take() {
                    h.listed(closure, &kept);
                }
                Ok(None)
            }
            Kind::Flattened(whole, sets, current) => loop {
                if let Some(elements) = current
                    && let Some(element) = elements.next(h)?
                {
                    return Ok(Some(element));
                }
                let Some(set) = sets.next(h)? else {
                    return Ok(None);
                };
                if !is_enumerable(set) {
                    let (set, whole) = (show(h, set), show_union(h, *whole));
                    return fail(format!(
                        "Attempted to enumerate the nonenumerable set:\n{set}\nwhen enumerating:\n{whole}"
                    ));
                }
                *current = Some(Box::new(Elements::new_at(h, set, self.depth)?));
            },
            // The three of `next`.
            Kind::Slice(_) | Kind::Interval(_) => Ok(None),
        }
    }
}

fn show_union<'a, H: Host<'a> + ?Sized>(h: &mut H, whole: Value<'a>) -> String {
    match whole {
        Value::Lazy(Lazy::BigUnion(set)) => format!("UNION({})", show(h, *set)),
        _ => show(h, whole),
    }
}

/// TLC's error for a quantifier over a value that it cannot enumerate.
#[cold]
pub fn non_enumerable_bound<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Box<EvalError> {
    let bound = show(h, s);
    let mut text = format!("TLC encountered a non-enumerable quantifier bound\n{bound}");
    let infinite = match s {
        Value::Lazy(Lazy::Nat | Lazy::Int) => format!(
            "The set {bound} contains infinitely many elements. As a result, TLC cannot evaluate expressions that\n\
             universally (\\A) or existentially (\\E) quantify over {bound}, because this would require checking an\n\
             infinite number of cases. Note that TLC handles set membership like T \\subseteq {bound} for any finite set T."
        ),
        Value::Lazy(Lazy::Sequences(_)) => format!(
            "In TLA+, Seq(S) represents the set of all finite sequences whose elements come from the set S. Even when S\n\
             is a finite set, the number of possible sequences in Seq(S) is unbounded because sequences can have any\n\
             finite length (e.g., length 0, 1, 2, and so on). As a result, TLC cannot evaluate expressions that\n\
             universally (\\A) or existentially (\\E) quantify over {bound}, because this would require checking an\n\
             infinite number of cases. Note that for a finite set of sequences s, TLC handles s \\subseteq Seq(S).\n\
             See https://explain.tlapl.us/seq-unenumerable for additional details."
        ),
        _ => String::new(),
    };
    if infinite.is_empty() {
        text.push('.');
    } else {
        text = format!("TLC encountered the non-enumerable quantifier bound\n{bound}\n{infinite}");
    }
    EvalError::new(crate::fail::GENERAL, text)
}

/// Subsets of growing cardinality; those of one cardinality by the positions of their elements.
#[derive(Debug)]
struct Subsets<'a> {
    base: &'a [Value<'a>],
    /// Positions of the next subset, ascending; `None` after the last.
    positions: Option<Vec<usize>>,
}

impl<'a> Subsets<'a> {
    fn new<H: Host<'a> + ?Sized>(h: &mut H, base: Value<'a>, depth: u32) -> Result<Subsets<'a>> {
        let base = match is_enumerable(base) {
            true => match elements_at(h, base, depth) {
                // TLC asks for the size first, for which a set need not be listed.
                Err(_) if matches!(crate::sets::size_at(h, base, depth), Ok(0)) => &[],
                elements => elements?,
            },
            false if crate::sets::size_at(h, base, depth)? == 0 => &[],
            false => {
                let base = show(h, base);
                let of = "Attempted to compute the value of an expression of form\nSUBSET S, but S is a non-enumerable value:";
                return fail(format!("{of}\n{base}"));
            }
        };
        Ok(Subsets { base, positions: Some(Vec::new()) })
    }

    fn next<H: Host<'a> + ?Sized>(&mut self, h: &mut H) -> Option<Value<'a>> {
        let (n, positions) = (self.base.len(), self.positions.as_mut()?);
        let base = self.base;
        let subset = h.arena().alloc_slice_fill_iter(positions.iter().map(|p| base[*p]));
        let subset = build::set_sorted(h, subset);
        let k = positions.len();
        // The rightmost position that can still move.
        match (0..k).rev().find(|i| positions[*i] + k - i < n) {
            Some(i) => {
                let start = positions[i] + 1;
                positions.iter_mut().skip(i).zip(start..).for_each(|(p, new)| *p = new);
            }
            None if k < n => *positions = (0..=k).collect(),
            None => self.positions = None,
        }
        Some(subset)
    }
}

/// All ways to take one element from each of several sets, the last set fastest.
#[derive(Debug)]
struct Odometer<'a> {
    shape: Shape<'a>,
    wheels: Vec<Wheel<'a>>,
    /// What each wheel shows; `None` after the last combination.
    current: Option<Vec<Value<'a>>>,
}

#[derive(Debug)]
enum Shape<'a> {
    Tuple,
    Record(&'a [Symbol]),
    Function(&'a [Value<'a>]),
}

/// One component: a set and how far its enumeration is.
#[derive(Debug)]
struct Wheel<'a> {
    set: Value<'a>,
    elements: Elements<'a>,
}

impl<'a> Odometer<'a> {
    fn new<H: Host<'a> + ?Sized>(h: &mut H, lazy: &'a Lazy<'a>, depth: u32) -> Result<Odometer<'a>> {
        let (shape, sets): (Shape<'a>, Vec<Value<'a>>) = match lazy {
            Lazy::Functions(domain, range) => {
                if !is_enumerable(*domain) {
                    let text = show(h, *domain);
                    return fail(format!(
                        "Attempted to enumerate a set of the form [D -> R],but the domain D:\n{text}\ncannot be enumerated."
                    ));
                }
                let domain = elements_at(h, *domain, depth)?;
                (function_shape(h, domain), vec![*range; domain.len()])
            }
            Lazy::Records(fields, sets) => (Shape::Record(fields), sets.to_vec()),
            Lazy::Product(sets) => (Shape::Tuple, sets.to_vec()),
            _ => (Shape::Tuple, Vec::new()),
        };
        if let (Lazy::Functions(_, range), true) = (lazy, sets.is_empty())
            && !is_enumerable(*range)
        {
            return component_error(h, lazy, 0, *range);
        }
        let (mut wheels, mut current) = (Vec::with_capacity(sets.len()), Some(Vec::with_capacity(sets.len())));
        for (i, set) in sets.into_iter().enumerate() {
            if !is_enumerable(set) {
                return component_error(h, lazy, i, set);
            }
            let set = settled(h, set, depth)?;
            let mut elements = Elements::new_at(h, set, depth)?;
            let Some(first) = elements.next(h)? else {
                current = None;
                break;
            };
            if let Some(current) = &mut current {
                current.push(first);
            }
            wheels.push(Wheel { set, elements });
        }
        Ok(Odometer { shape, wheels, current })
    }

    fn next<H: Host<'a> + ?Sized>(&mut self, h: &mut H) -> Result<Option<Value<'a>>> {
        let Some(current) = &mut self.current else {
            return Ok(None);
        };
        let values = h.arena().alloc_slice_copy(current);
        let value = match self.shape {
            Shape::Tuple => build::tuple_of(h, values),
            Shape::Record(fields) => build::record_with_shape(h, fields, values),
            Shape::Function(domain) => build::function(h, domain, values),
        };
        for (wheel, shown) in self.wheels.iter_mut().zip(current.iter_mut()).rev() {
            if let Some(next) = wheel.elements.next(h)? {
                *shown = next;
                return Ok(Some(value));
            }
            wheel.elements = Elements::new_at(h, wheel.set, wheel.elements.depth)?;
            if let Some(first) = wheel.elements.next(h)? {
                *shown = first;
            }
        }
        self.current = None;
        Ok(Some(value))
    }
}

/// A set in a form whose enumeration can start anew at no cost.
fn settled<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<Value<'a>> {
    match s {
        Value::Mixed(_) => {
            let elements = elements_at(h, s, depth)?;
            Ok(build::set_sorted(h, elements))
        }
        Value::Lazy(Lazy::Subset(base)) if is_enumerable(*base) && !matches!(base, Value::Set(_)) => {
            let elements = elements_at(h, *base, depth)?;
            let base = build::set_sorted(h, elements);
            Ok(build::lazy(h, Lazy::Subset(base)))
        }
        _ => Ok(s),
    }
}

/// Finds out once which form the functions over this domain have.
fn function_shape<'a, H: Host<'a> + ?Sized>(h: &mut H, domain: &'a [Value<'a>]) -> Shape<'a> {
    match build::function(h, domain, domain) {
        Value::Tuple(_) => Shape::Tuple,
        Value::Record(record) => Shape::Record(record.fields),
        _ => Shape::Function(domain),
    }
}

#[cold]
fn component_error<'a, T, H: Host<'a> + ?Sized>(h: &mut H, lazy: &'a Lazy<'a>, i: usize, set: Value<'a>) -> Result<T> {
    let text = show(h, set);
    match lazy {
        Lazy::Functions(..) => fail(format!(
            "Attempted to enumerate a set of the form [D -> R],but the range R:\n{text}\ncannot be enumerated."
        )),
        Lazy::Records(fields, _) => {
            let field = fields.get(i).map_or("", |f| h.symbols().text_of(*f));
            fail(format!(
                "Attempted to enumerate a set of the form [l1 : v1, ..., ln : vn],\nbut can't enumerate the value of the `{field}' field:\n{text}"
            ))
        }
        _ => fail(format!(
            "Attempted to enumerate a set of the form s1 \\X s2 ... \\X sn,\nbut can't enumerate s{i}:\n{text}"
        )),
    }
}
