//! Evaluates expressions given as text, in a module given as text.
#![allow(dead_code, reason = "each test uses some of it")]

use std::sync::Arc;

use bumpalo::Bump;
use hashbrown::HashMap;
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Relation};
use primed_engine::env::Env;
use primed_engine::world::Sealed;
use primed_semantics::Session;
use primed_semantics::model::{Expr, Model};
use primed_syntax::span::SourceFile;
use primed_value::error::EvalError;
use primed_value::host::Limits;
use primed_value::print;

/// A module whose scope expressions are evaluated in.
pub(crate) struct Module {
    session: Session<'static>,
    model: Model,
    pub(crate) limits: Limits,
}

impl Module {
    /// A module with these units. Model values `m1` and `m2` are at hand.
    pub(crate) fn new(units: &str) -> Module {
        Module::with(units, [])
    }

    /// The same beside other modules, given with their names.
    pub(crate) fn with<const N: usize>(units: &str, others: [(String, String); N]) -> Module {
        // Sessions borrow their library; that of a test may stay.
        let library: &'static HashMap<String, String> = Box::leak(Box::new(others.into_iter().collect()));
        let text = format!("---- MODULE Test ----\n{units}\nCONSTANTS m1, m2\n====\n");
        let config = SourceFile::new("Test.cfg", "CONSTANTS m1 = m1\nm2 = m2\n");
        let opened = Session::open(&SourceFile::new("Test.tla", text), Some(&config), library);
        let (session, model) = match opened {
            Ok(opened) => opened,
            Err(complaints) => panic!("{:?}", complaints.iter().map(|c| &c.diagnostic).collect::<Vec<_>>()),
        };
        let limits = Limits { depth: 2_000, set_size: 20_000, memory: 64 << 20, ..Limits::default() };
        Module { session, model, limits }
    }

    /// The value of an expression, printed, or why it has none.
    pub(crate) fn eval(&mut self, expression: &str) -> Result<String, Box<EvalError>> {
        self.eval_between(&[], &[], expression)
    }

    fn resolve(&mut self, expression: &str) -> Expr {
        let source = SourceFile::new("expression", expression);
        match self.session.expression(&source, &mut self.model) {
            Ok(expr) => expr,
            Err(complaints) => {
                panic!("{expression}: {:?}", complaints.iter().map(|c| &c.diagnostic).collect::<Vec<_>>())
            }
        }
    }

    /// The value between two states, each given as the expressions of its variables' values.
    fn eval_between(&mut self, now: &[&str], then: &[&str], expression: &str) -> Result<String, Box<EvalError>> {
        let exprs: Vec<Expr> = now.iter().chain(then).chain([&expression]).map(|e| self.resolve(e)).collect();
        let mut compiler = Compiler::new(&self.model);
        let compiled: Vec<_> = exprs.iter().map(|e| compiler.expression(e)).collect();
        let program = compiler.finish(self.limits, Arc::new(Sealed));
        let arena = Bump::new();
        let mut env = Env::new(&program, &arena);
        let mut values = Vec::new();
        for state in compiled.iter().take(now.len() + then.len()) {
            values.push(state.value(&mut env)?);
        }
        if !now.is_empty() {
            env.set_current(&values[..now.len()]);
            env.set_next(&values[now.len()..]);
        }
        let value = compiled[now.len() + then.len()].value(&mut env)?;
        print::print(&mut env, value)
    }

    /// The next states that an action finds, printed: values with spaces between, states with commas.
    pub(crate) fn steps<const N: usize>(&mut self, now: [&str; N], action: &str) -> Result<String, Box<EvalError>> {
        let action = self.resolve(action);
        self.found(&now, [true, true], |compiler| compiler.next(&action))
    }

    /// The same without the rule that what follows the last value is a plain condition.
    pub(crate) fn followed_steps<const N: usize>(
        &mut self,
        now: [&str; N],
        action: &str,
    ) -> Result<String, Box<EvalError>> {
        let action = self.resolve(action);
        self.found(&now, [false, true], |compiler| compiler.next(&action))
    }

    /// The names of the actions that a relation is made of.
    pub(crate) fn actions(&mut self, next: &str) -> String {
        let next = self.resolve(next);
        let found = Compiler::new(&self.model).action_definitions(&next);
        let names: Vec<&str> = found.into_iter().map(|id| &*self.model.definition(id).name).collect();
        names.join(" ")
    }

    /// The next states that a named action of a relation finds; `-` for a variable that it leaves open.
    pub(crate) fn named<const N: usize>(
        &mut self,
        next: &str,
        name: &str,
        now: [&str; N],
    ) -> Result<String, Box<EvalError>> {
        let next = self.resolve(next);
        let id = self.model.find(name).unwrap_or_else(|| panic!("no action {name}"));
        self.found(&now, [true, false], |compiler| match compiler.named(id, Some(&next)) {
            Ok(action) => action.relation,
            Err(error) => panic!("{name}: {error:?}"),
        })
    }

    fn found<'e>(
        &'e mut self,
        now: &[&str],
        [short_circuit, complete]: [bool; 2],
        action: impl FnOnce(&mut Compiler<'e>) -> Relation,
    ) -> Result<String, Box<EvalError>> {
        let state: Vec<Expr> = now.iter().map(|e| self.resolve(e)).collect();
        let state: &'e [Expr] = Box::leak(state.into_boxed_slice());
        let mut compiler = Compiler::new(&self.model);
        let state: Vec<_> = state.iter().map(|e| compiler.expression(e)).collect();
        let action = action(&mut compiler);
        let program = compiler.finish(self.limits, Arc::new(Sealed));
        let arena = Bump::new();
        let mut env = Env::new(&program, &arena);
        if !short_circuit {
            env.follow_all_ways();
        }
        let mut values = Vec::new();
        for value in &state {
            values.push(value.value(&mut env)?);
        }
        env.set_current(&values);
        env.clear_next();
        let mut found = Vec::new();
        action.each_partial(&mut env, &mut |env| {
            if let Some(error) = env.incomplete().filter(|_| complete) {
                return Err(error);
            }
            let next: Vec<_> = env.next().to_vec();
            let mut texts = Vec::new();
            for value in next {
                texts.push(match value {
                    Some(value) => print::print(env, value)?,
                    None => "-".into(),
                });
            }
            found.push(texts.join(" "));
            Ok(Flow::Continue)
        })?;
        Ok(found.join(", "))
    }

    /// Checks rows `expression ==> expected`, the expected side in TLA+ too, or `expression ==> error TEXT`: the message begins
    /// with the text, in which `\n` stands for a line break.
    pub(crate) fn check(&mut self, rows: &str) {
        self.check_step([], [], rows);
    }

    /// The same between two states.
    pub(crate) fn check_step<const N: usize>(&mut self, now: [&str; N], then: [&str; N], rows: &str) {
        let mut wrong = Vec::new();
        for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let (expression, expected) = row.split_once("==>").unwrap_or_else(|| panic!("not a row: {row}"));
            let (expression, expected) = (expression.trim(), expected.trim());
            let found = self.eval_between(&now, &then, expression).map_err(|e| e.message);
            let agrees = match (expected.strip_prefix("error"), &found) {
                (Some(text), Err(message)) => message.starts_with(&text.trim().replace("\\n", "\n")),
                (None, Ok(_)) => self
                    .eval_between(&now, &then, &format!("({expression}) = ({expected})"))
                    .is_ok_and(|same| same == "TRUE"),
                _ => false,
            };
            if !agrees {
                wrong.push(format!("{expression}\n    found    {found:?}\n    expected {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
