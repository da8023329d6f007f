//! Sequences.

use primed_value::error::EvalError;
use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{build, functions, print, sequences as ops, sets};

use super::{Entry, Native, pure};
use crate::env::Env;
use crate::nodes::calls::Operator;

/// Module Sequences.
pub(super) const SEQUENCES: &[Entry] = &[
    pure("Seq", Native::One(|e, s| Ok(sets::sequences(e, s)))),
    pure("Len", Native::One(|e, s| ops::len(e, s))),
    pure("Head", Native::One(|e, s| ops::head(e, s))),
    pure("Tail", Native::One(|e, s| ops::tail(e, s))),
    pure("Append", Native::Two(|e, s, v| ops::append(e, s, v))),
    pure("\\o", Native::Two(|e, s, t| ops::concat(e, s, t))),
    pure("SubSeq", Native::Three(|e, s, m, n| ops::subseq(e, s, m, n))),
    pure("SelectSeq", Native::With(select)),
];

/// The elements that satisfy the operator, in order.
fn select<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(test), Some(sequence)) = (operators.first(), arguments.first()) else {
        return Err(EvalError::new(1000, "SelectSeq needs a sequence and an operator"));
    };
    let Some(elements) = functions::as_sequence(env, *sequence) else {
        let text = print::print_short(env, *sequence, 200);
        let message = format!("The first argument of SelectSeq should be a sequence, but instead it is:\n{text}");
        return Err(EvalError::new(2169, message));
    };
    let mut kept = Vec::new();
    for element in elements {
        match test.apply(env, &[*element])? {
            Value::Bool(true) => kept.push(*element),
            Value::Bool(false) => {}
            _ => {
                let message = "The second argument of SelectSeq should be a boolean-valued operator, but instead it is:\n<Operator LAMBDA>";
                return Err(EvalError::new(2169, message));
            }
        }
    }
    Ok(build::tuple_vec(env, kept))
}
