//! The syntax tree of one file: what was written, nothing resolved.
//!
//! Operators are names like any other (`Specifying Systems`, section 15.2): an infix `a + b` is an application of the
//! name `+`, so that a module may define it. Spellings that mean the same operator (`<=`, `=<`, `\leq`) arrive as one
//! canonical name, the first column of `grammar/operators.tsv`. Unary minus is the name `-.`.

use std::sync::Arc;

use crate::span::Span;

/// A name as written in the source, operators in their canonical spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// One `---- MODULE M ----` … `====` block.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name.
    pub name: Ident,
    /// The names after EXTENDS, in order.
    pub extends: Vec<Ident>,
    /// The body.
    pub units: Vec<Unit>,
    /// From the header's first dash to the closing line's end.
    pub span: Span,
}

/// One unit of a module's body.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// The whole unit.
    pub span: Span,
}

/// The kinds of unit.
#[derive(Clone, Debug)]
pub enum UnitKind {
    /// `CONSTANT C, F(_, _), _ ++ _`.
    Constants(Vec<OpDecl>),
    /// `VARIABLES x, y`.
    Variables(Vec<Ident>),
    /// `RECURSIVE F(_), g`.
    Recursive(Vec<OpDecl>),
    /// A definition of an operator, function or named instance.
    Definition(Arc<Definition>),
    /// An unnamed `INSTANCE M WITH ...`.
    Instance {
        /// Under `LOCAL`.
        local: bool,
        /// What is instantiated.
        instance: Instance,
    },
    /// `ASSUME`, `ASSUMPTION` or `AXIOM`.
    Assumption(Arc<Assumption>),
    /// `THEOREM`, `LEMMA`, `PROPOSITION` or `COROLLARY`, with its proof.
    Theorem(Arc<Theorem>),
    /// A nested module.
    Module(Box<Module>),
    /// `USE` or `HIDE` at module level.
    UseHide(ProofStatement),
    /// A line of four or more dashes.
    Separator,
}

/// A declared name with its arity: a constant, a RECURSIVE entry or a parameter.
#[derive(Clone, Debug)]
pub struct OpDecl {
    /// The declared name.
    pub name: Ident,
    /// Number of arguments; 0 for a plain name.
    pub arity: usize,
}

/// `Op(p, Q(_)) == e`, `a ++ b == e`, `f[x \in S] == e` or `I(a) == INSTANCE M WITH ...`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Under `LOCAL`.
    pub local: bool,
    /// The defined name.
    pub name: Ident,
    /// The parameters; empty for functions.
    pub params: Vec<OpDecl>,
    /// What it is defined as.
    pub body: DefinitionBody,
    /// The whole definition.
    pub span: Span,
}

/// The right-hand side of a definition.
#[derive(Clone, Debug)]
pub enum DefinitionBody {
    /// An operator.
    Operator(Expr),
    /// A function `f[bounds] == body`, recursive if `f` occurs in the body.
    Function {
        /// The bounds between the brackets.
        bounds: Vec<Bound>,
        /// The value at a point.
        body: Expr,
    },
    /// A named instance.
    Instance(Instance),
}

/// `INSTANCE M WITH x <- e, Op <- F`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The instantiated module.
    pub module: Ident,
    /// The explicit substitutions.
    pub substitutions: Vec<Substitution>,
    /// The whole phrase.
    pub span: Span,
}

/// One `x <- e` of an instance.
#[derive(Clone, Debug)]
pub struct Substitution {
    /// The declared name of the instantiated module.
    pub target: Ident,
    /// What stands for it: an expression or an operator (`OpArg` forms are allowed).
    pub value: Expr,
}

/// An assumption of the module.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// `AXIOM` (which TLC ignores) rather than `ASSUME` or `ASSUMPTION` (which it checks).
    pub axiom: bool,
    /// The name of `ASSUME Name == ...`.
    pub name: Option<Ident>,
    /// The assumed formula.
    pub body: Expr,
}

/// A theorem. Its proof is kept, though nothing evaluates it.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// The name of `THEOREM Name == ...`.
    pub name: Option<Ident>,
    /// What is claimed.
    pub body: Assertion,
    /// The proof, if written.
    pub proof: Option<Proof>,
}

/// A formula or an ASSUME/PROVE.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// A formula.
    Expr(Expr),
    /// `ASSUME a, NEW x \in S, ... PROVE p` (also with `[]ASSUME`).
    AssumeProve {
        /// `[]ASSUME`.
        boxed: bool,
        /// What is assumed.
        assumptions: Vec<AssumeItem>,
        /// What is to be proved.
        goal: Expr,
        /// The whole.
        span: Span,
    },
}

