//! TV modules before TLC, one window a run. What the module reads of its surroundings (the file of windows, the number of the
//! window) is written as TLA+ in stand-ins for the modules Json and IOUtils, which TLC 2.15 does not have.

use serde_json::Value;

use crate::find::Tools;
use crate::json::{literal, string};
use crate::read::{Run, Verdict};
use crate::run::Bounds;
use crate::scratch::Scratch;
use crate::session::Session;
use crate::specification::{Module, Specification, has_word, portable};
use crate::trouble::Trouble;
use crate::windows::Said;

/// Bytes of windows up to which all of them are given to each run; beyond, only the one that it is about.
const MAX_ALL: usize = 1 << 20;
/// What the stand-ins do not have.
const ABSENT: &[&str] = &[
    "ToJson",
    "ToJsonArray",
    "ToJsonObject",
    "JsonDeserialize",
    "JsonSerialize",
    "ndJsonSerialize",
    "IOExec",
    "IOEnvExec",
    "IOExecTemplate",
    "IOEnvExecTemplate",
    "Serialize",
    "Deserialize",
    "IOSerialize",
    "IODeserialize",
    "zeroPadN",
];

/// A file of windows: its name, and its lines, each of them JSON.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'w> {
    /// The name, without folders.
    pub name: &'w str,
    /// The lines that are not blank.
    pub lines: &'w [String],
}

/// Asks TLC about the windows of these indices, from 1, one after the other in one process: what it says is told at once. A window
/// that it does not answer about costs no other one its answer; it is started anew then. Where nothing can be asked at all every
/// window has [`Said::Nothing`], with the reason.
pub fn judge(
    tools: &Tools,
    spec: &Specification,
    windows: Windows<'_>,
    indices: &[usize],
    bounds: &Bounds,
    tell: &mut dyn FnMut(usize, Said),
) {
    let mut judging = Judging { tools, spec, windows, bounds, session: None, lasting: None };
    for index in indices {
        let said = match &judging.lasting {
            Some(trouble) => Said::Nothing(trouble.to_string()),
            None => judging.one(*index).unwrap_or_else(|trouble| {
                let said = Said::Nothing(trouble.to_string());
                judging.lasting = Some(trouble).filter(Trouble::is_lasting);
                said
            }),
        };
        tell(*index, said);
    }
}

struct Judging<'j> {
    tools: &'j Tools,
    spec: &'j Specification,
    windows: Windows<'j>,
    bounds: &'j Bounds,
    session: Option<Session>,
    /// Why nothing can be asked any more.
    lasting: Option<Trouble>,
}

impl Judging<'_> {
    fn one(&mut self, index: usize) -> Result<Said, Trouble> {
        let reads = self.tools.contents.has_module("Json");
        let stood_in = match stand_in(self.spec, self.windows.lines, index, reads) {
            Ok(stood_in) => stood_in,
            Err(why) => return Ok(Said::Nothing(why)),
        };
        if let Some(why) = stood_in.beyond(self.tools) {
            return Ok(Said::Nothing(why));
        }
        let scratch = Scratch::new()?;
        stood_in.lay_out(self.tools, &scratch)?;
        scratch.write(&format!("{}.cfg", self.spec.root()), portable(&self.spec.config).as_bytes())?;
        if self.session.is_none() {
            self.session = Some(Session::start(self.tools, false, self.bounds)?);
        }
        let Some(session) = &mut self.session else { return Err(Trouble::CutOff) };
        if reads {
            // TLC takes the name from where it runs, which is a folder of its own only if each request has a process of its own.
            let lines: String = self.windows.lines.iter().map(|line| format!("{line}\n")).collect();
            scratch.write(self.windows.name, lines.as_bytes())?;
            session.write(self.windows.name, lines.as_bytes())?;
        }
        // Newer versions would write a specification of the counterexample.
        let quiet = self.tools.contents.known.contains(&"-noGenerateSpecTE");
        let options: &[&str] = if quiet { &["-deadlock", "-noGenerateSpecTE"] } else { &["-deadlock"] };
        session.send(scratch.path(), self.spec.root(), options);
        match session.receive().and_then(|ended| Run::read(&ended)) {
            Ok(run) => Ok(said(run)),
            Err(trouble) if trouble.is_lasting() => Err(trouble),
            Err(trouble) => {
                // The next window has a new process.
                self.session = None;
                Ok(Said::Nothing(trouble.to_string()))
            }
        }
    }
}

