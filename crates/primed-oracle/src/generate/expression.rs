//! Expressions: made by chance from the table of productions, and written out.

use crate::generate::random::Random;
use crate::generate::table::{Part, Production, productions};
use crate::generate::types::{Bindings, Type};

/// An expression, an action or a temporal formula: how it is written around its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    /// `%1` is the first part.
    pub(crate) form: String,
    pub(crate) parts: Vec<Expr>,
    pub(crate) ty: Type,
}

impl Expr {
    pub(crate) fn new(form: impl Into<String>, parts: Vec<Expr>, ty: Type) -> Expr {
        Expr { form: form.into(), parts, ty }
    }

    pub(crate) fn leaf(form: impl Into<String>, ty: Type) -> Expr {
        Expr::new(form, Vec::new(), ty)
    }

    /// Appends it to the text; its further lines begin at the column where it begins, so that junction lists stay lists.
    pub(crate) fn write(&self, text: &mut String) {
        let column = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
        let mut chars = self.form.chars().peekable();
        while let Some(c) = chars.next() {
            let part = chars.peek().and_then(|d| d.to_digit(10)).filter(|d| c == '%' && *d > 0);
            match (c, part.and_then(|d| self.parts.get(d as usize - 1))) {
                (_, Some(part)) => {
                    chars.next();
                    part.write(text);
                }
                ('\n', None) => {
                    text.push('\n');
                    text.extend(std::iter::repeat_n(' ', column));
                }
                (c, None) => text.push(c),
            }
        }
    }

    /// It as a text.
    fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Whether a part is a LET definition whose name stands nowhere else.
    pub(crate) fn leaves_out(&self, part: usize) -> bool {
        let defined =
            self.form.split_once(&format!(" == %{}", part + 1)).and_then(|(before, _)| before.rsplit(' ').next());
        let Some(name) = defined.filter(|name| self.form.contains("LET ") && !name.contains(['(', '['])) else {
            return false;
        };
        let others = self.parts.iter().enumerate().filter(|(i, _)| *i != part);
        self.form.matches(name).count() == 1 && others.into_iter().all(|(_, other)| !other.text().contains(name))
    }

    /// Whether it is a quantifier over the empty set as it is written.
    pub(crate) fn is_about_nothing(&self) -> bool {
        let quantifier = self.form.starts_with("(\\A ") || self.form.starts_with("(\\E ");
        quantifier && self.form.contains("\\in %1") && self.parts.first().is_some_and(|set| set.text() == "{}")
    }

    /// How many expressions it consists of.
    pub(crate) fn size(&self) -> usize {
        1 + self.parts.iter().map(Expr::size).sum::<usize>()
    }
}

/// An operator that may be called.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    /// Its name, or how it is called.
    pub(crate) name: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    /// Reads variables.
    pub(crate) state: bool,
}

/// What may stand in an expression.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Names with their types, inner ones last.
    pub(crate) names: Vec<(String, Type)>,
    pub(crate) operators: Vec<Operator>,
    /// Variables may be read.
    pub(crate) state: bool,
    /// Of a hundred expressions, how many may fail.
    pub(crate) partial: usize,
    /// Of a thousand, how many have another type than they should.
    pub(crate) wrong: usize,
    /// Large sets are not wanted.
    pub(crate) small: bool,
}

/// Makes expressions.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) random: Random,
    /// How many names were given.
    pub(crate) names: usize,
    /// The model values.
    pub(crate) models: Vec<String>,
}

/// The words that strings consist of; none of them occurs in a standard module, because order depends on the first occurrence.
const WORDS: [&str; 4] = ["sq1", "sq2", "sq3", "sq4"];

