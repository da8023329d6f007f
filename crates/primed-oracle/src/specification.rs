//! A specification as it is put before TLC: its modules and what is configured.

use std::ffi::OsString;

use primed_syntax::ast::Ident;
use primed_syntax::cfg::{Config, parse_config};
use primed_syntax::span::SourceFile;

use crate::find::Tools;
use crate::read::Run;
use crate::run::Bounds;
use crate::scratch::Scratch;
use crate::trouble::Trouble;

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, which is that of its file.
    pub name: String,
    /// The file.
    pub text: String,
    /// It is one of Primed's own, to be used where TLC does not bring its own along.
    pub own: bool,
}

/// Modules and a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    /// The root module first.
    pub modules: Vec<Module>,
    /// The configuration.
    pub config: String,
    /// Operators that TLC may not be asked about: what it does by them nobody has allowed.
    pub forbidden: Vec<Forbidden>,
}

/// An operator of a standard module by which TLC does something outside of the evaluation; it does so without being allowed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The module.
    pub module: &'static str,
    /// The operator.
    pub operator: &'static str,
    /// What TLC would do, and what would let it.
    pub why: &'static str,
}

/// Operators whose meaning is not in their definitions: without TLC's own module there is nothing to evaluate.
const WITHOUT_MEANING: &[(&str, &[&str])] = &[
    ("Json", &["ToJson", "ndJsonDeserialize", "ndJsonSerialize", "JsonDeserialize", "JsonSerialize"]),
    (
        "IOUtils",
        &[
            "IOEnv",
            "IOExec",
            "IOEnvExec",
            "IOExecTemplate",
            "IOEnvExecTemplate",
            "IOSerialize",
            "IODeserialize",
            "Serialize",
            "Deserialize",
        ],
    ),
    ("CSV", &["CSVWrite", "CSVRecords", "CSVRead", "CSVWriteRecord"]),
    (
        "TLCExt",
        &[
            "AssertError",
            "TLCGetOrDefault",
            "TLCGetAndSet",
            "Trace",
            "CounterExample",
            "ToTrace",
            "TLCModelValue",
            "PickSuccessor",
            "TLCFP",
            "TLCEvalDefinition",
        ],
    ),
];

impl Specification {
    /// The root module's name.
    pub fn root(&self) -> &str {
        self.modules.first().map_or("", |m| &m.name)
    }

    /// The modules that are the user's.
    pub fn users(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().filter(|m| !m.own)
    }

    /// Whether a word occurs in the user's modules, comments included.
    pub fn mentions(&self, word: &str) -> bool {
        self.users().any(|module| has_word(&module.text, word))
    }

    /// Whether the user's modules have characters that old versions of SANY do not read.
    pub fn is_ascii(&self) -> bool {
        self.users().all(|module| module.text.is_ascii())
    }

    /// The configuration, read.
    pub fn parsed_config(&self) -> Config {
        parse_config(&SourceFile::new("configuration", self.config.clone())).0
    }

    /// Why this TLC cannot judge the specification, if it cannot.
    pub fn beyond(&self, tools: &Tools) -> Option<String> {
        let version = tools.version();
        if let Some(Forbidden { operator, why, .. }) = self.effect() {
            return Some(format!("the specification has `{operator}`, by which TLC {why}"));
        }
        for (module, operators) in WITHOUT_MEANING {
            let used = self.modules.iter().any(|m| m.name == *module && m.own);
            if !used || tools.contents.has_module(module) {
                continue;
            }
            if let Some(operator) = operators.iter().find(|operator| self.mentions(operator)) {
                return Some(format!(
                    "TLC {version} has no module {module}, whose `{operator}` has no definition in TLA+"
                ));
            }
        }
        (!self.is_ascii() && tools.is_2_15()).then(|| format!("TLC {version} reads ASCII only"))
    }

