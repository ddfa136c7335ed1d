//! Fixes (`--fix`): removals that were saved from one dump, asked of it and of others.

use std::path::Path;

use serde_json::Value as Json;

use crate::golden::heaplens;
use crate::removals::{answered, json, text};
use heaplens_session::marks::identity;

const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const AFTER: &str = "fixtures/leak-after.hprof.gz";
const KEYS: &str = "fixtures/keys-before.hprof.gz";
const CACHE: &str = "desk.SessionCache.ENTRIES";
/// A fix of the program with a reference that it no longer has, and a removal that is off.
const BOUNDED: &str = "fix: bounded cache\n\n# Ann clears it at night\ndesk.SessionCache.ENTRIES\n\
    desk.OldCache.ENTRIES\noff: desk.OrderDesk.orders\nend\n";

/// Writes a file with a fix; returns its path.
fn written(folder: &Path, name: &str, fix: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, fix).expect("disk space");
    path.display().to_string()
}

#[test]
fn an_answer_begins_with_the_name_of_the_fix_and_names_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let fix = written(folder.path(), "bounded.heapfix", BOUNDED);
    let line = "Fix \"bounded cache\", after 1 removal: 7.0 → 1.7 MB (frees 5.4 MB in 18,003 objects); \
                desk.OldCache.ENTRIES not in this dump";
    let out = text(&answered(&["leaks", AFTER, "--fix", &fix]).stdout);
    assert!(out.starts_with(&format!("{line}\n\n")), "{out}");
    let output = answered(&["histogram", AFTER, "--fix", &fix, "--format", "csv"]);
    assert_eq!(text(&output.stderr).trim_end(), format!("heaplens: {line}"));
    // The rows are those of the same removal by its name.
    assert_eq!(output.stdout, answered(&["histogram", AFTER, "--cut", CACHE, "--format", "csv"]).stdout);
    let (mut of_fix, of_cut) =
        (json(&["summary", AFTER, "--fix", &fix]), json(&["summary", AFTER, "--cut", CACHE])["cuts"].clone());
    assert!(of_cut["fix"].is_null() && of_cut["missing"].is_null(), "{of_cut}");
    let cuts = of_fix["cuts"].as_object_mut().expect("cuts");
    assert_eq!(cuts.remove("fix"), Some("bounded cache".into()));
    assert_eq!(cuts.remove("missing"), Some(serde_json::json!(["desk.OldCache.ENTRIES"])));
    assert_eq!(of_fix["cuts"], of_cut);
    let summary = text(&answered(&["summary", AFTER, "--fix", &fix]).stdout);
    for line in [
        "Fix          bounded cache\n",
        "Cut          desk.SessionCache.ENTRIES: frees 5.4 MB",
        "Cut          desk.OldCache.ENTRIES: not in this dump\n",
    ] {
        assert!(summary.contains(line), "{summary}");
    }
    let query = "SELECT count(*) FROM after.objects WHERE reachable";
    assert!(
        text(&answered(&["query", AFTER, query, "--fix", &fix]).stdout).starts_with("Fix \"bounded cache\", after 1")
    );
}

