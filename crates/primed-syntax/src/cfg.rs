//! TLC's configuration files.
//!
//! TLC reads them with the lexer of the language, so both kinds of comment work, and it ends the file without a word at
//! a character that the lexer rejects. The error numbers are TLC's.

use std::sync::Arc;

use lalrpop_util::ParseError;

use crate::MAX_NESTING;
use crate::ast::Ident;
use crate::cfg_grammar;
use crate::diagnostic::Diagnostic;
use crate::layout::Problem;
use crate::nearest;
use crate::span::{SourceFile, Span};
use crate::token::{self, Extent, Lexeme, Tok};

/// TLC's code for other errors.
const GENERAL: u32 = 5002;
/// TLC's code for a keyword at the end of the file.
const MISSING_NAME: u32 = 5003;
/// TLC's code for a keyword that may stand once.
const TWICE: u32 = 5004;
/// TLC's code for a missing name after `<-` or `[`.
const EXPECTED_NAME: u32 = 5005;
/// TLC's code for another symbol than the expected one.
const EXPECTED_SYMBOL: u32 = 5006;

/// A configuration, as written.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names are the keywords")]
pub struct Config {
    pub init: Option<Ident>,
    pub next: Option<Ident>,
    pub specification: Option<Ident>,
    pub invariants: Vec<Ident>,
    pub properties: Vec<Ident>,
    pub constraints: Vec<Ident>,
    pub action_constraints: Vec<Ident>,
    pub symmetry: Option<Ident>,
    pub view: Option<Ident>,
    pub alias: Option<Ident>,
    pub postconditions: Vec<Ident>,
    pub check_deadlock: Option<bool>,
    pub periodic: Option<Ident>,
    pub rl_reward: Option<Ident>,
    pub possible: Vec<Ident>,
    pub constants: Vec<ConstantEntry>,
}

/// One assignment below CONSTANT.
#[derive(Clone, Debug)]
pub struct ConstantEntry {
    /// What gets a value; `A!B` is kept as text.
    pub target: Ident,
    /// The arguments of `F(1, 2) = v`, empty otherwise.
    pub args: Vec<CfgValue>,
    /// The module of `C = [M]v` or `C <- [M]D`.
    pub module: Option<Ident>,
    /// The value.
    pub value: ConstantValue,
    /// The whole assignment.
    pub span: Span,
}

/// The right side of an assignment.
#[derive(Clone, Debug)]
pub enum ConstantValue {
    /// After `=`.
    Value(CfgValue),
    /// After `<-`.
    Definition(Ident),
}

/// A value as a configuration can write it.
#[derive(Clone, Debug)]
pub enum CfgValue {
    /// A decimal number.
    Int(i64),
    /// A string, as written: TLC does not resolve escapes here.
    String(Arc<str>),
    /// TRUE or FALSE.
    Bool(bool),
    /// `{a, b}`.
    Set(Vec<CfgValue>),
    /// Any other token: the model value of that name.
    Model(Ident),
}

/// The terminals of `grammar/cfg.lalrpop`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CfgTok {
    One(OneKeyword),
    Many(ManyKeyword),
    CheckDeadlock,
    Constant,
    True,
    False,
    Number,
    Str,
    Eq,
    Gets,
    Bang,
    Comma,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Word,
}

/// Keywords that take one name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OneKeyword {
    Init,
    Next,
    Specification,
    Symmetry,
    View,
    Alias,
    Periodic,
    RlReward,
}

/// Keywords that take any number of names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ManyKeyword {
    Invariant,
    Property,
    Constraint,
    ActionConstraint,
    Postcondition,
    Possible,
}

