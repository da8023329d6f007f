//! What the grammar's rules build: syntax trees, with the decisions that need a whole phrase.
//!
//! `{...}` is a filter if it begins with a bound, a map otherwise; `[... |-> ...]` is a record if a single name stands
//! before the arrow, a function otherwise. The builder also bounds how deep trees may become, so that whoever walks or
//! drops one needs no more stack than for [`MAX_NESTING`] levels.

use std::collections::HashMap;
use std::sync::Arc;

use crate::MAX_NESTING;
use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::fold::{self, Item};
use crate::hints;
use crate::modules::OpenModule;
use crate::proof::{self, FlatStep};
use crate::span::{SourceFile, Span};
use crate::token;

/// An expression before the precedence fold.
#[derive(Debug)]
pub(crate) struct Flat {
    pub(crate) items: Vec<Item>,
    pub(crate) span: Span,
}

/// One element of a list of bounds, before bare names are joined to the set that follows them.
#[derive(Debug)]
pub(crate) enum BoundElement {
    Name(Ident),
    Tuple(Vec<Ident>, Span),
    In(BoundPattern, Expr),
}

/// The state of one file's parse.
pub(crate) struct Builder<'s> {
    file: &'s SourceFile,
    names: HashMap<&'s str, Arc<str>>,
    symbols: HashMap<&'static str, Arc<str>>,
    /// Start and depth of the finished subtrees that have no parent yet, in textual order.
    pub(crate) depths: Vec<(u32, usize)>,
    pub(crate) open: Vec<OpenModule>,
    /// Steps of a proof are being read.
    pub(crate) in_proof: bool,
    /// The last PROOF that stood alone.
    pub(crate) proof_word: Span,
    told_too_deep: bool,
    pub(crate) modules: Vec<Module>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(file: &'s SourceFile, diagnostics: Vec<Diagnostic>) -> Builder<'s> {
        Builder {
            file,
            names: HashMap::new(),
            symbols: HashMap::new(),
            depths: Vec::new(),
            open: Vec::new(),
            in_proof: false,
            proof_word: Span::default(),
            told_too_deep: false,
            modules: Vec::new(),
            diagnostics,
        }
    }

    pub(crate) fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(4003, message, span));
    }

    pub(crate) fn definition(&mut self, head: (Ident, Vec<OpDecl>), body: DefinitionBody, span: Span) -> Definition {
        let (name, params) = head;
        Definition { local: false, name, params, body, span }
    }

    pub(crate) fn plain(&self, name: Ident) -> OpDecl {
        OpDecl { name, arity: 0 }
    }

    // Proofs.

    pub(crate) fn assume_prove(
        &mut self,
        boxed: bool,
        assumptions: Vec<AssumeItem>,
        goal: Expr,
        span: Span,
    ) -> Assertion {
        if self.deepen(span) {
            Assertion::AssumeProve { boxed, assumptions, goal, span }
        } else {
            Assertion::Expr(fold::missing(span))
        }
    }

    /// The name of a step that begins.
    pub(crate) fn step_begins(&mut self, span: Span) -> Ident {
        self.in_proof = true;
        self.step_name(span)
    }

    fn step_name(&mut self, span: Span) -> Ident {
        let file = self.file;
        self.interned(file.slice(span).trim_end_matches('.'), span)
    }

    /// A step referred to; one without a name cannot be, and outside of a proof's steps none.
    pub(crate) fn step_reference(&mut self, span: Span) -> Ident {
        let name = self.step_name(span);
        if !self.in_proof {
            self.error("a step is referred to outside of a proof", span);
        }
        if name.name.ends_with('>') {
            self.error("a step without a name cannot be referred to", span);
        }
        name
    }

    pub(crate) fn step(&mut self, name: Ident, kind: StepKind, tail: Option<Option<Proof>>, span: Span) -> FlatStep {
        self.check_step(&kind, tail.is_some(), span);
        let opens = matches!(tail, Some(None));
        FlatStep { step: Step { name, kind, proof: tail.flatten(), span }, opens }
    }

    /// The steps of a theorem's proof. Behind a proof without steps there are none.
    pub(crate) fn proof(&mut self, leaf: Option<Proof>, steps: Vec<FlatStep>) -> Option<Proof> {
        if let (Some(_), Some(first)) = (leaf, steps.first()) {
            self.error("the proof of this theorem has ended: a step cannot follow", first.step.name.span);
        }
        proof::nest(steps, &mut self.diagnostics)
    }

    /// The label before a nested ASSUME.
    pub(crate) fn label_name(&mut self, label: Expr) -> Option<Ident> {
        self.label_parts(label).map(|(name, _)| name)
    }

    // Names.

    fn interned(&mut self, text: &'s str, span: Span) -> Ident {
        let name = self.names.entry(text).or_insert_with(|| Arc::from(text)).clone();
        Ident { name, span }
    }

    pub(crate) fn ident(&mut self, span: Span) -> Ident {
        let file = self.file;
        self.interned(file.slice(span), span)
    }

    /// The text of a span.
    pub(crate) fn written(&self, span: Span) -> &'s str {
        self.file.slice(span)
    }

    pub(crate) fn symbol(&mut self, symbol: &'static str, span: Span) -> Ident {
        let name = self.symbols.entry(symbol).or_insert_with(|| Arc::from(symbol)).clone();
        Ident { name, span }
    }

    pub(crate) fn name(&mut self, mut selectors: Vec<Selector>, span: Span) -> Expr {
        let kind = match (selectors.len(), selectors.pop()) {
            (1, Some(Selector::Name { name, args })) if args.is_empty() => ExprKind::Name(name),
            (1, Some(Selector::Name { name, args })) => ExprKind::Apply { op: name, args },
            (_, last) => {
                selectors.extend(last);
                ExprKind::Qualified(selectors)
            }
        };
        self.expr(kind, span.start, span.end)
    }

    /// An argument: SANY takes each operator's sign for the operator but this.
    pub(crate) fn argument(&mut self, value: Expr) -> Expr {
        if let ExprKind::Name(name) = &*value.kind
            && &*name.name == "\\times"
            && self.file.slice(name.span).is_ascii()
        {
            self.error("`\\X` cannot stand for an operator", name.span);
        }
        value
    }

    pub(crate) fn at_selector(&self, selector: Selector) -> Selector {
        match selector {
            Selector::Name { name, args } if name.name.as_ref() == "@" && args.is_empty() => Selector::At(name.span),
            selector => selector,
        }
    }

    pub(crate) fn child_selector(&mut self, span: Span) -> Selector {
        match self.file.slice(span).parse() {
            Ok(n) => Selector::Child(n, span),
            Err(_) => {
                self.error("this selects no subexpression: the number is too large", span);
                Selector::Child(u32::MAX, span)
            }
        }
    }

    // Depth.

    /// The depth of the deepest finished subtree from `start` on. They become one.
    fn depth_from(&mut self, start: u32) -> usize {
        let mut depth = 0;
        while let Some(top) = self.depths.last().copied().filter(|d| d.0 >= start) {
            depth = depth.max(top.1);
            self.depths.pop();
        }
        self.depths.push((start, depth));
        depth
    }

    /// Records one more level around everything in `span`; false if that is too deep.
    fn deepen(&mut self, span: Span) -> bool {
        let mut depth = self.depth_from(span.start) + 1;
        let fits = depth <= MAX_NESTING;
        if !fits {
            depth = 1;
            self.too_deep(span);
        }
        self.depths.pop();
        self.depths.push((span.start, depth));
        fits
    }

    fn too_deep(&mut self, span: Span) {
        if !self.told_too_deep {
            self.told_too_deep = true;
            self.error(format!("expressions are nested deeper than the limit of {MAX_NESTING} levels"), span);
        }
    }

    // Expressions.

    pub(crate) fn expr(&mut self, kind: ExprKind, start: u32, end: u32) -> Expr {
        let span = Span::new(start, end);
        if self.deepen(span) { Expr { kind: Box::new(kind), span } } else { fold::missing(span) }
    }

    pub(crate) fn operand(&mut self, start: u32, expr: Expr) -> Item {
        Item::Operand(expr, self.depth_from(start).max(1))
    }

    pub(crate) fn prefix(&mut self, op: Ident) -> Item {
        let rest = self.file.text().get(op.span.end as usize..).unwrap_or("");
        if self.file.slice(op.span) == "-." && !rest.trim_start().starts_with('(') {
            self.error("`-.` names the negation; an expression has `-`", op.span);
        }
        Item::Prefix(op)
    }

    pub(crate) fn infix(&self, op: Ident) -> Item {
        Item::Infix(op)
    }

    pub(crate) fn postfix(&self, op: Ident) -> Item {
        Item::Postfix(op)
    }

    pub(crate) fn index(&mut self, args: Vec<Expr>, span: Span) -> Item {
        Item::Index(args, span, self.depth_from(span.start))
    }

    pub(crate) fn fold(&mut self, flat: Flat) -> Expr {
        self.fold_items(flat.items, flat.span)
    }

    fn fold_items(&mut self, items: Vec<Item>, span: Span) -> Expr {
        let mut folded = fold::fold(items, span);
        for error in &mut folded.errors {
            hints::advise_conflict(self.file, error);
        }
        self.diagnostics.extend(folded.errors);
        if folded.too_deep {
            self.too_deep(span);
        }
        let depth = self.depth_from(span.start).max(folded.depth);
        self.depths.pop();
        self.depths.push((span.start, depth));
        folded.expr
    }

    pub(crate) fn number(&mut self, span: Span) -> Expr {
        let text = self.file.slice(span);
        let (digits, base) = match text.as_bytes() {
            [b'\\', b'b' | b'B', ..] => (text.get(2..).unwrap_or(""), 2),
            [b'\\', b'o' | b'O', ..] => (text.get(2..).unwrap_or(""), 8),
            [b'\\', b'h' | b'H', ..] => (text.get(2..).unwrap_or(""), 16),
            _ => (text, 10),
        };
        let digits = Arc::from(digits.to_ascii_lowercase());
        self.expr(ExprKind::Number { digits, base }, span.start, span.end)
    }

    pub(crate) fn decimal(&mut self, span: Span) -> Expr {
        let text: String = self.file.slice(span).chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        self.expr(ExprKind::Decimal(Arc::from(text)), span.start, span.end)
    }

    pub(crate) fn string(&mut self, span: Span) -> Expr {
        let text = token::unescape(self.file.slice(span)).unwrap_or_else(|offset| {
            let at = span.start + offset as u32;
            self.error("unknown escape in a string: use \\\\ \\\" \\n \\t \\f or \\r", Span::new(at, at + 1));
            Arc::from("")
        });
        self.expr(ExprKind::String(text), span.start, span.end)
    }

    pub(crate) fn junction(&mut self, kind: Junction, first: Expr, rest: Vec<Expr>, span: Span) -> Expr {
        let items = std::iter::once(first).chain(rest).collect();
        self.expr(ExprKind::Junction(kind, items), span.start, span.end)
    }

    pub(crate) fn label(&mut self, label: Expr, body: Expr, span: Span) -> Expr {
        match self.label_parts(label) {
            Some((name, params)) => self.expr(ExprKind::Label { name, params, body }, span.start, span.end),
            None => body,
        }
    }

    fn label_parts(&mut self, label: Expr) -> Option<(Ident, Vec<Ident>)> {
        let span = label.span;
        let parts = match *label.kind {
            ExprKind::Name(name) => Some((name, Vec::new())),
            ExprKind::Apply { op, args } => names_of(&args).map(|params| (op, params)),
            // SANY looks at the last name only (tlaplus#885).
            ExprKind::Qualified(mut parts) => match parts.pop() {
                Some(Selector::Name { name, args }) => names_of(&args).map(|params| (name, params)),
                _ => None,
            },
            _ => None,
        };
        if parts.is_none() {
            self.error("expected a label before `::`: a name, perhaps with names in parentheses", span);
        }
        parts
    }

    // Bounds.

    pub(crate) fn bounds(&mut self, elements: Vec<BoundElement>) -> Vec<Bound> {
        let mut bounds = Vec::new();
        let mut bare: Vec<Ident> = Vec::new();
        for element in elements {
            match element {
                BoundElement::Name(name) => bare.push(name),
                BoundElement::Tuple(_, span) => self.error("expected `\\in` and a set after a tuple of names", span),
                BoundElement::In(BoundPattern::Names(names), set) => {
                    bare.extend(names);
                    bounds.push(Bound { pattern: BoundPattern::Names(std::mem::take(&mut bare)), set: Some(set) });
                }
                BoundElement::In(pattern, set) => {
                    if let Some(name) = bare.pop() {
                        self.error(format!("expected `\\in` and a set for `{}`", name.name), name.span);
                        bare.clear();
                    }
                    bounds.push(Bound { pattern, set: Some(set) });
                }
            }
        }
        match (bare.first(), bounds.is_empty()) {
            (Some(_), true) => bounds.push(Bound { pattern: BoundPattern::Names(bare), set: None }),
            (Some(name), false) => {
                let (message, span) = (format!("expected `\\in` and a set for `{}`", name.name), name.span);
                self.error(message, span);
            }
            (None, _) => {}
        }
        bounds
    }

    pub(crate) fn choose(&mut self, element: BoundElement, body: Expr, span: Span) -> Expr {
        let bound = match element {
            BoundElement::Name(name) => Bound { pattern: BoundPattern::Names(vec![name]), set: None },
            BoundElement::Tuple(names, _) => Bound { pattern: BoundPattern::Tuple(names), set: None },
            BoundElement::In(pattern, set) => Bound { pattern, set: Some(set) },
        };
        self.expr(ExprKind::Choose { bound, body }, span.start, span.end)
    }

    /// Reads a flat list as `x`, `x \in S` or `<<x, y>> \in S`, or gives it back.
    pub(crate) fn bound_element(&mut self, flat: Flat) -> Result<BoundElement, Flat> {
        let pattern = match flat.items.as_slice() {
            [Item::Operand(e, _)] => match e.kind.as_ref() {
                ExprKind::Name(name) if is_word(name) => return Ok(BoundElement::Name(name.clone())),
                _ => None,
            },
            [Item::Operand(e, _), Item::Infix(op), ..] if op.name.as_ref() == "\\in" => match e.kind.as_ref() {
                ExprKind::Name(name) if is_word(name) => Some(BoundPattern::Names(vec![name.clone()])),
                ExprKind::Tuple(parts) => {
                    names_of(parts).filter(|names| names.iter().all(is_word)).map(BoundPattern::Tuple)
                }
                _ => None,
            },
            _ => None,
        };
        let Some(pattern) = pattern else {
            return Err(flat);
        };
        let set: Vec<Item> = flat.items.into_iter().skip(2).collect();
        let start = match set.first() {
            Some(Item::Operand(e, _)) => e.span.start,
            Some(Item::Prefix(op)) => op.span.start,
            _ => flat.span.start,
        };
        Ok(BoundElement::In(pattern, self.fold_items(set, Span::new(start, flat.span.end))))
    }

    fn all_bounds(&mut self, flats: Vec<Flat>) -> Vec<Bound> {
        let mut elements = Vec::new();
        for flat in flats {
            match self.bound_element(flat) {
                Ok(element) => elements.push(element),
                Err(flat) => self.error("expected a bound: `x \\in S` or `<<x, y>> \\in S`", flat.span),
            }
        }
        let bounds = self.bounds(elements);
        for bound in &bounds {
            if let (None, BoundPattern::Names(names) | BoundPattern::Tuple(names)) = (&bound.set, &bound.pattern)
                && let Some(name) = names.first()
            {
                let (message, span) = (format!("expected `\\in` and a set for `{}`", name.name), name.span);
                self.error(message, span);
            }
        }
        bounds
    }

    // Braces and brackets.

    pub(crate) fn comprehension(&mut self, left: Flat, mut right: Vec<Flat>, span: Span) -> Expr {
        let kind = match self.bound_element(left) {
            Ok(BoundElement::In(pattern, set)) => {
                let body = match (right.pop(), right.is_empty()) {
                    (Some(body), true) => self.fold(body),
                    (body, _) => {
                        self.error("expected `}`: a set of filtered elements has one condition", span);
                        fold::missing(body.map_or(span, |b| b.span))
                    }
                };
                ExprKind::SetFilter { bound: Bound { pattern, set: Some(set) }, body }
            }
            Ok(BoundElement::Name(name)) => {
                let body = Expr { span: name.span, kind: Box::new(ExprKind::Name(name)) };
                ExprKind::SetMap { body, bounds: self.all_bounds(right) }
            }
            Ok(BoundElement::Tuple(_, span)) => return fold::missing(span),
            Err(left) => {
                let body = self.fold(left);
                // SANY's parser tells a filter by the outermost operator, and takes `{<<` before `\in` for one in any case.
                let tuple = body.leading_member().is_some_and(|(left, _)| matches!(&*left.kind, ExprKind::Tuple(_)));
                if tuple || matches!(&*body.kind, ExprKind::Apply { op, .. } if &*op.name == "\\in") {
                    let message =
                        "in `{a \\in S : P}` a must be a name, or a tuple of names; put `a \\in S` in parentheses";
                    self.error(message, body.span);
                }
                ExprKind::SetMap { body, bounds: self.all_bounds(right) }
            }
        };
        self.expr(kind, span.start, span.end)
    }

    pub(crate) fn function_or_record(
        &mut self,
        mut left: Vec<Flat>,
        value: Expr,
        rest: Vec<(Flat, Expr)>,
        span: Span,
    ) -> Expr {
        if let [only] = left.as_slice()
            && matches!(only.items.as_slice(), [Item::Operand(e, _)] if matches!(*e.kind, ExprKind::Name(_)))
            && let Some(only) = left.pop()
        {
            let fields = self.fields(only, value, rest);
            return self.expr(ExprKind::Record(fields), span.start, span.end);
        }
        if let Some((field, _)) = rest.first() {
            self.error("expected `]`: a function has one value after `|->`", field.span);
        }
        let bounds = self.all_bounds(left);
        self.expr(ExprKind::Function { bounds, body: value }, span.start, span.end)
    }

    pub(crate) fn record_set(&mut self, field: Flat, set: Expr, rest: Vec<(Flat, Expr)>, span: Span) -> Expr {
        let fields = self.fields(field, set, rest);
        self.expr(ExprKind::RecordSet(fields), span.start, span.end)
    }

    fn fields(&mut self, first: Flat, value: Expr, rest: Vec<(Flat, Expr)>) -> Vec<(Ident, Expr)> {
        let mut fields = Vec::with_capacity(rest.len() + 1);
        for (flat, value) in std::iter::once((first, value)).chain(rest) {
            let span = flat.span;
            match self.bound_element(flat) {
                Ok(BoundElement::Name(name)) => fields.push((name, value)),
                _ => self.error("expected the name of a field", span),
            }
        }
        fields
    }
}

/// The names in a list of expressions, if they are nothing else.
fn names_of(parts: &[Expr]) -> Option<Vec<Ident>> {
    parts
        .iter()
        .map(|e| match e.kind.as_ref() {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// A name, not an operator's sign: only that can be a field or be bound.
pub(crate) fn is_word(name: &Ident) -> bool {
    name.name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@'))
}
