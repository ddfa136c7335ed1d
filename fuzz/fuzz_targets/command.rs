//! A command line for a small dump, one argument per line: ids, names, ranges, filters, cuts. The first byte selects the
//! dump.
#![no_main]

use std::sync::LazyLock;

use clap::Parser;
use heaplens::cli::{self, args::Arguments};
use heaplens_testkit::hprof::{self, Form};
use heaplens_testkit::phd;
use heaplens_testkit::v8::form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::write::write;
use heaplens_fuzz::{file, made};
use tempfile::NamedTempFile;

static DUMPS: LazyLock<[NamedTempFile; 4]> = LazyLock::new(|| {
    [
        file(&hprof::write(&made::tiny(), Form::MODERN)),
        file(write(&random(7, 40), &form::Form::node20()).as_bytes()),
        file(&phd::write(&made::plain(3, 20), phd::Form::MODERN)),
        file(made::PHONE_BYTES),
    ]
});

/// Commands that write files, which the fuzzer must not run.
const WRITERS: [&str; 4] = ["desktop", "index", "strip", "generate"];

/// Placeholder for a second dump to compare with.
const OTHER: &str = "OTHER";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&which, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut words = text.split('\n');
    let Some(command) = words.next().filter(|word| !WRITERS.contains(word)) else { return };
    let path = |which: u8| DUMPS[usize::from(which % 4)].path().as_os_str().to_owned();
    let dump = path(which);
    // Drop paths, so that no existing files are read or overwritten.
    let words = words.filter(|word| !word.contains('/') || word.starts_with('/') && word.ends_with('/'));
    let line = ["heaplens", command].into_iter().map(Into::into).chain([dump]);
    let line = line
        .chain(["--no-cache".into()])
        .chain(words.map(|word| if word == OTHER { path(which.wrapping_add(1)) } else { word.into() }));
    if let Ok(Arguments { command: Some(command), .. }) = Arguments::try_parse_from(line) {
        let _ended = cli::run(&command);
    }
});
