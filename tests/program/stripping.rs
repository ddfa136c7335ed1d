//! Stripped dumps give the same answers as the originals, and have no values.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// Dumps of all formats with values, the options to strip them, and whether numbers in fields are gone.
const DUMPS: [(&str, &[&str]); 10] = [
    ("fixtures/leak-after.hprof.gz", &[]),
    ("fixtures/leak-after.hprof.gz", &["--numbers"]),
    ("fixtures/leak-after-jdk25.hprof.gz", &["--numbers"]),
    ("fixtures/leaks/thread-local-jdk17-after.hprof.gz", &["--numbers"]),
    ("fixtures/android/album.hprof.gz", &[]),
    ("fixtures/android/album.hprof.gz", &["--numbers"]),
    ("fixtures/android/phone.hprof", &["--numbers"]),
    ("fixtures/node/desk-final.heapsnapshot.gz", &[]),
    ("fixtures/node/desk-final.heapsnapshot.gz", &["--numbers", "--keys"]),
    ("fixtures/node/recorded.heaptimeline.gz", &[]),
];

fn heaplens(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output().expect("it starts")
}

fn ask(words: &[&str], file: &Path) -> String {
    let (command, options) = words.split_first().expect("a command");
    let path = file.display().to_string();
    let output = heaplens(&[&[*command, &*path], options, &["--no-cache"]].concat());
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

fn json(words: &[&str], file: &Path) -> Json {
    serde_json::from_str(&ask(&[words, &["--format", "json"]].concat(), file)).expect("json")
}

/// The summary without what differs from file to file and from run to run.
fn summary(file: &Path) -> Json {
    let mut summary = json(&["summary"], file);
    let map = summary.as_object_mut().expect("an object");
    for key in ["file", "file_bytes", "seconds", "phases", "peak_memory_bytes", "notes", "from_cache", "producer"] {
        map.remove(key);
    }
    summary
}

/// Findings without their texts, and fingerprints of traces.
fn leaks(file: &Path) -> (Vec<Json>, Json, Vec<Json>) {
    let leaks = json(&["leaks"], file);
    let list = |key: &str| leaks[key].as_array().cloned().unwrap_or_default();
    let findings = list("findings").into_iter().filter(|finding| {
        // Equal values are waste only while they can be read.
        !finding["kind"].as_str().is_some_and(|kind| kind.starts_with("duplicate") || kind.starts_with("zero-filled"))
    });
    let findings = findings.map(|of| {
        // The name of a thread is a value, and part of the fingerprint of what its local variables hold.
        let is_of_thread = of["name"].as_str().is_some_and(|name| name.contains("thread \""));
        let keys = ["kind", "bytes", "share", "objects", "fingerprint"];
        keys.iter().filter(|key| !is_of_thread || **key != "fingerprint").map(|key| of[key].clone()).collect()
    });
    let traces = list("traces");
    let traces = traces
        .iter()
        .map(|of| [&of["fingerprint"], &of["traces"], &of["retained_bytes"]].into_iter().cloned().collect());
    (findings.collect(), leaks["counts"].clone(), traces.collect())
}

fn paths(folder: &Path, from: &str) -> (PathBuf, PathBuf) {
    let end = if from.contains("hprof") { "hprof" } else { "heapsnapshot" };
    (Path::new(env!("CARGO_MANIFEST_DIR")).join(from), folder.join(format!("stripped.{end}")))
}

#[test]
fn stripped_dumps_give_the_same_answers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (from, options) in DUMPS {
        let what = format!("{from} {options:?}");
        let (complete, stripped) = paths(folder.path(), from);
        let out = stripped.display().to_string();
        let done = heaplens(&[&["strip", from, &*out], options].concat());
        assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
        let same = |words: &[&str]| assert!(ask(words, &complete) == ask(words, &stripped), "{what}: {words:?}");
        same(&["objects", "--format", "csv", "--keep-unreachable"]);
        same(&["roots", "--format", "json"]);
        assert_eq!(summary(&complete), summary(&stripped), "{what}");
        // With --keys, a shape of properties may be named by placeholders.
        if !options.contains(&"--keys") {
            same(&["histogram", "--format", "json"]);
            assert_eq!(leaks(&complete), leaks(&stripped), "{what}");
            let (complete, stripped) = (complete.display().to_string(), stripped.display().to_string());
            let diff = heaplens(&["diff", &complete, &stripped, "--no-cache", "--of", "classes", "--format", "json"]);
            let diff: Json = serde_json::from_slice(&diff.stdout).expect("json");
            let changed = |row: &Json| row["delta"].as_object().is_some_and(|delta| delta.values().any(|of| of != 0));
            let rows = diff["rows"].as_array().or(diff["classes"].as_array()).cloned().unwrap_or_default();
            assert!(!rows.iter().any(changed), "{what}");
        }
        if from.contains("hprof") && !from.contains("android") {
            let collections = |file| {
                let actual = json(&["collections"], file);
                actual["rows"].clone()
            };
            assert_eq!(collections(&complete), collections(&stripped), "{what}");
        }
        // The marker is shown.
        let note = json(&["summary"], &stripped)["notes"].to_string();
        let text = [&["values were removed by heaplens strip"], options].concat().join(" ");
        assert!(note.contains(&text), "{what}: {note}");
        let check = |file: &Path| heaplens(&[&["strip", "--check", &*file.display().to_string()], options].concat());
        assert_eq!(check(&complete).status.code(), Some(3), "{what}");
        let passed = check(&stripped);
        assert_eq!(passed.status.code(), Some(0), "{what}: {}", String::from_utf8_lossy(&passed.stdout));
    }
}

