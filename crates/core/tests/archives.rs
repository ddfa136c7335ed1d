//! Packed dumps: which dump of an archive is opened, and the size of the file.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use heaplens_core::heap::Severity;
use heaplens_core::{Dump, open};
use heaplens_testkit::archives::{tar, zip};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// A dump with some objects of a class of this name.
fn dump_of(class: &str, objects: usize) -> Vec<u8> {
    let lines = (0..objects).map(|at| format!("o{at}@{:#x} = {class}\nroot o{at} global\n", 0x7000 + at * 64));
    let text = format!("class {class}\n{}", lines.collect::<String>());
    write(&notation::read(&text).unwrap_or_else(|why| panic!("{why}")), Form::MODERN)
}

fn opened(bytes: &[u8]) -> Dump {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("disk space");
    open(file.path()).unwrap_or_else(|error| panic!("{error}"))
}

fn has_class(dump: &Dump, name: &str) -> bool {
    dump.facts.heap.classes.iter().any(|(_, class)| &*class.name == name)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

#[test]
fn other_dumps_of_an_archive_are_named() {
    let (large, small) = (dump_of("shop.Large", 20), dump_of("shop.Small", 2));
    let entries: [(&str, &[u8]); 5] = [
        ("readme.txt", b"JAVA is not in this line"),
        ("a/small.hprof", &small),
        ("__MACOSX/a/._small.hprof", b"\0\x05\x16\x07"),
        ("a/large.hprof", &large),
        ("empty.hprof", b""),
    ];
    for (archive, bytes) in [("zip", zip(&entries)), ("tar", tar(&entries))] {
        for bytes in [gzip(&bytes), bytes] {
            let dump = opened(&bytes);
            assert!(has_class(&dump, "shop.Large") && !has_class(&dump, "shop.Small"), "{archive}");
            let notes = dump.facts.heap.notes.iter().filter(|note| note.message.contains("is opened"));
            let found: Vec<_> = notes.map(|note| (note.severity, note.count, note.message.as_str())).collect();
            let message = format!(
                "a/large.hprof of the {archive} file is opened; other dumps in it are not shown: a/small.hprof"
            );
            assert_eq!(found, [(Severity::Info, 1, message.as_str())]);
            assert!(!dump.facts.heap.is_incomplete());
        }
    }
    let one = opened(&zip(&entries[..3]));
    assert!(has_class(&one, "shop.Small"));
    assert!(!one.facts.heap.notes.iter().any(|note| note.message.contains("is opened")));
}

#[test]
fn the_size_is_that_of_the_file() {
    let bytes = dump_of("shop.Item", 50);
    let size = |file: &[u8]| opened(file).facts.heap.origin.file_size;
    let plain = size(&bytes);
    assert_eq!((plain.disk, plain.unpacked_bytes()), (bytes.len() as u64, None));
    assert!(!plain.to_string().contains("unpacked"));
    let archived = zip(&[("a.hprof", &bytes), ("b.txt", &[b'b'; 9000])]);
    for packed in [gzip(&bytes), archived.clone(), gzip(&archived)] {
        let dump = opened(&packed);
        let size = dump.facts.heap.origin.file_size;
        assert_eq!((size.disk, size.unpacked_bytes()), (packed.len() as u64, Some(bytes.len() as u64)));
        assert_eq!(dump.census.origin.file_size, size);
        assert!(size.exact().contains("bytes unpacked") && size.to_string().contains("unpacked"), "{size}");
    }
}