impl Maker {
    /// A name that nothing else has.
    pub(crate) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}q{}", self.names)
    }

    /// An expression of a type whose nesting is at most so deep.
    pub(crate) fn expression(&mut self, ty: &Type, depth: usize, scope: &mut Scope) -> Expr {
        if scope.wrong > self.random.below(1000) {
            let other = Type::random(&mut self.random, 1);
            return self.expression(&other, depth.min(1), &mut Scope { wrong: 0, ..scope.clone() });
        }
        if depth == 0 || self.random.percent(12) {
            return self.atom(ty, scope, 2);
        }
        let call = self.random.percent(20).then(|| self.call(ty, depth, scope)).flatten();
        if let Some(call) = call {
            return call;
        }
        match self.choose(ty, scope) {
            Some((production, bindings)) => self.write(production, bindings, ty, depth, scope),
            None => self.atom(ty, scope, 2),
        }
    }

    /// A production for a type, with what its letters stand for.
    fn choose(&mut self, ty: &Type, scope: &Scope) -> Option<(&'static Production, Bindings)> {
        // Productions for any type are many: half the time only those for this kind are asked.
        let own = self.random.percent(60);
        let partial = self.random.percent(scope.partial);
        let mut possible: Vec<(&Production, Bindings)> = Vec::new();
        let mut sum = 0;
        for production in productions() {
            let any = matches!(production.result, Type::Any(_));
            if (own && any) || (production.partial && !partial) || (production.large && scope.small) {
                continue;
            }
            let mut bindings = Bindings::new();
            if production.result.unify(ty, &mut bindings) {
                sum += production.weight;
                possible.push((production, bindings));
            }
        }
        let mut at = self.random.below(sum);
        possible.into_iter().find(|(production, _)| match at.checked_sub(production.weight) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        })
    }

    fn write(&mut self, of: &Production, mut bindings: Bindings, ty: &Type, depth: usize, scope: &mut Scope) -> Expr {
        let mut form = of.form.clone();
        let mut named = Vec::new();
        while let Some(at) = form.find('$') {
            let rest = &form[at + 1..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let stem = rest[..end].to_owned();
            let name = self.name("b");
            form = replace_name(&form, &stem, &name);
            named.push((stem, name));
        }
        let small = scope.small;
        scope.small |= of.large;
        let mut parts = Vec::with_capacity(of.parts.len());
        for part in &of.parts {
            parts.push(self.part(part, &named, &mut bindings, depth, scope));
        }
        scope.small = small;
        Expr::new(form, parts, ty.clone())
    }

    fn part(
        &mut self,
        part: &Part,
        named: &[(String, String)],
        bindings: &mut Bindings,
        depth: usize,
        scope: &mut Scope,
    ) -> Expr {
        let known = scope.names.len();
        for (stem, ty) in &part.binds {
            let ty = ty.fill(bindings, &mut self.random);
            let name = named.iter().find(|(s, _)| s == stem).map_or(stem, |(_, name)| name);
            scope.names.push((name.clone(), ty));
        }
        let ty = part.ty.fill(bindings, &mut self.random);
        let made = match part.atomic {
            true => self.atom(&ty, scope, 1),
            false => self.expression(&ty, depth - 1, scope),
        };
        scope.names.truncate(known);
        made
    }

    /// A call of an operator whose result has the type.
    fn call(&mut self, ty: &Type, depth: usize, scope: &mut Scope) -> Option<Expr> {
        let fits = |o: &&Operator| o.result == *ty && (scope.state || !o.state);
        let possible: Vec<&Operator> = scope.operators.iter().filter(fits).collect();
        let operator = (*self.random.pick(&possible)?).clone();
        let parts: Vec<Expr> = operator.parameters.iter().map(|ty| self.expression(ty, depth - 1, scope)).collect();
        let holes: Vec<String> = (1..=parts.len()).map(|n| format!("%{n}")).collect();
        let form = match holes.is_empty() || operator.name.contains('%') {
            true => operator.name,
            false => format!("{}({})", operator.name, holes.join(", ")),
        };
        Some(Expr::new(form, parts, ty.clone()))
    }

    /// A name of the type, or a constant whose nesting is at most so deep.
    pub(crate) fn atom(&mut self, ty: &Type, scope: &Scope, depth: usize) -> Expr {
        let fitting: Vec<&(String, Type)> = scope.names.iter().filter(|(_, t)| t == ty).collect();
        let changing = fitting.iter().any(|(name, _)| name != "NConst" && name != "MSet");
        if !fitting.is_empty() && self.random.percent(if changing { 80 } else { 25 }) {
            // Those that are bound further in more often.
            let (a, b) = (self.random.below(fitting.len()), self.random.below(fitting.len()));
            if let Some((name, _)) = fitting.get(a.max(b)) {
                return Expr::leaf(name.clone(), ty.clone());
            }
        }
        self.constant(ty, scope, depth)
    }

    /// A constant of a type.
    pub(crate) fn constant(&mut self, ty: &Type, scope: &Scope, depth: usize) -> Expr {
        let leaf = |text: &str| Expr::leaf(text, ty.clone());
        let empty = depth == 0 || self.random.percent(15);
        let inner = |maker: &mut Maker, ty: &Type| maker.atom(ty, scope, depth.saturating_sub(1));
        match ty {
            Type::Bool => leaf(if self.random.percent(50) { "TRUE" } else { "FALSE" }),
            Type::Int => leaf(&(self.random.below(6) as i64 - 1).to_string()),
            Type::Str => leaf(&format!("\"{}\"", self.random.pick(&WORDS).unwrap_or(&"sq1"))),
            Type::Model => match self.random.pick(&self.models) {
                Some(model) => leaf(model),
                None => leaf("(CHOOSE m \\in MSet : TRUE)"),
            },
            Type::Set(a) if **a == Type::Model && self.random.percent(60) => leaf("MSet"),
            Type::Set(_) if empty => leaf("{}"),
            Type::Seq(_) if empty => leaf("<<>>"),
            Type::Set(a) if self.random.percent(70) => {
                Expr::new("{%1, %2}", vec![inner(self, a), inner(self, a)], ty.clone())
            }
            Type::Set(a) => Expr::new("{%1}", vec![inner(self, a)], ty.clone()),
            Type::Seq(a) if self.random.percent(60) => {
                Expr::new("<<%1, %2>>", vec![inner(self, a), inner(self, a)], ty.clone())
            }
            Type::Seq(a) => Expr::new("<<%1>>", vec![inner(self, a)], ty.clone()),
            Type::Tup(a, b) => Expr::new("<<%1, %2>>", vec![inner(self, a), inner(self, b)], ty.clone()),
            Type::Rec(a, b) => Expr::new("[fa |-> %1, fb |-> %2]", vec![inner(self, a), inner(self, b)], ty.clone()),
            Type::Fun(a, b) => {
                let (domain, value) = (Type::Set(a.clone()), b);
                let name = self.name("b");
                let parts = vec![self.atom(&domain, scope, depth.saturating_sub(1)), inner(self, value)];
                Expr::new(format!("[{name} \\in %1 |-> %2]"), parts, ty.clone())
            }
            Type::Bag(_) if empty => leaf("EmptyBag"),
            Type::Bag(a) => Expr::new("SetToBag({%1})", vec![inner(self, a)], ty.clone()),
            Type::Action | Type::Temporal | Type::Any(_) => leaf("TRUE"),
        }
    }
}

