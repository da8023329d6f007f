//! Functions: application, EXCEPT, domains, `@@` and `:>`, in whichever of their forms.

use std::cmp::Ordering;

use crate::build;
use crate::compare::{equal, equal_at, order};
use crate::error::{EvalError, EvalErrorKind};
use crate::fail::{fail, fail_code, fail_override, show};
use crate::host::{Host, Result};
use crate::limits::check_size;
use crate::print::kind_name;
use crate::sets::{elements, is_enumerable, member, size_at};
use crate::symbol::Symbol;
use crate::value::{Closure, Function, Lazy, Record, Tuple, Value};

/// Domains and sets of at most this size are searched from the left.
pub(crate) const LINEAR: usize = 8;

/// The position of a value in sorted elements.
///
/// # Errors
/// TLC's when the value cannot be equal to the elements that it meets.
#[inline]
pub(crate) fn find<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    sorted: &[Value<'a>],
    v: Value<'a>,
    depth: u32,
) -> Result<Option<usize>> {
    if let (Value::Int(v), Some(Value::Int(lo)), Some(Value::Int(hi))) = (v, sorted.first(), sorted.last()) {
        // All are integers; often consecutive ones.
        if v < *lo || v > *hi {
            return Ok(None);
        }
        if hi.wrapping_sub(*lo) == sorted.len() as i64 - 1 {
            return Ok(Some((v - lo) as usize));
        }
    }
    if sorted.len() > LINEAR {
        return bisect(h, sorted, v, depth);
    }
    match named(sorted, v) {
        Some(found) => Ok(Some(found)),
        None => scan(h, sorted, v, depth),
    }
}

/// The position of a model value or string that is there. What is equal to an element can be compared with all others, as that can.
#[inline]
fn named(sorted: &[Value<'_>], v: Value<'_>) -> Option<usize> {
    match v {
        Value::Model(v) => sorted.iter().position(|element| matches!(element, Value::Model(m) if *m == v)),
        Value::String(v) => sorted.iter().position(|element| matches!(element, Value::String(s) if *s == v)),
        _ => None,
    }
}

/// From the left, by equality, as TLC does in sets that it has not sorted yet.
pub(crate) fn scan<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    elements: &[Value<'a>],
    v: Value<'a>,
    depth: u32,
) -> Result<Option<usize>> {
    for (i, element) in elements.iter().enumerate() {
        if equal_at(h, *element, v, depth)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn bisect<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    sorted: &[Value<'a>],
    v: Value<'a>,
    depth: u32,
) -> Result<Option<usize>> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = (low + high) / 2;
        match order::<false, H>(h, v, sorted[middle], depth) {
            Ok(Ordering::Equal) => return Ok(Some(middle)),
            Ok(Ordering::Less) => high = middle,
            Ok(Ordering::Greater) => low = middle + 1,
            Err(_) => return scan(h, sorted, v, depth),
        }
    }
    Ok(None)
}

/// `f[arg]`.
///
/// # Errors
/// TLC's: not a function, or the argument outside of its domain.
#[inline]
pub fn apply<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, arg: Value<'a>) -> Result<Value<'a>> {
    match f {
        Value::Tuple(t) => match at(t, arg) {
            Some(value) => Ok(value),
            None => tuple_error(h, f, arg),
        },
        Value::Record(r) => match field(r, arg) {
            Some(value) => Ok(value),
            None => record_error(h, f, arg),
        },
        Value::Function(g) => match find(h, g.domain, arg, 0)?.and_then(|i| g.values.get(i)) {
            Some(value) => Ok(*value),
            None => outside(h, f, arg, false),
        },
        Value::Closure(c) => apply_closure(h, f, c, arg),
        _ => fail(format!("A non-function ({}) was applied as a function.", kind_name(f))),
    }
}

/// TLC's complaint about an argument that is outside of the domain: of a function that is a rule to it, or one whose values it has
/// listed.
///
/// # Errors
/// Always.
#[cold]
pub fn outside<'a, T, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, arg: Value<'a>, rule: bool) -> Result<T> {
    let f = show(h, f);
    if rule {
        return outside_rule(h, &f, arg);
    }
    let arg = show(h, arg);
    fail(format!("Attempted to apply function:\n{f}\nto argument {arg}, which is not in the domain of the function."))
}

#[cold]
fn outside_rule<'a, T, H: Host<'a> + ?Sized>(h: &mut H, f: &str, arg: Value<'a>) -> Result<T> {
    let arg = show(h, arg);
    fail(format!("In applying the function\n{f},\nthe first argument is:\n{arg}\nwhich is not in its domain.\n"))
}

