//! Trees as short text: `(op a b)` for applications, the constructs by their keyword.

use crate::ast::*;

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn names(items: &[Ident]) -> String {
    list(items, |i| i.name.to_string())
}

fn bound(b: &Bound) -> String {
    let pattern = match &b.pattern {
        BoundPattern::Names(n) => names(n),
        BoundPattern::Tuple(n) => format!("<{}>", names(n)),
    };
    b.set.as_ref().map_or(pattern.clone(), |s| format!("{pattern} in {}", expr(s)))
}

fn bounds(b: &[Bound]) -> String {
    b.iter().map(bound).collect::<Vec<_>>().join(", ")
}

fn selector(s: &Selector) -> String {
    match s {
        Selector::Name { name, args } if args.is_empty() => name.name.to_string(),
        Selector::Name { name, args } => format!("{}({})", name.name, list(args, expr)),
        Selector::Child(n, _) => n.to_string(),
        Selector::Left(_) => "<<".into(),
        Selector::Right(_) => ">>".into(),
        Selector::Whole(_) => ":".into(),
        Selector::At(_) => "@".into(),
        Selector::Args(args, _) => format!("({})", list(args, expr)),
    }
}

fn fields(fields: &[(Ident, Expr)]) -> String {
    list(fields, |(n, e)| format!("{}={}", n.name, expr(e)))
}

fn update(u: &ExceptUpdate) -> String {
    let path = list(&u.path, |s| match s {
        ExceptStep::Index(args) => format!("[{}]", list(args, expr)),
        ExceptStep::Field(f) => format!(".{}", f.name),
    });
    format!("({path} = {})", expr(&u.value))
}

pub(super) fn expr(e: &Expr) -> String {
    match e.kind.as_ref() {
        ExprKind::Number { digits, base: 10 } => digits.to_string(),
        ExprKind::Number { digits, base } => format!("{digits}#{base}"),
        ExprKind::Decimal(d) => d.to_string(),
        ExprKind::String(s) => format!("{s:?}"),
        ExprKind::Name(n) => n.name.to_string(),
        ExprKind::Apply { op, args } => format!("({} {})", op.name, list(args, expr)),
        ExprKind::Qualified(parts) => parts.iter().map(selector).collect::<Vec<_>>().join("!"),
        ExprKind::Junction(Junction::And, items) => format!("[/\\ {}]", list(items, expr)),
        ExprKind::Junction(Junction::Or, items) => format!("[\\/ {}]", list(items, expr)),
        ExprKind::Quantified { quantifier, bounds: b, body } => {
            let word = match quantifier {
                Quantifier::Forall => "A",
                Quantifier::Exists => "E",
                Quantifier::TemporalForall => "AA",
                Quantifier::TemporalExists => "EE",
            };
            format!("({word} {} : {})", bounds(b), expr(body))
        }
        ExprKind::Choose { bound: b, body } => format!("(CHOOSE {} : {})", bound(b), expr(body)),
        ExprKind::SetEnum(items) => format!("{{{}}}", list(items, expr)),
        ExprKind::SetFilter { bound: b, body } => {
            format!("{{filter {} : {}}}", bound(b), expr(body))
        }
        ExprKind::SetMap { body, bounds: b } => format!("{{map {} : {}}}", expr(body), bounds(b)),
        ExprKind::Tuple(items) => format!("<{}>", list(items, expr)),
        ExprKind::Function { bounds: b, body } => format!("[fn {} : {}]", bounds(b), expr(body)),
        ExprKind::FunctionSet(a, b) => format!("[{} -> {}]", expr(a), expr(b)),
        ExprKind::Record(f) => format!("[record {}]", fields(f)),
        ExprKind::RecordSet(f) => format!("[records {}]", fields(f)),
        ExprKind::Except { function, updates } => {
            format!("[{} EXCEPT {}]", expr(function), list(updates, update))
        }
        ExprKind::FunctionApply { function, args } => {
            format!("{}[{}]", expr(function), list(args, expr))
        }
        ExprKind::Field { record, field } => format!("{}.{}", expr(record), field.name),
        ExprKind::Subscripted { kind, action, subscript } => format!("{kind:?}({}, {})", expr(action), expr(subscript)),
        ExprKind::If(c, t, f) => format!("(IF {} {} {})", expr(c), expr(t), expr(f)),
        ExprKind::Case { arms, other } => {
            let other = other.as_ref().map_or(String::new(), |o| format!(" OTHER {}", expr(o)));
            format!("(CASE {}{other})", list(arms, |(c, e)| format!("{}->{}", expr(c), expr(e))))
        }
        ExprKind::Let { units, body } => format!("(LET {} IN {})", list(units, unit), expr(body)),
        ExprKind::Lambda { params, body } => format!("(LAMBDA {} : {})", names(params), expr(body)),
        ExprKind::Label { name, params, body } if params.is_empty() => {
            format!("{}::{}", name.name, expr(body))
        }
        ExprKind::Label { name, params, body } => {
            format!("{}({})::{}", name.name, names(params), expr(body))
        }
        ExprKind::Bracketed(items) => format!("[{}]", list(items, expr)),
        ExprKind::Paren(e) => format!("({})", expr(e)),
    }
}

