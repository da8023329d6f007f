//! The parameters of an action that a window fixes.
//!
//! An entry of `input` with the name of a parameter fixes it. `actor` fixes the first parameter that ranges over one constant
//! set (threads, nodes). A value outside a parameter's range is an error of the window, never "any value".

use primed_engine::compile::NamedAction;
use primed_engine::env::Env;
use primed_semantics::nearest;
use primed_value::freeze::Frozen;
use primed_value::value::Value;

use crate::checker::{Action, Checker, list};
use crate::line::{Entries, Line, scalar_text};
use crate::read;
use crate::shape::Shape;

/// Elements of a range that a message lists.
const LISTED: usize = 20;

impl Checker {
    /// One entry for each parameter: the value that it is fixed to, or `None`.
    pub(crate) fn given<'a>(
        &'a self,
        env: &mut Env<'a>,
        action: &'a Action,
        line: &Line<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Option<Value<'a>>>, String> {
        let Ok(compiled) = &action.compiled else { return Ok(Vec::new()) };
        let mut given = vec![None; compiled.parameters.len()];
        let mut texts = vec![None; compiled.parameters.len()];
        let mut strange = Vec::new();
        if let Some(input) = line.input
            && let Ok(Entries(fields)) = serde_json::from_str(input.get())
        {
            for (name, raw) in fields {
                let Some(i) = compiled.parameters.iter().position(|p| p.free && *p.name == *name) else {
                    strange.push(name.to_string());
                    continue;
                };
                let text = scalar_text(raw);
                given[i] = Some(match action.range(i) {
                    Some(range) => match range.get(&*text) {
                        Some(element) => element.get(),
                        None => return Err(outside(&format!("`input` has {text} for"), action, compiled, i)),
                    },
                    None => read::read(env, &self.models, &Shape::Unknown, raw.get())
                        .map_err(|e| format!("`{name}` in `input`: {e}"))?,
                });
                texts[i] = Some(text.into_owned());
            }
        }
        if !strange.is_empty() && !compiled.parameters.is_empty() {
            let strange: Vec<&str> = strange.iter().map(String::as_str).collect();
            let known = || compiled.parameters.iter().filter(|p| p.free).map(|p| &*p.name);
            let near = strange.iter().find_map(|name| nearest(name, known()));
            let near = near.map(|near| format!(" ({near})")).unwrap_or_default();
            notes.push(format!("{} in `input` is no parameter of `{}`{near}", list(&strange), action.name));
        }
        if let Some(actor) = line.actor {
            let text = scalar_text(actor);
            let Some(i) = (0..compiled.parameters.len()).find(|i| action.range(*i).is_some()) else {
                notes.push(format!("the actor fixes no parameter of `{}`", action.name));
                return Ok(given);
            };
            let Some(element) = action.range(i).and_then(|r| r.get(&*text)) else {
                return Err(outside(&format!("the actor is {text} for"), action, compiled, i));
            };
            if let Some(other) = texts[i].as_deref().filter(|other| *other != text) {
                let name = &compiled.parameters[i].name;
                return Err(format!("the actor is {text} and `input` has {other}, both for the parameter `{name}`"));
            }
            given[i] = Some(element.get());
        }
        Ok(given)
    }
}

impl Action {
    /// The constant range of a parameter by how its elements print, if it has one.
    pub(crate) fn range(&self, parameter: usize) -> Option<&hashbrown::HashMap<String, Frozen>> {
        self.ranges.get(parameter).filter(|r| !r.is_empty())
    }
}

fn outside(what: &str, action: &Action, compiled: &NamedAction, parameter: usize) -> String {
    let mut range: Vec<&str> = action.range(parameter).into_iter().flat_map(|r| r.keys()).map(String::as_str).collect();
    range.sort_unstable();
    let more = if range.len() > LISTED { ", ..." } else { "" };
    range.truncate(LISTED);
    let (name, range) = (&compiled.parameters[parameter].name, range.join(", "));
    format!("{what} `{name}`, the parameter of `{}`, which ranges over {range}{more}", action.name)
}
