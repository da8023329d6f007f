//! Syntax trees to one resolved [`model::Model`]: EXTENDS, INSTANCE as substitution, scopes, arities, levels, the standard
//! modules, the configuration applied. After it there are no names, only numbers; nothing evaluates here.
//!
//! INVARIANT: this crate opens no file; a [`library::Library`] does.

use std::rc::Rc;
use std::sync::Arc;

use primed_syntax::diagnostic::Severity;
use primed_syntax::span::SourceFile;
use primed_value::symbol::Symbols;

pub mod analysis;
mod apply;
mod behaviour;
mod builtin;
mod configuration;
mod cyclic;
mod expression;
pub mod library;
pub mod model;
mod modules;
mod parts;
mod resolver;
mod scope;
mod selection;
mod suggest;

use analysis::Legal;
pub use analysis::{Analysis, Decomposition, analyse, decompose};
pub use configuration::model_value;
use library::Library;
use model::{Behaviour, DefinitionId, Expr, Located, Model, VariableId};
pub use primed_syntax::nearest;
use resolver::{ResolvedModule, Resolver};
use scope::{Binding, Exports};

/// A resolved specification that can still take expressions in the root module's scope.
pub struct Session<'l> {
    resolver: Resolver,
    legal: Legal<'l>,
    resolved: Rc<ResolvedModule>,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("names", &self.names()).finish_non_exhaustive()
    }
}

/// Resolves a root module and applies its configuration.
///
/// # Errors
/// All complaints, errors first met first, if there is an error among them.
pub fn resolve(root: &SourceFile, config: Option<&SourceFile>, library: &dyn Library) -> Result<Model, Vec<Located>> {
    Session::open(root, config, library).map(|(_, model)| model)
}

impl<'l> Session<'l> {
    /// Resolves as [`resolve`] does and stays open.
    ///
    /// # Errors
    /// As [`resolve`].
    pub fn open(
        root: &SourceFile,
        config: Option<&SourceFile>,
        library: &'l dyn Library,
    ) -> Result<(Session<'l>, Model), Vec<Located>> {
        let symbols = Arc::new(Symbols::new());
        let mut resolver = Resolver::new(symbols.clone());
        // TLC reads the configuration before the specification: its words come first, and so do its mistakes.
        let config = config.map(|file| (primed_syntax::cfg::parse_config(file), file));
        let config = match config {
            Some(((_, diagnostics), file)) if !diagnostics.is_empty() => {
                let located = |diagnostic| Located { file: file.clone(), diagnostic };
                return Err(diagnostics.into_iter().map(located).collect());
            }
            Some(((config, _), file)) => Some((config, file)),
            None => None,
        };
        if let Some((config, _)) = &config {
            configuration::intern(config, &symbols);
        }
        for word in library::interning("*builtin*").into_iter().flatten() {
            symbols.intern(word);
        }
        let (mut legal, warnings) = Legal::open(root, library)?;
        let numbers = legal.numbers();
        if !numbers.is_empty() {
            return Err(numbers);
        }
        resolver.adopt(legal.parsed(0));
        let module = resolver.read_root(root);
        let Some(module) = module else { return Err(resolver.complaints) };
        resolver.file = module.file;
        let name = module.module.name.name.clone();
        let Some(resolved) = resolver.module(&module, &None) else { return Err(resolver.complaints) };
        let mut behaviour = Behaviour::default();
        if let Some((config, file)) = config {
            let number = resolver.sources.len() as u32;
            resolver.sources.push(file.clone());
            resolver.no_modules.push(number);
            resolver.file = number;
            resolver.constants(&config, &resolved.scope);
            resolver.file = number;
            let replaced = |name: &Arc<str>| config.constants.iter().any(|c| c.target.name == *name);
            let names = config.invariants.iter().map(|i| i.name.clone());
            let predicates: Vec<Arc<str>> = names.filter(|n| !replaced(n) && legal.is_predicate(n)).collect();
            behaviour = resolver.behaviour(&config, &resolved.scope, &predicates);
        }
        if resolver.failed() {
            return Err(resolver.complaints);
        }
        resolver.complaints.splice(..0, warnings);
        let model = finish(&mut resolver, name, &resolved, behaviour, &legal.shown_variables());
        Ok((Session { resolver, legal, resolved }, model))
    }

