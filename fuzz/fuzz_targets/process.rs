//! A text about a process: our own record, or what another tool printed. What was read is written and read again.
#![no_main]

use heaplens_process::ProcessRecord;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = ProcessRecord::read("text", bytes) else { return };
    let _resident = record.resident();
    let json = serde_json::to_vec(&record).expect("a record is written");
    assert_eq!(ProcessRecord::read("text", &json).as_ref(), Ok(&record));
    let mut both = record.clone();
    both.add(record);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    heaplens_fuzz::structure::mutate(data, size, max_size, seed, heaplens_fuzz::structure::lines::parse)
});
