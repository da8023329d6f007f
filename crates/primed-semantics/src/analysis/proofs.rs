//! Assumptions, theorems and proofs: what steps bring into scope for later ones (4350, 4357; *TLA+ Version 2*).

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast::{
    self, Assertion, AssumeItem, ExprKind as Ast, Fact, NewLevel, Proof, ProofStatement, StepKind,
};
use primed_syntax::span::Span;

use super::expression::deeper;
use super::graph::{Kind, Names, NewKind, Node, Spot, Sym, SymbolKind};
use super::select::Wanted;
use super::selected::general_parts;
use super::table::{Analyser, LabelSet};

/// The name of the mark that an ordinary ASSUME leaves in the table.
const IN_ASSUME: &str = "$$InAssume";

/// A proof while its steps are read.
struct Steps {
    level: u64,
    nodes: Vec<Node>,
    instances: Option<Vec<Node>>,
    /// Tables of SUFFICES ASSUME steps, open until the end of the proof.
    open: usize,
    /// The right operand of the step before, for a step that begins with `@`.
    right: Option<Node>,
}

/// How the body of a step was understood.
struct Body {
    node: Node,
    /// What an ASSUME declares, for the step's own proof or, after SUFFICES, for the rest.
    assumed: Option<Names>,
    suffices: bool,
    /// What a PICK declares for the rest.
    picked: Option<Names>,
}

impl Analyser {
    pub(crate) fn assumption(&mut self, assumption: &ast::Assumption, spot: Spot) {
        if assumption.name.is_some() {
            self.state.labels.push(LabelSet::default());
        }
        let body = self.expression(&assumption.body);
        let def = assumption.name.as_ref().map(|name| {
            let labels = self.state.labels.pop().unwrap_or_default();
            let sym = self.fact(&name.name, spot);
            self.finish_fact(sym, body, labels);
            sym
        });
        let node = self.node(Kind::Assumption { body, def }, spot);
        self.graph.module_mut(self.module).top.push(node);
    }

    fn fact(&mut self, name: &Arc<str>, spot: Spot) -> Sym {
        self.symbol(name.clone(), SymbolKind::Fact, 0, spot)
    }

    fn finish_fact(&mut self, sym: Sym, body: Node, labels: LabelSet) {
        let symbol = self.graph.symbol_mut(sym);
        (symbol.body, symbol.labels) = (Some(body), Rc::new(labels.labels));
        self.enter(sym);
    }

    pub(crate) fn theorem(&mut self, theorem: &ast::Theorem, spot: Spot) {
        let def = theorem.name.as_ref().map(|name| self.fact(&name.name, spot));
        if def.is_some() {
            self.state.labels.push(LabelSet::default());
        }
        let (body, assumed) = self.goal(&theorem.body, def);
        if let Some(def) = def {
            let labels = self.state.labels.pop().unwrap_or_default();
            self.finish_fact(def, body, labels);
        }
        let pushed = assumed.is_some();
        self.contexts.extend(assumed);
        let proof = theorem.proof.as_ref().map(|proof| self.proof(proof, None));
        if pushed {
            self.close_context();
            self.leave_proof(body);
        }
        let node = self.node(Kind::Theorem { body, def, proof }, spot);
        let module = self.graph.module_mut(self.module);
        module.top.push(node);
        module.theorems.push(node);
    }

    /// What is claimed; with ASSUME, the names that it declares.
    fn goal(&mut self, assertion: &Assertion, def: Option<Sym>) -> (Node, Option<Names>) {
        match assertion {
            Assertion::Expr(expr) => (self.expression(expr), None),
            Assertion::AssumeProve { .. } => {
                self.open_context();
                self.state.goal = def;
                let body = self.assertion(assertion);
                self.state.goal = None;
                (body, Some(self.close_context()))
            }
        }
    }

    fn leave_proof(&mut self, node: Node) {
        if let Kind::AssumeProve { in_proof, .. } = &mut self.graph.nodes[node.0 as usize].0 {
            *in_proof = false;
        }
    }

    pub(crate) fn assertion(&mut self, assertion: &Assertion) -> Node {
        match assertion {
            Assertion::Expr(expr) => self.expression(expr),
            Assertion::AssumeProve { boxed, assumptions, goal, span } => {
                let spot = self.spot(*span);
                deeper(|| self.assume_prove(*boxed, assumptions, goal, spot))
            }
        }
    }

