//! A KOOM report for an intact Android dump.
#![no_main]

use heaplens_session::KoomFile;
use heaplens_base::Task;
use heaplens_fuzz::file;
use heaplens_fuzz::made::PHONE;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(report) = KoomFile::read(file(bytes).path()) else { return };
    let reported = report.in_dump(&PHONE.facts, &Task::new()).expect("not cancelled");
    assert!(reported.objects.len() <= PHONE.facts.heap.len());
    assert!(!reported.summary().is_empty());
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    heaplens_fuzz::structure::mutate(data, size, max_size, seed, heaplens_fuzz::structure::json::parse)
});
