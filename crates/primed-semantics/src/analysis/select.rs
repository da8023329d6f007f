//! Names with `!`: instances, subexpressions, labels and LET definitions (4200, 4203, 4204, 4337, and 4005 for what
//! cannot be selected). The walk has three modes, as the naming of subexpressions has (*TLA+ Version 2*, section 6).

use std::rc::Rc;

use primed_syntax::ast::Expr;
use primed_syntax::span::Span;

use super::graph::{Kind, Names, Node, Spot, Sym, SymbolKind};
use super::selector::{Part, arguments, number, shown};
use super::table::Analyser;

/// Something was complained about.
pub(crate) struct Refused;

/// What a selection led to.
#[derive(Clone, Copy)]
pub(crate) enum Found {
    Node(Node),
    Symbol(Sym),
}

/// What is wanted where the selection stands.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// An operator of this many arguments; 0 for an expression, negative for a definition after DEF.
    pub(crate) arity: i32,
    /// It is a fact of BY, USE or HIDE.
    pub(crate) fact: bool,
}

impl Wanted {
    pub(crate) const EXPRESSION: Wanted = Wanted { arity: 0, fact: false };
    pub(crate) const FACT: Wanted = Wanted { arity: 0, fact: true };
    pub(crate) const DEFINITION: Wanted = Wanted { arity: -1, fact: false };

    pub(crate) fn operator(arity: i32) -> Wanted {
        Wanted { arity, fact: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Name,
    Label,
    Part,
}

/// A walk along selectors.
pub(crate) struct Walk<'a> {
    pub(crate) parts: &'a [Part<'a>],
    pub(crate) spot: Spot,
    pub(crate) wanted: Wanted,
    index: usize,
    mode: Mode,
    before: Option<Mode>,
    /// The name so far, `I!J`.
    name: Option<String>,
    current: Found,
    names: Option<Rc<Names>>,
    /// Parameters of what was gone through, and what was given for them.
    pub(crate) params: Vec<Sym>,
    pub(crate) given: Vec<Node>,
    /// Instances gone through.
    pub(crate) prefix: Vec<Node>,
    /// Parameters of the name so far that have arguments, and those arguments.
    arity_found: usize,
    pub(crate) args: Vec<Node>,
    in_suffices: bool,
    /// What stands in for a name that means nothing.
    stub: Option<Found>,
}

impl<'a> Walk<'a> {
    fn part(&self) -> Option<Part<'a>> {
        self.parts.get(self.index).copied()
    }

    fn is_last(&self) -> bool {
        self.index + 1 >= self.parts.len()
    }

    fn next_is_name(&self) -> bool {
        matches!(self.parts.get(self.index + 1), Some(Part::Name(..)))
    }

    /// The walk ended right after a name.
    pub(crate) fn ended_at_name(&self) -> bool {
        self.before == Some(Mode::Name)
    }
}

impl Analyser {
    pub(crate) fn part_spot(&self, part: Part<'_>) -> Spot {
        self.spot(match part {
            Part::Name(name, _) => name.span,
            Part::Child(_, span)
            | Part::Left(span)
            | Part::Right(span)
            | Part::Whole(span)
            | Part::At(span)
            | Part::Args(_, span) => span,
        })
    }

