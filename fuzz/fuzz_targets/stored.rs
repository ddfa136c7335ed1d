//! A stored analysis that somebody sent, opened without its dump. Checksums hold whatever is in it: what is behind
//! them is to be found.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open_stored(bytes));
