//! Packed dumps: which dump of an archive is opened, and the size of the file.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use heaplens_dump::{Dump, open};
use heaplens_heap::Severity;
use heaplens_testkit::archives::{crc_32, tar, zip};
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
            let actual: Vec<_> = notes.map(|note| (note.severity, note.count, note.message.as_str())).collect();
            let message = format!(
                "a/large.hprof of the {archive} file is opened; other dumps in it are not shown: a/small.hprof"
            );
            assert_eq!(actual, [(Severity::Info, 1, message.as_str())]);
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

/// The notes about damage.
fn damage(dump: &Dump) -> Vec<&str> {
    let notes = dump.facts.heap.notes.iter().filter(|note| note.severity == Severity::DataLost);
    notes.map(|note| note.message.as_str()).collect()
}

/// Packed data that can be unpacked, and whose recorded checksum is wrong.
#[test]
fn wrong_checksums_are_damage() {
    let bytes = dump_of("shop.Item", 50);
    let zipped = zip(&[("a.hprof", &bytes)]);
    let sum = crc_32(&bytes).to_le_bytes();
    let directory = zipped.windows(4).rposition(|window| window == b"PK\x01\x02").expect("a directory");
    assert_eq!(zipped[directory + 16..directory + 20], sum);
    let zstd = ruzstd::encoding::compress_to_vec(&bytes[..], ruzstd::encoding::CompressionLevel::Fastest);
    let gzipped = gzip(&bytes);
    let end = (zstd.len() - 1, gzipped.len() - 5);
    // A member with a correct checksum follows; with a deflated entry, the checksum is after it, as the flag says.
    let described = {
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(&bytes).expect("memory");
        let mut file = b"PK\x03\x04\x14\0\x08\0\x08\0".to_vec();
        file.resize(26, 0);
        file.extend(*b"\x07\0\0\0a.hprof");
        file.extend(packer.finish().expect("memory"));
        file.extend(b"PK\x07\x08");
        file.extend(sum);
        file
    };
    let last = described.len() - 1;
    for (form, packed, at) in [
        ("zip", &zipped, directory + 17),
        ("zip", &described, last),
        ("zstd", &zstd, end.0),
        ("gzip", &gzipped, end.1),
        ("gzip", &[&gzipped[..], &gzip(b"")].concat(), end.1),
    ] {
        assert_eq!(damage(&opened(packed)), [""; 0], "{form}");
        let mut wrong = packed.clone();
        wrong[at] ^= 1;
        let dump = opened(&wrong);
        let message =
            format!("checksum does not match: the {form} data is damaged, so parts of the dump are wrong or missing");
        assert_eq!(damage(&dump), [message.as_str()]);
        assert!(has_class(&dump, "shop.Item") && dump.facts.heap.is_incomplete(), "{form}");
        // Inside another packing, too.
        assert_eq!(damage(&opened(&zip(&[("a.hprof.gz", &wrong)]))), [message.as_str()]);
    }
    // Of tar, the headers have checksums.
    let mut wrong = tar(&[("a.hprof", &bytes)]);
    wrong[140] ^= 1;
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&wrong).expect("disk space");
    let why = open(file.path()).err().expect("no dump").to_string();
    assert!(why.contains("none before its damaged part") && why.contains("checksum"), "{why}");
}
