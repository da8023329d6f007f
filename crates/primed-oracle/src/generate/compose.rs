//! Puts a whole specification together.

use crate::generate::action::{Kind, Variable};
use crate::generate::cyclic::cyclic;
use crate::generate::expression::{Expr, Maker, Operator, Scope};
use crate::generate::random::Random;
use crate::generate::specification::{Action, Module, Specification, Unit};
use crate::generate::types::Type;

/// The largest number of states that the sets of the variables allow.
const STATES: usize = 400;

/// Of a hundred specifications, how many are about fairness.
const CYCLIC: usize = 12;

/// The specification of a seed: the same text in every process.
pub fn generate(seed: u64) -> Specification {
    let mut random = Random::new(seed);
    // Seeds that follow one another begin streams that do not.
    let mut random = Random::new(random.draw());
    match random.percent(CYCLIC) {
        true => cyclic(seed, random),
        false => Composer::new(seed, random).compose(),
    }
}

pub(crate) struct Composer {
    pub(crate) maker: Maker,
    pub(crate) scope: Scope,
    pub(crate) variables: Vec<Variable>,
    pub(crate) units: Vec<Unit>,
    pub(crate) config: Vec<String>,
    pub(crate) inner: Option<Module>,
    pub(crate) actions: Vec<Action>,
    /// Disjuncts of the next-state relation.
    pub(crate) disjuncts: Vec<Expr>,
    /// What symmetry would be over may be named by no constant.
    pub(crate) symmetric: bool,
    seed: u64,
}

/// Operators of higher order that the table of productions calls.
pub(crate) const HIGHER_ORDER: &str = "\
HoApply(F(_), x) == F(x)
HoTwice(F(_), x) == F(F(x))
HoMap(F(_), S) == {F(x) : x \\in S}
HoRel(R(_, _), S) == \\A x, y \\in S : R(x, y) => R(y, x)
HoFold(F(_, _), x, s) ==
  LET RECURSIVE Go(_, _)
      Go(y, t) == IF t = <<>> THEN y ELSE Go(F(y, Head(t)), Tail(t))
  IN  Go(x, s)
Clamp(x, S) == IF x \\in S THEN x ELSE CHOOSE y \\in S : TRUE
Put(v, x) == v' = x";

impl Composer {
    fn new(seed: u64, mut random: Random) -> Composer {
        let typed = random.percent(15);
        let symmetric = !typed && random.percent(15);
        let mut models: Vec<String> =
            (1..=3).map(|n| if typed { format!("T_mv{n}") } else { format!("mv{n}") }).collect();
        random.shuffle(&mut models);
        models.truncate(2 + random.below(2));
        let risky = random.percent(25);
        let scope = Scope {
            names: Vec::new(),
            operators: Vec::new(),
            state: false,
            partial: if risky { 15 } else { 0 },
            wrong: if random.percent(6) { 30 } else { 0 },
            small: false,
        };
        Composer {
            maker: Maker { random, names: 0, models },
            scope,
            variables: Vec::new(),
            units: Vec::new(),
            config: Vec::new(),
            inner: None,
            actions: Vec::new(),
            disjuncts: Vec::new(),
            symmetric,
            seed,
        }
    }

