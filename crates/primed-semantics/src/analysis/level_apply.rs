//! Levels of applications (4205, 4272, 4273, 4310 to 4315).

use std::rc::Rc;
use std::sync::Arc;

use super::graph::{Kind, Node, Spot, Sym};
use super::levels::{ACTION, DefLevels, LevelInfo, TEMPORAL, include};
use super::sorted::SortedSet;
use super::table::Analyser;

/// An application with what is known of its parts.
struct Application {
    spot: Spot,
    op: Sym,
    name: Arc<str>,
    args: Vec<Node>,
    levels: Vec<Rc<LevelInfo>>,
    /// The operator, if an argument is one; with its definition's levels if it is defined.
    operators: Vec<Option<(Sym, Option<Rc<DefLevels>>)>>,
    ranges: Vec<Node>,
    range_levels: Vec<Rc<LevelInfo>>,
    bound: SortedSet<Sym>,
    /// The first name bound by each range.
    range_names: Vec<String>,
}

impl Analyser {
    pub(crate) fn level_of_application(&mut self, node: Node, round: u8) -> LevelInfo {
        let Kind::Apply { op, args, free, groups, ranges, .. } = self.graph.kind(node).clone() else {
            return LevelInfo::default();
        };
        let levels: Vec<_> = args.iter().map(|a| self.level(*a, round)).collect();
        let range_levels: Vec<_> = ranges.iter().map(|r| self.level(*r, round)).collect();
        let mut operators = Vec::with_capacity(args.len());
        for arg in &args {
            operators.push(match self.graph.kind(*arg) {
                Kind::OpArg(op) => {
                    let op = *op;
                    let defined = !self.graph.symbol(op).is_param();
                    Some((op, defined.then(|| self.definition_levels(op, round))))
                }
                _ => None,
            });
        }
        let bound = groups.iter().flatten().chain(&free).copied().collect();
        let first = |g: &Vec<Sym>| g.first().map_or(String::new(), |s| self.graph.symbol(*s).name.to_string());
        let range_names = groups.iter().map(first).collect();
        let name = self.graph.symbol(op).name.clone();
        let spot = self.graph.spot(node);
        let app = Application { spot, op, name, args, levels, operators, ranges, range_levels, bound, range_names };
        let correct = app.levels.iter().chain(&app.range_levels).all(|l| l.correct);
        let mut info = LevelInfo { correct, ..LevelInfo::default() };
        if self.graph.symbol(op).is_param() {
            self.apply_param(&app, &mut info);
        } else {
            let def = self.definition_levels(op, round);
            self.check_arguments(&app, &def, &mut info);
            self.check_ranges(&app, &mut info);
            apply_definition(&app, &def, &mut info);
            self.apply_limits(&app, &def, &mut info);
            self.apply_operators(&app, &def, &mut info);
        }
        self.check_temporal(&app, &mut info);
        info
    }

    fn level_error(&mut self, app: &Application, code: u32, what: String) {
        self.error(code, app.spot, format!("Level error in applying operator {}:\n{what}", app.name));
    }

    /// Says what makes an argument of too high a level.
    fn explain_argument(&mut self, app: &Application, index: usize, level: u8) {
        let double = match (&*app.name, level) {
            ("'", ACTION) => Some("what is primed already cannot be primed again: put primes on the variables only"),
            ("'", TEMPORAL) => Some("a temporal formula cannot be primed"),
            ("UNCHANGED", ACTION..) => Some("UNCHANGED takes variables without primes"),
            ("ENABLED", TEMPORAL) => Some("ENABLED takes an action, not a temporal formula"),
            _ => None,
        };
        if let Some(help) = double {
            self.advise(Some(help.into()));
        }
        if let Some(node) = app.args.get(index) {
            self.note_level(*node, level);
        }
    }

    /// Says which operands of a temporal operator make it wrong.
    fn explain_temporal(&mut self, app: &Application, code: u32) {
        for (i, level) in app.levels.iter().enumerate() {
            let mixed = code == 4313 && level.level == TEMPORAL;
            if let Some(node) = app.args.get(i).filter(|_| mixed || level.level == ACTION) {
                self.note_level(*node, level.level);
            }
        }
    }

