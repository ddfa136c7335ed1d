//! An untrusted stored analysis, opened without its dump. Checksum verification is disabled, so that the fuzzer reaches
//! the code behind it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open_stored(bytes));
