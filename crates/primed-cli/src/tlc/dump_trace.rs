//! `-dumpTrace`: a counterexample in a file.

use std::path::Path;

use primed::{TraceState, TraceValue};

use super::options::Options;

/// Formats that are not written.
pub(super) const UNSUPPORTED: [&str; 4] = ["tlc", "tlctespec", "tlcaction", "dot"];

/// Writes the counterexample to every file that was asked for; gives the files that were written.
///
/// # Errors
/// A text that says which file cannot be written.
pub(super) fn write(options: &Options, trace: &[TraceState]) -> Result<Vec<String>, String> {
    let mut written = Vec::new();
    for (format, file) in &options.dump_trace {
        let text = match format.as_str() {
            "json" => json(trace),
            "tla" => module(file, "CounterExample", &counterexample(trace)),
            _ => module(file, "Trace", &sequence(trace)),
        };
        std::fs::write(file, text).map_err(|e| format!("cannot write `{}`: {e}", file.display()))?;
        written.push(file.display().to_string());
    }
    Ok(written)
}

/// The shape that TLC's module `_JsonTrace` writes.
pub(crate) fn json(trace: &[TraceState]) -> String {
    let states: Vec<String> = trace.iter().enumerate().map(|(i, s)| format!("[{},{}]", i + 1, json_state(s))).collect();
    let actions =
        trace.iter().enumerate().skip(1).filter_map(|(i, state)| {
            Some(format!("[{},{},{}]", states.get(i - 1)?, json_action(state), states.get(i)?))
        });
    let actions: Vec<String> = actions.collect();
    let mut names: Vec<&str> = trace.iter().flat_map(|s| &s.values).map(|v| &*v.name).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    let names: Vec<String> = names.into_iter().map(text).collect();
    format!(
        "{{\"counterexample\":{{\"action\":[{}],\"state\":[{}]}},\"vars\":[{}]}}",
        actions.join(","),
        states.join(","),
        names.join(",")
    )
}