    fn check_arguments(&mut self, app: &Application, def: &DefLevels, info: &mut LevelInfo) {
        let exceeds =
            |i: usize| format!("The level of argument {} exceeds the maximum level allowed by the operator.", i + 1);
        for (i, level) in app.levels.iter().enumerate() {
            if level.level > def.max(i) {
                if def.info.correct && level.correct {
                    self.level_error(app, 4205, exceeds(i));
                    self.explain_argument(app, i, level.level);
                }
                info.correct = false;
            }
            let Some((op, Some(argument))) = app.operators.get(i).and_then(|o| o.as_ref()) else { continue };
            let arity = self.graph.symbol(*op).arity.max(0) as usize;
            for j in 0..arity {
                let least = def.min_max(i, j);
                if argument.max(j) < least {
                    if def.info.correct && level.correct {
                        let what = format!(
                            "The permitted level of argument {} of the operator argument {} \nmust be at least {least}.",
                            j + 1,
                            i + 1
                        );
                        self.level_error(app, 4272, what);
                    }
                    info.correct = false;
                }
            }
            for (j, other) in app.levels.iter().enumerate() {
                let wrong = (0..arity).any(|k| def.conditions.contains(&(i, j, k)) && other.level > argument.max(k));
                if wrong {
                    if level.correct && other.correct {
                        self.level_error(app, 4273, exceeds(j));
                        self.explain_argument(app, j, other.level);
                    }
                    info.correct = false;
                }
            }
        }
    }

    fn check_ranges(&mut self, app: &Application, info: &mut LevelInfo) {
        for (i, range) in app.range_levels.iter().enumerate() {
            if range.level > ACTION {
                if range.correct {
                    let name = app.range_names.get(i).map_or("", String::as_str);
                    let what = format!(
                        "The level of the range for the bounded variable {name} \nexceeds the maximum level allowed by the operator."
                    );
                    self.level_error(app, 4315, what);
                    if let Some(node) = app.ranges.get(i) {
                        self.note_level(*node, range.level);
                    }
                }
                info.correct = false;
            }
        }
    }

    /// What the operator's definition, its arguments and its ranges demand of parameters.
    fn apply_limits(&self, app: &Application, def: &DefLevels, info: &mut LevelInfo) {
        info.add_limits(&def.info);
        for level in &app.levels {
            level.limits.iter().filter(|(p, _)| !app.bound.contains(*p)).for_each(|(p, l)| info.limit(*p, *l));
        }
        app.range_levels.iter().for_each(|r| info.add_limits(r));
        for (i, level) in app.levels.iter().enumerate() {
            level.params.iter().for_each(|p| info.limit(*p, def.max(i)));
        }
        for (i, operator) in app.operators.iter().enumerate() {
            let Some((op, Some(argument))) = operator else { continue };
            let arity = self.graph.symbol(*op).arity.max(0) as usize;
            for (j, level) in app.levels.iter().enumerate() {
                for k in (0..arity).filter(|k| def.conditions.contains(&(i, j, *k))) {
                    level.params.iter().for_each(|p| info.limit(*p, argument.max(k)));
                    if !argument.leibniz(k) {
                        include(&mut info.non_leibniz, &level.all);
                    }
                }
            }
        }
        for (op, index, param) in &def.info.arg_params {
            if let Some((_, Some(argument))) = self.given(app, *op).and_then(|i| app.operators.get(i)?.as_ref()) {
                info.limit(*param, argument.max(*index));
            }
        }
    }

    /// The number of the argument that stands for a parameter of the operator's definition.
    fn given(&self, app: &Application, param: Sym) -> Option<usize> {
        let params = &self.graph.symbol(app.op).params;
        params.iter().position(|p| *p == param).filter(|i| *i < app.args.len())
    }

    /// What is demanded of operator parameters.
    fn apply_operators(&self, app: &Application, def: &DefLevels, info: &mut LevelInfo) {
        info.add_demands(&def.info);
        app.levels.iter().chain(&app.range_levels).for_each(|l| info.add_demands(l));
        for level in &app.levels {
            info.arg_params.extend(level.arg_params.iter().filter(|(_, _, p)| !app.bound.contains(p)));
        }
        app.range_levels.iter().for_each(|r| info.arg_params.extend(&r.arg_params));
        for (i, operator) in app.operators.iter().enumerate() {
            let Some((op, None)) = operator else { continue };
            let arity = self.graph.symbol(*op).arity.max(0) as usize;
            (0..arity).for_each(|j| info.demand(*op, j, def.min_max(i, j)));
            for (j, level) in app.levels.iter().enumerate() {
                for k in (0..arity).filter(|k| def.conditions.contains(&(i, j, *k))) {
                    info.demand(*op, k, level.level);
                    info.arg_params.extend(level.params.iter().map(|p| (*op, k, *p)));
                }
            }
        }
        for (op, index, param) in &def.info.arg_params {
            match self.given(app, *op) {
                None => match self.given(app, *param).and_then(|i| app.levels.get(i)) {
                    None => drop(info.arg_params.insert((*op, *index, *param))),
                    Some(level) => info.arg_params.extend(level.params.iter().map(|p| (*op, *index, *p))),
                },
                Some(i) => {
                    let level = app.levels.get(i).map_or(0, |l| l.level);
                    info.demand(*op, *index, level);
                    if let Some((op, None)) = app.operators.get(i).and_then(|o| o.as_ref()) {
                        info.arg_params.insert((*op, *index, *param));
                    }
                }
            }
        }
    }

