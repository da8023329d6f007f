//! Making a specification smaller.

use crate::generate::expression::Expr;
use crate::generate::specification::Specification;
use crate::generate::types::Type;

/// The smallest specification that is found below the one given for which `shows` still says yes. It is asked at most `tries` times.
pub fn shrink(
    specification: &Specification,
    tries: usize,
    shows: &mut dyn FnMut(&Specification) -> bool,
) -> Specification {
    let mut best = specification.clone();
    let mut left = tries;
    loop {
        let before = best.size();
        drop_units(&mut best, &mut left, shows);
        drop_lines(&mut best, &mut left, shows);
        reduce_expressions(&mut best, &mut left, shows);
        if best.size() >= before || left == 0 {
            return best;
        }
    }
}

fn attempt(
    best: &mut Specification,
    candidate: Specification,
    left: &mut usize,
    shows: &mut dyn FnMut(&Specification) -> bool,
) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let good = shows(&candidate);
    if good {
        *best = candidate;
    }
    good
}

fn drop_units(best: &mut Specification, left: &mut usize, shows: &mut dyn FnMut(&Specification) -> bool) {
    for module in (0..best.modules.len()).rev() {
        for unit in (0..best.modules.get(module).map_or(0, |m| m.units.len())).rev() {
            let mut candidate = best.clone();
            let Some(module) = candidate.modules.get_mut(module) else { continue };
            let gone = module.units.remove(unit);
            // What the configuration says of it goes with it.
            let name = gone.head.split([' ', '(']).next().unwrap_or_default().to_owned();
            if name.len() > 2 {
                let asks = |line: &String| line.split(' ').any(|word| word == name);
                candidate.config.retain(|line| !asks(line) || line.starts_with("CONSTANT"));
            }
            attempt(best, candidate, left, shows);
        }
    }
}

fn drop_lines(best: &mut Specification, left: &mut usize, shows: &mut dyn FnMut(&Specification) -> bool) {
    for line in (0..best.config.len()).rev() {
        let mut candidate = best.clone();
        candidate.config.remove(line);
        attempt(best, candidate, left, shows);
    }
}

fn reduce_expressions(best: &mut Specification, left: &mut usize, shows: &mut dyn FnMut(&Specification) -> bool) {
    for module in 0..best.modules.len() {
        let mut unit = 0;
        while let Some(body) = best.modules.get(module).and_then(|m| m.units.get(unit)).map(|u| u.body.clone()) {
            if let Some(body) = body {
                let mut place = Vec::new();
                reduce_at(best, (module, unit), &body, &mut place, left, shows);
            }
            unit += 1;
        }
    }
}

/// Tries smaller expressions at a place, then at those below it.
fn reduce_at(
    best: &mut Specification,
    unit: (usize, usize),
    expr: &Expr,
    place: &mut Vec<usize>,
    left: &mut usize,
    shows: &mut dyn FnMut(&Specification) -> bool,
) {
    let mut current = expr.clone();
    'again: loop {
        for smaller in smaller(&current) {
            if *left == 0 {
                return;
            }
            let mut candidate = best.clone();
            if let Some(at) = find(&mut candidate, unit, place) {
                *at = smaller.clone();
            }
            if attempt(best, candidate, left, shows) {
                current = smaller;
                continue 'again;
            }
        }
        break;
    }
    for part in 0..current.parts.len() {
        place.push(part);
        if let Some(below) = current.parts.get(part) {
            reduce_at(best, unit, &below.clone(), place, left, shows);
        }
        place.pop();
    }
}

fn find<'s>(specification: &'s mut Specification, unit: (usize, usize), place: &[usize]) -> Option<&'s mut Expr> {
    let body = specification.modules.get_mut(unit.0)?.units.get_mut(unit.1)?.body.as_mut();
    place.iter().try_fold(body?, |expr, part| expr.parts.get_mut(*part))
}

/// Smaller expressions of the same type, the smallest first.
fn smaller(expr: &Expr) -> Vec<Expr> {
    if expr.parts.is_empty() && (expr.form.len() <= 4 || expr.ty == Type::Action) {
        return Vec::new();
    }
    let mut found: Vec<Expr> = constants(&expr.ty).iter().map(|form| Expr::leaf(*form, expr.ty.clone())).collect();
    found.retain(|constant| constant.size() < expr.size() || constant.form.len() < expr.form.len());
    let fits = |part: &&Expr| part.ty == expr.ty || (expr.ty == Type::Action && part.ty == Type::Bool);
    found.extend(expr.parts.iter().filter(fits).cloned());
    // A part of a part: what is in a quantifier in a conjunct.
    found.extend(expr.parts.iter().flat_map(|p| &p.parts).filter(|p| p.ty == expr.ty).cloned());
    found.extend(without_conjuncts(expr));
    found
}

fn constants(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Bool => &["TRUE", "FALSE"],
        Type::Int => &["0", "1"],
        Type::Str => &["\"sq1\""],
        Type::Model => &["mv1"],
        Type::Set(_) => &["{}"],
        Type::Seq(_) => &["<<>>"],
        Type::Bag(_) => &["EmptyBag"],
        Type::Action => &["UNCHANGED vars", "TRUE"],
        Type::Fun(..) => &["<<>>"],
        Type::Tup(..) | Type::Rec(..) | Type::Temporal | Type::Any(_) => &[],
    }
}

/// A junction list with one of its parts left out.
fn without_conjuncts(expr: &Expr) -> Vec<Expr> {
    let symbol = expr.form.get(..3).filter(|s| *s == "/\\ " || *s == "\\/ ");
    let plain =
        |symbol: &str, count: usize| (1..=count).map(|n| format!("{symbol}%{n}")).collect::<Vec<_>>().join("\n");
    match symbol {
        Some(symbol) if expr.parts.len() > 2 && expr.form == plain(symbol, expr.parts.len()) => (0..expr.parts.len())
            .map(|gone| {
                let mut parts = expr.parts.clone();
                parts.remove(gone);
                Expr::new(plain(symbol, parts.len()), parts, expr.ty.clone())
            })
            .collect(),
        _ => Vec::new(),
    }
}