    fn assume_prove(&mut self, boxed: bool, items: &[AssumeItem], prove: &ast::Expr, spot: Spot) -> Node {
        self.matching_words(boxed, prove, spot);
        let outermost = self.state.assumes.is_empty();
        let goal = self.state.goal.filter(|_| outermost);
        self.state.assumes.push(false);
        if !outermost {
            self.open_context();
        }
        self.mark_assume(boxed, spot);
        if outermost {
            self.state.clause = 0;
        }
        let (mut assumes, mut in_scope) = (Vec::with_capacity(items.len()), vec![false]);
        for item in items {
            let mut scope = in_scope.last().copied().unwrap_or(false);
            assumes.push(match item {
                AssumeItem::Assertion { label: Some(label), assertion } => {
                    let place = self.spot(label.span.to(assertion_span(assertion)));
                    self.labelled_assertion(label, assertion, place)
                }
                AssumeItem::Assertion { label: None, assertion } => self.assertion(assertion),
                AssumeItem::New { level, decl, set } => {
                    scope = true;
                    let node = self.new_symbol(*level, decl, set.as_ref());
                    if let Some(last) = self.state.assumes.last_mut() {
                        *last = true;
                    }
                    node
                }
            });
            in_scope.push(scope);
            if outermost {
                self.state.clause += 1;
            }
        }
        let prove = self.expression(prove);
        if !outermost {
            self.close_context();
        }
        self.state.assumes.pop();
        self.node(Kind::AssumeProve { assumes, prove, in_scope, goal, in_proof: true, suffices: false }, spot)
    }

    /// `[]ASSUME` goes with `[]PROVE`, ASSUME with PROVE.
    fn matching_words(&mut self, boxed: bool, prove: &ast::Expr, spot: Spot) {
        let before =
            self.written(Span::new(spot.span.start, prove.span.start)).trim_end_matches(['(', ' ', '\n', '\t', '\r']);
        let boxed_prove = before.ends_with("[]PROVE");
        let (text, length) = match (boxed, boxed_prove) {
            (true, false) if before.ends_with("PROVE") => ("[]ASSUME matched by PROVE instead of []PROVE", 8),
            (false, true) => ("ASSUME matched by []PROVE instead of PROVE", 6),
            _ => return,
        };
        let word = Span::new(spot.span.start, spot.span.start + length);
        self.error(4005, self.spot(word), text);
    }

    /// `[]ASSUME` may not stand within the assumptions of an ordinary one.
    fn mark_assume(&mut self, boxed: bool, spot: Spot) {
        let marked = self.resolve(IN_ASSUME).is_some();
        if boxed && marked {
            self.error(4005, spot, "[]ASSUME used within the scope of an ordinary ASSUME's assumptions");
        } else if !boxed && !marked {
            let sym = self.symbol(IN_ASSUME.into(), SymbolKind::Marker, 0, spot);
            self.put(&IN_ASSUME.into(), sym);
        }
    }

    fn new_symbol(&mut self, level: NewLevel, decl: &ast::OpDecl, set: Option<&ast::Expr>) -> Node {
        let end = set.map(|s| s.span.end);
        let set = set.map(|s| self.expression(s));
        let kind = match level {
            NewLevel::Constant => NewKind::Constant,
            NewLevel::Variable => NewKind::Variable,
            NewLevel::State => NewKind::State,
            NewLevel::Action => NewKind::Action,
            NewLevel::Temporal => NewKind::Temporal,
        };
        let declared = self.declared_span(decl);
        let spot = self.spot(declared);
        let symbol = self.symbol(decl.name.name.clone(), SymbolKind::New(kind), decl.arity as i32, spot);
        self.enter(symbol);
        let end = end.unwrap_or(declared.end);
        let place = self.spot(Span::new(self.start_of_new(declared), end));
        self.node(Kind::New { symbol, set }, place)
    }

    /// Where the words before a declared name begin.
    fn start_of_new(&self, declared: Span) -> u32 {
        let before = self.written(Span::new(0, declared.start)).trim_end();
        let word = ["CONSTANT", "VARIABLE", "STATE", "ACTION", "TEMPORAL"].into_iter().find(|w| before.ends_with(w));
        let rest = before.strip_suffix(word.unwrap_or_default()).unwrap_or(before);
        let start = match (rest.trim_end().strip_suffix("NEW"), word) {
            (Some(rest), _) => rest.len(),
            (None, Some(_)) => rest.len(),
            (None, None) => return declared.start,
        };
        start as u32
    }

