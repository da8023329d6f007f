//! Initial predicates and actions: formulas that give every variable a value.

use crate::generate::expression::{Expr, Maker, Scope};
use crate::generate::types::Type;

/// A variable with the finite set that its values stay in.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The operator that is the set.
    pub(crate) domain: String,
}

/// What is being written: an initial predicate, or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Initial,
    Next,
}

impl Maker {
    /// A formula that gives each of the variables a value, and no other.
    pub(crate) fn action(&mut self, kind: Kind, todo: &[Variable], depth: usize, scope: &mut Scope) -> Expr {
        if todo.is_empty() {
            return self.condition(1, scope);
        }
        if depth == 0 {
            return self.conjunction(kind, todo, 0, scope);
        }
        let again = |maker: &mut Maker, scope: &mut Scope| maker.action(kind, todo, depth - 1, scope);
        match self.random.below(22) {
            0..=2 => {
                let parts = vec![again(self, scope), again(self, scope)];
                act("\\/ %1\n\\/ %2", parts)
            }
            3 => {
                let parts = vec![again(self, scope), again(self, scope)];
                act("(%1 \\/ %2)", parts)
            }
            4..=5 => {
                let parts = vec![self.condition(2, scope), again(self, scope), again(self, scope)];
                act("IF %1\nTHEN %2\nELSE %3", parts)
            }
            6 => {
                let (c, d) = (self.condition(1, scope), self.condition(1, scope));
                let parts = vec![c, again(self, scope), d, again(self, scope), again(self, scope)];
                act("CASE %1 -> %2\n  [] %3 -> %4\n  [] OTHER -> %5", parts)
            }
            7..=8 => self.bound(kind, todo, depth, scope),
            9 => self.pattern(kind, todo, depth, scope),
            10..=11 => self.local(kind, todo, depth, scope),
            12 => {
                let parts = vec![self.condition(1, scope), again(self, scope)];
                act("/\\ %1 => %2\n/\\ %1", parts)
            }
            _ => self.conjunction(kind, todo, depth, scope),
        }
    }

    fn condition(&mut self, depth: usize, scope: &mut Scope) -> Expr {
        self.expression(&Type::Bool, depth, scope)
    }

    /// A condition beside assignments: most are true whatever they say, so that there are states.
    fn guard(&mut self, kind: Kind, scope: &mut Scope) -> Expr {
        let variables: Vec<(String, Type)> =
            scope.names.iter().filter(|(name, _)| name.starts_with("xv")).cloned().collect();
        // What a variable is compared with enables the action in some states and not in others.
        if let Some((name, ty)) = self.random.pick(&variables).cloned()
            && kind == Kind::Next
            && self.random.percent(50)
        {
            let other = self.constant(&ty, scope, 2);
            let relation = if self.random.percent(60) { "=" } else { "#" };
            return Expr::new(format!("{name} {relation} %1"), vec![other], Type::Bool);
        }
        let condition = self.condition(2, scope);
        let open = if kind == Kind::Initial { 85 } else { 40 };
        match self.random.percent(open) {
            true => Expr::new("((%1) \\in BOOLEAN)", vec![condition], Type::Bool),
            false => condition,
        }
    }

    /// `\E x \in S : A`.
    fn bound(&mut self, kind: Kind, todo: &[Variable], depth: usize, scope: &mut Scope) -> Expr {
        let ty = Type::random(&mut self.random, 0);
        let set = self.expression(&Type::Set(Box::new(ty.clone())), 1, &mut Scope { small: true, ..scope.clone() });
        let name = self.name("b");
        scope.names.push((name.clone(), ty));
        let body = self.action(kind, todo, depth - 1, scope);
        scope.names.pop();
        act(format!("\\E {name} \\in %1 :\n  %2"), vec![set, body])
    }

    /// `\E <<x, y>> \in S : A`.
    fn pattern(&mut self, kind: Kind, todo: &[Variable], depth: usize, scope: &mut Scope) -> Expr {
        let (a, b) = (Type::random(&mut self.random, 0), Type::random(&mut self.random, 0));
        let pair = Type::Tup(Box::new(a.clone()), Box::new(b.clone()));
        let set = self.atom(&Type::Set(Box::new(pair)), scope, 2);
        let (x, y) = (self.name("b"), self.name("b"));
        scope.names.push((x.clone(), a));
        scope.names.push((y.clone(), b));
        let body = self.action(kind, todo, depth - 1, scope);
        scope.names.truncate(scope.names.len() - 2);
        act(format!("\\E <<{x}, {y}>> \\in %1 :\n  %2"), vec![set, body])
    }

