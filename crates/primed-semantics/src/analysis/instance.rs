//! INSTANCE: substitutions (4240 to 4243) and the names that an instance brings.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::ast::{self, Expr, ExprKind as Ast};

use super::expression::is_sign;
use super::graph::{Kind, Mod, Node, Spot, Subst, Sym, SymbolKind};
use super::select::Wanted;
use super::selected::general_parts;
use super::table::Analyser;

/// Substitutions in order, and where each one is.
#[derive(Default)]
struct Substs {
    list: Vec<Subst>,
    places: HashMap<Sym, usize>,
}

impl Substs {
    fn push(&mut self, subst: Subst) {
        self.places.insert(subst.target, self.list.len());
        self.list.push(subst);
    }

    fn find(&mut self, target: Sym) -> Option<&mut Subst> {
        self.places.get(&target).and_then(|i| self.list.get_mut(*i))
    }
}

/// The most names of a specification. Instances of modules full of instances double them at each level.
const MAX_SYMBOLS: usize = 500_000;

impl Analyser {
    /// `I(params) == INSTANCE M WITH ...`: a name `I!x` for each name `x` of M.
    pub(crate) fn named_instance(
        &mut self,
        definition: &ast::Definition,
        instance: &ast::Instance,
        defs: &mut Vec<Sym>,
        instances: &mut Option<Vec<Node>>,
    ) {
        let (name, spot) = (&definition.name.name, self.spot(definition.span));
        self.open_context();
        let params = self.parameters(&definition.params);
        let Some((module, substs)) = self.substitutions(instance, spot) else {
            self.close_context();
            return;
        };
        self.close_context();
        for sym in self.graph.module(module).names.clone().order.iter().copied() {
            if self.aborted {
                break;
            }
            let symbol = self.graph.symbol(sym);
            if !symbol.local && matches!(symbol.kind, SymbolKind::Operator | SymbolKind::Instance | SymbolKind::Fact) {
                let copy = self.qualified_copy(name, &params, sym, module, &substs, definition.local, spot);
                defs.push(copy);
            }
        }
        let node = self.node(Kind::Instance { module, substs, params: params.clone() }, spot);
        match instances {
            Some(list) => list.push(node),
            None => self.graph.module_mut(self.module).top.push(node),
        }
        let sym = self.symbol(name.clone(), SymbolKind::Instance, params.len() as i32, spot);
        let symbol = self.graph.symbol_mut(sym);
        (symbol.params, symbol.local) = (params, definition.local);
        self.enter(sym);
        defs.push(sym);
    }

    #[allow(clippy::too_many_arguments, reason = "all of it goes into the copy")]
    fn qualified_copy(
        &mut self,
        instance: &str,
        params: &[Sym],
        sym: Sym,
        module: Mod,
        substs: &Rc<Vec<Subst>>,
        local: bool,
        spot: Spot,
    ) -> Sym {
        if self.graph.symbols.len() > MAX_SYMBOLS {
            self.abort(4003, spot, format!("instances bring more names than the limit of {MAX_SYMBOLS}"));
        }
        let old = self.graph.symbol(sym).clone();
        let name: Arc<str> = format!("{instance}!{}", old.name).into();
        let all: Vec<Sym> = params.iter().chain(&old.params).copied().collect();
        let fact = old.kind == SymbolKind::Fact;
        let body = old.body.map(|body| self.under(substs, body, module, fact, spot));
        let new = self.symbol(name, old.kind, all.len() as i32, spot);
        let symbol = self.graph.symbol_mut(new);
        (symbol.params, symbol.body, symbol.local) = (all, body, local);
        (symbol.source, symbol.labels) = (Some(old.source.unwrap_or(sym)), old.labels);
        match old.kind {
            SymbolKind::Instance => symbol.module = old.module,
            SymbolKind::Fact => symbol.module = module,
            _ => {}
        }
        self.enter(new);
        if old.kind == SymbolKind::Operator {
            self.note_recursion(new);
        }
        new
    }

    /// A right-hand side under substitutions, if there are any.
    fn under(&mut self, substs: &Rc<Vec<Subst>>, body: Node, module: Mod, fact: bool, spot: Spot) -> Node {
        if substs.is_empty() {
            return body;
        }
        self.node(Kind::Subst { substs: substs.clone(), body, module, fact }, spot)
    }

