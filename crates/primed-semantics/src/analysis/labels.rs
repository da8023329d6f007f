//! Labels and their parameters (4330 to 4336).

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashSet;
use primed_syntax::ast::{self, Expr};

use super::graph::{Kind, Node, Spot, Sym, SymbolKind};
use super::table::{Analyser, LabelSet};

impl Analyser {
    /// Names bound around what follows; a label there must list them.
    pub(crate) fn push_bound(&mut self, names: Vec<Sym>) {
        if let Some(set) = self.state.labels.last_mut() {
            set.bound.push(names);
        }
    }

    pub(crate) fn pop_bound(&mut self) {
        if let Some(set) = self.state.labels.last_mut() {
            set.bound.pop();
        }
    }

    pub(crate) fn label(&mut self, name: &ast::Ident, params: &[ast::Ident], body: &Expr, spot: Spot) -> Node {
        if !self.label_allowed(spot) {
            return self.missing;
        }
        self.state.labels.push(LabelSet::default());
        let body = self.expression(body);
        self.end_label(name, params, body, false, spot)
    }

    /// `lab :: ASSUME ... PROVE ...` in the assumptions of another.
    pub(crate) fn labelled_assertion(&mut self, name: &ast::Ident, assertion: &ast::Assertion, spot: Spot) -> Node {
        if !self.label_allowed(spot) {
            return self.missing;
        }
        self.state.labels.push(LabelSet::default());
        let body = self.assertion(assertion);
        self.end_label(name, &[], body, true, spot)
    }

    fn label_allowed(&mut self, spot: Spot) -> bool {
        let nested = self.state.assumes.iter().skip(1).any(|new| *new);
        let trouble = if self.state.labels.is_empty() {
            (4333, "Label not in definition or proof step.")
        } else if nested {
            (4334, "Label not allowed within scope of declaration in nested ASSUME/PROVE.")
        } else if !self.state.excepts.is_empty() {
            (4335, "Labels inside EXCEPT clauses are not yet implemented.")
        } else {
            return true;
        };
        self.error(trouble.0, spot, trouble.1);
        false
    }

    fn end_label(&mut self, name: &ast::Ident, params: &[ast::Ident], body: Node, assertion: bool, spot: Spot) -> Node {
        let labels = Rc::new(self.state.labels.pop().unwrap_or_default().labels);
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            let known = self.resolve(&param.name);
            let known = known.filter(|s| self.graph.symbol(*s).kind == SymbolKind::Param);
            list.push(known.unwrap_or_else(|| {
                let place = self.spot(param.span);
                self.error(4332, place, format!("Illegal parameter {} of label `{}'.", param.name, name.name));
                self.symbol(param.name.clone(), SymbolKind::Param, 0, place)
            }));
        }
        let (goal, clause) = (self.state.goal, self.state.clause);
        self.check_parameters(&name.name, &list, spot);
        let node = self.node(Kind::Label { params: list, body, assertion, labels, goal, clause }, spot);
        let duplicate = match self.state.labels.last_mut() {
            Some(set) if !set.labels.contains_key(&name.name) => {
                set.labels.insert(name.name.clone(), node);
                false
            }
            _ => true,
        };
        if duplicate {
            self.error(4336, spot, format!("Duplicate label `{}'.", name.name));
        }
        node
    }

    /// The parameters must be exactly the names bound between the label and the definition or label around it.
    fn check_parameters(&mut self, label: &Arc<str>, params: &[Sym], spot: Spot) {
        let mut left = HashSet::new();
        for param in params {
            if !left.insert(*param) {
                let name = &self.graph.symbol(*param).name;
                let text = format!("Repeated formal parameter {name} \nin label `{label}'.");
                self.error(4330, spot, text);
            }
        }
        let bound: Vec<Sym> = self.state.labels.last().map(|set| set.bound.concat()).unwrap_or_default();
        for sym in bound {
            if !left.remove(&sym) {
                let name = &self.graph.symbol(sym).name;
                let text = format!("Label {label} must contain formal parameter `{name}'.");
                self.error(4331, spot, text);
            }
        }
        if !left.is_empty() {
            let names: Vec<&str> =
                params.iter().filter(|p| left.contains(*p)).map(|p| &*self.graph.symbol(*p).name).collect();
            let text = format!("Label {label} declares extra parameter(s)  {}  ", names.join("  "));
            self.error(4332, spot, text);
        }
    }
}
