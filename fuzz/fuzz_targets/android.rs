//! A heap dump of Android, of any cropper.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open(bytes));
