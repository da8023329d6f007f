//! A verdict as JSON. `docs/json.md` describes it.

use primed::{
    Assumed, Difference, Elsewhere, Finding, FindingKind, Location, Outcome, Reason, Tried, Trouble, Verdict,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::cross::windows::Crossed;

/// One window's object.
pub(crate) struct Window<'v> {
    pub(crate) verdict: &'v Verdict,
    /// What the real TLC says, if it was asked.
    pub(crate) crossed: Option<&'v Crossed>,
}

impl Serialize for Window<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Window { verdict, crossed } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("line", &verdict.line)?;
        for (key, text) in [("id", &verdict.id), ("trace", &verdict.trace)] {
            if let Some(json) = text.as_deref().and_then(raw) {
                map.serialize_entry(key, &json)?;
            }
        }
        if let Some(action) = &verdict.action {
            map.serialize_entry("action", action)?;
        }
        let disputed = crossed.is_some_and(|c| c.result == "disputed");
        map.serialize_entry("verdict", if disputed { "disputed" } else { verdict.outcome.word() })?;
        if crossed.is_some_and(|c| c.result == "decided") {
            map.serialize_entry("decided_by", "tlc")?;
        }
        some(&mut map, "unobserved", &verdict.unobserved)?;
        match &verdict.outcome {
            Outcome::Conforms => {}
            Outcome::Refused(refused) => {
                some(&mut map, "reasons", &wrap(&refused.reasons, ReasonObject))?;
                if let Some(nearest) = &refused.nearest {
                    map.serialize_entry("nearest", &wrap(nearest, DifferenceObject))?;
                }
                if let Some(among) = refused.among.filter(|_| refused.nearest.is_some()) {
                    map.serialize_entry("nearest_among", &among)?;
                }
                some(&mut map, "others", &refused.others)?;
                some(&mut map, "elsewhere", &wrap(&refused.elsewhere, ElsewhereObject))?;
                if let Some(assumed) = &refused.assumed {
                    map.serialize_entry("assumed", &AssumedObject(assumed))?;
                }
                if let Some(why) = &refused.unknown {
                    map.serialize_entry("why", why)?;
                }
            }
            Outcome::Error(trouble) | Outcome::Unsupported(trouble) => serialize_trouble(&mut map, trouble)?,
        }
        some(&mut map, "invariants", &wrap(&verdict.findings, FindingObject))?;
        if !verdict.unknown.is_empty() {
            map.serialize_entry("unknown", &Unknown(&verdict.unknown))?;
        }
        some(&mut map, "notes", &verdict.notes)?;
        if let Some(crossed) = crossed {
            map.serialize_entry("cross_check", crossed)?;
        }
        map.end()
    }
}

/// Keys that mean nothing to Primed, as the JSON they were.
struct Unknown<'v>(&'v [(String, String)]);

impl Serialize for Unknown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, text) in self.0 {
            if let Some(json) = raw(text) {
                map.serialize_entry(key, &json)?;
            }
        }
        map.end()
    }
}

/// An id as the JSON it was.
fn raw(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.to_owned()).ok()
}

/// An entry, unless the list is empty.
fn some<M: SerializeMap, T: Serialize>(map: &mut M, key: &str, list: &[T]) -> Result<(), M::Error> {
    if list.is_empty() { Ok(()) } else { map.serialize_entry(key, list) }
}

fn wrap<'v, T, W>(list: &'v [T], as_object: impl Fn(&'v T) -> W) -> Vec<W> {
    list.iter().map(as_object).collect()
}

fn serialize_trouble<M: SerializeMap>(map: &mut M, trouble: &Trouble) -> Result<(), M::Error> {
    map.serialize_entry("message", &trouble.message)?;
    some(map, "places", &wrap(&trouble.places, LocationObject))
}

fn serialize_location<M: SerializeMap>(map: &mut M, location: &Location) -> Result<(), M::Error> {
    map.serialize_entry("file", &location.file)?;
    map.serialize_entry("line", &location.line)?;
    map.serialize_entry("column", &location.column)?;
    map.serialize_entry("text", &location.text)
}

