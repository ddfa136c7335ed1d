//! Files whose structure or numbers would make run time quadratic, or proportional to a number in them.

use std::fmt::Write as _;

use heaplens_dump::OpenOptions;
use heaplens_heap::Address;
use heaplens_heap::sizes::MOST_BYTES;
use heaplens_testkit::phd::{Form, Writer};
use heaplens_testkit::sketch::Type;

use super::open_bytes;

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
    let messages = heap.notes.iter().find(|note| note.message.contains("implausible size")).expect("it is noted");
    assert_eq!(messages.count, 20);
    let shown: u64 = heap.objects().map(|object| dump.analysis.retained(object).0).sum();
    assert_eq!(shown, 20 * MOST_BYTES);
}
