#![no_main]

use std::cell::OnceCell;

thread_local! {
    static SPIN: OnceCell<primed::Spec> = const { OnceCell::new() };
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    SPIN.with(|spin| {
        let spec = spin.get_or_init(|| primed_tests::robust::spin_lock().expect("the spin lock of the conformance suite"));
        primed_tests::robust::window_line(spec, bytes);
    });
});
