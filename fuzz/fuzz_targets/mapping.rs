//! A ProGuard or R8 mapping, applied to a dump with obfuscated names.
#![no_main]

use std::sync::Arc;

use heaplens_dump::mapping::MappingFile;
use heaplens_fuzz::file;
use heaplens_fuzz::made::PHONE;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(mapping) = MappingFile::read(file(bytes).path()) else { return };
    let mapping = Arc::new(mapping);
    let facts = PHONE.facts.renamed(&mapping);
    let census = mapping.rename_census(&PHONE.census);
    assert_eq!(census.rows.len(), PHONE.census.rows.len());
    for object in facts.heap.objects().take(100) {
        let _fields = facts.contents.fields(&facts.heap, object);
        let _stack = facts.contents.stack(&facts.heap, object);
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    heaplens_fuzz::structure::mutate(data, size, max_size, seed, heaplens_fuzz::structure::lines::parse)
});
