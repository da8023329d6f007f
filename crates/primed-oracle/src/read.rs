//! What TLC prints with `-tool`, read.
//!
//! Each message stands between `@!@!@STARTMSG code:class @!@!@` and `@!@!@ENDMSG code @!@!@`; one may be inside another. What
//! stands outside of messages is the specification's own output (`Print`) and SANY's.

use crate::run::Ended;
use crate::trouble::Trouble;

const START: &str = "@!@!@STARTMSG ";
const END: &str = "@!@!@ENDMSG ";
const FENCE: &str = " @!@!@";

/// What kind of message TLC calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// 0.
    Plain,
    /// 1.
    Error,
    /// 2: a fault of TLC.
    Bug,
    /// 3.
    Warning,
    /// 4: a state of a trace.
    State,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number (`EC.java`).
    pub code: u32,
    /// Its class.
    pub class: Class,
    /// Its text, that of messages inside it included.
    pub text: String,
    /// The messages inside it.
    pub inner: Vec<Message>,
}

/// A state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its number, from 1.
    pub number: usize,
    /// What stands in angle brackets: the action with its place, or `Initial predicate`.
    pub action: String,
    /// The variables with their values as TLC prints them, maybe over several lines.
    pub values: Vec<(String, String)>,
}

/// How a behaviour goes on after its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// It stays in the last state.
    Stutters,
    /// It goes back to the state of this number.
    Back(usize),
}

/// Classes of exit status (`SANY_AND_TLC.md` 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// 0.
    Holds,
    /// 1: the command line is wrong.
    Usage,
    /// 10.
    Assumption,
    /// 11.
    Deadlock,
    /// 12.
    Safety,
    /// 13.
    Liveness,
    /// 14.
    Assertion,
    /// 75.
    Evaluation,
    /// 76.
    InvariantEvaluation,
    /// 77.
    Tautology,
    /// 150.
    Specification,
    /// 151.
    Configuration,
    /// 255 and what else there is.
    Other,
}

impl Verdict {
    /// The class of an exit status.
    pub fn of(status: i32) -> Verdict {
        match status {
            0 => Verdict::Holds,
            1 => Verdict::Usage,
            10 => Verdict::Assumption,
            11 => Verdict::Deadlock,
            12 => Verdict::Safety,
            13 => Verdict::Liveness,
            14 => Verdict::Assertion,
            75 => Verdict::Evaluation,
            76 => Verdict::InvariantEvaluation,
            77 => Verdict::Tautology,
            150 => Verdict::Specification,
            151 => Verdict::Configuration,
            _ => Verdict::Other,
        }
    }

    /// In a few words.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "no error",
            Verdict::Usage => "wrong arguments",
            Verdict::Assumption => "an assumption or post-condition is false",
            Verdict::Deadlock => "deadlock",
            Verdict::Safety => "an invariant is violated",
            Verdict::Liveness => "a property is violated",
            Verdict::Assertion => "an Assert failed",
            Verdict::Evaluation => "an evaluation failed",
            Verdict::InvariantEvaluation => "the evaluation of an invariant failed",
            Verdict::Tautology => "a temporal property is a tautology",
            Verdict::Specification => "the specification is not legal",
            Verdict::Configuration => "the configuration does not fit",
            Verdict::Other => "another error",
        }
    }
}

/// A whole run of TLC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit status.
    pub status: i32,
    /// Its class.
    pub verdict: Verdict,
    /// The version that TLC names (2262).
    pub version: Option<String>,
    /// All messages in order.
    pub messages: Vec<Message>,
    /// Lines outside of messages.
    pub lines: Vec<String>,
    /// States generated, distinct, left on the queue (the last of 2199, else 2200).
    pub counts: Option<(u64, u64, u64)>,
    /// The depth of the search (2194).
    pub depth: Option<u64>,
    /// What is violated, by name (2107, 2108, 2110, 2112, 2116).
    pub violated: Vec<String>,
    /// The error's words: the first message of class 1 or 2.
    pub error: Option<String>,
    /// Where it happened, outermost first (2103, 2147), in TLC's words.
    pub places: Vec<String>,
    /// The states that lead there (2217, or the state in 2107 and 2108).
    pub trace: Vec<State>,
    /// How the behaviour goes on (2218, 2122).
    pub then: Option<Then>,
}

