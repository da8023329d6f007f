//! TLC's messages: a number, a class and a text each. With `-tool` they are wrapped for programs, else they get a prefix.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use primed::HearsWarnings;

use super::clock::now;

/// What a message is; the numbers are TLC's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Plain = 0,
    Error = 1,
    Warning = 3,
    State = 4,
}

/// Where messages go, and which are left out.
#[derive(Debug, Default)]
pub(super) struct Console {
    pub(super) tool: bool,
    pub(super) no_warning: bool,
    /// Codes of messages that are not printed; TLC prints errors all the same.
    pub(super) suppressed: Vec<u32>,
    warned: Mutex<HashSet<String>>,
}

impl Console {
    /// Prints a message. If nobody reads it, the exit status still tells.
    pub(super) fn say(&self, class: Class, code: u32, text: &str) {
        if class != Class::Error && self.suppressed.contains(&code) {
            return;
        }
        let whole = self.wrapped(class, code, text);
        if class == Class::Warning {
            let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
            if self.no_warning || warned.contains(text) {
                return;
            }
            let first = warned.is_empty() && !self.tool;
            warned.insert(text.to_owned());
            let hint = if first { "\n(Use the -nowarning option to disable this warning.)" } else { "" };
            return self.raw(&format!("{whole}{hint}\n"));
        }
        self.raw(&format!("{whole}\n"));
    }

    fn wrapped(&self, class: Class, code: u32, text: &str) -> String {
        if self.tool {
            return format!("@!@!@STARTMSG {code}:{} @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@", class as u8);
        }
        let prefix = match class {
            Class::Plain => "",
            Class::Error => "Error: ",
            Class::Warning => "Warning: ",
            Class::State => "State ",
        };
        format!("{prefix}{text}")
    }

    /// Text as it is.
    pub(super) fn raw(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }

    pub(super) fn plain(&self, code: u32, text: &str) {
        self.say(Class::Plain, code, text);
    }

    pub(super) fn error(&self, code: u32, text: &str) {
        self.say(Class::Error, code, text);
    }

    pub(super) fn starting(&self) {
        self.plain(2185, &format!("Starting... ({})", now()));
    }

    pub(super) fn finished(&self, took: &str) {
        self.plain(2186, &format!("Finished in {took} at ({})", now()));
    }
}

impl HearsWarnings for Console {
    fn warned(&self, code: u32, text: &str) {
        self.say(Class::Warning, code, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_prefix_or_is_wrapped() {
        let people = Console::default();
        assert_eq!(people.wrapped(Class::Error, 2114, "Deadlock reached."), "Error: Deadlock reached.");
        let tool = Console { tool: true, ..Console::default() };
        let text = tool.wrapped(Class::State, 2217, "1: <Initial predicate>\nx = 0\n");
        let expected = "@!@!@STARTMSG 2217:4 @!@!@\n1: <Initial predicate>\nx = 0\n\n@!@!@ENDMSG 2217 @!@!@";
        assert_eq!(text, expected);
    }
}
