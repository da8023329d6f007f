//! What a tla2tools.jar has in it, without running it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::trouble::Trouble;

/// Largest class or manifest that is looked into.
const MAX_ENTRY: u64 = 4 << 20;
/// Where the jar keeps the modules that it brings along.
const MODULES: &str = "tla2sany/StandardModules/";
/// The class that reads configurations, where newer and older versions keep it.
const CONFIGURATION: [&str; 2] = ["tlc2/tool/impl/ModelConfig.class", "tlc2/tool/ModelConfig.class"];

/// What there is that not every version has: words of its configuration language, options, modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Its standard modules, sorted.
    pub modules: Vec<String>,
    /// `Version 2.15 of ...`, as TLC says it of itself.
    pub version: Option<String>,
    /// The revision it was built from.
    pub revision: Option<String>,
    /// The words and options of [`OPTIONAL_WORDS`] and [`OPTIONAL_OPTIONS`] that it knows.
    pub known: Vec<&'static str>,
}

/// Words of a configuration that not every version knows.
pub const OPTIONAL_WORDS: &[&str] =
    &["ALIAS", "POSTCONDITION", "CHECK_DEADLOCK", "_PERIODIC", "_RL_REWARD", "_POSSIBLE"];

/// Options that not every version knows.
pub const OPTIONAL_OPTIONS: &[&str] = &["-noGenerateSpecTE", "-noTE", "-generate", "-dumpTrace", "-loadTrace"];

/// Modules that not every version brings along.
pub const OPTIONAL_MODULES: &[&str] = &["TLCExt", "Json"];

impl Contents {
    /// The optional words, options and modules that it lacks.
    pub fn lacks(&self) -> Vec<&'static str> {
        let words = OPTIONAL_WORDS.iter().chain(OPTIONAL_OPTIONS).filter(|word| !self.known.contains(word));
        let modules = OPTIONAL_MODULES.iter().filter(|module| !self.has_module(module));
        words.chain(modules).copied().collect()
    }

    /// Whether it brings a module along.
    pub fn has_module(&self, name: &str) -> bool {
        self.modules.iter().any(|module| module == name)
    }
}

/// Looks into a jar.
///
/// # Errors
/// If there is none, it is no archive or a damaged one, or TLC is not in it.
pub fn look(path: &Path, named: bool) -> Result<Contents, Trouble> {
    let file = File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Trouble::NoJar { path: path.to_path_buf(), named },
        _ => Trouble::file("read", path, &e),
    })?;
    let damaged = |why: String| Trouble::DamagedJar { path: path.to_path_buf(), why };
    let mut archive = ZipArchive::new(file).map_err(|e| damaged(e.to_string()))?;
    if archive.index_for_name("tlc2/TLC.class").is_none() {
        return Err(Trouble::NotTlc(path.to_path_buf()));
    }
    let mut contents = Contents::default();
    for name in archive.file_names().flatten() {
        let module = name.strip_prefix(MODULES).and_then(|n| n.strip_suffix(".tla"));
        contents.modules.extend(module.map(str::to_owned));
    }
    contents.modules.sort();
    let options = entry(&mut archive, "tlc2/TLC.class").map_err(damaged)?.unwrap_or_default();
    // An option's name is a constant of the class, with its dash.
    contents.known = OPTIONAL_OPTIONS.iter().filter(|option| has_constant(&options, option)).copied().collect();
    for class in CONFIGURATION {
        if let Some(bytes) = entry(&mut archive, class).map_err(damaged)? {
            contents.known.extend(OPTIONAL_WORDS.iter().filter(|word| has_constant(&bytes, word)));
            break;
        }
    }
    if let Some(globals) = entry(&mut archive, "tlc2/TLCGlobals.class").map_err(damaged)? {
        contents.version = version_in(&globals);
    }
    if let Some(manifest) = entry(&mut archive, "META-INF/MANIFEST.MF").map_err(damaged)? {
        let manifest = String::from_utf8_lossy(&manifest).into_owned();
        let line = manifest.lines().find_map(|l| l.strip_prefix("X-Git-ShortRevision:"));
        contents.revision = line.map(|l| l.trim().to_owned()).filter(|l| !l.is_empty());
    }
    Ok(contents)
}

/// The bytes of an entry, if there is one.
fn entry(archive: &mut ZipArchive<File>, name: &str) -> Result<Option<Vec<u8>>, String> {
    let Some(index) = archive.index_for_name(name) else { return Ok(None) };
    let entry = archive.by_index(index).map_err(|e| format!("{name}: {e}"))?;
    let mut bytes = Vec::new();
    entry.take(MAX_ENTRY).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
    Ok(Some(bytes))
}

/// Whether a class has a text as a constant: its pool holds one byte for the kind, two for the length, then the text.
fn has_constant(class: &[u8], text: &str) -> bool {
    let Ok(length) = u16::try_from(text.len()) else { return false };
    let [high, low] = length.to_be_bytes();
    let wanted: Vec<u8> = [1, high, low].into_iter().chain(text.bytes()).collect();
    class.windows(wanted.len()).any(|window| window == wanted)
}

/// The constant `Version N of ...` of a class.
fn version_in(class: &[u8]) -> Option<String> {
    let at = class.windows(8).position(|w| w == b"Version ")?;
    let length = at.checked_sub(2).and_then(|i| class.get(i..at))?;
    let length = usize::from(u16::from_be_bytes([*length.first()?, *length.get(1)?]));
    let text = class.get(at..at.checked_add(length)?)?;
    std::str::from_utf8(text).ok().map(str::to_owned)
}

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256(path: &Path) -> Result<String, Trouble> {
    let mut file = File::open(path).map_err(|e| Trouble::file("read", path, &e))?;
    let (mut digest, mut block) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut block).map_err(|e| Trouble::file("read", path, &e))?;
        match block.get(..read) {
            Some(bytes) if !bytes.is_empty() => digest.update(bytes),
            _ => break,
        }
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Takes one file out of an archive.
///
/// # Errors
/// If the archive is damaged, the file is not in it, or it cannot be written.
pub(crate) fn unpack(archive: &Path, name: &str, to: &Path) -> Result<(), Trouble> {
    let file = File::open(archive).map_err(|e| Trouble::file("read", archive, &e))?;
    let damaged = |why: String| Trouble::DamagedJar { path: archive.to_path_buf(), why };
    let mut opened = ZipArchive::new(file).map_err(|e| damaged(e.to_string()))?;
    let mut entry = opened.by_name(name).map_err(|e| damaged(format!("{name}: {e}")))?;
    let mut target = File::create(to).map_err(|e| Trouble::file("write", to, &e))?;
    std::io::copy(&mut entry, &mut target).map_err(|e| Trouble::file("write", to, &e))?;
    target.sync_all().map_err(|e| Trouble::file("write", to, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_a_whole_text() {
        let class = b"\x01\x00\x05ALIAS\x01\x00\x10Version 2.15 of ";
        assert!(has_constant(class, "ALIAS") && !has_constant(class, "ALIA"));
        assert_eq!(version_in(class).as_deref(), Some("Version 2.15 of "));
        assert_eq!(version_in(b"\x01\x7f\xffVersion 2"), None);
    }

    #[test]
    fn what_is_no_jar_is_told_apart_from_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.jar");
        assert_eq!(look(&path, true), Err(Trouble::NoJar { path: path.clone(), named: true }));
        std::fs::write(&path, "not a jar").unwrap();
        assert!(matches!(look(&path, true), Err(Trouble::DamagedJar { .. })));
    }
}
