//! Levels (*Specifying Systems*, section 17.2): of every node, definition and module, with what they demand of parameters.
//!
//! A node's level may depend on what stands for parameters. Besides the level that it has when all of them are constant, a
//! node knows the parameters that count, the highest level that each may have, and, for operator parameters, which levels
//! their arguments must take. A definition turns what concerns its own parameters into limits for its arguments.

use std::rc::Rc;

use super::builtin;
use super::expression::deeper;
use super::graph::{Kind, Mod, Node, Sym, SymbolKind};
use super::sorted::{SortedMap, SortedSet};
use super::table::Analyser;

pub(crate) const CONSTANT: u8 = 0;
pub(crate) const STATE: u8 = 1;
pub(crate) const ACTION: u8 = 2;
pub(crate) const TEMPORAL: u8 = 3;

/// The most that level checking keeps, over all nodes: in chains of definitions with operator parameters it grows with the third
/// power of their length.
const MAX_ENTRIES: usize = 40_000_000;

/// What level checking knows of a node.
#[derive(Clone, Debug)]
pub(crate) struct LevelInfo {
    /// No level error inside.
    pub(crate) correct: bool,
    pub(crate) level: u8,
    /// Parameters whose level counts.
    pub(crate) params: SortedSet<Sym>,
    /// The highest level that a parameter may have.
    pub(crate) limits: SortedMap<Sym, u8>,
    /// The level that an argument of an operator parameter must be allowed to have.
    pub(crate) arg_limits: SortedMap<(Sym, usize), u8>,
    /// A parameter whose level counts occurs in an argument of an operator parameter.
    pub(crate) arg_params: SortedSet<(Sym, usize, Sym)>,
    /// All parameters that occur.
    pub(crate) all: SortedSet<Sym>,
    /// Those that may not be replaced by something equal.
    pub(crate) non_leibniz: SortedSet<Sym>,
}

impl Default for LevelInfo {
    fn default() -> LevelInfo {
        LevelInfo {
            correct: true,
            level: CONSTANT,
            params: SortedSet::new(),
            limits: SortedMap::new(),
            arg_limits: SortedMap::new(),
            arg_params: SortedSet::new(),
            all: SortedSet::new(),
            non_leibniz: SortedSet::new(),
        }
    }
}

impl LevelInfo {
    /// How much is known; what concerns arguments of operator parameters takes more room.
    fn len(&self) -> usize {
        let sets = self.params.len() + self.all.len() + self.non_leibniz.len() + 4 * self.arg_params.len();
        sets + self.limits.len() + self.arg_limits.len()
    }

    /// The lowest limit holds.
    pub(crate) fn limit(&mut self, param: Sym, level: u8) {
        self.limits.merge(param, level, u8::min);
    }

    /// The highest demand holds.
    pub(crate) fn demand(&mut self, op: Sym, index: usize, level: u8) {
        self.arg_limits.merge((op, index), level, u8::max);
    }

    pub(crate) fn add_limits(&mut self, other: &LevelInfo) {
        if self.limits.is_empty() {
            self.limits.clone_from(&other.limits);
        } else {
            other.limits.iter().for_each(|(p, l)| self.limit(*p, *l));
        }
    }

    pub(crate) fn add_demands(&mut self, other: &LevelInfo) {
        other.arg_limits.iter().for_each(|((p, i), l)| self.demand(*p, *i, *l));
    }

    /// Everything of another, its level too.
    pub(crate) fn add(&mut self, other: &LevelInfo) {
        self.correct &= other.correct;
        self.level = self.level.max(other.level);
        include(&mut self.params, &other.params);
        self.add_limits(other);
        self.add_demands(other);
        include(&mut self.arg_params, &other.arg_params);
        include(&mut self.all, &other.all);
        include(&mut self.non_leibniz, &other.non_leibniz);
    }
}

/// Adds what another set has.
pub(crate) fn include<T: Copy + Ord>(set: &mut SortedSet<T>, other: &SortedSet<T>) {
    set.include(other);
}

