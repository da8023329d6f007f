//! TLC's command line.

use std::path::PathBuf;

use crate::arguments::Access;
use crate::memory;

/// What `-help` says first.
pub(super) const USAGE: &str = "Usage: primed tlc [-help] [-option] inputfile";

/// How states are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Breadth first, all of them.
    #[default]
    ModelCheck,
    /// Random behaviours.
    Simulate,
    /// Random behaviours, each step by itself.
    Generate,
}

/// Where `-dump` writes all states, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dump {
    pub(super) file: PathBuf,
    /// The words after `dot`; `None` for TLC's plain form.
    pub(super) dot: Option<Vec<String>>,
}

/// The options, as TLC reads them: names are case-sensitive but for a few, the last of a kind counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) spec: Option<String>,
    pub(super) config: Option<String>,
    pub(super) mode: Mode,
    /// `-dfid`.
    pub(super) deepening: Option<u32>,
    pub(super) depth: Option<i64>,
    pub(super) traces: Option<u64>,
    pub(super) trace_file: Option<String>,
    /// A setting of `-simulate` that changes how behaviours are drawn, or what is written of them.
    pub(super) unsupported_setting: Option<String>,
    pub(super) seed: Option<i64>,
    pub(super) aril: Option<i64>,
    /// The seed where none is given.
    pub(super) lot: i64,
    pub(super) no_deadlock: bool,
    pub(super) keep_going: bool,
    pub(super) workers: Option<usize>,
    pub(super) max_set_size: Option<u32>,
    /// Minutes.
    pub(super) checkpoint: Option<u32>,
    /// The part of the memory that states may take before they go to disk, or if it is more than 1, the bytes.
    pub(super) state_memory: Option<f64>,
    /// `-Xmx`, which is none of TLC's own options but Java's.
    pub(super) memory: Option<usize>,
    /// `-D`, likewise: names and values.
    pub(super) properties: Vec<(String, String)>,
    pub(super) recover: Option<String>,
    pub(super) metadir: Option<String>,
    pub(super) coverage: Option<u32>,
    pub(super) differences: bool,
    pub(super) view: bool,
    pub(super) no_warning: bool,
    pub(super) suppressed: Vec<u32>,
    pub(super) as_errors: Vec<u32>,
    pub(super) dump: Option<Dump>,
    /// `-dump class,NAME`: to a Java class.
    pub(super) dump_class: bool,
    /// Formats and files.
    pub(super) dump_trace: Vec<(String, PathBuf)>,
    /// Formats and files.
    pub(super) load_trace: Vec<(String, PathBuf)>,
    /// Modules and operators.
    pub(super) postconditions: Vec<(String, String)>,
    pub(super) invariants: Vec<String>,
    pub(super) invariant_levels: Vec<i32>,
    /// `-lncheck`, in lower case.
    pub(super) liveness: Option<String>,
    pub(super) generate_spec: bool,
    pub(super) tool: bool,
    pub(super) user_file: Option<PathBuf>,
    pub(super) fingerprint: Option<u32>,
    pub(super) debugger: bool,
    pub(super) help: bool,
    /// Primed's own: what the specification may do outside itself.
    pub(super) access: Access,
}

/// The arguments that are left, with TLC's complaints when one is missing.
struct Words<'a> {
    words: std::iter::Peekable<std::slice::Iter<'a, String>>,
}

type Parsed<T> = Result<T, String>;

