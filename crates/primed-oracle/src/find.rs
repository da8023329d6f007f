//! Java and a jar with TLC: which ones, and what they are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jar::{self, Contents};
use crate::run::{self, Bounds, Ended};
use crate::scratch::Scratch;
use crate::trouble::Trouble;

/// The name of the installed jar in the cache.
pub const JAR: &str = "tla2tools-2.15.jar";
/// The environment variable that names a jar.
pub const JAR_VARIABLE: &str = "TLA2TOOLS_JAR";
/// The version that [`crate::install`] brings.
const INSTALLED_VERSION: &str = "2.15";
/// Longest time for a Java that only has to say which it is.
const BRIEFLY: Duration = Duration::from_secs(30);

/// Who named the jar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An argument.
    Argument,
    /// The environment variable.
    Environment,
    /// Nobody: it is the installed one.
    Installed,
}

/// A Java and a jar that can be run.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The program.
    pub java: PathBuf,
    /// The jar.
    pub jar: PathBuf,
    /// Who named it.
    pub source: Source,
    /// What it has.
    pub contents: Contents,
    /// Properties of the process that TLC reads, as `name=value`.
    pub properties: Vec<String>,
}

/// The folder for what is installed: PRIMED_CACHE, or `primed` below XDG_CACHE_HOME or `~/.cache`.
pub fn cache_folder() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(folder) = set("PRIMED_CACHE") {
        return folder;
    }
    let home = || set("HOME").or_else(|| set("USERPROFILE")).map(|home| home.join(".cache"));
    set("XDG_CACHE_HOME").or_else(home).unwrap_or_else(env::temp_dir).join("primed")
}

/// The path of the installed jar, whether it is there or not.
pub fn installed_jar() -> PathBuf {
    cache_folder().join(JAR)
}

/// The jar to use and who named it: an argument, TLA2TOOLS_JAR, else the installed one.
pub fn jar_path(argument: Option<&Path>) -> (PathBuf, Source) {
    let variable = || env::var_os(JAR_VARIABLE).filter(|v| !v.is_empty());
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    match (argument, variable()) {
        (Some(path), _) => (absolute(path.to_path_buf()), Source::Argument),
        (None, Some(path)) => (absolute(path.into()), Source::Environment),
        (None, None) => (absolute(installed_jar()), Source::Installed),
    }
}

/// A program by its name, looked for on PATH, or by its path.
///
/// # Errors
/// If there is none, or it cannot be run.
pub fn program(name: &str) -> Result<PathBuf, Trouble> {
    let path = Path::new(name);
    let places = match path.components().count() == 1 && !name.starts_with('.') {
        true => env::split_paths(&env::var_os("PATH").unwrap_or_default()).map(|folder| folder.join(path)).collect(),
        false => vec![path.to_path_buf()],
    };
    let found = places.into_iter().find(|path| is_program(path)).ok_or_else(|| Trouble::NoProgram(name.to_owned()))?;
    Ok(std::path::absolute(&found).unwrap_or(found))
}

