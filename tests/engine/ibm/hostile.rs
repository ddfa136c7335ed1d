//! Files whose structure or numbers would make run time quadratic, or proportional to a number in them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use heaplens_analysis::references::{Direction, References, references};
use heaplens_base::Task;
use heaplens_heap::sizes::MOST_BYTES;
use heaplens_heap::{Address, Value};
use heaplens_session::{LoadedDump, OpenOptions};
use heaplens_testkit::phd::{ClassRecord, Form, Writer};
use heaplens_testkit::sketch::Type;

use super::{open_bytes, try_open};

fn outgoing(dump: &LoadedDump, address: u64, limit: usize) -> References {
    let object = dump.facts.heap.at(Address(address)).expect("an object");
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    references(heap, contents, &dump.analysis, object, Direction::Outgoing, limit, &Task::new()).expect("not cancelled")
}

fn open_file(bytes: &[u8]) -> (tempfile::NamedTempFile, LoadedDump) {
    let file = crate::temporary_file(bytes);
    let dump = try_open(file.path(), &OpenOptions::default()).expect("a heap");
    (file, dump)
}

/// One record that is longer than several pieces, between others; and one line that is.
#[test]
fn a_record_may_be_longer_than_a_block() {
    for break_lines in [true, false] {
        let mut text = "// Version: x\n0x10 [16] A\n0x20 [16] B".to_owned();
        let many = 900_000_u64;
        for nth in 0..many {
            text.push_str(if break_lines && nth % 8 == 0 { "\n\t0x0000000000000010" } else { " 0x0000000000000010" });
        }
        let _written = writeln!(text, "\n0x30 [16] C 0x20");
        let dump = open_bytes(text.as_bytes(), &OpenOptions::default());
        let heap = &dump.facts.heap;
        assert_eq!(heap.len(), 3);
        let long = heap.at(Address(0x20)).expect("it exists");
        assert_eq!(heap.own_references(long).len() as u64, many);
    }
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
        let list: Vec<String> = (0..10).map(|place| format!(" {:#x}", id((row * 10 + place) % objects))).collect();
        let _written = writeln!(text, "\t{}", list.concat().trim_start());
    }
    let (_file, dump) = open_file(text.as_bytes());
    let array = dump.facts.heap.at(Address(0x10_0000)).expect("it exists");
    let (values, has_places) = dump.facts.contents.whole_array(&dump.facts.heap, array).expect("an array");
    assert_eq!((values.len(), has_places), (350_000, true));
    let found = outgoing(&dump, 0x10_0000, 5_000);
    assert_eq!(found.objects, objects);
    let names: Vec<&str> = found.rows.iter().take(3).map(|row| row.name.text.as_str()).collect();
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
    let found = outgoing(&dump, 0x9000, 5_000);
    // It took a minute and a half.
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(found.rows.iter().filter(|row| row.name.text == "[?]").count(), 20);
    let all = contents.elements(heap, array, 0..u64::MAX).expect("a record");
    assert!(all.len() < 10_000 && all[20..].iter().all(|&value| value == Value::Unavailable));
    assert_eq!(all[..20].iter().filter(|value| value.object().is_some()).count(), 20);
    let far = contents.elements(heap, array, 3_000_000_000..u64::MAX).expect("a record");
    assert!(!far.is_empty() && far.len() < 10_000);
}

/// A length takes eight bytes in the file and may claim any number of elements; found by fuzzing: sums overflowed.
#[test]
fn impossible_array_lengths_are_cut_and_noted() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form { version: 5, ..Form::MODERN }).expect("memory");
    for nth in 0..20 {
        writer.primitives(0x1000 + 64 * nth, Type::Double, 1 << (45 + nth % 18), 0).expect("memory");
    }
    writer.end().expect("memory");
    let dump = open_bytes(&bytes, &OpenOptions::default());
    let heap = &dump.facts.heap;
    assert_eq!(heap.len(), 20);
    assert!(heap.objects().all(|object| heap.shallow(object).0 == MOST_BYTES));
    let said = heap.notes.iter().find(|note| note.message.contains("implausible size")).expect("it is noted");
    assert_eq!(said.count, 20);
    let shown: u64 = heap.objects().map(|object| dump.analysis.retained(object).0).sum();
    assert_eq!(shown, 20 * MOST_BYTES);
}
