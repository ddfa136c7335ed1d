//! Snapshots without values: the same heap, none of its texts, and never a part of a file.

use std::path::Path;

use heaplens_analysis::secrets::secrets;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::strip::{StripOptions, ValueKind, check_values, strip};
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::write::write;

fn open(path: &Path) -> Dump {
    open_and_wait(path, &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn strip_file(from: &Path, to: &Path) -> Result<(), String> {
    let _statistics = strip(from, to, &StripOptions::default(), &OpenOptions::default().read, &Task::new())?;
    Ok(())
}

/// Kinds of values that remain in a file.
fn kinds(path: &Path) -> Vec<ValueKind> {
    let actual = check_values(path, &OpenOptions::default().read, &Task::new()).expect("it is readable");
    actual.kinds.iter().filter(|kind| kind.with_values > 0).map(|kind| kind.kind).collect()
}

#[test]
fn a_stripped_snapshot_is_the_same_heap() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.heapsnapshot"), folder.path().join("to.heapsnapshot"));
    let again = folder.path().join("again.heapsnapshot");
    for (seed, form) in (0..12).flat_map(|seed| [Form::node20(), Form::chromium()].map(|form| (seed, form))) {
        std::fs::write(&from, write(&random(seed, 60), &form)).expect("disk space");
        strip_file(&from, &to).expect("a snapshot");
        let (complete, stripped) = (open(&from), open(&to));
        let (heap, other) = (&complete.facts.heap, &stripped.facts.heap);
        assert_eq!(heap.len(), other.len(), "seed {seed}");
        for object in heap.objects() {
            let name = format!("seed {seed}, {}", heap.id_text(object));
            assert_eq!(heap.id_text(object), other.id_text(object), "{name}");
            assert_eq!(heap.shallow(object), other.shallow(object), "{name}");
            assert_eq!(heap.references(object), other.references(object), "{name}");
            assert_eq!(complete.analysis.retained(object), stripped.analysis.retained(object), "{name}");
            assert_eq!(complete.analysis.distance(object), stripped.analysis.distance(object), "{name}");
            let lengths = [&complete, &stripped].map(|dump| {
                let text = dump.facts.contents.text(&dump.facts.heap, object, 10_000);
                // The length of the whole text is a value, which is removed.
                text.map(|text| text.trim_end_matches('…').encode_utf16().count())
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
    let check = |bytes: &[u8]| -> bool {
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

/// A program with texts that are values, names and both.
fn program() -> Made {
    let mut made = Made::default();
    let root = made.add("synthetic", "", 1, 0);
    let global = made.add("object", "global", 3, 10);
    made.name(root, "shortcut", "0: global", global);
    let account = made.add("object", "Account", 5, 24);
    made.name(global, "property", "account", account);
    // The text is that of a class, too.
    let class = made.add("string", "Account", 7, 24);
    made.name(global, "property", "title", class);
    let password = made.add("string", "hunter2!xyz", 9, 24);
    made.name(account, "property", "dbPassword", password);
    let note = made.add("string", "a plain note", 11, 24);
    made.name(account, "property", "note", note);
    let pattern = made.add("regexp", "^ann@", 13, 24);
    made.name(account, "property", "pattern", pattern);
    let page = made.add("native", "<div id=\"ann\">", 15, 24);
    made.name(account, "property", "page", page);
    // A cache with keys, and an object with some of the names.
    let cache = made.add("object", "Object", 17, 24);
    made.name(global, "property", "cache", cache);
    for at in 0..30_u64 {
        let value = made.add("object", "Entry", 19 + 2 * at, 16);
        made.name(cache, "property", format!("user-{at:02}@shop.test"), value);
    }
    made
}

/// Readers take digits around a line break as one number, and so does the check.
#[test]
fn line_breaks_within_numbers_divide_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.heapsnapshot"), folder.path().join("to.heapsnapshot"));
    let text = write(&program(), &Form::node20());
    let start = text.find("\"edges\"").expect("edges");
    let end = start + text[start..].find(']').expect("their end");
    let mut stripped = 0;
    for (comma, _) in text[start..end].match_indices(',') {
        let mut bytes = text.clone().into_bytes();
        bytes[start + comma] = b'\n';
        std::fs::write(&from, bytes).expect("disk space");
        if strip_file(&from, &to).is_ok() {
            let left = kinds(&to);
            assert!(left.iter().all(|&kind| kind == ValueKind::Keys), "comma {comma}: {left:?}");
            stripped += 1;
        }
        let _absent = std::fs::remove_file(&to);
    }
    assert!(stripped > 0, "all were refused");
}

#[test]
fn values_go_and_names_stay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from.heapsnapshot"), folder.path().join("to.heapsnapshot"));
    std::fs::write(&from, write(&program(), &Form::node20())).expect("disk space");
    for keys in [false, true] {
        let what = StripOptions { keys, ..StripOptions::default() };
        let lines = strip(&from, &to, &what, &OpenOptions::default().read, &Task::new()).expect("a snapshot");
        assert_eq!((lines.keys, lines.blanked), (30, 4));
        let written = std::fs::read_to_string(&to).expect("it was written");
        for removed in ["hunter2", "plain note", "^ann@", "id=\\\"ann"] {
            assert!(!written.contains(removed), "{removed}");
        }
        for stored in ["\"Account\"", "\"dbPassword\"", "\"global\"", "<div id=\\\"___\\\">"] {
            assert!(written.contains(stored), "{stored}");
        }
        assert_eq!(written.contains("@shop.test"), !keys);
        let dump = open(&to);
        let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
        let title = heap.find("@7").expect("the title");
        let text = contents.text(heap, title, 100).expect("a string");
        assert_eq!(text.chars().count(), "Account".len(), "a value that is a name elsewhere");
        assert!(!text.contains(char::is_alphanumeric), "{text}");
        let account = heap.find("@5").expect("the account");
        assert_eq!(&*heap.class(account).name, "Account");
    }
}

#[test]
fn properties_say_what_their_values_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let from = folder.path().join("from.heapsnapshot");
    std::fs::write(&from, write(&program(), &Form::node20())).expect("disk space");
    let dump = open(&from);
    let actual = secrets(dump.data(), &Task::new()).expect("not cancelled");
    let actual: Vec<(&str, &str)> = actual.groups.iter().map(|group| (group.kind, group.masked.as_str())).collect();
    assert_eq!(actual, [("password", "hu… (11 characters)")]);
}