/// One item after ASSUME.
#[derive(Clone, Debug)]
pub enum AssumeItem {
    /// A formula or a nested ASSUME/PROVE, perhaps labelled.
    Assertion {
        /// `label ::`.
        label: Option<Ident>,
        /// The assumption.
        assertion: Assertion,
    },
    /// `NEW CONSTANT x \in S` and its kin.
    New {
        /// The level word.
        level: NewLevel,
        /// The declared name.
        decl: OpDecl,
        /// The set after `\in`.
        set: Option<Expr>,
    },
}

/// The level word of a `NEW`; a bare `NEW x` is a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum NewLevel {
    Constant,
    Variable,
    State,
    Action,
    Temporal,
}

/// A proof.
#[derive(Clone, Debug)]
pub enum Proof {
    /// `OBVIOUS`.
    Obvious(Span),
    /// `OMITTED`.
    Omitted(Span),
    /// `BY ...`.
    By(ProofStatement),
    /// Steps, the last one a QED.
    Steps(Vec<Step>),
}

/// The facts and definitions of BY, USE and HIDE.
#[derive(Clone, Debug)]
pub struct ProofStatement {
    /// HIDE rather than USE (for BY: false).
    pub hide: bool,
    /// `ONLY`.
    pub only: bool,
    /// Facts: expressions, names of steps, `MODULE M`.
    pub facts: Vec<Fact>,
    /// Names after DEF, or `MODULE M`.
    pub defs: Vec<Fact>,
    /// The whole.
    pub span: Span,
}

/// An entry of BY, USE or HIDE.
#[derive(Clone, Debug)]
pub enum Fact {
    /// An expression (a name of a fact or definition included).
    Expr(Expr),
    /// `MODULE M`.
    Module(Ident),
}

/// `<1>2. ...` with its proof.
#[derive(Clone, Debug)]
pub struct Step {
    /// The step token, `<1>2.` without the stop, or `<*>`.
    pub name: Ident,
    /// What the step does.
    pub kind: StepKind,
    /// Its proof.
    pub proof: Option<Proof>,
    /// The step without its proof.
    pub span: Span,
}

/// The kinds of proof step.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the keywords of the language")]
pub enum StepKind {
    Assert { suffices: bool, assertion: Assertion },
    UseHide(ProofStatement),
    Define(Vec<Unit>),
    Instance { instance: Instance },
    Have(Expr),
    Take(Vec<Bound>),
    Witness(Vec<Expr>),
    Pick { bounds: Vec<Bound>, body: Expr },
    Case(Expr),
    Qed,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it stands, without enclosing parentheses.
    pub span: Span,
}

impl Expr {
    /// The left side of the `\in` with which this begins outside of parentheses, and where the sign stands.
    pub fn leading_member(&self) -> Option<(&Expr, Span)> {
        let mut expr = self;
        loop {
            expr = match &*expr.kind {
                ExprKind::Apply { op, args } => {
                    let first = args.first().filter(|a| a.span.start < op.span.start)?;
                    if &*op.name == "\\in" {
                        return Some((first, op.span));
                    }
                    first
                }
                ExprKind::FunctionApply { function: inner, .. } | ExprKind::Field { record: inner, .. } => inner,
                _ => return None,
            };
        }
    }
}

/// One bound `x, y \in S` or `<<x, y>> \in S`, or unbounded names (`set` is `None`).
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bound.
    pub pattern: BoundPattern,
    /// The set; `None` in an unbounded quantifier or CHOOSE.
    pub set: Option<Expr>,
}

/// The left side of a bound.
#[derive(Clone, Debug)]
pub enum BoundPattern {
    /// `x, y`: each ranges over the set.
    Names(Vec<Ident>),
    /// `<<x, y>>`: the elements are tuples.
    Tuple(Vec<Ident>),
}

/// A step of a qualified name or a subexpression selector (`A!B(1)!2!<<`).
#[derive(Clone, Debug)]
pub enum Selector {
    /// `Name` or `Name(args)`, an instance, a definition or a label.
    Name {
        /// The name.
        name: Ident,
        /// Its arguments; empty if none are written.
        args: Vec<Expr>,
    },
    /// `!1`: the n-th subexpression, from 1.
    Child(u32, Span),
    /// `!<<`: the left operand.
    Left(Span),
    /// `!>>`: the right operand.
    Right(Span),
    /// `!:`: the whole definition.
    Whole(Span),
    /// `!@`: as `!:` for a function or quantifier (the body).
    At(Span),
    /// `!(e, f)`: instances of the bound names.
    Args(Vec<Expr>, Span),
}

/// Quantifier kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `\A`.
    Forall,
    /// `\E`.
    Exists,
    /// `\AA`.
    TemporalForall,
    /// `\EE`.
    TemporalExists,
}

/// `/\` or `\/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    /// `/\`.
    And,
    /// `\/`.
    Or,
}

