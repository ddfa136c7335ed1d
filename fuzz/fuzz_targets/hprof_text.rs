//! A text dump of the old HPROF agent.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open(bytes));