#[inline]
fn at<'a>(t: &'a Tuple<'a>, arg: Value<'a>) -> Option<Value<'a>> {
    match arg {
        Value::Int(i) => t.elements.get(usize::try_from(i.checked_sub(1)?).ok()?).copied(),
        _ => None,
    }
}

#[inline]
fn field<'a>(r: &'a Record<'a>, arg: Value<'a>) -> Option<Value<'a>> {
    match arg {
        Value::String(name) => position(r.fields, name).and_then(|i| r.values.get(i)).copied(),
        _ => None,
    }
}

#[inline]
fn position(fields: &[Symbol], name: Symbol) -> Option<usize> {
    if fields.len() <= 2 * LINEAR { fields.iter().position(|f| *f == name) } else { fields.binary_search(&name).ok() }
}

#[cold]
fn tuple_error<'a, T, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, arg: Value<'a>) -> Result<T> {
    let shown = show(h, arg);
    match arg {
        Value::Int(_) => {
            let f = show(h, f);
            fail(format!("Attempted to access index {shown} of tuple\n{f}\nwhich is out of bounds."))
        }
        _ => fail(format!("Attempted to access tuple at a non integral index: {shown}")),
    }
}

#[cold]
fn record_error<'a, T, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, arg: Value<'a>) -> Result<T> {
    match arg {
        Value::String(name) => {
            let (name, f) = (h.symbols().text_of(name), show(h, f));
            fail(format!("Attempted to access nonexistent field '{name}' of record\n{f}"))
        }
        _ => {
            let arg = show(h, arg);
            fail(format!("Attempted to access record by a non-string argument: {arg}"))
        }
    }
}

fn apply_closure<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    f: Value<'a>,
    closure: &'a Closure<'a>,
    arg: Value<'a>,
) -> Result<Value<'a>> {
    for (key, value) in closure.updates.iter().rev() {
        if equal(h, *key, arg)? {
            return Ok(*value);
        }
    }
    if !member(h, arg, closure.domain)? {
        let f = show_rule(h, f, closure);
        return outside_rule(h, &f, arg);
    }
    h.call(closure, arg)
}

/// A closure by its rule where its domain is infinite; TLC computes it otherwise.
fn show_rule<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, closure: &'a Closure<'a>) -> String {
    if is_enumerable(closure.domain) {
        return show(h, f);
    }
    let (name, domain) = (h.parameters(closure), show(h, closure.domain));
    format!("[{name} \\in {domain} |-> <expression>]")
}

/// `r.field`.
///
/// # Errors
/// TLC's: not a function, or without this field.
#[inline]
pub fn select<'a, H: Host<'a> + ?Sized>(h: &mut H, r: Value<'a>, field: Symbol) -> Result<Value<'a>> {
    match r {
        Value::Record(record) => match position(record.fields, field).and_then(|i| record.values.get(i)) {
            Some(value) => Ok(*value),
            None => {
                let (field, r) = (show(h, Value::String(field)), show(h, r));
                fail(format!("Attempted to select nonexistent field {field} from the record\n{r}"))
            }
        },
        Value::Tuple(_) => {
            let field = show(h, Value::String(field));
            fail(format!("Attempted to apply function with integer domain to the non-integer argument {field}"))
        }
        Value::Function(_) => apply(h, r, Value::String(field)),
        Value::Closure(_) => {
            let explicit = force(h, r)?;
            apply(h, explicit, Value::String(field))
        }
        _ => {
            let (field, r) = (show(h, Value::String(field)), show(h, r));
            fail(format!("Attempted to select field {field} from a non-record value {r}"))
        }
    }
}

/// `DOMAIN f`.
///
/// # Errors
/// TLC's for a value that is not a function.
pub fn domain<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>) -> Result<Value<'a>> {
    Ok(match f {
        Value::Tuple(t) => build::interval(h, 1, t.elements.len() as i64),
        Value::Record(r) => {
            let names = h.arena().alloc_slice_fill_iter(r.fields.iter().map(|f| Value::String(*f)));
            build::set_sorted(h, names)
        }
        Value::Function(g) => build::set_sorted(h, g.domain),
        Value::Closure(c) => c.domain,
        _ => {
            return fail(format!("Attempted to apply the operator DOMAIN to a non-function\n({})", kind_name(f)));
        }
    })
}

