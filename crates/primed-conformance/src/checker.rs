//! Another checker than Primed with TLC's command line: TLC of any version, say.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use primed_oracle::read::Run;
use primed_oracle::{find, run};
use serde_json::Value;

use crate::suite::{Case, Tally};
use crate::table;

/// A command that checks models as `tlc2.TLC` does, and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checker {
    program: PathBuf,
    arguments: Vec<OsString>,
    time: Duration,
}

/// The standard modules that every TLC brings along.
const OF_ALL: [&str; 10] =
    ["Bags", "FiniteSets", "Integers", "Naturals", "Randomization", "RealTime", "Reals", "Sequences", "TLC", "Toolbox"];

const NOT_FOR_2_15: &str = "the newest TLC judges this case, not TLC 2.15";

impl Checker {
    /// The command in words, separated by blanks; what stands in quotes is one word. It is run in a folder of its own: files that
    /// are named relative to the current one, also in a class path, are given to it by their full path.
    ///
    /// # Errors
    /// If there is none, a quote is left open, or there is no such program.
    pub fn new(command: &str, time: Duration) -> Result<Checker, String> {
        let here = std::env::current_dir().map_err(|e| format!("there is no current folder: {e}"))?;
        let mut words = words(command)?.into_iter();
        let program = words.next().ok_or("the checker's command is empty")?;
        let program = find::program(&program).map_err(|trouble| trouble.to_string())?;
        Ok(Checker { program, arguments: words.map(|word| from(&here, &word)).collect(), time })
    }

    /// Whether it can answer cases of this kind.
    pub fn answers(&self, kind: &str) -> bool {
        matches!(kind, "eval" | "model")
    }

    fn run(&self, folder: &Path, module: &str, more: &[&str]) -> Result<Run, String> {
        let options = ["-tool", "-workers", "1", "-fp", "0", "-lncheck", "final", "-metadir", "states"];
        let own = options.iter().chain(more).chain([&module]).map(OsString::from);
        // TLC unpacks modules into a folder that all its processes share.
        let java = self.program.file_stem().is_some_and(|name| name == "java");
        let temporary = java.then(|| {
            let mut option = OsString::from("-Djava.io.tmpdir=");
            option.push(folder);
            option
        });
        let arguments: Vec<OsString> = temporary.into_iter().chain(self.arguments.iter().cloned()).chain(own).collect();
        let ended = run::run(&self.program, &arguments, folder, self.time).map_err(|t| t.to_string())?;
        Run::read(&ended).map_err(|t| t.to_string())
    }
}

