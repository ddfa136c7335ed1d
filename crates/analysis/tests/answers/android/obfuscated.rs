//! The obfuscated album: with its mapping every leak has its source names.

use std::sync::Arc;

use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery, leak_report};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_dump::mapping::MappingFile;
use heaplens_testkit::album;
use heaplens_testkit::art::{Art, Writer};
use heaplens_testkit::fixtures;

use super::{is_made_up, open, open_mapped};

/// The album, and the mapping of its names.
fn obfuscated() -> (Art, String) {
    let mut art = album::sample();
    let mapping = art.obfuscate("com.example.album.");
    (art, mapping)
}

/// Class, fingerprint and bytes of each leak.
fn leaks(dump: &Dump) -> Vec<(String, String, u64)> {
    let (matchers, device) = (Matchers::default(), Device::default());
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
    let report = leak_report(question, &Task::new()).expect("not cancelled");
    let leak = report.leaks.iter().map(|leak| {
        let last = leak.traces[0].steps.last().expect("a leaking object");
        (last.subject.class.clone(), leak.fingerprint.clone(), leak.retained().0)
    });
    leak.collect()
}

#[test]
fn the_obfuscated_album_equals_its_generator() {
    let (art, mapping) = obfuscated();
    is_made_up("album-r8.hprof.gz", &art);
    let path = fixtures::path("android/album-r8.mapping.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &mapping).expect("the fixture can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the fixture"), mapping);
}

#[test]
fn with_its_mapping_leaks_have_source_names() {
    let (art, mapping) = obfuscated();
    let bytes = art.write(Writer::Art);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mapping.txt");
    std::fs::write(&file, mapping).expect("disk space");
    let mapping = MappingFile::read(&file).unwrap_or_else(|why| panic!("{why}"));
    let named = open_mapped(&bytes, &Arc::new(mapping));
    let clear = leaks(&open(&album::sample().write(Writer::Art)));
    assert_eq!(leaks(&named), clear);
    assert_eq!(named.facts.mapped.as_ref().and_then(|mapped| mapped.doubt.clone()), None);
    let bare = leaks(&open(&bytes));
    assert_eq!(bare.len(), clear.len(), "the leaks are found without names too");
    assert!(bare.iter().any(|(class, ..)| class.starts_with("a.")));
}