    /// A parameter or declared name applied.
    fn apply_param(&self, app: &Application, info: &mut LevelInfo) {
        info.level = self.graph.symbol(app.op).declared_level();
        info.params.insert(app.op);
        info.all.insert(app.op);
        for (i, level) in app.levels.iter().enumerate() {
            info.level = info.level.max(level.level);
            include(&mut info.params, &level.params);
            include(&mut info.all, &level.all);
            include(&mut info.non_leibniz, &level.non_leibniz);
            info.add_limits(level);
            info.demand(app.op, i, level.level);
            info.add_demands(level);
            info.arg_params.extend(level.params.iter().map(|p| (app.op, i, *p)));
            info.arg_params.extend(&level.arg_params);
        }
    }

    /// Rules of temporal logic beyond the limits of arguments.
    fn check_temporal(&mut self, app: &Application, info: &mut LevelInfo) {
        let action = |i: usize| app.levels.get(i).is_some_and(|l| l.level == ACTION);
        let operator = |a: &Analyser, i: usize| app.args.get(i).map(|n| a.graph.operator_name(*n).to_owned());
        let stutters = |a: &Analyser, form: &str| {
            let name = operator(a, 0).unwrap_or_default();
            !action(0) || name.is_empty() || name == form
        };
        let complaint = match &*app.name {
            "[]" if !stutters(self, "$SquareAct") => (4310, "[] followed by action not of form [A]_v.".to_owned()),
            "<>" if !stutters(self, "$AngleAct") => (4311, "<> followed by action not of form <<A>>_v.".to_owned()),
            "~>" | "-+->" if action(0) || action(1) => {
                (4312, "Action used where only temporal formula or state predicate allowed.".to_owned())
            }
            "\\land" | "\\lor" | "=>" | "\\equiv" | "$ConjList" | "$DisjList" => {
                let has = |level: u8| app.levels.iter().any(|l| l.level == level);
                if !(has(TEMPORAL) && has(ACTION)) {
                    return;
                }
                let name = match &*app.name {
                    "$ConjList" => "Conjunction list",
                    "$DisjList" => "Disjunction list",
                    name => name,
                };
                (4313, format!("{name} has both temporal formula and action as arguments."))
            }
            "$BoundedExists" | "$BoundedForall" if info.level == TEMPORAL => {
                let wrong: Vec<Node> = app
                    .ranges
                    .iter()
                    .zip(&app.range_levels)
                    .filter(|(_, l)| l.level == ACTION)
                    .map(|(r, _)| *r)
                    .collect();
                for range in wrong {
                    let spot = self.graph.spot(range);
                    self.error(4314, spot, "Action-level bound of quantified temporal formula.");
                    info.correct = false;
                }
                return;
            }
            _ => return,
        };
        self.error(complaint.0, app.spot, complaint.1);
        self.explain_temporal(app, complaint.0);
        info.correct = false;
    }
}

/// The level and the parameters that count.
fn apply_definition(app: &Application, def: &DefLevels, info: &mut LevelInfo) {
    info.level = def.info.level;
    include(&mut info.params, &def.info.params);
    include(&mut info.all, &def.info.all);
    include(&mut info.non_leibniz, &def.info.non_leibniz);
    for (i, level) in app.levels.iter().enumerate() {
        if def.weight(i) == 1 {
            info.level = info.level.max(level.level);
            include(&mut info.params, &level.params);
        }
        include(&mut info.all, &level.all);
        include(&mut info.non_leibniz, &level.non_leibniz);
        if !def.leibniz(i) {
            include(&mut info.non_leibniz, &level.all);
        }
    }
    for range in &app.range_levels {
        info.level = info.level.max(range.level);
        include(&mut info.params, &range.params);
        include(&mut info.all, &range.all);
        include(&mut info.non_leibniz, &range.non_leibniz);
    }
    for bound in &app.bound {
        info.params.remove(bound);
        info.all.remove(bound);
        info.non_leibniz.remove(bound);
    }
}
