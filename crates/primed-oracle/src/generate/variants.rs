//! Specifications written otherwise that mean the same: what a search of them counts must be the same too.

use crate::generate::expression::Expr;
use crate::generate::specification::{Module, Specification, Unit};
use crate::generate::types::Type;

/// The variants of a specification, each with what was done.
pub fn variants(specification: &Specification) -> Vec<(&'static str, Specification)> {
    let all = [
        ("variables and operators have other names", renamed(specification)),
        ("the disjuncts of the next-state relation stand in another order", reordered(specification)),
        ("actions without parameters are written out", inlined(specification)),
        ("there is a variable that never changes", stuttering(specification)),
        ("everything is instantiated by a module of its own", instantiated(specification)),
        ("model values have each other's names", permuted(specification)),
    ];
    all.into_iter().filter_map(|(what, variant)| Some((what, variant?))).collect()
}

/// Names in place of others, in every module and the configuration. None of them is a string or occurs in one.
fn renamed(specification: &Specification) -> Option<Specification> {
    let mut variant = specification.clone();
    let rename = |text: &mut String| {
        for (old, new) in [("xv", "wv"), ("Dom", "Fin"), ("Act", "Step"), ("Op", "Fn"), ("bq", "kq"), ("Inv", "Safe")] {
            *text = text.replace(old, new);
        }
    };
    for unit in variant.modules.iter_mut().flat_map(|m| &mut m.units) {
        rename(&mut unit.head);
        if let Some(body) = &mut unit.body {
            body.forms(&mut |form| rename(form));
        }
    }
    variant.config.iter_mut().for_each(rename);
    Some(variant)
}

/// The expression that a definition of the root module has.
fn body<'s>(specification: &'s mut Specification, head: &str) -> Option<&'s mut Expr> {
    let units = &mut specification.modules.first_mut()?.units;
    units.iter_mut().find(|u| u.head == head)?.body.as_mut()
}

fn reordered(specification: &Specification) -> Option<Specification> {
    let mut variant = specification.clone();
    let next = body(&mut variant, "Next == ")?;
    let disjuncts = next.form.starts_with("\\/ %1\n\\/ %2") && next.parts.len() > 1;
    disjuncts.then(|| next.parts.reverse())?;
    Some(variant)
}

fn inlined(specification: &Specification) -> Option<Specification> {
    let mut variant = specification.clone();
    let mut next = body(&mut variant, "Next == ")?.clone();
    let mut changed = false;
    for number in 1..=3 {
        let name = format!("Act{number}");
        let Some(action) = body(&mut variant, &format!("{name} == ")).cloned() else { continue };
        next.leaves(&mut |leaf| {
            if leaf.form == name {
                *leaf = Expr::new("(%1)", vec![action.clone()], Type::Action);
                changed = true;
            }
        });
    }
    *body(&mut variant, "Next == ")? = next;
    changed.then_some(variant)
}

/// The further variable comes first, so that the moment at which all variables have values stays the same.
fn stuttering(specification: &Specification) -> Option<Specification> {
    let mut variant = specification.clone();
    let plain = variant.config.iter().any(|line| line == "NEXT Next");
    let text = "VARIABLE sv\nInitWith == sv = 0 /\\ Init\nNextWith == sv' = sv /\\ Next";
    variant.modules.first_mut()?.units.push(Unit::text(text));
    for line in &mut variant.config {
        match line.as_str() {
            "INIT Init" => *line = "INIT InitWith".into(),
            "NEXT Next" => *line = "NEXT NextWith".into(),
            _ => {}
        }
    }
    plain.then_some(variant)
}

fn instantiated(specification: &Specification) -> Option<Specification> {
    let mut variant = specification.clone();
    let replaced = |line: &String| line.contains("<-");
    if variant.config.iter().any(replaced) {
        return None;
    }
    let root = variant.modules.first()?;
    let declares = |u: &&Unit| u.head.starts_with("CONSTANT") || u.head.starts_with("VARIABLE");
    let mut units: Vec<Unit> = root.units.iter().filter(declares).cloned().collect();
    units.push(Unit::text("INSTANCE Fuzz"));
    variant.modules.insert(0, Module { name: "FuzzAround".into(), extends: String::new(), units });
    Some(variant)
}