impl Case {
    /// The checker's answers to a case of kind `eval` or `model`; none to a case that the newest TLC judges, if it is TLC 2.15.
    ///
    /// # Errors
    /// If the case cannot be tried, or the checker does not answer as TLC does.
    pub fn ask(&self, checker: &Checker) -> Result<Tally, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        match self.kind() {
            "eval" => match self.ask_values(checker, folder.path()) {
                Err(why) if why == NOT_FOR_2_15 => Ok(Tally::default()),
                answers => answers,
            },
            "model" => self.ask_model(checker, folder.path()),
            kind => Err(format!("a checker is not asked about cases of kind `{kind}`")),
        }
    }

    /// All values in one run, each expected error in a run of its own. Where one fails that should not, the others get another run.
    fn ask_values(&self, checker: &Checker, folder: &Path) -> Result<Tally, String> {
        let rows = table(&self.folder().join("expressions.tsv"))?;
        primed_modules(folder)?;
        let mut found: BTreeMap<usize, String> = BTreeMap::new();
        let mut todo: Vec<usize> = (0..rows.len()).filter(|i| kind(&rows, *i) != "error").collect();
        while !todo.is_empty() {
            let (values, error) = self.ask_some(checker, folder, &rows, &todo)?;
            found.extend(values);
            todo.retain(|i| !found.contains_key(i));
            if let (Some(first), Some(error)) = (todo.first().copied(), error) {
                found.insert(first, format!("error: {error}"));
                todo.remove(0);
            } else if !todo.is_empty() {
                return Err("the checker printed no values, and no error".into());
            }
        }
        for i in (0..rows.len()).filter(|i| kind(&rows, *i) == "error") {
            let (values, _) = self.ask_some(checker, folder, &rows, &[i])?;
            found.insert(i, values.get(&i).cloned().unwrap_or_else(|| "an error".into()));
        }
        let mut tally = Tally::default();
        for (i, row) in rows.iter().enumerate() {
            let wanted = if kind(&rows, i) == "error" { "an error" } else { row.get(2).map_or("", String::as_str) };
            let (wanted, answer) = (flat(wanted), flat(found.get(&i).map_or("no answer", String::as_str)));
            tally.count(&row[0], &wanted, &answer);
        }
        Ok(tally)
    }

    fn ask_some(
        &self,
        checker: &Checker,
        folder: &Path,
        rows: &[Vec<String>],
        numbers: &[usize],
    ) -> Result<(BTreeMap<usize, String>, Option<String>), String> {
        let expressions: Vec<(usize, &str)> = numbers.iter().map(|i| (*i, rows[*i][0].as_str())).collect();
        let (text, config) = self.numbered_module(&expressions)?;
        write(&folder.join("Case.tla"), &text)?;
        write(&folder.join("Case.cfg"), &config)?;
        let run = checker.run(folder, "Case", &["-deadlock"])?;
        if run.status == 150 {
            return Err(format!("the checker cannot read the module of the case: {}", run.lines.join(" / ")));
        }
        if self.about["judge"] == "newest" && run.version.as_deref().is_some_and(|version| version.contains("2.15")) {
            return Err(NOT_FOR_2_15.into());
        }
        Ok((printed(&run.lines), run.error))
    }

    fn ask_model(&self, checker: &Checker, folder: &Path) -> Result<Tally, String> {
        let expected = self.expected()?;
        let (spec, config) = (self.file("spec", "Spec.tla"), self.file("config", "Spec.cfg"));
        primed_modules(folder)?;
        let beside = spec.parent().unwrap_or(self.folder());
        for entry in beside.read_dir().map_err(|e| format!("{}: {e}", beside.display()))?.filter_map(Result::ok) {
            if entry.path().extension().is_some_and(|e| e == "tla") {
                copy(&entry.path(), &folder.join(entry.file_name()))?;
            }
        }
        let root = spec.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        copy(&config, &folder.join(format!("{root}.cfg")))?;
        let run = checker.run(folder, &root, &self.names("arguments"))?;
        if self.about["judge"] == "newest" && run.version.as_deref().is_some_and(|version| version.contains("2.15")) {
            return Ok(Tally::default());
        }
        // TLC 2.15 gives a false Assert the code of any evaluation error (75), the newest 14.
        let status = if run.status == 14 { 75 } else { run.status };
        let counts = run.counts.map(|(generated, distinct, _)| [("generated", generated), ("distinct", distinct)]);
        let found = counts.into_iter().flatten().chain(run.depth.map(|depth| ("depth", depth)));
        let mut tally = Tally::default();
        let mut count = |key: &str, found: String| {
            if let Some(wanted) = expected[key].as_u64() {
                tally.count(key, &wanted.to_string(), &found);
            }
        };
        count("exit", status.to_string());
        found.for_each(|(key, number)| count(key, number.to_string()));
        Ok(tally)
    }

    /// What is on file about a model.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn expected(&self) -> Result<Value, String> {
        let path = self.folder().join("expected.json");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
    }
}

fn kind(rows: &[Vec<String>], number: usize) -> &str {
    rows.get(number).and_then(|row| row.get(1)).map_or("", String::as_str)
}