    /// `INSTANCE M WITH ...` as a unit of a module (`top`) or a step of a proof.
    pub(crate) fn instance_unit(&mut self, instance: &ast::Instance, local: bool, top: bool, spot: Spot) -> Node {
        let Some((module, substs)) = self.substitutions(instance, spot) else { return self.missing };
        let free = self.graph.parameter_free(module);
        for sym in self.graph.module(module).names.clone().order.iter().copied() {
            let symbol = self.graph.symbol(sym);
            if symbol.local || !matches!(symbol.kind, SymbolKind::Operator | SymbolKind::Fact) {
                continue;
            }
            let fact = symbol.kind == SymbolKind::Fact;
            let untouched = free || self.graph.parameter_free(symbol.module);
            let copied = local && (top || (free && !fact));
            if untouched && !copied {
                if !fact || free {
                    self.enter(sym);
                }
                self.note_shared_recursion(sym);
                continue;
            }
            self.unqualified_copy(sym, module, &substs, untouched, local, spot);
        }
        let node = self.node(Kind::Instance { module, substs, params: Vec::new() }, spot);
        if top {
            self.graph.module_mut(self.module).top.push(node);
        }
        node
    }

    /// A definition that is taken over as it is belongs to the section that it comes into.
    fn note_shared_recursion(&mut self, sym: Sym) {
        if self.state.open_recursions() > 0 && self.graph.symbol(sym).kind == SymbolKind::Operator {
            self.note_recursion(sym);
        }
    }

    fn unqualified_copy(
        &mut self,
        sym: Sym,
        module: Mod,
        substs: &Rc<Vec<Subst>>,
        untouched: bool,
        local: bool,
        spot: Spot,
    ) {
        let old = self.graph.symbol(sym).clone();
        let fact = old.kind == SymbolKind::Fact;
        let body = match old.body {
            Some(body) if !untouched => {
                Some(self.node(Kind::Subst { substs: substs.clone(), body, module, fact }, spot))
            }
            body => body,
        };
        let new = self.symbol(old.name, old.kind, old.arity, spot);
        let symbol = self.graph.symbol_mut(new);
        (symbol.params, symbol.body, symbol.local) = (old.params, body, local);
        (symbol.source, symbol.labels) = (Some(old.source.unwrap_or(sym)), old.labels);
        if untouched {
            symbol.module = old.module;
        }
        self.enter(new);
        if !fact {
            self.note_recursion(new);
        }
    }

    /// The instantiated module and what stands for each of its declared names.
    fn substitutions(&mut self, instance: &ast::Instance, spot: Spot) -> Option<(Mod, Rc<Vec<Subst>>)> {
        let Some(module) = self.resolve_module(&instance.module.name) else {
            // A module nested further down, or in another module.
            let text = format!("Module {} does not have a context.", instance.module.name);
            self.error(4003, self.spot(instance.module.span), text);
            return None;
        };
        let names = self.graph.module(module).names.clone();
        let declared = |k| matches!(k, SymbolKind::Constant | SymbolKind::Variable);
        let targets: Vec<Sym> = names.order.iter().copied().filter(|s| declared(self.graph.symbol(*s).kind)).collect();
        let is_target: HashSet<Sym> = targets.iter().copied().collect();
        let mut substs = Substs::default();
        let written: HashSet<&str> = instance.substitutions.iter().map(|s| &*s.target.name).collect();
        for target in &targets {
            let symbol = self.graph.symbol(*target);
            let (name, arity, plain) = (symbol.name.clone(), symbol.arity, symbol.arity == 0);
            let given = written.contains(&*name);
            let gone = |a: &mut Analyser| if given { None } else { a.stub_of_gone(&name, arity, spot) };
            let Some(known) = self.resolve(&name).or_else(|| gone(self)) else { continue };
            let value = if plain { self.implicit(known, spot) } else { self.node(Kind::OpArg(known), spot) };
            substs.push(Subst { target: *target, value, implicit: true });
        }
        for substitution in &instance.substitutions {
            let target = names.symbols.get(&substitution.target.name).copied();
            self.explicit(target.filter(|t| is_target.contains(t)), substitution, &mut substs);
        }
        for subst in substs.list.iter().filter(|s| s.implicit).cloned().collect::<Vec<_>>() {
            self.check_arity(&subst, spot);
        }
        for target in targets {
            if !substs.places.contains_key(&target) {
                let symbol = self.graph.symbol(target);
                let (name, there) = (symbol.name.clone(), self.location(symbol.spot));
                let module = self.graph.module(self.module).name.clone();
                let text = format!(
                    "Substitution missing for symbol {name} declared at {there} \nand instantiated in module {module}."
                );
                self.error(4240, spot, text);
                self.missing_substitution(target, &instance.module.name, !instance.substitutions.is_empty());
            }
        }
        Some((module, Rc::new(substs.list)))
    }