pub(crate) struct LocationObject<'v>(pub(crate) &'v Location);

impl Serialize for LocationObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        serialize_location(&mut map, self.0)?;
        map.end()
    }
}

/// A condition that is false.
pub(crate) struct ReasonObject<'v>(pub(crate) &'v Reason);

impl Serialize for ReasonObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        serialize_location(&mut map, &self.0.location)?;
        if !self.0.bindings.is_empty() {
            map.serialize_entry("bindings", &Bindings(&self.0.bindings))?;
        }
        some(&mut map, "because", &wrap(&self.0.because, BecauseObject))?;
        some(&mut map, "operands", &wrap(&self.0.operands, Operand))?;
        if !self.0.witnesses.is_empty() {
            map.serialize_entry("false_for", &Bindings(&self.0.witnesses))?;
        }
        some(&mut map, "none_of", &wrap(&self.0.tried, TriedObject))?;
        if !self.0.unobserved.is_empty() {
            map.serialize_entry("unobserved", &Bindings(&self.0.unobserved))?;
        }
        map.end()
    }
}

/// A condition that leads to another, with its value.
struct BecauseObject<'v>(&'v (Location, bool));

impl Serialize for BecauseObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        serialize_location(&mut map, &self.0.0)?;
        map.serialize_entry("value", &self.0.1)?;
        map.end()
    }
}

/// An `\E` that nothing satisfies.
struct TriedObject<'v>(&'v Tried);

impl Serialize for TriedObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("names", &self.0.names)?;
        map.serialize_entry("count", &self.0.count)?;
        map.end()
    }
}

/// An action that allows the step for other values of a parameter.
pub(crate) struct ElsewhereObject<'v>(pub(crate) &'v Elsewhere);

impl Serialize for ElsewhereObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("action", &self.0.action)?;
        map.serialize_entry("parameter", &self.0.parameter)?;
        map.serialize_entry("values", &self.0.values)?;
        map.end()
    }
}

/// What was not observed before the step, and where its values come from.
pub(crate) struct AssumedObject<'v>(pub(crate) &'v Assumed);

impl Serialize for AssumedObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("variables", &self.0.variables)?;
        map.serialize_entry("from", &self.0.from)?;
        map.serialize_entry("tried", &self.0.tried)?;
        map.end()
    }
}

/// Names with values. Where a name is bound twice, the inner one counts.
struct Bindings<'v>(&'v [(String, String)]);

impl Serialize for Bindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (i, (name, value)) in self.0.iter().enumerate() {
            if !self.0[i + 1..].iter().any(|(inner, _)| inner == name) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

struct Operand<'v>(&'v (String, String));

impl Serialize for Operand<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("text", &self.0.0)?;
        map.serialize_entry("value", &self.0.1)?;
        map.end()
    }
}

pub(crate) struct DifferenceObject<'v>(pub(crate) &'v Difference);

impl Serialize for DifferenceObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("path", &self.0.path)?;
        map.serialize_entry("specification", &self.0.specification)?;
        map.serialize_entry("observed", &self.0.observed)?;
        map.end()
    }
}

struct FindingObject<'v>(&'v Finding);

impl Serialize for FindingObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("invariant", &self.0.invariant)?;
        map.serialize_entry("state", self.0.state)?;
        match &self.0.kind {
            FindingKind::Violated(reasons) => {
                map.serialize_entry("result", "violated")?;
                some(&mut map, "reasons", &wrap(reasons, ReasonObject))?;
            }
            FindingKind::Unobserved(message) => {
                map.serialize_entry("result", "unobserved")?;
                map.serialize_entry("message", message)?;
            }
            FindingKind::NotEvaluated(message) => {
                map.serialize_entry("result", "not evaluated")?;
                map.serialize_entry("message", message)?;
            }
        }
        map.end()
    }
}
