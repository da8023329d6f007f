//! Expressions, with what SANY finds wrong in them before levels (4260 to 4262, 4275).

use hashbrown::HashSet;
use primed_syntax::ast::{
    self, Bound, BoundPattern, Expr, ExprKind as Ast, Junction, Quantifier, Selector, Subscripted,
};
use primed_syntax::span::Span;

use super::graph::{Kind, Node, Spot, Sym, SymbolKind};
use super::help::unresolved_sign;
use super::selector::Part;
use super::table::Analyser;

/// The names that bounds bind, which of them are tuples, and the ranges.
type Bounds = (Vec<Vec<Sym>>, Vec<bool>, Vec<Node>);

/// Stack that must be left before a deeper expression is read, and what is added then.
const RED_ZONE: usize = 256 << 10;
const MORE_STACK: usize = 4 << 20;

/// Runs with enough stack for one more level.
pub(crate) fn deeper<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, MORE_STACK, run)
}

impl Analyser {
    pub(crate) fn expression(&mut self, expr: &Expr) -> Node {
        if self.aborted {
            return self.missing;
        }
        deeper(|| self.any_expression(expr))
    }

    fn expressions(&mut self, items: &[Expr]) -> Vec<Node> {
        items.iter().map(|e| self.expression(e)).collect()
    }

    fn any_expression(&mut self, expr: &Expr) -> Node {
        let spot = self.spot(expr.span);
        match &*expr.kind {
            Ast::Number { .. } | Ast::Decimal(_) | Ast::String(_) => self.node(Kind::Literal, spot),
            Ast::Paren(inner) => self.expression(inner),
            Ast::Name(name) => self.name(name, expr, spot),
            Ast::Apply { op, args } => self.application(op, args, spot),
            Ast::Qualified(parts) => self.qualified(parts, spot),
            Ast::Lambda { .. } => {
                self.error(4275, spot, "LAMBDA expression used where an expression is required.");
                self.missing
            }
            Ast::Bracketed(_) => {
                let bracket = Span::new(expr.span.start, expr.span.start + 1);
                self.error(4003, self.spot(bracket), "Unsupported expression type `['.");
                self.advise(Some("an action in brackets has a subscript: `[][Next]_vars`".into()));
                self.missing
            }
            Ast::Label { name, params, body } => self.label(name, params, body, spot),
            Ast::Let { units, body } => self.let_in(units, body, spot),
            Ast::Junction(..) | Ast::If(..) | Ast::Case { .. } => self.control(expr, spot),
            Ast::Quantified { .. } | Ast::Choose { .. } | Ast::SetFilter { .. } | Ast::SetMap { .. } => {
                self.binder(expr, spot)
            }
            _ => self.constructor(expr, spot),
        }
    }

    /// `@`, a name without arguments, or an operator's sign that stands for itself.
    fn name(&mut self, name: &ast::Ident, expr: &Expr, spot: Spot) -> Node {
        if &*name.name == "@" {
            return match self.state.excepts.last().copied() {
                Some((except, before)) => self.node(Kind::At { except, before }, spot),
                None => {
                    self.error(4261, spot, "@ used where its meaning is not defined.");
                    self.missing
                }
            };
        }
        let parts = [Part::Name(name, &[])];
        let node = self.select_expression(&parts, expr_spot(self, expr));
        self.recursive_use(node);
        node
    }

    /// A use of a function inside its own definition.
    fn recursive_use(&mut self, node: Node) {
        let name = self.graph.operator_name(node);
        let function = self.state.functions.iter().rev().find(|(n, _)| **n == *name).map(|(_, node)| *node);
        if let Some(function) = function {
            let op = self.builtin_symbol("$RecursiveFcnSpec");
            if let Kind::Apply { op: old, .. } = &mut self.graph.nodes[function.0 as usize].0 {
                *old = op;
            }
        }
    }

    fn qualified(&mut self, parts: &[Selector], spot: Spot) -> Node {
        let parts: Vec<Part<'_>> = parts.iter().map(Part::from).collect();
        let node = self.select_expression(&parts, spot);
        self.recursive_use(node);
        node
    }