/// Reads a configuration. What could be read is returned also beside errors; only the first syntax error is reported,
/// as TLC does.
pub fn parse_config(file: &SourceFile) -> (Config, Vec<Diagnostic>) {
    let (mut tokens, rejected) = token::lex(file, Extent::Everything);
    // TLC: a character that the lexer rejects ends the file.
    if let Some(end) = rejected.iter().map(|d| d.span.start).min() {
        tokens.retain(|t| t.span.start < end);
    }
    let words: Vec<(u32, CfgTok, u32)> = tokens.iter().flat_map(|t| words(file, t)).collect();
    let mut reader = Reader { file, config: Config::default(), diagnostics: Vec::new(), depths: Vec::new() };
    let input = words.iter().copied().map(Ok::<_, Problem>);
    if let Err(error) = cfg_grammar::ConfigParser::new().parse(&mut reader, input) {
        reader.diagnostics.push(explain(file, &words, error));
    }
    (reader.config, reader.diagnostics)
}

/// The tokens that TLC makes of one: for it a number with a point is three.
fn words(file: &SourceFile, token: &Lexeme) -> Vec<(u32, CfgTok, u32)> {
    let Span { start, end } = token.span;
    let point = match token.tok {
        Tok::Decimal => file.slice(token.span).find('.').map(|at| start + at as u32),
        _ => None,
    };
    let Some(point) = point else { return vec![(start, word(file, token), end)] };
    let parts = [(start, CfgTok::Number, point), (point, CfgTok::Word, point + 1), (point + 1, CfgTok::Number, end)];
    parts.into_iter().filter(|(from, _, to)| from < to).collect()
}

fn word(file: &SourceFile, token: &Lexeme) -> CfgTok {
    match token.tok {
        Tok::Number => CfgTok::Number,
        Tok::Str => CfgTok::Str,
        Tok::Gets => CfgTok::Gets,
        Tok::Bang => CfgTok::Bang,
        Tok::Comma => CfgTok::Comma,
        Tok::LParen => CfgTok::LParen,
        Tok::RParen => CfgTok::RParen,
        Tok::LBracket => CfgTok::LBracket,
        Tok::RBracket => CfgTok::RBracket,
        Tok::LBrace => CfgTok::LBrace,
        Tok::RBrace => CfgTok::RBrace,
        _ => keyword(file.slice(token.span)),
    }
}

/// The words that begin an entry of a configuration.
const KEYWORDS: &[(&str, CfgTok)] = &[
    ("INIT", CfgTok::One(OneKeyword::Init)),
    ("NEXT", CfgTok::One(OneKeyword::Next)),
    ("SPECIFICATION", CfgTok::One(OneKeyword::Specification)),
    ("SYMMETRY", CfgTok::One(OneKeyword::Symmetry)),
    ("VIEW", CfgTok::One(OneKeyword::View)),
    ("ALIAS", CfgTok::One(OneKeyword::Alias)),
    ("_PERIODIC", CfgTok::One(OneKeyword::Periodic)),
    ("_RL_REWARD", CfgTok::One(OneKeyword::RlReward)),
    ("INVARIANT", CfgTok::Many(ManyKeyword::Invariant)),
    ("INVARIANTS", CfgTok::Many(ManyKeyword::Invariant)),
    ("PROPERTY", CfgTok::Many(ManyKeyword::Property)),
    ("PROPERTIES", CfgTok::Many(ManyKeyword::Property)),
    ("CONSTRAINT", CfgTok::Many(ManyKeyword::Constraint)),
    ("CONSTRAINTS", CfgTok::Many(ManyKeyword::Constraint)),
    ("ACTION_CONSTRAINT", CfgTok::Many(ManyKeyword::ActionConstraint)),
    ("ACTION_CONSTRAINTS", CfgTok::Many(ManyKeyword::ActionConstraint)),
    ("POSTCONDITION", CfgTok::Many(ManyKeyword::Postcondition)),
    ("POSTCONDITIONS", CfgTok::Many(ManyKeyword::Postcondition)),
    ("_POSSIBLE", CfgTok::Many(ManyKeyword::Possible)),
    ("CHECK_DEADLOCK", CfgTok::CheckDeadlock),
    ("CONSTANT", CfgTok::Constant),
    ("CONSTANTS", CfgTok::Constant),
];

