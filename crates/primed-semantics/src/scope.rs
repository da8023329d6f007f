//! What names mean at a point of a module.

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::ast;

use crate::model::{DefinitionId, Level, LocalId, Param, VariableId};

/// The meaning of one name.
#[derive(Clone)]
pub(crate) enum Binding {
    /// A variable of the root module.
    Variable(VariableId),
    /// A definition or a declared constant.
    Definition(DefinitionId),
    /// A parameter, bound name or LET definition; `arities` of its own parameters.
    Local { local: LocalId, arities: Rc<[usize]>, level: Level },
    /// A named instance.
    Instance(Rc<Instance>),
    /// A declared name of an instantiated module for which an expression or LAMBDA was substituted. It is resolved anew at each use, in the
    /// scope of the INSTANCE.
    Substituted(Rc<Substituted>),
    /// A variable of an instantiated module for which this was substituted.
    StandIn { instance: u32, number: u32, value: Rc<Binding> },
}

/// A named instance: what `I!` leads to.
pub(crate) struct Instance {
    /// The parameters of `I(a, b)`.
    pub(crate) params: Vec<Param>,
    /// The instantiated module's names.
    pub(crate) names: Exports,
}

/// An expression with the scope it was written in.
pub(crate) struct Substituted {
    pub(crate) value: ast::Expr,
    pub(crate) file: u32,
    pub(crate) scope: Scope,
    /// The instantiation that it was written in.
    pub(crate) instance: u32,
}

/// The names that a module gives to those who extend or instantiate it, in order of definition.
#[derive(Clone, Default)]
pub(crate) struct Exports {
    pub(crate) order: Vec<Arc<str>>,
    pub(crate) names: im::HashMap<Arc<str>, Binding>,
    pub(crate) modules: im::HashMap<Arc<str>, ModuleRef>,
}

/// A module that INSTANCE or EXTENDS may name.
#[derive(Clone)]
pub(crate) struct ModuleRef {
    pub(crate) module: Rc<ast::Module>,
    pub(crate) file: u32,
    pub(crate) standard: bool,
    /// What surrounds a nested module.
    pub(crate) enclosing: Option<Rc<Scope>>,
}

/// The names visible at a point. Cheap to clone: a LET or a quantifier extends a copy.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    pub(crate) names: im::HashMap<Arc<str>, Binding>,
    pub(crate) modules: im::HashMap<Arc<str>, ModuleRef>,
}

impl Scope {
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)
    }

    pub(crate) fn bind(&mut self, name: &Arc<str>, binding: Binding) {
        self.names.insert(name.clone(), binding);
    }

    /// Binds a plain local: a parameter or a bound name.
    pub(crate) fn bind_param(&mut self, param: &Param) {
        let arities: Rc<[usize]> = vec![0; param.arity].into();
        self.bind(&param.name, Binding::Local { local: param.local, arities, level: Level::Constant });
    }
}

impl Binding {
    /// Both names lead to the same thing.
    pub(crate) fn same(&self, other: &Binding) -> bool {
        match (self, other) {
            (Binding::Variable(a), Binding::Variable(b)) => a == b,
            (Binding::Definition(a), Binding::Definition(b)) => a == b,
            (Binding::Local { local: a, .. }, Binding::Local { local: b, .. }) => a == b,
            (Binding::Instance(a), Binding::Instance(b)) => Rc::ptr_eq(a, b),
            (Binding::Substituted(a), Binding::Substituted(b)) => Rc::ptr_eq(a, b),
            (Binding::StandIn { number: a, .. }, Binding::StandIn { number: b, .. }) => a == b,
            _ => false,
        }
    }
}
