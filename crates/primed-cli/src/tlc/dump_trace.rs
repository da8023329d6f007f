//! `-dumpTrace`: a counterexample in a file.

use std::path::Path;

use primed::{CheckVerdict, TraceEnding, TraceState, TraceValue};

use super::options::Options;

/// A format that is not written: it is Java's own.
pub(super) const UNSUPPORTED: [&str; 1] = ["tlc"];

/// The action by which the last state of a counterexample leads back to one of its states, with the number of that.
type Closing<'t> = Option<(usize, &'t TraceState)>;

/// Writes the counterexample to every file that was asked for; gives the files that were written.
///
/// # Errors
/// A text that says which file cannot be written.
pub(super) fn write(options: &Options, verdict: &CheckVerdict, trace: &[TraceState]) -> Result<Vec<String>, String> {
    let closing = closing(verdict, trace);
    let mut written = Vec::new();
    for (format, file) in &options.dump_trace {
        let text = match format.as_str() {
            "json" => json(trace, closing),
            "dot" => dot(trace, closing),
            "tla" => module(
                file,
                &format!("LOCAL INSTANCE TLC\n\nCounterExample == \n\t{}\n\n", counterexample(trace, closing)),
            ),
            "tlcaction" if steps(trace, closing).is_empty() => continue,
            "tlcaction" => module(file, &actions(trace, closing)),
            "tlctespec" => module(file, &specification(trace, closing)),
            _ => module(file, &format!("LOCAL INSTANCE TLC\n\nTrace == \n\t{}\n\n", sequence(trace))),
        };
        std::fs::write(file, text).map_err(|e| format!("cannot write `{}`: {e}", file.display()))?;
        written.push(file.display().to_string());
    }
    Ok(written)
}

/// How a counterexample to a temporal property goes on. TLC takes stuttering for another step of the last action.
pub(crate) fn closing<'t>(verdict: &'t CheckVerdict, trace: &'t [TraceState]) -> Closing<'t> {
    match verdict {
        CheckVerdict::TemporalProperty { then: Some(TraceEnding::Stutters), .. } => Some((trace.len(), trace.last()?)),
        CheckVerdict::TemporalProperty { then: Some(TraceEnding::Back { state, by }), .. } => Some((*state, by)),
        _ => None,
    }
}

/// The steps: the number of the state before, the action, the number of the state after.
fn steps<'t>(trace: &'t [TraceState], closing: Closing<'t>) -> Vec<(usize, &'t TraceState, usize)> {
    let steps = trace.iter().enumerate().skip(1).map(|(i, state)| (i, state, i + 1));
    steps.chain(closing.map(|(target, by)| (trace.len(), by, target))).collect()
}