/// What level checking knows of a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct DefLevels {
    pub(crate) info: LevelInfo,
    /// Any number of arguments, all as the first.
    pub(crate) any: bool,
    /// The highest level of each argument.
    pub(crate) max: Vec<u8>,
    /// Whether an argument's level counts.
    pub(crate) weight: Vec<u8>,
    /// For an operator argument: the level that its own arguments must be allowed to have.
    pub(crate) min_max: Vec<Vec<u8>>,
    /// (i, j, k): argument j occurs in the k-th argument of argument i.
    pub(crate) conditions: SortedSet<(usize, usize, usize)>,
    /// Whether an argument may be replaced by something equal.
    pub(crate) leibniz: Vec<bool>,
}

impl DefLevels {
    fn index(&self, i: usize) -> usize {
        if self.any { 0 } else { i }
    }

    pub(crate) fn max(&self, i: usize) -> u8 {
        self.max.get(self.index(i)).copied().unwrap_or(TEMPORAL)
    }

    pub(crate) fn weight(&self, i: usize) -> u8 {
        self.weight.get(self.index(i)).copied().unwrap_or(1)
    }

    pub(crate) fn leibniz(&self, i: usize) -> bool {
        self.leibniz.get(self.index(i)).copied().unwrap_or(true)
    }

    pub(crate) fn min_max(&self, i: usize, j: usize) -> u8 {
        self.min_max.get(i).and_then(|m| m.get(j)).copied().unwrap_or(CONSTANT)
    }

    pub(crate) fn all_leibniz(&self) -> bool {
        self.leibniz.iter().all(|l| *l)
    }
}

impl Analyser {
    /// The levels of a node, in the first or second round (recursive definitions need two).
    pub(crate) fn level(&mut self, node: Node, round: u8) -> Rc<LevelInfo> {
        if let Some(Some((done, info))) = self.graph.levels.get(node.0 as usize)
            && *done >= round
        {
            return info.clone();
        }
        if let Kind::Missing | Kind::Literal | Kind::Name = self.graph.kind(node) {
            return self.constant.clone();
        }
        if self.level_entries > MAX_ENTRIES {
            return self.constant.clone();
        }
        let info = Rc::new(deeper(|| self.level_of(node, round)));
        self.level_entries += info.len();
        if self.level_entries > MAX_ENTRIES && !self.aborted {
            let text = format!(
                "Level checking needs more than {MAX_ENTRIES} entries: too many definitions depend on too many parameters."
            );
            self.abort(4003, self.graph.spot(node), text);
        }
        let count = self.graph.nodes.len();
        self.graph.levels.resize(count, None);
        self.graph.levels[node.0 as usize] = Some((round, info.clone()));
        info
    }

    fn level_of(&mut self, node: Node, round: u8) -> LevelInfo {
        if let Kind::Apply { .. } = self.graph.kind(node) {
            return self.level_of_application(node, round);
        }
        match self.graph.kind(node).clone() {
            Kind::Missing | Kind::Literal | Kind::Name | Kind::Apply { .. } => LevelInfo::default(),
            Kind::OpArg(op) => {
                let mut info = self.level_of_symbol(op, round);
                info.non_leibniz.clear();
                info
            }
            Kind::At { except, before } => self.level_of_at(except, before, round),
            Kind::Let { defs, instances, body, .. } => self.level_of_let(&defs, &instances, body, round),
            Kind::Subst { substs, body, module, fact } => self.level_of_subst(&substs, body, module, fact, round),
            Kind::Label { body, .. } => {
                let mut info = (*self.level(body, round)).clone();
                info.non_leibniz.clear();
                info
            }
            Kind::AssumeProve { assumes, prove, .. } => self.level_of_assume(&assumes, prove, round),
            Kind::New { symbol, set } => self.level_of_new(node, symbol, set, round),
            Kind::Instance { module, substs, params } => self.level_of_instance(node, module, &substs, &params, round),
            Kind::Assumption { body, def } => self.level_of_assumption(node, body, def, round),
            Kind::Theorem { body, def, proof } => self.level_of_theorem(body, def, proof, round),
            Kind::Steps(nodes) => {
                let mut info = LevelInfo::default();
                nodes.into_iter().for_each(|n| info.add(&self.level(n, round)));
                info
            }
            Kind::DefStep(defs) => {
                let mut info = LevelInfo::default();
                for def in defs {
                    if self.graph.symbol(def).kind != SymbolKind::Instance {
                        let levels = self.definition_levels(def, round);
                        info.add(&levels.info);
                    }
                }
                info
            }
        }
    }