    /// A forbidden operator in the modules: TLC evaluates definitions that are not used, too.
    fn effect(&self) -> Option<&Forbidden> {
        let has = |name: &str| self.modules.iter().any(|m| m.name == name);
        let own = |module: &Module| self.forbidden.iter().any(|f| f.module == module.name);
        let others: Vec<&Module> = self.modules.iter().filter(|m| !m.own && !own(m)).collect();
        let mut mentioned = self.forbidden.iter().filter(|f| has(f.module));
        mentioned.find(|f| others.iter().any(|m| has_word(&m.text, f.operator)))
    }

    /// Writes the modules, and Primed's own ones that TLC does not bring along.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn lay_out(&self, tools: &Tools, scratch: &Scratch) -> Result<(), Trouble> {
        for module in self.modules.iter().filter(|m| !m.own || !tools.contents.has_module(&m.name)) {
            scratch.write(&format!("{}.tla", module.name), module.text.as_bytes())?;
        }
        Ok(())
    }

    /// A name that occurs nowhere in the modules and the configuration.
    pub fn fresh(&self, name: &str) -> String {
        let mut name = name.to_owned();
        let taken = |name: &str| {
            has_word(&self.config, name) || self.modules.iter().any(|m| m.name == name || has_word(&m.text, name))
        };
        while taken(&name) {
            name.push('_');
        }
        name
    }
}

/// Whether a word occurs in a text, not as a part of a longer one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// The CONSTANT sections of a configuration, as they are written.
pub fn constants(config: &str) -> String {
    let file = SourceFile::new("configuration", config.to_owned());
    let (parsed, _) = parse_config(&file);
    let mut text = String::new();
    for entry in &parsed.constants {
        text.push_str(&format!("CONSTANT {}\n", file.slice(entry.span)));
    }
    text
}

/// A configuration without what only some versions of TLC know and what has no part in the verdict (ALIAS), or is an option as
/// well (CHECK_DEADLOCK).
pub fn portable(config: &str) -> String {
    let (parsed, _) = parse_config(&SourceFile::new("configuration", config.to_owned()));
    let mut text = one(&[
        ("SYMMETRY", &parsed.symmetry),
        ("VIEW", &parsed.view),
        ("_PERIODIC", &parsed.periodic),
        ("_RL_REWARD", &parsed.rl_reward),
    ]);
    let many = [
        ("INVARIANT", &parsed.invariants),
        ("PROPERTY", &parsed.properties),
        ("CONSTRAINT", &parsed.constraints),
        ("ACTION_CONSTRAINT", &parsed.action_constraints),
        ("POSTCONDITION", &parsed.postconditions),
        ("_POSSIBLE", &parsed.possible),
    ];
    for (word, names) in many {
        text.extend(names.iter().map(|name| format!("{word} {}\n", name.name)));
    }
    bare(config) + &text
}

/// What a configuration says of constants and of the behaviour, and nothing of what is to be checked.
pub fn bare(config: &str) -> String {
    let (parsed, _) = parse_config(&SourceFile::new("configuration", config.to_owned()));
    one(&[("SPECIFICATION", &parsed.specification), ("INIT", &parsed.init), ("NEXT", &parsed.next)])
        + &constants(config)
}

fn one(entries: &[(&str, &Option<Ident>)]) -> String {
    let line =
        |(word, name): &(&str, &Option<Ident>)| name.iter().map(|n| format!("{word} {}\n", n.name)).collect::<String>();
    entries.iter().map(line).collect()
}