impl Run {
    /// Reads a run that ended by itself.
    ///
    /// # Errors
    /// [`Trouble::CutOff`] if the output ends in the middle; [`Trouble::Strange`] if it is not TLC's.
    pub fn read(ended: &Ended) -> Result<Run, Trouble> {
        let (messages, lines) = messages(&ended.output)?;
        let version = text_of(&messages, 2262).map(|t| t.trim_start_matches("TLC2 ").trim().to_owned());
        if version.is_none() {
            let said = lines.iter().find(|l| !l.trim().is_empty()).map_or("nothing", |l| l.trim());
            return Err(Trouble::Strange(format!("status {}, and it said: {said}", ended.status)));
        }
        let finished = messages.iter().any(|m| m.code == 2186);
        // What ends early says why; a good end without the last message was no end.
        if !finished && (ended.status == 0 || ended.status > 128 && !messages.iter().any(Message::is_error)) {
            return Err(Trouble::CutOff);
        }
        let mut run = Run {
            status: ended.status,
            verdict: Verdict::of(ended.status),
            version,
            lines,
            counts: None,
            depth: None,
            violated: Vec::new(),
            error: None,
            places: Vec::new(),
            trace: Vec::new(),
            then: None,
            messages: Vec::new(),
        };
        messages.iter().for_each(|m| run.take(m));
        run.messages = messages;
        Ok(run)
    }

    /// Whether a message of this number was printed, also inside another.
    pub fn has(&self, code: u32) -> bool {
        fn inside(messages: &[Message], code: u32) -> bool {
            messages.iter().any(|m| m.code == code || inside(&m.inner, code))
        }
        inside(&self.messages, code)
    }

    fn take(&mut self, message: &Message) {
        match message.code {
            2199 | 2200 => self.counts = counts(&message.text).or(self.counts),
            2194 => self.depth = number_after(&message.text, "search is "),
            2217 => self.trace.extend(state(&message.text)),
            2218 => self.then = Some(Then::Stutters),
            2122 => {
                let number = leading_number(&message.text);
                let back = number_after(&message.text, "Back to state ").or(number);
                self.then = back.and_then(|n| usize::try_from(n).ok()).map(Then::Back);
            }
            2103 => self.places.extend(places(&message.text)),
            2147 => self.places.extend(message.text.lines().filter(|l| l.contains(") line ")).map(str::to_owned)),
            2107 | 2108 => {
                self.violated.extend(between(&message.text, &["Invariant ", "Property "], " is violated"));
                let (_, values) = message.text.split_once('\n').unwrap_or_default();
                let action = "Initial predicate".to_owned();
                self.trace.push(State { number: 1, action, values: assignments(values) });
            }
            2110 | 2112 => {
                self.violated.extend(between(&message.text, &["Invariant ", "Action property "], " is violated"));
            }
            2116 => self.violated.extend(between(&message.text, &["Temporal property "], " was violated")),
            _ => {}
        }
        // 2121, 2264 and 2120 introduce a trace; 2103 says where.
        if message.is_error() && self.error.is_none() && ![2103, 2120, 2121, 2264].contains(&message.code) {
            self.error = Some(message.words());
        }
    }
}

impl Message {
    fn is_error(&self) -> bool {
        matches!(self.class, Class::Error | Class::Bug)
    }

    /// Its text without the wrapper that TLC puts around an exception.
    fn words(&self) -> String {
        let text = self.text.trim();
        match text.strip_prefix("TLC threw an unexpected exception.").and_then(|t| t.split_once("\n: ")) {
            Some((_, inner)) => inner.split_once("Exception: ").map_or(inner, |(_, said)| said).to_owned(),
            None => text.to_owned(),
        }
    }
}

