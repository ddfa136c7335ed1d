//! Sparse dumps of several gigabytes: their large array of zeros is a hole in the file. Record lengths exceed 2³¹, and
//! 2³² in the old format.

// Sparse files are created in the same way on all Unix systems only.
#![cfg(unix)]
#![expect(clippy::print_stderr, reason = "reports why a test is skipped")]

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId, Severity, Value};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::hprof::RecordBuffer;
use tempfile::NamedTempFile;

/// Number of elements of a long array of 2.4 GB.
const LONGS: u32 = 300_000_000;
const LONG: u8 = 11;
const BYTE: u8 = 8;

const OBJECT_CLASS: u64 = 0x100;
const HOLDER_CLASS: u64 = 0x118;
const HOLDER: u64 = 0x1000;
const ARRAY: u64 = 0x2000;
/// Address after the array, in memory and in the file.
const AFTER: u64 = ARRAY + 0x1_0000_0000;
/// The second large array, if present.
const SECOND: u64 = AFTER + 0x1000;

/// Part of a file: bytes, or a number of zeros.
enum Part {
    Bytes(Vec<u8>),
    Hole(u64),
}

/// Creates the file, or reports why that is not possible here.
fn sparse(parts: &[Part]) -> Option<NamedTempFile> {
    let file = NamedTempFile::new().expect("a temporary file");
    let mut out: &File = file.as_file();
    for part in parts {
        match part {
            Part::Bytes(bytes) => out.write_all(bytes).expect("disk space"),
            Part::Hole(bytes) => drop(out.seek(SeekFrom::Current(*bytes as i64)).expect("a file of that length")),
        }
        let known = out.metadata().expect("it is open");
        if known.blocks() * 512 > 64 << 20 {
            eprintln!("skipped: the file system of {} fills holes", std::env::temp_dir().display());
            return None;
        }
    }
    Some(file)
}

fn header(version: &str) -> RecordBuffer {
    let mut out = RecordBuffer::new(8);
    out.bytes.extend(format!("JAVA PROFILE {version}\0").bytes());
    out.u4(8);
    out.u8(0);
    let classes = [
        (OBJECT_CLASS, "java/lang/Object"),
        (0x108, "java/lang/Class"),
        (0x110, "java/lang/ClassLoader"),
        (HOLDER_CLASS, "shop/Holder"),
        (0x120, "[J"),
        (0x128, "[B"),
    ];
    for (id, name) in classes {
        let mut text = RecordBuffer::new(8);
        text.id(id + 0x1_0000);
        text.bytes.extend(name.bytes());
        out.record(0x01, &text.bytes);
        let mut loaded = RecordBuffer::new(8);
        loaded.u4(1);
        loaded.id(id);
        loaded.u4(0);
        loaded.id(id + 0x1_0000);
        out.record(0x02, &loaded.bytes);
    }
    let mut name = RecordBuffer::new(8);
    name.id(0x51);
    name.bytes.extend(b"held");
    out.record(0x01, &name.bytes);
    out
}

/// Class records and a GC root object that refers to `held`.
fn first_objects(out: &mut RecordBuffer, held: u64) {
    for (id, superclass, fields) in [
        (OBJECT_CLASS, 0, 0),
        (0x108, OBJECT_CLASS, 0),
        (0x110, OBJECT_CLASS, 0),
        (HOLDER_CLASS, OBJECT_CLASS, 1),
        (0x120, OBJECT_CLASS, 0),
        (0x128, OBJECT_CLASS, 0),
    ] {
        out.u1(0x20);
        out.id(id);
        out.u4(0);
        out.id(superclass);
        out.ids([0; 5]);
        out.u4(8 * fields);
        out.u2(0);
        out.u2(0);
        out.u2(fields as u16);
        (0..fields).for_each(|_| {
            out.id(0x51);
            out.u1(2);
        });
    }
    holder(out, HOLDER, held);
    out.u1(0xff);
    out.id(HOLDER);
}

fn holder(out: &mut RecordBuffer, id: u64, held: u64) {
    out.u1(0x21);
    out.id(id);
    out.u4(0);
    out.id(HOLDER_CLASS);
    out.u4(8);
    out.id(held);
}

fn array_head(out: &mut RecordBuffer, id: u64, length: u32, kind: u8) {
    out.u1(0x23);
    out.id(id);
    out.u4(0);
    out.u4(length);
    out.u1(kind);
}

fn at(dump: &Dump, address: u64) -> ObjectId {
    dump.facts.heap.at(Address(address)).unwrap_or_else(|| panic!("nothing is at {address:#x}"))
}

/// Dump as written by current HotSpot: the array is in its own segment; its last element is 7.
fn one_large_array() -> Option<NamedTempFile> {
    let mut out = header("1.0.2");
    let mut first = RecordBuffer::new(8);
    first_objects(&mut first, ARRAY);
    out.record(0x1c, &first.bytes);
    let mut head = RecordBuffer::new(8);
    array_head(&mut head, ARRAY, LONGS, LONG);
    out.record_with_length(0x1c, head.bytes.len() as u32 + 8 * LONGS, &head.bytes);
    let mut end = RecordBuffer::new(8);
    end.u8(7);
    let mut last = RecordBuffer::new(8);
    holder(&mut last, AFTER, HOLDER);
    last.u1(0x01);
    last.id(AFTER);
    last.id(0);
    end.record(0x1c, &last.bytes);
    end.record(0x2c, &[]);
    sparse(&[Part::Bytes(out.bytes), Part::Hole(8 * u64::from(LONGS) - 8), Part::Bytes(end.bytes)])
}

/// Header of 12 bytes and length of 4: with only two objects nothing else of the layout can be inferred.
fn size_of_array(length: u64, bytes: u64) -> u64 {
    (16 + length * bytes).next_multiple_of(8)
}