    fn compose(mut self) -> Specification {
        self.constants();
        self.declare();
        let operators = 1 + self.maker.random.below(3);
        (0..operators).for_each(|_| self.operator(false));
        let assumptions = 1 + self.maker.random.below(4);
        (1..=assumptions).for_each(|n| self.assumption(n));
        for variable in self.variables.clone() {
            self.scope.names.push((variable.name, variable.ty));
        }
        self.scope.state = true;
        let operators = self.maker.random.below(3);
        (0..operators).for_each(|_| self.operator(true));
        if self.maker.random.percent(25) {
            self.instance();
        }
        let known = self.scope.names.len() - self.variables.len();
        self.initial(known);
        self.next();
        self.behaviour();
        let own_base = self.maker.random.percent(50);
        let standard = "Integers, Sequences, FiniteSets, TLC, Bags";
        let base = Unit::text(HIGHER_ORDER);
        let (extends, more) = match own_base {
            true => {
                let units = vec![base];
                let module = Module { name: "FuzzBase".into(), extends: standard.into(), units };
                ("FuzzBase".to_owned(), Some(module))
            }
            false => {
                self.units.insert(0, base);
                (standard.to_owned(), None)
            }
        };
        let mut modules = vec![Module { name: "Fuzz".into(), extends, units: self.units }];
        modules.extend(more);
        modules.extend(self.inner);
        Specification {
            seed: self.seed,
            modules,
            config: self.config,
            actions: self.actions,
            variables: self.variables.into_iter().map(|v| v.name).collect(),
            no_deadlock: self.maker.random.percent(70),
        }
    }

    /// Model values, a number and a set by configuration, perhaps an operator that the configuration replaces.
    fn constants(&mut self) {
        let models = self.maker.models.join(", ");
        self.units.push(Unit::text(format!("CONSTANTS {models}, MSet, NConst")));
        for model in self.maker.models.clone() {
            self.config.push(format!("CONSTANT {model} = {model}"));
            if !self.symmetric {
                self.scope.names.push((model, Type::Model));
            }
        }
        self.config.push(format!("CONSTANT MSet = {{{models}}}"));
        let number = self.maker.random.below(5);
        self.config.push(format!("CONSTANT NConst = {number}"));
        self.scope.names.push(("NConst".into(), Type::Int));
        self.scope.names.push(("MSet".into(), Type::Set(Box::new(Type::Model))));
        if self.symmetric {
            self.maker.models.clear();
        }
        if self.maker.random.percent(25) {
            let ty = Type::random(&mut self.maker.random, 1);
            let value = self.maker.expression(&ty, 2, &mut self.scope);
            self.units.push(Unit::text("CONSTANT RConst"));
            self.units.push(Unit::new("RGiven == ", value));
            self.config.push("CONSTANT RConst <- RGiven".into());
            self.scope.names.push(("RConst".into(), ty));
        }
    }

    /// Variables with the sets that their values stay in.
    fn declare(&mut self) {
        let count = 1 + self.maker.random.below(3);
        let mut states = 1;
        let models = if self.symmetric { 3 } else { self.maker.models.len() };
        let maps = 1 << models;
        let kinds: [(&str, &str, usize); 14] = [
            ("Int", "0..3", 4),
            ("Int", "-1..1", 3),
            ("Bool", "BOOLEAN", 2),
            ("Str", "{\"sq2\", \"sq1\", \"sq3\"}", 3),
            ("Model", "MSet", 3),
            ("Set(Int)", "SUBSET (0..2)", 8),
            ("Set(Model)", "SUBSET MSet", maps),
            ("Seq(Int)", "UNION {[1..n -> 0..1] : n \\in 0..2}", 7),
            ("Fun(Model,Int)", "[MSet -> 0..1]", maps),
            ("Fun(Int,Bool)", "[0..2 -> BOOLEAN]", 8),
            ("Rec(Int,Bool)", "[fa : 0..2, fb : BOOLEAN]", 6),
            ("Tup(Int,Bool)", "(0..2) \\X BOOLEAN", 6),
            ("Fun(Tup(Int,Int),Bool)", "[(0..1) \\X (1..2) -> BOOLEAN]", 16),
            ("Bag(Str)", "UNION {[s -> 1..2] : s \\in SUBSET {\"sq1\", \"sq2\"}}", 9),
        ];
        for number in 1..=count {
            let Some((ty, set, size)) = self.maker.random.pick(&kinds) else { return };
            let Some(ty) = Type::parse(ty).filter(|_| states * size <= STATES) else { continue };
            states *= size;
            let name = format!("xv{number}");
            let domain = format!("Dom{number}");
            self.units.push(Unit::text(format!("VARIABLE {name}")));
            self.units.push(Unit::text(format!("{domain} == {set}")));
            self.variables.push(Variable { name, ty, domain });
        }
    }

