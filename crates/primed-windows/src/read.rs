//! JSON to values, guided by a shape; values of the Informal Trace Format where plain JSON is ambiguous.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use hashbrown::HashMap;
use primed_engine::env::Env;
use primed_value::build;
use primed_value::host::Host;
use primed_value::value::{ModelValue, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::shape::{Keys, Shape};

/// The model values of a specification by name.
pub(crate) type Models = HashMap<Arc<str>, ModelValue>;

/// Reads one JSON text.
///
/// # Errors
/// If it is not JSON, or cannot be what the shape says.
pub(crate) fn read<'a>(env: &mut Env<'a>, models: &Models, shape: &Shape, text: &str) -> Result<Value<'a>, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let guided = Guided { env, models, shape, arena: PhantomData };
    let value = guided.deserialize(&mut json).map_err(|e| without_place(&e))?;
    json.end().map_err(|e| without_place(&e))?;
    Ok(value)
}

/// The message without `serde_json`'s place, which counts inside the value and would mislead.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

struct Guided<'e, 'a, 's> {
    env: &'e mut Env<'a>,
    models: &'s Models,
    shape: &'s Shape,
    arena: PhantomData<&'a ()>,
}

impl<'a, 's> Guided<'_, 'a, 's> {
    fn part<'p>(&'p mut self, shape: &'s Shape) -> Guided<'p, 'a, 's> {
        Guided { env: self.env, models: self.models, shape, arena: PhantomData }
    }

    /// The key of a function as a value of the kind that its keys have.
    fn key<E: Error>(&mut self, keys: Keys, text: &str) -> Result<Value<'a>, E> {
        match keys {
            Keys::Integers => match text.parse() {
                Ok(n) => Ok(Value::Int(n)),
                Err(_) => {
                    Err(E::custom(format!("the key \"{text}\" is no integer, as the function's other arguments are")))
                }
            },
            Keys::Models => match self.models.get(text) {
                Some(model) => Ok(Value::Model(*model)),
                None => Err(E::custom(format!("the key \"{text}\" names no model value"))),
            },
            Keys::Others => match (text.parse(), self.models.get(text), text) {
                (Ok(n), ..) => Ok(Value::Int(n)),
                (_, Some(model), _) => Ok(Value::Model(*model)),
                (.., "TRUE" | "true") => Ok(Value::Bool(true)),
                (.., "FALSE" | "false") => Ok(Value::Bool(false)),
                _ if text.starts_with(['<', '{', '[', '(']) => Err(E::custom(format!(
                    "the key \"{text}\" is no name: write the function as {{\"#map\": [[argument, value], ...]}}"
                ))),
                _ => Ok(Value::String(self.env.symbols().intern(text))),
            },
        }
    }

    fn mismatch<E: Error>(&self, found: &str) -> Result<Value<'a>, E> {
        Err(E::custom(format!("it is {found}, but the specification has {} there", self.shape.describe())))
    }

    fn text<E: Error>(&mut self, text: &str) -> Result<Value<'a>, E> {
        // A string that names a model value is that value, whatever the variable was at first.
        match (self.models.get(text), self.shape) {
            (Some(model), _) => Ok(Value::Model(*model)),
            (None, Shape::Function(..) | Shape::Indexed(_) | Shape::Record(_) | Shape::Set(_)) => {
                self.mismatch("a string")
            }
            (None, _) => Ok(Value::String(self.env.symbols().intern(text))),
        }
    }

    fn scalar<E: Error>(&mut self, value: Value<'a>, what: &str) -> Result<Value<'a>, E> {
        // Scalars of another kind are let through: a variable may be 0 at first and "stopped" later.
        match self.shape.is_structure() {
            false => Ok(value),
            true => self.mismatch(what),
        }
    }
}