    /// The symbol of the same name, where nothing was written for a declared one.
    fn implicit(&mut self, known: Sym, spot: Spot) -> Node {
        let symbol = self.graph.symbol(known);
        let (kind, arity, name) = (symbol.kind, symbol.arity, symbol.name.clone());
        if kind == SymbolKind::Instance {
            self.error(4004, spot, "Module instance identifier where operator should be.");
        } else if arity != 0 && kind == SymbolKind::Operator {
            let text = format!(
                "Wrong number of arguments (0) given to operator '{name}', \nwhich requires {arity} arguments."
            );
            self.error(4004, spot, text);
        } else if arity != 0 && kind == SymbolKind::Constant {
            self.error(4004, spot, "Operator used with the wrong number of arguments.");
        }
        self.apply(known, Vec::new(), spot)
    }

    fn explicit(&mut self, target: Option<Sym>, substitution: &ast::Substitution, substs: &mut Substs) {
        let name = &substitution.target.name;
        let Some(target) = target else {
            let text = format!(
                "Identifier '{name}' is not a legal target of a substitution. \nA legal target must be a declared CONSTANT or VARIABLE in the module being instantiated. \n(Also, check for warnings about multiple declarations of this same identifier.)"
            );
            return self.error(4242, self.spot(substitution.target.span), text);
        };
        let arity = self.graph.symbol(target).arity;
        let value = if arity == 0 {
            self.expression(&substitution.value)
        } else {
            self.operator_for(name, arity, &substitution.value)
        };
        let subst = Subst { target, value, implicit: false };
        self.check_arity(&subst, self.spot(substitution.value.span));
        match substs.find(target) {
            Some(old) if old.implicit => *old = subst,
            Some(_) => {
                let spot = self.spot(substitution.value.span);
                self.error(4241, spot, format!("Multiple substitutions for symbol '{name}' in substitution."));
            }
            None => substs.push(subst),
        }
    }

    fn operator_for(&mut self, target: &str, arity: i32, value: &Expr) -> Node {
        let spot = self.spot(value.span);
        match &*value.kind {
            Ast::Lambda { params, body } => {
                let lambda = self.lambda(params, body, spot);
                self.node(Kind::OpArg(lambda), spot)
            }
            Ast::Name(sign) if is_sign(&sign.name) => match self.resolve_or_stub(&sign.name, arity, spot) {
                Some(sym) => self.node(Kind::OpArg(sym), spot),
                None => {
                    let text = format!("Could not find declaration or definition of symbol '{}'.", sign.name);
                    self.error(4004, spot, text);
                    self.missing
                }
            },
            Ast::Name(_) | Ast::Qualified(_) => {
                let parts = general_parts(value);
                self.select_node(&parts, Wanted::operator(arity), spot)
            }
            _ => {
                let text = format!(
                    "Arity {arity} operator (not an expression) is expected \nto substitute for CONSTANT '{target}'."
                );
                self.error(4004, spot, text);
                self.missing
            }
        }
    }

    /// At `spot`, as what cannot be understood has no place.
    fn check_arity(&mut self, subst: &Subst, spot: Spot) {
        let target = self.graph.symbol(subst.target);
        let (wanted, name) = (target.arity, target.name.clone());
        let given = match self.graph.kind(subst.value) {
            Kind::OpArg(op) => self.graph.symbol(*op).arity,
            _ => 0,
        };
        if given != wanted {
            let text = format!("An operator must be substituted for symbol '{name}', and it must have arity {wanted}.");
            self.error(4243, spot, text);
        }
    }
}