    /// A definition, of a state function if `state`.
    pub(crate) fn operator(&mut self, state: bool) {
        let number = self.scope.operators.len() + 1;
        let name = format!("Op{number}");
        let result = Type::random(&mut self.maker.random, 2);
        let count = self.maker.random.below(3);
        let parameters: Vec<Type> = (0..count).map(|_| Type::random(&mut self.maker.random, 1)).collect();
        let known = self.scope.names.len();
        let names: Vec<String> = (0..count).map(|_| self.maker.name("p")).collect();
        self.scope.names.extend(names.iter().cloned().zip(parameters.iter().cloned()));
        let body = self.maker.expression(&result, 3, &mut self.scope);
        self.scope.names.truncate(known);
        let list = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        self.units.push(Unit::new(format!("{name}{list} == "), body));
        self.scope.operators.push(Operator { name, parameters, result, state });
    }

    fn assumption(&mut self, number: usize) {
        let ty = Type::random(&mut self.maker.random, 2);
        let depth = 2 + self.maker.random.below(3);
        let value = self.maker.expression(&ty, depth, &mut self.scope);
        let unit = Unit { head: format!("ASSUME PrintT(<<\"e{number}\", "), body: Some(value), tail: ">>)" };
        self.units.push(unit);
    }

    /// The initial predicate; names behind `known` are the variables, which it gives values.
    fn initial(&mut self, known: usize) {
        let variables = self.scope.names.split_off(known);
        // State functions read variables that have no value yet.
        self.scope.state = false;
        let todo = self.variables.clone();
        let depth = self.maker.random.below(2);
        let body = self.maker.action(Kind::Initial, &todo, depth, &mut self.scope);
        self.scope.state = true;
        self.scope.names.extend(variables);
        let tuple: Vec<&str> = self.variables.iter().map(|v| v.name.as_str()).collect();
        self.units.push(Unit::text(format!("vars == <<{}>>", tuple.join(", "))));
        self.units.push(Unit::new("Init == ", body));
    }

    /// Actions, and the next-state relation.
    fn next(&mut self) {
        let count = 1 + self.maker.random.below(3);
        for number in 1..=count {
            let name = format!("Act{number}");
            let todo = self.variables.clone();
            let depth = self.maker.random.below(3);
            let call = if self.maker.random.percent(30) {
                let ty = Type::random(&mut self.maker.random, 0);
                let parameter = self.maker.name("p");
                let set = self.maker.atom(&Type::Set(Box::new(ty.clone())), &self.scope, 1);
                self.scope.names.push((parameter.clone(), ty));
                let body = self.maker.action(Kind::Next, &todo, depth, &mut self.scope);
                self.scope.names.pop();
                self.units.push(Unit::new(format!("{name}({parameter}) == "), body));
                let bound = self.maker.name("b");
                Expr::new(format!("(\\E {bound} \\in %1 : {name}({bound}))"), vec![set], Type::Action)
            } else {
                let body = self.maker.action(Kind::Next, &todo, depth, &mut self.scope);
                self.units.push(Unit::new(format!("{name} == "), body));
                Expr::leaf(name.clone(), Type::Action)
            };
            let mut formula = String::new();
            call.write(&mut formula);
            self.actions.push(Action { name, formula });
            self.disjuncts.push(call);
        }
        let holes: Vec<String> = (1..=self.disjuncts.len()).map(|n| format!("\\/ %{n}")).collect();
        let all = Expr::new(holes.join("\n"), self.disjuncts.clone(), Type::Action);
        let all = match self.maker.random.below(12) {
            0 => Expr::new("[%1]_vars", vec![all], Type::Action),
            1 => Expr::new("<<%1>>_vars", vec![all], Type::Action),
            2 => Expr::new("\\/ %1\n\\/ UNCHANGED vars", vec![all], Type::Action),
            _ => all,
        };
        self.units.push(Unit::new("Next == ", all));
    }
}
