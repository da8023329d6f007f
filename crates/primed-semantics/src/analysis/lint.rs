//! SANY's lint: a record field that has the name of a definition, as if it had its value (4802).

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use primed_syntax::diagnostic::Severity;

use super::expression::deeper;
use super::graph::{Kind, Mod, Node, Sym, SymbolKind};
use super::table::Analyser;
use crate::library::is_built_in;

impl Analyser {
    /// Looks at every module of a file, extended and instantiated ones too.
    pub(crate) fn lint(&mut self) {
        let mut modules: Vec<Mod> = self.external.values().copied().collect();
        modules.sort_by_key(|m| m.0);
        let mut built = HashMap::new();
        for module in modules {
            let file = self.graph.module(module).spot.file;
            if !self.sources.get(file as usize).is_some_and(is_built_in) {
                self.lint_records(module, &mut built);
            }
        }
    }

    /// A field is no misunderstanding if any record with the same fields has a value that comes from a declared name.
    fn lint_records(&mut self, module: Mod, built: &mut HashMap<Sym, bool>) {
        let mut understood: HashMap<Vec<Arc<str>>, bool> = HashMap::new();
        let mut modules = self.extended(module);
        modules.insert(module);
        for module in modules {
            for record in self.graph.module(module).records.clone() {
                let fields = self.fields_of(record);
                let from_names = fields.iter().any(|(_, _, value)| self.declared_within(*value, built));
                let mut domain: Vec<Arc<str>> = fields.into_iter().map(|(name, ..)| name).collect();
                domain.sort();
                *understood.entry(domain).or_default() |= from_names;
            }
        }
        for record in self.graph.module(module).records.clone() {
            let fields = self.fields_of(record);
            let mut domain: Vec<Arc<str>> = fields.iter().map(|(name, ..)| name.clone()).collect();
            domain.sort();
            if understood.get(&domain) == Some(&true) {
                continue;
            }
            for (name, field, _) in fields {
                let own = self.graph.module(module).names.symbols.get(&name).copied();
                if let Some(sym) = own.or_else(|| self.contexts.first()?.symbols.get(&name).copied()) {
                    self.field_warning(&name, field, sym);
                }
            }
        }
    }

    fn field_warning(&mut self, name: &str, field: Node, sym: Sym) {
        let there = self.location(self.graph.symbol(sym).spot);
        let text = format!(
            "The field name \"{name}\" in the record constructor is identical to the existing definition or declaration\nnamed {name}, located at {there}.\nThe field in the record will not take the value of the {name} definition or declaration.\nIn TLA+, field names in records are strings, regardless of any similarly named declarations or definitions.\nTherefore, DOMAIN [{name} |-> ...] = {{\"{name}\"}} holds true."
        );
        self.complain(Severity::Warning, 4802, self.graph.spot(field), text);
        self.note_symbol(sym, "the definition is here");
    }

    /// The modules that a module extends, by whatever way.
    fn extended(&self, module: Mod) -> HashSet<Mod> {
        let mut all = HashSet::new();
        let mut open = self.graph.module(module).extends.clone();
        while let Some(module) = open.pop() {
            if all.insert(module) {
                open.extend(&self.graph.module(module).extends);
            }
        }
        all
    }

    /// Name, place and value of each field.
    fn fields_of(&self, record: Node) -> Vec<(Arc<str>, Node, Node)> {
        let Kind::Apply { args, .. } = self.graph.kind(record) else { return Vec::new() };
        let pairs = args.iter().filter_map(|pair| match self.graph.kind(*pair) {
            Kind::Apply { args, .. } => Some((*args.first()?, *args.get(1)?)),
            _ => None,
        });
        let name = |field: Node| {
            let spot = self.graph.spot(field);
            self.sources.get(spot.file as usize).map_or("", |f| f.slice(spot.span))
        };
        pairs.map(|(field, value)| (Arc::from(name(field)), field, value)).collect()
    }

