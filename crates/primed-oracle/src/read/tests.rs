use std::time::Duration;

use super::*;

fn ended(status: i32, output: &str) -> Ended {
    Ended { status, output: output.to_owned(), took: Duration::ZERO }
}

fn message(code: u32, class: u32, text: &str) -> String {
    format!("@!@!@STARTMSG {code}:{class} @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@\n")
}

fn banner() -> String {
    message(2262, 0, "TLC2 Version 2.15 of Day Month 20?? (rev: d5b5a7f)")
}

#[test]
fn a_violated_invariant_has_its_name_counts_and_trace() {
    let output = banner()
        + "<<\"hi\", 0>>\n"
        + &message(2110, 1, "Invariant Inv is violated.")
        + &message(2121, 1, "The behavior up to this point is:")
        + &message(2217, 4, "1: <Initial predicate>\n/\\ x = 0\n/\\ y = [ a |-> 1,\n  b |-> 2 ]\n")
        + &message(2217, 4, "2: <Next line 5, col 9 to line 7, col 3 of module A>\n/\\ x = 1\n/\\ y = <<>>\n")
        + &message(2199, 0, "1,234 states generated, 35 distinct states found, 2 states left on queue.")
        + &message(2194, 0, "The depth of the complete state graph search is 4.")
        + &message(2186, 0, "Finished in 1ms at (now)");
    let run = Run::read(&ended(12, &output)).unwrap();
    assert_eq!((run.verdict, run.counts, run.depth), (Verdict::Safety, Some((1234, 35, 2)), Some(4)));
    assert_eq!((run.violated, run.lines), (vec!["Inv".to_owned()], vec!["<<\"hi\", 0>>".to_owned()]));
    assert_eq!(run.trace[0].values[1], ("y".to_owned(), "[ a |-> 1,\n  b |-> 2 ]".to_owned()));
    assert_eq!((run.trace[1].number, run.trace[1].values[0].1.as_str()), (2, "1"));
    assert!(run.trace[1].action.starts_with("Next line 5"));
}

#[test]
fn a_message_inside_another_is_read() {
    let output = banner()
        + "@!@!@STARTMSG 1000:1 @!@!@\n"
        + &message(2132, 0, "The first argument of Assert evaluated to FALSE; the second argument was:\n\"no\"")
        + "@!@!@ENDMSG 1000 @!@!@\n"
        + &message(
            2103,
            1,
            "The error occurred\n0. Line 4, column 9 to line 4, column 25 in A\n1. Line 5, column 1 to line 5, column 2 in A",
        )
        + &message(2186, 0, "Finished");
    let run = Run::read(&ended(75, &output)).unwrap();
    assert!(run.has(2132) && run.error.unwrap().starts_with("The first argument of Assert"));
    assert_eq!(run.places, ["Line 4, column 9 to line 4, column 25 in A", "Line 5, column 1 to line 5, column 2 in A"]);
}

#[test]
fn the_words_of_an_exception_are_taken_out_of_their_wrapper() {
    let wrapped = "TLC threw an unexpected exception.\nThis was\nThe exception was a java.lang.RuntimeException\n: util.Assert$TLCRuntimeException: Attempted to compare\n0";
    let output = banner() + &message(1000, 1, wrapped) + &message(2186, 0, "Finished");
    let run = Run::read(&ended(255, &output)).unwrap();
    assert_eq!(run.error.as_deref(), Some("Attempted to compare\n0"));
}

#[test]
fn output_that_ends_in_the_middle_is_trouble() {
    let whole = banner() + &message(2185, 0, "Starting") + &message(2186, 0, "Finished");
    assert!(Run::read(&ended(0, &whole)).is_ok());
    let inside = whole.find("Starting").unwrap() + 3;
    assert_eq!(Run::read(&ended(0, &whole[..inside])), Err(Trouble::CutOff));
    let between = whole.find("@!@!@STARTMSG 2186").unwrap();
    assert_eq!(Run::read(&ended(0, &whole[..between])), Err(Trouble::CutOff));
    assert_eq!(Run::read(&ended(143, &whole[..between])), Err(Trouble::CutOff));
}

#[test]
fn what_tlc_never_says_is_not_read() {
    let said = Run::read(&ended(1, "Usage: something else\n"));
    assert!(matches!(said, Err(Trouble::Strange(text)) if text.contains("something else")));
}

#[test]
fn a_lasso_and_a_stuttering_end_are_told_apart() {
    let start = banner() + &message(2116, 1, "Temporal property P was violated.");
    let back = start.clone() + &message(2122, 4, "1: Back to state: <A line 1>") + &message(2186, 0, "Finished");
    let run = Run::read(&ended(13, &back)).unwrap();
    assert_eq!((run.then, run.violated), (Some(Then::Back(1)), vec!["P".to_owned()]));
    let stutters = start + &message(2218, 4, "3: Stuttering") + &message(2186, 0, "Finished");
    assert_eq!(Run::read(&ended(13, &stutters)).unwrap().then, Some(Then::Stutters));
}
