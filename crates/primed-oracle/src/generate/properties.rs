//! What a configuration asks for: invariants, constraints, properties, symmetry, view; and instances of a further module.

use crate::generate::compose::{Composer, HIGHER_ORDER};
use crate::generate::expression::{Expr, Operator, Scope};
use crate::generate::specification::{Module, Unit};
use crate::generate::types::Type;

impl Composer {
    /// The specification formula, and all that is asked of it.
    pub(crate) fn behaviour(&mut self) {
        let temporal = self.maker.random.percent(30);
        let formula = temporal || self.maker.random.percent(30);
        match formula {
            true => self.formula(temporal),
            false => self.config.extend(["INIT Init".to_owned(), "NEXT Next".to_owned()]),
        }
        let invariants = self.maker.random.below(3);
        (1..=invariants).for_each(|n| self.invariant(n));
        if temporal {
            let properties = 1 + self.maker.random.below(2);
            (1..=properties).for_each(|n| self.property(n));
        } else if self.maker.random.percent(15) {
            self.step_property();
        }
        if self.maker.random.percent(15) {
            let form = if self.maker.random.percent(50) { "%1" } else { "%1 \\in BOOLEAN" };
            let condition = self.condition(form, 2);
            self.units.push(Unit::new("Constr == ", condition));
            self.config.push("CONSTRAINT Constr".into());
        }
        if self.maker.random.percent(10) {
            self.action_constraint();
        }
        if !temporal && self.maker.random.percent(10) {
            let ty = Type::random_view(&mut self.maker.random);
            let view = self.maker.expression(&ty, 2, &mut self.scope);
            let first = self.variables.first().map_or("1", |v| v.name.as_str());
            let view = Expr::new(format!("<<{first}, %1>>"), vec![view], ty);
            self.units.push(Unit::new("View == ", view));
            self.config.push("VIEW View".into());
        }
        if self.symmetric && !temporal {
            self.units.push(Unit::text("Sym == Permutations(MSet)"));
            self.config.push("SYMMETRY Sym".into());
        }
    }

    fn condition(&mut self, form: &str, depth: usize) -> Expr {
        let condition = self.maker.expression(&Type::Bool, depth, &mut self.scope);
        let form = if form == "%1" { form.to_owned() } else { form.replace("%1", "(%1)") };
        Expr::new(form, vec![condition], Type::Bool)
    }

    /// An invariant: most hold whatever they say, so that the search goes on.
    fn invariant(&mut self, number: usize) {
        let enabled = self.maker.random.percent(20).then(|| self.maker.random.pick(&self.disjuncts).cloned()).flatten();
        let form = match self.maker.random.below(4) {
            0 => "%1",
            1 => "%1 \\/ TRUE",
            _ => "%1 \\in BOOLEAN",
        };
        let body = match enabled {
            Some(action) => {
                let condition = self.condition("%1", 2);
                let parts = vec![action, condition];
                Expr::new("(ENABLED (%1) => (%2)) \\in BOOLEAN", parts, Type::Bool)
            }
            None => self.condition(form, 3),
        };
        self.units.push(Unit::new(format!("Inv{number} == "), body));
        self.config.push(format!("INVARIANT Inv{number}"));
    }

    fn formula(&mut self, fair: bool) {
        let mut parts = Vec::new();
        let mut form = String::from("Init /\\ [][Next]_vars");
        if fair {
            for action in self.disjuncts.clone() {
                if self.maker.random.percent(60) {
                    parts.push(action);
                    let kind = if self.maker.random.percent(65) { "WF" } else { "SF" };
                    form.push_str(&format!(" /\\ {kind}_vars(%{})", parts.len()));
                }
            }
        }
        self.units.push(Unit::new("Spec == ", Expr::new(form, parts, Type::Temporal)));
        self.config.push("SPECIFICATION Spec".into());
    }

    fn property(&mut self, number: usize) {
        // TLC evaluates constant parts before the search, and takes conditions apart; a comparison is one condition.
        let whole = self.maker.random.percent(85);
        let form = if whole { "%1 = (vars = vars)" } else { "%1" };
        let (mut p, q) = (self.condition(form, 2), self.condition(form, 1));
        if let Some(variable) = self.maker.random.pick(&self.variables).cloned().filter(|_| whole) {
            let value = self.maker.constant(&variable.ty, &self.scope, 2);
            p = Expr::new(format!("{} = %1", variable.name), vec![value], Type::Bool);
        }
        let action = self.maker.random.pick(&self.disjuncts).cloned();
        let action = action.unwrap_or_else(|| Expr::leaf("Next", Type::Action));
        let (form, parts) = match self.maker.random.below(11) {
            0..=1 => ("[]<>(%1)", vec![p]),
            2 => ("<>[](%1)", vec![p]),
            3..=4 => ("(%1) ~> (%2)", vec![p, q]),
            5 => ("<>(%1)", vec![p]),
            6 => ("[]((%1) => <>(%2))", vec![p, q]),
            7 => ("[]<><<%1>>_vars", vec![action]),
            8 => ("<>[](%1) \\/ []<>(%2)", vec![p, q]),
            9 => ("<>((%1) /\\ <>(%2))", vec![p, q]),
            _ => ("[]<>(%1) => []<>(%2)", vec![p, q]),
        };
        self.units.push(Unit::new(format!("Prop{number} == "), Expr::new(form, parts, Type::Temporal)));
        self.config.push(format!("PROPERTY Prop{number}"));
    }

