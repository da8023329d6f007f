//! Module bodies: EXTENDS, declarations, definitions of operators and functions, LET, RECURSIVE (4290 to 4294).

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashSet;
use primed_syntax::ast::{self, DefinitionBody, UnitKind};
use primed_syntax::span::Span;

use super::expression::is_sign;
use super::graph::{Kind, Mod, ModuleGraph, Names, Node, Spot, Sym, SymbolKind};
use super::table::{Analyser, LabelSet, Later};

/// SANY's limit for LETs inside LETs.
const MAX_LET: usize = 100;

impl Analyser {
    /// Reads one module; its own names are in the innermost table, which is closed.
    pub(crate) fn module_body(&mut self, module: &ast::Module) -> Mod {
        let spot = self.spot(module.span);
        self.graph.modules.push(ModuleGraph { name: module.name.name.clone(), spot, ..ModuleGraph::default() });
        let outer = std::mem::replace(&mut self.module, Mod(self.graph.modules.len() as u32 - 1));
        let this = self.module;
        let later = std::mem::take(&mut self.later);
        for unit in &module.units {
            let mut insert = |name: &ast::Ident, declared| {
                self.later.entry(name.name.clone()).or_insert(Later { span: name.span, declared });
            };
            match &unit.kind {
                UnitKind::Definition(definition) => insert(&definition.name, false),
                UnitKind::Constants(names) => names.iter().for_each(|d| insert(&d.name, true)),
                UnitKind::Variables(names) => names.iter().for_each(|name| insert(name, true)),
                _ => {}
            }
        }
        self.open_context();
        for extended in &module.extends {
            self.extend(extended);
        }
        for unit in &module.units {
            if self.aborted {
                break;
            }
            self.unit(unit);
            // What `parameter_free` asks of a module that is still being read is what it has declared until here.
        }
        self.check_recursions();
        let names = self.close_context();
        self.graph.module_mut(this).names = Rc::new(names);
        self.later = later;
        self.module = outer;
        this
    }

    fn extend(&mut self, name: &ast::Ident) {
        let Some(module) = self.resolve_module(&name.name) else {
            return self.abort(4003, self.spot(name.span), format!("Could not find module {}", name.name));
        };
        let extended = self.graph.module(module);
        let (names, top, theorems) = (extended.names.clone(), extended.top.clone(), extended.theorems.clone());
        self.merge(&names);
        // Modules that are extended on several ways come once, or a chain of them would grow exponentially.
        let this = self.graph.module_mut(self.module);
        this.extends.push(module);
        add_new(&mut this.top, top);
        add_new(&mut this.theorems, theorems);
    }

    fn unit(&mut self, unit: &ast::Unit) {
        let spot = self.spot(unit.span);
        match &unit.kind {
            UnitKind::Constants(declarations) => {
                self.not_in_recursion(spot, "A declaration");
                for declaration in declarations {
                    let span = self.declared_span(declaration);
                    self.declare(&declaration.name, SymbolKind::Constant, declaration.arity, span);
                }
            }
            UnitKind::Variables(names) => {
                self.not_in_recursion(spot, "A VARIABLE declaration");
                names.iter().for_each(|name| self.declare(name, SymbolKind::Variable, 0, name.span));
            }
            UnitKind::Recursive(declarations) => self.recursive(declarations),
            UnitKind::Definition(definition) => {
                self.definition(definition, &mut Vec::new(), &mut None);
            }
            UnitKind::Instance { local, instance } => {
                self.instance_unit(instance, *local, true, spot);
            }
            UnitKind::Assumption(assumption) => {
                self.not_in_recursion(spot, "An ASSUME");
                self.assumption(assumption, spot);
            }
            UnitKind::Theorem(theorem) => {
                self.not_in_recursion(spot, "A THEOREM");
                self.theorem(theorem, spot);
            }
            UnitKind::Module(inner) => {
                self.not_in_recursion(spot, "A MODULE ");
                let nested = self.module_body(inner);
                self.enter_module(&inner.name, nested, spot);
                let recursive = self.graph.module(nested).recursive.clone();
                let this = self.graph.module_mut(self.module);
                this.recursive.extend(recursive);
                this.inner.push(nested);
            }
            UnitKind::UseHide(statement) => {
                self.not_in_recursion(spot, "A USE or HIDE");
                let node = self.use_or_hide(statement, spot);
                self.graph.module_mut(self.module).top.push(node);
            }
            UnitKind::Separator => {}
        }
    }