/// `[A]_v`, `<<A>>_v`, `WF_v(A)`, `SF_v(A)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscripted {
    /// `[A]_v`.
    Square,
    /// `<<A>>_v`.
    Angle,
    /// `WF_v(A)`.
    WeakFairness,
    /// `SF_v(A)`.
    StrongFairness,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number without a fraction; the digits without prefix, and the base.
    Number {
        /// Digits in `base`, lower case.
        digits: Arc<str>,
        /// 2, 8, 10 or 16.
        base: u32,
    },
    /// `1.5`.
    Decimal(Arc<str>),
    /// A string, escapes resolved.
    String(Arc<str>),
    /// A name without arguments: variable, constant, definition, parameter, `TRUE`, `Nat`, `@` ..., or an operator symbol
    /// that stands where an operator argument may (`F(+)`).
    Name(Ident),
    /// An application `Op(a, b)`, an infix, prefix or postfix one under its canonical name, a primed expression (`'`), and
    /// `\X` with all its operands.
    Apply {
        /// The operator's name.
        op: Ident,
        /// At least one.
        args: Vec<Expr>,
    },
    /// A name with `!`: `I!Op(x)`, `I(1)!J!Op`, `Op!1!<<`, `I!+(1, 2)`. At least two parts, the first a `Name`.
    Qualified(Vec<Selector>),
    /// A junction list, laid out by column. At least one item.
    Junction(Junction, Vec<Expr>),
    /// `\A x \in S, y \in T : e`, also unbounded and temporal.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// What is bound.
        bounds: Vec<Bound>,
        /// The body.
        body: Expr,
    },
    /// `CHOOSE x \in S : P`; the pattern binds one name or one tuple.
    Choose {
        /// What is chosen.
        bound: Bound,
        /// The condition.
        body: Expr,
    },
    /// `{a, b}`.
    SetEnum(Vec<Expr>),
    /// `{x \in S : P}`; the pattern binds one name or one tuple.
    SetFilter {
        /// What is filtered.
        bound: Bound,
        /// The condition.
        body: Expr,
    },
    /// `{e : x \in S, y \in T}`.
    SetMap {
        /// The element.
        body: Expr,
        /// The bounds.
        bounds: Vec<Bound>,
    },
    /// `<<a, b>>`.
    Tuple(Vec<Expr>),
    /// `[x \in S |-> e]`.
    Function {
        /// The bounds.
        bounds: Vec<Bound>,
        /// The value at a point.
        body: Expr,
    },
    /// `[S -> T]`.
    FunctionSet(Expr, Expr),
    /// `[a |-> 1, b |-> 2]`.
    Record(Vec<(Ident, Expr)>),
    /// `[a : S, b : T]`.
    RecordSet(Vec<(Ident, Expr)>),
    /// `[f EXCEPT ![a].b = e, ...]`.
    Except {
        /// The function.
        function: Expr,
        /// The updates, in order.
        updates: Vec<ExceptUpdate>,
    },
    /// `f[a]`, `f[a, b]`.
    FunctionApply {
        /// The function.
        function: Expr,
        /// At least one.
        args: Vec<Expr>,
    },
    /// `r.a`.
    Field {
        /// The record.
        record: Expr,
        /// The field.
        field: Ident,
    },
    /// `[A]_v`, `<<A>>_v`, `WF_v(A)`, `SF_v(A)`.
    Subscripted {
        /// Which.
        kind: Subscripted,
        /// A.
        action: Expr,
        /// v.
        subscript: Expr,
    },
    /// `IF c THEN t ELSE e`.
    If(Expr, Expr, Expr),
    /// `CASE a -> b [] c -> d [] OTHER -> e`.
    Case {
        /// The arms in order.
        arms: Vec<(Expr, Expr)>,
        /// OTHER.
        other: Option<Expr>,
    },
    /// `LET defs IN e`; units are definitions, instances and RECURSIVE.
    Let {
        /// The definitions.
        units: Vec<Unit>,
        /// The body.
        body: Expr,
    },
    /// `LAMBDA x, y : e`.
    Lambda {
        /// Its parameters.
        params: Vec<Ident>,
        /// The body.
        body: Expr,
    },
    /// `lab(x) :: e`.
    Label {
        /// The label.
        name: Ident,
        /// Its parameters.
        params: Vec<Ident>,
        /// The labelled expression.
        body: Expr,
    },
    /// `[a, b]`, which parses and means nothing.
    Bracketed(Vec<Expr>),
    /// An expression in parentheses (kept: `(a \X b) \X c` and `(a) => b` differ from what they look like without).
    Paren(Expr),
}

/// One `![a].b = e` of an EXCEPT.
#[derive(Clone, Debug)]
pub struct ExceptUpdate {
    /// The path, at least one step.
    pub path: Vec<ExceptStep>,
    /// The new value, in which `@` is the old one.
    pub value: Expr,
    /// The whole update.
    pub span: Span,
}

/// A step of an EXCEPT path.
#[derive(Clone, Debug)]
pub enum ExceptStep {
    /// `[a, b]`.
    Index(Vec<Expr>),
    /// `.a`.
    Field(Ident),
}