/// Each model value under the name of the next one in the module, while the configuration stays as it is: their order is that of
/// the configuration, so what depends on order changes. Only without CHOOSE, whose choice may be another then, is the meaning the
/// same, and without what is printed or sorted.
fn permuted(specification: &Specification) -> Option<Specification> {
    let models: Vec<String> = specification.config.iter().filter_map(|line| model_value(line)).collect();
    let texts: Vec<String> = specification.modules().into_iter().map(|(_, text)| text).collect();
    let chooses = |text: &String| ["CHOOSE m", "CHOOSE x", "CHOOSE b", "TLCFP"].iter().any(|word| text.contains(word));
    // `Clamp` chooses among what a variable may be.
    let clamps = |text: &String| text.lines().any(|line| line.contains("Clamp(") && !line.starts_with("Clamp("));
    let user = |text: &String| text.lines().filter(|line| !line.starts_with("Clamp(")).collect::<Vec<_>>().join("\n");
    if models.len() < 2 || texts.iter().any(|text| chooses(&user(text)) || clamps(text)) {
        return None;
    }
    let mut variant = specification.clone();
    let change = |text: &mut String| {
        for (number, model) in models.iter().enumerate() {
            *text = text.replace(model.as_str(), &format!("?{number}?"));
        }
        for (number, _) in models.iter().enumerate() {
            let other = &models[(number + 1) % models.len()];
            *text = text.replace(&format!("?{number}?"), other);
        }
    };
    for unit in variant.modules.iter_mut().flat_map(|m| &mut m.units) {
        // The declaration lists them all.
        if !unit.head.starts_with("CONSTANTS ") {
            change(&mut unit.head);
        }
        if let Some(body) = &mut unit.body {
            body.forms(&mut |form| change(form));
        }
    }
    Some(variant)
}

/// The name in a line `CONSTANT m = m`.
fn model_value(line: &str) -> Option<String> {
    let (name, value) = line.strip_prefix("CONSTANT ")?.split_once(" = ")?;
    (name == value).then(|| name.to_owned())
}

impl Expr {
    /// Changes every form.
    fn forms(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.form);
        self.parts.iter_mut().for_each(|part| part.forms(change));
    }

    /// Changes every expression without parts.
    fn leaves(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match self.parts.is_empty() {
            true => change(self),
            false => self.parts.iter_mut().for_each(|part| part.leaves(change)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Random, generate, shrink};

    #[test]
    fn a_seed_is_one_text() {
        // What this seed gives may change when the generator does; that it changes from run to run, or with the platform, may not.
        let (first, second) = (generate(7), generate(7));
        assert_eq!(first.modules(), second.modules());
        assert_ne!(first.modules(), generate(8).modules());
        assert_eq!(Random::new(1).draw(), 10_451_216_379_200_822_465, "SplitMix64's first number for seed 1");
    }

    #[test]
    fn variants_differ_from_what_they_are_made_of() {
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..400 {
            let specification = generate(seed);
            for (what, variant) in variants(&specification) {
                kinds.insert(what);
                assert_ne!(variant.modules(), specification.modules(), "seed {seed}: {what}");
            }
        }
        assert_eq!(kinds.len(), 6);
    }

    #[test]
    fn shrinking_keeps_what_it_is_asked_for_and_drops_the_rest() {
        let wanted = "CHOOSE";
        let shows = |s: &Specification| s.modules().iter().any(|(_, text)| text.contains(wanted));
        let specification = (0..100).map(generate).find(|s| shows(s)).unwrap();
        let small = shrink(&specification, 5000, &mut |s| shows(s));
        assert!(shows(&small));
        assert!(small.size() * 10 < specification.size(), "{} of {}", small.size(), specification.size());
    }
}
