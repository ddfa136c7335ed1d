//! Damaged dumps. "Complete" is said only if every object was read; damage that loses nothing loses nothing; what lies
//! behind a hole is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, Severity};
use heaplens_testkit::fixtures;
use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, Order, RecordBuffer, Segmentation, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Body, Id, Sketch};

use super::{Expected, check, open, options};
use crate::temporary_file;

/// Forms whose end can be told: a HEAP_DUMP without length may end anywhere.
fn forms() -> impl Iterator<Item = Form> {
    Form::all().into_iter().filter(|form| form.cut != Segmentation::Endless)
}

/// Opens the bytes; `None` if nothing can be shown.
fn try_open(bytes: &[u8]) -> Option<Dump> {
    let file = temporary_file(bytes);
    open_with(file.path(), &OpenOptions::default(), &Task::new()).ok()
}

/// Ids of all objects in a sketch.
fn ids(sketch: &Sketch) -> BTreeSet<Id> {
    sketch.classes.iter().map(|class| class.id).chain(sketch.objects.iter().map(|object| object.id)).collect()
}

/// Ids of the objects that were read from the file.
fn read_ids(dump: &Dump) -> BTreeSet<Id> {
    let heap = &dump.facts.heap;
    let read = heap.objects().filter(|&object| heap.file_offset(object).is_some_and(|offset| offset > 0));
    read.map(|object| heap.address(object).0).collect()
}

/// Fails if the dump is called complete while an object is missing or wrong.
fn says_loss(name: &str, dump: &Dump, sketch: &Sketch) {
    let heap = &dump.facts.heap;
    if heap.is_incomplete() {
        return;
    }
    let (expected, read) = (ids(sketch), read_ids(dump));
    let missing: Vec<_> = expected.difference(&read).collect();
    let wrong: Vec<_> = read.difference(&expected).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{name}: {missing:x?} missing, {wrong:x?} wrong: {:?}", heap.notes);
}

#[test]
fn every_truncation_that_loses_an_object_says_so() {
    for (number, form) in forms().enumerate() {
        let sketch = heaps::random(60 + number as u64, 12);
        let complete = write(&sketch, form);
        // Cut behind the dump, its last record may be missing, which only some forms have.
        let end = if form.cut == Segmentation::Whole { complete.len() - 9 } else { complete.len() };
        for end in (number % 13..end).step_by(13) {
            if let Some(dump) = try_open(&complete[..end]) {
                says_loss(&format!("{form:?} cut to {end}"), &dump, &sketch);
                assert!(dump.facts.heap.is_incomplete(), "{form:?} cut to {end} of {}", complete.len());
            }
        }
    }
}

#[test]
fn removed_and_zeroed_ranges_that_lose_an_object_say_so() {
    // With a segment for each sub-record, what is left of two segments may be one that is as good as any.
    let forms: Vec<Form> = forms().filter(|form| form.cut != Segmentation::Segments(1)).collect();
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let sketch = heaps::random(seed, 60);
        let form = forms[seed as usize % forms.len()];
        let mut bytes = write(&sketch, form);
        let from = random.between(31, bytes.len() as u32 - 1) as usize;
        let is_removed = seed % 2 == 0;
        // Fewer zeros may be part of a value, and of an id.
        let length = random.between(if is_removed { 1 } else { 64 }, 400) as usize;
        let to = (from + length).min(bytes.len());
        if is_removed {
            bytes.drain(from..to);
        } else {
            bytes[from..to].fill(0);
        }
        if let Some(dump) = try_open(&bytes) {
            let what = if is_removed { "removed" } else { "zeroed" };
            says_loss(&format!("seed {seed}, {form:?}, {from}..{to} {what}"), &dump, &sketch);
        }
    }
}

/// Damage that leaves every object in the file.
#[test]
fn damage_without_loss_loses_nothing() {
    for seed in 0..24 {
        let sketch = heaps::random(seed, 60);
        let order = [Order::RootsLast, Order::RootsFirst, Order::ClassesLast][seed as usize % 3];
        let id_bytes = if seed % 2 == 0 { 8 } else { 4 };
        let of = |cut| Form { version: "1.0.2", id_bytes, cut, order };
        let segments = write(&sketch, of(Segmentation::Segments(700)));
        let intact = open(&segments, &options(seed)).facts.heap.notes.len();
        let front = b"Defaulted container \"web\" out of: web, sidecar\r\n";
        let headers = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n";
        for (name, bytes) in [
            ("the last of many segments without length", write(&sketch, of(Segmentation::Unfinished(700)))),
            ("the only segment without length", write(&sketch, of(Segmentation::Unfinished(usize::MAX)))),
            ("sub-records over the end of segments", write(&sketch, of(Segmentation::Short(700)))),
            ("sub-records over the end of the only segment", write(&sketch, of(Segmentation::Short(usize::MAX)))),
            ("a line in front", [&front[..], &segments].concat()),
            ("headers in front", [&headers[..], &segments].concat()),
            ("a byte order mark in front", [b"\xef\xbb\xbf", &*segments].concat()),
            ("another dump behind", [&*segments, &*segments].concat()),
            ("zeros behind", [&*segments, &[0; 5_000]].concat()),
            ("a line behind", [&*segments, b"command terminated with exit code 0\r\n"].concat()),
        ] {
            let options = options(seed);
            let dump = open(&bytes, &options);
            check(&Expected::new(&sketch, of(Segmentation::Segments(700)), options), &dump);
            let notes = &dump.facts.heap.notes;
            assert!(notes.len() > intact, "{name}, seed {seed}: no note");
            let is_unfinished = name.contains("without length");
            assert_eq!(dump.facts.heap.is_incomplete(), is_unfinished, "{name}, seed {seed}: {notes:?}");
        }
    }
}