    // Proofs.

    /// The name of a step in its full form: `<*>a` stands for a step of the proof that is being read.
    pub(crate) fn step_name(&self, name: &Arc<str>) -> Arc<str> {
        match name.strip_prefix("<*>") {
            Some(rest) => {
                let level = self.graph.module(self.module).proof_levels.last().copied().unwrap_or(0);
                format!("<{level}>{rest}").into()
            }
            None => name.clone(),
        }
    }

    fn proof(&mut self, proof: &Proof, outer: Option<u64>) -> Node {
        match proof {
            Proof::Obvious(span) | Proof::Omitted(span) => {
                let spot = self.spot(*span);
                self.node(Kind::Steps(Vec::new()), spot)
            }
            Proof::By(statement) => {
                let spot = self.spot(statement.span);
                self.facts(statement, spot)
            }
            Proof::Steps(steps) => deeper(|| self.steps(steps, outer)),
        }
    }

    fn steps(&mut self, steps: &[ast::Step], outer: Option<u64>) -> Node {
        let level = steps.first().map_or(0, |s| step_level(&s.name.name, outer));
        let spot = steps.first().map_or(Spot::default(), |s| self.spot(s.span));
        self.graph.module_mut(self.module).proof_levels.push(level);
        self.open_context();
        let mut all = Steps { level, nodes: Vec::new(), instances: Some(Vec::new()), open: 0, right: None };
        for step in steps {
            self.step(step, &mut all);
        }
        for _ in 0..=all.open {
            self.close_context();
        }
        self.graph.module_mut(self.module).proof_levels.pop();
        all.nodes.extend(all.instances.unwrap_or_default());
        self.node(Kind::Steps(all.nodes), spot)
    }

    fn step(&mut self, step: &ast::Step, all: &mut Steps) {
        let place = self.spot(step.name.span);
        let written = &*step.name.name;
        let named = written.rsplit('>').next().is_some_and(|rest| !rest.is_empty());
        if named && (written.starts_with("<*>") || written.starts_with("<+>")) {
            self.error(4350, place, "<*> and <+> cannot be used for a named step.");
        }
        let name: Option<Arc<str>> = named.then(|| {
            let rest = written.split_once('>').map_or("", |(_, rest)| rest);
            format!("<{}>{rest}", all.level).into()
        });
        if name.is_some() {
            self.state.labels.push(LabelSet::default());
        }
        let spot = self.spot(step.span);
        match &step.kind {
            StepKind::Define(units) => self.define_step(units, name, all, spot),
            StepKind::UseHide(statement) => {
                let node = self.use_or_hide(statement, spot);
                self.unprovable(name, node, all, spot);
            }
            StepKind::Instance { instance } => {
                let node = self.instance_unit(instance, false, false, spot);
                self.unprovable(name, node, all, spot);
            }
            kind => self.provable(kind, name, step, all, spot),
        }
    }

    fn define_step(&mut self, units: &[ast::Unit], name: Option<Arc<str>>, all: &mut Steps, spot: Spot) {
        let mut defs = Vec::new();
        for unit in units {
            match &unit.kind {
                ast::UnitKind::Definition(definition) => {
                    let mut instances = all.instances.take();
                    self.definition(definition, &mut defs, &mut instances);
                    all.instances = instances;
                }
                _ => self.abort(4003, self.spot(unit.span), "Only definitions may stand in a DEFINE step."),
            }
        }
        let node = self.node(Kind::DefStep(defs), spot);
        self.unprovable(name, node, all, spot);
    }

    /// A step that proves nothing; its name may stand only after DEF.
    fn unprovable(&mut self, name: Option<Arc<str>>, node: Node, all: &mut Steps, spot: Spot) {
        all.right = None;
        all.nodes.push(node);
        if let Some(name) = name {
            let labels = self.state.labels.pop().unwrap_or_default();
            let sym = self.symbol(name, SymbolKind::Step, 0, spot);
            let symbol = self.graph.symbol_mut(sym);
            (symbol.body, symbol.labels) = (Some(node), Rc::new(labels.labels));
            self.enter(sym);
        }
    }