impl<'de, 'a> DeserializeSeed<'de> for Guided<'_, 'a, '_> {
    type Value = Value<'a>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'a>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'a> Visitor<'de> for Guided<'_, 'a, '_> {
    type Value = Value<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shape.describe())
    }

    fn visit_bool<E: Error>(mut self, b: bool) -> Result<Value<'a>, E> {
        self.scalar(Value::Bool(b), "a Boolean")
    }

    fn visit_i64<E: Error>(mut self, n: i64) -> Result<Value<'a>, E> {
        self.scalar(Value::Int(n), "a number")
    }

    fn visit_u64<E: Error>(mut self, n: u64) -> Result<Value<'a>, E> {
        match i64::try_from(n) {
            Ok(n) => self.scalar(Value::Int(n), "a number"),
            Err(_) => Err(E::custom(format!("the integer {n} is too large"))),
        }
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Value<'a>, E> {
        Err(E::custom(format!("the number {x} is not an integer")))
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'a>, E> {
        Err(E::custom("null has no meaning in TLA+"))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Value<'a>, E> {
        self.text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value<'a>, A::Error> {
        let shape = self.shape;
        let (element, set) = match shape {
            Shape::Unknown => (&Shape::Unknown, false),
            Shape::Indexed(element) => (&**element, false),
            Shape::Set(element) => (&**element, true),
            _ => return self.mismatch("an array"),
        };
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self.part(element))? {
            values.push(value);
        }
        match set {
            true => build::set(self.env, values).map_err(|e| A::Error::custom(e.message)),
            false => Ok(build::tuple_vec(self.env, values)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value<'a>, A::Error> {
        let shape = self.shape;
        let mut first = true;
        let mut fields: Vec<(primed_value::symbol::Symbol, Value<'a>)> = Vec::new();
        let mut pairs: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
            if std::mem::take(&mut first) && key.starts_with('#') {
                return tagged(self, &key, entries);
            }
            match shape {
                Shape::Function(keys, value) => {
                    let key = self.key(*keys, &key)?;
                    pairs.push((key, entries.next_value_seed(self.part(value))?));
                }
                // An object with integer keys for a function over 1..n.
                Shape::Indexed(value) if **value != Shape::Unknown || key.parse::<i64>().is_ok() => {
                    let key = self.key(Keys::Integers, &key)?;
                    pairs.push((key, entries.next_value_seed(self.part(value))?));
                }
                Shape::Record(known) => {
                    let value = known.iter().find(|(n, _)| **n == *key).map_or(&Shape::Unknown, |(_, s)| s);
                    let symbol = self.env.symbols().intern(&key);
                    fields.push((symbol, entries.next_value_seed(self.part(value))?));
                }
                Shape::Unknown | Shape::Indexed(_) => {
                    let symbol = self.env.symbols().intern(&key);
                    fields.push((symbol, entries.next_value_seed(self.part(&Shape::Unknown))?));
                }
                _ => return self.mismatch("an object"),
            }
        }
        if let Shape::Set(_) | Shape::Scalar = shape {
            return self.mismatch("an object");
        }
        fields.sort_by_key(|(symbol, _)| *symbol);
        if fields.windows(2).any(|w| w[0].0 == w[1].0) {
            return Err(A::Error::custom("a key occurs twice"));
        }
        if !pairs.is_empty() && !fields.is_empty() {
            return Err(A::Error::custom("some keys are integers and some are not"));
        }
        for (i, (key, _)) in pairs.iter().enumerate() {
            let same =
                |env: &mut Env<'a>, other: Value<'a>| primed_value::compare::equal(env, *key, other).unwrap_or(false);
            if pairs.len() <= 64 && pairs[..i].iter().any(|(other, _)| same(self.env, *other)) {
                return Err(A::Error::custom("two keys are the same argument"));
            }
        }
        match pairs.is_empty() {
            true => Ok(build::record(self.env, fields)),
            false => build::function_from_pairs(self.env, pairs).map_err(|e| A::Error::custom(e.message)),
        }
    }
}

/// `{"#set": [...]}`, `{"#tup": [...]}`, `{"#map": [[k, v], ...]}`, `{"#bigint": "..."}`.
fn tagged<'de, 'a, A: MapAccess<'de>>(
    guided: Guided<'_, 'a, '_>,
    tag: &str,
    mut entries: A,
) -> Result<Value<'a>, A::Error> {
    let inner = match (tag, guided.shape) {
        ("#set", Shape::Set(element)) | ("#tup", Shape::Indexed(element)) => (**element).clone(),
        ("#map", Shape::Function(_, value) | Shape::Indexed(value)) => (**value).clone(),
        _ => Shape::Unknown,
    };
    let models = guided.models;
    let failed = |e: Box<primed_value::error::EvalError>| A::Error::custom(e.message);
    let value = match tag {
        "#set" | "#tup" => {
            let list = Shape::Indexed(Box::new(inner));
            let part = Guided { env: &mut *guided.env, models, shape: &list, arena: PhantomData };
            let Value::Tuple(tuple) = entries.next_value_seed(part)? else {
                return Err(A::Error::custom(format!("{tag} needs an array")));
            };
            match tag {
                "#set" => build::set(guided.env, tuple.elements.to_vec()).map_err(failed)?,
                _ => Value::Tuple(tuple),
            }
        }
        "#map" => {
            let value = entries.next_value_seed(Pairs(Guided {
                env: &mut *guided.env,
                models,
                shape: &inner,
                arena: PhantomData,
            }))?;
            build::function_from_pairs(guided.env, value).map_err(failed)?
        }
        "#bigint" => {
            let digits: Cow<'de, str> = entries.next_value()?;
            match digits.parse() {
                Ok(n) => Value::Int(n),
                Err(_) => return Err(A::Error::custom(format!("the integer {digits} is too large or not an integer"))),
            }
        }
        _ => return Err(A::Error::custom(format!("the tag {tag} is not known: #map, #set, #tup and #bigint are"))),
    };
    match entries.next_key::<Cow<'de, str>>()? {
        None => Ok(value),
        Some(key) => Err(A::Error::custom(format!("the key \"{key}\" stands beside {tag}"))),
    }
}

/// The pairs of a `#map`; the shape is that of the values.
struct Pairs<'e, 'a, 's>(Guided<'e, 'a, 's>);

impl<'de, 'a> DeserializeSeed<'de> for Pairs<'_, 'a, '_> {
    type Value = Vec<(Value<'a>, Value<'a>)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 'a> Visitor<'de> for Pairs<'_, 'a, '_> {
    type Value = Vec<(Value<'a>, Value<'a>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of pairs")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = items.next_element_seed(Pair(self.0.part(self.0.shape)))? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

/// One pair of a `#map`.
struct Pair<'e, 'a, 's>(Guided<'e, 'a, 's>);

impl<'de, 'a> DeserializeSeed<'de> for Pair<'_, 'a, '_> {
    type Value = (Value<'a>, Value<'a>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 'a> Visitor<'de> for Pair<'_, 'a, '_> {
    type Value = (Value<'a>, Value<'a>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair of a key and a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self::Value, A::Error> {
        let key = items.next_element_seed(self.0.part(&Shape::Unknown))?;
        let value = items.next_element_seed(self.0.part(self.0.shape))?;
        match (key, value, items.next_element::<serde::de::IgnoredAny>()?) {
            (Some(key), Some(value), None) => Ok((key, value)),
            _ => Err(A::Error::custom("a pair of a key and a value is expected")),
        }
    }
}
