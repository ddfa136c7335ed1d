//! Files made to hurt, record by record.

use std::io::Write;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_analysis::references::{Direction, references};
use heaplens_base::Task;
use heaplens_heap::{Address, Severity};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::fixtures;
use heaplens_testkit::hprof::RecordBuffer;
use heaplens_testkit::random::Random;

use super::{MEASURED, NOW, PEAK, check};

pub(super) const OBJECT: u8 = 2;
pub(super) const INT: u8 = 10;

/// A file with ids of 8 bytes: the header, then the records added by `records`.
pub(super) fn file(records: impl FnOnce(&mut RecordBuffer)) -> Vec<u8> {
    let mut out = RecordBuffer::new(8);
    out.bytes.extend(b"JAVA PROFILE 1.0.2\0");
    out.u4(8);
    out.u8(0);
    records(&mut out);
    out.bytes
}

/// A file of one segment.
fn segment(sub_records: impl FnOnce(&mut RecordBuffer)) -> Vec<u8> {
    let mut inside = RecordBuffer::new(8);
    sub_records(&mut inside);
    file(|out| {
        named_classes(out);
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    })
}

/// Names for the classes at 0x100, 0x108 and 0x110.
pub(super) fn named_classes(out: &mut RecordBuffer) {
    for (id, name) in [(0x100, "java/lang/Object"), (0x108, "java/lang/Class"), (0x110, "java/lang/String")] {
        named_class(out, id, id + 0x1000, name);
    }
}

/// Names the class at `id`; the string of the name gets the id `text_id`.
pub(super) fn named_class(out: &mut RecordBuffer, id: u64, text_id: u64, name: &str) {
    let mut text = RecordBuffer::new(8);
    text.id(text_id);
    text.bytes.extend(name.bytes());
    out.record(0x01, &text.bytes);
    let mut loaded = RecordBuffer::new(8);
    loaded.u4(1);
    loaded.id(id);
    loaded.u4(0);
    loaded.id(text_id);
    out.record(0x02, &loaded.bytes);
}

/// Makes something large while nothing is measured in another test.
fn without_measuring<T>(make: impl FnOnce() -> T) -> T {
    let _nothing_is_measured = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    make()
}

pub(super) fn class(out: &mut RecordBuffer, id: u64, superclass: u64, fields: &[u8]) {
    out.u1(0x20);
    out.id(id);
    out.u4(0);
    out.id(superclass);
    (0..5).for_each(|_| out.id(0));
    out.u4(0);
    out.u2(0);
    out.u2(0);
    out.u2(fields.len() as u16);
    for &kind in fields {
        out.id(1);
        out.u1(kind);
    }
}

pub(super) fn instance(out: &mut RecordBuffer, id: u64, class: u64, values: &[u8]) {
    instance_that_claims(out, id, class, values.len() as u32, values);
}

fn instance_that_claims(out: &mut RecordBuffer, id: u64, class: u64, length: u32, values: &[u8]) {
    out.u1(0x21);
    out.id(id);
    out.u4(0);
    out.id(class);
    out.u4(length);
    out.bytes.extend(values);
}

/// An array of references, or of `kind`.
fn array_that_claims(out: &mut RecordBuffer, id: u64, length: u32, class: Option<u64>, kind: u8, elements: &[u8]) {
    out.u1(if class.is_some() { 0x22 } else { 0x23 });
    out.id(id);
    out.u4(0);
    out.u4(length);
    match class {
        Some(class) => out.id(class),
        None => out.u1(kind),
    }
    out.bytes.extend(elements);
}

pub(super) fn root(out: &mut RecordBuffer, id: u64) {
    out.u1(0xff);
    out.id(id);
}