/// `[f EXCEPT ![key] = new]`; `None` when the key is outside of the domain: the function stays, and TLC warns (2144).
///
/// # Errors
/// TLC's: not a function, or a key of the wrong kind.
pub fn update<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    f: Value<'a>,
    key: Value<'a>,
    new: Value<'a>,
) -> Result<Option<Value<'a>>> {
    match f {
        Value::Tuple(t) => match key {
            Value::Int(i) => {
                let index = usize::try_from(i.saturating_sub(1)).ok();
                Ok(replaced(h, t.elements, index, new).map(|values| build::tuple_of(h, values)))
            }
            // The empty function is the empty tuple, and may have been of any kind.
            _ if t.elements.is_empty() => Ok(None),
            _ => tuple_error(h, f, key),
        },
        Value::Record(r) => match key {
            Value::String(name) => {
                let values = replaced(h, r.values, position(r.fields, name), new);
                Ok(values.map(|values| build::record_with_shape(h, r.fields, values)))
            }
            _ => record_error(h, f, key),
        },
        Value::Function(g) => {
            let index = find(h, g.domain, key, 0)?;
            Ok(replaced(h, g.values, index, new).map(|values| with_values(h, g, values)))
        }
        Value::Closure(c) => {
            let mut known = false;
            for (other, _) in c.updates {
                known = known || equal(h, *other, key)?;
            }
            if !known && !member(h, key, c.domain)? {
                return Ok(None);
            }
            let last = [(key, new)];
            let updates = c.updates.iter().chain(&last).copied();
            let mut all = Vec::with_capacity(c.updates.len() + 1);
            all.extend(updates);
            let updates = h.arena().alloc_slice_copy(&all);
            Ok(Some(build::closure(h, Closure { updates, ..*c })))
        }
        _ => not_updatable(h, f),
    }
}

/// The value at a key, as an EXCEPT looks it up before it changes it; `None` when the key is outside of the domain.
///
/// # Errors
/// Those of [`update`]: not a function, or a key of the wrong kind.
#[inline]
pub fn lookup<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, key: Value<'a>) -> Result<Option<Value<'a>>> {
    match (f, key) {
        (Value::Tuple(t), Value::Int(_)) => Ok(at(t, key)),
        (Value::Tuple(t), _) if t.elements.is_empty() => Ok(None),
        (Value::Tuple(_), _) => tuple_error(h, f, key),
        (Value::Record(r), Value::String(_)) => Ok(field(r, key)),
        (Value::Record(_), _) => record_error(h, f, key),
        (Value::Function(g), _) => {
            let index = find(h, g.domain, key, 0)?;
            Ok(index.and_then(|i| g.values.get(i)).copied())
        }
        (Value::Closure(c), _) => {
            for (other, value) in c.updates.iter().rev() {
                if equal(h, *other, key)? {
                    return Ok(Some(*value));
                }
            }
            if !member(h, key, c.domain)? {
                return Ok(None);
            }
            h.call(c, key).map(Some)
        }
        _ => not_updatable(h, f),
    }
}

#[cold]
fn not_updatable<'a, T, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>) -> Result<T> {
    let f = show(h, f);
    fail(format!("Attempted to apply EXCEPT construct to the value {f}."))
}

fn with_values<'a, H: Host<'a> + ?Sized>(h: &mut H, g: &Function<'a>, values: &'a [Value<'a>]) -> Value<'a> {
    let hash = crate::value::Cached::new();
    Value::Function(h.arena().alloc(Function { hash, domain: g.domain, values }))
}

/// A copy with one element changed.
#[inline]
fn replaced<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    values: &[Value<'a>],
    index: Option<usize>,
    new: Value<'a>,
) -> Option<&'a [Value<'a>]> {
    let index = index.filter(|i| *i < values.len())?;
    let values = h.arena().alloc_slice_copy(values);
    if let Some(slot) = values.get_mut(index) {
        *slot = new;
    }
    Some(values)
}

/// A closure as an explicit function; any other value as it is.
///
/// # Errors
/// Those of enumerating the domain and of evaluating each point.
pub fn force<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Value<'a>> {
    let Value::Closure(closure) = v else {
        return Ok(v);
    };
    if !is_enumerable(closure.domain) {
        // TLC asks for the size of the domain first.
        size_at(h, closure.domain, 0)?;
    }
    let domain = elements(h, closure.domain)?;
    let mut values = Vec::with_capacity(domain.len());
    for argument in domain {
        check_size(h, values.len())?;
        values.push(apply_in_domain(h, closure, *argument)?);
    }
    let values = h.arena().alloc_slice_copy(&values);
    Ok(build::function(h, domain, values))
}

