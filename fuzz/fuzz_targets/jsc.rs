//! A heap snapshot of JavaScriptCore in its own form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open(bytes));