    fn provable(&mut self, kind: &StepKind, name: Option<Arc<str>>, step: &ast::Step, all: &mut Steps, spot: Spot) {
        let def = name.map(|name| self.fact(&name, spot));
        let place = self.after_name(step);
        let body = self.step_body(kind, def, all, place);
        if let Some(def) = def {
            let labels = self.state.labels.pop().unwrap_or_default();
            self.finish_fact(def, body.node, labels);
            self.graph.symbol_mut(def).suffices = body.suffices;
        }
        let assumed = body.assumed;
        let declares = assumed.is_some();
        let proof = step.proof.as_ref().map(|proof| {
            let inside = declares && !body.suffices;
            if inside {
                self.contexts.extend(assumed.clone());
            }
            let node = self.proof(proof, Some(all.level));
            if inside {
                self.close_context();
            }
            node
        });
        if declares {
            if body.suffices {
                all.open += 1;
                self.contexts.extend(assumed);
            }
            self.leave_proof(body.node);
        }
        all.nodes.push(self.graph.add_node(Kind::Theorem { body: body.node, def, proof }, spot));
        for sym in body.picked.map(|names| names.order).unwrap_or_default() {
            self.enter(sym);
        }
    }

    /// A step without its number.
    fn after_name(&self, step: &ast::Step) -> Spot {
        let start = step.name.span.end;
        let rest = self.written(Span::new(start, step.span.end));
        let blank = rest.len() - rest.trim_start().len();
        self.spot(Span::new(start + blank as u32, step.span.end))
    }

    fn step_body(&mut self, kind: &StepKind, def: Option<Sym>, all: &mut Steps, spot: Spot) -> Body {
        let plain = |node| Body { node, assumed: None, suffices: false, picked: None };
        let right = all.right.take();
        match kind {
            StepKind::Assert { suffices, assertion: Assertion::Expr(expr) } => {
                if *suffices {
                    let expr = self.expression(expr);
                    let node = self.builtin("$Suffices", vec![expr], spot);
                    return Body { node, assumed: None, suffices: true, picked: None };
                }
                plain(self.chained(expr, right, all))
            }
            StepKind::Assert { suffices, assertion } => {
                let (node, assumed) = self.goal(assertion, def);
                if let Kind::AssumeProve { suffices: mark, .. } = &mut self.graph.nodes[node.0 as usize].0 {
                    *mark = *suffices;
                }
                Body { node, assumed, suffices: *suffices, picked: None }
            }
            StepKind::Have(expr) | StepKind::Case(expr) => {
                let op = if matches!(kind, StepKind::Have(_)) { "$Have" } else { "$Pfcase" };
                let expr = self.expression(expr);
                plain(self.builtin(op, vec![expr], spot))
            }
            StepKind::Take(bounds) => {
                let bound = self.bounds(bounds);
                plain(self.binding_step("$Take", bound, Vec::new(), spot))
            }
            StepKind::Pick { bounds, body } => {
                self.open_context();
                let bound = self.bounds(bounds);
                self.push_bound(bound.0.concat());
                let body = self.expression(body);
                self.pop_bound();
                let picked = Some(self.close_context());
                let node = self.binding_step("$Pick", bound, vec![body], spot);
                Body { node, assumed: None, suffices: false, picked }
            }
            StepKind::Witness(items) => {
                let args = items.iter().map(|e| self.expression(e)).collect();
                plain(self.builtin("$Witness", args, spot))
            }
            _ => plain(self.builtin("$Qed", Vec::new(), spot)),
        }
    }

    fn binding_step(
        &mut self,
        op: &str,
        (groups, tuples, ranges): (Vec<Vec<Sym>>, Vec<bool>, Vec<Node>),
        args: Vec<Node>,
        spot: Spot,
    ) -> Node {
        let op = self.builtin_symbol(op);
        let (free, groups, tuples) =
            if ranges.is_empty() { (groups.concat(), Vec::new(), Vec::new()) } else { (Vec::new(), groups, tuples) };
        self.node(Kind::Apply { op, args, free, groups, tuples, ranges }, spot)
    }

