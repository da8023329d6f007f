//! The cases of the conformance suite, answered natively. `conformance-suite/README.md` says what the files mean.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use primed::{
    CheckReport, CheckSettings, Evaluator, Executed, Folders, Mode, ModelChecker, ModelSettings, OpenError, Outcome,
    Permissions, RunsCommands, Spec, Undone,
};
use serde_json::Value;

use crate::table;

/// What a module extends unless its case says otherwise.
const EXTENDS: &str = "Integers,Sequences,FiniteSets,TLC,Bags";

/// Runs the commands of a case.
#[derive(Debug)]
struct Commands;

impl RunsCommands for Commands {
    fn run(&self, command: &[String], variables: &[(String, String)], folder: &Path) -> Result<Executed, Undone> {
        let mut process = Command::new(&command[0]);
        process.args(&command[1..]).envs(variables.iter().cloned()).current_dir(folder).stdin(Stdio::null());
        let ended = process.output().map_err(|e| Undone::Missing(e.to_string()))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = ended.status.code().unwrap_or(-1).into();
        Ok(Executed { output: text(&ended.stdout), errors: text(&ended.stderr), status })
    }
}

/// A folder of the suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its path below the suite: `eval/except`.
    pub name: String,
    /// Where its files are.
    pub folder: PathBuf,
    /// What its `case.json` says.
    pub about: Value,
}

/// How many of a case's questions were answered as TLC answers them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Answers that agree.
    pub agree: usize,
    /// Questions.
    pub total: usize,
    /// The others by what was asked, with both answers.
    pub differences: BTreeMap<String, String>,
}

impl Tally {
    pub(crate) fn count(&mut self, asked: &str, wanted: &str, found: &str) {
        self.total += 1;
        if wanted == found {
            self.agree += 1;
        } else {
            self.differences.insert(asked.to_owned(), format!("TLC: {wanted}\n        Primed: {found}"));
        }
    }
}

