//! Specifications about fairness: a place that goes round, an action that is enabled at some of the places only, and
//! properties that hold or not according to how fair it is. There weak fairness, strong fairness and none differ in the verdict,
//! which they hardly ever do in specifications that are made without a plan.

use crate::generate::compose::HIGHER_ORDER;
use crate::generate::expression::Expr;
use crate::generate::random::Random;
use crate::generate::specification::{Action, Module, Specification, Unit};
use crate::generate::types::Type;

/// The place is `xv1`, what happens is told by `xv2`.
const VARIABLES: [&str; 2] = ["xv1", "xv2"];

/// A specification of this kind.
pub(crate) fn cyclic(seed: u64, random: Random) -> Specification {
    let mut maker = Cyclic { random, places: 2, values: 2 };
    maker.places += maker.random.below(3);
    maker.values += maker.random.below(2);
    maker.compose(seed)
}

struct Cyclic {
    random: Random,
    /// How many places the cycle has, and how many values the other variable.
    places: usize,
    values: usize,
}

impl Cyclic {
    fn compose(mut self, seed: u64) -> Specification {
        let mut units =
            vec![Unit::text(HIGHER_ORDER), Unit::text("VARIABLE xv1, xv2"), Unit::text("vars == <<xv1, xv2>>")];
        let init = self.pick(&["xv1 = 0 /\\ xv2 = 0", "xv1 = 0 /\\ xv2 \\in 0..1", "xv1 \\in 0..1 /\\ xv2 = 0"]);
        units.push(Unit::text(format!("Init == {init}")));
        let mut actions = Vec::new();
        let step = self.step();
        units.push(Unit::new("Act1 == ", step));
        actions.push("Act1".to_owned());
        for number in 2..=2 + self.random.below(2) {
            let work = self.work();
            units.push(Unit::new(format!("Act{number} == "), work));
            actions.push(format!("Act{number}"));
        }
        if self.random.percent(30) {
            let (guard, next) = (self.guard(), self.pick(&["xv1", "(xv1 + 1) % 2", "0"]));
            let body = act(format!("/\\ %1\n/\\ xv2' = pWho\n/\\ xv1' = {next}"), vec![guard]);
            units.push(Unit::new("ActWho(pWho) == ", body));
            actions.push(format!("(\\E bWho \\in 0..{} : ActWho(bWho))", self.values - 1));
        }
        let leaves: Vec<Expr> = actions.iter().map(|a| Expr::leaf(a.clone(), Type::Action)).collect();
        let holes: Vec<String> = (1..=leaves.len()).map(|n| format!("\\/ %{n}")).collect();
        units.push(Unit::new("Next == ", act(holes.join("\n"), leaves.clone())));
        let fairness = self.fairness(&leaves);
        units.push(Unit::new("Spec == ", fairness));
        let mut config = vec!["SPECIFICATION Spec".to_owned()];
        for number in 1..=1 + self.random.below(3) {
            let property = self.property(&leaves);
            units.push(Unit::new(format!("Prop{number} == "), property));
            config.push(format!("PROPERTY Prop{number}"));
        }
        let named = |formula: &String| {
            let name = if formula.contains("ActWho") { "ActWho" } else { formula };
            Action { name: name.to_owned(), formula: formula.clone() }
        };
        let extends = "Integers, Sequences, FiniteSets, TLC, Bags".to_owned();
        Specification {
            seed,
            modules: vec![Module { name: "Fuzz".into(), extends, units }],
            config,
            actions: actions.iter().map(named).collect(),
            variables: VARIABLES.map(str::to_owned).to_vec(),
            no_deadlock: self.random.percent(90),
        }
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        self.random.pick(of).copied().unwrap_or_default()
    }

    fn place(&mut self) -> usize {
        self.random.below(self.places)
    }

    fn value(&mut self) -> usize {
        self.random.below(self.values)
    }

    /// On to the next place; seldom only under a condition, or to one of several.
    fn step(&mut self) -> Expr {
        let places = self.places;
        let on = format!("xv1' = (xv1 + 1) % {places}");
        let to = match self.random.below(6) {
            0 => format!("xv1' \\in {{(xv1 + 1) % {places}, {}}}", self.place()),
            1 => format!("xv1' = IF xv2 = {} THEN xv1 ELSE (xv1 + 1) % {places}", self.value()),
            _ => on,
        };
        match self.random.percent(25) {
            true => act(format!("/\\ %1\n/\\ {to}\n/\\ UNCHANGED xv2"), vec![self.guard()]),
            false => act(format!("/\\ {to}\n/\\ UNCHANGED xv2"), Vec::new()),
        }
    }

