//! Snapshots without values: the same heap, none of its texts, and never a part of a file.

use std::path::Path;

use heaplens_base::Task;
use heaplens_session::dump::open_and_wait;
use heaplens_session::strip::{StripOptions, ValueKind, check_values, strip};
use heaplens_session::{LoadedDump, OpenOptions};
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::write::write;

fn open(path: &Path) -> LoadedDump {
    open_and_wait(path, &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn strip_file(from: &Path, to: &Path) -> Result<(), String> {
    let _statistics = strip(from, to, &StripOptions::default(), &OpenOptions::default().read, &Task::new())?;
    Ok(())
}

/// Kinds of values that remain in a file.
fn kinds(path: &Path) -> Vec<ValueKind> {
    let found = check_values(path, &OpenOptions::default().read, &Task::new()).expect("it is readable");
    found.kinds.iter().filter(|kind| kind.with_values > 0).map(|kind| kind.kind).collect()
}

#[test]
fn a_stripped_snapshot_is_the_same_heap() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.heapsnapshot"), folder.path().join("to.heapsnapshot"));
    let again = folder.path().join("again.heapsnapshot");
    for (seed, form) in
        (0..12).flat_map(|seed| [Form::node20(), Form::chromium(), Form::old()].map(|form| (seed, form)))
    {
        std::fs::write(&from, write(&random(seed, 60), &form)).expect("disk space");
        strip_file(&from, &to).expect("a snapshot");
        let (whole, stripped) = (open(&from), open(&to));
        let (heap, other) = (&whole.facts.heap, &stripped.facts.heap);
        assert_eq!(heap.len(), other.len(), "seed {seed}");
        for object in heap.objects() {
            let name = format!("seed {seed}, {}", heap.id_text(object));
            assert_eq!(heap.id_text(object), other.id_text(object), "{name}");
            assert_eq!(heap.shallow(object), other.shallow(object), "{name}");
            assert_eq!(heap.references(object), other.references(object), "{name}");
            assert_eq!(whole.analysis.retained(object), stripped.analysis.retained(object), "{name}");
            assert_eq!(whole.analysis.distance(object), stripped.analysis.distance(object), "{name}");
            let lengths = [&whole, &stripped].map(|dump| {
                let text = dump.facts.contents.text(&dump.facts.heap, object, 10_000);
                text.map(|text| text.encode_utf16().count())
            });
            assert_eq!(lengths[0], lengths[1], "{name}");
        }
        assert!(other.notes.iter().any(|note| note.message == "values were removed by heaplens strip"));
        let left = kinds(&to);
        assert!(left.iter().all(|&kind| kind == ValueKind::Keys), "seed {seed}: {left:?}");
        strip_file(&to, &again).expect("a snapshot");
        let [once, twice] = [&to, &again].map(|path| std::fs::read(path).expect("it was written"));
        assert!(once.len().abs_diff(twice.len()) < 64, "stripping again changes nothing but placeholders");
        assert_eq!(kinds(&again), left, "seed {seed}");
    }
}

/// A file is stripped whole, or not at all.
#[test]
fn damaged_snapshots_are_stripped_whole_or_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.heapsnapshot"), folder.path().join("to.heapsnapshot"));
    let text = write(&random(7, 12), &Form::node20());
    let mut check = |bytes: &[u8]| -> bool {
        std::fs::write(&from, bytes).expect("disk space");
        let _absent = std::fs::remove_file(&to);
        match strip_file(&from, &to) {
            Ok(()) => {
                let left = kinds(&to);
                assert!(left.iter().all(|&kind| kind == ValueKind::Keys), "{left:?}");
                true
            }
            Err(_) => {
                assert!(!to.exists(), "part of a file was written");
                false
            }
        }
    };
    let cut = (0..text.len()).filter(|&end| check(&text.as_bytes()[..end])).count();
    // Text after the last bracket may be missing without loss.
    assert!(cut <= 2, "{cut} truncated files were stripped");
    let mut random = Random::new(3);
    let mut stripped = 0;
    for _ in 0..600 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            bytes[at] = *random.pick(b"\"\\[]{},:09az\n\0\xff");
        }
        stripped += u32::from(check(&bytes));
    }
    assert!(stripped > 100 && stripped < 600, "{stripped} of 600");
}
