#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    primed_tests::robust::cfg(bytes);
});