fn notes(dump: &Dump) -> Vec<String> {
    dump.facts.heap.notes.iter().map(|note| format!("{}: {}", note.severity.name(), note.message)).collect()
}

#[test]
fn what_was_skipped_is_named() {
    let sketch = heaps::random(5, 60);
    let complete = write(&sketch, Form::MODERN);
    let dump = open([&b"HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n"[..], &complete].concat(), &options(0));
    let text = notes(&dump);
    let expected = "info: 36 bytes in front of the dump skipped: \u{201c}HTTP/1.1 200 OK\u{201d}";
    assert!(text.iter().any(|note| note == expected), "{text:?}");
    let dump = open([&*complete, &*complete].concat(), &options(0));
    let text = notes(&dump);
    let (at, bytes) = (heaplens_base::Count(complete.len() as u64), complete.len() + 1);
    let named = |note: &String| {
        note.contains(&format!("another HPROF file begins at offset {at}"))
            && note.contains(&format!("tail -c +{bytes}"))
    };
    assert!(text.iter().any(named), "{text:?}");
}

/// Zeros in the middle: everything that they do not overlap is read, in every form, and the loss is given.
#[test]
fn what_lies_behind_a_hole_is_read() {
    let mut holes = 0;
    for seed in 0..60 {
        let mut random = Random::new(1_000 + seed);
        let sketch = heaps::random(seed, 400);
        let forms: Vec<Form> = Form::all();
        let form = forms[seed as usize % forms.len()];
        let complete = write(&sketch, form);
        let before = try_open(&complete).expect("it is whole");
        let offsets: BTreeMap<u64, Id> = {
            let heap = &before.facts.heap;
            let read = heap.objects().filter_map(|object| Some((heap.file_offset(object)?, heap.address(object).0)));
            read.filter(|&(offset, _)| offset > 0).collect()
        };
        let (&first, _) = offsets.first_key_value().expect("objects");
        let (&last, _) = offsets.last_key_value().expect("objects");
        let from = u64::from(random.between(first as u32, last as u32));
        let to = (from + u64::from(random.between(64, 2_048))).min(complete.len() as u64);
        let mut bytes = complete.clone();
        bytes[from as usize..to as usize].fill(0);
        let dump = try_open(&bytes).unwrap_or_else(|| panic!("seed {seed}: not opened"));
        let read = read_ids(&dump);
        // The record that begins before the hole may be in it too, or be zero there.
        let is_known = |offset: u64, next: u64| next <= from || offset >= to;
        let ends = offsets.keys().skip(1).copied().chain([complete.len() as u64]);
        let warnings: Vec<String> = (offsets.iter().zip(ends))
            .filter(|((offset, id), end)| is_known(**offset, *end) && !read.contains(id))
            .map(|((offset, id), _)| format!("{id:#x} at {offset}"))
            .collect();
        assert!(warnings.is_empty(), "seed {seed}, {form:?}, zeros {from}..{to}: {warnings:?}, {:?}", notes(&dump));
        let expected = ids(&sketch);
        let wrong: Vec<&Id> = read.difference(&expected).collect();
        assert!(wrong.is_empty(), "seed {seed}, {form:?}, zeros {from}..{to}: {wrong:x?}, {:?}", notes(&dump));
        holes += usize::from(notes(&dump).iter().any(|note| note.starts_with("data lost: zeros instead of records")));
    }
    assert!(holes > 30, "{holes} of 60 holes were seen: a few are within arrays");
}

/// One root of a class that is not in the dump: classes and objects without incoming references become roots.
#[test]
fn dangling_roots_are_replaced() {
    for order in [Order::RootsLast, Order::RootsFirst] {
        let mut sketch = heaps::random(8, 60);
        sketch.roots.iter_mut().for_each(|(id, _)| *id = 0x7fff_fff8);
        let dump = open(write(&sketch, Form { order, ..Form::MODERN }), &options(0));
        let text = notes(&dump);
        assert!(
            text.iter().any(|note| note.starts_with("data lost: ")
                && note.contains("in the file, but of no object in the dump: all classes and")),
            "{text:?}"
        );
        assert_eq!(dump.analysis.unreachable.objects, 0, "{text:?}");
        sketch.roots.clear();
        let without = open(write(&sketch, Form { order, ..Form::MODERN }), &options(0));
        assert_eq!(without.facts.heap.roots.all(), dump.facts.heap.roots.all());
        assert!(notes(&without).iter().any(|note| note.starts_with("data lost: no GC roots in the file:")));
    }
}