impl<'a> Words<'a> {
    fn text(&mut self, missing: &str) -> Parsed<&'a str> {
        self.words.next().map(String::as_str).ok_or_else(|| format!("Error: {missing}"))
    }

    /// A number, or TLC's complaint about another word.
    fn number<T: std::str::FromStr>(&mut self, missing: &str, wrong: &str) -> Parsed<T> {
        let word = self.text(missing)?;
        word.parse().map_err(|_| format!("Error: {wrong} But encountered {word}"))
    }

    /// The next word if it may be an argument of the option before it.
    fn next_if(&mut self, fits: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.words.next_if(|word| fits(word)).map(String::as_str)
    }
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// TLC's text for its message 1102.
    pub(super) fn parse(arguments: &[String]) -> Parsed<Options> {
        let mut options = Options::default();
        let mut words = Words { words: arguments.iter().peekable() };
        while let Some(word) = words.words.next() {
            if options.switch(word)
                || options.search(word, &mut words)?
                || options.memory_and_files(word, &mut words)?
                || options.output(word, &mut words)?
                || options.access(word, &mut words)?
            {
                if options.help {
                    return Ok(options);
                }
                continue;
            }
            if word.starts_with('-') {
                return Err(format!("Error: unrecognized option: {word}"));
            }
            if let Some(before) = &options.spec {
                return Err(format!("Error: more than one input files: {before} and {word}"));
            }
            options.spec = Some(word.strip_suffix(".tla").unwrap_or(word).to_owned());
        }
        options.consistent()?;
        Ok(options)
    }

    fn consistent(&self) -> Parsed<()> {
        if self.no_warning && !self.suppressed.is_empty() {
            return Err("Error: -nowarning already suppresses all warnings, making -suppressMessages redundant. Remove \
                        -nowarning to suppress only the specified messages, or remove -suppressMessages to suppress all \
                        warnings."
                .into());
        }
        let both: Vec<String> =
            self.suppressed.iter().filter(|c| self.as_errors.contains(c)).map(ToString::to_string).collect();
        if !both.is_empty() {
            let both = both.join(", ");
            return Err(format!(
                "Error: The following codes were set to both -suppressMessages and -messagesAsErrors: [{both}]"
            ));
        }
        match self.spec {
            Some(_) => Ok(()),
            None => Err("Error: Missing input TLA+ module.".into()),
        }
    }

    /// Options without an argument.
    fn switch(&mut self, word: &str) -> bool {
        match word {
            "-modelcheck" | "-cleanup" | "-gzip" | "-terse" | "-debug" => {}
            "-difftrace" => self.differences = true,
            "-deadlock" => self.no_deadlock = true,
            "-nowarning" => self.no_warning = true,
            "-continue" => self.keep_going = true,
            "-view" => self.view = true,
            "-tool" => self.tool = true,
            "-noGenerateSpecTE" | "-noGenerateSpecTEBin" => {}
            "-help" | "-h" | "--help" => self.help = true,
            _ if word.eq_ignore_ascii_case("-noTE") || word.eq_ignore_ascii_case("-noTEBin") => {}
            _ => return false,
        }
        true
    }

    /// Options that say how to search; whether it was one.
    fn search(&mut self, word: &str, words: &mut Words<'_>) -> Parsed<bool> {
        match word {
            "-simulate" | "-generate" => {
                self.mode = if word == "-simulate" { Mode::Simulate } else { Mode::Generate };
                let fits = |w: &str| ["stats=", "file=", "num=", "sched"].iter().any(|k| w.contains(k));
                if let Some(settings) = words.next_if(fits) {
                    self.simulation(settings)?;
                }
            }
            "-dfid" => {
                let missing = "expect a nonnegative integer for -dfid option.";
                let levels: i32 = words.number(missing, missing)?;
                self.deepening = Some(u32::try_from(levels).map_err(|_| format!("Error: {missing}"))?);
            }
            "-depth" => {
                self.depth = Some(words.number("trace length required.", "An integer for trace length required.")?);
            }
            "-seed" => self.seed = Some(words.number("seed required.", "An integer for seed required.")?),
            "-aril" => self.aril = Some(words.number("aril required.", "An integer for aril required.")?),
            "-workers" => self.workers = Some(workers(words)?),
            "-lncheck" => {
                self.liveness =
                    Some(words.text("expect a strategy such as final for -lncheck option.")?.to_lowercase());
            }
            "-inv" => self.invariants.push(words.text("An expression for -inv required.")?.into()),
            "-invlevel" => {
                let wrong = "An integer for -invlevel required.";
                self.invariant_levels.push(words.number(wrong, wrong)?);
            }
            "-debugger" => {
                self.debugger = true;
                let fits = |w: &str| ["port=", "suspend", "halt"].iter().any(|k| w.contains(k));
                words.next_if(fits);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Options about memory and files of the search's own; whether it was one.
    fn memory_and_files(&mut self, word: &str, words: &mut Words<'_>) -> Parsed<bool> {
        match word {
            "-maxSetSize" => {
                let bound: i32 = words.number("maxSetSize required.", "An integer for maxSetSize required.")?;
                let wrong = format!(
                    "Error: Value in interval [0, 2147483647] for maxSetSize required. But encountered {bound}"
                );
                self.max_set_size = Some(u32::try_from(bound).map_err(|_| wrong)?);
            }
            "-checkpoint" => {
                let wrong = "An integer for checkpoint interval is required.";
                let minutes: i32 = words.number("checkpoint interval required.", wrong)?;
                let negative = "Error: expect a nonnegative integer for -checkpoint option.";
                self.checkpoint = Some(u32::try_from(minutes).map_err(|_| negative)?);
            }
            "-recover" => {
                self.recover = Some(words.text("need to specify the metadata directory for recovery.")?.into());
            }
            "-metadir" => self.metadir = Some(words.text("need to specify the metadata directory.")?.into()),
            "-fp" => {
                let index: i32 = words.number("expect an integer for -fp option.", "A number for -fp is required.")?;
                let index = u32::try_from(index).ok().filter(|i| *i <= 130);
                let wrong = "Error: The number for -fp must be between 0 and 130 (inclusive).";
                self.fingerprint = Some(index.ok_or(wrong)?);
            }
            "-fpmem" => {
                let wrong = "An positive integer or a fraction for fpset memory size/percentage required.";
                let ratio: f64 = words.number("fpset memory size required.", wrong)?;
                if ratio < 0.0 {
                    return Err(format!("Error: {wrong} But encountered {ratio}"));
                }
                self.state_memory = Some(ratio);
            }
            "-fpbits" => {
                let bits: i32 = words.number("fpbits required.", "An integer for fpbits required.")?;
                if !(0..=30).contains(&bits) {
                    return Err(format!(
                        "Error: Value in interval [0, 30] for fpbits required. But encountered {bits}"
                    ));
                }
            }
            // What Java is told about memory and collectors in the same line means nothing here.
            _ if ["-XX:", "-Xms", "-Xss"].iter().any(|start| word.starts_with(start)) => {}
            _ if word.starts_with("-D") => {
                let (name, value) = word.trim_start_matches("-D").split_once('=').unwrap_or((&word[2..], ""));
                self.properties.push((name.to_owned(), value.to_owned()));
            }
            _ => match word.strip_prefix("-Xmx") {
                Some(size) => self.memory = Some(memory::size(size).map_err(|why| format!("Error: {word}: {why}"))?),
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Options that say what to read and write; whether it was one.
    fn output(&mut self, word: &str, words: &mut Words<'_>) -> Parsed<bool> {
        match word {
            "-config" => {
                let name = words.text("expect a file name for -config option.")?;
                self.config = Some(name.strip_suffix(".cfg").unwrap_or(name).to_owned());
            }
            "-coverage" => {
                let wrong = "An integer for coverage report interval required.";
                let minutes: i32 = words.number("coverage report interval required.", wrong)?;
                let negative = "Error: expect a nonnegative integer for -coverage option.";
                self.coverage = Some(u32::try_from(minutes).map_err(|_| negative)?);
            }
            "-suppressMessages" => self.suppressed.extend(codes(word, words)?),
            "-messagesAsErrors" => self.as_errors.extend(codes(word, words)?),
            "-dump" => match words.next_if(|w| w.starts_with("class,")) {
                Some(_) => self.dump_class = true,
                None => self.dump = Some(dump(words)?),
            },
            "-userFile" => {
                self.user_file = Some(words.text("need to specify the full qualified file.")?.into());
            }
            "-generateSpecTE" => {
                self.generate_spec = true;
                words.next_if(|w| w == "nomonolith");
            }
            "-teSpecOutDir" => drop(words.text("expected a path for -teSpecOutDir option.")?),
            _ if word.eq_ignore_ascii_case("-dumpTrace") => {
                let formats = ["json", "tla", "tlc", "tlcplain", "tlctespec", "tlcaction", "dot"];
                self.dump_trace.push(format_and_file(words, "-dumpTrace", "dumping", &formats)?);
            }
            _ if word.eq_ignore_ascii_case("-loadTrace") => {
                self.load_trace.push(format_and_file(words, "-loadTrace", "loading", &["tlc", "json"])?);
            }
            _ if word.eq_ignore_ascii_case("-postCondition") => self.postconditions.push(postcondition(words)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options that TLC does not have, because it allows everything; whether it was one.
    fn access(&mut self, word: &str, words: &mut Words<'_>) -> Parsed<bool> {
        match word {
            "--allow-read" => self.access.allow_read.push(words.text("a folder for --allow-read required.")?.into()),
            "--allow-write" => self.access.allow_write.push(words.text("a folder for --allow-write required.")?.into()),
            "--allow-commands" => self.access.allow_commands = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn simulation(&mut self, settings: &str) -> Parsed<()> {
        for setting in settings.split(',') {
            if let Some(number) = setting.strip_prefix("num=") {
                let wrong = || format!("Error: An integer for num required. But encountered {number}");
                let number: i64 = number.parse().map_err(|_| wrong())?;
                // TLC looks at the number after each behaviour.
                self.traces = Some(number.max(1).unsigned_abs());
            } else if let Some(file) = setting.strip_prefix("file=") {
                self.trace_file = Some(file.into());
            } else if ["stats=basic", "stats=full", "sched=rl", "sched=rlaction"].contains(&setting) {
                self.unsupported_setting = Some(setting.to_owned());
            }
        }
        if self.trace_file.is_some() && self.traces.is_none() {
            return Err("Error: You need to specify a 'num' argument when using the 'file' argument, for example: \
                        '\"num=5,file=test.txt\"'."
                .into());
        }
        Ok(())
    }
}

fn workers(words: &mut Words<'_>) -> Parsed<usize> {
    let word = words.text("expect an integer or 'auto' for -workers option.")?;
    if word.trim().eq_ignore_ascii_case("auto") {
        return Ok(std::thread::available_parallelism().map_or(1, usize::from));
    }
    let number: i32 =
        word.parse().map_err(|_| format!("Error: worker number or 'auto' required. But encountered {word}"))?;
    match usize::try_from(number) {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("Error: at least one worker required.".into()),
    }
}

fn codes(option: &str, words: &mut Words<'_>) -> Parsed<Vec<u32>> {
    let list = words.text(&format!("{option} requires a comma-separated list of message codes."))?;
    let code = |word: &str| word.trim().parse().map_err(|_| format!("Error: For input string: \"{word}\""));
    list.split(',').map(code).collect()
}

fn dump(words: &mut Words<'_>) -> Parsed<Dump> {
    let missing = "A file name for dumping states required.";
    let first = words.text(missing)?;
    let with_ending = |file: &str, ending: &str| {
        PathBuf::from(if file.ends_with(ending) { file.into() } else { format!("{file}{ending}") })
    };
    if first.starts_with("dot") && words.words.peek().is_some() {
        let file = with_ending(words.text(missing)?, ".dot");
        let flags = first.to_lowercase().split(',').skip(1).map(str::to_owned).collect();
        return Ok(Dump { file, dot: Some(flags) });
    }
    Ok(Dump { file: with_ending(first, ".dump"), dot: None })
}

fn format_and_file(words: &mut Words<'_>, option: &str, doing: &str, known: &[&str]) -> Parsed<(String, PathBuf)> {
    let missing = format!("A format and a file name for {doing} traces required.");
    let format = words.text(&missing)?;
    if words.words.peek().is_none() {
        return Err(format!("Error: {missing}"));
    }
    let lower = format.to_lowercase();
    if !known.contains(&&*lower) {
        return Err(format!("Error: Unknown format {format} given to {option}."));
    }
    Ok((lower, words.text(&missing)?.into()))
}

fn postcondition(words: &mut Words<'_>) -> Parsed<(String, String)> {
    let text = words.text("Module!Operator for postCondition required.")?;
    let parts: Vec<&str> = text.split('!').collect();
    match parts.as_slice() {
        [_] => Err(format!("Module!Operator for postCondition required. Encountered: {text}")),
        ["", _] => Err(format!("Module name for postCondition required. Encountered: {text}")),
        [module, _] if module.contains('.') => {
            Err(format!("Module name for postCondition must not contain a dot. Encountered: {module}"))
        }
        [_, operator] if operator.contains('.') => {
            Err(format!("Operator name for postCondition must not contain a dot. Encountered: {operator}"))
        }
        [module, operator] if !operator.is_empty() => Ok(((*module).into(), (*operator).into())),
        _ => Err(format!("Module!Operator for postCondition must be of the form module!operator. Encountered: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Parsed<Options> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_scripts_write() {
        let options =
            parse("-workers 2 -deadlock -config A.cfg -dump dot,Colorize,actionlabels g -noTE M.tla").unwrap();
        assert_eq!((options.workers, options.no_deadlock), (Some(2), true));
        assert_eq!((options.config.as_deref(), options.spec.as_deref()), (Some("A"), Some("M")));
        let dot = Some(vec!["colorize".to_owned(), "actionlabels".to_owned()]);
        assert_eq!(options.dump, Some(Dump { file: "g.dot".into(), dot }));
        let options = parse("-simulate num=3,file=f -depth 10 M").unwrap();
        assert_eq!((options.mode, options.traces, options.depth), (Mode::Simulate, Some(3), Some(10)));
        assert_eq!(parse("-simulate M").unwrap().spec.as_deref(), Some("M"));
        let options = parse("-dumptrace JSON t.json -postCondition M!Op -inv TRUE -invlevel 3 M").unwrap();
        assert_eq!(options.dump_trace, [("json".to_owned(), PathBuf::from("t.json"))]);
        assert_eq!(options.postconditions, [("M".to_owned(), "Op".to_owned())]);
    }

    #[test]
    fn what_is_wrong_is_said_as_tlc_does() {
        let wrong = |line: &str| parse(line).unwrap_err();
        assert_eq!(wrong("-foo M"), "Error: unrecognized option: -foo");
        assert_eq!(wrong("M N.tla"), "Error: more than one input files: M and N.tla");
        assert_eq!(wrong(""), "Error: Missing input TLA+ module.");
        assert!(wrong("-Xmxbig M").starts_with("Error: -Xmxbig: a size"));
        assert_eq!(wrong("-workers 0 M"), "Error: at least one worker required.");
        assert_eq!(wrong("-workers x M"), "Error: worker number or 'auto' required. But encountered x");
        assert_eq!(wrong("M -depth"), "Error: trace length required.");
        assert_eq!(wrong("-fp 131 M"), "Error: The number for -fp must be between 0 and 130 (inclusive).");
        assert_eq!(wrong("-dumpTrace xml f M"), "Error: Unknown format xml given to -dumpTrace.");
        assert_eq!(wrong("-simulate file=f M").split(' ').nth(1), Some("You"));
        assert!(wrong("-nowarning -suppressMessages 2149 M").contains("redundant"));
    }
}
