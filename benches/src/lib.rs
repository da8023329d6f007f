//! What the benches are made of: a spin lock with its recorded windows, and as many different windows as one likes.

use std::path::{Path, PathBuf};

use primed::{OpenError, Permissions, Spec, TvModule};

/// Threads of the lock that the made windows are about.
const THREADS: usize = 8;

/// The top folder of the repository.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The folder of the recorded spin lock in the conformance suite.
pub fn spin() -> PathBuf {
    root().join("conformance-suite/systems/spin")
}

/// A file of this package's `data`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// The 543 windows recorded from a real spin lock with three threads, one a line.
///
/// # Errors
/// If the file cannot be read.
pub fn recorded() -> std::io::Result<String> {
    std::fs::read_to_string(spin().join("windows.ndjson"))
}

/// Windows of a lock with eight threads, no two alike; some conform and some do not.
pub fn different(count: usize) -> String {
    const STATES: [&str; 3] = ["idle", "acquiring", "locked"];
    let combinations = STATES.len().pow(THREADS as u32);
    let mut text = String::new();
    for i in 0..count.min(combinations * THREADS) {
        let (mut rest, actor) = (i % combinations, i / combinations);
        let mut pc = [""; THREADS];
        for state in &mut pc {
            *state = STATES[rest % STATES.len()];
            rest /= STATES.len();
        }
        let object = |pc: &[&str]| {
            let fields: Vec<String> = pc.iter().enumerate().map(|(t, s)| format!(r#""{t}": "{s}""#)).collect();
            format!("{{{}}}", fields.join(", "))
        };
        let pre = object(&pc);
        pc[actor] = "locked";
        text.push_str(&format!(
            r#"{{"window_id": {i}, "action": "AcquireSuccess", "actor": "{actor}", "pre_state": {{"lockState": "unlocked", "pc": {pre}}}, "post_state": {{"lockState": "locked", "pc": {}}}}}"#,
            object(&pc)
        ));
        text.push('\n');
    }
    text
}

/// The recorded lock's specification.
///
/// # Errors
/// If it cannot be opened.
pub fn recorded_spec() -> Result<Spec, OpenError> {
    Spec::open(spin().join("SpinLock.tla"))
}

/// The specification of the lock with eight threads; refusals are not explained further than by their conditions.
///
/// # Errors
/// If it cannot be opened.
pub fn eight_threads() -> Result<Spec, OpenError> {
    Spec::builder(spin().join("SpinLock.tla")).config(data("SpinLock8.cfg")).brief().open()
}

/// A TV module over the given windows, in a folder that must live as long as it is used.
///
/// # Errors
/// If the folder cannot be written or the module not be opened; the text says why.
pub fn tv_module(windows: &str, folder: &Path) -> Result<TvModule, String> {
    let module = folder.join("TV_AcquireSuccess.tla");
    std::fs::write(folder.join("windows.ndjson"), windows).map_err(|e| e.to_string())?;
    std::fs::copy(data("TV_AcquireSuccess.tla"), &module).map_err(|e| e.to_string())?;
    TvModule::open(&module, &data("TV_AcquireSuccess.cfg"), &[spin()], Permissions::default())
        .map_err(|e| e.to_string())
}
