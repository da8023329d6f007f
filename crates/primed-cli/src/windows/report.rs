//! The result for people.

use std::path::Path;

use primed::tally::{Group, Groups, NAMELESS, Row, Where};
use primed::{
    Assumed, Difference, Elsewhere, Finding, FindingKind, Location, MOST_REASONS, Reason, Refused, Tally, Tried,
    Trouble,
};

use crate::arguments::WindowsArguments;
use crate::paint::{Paint, harmless, short};

/// Longest text of a condition or value, in characters.
const LONG: usize = 200;
/// Reasons that are shown of one refusal, ways of one reason, differences of a successor, places of an error.
const MAX_REASONS: usize = 3;
const MAX_WAYS: usize = 3;
const MAX_DIFFERENCES: usize = 8;
const MAX_PLACES: usize = 3;
/// Actions that would allow the step for other values of a parameter.
const MAX_ELSEWHERE: usize = 4;
/// Values of unobserved variables for which a refusal is explained.
const EXPLAINED: usize = 200;
/// Longest name that has its value on the same line.
const MAX_NAME: usize = 40;

/// The whole report.
pub(crate) fn report(tally: &Tally, arguments: &WindowsArguments, paint: Paint) -> String {
    let mut report = Report { text: String::new(), paint, most: arguments.max_refusals, brief: arguments.steps.brief };
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let windows = match arguments.windows.as_str() {
        "-" => "standard input".to_owned(),
        path => name(Path::new(path)),
    };
    report.line(&format!("{} against {}", paint.bold(&harmless(&windows)), paint.bold(&name(&arguments.source.spec))));
    report.line("");
    report.table(tally, "");
    report.unobserved(tally);
    report.invariants(tally);
    report.details(tally);
    report.text
}

/// The table of actions alone, each line after some spaces.
pub(crate) fn table(tally: &Tally, indent: &str, paint: Paint) -> String {
    let mut report = Report { text: String::new(), paint, most: 0, brief: true };
    report.table(tally, indent);
    report.text
}

/// What is behind the table: refusals, errors and remarks, the commonest first. At most so many of each kind are shown.
pub(crate) fn details(tally: &Tally, most: usize, brief: bool, paint: Paint) -> String {
    let mut report = Report { text: String::new(), paint, most, brief };
    report.unobserved(tally);
    report.details(tally);
    report.text
}

