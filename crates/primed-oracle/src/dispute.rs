//! A disagreement written down in a folder, so that anybody can reproduce it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::specification::Specification;
use crate::trouble::Trouble;

/// The file that says what the folder is.
pub const FILE: &str = "dispute.json";
/// Most folders of one name.
const MAX_FOLDERS: usize = 10_000;

/// What both sides said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// `windows`, `tv` or `check`.
    pub kind: String,
    /// The root module's file in the folder.
    pub spec: String,
    /// The configuration's.
    pub config: String,
    /// The windows', if it is about windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<String>,
    /// Further arguments of the command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What is disputed: line numbers of windows, with both answers; one entry of line 0 if it is about a model.
    pub answers: Vec<Answers>,
    /// Primed's version.
    pub primed_version: String,
    /// TLC's.
    pub tlc_version: String,
    /// One command, to be called in the folder.
    pub reproduce: String,
}

/// Both answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The window's line in the folder's file, from 1.
    pub line: usize,
    /// Primed's.
    pub primed: String,
    /// TLC's.
    pub tlc: String,
    /// TLC's words about an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A folder with a disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// What it is about.
    pub dispute: Dispute,
    /// The user's modules and the configuration.
    pub spec: Specification,
    /// The windows, a line each.
    pub windows: Vec<String>,
    /// Further files: what TLC was given, what it printed.
    pub others: Vec<(String, String)>,
}

impl Bundle {
    /// Writes it into a new folder below `folder`; the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_below(&self, folder: &Path) -> Result<PathBuf, Trouble> {
        fs::create_dir_all(folder).map_err(|e| Trouble::file("make", folder, &e))?;
        for number in 1..=MAX_FOLDERS {
            let own = folder.join(format!("{}-{}-{number}", self.dispute.kind, self.spec.root()));
            match fs::create_dir(&own) {
                Ok(()) => return self.write(&own).map(|()| own),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Trouble::file("make", &own, &e)),
            }
        }
        Err(Trouble::Files(format!("`{}` has too many disputes already", folder.display())))
    }

    /// Writes it into a folder that exists.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Trouble> {
        let put = |name: &str, text: &str| {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|e| Trouble::file("make", parent, &e))?;
            }
            fs::write(&path, text).map_err(|e| Trouble::file("write", &path, &e))
        };
        for module in self.spec.users() {
            put(&format!("{}.tla", module.name), &module.text)?;
        }
        put(&self.dispute.config, &self.spec.config)?;
        if let Some(windows) = &self.dispute.windows {
            put(windows, &self.windows.iter().map(|line| format!("{line}\n")).collect::<String>())?;
        }
        for (name, text) in &self.others {
            put(name, text)?;
        }
        let json = serde_json::to_string_pretty(&self.dispute).map_err(|e| Trouble::Files(e.to_string()))?;
        put(FILE, &(json + "\n"))
    }

    /// Reads a folder that was written; further files are left alone.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(folder: &Path) -> Result<Bundle, Trouble> {
        let get = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|e| Trouble::file("read", &path, &e))
        };
        let dispute: Dispute = serde_json::from_str(&get(FILE)?)
            .map_err(|e| Trouble::Files(format!("`{}`: {e}", folder.join(FILE).display())))?;
        let mut modules = Vec::new();
        let files = fs::read_dir(folder).map_err(|e| Trouble::file("read", folder, &e))?;
        for path in files.filter_map(Result::ok).map(|e| e.path()) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|e| e == "tla") {
                let text = fs::read_to_string(&path).map_err(|e| Trouble::file("read", &path, &e))?;
                modules.push(crate::specification::Module { name, text, own: false });
            }
        }
        modules.sort_by_key(|m| (format!("{}.tla", m.name) != dispute.spec, m.name.clone()));
        let windows = match &dispute.windows {
            Some(name) => get(name)?.lines().map(str::to_owned).collect(),
            None => Vec::new(),
        };
        let spec = Specification { modules, config: get(&dispute.config)?, ..Specification::default() };
        Ok(Bundle { dispute, spec, windows, others: Vec::new() })
    }
}

/// Takes away what is not needed, by halves, then quarters, and so on (Zeller's *ddmin*), while `holds` says that what is left
/// still does it. At most `tries` questions are asked.
pub fn minimal<T: Clone>(all: &[T], tries: &mut usize, holds: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = all.to_vec();
    let mut parts = 2_usize;
    while kept.len() > 1 && *tries > 0 {
        let size = kept.len().div_ceil(parts);
        let mut at = 0;
        let mut smaller = false;
        while at < kept.len() && *tries > 0 {
            let end = (at + size).min(kept.len());
            let rest: Vec<T> = kept[..at].iter().chain(&kept[end..]).cloned().collect();
            *tries -= 1;
            if !rest.is_empty() && holds(&rest) {
                (kept, smaller) = (rest, true);
            } else {
                at = end;
            }
        }
        if !smaller && size == 1 {
            break;
        }
        parts = (parts * 2).min(kept.len());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::Module;

    #[test]
    fn what_is_written_is_read_again() {
        let answers = Answers { line: 1, primed: "refused".into(), tlc: "conforms".into(), message: None };
        let dispute = Dispute {
            kind: "windows".into(),
            spec: "M.tla".into(),
            config: "M.cfg".into(),
            windows: Some("windows.ndjson".into()),
            arguments: vec!["--action".into(), "A".into()],
            answers: vec![answers],
            primed_version: "0".into(),
            tlc_version: "2.15".into(),
            reproduce: "primed windows".into(),
        };
        let module =
            |name: &str| Module { name: name.into(), text: format!("---- MODULE {name} ----\n====\n"), own: false };
        let spec = Specification {
            modules: vec![module("M"), module("A")],
            config: "INIT I\n".into(),
            ..Specification::default()
        };
        let bundle = Bundle { dispute, spec, windows: vec!["{}".into()], others: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let first = bundle.write_below(folder.path()).unwrap();
        let second = bundle.write_below(folder.path()).unwrap();
        assert_ne!(first, second);
        assert_eq!(Bundle::read(&second).unwrap(), bundle);
        assert!(Bundle::read(folder.path()).is_err());
    }

    #[test]
    fn only_what_is_needed_is_kept() {
        let all: Vec<u32> = (0..100).collect();
        let mut tries = 1000;
        let kept = minimal(&all, &mut tries, &mut |some| some.contains(&17) && some.contains(&71));
        assert_eq!(kept, [17, 71]);
        let mut tries = 1000;
        assert_eq!(minimal(&all, &mut tries, &mut |some| some.contains(&99)), [99]);
        let mut none = 0;
        assert_eq!(minimal(&all, &mut none, &mut |_| true).len(), 100);
    }
}
