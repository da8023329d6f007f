//! Counts a model's states breadth first, the plain way, and prints TLC's closing lines. A check of the engine against the tables
//! of what TLC counted; not the search that users get.
//!
//! `cargo run --release -p primed --example count_states -- -config X.cfg X.tla`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for developers")]

use std::path::Path;
use std::sync::Arc;

use bumpalo::Bump;
use hashbrown::HashSet;
use primed::{Folders, Permissions, read_source};
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Expression};
use primed_engine::env::Env;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::freeze::{FrozenRow, copy_row};
use primed_value::host::{Host, Limits};
use primed_value::value::Value;

#[derive(Default)]
struct Search {
    generated: usize,
    seen: HashSet<FrozenRow>,
    level: Vec<FrozenRow>,
    deadlock: bool,
}

enum End {
    Violated(String),
    Error(Box<EvalError>),
}

impl From<Box<EvalError>> for End {
    fn from(error: Box<EvalError>) -> End {
        End::Error(error)
    }
}

struct Checks<'m> {
    invariants: Vec<(&'m str, Expression)>,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
}

impl Search {
    fn visit<'a>(
        &mut self,
        env: &mut Env<'a>,
        state: &[Value<'a>],
        initial: bool,
        checks: &'a Checks<'_>,
    ) -> Result<(), End> {
        self.generated += 1;
        let (current, next) = (env.current().to_vec(), env.next().to_vec());
        let mut inside = true;
        if !initial {
            for constraint in &checks.action_constraints {
                inside &= constraint.holds(env)?;
            }
        }
        let row = FrozenRow::new(env, state)?;
        env.set_current(state);
        env.clear_next();
        let result = self.look(env, row, state, inside, checks);
        current.iter().enumerate().for_each(|(i, v)| env.set_current_variable(i, *v));
        next.iter().enumerate().for_each(|(i, v)| env.set_next_variable(i, *v));
        result
    }

    fn look<'a>(
        &mut self,
        env: &mut Env<'a>,
        row: FrozenRow,
        state: &[Value<'a>],
        inside: bool,
        checks: &'a Checks<'_>,
    ) -> Result<(), End> {
        if self.seen.contains(&row) {
            return Ok(());
        }
        let mut inside = inside;
        for constraint in &checks.constraints {
            inside = inside && constraint.holds(env)?;
        }
        if inside {
            self.seen.insert(row);
            self.level.push(FrozenRow::new(env, state)?);
        }
        for (name, invariant) in &checks.invariants {
            if !invariant.holds(env)? {
                return Err(End::Violated((*name).to_owned()));
            }
        }
        Ok(())
    }
}

fn main() {
    std::process::exit(
        std::thread::Builder::new().stack_size(1 << 28).spawn(run).map_or(1, |t| t.join().unwrap_or(70)),
    );
}

fn run() -> i32 {
    let args: Vec<String> = std::env::args().collect();
    let get = |n: &str| args.iter().position(|a| a == n).and_then(|i| args.get(i + 1)).cloned();
    let module = args.last().cloned().unwrap_or_default();
    let config = get("-config").unwrap_or_else(|| module.replace(".tla", ".cfg"));
    let (Ok(root), Ok(cfg)) = (read_source(Path::new(&module)), read_source(Path::new(&config))) else {
        println!("cannot read");
        return 150;
    };
    let folder = Path::new(&module).parent().unwrap_or(Path::new(".")).to_path_buf();
    let model = match primed_semantics::resolve(&root, Some(&cfg), &Folders(vec![folder])) {
        Ok(model) => model,
        Err(complaints) => {
            let error = primed::OpenError::Specification(complaints);
            println!("{error}");
            return error.exit_code();
        }
    };
    let (Some(init), Some(next)) = (&model.behaviour.init, &model.behaviour.next) else {
        println!("no behaviour");
        return 151;
    };
    let mut compiler = Compiler::new(&model);
    let (init, next) = (compiler.initial(init), compiler.next(next));
    let checks = Checks {
        invariants: model.behaviour.invariants.iter().map(|i| (&*i.name, compiler.expression(&i.expr))).collect(),
        constraints: model.behaviour.constraints.iter().map(|i| compiler.expression(&i.expr)).collect(),
        action_constraints: model.behaviour.action_constraints.iter().map(|i| compiler.expression(&i.expr)).collect(),
    };
    let assumptions: Vec<_> = model.assumptions.iter().map(|a| compiler.expression(&a.expr)).collect();
    let permissions = Permissions { print: true, ..Permissions::default() };
    let program = compiler.finish(Limits::default(), Arc::new(permissions));
    let mut search = Search::default();
    let mut depth = 0;
    let deadlock_off = args.iter().any(|a| a == "-deadlock") || model.behaviour.check_deadlock == Some(false);
    let end = (|| -> Result<(), End> {
        for assumption in &assumptions {
            let arena = Bump::new();
            let mut env = Env::new(&program, &arena);
            if !assumption.holds(&mut env)? {
                return Err(End::Violated("assumption".into()));
            }
        }
        let arena = Bump::new();
        let mut env = Env::new(&program, &arena);
        let mut failed = None;
        init.each(&mut env, &mut |env| {
            let state: Vec<_> = env.current().iter().filter_map(|v| *v).collect();
            match search.visit(env, &state, true, &checks) {
                Ok(()) => Ok(Flow::Continue),
                Err(End::Error(e)) => Err(e),
                Err(other) => {
                    failed = Some(other);
                    Ok(Flow::Stop)
                }
            }
        })?;
        if let Some(end) = failed {
            return Err(end);
        }
        while !search.level.is_empty() {
            depth += 1;
            let level = std::mem::take(&mut search.level);
            for row in level {
                let arena = Bump::new();
                let mut env = Env::new(&program, &arena);
                let state = copy_row(env.arena(), row.get());
                env.set_current(state);
                let before = search.generated;
                let mut failed = None;
                next.each(&mut env, &mut |env| {
                    let state: Vec<_> = env.next().iter().filter_map(|v| *v).collect();
                    match search.visit(env, &state, false, &checks) {
                        Ok(()) => Ok(Flow::Continue),
                        Err(End::Error(e)) => Err(e),
                        Err(other) => {
                            failed = Some(other);
                            Ok(Flow::Stop)
                        }
                    }
                })?;
                if let Some(end) = failed {
                    return Err(end);
                }
                if search.generated == before && !deadlock_off {
                    search.deadlock = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    })();
    println!(
        "{} states generated, {} distinct states found, {} states left on queue.",
        search.generated,
        search.seen.len(),
        search.level.len()
    );
    println!("The depth of the complete state graph search is {depth}.");
    match end {
        Ok(()) if search.deadlock => 11,
        Ok(()) => 0,
        Err(End::Violated(name)) if name == "assumption" => 10,
        Err(End::Violated(name)) => {
            println!("Invariant {name} is violated.");
            12
        }
        Err(End::Error(error)) => {
            println!("Error: {error}");
            for place in &error.places {
                println!("  {}", model.describe(*place));
            }
            match error.kind {
                EvalErrorKind::Assert => 14,
                EvalErrorKind::Unsupported => 72,
                _ => 75,
            }
        }
    }
}
