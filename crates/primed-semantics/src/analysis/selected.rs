//! What a selection comes to: an application, an operator argument, or a refusal (4271, 4351, 4355); and the arguments of
//! operators (4270, 4274).

use primed_syntax::ast::{Expr, ExprKind as Ast};

use super::expression::is_sign;
use super::graph::{Kind, Node, Spot, Sym, SymbolKind};
use super::select::{Found, Refused, Walk, Wanted};
use super::selector::Part;
use super::table::Analyser;

impl Analyser {
    /// The end of a walk.
    pub(crate) fn selected(&mut self, mut walk: Walk<'_>, current: Found) -> Result<Found, Refused> {
        let (wanted, spot) = (walk.wanted, walk.spot);
        if let Found::Node(node) = current {
            match self.graph.kind(node) {
                Kind::AssumeProve { .. } | Kind::New { .. } if wanted.fact => return Ok(current),
                Kind::AssumeProve { .. } => {
                    return self.refuse(4005, spot, "Selected ASSUME/PROVE instead of expression.");
                }
                Kind::New { .. } => {
                    return self.refuse(4005, spot, "Selected a NEW declaration as an expression or operator.");
                }
                _ => {}
            }
        }
        if wanted.arity < 0 {
            return self.definition_wanted(&walk, current);
        }
        if let Found::Symbol(sym) = current
            && self.graph.symbol(sym).kind == SymbolKind::Step
        {
            let text = if wanted.fact {
                "Step number of non-fact used as a fact"
            } else {
                "Step number of non-expression step used as an expression."
            };
            return self.refuse(4004, spot, text);
        }
        let arity = self.arity_of(current, &walk);
        if wanted.arity > 0 && wanted.arity != arity {
            let text = format!("Expected arity {} but found operator of arity {arity}.", wanted.arity);
            return self.refuse(4271, spot, text);
        }
        let current = self.open_name(&mut walk, current);
        if let Found::Node(node) = current
            && let Kind::OpArg(op) = self.graph.kind(node).clone()
        {
            return self.selected_operator(walk, node, op);
        }
        self.expressible(&walk, current)?;
        match current {
            Found::Symbol(sym) => self.selected_symbol(walk, sym),
            Found::Node(node) => self.selected_node(walk, node),
        }
    }

    fn definition_wanted(&mut self, walk: &Walk<'_>, current: Found) -> Result<Found, Refused> {
        if let (Found::Symbol(sym), true) = (current, walk.ended_at_name()) {
            let symbol = self.graph.symbol(sym);
            let body = symbol.body.map(|b| self.graph.kind(b));
            match symbol.kind {
                SymbolKind::Operator | SymbolKind::Instance | SymbolKind::Fact => return Ok(current),
                SymbolKind::Step if matches!(body, Some(Kind::DefStep(_))) => return Ok(current),
                SymbolKind::Step => {
                    return self.refuse(4004, walk.spot, "DEF clause entry refers to a non-definition step.");
                }
                _ => {}
            }
        }
        self.refuse(4200, walk.spot, "DEF clause entry should describe a defined operator.")
    }

    /// How many arguments what was found would take as an operator.
    fn arity_of(&self, current: Found, walk: &Walk<'_>) -> i32 {
        let own = match current {
            Found::Symbol(sym) => self.graph.symbol(sym).arity,
            Found::Node(node) => match self.graph.kind(node) {
                Kind::OpArg(op) => self.graph.symbol(*op).arity,
                _ => 0,
            },
        };
        own + walk.params.len() as i32
    }

    /// A definition inside of something with parameters: its own become parameters too.
    fn open_name(&mut self, walk: &mut Walk<'_>, current: Found) -> Found {
        let Found::Symbol(sym) = current else { return current };
        if !walk.ended_at_name() || (walk.params.is_empty() && walk.prefix.is_empty()) {
            return current;
        }
        let params = self.graph.symbol(sym).params.clone();
        walk.given.append(&mut walk.args);
        let mut args = Vec::with_capacity(params.len());
        for param in params {
            let old = self.graph.symbol(param).clone();
            let new = self.symbol(old.name, SymbolKind::Param, old.arity, old.spot);
            args.push(if old.arity == 0 {
                self.apply(new, Vec::new(), walk.spot)
            } else {
                self.node(Kind::OpArg(new), walk.spot)
            });
            walk.params.push(new);
        }
        Found::Node(self.apply(sym, args, walk.spot))
    }