    /// The levels of a name that stands by itself.
    pub(crate) fn level_of_symbol(&mut self, sym: Sym, round: u8) -> LevelInfo {
        let symbol = self.graph.symbol(sym);
        if !symbol.is_param() {
            return self.definition_levels(sym, round).info.clone();
        }
        let mut info = LevelInfo { level: symbol.declared_level(), ..LevelInfo::default() };
        if matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Param) {
            info.params.insert(sym);
            info.all.insert(sym);
        }
        info
    }

    fn level_of_at(&mut self, except: Node, before: usize, round: u8) -> LevelInfo {
        // Updates are looked at in order, so that the sum of those before is only ever added to.
        let key = (except, round);
        let known = self.graph.prefixes.remove(&key).filter(|(done, _)| *done <= before);
        let (done, mut info) = known.unwrap_or_default();
        let args = match self.graph.kind(except) {
            Kind::Apply { args, .. } => args.get(done..before).unwrap_or_default().to_vec(),
            _ => Vec::new(),
        };
        for arg in args {
            info.add(&self.level(arg, round));
        }
        let here = LevelInfo { correct: true, non_leibniz: SortedSet::new(), ..info.clone() };
        self.graph.prefixes.insert(key, (before, info));
        here
    }

    fn level_of_let(&mut self, defs: &[Sym], instances: &[Node], body: Node, round: u8) -> LevelInfo {
        let mut correct = true;
        let mut definitions = Vec::new();
        for def in defs {
            if self.graph.symbol(*def).kind != SymbolKind::Instance {
                let levels = self.definition_levels(*def, round);
                correct &= levels.info.correct;
                definitions.push((*def, levels));
            }
        }
        let inner = self.level(body, round);
        let mut info = LevelInfo {
            correct: correct && inner.correct,
            level: inner.level,
            params: inner.params.clone(),
            all: inner.all.clone(),
            arg_params: inner.arg_params.clone(),
            ..LevelInfo::default()
        };
        info.add_limits(&inner);
        info.add_demands(&inner);
        for (def, levels) in definitions {
            info.add_limits(&levels.info);
            info.add_demands(&levels.info);
            let params = &self.graph.symbol(def).params;
            let free = levels.info.arg_params.iter().filter(|(op, _, p)| !params.contains(op) && !params.contains(p));
            info.arg_params.extend(free);
        }
        for instance in instances {
            let levels = self.level(*instance, round);
            info.correct &= levels.correct;
            info.arg_params.extend(&levels.arg_params);
        }
        info
    }

    // Definitions.

    pub(crate) fn definition_levels(&mut self, sym: Sym, round: u8) -> Rc<DefLevels> {
        let symbol = self.graph.symbol(sym);
        let repeated = symbol.recursion.in_section;
        let known = self.graph.definitions.get(&sym);
        if let Some((done, levels)) = known
            && (*done >= round || (!repeated && *done > 0))
        {
            return levels.clone();
        }
        let start = known.map(|(_, levels)| levels.clone()).unwrap_or_else(|| Rc::new(self.fresh_levels(sym)));
        self.graph.definitions.insert(sym, (round, start.clone()));
        let symbol = self.graph.symbol(sym);
        let Some(body) = symbol.body.filter(|_| symbol.kind != SymbolKind::Builtin) else { return start };
        let fact = symbol.kind == SymbolKind::Fact;
        let params = symbol.params.clone();
        let inner = self.level(body, round);
        let levels = Rc::new(self.close_over(&params, &inner, &start, fact));
        self.graph.definitions.insert(sym, (round, levels.clone()));
        levels
    }

    /// What holds before a right-hand side was looked at.
    fn fresh_levels(&self, sym: Sym) -> DefLevels {
        let symbol = self.graph.symbol(sym);
        if symbol.kind == SymbolKind::Builtin
            && let Some(row) = builtin::TABLE.iter().find(|r| *r.name == *symbol.name)
        {
            return DefLevels {
                info: LevelInfo { level: row.level, ..LevelInfo::default() },
                any: row.arity < 0,
                max: row.max.to_vec(),
                weight: vec![row.weight; row.max.len()],
                leibniz: vec![row.weight > 0; row.max.len()],
                ..DefLevels::default()
            };
        }
        let count = symbol.params.len();
        DefLevels {
            max: vec![TEMPORAL; count],
            weight: vec![0; count],
            leibniz: vec![true; count],
            ..DefLevels::default()
        }
    }

    /// A right-hand side's levels as those of a definition with these parameters.
    fn close_over(&self, params: &[Sym], inner: &LevelInfo, start: &DefLevels, fact: bool) -> DefLevels {
        let mut levels = start.clone();
        let mut info = LevelInfo { correct: inner.correct, ..start.info.clone() };
        info.level = info.level.max(inner.level);
        info.params.extend(&inner.params);
        info.all.extend(&inner.all);
        info.non_leibniz.extend(&inner.non_leibniz);
        info.limits = inner.limits.clone();
        info.arg_limits = inner.arg_limits.clone();
        levels.min_max = Vec::with_capacity(params.len());
        for (i, param) in params.iter().enumerate() {
            if let (Some(limit), Some(max)) = (inner.limits.get(param), levels.max.get_mut(i)) {
                *max = (*max).min(*limit);
            }
            if let Some(weight) = levels.weight.get_mut(i).filter(|_| !fact && inner.params.contains(param)) {
                *weight = 1;
            }
            let arity = self.graph.symbol(*param).arity.max(0) as usize;
            let demand = |j| inner.arg_limits.get(&(*param, j)).copied().unwrap_or(CONSTANT);
            levels.min_max.push((0..arity).map(demand).collect());
            (0..arity).for_each(|j| {
                info.arg_limits.remove(&(*param, j));
            });
            info.limits.remove(param);
            info.params.remove(param);
            info.all.remove(param);
            if info.non_leibniz.remove(param)
                && let Some(leibniz) = levels.leibniz.get_mut(i)
            {
                *leibniz = false;
            }
        }
        let position = |sym: &Sym| params.iter().position(|p| p == sym);
        levels.conditions.clear();
        for (op, k, param) in &inner.arg_params {
            match (position(op), position(param)) {
                (Some(i), Some(j)) => drop(levels.conditions.insert((i, j, *k))),
                _ => drop(info.arg_params.insert((*op, *k, *param))),
            }
        }
        levels.info = info;
        levels
    }

    /// SANY's own module Naturals defines the product as TRUE: its operands may have any level and do not count. Its other
    /// operators have their levels already.
    pub(crate) fn forget_product(&mut self) {
        let naturals = self.graph.modules.last().map(|m| m.names.clone()).unwrap_or_default();
        if let Some(product) = naturals.symbols.get("*").copied() {
            let spot = self.graph.symbol(product).spot;
            let body = self.node(Kind::Literal, spot);
            self.graph.symbol_mut(product).body = Some(body);
            self.graph.definitions.remove(&product);
        }
    }

    // Modules.

    /// Checks a whole module, once.
    pub(crate) fn module_level(&mut self, module: Mod) -> Rc<LevelInfo> {
        if let Some(info) = self.graph.module_levels.get(&module) {
            return info.clone();
        }
        self.graph.module_levels.insert(module, Rc::default());
        self.recursive_sections(module);
        let mut correct = true;
        for inner in self.graph.module(module).inner.clone() {
            correct &= self.module_level(inner).correct;
        }
        let names = self.graph.module(module).names.clone();
        let mut operators = Vec::new();
        for kind in [SymbolKind::Operator, SymbolKind::Fact] {
            for sym in names.order.iter().copied() {
                if self.graph.symbol(sym).kind != kind {
                    continue;
                }
                let levels = self.definition_levels(sym, 1);
                correct &= levels.info.correct;
                if kind == SymbolKind::Operator {
                    operators.push((sym, levels));
                }
            }
        }
        let top = self.graph.module(module).top.clone();
        let top: Vec<Rc<LevelInfo>> = top.into_iter().map(|node| self.level(node, 1)).collect();
        let mut info = LevelInfo { correct: correct && top.iter().all(|l| l.correct), ..LevelInfo::default() };
        let constant = self.is_constant(module);
        for sym in names.order.iter().copied().filter(|s| self.graph.symbol(*s).kind == SymbolKind::Constant) {
            info.params.insert(sym);
            info.all.insert(sym);
            if !constant {
                info.limit(sym, CONSTANT);
            }
        }
        for (sym, levels) in operators {
            info.add_limits(&levels.info);
            info.add_demands(&levels.info);
            let params = &self.graph.symbol(sym).params;
            let free = levels.info.arg_params.iter().filter(|(op, _, p)| !params.contains(op) && !params.contains(p));
            info.arg_params.extend(free);
        }
        for levels in top {
            info.add_limits(&levels);
            info.add_demands(&levels);
            info.arg_params.extend(&levels.arg_params);
        }
        let info = Rc::new(info);
        self.graph.module_levels.insert(module, info.clone());
        info
    }

    /// No variables, and nothing above constant level (`Specifying Systems`, section 17.2).
    pub(crate) fn is_constant(&mut self, module: Mod) -> bool {
        let names = self.graph.module(module).names.clone();
        if names.order.iter().any(|s| self.graph.symbol(*s).kind == SymbolKind::Variable) {
            return false;
        }
        self.module_level(module);
        for sym in names.order.iter().copied() {
            let symbol = self.graph.symbol(sym);
            let body = symbol.body.filter(|_| symbol.kind == SymbolKind::Operator);
            if body.is_some_and(|b| self.level(b, 1).level != CONSTANT) {
                return false;
            }
        }
        let theorems = self.graph.module(module).theorems.clone();
        theorems.into_iter().all(|theorem| self.level(theorem, 1).level == CONSTANT)
    }

    /// Definitions that stand between a RECURSIVE and the last definition it announces are checked together, twice.
    fn recursive_sections(&mut self, module: Mod) {
        let all = self.graph.module(module).recursive.clone();
        let section = |a: &Analyser, s: Sym| a.graph.symbol(s).recursion.section;
        let mut rest = all.as_slice();
        while let Some(first) = rest.first().map(|s| section(self, *s)) {
            let count = rest.iter().take_while(|s| section(self, **s) == first).count();
            let (group, later) = rest.split_at(count);
            self.recursive_section(group);
            rest = later;
        }
    }

    fn recursive_section(&mut self, group: &[Sym]) {
        for sym in group.iter().copied() {
            let mut levels = self.fresh_levels(sym);
            let declared = self.graph.symbol(sym).recursion.declared;
            if declared {
                levels.max.fill(ACTION);
                levels.weight.fill(1);
            }
            self.graph.definitions.insert(sym, (u8::from(declared), Rc::new(levels)));
        }
        let mut shared = LevelInfo::default();
        for sym in group.iter().copied() {
            let declared = self.graph.symbol(sym).recursion.declared;
            if let Some((done, _)) = self.graph.definitions.get_mut(&sym).filter(|_| declared) {
                *done = 0;
            }
            let levels = self.definition_levels(sym, 1);
            if declared {
                let (name, spot) = (self.graph.symbol(sym).name.clone(), self.graph.symbol(sym).spot);
                for (i, _) in levels.max.iter().enumerate().filter(|(_, max)| **max < ACTION) {
                    self.error(4290, spot, format!("Argument {} of recursive operator {name} is primed", i + 1));
                }
                shared.level = shared.level.max(levels.info.level);
                shared.params.extend(&levels.info.params);
                shared.all.extend(&levels.info.all);
            }
        }
        for sym in group.iter().copied() {
            let declared = self.graph.symbol(sym).recursion.declared;
            if let Some((done, levels)) = self.graph.definitions.get_mut(&sym) {
                let levels = Rc::make_mut(levels);
                levels.info.level = levels.info.level.max(shared.level);
                levels.info.params.extend(&shared.params);
                levels.info.all.extend(&shared.all);
                if declared {
                    *done = 2;
                }
            }
        }
        for sym in group.iter().copied() {
            let declared = self.graph.symbol(sym).recursion.declared;
            if let Some((done, _)) = self.graph.definitions.get_mut(&sym).filter(|_| declared) {
                *done = 1;
            }
            self.definition_levels(sym, 2);
        }
    }
}