/// Instances with bytes more or fewer than their class declares are counted, and nothing is read from their neighbours.
#[test]
fn instances_of_another_length_are_counted() {
    for (by, message) in [(-1, "with fewer bytes than their class"), (3, "with more bytes than their class")] {
        let mut out = RecordBuffer::new(8);
        let sketch = heaps::random(9, 60);
        let with_fields = |id: &Id| {
            sketch
                .objects
                .iter()
                .find(|o| o.id == *id)
                .is_some_and(|o| matches!(&o.body, Body::Instance { fields, .. } if !fields.is_empty()))
        };
        let complete = write(&sketch, Form::MODERN);
        let dump = open(&complete, &options(0));
        let heap = &dump.facts.heap;
        let all: Vec<(u64, Id)> = heap
            .objects()
            .filter_map(|object| Some((heap.file_offset(object)?, heap.address(object).0)))
            .filter(|(_, id)| with_fields(id))
            .collect();
        assert!(!heap.is_incomplete());
        let &(offset, id) = all.iter().min().expect("an instance with fields");
        // One sub-record is written again with another length, in a segment of its own in front of all others.
        let (at, length_at) = (offset as usize, offset as usize + 21);
        let length = u32::from_be_bytes(complete[length_at..length_at + 4].try_into().expect("four bytes"));
        let mut record = complete[at..length_at].to_vec();
        let other = length.saturating_add_signed(by);
        record.extend(other.to_be_bytes());
        record.extend(&complete[length_at + 4..length_at + 4 + length.min(other) as usize]);
        record.resize(record.len() + other.saturating_sub(length) as usize, 0x41);
        out.record(0x1c, &record);
        // The first segment begins behind the tables.
        let tables = complete[31..].to_vec();
        let mut index = 31;
        while !matches!(tables[index - 31], 0x1c | 0x0c) {
            let length = u32::from_be_bytes(complete[index + 5..index + 9].try_into().expect("four bytes"));
            index += 9 + length as usize;
        }
        let bytes = [&complete[..index], &out.bytes, &complete[index..]].concat();
        let dump = open(&bytes, &options(0));
        let heap = &dump.facts.heap;
        let note = heap.notes.iter().find(|note| note.message.contains(message));
        let note = note.unwrap_or_else(|| panic!("no note: {:?}", notes(&dump)));
        assert_eq!((note.severity, note.count, note.first_offset), (Severity::Error, 1, Some(index as u64 + 9)));
        let object = heap.at(Address(id)).expect("the first record counts");
        let fields = dump.facts.contents.fields(heap, object).expect("readable");
        let Body::Instance { fields: expected, .. } =
            &sketch.objects.iter().find(|object| object.id == id).expect("it exists").body
        else {
            panic!("an instance")
        };
        assert_eq!(fields.len(), if by < 0 { expected.len() - 1 } else { expected.len() });
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

/// Text in front of packed data, in packed data, and in front of a dump of Android.
#[test]
fn text_in_front_is_skipped_in_every_packing() {
    let sketch = heaps::random(11, 60);
    let complete = write(&sketch, Form::MODERN);
    let line = b"Defaulted container \"web\" out of: web\r\n";
    for bytes in [
        [&line[..], &gzip(&complete)].concat(),
        gzip(&[&line[..], &complete].concat()),
        [line, line, &*complete].concat(),
    ] {
        let options = options(0);
        let dump = open(&bytes, &options);
        check(&Expected::new(&sketch, Form::MODERN, options), &dump);
        assert!(notes(&dump).iter().any(|note| note.contains("in front of the dump skipped: \u{201c}Defaulted")));
    }
    let phone = std::fs::read(fixtures::path("android/phone.hprof")).expect("a fixture");
    let (alone, behind) = (try_open(&phone).expect("a dump"), try_open(&[line, &*phone].concat()).expect("a dump"));
    assert_eq!(behind.facts.heap.len(), alone.facts.heap.len());
    assert_eq!(behind.facts.heap.notes.len(), alone.facts.heap.notes.len() + 1);
    assert_eq!(behind.facts.heap.is_incomplete(), alone.facts.heap.is_incomplete());
}

/// Nothing can be read from a dump that was converted as text: the error says so, and what to do.
#[test]
fn text_conversion_is_the_cause() {
    let complete = write(&heaps::random(12, 400), Form::MODERN);
    let replaced = String::from_utf8_lossy(&complete).into_owned().into_bytes();
    let line_ends =
        complete.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect();
    for (bytes, cause) in [(replaced, "bytes outside ASCII were replaced"), (line_ends, "line ends from LF to CR LF")] {
        for bytes in [bytes.clone(), [b"a line\n", &*bytes].concat(), gzip(&bytes)] {
            let file = temporary_file(&bytes);
            let error = open_with(file.path(), &OpenOptions::default(), &Task::new()).err().expect("not a dump");
            let error = error.to_string();
            assert!(error.contains(cause) && error.contains("binary mode") && !error.contains("truncated"), "{error}");
        }
    }
}