    /// `LET x == e IN A`.
    fn local(&mut self, kind: Kind, todo: &[Variable], depth: usize, scope: &mut Scope) -> Expr {
        let ty = Type::random(&mut self.random, 1);
        let value = self.expression(&ty, 2, scope);
        let name = self.name("b");
        scope.names.push((name.clone(), ty));
        let body = self.action(kind, todo, depth - 1, scope);
        scope.names.pop();
        act(format!("LET {name} == %1\nIN  %2"), vec![value, body])
    }

    /// Conditions and assignments in some order; what was given a value may be read from then on.
    fn conjunction(&mut self, kind: Kind, todo: &[Variable], depth: usize, scope: &mut Scope) -> Expr {
        let mut order = todo.to_vec();
        self.random.shuffle(&mut order);
        let known = scope.names.len();
        let mut parts = Vec::new();
        while !order.is_empty() {
            if self.random.percent(30) {
                parts.push(self.guard(kind, scope));
            }
            let grouped = depth > 0 && self.random.percent(20);
            let count = if grouped { 1 + self.random.below(order.len()) } else { 1 };
            let group: Vec<Variable> = order.drain(..count.min(order.len())).collect();
            match group.as_slice() {
                _ if grouped => parts.push(self.action(kind, &group, depth - 1, scope)),
                [variable] => parts.push(self.assignment(kind, variable, scope)),
                _ => {}
            }
            for variable in group {
                let prime = if kind == Kind::Next { "'" } else { "" };
                scope.names.push((format!("{}{prime}", variable.name), variable.ty));
            }
        }
        if self.random.percent(20) {
            parts.push(self.guard(kind, scope));
        }
        scope.names.truncate(known);
        match parts.len() {
            1 => parts.remove(0),
            2 if self.random.percent(30) => act("(%1 /\\ %2)", parts),
            // The printer has nine holes; more conjuncts than that do not occur.
            n => act((1..=n).map(|n| format!("/\\ %{n}")).collect::<Vec<_>>().join("\n"), parts),
        }
    }

    /// Gives one variable a value.
    fn assignment(&mut self, kind: Kind, variable: &Variable, scope: &mut Scope) -> Expr {
        let Variable { name, ty, domain } = variable;
        let next = kind == Kind::Next;
        let prime = if next { "'" } else { "" };
        let set = Type::Set(Box::new(ty.clone()));
        match self.random.below(if next { 20 } else { 12 }) {
            0..=1 => act(format!("{name}{prime} \\in {domain}"), Vec::new()),
            2 => {
                let other = self.name("b");
                scope.names.push((other.clone(), ty.clone()));
                let condition = self.condition(2, scope);
                scope.names.pop();
                act(format!("{name}{prime} \\in {{{other} \\in {domain} : %1}}"), vec![condition])
            }
            3..=4 => {
                let some = self.expression(&set, 2, scope);
                act(format!("{name}{prime} \\in (%1 \\cap {domain})"), vec![some])
            }
            5 => {
                let one = self.atom(ty, scope, 2);
                act(format!("{name}{prime} = Clamp(%1, {domain})"), vec![one])
            }
            6..=11 => {
                let value = self.expression(ty, 3, scope);
                act(format!("{name}{prime} = Clamp(%1, {domain})"), vec![value])
            }
            12 => act(format!("UNCHANGED {name}"), Vec::new()),
            13 => act(format!("UNCHANGED <<{name}>>"), Vec::new()),
            14 => act(format!("{name}' = {name}"), Vec::new()),
            15 => {
                let value = self.expression(ty, 2, scope);
                act(format!("Put({name}, Clamp(%1, {domain}))"), vec![value])
            }
            _ => {
                let other = self.name("b");
                let value = self.expression(ty, 3, scope);
                let parts = vec![value];
                act(
                    format!("{name}' = (LET {other} == %1 IN IF {other} \\in {domain} THEN {other} ELSE {name})"),
                    parts,
                )
            }
        }
    }
}

fn act(form: impl Into<String>, parts: Vec<Expr>) -> Expr {
    Expr::new(form, parts, Type::Action)
}
