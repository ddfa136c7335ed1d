//! Several heap dumps in a file, and where each ends.

use heaplens_heap::Severity;
use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, Order, RecordBuffer, Segmentation, write, write_all};

use super::{Expected, check, open, options};

#[test]
fn the_last_dump_of_a_file_is_shown_and_the_others_are_noted() {
    for (version, cut) in [("1.0.1", Segmentation::Whole), ("1.0.2", Segmentation::Segments(200))] {
        let form = Form { version, id_bytes: 4, cut, order: Order::RootsFirst };
        let last = heaps::random(33, 40);
        // The same program earlier on: the same classes, half of the objects.
        let mut earlier = last.clone();
        earlier.objects.truncate(last.objects.len() / 2);
        let options = options(0);
        let dump = open(write_all(&[&earlier, &earlier, &last], form), &options);
        check(&Expected::new(&last, form, options), &dump);
        let notes: Vec<&str> = dump.facts.heap.notes.iter().map(|note| &*note.message).collect();
        assert!(notes.iter().any(|note| note.contains("contains 3 heap dumps")), "{notes:?}");
    }
}

/// A dump of no records, or of none that can be read, shows nothing.
#[test]
fn an_empty_last_dump_does_not_hide_the_previous_one() {
    let sketch = heaps::random(34, 40);
    let options = options(0);
    for (version, cut) in [("1.0.1", Segmentation::Whole), ("1.0.2", Segmentation::Segments(200))] {
        let form = Form { version, id_bytes: 8, cut, order: Order::RootsLast };
        let records: [&[(u8, &[u8])]; 4] = [
            &[(0x1c, &[]), (0x2c, &[])],
            &[(0x1c, &[]), (0x1c, &[]), (0x2c, &[]), (0x0c, &[]), (0x2c, &[])],
            &[(0x0c, &[])],
            &[(0x1c, &[0x99, 1, 2]), (0x2c, &[])],
        ];
        for after in records {
            let mut out = RecordBuffer::new(8);
            out.bytes = write(&sketch, form);
            after.iter().for_each(|(tag, body)| out.record(*tag, body));
            let dump = open(&out.bytes, &options);
            check(&Expected::new(&sketch, form, options.clone()), &dump);
            let text: Vec<&str> = dump.facts.heap.notes.iter().map(|note| &*note.message).collect();
            assert!(
                !text.iter().any(|note| note.contains("GC roots in the file") || note.contains("heap dumps:")),
                "{text:?}"
            );
            let warnings = text.iter().any(|note| note.contains("the last heap dump") && note.contains("3 bytes"));
            assert_eq!(warnings, after.iter().any(|(_, body)| !body.is_empty()), "{text:?}");
        }
    }
}

/// Records and roots have tags in common: a string after the dump is no root of native code.
#[test]
fn a_dump_without_length_ends_at_the_next_header() {
    let sketch = heaps::random(35, 40);
    let options = options(0);
    let (string, summary) = ([0, 0, 0, 0, 0, 0, 0, 0x77, b'h', b'i'], [0; 24]);
    let records: [&[(u8, &[u8])]; 4] = [
        &[(0x01, &string)],
        &[(0x01, &string), (0x01, &string), (0x07, &summary)],
        &[(0x07, &summary), (0x01, &string), (0x2c, &[])],
        &[(0x01, &string), (0x0c, &[])],
    ];
    for (id_bytes, order) in
        [(4, Order::RootsLast), (8, Order::RootsLast), (4, Order::RootsFirst), (8, Order::RootsFirst)]
    {
        let form = Form { version: "1.0.1", id_bytes, cut: Segmentation::Endless, order };
        for after in records {
            let mut out = RecordBuffer::new(id_bytes);
            out.bytes = write(&sketch, form);
            after.iter().for_each(|(tag, body)| out.record(*tag, body));
            let dump = open(&out.bytes, &options);
            check(&Expected::new(&sketch, form, options.clone()), &dump);
            let notes = &dump.facts.heap.notes;
            assert!(notes.iter().all(|note| note.severity == Severity::Info), "{form:?}: {notes:?}");
        }
    }
}