    fn application(&mut self, op: &ast::Ident, args: &[Expr], spot: Spot) -> Node {
        let infix = args.first().is_some_and(|first| first.span.start < op.span.start);
        if &*op.name == "\\times" && infix {
            let args = self.expressions(args);
            return self.builtin("$CartesianProd", args, spot);
        }
        let negation = &*op.name == "-." && self.written(op.span) == "-.";
        if is_syntax(op, args) && !negation {
            return self.sign_application(op, args, spot);
        }
        let parts = [Part::Name(op, args)];
        self.select_expression(&parts, spot)
    }

    /// A piece of the text.
    pub(crate) fn written(&self, span: Span) -> &str {
        self.sources.get(self.file as usize).map_or("", |file| file.slice(span))
    }

    /// An infix, prefix or postfix operator between its operands.
    fn sign_application(&mut self, op: &ast::Ident, args: &[Expr], spot: Spot) -> Node {
        let name = &op.name;
        let known = self.resolve(name);
        let Some(sym) = known.or_else(|| self.stub(name, args.len(), self.spot(op.span))) else {
            let fix = match args {
                [_, _] => "infix operator",
                [one] if one.span.start < op.span.start => "postfix operator",
                _ => "prefix operator",
            };
            let place = self.spot(op.span);
            self.error(4004, place, format!("Could not find declaration or definition of symbol '{name}'."));
            self.advise(unresolved_sign(name));
            self.error(4004, spot, format!("Couldn't resolve {fix} symbol `{name}'."));
            return self.missing;
        };
        let args = self.expressions(args);
        let arity = self.graph.symbol(sym).arity;
        if arity >= 0 && arity as usize != args.len() {
            self.error(4004, spot, "Operator used with the wrong number of arguments.");
            return self.missing;
        }
        self.apply(sym, args, spot)
    }

    fn control(&mut self, expr: &Expr, spot: Spot) -> Node {
        match &*expr.kind {
            Ast::Junction(kind, items) => {
                let args = self.expressions(items);
                let name = if *kind == Junction::And { "$ConjList" } else { "$DisjList" };
                self.builtin(name, args, spot)
            }
            Ast::If(condition, yes, no) => {
                let args = [condition, yes, no].map(|e| self.expression(e)).to_vec();
                self.builtin("$IfThenElse", args, spot)
            }
            Ast::Case { arms, other } => {
                let mut pairs = Vec::new();
                for (guard, value) in arms {
                    let pair = vec![self.expression(guard), self.expression(value)];
                    pairs.push(self.builtin("$Pair", pair, self.spot(guard.span.to(value.span))));
                }
                if let Some(value) = other {
                    let pair = vec![self.missing, self.expression(value)];
                    pairs.push(self.builtin("$Pair", pair, self.spot(value.span)));
                }
                self.builtin("$Case", pairs, spot)
            }
            _ => self.missing,
        }
    }

    // Bound names.

    /// All ranges first, outside of the scope of the names that they bind.
    pub(crate) fn bounds(&mut self, bounds: &[Bound]) -> Bounds {
        let ranges = bounds.iter().filter_map(|b| b.set.as_ref()).map(|s| self.expression(s)).collect();
        let (mut groups, mut tuples) = (Vec::new(), Vec::new());
        for bound in bounds {
            let (names, tuple) = match &bound.pattern {
                BoundPattern::Names(names) => (names, false),
                BoundPattern::Tuple(names) => (names, true),
            };
            groups.push(names.iter().map(|n| self.parameter(n, 0)).collect());
            tuples.push(tuple);
        }
        (groups, tuples, ranges)
    }

    /// A body under names bound around it.
    fn bound_body(&mut self, op: &str, bounds: &[Bound], body: &Expr, spot: Spot) -> Node {
        self.open_context();
        let (groups, tuples, ranges) = self.bounds(bounds);
        self.push_bound(groups.concat());
        let body = self.expression(body);
        self.pop_bound();
        self.close_context();
        let op = self.builtin_symbol(op);
        let bounded = !ranges.is_empty();
        let (free, groups, tuples) =
            if bounded { (Vec::new(), groups, tuples) } else { (groups.concat(), Vec::new(), Vec::new()) };
        self.node(Kind::Apply { op, args: vec![body], free, groups, tuples, ranges }, spot)
    }

