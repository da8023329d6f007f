//! Stand-ins for names that mean nothing: each is taken for a declared constant operator of the arity that it is used with.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast::{Expr, ExprKind as Ast};

use super::expression::is_sign;
use super::graph::{Kind, Node, Spot, Sym, SymbolKind};
use super::select::{Found, Walk};
use super::selected::general_parts;
use super::selector::Part;
use super::table::Analyser;

/// The stand-ins of one analysis.
#[derive(Default)]
pub(crate) struct Stubs {
    pub(crate) symbols: HashMap<(Arc<str>, usize), Sym>,
    /// Names that broken units would define.
    pub(crate) gone: HashSet<Arc<str>>,
    /// A declaration does not parse: it may have declared any name.
    pub(crate) any_gone: bool,
    /// Every use: the name, its arity, where.
    pub(crate) uses: Vec<(Arc<str>, usize, Spot)>,
}

impl Analyser {
    /// The stand-in for a name, if there may be any where it is used.
    pub(crate) fn stub(&mut self, name: &str, arity: usize, spot: Spot) -> Option<Sym> {
        // Only the root is judged: other modules get no stand-ins.
        let stubs = self.stubs.as_mut().filter(|_| spot.file == 0)?;
        let name: Arc<str> = name.into();
        stubs.uses.push((name.clone(), arity, spot));
        let key = (name.clone(), arity);
        if let Some(sym) = stubs.symbols.get(&key) {
            return Some(*sym);
        }
        let sym = self.symbol(name, SymbolKind::Constant, arity as i32, spot);
        self.stubs.as_mut()?.symbols.insert(key, sym);
        Some(sym)
    }

    /// The same where a name is only taken if it is there: an instance's names without a substitution.
    pub(crate) fn stub_of_gone(&mut self, name: &str, arity: i32, spot: Spot) -> Option<Sym> {
        self.stubs.as_ref().filter(|s| s.any_gone || s.gone.contains(name))?;
        self.stub(name, arity.max(0) as usize, spot)
    }

    pub(crate) fn resolve_or_stub(&mut self, name: &str, arity: i32, spot: Spot) -> Option<Sym> {
        self.resolve(name).or_else(|| self.stub(name, arity.max(0) as usize, spot))
    }

    /// What a selection that leads nowhere stands for, if its first name means nothing: `F`, `F(a)`, `I!F(a)`, `F!1`.
    pub(crate) fn stub_of_walk(&mut self, walk: &Walk<'_>, waiting: &[&Expr]) -> Option<Found> {
        self.stubs.as_ref()?;
        let names: Option<Vec<&str>> = walk.parts.iter().map(part_name).collect();
        let Some(names) = names else {
            let first = walk.parts.first().and_then(part_name)?;
            let place = walk.parts.first().map(|p| self.part_spot(*p))?;
            let sym = self.stub(first, walk.wanted.arity.max(0) as usize, place)?;
            let kind = if walk.wanted.arity > 0 { Kind::OpArg(sym) } else { Kind::Literal };
            return Some(Found::Node(self.node(kind, walk.spot)));
        };
        let place = walk.parts.first().map(|p| self.part_spot(*p))?;
        if walk.wanted.fact || walk.wanted.arity < 0 {
            let sym = self.stub(&names.join("!"), 0, place)?;
            return Some(Found::Symbol(sym));
        }
        if walk.wanted.arity > 0 {
            let sym = self.stub(&names.join("!"), walk.wanted.arity as usize, place)?;
            return Some(Found::Node(self.node(Kind::OpArg(sym), walk.spot)));
        }
        let sym = self.stub(&names.join("!"), waiting.len(), place)?;
        let args = waiting.iter().map(|arg| self.argument_of_stub(arg)).collect();
        Some(Found::Node(self.apply(sym, args, walk.spot)))
    }

    /// An argument may be an operator: nothing says what is wanted.
    pub(crate) fn argument_of_stub(&mut self, arg: &Expr) -> Node {
        let spot = self.spot(arg.span);
        match &*arg.kind {
            Ast::Lambda { params, body } => {
                self.lambda(params, body, spot);
                self.node(Kind::Literal, spot)
            }
            Ast::Name(sign) if is_sign(&sign.name) => self.node(Kind::Literal, spot),
            Ast::Name(_) | Ast::Qualified(_) => {
                let parts = general_parts(arg);
                let names: Option<Vec<&str>> = parts.iter().map(part_name).collect();
                let operator = names.and_then(|n| self.resolve(&n.join("!")));
                let plain = parts.iter().all(|p| matches!(p, Part::Name(_, args) if args.is_empty()));
                match operator.filter(|s| plain && self.graph.symbol(*s).arity > 0) {
                    Some(sym) => self.node(Kind::OpArg(sym), spot),
                    None => self.expression(arg),
                }
            }
            _ => self.expression(arg),
        }
    }
}

fn part_name<'a>(part: &Part<'a>) -> Option<&'a str> {
    match part {
        Part::Name(name, _) => Some(&name.name),
        _ => None,
    }
}