/// The names of what states show, each once.
fn names(trace: &[TraceState]) -> Vec<&str> {
    let mut names: Vec<&str> = trace.iter().flat_map(|s| &s.values).map(|v| &*v.name).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

/// The shape that TLC's module `_JsonTrace` writes.
pub(crate) fn json(trace: &[TraceState], closing: Closing<'_>) -> String {
    let states: Vec<String> = trace.iter().enumerate().map(|(i, s)| format!("[{},{}]", i + 1, json_state(s))).collect();
    let actions: Vec<String> = steps(trace, closing)
        .into_iter()
        .filter_map(|(from, by, to)| {
            Some(format!(
                "[{},{},{}]",
                states.get(from.checked_sub(1)?)?,
                json_action(by),
                states.get(to.checked_sub(1)?)?
            ))
        })
        .collect();
    let names: Vec<String> = names(trace).into_iter().map(text).collect();
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

/// A module whose name is that of its file.
fn module(file: &Path, body: &str) -> String {
    let module = file.with_extension("");
    let module = module.file_name().unwrap_or_default().to_string_lossy();
    format!("---- MODULE {module} ----\n{body}====")
}

/// `TLCExt!CounterExample` as TLA+.
fn counterexample(trace: &[TraceState], closing: Closing<'_>) -> String {
    let states: Vec<String> =
        trace.iter().enumerate().map(|(i, state)| format!("<<{}, {}>>", i + 1, record(state))).collect();
    let actions = steps(trace, closing).into_iter().filter_map(|(from, by, to)| {
        let (from, to) = (states.get(from.checked_sub(1)?)?, states.get(to.checked_sub(1)?)?);
        Some(format!("<<{from}, {}, {to}>>", action(by)))
    });
    let actions = actions.collect::<Vec<_>>().join(", ");
    format!("[action |-> {{{actions}}}, state |-> {{{}}}]", states.join(", "))
}

/// The modules that the actions stand in, as an EXTENDS.
fn extends(steps: &[(usize, &TraceState, usize)]) -> String {
    let mut modules: Vec<String> = steps.iter().filter_map(|(_, by, _)| location(by, "module")).collect();
    let mut seen = std::collections::HashSet::new();
    modules.retain(|module| seen.insert(module.clone()));
    let modules: Vec<&str> = modules.iter().map(|module| module.trim_matches('"')).collect();
    if modules.is_empty() { String::new() } else { format!("EXTENDS {}", modules.join(", ")) }
}

/// What TLC's module `_TLCActionTrace` writes: an action constraint that lets only the counterexample's actions happen.
fn actions(trace: &[TraceState], closing: Closing<'_>) -> String {
    let steps = steps(trace, closing);
    let taken = steps.iter().map(|(from, by, _)| {
        let values: Vec<&str> = by.parameters.iter().filter(|p| p.json.is_some()).map(|p| &*p.text).collect();
        let name = by.action.as_deref().unwrap_or("UnnamedAction");
        let arguments = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        format!("\\/ {from} = _idx /\\ {name}{arguments}\n")
    });
    let taken: String = taken.collect();
    let (extends, length) = (extends(&steps), steps.len());
    format!(
        "{extends}\n\n_length == {length}\n\n_next(_idx) ==\n{taken}\n_actionConstraint ==\n_next(LET T == INSTANCE TLC IN \
         T!TLCGet(\"level\"))\n\n"
    )
}

/// What TLC's module `_TLCTESpec` writes: a specification of the counterexample alone.
fn specification(trace: &[TraceState], closing: Closing<'_>) -> String {
    let names = names(trace);
    let conjuncts = |prime: &str, index: &str| -> String {
        names.iter().map(|name| format!("/\\ {name}{prime} = Trace[{index}].{name}\n")).collect()
    };
    let (first, before, after) = (conjuncts("", "1"), conjuncts("", "i"), conjuncts("'", "j"));
    let (extends, variables, trace) = (extends(&steps(trace, closing)), names.join(", "), sequence(trace));
    format!(
        "{extends}\n\nLOCAL INSTANCE TLC\n\nTrace == \n\t{trace}\n\n_init ==\n{first}\n_next ==\n\\E i,j \\in DOMAIN Trace:\n/\\ \
         i = TLCGet(\"level\")\n/\\ j = i + 1\n{before}{after}\n(* Allow infinite stuttering to prevent deadlock on termination. \
         *)\n_terminating ==\n\tUNCHANGED <<{variables}>>\n\n_spec == \n\t_init /\\ [][_next \\/ \
         _terminating]_<<{variables}>>\n\n"
    )
}

/// What TLC's module `_DotTrace` writes; states have their numbers in place of fingerprints.
fn dot(trace: &[TraceState], closing: Closing<'_>) -> String {
    let nodes = trace.iter().enumerate().map(|(i, state)| {
        let lines: String = state.values.iter().rev().map(|v| format!("{}\n", v.text)).collect();
        format!("{}[label={}];", i + 1, quoted(&lines))
    });
    let edges = steps(trace, closing).into_iter().map(|(from, by, to)| {
        format!("{from}->{to}[label={}];", quoted(by.action.as_deref().unwrap_or("UnnamedAction")))
    });
    format!("digraph MyGraph {{{}}}", nodes.chain(edges).collect::<String>())
}

/// A text as TLA+ and GraphViz write a string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A part of the place of an action.
fn location(state: &TraceState, key: &str) -> Option<String> {
    let location = serde_json::from_str::<serde_json::Value>(state.location.as_deref()?).ok()?;
    location.get(key).map(ToString::to_string)
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
    let number = |key: &str| location(state, key).unwrap_or_else(|| "0".into());
    let place = ["beginLine", "beginColumn", "endLine", "endColumn", "module"]
        .map(|key| format!("{key} |-> {}", number(key)))
        .join(", ");
    let parameters: Vec<_> = state.parameters.iter().filter(|p| p.json.is_some()).collect();
    if parameters.is_empty() {
        return format!("[name |-> {name}, location |-> [{place}]]");
    }
    let context: Vec<String> = parameters.iter().map(|p| format!("{} |-> {}", p.name, p.text)).collect();
    let names: Vec<String> = parameters.iter().map(|p| text(&p.name)).collect();
    format!(
        "[name |-> {name}, location |-> [{place}], context |-> [{}], parameters |-> <<{}>>]",
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
        assert_eq!(json(&trace(), None), expected);
    }

    #[test]
    fn modules_have_one_definition() {
        let text = module(Path::new("/tmp/Bad.tla"), "Trace == 1\n\n");
        assert_eq!(text, "---- MODULE Bad ----\nTrace == 1\n\n====");
        assert_eq!(sequence(&trace()), "<<[x |-> {1}], [x |-> <<>>]>>");
        let action = concat!(
            r#"[name |-> "Step", location |-> [beginLine |-> 5, beginColumn |-> 9, endLine |-> 5, endColumn |-> 16, "#,
            r#"module |-> "M"], context |-> [i |-> 2], parameters |-> <<"i">>]"#
        );
        let expected = format!(
            "[action |-> {{<<<<1, [x |-> {{1}}]>>, {action}, <<2, [x |-> <<>>]>>>>}}, \
             state |-> {{<<1, [x |-> {{1}}]>>, <<2, [x |-> <<>>]>>}}]"
        );
        assert_eq!(counterexample(&trace(), None), expected);
    }
}
