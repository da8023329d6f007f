//! Levels under substitutions (4244 to 4247), and of assumptions, theorems and proofs (4206, 4352 to 4354, 4356).

use std::rc::Rc;

use super::graph::{Kind, Mod, Node, Subst, Sym, SymbolKind};
use super::levels::{ACTION, CONSTANT, DefLevels, LevelInfo, STATE, TEMPORAL};
use super::sorted::SortedSet;
use super::table::Analyser;

/// A substitution with the levels of what was substituted.
struct Level {
    target: Sym,
    info: Rc<LevelInfo>,
    operator: Option<(Sym, Option<Rc<DefLevels>>)>,
}

/// The substitutions of an instance, ordered by what they stand for.
struct Levels(Vec<Level>);

impl std::ops::Deref for Levels {
    type Target = [Level];

    fn deref(&self) -> &[Level] {
        &self.0
    }
}

fn find(levels: &Levels, sym: Sym) -> Option<&Level> {
    let place = levels.binary_search_by_key(&sym, |l| l.target).ok()?;
    levels.get(place)
}

impl Analyser {
    fn subst_levels(&mut self, substs: &[Subst], round: u8) -> Levels {
        let mut levels = Vec::with_capacity(substs.len());
        for subst in substs {
            let info = self.level(subst.value, round);
            let operator = match self.graph.kind(subst.value) {
                Kind::OpArg(op) => {
                    let op = *op;
                    let symbol = self.graph.symbol(op);
                    let defined = !symbol.is_param() && symbol.kind != SymbolKind::Fact;
                    Some((op, defined.then(|| self.definition_levels(op, round))))
                }
                _ => None,
            };
            levels.push(Level { target: subst.target, info, operator });
        }
        levels.sort_by_key(|l| l.target);
        Levels(levels)
    }

    pub(crate) fn level_of_subst(
        &mut self,
        substs: &[Subst],
        body: Node,
        module: Mod,
        fact: bool,
        round: u8,
    ) -> LevelInfo {
        let inner = self.level(body, round);
        let levels = self.subst_levels(substs, round);
        let mut info =
            LevelInfo { correct: inner.correct && levels.iter().all(|l| l.info.correct), ..LevelInfo::default() };
        info.level = inner.level;
        for subst in levels.iter().filter(|l| inner.params.contains(&l.target)) {
            info.level = info.level.max(subst.info.level);
        }
        info.params = substituted(&inner.params, &levels, |l| &l.params);
        info.all = substituted(&inner.all, &levels, |l| &l.all);
        if !fact {
            info.non_leibniz = inner.non_leibniz.clone();
            for subst in levels.iter().filter(|l| inner.all.contains(&l.target)) {
                info.non_leibniz.extend(&subst.info.non_leibniz);
                if info.non_leibniz.remove(&subst.target) {
                    info.non_leibniz.extend(&subst.info.all);
                }
            }
        }
        let constant = self.is_constant(module);
        self.substituted_limits(&inner, &levels, constant, &mut info);
        self.substituted_demands(&inner, &levels, &mut info);
        info
    }

    /// What a body demands of parameters, after substitution.
    fn substituted_limits(&self, inner: &LevelInfo, levels: &Levels, constant: bool, info: &mut LevelInfo) {
        let mut limit = |param: Sym, level: u8| match find(levels, param) {
            Some(subst) => subst.info.params.iter().for_each(|p| info.limit(*p, level)),
            None => info.limit(param, level),
        };
        for (param, level) in inner.limits.iter() {
            let level = match self.graph.symbol(*param).kind {
                SymbolKind::Constant if !constant => CONSTANT,
                SymbolKind::Variable if !constant => STATE,
                _ => *level,
            };
            limit(*param, level);
        }
        for (op, index, param) in &inner.arg_params {
            if let Some((_, Some(def))) = find(levels, *op).and_then(|l| l.operator.as_ref()) {
                limit(*param, def.max(*index));
            }
        }
    }

    fn substituted_demands(&self, inner: &LevelInfo, levels: &Levels, info: &mut LevelInfo) {
        for ((op, index), level) in inner.arg_limits.iter() {
            match find(levels, *op) {
                None => info.demand(*op, *index, *level),
                Some(Level { operator: Some((op, None)), .. }) => info.demand(*op, *index, *level),
                Some(_) => {}
            }
        }
        for (op, index, param) in &inner.arg_params {
            let operator = find(levels, *op);
            let new = match operator {
                None => Some(*op),
                Some(Level { operator: Some((op, None)), .. }) => Some(*op),
                Some(_) => None,
            };
            let Some(new) = new else { continue };
            if let Some(subst) = find(levels, *param)
                && self.graph.symbol(new).is_param()
            {
                info.demand(new, *index, subst.info.level);
            }
            match (operator, find(levels, *param)) {
                (None, _) | (Some(_), None) => drop(info.arg_params.insert((new, *index, *param))),
                (Some(_), Some(subst)) => info.arg_params.extend(subst.info.params.iter().map(|p| (new, *index, *p))),
            }
        }
    }