#[test]
fn a_check_names_places_without_values() {
    let files = ["fixtures/leak-after.hprof.gz", "fixtures/ibm/shop-v5.phd", "--format", "json"];
    let output = heaplens(&[&["strip", "--check"], &files[..]].concat());
    assert_eq!(output.status.code(), Some(3));
    // Scripts have the name of earlier versions.
    let earlier = heaplens(&[&["check-stripped"], &files[..]].concat());
    assert_eq!((earlier.status.code(), &earlier.stdout), (Some(3), &output.stdout));
    let actual: Json = serde_json::from_slice(&output.stdout).expect("json");
    let files = actual["files"].as_array().expect("files");
    assert_eq!(files[0]["has_values"], true);
    assert_eq!((&files[1]["has_values"], &files[1]["kinds"]), (&Json::Bool(false), &Json::Array(Vec::new())));
    for kind in files[0]["kinds"].as_array().expect("kinds") {
        let (examples, count) = (kind["examples"].as_array().expect("places"), kind["with_values"].as_u64());
        assert_eq!(examples.len() as u64, count.expect("a count").min(5), "{kind}");
        let is_place = |id: &str| id.starts_with("0x") || id.starts_with("offset ");
        assert!(examples.iter().all(|of| of["id"].as_str().is_some_and(is_place)), "{kind}");
    }
    let missing = heaplens(&["strip", "--check", "fixtures/README.md", "fixtures/leak-after.hprof.gz"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stdout).contains("has values"), "the other file is checked");
}

#[test]
fn a_strip_without_its_two_files_is_wrong_usage() {
    let dump = "fixtures/leak-after.hprof.gz";
    for (words, why) in [
        (&["strip", dump][..], "needs the dump to read and the file to write, not 1 file"),
        (&["strip", dump, "a", "b"], "not 3 files; to check dumps for values, add --check"),
        (&["strip", dump, "a", "--format", "json"], "--format applies to --check only"),
        (&["strip", "--check", dump, "--heaps", "app"], "cannot be used with"),
        (&["strip", "--check"], "required arguments"),
    ] {
        let output = heaplens(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(why), "{words:?}: {errors}");
    }
}

/// Records behind one that nobody knows are stripped as the readers see them.
#[test]
fn an_unknown_record_is_left_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sketch = heaplens_testkit::notation::read(
        "class shop.Cart\n field note: object\ncart = shop.Cart note=note\nnote = \"hunter2\"\nroot cart global",
    );
    let dump = heaplens_testkit::hprof::write(&sketch.expect("a heap"), heaplens_testkit::hprof::Form::MODERN);
    let header = "JAVA PROFILE 1.0.2\0".len() + 12;
    let mut unknown = heaplens_testkit::hprof::RecordBuffer::new(8);
    unknown.record(0x63, b"hunter2 in a record that nobody knows");
    let file = folder.path().join("unknown.hprof");
    let parts = [&dump[..header], &unknown.bytes, &dump[header..]];
    std::fs::write(&file, parts.concat()).expect("disk space");
    let out = folder.path().join("stripped.hprof");
    let done = heaplens(&["strip", &file.display().to_string(), &out.display().to_string()]);
    let output = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && output.contains("Left out at offset 31: unknown record tag 0x63"), "{done:?}");
    let written = std::fs::read(&out).expect("it was written");
    assert!(!written.windows(7).any(|part| part == b"hunter2"));
    assert_eq!(json(&["histogram"], &file)["rows"], json(&["histogram"], &out)["rows"]);
    assert!(ask(&["histogram"], &out).contains("shop.Cart"), "names remain");
    let check = |file: &Path| heaplens(&["strip", "--check", &file.display().to_string(), "--format", "json"]);
    assert_eq!(check(&out).status.code(), Some(0));
    let actual: Json = serde_json::from_slice(&check(&file).stdout).expect("json");
    let kinds = actual["files"][0]["kinds"].as_array().expect("kinds");
    let unassigned = kinds.iter().find(|kind| kind["kind"] == "unassigned").expect("the kind");
    // The record, and the address of the JNI reference of the root.
    assert_eq!(unassigned["with_values"], 2, "{unassigned}");
    assert_eq!(unassigned["examples"][0]["id"], "offset 40", "{unassigned}");
}

#[test]
fn ibm_dumps_need_no_stripping() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.phd");
    let output = heaplens(&["strip", "fixtures/ibm/shop-v5.phd", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("contains no values"), "{output:?}");
    assert!(!out.exists());
}

#[test]
fn secrets_are_hidden_in_redacted_dumps() {
    let output = heaplens(&["secrets", "fixtures/leak-after.hprof.gz", "--redact", "--no-cache"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hidden by --redact"), "{output:?}");
}
