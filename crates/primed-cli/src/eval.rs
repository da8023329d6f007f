//! `primed eval`: single expressions.

use std::io::BufRead;
use std::path::PathBuf;

use primed::{Evaluator, ExpressionError, Folders, Permissions};
use serde::Serialize;

use crate::arguments::EvalArguments;
use crate::diagnostics;
use crate::exit::{EVALUATION, Failure, GOOD, LIMIT, SPECIFICATION, UNSUPPORTED};
use crate::output::{Sink, complain, plain, raw_error};
use crate::paint::Paint;

pub(crate) const LONG_HELP: &str = "\
JSON (`--json -`): one object for each expression, in order, {\"value\": TEXT} or
{\"error\": TEXT}. A blank line of standard input is answered too, with an error.

Exit codes:
    0  every expression has a value
   64  the command was called wrongly
   70  a fault of Primed
   72  an expression needs something that is not supported
   73  a limit was reached (depth, size of a set, memory, steps)
   75  an evaluation failed
  150  an expression is not legal, or a module that --extends names is not there
If several apply, 150 comes first, then 75, 73 and 72.

Examples:
  primed eval '{x \\in 1..10 : x % 3 = 0}' 'Len(<<1, 2>>)'
  echo 'SUBSET {a, b}' | primed eval --model-values a,b --json -";

/// Evaluates; the exit code.
pub(crate) fn run(arguments: &EvalArguments) -> Result<u8, Failure> {
    let folders = Folders([vec![PathBuf::from(".")], arguments.libraries.all()].concat());
    let permissions = Permissions { print: true, ..arguments.access.permissions() };
    let mut evaluator = Evaluator::new(&arguments.extends, &arguments.model_values, &folders, permissions)?;
    if let Some(steps) = arguments.bound.max_steps {
        evaluator.limit_steps(steps);
    }
    let json = match &arguments.common.json {
        Some(target) => Some(Sink::json(target, None)?.promptly()),
        None => None,
    };
    let people = (!arguments.common.only_json()).then(|| Sink::standard().promptly());
    let mut answers = Answers { json, people, paint: arguments.common.color.error(), code: GOOD };
    for expression in &arguments.expressions {
        answers.answer(evaluator.print(expression).map_err(Unanswered::Expression))?;
    }
    if arguments.expressions.is_empty() {
        read_lines(&mut evaluator, &mut answers)?;
    }
    Ok(answers.code)
}

fn read_lines(evaluator: &mut Evaluator<'_>, answers: &mut Answers) -> Result<(), Failure> {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    let unreadable = |e: std::io::Error| Failure::system(format!("cannot read standard input: {}", plain(&e)));
    while input.read_until(b'\n', &mut line).map_err(unreadable)? > 0 {
        let answer = match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => Err(Unanswered::Line("there is no expression in the line".into())),
            Ok(text) => evaluator.print(text.trim_end_matches(['\n', '\r'])).map_err(Unanswered::Expression),
            Err(e) => Err(Unanswered::Line(format!("byte {} of the line is not UTF-8", e.valid_up_to() + 1))),
        };
        answers.answer(answer)?;
        line.clear();
    }
    Ok(())
}

/// Why there is no value.
enum Unanswered {
    Expression(ExpressionError),
    Line(String),
}

impl Unanswered {
    fn code(&self) -> u8 {
        match self {
            Unanswered::Expression(error) => u8::try_from(error.exit_code()).unwrap_or(u8::MAX),
            Unanswered::Line(_) => SPECIFICATION,
        }
    }
}

/// Writes answers as they come.
struct Answers {
    json: Option<Sink>,
    people: Option<Sink>,
    paint: Paint,
    code: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer<'a> {
    Value(&'a str),
    Error(&'a str),
}

impl Answers {
    fn answer(&mut self, answer: Result<String, Unanswered>) -> Result<(), Failure> {
        let code = self.code;
        match answer {
            Ok(value) => self.write(&Answer::Value(&value), Some(&value)).map_err(|e| e.failure(code)),
            Err(unanswered) => {
                self.code = worse(code, unanswered.code());
                let text = match &unanswered {
                    Unanswered::Expression(error) => error.to_string(),
                    Unanswered::Line(message) => message.clone(),
                };
                if self.people.is_some() {
                    self.say(&unanswered, &text);
                }
                let code = self.code;
                self.write(&Answer::Error(&text), None).map_err(|e| e.failure(code))
            }
        }
    }

    fn write(&mut self, object: &Answer<'_>, value: Option<&str>) -> Result<(), crate::output::Unwritten> {
        if let Some(json) = &mut self.json {
            json.object(object)?;
        }
        if let (Some(people), Some(value)) = (&mut self.people, value) {
            people.text(&format!("{value}\n"))?;
        }
        Ok(())
    }

    fn say(&self, unanswered: &Unanswered, text: &str) {
        match unanswered {
            Unanswered::Expression(ExpressionError::Illegal(complaints)) => {
                raw_error(&diagnostics::render(complaints, self.paint));
            }
            _ => complain(self.paint, text),
        }
    }
}

/// An illegal expression is worse than one without a value, that is worse than one that reaches a limit, and that than one that is
/// not supported.
fn worse(a: u8, b: u8) -> u8 {
    let order = [GOOD, UNSUPPORTED, LIMIT, EVALUATION, SPECIFICATION];
    let rank = |code: u8| order.iter().position(|c| *c == code).unwrap_or(order.len());
    if rank(a) >= rank(b) { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_answer_decides() {
        assert_eq!(worse(GOOD, EVALUATION), EVALUATION);
        assert_eq!(worse(SPECIFICATION, EVALUATION), SPECIFICATION);
        assert_eq!(worse(UNSUPPORTED, GOOD), UNSUPPORTED);
        assert_eq!((worse(LIMIT, UNSUPPORTED), worse(LIMIT, EVALUATION)), (LIMIT, EVALUATION));
    }
}
