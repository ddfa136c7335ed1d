//! Files in which many share one thing, or say that there is more of one than the file has.

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{Address, Value};
use heaplens_session::OpenOptions;
use heaplens_session::overview::WasteTotalsQuestion;
use heaplens_session::strip::{StripOptions, strip};
use heaplens_testkit::hprof::RecordBuffer;

use super::by_hand::{INT, OBJECT, class, file, instance, named_class, named_classes, root};
use super::{check, measured};

/// `PRIMITIVE_ARRAY_NODATA` of Android: a primitive array whose elements a cropper removed.
fn array_without_elements(inside: &mut RecordBuffer, id: u64, length: u32, kind: u8) {
    inside.u1(0xc3);
    inside.id(id);
    inside.u4(0);
    inside.u4(length);
    inside.u1(kind);
}

/// If only the length of an array is in the file, it may be any number: collections on it have no entries to iterate.
#[test]
fn collections_over_arrays_without_elements_take_no_time() {
    let mut inside = RecordBuffer::new(8);
    for (at, id) in [0x200_u64, 0x208, 0x210].into_iter().enumerate() {
        class(&mut inside, id, 0x100, &[OBJECT]);
        for n in 0..2_000 {
            instance(&mut inside, 0x1_0000 + 0x1_0000 * at as u64 + 16 * n, id, &0x9_0000_u64.to_be_bytes());
            root(&mut inside, 0x1_0000 + 0x1_0000 * at as u64 + 16 * n);
        }
    }
    array_without_elements(&mut inside, 0x9_0000, u32::MAX, INT);
    let bytes = file(|out| {
        named_classes(out);
        named_class(out, 0x200, 0x1200, "java/util/IdentityHashMap");
        named_class(out, 0x208, 0x1208, "java/util/HashMap");
        named_class(out, 0x210, 0x1210, "java/util/ImmutableCollections$SetN");
        // The one name that fields have here.
        let mut text = RecordBuffer::new(8);
        text.id(1);
        text.bytes.extend(b"table");
        out.record(0x01, &text.bytes);
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("collections of four milliards", &bytes).expect("it is readable");
    let facts = &dump.facts;
    let wasted = dump.answer(&WasteTotalsQuestion, &Task::new());
    assert!(wasted.is_ok() && facts.heap.len() > 6_000);
    let map = facts.heap.at(Address(0x2_0000)).expect("it is in the heap");
    let logical = facts.contents.logical(&facts.heap, map, 0..20).expect("a map");
    assert_eq!(logical.entries.len(), 0);
}

/// Arrays removed by a cropper are blanked, but not by any length that a few bytes claim.
#[test]
fn arrays_without_elements_keep_stripped_dumps_short() {
    const CHAR: u8 = 5;
    const ENOUGH: u32 = 3_000_001;
    let mut inside = RecordBuffer::new(8);
    for (id, length, kind) in
        [(0x1000_u64, 10, INT), (0x2000, ENOUGH, CHAR), (0x3000, u32::MAX, INT), (0x4000, 3, CHAR)]
    {
        array_without_elements(&mut inside, id, length, kind);
        root(&mut inside, id);
    }
    let bytes = file(|out| {
        named_classes(out);
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.hprof"), folder.path().join("to.hprof"));
    std::fs::write(&from, &bytes).expect("disk space");
    let (text, peak) =
        measured(|| strip(&from, &to, &StripOptions::default(), &OpenOptions::default().read, &Task::new()));
    let text = text.expect("a dump");
    assert!(peak < 4 << 20, "stripping took {peak} bytes");
    assert_eq!((text.objects, text.blanked, text.unfilled, text.broken), (4, 3, 1, None));
    let written = std::fs::read(&to).expect("it was written");
    let marker = 9 + 8 + format!("heaplens strip, version {}", env!("CARGO_PKG_VERSION")).len() as u64;
    assert_eq!(written.len() as u64, bytes.len() as u64 + 2 * u64::from(ENOUGH + 3) + 40 + 2 * 9 + marker);
    let [before, after] = [&bytes, &written].map(|bytes| check("arrays without elements", bytes).expect("a dump"));
    let arrays = |dump: &Dump| {
        let heap = &dump.facts.heap;
        heap.objects().map(|object| (heap.address(object), heap.shallow(object))).collect::<Vec<_>>()
    };
    assert_eq!(arrays(&before), arrays(&after));
    let heap = &after.facts.heap;
    let characters = |id, range| {
        let array = heap.at(Address(id)).expect("it is in the heap");
        after.facts.contents.elements(heap, array, range).expect("elements")
    };
    let blank = Value::Char(u16::from(b'?'));
    assert_eq!(characters(0x2000, u64::from(ENOUGH) - 2..u64::from(ENOUGH)), [blank; 2]);
    assert_eq!(characters(0x4000, 0..3), [blank; 3]);
}

/// Any number of classes may share one name.
#[test]
fn a_name_that_is_shared_takes_no_memory() {
    const CLASSES: u64 = 10_000;
    let mut inside = RecordBuffer::new(8);
    (0..CLASSES).for_each(|n| class(&mut inside, 0x10_0000 + 8 * n, 0x100, &[]));
    root(&mut inside, 0x10_0000);
    let bytes = file(|out| {
        named_classes(out);
        let mut text = RecordBuffer::new(8);
        text.id(0x77);
        // A cut must respect character boundaries: letters of two bytes.
        text.bytes.extend("x".bytes().chain("ä".bytes().cycle().take(1 << 20)));
        out.record(0x01, &text.bytes);
        for n in 0..CLASSES {
            let mut loaded = RecordBuffer::new(8);
            loaded.u4(1);
            loaded.id(0x10_0000 + 8 * n);
            loaded.u4(0);
            loaded.id(0x77);
            out.record(0x02, &loaded.bytes);
        }
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("ten thousand classes of one name", &bytes).expect("it is readable");
    let heap = &dump.facts.heap;
    let class = heap.at(Address(0x10_0000)).and_then(|class| heap.classes.of_object(class)).expect("a class");
    let name = &heap.classes.get(class).name;
    assert!(name.starts_with("xä") && name.ends_with("ä…") && name.len() < 2_000, "{} bytes", name.len());
}

/// A zip may list one entry repeatedly, and the packed data may be empty at any declared length.
#[test]
fn a_zip_of_nothing_takes_no_time() {
    const ENTRIES: u32 = 40_000;
    let number = |out: &mut Vec<u8>, width: usize, n: u32| out.extend(&n.to_le_bytes()[..width]);
    // Stored blocks of no bytes, none of them the last.
    let nothing = [0, 0, 0, 0xff, 0xff].repeat(200_000);
    let mut zip = Vec::new();
    zip.extend(b"PK\x03\x04\x14\0\0\0\x08\0");
    zip.extend([0; 16]);
    number(&mut zip, 2, 1);
    number(&mut zip, 2, 0);
    zip.push(b'a');
    zip.extend(&nothing);
    let directory = zip.len() as u32;
    for _ in 0..ENTRIES {
        zip.extend(b"PK\x01\x02\x14\0\x14\0\0\0\x08\0");
        zip.extend([0; 8]);
        number(&mut zip, 4, nothing.len() as u32);
        number(&mut zip, 4, 1 << 20);
        number(&mut zip, 2, 1);
        zip.extend([0; 12]);
        number(&mut zip, 4, 0);
        zip.push(b'a');
    }
    zip.extend(b"PK\x05\x06\0\0\0\0");
    number(&mut zip, 2, ENTRIES);
    number(&mut zip, 2, ENTRIES);
    number(&mut zip, 4, 47 * ENTRIES);
    number(&mut zip, 4, directory);
    number(&mut zip, 2, 0);
    assert!(check("a zip of nothing", &zip).is_err());
}