/// The Java to use: below JAVA_HOME, else on PATH.
///
/// # Errors
/// If there is none.
pub fn java() -> Result<PathBuf, Trouble> {
    let name = format!("java{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("JAVA_HOME").filter(|v| !v.is_empty()).map(|home| Path::new(&home).join("bin").join(&name));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = env::split_paths(&path).map(|folder| folder.join(&name)).collect();
    let found = home.into_iter().chain(on_path).find(|path| is_program(path)).ok_or(Trouble::NoJava)?;
    Ok(std::path::absolute(&found).unwrap_or(found))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

impl Tools {
    /// Finds Java and the jar, and looks into the jar; nothing is run.
    ///
    /// # Errors
    /// If one of them is not there, or the jar is damaged or has no TLC.
    pub fn find(argument: Option<&Path>) -> Result<Tools, Trouble> {
        let (jar, source) = jar_path(argument);
        let contents = jar::look(&jar, source != Source::Installed)?;
        Ok(Tools { java: java()?, jar, source, contents, properties: Vec::new() })
    }

    /// Asks TLC for its version, if it is not to be seen in the jar.
    pub fn learn_version(&mut self) {
        if self.contents.version.is_none() {
            let banner = self.banner().ok();
            self.contents.version = banner.and_then(|b| b.strip_prefix("TLC2 ").map(|v| v.trim().to_owned()));
        }
    }

    /// TLC's version as it says it, such as `2.15 (rev: d5b5a7f)`.
    pub fn version(&self) -> String {
        let said = self.contents.version.as_deref().unwrap_or("");
        let number = said.strip_prefix("Version ").and_then(|v| v.split(' ').next()).unwrap_or("of an unknown version");
        match &self.contents.revision {
            Some(revision) => format!("{number} (rev: {revision})"),
            None => number.to_owned(),
        }
    }

    /// It is TLC 2.15, whose flaws are known ([`crate::flaws`]).
    pub fn is_2_15(&self) -> bool {
        self.version().split(' ').next() == Some(INSTALLED_VERSION)
    }

    /// Runs a class of the jar in a folder. Java's own temporary files go there too, and no other jar is on its class path:
    /// the manifest of 2.15 names a CommunityModules.jar that it cannot live with, and which it finds beside itself only.
    ///
    /// # Errors
    /// If it cannot be run or does not end by itself; also if it ends for want of memory or disk.
    pub fn class(&self, class: &str, arguments: &[OsString], folder: &Path, bounds: &Bounds) -> Result<Ended, Trouble> {
        let (ended, trouble) = self.attempt(class, arguments, folder, bounds)?;
        trouble.map_or(Ok(ended), Err)
    }

    /// As [`Tools::class`]; of what did not end well, also what was printed until then.
    ///
    /// # Errors
    /// If it cannot be run, or its output cannot be read.
    pub fn attempt(
        &self,
        class: &str,
        arguments: &[OsString],
        folder: &Path,
        bounds: &Bounds,
    ) -> Result<(Ended, Option<Trouble>), Trouble> {
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(folder);
        let flags = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"].map(OsString::from);
        let memory = format!("-Xmx{}m", (bounds.memory >> 20).max(16)).into();
        let jar = self.jar.clone().into_os_string();
        let properties = self.properties.iter().map(|property| OsString::from(format!("-D{property}")));
        let own = flags.into_iter().chain(properties).chain([memory, temporary, "-cp".into(), jar, class.into()]);
        let arguments: Vec<OsString> = own.chain(arguments.iter().cloned()).collect();
        let (ended, trouble) = run::attempt(&self.java, &arguments, folder, bounds.time)?;
        let failure = if ended.status == 0 { None } else { self.failure(&ended.output) };
        Ok((ended, trouble.or(failure)))
    }

    /// What Java says instead of TLC.
    fn failure(&self, output: &str) -> Option<Trouble> {
        let line = |what: &str| output.lines().find(|l| l.contains(what)).map(|l| l.trim().to_owned());
        if let Some(line) = line("UnsupportedClassVersionError").or_else(|| line("Unrecognized VM option")) {
            return Some(Trouble::OldJava(line));
        }
        if output.contains("Could not find or load main class") {
            return Some(Trouble::NotTlc(self.jar.clone()));
        }
        if line("No space left on device").or_else(|| line("Disk quota exceeded")).is_some() {
            return Some(Trouble::DiskFull);
        }
        let starved = ["java.lang.OutOfMemoryError", "Java ran out of memory", "Out Of Memory. There are probably"];
        if starved.iter().any(|words| output.contains(words)) {
            return Some(Trouble::OutOfMemory);
        }
        let early = ["Could not create the Java Virtual Machine", "Could not reserve enough space"];
        early.iter().find_map(|words| line(words)).map(Trouble::NotStarted)
    }

    /// Runs TLC once, without a model, to see that it runs: its first line.
    ///
    /// # Errors
    /// If it does not run.
    pub fn banner(&self) -> Result<String, Trouble> {
        let scratch = Scratch::new()?;
        let bounds = Bounds { time: BRIEFLY, ..Bounds::default() };
        let ended = self.class("tlc2.TLC", &[], scratch.path(), &bounds)?;
        let first = ended.output.lines().find(|l| l.starts_with("TLC2 "));
        first.map(str::to_owned).ok_or_else(|| {
            let said = ended.output.lines().next().unwrap_or("nothing").to_owned();
            Trouble::Strange(format!("status {}, and it said {said}", ended.status))
        })
    }

    /// Which Java it is, as `java -version` says in its first line.
    ///
    /// # Errors
    /// If it does not run.
    pub fn java_version(&self) -> Result<String, Trouble> {
        let scratch = Scratch::new()?;
        let ended = run::run(&self.java, &["-version".into()], scratch.path(), BRIEFLY)?;
        let first = ended.output.lines().find(|l| l.contains("version")).unwrap_or("of an unknown version");
        Ok(first.trim().to_owned())
    }
}
