//! Windows in a second: held in memory, from NDJSON text, through a TV module.
//!
//! No caches carry an answer from one window to the next. The figures are of one run on one machine: what the design
//! promises are ratios to the real TLC, which `benches/against-tlc windows` measures side by side.
#![allow(clippy::print_stderr, reason = "a bench says what its figures mean")]
#![allow(missing_docs, reason = "criterion's macros write functions")]

use std::hint::black_box;
use std::io::Cursor;

use bumpalo::Bump;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use primed::{Outcome, TvResult};
use primed_benches::{different, eight_threads, recorded, recorded_spec, tv_module};

fn held(criterion: &mut Criterion) {
    let spec = recorded_spec().expect("the spin lock opens");
    let text = recorded().expect("the recorded windows are there");
    let steps: Vec<_> = text.lines().map(|line| spec.hold(line).expect("a recorded window")).collect();
    let mut group = criterion.benchmark_group("by name");
    group.throughput(Throughput::Elements(steps.len() as u64));
    group.bench_function("543 recorded windows, held in memory", |bencher| {
        let mut scratch = Bump::new();
        bencher.iter(|| {
            for step in &steps {
                assert_eq!(black_box(spec.judge_held(step, &scratch)), Outcome::Conforms);
                scratch.reset();
            }
        });
    });
    group.bench_function("543 recorded windows, one line after the other", |bencher| {
        bencher.iter(|| {
            for line in text.lines() {
                black_box(spec.judge(1, line));
            }
        });
    });
    group.finish();
}

fn stream(criterion: &mut Criterion) {
    let spec = eight_threads().expect("the spin lock opens");
    let text = different(10_000);
    let mut group = criterion.benchmark_group("by name");
    group.throughput(Throughput::Elements(10_000)).sample_size(20);
    group.bench_function("10,000 different windows from NDJSON text, all processors", |bencher| {
        bencher.iter(|| {
            let mut conforming = 0;
            let mut report = |verdict: primed::Verdict| {
                conforming += usize::from(verdict.outcome == Outcome::Conforms);
                true
            };
            spec.judge_all(Cursor::new(&text), &mut report, &mut |_| {}).expect("reading memory");
            assert!(black_box(conforming) > 1_000);
        });
    });
    group.finish();
}

fn tv(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("TV module");
    for count in [100, 10_000] {
        let folder = tempfile::tempdir().expect("a folder");
        let text = different(count);
        let module = tv_module(&text, folder.path()).expect("the TV module opens");
        group.throughput(Throughput::Elements(count as u64)).sample_size(10);
        group.bench_function(format!("{count} windows, one after the other"), |bencher| {
            bencher.iter_batched(
                || (),
                |()| {
                    let conforms = |i: &usize| matches!(module.judge(*i), TvResult::Conforms { .. });
                    assert!(black_box((1..=count).filter(conforms).count()) > 0);
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
    eprintln!("These are figures of one run on one machine. Beside the real TLC: benches/against-tlc windows");
}

criterion_group!(benches, held, stream, tv);
criterion_main!(benches);