    /// `CHOOSE x : P`; SANY's place of the name is the word CHOOSE.
    fn unbounded_choose(&mut self, bound: &Bound, body: &Expr, spot: Spot) -> Node {
        let word = Span::new(spot.span.start, spot.span.start + 6);
        let names = match &bound.pattern {
            BoundPattern::Names(names) | BoundPattern::Tuple(names) => names,
        };
        let moved = names.iter().map(|n| ast::Ident { name: n.name.clone(), span: word }).collect();
        let moved = Bound { pattern: BoundPattern::Names(moved), set: None };
        self.bound_body("$UnboundedChoose", &[moved], body, spot)
    }

    fn binder(&mut self, expr: &Expr, spot: Spot) -> Node {
        match &*expr.kind {
            Ast::Quantified { quantifier, bounds, body } => {
                let bounded = bounds.iter().any(|b| b.set.is_some());
                let op = match (quantifier, bounded) {
                    (Quantifier::Forall, true) => "$BoundedForall",
                    (Quantifier::Forall, false) => "$UnboundedForall",
                    (Quantifier::Exists, true) => "$BoundedExists",
                    (Quantifier::Exists, false) => "$UnboundedExists",
                    (Quantifier::TemporalForall, _) => "$TemporalForall",
                    (Quantifier::TemporalExists, _) => "$TemporalExists",
                };
                self.bound_body(op, bounds, body, spot)
            }
            Ast::Choose { bound, body } if bound.set.is_none() && matches!(bound.pattern, BoundPattern::Names(_)) => {
                self.unbounded_choose(bound, body, spot)
            }
            Ast::Choose { bound, body } => {
                let op = if bound.set.is_some() { "$BoundedChoose" } else { "$UnboundedChoose" };
                self.bound_body(op, std::slice::from_ref(bound), body, spot)
            }
            Ast::SetFilter { bound, body } => self.bound_body("$SubsetOf", std::slice::from_ref(bound), body, spot),
            Ast::SetMap { body, bounds } => self.bound_body("$SetOfAll", bounds, body, spot),
            _ => self.missing,
        }
    }

    // Constructors.

    fn constructor(&mut self, expr: &Expr, spot: Spot) -> Node {
        match &*expr.kind {
            Ast::SetEnum(items) => {
                let member = items.first().and_then(Expr::leading_member);
                if let Some((left, _)) = member.filter(|(left, _)| matches!(&*left.kind, Ast::Tuple(_))) {
                    let place = self.spot(left.span);
                    self.error(4003, place, "Unexpected token found.");
                    self.error(4005, place, "Need name or step number here, not `N_IdentifierTuple'.");
                    self.stray_tuple = Some(place);
                }
                let args = self.expressions(items);
                self.builtin("$SetEnumerate", args, spot)
            }
            Ast::Tuple(_) if self.stray_tuple.take_if(|stray| *stray == spot).is_some() => self.missing,
            Ast::Tuple(items) => {
                let args = self.expressions(items);
                self.builtin("$Tuple", args, spot)
            }
            Ast::Function { bounds, body } => self.bound_body("$FcnConstructor", bounds, body, spot),
            Ast::FunctionSet(domain, range) => {
                let args = vec![self.expression(domain), self.expression(range)];
                self.builtin("$SetOfFcns", args, spot)
            }
            Ast::Record(fields) => self.fields("$RcdConstructor", fields, spot),
            Ast::RecordSet(fields) => self.fields("$SetOfRcds", fields, spot),
            Ast::Except { function, updates } => self.except(function, updates, spot),
            Ast::FunctionApply { function, args } => self.function_application(function, args, spot),
            Ast::Field { record, field } => {
                let record = self.expression(record);
                let field = self.node(Kind::Literal, self.spot(field.span));
                self.builtin("$RcdSelect", vec![record, field], spot)
            }
            Ast::Subscripted { kind, action, subscript } => {
                let (action, subscript) = match kind {
                    Subscripted::Square | Subscripted::Angle => (action, subscript),
                    _ => (subscript, action),
                };
                let op = match kind {
                    Subscripted::Square => "$SquareAct",
                    Subscripted::Angle => "$AngleAct",
                    Subscripted::WeakFairness => "$WF",
                    Subscripted::StrongFairness => "$SF",
                };
                let args = vec![self.expression(action), self.expression(subscript)];
                self.builtin(op, args, spot)
            }
            _ => self.missing,
        }
    }

