//! A specification: modules of units, and a configuration.

use crate::generate::expression::Expr;
use crate::generate::types::Type;

/// A specification with its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The seed that it was made from.
    pub seed: u64,
    pub(crate) modules: Vec<Module>,
    pub(crate) config: Vec<String>,
    pub(crate) actions: Vec<Action>,
    pub(crate) variables: Vec<String>,
    /// A state without successors is no error (TLC's `-deadlock`).
    pub no_deadlock: bool,
}

/// An action that windows may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The operator.
    pub name: String,
    /// The formula that the next-state relation has for it.
    pub formula: String,
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) extends: String,
    pub(crate) units: Vec<Unit>,
}

/// A unit of a module: a text, then an expression or nothing, then a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) head: String,
    pub(crate) body: Option<Expr>,
    pub(crate) tail: &'static str,
}

impl Unit {
    pub(crate) fn text(head: impl Into<String>) -> Unit {
        Unit { head: head.into(), body: None, tail: "" }
    }

    pub(crate) fn new(head: impl Into<String>, body: Expr) -> Unit {
        Unit { head: head.into(), body: Some(body), tail: "" }
    }
}

impl Module {
    fn write(&self) -> String {
        let mut text = format!("---- MODULE {} ----\n", self.name);
        if !self.extends.is_empty() {
            text.push_str(&format!("EXTENDS {}\n", self.extends));
        }
        for unit in &self.units {
            text.push_str(&unit.head);
            if let Some(body) = &unit.body {
                body.write(&mut text);
            }
            text.push_str(unit.tail);
            text.push('\n');
        }
        text.push_str("====\n");
        text
    }
}

impl Specification {
    /// The root module's name.
    pub fn name(&self) -> &str {
        self.modules.first().map_or("", |m| &m.name)
    }

    /// Modules by name with their text, the root first.
    pub fn modules(&self) -> Vec<(String, String)> {
        self.modules.iter().map(|module| (module.name.clone(), module.write())).collect()
    }

    /// The text of the configuration.
    pub fn config(&self) -> String {
        self.config.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The actions that windows may name.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The variables in order of declaration.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Whether a temporal property has a condition in which no variable occurs: where TLC 2.15 finds violations that are none
    /// (tests `Github604` of later versions), and any TLC evaluates before the search what Primed evaluates in it.
    pub fn has_constant_condition(&self) -> bool {
        let units = self.modules.iter().flat_map(|m| &m.units).filter(|u| u.head.starts_with("Prop"));
        let mut conditions = units.filter_map(|u| u.body.as_ref()).flat_map(|body| &body.parts);
        conditions.any(|condition| condition.ty != Type::Action && !self.reads_variables(condition))
    }

    /// Whether a variable stands in what the value of an expression may depend on: neither in a LET definition that is not used nor
    /// in what is said of the elements of `{}`, which TLC leaves out where it takes a property apart.
    fn reads_variables(&self, expr: &Expr) -> bool {
        let own = expr.form.contains("vars") || self.variables.iter().any(|v| expr.form.contains(v.as_str()));
        let reads = |(i, part): (usize, &Expr)| !expr.leaves_out(i) && self.reads_variables(part);
        own || !expr.is_about_nothing() && expr.parts.iter().enumerate().any(reads)
    }

    /// How large it is; what is made smaller has fewer.
    pub fn size(&self) -> usize {
        let units = self.modules.iter().flat_map(|m| &m.units);
        self.config.len() + units.map(|u| 1 + u.body.as_ref().map_or(0, Expr::size)).sum::<usize>()
    }
}