    /// `[][A]_v` of steps, with primes.
    fn step_property(&mut self) {
        let condition = self.primed_condition();
        let body = Expr::new("[][%1]_vars", vec![condition], Type::Temporal);
        self.units.push(Unit::new("StepProp == ", body));
        self.config.push("PROPERTY StepProp".into());
    }

    fn action_constraint(&mut self) {
        let condition = self.primed_condition();
        self.units.push(Unit::new("ActConstr == ", condition));
        self.config.push("ACTION_CONSTRAINT ActConstr".into());
    }

    fn primed_condition(&mut self) -> Expr {
        let known = self.scope.names.len();
        for variable in &self.variables {
            self.scope.names.push((format!("{}'", variable.name), variable.ty.clone()));
        }
        let form = if self.maker.random.percent(30) { "%1" } else { "%1 \\in BOOLEAN" };
        let condition = self.condition(form, 2);
        self.scope.names.truncate(known);
        condition
    }

    /// A module with a constant and a variable, instantiated in one of several ways.
    pub(crate) fn instance(&mut self) {
        let Some(variable) = self.maker.random.pick(&self.variables).cloned() else { return };
        let constant = Type::random(&mut self.maker.random, 1);
        let result = Type::random(&mut self.maker.random, 1);
        let names = vec![("KInner".to_owned(), constant.clone()), ("vInner".to_owned(), variable.ty.clone())];
        let mut inner = Scope { names, operators: Vec::new(), ..self.scope.clone() };
        inner.names.push(("pInner".into(), Type::Int));
        let models = std::mem::take(&mut self.maker.models);
        let free = |ty: &Type| !ty.to_string().contains("Model");
        let usable = free(&constant) && free(&result) && free(&variable.ty);
        let body = self.maker.expression(&result, 3, &mut inner);
        self.maker.models = models;
        let mut text = String::new();
        body.write(&mut text);
        if !usable || text.contains("MSet") {
            return;
        }
        let units = vec![
            Unit::text("CONSTANT KInner\nVARIABLE vInner"),
            Unit::text(HIGHER_ORDER),
            Unit::new("OpInner(pInner) == ", body),
        ];
        let extends = "Integers, Sequences, FiniteSets, TLC, Bags".to_owned();
        self.inner = Some(Module { name: "FuzzInner".into(), extends, units });
        let given = self.maker.expression(&constant, 2, &mut self.scope);
        let local = if self.maker.random.percent(30) { "LOCAL " } else { "" };
        let name = &variable.name;
        // With parameters what is substituted is that of each use.
        let (head, form, call, parameters) = match self.maker.random.below(3) {
            0 => {
                let form = format!("INSTANCE FuzzInner WITH KInner <- pIn, vInner <- {name}");
                (format!("{local}In(pIn) == "), form, "In(%1)!OpInner(%2)", vec![constant, Type::Int])
            }
            1 => {
                let form = "INSTANCE FuzzInner WITH KInner <- %1, vInner <- pIn".to_owned();
                (format!("{local}In(pIn) == "), form, "In(%1)!OpInner(%2)", vec![variable.ty.clone(), Type::Int])
            }
            _ => {
                let form = format!("INSTANCE FuzzInner WITH KInner <- %1, vInner <- {name}");
                (format!("{local}In == "), form, "In!OpInner(%1)", vec![Type::Int])
            }
        };
        let parts = if form.contains("%1") { vec![given] } else { Vec::new() };
        self.units.push(Unit::new(head, Expr::new(form, parts, Type::Temporal)));
        self.scope.operators.push(Operator { name: call.into(), parameters, result, state: true });
    }
}

impl Type {
    /// What a view may be.
    fn random_view(random: &mut crate::generate::random::Random) -> Type {
        Type::Tup(Box::new(Type::random(random, 1)), Box::new(Type::random(random, 1)))
    }
}