    /// An assertion; `@ = e` repeats the right operand of the step before.
    fn chained(&mut self, expr: &ast::Expr, right: Option<Node>, all: &mut Steps) -> Node {
        let spot = self.spot(expr.span);
        let infix = match &*expr.kind {
            Ast::Apply { op, args } => match args.as_slice() {
                [a, b] if a.span.start < op.span.start => Some((op, a, b)),
                _ => None,
            },
            _ => None,
        };
        let node = match (infix, right) {
            (Some((op, a, b)), Some(right)) if matches!(&*a.kind, Ast::Name(n) if &*n.name == "@") => {
                match self.resolve(&op.name) {
                    Some(sym) => {
                        let left = self.builtin("$Nop", vec![right], self.spot(a.span));
                        let b = self.expression(b);
                        self.apply(sym, vec![left, b], spot)
                    }
                    None => self.expression(expr),
                }
            }
            _ => self.expression(expr),
        };
        if let (Some(_), Kind::Apply { args, .. }) = (infix, self.graph.kind(node)) {
            all.right = args.get(1).copied();
        }
        node
    }

    // Facts.

    /// USE or HIDE.
    pub(crate) fn use_or_hide(&mut self, statement: &ProofStatement, spot: Spot) -> Node {
        let node = self.facts(statement, spot);
        if !statement.hide {
            return node;
        }
        let Kind::Steps(facts) = self.graph.kind(node).clone() else { return node };
        let written = statement.facts.iter().filter_map(|fact| match fact {
            Fact::Expr(expr) => Some(expr.span),
            Fact::Module(_) => None,
        });
        for (fact, span) in facts.into_iter().zip(written) {
            let named = match self.graph.kind(fact) {
                Kind::Apply { op, .. } => self.graph.symbol(*op).kind == SymbolKind::Fact,
                // What could not be understood counts as an expression.
                kind => !matches!(kind, Kind::Missing),
            };
            // SANY gives no place in a module for what it could not understand, and so says it once.
            let told = fact == self.missing && std::mem::replace(&mut self.missing_fact_told, true);
            if !named && !told {
                let text =
                    "The only expression allowed as a fact in a HIDE is \nthe name of a theorem, assumption, or step.";
                self.error(4357, self.spot(span), text);
            }
        }
        node
    }

    fn facts(&mut self, statement: &ProofStatement, spot: Spot) -> Node {
        let mut facts = Vec::new();
        let mut known = 0;
        for fact in &statement.facts {
            match fact {
                Fact::Module(name) => known += usize::from(self.fact_module(name)),
                Fact::Expr(expr) => {
                    let node = match &*expr.kind {
                        Ast::Name(name) if &*name.name != "@" => {
                            self.select_node(&general_parts(expr), Wanted::FACT, self.spot(expr.span))
                        }
                        Ast::Qualified(_) => self.select_node(&general_parts(expr), Wanted::FACT, self.spot(expr.span)),
                        _ => self.expression(expr),
                    };
                    facts.push(node);
                }
            }
        }
        for def in &statement.defs {
            match def {
                Fact::Module(name) => known += usize::from(self.fact_module(name)),
                Fact::Expr(expr) => known += usize::from(self.definition_fact(expr)),
            }
        }
        if facts.is_empty() && known == 0 {
            let place = self.spot(statement.span);
            let by = self.written(statement.span).starts_with("BY");
            if statement.facts.is_empty() && statement.defs.is_empty() && !statement.only {
                self.error(4003, place, "Empty BY, USE, or HIDE");
            }
            self.error(4003, place, if by { "Empty BY" } else { "Empty USE or HIDE statement." });
        }
        self.node(Kind::Steps(facts), spot)
    }

    /// Whether the module is known here.
    fn fact_module(&mut self, name: &ast::Ident) -> bool {
        let own = self.graph.module(self.module).name == name.name;
        let known = own || self.resolve_module(&name.name).is_some();
        if !known {
            let text = format!("Module `{}' used without being extended or instantiated.", name.name);
            self.error(4005, self.spot(name.span), text);
        }
        known
    }
}

fn assertion_span(assertion: &Assertion) -> primed_syntax::span::Span {
    match assertion {
        Assertion::Expr(expr) => expr.span,
        Assertion::AssumeProve { span, .. } => *span,
    }
}

/// The number of a step's level; `<*>` and `<+>` count from the proof around.
fn step_level(name: &str, outer: Option<u64>) -> u64 {
    let inner = name.trim_start_matches('<').split('>').next().unwrap_or("");
    match inner {
        "*" | "+" => outer.map_or(0, |level| level.saturating_add(1)),
        digits => digits.parse().unwrap_or(u64::MAX),
    }
}
