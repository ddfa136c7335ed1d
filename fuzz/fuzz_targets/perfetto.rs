//! A trace of Perfetto with heap graphs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open(bytes));