fn apply_in_domain<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    closure: &'a Closure<'a>,
    argument: Value<'a>,
) -> Result<Value<'a>> {
    for (key, value) in closure.updates.iter().rev() {
        if equal(h, *key, argument)? {
            return Ok(*value);
        }
    }
    h.call(closure, argument)
}

/// The elements of a sequence, if the value is one. A function over `1..n` that is not computed yet is computed for that; where
/// that fails the value is taken for no sequence, see [`sequence`].
pub fn as_sequence<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Option<&'a [Value<'a>]> {
    sequence(h, v).ok().flatten()
}

/// The elements of a sequence, `None` if the value is not one. Of a function that is not computed yet the domain decides.
///
/// # Errors
/// TLC's for a function with an infinite domain, and those of computing the elements.
pub fn sequence<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Option<&'a [Value<'a>]>> {
    let closure = match v {
        Value::Tuple(t) => return Ok(Some(t.elements)),
        Value::Closure(closure) => closure,
        _ => return Ok(None),
    };
    match closure.domain {
        Value::Interval((lo, _)) if *lo != 1 => return Ok(None),
        Value::Lazy(Lazy::Product(_)) => return Ok(None),
        domain if !is_enumerable(domain) => {
            return fail("To convert a function of form [x \\in S |-> f(x)] to a tuple, the set S must be enumerable.");
        }
        domain => {
            let domain = elements(h, domain)?;
            if !(1..).zip(domain).all(|(i, key)| matches!(key, Value::Int(k) if *k == i)) {
                return Ok(None);
            }
        }
    }
    match force(h, v)? {
        Value::Tuple(t) => Ok(Some(t.elements)),
        _ => Ok(None),
    }
}

/// Keys and values of a function in any form; `None` if it is not a function.
///
/// # Errors
/// Those of [`force`].
#[allow(clippy::type_complexity)]
pub fn pairs<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>) -> Result<Option<Vec<(Value<'a>, Value<'a>)>>> {
    Ok(Some(match force(h, f)? {
        Value::Tuple(t) => (1..).map(Value::Int).zip(t.elements.iter().copied()).collect(),
        Value::Record(r) => r.fields.iter().map(|f| Value::String(*f)).zip(r.values.iter().copied()).collect(),
        Value::Function(g) => g.domain.iter().copied().zip(g.values.iter().copied()).collect(),
        _ => return Ok(None),
    }))
}

/// `f @@ g`: `f` where it is defined, else `g`.
///
/// # Errors
/// TLC's: not functions, or keys that cannot be compared.
pub fn merge<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, g: Value<'a>) -> Result<Value<'a>> {
    let mut result = match pairs(h, f)? {
        Some(pairs) => pairs,
        None => return not_a_function(h, "first", f),
    };
    let own: Vec<Value<'a>> = result.iter().map(|p| p.0).collect();
    match pairs(h, g)? {
        Some(pairs) => {
            for (key, value) in pairs {
                match scan(h, &own, key, 0) {
                    Ok(None) => result.push((key, value)),
                    Ok(Some(_)) => {}
                    Err(error) if error.kind == EvalErrorKind::Evaluation => return not_merged(h, &own, key, &error),
                    Err(error) => return Err(error),
                }
            }
        }
        None => return not_a_function(h, "second", g),
    }
    build::function_from_pairs(h, result)
}

/// TLC asks the argument of the second function whether it is one of the first, inside of a Java override.
#[cold]
fn not_merged<'a, T, H: Host<'a> + ?Sized>(
    h: &mut H,
    own: &[Value<'a>],
    key: Value<'a>,
    error: &EvalError,
) -> Result<T> {
    let asked = own.iter().find_map(|known| equal(h, key, *known).err());
    let message = asked.map_or_else(|| error.message.clone(), |error| error.message);
    let values = "tlc2.value.impl.Value tlc2.module.TLC.CombineFcn(tlc2.value.impl.Value,tlc2.value.impl.Value)";
    fail_override(values, message)
}

#[cold]
fn not_a_function<'a, T, H: Host<'a> + ?Sized>(h: &mut H, which: &str, f: Value<'a>) -> Result<T> {
    let f = show(h, f);
    fail_code(2169, format!("The {which} argument of @@ should be a function, but instead it is:\n{f}"))
}

/// `key :> value`.
pub fn single<'a, H: Host<'a> + ?Sized>(h: &mut H, key: Value<'a>, value: Value<'a>) -> Value<'a> {
    let domain = h.arena().alloc_slice_copy(&[key]);
    let values = h.arena().alloc_slice_copy(&[value]);
    build::function(h, domain, values)
}