    /// A constant, variable, parameter or bound name occurs in an expression or in the definitions that it uses.
    fn declared_within(&self, node: Node, built: &mut HashMap<Sym, bool>) -> bool {
        deeper(|| match self.graph.kind(node) {
            Kind::Apply { op, args, ranges, .. } => {
                self.symbol_is_declared(*op, built)
                    || ranges.iter().chain(args).any(|n| self.declared_within(*n, built))
            }
            Kind::Let { defs, body, .. } => {
                defs.iter().any(|def| self.symbol_is_declared(*def, built)) || self.declared_within(*body, built)
            }
            Kind::Subst { substs, body, .. } => {
                self.declared_within(*body, built) || substs.iter().any(|s| self.declared_within(s.value, built))
            }
            Kind::Label { body, .. } => self.declared_within(*body, built),
            _ => false,
        })
    }

    fn symbol_is_declared(&self, sym: Sym, built: &mut HashMap<Sym, bool>) -> bool {
        let symbol = self.graph.symbol(sym);
        if symbol.is_param() {
            return true;
        }
        // SANY's exceptions: what the standard modules do not define in TLA+.
        let home = self.graph.module_name(symbol.module);
        if matches!((home, &*symbol.name), ("Integers", "Int") | ("Naturals", "Nat"))
            || (symbol.kind == SymbolKind::Builtin && &*symbol.name == "BOOLEAN")
        {
            return true;
        }
        if let Some(known) = built.get(&sym) {
            return *known;
        }
        // While it is looked at, a recursive use adds nothing.
        built.insert(sym, false);
        let found = symbol.body.is_some_and(|body| self.declared_within(body, built));
        built.insert(sym, found);
        found
    }
}

#[cfg(test)]
mod tests {
    use primed_syntax::span::SourceFile;

    use crate::analysis::{Depth, analyse};
    use crate::library::NoLibrary;

    fn warned(body: &str) -> Vec<String> {
        let file = SourceFile::new("M.tla", format!("---- MODULE M ----\n{body}\n====\n"));
        let found = analyse(&file, &NoLibrary, Depth::default());
        let line = |d: &crate::model::Located| format!("{} {}", d.diagnostic.code, d.file.slice(d.diagnostic.span));
        found.diagnostics.iter().map(line).collect()
    }

    #[test]
    fn a_field_named_like_a_definition_is_told() {
        assert_eq!(warned("bar == 23\nR == [bar |-> 42]"), ["4802 bar"]);
        assert_eq!(warned("bar == 23\nR == [foo |-> 42]"), [""; 0]);
        assert_eq!(warned("bar == 23\nbaz == 1\nR == [bar |-> 42, baz |-> 43]"), ["4802 bar", "4802 baz"]);
    }

    #[test]
    fn values_declared_within_show_that_it_is_understood() {
        assert_eq!(warned("CONSTANT bar\nR == [bar |-> bar]"), [""; 0]);
        assert_eq!(warned("CONSTANT c\nbar == c\nR == [bar |-> bar]"), [""; 0]);
        assert_eq!(warned("VARIABLE v\nbar == 1\nR == [bar |-> 1, foo |-> v]"), [""; 0]);
        assert_eq!(warned("VARIABLE v\nbar == 1\nR == [bar |-> 1]\nS == [bar |-> v]"), [""; 0]);
        assert_eq!(warned("bar == 1\nR(x) == [bar |-> x]"), [""; 0]);
        assert_eq!(warned("bar == 1\nR == [bar : BOOLEAN]"), [""; 0]);
        assert_eq!(warned("EXTENDS Naturals\nbar == 1\nR == [bar : Nat]"), [""; 0]);
        assert_eq!(warned("bar == 1\nR == [bar |-> \\E x \\in {1} : x = 1]"), [""; 0]);
        assert_eq!(warned("RECURSIVE F(_)\nF(n) == IF n THEN F(n) ELSE 1\nbar == 1\nR == [bar |-> F(1)]"), [""; 0]);
    }
}
