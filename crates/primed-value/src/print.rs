//! Printing values as TLC does.
//!
//! Small sets of subsets, functions, records and tuples are printed as the sets that they are, large or infinite ones by their
//! rule. A record prints its fields in the order of symbols, a function its points in the order of its domain.

use std::fmt::Write;

use crate::fail::{deeper, show};
use crate::functions::force;
use crate::host::{Host, Result};
use crate::sets::{elements_at, is_small, quiet_size, size_at, size_hint};
use crate::value::{Closure, Lazy, Value};

/// `SUBSET S` is printed by its elements if `S` has fewer than this.
const SUBSET_BOUND: i64 = 7;

/// Sets of functions, records and tuples are printed by their elements if they have fewer than this.
const ENUM_BOUND: i64 = 2000;

/// The value as TLC prints it.
///
/// # Errors
/// Those of sorting a set, as in TLC.
pub fn print<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<String> {
    let mut printer = Printer { out: String::new(), max: usize::MAX, strict: false };
    printer.value(h, v, 0)?;
    Ok(printer.out)
}

/// The value as TLC's operators print it: what they want to list must not fail.
///
/// # Errors
/// Those of [`print`], and of listing a set.
pub fn print_listed<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<String> {
    let mut printer = Printer { out: String::new(), max: usize::MAX, strict: true };
    printer.value(h, v, 0)?;
    Ok(printer.out)
}

/// The value for a message: never fails, and ends in `...` when it would be longer than about `max_len` bytes.
pub fn print_short<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, max_len: usize) -> String {
    let mut printer = Printer { out: String::new(), max: max_len, strict: false };
    if printer.value(h, v, 0).is_err() {
        printer.out.clear();
        printer.written(h, v, 0);
    }
    if printer.full() {
        let end = (0..=max_len).rev().find(|i| printer.out.is_char_boundary(*i)).unwrap_or(0);
        printer.out.truncate(end);
        printer.out.push_str("...");
    }
    printer.out
}

/// The value for a message where TLC has already enumerated a set.
#[cold]
pub(crate) fn show_enumerated<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> String {
    match v {
        Value::Interval((lo, hi)) if hi.saturating_sub(*lo) < ENUM_BOUND => {
            let all: Vec<String> = (*lo..=*hi).map(|i| i.to_string()).collect();
            format!("{{{}}}", all.join(", "))
        }
        _ => show(h, v),
    }
}