/// Part of a whole as a percentage; only the whole is 100, and only nothing 0.
pub(crate) fn rate(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".into();
    }
    let tenths = (part as u128 * 2000 + whole as u128) / (whole as u128 * 2);
    let tenths = if part < whole { tenths.min(999) } else { tenths };
    match (part, tenths) {
        (1.., 0) => "< 0.1 %".into(),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

struct Report {
    text: String,
    paint: Paint,
    most: usize,
    brief: bool,
}

impl Report {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn details(&mut self, tally: &Tally) {
        let merged = "the same action and condition are counted together";
        self.section("window refused", "windows refused", merged, &tally.refusals, Report::action, Report::refusal);
        let merged = "the same action and place are counted together";
        self.section("window in error", "windows in error", merged, &tally.errors, Report::action, Report::trouble);
        let (one, more) = ("window unsupported", "windows unsupported");
        self.section(one, more, merged, &tally.unsupported, Report::action, Report::trouble);
        let merged = "the same invariant, state and condition are counted together";
        let (one, more) = ("violation of an invariant", "violations of invariants");
        self.section(one, more, merged, &tally.violations, Report::invariant, Report::finding);
        let (one, more) = ("invariant could not be evaluated", "times an invariant could not be evaluated");
        self.section(one, more, merged, &tally.unknown, Report::invariant, Report::finding);
        let note = |report: &Report, _: &Where, note: &String| report.paint.yellow(&short(note, LONG));
        self.section("note", "notes", "", &tally.notes, note, |_, _| {});
        if !tally.unknown_keys.is_empty() {
            self.line("");
            let keys = short(&tally.unknown_keys.join(", "), LONG);
            self.line(&self.paint.dim(&format!("Keys of the windows that mean nothing here: {keys}")));
        }
    }

    fn table(&mut self, tally: &Tally, indent: &str) {
        let unsupported = tally.rows.iter().any(|r| r.unsupported > 0);
        let disputed = tally.rows.iter().any(|r| r.disputed > 0);
        let mut total = Row { name: "total".into(), ..Row::default() };
        for row in &tally.rows {
            total.conforming += row.conforming;
            total.refused += row.refused;
            total.errors += row.errors;
            total.unsupported += row.unsupported;
            total.disputed += row.disputed;
        }
        let names = tally.rows.iter().map(|r| short(&r.name, 60).chars().count());
        let width = names.max().unwrap_or(0).max("action".len());
        let last = [("  unsupported", unsupported), ("  disputed", disputed)];
        let last: String = last.iter().filter(|(_, shown)| *shown).map(|(title, _)| *title).collect();
        let head = format!("{:width$}  windows  conforming  refused  errors{last}     rate", "action");
        self.line(&format!("{indent}{}", self.paint.dim(&head)));
        for row in tally.rows.iter().chain([&total]) {
            let line = self.row(row, width, (unsupported, disputed));
            self.line(&format!("{indent}{line}"));
        }
    }

    fn row(&self, row: &Row, width: usize, (unsupported, disputed): (bool, bool)) -> String {
        let paint = self.paint;
        let name = format!("{:width$}", short(&row.name, 60));
        if row.total() == 0 {
            return format!("{}  {:>7}  {}", paint.dim(&name), 0, paint.yellow("no evidence"));
        }
        let count = |n: usize, width: usize, color: fn(Paint, &str) -> String| {
            let text = format!("{n:>width$}");
            if n == 0 { paint.dim(&text) } else { color(paint, &text) }
        };
        let plain = |_: Paint, text: &str| text.to_owned();
        let mut line = format!(
            "{}  {}  {}  {}  {}",
            if row.name == "total" { paint.bold(&name) } else { name },
            count(row.total(), 7, plain),
            count(row.conforming, 10, plain),
            count(row.refused, 7, Paint::red),
            count(row.errors, 6, Paint::yellow),
        );
        if unsupported {
            line.push_str(&format!("  {}", count(row.unsupported, 11, Paint::yellow)));
        }
        if disputed {
            line.push_str(&format!("  {}", count(row.disputed, 8, Paint::bold_red)));
        }
        let rate = format!("{:>7}", rate(row.conforming, row.total()));
        let rate = if row.conforming == row.total() { paint.green(&rate) } else { rate };
        format!("{line}  {rate}")
    }

    fn unobserved(&mut self, tally: &Tally) {
        let all = tally.total();
        let some = tally.unobserved.iter().filter(|(_, n)| *n > 0);
        let parts: Vec<String> =
            some.map(|(name, n)| {
                if *n == all { format!("{name} (always)") } else { format!("{name} (in {})", many(*n, "window")) }
            })
            .collect();
        if !parts.is_empty() {
            self.line("");
            self.line(&format!("Unobserved: {}", parts.join(", ")));
        }
    }

    fn invariants(&mut self, tally: &Tally) {
        if tally.invariants.is_empty() {
            return;
        }
        let width = tally.invariants.iter().map(|i| i.name.chars().count()).max().unwrap_or(0).max("invariant".len());
        self.line("");
        self.line(&self.paint.dim(&format!("{:width$}  violated  not evaluated", "invariant")));
        for row in &tally.invariants {
            let mark = |n: usize, width: usize, color: fn(Paint, &str) -> String| {
                let text = format!("{n:>width$}");
                if n == 0 { self.paint.dim(&text) } else { color(self.paint, &text) }
            };
            let (violated, unknown) = (mark(row.violated, 8, Paint::red), mark(row.not_evaluated, 13, Paint::yellow));
            let line = format!("{:width$}  {violated}  {unknown}", row.name);
            self.line(&line);
        }
    }

    /// A heading and the largest groups: the title of each, then what `show` says of its example.
    fn section<T>(
        &mut self,
        one: &str,
        more: &str,
        merged: &str,
        groups: &Groups<T>,
        title: impl Fn(&Report, &Where, &T) -> String,
        show: impl Fn(&mut Report, &T),
    ) {
        let total = groups.total();
        if total == 0 {
            return;
        }
        let heading = self.paint.bold(&format!("{total} {}", if total == 1 { one } else { more }));
        let some_merged = total > groups.list.len() && !merged.is_empty();
        let remark = if some_merged { self.paint.dim(&format!("  ({merged})")) } else { String::new() };
        self.line("");
        self.line(&format!("{heading}{remark}"));
        let sorted = groups.sorted();
        for (i, group) in sorted.iter().take(self.most).enumerate() {
            let title = title(self, &group.first, &group.example);
            self.line("");
            self.line(&format!("{:>2}. {title}  {}", i + 1, place(group)));
            show(self, &group.example);
        }
        let left = sorted.iter().skip(self.most).map(|g| g.count).sum::<usize>() + groups.beyond;
        if left > 0 {
            let kinds = many(sorted.len().saturating_sub(self.most), "other kind");
            self.line("");
            self.line(&self.paint.dim(&format!("... and {left} more, of {kinds}; --max-refusals N shows more")));
        }
    }

    fn action<T>(&self, of: &Where, _: &T) -> String {
        let name = of.action.as_deref().map_or_else(|| NAMELESS.into(), |a| short(a, 60));
        self.paint.bold_red(&name)
    }

    fn invariant(&self, of: &Where, finding: &Finding) -> String {
        let state = if finding.state == "pre" { "before" } else { "after" };
        let action = of.action.as_deref().map_or_else(|| "the step".into(), |a| short(a, 60));
        format!("{} {state} {action}", self.paint.bold_red(&finding.invariant))
    }

    fn refusal(&mut self, refused: &Refused) {
        let from = refused.assumed.as_ref().map_or("", |assumed| assumed.from.as_str());
        self.reasons(&refused.reasons, from);
        if let Some(why) = &refused.unknown {
            self.line(&format!("    {}", short(why, 2 * LONG)));
        }
        if let Some(assumed) = &refused.assumed {
            self.assumed(assumed);
        }
        let decided = refused.unknown.is_some() && refused.nearest.is_none() && refused.others.is_empty();
        if self.brief || decided {
            return;
        }
        self.line("");
        match refused.nearest.as_deref() {
            None => self.line("    nearest successor: none was found"),
            Some([]) => self.line("    nearest successor: as observed"),
            Some(differences) => self.differences(differences, refused.among),
        }
        match refused.others.as_slice() {
            [] => self.line("    allowed by: no other action"),
            others => self.line(&format!("    allowed by: {}", self.paint.green(&short(&others.join(", "), LONG)))),
        }
        for Elsewhere { action, parameter, values } in refused.elsewhere.iter().take(MAX_ELSEWHERE) {
            let values = values.join(" or ");
            let shown = self.paint.green(&short(&format!("{action} with {parameter} = {values}"), LONG));
            self.line(&format!("    would conform as: {shown}"));
        }
    }

    /// What was not observed before the step.
    fn assumed(&mut self, assumed: &Assumed) {
        let Assumed { variables, from, tried } = assumed;
        let (variables, from) = (short(&variables.join(", "), LONG), short(from, LONG));
        let (one, first) = match tried {
            0 => return,
            1 => ("the one value", ""),
            n if *n > EXPLAINED => ("each value", ", explained for the first 200"),
            _ => ("each value", ""),
        };
        let count = if *tried > 1 { format!(" ({tried} tried{first})") } else { String::new() };
        self.line("");
        self.line(&format!(
            "    not observed before the step: {variables}; {one} that {from} allows was assumed{count}"
        ));
    }

    fn differences(&mut self, differences: &[Difference], among: Option<usize>) {
        let among = among.map(|n| format!(" among the first {n}; there are more")).unwrap_or_default();
        self.line(&format!("    nearest successor{among}:"));
        let shown: Vec<[String; 3]> = differences
            .iter()
            .take(MAX_DIFFERENCES)
            .map(|d| [short(&d.path, LONG), short(&d.specification, LONG), short(&d.observed, LONG)])
            .collect();
        let width = |i: usize| shown.iter().map(|d| d[i].chars().count()).max().unwrap_or(0).min(40);
        let (a, b) = (width(0), width(1));
        for [path, specification, observed] in &shown {
            let line = format!("      {path:a$}  specification {specification:b$}  observed {observed}");
            self.line(&line);
        }
        if differences.len() > MAX_DIFFERENCES {
            let more = differences.len() - MAX_DIFFERENCES;
            self.line(&format!("      ... and {}", many(more, "more difference")));
        }
    }

    /// Conditions, those at one place together with the ways in which they are false.
    fn reasons(&mut self, reasons: &[Reason], from: &str) {
        let mut places: Vec<(&Location, Vec<&Reason>)> = Vec::new();
        for reason in reasons {
            match places.iter_mut().find(|(location, _)| **location == reason.location) {
                Some((_, ways)) => ways.push(reason),
                None => places.push((&reason.location, vec![reason])),
            }
        }
        for (location, ways) in places.iter().take(MAX_REASONS) {
            self.location(location);
            for (i, way) in ways.iter().take(MAX_WAYS).enumerate() {
                if i > 0 {
                    let or = self.paint.dim("or");
                    self.line(&format!("      {or}"));
                }
                self.values(way, from);
            }
            if ways.len() > MAX_WAYS && reasons.len() >= MOST_REASONS {
                // Nobody has counted them.
                self.line("      or in more ways");
            } else if ways.len() > MAX_WAYS {
                self.line(&format!("      or in {}", many(ways.len() - MAX_WAYS, "more way")));
            }
        }
        if places.len() > MAX_REASONS {
            self.line(&format!("    ... and {}", many(places.len() - MAX_REASONS, "more condition")));
        }
    }

    fn location(&mut self, location: &Location) {
        if location.line == 0 {
            return;
        }
        let place = format!("{}:{}:{}", harmless(&location.file), location.line, location.column);
        let line = format!("    {}  {}", self.paint.cyan(&place), self.paint.bold(&short(&location.text, LONG)));
        self.line(&line);
    }

    fn values(&mut self, reason: &Reason, from: &str) {
        for line in inside(reason) {
            self.line(&format!("      {}", short(&line, LONG)));
        }
        let assumed = |name: &str| match name.ends_with('\'') {
            true => "  (not observed: the action gives it this value)".to_owned(),
            false => format!("  (not observed: {} allows it)", short(from, LONG)),
        };
        let all = reason.bindings.iter().chain(&reason.operands).filter(|shown| !reason.unobserved.contains(shown));
        let all = all.map(|(n, v)| (short(n, LONG), short(v, LONG)));
        let unobserved = reason.unobserved.iter().map(|(n, v)| (short(n, LONG), short(v, LONG) + &assumed(n)));
        let all: Vec<(String, String)> = all.chain(unobserved).collect();
        let widths = all.iter().map(|(name, _)| name.chars().count());
        let width = widths.filter(|n| *n <= MAX_NAME).max().unwrap_or(0);
        for (name, value) in &all {
            let is = self.paint.dim("is");
            match name.chars().count() > MAX_NAME {
                true => self.line(&format!("      {name}\n      {:width$} {is} {value}", "")),
                false => self.line(&format!("      {name:width$} {is} {value}")),
            }
        }
    }

    fn trouble(&mut self, trouble: &Trouble) {
        for line in trouble.message.lines().take(12) {
            let line = format!("    {}", short(line, 2 * LONG));
            self.line(&line);
        }
        for place in trouble.places.iter().take(MAX_PLACES) {
            self.location(place);
        }
    }

    fn finding(&mut self, finding: &Finding) {
        match &finding.kind {
            FindingKind::Violated(reasons) => self.reasons(reasons, ""),
            FindingKind::NotEvaluated(message) | FindingKind::Unobserved(message) => {
                self.line(&format!("    {}", short(message, 2 * LONG)))
            }
        }
    }
}

/// For which values of the names that it binds a condition is false, a line each.
pub(crate) fn inside(reason: &Reason) -> Vec<String> {
    let because = reason.because.iter().map(|(location, holds)| {
        let value = if *holds { "TRUE" } else { "FALSE" };
        format!("asked because `{}` is {value} (line {})", location.text, location.line)
    });
    let mut lines: Vec<String> = because.collect();
    if !reason.witnesses.is_empty() {
        let values = reason.witnesses.iter().map(|(name, value)| format!("{name} = {value}"));
        lines.push(format!("false for {}", values.collect::<Vec<_>>().join(", ")));
    }
    for Tried { names, count } in &reason.tried {
        let (names, many) = (names.join(", "), names.len() > 1);
        lines.push(match (count, many) {
            (0, _) => format!("there is no value for {names} to take"),
            (1, false) => format!("the one value of {names} does not satisfy it"),
            (n, false) => format!("none of the {n} values of {names} satisfies it"),
            (n, true) => format!("none of the {n} combinations of {names} satisfies it"),
        });
    }
    lines
}

/// How often, and where first.
fn place<T>(group: &Group<T>) -> String {
    let Where { file, line, id, trace, .. } = &group.first;
    let line = file.as_deref().map_or_else(|| format!("line {line}"), |f| format!("line {line} of {}", harmless(f)));
    let id = id.as_deref().map(|id| format!("window {}", bare(id)));
    let trace = trace.as_deref().map(|trace| format!("trace {}", bare(trace)));
    let called = [id, trace].into_iter().flatten().collect::<Vec<_>>().join(" of ");
    let called = if called.is_empty() { called } else { format!(" ({called})") };
    match group.count {
        1 => format!("{line}{called}"),
        n => format!("{n} times, first in {line}{called}"),
    }
}

/// A count with its noun.
fn many(n: usize, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}

/// An id without its quotes if it is a string.
fn bare(json: &str) -> String {
    match serde_json::from_str::<String>(json) {
        Ok(text) => short(&text, 60),
        Err(_) => short(json, 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_never_rounded_up() {
        assert_eq!(rate(9_999, 10_000), "99.9 %");
        assert_eq!(rate(3, 3), "100.0 %");
        assert_eq!(rate(1, 100_000), "< 0.1 %");
        assert_eq!(rate(0, 5), "0.0 %");
    }

    #[test]
    fn ids_lose_their_quotes() {
        assert_eq!((bare("7"), bare("\"a b\"")), ("7".into(), "a b".into()));
    }
}