impl Case {
    /// All cases below a folder, by name.
    ///
    /// # Errors
    /// If a folder or a `case.json` cannot be read.
    pub fn all(suite: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        let mut todo = vec![suite.to_path_buf()];
        while let Some(folder) = todo.pop() {
            let entries = folder.read_dir().map_err(|e| format!("{}: {e}", folder.display()))?;
            let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
            todo.extend(paths.filter(|path| path.is_dir()));
            let file = folder.join("case.json");
            if file.is_file() {
                let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
                let about = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
                let name = folder.strip_prefix(suite).unwrap_or(&folder).to_string_lossy().replace('\\', "/");
                cases.push(Case { name, folder, about });
            }
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(cases)
    }

    /// Primed's answers to a case of any kind.
    ///
    /// # Errors
    /// If the case cannot be tried at all, or is of no known kind.
    pub fn answer(&self) -> Result<Tally, String> {
        match self.kind() {
            "eval" => self.evaluate(),
            "windows" => self.judge(),
            "model" => self.search(),
            "sany" => self.analyse(),
            kind => Err(format!("the kind `{kind}` is not known")),
        }
    }

    /// Where the case lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `eval`, `windows`, `model` or `sany`.
    pub fn kind(&self) -> &str {
        self.about["kind"].as_str().unwrap_or_default()
    }

    /// The answers on file are those of a newer TLC than the one that the suite brings along.
    pub fn is_newest(&self) -> bool {
        self.about["judge"].as_str() == Some("newest")
    }

    /// A file that the case may name under a key.
    pub fn file(&self, key: &str, otherwise: &str) -> PathBuf {
        self.folder.join(self.about[key].as_str().unwrap_or(otherwise))
    }

    /// The strings of a list in its `case.json`.
    pub fn names(&self, key: &str) -> Vec<&str> {
        self.about[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The module in which TLC evaluated those of the expressions that have a value.
    ///
    /// # Errors
    /// If the prelude cannot be read.
    pub fn module(&self, expressions: &[&str]) -> Result<(String, String), String> {
        self.numbered_module(&expressions.iter().copied().enumerate().collect::<Vec<_>>())
    }

    /// The same with numbers of their own.
    pub(crate) fn numbered_module(&self, expressions: &[(usize, &str)]) -> Result<(String, String), String> {
        let mut extends = self.about["extends"].as_str().unwrap_or(EXTENDS).to_owned();
        if !extends.split(',').any(|m| m.trim() == "TLC") {
            extends.push_str(",TLC");
        }
        let mut text = format!("---- MODULE Case ----\nEXTENDS {extends}\n");
        let names = self.names("model_values");
        if !names.is_empty() {
            text.push_str(&format!("CONSTANTS {}\n", names.join(", ")));
        }
        if self.about["prelude"].is_string() {
            let prelude = self.file("prelude", "");
            text.push_str(&std::fs::read_to_string(&prelude).map_err(|e| format!("{}: {e}", prelude.display()))?);
        }
        for (i, expression) in expressions {
            text.push_str(&format!("ASSUME PrintT(<<\"E{i}\", {expression}>>)\n"));
        }
        text.push_str("====\n");
        let config = names.iter().map(|name| format!("CONSTANT {name} = {name}\n")).collect();
        Ok((text, config))
    }

    /// Evaluates the expressions of an `eval` case.
    ///
    /// # Errors
    /// If the case cannot be tried at all.
    pub fn evaluate(&self) -> Result<Tally, String> {
        let rows = table(&self.folder.join("expressions.tsv"))?;
        if rows.iter().any(|row| row.len() < 2) {
            return Err("expressions.tsv has a line without a kind".into());
        }
        let values: Vec<&str> = rows.iter().filter(|row| row[1] == "value").map(|row| &*row[0]).collect();
        let (text, config) = self.module(&values)?;
        let library = Folders(vec![self.folder.clone()]);
        // What the expressions write goes to a folder of the case's own.
        let scratch = tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))?;
        let permissions = || Permissions {
            base: scratch.path().to_path_buf(),
            write: vec![scratch.path().to_path_buf()],
            commands: Some(Arc::new(Commands)),
            ..Permissions::default()
        };
        let evaluator = |text: &str| {
            let opened = Evaluator::of_module(text, &config, &library, permissions());
            opened.map_err(|e| format!("the module of the case cannot be read:\n{e}"))
        };
        let mut together = evaluator(&text)?;
        let (empty, _) = self.module(&[])?;
        let mut tally = Tally::default();
        for row in &rows {
            let error = row[1] == "error";
            let answer = if error { evaluator(&empty)?.print(&row[0]) } else { together.print(&row[0]) };
            let found = match answer {
                Ok(value) => value,
                Err(e) if e.is_unsupported() => format!("unsupported: {e}"),
                Err(_) if error => "an error".into(),
                Err(e) => format!("error: {e}"),
            };
            let wanted = if error { "an error" } else { row.get(2).map_or("", |answer| answer.as_str()) };
            tally.count(&row[0], wanted, &found);
        }
        Ok(tally)
    }

    /// Opens the model of a `model` case.
    ///
    /// # Errors
    /// If it cannot be opened, for instance because it asks for what is not searched yet.
    pub fn model(&self) -> Result<ModelChecker, OpenError> {
        let (spec, config) = (self.file("spec", "Spec.tla"), self.file("config", "Spec.cfg"));
        let count_expressions = self.coverage_file().is_file();
        let settings = ModelSettings { config: Some(config), count_expressions, ..ModelSettings::default() };
        ModelChecker::open_with(&spec, settings)
    }

    /// What TLC lists with `-coverage`, if that is a part of the answer.
    fn coverage_file(&self) -> PathBuf {
        self.folder.join("coverage.txt")
    }

    /// Compares what is listed with `-coverage` with TLC's list, line by line.
    fn covered(&self, tally: &mut Tally, report: &CheckReport) -> Result<(), String> {
        let path = self.coverage_file();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut wanted = text.lines();
        let found: Vec<String> = report.coverage.iter().flat_map(|c| c.lines()).map(|(_, line)| line).collect();
        for line in &found {
            let wanted = wanted.next().unwrap_or("nothing more");
            // Of one list, what follows a difference is of no interest.
            tally.count("coverage", wanted, line);
            if wanted != line {
                return Ok(());
            }
        }
        wanted.next().into_iter().for_each(|line| tally.count("coverage", line, "nothing more"));
        Ok(())
    }

    /// Searches the model of a `model` case: exit code, and the counts that TLC's answer has, with one worker and with two.
    ///
    /// # Errors
    /// If the case cannot be tried at all.
    pub fn search(&self) -> Result<Tally, String> {
        let expected = self.expected()?;
        let checker = match self.model() {
            Ok(checker) => checker,
            Err(error) => {
                let mut tally = Tally::default();
                let wanted = expected["exit"].as_u64().map(|n| n.to_string()).unwrap_or_default();
                let found = error.exit_code().to_string();
                tally.count("exit", &wanted, &if found == wanted { found } else { format!("{found}: {error}") });
                return Ok(tally);
            }
        };
        let (plain, mut tally) = (self.settings(), Tally::default());
        let counts_expressions = self.coverage_file().is_file();
        // Iterative deepening has one worker.
        let workers = if plain.mode == Mode::BreadthFirst { [1, 2].as_slice() } else { &[1] };
        for workers in workers.iter().copied() {
            // Counters go on from one search to the next.
            let anew;
            let checker = if counts_expressions && workers > 1 {
                anew = self.model().map_err(|e| e.to_string())?;
                &anew
            } else {
                &checker
            };
            let report = checker.check(CheckSettings { workers, ..plain });
            let exit = report.verdict.tlc_exit_code();
            // Where a search ends early, what several workers have done until then may vary.
            let complete = exit == 0 || workers == 1;
            let counts = [("generated", report.generated), ("distinct", report.distinct as u64)];
            let depth = ("depth", report.depth as u64);
            let counts = counts.into_iter().chain([depth]).filter(|_| complete);
            let found = [("exit", exit.to_string())].into_iter().chain(counts.map(|(k, n)| (k, n.to_string())));
            for (key, found) in found {
                let wanted = expected[key].as_u64().map(|n| n.to_string());
                // TLC 2.15 gives a false Assert the code of any evaluation error (75), the newest 14.
                let newest = self.about["judge"] == "newest";
                let older = key == "exit" && found == "14" && wanted.as_deref() != Some("14") && !newest;
                let found = if older { "75".into() } else { found };
                if let Some(wanted) = wanted {
                    tally.count(&format!("{key} ({workers} workers)"), &wanted, &found);
                }
            }
            if complete && counts_expressions {
                self.covered(&mut tally, &report)?;
            }
        }
        Ok(tally)
    }

    /// What TLC's arguments ask for.
    fn settings(&self) -> CheckSettings {
        let arguments = self.names("arguments");
        let asked = |name: &str| arguments.contains(&name);
        let after = |name: &str| arguments.iter().skip_while(|a| **a != name).nth(1).and_then(|n| n.parse().ok());
        CheckSettings {
            mode: after("-dfid").map_or(Mode::BreadthFirst, Mode::Bounded),
            deadlock: asked("-deadlock").then_some(false),
            keep_going: asked("-continue"),
            all_ways: asked("-nowarning"),
            ..CheckSettings::default()
        }
    }

    /// Judges the windows of a `windows` case, by name.
    ///
    /// # Errors
    /// If the case cannot be tried at all.
    pub fn judge(&self) -> Result<Tally, String> {
        let spec = Spec::builder(self.file("spec", "Spec.tla")).config(self.file("config", "Spec.cfg"));
        let spec = spec.open().map_err(|e| e.to_string())?;
        let windows = self.file("windows", "windows.ndjson");
        let file = File::open(&windows).map_err(|e| format!("{}: {e}", windows.display()))?;
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        let mut report = |verdict: primed::Verdict| {
            let why = match &verdict.outcome {
                Outcome::Error(trouble) | Outcome::Unsupported(trouble) => format!(" ({})", trouble.message),
                Outcome::Refused(why) => {
                    why.reasons.first().map(|r| format!(" ({})", r.location.text)).unwrap_or_default()
                }
                _ => String::new(),
            };
            found.insert(verdict.line.to_string(), format!("{}{why}", verdict.outcome.word()));
            true
        };
        spec.judge_all(BufReader::new(file), &mut report, &mut |_| {}).map_err(|e| e.to_string())?;
        let mut tally = Tally::default();
        for row in table(&self.folder.join("expected.tsv"))? {
            let [line, wanted] = row.as_slice() else {
                return Err("expected.tsv has a line without two columns".into());
            };
            let said = found.remove(line).unwrap_or_else(|| "no verdict".into());
            let word = said.split(' ').next().unwrap_or_default();
            tally.count(&format!("line {line}"), wanted, if word == wanted { word } else { &said });
        }
        found.iter().for_each(|(line, said)| tally.count(&format!("line {line}"), "no window", said));
        Ok(tally)
    }
}