    pub(crate) fn level_of_instance(
        &mut self,
        node: Node,
        module: Mod,
        substs: &[Subst],
        params: &[Sym],
        round: u8,
    ) -> LevelInfo {
        let inner = self.module_level(module);
        let levels = self.subst_levels(substs, round);
        let mut correct = inner.correct && levels.iter().all(|l| l.info.correct);
        let constant = self.is_constant(module);
        for subst in levels.iter() {
            correct &= self.check_substitution(node, module, subst, constant);
        }
        for subst in levels.iter() {
            correct &= self.check_limits(node, module, subst, &inner);
        }
        for (op, index, param) in &inner.arg_params {
            if let (Some(op), Some(param)) = (find(&levels, *op), find(&levels, *param)) {
                correct &= self.check_argument(node, module, op, *index, param);
            }
        }
        let mut all = LevelInfo::default();
        self.substituted_limits(&inner, &levels, constant, &mut all);
        self.substituted_demands(&inner, &levels, &mut all);
        for subst in levels.iter() {
            all.add_limits(&subst.info);
            all.add_demands(&subst.info);
            all.arg_params.extend(&subst.info.arg_params);
        }
        all.limits.retain(|p| !params.contains(p));
        all.arg_limits.retain(|(p, _)| !params.contains(p));
        all.arg_params.retain(|(op, _, p)| !params.contains(op) && !params.contains(p));
        LevelInfo { correct, ..all }
    }

    fn check_substitution(&mut self, node: Node, module: Mod, subst: &Level, constant: bool) -> bool {
        let target = self.graph.symbol(subst.target);
        let (name, highest) = (target.name.clone(), target.declared_level());
        let (spot, module) = (self.graph.spot(node), self.graph.module(module).name.clone());
        let mut correct = true;
        if !constant && subst.info.level > highest {
            if subst.info.correct {
                let text = format!(
                    "Level error in instantiating module '{module}':\nThe level of the expression or operator substituted for '{name}' \nmust be at most {highest}."
                );
                self.error(4245, spot, text);
            }
            correct = false;
        }
        if let Some((_, Some(def))) = &subst.operator
            && !def.all_leibniz()
        {
            let text =
                format!("Error in instantiating module '{module}':\n A non-Leibniz operator substituted for '{name}'.");
            self.error(4244, spot, text);
        }
        correct
    }

    fn check_limits(&mut self, node: Node, module: Mod, subst: &Level, inner: &LevelInfo) -> bool {
        let target = self.graph.symbol(subst.target);
        let (name, arity) = (target.name.clone(), target.arity.max(0) as usize);
        let (spot, module) = (self.graph.spot(node), self.graph.module(module).name.clone());
        let mut correct = true;
        let limit = inner.limits.get(&subst.target).copied();
        if let Some(limit) = limit.filter(|l| subst.info.level > *l) {
            if subst.info.correct {
                let text = format!(
                    "Level error in instantiating module '{module}':\nThe level of the expression or operator substituted for '{name}' \nmust be at most {limit}."
                );
                self.error(4245, spot, text);
            }
            correct = false;
        }
        let Some((op, Some(def))) = &subst.operator else { return correct };
        let operator = self.graph.symbol(*op).name.clone();
        for j in 0..arity {
            let Some(least) = inner.arg_limits.get(&(subst.target, j)).copied() else { continue };
            if def.max(j) < least {
                if def.info.correct {
                    // SANY prints the limit of the operator itself, if there is one.
                    let shown = limit.map_or("null".to_owned(), |l| l.to_string());
                    let text = format!(
                        "Level error in instantiating module '{module}':\nThe level of the argument {j} of the operator {operator} \nmust be at least {shown}."
                    );
                    self.error(4246, spot, text);
                }
                correct = false;
            }
        }
        correct
    }

