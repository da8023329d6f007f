//! The file system as a specification sees it: modules beside it and in libraries, data in the folders given.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, fs};

use primed_engine::world::{Executed, Opening, Undone, World};
use primed_semantics::library::Library;
use primed_syntax::span::SourceFile;
use primed_value::layout;

/// Largest data file that a specification may read, in bytes.
const MAX_DATA: u64 = 4 << 30;
/// Largest source file that is read, in bytes.
const MAX_SOURCE: u64 = 64 << 20;

/// The folder that a file stands in; of a bare name the current one.
pub(crate) fn folder_of(file: &Path) -> PathBuf {
    file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// Reads a source file; what in it is not UTF-8, as [`SourceFile::from_bytes`] does.
///
/// # Errors
/// A text that says what was wrong: missing, no file, too large, not permitted.
pub fn read_source(path: &Path) -> Result<SourceFile, String> {
    let shown = path.display();
    let data = fs::metadata(path).map_err(|e| format!("cannot read `{shown}`: {}", plain(&e)))?;
    if !data.is_file() {
        return Err(format!("cannot read `{shown}`: it is no file"));
    }
    let length = data.len();
    if length > MAX_SOURCE {
        return Err(format!("cannot read `{shown}`: it has {length} bytes, the limit is {MAX_SOURCE}"));
    }
    let bytes = fs::read(path).map_err(|e| format!("cannot read `{shown}`: {}", plain(&e)))?;
    Ok(SourceFile::from_bytes(shown.to_string(), bytes))
}

/// An input or output error in plain words.
pub(crate) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// Modules in folders: the specification's own, then the libraries. The first folder with something of the module's name
/// decides, even if that cannot be read, as in SANY.
#[derive(Clone, Debug, Default)]
pub struct Folders(pub Vec<PathBuf>);

impl Library for Folders {
    fn find(&self, name: &str) -> Result<Option<SourceFile>, String> {
        if name.contains(['/', '\\', '.']) {
            return Ok(None);
        }
        let mut files = self.0.iter().map(|folder| folder.join(format!("{name}.tla")));
        files.find(|f| f.exists()).map(|f| read_source(&f)).transpose()
    }
}

/// The folders given, then those that the environment variable `TLA_LIBRARY` lists as a path.
pub fn libraries_with_environment(given: &[PathBuf]) -> Vec<PathBuf> {
    let variable = std::env::var_os("TLA_LIBRARY").unwrap_or_default();
    let listed = std::env::split_paths(&variable).filter(|p| !p.as_os_str().is_empty());
    given.iter().cloned().chain(listed).collect()
}

/// What a specification may do outside itself.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// Folders whose files may be read, with everything below them.
    pub read: Vec<PathBuf>,
    /// Folders whose files may be written and read, with everything below them.
    pub write: Vec<PathBuf>,
    /// Runs the commands that the specification wants run; without it none is.
    pub commands: Option<Arc<dyn RunsCommands>>,
    /// Against which relative paths are taken; where it is empty, the folder of the specification.
    pub base: PathBuf,
    /// The process environment that `IOEnv` shows.
    pub environment: Vec<(String, String)>,
    /// What `Print` and `PrintT` write is shown, at [`Permissions::print_to`].
    pub print: bool,
    /// Where it is shown.
    pub print_to: PrintTo,
    /// Who hears of warnings that come up while something is evaluated.
    pub warnings: Option<Arc<dyn HearsWarnings>>,
}

/// Runs commands.
pub trait RunsCommands: Send + Sync + fmt::Debug {
    /// Runs a command, never an empty one, in a folder with further variables in its environment.
    ///
    /// # Errors
    /// Why it could not be run.
    fn run(&self, command: &[String], variables: &[(String, String)], folder: &Path) -> Result<Executed, Undone>;
}

/// Hears of warnings.
pub trait HearsWarnings: Send + Sync + fmt::Debug {
    /// A warning with TLC's number and words. It may come more than once.
    fn warned(&self, code: u32, text: &str);
}

/// Where a specification's output goes.
#[derive(Clone, Debug, Default)]
pub enum PrintTo {
    /// Standard error.
    #[default]
    StandardError,
    /// Standard output.
    StandardOutput,
    /// A file.
    File(Arc<Mutex<fs::File>>),
}

