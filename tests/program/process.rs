//! The process around the heap: the record beside a dump, texts of other tools, and dumps without either.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::golden::heaplens;
use crate::removals::{answered, json, text};

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const RECORD: &str = r#"{"heaplens_process":1,"sources":["heaplens take"],"kind":"jvm","threads":30,
    "memory":{"resident":100000000},"jvm":{"metaspace":{"used":9,"committed":9000000,"reserved":9}}}"#;

fn text_of(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn bytes(answer: &Json, kind: &str) -> Option<u64> {
    let parts = answer["parts"].as_array().expect("a list");
    parts.iter().find(|part| part["kind"] == kind).and_then(|part| part["bytes"].as_u64())
}

#[test]
fn the_record_beside_a_dump_is_read_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("app.hprof.gz");
    fs::copy(AFTER, &dump).expect("disk space");
    let alone = json(&["process", text_of(&dump)]);
    assert_eq!(alone["resident_bytes"], Json::Null);
    assert_eq!(alone["not_recorded"].as_array().map(Vec::len), Some(1));
    assert_eq!(bytes(&alone, "unexplained"), None);
    let record = folder.path().join("app.hprof.gz.process.json");
    fs::write(&record, RECORD).expect("disk space");
    let recorded = json(&["process", text_of(&dump)]);
    assert_eq!(recorded["resident_bytes"], 100_000_000);
    assert_eq!(bytes(&recorded, "class-metadata"), Some(9_000_000));
    let parts = recorded["parts"].as_array().expect("a list");
    let sum: u64 = parts.iter().filter_map(|part| part["bytes"].as_u64()).sum();
    assert_eq!(sum, 100_000_000, "{parts:?}");
    let overview = text(&answered(&["overview", text_of(&dump)]).stdout);
    assert!(overview.contains("The process has 100 MB; the live heap is 7.0 MB of it"), "{overview}");
    // The heap's own figures are the same.
    let heap = |file: &str| json(&["summary", file])["reachable"].clone();
    assert_eq!(heap(text_of(&dump)), heap(AFTER));
    fs::write(&record, "{\"heaplens_process\":1,").expect("disk space");
    let damaged = json(&["process", text_of(&dump)]);
    assert_eq!(damaged["resident_bytes"], Json::Null);
    let gaps = damaged["not_recorded"].to_string();
    assert!(gaps.contains("app.hprof.gz.process.json"), "{gaps}");
}

#[test]
fn texts_of_other_tools_are_read_with_a_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    let smaps = folder.path().join("smaps");
    let lines = "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \nSize: 1024 kB\nRss: 1000 kB\nAnonymous: 1000 kB\nSwap: 0 kB\n\
        7f1000000000-7f1000200000 r-xp 00000000 00:00 0 /usr/lib/libjvm.so\nSize: 2048 kB\nRss: 2000 kB\nAnonymous: 0 kB\nSwap: 0 kB\n";
    fs::write(&smaps, lines).expect("disk space");
    let answer = json(&["process", AFTER, "--with", text_of(&smaps)]);
    assert_eq!(answer["resident_bytes"], 3000 << 10);
    assert_eq!(bytes(&answer, "libraries"), Some(2000 << 10));
    assert_eq!(answer["recorded_by"][0], "smaps");
    let other = folder.path().join("other.txt");
    fs::write(&other, "no facts").expect("disk space");
    let refused = heaplens(&["process", AFTER, "--with", text_of(&other)]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

#[test]
fn two_dumps_are_compared_in_the_same_parts() {
    let answer = json(&["process", AFTER, "--before", BEFORE]);
    let parts = answer["parts"].as_array().expect("a list");
    assert!(parts.iter().all(|part| part["before_bytes"].is_u64()), "{parts:?}");
    let live = parts.iter().find(|part| part["kind"] == "live-heap").expect("there is a heap");
    let before = json(&["summary", BEFORE])["reachable"]["bytes"].clone();
    assert_eq!(live["before_bytes"], before);
}

#[test]
fn owners_and_parts_are_tables_of_queries() {
    let rows = |sql: &str| json(&["query", AFTER, sql])["rows"].as_array().cloned().expect("a list");
    let owners = rows("SELECT owner, native_bytes FROM native_owners WHERE kind = 'direct-buffer'");
    assert!(!owners.is_empty());
    let outside = json(&["summary", AFTER])["outside_heap"]["bytes"].as_u64();
    let sum =
        rows("SELECT sum(native_bytes) AS bytes FROM native_owners WHERE kind <> 'mapped-file'")[0]["bytes"].as_u64();
    assert_eq!(sum, outside);
    let heap = rows("SELECT bytes FROM process_parts WHERE kind = 'live-heap'")[0]["bytes"].as_u64();
    assert_eq!(heap, json(&["summary", AFTER])["reachable"]["bytes"].as_u64());
}