/// A name, and the file that earned it.
type Case = (&'static str, Vec<u8>);

fn not_dumps() -> Vec<Case> {
    let header = |id_bytes: u32| [&b"JAVA PROFILE 1.0.2\0"[..], &id_bytes.to_be_bytes(), &[0; 8]].concat();
    vec![
        ("an empty file", Vec::new()),
        ("a file of zeros", vec![0; 10_000]),
        ("a header alone", file(|_| ())),
        ("a header without end", b"JAVA PROFILE 1.0.2 and so on".repeat(100)),
        ("ids of no bytes", header(0)),
        ("a version to come", [&b"JAVA PROFILE 1.0.4\0"[..], &header(8)[19..]].concat()),
        ("ids of three bytes", header(3)),
        ("ids of many bytes", header(u32::MAX)),
        ("zeros after the header", file(|out| out.bytes.extend([0; 5000]))),
        ("only gzip magic", vec![0x1f, 0x8b]),
        ("gzip of nothing", vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]
}

fn wrong_lengths() -> Vec<Case> {
    let everywhere = |tag: u8| file(|out| out.record_with_length(tag, u32::MAX, &[0; 64]));
    vec![
        ("a string of 4 GiB", everywhere(0x01)),
        ("a loaded class of 4 GiB", everywhere(0x02)),
        ("a frame of 4 GiB", everywhere(0x04)),
        ("a trace of 4 GiB of frames", file(|out| out.record(0x05, &[0xff; 16]))),
        ("a dump of 4 GiB", everywhere(0x0c)),
        ("a segment of 4 GiB", everywhere(0x1c)),
        ("an unknown record of 4 GiB", everywhere(0x77)),
        (
            "records too short for their contents",
            file(|out| {
                for tag in [0x01, 0x02, 0x04, 0x05, 0x06] {
                    out.record(tag, &[1, 2]);
                }
                out.record(0x1c, &[0x21]);
            }),
        ),
        ("ten thousand dumps of length 0", file(|out| (0..10_000).for_each(|_| out.record(0x0c, &[])))),
        (
            "ten thousand dumps that claim 1",
            file(|out| {
                (0..10_000).for_each(|_| out.record_with_length(0x0c, 1, &[0xff, 0, 0, 0, 0, 0, 0, 0, 8]));
            }),
        ),
        ("fifty thousand segments of nothing", file(|out| (0..50_000).for_each(|_| out.record(0x1c, &[])))),
        ("an instance of 4 GiB", segment(|out| instance_that_claims(out, 8, 0x100, u32::MAX, &[0; 40]))),
        ("an array of 4 G references", segment(|out| array_that_claims(out, 8, u32::MAX, Some(0x100), 0, &[0; 40]))),
        ("an array of 4 G longs", segment(|out| array_that_claims(out, 8, u32::MAX, None, 11, &[0; 40]))),
        ("an array longer than the file", segment(|out| array_that_claims(out, 8, 1000, None, 8, &[0; 999]))),
        ("an array of no known type", segment(|out| array_that_claims(out, 8, 1, None, 3, &[0; 9]))),
        ("a primitive array of references", segment(|out| array_that_claims(out, 8, 1, None, OBJECT, &[0; 8]))),
        (
            "65,535 fields that are not there",
            segment(|out| {
                class(out, 0x100, 0, &[]);
                out.bytes.truncate(out.bytes.len() - 2);
                out.u2(u16::MAX);
                out.bytes.extend([0; 100]);
            }),
        ),
    ]
}

fn hostile_classes() -> Vec<Case> {
    vec![
        (
            "a ring of superclasses",
            segment(|out| {
                class(out, 0x100, 0x118, &[OBJECT]);
                class(out, 0x118, 0x120, &[INT, OBJECT]);
                class(out, 0x120, 0x100, &[OBJECT]);
                class(out, 0x128, 0x128, &[OBJECT]);
                for (at, of) in [0x100, 0x118, 0x120, 0x128].into_iter().enumerate() {
                    instance(out, 0x1000 + 64 * at as u64, of, &[0; 28]);
                }
            }),
        ),
        (
            "a long line of superclasses",
            segment(|out| {
                (0..20_000).for_each(|n| class(out, 0x1000 + 8 * n, 0x1008 + 8 * n, &[OBJECT]));
            }),
        ),
        (
            "a class of 65,535 references with many subclasses",
            segment(|out| {
                class(out, 0x1000, 0, &[OBJECT; u16::MAX as usize]);
                (1..2_000).for_each(|n| class(out, 0x1000 + 8 * n, 0x1000, &[]));
            }),
        ),
        (
            "a class that is also an instance and an array",
            segment(|out| {
                class(out, 0x100, 0, &[]);
                instance(out, 0x100, 0x100, &[]);
                array_that_claims(out, 0x100, 1, Some(0x100), 0, &0x100_u64.to_be_bytes());
                class(out, 0x100, 0x100, &[OBJECT]);
            }),
        ),
        (
            "instances of classes that are no classes",
            segment(|out| {
                instance(out, 0x1000, 0x1000, &[0; 8]);
                instance(out, 0x1008, 0x1000, &[0; 40]);
                instance(out, 0x1010, 0, &[0; 1]);
                instance(out, 0x1018, u64::MAX, &[0; 1]);
                array_that_claims(out, 0x1020, 1, Some(0), 0, &0x1000_u64.to_be_bytes());
                root(out, 0x1020);
            }),
        ),
        ("an unknown class with a large instance", segment(|out| instance(out, 8, 0x999, &vec![1; 3 << 20]))),
        (
            "an instance shorter than its class",
            segment(|out| {
                class(out, 0x118, 0, &[INT, OBJECT, OBJECT]);
                instance(out, 0x1000, 0x118, &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x10, 0, 7]);
            }),
        ),
        (
            "twice as many instances of classes unknown",
            segment(|out| {
                (1..30_000).for_each(|n| instance(out, 16 * n, 0x8000_0000 + 8 * n, &[0; 4]));
            }),
        ),
        (
            "a string that is its own text",
            segment(|out| {
                let mut named = RecordBuffer::new(8);
                class(&mut named, 0x110, 0, &[OBJECT]);
                out.bytes.extend(named.bytes);
                instance(out, 0x1000, 0x110, &0x1000_u64.to_be_bytes());
            }),
        ),
    ]
}

fn hostile_addresses() -> Vec<Case> {
    let mut random = Random::new(1);
    let mut scattered = |step: &mut dyn FnMut(&mut Random) -> u64, count: u32| {
        segment(|out| (0..count).for_each(|_| instance(out, step(&mut random), 0x100, &[])))
    };
    let mut next = 0;
    vec![
        ("ids all over 64 bits", scattered(&mut |random| random.number(), 20_000)),
        ("ids all over 47 bits", scattered(&mut |random| random.number() >> 17 & !7, 20_000)),
        ("odd ids", scattered(&mut |random| random.number() >> 17 | 1, 20_000)),
        (
            "ids 1 GiB apart",
            scattered(
                &mut |_| {
                    next += 1 << 30;
                    next
                },
                3_000,
            ),
        ),
        ("one id for all", scattered(&mut |_| 0x1000, 20_000)),
        ("two ids for all", scattered(&mut |random| 0x1000 + random.number() % 2 * 8, 20_000)),
        (
            "an object at 0",
            segment(|out| {
                class(out, 0x118, 0, &[OBJECT]);
                instance(out, 0, 0x118, &0x1000_u64.to_be_bytes());
                (0..9).for_each(|n| instance(out, 0x1000 + 16 * n, 0x118, &0_u64.to_be_bytes()));
                root(out, 0);
            }),
        ),
        (
            "classes at both ends of memory",
            segment(|out| {
                class(out, u64::MAX, 0, &[]);
                class(out, 0, 0, &[]);
                instance(out, 8, u64::MAX, &[]);
                instance(out, u64::MAX - 7, 0, &[]);
            }),
        ),
        (
            "a hundred thousand roots of one object",
            segment(|out| {
                instance(out, 0x1000, 0x100, &[]);
                (0..100_000).for_each(|_| root(out, 0x1000));
            }),
        ),
        (
            "roots of nothing",
            segment(|out| {
                instance(out, 0x1000, 0x100, &[]);
                (0..10_000).for_each(|n| root(out, n * 8));
            }),
        ),
    ]
}

#[test]
fn hostile_files() {
    for (name, bytes) in not_dumps() {
        let error = check(name, &bytes).err().unwrap_or_else(|| panic!("{name} is no heap")).to_string();
        assert!(error.contains("expected"), "{name}: {error}");
    }
    for (name, bytes) in [wrong_lengths(), hostile_classes(), hostile_addresses()].concat() {
        match check(name, &bytes) {
            Ok(dump) => assert!(!dump.facts.heap.notes.is_empty(), "{name}: nothing is said about it"),
            Err(error) => assert!(error.to_string().contains("expected"), "{name}: {error}"),
        }
    }
}

#[test]
fn an_array_of_a_missing_class_keeps_its_references() {
    let bytes = segment(|out| {
        instance(out, 0x1000, 0x100, &[]);
        array_that_claims(out, 0x1020, 1, Some(0), 0, &0x1000_u64.to_be_bytes());
        root(out, 0x1020);
    });
    let dump = check("an array of class 0", &bytes).expect("it is readable");
    let heap = &dump.facts.heap;
    let [array, element] = [0x1020, 0x1000].map(|id| heap.at(Address(id)).expect("it is in the heap"));
    assert_eq!(&*heap.class(array).name, "unknown class 0x0");
    assert_eq!(heap.references(array), [element.raw()]);
    assert_eq!(dump.analysis.immediate_dominator(element), Some(array));
}

/// An unknown tag loses the rest of its segment only, and the note gives the number of lost bytes.
#[test]
fn an_unknown_object_record_costs_one_segment() {
    let mut first = RecordBuffer::new(8);
    class(&mut first, 0x100, 0, &[]);
    instance(&mut first, 0x1000, 0x100, &[]);
    first.bytes.extend([0xfa; 50]);
    let mut second = RecordBuffer::new(8);
    instance(&mut second, 0x2000, 0x100, &[]);
    let bytes = file(|out| {
        named_classes(out);
        out.record(0x1c, &first.bytes);
        out.record(0x1c, &second.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("an unknown object record", &bytes).expect("most of it is readable");
    let heap = &dump.facts.heap;
    assert!([0x1000, 0x2000].into_iter().all(|id| heap.at(Address(id)).is_some()), "both objects are there");
    let text = heap.notes.iter().find(|note| note.message.contains("0xfa")).expect("it is noted");
    assert_eq!(text.severity, Severity::DataLost);
    assert!(text.message.contains("50 bytes"), "{}", text.message);
}

/// Places of one kind make one note: millions of them would be worse than none.
#[test]
fn garbage_gives_a_bounded_number_of_notes() {
    let complete = segment(|out| {
        instance(out, 0x1000, 0x100, &[]);
        root(out, 0x1000);
    });
    let unknown_object = |n: u64| {
        let mut inside = RecordBuffer::new(8);
        instance(&mut inside, 0x10_0000 + 16 * n, 0x100, &[]);
        inside.bytes.extend([0xfa; 10]);
        inside.bytes
    };
    let cases = [
        // Behind the end record, no data can be missing.
        ("a dump, then zeros", [&complete[..], &vec![0; 3_000_000]].concat(), (Severity::Info, 1), "3,000,000 bytes"),
        (
            "a dump, then records of all tags",
            [
                complete.clone(),
                file(|out| (0..90_000).for_each(|n| out.record(n as u8 | 0x40, &[7; 5])))[31..].to_vec(),
            ]
            .concat(),
            (Severity::Info, 1),
            "1,260,000 bytes",
        ),
        (
            "thousands of segments that break off",
            file(|out| {
                (0..5_000).for_each(|n| out.record(0x1c, &unknown_object(n)));
                out.record(0x2c, &[]);
            }),
            (Severity::DataLost, 5_000),
            "50,000 bytes",
        ),
    ];
    for (name, bytes, (severity, at_least), text) in cases {
        let dump = check(name, &bytes).expect("the objects are there");
        let notes = &dump.facts.heap.notes;
        assert!(notes.len() < 300, "{name}: {} notes", notes.len());
        let most = notes.iter().filter(|note| note.message.contains("skipped")).max_by_key(|note| note.count);
        let most = most.expect("something is skipped");
        assert_eq!(most.severity, severity, "{name}: {most:?}");
        assert!(most.count >= at_least && most.message.contains(text), "{name}: {most:?}");
    }
}

/// A class may claim a million references for instances that have no values at all.
#[test]
fn instances_without_values_take_no_time() {
    let references = vec![OBJECT; usize::from(u16::MAX)];
    let sub_records = |out: &mut RecordBuffer| {
        (0..16).for_each(|n| class(out, 0x1000 + 8 * n, 0x1008 + 8 * n, &references));
        (0..200_000).for_each(|n| instance(out, 0x10_0000 + 16 * n, 0x1000, &[]));
        root(out, 0x10_0000);
    };
    let bytes = without_measuring(|| segment(sub_records));
    let began = Instant::now();
    let dump = check("a million references for each of 200,000 instances", &bytes).expect("it is readable");
    assert!(dump.facts.heap.len() > 200_000);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Reading two references must not cost memory for two million.
#[test]
fn two_of_two_million_references_take_no_memory() {
    let sub_records = |out: &mut RecordBuffer| {
        instance(out, 0x1000, 0x100, &[]);
        array_that_claims(out, 0x2000, 2 << 20, Some(0x100), 0, &0x1000_u64.to_be_bytes().repeat(2 << 20));
        root(out, 0x2000);
    };
    let bytes = without_measuring(|| segment(sub_records));
    let dump = check("an array of one object", &bytes).expect("it is readable");
    let heap = &dump.facts.heap;
    let it = heap.at(Address(0x1000)).expect("it is in the heap");
    let _one_at_a_time = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let ask = |limit| references(dump.data(), it, Direction::Incoming, limit, &Task::new()).expect("not cancelled");
    let names: Vec<_> = ask(2).rows.into_iter().map(|row| row.name.text).collect();
    let wish = PathOptions::default().max_listed_at_end(9);
    let shortest = paths(dump.data(), it, wish, &Task::new()).expect("not cancelled");
    let took = PEAK.load(Ordering::Relaxed).saturating_sub(before);
    assert_eq!((names, shortest.len()), (vec!["[0]".to_owned(), "[1]".to_owned()], 1));
    assert!(took < 16 << 20, "{} MiB", took >> 20);
    assert_eq!(ask(1000).rows.len(), 1000);
}

/// Zeros compress a thousandfold: memory for the inferred layout of their class must not grow with them.
#[test]
fn large_instances_of_unknown_classes_take_no_memory() {
    let sub_records = |out: &mut RecordBuffer| {
        class(out, 0x100, 0, &[]);
        instance(out, 0x1008, 0x100, &[]);
        let values = vec![0; 40 << 20];
        (0..3).for_each(|n| instance(out, 0x1000 + 0x800_0000 * n, 0x9_0000 + 8 * n, &values[n as usize..]));
        root(out, 0x1000);
    };
    let packed = without_measuring(|| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&segment(sub_records)).expect("memory");
        packer.finish().expect("memory")
    });
    let dump = check("120 MiB of unknown fields", &packed).expect("it is readable");
    let heap = &dump.facts.heap;
    for n in 0..3 {
        let it = heap.at(Address(0x1000 + 0x800_0000 * n)).expect("it is in the heap");
        // Size as in Eclipse MAT: a header of 16 bytes, the values as numbers of 4.
        assert_eq!(heap.shallow(it).0, 16 + (40 << 20));
        assert_eq!(dump.facts.contents.fields(heap, it), Ok(Vec::new()));
    }
}

/// A version string of no known VM is not mistaken for a known one.
#[test]
fn an_unknown_version_is_refused_by_name() {
    let mut bytes = segment(|out| instance(out, 0x1000, 0x100, &[]));
    check("a dump of HotSpot", &bytes).expect("it is readable");
    bytes[17] = b'3';
    check("a dump of Android", &bytes).expect("it is readable");
    bytes[17] = b'4';
    let error = check("a dump of nobody", &bytes).err().expect("unknown version").to_string();
    assert!(error.contains("1.0.4") && error.contains("HotSpot or Android"), "{error}");
}

/// A class was unloaded, and another one loaded to its place.
#[test]
fn the_last_name_of_a_class_counts() {
    let mut inside = RecordBuffer::new(8);
    class(&mut inside, 0x118, 0x100, &[]);
    instance(&mut inside, 0x1000, 0x118, &[]);
    root(&mut inside, 0x1000);
    let bytes = file(|out| {
        named_classes(out);
        named_class(out, 0x118, 0x51, "shop/Earlier");
        named_class(out, 0x118, 0x52, "shop/Later");
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("a class loaded twice", &bytes).expect("it is readable");
    let heap = &dump.facts.heap;
    assert_eq!(&*heap.class(heap.at(Address(0x1000)).expect("it is in the heap")).name, "shop.Later");
}

#[test]
fn an_unknown_type_is_not_the_end_of_the_file() {
    let array: fn(&mut RecordBuffer) = |out| array_that_claims(out, 0x2000, 1, None, 3, &[0; 9]);
    let field: fn(&mut RecordBuffer) = |out| class(out, 0x118, 0x100, &[INT, 1, INT]);
    let after_an_object = |bad: fn(&mut RecordBuffer)| {
        segment(|out| {
            instance(out, 0x1000, 0x100, &[]);
            bad(out);
        })
    };
    for (name, bytes, missing) in [
        ("an array of type 3", after_an_object(array), "27 bytes"),
        ("a field of type 1", after_an_object(field), "98 bytes"),
    ] {
        let dump = check(name, &bytes).expect("the object before it is readable");
        let text: Vec<&str> = dump.facts.heap.notes.iter().map(|note| &*note.message).collect();
        assert!(text.iter().any(|note| note.contains("unknown type") && note.contains(missing)), "{name}: {text:?}");
        assert!(!text.iter().any(|note| note.contains("sub-record extends")), "{name}: {text:?}");
    }
}

/// The dump is valid, and there are other folders to unpack it to.
#[test]
fn an_unusable_scratch_folder_is_no_error() {
    let no_folder = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut options = OpenOptions::default();
    options.storage.scratch = Some(no_folder.path().join("below"));
    let packed = &fixtures::path("leak-before.hprof.gz");
    let dump = open_and_wait(packed, &options, &Task::new()).expect("it is unpacked elsewhere");
    assert!(dump.facts.heap.len() > 1000);
}