/// Primed's own modules for the names that not every TLC brings along.
fn primed_modules(folder: &Path) -> Result<(), String> {
    for (name, text) in primed::standard_modules().filter(|(name, _)| !OF_ALL.contains(name)) {
        write(&folder.join(format!("{name}.tla")), text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}

/// The values v that lines show as `<<"En", v>>`, by n; a value may run over several lines.
fn printed(lines: &[String]) -> BTreeMap<usize, String> {
    let (mut values, mut open): (BTreeMap<usize, String>, Option<String>) = (BTreeMap::new(), None);
    for line in lines {
        let begins = line.replace(' ', "").starts_with("<<\"E");
        let text = match open.take() {
            Some(text) => format!("{text}\n{line}"),
            None if begins => line.clone(),
            None => continue,
        };
        if depth(&text) > 0 {
            open = Some(text);
            continue;
        }
        let inner = text.trim().trim_start_matches("<<").trim_start().trim_start_matches("\"E");
        if let Some((number, value)) = inner.split_once("\",")
            && let (Ok(number), Some(value)) = (number.parse(), value.trim().strip_suffix(">>"))
        {
            values.insert(number, value.trim().to_owned());
        }
    }
    values
}

/// How many brackets are open at the end of a text; the arrows in `|->` and `:>` are none.
fn depth(text: &str) -> usize {
    let (mut depth, mut string, mut escaped, mut before) = (0_usize, false, false, ' ');
    for c in text.chars() {
        match c {
            _ if string => {
                string = c != '"' || escaped;
                escaped = c == '\\' && !escaped;
            }
            '"' => string = true,
            '<' | '{' | '[' | '(' => depth += 1,
            '>' if matches!(before, '-' | ':') => {}
            '>' | '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    depth
}

/// A value on one line without blanks outside of strings, so that it does not matter how it was laid out.
fn flat(text: &str) -> String {
    let (mut kept, mut string, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if string || !c.is_whitespace() {
            kept.push(c);
        }
        match c {
            _ if string => {
                string = c != '"' || escaped;
                escaped = c == '\\' && !escaped;
            }
            '"' => string = true,
            _ => {}
        }
    }
    kept
}

/// A word with the files that it names relative to a folder written in full.
fn from(folder: &Path, word: &str) -> OsString {
    let whole = |path: PathBuf| match folder.join(&path) {
        file if !path.as_os_str().is_empty() && file.exists() => file,
        _ => path,
    };
    std::env::join_paths(std::env::split_paths(word).map(whole)).unwrap_or_else(|_| word.into())
}

/// The words of a command.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) = (Vec::new(), None, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote of the checker's command is left open".into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_into_words() {
        assert_eq!(words("java -cp 'a b.jar' tlc2.TLC").unwrap(), ["java", "-cp", "a b.jar", "tlc2.TLC"]);
        assert_eq!(words("a \"\" b").unwrap(), ["a", "", "b"]);
        assert!(words("a 'b").is_err() && Checker::new("  ", Duration::ZERO).is_err());
    }

    #[test]
    fn files_of_a_command_are_named_in_full() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.jar"), "").unwrap();
        let paths = std::env::join_paths([folder.path().join("a.jar"), "b.jar".into()]).unwrap();
        assert_eq!(from(folder.path(), "a.jar:b.jar"), paths);
        assert_eq!(from(folder.path(), "tlc2.TLC"), "tlc2.TLC");
        assert_eq!(from(folder.path(), ""), "");
    }

    #[test]
    fn a_missing_command_is_named() {
        let missing = |command: &str| Checker::new(command, Duration::ZERO).unwrap_err();
        assert_eq!(missing("no-such-checker -x"), "cannot run `no-such-checker`: there is no such program");
        assert!(missing("./no-such-checker").contains("there is no such program"));
        assert!(Checker::new("sh -c", Duration::ZERO).unwrap().program.is_absolute());
    }

    #[test]
    fn printed_values_run_over_lines() {
        let lines = [
            "<<\"E0\", <<1, 2>> >>",
            "noise",
            "<< \"E12\",",
            "  [a |-> 1, b |->",
            "  (\"x>\" :> 2)] >>",
            "<<\"E3\", TRUE>>",
        ];
        let lines: Vec<String> = lines.map(str::to_owned).to_vec();
        let found: Vec<(usize, String)> = printed(&lines).into_iter().map(|(n, v)| (n, flat(&v))).collect();
        let expected = [(0, "<<1,2>>"), (3, "TRUE"), (12, "[a|->1,b|->(\"x>\":>2)]")];
        assert_eq!(found, expected.map(|(n, v)| (n, v.to_owned())));
    }
}