    /// A selection where an expression is required.
    pub(crate) fn select_expression(&mut self, parts: &[Part<'_>], spot: Spot) -> Node {
        self.select_node(parts, Wanted::EXPRESSION, spot)
    }

    pub(crate) fn select_node(&mut self, parts: &[Part<'_>], wanted: Wanted, spot: Spot) -> Node {
        match self.select(parts, wanted, spot) {
            Ok(Found::Node(node)) => node,
            Ok(Found::Symbol(_)) => self.node(Kind::Name, spot),
            Err(Refused) => self.missing,
        }
    }

    /// Follows selectors to what they name.
    pub(crate) fn select(&mut self, parts: &[Part<'_>], wanted: Wanted, spot: Spot) -> Result<Found, Refused> {
        let mut walk = Walk {
            parts,
            spot,
            wanted,
            index: 0,
            mode: Mode::Name,
            before: None,
            name: None,
            current: Found::Node(self.missing),
            names: None,
            params: Vec::new(),
            given: Vec::new(),
            prefix: Vec::new(),
            arity_found: 0,
            args: Vec::new(),
            in_suffices: false,
            stub: None,
        };
        while let Some(part) = walk.part() {
            let plain = matches!(part, Part::Name(..) | Part::Args(..));
            if (!plain || wanted.arity != 0) && !arguments(part).is_empty() {
                let text = format!("Selector `{}' should not have argument(s).", shown(part));
                return self.refuse(4005, self.part_spot(part), text);
            }
            match walk.mode {
                Mode::Name => self.walk_name(&mut walk)?,
                Mode::Label => self.walk_label(&mut walk)?,
                Mode::Part => self.walk_part(&mut walk)?,
            }
            if let Some(found) = walk.stub {
                return Ok(found);
            }
            walk.index += 1;
        }
        let current = walk.current;
        self.selected(walk, current)
    }

    pub(crate) fn refuse<T>(&mut self, code: u32, spot: Spot, text: impl Into<String>) -> Result<T, Refused> {
        self.error(code, spot, text);
        Err(Refused)
    }

    /// One name, or as many as it takes until they mean something.
    fn walk_name(&mut self, walk: &mut Walk<'_>) -> Result<(), Refused> {
        let mut waiting: Vec<&Expr> = Vec::new();
        let sym = loop {
            let Some(part) = walk.part() else {
                let Some(last) = walk.parts.last().copied() else { return Err(Refused) };
                walk.stub = self.stub_of_walk(walk, &waiting);
                if walk.stub.is_some() {
                    return Ok(());
                }
                let text = format!("Unknown operator: `{}'.", shown(last));
                let (spot, name) = (self.part_spot(last), walk.name.clone().unwrap_or_default());
                self.error(4200, spot, text);
                self.unknown_name(&name);
                return Err(Refused);
            };
            let Part::Name(name, args) = part else {
                if walk.index == 0 {
                    let text = format!("Need name or step number here, not `{}'.", shown(part));
                    return self.refuse(4005, self.part_spot(part), text);
                }
                walk.stub = if walk.name.is_none() { self.stub_of_walk(walk, &waiting) } else { None };
                if walk.stub.is_some() {
                    return Ok(());
                }
                if walk.name.is_none() {
                    // Two such parts after a name that means nothing: SANY stops with an internal error.
                    let text = "Internal error: should have name here.";
                    return self.refuse(4003, self.part_spot(part), text);
                }
                walk.name = None;
                waiting.extend(arguments(part));
                walk.index += 1;
                continue;
            };
            let full = walk.name.get_or_insert_default();
            if !full.is_empty() {
                full.push('!');
            }
            full.push_str(&self.step_name(&name.name));
            // No name is so long: looking for longer and longer ones would take quadratic time.
            let known = match &walk.names {
                _ if full.len() > self.longest_name => None,
                Some(names) => names.symbols.get(full.as_str()).copied(),
                None => self.resolve(full),
            };
            if let Some(sym) = known {
                break sym;
            }
            waiting.extend(args);
            walk.index += 1;
        };
        walk.current = Found::Symbol(sym);
        self.arrive(walk, sym, waiting)
    }

    /// A name was understood: its arguments, and where to go on.
    fn arrive<'a>(&mut self, walk: &mut Walk<'a>, sym: Sym, mut waiting: Vec<&'a Expr>) -> Result<(), Refused> {
        let Some(part) = walk.part() else { return Err(Refused) };
        let place = self.part_spot(part);
        let (kind, arity) = (self.graph.symbol(sym).kind, self.graph.symbol(sym).arity);
        let shown_name = walk.name.clone().unwrap_or_default();
        let defined = matches!(kind, SymbolKind::Operator | SymbolKind::Fact | SymbolKind::Instance);
        if !defined && walk.parts.len() != 1 {
            return self.refuse(4005, place, format!("Cannot take subexpression of `{shown_name}'."));
        }
        if walk.wanted.arity == 0 {
            waiting.extend(arguments(part));
            let left = arity - walk.arity_found as i32;
            if arity >= 0 && waiting.len() as i32 != left {
                let given = arguments(part);
                let spot = if given.is_empty() { walk.spot } else { self.arguments_spot(walk, part) };
                self.error(4204, spot, format!("The operator {shown_name} requires {left} arguments."));
                self.wrong_arity(sym, waiting.len());
                return Err(Refused);
            }
            for (i, arg) in waiting.iter().enumerate() {
                let arg = self.argument(sym, place, walk.arity_found + i, arg);
                walk.args.push(arg);
            }
        }
        walk.arity_found = arity.max(0) as usize;
        walk.before = Some(Mode::Name);
        match kind {
            SymbolKind::Instance if walk.is_last() && walk.wanted.arity >= 0 && !walk.wanted.fact => {
                self.refuse(4203, place, format!("Operator name {shown_name} is incomplete."))
            }
            SymbolKind::Operator | SymbolKind::Fact if !walk.is_last() => self.enter_definition(walk, sym, place),
            _ => Ok(()),
        }
    }

    fn arguments_spot(&self, walk: &Walk<'_>, part: Part<'_>) -> Spot {
        let name_end = self.part_spot(part).span.end;
        let between = self.written(Span::new(name_end, walk.spot.span.end.max(name_end)));
        let start = name_end + (between.len() - between.trim_start().len()) as u32;
        let end = match arguments(part).last() {
            Some(arg) if !walk.is_last() => arg.span.end + 1,
            _ => walk.spot.span.end,
        };
        self.spot(Span::new(start, end.max(start)))
    }

    /// Into the right-hand side of a definition.
    fn enter_definition(&mut self, walk: &mut Walk<'_>, sym: Sym, place: Spot) -> Result<(), Refused> {
        let symbol = self.graph.symbol(sym);
        if symbol.kind == SymbolKind::Operator && !symbol.recursion.defined && walk.parts.len() != 1 {
            let text = format!(
                "Subexpression of  `{}' used inside the operator's definition.",
                walk.name.as_deref().unwrap_or_default()
            );
            return self.refuse(4005, place, text);
        }
        walk.params.extend(&symbol.params);
        let mut body = symbol.body;
        walk.name = None;
        walk.mode = if walk.next_is_name() { Mode::Label } else { Mode::Part };
        walk.given.append(&mut walk.args);
        walk.arity_found = 0;
        while let Some(node) = body {
            let Kind::Subst { body: inner, .. } = self.graph.kind(node) else { break };
            walk.prefix.push(node);
            body = Some(*inner);
        }
        if walk.mode == Mode::Part {
            walk.current = Found::Node(body.unwrap_or(self.missing));
        }
        Ok(())
    }

    fn walk_label(&mut self, walk: &mut Walk<'_>) -> Result<(), Refused> {
        let Some(part) = walk.part() else { return Err(Refused) };
        let Part::Name(name, args) = part else { return Err(Refused) };
        let place = self.part_spot(part);
        let labels = match walk.current {
            Found::Symbol(sym) => self.graph.symbol(sym).labels.clone(),
            Found::Node(node) => match self.graph.kind(node) {
                Kind::Label { labels, .. } => labels.clone(),
                _ => return self.refuse(4003, walk.spot, "Unexpected node kind in FollowingLabels mode."),
            },
        };
        let Some(label) = labels.get(&name.name).copied() else {
            return self.refuse(4004, place, format!("Cannot find label `{}'.", name.name));
        };
        let Kind::Label { params, body, goal, clause, .. } = self.graph.kind(label) else { return Err(Refused) };
        let (params, body, goal, clause) = (params.clone(), *body, *goal, *clause);
        walk.current = Found::Node(label);
        if self.out_of_scope(goal, clause) {
            let text = format!(
                "Accessing subexpression labeled `{}' of ASSUME/PROVE clause within the scope of a declaration\n from outside that declaration's scope.",
                name.name
            );
            return self.refuse(4005, place, text);
        }
        if walk.wanted.arity == 0 {
            if params.len() != args.len() {
                return self.refuse(4337, place, format!("Label `{}' used with wrong number of arguments.", name.name));
            }
            self.give(walk, args);
        }
        walk.params.extend(params);
        if !walk.is_last() && !walk.next_is_name() {
            walk.mode = Mode::Part;
            walk.current = Found::Node(body);
        }
        walk.before = Some(Mode::Label);
        Ok(())
    }

    /// A label in an ASSUME after a NEW may be used only where the declaration is in scope.
    fn out_of_scope(&self, goal: Option<Sym>, clause: usize) -> bool {
        let Some(goal) = goal.map(|g| self.graph.symbol(g)) else { return false };
        let Some(Kind::AssumeProve { in_scope, in_proof, .. }) = goal.body.map(|b| self.graph.kind(b)) else {
            return false;
        };
        in_scope.get(clause).copied().unwrap_or(false) && goal.suffices == *in_proof
    }

    fn walk_part(&mut self, walk: &mut Walk<'_>) -> Result<(), Refused> {
        let Some(part) = walk.part() else { return Err(Refused) };
        let place = self.part_spot(part);
        if let Part::Whole(_) = part {
            let after_name = walk.is_last() && walk.before == Some(Mode::Name);
            if walk.before == Some(Mode::Part) || !(after_name || walk.next_is_name()) {
                let text = "`!:' can be used only after a name and either at the end after an\noperator name or before an operator name.";
                return self.refuse(4005, place, text);
            }
        } else {
            let Found::Node(node) = walk.current else { return Err(Refused) };
            let next = self.part_of(walk, node, part, place)?;
            walk.current = Found::Node(next);
        }
        let Found::Node(mut node) = walk.current else { return Err(Refused) };
        self.not_missing(node, part, place)?;
        if walk.next_is_name() {
            while let Kind::Label { body, .. } = self.graph.kind(node) {
                node = *body;
            }
            let Kind::Let { names, .. } = self.graph.kind(node) else {
                return self.refuse(4005, place, "A name selector here must be from a LET clause.");
            };
            walk.names = Some(names.clone());
            walk.mode = Mode::Name;
        } else if matches!(walk.parts.get(walk.index + 1), Some(Part::Whole(_))) {
            return self.refuse(4005, place, "!: should not follow an operand selector.");
        }
        walk.before = Some(Mode::Part);
        Ok(())
    }

    fn not_missing(&mut self, node: Node, part: Part<'_>, place: Spot) -> Result<(), Refused> {
        if matches!(self.graph.kind(node), Kind::Missing) {
            let text = format!(
                "An unexpected null node specified by {}'.\nThis is probably due to a previous error.",
                shown(part)
            );
            return self.refuse(4003, place, text);
        }
        Ok(())
    }

    /// One step into a node.
    fn part_of(&mut self, walk: &mut Walk<'_>, mut node: Node, part: Part<'_>, place: Spot) -> Result<Node, Refused> {
        while let Kind::Label { body, .. } = self.graph.kind(node) {
            node = *body;
        }
        match self.graph.kind(node).clone() {
            Kind::Let { body, .. } => match number(part, 1) {
                Some(_) => Ok(body),
                None => self.refuse(4005, place, "A LET/IN expression has only one operand."),
            },
            Kind::Apply { op, args, free, groups, ranges, .. } => {
                let bound = if ranges.is_empty() { free } else { groups.concat() };
                self.part_of_application(walk, (op, args, bound, ranges), part, place)
            }
            Kind::AssumeProve { assumes, prove, in_scope, goal, in_proof, suffices } => {
                if suffices && !walk.in_suffices {
                    if number(part, 1).is_none() {
                        return self.refuse(4005, place, "Accessing non-existent subexpression of a SUFFICES");
                    }
                    walk.in_suffices = true;
                    return Ok(node);
                }
                walk.in_suffices = false;
                let Some(i) = number(part, assumes.len() + 1) else { return self.no_operand(part, place) };
                let outside = goal.is_none_or(|g| self.graph.symbol(g).suffices == in_proof);
                if in_scope.get(i - 1).copied().unwrap_or(false) && outside {
                    let text = "Accessing ASSUME/PROVE clause within the scope of a declaration\n from outside that declaration's scope.";
                    return self.refuse(4005, place, text);
                }
                let Some(chosen) = assumes.get(i - 1).copied() else { return Ok(prove) };
                if matches!(self.graph.kind(chosen), Kind::New { .. }) && !walk.is_last() {
                    return self.refuse(4005, place, "Selected a subexpression of a NEW clause of an ASSUME.");
                }
                Ok(chosen)
            }
            Kind::OpArg(op) => self.part_of_lambda(walk, op, part, place),
            Kind::Missing => {
                let text = "Subexpression selection failed, probably due to an error in the selected expression.";
                self.refuse(4005, place, text)
            }
            _ => self.refuse(4005, place, "Selecting subexpression of expression that has none."),
        }
    }

    fn no_operand<T>(&mut self, part: Part<'_>, place: Spot) -> Result<T, Refused> {
        self.refuse(4005, place, format!("Nonexistent operand specified by `{}'.", shown(part)))
    }

    fn part_of_application(
        &mut self,
        walk: &mut Walk<'_>,
        (op, args, bound, ranges): (Sym, Vec<Node>, Vec<Sym>, Vec<Node>),
        part: Part<'_>,
        place: Spot,
    ) -> Result<Node, Refused> {
        let symbol = self.graph.symbol(op);
        let (kind, name, arity) = (symbol.kind, symbol.name.clone(), symbol.arity);
        if matches!(kind, SymbolKind::Param | SymbolKind::Constant | SymbolKind::Operator) {
            let chosen = number(part, arity.max(0) as usize).and_then(|i| args.get(i - 1).copied());
            return chosen.map_or_else(|| self.no_operand(part, place), Ok);
        }
        if kind != SymbolKind::Builtin {
            let text = format!("Choosing operand `{}' of subexpression with no operands.", shown(part));
            return self.refuse(4005, place, text);
        }
        if bound.is_empty() {
            let Some(chosen) = number(part, args.len()).and_then(|i| args.get(i - 1).copied()) else {
                return self.no_operand(part, place);
            };
            return match &*name {
                "$RcdConstructor" | "$SetOfRcds" => Ok(self.pair(chosen, 1)),
                "$Case" => self.part_of_case(walk, chosen, place),
                "$Except" if args.first() != Some(&chosen) => {
                    self.refuse(4005, place, "Selecting subexpression of an EXCEPT not yet implemented.")
                }
                _ => Ok(chosen),
            };
        }
        match part {
            Part::Args(given, _) => {
                if given.len() != bound.len() {
                    let text = format!(
                        "Selector with {} argument(s) used for quantifier with {} bound identifier(s).",
                        given.len(),
                        bound.len()
                    );
                    return self.refuse(4005, place, text);
                }
                self.give(walk, given);
            }
            Part::At(_) => {}
            _ => {
                let chosen = number(part, ranges.len()).and_then(|i| ranges.get(i - 1).copied());
                return chosen.map_or_else(|| self.no_operand(part, place), Ok);
            }
        }
        walk.params.extend(bound);
        Ok(args.first().copied().unwrap_or(self.missing))
    }

    /// What is given for bound names or parameters of a part.
    fn give(&mut self, walk: &mut Walk<'_>, args: &[Expr]) {
        for arg in args {
            let arg = self.expression(arg);
            walk.given.push(arg);
        }
    }

    fn pair(&self, node: Node, index: usize) -> Node {
        match self.graph.kind(node) {
            Kind::Apply { args, .. } => args.get(index).copied().unwrap_or(self.missing),
            _ => self.missing,
        }
    }

    /// `!i!j` of a CASE: guard or value of an arm.
    fn part_of_case(&mut self, walk: &mut Walk<'_>, arm: Node, place: Spot) -> Result<Node, Refused> {
        if walk.is_last() {
            return self.refuse(4005, place, "Subexpression of CASE must have form !i!j.");
        }
        walk.index += 1;
        let Some(part) = walk.part() else { return Err(Refused) };
        let place = self.part_spot(part);
        let Some(i) = number(part, 2) else {
            let text = "Second selector for CASE subexpression must specify  one of two operands.";
            return self.refuse(4005, place, text);
        };
        let node = self.pair(arm, i - 1);
        if node == self.missing {
            return self.refuse(4005, place, "Selecting OTHER in a CASE statement.");
        }
        Ok(node)
    }

    fn part_of_lambda(&mut self, walk: &mut Walk<'_>, op: Sym, part: Part<'_>, place: Spot) -> Result<Node, Refused> {
        let symbol = self.graph.symbol(op).clone();
        if symbol.kind != SymbolKind::Operator || &*symbol.name != "LAMBDA" {
            return self.refuse(4005, place, "Trying to select subexpression of an operator argument.");
        }
        match part {
            Part::Args(given, _) => {
                if given.len() != symbol.params.len() {
                    let text = format!(
                        "Selector with {}arguments used for LAMBDA expression taking {} arguments.",
                        given.len(),
                        symbol.params.len()
                    );
                    return self.refuse(4005, place, text);
                }
                self.give(walk, given);
            }
            Part::At(_) => {}
            _ => {
                let text = format!("Cannot use !{} to select subexpression of a LAMBDA.", shown(part));
                return self.refuse(4005, place, text);
            }
        }
        walk.params.extend(symbol.params);
        Ok(symbol.body.unwrap_or(self.missing))
    }
}