    fn not_in_recursion(&mut self, spot: Spot, unit: &str) {
        if self.state.open_recursions() > 0 {
            self.error(4294, spot, format!("{unit} may not appear within a recursive definition section."));
        }
    }

    /// A declaration with its underscores and parentheses.
    pub(crate) fn declared_span(&self, declaration: &ast::OpDecl) -> Span {
        let span = declaration.name.span;
        let Some(text) = self.sources.get(self.file as usize).map(|f| f.text()) else { return span };
        let before = text.get(..span.start as usize).unwrap_or("").trim_end();
        let after = text.get(span.end as usize..).unwrap_or("");
        let length = after.len() - after.trim_start().len();
        let mut declared = span;
        if !is_sign(&declaration.name.name) {
            let list = after.trim_start().starts_with('(').then(|| after.find(')')).flatten();
            declared.end += list.map_or(0, |end| end as u32 + 1);
            return declared;
        }
        if before.ends_with('_') {
            declared.start = before.len() as u32 - 1;
        }
        if after.trim_start().starts_with('_') {
            declared.end += length as u32 + 1;
        }
        declared
    }

    fn declare(&mut self, name: &ast::Ident, kind: SymbolKind, arity: usize, span: Span) {
        let spot = self.spot(span);
        // SANY looks for `@` among constants too, but not where it would find it.
        if &*name.name == "@" && kind == SymbolKind::Variable {
            self.error(4261, spot, "Attempted to declare '@' as a variable.");
        }
        let sym = self.symbol(name.name.clone(), kind, arity as i32, spot);
        self.enter(sym);
    }

    /// A definition in a module, a LET or a proof. What it defines goes to `defs`; instances go to `instances` if there is
    /// such a list, else to the module.
    pub(crate) fn definition(
        &mut self,
        definition: &ast::Definition,
        defs: &mut Vec<Sym>,
        instances: &mut Option<Vec<Node>>,
    ) {
        match &definition.body {
            DefinitionBody::Operator(body) => self.operator_definition(definition, body, defs),
            DefinitionBody::Function { bounds, body } => self.function_definition(definition, bounds, body, defs),
            DefinitionBody::Instance(instance) => self.named_instance(definition, instance, defs, instances),
        }
    }

    pub(crate) fn parameters(&mut self, params: &[ast::OpDecl]) -> Vec<Sym> {
        params.iter().map(|p| self.operator_parameter(p)).collect()
    }

    /// SANY knows `~ _` by the sign as it is written, which is no built-in name.
    fn operator_parameter(&mut self, param: &ast::OpDecl) -> Sym {
        let written = self.written(param.name.span);
        if param.arity == 1 && is_sign(&param.name.name) && written != &*param.name.name && written != "\\neg" {
            let spot = self.spot(param.name.span);
            return self.symbol(param.name.name.clone(), SymbolKind::Param, 1, spot);
        }
        self.parameter(&param.name, param.arity)
    }

    fn operator_definition(&mut self, definition: &ast::Definition, body: &ast::Expr, defs: &mut Vec<Sym>) {
        let (name, spot) = (&definition.name.name, self.spot(definition.span));
        self.open_context();
        let params = self.parameters(&definition.params);
        let pending = match self.resolve(name) {
            Some(sym) if self.pending(sym) => self.match_declaration(sym, &params, spot),
            Some(other) => {
                self.error(4201, spot, format!("Operator {name} already defined or declared."));
                self.note_symbol(other, "the other is here");
                None
            }
            None => None,
        };
        self.state.labels.push(LabelSet::default());
        let body = self.expression(body);
        self.close_context();
        let sym = match pending {
            Some(sym) => {
                self.end_recursion(sym, body, spot);
                sym
            }
            None => self.operator(name.clone(), params, body, definition.local, spot),
        };
        let labels = self.state.labels.pop().unwrap_or_default().labels;
        self.graph.symbol_mut(sym).labels = Rc::new(labels);
        defs.push(sym);
    }