    fn check_argument(&mut self, node: Node, module: Mod, op: &Level, index: usize, param: &Level) -> bool {
        let Some((_, Some(def))) = &op.operator else { return true };
        let highest = def.max(index);
        if param.info.level <= highest {
            return true;
        }
        if def.info.correct && param.info.correct {
            let (module, name) = (&self.graph.module(module).name, &self.graph.symbol(op.target).name);
            let text = format!(
                "Level error when instantiating module '{module}':\nThe level of the argument {index} of the operator {name}' \nmust be at most {highest}."
            );
            self.error(4247, self.graph.spot(node), text);
        }
        false
    }

    // Assumptions, theorems, proofs.

    pub(crate) fn level_of_assumption(&mut self, node: Node, body: Node, def: Option<Sym>, round: u8) -> LevelInfo {
        let inner = self.level(body, round);
        let mut info = (*inner).clone();
        if let Some(def) = def {
            info.correct &= self.definition_levels(def, round).info.correct;
        }
        if inner.level != CONSTANT {
            let text = format!(
                "Level error: assumptions must be level 0 (Constant), \nbut this one has level {}.",
                inner.level
            );
            self.error(4206, self.graph.spot(node), text);
            self.note_level(body, inner.level);
        }
        info
    }

    pub(crate) fn level_of_assume(&mut self, assumes: &[Node], prove: Node, round: u8) -> LevelInfo {
        let mut info = LevelInfo::default();
        for node in assumes {
            info.add(&self.level(*node, round));
        }
        // An error in what is to be proved is told, but does not make the whole incorrect.
        let correct = info.correct;
        info.add(&self.level(prove, round));
        (info.correct, info.non_leibniz) = (correct, Default::default());
        if info.correct {
            for param in info.params.clone() {
                if self.graph.symbol(param).kind == SymbolKind::Constant {
                    info.limit(param, ACTION);
                }
            }
        }
        info
    }

    pub(crate) fn level_of_new(&mut self, node: Node, symbol: Sym, set: Option<Node>, round: u8) -> LevelInfo {
        let level = self.graph.symbol(symbol).declared_level();
        let Some(set) = set else { return LevelInfo { level, ..LevelInfo::default() } };
        let mut info = (*self.level(set, round)).clone();
        info.level = info.level.max(level);
        info.non_leibniz.clear();
        if info.level == TEMPORAL {
            info.correct = false;
            self.error(4356, self.graph.spot(node), "Level error:\nTemporal formula used as set.");
        }
        info
    }

    pub(crate) fn level_of_theorem(
        &mut self,
        body: Node,
        def: Option<Sym>,
        proof: Option<Node>,
        round: u8,
    ) -> LevelInfo {
        let mut info = LevelInfo::default();
        match def {
            Some(def) => info.add(&self.definition_levels(def, round).info),
            None => info.add(&self.level(body, round)),
        }
        if let Some(proof) = proof {
            info.add(&self.level(proof, round));
        }
        if self.level(body, round).level != TEMPORAL {
            return info;
        }
        if let Kind::Apply { ranges, .. } = self.graph.kind(body).clone()
            && self.graph.operator_name(body) == "$Pick"
        {
            for range in ranges {
                if self.level(range, round).level != CONSTANT {
                    self.error(4354, self.graph.spot(range), "Non-constant bound of temporal PICK.");
                }
            }
        }
        if let Some(proof) = proof {
            self.temporal_proof(proof, round);
        }
        info
    }

    /// Steps that would put a fact about one state into the proof of a temporal formula.
    fn temporal_proof(&mut self, proof: Node, round: u8) {
        let Kind::Steps(steps) = self.graph.kind(proof).clone() else { return };
        for step in steps {
            let Kind::Theorem { body, proof, .. } = *self.graph.kind(step) else { continue };
            let constant = self.level(body, round).level == CONSTANT;
            let spot = self.graph.spot(body);
            match self.graph.operator_name(body) {
                "$Take" | "$Witness" | "$Have" if !constant => {
                    self.error(4352, spot, "Non-constant TAKE, WITNESS, or HAVE for temporal goal.");
                }
                "$Pfcase" | "$Qed" => {
                    if !constant && self.graph.operator_name(body) == "$Pfcase" {
                        self.error(4353, spot, "Non-constant CASE for temporal goal.");
                    }
                    if let Some(proof) = proof {
                        self.temporal_proof(proof, round);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Parameters after substitution.
fn substituted<'l>(
    params: &SortedSet<Sym>,
    levels: &'l Levels,
    of: impl Fn(&'l LevelInfo) -> &'l SortedSet<Sym>,
) -> SortedSet<Sym> {
    let mut result = SortedSet::new();
    for param in params {
        match find(levels, *param) {
            Some(subst) => result.extend(of(&subst.info)),
            None => drop(result.insert(*param)),
        }
    }
    result
}
