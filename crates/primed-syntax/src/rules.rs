//! What the grammar lets pass and the language does not: small rules on single constructs, as SANY's parser has them.

use crate::ast::{
    AssumeItem, Bound, Definition, DefinitionBody, Expr, ExprKind, Ident, NewLevel, OpDecl, Proof, ProofStatement,
    Quantifier, StepKind,
};
use crate::lower::Builder;
use crate::span::Span;

/// What is said of PROOF with nothing behind it.
pub(crate) const STEPS_WANTED: &str = "expected a step of the proof after `PROOF`";

impl Builder<'_> {
    /// `USE ONLY` is for proofs.
    pub(crate) fn outside_proof(&mut self, statement: ProofStatement) -> ProofStatement {
        if statement.only {
            self.error("`ONLY` may stand only in a proof", statement.span);
        }
        statement
    }

    /// A prefix operator that is declared or defined: minus is written `-.` there.
    pub(crate) fn prefix_name(&mut self, name: Ident) -> Ident {
        if self.written(name.span) == "-" {
            self.error("unary minus is written `-.` where it is declared or defined", name.span);
        }
        name
    }

    /// A NEW: only a constant that is no operator may be restricted to a set, and a variable is no operator.
    pub(crate) fn new_item(&mut self, level: NewLevel, decl: OpDecl, set: Option<Expr>) -> AssumeItem {
        if level == NewLevel::Variable && decl.arity > 0 {
            self.error("a NEW VARIABLE has no parameters", decl.name.span);
        } else if set.is_some() && decl.arity > 0 {
            self.error("a NEW operator with parameters may have no set after it: leave out `\\in`", decl.name.span);
        }
        if let (Some(set), false) = (&set, level == NewLevel::Constant) {
            self.error("only a NEW CONSTANT may have a set after `\\in`", set.span);
        }
        AssumeItem::New { level, decl, set }
    }

    /// A quantifier: the temporal ones range over no set.
    pub(crate) fn quantified(&mut self, quantifier: Quantifier, bounds: Vec<Bound>, body: Expr, span: Span) -> Expr {
        let temporal = matches!(quantifier, Quantifier::TemporalForall | Quantifier::TemporalExists);
        if let Some(set) = bounds.iter().find_map(|b| b.set.as_ref()).filter(|_| temporal) {
            self.error("a temporal quantifier ranges over no set", set.span);
        }
        self.expr(ExprKind::Quantified { quantifier, bounds, body }, span.start, span.end)
    }

    /// `f[x \in S] == e`: every argument has a set.
    pub(crate) fn function_definition(
        &mut self,
        name: Ident,
        bounds: Vec<Bound>,
        body: Expr,
        span: Span,
    ) -> Definition {
        if bounds.iter().any(|b| b.set.is_none()) {
            self.error(format!("every argument of the function `{}` needs a set: `x \\in S`", name.name), name.span);
        }
        self.definition((name, Vec::new()), DefinitionBody::Function { bounds, body }, span)
    }

    /// `PROOF` stands alone, up to this offset.
    pub(crate) fn proof_begins(&mut self, end: u32) {
        self.proof_word = Span::new(end.saturating_sub("PROOF".len() as u32), end);
    }

    /// The proof of a theorem that no step follows: after `PROOF` alone there must be one.
    pub(crate) fn proof_without_steps(&mut self, tail: Option<Option<Proof>>) -> Option<Proof> {
        if matches!(tail, Some(None)) {
            self.error(STEPS_WANTED, self.proof_word);
        }
        tail.flatten()
    }

    /// Steps that claim nothing have no proof.
    pub(crate) fn check_step(&mut self, kind: &StepKind, proof: bool, span: Span) {
        let claims =
            matches!(kind, StepKind::Assert { .. } | StepKind::Pick { .. } | StepKind::Case(_) | StepKind::Qed);
        if proof && !claims {
            self.error("this kind of step has no proof", span);
        }
    }
}