fn decl(d: &OpDecl) -> String {
    if d.arity == 0 { d.name.name.to_string() } else { format!("{}/{}", d.name.name, d.arity) }
}

fn instance(i: &Instance) -> String {
    let substitutions = list(&i.substitutions, |s| format!("{}<-{}", s.target.name, expr(&s.value)));
    format!("INSTANCE {}({substitutions})", i.module.name)
}

fn assertion(a: &Assertion) -> String {
    match a {
        Assertion::Expr(e) => expr(e),
        Assertion::AssumeProve { boxed, assumptions, goal, .. } => {
            let mark = if *boxed { "[]" } else { "" };
            format!("{mark}ASSUME {} PROVE {}", list(assumptions, item), expr(goal))
        }
    }
}

fn item(a: &AssumeItem) -> String {
    match a {
        AssumeItem::Assertion { label: None, assertion: a } => assertion(a),
        AssumeItem::Assertion { label: Some(l), assertion: a } => format!("{}::({})", l.name, assertion(a)),
        AssumeItem::New { level, decl: d, set } => {
            format!("NEW {level:?} {}{}", decl(d), set.as_ref().map_or(String::new(), |s| format!(" in {}", expr(s))))
        }
    }
}

fn fact(f: &Fact) -> String {
    match f {
        Fact::Expr(e) => expr(e),
        Fact::Module(m) => format!("MODULE {}", m.name),
    }
}

fn uses(s: &ProofStatement) -> String {
    let only = if s.only { " ONLY" } else { "" };
    format!("{}{only} {} DEF {}", if s.hide { "HIDE" } else { "USE" }, list(&s.facts, fact), list(&s.defs, fact))
}

fn proof(p: &Proof) -> String {
    match p {
        Proof::Obvious(_) => "OBVIOUS".into(),
        Proof::Omitted(_) => "OMITTED".into(),
        Proof::By(s) => format!("BY {}", uses(s)),
        Proof::Steps(steps) => format!("{{{}}}", list(steps, step)),
    }
}

fn step(s: &Step) -> String {
    let kind = match &s.kind {
        StepKind::Assert { suffices, assertion: a } => {
            format!("{}{}", if *suffices { "SUFFICES " } else { "" }, assertion(a))
        }
        StepKind::UseHide(s) => uses(s),
        StepKind::Define(units) => format!("DEFINE {}", list(units, unit)),
        StepKind::Instance { instance: i } => instance(i),
        StepKind::Have(e) => format!("HAVE {}", expr(e)),
        StepKind::Take(b) => format!("TAKE {}", bounds(b)),
        StepKind::Witness(e) => format!("WITNESS {}", list(e, expr)),
        StepKind::Pick { bounds: b, body } => format!("PICK {} : {}", bounds(b), expr(body)),
        StepKind::Case(e) => format!("CASE {}", expr(e)),
        StepKind::Qed => "QED".into(),
    };
    format!("{} {kind}{};", s.name.name, s.proof.as_ref().map_or(String::new(), |p| format!(" {}", proof(p))))
}

pub(super) fn unit(u: &Unit) -> String {
    let named = |n: &Option<Ident>| n.as_ref().map_or(String::new(), |n| format!("{} == ", n.name));
    match &u.kind {
        UnitKind::Constants(d) => format!("CONSTANT {}", list(d, decl)),
        UnitKind::Variables(n) => format!("VARIABLE {}", names(n)),
        UnitKind::Recursive(d) => format!("RECURSIVE {}", list(d, decl)),
        UnitKind::Definition(d) => {
            let local = if d.local { "LOCAL " } else { "" };
            let params = if d.params.is_empty() { String::new() } else { format!("({})", list(&d.params, decl)) };
            match &d.body {
                DefinitionBody::Operator(e) => {
                    format!("{local}{}{params} == {}", d.name.name, expr(e))
                }
                DefinitionBody::Function { bounds: b, body } => {
                    format!("{local}{}[{}] == {}", d.name.name, bounds(b), expr(body))
                }
                DefinitionBody::Instance(i) => {
                    format!("{local}{}{params} == {}", d.name.name, instance(i))
                }
            }
        }
        UnitKind::Instance { local, instance: i } => {
            format!("{}{}", if *local { "LOCAL " } else { "" }, instance(i))
        }
        UnitKind::Assumption(a) => {
            format!("{} {}{}", if a.axiom { "AXIOM" } else { "ASSUME" }, named(&a.name), expr(&a.body))
        }
        UnitKind::Theorem(t) => {
            let shown = t.proof.as_ref().map_or(String::new(), |p| format!(" {}", proof(p)));
            format!("THEOREM {}{}{shown}", named(&t.name), assertion(&t.body))
        }
        UnitKind::Module(m) => format!("MODULE {}({})", m.name.name, list(&m.units, unit)),
        UnitKind::UseHide(s) => uses(s),
        UnitKind::Separator => "----".into(),
    }
}