impl Permissions {
    /// The file that a specification names, which may not be there, with its folder's real path.
    ///
    /// # Errors
    /// If it is not below one of the folders.
    fn file(&self, path: &str, folders: &[&Vec<PathBuf>], purpose: &str) -> Result<PathBuf, Undone> {
        let full = self.base.join(path);
        let refused = || {
            let folders: Vec<String> = folders.iter().flat_map(|f| f.iter()).map(|f| f.display().to_string()).collect();
            let place = if folders.is_empty() { "no folder".into() } else { folders.join(", ") };
            let flag = if purpose == "writing" { "write" } else { "read" };
            Undone::Refused(format!(
                "{purpose} `{path}` is not allowed: specifications may {flag} only below {place} (see --allow-{flag})"
            ))
        };
        let real = full.canonicalize().or_else(|_| {
            let (Some(folder), Some(name)) = (full.parent(), full.file_name()) else { return Err(()) };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // A link that leads nowhere would be followed.
            let linked = full.symlink_metadata().is_ok();
            folder.canonicalize().ok().filter(|_| !linked).map(|folder| folder.join(name)).ok_or(())
        });
        let real = real.map_err(|()| refused())?;
        let allowed = |folder: &PathBuf| {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))
        };
        if folders.iter().flat_map(|f| f.iter()).any(allowed) { Ok(real) } else { Err(refused()) }
    }
}

/// Why the system did not do something to a file.
fn undone(doing: &str, path: &str, error: &std::io::Error) -> Undone {
    let text = format!("cannot {doing} `{path}`: {}", plain(error));
    match error.kind() {
        std::io::ErrorKind::NotFound => Undone::Missing(text),
        std::io::ErrorKind::AlreadyExists => Undone::Exists(text),
        _ => Undone::Failed(text),
    }
}

impl World for Permissions {
    fn read(&self, path: &str) -> Result<Vec<u8>, Undone> {
        let real = self.file(path, &[&self.read, &self.write], "reading")?;
        let data = fs::metadata(&real).map_err(|e| undone("read", path, &e))?;
        if !data.is_file() {
            return Err(Undone::Failed(format!("cannot read `{path}`: it is no file")));
        }
        if data.len() > MAX_DATA {
            let text = format!("cannot read `{path}`: it has {} bytes, the limit is {MAX_DATA}", data.len());
            return Err(Undone::Failed(text));
        }
        fs::read(&real).map_err(|e| undone("read", path, &e))
    }

    fn write(&self, path: &str, content: &[u8], opening: Opening) -> Result<(), Undone> {
        let real = self.file(path, &[&self.write], "writing")?;
        let mut options = fs::OpenOptions::new();
        options.append(opening.append).write(!opening.append).truncate(opening.truncate);
        options.create(opening.create).create_new(opening.create_new);
        let file = options.open(real).and_then(|mut file| file.write_all(content));
        file.map_err(|e| undone("write", path, &e))
    }

    fn execute(&self, command: &[String], variables: &[(String, String)]) -> Result<Executed, Undone> {
        match &self.commands {
            Some(commands) => {
                let folder = if self.base.as_os_str().is_empty() { Path::new(".") } else { &self.base };
                commands.run(command, variables, folder)
            }
            None => Err(Undone::Refused(format!(
                "running `{}` is not allowed: specifications may not run commands (see --allow-commands)",
                command.join(" ")
            ))),
        }
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.environment.clone()
    }

    fn warn(&self, code: u32, text: &str) {
        if let Some(hears) = &self.warnings {
            hears.warned(code, text);
        }
    }

    fn print(&self, line: &str) {
        if !self.print {
            return;
        }
        let line = layout::lay_out(line, layout::WIDTH);
        // Nobody may be listening any more; that is no fault of the specification.
        drop(match &self.print_to {
            PrintTo::StandardError => writeln!(std::io::stderr(), "{line}"),
            PrintTo::StandardOutput => writeln!(std::io::stdout(), "{line}"),
            PrintTo::File(file) => writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{line}"),
        });
    }

    fn seconds(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |d| d.as_secs() as i64)
    }
}