    /// A new operator, entered in the innermost table.
    pub(crate) fn operator(&mut self, name: Arc<str>, params: Vec<Sym>, body: Node, local: bool, spot: Spot) -> Sym {
        let sym = self.symbol(name, SymbolKind::Operator, params.len() as i32, spot);
        let symbol = self.graph.symbol_mut(sym);
        (symbol.params, symbol.body, symbol.local) = (params, Some(body), local);
        self.enter(sym);
        self.note_recursion(sym);
        sym
    }

    fn pending(&self, sym: Sym) -> bool {
        let symbol = self.graph.symbol(sym);
        symbol.kind == SymbolKind::Operator && symbol.recursion.declared && !symbol.recursion.defined
    }

    /// The definition of a name that was declared RECURSIVE.
    fn match_declaration(&mut self, sym: Sym, params: &[Sym], spot: Spot) -> Option<Sym> {
        let declared = self.graph.symbol(sym);
        let name = declared.name.clone();
        if declared.recursion.let_level != self.state.let_level {
            self.error(4293, spot, format!("Recursive operator {name} defined at wrong LET/IN level."));
            return None;
        }
        // SANY looks at all of them, but only what it finds of the last one counts.
        let plain = params.last().is_none_or(|p| self.graph.symbol(*p).arity == 0);
        if declared.params.len() != params.len() || !plain {
            let text = format!("Definition of {name} has different arity than its RECURSIVE declaration.");
            self.error(4292, spot, text);
        }
        self.graph.symbol_mut(sym).params = params.to_vec();
        Some(sym)
    }

    fn end_recursion(&mut self, sym: Sym, body: Node, spot: Spot) {
        let symbol = self.graph.symbol_mut(sym);
        symbol.recursion.defined = true;
        (symbol.body, symbol.spot) = (Some(body), spot);
        let open = self.state.open_here();
        *open = open.saturating_sub(1);
    }

    /// A definition that stands in a section opened by RECURSIVE is level-checked with it.
    pub(crate) fn note_recursion(&mut self, sym: Sym) {
        let (level, section) = (self.state.let_level, self.state.sections);
        let open = self.state.open_recursions() > 0;
        let here = *self.state.open_here() > 0;
        let recursion = &mut self.graph.symbol_mut(sym).recursion;
        recursion.let_level = level;
        if open {
            (recursion.section, recursion.in_section) = (section, here);
            self.graph.module_mut(self.module).recursive.push(sym);
        }
    }

    fn recursive(&mut self, declarations: &[ast::OpDecl]) {
        if self.state.open_recursions() == 0 {
            self.state.sections += 1;
        }
        *self.state.open_here() += declarations.len();
        for declaration in declarations {
            let spot = self.spot(self.declared_span(declaration));
            let name = declaration.name.name.clone();
            let blank: Arc<str> = "".into();
            let params =
                (0..declaration.arity).map(|_| self.symbol(blank.clone(), SymbolKind::Param, 0, spot)).collect();
            let sym = self.symbol(name, SymbolKind::Operator, declaration.arity as i32, spot);
            let (let_level, section) = (self.state.let_level, self.state.sections);
            let symbol = self.graph.symbol_mut(sym);
            symbol.params = params;
            let recursion = &mut symbol.recursion;
            (recursion.defined, recursion.declared, recursion.in_section) = (false, true, true);
            (recursion.let_level, recursion.section) = (let_level, section);
            self.enter(sym);
            self.state.declared.push(sym);
            self.graph.module_mut(self.module).recursive.push(sym);
        }
    }

    /// At the end of a module or of a LET's definitions.
    fn check_recursions(&mut self) {
        let level = self.state.let_level;
        if *self.state.open_here() > 0 {
            for sym in self.state.declared.clone() {
                let symbol = self.graph.symbol(sym);
                if symbol.recursion.let_level == level && !symbol.recursion.defined {
                    let (name, spot) = (symbol.name.clone(), symbol.spot);
                    self.error(4291, spot, format!("Symbol {name} declared in RECURSIVE statement but not defined."));
                    self.graph.symbol_mut(sym).recursion.declared = false;
                }
            }
        }
        *self.state.open_here() = 0;
    }

