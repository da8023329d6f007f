//! The command `primed` (temporary driver).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]
use std::io::BufRead;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |n: &str| args.iter().position(|a| a == n).and_then(|i| args.get(i + 1)).cloned();
    match args.get(1).map(|s| s.as_str()) {
        Some("eval") => {
            let list = |n: &str| -> Vec<String> { get(n).map(|s| s.split(',').map(|x| x.into()).collect()).unwrap_or_default() };
            let folders = primed::Folders(vec![]);
            let mut e = match primed::Evaluator::new(&list("--extends"), &list("--model-values"), &folders, primed::Permissions::default()) {
                Ok(e) => e,
                Err(e) => { eprintln!("{e}"); std::process::exit(150) }
            };
            for line in std::io::stdin().lock().lines() {
                let line = line.unwrap_or_default();
                match e.print(&line) {
                    Ok(v) => println!("{}", serde_json::json!({"value": v})),
                    Err(v) => println!("{}", serde_json::json!({"error": v.to_string()})),
                }
            }
        }
        Some("tv") => {
            let w = get("--windows").unwrap_or_default();
            let m = args.last().cloned().unwrap_or_default();
            let tv = match primed::TvModule::open(m.as_ref(), get("-config").unwrap_or_default().as_ref(), &[], primed::Permissions::default()) {
                Ok(e) => e,
                Err(e) => { eprintln!("{e}"); std::process::exit(150) }
            };
            let n = std::fs::read_to_string(w).unwrap_or_default().lines().filter(|l| !l.trim().is_empty()).count();
            for i in 1..=n {
                match tv.judge(i) {
                    primed::TvResult::Conforms{..} => println!("{}", serde_json::json!({"index": i, "verdict": "conforms"})),
                    primed::TvResult::Refused{..} => println!("{}", serde_json::json!({"index": i, "verdict": "refused"})),
                    o => println!("{}", serde_json::json!({"index": i, "verdict": "error", "message": format!("{o:?}")})),
                }
            }
        }
        Some("windows") => {
            let mut b = primed::Spec::builder(&args[2]);
            if let Some(c) = get("--config") { b = b.config(c); }
            if let Some(c) = get("--action") { b = b.action(c); }
            if let Some(c) = get("--unobserved") { b = b.unobserved(c); }
            if let Some(c) = get("--invariant") { b = b.invariant(c); }
            let spec = match b.open() { Ok(s) => s, Err(e) => { eprintln!("{e}"); std::process::exit(150) } };
            let f = std::io::BufReader::new(std::fs::File::open(get("--windows").unwrap_or_default()).unwrap_or_else(|e| { eprintln!("{e}"); std::process::exit(1) }));
            let _ = spec.judge_all(f, &mut |v| { println!("{} {} {:?} {:?} {:?}", v.line, v.outcome.word(), v.outcome, v.findings, v.notes); true }, &mut |_| {});
        }
        _ => eprintln!("?"),
    }
}
