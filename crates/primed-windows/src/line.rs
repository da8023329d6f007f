//! One window as it was written: its keys found, its values not yet read.

use std::borrow::Cow;
use std::fmt;

use primed_semantics::nearest;
use primed_value::json;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Keys that hold the state before the step, the state after it, the action and who took it. The first spelling is the
/// canonical one.
const PRE: &[&str] = &["pre_state", "pre"];
const POST: &[&str] = &["post_state", "post"];
const ACTION: &[&str] = &["action", "event"];
const ACTOR: &[&str] = &["actor", "node"];
const INPUT: &[&str] = &["input"];
const ID: &[&str] = &["window_id", "id"];
const TRACE: &[&str] = &["trace_id"];

/// A window's parts as JSON texts, borrowed from its line.
#[derive(Debug, Default)]
pub struct Line<'l> {
    /// `window_id` or `id`, as written.
    pub id: Option<&'l str>,
    /// `trace_id`, as written.
    pub trace: Option<&'l str>,
    /// `action` or `event`.
    pub action: Option<Cow<'l, str>>,
    /// `actor` or `node`.
    pub actor: Option<&'l RawValue>,
    /// `input`.
    pub input: Option<&'l RawValue>,
    /// `pre_state` or `pre`.
    pub pre: Option<&'l RawValue>,
    /// `post_state` or `post`.
    pub post: Option<&'l RawValue>,
    /// Everything else, kept to be shown.
    pub others: Vec<(Cow<'l, str>, &'l RawValue)>,
}

/// The entries of a JSON object in order.
#[derive(Debug)]
pub(crate) struct Entries<'l>(pub(crate) Vec<(Cow<'l, str>, &'l RawValue)>);

impl<'de: 'l, 'l> Deserialize<'de> for Entries<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    entries.push((key, map.next_value()?));
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Object).map(Entries)
    }
}

/// A key, borrowed if it has no escapes.
struct Key<'l>(Cow<'l, str>);

impl<'de: 'l, 'l> Deserialize<'de> for Key<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Text).map(Key)
    }
}

impl<'l> Line<'l> {
    /// Finds the parts of a window.
    ///
    /// # Errors
    /// If the text is not a JSON object, or says one of the parts twice.
    pub fn parse(text: &'l str) -> Result<Line<'l>, String> {
        let Entries(entries) =
            serde_json::from_str(text).map_err(|e| format!("not a JSON object: {}", json::complaint(text, &e)))?;
        let mut line = Line::default();
        for names in [PRE, POST, ACTION, ACTOR, INPUT] {
            told_once(names, &entries)?;
        }
        // Both may stand in one window: the canonical one is meant.
        let canonical = entries.iter().any(|(key, _)| *key == ID[0]);
        for (key, value) in entries {
            let is = |names: &[&str]| names.contains(&&*key);
            match () {
                () if is(PRE) => line.pre = Some(value),
                () if is(POST) => line.post = Some(value),
                () if is(ACTION) => match string(value) {
                    Some(name) => line.action = Some(name),
                    None => line.others.push((key, value)),
                },
                () if is(ACTOR) => line.actor = Some(value),
                () if is(INPUT) => line.input = Some(value),
                () if is(ID) && (!canonical || *key == *ID[0]) => line.id = Some(value.get()),
                () if is(TRACE) => line.trace = Some(value.get()),
                () => line.others.push((key, value)),
            }
        }
        Ok(line)
    }
}

/// The part of a window that is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Pre,
    Post,
    Action,
}

impl Line<'_> {
    /// Advice on a missing part: a key that means nothing and looks like its key.
    pub(crate) fn near(&self, part: Part) -> String {
        if let (Part::Action, Some((key, _))) = (part, self.others.iter().find(|(key, _)| ACTION.contains(&&**key))) {
            return format!("; its key `{key}` has no string");
        }
        let names = match part {
            Part::Pre => PRE,
            Part::Post => POST,
            Part::Action => ACTION,
        };
        let meant = |key: &str| {
            nearest(key, names.iter().copied()).map(|near| format!("; its key `{key}` means nothing: {near}"))
        };
        self.others.iter().find_map(|(key, _)| meant(key)).unwrap_or_default()
    }
}

/// Two keys with the same meaning would leave open which one is meant.
fn told_once(names: &[&str], entries: &[(Cow<'_, str>, &RawValue)]) -> Result<(), String> {
    let mut told = entries.iter().map(|(key, _)| &**key).filter(|key| names.contains(key));
    match (told.next(), told.next()) {
        (Some(first), Some(second)) if first == second => Err(format!("the key `{first}` stands twice")),
        (Some(first), Some(second)) => {
            Err(format!("the keys `{first}` and `{second}` mean the same, and only one of them may be there"))
        }
        _ => Ok(()),
    }
}

/// The text of a JSON string.
pub(crate) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    let Key(text) = serde_json::from_str(value.get()).ok()?;
    Some(text)
}

/// A JSON scalar as plain text: a string without its quotes, a number or Boolean as it is.
pub(crate) fn scalar_text(value: &RawValue) -> Cow<'_, str> {
    string(value).unwrap_or(Cow::Borrowed(value.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_are_told_apart_by_their_keys() {
        let canonical =
            r#"{"window_id":3,"trace_id":"t","action":"A","actor":"1","pre_state":{"x":1},"post_state":{},"seq":4}"#;
        let line = Line::parse(canonical).unwrap();
        assert_eq!((line.id, line.action.as_deref()), (Some("3"), Some("A")));
        assert_eq!(line.pre.map(RawValue::get), Some(r#"{"x":1}"#));
        assert_eq!(line.others.len(), 1);
        let ready = Line::parse(r#"{"id":3,"node":2,"pre":{},"post":{},"input":[1]}"#).unwrap();
        assert_eq!(ready.actor.map(RawValue::get), Some("2"));
        assert!(ready.action.is_none() && ready.input.is_some());
    }

    #[test]
    fn a_part_is_told_once() {
        let error = |text| Line::parse(text).unwrap_err();
        assert!(error(r#"{"pre_state":{},"pre":{},"post":{}}"#).contains("`pre_state` and `pre`"));
        assert!(error(r#"{"pre":{},"post":{},"post_state":{}}"#).contains("`post` and `post_state`"));
        assert!(error(r#"{"pre":{},"pre":{}}"#).contains("`pre` stands twice"));
        assert!(error(r#"{"action":"A","event":"B"}"#).contains("`action` and `event`"));
        let both = Line::parse(r#"{"id":1,"window_id":2}"#).unwrap();
        assert_eq!((both.id, both.others.len()), (Some("2"), 1));
    }

    #[test]
    fn what_is_not_an_object_is_refused_with_the_place() {
        assert!(Line::parse("[1]").unwrap_err().ends_with("at column 1"));
        // Columns count characters as they are written.
        for before in ["e", "é", "\u{1f512}"] {
            let error = Line::parse(&format!("{{\"{before}\": 1, x}}")).unwrap_err();
            assert!(error.ends_with("at column 10"), "{error}");
        }
        assert!(Line::parse(r#"{"\u00e9": 1, x}"#).unwrap_err().ends_with("at column 15"));
        let near = |text, part| Line::parse(text).unwrap().near(part);
        assert!(
            near(r#"{"pre_stat": {}}"#, Part::Pre).ends_with("`pre_stat` means nothing: did you mean `pre_state`?")
        );
        assert_eq!(near(r#"{"pre_stat": {}}"#, Part::Action), "");
        assert!(Line::parse(r#"{"pre": {"#).unwrap_err().starts_with("not a JSON object"));
    }
}