/// The messages of an output, and the lines outside of them.
///
/// # Errors
/// [`Trouble::CutOff`] if one has no end.
pub fn messages(output: &str) -> Result<(Vec<Message>, Vec<String>), Trouble> {
    let (mut done, mut open, mut lines): (Vec<Message>, Vec<Message>, Vec<String>) = Default::default();
    for line in output.lines() {
        if let Some((before, head)) = line.split_once(START)
            && let Some((code, class)) = head.strip_suffix(FENCE).and_then(header)
        {
            // What was printed without a line break stands before it.
            put(&mut open, &mut lines, before, !before.is_empty());
            open.push(Message { code, class, text: String::new(), inner: Vec::new() });
        } else if let Some((before, _)) = line.split_once(END).filter(|(_, code)| code.ends_with(FENCE)) {
            put(&mut open, &mut lines, before, !before.is_empty());
            let Some(message) = open.pop() else { continue };
            match open.last_mut() {
                Some(outer) => {
                    outer.text.push_str(&message.text);
                    outer.inner.push(message);
                }
                None => done.push(message),
            }
        } else {
            put(&mut open, &mut lines, line, true);
        }
    }
    if open.is_empty() { Ok((done, lines)) } else { Err(Trouble::CutOff) }
}

fn put(open: &mut [Message], lines: &mut Vec<String>, line: &str, wanted: bool) {
    match open.last_mut() {
        _ if !wanted => {}
        Some(message) => {
            message.text.push_str(line);
            message.text.push('\n');
        }
        None => lines.push(line.to_owned()),
    }
}

fn header(text: &str) -> Option<(u32, Class)> {
    let (code, class) = text.split_once(':')?;
    let class = match class {
        "0" => Class::Plain,
        "1" => Class::Error,
        "2" => Class::Bug,
        "3" => Class::Warning,
        "4" => Class::State,
        _ => return None,
    };
    Some((code.parse().ok()?, class))
}

fn text_of(messages: &[Message], code: u32) -> Option<&str> {
    messages.iter().find(|m| m.code == code).map(|m| m.text.as_str())
}

/// `N states generated ..., N distinct states found ..., N states left on queue`, with or without separators and rates.
fn counts(text: &str) -> Option<(u64, u64, u64)> {
    let before = |what: &str| {
        let (head, _) = text.split_once(what)?;
        let digits = head.rsplit(|c: char| !c.is_ascii_digit() && c != ',').next()?;
        digits.replace(',', "").parse().ok()
    };
    Some((before(" states generated")?, before(" distinct states found")?, before(" states left on queue")?))
}

fn number_after(text: &str, what: &str) -> Option<u64> {
    leading_number(text.split_once(what)?.1)
}

fn leading_number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

fn between(text: &str, before: &[&str], after: &str) -> Option<String> {
    let rest = before.iter().find_map(|b| text.strip_prefix(b))?;
    Some(rest.split_once(after)?.0.to_owned())
}

/// `0. Line 4, column 9 to line 4, column 25 in A`.
fn places(text: &str) -> impl Iterator<Item = String> {
    let numbered = |line: &str| {
        let (number, place) = line.split_once(". ")?;
        (number.chars().all(|c| c.is_ascii_digit()) && place.starts_with("Line ")).then(|| place.to_owned())
    };
    text.lines().filter_map(numbered)
}

/// `1: <Initial predicate>`, then the variables.
fn state(text: &str) -> Option<State> {
    let (head, values) = text.split_once('\n').unwrap_or((text, ""));
    let (number, action) = head.split_once(": ")?;
    let action = action.trim().trim_start_matches('<').trim_end_matches('>').to_owned();
    Some(State { number: number.parse().ok()?, action, values: assignments(values) })
}

/// `/\ x = 1` one below the other; of a single variable without `/\`. A value may go on over further lines.
fn assignments(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let begins = line.strip_prefix("/\\ ").or(found.is_empty().then_some(line));
        let named = begins.and_then(|l| l.split_once(" = ")).filter(|(name, _)| is_name(name));
        match (named, found.last_mut()) {
            (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) if !line.is_empty() => {
                value.push('\n');
                value.push_str(line);
            }
            _ => {}
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '!')
}

#[cfg(test)]
mod tests;
