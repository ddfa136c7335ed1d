//! A heap dump of HotSpot.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaplens_fuzz::open(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    heaplens_fuzz::structure::mutate(data, size, max_size, seed, heaplens_fuzz::structure::hprof::parse)
});
