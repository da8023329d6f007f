//! Where results go: standard output or a file, a line at a time, without falling over when nobody reads them.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use serde::Serialize;

use crate::exit::Failure;
use crate::paint::{Paint, harmless};

/// A place for results.
pub(crate) struct Sink {
    writer: Box<dyn Write>,
    name: String,
    /// Every line is passed on at once.
    prompt: bool,
}

/// Why a result could not be written.
#[derive(Debug)]
pub(crate) enum Unwritten {
    /// The reader has gone.
    NoReader,
    /// Something else; the text says what.
    Trouble(String),
}

impl Unwritten {
    /// As the end of a command whose verdicts until then add up to `code`.
    pub(crate) fn failure(self, code: u8) -> Failure {
        match self {
            Unwritten::NoReader => Failure::NoReader(code),
            Unwritten::Trouble(message) => Failure::system(message),
        }
    }
}

impl Sink {
    /// Standard output.
    pub(crate) fn standard() -> Sink {
        Sink {
            writer: Box::new(BufWriter::with_capacity(1 << 16, io::stdout())),
            name: "standard output".into(),
            prompt: false,
        }
    }

    /// What `--json` says: `-` is standard output, everything else a file. It must not be the file `input`.
    pub(crate) fn json(target: &str, input: Option<&Path>) -> Result<Sink, Failure> {
        if target == "-" {
            return Ok(Sink::standard());
        }
        let path = Path::new(target);
        let same = |input: &Path| input.canonicalize().is_ok_and(|a| path.canonicalize().is_ok_and(|b| a == b));
        if input.is_some_and(same) {
            let message = format!("`{target}` is the file that is read: the results must go to another");
            return Err(Failure::Complaint(crate::exit::USAGE, message));
        }
        let file =
            File::create(path).map_err(|e| Failure::system(format!("cannot write `{target}`: {}", plain(&e))))?;
        Ok(Sink { writer: Box::new(BufWriter::new(file)), name: format!("`{target}`"), prompt: false })
    }

    /// Passes every line on at once.
    pub(crate) fn promptly(mut self) -> Sink {
        self.prompt = true;
        self
    }

    /// One object on a line of its own.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Unwritten> {
        let mut line = serde_json::to_vec(object).map_err(|e| Unwritten::Trouble(e.to_string()))?;
        line.push(b'\n');
        self.bytes(&line)
    }

    /// Text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Unwritten> {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        let written = self.writer.write_all(bytes);
        let written = if self.prompt { written.and_then(|()| self.writer.flush()) } else { written };
        written.map_err(|e| self.trouble(&e))
    }

    /// Passes on what is still held back.
    pub(crate) fn finish(mut self) -> Result<(), Unwritten> {
        self.writer.flush().map_err(|e| self.trouble(&e))
    }

    fn trouble(&self, error: &io::Error) -> Unwritten {
        match error.kind() {
            ErrorKind::BrokenPipe => Unwritten::NoReader,
            _ => Unwritten::Trouble(format!("cannot write {}: {}", self.name, plain(error))),
        }
    }
}

/// A complaint on standard error. If nobody listens, the exit code still tells.
pub(crate) fn complain(paint: Paint, message: &str) {
    let line = format!("{} {}\n", paint.bold_red("error:"), harmless(message));
    raw_error(&line);
}

/// As [`complain`], of what does not end the command.
pub(crate) fn warn(paint: Paint, message: &str) {
    raw_error(&format!("{} {}\n", paint.bold("warning:"), harmless(message)));
}

/// Text on standard error as it is.
pub(crate) fn raw_error(text: &str) {
    drop(io::stderr().write_all(text.as_bytes()));
}

/// An input or output error in plain words.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        _ => error.to_string(),
    }
}