/// The words that begin an entry of a configuration: one that is misspelt is taken for a name of the entry before it.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(word, _)| *word)
}

fn keyword(text: &str) -> CfgTok {
    match text {
        "TRUE" => CfgTok::True,
        "FALSE" => CfgTok::False,
        "=" => CfgTok::Eq,
        _ => KEYWORDS.iter().find(|(word, _)| *word == text).map_or(CfgTok::Word, |(_, token)| *token),
    }
}

/// What the grammar's rules fill in.
pub(crate) struct Reader<'s> {
    file: &'s SourceFile,
    config: Config,
    diagnostics: Vec<Diagnostic>,
    /// Start and depth of the finished sets that have no parent yet.
    depths: Vec<(u32, usize)>,
}

impl Reader<'_> {
    fn error(&mut self, code: u32, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(code, message, span));
    }

    fn twice(&mut self, keyword: Span) {
        let text = self.file.slice(keyword).to_owned();
        self.error(TWICE, format!("The keyword {text} appeared twice."), keyword);
    }

    pub(crate) fn ident(&mut self, span: Span) -> Ident {
        // `A ! B` and comments in between: only the words and the sign are the name.
        let text = self.file.slice(span);
        let plain = !text.contains(|c: char| c.is_whitespace() || c == '*');
        let name = if plain || !text.contains('!') { Arc::from(text) } else { self.joined(span) };
        Ident { name, span }
    }

    fn joined(&self, span: Span) -> Arc<str> {
        let part = SourceFile::new("", self.file.slice(span));
        let (tokens, _) = token::lex(&part, Extent::Everything);
        Arc::from(tokens.iter().map(|t| part.slice(t.span)).collect::<String>())
    }

    pub(crate) fn one(&mut self, keyword: OneKeyword, span: Span, name: Ident) {
        let slot = match keyword {
            OneKeyword::Init => &mut self.config.init,
            OneKeyword::Next => &mut self.config.next,
            OneKeyword::Specification => &mut self.config.specification,
            OneKeyword::Symmetry => &mut self.config.symmetry,
            OneKeyword::View => &mut self.config.view,
            OneKeyword::Alias => &mut self.config.alias,
            OneKeyword::Periodic => &mut self.config.periodic,
            OneKeyword::RlReward => &mut self.config.rl_reward,
        };
        if slot.replace(name).is_some() {
            self.twice(span);
        }
    }

    pub(crate) fn many(&mut self, keyword: ManyKeyword, names: Vec<Ident>) {
        let list = match keyword {
            ManyKeyword::Invariant => &mut self.config.invariants,
            ManyKeyword::Property => &mut self.config.properties,
            ManyKeyword::Constraint => &mut self.config.constraints,
            ManyKeyword::ActionConstraint => &mut self.config.action_constraints,
            ManyKeyword::Postcondition => &mut self.config.postconditions,
            ManyKeyword::Possible => &mut self.config.possible,
        };
        list.extend(names);
    }

    pub(crate) fn check_deadlock(&mut self, span: Span, value: bool) {
        if self.config.check_deadlock.replace(value).is_some() {
            self.twice(span);
        }
    }

    pub(crate) fn constant(
        &mut self,
        target: Ident,
        args: Option<Vec<CfgValue>>,
        module: Option<Ident>,
        value: ConstantValue,
        span: Span,
    ) {
        self.depths.clear();
        self.config.constants.push(ConstantEntry { target, args: args.unwrap_or_default(), module, value, span });
    }

    pub(crate) fn number(&mut self, span: Span) -> CfgValue {
        let text = self.file.slice(span);
        match text.parse::<i32>() {
            Ok(n) => CfgValue::Int(n.into()),
            Err(_) => {
                let message = format!("`{text}` is not a number that TLC can represent");
                self.error(GENERAL, message, span);
                CfgValue::Int(0)
            }
        }
    }

    pub(crate) fn string(&mut self, span: Span) -> CfgValue {
        let text = self.file.slice(span);
        let inner = text.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or(text);
        CfgValue::String(Arc::from(inner))
    }

    /// A set, unless it is nested too deep.
    pub(crate) fn set(&mut self, elements: Vec<CfgValue>, span: Span) -> CfgValue {
        let mut depth = 1;
        while let Some(inner) = self.depths.pop_if(|d| d.0 >= span.start) {
            depth = depth.max(inner.1 + 1);
        }
        if depth > MAX_NESTING {
            self.error(GENERAL, format!("sets are nested deeper than the limit of {MAX_NESTING} levels"), span);
            return CfgValue::Set(Vec::new());
        }
        self.depths.push((span.start, depth));
        CfgValue::Set(elements)
    }
}