    fn selected_operator(&mut self, mut walk: Walk<'_>, node: Node, op: Sym) -> Result<Found, Refused> {
        if walk.wanted.arity == 0 {
            return self.refuse(4005, walk.spot, "Selected operator argument when expression expected.");
        }
        if walk.params.is_empty() && walk.prefix.is_empty() {
            return Ok(Found::Node(node));
        }
        for i in 0..self.graph.symbol(op).arity.max(0) {
            let new = self.symbol(format!("NewParam{i}").into(), SymbolKind::Param, 0, walk.spot);
            let arg = self.apply(new, Vec::new(), walk.spot);
            walk.params.push(new);
            walk.args.push(arg);
        }
        let args = std::mem::take(&mut walk.args);
        let node = self.apply(op, args, walk.spot);
        self.selected_node(walk, node)
    }

    /// Facts that are no expressions: ASSUME/PROVE (4355) and steps of a proof (4351).
    fn expressible(&mut self, walk: &Walk<'_>, current: Found) -> Result<(), Refused> {
        if walk.wanted.fact {
            return Ok(());
        }
        let body = match current {
            Found::Symbol(sym) if self.graph.symbol(sym).kind == SymbolKind::Fact => self.graph.symbol(sym).body,
            Found::Symbol(_) => None,
            Found::Node(node) => match self.graph.kind(node) {
                Kind::Label { assertion: true, body, .. } => Some(*body),
                _ => None,
            },
        };
        let Some(body) = body else { return Ok(()) };
        if matches!(self.graph.kind(body), Kind::AssumeProve { .. }) {
            return self.refuse(4355, walk.spot, "ASSUME/PROVE used where an expression is required.");
        }
        let step = match self.graph.operator_name(body) {
            "$Qed" => "QED step",
            "$Pfcase" => "CASE",
            "$Have" => "HAVE",
            "$Take" => "TAKE",
            "$Pick" => "PICK",
            "$Witness" => "WITNESS",
            "$Suffices" => "SUFFICES",
            _ => return Ok(()),
        };
        self.refuse(4351, walk.spot, format!("{step} proof step selected instead of expression."))
    }

    fn selected_symbol(&mut self, walk: Walk<'_>, sym: Sym) -> Result<Found, Refused> {
        if self.graph.symbol(sym).kind == SymbolKind::Instance {
            return if walk.wanted.fact {
                Ok(Found::Symbol(sym))
            } else {
                self.refuse(4004, walk.spot, "Module instantiation selected instead of expression.")
            };
        }
        let node = if walk.wanted.arity > 0 {
            self.node(Kind::OpArg(sym), walk.spot)
        } else {
            self.check_operators(sym, &walk.args, walk.spot);
            self.apply(sym, walk.args, walk.spot)
        };
        Ok(Found::Node(node))
    }

    fn selected_node(&mut self, walk: Walk<'_>, node: Node) -> Result<Found, Refused> {
        let spot = walk.spot;
        let mut body = node;
        for prefix in walk.prefix.iter().rev() {
            if let Kind::Subst { substs, module, .. } = self.graph.kind(*prefix).clone() {
                body = self.node(Kind::Subst { substs, body, module, fact: false }, spot);
            }
        }
        let count = walk.params.len();
        let lambda = (count > 0).then(|| self.lambda_symbol(walk.params, body, spot));
        if walk.wanted.arity > 0 {
            let Some(lambda) = lambda.filter(|_| count as i32 == walk.wanted.arity) else {
                let text = format!(
                    "Expected operator argument with arity {} but found one of arity {count}.",
                    walk.wanted.arity
                );
                return self.refuse(4004, spot, text);
            };
            return Ok(Found::Node(self.node(Kind::OpArg(lambda), spot)));
        }
        if count != walk.given.len() {
            let text = format!("Expected {count} arguments but found {}.", walk.given.len());
            return self.refuse(4004, spot, text);
        }
        let node = match lambda {
            None => self.builtin("$Nop", vec![body], spot),
            Some(lambda) => self.apply(lambda, walk.given, spot),
        };
        Ok(Found::Node(node))
    }

    fn lambda_symbol(&mut self, params: Vec<Sym>, body: Node, spot: Spot) -> Sym {
        let sym = self.symbol("LAMBDA".into(), SymbolKind::Operator, params.len() as i32, spot);
        let symbol = self.graph.symbol_mut(sym);
        (symbol.params, symbol.body) = (params, Some(body));
        sym
    }

    // Arguments.