    /// An action that is enabled at some places.
    fn work(&mut self) -> Expr {
        let guard = self.guard();
        let values = self.values;
        let change = match self.random.below(5) {
            0 => format!("xv2' = {}", self.value()),
            1 => format!("xv2' \\in 0..{}", values - 1),
            2 => "UNCHANGED xv2".to_owned(),
            _ => format!("xv2' = (xv2 + 1) % {values}"),
        };
        let place = match self.random.below(4) {
            0 => format!("xv1' = {}", self.place()),
            1 => format!("xv1' \\in 0..{}", self.places - 1),
            _ => "UNCHANGED xv1".to_owned(),
        };
        match self.random.percent(30) {
            true => act(format!("/\\ %1\n/\\ %2\n/\\ {change}\n/\\ {place}"), vec![guard, self.guard()]),
            false => act(format!("/\\ %1\n/\\ {change}\n/\\ {place}"), vec![guard]),
        }
    }

    /// A condition on where one is, or on what happened.
    fn guard(&mut self) -> Expr {
        let text = match self.random.below(6) {
            0..=2 => format!("xv1 = {}", self.place()),
            3 => format!("xv1 # {}", self.place()),
            4 => format!("xv2 = {}", self.value()),
            _ => format!("xv1 \\in {{{}, {}}}", self.place(), self.place()),
        };
        Expr::leaf(text, Type::Bool)
    }

    /// The specification formula; every action has a fairness of its own, or none, or they share one.
    fn fairness(&mut self, actions: &[Expr]) -> Expr {
        let (mut form, mut parts) = (String::from("/\\ Init\n/\\ [][Next]_vars"), Vec::new());
        for (number, action) in actions.iter().enumerate() {
            // The place goes round nearly always, or nothing is enabled again and again.
            let fair = if number == 0 { 85 } else { 70 };
            if !self.random.percent(fair) || parts.len() > 4 {
                continue;
            }
            let kind = if self.random.percent(60) { "WF" } else { "SF" };
            let subscript = self.pick(&["vars", "vars", "vars", "xv2", "<<xv2, xv1>>"]);
            let of = match self.random.below(8) {
                0 => format!("% /\\ xv2' # {}", self.value()),
                1 => format!("xv1 # {} /\\ %", self.place()),
                2 => "% \\/ Act1".to_owned(),
                3 => format!("IF xv2 = {} THEN % ELSE Act1", self.value()),
                _ => "%".to_owned(),
            };
            parts.push(action.clone());
            let formula = of.replace('%', &format!("%{}", parts.len()));
            form.push_str(&format!("\n/\\ {kind}_{subscript}({formula})"));
        }
        if let Some(quantified) = self.quantified(actions) {
            form.push_str(&quantified);
        }
        Expr::new(form, parts, Type::Temporal)
    }

    /// Fairness for each value of a bound, where an action has a parameter.
    fn quantified(&mut self, actions: &[Expr]) -> Option<String> {
        let there = actions.iter().any(|a| a.form.contains("ActWho"));
        let kind = self.pick(&["WF", "SF"]);
        let symbol = self.pick(&["\\A", "\\A", "\\A", "\\E"]);
        let formula = format!("\n/\\ {symbol} bFair \\in 0..{} : {kind}_vars(ActWho(bFair))", self.values - 1);
        (there && self.random.percent(60)).then_some(formula)
    }

    /// What holds, or not, according to who is fair.
    fn property(&mut self, actions: &[Expr]) -> Expr {
        let fresh = |maker: &mut Cyclic| {
            let text = match maker.random.below(3) {
                0 => format!("xv1 = {}", maker.place()),
                1 => format!("xv2 # {}", maker.value()),
                _ => format!("xv2 = {}", maker.value()),
            };
            Expr::leaf(text, Type::Bool)
        };
        let (p, q) = (fresh(self), fresh(self));
        let action = self.random.pick(actions).cloned().unwrap_or_else(|| Expr::leaf("Next", Type::Action));
        let (form, parts) = match self.random.below(14) {
            0..=2 => ("<>(%1)", vec![p]),
            3..=4 => ("[]<>(%1)", vec![p]),
            5..=6 => ("(%1) ~> (%2)", vec![p, q]),
            7 => ("<>[](%1)", vec![p]),
            8 => ("[]<><<%1>>_vars", vec![action]),
            9 => ("(ENABLED (%1)) ~> (%2)", vec![action, q]),
            10 => ("<>[](~ENABLED <<%1>>_vars) \\/ []<>(%2)", vec![action, p]),
            11 => ("WF_vars(%1)", vec![action]),
            12 => ("SF_vars(%1)", vec![action]),
            _ => ("[]<>(%1) => []<>(%2)", vec![p, q]),
        };
        Expr::new(form, parts, Type::Temporal)
    }
}

fn act(form: impl Into<String>, parts: Vec<Expr>) -> Expr {
    Expr::new(form, parts, Type::Action)
}