    fn function_definition(
        &mut self,
        definition: &ast::Definition,
        bounds: &[ast::Bound],
        body: &ast::Expr,
        defs: &mut Vec<Sym>,
    ) {
        let (name, spot) = (&definition.name.name, self.spot(definition.span));
        self.open_context();
        let (groups, tuples, ranges) = self.bounds(bounds);
        let known = self.resolve(name);
        let this = self.symbol(name.clone(), SymbolKind::Param, 0, spot);
        if known.is_none() {
            self.enter(this);
        }
        let inner = self.close_context();
        let op = self.builtin_symbol("$NonRecursiveFcnSpec");
        let flat = groups.concat();
        let kind = Kind::Apply { op, args: Vec::new(), free: vec![this], groups, tuples, ranges };
        let node = self.node(kind, spot);
        let sym = match known {
            None => Some(self.operator(name.clone(), Vec::new(), node, definition.local, spot)),
            Some(known) => self.function_of_known(known, node, spot),
        };
        if let Some(sym) = sym {
            defs.push(sym);
            self.contexts.push(inner);
        }
        self.state.functions.push((name.clone(), node));
        self.state.labels.push(LabelSet::default());
        self.push_bound(flat);
        let value = self.expression(body);
        self.pop_bound();
        let labels = self.state.labels.pop().unwrap_or_default().labels;
        self.state.functions.pop();
        if let Some(sym) = sym {
            self.graph.symbol_mut(sym).labels = Rc::new(labels);
            self.close_context();
        }
        let recursive = self.graph.operator_name(node) == "$RecursiveFcnSpec";
        if let Kind::Apply { args, free, .. } = &mut self.graph.nodes[node.0 as usize].0 {
            args.push(value);
            if !recursive {
                free.clear();
            }
        }
    }

    /// The name of a function was known before: it must be declared RECURSIVE.
    fn function_of_known(&mut self, known: Sym, node: Node, spot: Spot) -> Option<Sym> {
        let symbol = self.graph.symbol(known);
        let (name, arity, level) = (symbol.name.clone(), symbol.arity, symbol.recursion.let_level);
        if !self.pending(known) {
            let operator = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::Builtin | SymbolKind::Instance);
            self.error(4201, spot, format!("Function name `{name}' already defined or declared."));
            self.note_symbol(known, "the other is here");
            return operator.then_some(known);
        }
        if level != self.state.let_level {
            self.error(4293, spot, format!("Recursive function {name} defined at wrong LET/IN level."));
            return None;
        }
        if arity == 0 {
            self.end_recursion(known, node, spot);
        } else {
            self.error(4292, spot, format!("Function {name} has operator arguments in its RECURSIVE declaration."));
        }
        Some(known)
    }

    pub(crate) fn let_in(&mut self, units: &[ast::Unit], body: &ast::Expr, spot: Spot) -> Node {
        if self.state.let_level >= MAX_LET {
            self.abort(4003, spot, format!("LETs nested more than {MAX_LET} deep."));
            return self.missing;
        }
        self.open_context();
        self.state.let_level += 1;
        *self.state.open_here() = 0;
        let mut defs = Vec::new();
        let mut instances = Some(Vec::new());
        for unit in units {
            match &unit.kind {
                UnitKind::Recursive(declarations) => self.recursive(declarations),
                UnitKind::Definition(definition) => self.definition(definition, &mut defs, &mut instances),
                _ => self.abort(4003, self.spot(unit.span), "Only definitions may stand in a LET."),
            }
        }
        self.check_recursions();
        self.state.let_level -= 1;
        let body = self.expression(body);
        let names = self.contexts.last().cloned().unwrap_or_else(Names::default);
        self.close_context();
        let kind = Kind::Let { defs, instances: instances.unwrap_or_default(), body, names: Rc::new(names) };
        self.node(kind, spot)
    }
}

fn add_new(list: &mut Vec<Node>, more: Vec<Node>) {
    if list.is_empty() {
        return *list = more;
    }
    let known: HashSet<Node> = list.iter().copied().collect();
    list.extend(more.into_iter().filter(|n| !known.contains(n)));
}