/// Runs TLC on a module of a folder, in a serial and repeatable way.
///
/// # Errors
/// If it cannot be run or its output cannot be read. What did not end well comes back with its trouble.
pub fn run_tlc(
    tools: &Tools,
    scratch: &Scratch,
    module: &str,
    options: &[OsString],
    bounds: &Bounds,
) -> Result<(crate::run::Ended, Option<Trouble>), Trouble> {
    let states = tempfile::Builder::new().prefix("states-").tempdir_in(scratch.path());
    let states = states.map_err(|e| Trouble::file("make a folder in", scratch.path(), &e))?;
    let words = ["-tool", "-workers", "1", "-fp", "0", "-lncheck", "final", "-metadir"];
    let mut arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
    arguments.push(states.path().as_os_str().to_owned());
    // Newer versions would write a specification of the counterexample.
    let quiet = ["-noGenerateSpecTE"].into_iter().find(|option| tools.contents.known.contains(option));
    arguments.extend(quiet.map(OsString::from));
    arguments.extend(options.iter().cloned());
    arguments.push(format!("{module}.tla").into());
    tools.attempt("tlc2.TLC", &arguments, scratch.path(), bounds)
}

/// As [`run_tlc`], read.
///
/// # Errors
/// If it did not end by itself, or its output is not TLC's.
pub fn ask(
    tools: &Tools,
    scratch: &Scratch,
    module: &str,
    options: &[OsString],
    bounds: &Bounds,
) -> Result<Run, Trouble> {
    let (ended, trouble) = run_tlc(tools, scratch, module, options, bounds)?;
    trouble.map_or(Ok(()), Err)?;
    Run::read(&ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_written_again_without_what_old_versions_do_not_know() {
        let config = "SPECIFICATION Spec \\* c\nINVARIANTS A B\nALIAS Al\nCHECK_DEADLOCK FALSE\nCONSTANTS N = {a, \"b\"}\n  F <- [M]G\nVIEW V";
        let constants = "CONSTANT N = {a, \"b\"}\nCONSTANT F <- [M]G\n";
        assert_eq!(bare(config), format!("SPECIFICATION Spec\n{constants}"));
        assert_eq!(portable(config), format!("SPECIFICATION Spec\n{constants}VIEW V\nINVARIANT A\nINVARIANT B\n"));
    }

    #[test]
    fn what_writes_or_runs_something_is_not_put_before_tlc() {
        let module = |name: &str, text: &str, own| Module { name: name.into(), text: text.into(), own };
        let forbid = |(module, operator)| Forbidden { module, operator, why: "would write files" };
        let all = [("Json", "JsonSerialize"), ("IOUtils", "IOExec"), ("CSV", "CSVWrite")];
        let effect = |text: &str, others: Vec<Module>| {
            let modules = [vec![module("M", text, false)], others].concat();
            let spec = Specification { modules, config: String::new(), forbidden: all.map(forbid).to_vec() };
            spec.effect().map(|forbidden| forbidden.operator)
        };
        let json = |own| vec![module("Json", "JsonSerialize(f, v) == TRUE", own)];
        let unused = "Unused == JsonSerialize(\"a.json\", <<1>>)";
        assert_eq!(effect(unused, json(true)), Some("JsonSerialize"));
        assert_eq!(effect(unused, json(false)), Some("JsonSerialize"));
        // A name of the specification's own.
        assert_eq!(effect(unused, Vec::new()), None);
        assert_eq!(effect("D == JsonDeserialize(\"a.json\")", json(false)), None);
        let io = vec![module("IOUtils", "", true)];
        assert_eq!(effect("Run == IOExec(<<\"ls\">>)", io), Some("IOExec"));
        let csv = vec![module("CSV", "", true), module("Helper", "W(r) == CSVWrite(\"%1$s\", r, \"f\")", false)];
        assert_eq!(effect("EXTENDS Helper", csv), Some("CSVWrite"));
    }

    #[test]
    fn a_name_is_fresh_if_no_word_is_it() {
        let module = Module { name: "M".into(), text: "---- MODULE M ----\nInit_ == Next_x\n====".into(), own: false };
        let spec = Specification { modules: vec![module], ..Specification::default() };
        assert_eq!((spec.fresh("Init_"), spec.fresh("Next_")), ("Init__".to_owned(), "Next_".to_owned()));
        assert!(spec.mentions("Init_") && !spec.mentions("Init"));
    }
}