fn said(run: Run) -> Said {
    match run.verdict {
        Verdict::Safety => Said::Conforms,
        Verdict::Holds => Said::Refused,
        // No initial state: the state before the step is impossible.
        _ if run.has(2118) => Said::Refused,
        Verdict::Usage | Verdict::Specification | Verdict::Configuration => {
            let words = run.error.unwrap_or_default();
            Said::Nothing(format!("TLC could not read the module: {words} {}", run.lines.join(" ").trim()))
        }
        _ if run.error.as_deref().is_some_and(|e| e.contains("No such file") || e.contains("FileNotFound")) => {
            Said::Nothing("the module reads a file that is not the one of the windows".into())
        }
        verdict => Said::Error(run.error.unwrap_or_else(|| verdict.word().to_owned())),
    }
}

/// The specification with what it reads written as TLA+. With `reads`, TLC reads the file of windows itself: its module Json is
/// in Java, whatever module of that name there is.
///
/// # Errors
/// If it reads something else, or a window has no value in TLA+.
pub fn stand_in(spec: &Specification, windows: &[String], index: usize, reads: bool) -> Result<Specification, String> {
    let json = spec.modules.iter().any(|m| m.own && m.name == "Json");
    let io = spec.modules.iter().any(|m| m.own && m.name == "IOUtils");
    if let Some(operator) = ABSENT.iter().find(|operator| spec.mentions(operator)).filter(|_| json || io) {
        return Err(format!("the module uses `{operator}`, which cannot be written down for TLC"));
    }
    let all = windows.iter().map(String::len).sum::<usize>() <= MAX_ALL;
    let mut values = Vec::with_capacity(windows.len());
    let windows = if reads { &[] } else { windows };
    for (i, line) in windows.iter().enumerate() {
        let value: Result<Value, String> = serde_json::from_str(line).map_err(|e| e.to_string());
        values.push(match value.and_then(|v| literal(&v)) {
            _ if !all && i + 1 != index => "<<>>".to_owned(),
            Ok(text) => text,
            Err(why) if i + 1 == index => return Err(why),
            Err(_) => "<<>>".to_owned(),
        });
    }
    let mut stood_in = spec.clone();
    for module in stood_in.modules.iter_mut().filter(|m| m.own) {
        match module.name.as_str() {
            "Json" if !reads => *module = of_json(&values),
            "IOUtils" => *module = of_io(spec, index),
            _ => {}
        }
    }
    Ok(stood_in)
}

fn of_json(values: &[String]) -> Module {
    let text = format!(
        "---- MODULE Json ----\nLOCAL INSTANCE Integers\nLOCAL INSTANCE TLC\nLOCAL Windows_ == <<\n  {}\n>>\n\
         ndJsonDeserialize(absoluteFilename) == Windows_\n====\n",
        values.join(",\n  ")
    );
    Module { name: "Json".into(), text, own: false }
}

/// The environment has the index, and what else the specification asks for by name.
fn of_io(spec: &Specification, index: usize) -> Module {
    let mut environment = vec![("WINDOW_INDEX".to_owned(), index.to_string())];
    let named =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let letters = |name: &str| name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    environment.extend(named.filter(|(name, _)| {
        name != "WINDOW_INDEX" && letters(name) && spec.users().any(|m| has_word(&m.text, &format!("IOEnv.{name}")))
    }));
    let fields: Vec<String> = environment.iter().map(|(name, value)| format!("{name} |-> {}", string(value))).collect();
    let numbers: Vec<String> = environment
        .iter()
        .filter(|(_, value)| value.parse::<i32>().is_ok_and(|n| n >= 0 && n.to_string() == *value))
        .map(|(_, value)| format!("str = \"{value}\" -> {value}"))
        .collect();
    let text = format!(
        "---- MODULE IOUtils ----\nIOEnv == [{}]\natoi(str) == CASE {}\n====\n",
        fields.join(", "),
        numbers.join(" [] ")
    );
    Module { name: "IOUtils".into(), text, own: false }
}
