//! The house's rules that a compiler does not hold: which package may know which, and who may print, exit or start a process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use primed_tests::root;

/// What each package may depend on. An arrow that is not here is forbidden.
const ARROWS: &[(&str, &[&str])] = &[
    ("primed-syntax", &[]),
    ("primed-value", &[]),
    ("primed-semantics", &["primed-syntax", "primed-value"]),
    ("primed-engine", &["primed-semantics", "primed-syntax", "primed-value"]),
    ("primed-explore", &["primed-engine", "primed-semantics", "primed-syntax", "primed-value"]),
    ("primed-windows", &["primed-engine", "primed-semantics", "primed-syntax", "primed-value"]),
    ("primed-oracle", &["primed-syntax", "primed-value"]),
    (
        "primed",
        &["primed-windows", "primed-explore", "primed-engine", "primed-semantics", "primed-syntax", "primed-value"],
    ),
    ("primed-conformance", &["primed", "primed-oracle"]),
    ("primed-cli", &["primed", "primed-conformance", "primed-oracle"]),
    (
        "primed-tests",
        &["primed", "primed-conformance", "primed-oracle", "primed-cli", "primed-semantics", "primed-syntax"],
    ),
    ("primed-benches", &["primed"]),
];

/// What only certain crates may write, with the exceptions that have a reason.
const RESERVED: &[(&str, &[&str])] = &[
    ("println!(", &["primed-cli"]),
    ("print!(", &["primed-cli"]),
    // `Print` of a specification, where the caller allows it.
    ("eprintln!(", &["primed-cli", "primed/src/files.rs"]),
    ("process::exit(", &["primed-cli"]),
    ("process::Command", &["primed-oracle"]),
    ("#[global_allocator]", &["primed-cli"]),
    ("env::args", &["primed-cli"]),
];

#[derive(Debug)]
struct Package {
    name: String,
    folder: PathBuf,
    dependencies: Vec<String>,
}

fn packages() -> Vec<Package> {
    let crates = root().join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = crates.filter(|p| p.join("Cargo.toml").is_file()).collect();
    folders.extend([root().join("tests"), root().join("benches")]);
    folders.sort();
    folders.into_iter().map(|folder| package(&folder)).collect()
}

/// A manifest's name and dependencies of all sorts: the keys of every table `dependencies`, and of `dependencies.NAME`.
fn package(folder: &Path) -> Package {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let (mut name, mut dependencies, mut table) = (String::new(), Vec::new(), String::new());
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_matches(['[', ']']).to_owned();
            let named = table.split_once("dependencies.").map(|(_, name)| name.trim_matches('"').to_owned());
            dependencies.extend(named);
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim().split('.').next().unwrap().trim_matches('"');
            if table == "package" && key == "name" {
                name = value.trim().trim_matches('"').to_owned();
            } else if table.ends_with("dependencies") {
                dependencies.push(key.to_owned());
                // `alias = { package = "name" }`
                let real = value.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
                dependencies.extend(real.map(str::to_owned));
            }
        }
    }
    Package { name, folder: folder.to_path_buf(), dependencies }
}

#[test]
fn arrows_point_down_only() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let packages = packages();
    let mut wrong = Vec::new();
    for package in &packages {
        let Some(below) = allowed.get(&*package.name) else {
            wrong.push(format!("{} is not in the table of arrows", package.name));
            continue;
        };
        let ours = package.dependencies.iter().filter(|d| d.starts_with("primed"));
        for dependency in ours.filter(|d| !below.contains(&d.as_str())) {
            wrong.push(format!("{} must not depend on {dependency}", package.name));
        }
    }
    for (name, _) in ARROWS {
        if !packages.iter().any(|p| p.name == *name) {
            wrong.push(format!("there is no package {name}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn packages_stand_in_folders_of_their_name_and_none_is_a_grab_bag() {
    for package in packages() {
        let folder = package.folder.file_name().unwrap().to_str().unwrap();
        assert_eq!(package.name.trim_start_matches("primed-"), folder.trim_start_matches("primed-"));
        let grab_bag =
            ["common", "util", "utils", "misc", "helpers", "shared"].iter().any(|n| package.name.ends_with(n));
        assert!(!grab_bag, "{} says nothing of what it is for", package.name);
    }
}

#[test]
fn only_the_command_reads_arguments() {
    for package in packages().iter().filter(|p| p.name != "primed-cli") {
        let clap = package.dependencies.iter().any(|d| d.starts_with("clap"));
        assert!(!clap, "{} must not depend on clap", package.name);
    }
}

#[test]
fn only_the_command_prints_and_exits_and_only_the_oracle_starts_processes() {
    let mut wrong = Vec::new();
    for package in packages().iter().filter(|p| p.folder.parent().is_some_and(|f| f.ends_with("crates"))) {
        for file in sources(&package.folder.join("src")) {
            let shown = file.strip_prefix(root().join("crates")).unwrap().to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for (i, line) in code.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//")) {
                for (what, allowed) in RESERVED.iter().filter(|(what, _)| is_used(line, what)) {
                    if !allowed.iter().any(|a| shown.starts_with(&format!("{a}/")) || shown == *a) {
                        wrong.push(format!("crates/{shown}:{}: `{what}` belongs to {}", i + 1, allowed[0]));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text occurs, and not as the end of a longer word.
fn is_used(line: &str, what: &str) -> bool {
    line.match_indices(what).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut todo) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = todo.pop() {
        for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => todo.push(path),
                false => found.extend(path.extension().is_some_and(|e| e == "rs").then_some(path)),
            }
        }
    }
    found
}
