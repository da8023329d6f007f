//! Bodies of functions and predicates: code that is called for each element.

use std::sync::Arc;

use primed_semantics::model::{Bound, Expr};

use super::{Compiler, Names};
use crate::node::Shared;
use crate::program::{FunctionCode, Pattern};

impl<'m> Compiler<'m> {
    /// The code of a body whose parameters these patterns bind, and its number; `this` is where a recursive function finds itself,
    /// and a `total` one cannot fail for any element.
    pub(super) fn function_code(
        &mut self,
        bounds: &[Bound],
        patterns: Vec<Pattern>,
        body: &'m Expr,
        names: &Names<'m>,
        this: Option<u32>,
        total: bool,
    ) -> (usize, Arc<FunctionCode>) {
        let facts = self.whole_facts(body, names);
        let described = self.model.describe(body.place);
        let body: Shared = Arc::from(self.code(body, names));
        let frame = self.frame.size.clone();
        let state = facts.current || facts.next;
        let parameters = super::written_parameters(bounds);
        let steady = !facts.moment;
        let function =
            Arc::new(FunctionCode { patterns, parameters, described, body, this, frame, state, steady, total });
        self.functions.push(function.clone());
        (self.functions.len() - 1, function)
    }
}