    /// Resolves one more expression in the root module's scope; new definitions and files go into `model`, which must be the
    /// one that came with the session.
    ///
    /// # Errors
    /// The complaints about this expression; the session stays usable.
    pub fn expression(&mut self, source: &SourceFile, model: &mut Model) -> Result<Expr, Vec<Located>> {
        let parsed = primed_syntax::parse_expression(source);
        let located = |diagnostic| Located { file: source.clone(), diagnostic };
        let parsed = parsed.map_err(|d| d.into_iter().map(located).collect::<Vec<_>>())?;
        self.legal.expression(source, &parsed)?;
        self.resolver.adopt(self.legal.parsed(self.resolver.parsed.len()));
        self.resolver.file = self.resolver.add_source(source, None);
        self.resolver.no_modules.push(self.resolver.file);
        let expr = self.resolver.expression(&parsed, &self.resolved.scope);
        let complaints = std::mem::take(&mut self.resolver.complaints);
        model.sources = self.resolver.sources.clone();
        model.no_modules.clone_from(&self.resolver.no_modules);
        model.instances = self.resolver.instances.clone();
        let known = model.definitions.len();
        model.definitions.extend(self.resolver.definitions.iter().skip(known).cloned());
        match complaints.iter().any(|c| c.diagnostic.severity == Severity::Error) {
            true => Err(complaints),
            false => Ok(expr),
        }
    }

    /// The names that the root module gives to a user.
    pub fn names(&self) -> &[Arc<str>] {
        &self.resolved.exports.order
    }
}

/// Variables by number, in the order of their names; whatever has no name there comes last.
fn shown(resolver: &Resolver, order: &[Arc<str>]) -> Vec<VariableId> {
    let mut shown: Vec<VariableId> = (0..resolver.variables.len() as u32).map(VariableId).collect();
    let rank = |id: &VariableId| {
        let name = resolver.variables.get(id.0 as usize).map(|v| &v.name);
        order.iter().position(|n| Some(n) == name).unwrap_or(usize::MAX)
    };
    shown.sort_by_key(rank);
    shown
}

fn finish(
    resolver: &mut Resolver,
    name: Arc<str>,
    resolved: &ResolvedModule,
    behaviour: Behaviour,
    order: &[Arc<str>],
) -> Model {
    let mut exports = Vec::new();
    list_exports("", &resolved.exports, &mut exports);
    // The words of what TLCGet gives, which TLC loads last.
    for word in library::interning("*run*").into_iter().flatten() {
        resolver.symbols.intern(word);
    }
    Model {
        symbols: resolver.symbols.clone(),
        sources: resolver.sources.clone(),
        no_modules: resolver.no_modules.clone(),
        name,
        variables: resolver.variables.clone(),
        shown: shown(resolver, order),
        stand_ins: resolver.stand_ins,
        definitions: resolver.definitions.clone(),
        instances: resolver.instances.clone(),
        exports,
        assumptions: resolved.assumptions.clone(),
        behaviour,
        warnings: std::mem::take(&mut resolver.complaints),
        properties: Vec::new(),
    }
}

fn list_exports(prefix: &str, exports: &Exports, list: &mut Vec<(Arc<str>, DefinitionId)>) {
    for name in &exports.order {
        match &exports.names[name] {
            Binding::Definition(id) => list.push((format!("{prefix}{name}").into(), *id)),
            Binding::Instance(instance) if instance.params.is_empty() => {
                list_exports(&format!("{prefix}{name}!"), &instance.names, list);
            }
            _ => {}
        }
    }
}