    fn fields(&mut self, op: &str, fields: &[(ast::Ident, Expr)], spot: Spot) -> Node {
        let mut pairs = Vec::with_capacity(fields.len());
        let mut seen: HashSet<&str> = HashSet::with_capacity(fields.len());
        for (name, value) in fields {
            let place = self.spot(name.span);
            if !seen.insert(&name.name) {
                self.error(4262, place, "Non-unique fields in constructor.");
            }
            let field = self.node(Kind::Literal, place);
            let value_node = self.expression(value);
            pairs.push(self.builtin("$Pair", vec![field, value_node], self.spot(name.span.to(value.span))));
        }
        let record = self.builtin(op, pairs, spot);
        if let Some(module) = self.graph.modules.get_mut(self.module.0 as usize) {
            module.records.push(record);
        }
        record
    }

    fn except(&mut self, function: &Expr, updates: &[ast::ExceptUpdate], spot: Spot) -> Node {
        let function = self.expression(function);
        let except = self.builtin("$Except", vec![function], spot);
        for update in updates {
            let place = self.spot(update.span);
            let mut path = Vec::with_capacity(update.path.len());
            for step in &update.path {
                path.push(match step {
                    ast::ExceptStep::Field(name) => self.node(Kind::Literal, self.spot(name.span)),
                    ast::ExceptStep::Index(args) => self.index(args, place),
                });
            }
            let path = self.builtin("$Seq", path, place);
            let component = self.builtin("$Pair", vec![path], place);
            // The function and the updates before this one: what `@` depends on.
            let before = self.arguments(except);
            self.state.excepts.push((except, before));
            let value = self.expression(&update.value);
            self.state.excepts.pop();
            self.add_argument(component, value);
            self.add_argument(except, component);
        }
        except
    }

    fn arguments(&self, node: Node) -> usize {
        match self.graph.kind(node) {
            Kind::Apply { args, .. } => args.len(),
            _ => 0,
        }
    }

    fn add_argument(&mut self, node: Node, argument: Node) {
        if let Kind::Apply { args, .. } = &mut self.graph.nodes[node.0 as usize].0 {
            args.push(argument);
        }
    }

    /// The one argument of a function, or the tuple of several.
    fn index(&mut self, args: &[Expr], spot: Spot) -> Node {
        match args {
            [one] => self.expression(one),
            many => {
                let items = self.expressions(many);
                self.builtin("$Tuple", items, spot)
            }
        }
    }

    fn function_application(&mut self, function: &Expr, args: &[Expr], spot: Spot) -> Node {
        let function = self.expression(function);
        self.recursive_use(function);
        if let Some((name, wanted)) = self.defined_function(function)
            && args.len() >= 2
            && wanted != args.len()
        {
            let given = args.len();
            let text =
                format!("Function '{name}' is defined with {wanted} parameters, but is applied to {given} arguments.");
            self.error(4260, spot, text);
            return self.missing;
        }
        let argument = self.index(args, spot);
        self.builtin("$FcnApply", vec![function, argument], spot)
    }

    /// Name and number of parameters, if a node names a defined function.
    fn defined_function(&self, node: Node) -> Option<(String, usize)> {
        let Kind::Apply { op, .. } = self.graph.kind(node) else { return None };
        let symbol = self.graph.symbol(*op);
        let body = symbol.body.filter(|_| symbol.kind == SymbolKind::Operator)?;
        if !matches!(self.graph.operator_name(body), "$NonRecursiveFcnSpec" | "$RecursiveFcnSpec") {
            return None;
        }
        let Kind::Apply { groups, tuples, .. } = self.graph.kind(body) else { return None };
        let count = groups.iter().zip(tuples).map(|(group, tuple)| if *tuple { 1 } else { group.len() }).sum();
        Some((symbol.name.to_string(), count))
    }
}

fn expr_spot(analyser: &Analyser, expr: &Expr) -> Spot {
    analyser.spot(expr.span)
}

/// The name is an operator's sign rather than a word.
pub(crate) fn is_sign(name: &str) -> bool {
    primed_syntax::operator(name).is_some()
}

/// The operator stands between, before or behind its operands, not before an argument list.
fn is_syntax(op: &ast::Ident, args: &[Expr]) -> bool {
    let Some(info) = primed_syntax::operator(&op.name) else { return false };
    let operand_first = args.first().is_some_and(|a| a.span.start < op.span.start);
    operand_first || (args.len() == 1 && info.fixity == primed_syntax::Fixity::Prefix)
}