fn json_state(state: &TraceState) -> String {
    let fields = state.values.iter().map(|v| format!("{}:{}", text(&v.name), json_value(v)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// What has no form in JSON is given as TLA+.
fn json_value(value: &TraceValue) -> String {
    value.json.clone().unwrap_or_else(|| text(&value.text))
}

fn json_action(state: &TraceState) -> String {
    let name = text(state.action.as_deref().unwrap_or("UnnamedAction"));
    let location = state.location.as_deref().unwrap_or("null");
    let parameters: Vec<_> =
        state.parameters.iter().filter_map(|p| Some((text(&p.name), p.json.as_deref()?))).collect();
    if parameters.is_empty() {
        return format!("{{\"name\":{name},\"location\":{location}}}");
    }
    let context: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    let names: Vec<&str> = parameters.iter().map(|(name, _)| &**name).collect();
    format!(
        "{{\"name\":{name},\"location\":{location},\"context\":{{{}}},\"parameters\":[{}]}}",
        context.join(","),
        names.join(",")
    )
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A module with one definition.
fn module(file: &Path, name: &str, value: &str) -> String {
    let module = file.with_extension("");
    let module = module.file_name().unwrap_or_default().to_string_lossy();
    format!("---- MODULE {module} ----\nLOCAL INSTANCE TLC\n\n{name} == \n\t{value}\n\n====")
}

/// `TLCExt!CounterExample` as TLA+.
fn counterexample(trace: &[TraceState]) -> String {
    let states: Vec<String> =
        trace.iter().enumerate().map(|(i, state)| format!("<<{}, {}>>", i + 1, record(state))).collect();
    let actions =
        trace.iter().enumerate().skip(1).filter_map(|(i, state)| {
            Some(format!("<<{}, {}, {}>>", states.get(i - 1)?, action(state), states.get(i)?))
        });
    let actions = actions.collect::<Vec<_>>().join(", ");
    format!("[action |-> {{{actions}}}, state |-> {{{}}}]", states.join(", "))
}

/// `TLCExt!ToTrace(CounterExample)` as TLA+.
fn sequence(trace: &[TraceState]) -> String {
    format!("<<{}>>", trace.iter().map(record).collect::<Vec<_>>().join(", "))
}

fn record(state: &TraceState) -> String {
    let fields = state.values.iter().map(|v| format!("{} |-> {}", v.name, v.text));
    format!("[{}]", fields.collect::<Vec<_>>().join(", "))
}

fn action(state: &TraceState) -> String {
    let name = text(state.action.as_deref().unwrap_or("UnnamedAction"));
    let location = state.location.as_deref().and_then(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let number = |key: &str| location.as_ref().and_then(|l| l.get(key)).map_or_else(|| "0".into(), ToString::to_string);
    let location = ["beginLine", "beginColumn", "endLine", "endColumn", "module"]
        .map(|key| format!("{key} |-> {}", number(key)))
        .join(", ");
    let parameters: Vec<_> = state.parameters.iter().filter(|p| p.json.is_some()).collect();
    if parameters.is_empty() {
        return format!("[name |-> {name}, location |-> [{location}]]");
    }
    let context: Vec<String> = parameters.iter().map(|p| format!("{} |-> {}", p.name, p.text)).collect();
    let names: Vec<String> = parameters.iter().map(|p| text(&p.name)).collect();
    format!(
        "[name |-> {name}, location |-> [{location}], context |-> [{}], parameters |-> <<{}>>]",
        context.join(", "),
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use primed::Parameter;

    fn trace() -> Vec<TraceState> {
        let value = |text: &str, json: &str| TraceValue {
            name: "x".into(),
            text: text.into(),
            json: Some(json.into()),
            itf: None,
        };
        let location = r#"{"beginLine":5,"beginColumn":9,"endLine":5,"endColumn":16,"module":"M"}"#;
        vec![
            TraceState { values: vec![value("{1}", "[1]")], ..TraceState::default() },
            TraceState {
                action: Some("Step".into()),
                parameters: vec![Parameter { name: "i".into(), text: "2".into(), json: Some("2".into()) }],
                location: Some(location.into()),
                values: vec![value("<<>>", "[]")],
                ..TraceState::default()
            },
        ]
    }

    #[test]
    fn json_has_the_shape_of_tlc() {
        let expected = concat!(
            r#"{"counterexample":{"action":[[[1,{"x":[1]}],{"name":"Step","location":"#,
            r#"{"beginLine":5,"beginColumn":9,"endLine":5,"endColumn":16,"module":"M"},"context":{"i":2},"parameters":["i"]},"#,
            r#"[2,{"x":[]}]]],"state":[[1,{"x":[1]}],[2,{"x":[]}]]},"vars":["x"]}"#
        );
        assert_eq!(json(&trace()), expected);
    }

    #[test]
    fn modules_have_one_definition() {
        let text = module(Path::new("/tmp/Bad.tla"), "Trace", &sequence(&trace()));
        let expected = "---- MODULE Bad ----\nLOCAL INSTANCE TLC\n\nTrace == \n\t<<[x |-> {1}], [x |-> <<>>]>>\n\n====";
        assert_eq!(text, expected);
        let action = concat!(
            r#"[name |-> "Step", location |-> [beginLine |-> 5, beginColumn |-> 9, endLine |-> 5, endColumn |-> 16, "#,
            r#"module |-> "M"], context |-> [i |-> 2], parameters |-> <<"i">>]"#
        );
        let expected = format!(
            "[action |-> {{<<<<1, [x |-> {{1}}]>>, {action}, <<2, [x |-> <<>>]>>>>}}, \
             state |-> {{<<1, [x |-> {{1}}]>>, <<2, [x |-> <<>>]>>}}]"
        );
        assert_eq!(counterexample(&trace()), expected);
    }
}