#[test]
fn an_array_of_more_than_two_gigabytes_is_an_array_like_others() {
    let Some(file) = one_large_array() else { return };
    let dump = open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).expect("it is complete");
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    assert!(heap.notes.iter().all(|note| note.severity < Severity::DataLost), "{:?}", heap.notes);
    let (array, length) = (at(&dump, ARRAY), u64::from(LONGS));
    assert_eq!(&*heap.class(array).name, "long[]");
    assert_eq!(contents.array_length(heap, array), Some(length));
    assert_eq!(heap.shallow(array).0, size_of_array(length, 8));
    let last = contents.elements(heap, array, length - 2..u64::MAX).expect("readable");
    assert_eq!(last, [Value::Long(0), Value::Long(7)]);
    assert_eq!(dump.analysis.immediate_dominator(array), Some(at(&dump, HOLDER)));
    assert!(dump.analysis.retained(at(&dump, HOLDER)).0 > size_of_array(length, 8));
    // Objects after it, in the file and in memory.
    let after = at(&dump, AFTER);
    assert_eq!((&*heap.class(after).name, dump.analysis.is_reachable(after)), ("shop.Holder", true));
    assert!(heap.references(after).contains(&at(&dump, HOLDER).raw()));
}

#[test]
fn a_large_array_costs_little_memory() {
    let Some(file) = one_large_array() else { return };
    for more in [&[][..], &["--memory", "64M"]] {
        let summary = command(&[&["summary", "--format", "json"], more].concat(), file.path());
        let summary: serde_json::Value = serde_json::from_str(&summary).expect("json");
        let peak = summary["peak_memory_bytes"].as_u64();
        assert!(peak.is_none_or(|bytes| bytes < 256 << 20), "{peak:?} bytes with {more:?}");
    }
    let objects = command(&["objects", "--class", "long[]", "--format", "csv"], file.path());
    assert!(objects.contains(&size_of_array(LONGS.into(), 8).to_string()), "{objects}");
    let array = command(&["object", "--top", "3", "--format", "json"], file.path());
    assert!(array.contains("300000000"), "{array}");
}

/// Output of the command line for a dump; `object` is run on the large array.
fn command(arguments: &[&str], file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    command.arg(arguments[0]).arg(file);
    if arguments[0] == "object" {
        command.arg(format!("{ARRAY:#x}"));
    }
    let output = command.args(&arguments[1..]).arg("--no-cache").output().expect("heaplens starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// A dump of 1.0.1 is one record, and its length has 32 bits.
#[test]
fn the_end_of_a_dump_whose_length_wrapped_is_found() {
    const BYTES: u32 = 2_400_000_000;
    // The length modulo 2³², and 0, which some writers use for lengths that do not fit.
    for says_zero in [false, true] {
        let mut heap = RecordBuffer::new(8);
        first_objects(&mut heap, ARRAY);
        array_head(&mut heap, ARRAY, BYTES, BYTE);
        let mut middle = RecordBuffer::new(8);
        array_head(&mut middle, SECOND, BYTES, BYTE);
        let mut last = RecordBuffer::new(8);
        holder(&mut last, AFTER, SECOND);
        last.u1(0x01);
        last.id(AFTER);
        last.id(0);
        let length = (heap.bytes.len() + middle.bytes.len() + last.bytes.len()) as u64 + 2 * u64::from(BYTES);
        assert!(length > 1 << 32);
        let mut out = header("1.0.1");
        out.record_with_length(0x0c, if says_zero { 0 } else { length as u32 }, &heap.bytes);
        if !says_zero {
            // A record after the dump, which must not be read as part of it. With length 0, a string record looks like
            // a GC root with tag 1, so there the dump is last.
            let mut text = RecordBuffer::new(8);
            text.id(0x99);
            text.bytes.extend(b"after the dump");
            last.record(0x01, &text.bytes);
        }
        let hole = || Part::Hole(u64::from(BYTES));
        let parts = [Part::Bytes(out.bytes), hole(), Part::Bytes(middle.bytes), hole(), Part::Bytes(last.bytes)];
        let Some(file) = sparse(&parts) else { return };
        let dump = open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).expect("it is complete");
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        for array in [ARRAY, SECOND] {
            assert_eq!(contents.array_length(heap, at(&dump, array)), Some(BYTES.into()));
            assert_eq!(heap.shallow(at(&dump, array)).0, size_of_array(BYTES.into(), 1));
        }
        assert_eq!(dump.analysis.immediate_dominator(at(&dump, SECOND)), Some(at(&dump, AFTER)));
        let notes: Vec<(Severity, &str)> = heap.notes.iter().map(|note| (note.severity, &*note.message)).collect();
        assert!(notes.iter().any(|(_, output)| output.contains("wrong length in the heap dump record")), "{notes:?}");
        assert!(notes.iter().all(|(severity, _)| *severity < Severity::DataLost), "{notes:?}");
    }
}

/// File truncated within the array: objects before it are present, and the number of missing bytes is reported.
#[test]
fn a_truncated_large_array_is_reported() {
    let Some(file) = one_large_array() else { return };
    let complete = file.as_file().metadata().expect("it is open").len();
    file.as_file().set_len(complete / 2).expect("it can be cut");
    let dump = open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).expect("half of it exists");
    assert!(dump.facts.heap.at(Address(ARRAY)).is_none() && dump.facts.heap.at(Address(HOLDER)).is_some());
    let missing = dump.facts.heap.notes.iter().filter(|note| note.severity == Severity::DataLost);
    let output: Vec<&str> = missing.map(|note| &*note.message).collect();
    assert!(output.iter().any(|output| output.contains("inside a heap dump segment: at least 1,2")), "{output:?}");
}
