//! JSON as TLA+, as TLC's module Json reads it.

use serde_json::Value;

/// The value as an expression, of modules Integers and TLC.
///
/// # Errors
/// If TLC has no value for a part of it; which.
pub fn literal(value: &Value) -> Result<String, String> {
    match value {
        Value::Bool(true) => Ok("TRUE".into()),
        Value::Bool(false) => Ok("FALSE".into()),
        Value::Number(number) => match number.as_i64().filter(|n| i32::try_from(*n).is_ok()) {
            Some(n @ 0..) => Ok(n.to_string()),
            Some(n) if n == i64::from(i32::MIN) => Ok(format!("(-{} - 1)", i32::MAX)),
            Some(n) => Ok(format!("(-{})", n.unsigned_abs())),
            None => Err(format!("TLC has no value for the number {number}")),
        },
        Value::String(text) => Ok(string(text)),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect::<Result<_, _>>()?;
            Ok(format!("<<{}>>", items.join(", ")))
        }
        Value::Object(fields) if fields.is_empty() => Ok("<<>>".into()),
        Value::Object(fields) => {
            let names = fields.keys().all(|name| is_field(name));
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| {
                    let value = literal(value)?;
                    Ok(if names { format!("{name} |-> {value}") } else { format!("{} :> {value}", string(name)) })
                })
                .collect::<Result<_, String>>()?;
            Ok(if names { format!("[{}]", fields.join(", ")) } else { format!("({})", fields.join(" @@ ")) })
        }
        Value::Null => Err("TLC has no value for null".into()),
    }
}

/// A string literal. Characters that old versions of SANY do not read are written as their number.
pub fn string(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\t' => written.push_str("\\t"),
            '\n' => written.push_str("\\n"),
            '\u{c}' => written.push_str("\\f"),
            '\r' => written.push_str("\\r"),
            ' '..='~' if c != '`' => written.push(c),
            other => written.push_str(&format!("<U+{:04X}>", u32::from(other))),
        }
    }
    written.push('"');
    written
}

fn is_field(text: &str) -> bool {
    let name = text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    let letters = name && text.chars().any(|c| c.is_ascii_alphabetic());
    letters && !text.starts_with("WF_") && !text.starts_with("SF_") && !primed_syntax::is_reserved(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_json_has_its_form() {
        let of = |text: &str| literal(&serde_json::from_str(text).unwrap());
        assert_eq!(of(r#"{"a": [1, -2, true], "b": {}}"#).unwrap(), "[a |-> <<1, (-2), TRUE>>, b |-> <<>>]");
        assert_eq!(of(r#"{"a b": "x\"y", "END": 1}"#).unwrap(), r#"("END" :> 1 @@ "a b" :> "x\"y")"#);
        assert_eq!(of("-2147483648").unwrap(), "(-2147483647 - 1)");
        assert_eq!(of(r#""é""#).unwrap(), r#""<U+00E9>""#);
        assert!(of("1.5").is_err() && of("null").is_err() && of("2147483648").is_err());
    }
}