/// What kind of value it is, in TLC's words ("an integer").
pub fn kind_name(v: Value<'_>) -> &'static str {
    match v {
        Value::Bool(_) => "a Boolean value",
        Value::Int(_) => "an integer",
        Value::String(_) => "a string",
        Value::Model(_) => "a model value",
        Value::Tuple(_) => "a tuple",
        Value::Record(_) => "a record",
        Value::Function(_) => "a function  of the form (d1 :> e1 @@ ... @@ dN :> eN)",
        Value::Closure(_) => "a function of the form  [x \\in S |-> expr]",
        Value::Set(_) | Value::Mixed(_) => "a set of the form {e1, ... ,eN}",
        Value::Interval(_) => "a set of the form i..j",
        Value::Lazy(lazy) => match lazy {
            Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any | Lazy::Sequences(_) => {
                "a special set constant"
            }
            Lazy::Subset(_) => "a set of the form SUBSET S",
            Lazy::Functions(..) => "a set of the form [S -> T]",
            Lazy::Records(..) => "a set of the form [d1 : S1, ... , dN : SN]",
            Lazy::Product(_) => "a cartesian product",
            Lazy::Union(..) => "a set of the form S \\cup T",
            Lazy::Intersection(..) => "a set of the form S \\cap T",
            Lazy::Difference(..) => "a set of the form S \\ T",
            Lazy::BigUnion(_) => "a set of the form UNION  S",
            Lazy::Filter(..) => "a set of the form {x \\in S : expr}",
        },
    }
}

/// The name of TLC's class for a value, as the errors of Java overrides have it.
pub fn java_class(v: Value<'_>) -> &'static str {
    match v {
        Value::Bool(_) => "BoolValue",
        Value::Int(_) => "IntValue",
        Value::String(_) => "StringValue",
        Value::Model(_) => "ModelValue",
        Value::Tuple(_) => "TupleValue",
        Value::Record(_) => "RecordValue",
        Value::Function(_) => "FcnRcdValue",
        Value::Closure(_) => "FcnLambdaValue",
        Value::Set(_) | Value::Mixed(_) => "SetEnumValue",
        Value::Interval(_) => "IntervalValue",
        Value::Lazy(lazy) => match lazy {
            Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any | Lazy::Sequences(_) => "UserValue",
            Lazy::Subset(_) => "SubsetValue",
            Lazy::Functions(..) => "SetOfFcnsValue",
            Lazy::Records(..) => "SetOfRcdsValue",
            Lazy::Product(_) => "SetOfTuplesValue",
            Lazy::Union(..) => "SetCupValue",
            Lazy::Intersection(..) => "SetCapValue",
            Lazy::Difference(..) => "SetDiffValue",
            Lazy::BigUnion(_) => "UnionValue",
            Lazy::Filter(..) => "SetPredValue",
        },
    }
}

/// It is made of a function in place of a set, and of small sets.
fn has_function(lazy: &Lazy<'_>) -> bool {
    let parts: &[Value<'_>] = match lazy {
        Lazy::Subset(set) => &[*set],
        Lazy::Functions(domain, range) => &[*domain, *range],
        Lazy::Records(_, sets) | Lazy::Product(sets) => sets,
        _ => &[],
    };
    let size = |part: &Value<'_>| match part {
        Value::Tuple(tuple) => Some(tuple.elements.len() as i64),
        Value::Record(record) => Some(record.values.len() as i64),
        Value::Function(function) => Some(function.values.len() as i64),
        Value::Lazy(lazy) if has_function(lazy) => Some(0),
        part => size_hint(*part),
    };
    let small = |part: &Value<'_>| size(part).is_some_and(|size| size < SUBSET_BOUND);
    let function = |part: &Value<'_>| {
        matches!(part, Value::Tuple(_) | Value::Record(_) | Value::Function(_))
            || matches!(part, Value::Lazy(lazy) if has_function(lazy))
    };
    parts.iter().any(function) && parts.iter().all(small)
}

struct Printer {
    out: String,
    max: usize,
    /// A set that cannot be listed is not printed by its rule instead.
    strict: bool,
}

impl Printer {
    fn full(&self) -> bool {
        self.out.len() > self.max
    }

    fn value<'a, H: Host<'a> + ?Sized>(&mut self, h: &mut H, v: Value<'a>, depth: u32) -> Result<()> {
        match v {
            Value::Bool(b) => self.out.push_str(if b { "TRUE" } else { "FALSE" }),
            Value::Int(i) => self.show(i),
            Value::String(s) => self.string(h.symbols().text_of(s)),
            Value::Model(m) => self.out.push_str(h.symbols().text_of(m.name)),
            Value::Interval((lo, hi)) => {
                self.show(lo);
                self.out.push_str("..");
                self.show(hi);
            }
            _ => {
                let depth = deeper(h, depth)?;
                return self.composite(h, v, depth);
            }
        }
        Ok(())
    }

    fn composite<'a, H: Host<'a> + ?Sized>(&mut self, h: &mut H, v: Value<'a>, depth: u32) -> Result<()> {
        match v {
            Value::Tuple(t) => self.list(h, "<<", t.elements, ", ", ">>", depth),
            Value::Set(s) => self.list(h, "{", s.elements, ", ", "}", depth),
            Value::Record(r) => self.record(h, r.fields, r.values, depth),
            Value::Function(f) => {
                let mut open = "(";
                for (key, value) in f.domain.iter().zip(f.values) {
                    if self.full() {
                        break;
                    }
                    self.out.push_str(open);
                    open = " @@ ";
                    self.value(h, *key, depth)?;
                    self.out.push_str(" :> ");
                    self.value(h, *value, depth)?;
                }
                self.out.push(')');
                Ok(())
            }
            Value::Closure(c) => match force(h, v) {
                Ok(explicit) => self.value(h, explicit, depth),
                Err(_) => self.closure(h, c, depth),
            },
            Value::Lazy(lazy) => self.lazy(h, v, lazy, depth),
            _ => {
                let elements = elements_at(h, v, depth)?;
                self.list(h, "{", elements, ", ", "}", depth)
            }
        }
    }