/// TLC's words for a syntax error; what it adds about the line is known from the place.
fn explain(file: &SourceFile, words: &[(u32, CfgTok, u32)], error: ParseError<u32, CfgTok, Problem>) -> Diagnostic {
    let (span, expected) = match error {
        ParseError::User { error } => return Diagnostic::error(GENERAL, error.message, error.span),
        ParseError::InvalidToken { location } => (Span::new(location, location), Vec::new()),
        ParseError::UnrecognizedEof { location, expected } => (Span::new(location, location), expected),
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => (Span::new(start, end), expected),
        ParseError::ExtraToken { token: (start, _, end) } => (Span::new(start, end), Vec::new()),
    };
    let expects = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
    let before = words.iter().rev().filter(|w| w.2 <= span.start);
    let symbol = if expects("number") || (expects("TRUE") && span.start == span.end) {
        match missing(file, before.copied().take(4).collect(), span) {
            Ok(diagnostic) => return diagnostic,
            Err(symbol) => symbol,
        }
    } else if expects("=") || expects("<-") {
        "= or <-"
    } else if expects("]") {
        "]"
    } else if expects("}") {
        "}"
    } else if expects(")") {
        return Diagnostic::error(GENERAL, "The arguments before it are not closed.", span);
    } else if expects("TRUE") {
        "TRUE or FALSE"
    } else {
        "a keyword"
    };
    let (found, booleans) = (file.slice(span), ["TRUE", "FALSE"].into_iter());
    let help = match symbol {
        "a keyword" => nearest(found, keywords()),
        "TRUE or FALSE" => nearest(found, booleans),
        _ => None,
    };
    let message = format!("It was expecting {symbol}, but did not find it.");
    Diagnostic { help, ..Diagnostic::error(EXPECTED_SYMBOL, message, span) }
}

/// The file ends where any token can stand; `before` are the last ones, the last first. If no name is missing, it is what TLC
/// says it expects.
fn missing(file: &SourceFile, before: Vec<(u32, CfgTok, u32)>, span: Span) -> Result<Diagnostic, &'static str> {
    let signs: Vec<CfgTok> = before.iter().map(|w| w.1).collect();
    let sign = match signs[..] {
        [CfgTok::Gets, ..] => "<-",
        [CfgTok::LBracket, CfgTok::Gets, ..] => "<-[",
        [CfgTok::LBracket, CfgTok::Eq, ..] => "=[",
        [CfgTok::RBracket, _, CfgTok::LBracket, CfgTok::Gets] => "<-[mod]",
        [CfgTok::Bang, ..] => return Err("= or <-"),
        [CfgTok::One(_) | CfgTok::CheckDeadlock, ..] => {
            let keyword = before.first().map_or("", |w| file.slice(Span::new(w.0, w.2)));
            let message = format!("The keyword {keyword} was not followed by an identifier.");
            return Ok(Diagnostic::error(MISSING_NAME, message, span));
        }
        _ => return Err("a value"),
    };
    Ok(Diagnostic::error(EXPECTED_NAME, format!("Expected an identifier after {sign}."), span))
}
