//! A window as it was bound: states and action as TLA+, to be put before another checker.

use bumpalo::Bump;
use hashbrown::HashMap;
use primed_engine::compile::expression_text;
use primed_engine::env::Env;
use primed_value::source::{Spelling, source};
use primed_value::value::Value;

use crate::checker::Checker;
use crate::judge::Observed;
use crate::line::Line;

/// A window in TLA+. Everything is in the scope of a module that extends the specification, and modules Integers and TLC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The action's name.
    pub action: String,
    /// The action as a formula, with what its parameters are fixed to.
    pub formula: String,
    /// The observed variables before the step, in order of declaration, with their values.
    pub before: Vec<(String, String)>,
    /// Those after it.
    pub after: Vec<(String, String)>,
    /// Variables that are not observed before the step.
    pub missing: Vec<String>,
    /// What says which values they may have.
    pub allowed: Option<Allowed>,
    /// TLC may refuse to run the action, because it leaves a variable open on some way.
    pub open: bool,
}

/// What says which values unobserved variables may have before a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Those of the initial states: this initial predicate.
    Initial(String),
    /// Those for which this predicate holds, given what is observed.
    Predicate(String),
}

/// The names of a bound window: how model values and strings are written.
#[derive(Debug, Default)]
pub struct Names {
    /// The model values that were written, each with the constant that stands for it.
    models: HashMap<String, String>,
    order: Vec<(String, String)>,
    /// The texts of strings that are written in another way, and those that must not be used for them.
    texts: HashMap<String, String>,
    used: HashMap<String, String>,
    /// Strings may have any character: the specification has such, and TLC reads it.
    pub any_text: bool,
}

impl Names {
    /// The constants that stand for model values: a name, and the model value that a configuration has to give it.
    pub fn constants(&self) -> &[(String, String)] {
        &self.order
    }
}

impl Spelling for Names {
    fn model(&mut self, name: &str) -> String {
        if let Some(known) = self.models.get(name) {
            return known.clone();
        }
        let constant = format!("model{}_", self.order.len() + 1);
        self.models.insert(name.to_owned(), constant.clone());
        self.order.push((constant.clone(), name.to_owned()));
        constant
    }

    /// Old versions of SANY read printable ASCII only, without the back-quote. Other characters are written as their number; it
    /// stays the only string of that text.
    fn text(&mut self, text: &str) -> String {
        let plain = |c: char| matches!(c, ' '..='~' if c != '`') || matches!(c, '\t' | '\n' | '\u{c}' | '\r');
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let mut written: String = match self.any_text || text.chars().all(plain) {
            true => text.to_owned(),
            false => text
                .chars()
                .map(|c| if plain(c) { c.to_string() } else { format!("<U+{:04X}>", u32::from(c)) })
                .collect(),
        };
        while self.used.get(&written).is_some_and(|other| other != text) {
            written.push('_');
        }
        self.used.insert(written.clone(), text.to_owned());
        self.texts.insert(text.to_owned(), written.clone());
        written
    }

    fn is_field(&self, text: &str) -> bool {
        let ascii = text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        let letters = ascii && text.chars().any(|c| c.is_ascii_alphabetic());
        letters && !text.starts_with("WF_") && !text.starts_with("SF_") && !primed_syntax::is_reserved(text)
    }
}

impl Checker {
    /// Binds a window as [`Checker::judge_line`] does, and writes it as TLA+.
    ///
    /// # Errors
    /// If the window does not fit the specification, or a part of it has no text in the root module's scope; why.
    pub fn bind(&self, window: &str, names: &mut Names) -> Result<Bound, String> {
        let line = Line::parse(window.trim_start_matches('\u{feff}'))?;
        let name = line.action.as_deref().or(self.options.action.as_deref()).ok_or("the window names no action")?;
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let action = self.action(name)?;
        let compiled = action.compiled.as_ref().map_err(|_| format!("`{name}` cannot be used by name"))?;
        let before = self.state(&mut env, line.pre, "pre_state")?;
        let after = self.state(&mut env, line.post, "post_state")?;
        let given = self.given(&mut env, action, &line, &mut Vec::new())?;
        let fixed: Vec<Option<String>> =
            given.into_iter().map(|v| v.map(|v| written(&mut env, v, names)).transpose()).collect::<Result<_, _>>()?;
        let formula = compiled.formula.clone()?.text(|i| fixed.get(i).cloned().flatten());
        let missing: Vec<String> = before
            .iter()
            .zip(&self.model.variables)
            .filter(|(value, _)| value.is_none())
            .map(|(_, variable)| variable.name.to_string())
            .collect();
        let allowed = if missing.is_empty() { None } else { Some(self.allowed_text()?) };
        Ok(Bound {
            action: name.to_owned(),
            formula,
            before: self.written_state(&mut env, &before, names)?,
            after: self.written_state(&mut env, &after, names)?,
            missing,
            allowed,
            open: action.remark.is_some(),
        })
    }

    fn written_state<'a>(
        &'a self,
        env: &mut Env<'a>,
        state: &Observed<'a>,
        names: &mut Names,
    ) -> Result<Vec<(String, String)>, String> {
        let mut found = Vec::new();
        for (value, variable) in state.iter().zip(&self.model.variables) {
            if let Some(value) = value {
                found.push((variable.name.to_string(), written(env, *value, names)?));
            }
        }
        Ok(found)
    }

    pub(crate) fn allowed_text(&self) -> Result<Allowed, String> {
        if let Some(predicate) = &self.options.unobserved {
            return Ok(Allowed::Predicate(predicate.clone()));
        }
        let init = self.model.behaviour.init.as_ref().ok_or("the configuration names no initial predicate")?;
        expression_text(&self.model, init).map(Allowed::Initial)
    }
}

fn written<'a>(env: &mut Env<'a>, value: Value<'a>, names: &mut Names) -> Result<String, String> {
    source(env, value, names).map_err(|e| e.message.clone())
}
