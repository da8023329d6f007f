//! Lists the built-in modules, so that adding one is adding a file.

use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("modules");
    let mut modules: Vec<_> = fs::read_dir(&folder)
        .map(|entries| {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "tla")).collect()
        })
        .unwrap_or_default();
    modules.sort();
    let mut code = String::from("/// Name and text of each built-in module.\nconst STANDARD: &[(&str, &str)] = &[\n");
    for path in &modules {
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        code.push_str(&format!("    ({name:?}, {}),\n", included(&format!("{name}.tla"))));
    }
    code.push_str("];\n/// Identifiers of TLC's own modules in order.\n");
    let interning = folder.join("interning.tsv");
    let interning = if interning.exists() { included("interning.tsv") } else { "\"\"".into() };
    code.push_str(&format!("const INTERNING: &str = {interning};\n"));
    let out = env::var("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("standard.rs"), code).unwrap_or_else(|e| println!("cargo::error={e}"));
    println!("cargo::rerun-if-changed=modules");
}

/// The text of a file of `modules`; the folder is named when the crate is compiled, so that a checkout that has been moved
/// together with its build still finds it.
fn included(file: &str) -> String {
    format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/modules/{file}\"))")
}
