//! Outgoing references of arrays with long records of IBM heap dumps: the time is that of what is there, whatever a length
//! claims.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use heaplens_analysis::references::{Direction, References, references};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, Value};
use heaplens_testkit::phd::{ClassRecord, Form, Writer};

fn outgoing(dump: &Dump, address: u64, limit: usize) -> References {
    let object = dump.facts.heap.at(Address(address)).expect("an object");
    references(dump.data(), object, Direction::Outgoing, limit, &Task::new()).expect("not cancelled")
}

fn open_file(bytes: &[u8]) -> (tempfile::NamedTempFile, Dump) {
    let file = crate::temporary_file(bytes);
    let dump = open_with(file.path(), &OpenOptions::default(), &Task::new()).expect("a heap");
    (file, dump)
}

/// Its record has no index: it is read once, not once for every page of its elements.
#[test]
fn array_indices_in_text_dumps_are_found_in_one_pass() {
    let objects = 40_u64;
    let id = |nth: u64| 0x1000 + 16 * nth;
    let mut text = "// Version: x\n".to_owned();
    (0..objects).for_each(|nth| {
        let _written = writeln!(text, "{:#x} [16] OBJ A", id(nth));
    });
    text.push_str("0x100000 [2800016] OBJ [LA;\n");
    for row in 0..35_000_u64 {
        let list: Vec<String> = (0..10).map(|index| format!(" {:#x}", id((row * 10 + index) % objects))).collect();
        let _written = writeln!(text, "\t{}", list.concat().trim_start());
    }
    let (_file, dump) = open_file(text.as_bytes());
    let array = dump.facts.heap.at(Address(0x10_0000)).expect("it exists");
    let (values, has_places) = dump.facts.contents.whole_array(&dump.facts.heap, array).expect("an array");
    assert_eq!((values.len(), has_places), (350_000, true));
    let actual = outgoing(&dump, 0x10_0000, 5_000);
    assert_eq!(actual.objects, objects);
    let names: Vec<&str> = actual.rows.iter().take(3).map(|row| row.name.text.as_str()).collect();
    assert_eq!(names, ["[0]", "[40]", "[80]"]);
}

/// The file does not contain the elements that an array's length claims.
#[test]
fn a_large_length_costs_no_time() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::MODERN).expect("a header");
    let there: Vec<u64> = (0..20).map(|nth| 0x8000 + 16 * nth).collect();
    there.iter().for_each(|&id| writer.instance(id, 0x1000, &[]).expect("an instance"));
    writer.objects(0x9000, 0x1000, &there, u32::MAX, 64).expect("an array");
    for (id, name) in [(0x1000, "A"), (0x1100, "[LA;")] {
        let record = ClassRecord { id, instance_bytes: 16, superclass: 0, name, references: &[] };
        writer.class(&record).expect("a class");
    }
    writer.end().expect("an end");
    let (_file, dump) = open_file(&bytes);
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let array = heap.at(Address(0x9000)).expect("it exists");
    assert_eq!(contents.array_length(heap, array), Some(u32::MAX.into()));
    let begun = Instant::now();
    let actual = outgoing(&dump, 0x9000, 5_000);
    // It took a minute and a half.
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(actual.rows.iter().filter(|row| row.name.text == "[?]").count(), 20);
    let all = contents.elements(heap, array, 0..u64::MAX).expect("a record");
    assert!(all.len() < 10_000 && all[20..].iter().all(|&value| value == Value::Unavailable));
    assert_eq!(all[..20].iter().filter(|value| value.object().is_some()).count(), 20);
    let far = contents.elements(heap, array, 3_000_000_000..u64::MAX).expect("a record");
    assert!(!far.is_empty() && far.len() < 10_000);
}