/// Puts the name in place of every `$stem`.
fn replace_name(form: &str, stem: &str, name: &str) -> String {
    let mark = format!("${stem}");
    let mut text = String::with_capacity(form.len());
    let mut rest = form;
    while let Some(at) = rest.find(&mark) {
        let after = &rest[at + mark.len()..];
        text.push_str(&rest[..at]);
        let longer = after.starts_with(|c: char| c.is_ascii_alphanumeric());
        text.push_str(if longer { &mark } else { name });
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_value_does_not_depend_on_is_seen() {
        let leaf = |form: &str| Expr::leaf(form, Type::Bool);
        let with = |form: &str, parts: &[&str]| Expr::new(form, parts.iter().map(|p| leaf(p)).collect(), Type::Bool);
        assert!(with("(LET bq1 == %1 IN %2)", &["xv1", "TRUE"]).leaves_out(0));
        assert!(!with("(LET bq1 == %1 IN %2)", &["xv1", "bq1"]).leaves_out(0));
        assert!(!with("(LET bq1 == %1 IN %2)", &["xv1", "TRUE"]).leaves_out(1));
        assert!(!with("(LET bq1(bq2) == %1 IN bq1(%2))", &["xv1", "TRUE"]).leaves_out(0));
        assert!(with("(\\A bq1 \\in %1 : %2)", &["{}", "xv1"]).is_about_nothing());
        assert!(!with("(\\A bq1 \\in %1 : %2)", &["{1}", "xv1"]).is_about_nothing());
    }
}
