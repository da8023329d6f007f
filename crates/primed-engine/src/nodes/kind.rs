//! Elements of one kind, in sets of messages: `\E m \in msgs : m.type = "1a" /\ ...`.

use primed_value::symbol::Symbol;
use primed_value::value::Value;

use crate::env::Env;

/// `m.f = c`, which everything else about the element m depends on, for a string or model value c.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindTest {
    pub(crate) field: Symbol,
    pub(crate) value: Value<'static>,
}

impl KindTest {
    /// It is sure that the test is false, and that it does not fail.
    #[inline]
    pub(crate) fn excludes(&self, element: Value<'_>) -> bool {
        let Value::Record(record) = element else { return false };
        let Some(at) = record.fields.iter().position(|field| *field == self.field) else { return false };
        match (record.values.get(at), self.value) {
            (Some(Value::String(a)), Value::String(b)) => *a != b,
            // Values of different types are not compared.
            (Some(Value::Model(a)), Value::Model(b)) => *a != b && a.kind == b.kind,
            _ => false,
        }
    }

    /// The test, if nobody wants to hear of what is false.
    #[inline]
    pub(crate) fn applicable(test: Option<KindTest>, env: &Env<'_>) -> Option<KindTest> {
        test.filter(|_| env.explaining.is_none() && !env.listing)
    }
}