#[test]
fn a_fix_and_other_removals_add_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let fix = written(folder.path(), "bounded.heapfix", BOUNDED);
    let both = json(&["summary", AFTER, "--fix", &fix, "--cut", "desk.OrderDesk.orders", "--cut", CACHE]);
    let cuts = json(&["summary", AFTER, "--cut", "desk.OrderDesk.orders", "--cut", CACHE]);
    assert_eq!(both["cuts"]["freed"], cuts["cuts"]["freed"]);
    assert_eq!(both["cuts"]["rows"].as_array().map(Vec::len), Some(2), "{}", both["cuts"]);
    // A name that is typed must mean something, as without a fix.
    let output = heaplens(&["summary", AFTER, "--fix", &fix, "--cut", "desk.Nothing.all"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--cut desk.Nothing.all: no class desk.Nothing"), "{}", text(&output.stderr));
}

#[test]
fn a_fix_is_applied_to_each_dump_of_a_comparison() {
    let folder = tempfile::tempdir().expect("a folder");
    let fix = written(folder.path(), "bounded.heapfix", BOUNDED);
    let out = text(&answered(&["diff", BEFORE, AFTER, "--of", "classes", "--fix", &fix]).stdout);
    for (line, file) in out.lines().zip(["leak-before.hprof.gz", "leak-after.hprof.gz"]) {
        assert!(line.starts_with(&format!("{file}: Fix \"bounded cache\", after 1 removal: ")), "{out}");
        assert!(line.ends_with("; desk.OldCache.ENTRIES not in this dump"), "{out}");
    }
    let answer = json(&["diff", BEFORE, AFTER, "--of", "classes", "--fix", &fix]);
    let names: Vec<&Json> = answer["cuts"].as_array().expect("cuts").iter().map(|cuts| &cuts["fix"]).collect();
    assert_eq!(names, ["bounded cache", "bounded cache"]);
    let leaks = text(&answered(&["leaks", AFTER, "--before", BEFORE, "--fix", &fix]).stdout);
    assert_eq!(leaks.matches("Fix \"bounded cache\", after 1 removal: ").count(), 2, "{leaks}");
    // One of the dumps has nothing of it.
    let out = text(&answered(&["diff", KEYS, AFTER, "--of", "classes", "--fix", &fix]).stdout);
    let first = "keys-before.hprof.gz: Fix \"bounded cache\", no removals: desk.SessionCache.ENTRIES, \
                 desk.OldCache.ENTRIES not in this dump\n";
    assert!(out.starts_with(first), "{out}");
}

#[test]
fn an_id_is_one_of_the_dump_that_the_fix_was_made_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = json(&["object", AFTER, CACHE])["id"].as_str().expect("an id").to_owned();
    let identity = |file: &str| identity(heaplens_dump::open(file).expect("a dump").data());
    let with_id = |dump: &str| format!("fix: ids\ndump: {dump}\n\n{object}\n{CACHE}\nend\n");
    let own = written(folder.path(), "own.heapfix", &with_id(&identity(AFTER)));
    let cuts = json(&["summary", AFTER, "--fix", &own])["cuts"].clone();
    assert_eq!((cuts["rows"].as_array().map(Vec::len), cuts["missing"].is_null()), (Some(2), true), "{cuts}");
    let other = written(folder.path(), "other.heapfix", &with_id(&identity(BEFORE)));
    let cuts = json(&["summary", AFTER, "--fix", &other])["cuts"].clone();
    assert_eq!((cuts["rows"].as_array().map(Vec::len), &cuts["missing"][0]), (Some(1), &Json::from(object)), "{cuts}");
}

#[test]
fn a_fix_that_says_nothing_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let unknown = written(folder.path(), "unknown.heapfix", "fix: a\ndesk.Nothing.all\nend\n");
    let off = written(folder.path(), "off.heapfix", "fix: a\noff: desk.SessionCache.ENTRIES\nend\n");
    let truncated = written(folder.path(), "truncated.heapfix", "fix: a\ndesk.Session");
    for (words, code, why) in [
        (["summary", AFTER, "--fix", &unknown], 1, "--fix desk.Nothing.all: no class desk.Nothing"),
        (["summary", AFTER, "--fix", &off], 1, "no removal that is on"),
        (["summary", AFTER, "--fix", &truncated], 2, "line 3: expected: end; the file is truncated"),
        (["summary", AFTER, "--fix", AFTER], 2, "leak-after.hprof.gz"),
        (["summary", AFTER, "--fix", "no-such.heapfix"], 2, "no-such.heapfix"),
    ] {
        let output = heaplens(&words);
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(code) && errors.contains(why), "{words:?}: {errors}");
    }
    let known = written(folder.path(), "bounded.heapfix", BOUNDED);
    for words in [
        &["query", AFTER, "SELECT 1", "--before", BEFORE][..],
        &["histogram", AFTER, "--unreachable"],
        &["dominators", AFTER, "--unreachable"],
    ] {
        let output = heaplens(&[words, &["--fix", &known]].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}
