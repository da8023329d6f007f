//! Ctrl-C and panics: [`primed_oracle::run::end_all`]. It ends every run of its process for good, so that it has a process to itself.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use primed_oracle::Trouble;
use primed_oracle::run::{end_all, run};
use primed_oracle::scratch::Scratch;

#[test]
fn an_interrupt_ends_what_runs_removes_its_folder_and_lets_nothing_start() {
    let scratch = Scratch::new().unwrap();
    let folder = scratch.path().to_path_buf();
    let inner = folder.clone();
    let runner =
        std::thread::spawn(move || run(Path::new("/bin/sleep"), &["1000".into()], &inner, Duration::from_secs(900)));
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    end_all();
    assert_eq!(runner.join().unwrap(), Err(Trouble::Interrupted));
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(!folder.exists());
    let again = run(Path::new("/bin/true"), &[], &std::env::temp_dir(), Duration::from_secs(9));
    assert_eq!(again, Err(Trouble::Interrupted));
}
