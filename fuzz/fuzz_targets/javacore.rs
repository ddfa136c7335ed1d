//! A javacore file for an intact IBM heap dump.
#![no_main]

use std::sync::LazyLock;

use heaplens_session::OpenOptions;
use heaplens_testkit::phd::{Form, write};
use heaplens_fuzz::made::tiny;
use heaplens_fuzz::{file, open_with};

static DUMP: LazyLock<Vec<u8>> = LazyLock::new(|| write(&tiny(), Form::MODERN));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let javacore = file(bytes);
    let mut options = OpenOptions::default();
    options.name_javacore(Some(javacore.path().to_owned()));
    open_with(&DUMP, &options);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    heaplens_fuzz::structure::mutate(data, size, max_size, seed, heaplens_fuzz::structure::lines::parse)
});
