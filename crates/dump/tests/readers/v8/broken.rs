//! Snapshots that are truncated or damaged: a heap of the readable part, with notes, or a clear error; never a panic.

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::Severity;
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::write::write;

fn open(bytes: &[u8]) -> Result<Dump, String> {
    let file = crate::temporary_file(bytes);
    open_with(file.path(), &OpenOptions::default(), &Task::new()).map_err(|error| error.to_string())
}

/// Runs every query on each object: all of them end, whatever the file contains.
fn ask(dump: &Dump) {
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let mut retained = 0_u64;
    for object in heap.objects() {
        let _whatever = contents.fields(heap, object).map(|fields| fields.len());
        let _whatever = (contents.label(heap, object), contents.text(heap, object, 100));
        let _whatever = contents.array_length(heap, object);
        let _whatever = contents.fingerprint(heap, object);
        retained = retained.max(dump.analysis.retained(object).0);
        for &to in heap.references(object).iter().take(3) {
            let to = heaplens_heap::ObjectId::from_raw(to).expect("a row");
            let _whatever = contents.reference_names(heap, object, to, 2);
        }
    }
    assert!(retained <= heap.objects().map(|object| u128::from(heap.shallow(object).0)).sum::<u128>() as u64);
}

#[test]
fn every_truncation_opens_partly_or_reports_why() {
    for (seed, form) in [(7, Form::node20()), (8, Form::chromium())] {
        let text = write(&random(seed, 12), &form);
        let (mut opened, mut refused) = (0, 0);
        for end in 0..text.len() {
            match open(&text.as_bytes()[..end]) {
                Ok(dump) => {
                    let warnings = dump.facts.heap.notes.iter().any(|note| note.severity == Severity::DataLost);
                    // Text after the last bracket may be missing without loss.
                    assert!(warnings || text[end..].trim().len() <= 1, "cut at {end} of {}: no warning", text.len());
                    ask(&dump);
                    opened += 1;
                }
                Err(why) => {
                    assert!(why.contains("expected"), "cut at {end}: {why}");
                    refused += 1;
                }
            }
        }
        assert!(opened > 100 && refused > 100, "{opened} opened, {refused} refused");
    }
}

/// The table of strings has one entry for all nodes of a name: of a long one each takes the beginning.
#[test]
fn a_long_shared_name_is_cut() {
    const PROPERTIES: usize = 200;
    let long = "n".repeat(1 << 16);
    let mut made = Made::default();
    let root = made.add("synthetic", "", 1, 0);
    let holder = made.add("object", "Object", 3, 16);
    made.name(root, "shortcut", "0: global", holder);
    for at in 0..PROPERTIES as u64 {
        let held = made.add("object", "Object", 5 + 4 * at, 16);
        made.name(holder, "property", long.as_str(), held);
        let text = made.add("string", long.as_str(), 7 + 4 * at, 16);
        made.name(held, "property", long.as_str(), text);
    }
    let dump = open(write(&made, &Form::node20()).as_bytes()).expect("a snapshot");
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let holder = heap.find("@3").expect("it exists");
    let fields = contents.fields(heap, holder).expect("fields");
    assert_eq!(fields.len(), PROPERTIES);
    assert!(fields.iter().all(|field| field.name.starts_with("nn") && field.name.len() < 5_000));
    assert!(heap.classes.iter().all(|(_, class)| class.name.len() < 5_000));
    let text = heap.find("@7").expect("it exists");
    assert_eq!(contents.text(heap, text, usize::MAX), Some(long));
    ask(&dump);
}

#[test]
fn any_wrong_byte_gives_a_heap_or_an_error() {
    let text = write(&random(11, 30), &Form::node20());
    let mut random = Random::new(5);
    for _ in 0..3000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] = random.below(256) as u8;
        }
        if let Ok(dump) = open(&bytes) {
            ask(&dump);
        }
    }
}

/// Without edges of the root node, nothing is known of the GC roots: nodes without incoming edges take their place.
#[test]
fn a_snapshot_whose_root_holds_nothing_says_so() {
    let mut made = Made::default();
    made.add("synthetic", "", 1, 0);
    let holder = made.add("object", "Holder", 3, 16);
    let held = made.add("object", "Held", 5, 16);
    made.name(holder, "property", "held", held);
    let cycle = [made.add("object", "One", 7, 16), made.add("object", "Two", 9, 16)];
    made.name(cycle[0], "property", "other", cycle[1]);
    made.name(cycle[1], "property", "other", cycle[0]);
    let dump = open(write(&made, &Form::node20()).as_bytes()).expect("a snapshot");
    let heap = &dump.facts.heap;
    assert!(heap.is_incomplete(), "{:?}", heap.notes);
    assert!(heap.notes.iter().any(|note| note.message.contains("root node of the snapshot has no edges")));
    assert!(heap.objects().all(|object| dump.analysis.is_reachable(object)));
}