    /// Operator parameters need operators that take as many plain arguments.
    fn check_operators(&mut self, op: Sym, args: &[Node], spot: Spot) {
        let symbol = self.graph.symbol(op);
        if symbol.kind != SymbolKind::Operator {
            return;
        }
        let (name, params) = (symbol.name.clone(), symbol.params.clone());
        for (i, (param, arg)) in params.iter().zip(args).enumerate() {
            let wanted = self.graph.symbol(*param).arity;
            let operator = match self.graph.kind(*arg) {
                Kind::OpArg(op) => Some(self.graph.symbol(*op)),
                _ => None,
            };
            let number = i + 1;
            let plain = |params: &[Sym]| params.iter().all(|p| self.graph.symbol(*p).arity == 0);
            let fits = operator.is_some_and(|o| o.arity == wanted && plain(&o.params));
            if wanted == 0 && operator.is_some() {
                let text = format!("Operator used in argument number {number} has incorrect number of arguments.");
                self.error(4004, spot, text);
            }
            if wanted > 0 && !fits {
                let text =
                    format!("Argument number {number} to operator '{name}' \nshould be a {wanted}-parameter operator.");
                self.error(4271, spot, text);
            }
        }
    }

    pub(crate) fn lambda(&mut self, params: &[primed_syntax::ast::Ident], body: &Expr, spot: Spot) -> Sym {
        self.open_context();
        let params: Vec<Sym> = params.iter().map(|p| self.parameter(p, 0)).collect();
        self.push_bound(params.clone());
        let body = self.expression(body);
        self.pop_bound();
        self.close_context();
        self.lambda_symbol(params, body, spot)
    }

    /// One argument of an operator: an expression, or an operator where the parameter takes arguments.
    pub(crate) fn argument(&mut self, op: Sym, place: Spot, index: usize, arg: &Expr) -> Node {
        let symbol = self.graph.symbol(op);
        let defined = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::Instance);
        let param = symbol.params.get(index).filter(|_| defined);
        let wanted = param.map_or(0, |p| self.graph.symbol(*p).arity);
        if wanted == 0 {
            return self.plain_argument(arg);
        }
        let (name, spot) = (symbol.name.clone(), self.spot(arg.span));
        let number = index + 1;
        match &*arg.kind {
            Ast::Lambda { params, body } => {
                let lambda = self.lambda(params, body, spot);
                let given = self.graph.symbol(lambda).arity;
                if given == wanted {
                    return self.node(Kind::OpArg(lambda), spot);
                }
                let text = format!(
                    "Lambda expression with arity {given} used as argument {number} of operator `{name}', \nbut an operator of arity {wanted} is required."
                );
                self.error(4274, place, text);
                self.missing
            }
            Ast::Name(sign) if is_sign(&sign.name) => self.sign_argument(sign, (&name, number, wanted), place, spot),
            Ast::Name(_) | Ast::Qualified(_) => {
                let parts = general_parts(arg);
                self.select_node(&parts, Wanted::operator(wanted), spot)
            }
            _ => {
                let text = format!(
                    "An expression appears as argument number {number} (counting from 1) to operator '{name}', in a position an operator is required."
                );
                self.error(4270, spot, text);
                self.missing
            }
        }
    }

    /// An argument that is an expression; an operator's sign alone is none.
    fn plain_argument(&mut self, arg: &Expr) -> Node {
        let Ast::Name(sign) = &*arg.kind else { return self.expression(arg) };
        let form = match primed_syntax::operator(&sign.name).map(|o| o.fixity) {
            Some(primed_syntax::Fixity::Prefix) => "N_GenNonExpPrefixOp",
            Some(primed_syntax::Fixity::Postfix) => "N_GenPostfixOp",
            Some(_) => "N_GenInfixOp",
            None => return self.expression(arg),
        };
        self.error(4003, self.spot(arg.span), format!("Unsupported expression type `{form}'."));
        self.missing
    }

    fn sign_argument(
        &mut self,
        sign: &primed_syntax::ast::Ident,
        (name, number, wanted): (&str, usize, i32),
        place: Spot,
        spot: Spot,
    ) -> Node {
        let Some(sym) = self.resolve_or_stub(&sign.name, wanted, spot) else {
            self.error(4004, spot, format!("Could not find declaration or definition of symbol '{}'.", sign.name));
            return self.missing;
        };
        let arity = self.graph.symbol(sym).arity;
        if arity == wanted {
            return self.node(Kind::OpArg(sym), spot);
        }
        let text = format!(
            "Operator with incorrect arity passed as argument. \nOperator '{}' of arity {arity} is argument number {number} (counting from 1) to operator `{name}', \nbut an operator of arity {wanted} was expected.",
            sign.name
        );
        self.error(4004, place, text);
        self.missing
    }
}

/// A name, plain or qualified, as selectors.
pub(crate) fn general_parts(expr: &Expr) -> Vec<Part<'_>> {
    match &*expr.kind {
        Ast::Name(name) => vec![Part::Name(name, &[])],
        Ast::Apply { op, args } => vec![Part::Name(op, args)],
        Ast::Qualified(parts) => parts.iter().map(Part::from).collect(),
        _ => Vec::new(),
    }
}
