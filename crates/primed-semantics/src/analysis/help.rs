//! What to do about a complaint, by its code, and the places that explain it.

use primed_syntax::diagnostic::Note;

use super::graph::{Kind, Node, Spot, Sym, SymbolKind};
use super::table::{Analyser, Later};
use crate::suggest;

/// What is said of a code.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), allow(dead_code, reason = "why there is no fixed advice is for readers and the test"))]
pub(crate) enum Help {
    /// Always the same advice.
    Says(&'static str),
    /// The advice depends on the text; this says where it is made.
    Made(&'static str),
    /// None, for this reason.
    Silent(&'static str),
}

use Help::{Made, Says, Silent};

const OTHER_NAME: &str = "no name may get a second meaning, not even as a parameter or bound name: choose another name";
const LEVELS: &str = "a constant has level 0, a state function 1, an action (with primes) 2, a temporal formula 3";

/// Every code that the analysis gives.
pub(crate) const TABLE: &[(u32, Help)] = &[
    (4003, Made("the parser's hints; an internal error has no advice")),
    (4004, Made("`unresolved_sign`; the rest says what is wanted")),
    (4005, Silent("the message says which selector cannot be followed; what was meant cannot be guessed")),
    (4200, Made("`unknown_name`")),
    (4201, Says(OTHER_NAME)),
    (4202, Says("operators of the language cannot be defined anew: choose another name")),
    (4203, Says("say which of its definitions is meant: `I!Op`")),
    (4204, Made("`wrong_arity`")),
    (4205, Says(LEVELS)),
    (4206, Says("an assumption speaks of constants only: no variables, primes or temporal operators")),
    (4220, Says("put its file beside this one, or name its folder with --library")),
    (4221, Says("give the file and the module the same name")),
    (4222, Says("move what both need into a third module that both extend")),
    (4223, Says("give one of the modules another name")),
    (4224, Says("rename one of the two, or take one of the modules out of EXTENDS")),
    (4240, Made("`missing_substitution`")),
    (4241, Says("leave one of them out")),
    (4242, Says("before `<-` stands a CONSTANT or VARIABLE that the instantiated module declares")),
    (4243, Says("write the name of an operator with that many parameters, or a LAMBDA")),
    (
        4244,
        Says("an operator that primes its argument, or puts it under ENABLED, cannot stand for a constant operator"),
    ),
    (4245, Says("what stands for a CONSTANT must be constant, for a VARIABLE at most a state function")),
    (4246, Says(LEVELS)),
    (4247, Says(LEVELS)),
    (4260, Says("apply it to as many arguments as its definition has parameters, or to one tuple of them")),
    (4261, Says("`@` is the old value, only on the right side of `![...] =` in an EXCEPT")),
    (4262, Says("each field stands once")),
    (4270, Says("write an operator's name or a LAMBDA")),
    (4271, Says("the operator passed must have as many parameters as the one it stands for")),
    (4272, Says(LEVELS)),
    (4273, Says(LEVELS)),
    (4274, Says("give the LAMBDA as many parameters as the operator that it stands for")),
    (4275, Says("a LAMBDA is only an argument: define an operator in a LET instead")),
    (4290, Says("a recursive operator cannot prime its parameter: pass the primed value as an argument")),
    (4291, Says("define it below its RECURSIVE declaration, or take the declaration out")),
    (4292, Says("declare as many `_` as the definition has parameters; a function is declared without any")),
    (4293, Says("RECURSIVE and the definition stand in the same module or the same LET")),
    (4294, Says("move it before the RECURSIVE declaration or behind the last definition that it declares")),
    (4310, Says("write `[][A]_v`: a step that leaves `v` as it is must be allowed")),
    (4311, Says("write `<><<A>>_v`: the step must change `v`")),
    (4312, Says("an action stands as `[][A]_v` or `<><<A>>_v` in a temporal formula")),
    (4313, Says("an action stands as `[][A]_v` or `<><<A>>_v` in a temporal formula")),
    (4314, Says("the set must not have primes")),
    (4315, Says("the set must not be a temporal formula")),
    (4330, Says("each parameter of a label stands once")),
    (4331, Says("a label has exactly the bound names around it as parameters")),
    (4332, Says("a label has exactly the bound names around it as parameters")),
    (4333, Says("move the label into a definition or a step of a proof")),
    (4334, Says("leave the label out")),
    (4335, Says("leave the label out")),
    (4336, Says("give one of the labels another name")),
    (4337, Says("give as many arguments as the label has parameters")),
    (4350, Says("give the step a number of its own: `<1>2.`")),
    (4351, Says("only a step that states a formula can be used as one")),
    (4352, Says("the formula must not be temporal here")),
    (4353, Says("the formula must not be temporal here")),
    (4354, Says("the formula must not be temporal here")),
    (4355, Says("write the implication instead: `assumption => goal`")),
    (4356, Says("a set is no temporal formula")),
    (4357, Says("name the theorem, assumption or step")),
    (4800, Says("rename one of the two: the first is used")),
    (4801, Says("take one of the two out")),
    (4802, Says("a field's name is a string and has nothing to do with the definition: rename one of the two")),
    (4803, Says("translate the PlusCal algorithm again")),
    (4804, Says("translate the PlusCal algorithm again")),
    (4805, Says("translate the PlusCal algorithm again; what was changed by hand is lost")),
];

/// The advice that a code always has.
pub(crate) fn always(code: u32) -> Option<&'static str> {
    match TABLE.iter().find(|(c, _)| *c == code)?.1 {
        Says(text) => Some(text),
        Made(_) | Silent(_) => None,
    }
}

/// How many unknown names are compared with all known ones.
const MAX_COMPARED: usize = 200;

/// The words for levels.
pub(crate) const LEVEL_WORDS: [&str; 4] = ["constant", "state", "action", "temporal"];

impl Analyser {
    /// Adds advice to the complaint that was just made, if it was new.
    pub(crate) fn advise(&mut self, help: Option<String>) {
        if let (true, Some(help), Some(last)) = (self.fresh, help, self.messages.last_mut()) {
            last.diagnostic.help = Some(help);
        }
    }

    /// Adds a place to the complaint that was just made, if it was new.
    pub(crate) fn note(&mut self, spot: Spot, message: impl Into<String>) {
        let source = self.sources.get(spot.file as usize).cloned();
        if let (true, Some(last)) = (self.fresh, self.messages.last_mut()) {
            let file = source.filter(|_| spot.file != last.file);
            last.diagnostic.notes.push(Note { message: message.into(), span: spot.span, file });
        }
    }

    /// Shows where a symbol comes from.
    pub(crate) fn note_symbol(&mut self, sym: Sym, message: &str) {
        let symbol = self.graph.symbol(sym);
        if symbol.kind == SymbolKind::Builtin {
            return;
        }
        let mut spot = symbol.spot;
        // Of a definition the head is enough.
        let text = self.sources.get(spot.file as usize).map_or("", |f| f.slice(spot.span));
        let head = text.split("==").next().unwrap_or(text).lines().next().unwrap_or("").trim_end();
        spot.span.end = spot.span.start + head.len() as u32;
        self.note(spot, message);
    }

    /// Advice for a name that means nothing: it comes later, a module has it, or another name is near.
    pub(crate) fn unknown_name(&mut self, name: &str) {
        if !self.fresh || self.compared >= MAX_COMPARED {
            return;
        }
        self.compared += 1;
        if let Some(Later { span, declared }) = self.later.get(name).copied() {
            let (help, note) = match declared {
                true => ("a declaration comes before its use: move it up", "declared later, here"),
                false => ("a definition comes before its use: move it up, or declare it RECURSIVE", "defined here"),
            };
            self.advise(Some(help.into()));
            return self.note(self.spot(span), format!("`{name}` is {note}"));
        }
        let known = self.contexts.iter().flat_map(|c| c.symbols.keys()).filter(|k| !k.starts_with('$'));
        let help = suggest::help(name, known).or_else(|| {
            let word = primed_syntax::reserved_in_capitals(name)?;
            Some(format!("`{word}` is a word of the language, in capitals"))
        });
        let help = help.or_else(|| self.after_comment_mark().then(|| suggest::COMMENTS.to_owned()));
        self.advise(help);
    }

    /// Whether the complaint that was just made is about a name behind `#`, which begins comments elsewhere.
    fn after_comment_mark(&self) -> bool {
        let Some(last) = self.messages.last() else { return false };
        let text =
            self.sources.get(last.file as usize).and_then(|f| f.text().get(..last.diagnostic.span.start as usize));
        text.is_some_and(|t| t.trim_end_matches(' ').ends_with(" #"))
    }

    /// The operator takes another number of arguments.
    pub(crate) fn wrong_arity(&mut self, sym: Sym, given: usize) {
        let arity = self.graph.symbol(sym).arity.max(0);
        let s = if arity == 1 { "" } else { "s" };
        let function = self.graph.symbol(sym).body.map(|b| self.graph.operator_name(b).to_owned());
        let function = function.is_some_and(|f| f == "$NonRecursiveFcnSpec" || f == "$RecursiveFcnSpec");
        self.advise(Some(match function {
            true => "it is a function: apply it with brackets, `f[x]`".into(),
            false => format!("it takes {arity} argument{s}, here are {given}"),
        }));
        self.note_symbol(sym, "defined here");
    }

    /// Nothing stands for a declared name of an instantiated module.
    pub(crate) fn missing_substitution(&mut self, target: Sym, module: &str, with: bool) {
        let symbol = self.graph.symbol(target);
        let (name, arity) = (symbol.name.clone(), symbol.arity);
        let what = if arity > 0 { "an operator" } else { "an expression" };
        let word = if with { "add" } else { "add WITH" };
        self.advise(Some(format!("{word} `{name} <- ...` ({what}) to INSTANCE {module}, or declare `{name}` here")));
        self.note_symbol(target, "declared here");
    }

    /// Shows which part of a node makes it of a level.
    pub(crate) fn note_level(&mut self, node: Node, level: u8) {
        if !self.fresh {
            return;
        }
        let part = self.part_of_level(node, level);
        let word = LEVEL_WORDS.get(level as usize).copied().unwrap_or("temporal");
        self.note(self.graph.spot(part), format!("this is of {word} level ({level})"));
    }

    /// The innermost, leftmost part that has at least this level.
    fn part_of_level(&self, node: Node, level: u8) -> Node {
        let high = |n: &Node| {
            self.graph
                .levels
                .get(n.0 as usize)
                .is_some_and(|known| known.as_ref().is_some_and(|(_, info)| info.level >= level))
        };
        let mut node = node;
        // Nodes are made from the inside out, so the walk ends; the bound is for safety.
        for _ in 0..self.graph.nodes.len() {
            let parts: Vec<Node> = match self.graph.kind(node) {
                Kind::Apply { args, ranges, .. } => args.iter().chain(ranges).copied().collect(),
                Kind::Let { body, .. } | Kind::Label { body, .. } => vec![*body],
                _ => Vec::new(),
            };
            match parts.into_iter().find(high) {
                Some(part) if part != node => node = part,
                _ => break,
            }
        }
        node
    }
}

/// Advice for an operator's sign that no module in sight defines.
pub(crate) fn unresolved_sign(name: &str) -> Option<String> {
    let text = match name {
        ":=" => "`:=` is assignment in PlusCal; in TLA+ an action says `x' = ...`",
        "&&" | "&" => "conjunction is written `/\\`",
        "||" | "|" => "disjunction is written `\\/`",
        "//" => "integer division is written `\\div`, a comment `\\* ...`",
        _ => return suggest::home(name),
    };
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Four digits that begin with 4, standing alone in source text.
    fn codes(text: &str) -> impl Iterator<Item = u32> + '_ {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|w| w.len() == 4 && w.starts_with('4')).filter_map(|w| w.parse().ok())
    }

    #[test]
    fn every_code_has_help_or_a_reason_for_none() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analysis");
        let mut found = BTreeSet::new();
        for entry in std::fs::read_dir(&folder).expect("the sources are there") {
            let path = entry.expect("a file").path();
            if path.file_name().is_some_and(|n| n != "help.rs") && path.is_file() {
                found.extend(codes(&std::fs::read_to_string(&path).expect("it is text")));
            }
        }
        let told: BTreeSet<u32> = TABLE.iter().map(|(code, _)| *code).collect();
        assert!(found.len() > 50, "only {found:?}");
        let untold: Vec<&u32> = found.difference(&told).filter(|c| (4003..4900).contains(*c)).collect();
        assert!(untold.is_empty(), "no help for {untold:?}");
        assert_eq!(told.len(), TABLE.len(), "a code stands twice");
    }

    #[test]
    fn help_is_a_short_phrase() {
        for (code, help) in TABLE {
            let (Says(text) | Made(text) | Silent(text)) = help;
            assert!(!text.is_empty() && !text.ends_with('.') && text.len() <= 110, "{code}: {text}");
        }
    }
}