    fn closure<'a, H: Host<'a> + ?Sized>(&mut self, h: &mut H, c: &'a Closure<'a>, depth: u32) -> Result<()> {
        self.out.push('[');
        self.out.push_str(&h.parameters(c));
        self.out.push_str(" \\in ");
        self.value(h, c.domain, depth)?;
        self.out.push_str(" |-> <expression>]");
        Ok(())
    }

    fn record<'a, H: Host<'a> + ?Sized>(
        &mut self,
        h: &mut H,
        fields: &[crate::symbol::Symbol],
        values: &[Value<'a>],
        depth: u32,
    ) -> Result<()> {
        let names = fields.iter().all(|f| is_name(h.symbols().text_of(*f)));
        let (mut open, then, to, close) = if names { ("[", ", ", " |-> ", "]") } else { ("(", " @@ ", " :> ", ")") };
        for (field, value) in fields.iter().zip(values) {
            if self.full() {
                break;
            }
            self.out.push_str(open);
            open = then;
            let text = h.symbols().text_of(*field);
            if names {
                self.out.push_str(text);
            } else {
                self.string(text);
            }
            self.out.push_str(to);
            self.value(h, *value, depth)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    fn lazy<'a, H: Host<'a> + ?Sized>(
        &mut self,
        h: &mut H,
        v: Value<'a>,
        lazy: &'a Lazy<'a>,
        depth: u32,
    ) -> Result<()> {
        let expanded = match lazy {
            // In TLC functions have a size, but then they cannot be listed.
            Lazy::Subset(_) | Lazy::Functions(..) | Lazy::Records(..) | Lazy::Product(_) if has_function(lazy) => {
                return elements_at(h, v, depth).and_then(|e| self.list(h, "{", e, ", ", "}", depth));
            }
            // Asked without making an error of its own: errors about sizes print the set.
            Lazy::Subset(s) => quiet_size(h, *s, depth).is_some_and(|n| n < SUBSET_BOUND),
            Lazy::Functions(..) | Lazy::Records(..) | Lazy::Product(_) => {
                quiet_size(h, v, depth).is_some_and(|n| n < ENUM_BOUND)
            }
            Lazy::Union(..) | Lazy::Intersection(..) | Lazy::Difference(..) => true,
            Lazy::BigUnion(_) | Lazy::Filter(..) => true,
            _ => false,
        };
        if self.strict && !expanded {
            let parts: &[Value<'a>] = match lazy {
                Lazy::Subset(set) => &[*set],
                Lazy::Functions(domain, range) => &[*domain, *range],
                Lazy::Records(_, sets) | Lazy::Product(sets) => sets,
                _ => &[],
            };
            parts.iter().try_for_each(|part| size_at(h, *part, depth).map(|_| ()))?;
        }
        if expanded {
            match elements_at(h, v, depth) {
                Ok(elements) => return self.list(h, "{", elements, ", ", "}", depth),
                Err(error) if self.strict || matches!(lazy, Lazy::BigUnion(_)) => return Err(error),
                // A predicate that fails is heard of, a set that cannot be listed stays a rule.
                Err(error) if matches!(lazy, Lazy::Filter(s, _) if is_small(*s, h.limits().set_size)) => {
                    return Err(error);
                }
                // What would have taken too long cannot be told from what cannot be listed.
                Err(_) => {
                    crate::limits::check_memory(h)?;
                    h.spend(0)?;
                }
            }
        }
        self.rule(h, lazy, depth)
    }

    fn rule<'a, H: Host<'a> + ?Sized>(&mut self, h: &mut H, lazy: &'a Lazy<'a>, depth: u32) -> Result<()> {
        match lazy {
            Lazy::Nat => self.out.push_str("Nat"),
            Lazy::Int => self.out.push_str("Int"),
            Lazy::Real => self.out.push_str("Real"),
            Lazy::String => self.out.push_str("STRING"),
            Lazy::Any => self.out.push_str("ANY"),
            Lazy::Subset(s @ Value::Interval(_)) => {
                return self.list(h, "SUBSET (", &[*s], "", ")", depth);
            }
            Lazy::Subset(s) => return self.list(h, "SUBSET ", &[*s], "", "", depth),
            Lazy::Sequences(s) => return self.list(h, "Seq(", &[*s], "", ")", depth),
            Lazy::BigUnion(s) => return self.list(h, "UNION(", &[*s], "", ")", depth),
            Lazy::Functions(s, t) => return self.list(h, "[", &[*s, *t], " -> ", "]", depth),
            Lazy::Product(sets) => return self.list(h, "(", sets, " \\X ", ")", depth),
            Lazy::Union(s, t) => return self.list(h, "", &[*s, *t], " \\cup ", "", depth),
            Lazy::Intersection(s, t) => return self.list(h, "", &[*s, *t], " \\cap ", "", depth),
            Lazy::Difference(s, t) => return self.list(h, "", &[*s, *t], " \\ ", "", depth),
            Lazy::Records(fields, sets) => {
                let mut open = "[";
                for (field, set) in fields.iter().zip(*sets) {
                    self.out.push_str(open);
                    open = ", ";
                    self.out.push_str(h.symbols().text_of(*field));
                    self.out.push_str(": ");
                    self.value(h, *set, depth)?;
                }
                self.out.push(']');
            }
            Lazy::Filter(set, closure) => {
                self.out.push('{');
                self.out.push_str(&h.parameters(closure));
                self.out.push_str(" \\in ");
                self.value(h, *set, depth)?;
                self.out.push_str(" : <expression>}");
            }
        }
        Ok(())
    }

    fn list<'a, H: Host<'a> + ?Sized>(
        &mut self,
        h: &mut H,
        open: &str,
        values: &[Value<'a>],
        between: &str,
        close: &str,
        depth: u32,
    ) -> Result<()> {
        self.out.push_str(open);
        for (i, v) in values.iter().enumerate() {
            if self.full() {
                break;
            }
            if i > 0 {
                self.out.push_str(between);
            }
            self.value(h, *v, depth)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    fn show(&mut self, number: impl std::fmt::Display) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{number}");
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\t' => self.out.push_str("\\t"),
                '\n' => self.out.push_str("\\n"),
                '\u{c}' => self.out.push_str("\\f"),
                '\r' => self.out.push_str("\\r"),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    /// What cannot be printed in its normal form, as it was written where that is known.
    fn written<'a, H: Host<'a> + ?Sized>(&mut self, h: &mut H, v: Value<'a>, depth: u32) {
        let (open, elements, close) = match v {
            Value::Mixed(elements) => ("{", *elements, "}"),
            Value::Tuple(t) => ("<<", t.elements, ">>"),
            Value::Set(s) => ("{", s.elements, "}"),
            _ => ("", &[] as &[Value<'a>], kind_name(v)),
        };
        self.out.push_str(open);
        for (i, element) in elements.iter().enumerate() {
            if self.full() || depth > 20 {
                break;
            }
            if i > 0 {
                self.out.push_str(", ");
            }
            let before = self.out.len();
            if self.value(h, *element, depth).is_err() {
                self.out.truncate(before);
                self.written(h, *element, depth + 1);
            }
        }
        self.out.push_str(close);
    }
}

/// Whether TLC prints a function over such strings as a record.
fn is_name(text: &str) -> bool {
    let letters = text.chars().all(|c| c == '_' || c.is_alphanumeric()) && text.chars().any(char::is_alphabetic);
    letters && (text.len() < 4 || !(text.starts_with("WF_") || text.starts_with("SF_")))
}
