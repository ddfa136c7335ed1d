//! `heaplens check`: what passes and what fails against a baseline, what `--accept` keeps, baselines and dumps that cannot be
//! used, and the reports for other tools.

mod reports;

use std::path::PathBuf;
use std::process::{Command, Output};

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use serde_json::{Value, json};

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const PLANTED: &str = "desk.SessionCache.ENTRIES";
/// Its fingerprint.
const FINGERPRINT: &str = "3e65132be5e3";

/// A folder with a baseline.
struct Gate {
    folder: tempfile::TempDir,
}

/// How a check ended.
struct Checked {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Gate {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn baseline(&self) -> PathBuf {
        self.at("leaks.json")
    }

    fn run(&self, dumps: &[&str], more: &[&str]) -> Checked {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("XDG_CONFIG_HOME", self.folder.path())
            .args(["check", "--no-cache", "--baseline"])
            .arg(self.baseline())
            .args(dumps)
            .args(more)
            .output()
            .expect("heaplens starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Checked { status: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    fn accept(&self, dumps: &[&str], more: &[&str]) -> String {
        let checked = self.run(dumps, &[&["--accept"], more].concat());
        assert_eq!(checked.status, Some(0), "{}", checked.stderr);
        std::fs::read_to_string(self.baseline()).expect("a baseline")
    }

    fn json(&self, dumps: &[&str], more: &[&str]) -> (Option<i32>, Value) {
        let checked = self.run(dumps, &[&["--format", "json"], more].concat());
        (checked.status, serde_json::from_str(&checked.stdout).unwrap_or_else(|e| panic!("{e}: {}", checked.stderr)))
    }

    /// Writes a baseline that accepts nothing.
    fn begin_empty(&self) {
        std::fs::write(self.baseline(), "{\"heaplens_baseline\": 1, \"dumps\": []}").expect("written");
    }

    /// Changes the value of the baseline.
    fn edit(&self, change: impl FnOnce(&mut Value)) {
        let text = std::fs::read_to_string(self.baseline()).expect("a baseline");
        let mut value = serde_json::from_str(&text).expect("json");
        change(&mut value);
        std::fs::write(self.baseline(), value.to_string()).expect("written");
    }

    /// A dump of a program whose list has so many sessions.
    fn dump(&self, file: &str, sessions: usize) -> String {
        self.dump_of(file, sessions, "shop.Session")
    }

    fn dump_of(&self, file: &str, sessions: usize, class: &str) -> String {
        let mut text = "class java.util.ArrayList
           field elementData: object
           field size: int
         class shop.Cache
           static ALL: object = list
         class Session
           field id: long\n"
            .to_owned();
        let names: Vec<String> = (0..sessions).map(|number| format!("s{number}")).collect();
        text.extend(names.iter().map(|name| format!("{name} = Session id=1\n")));
        text.push_str(&["list = java.util.ArrayList elementData=data size=", &sessions.to_string(), "\n"].concat());
        text.push_str(&["data = java.lang.Object[] ", &names.join(" "), "\nroot shop.Cache class\n"].concat());
        let mut sketch = notation::read(&text).expect("a heap");
        for actual in sketch.classes.iter_mut().filter(|actual| actual.name == "Session") {
            class.clone_into(&mut actual.name);
        }
        let path = self.at(file);
        std::fs::write(&path, write(&sketch, Form::MODERN)).expect("written");
        path.to_str().expect("a path").to_owned()
    }
}

/// Status of the finding with a fingerprint, or of the first of an owner.
fn status_of(answer: &Value, key: &str) -> String {
    let findings = answer["dumps"][0]["findings"].as_array().expect("findings");
    let actual = findings.iter().find(|actual| actual["fingerprint"] == key || actual["owner"] == key);
    actual.unwrap_or_else(|| panic!("{key} in {answer}"))["status"].as_str().expect("a status").to_owned()
}

fn entries<'a>(baseline: &'a Value, dump: &str, part: &str) -> &'a [Value] {
    let sections = baseline["dumps"].as_array().expect("sections");
    let section = sections.iter().find(|section| section["name"] == dump).expect("a section");
    section[part].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn what_is_accepted_passes_and_what_is_new_or_grew_fails() {
    let gate = Gate::new();
    let text = gate.accept(&[BEFORE], &["--name", "desk"]);
    let entry = text.lines().find(|line| line.contains(FINGERPRINT)).expect("its line");
    let entry: Value = serde_json::from_str(entry.trim_end_matches(',')).expect("one entry a line");
    assert_eq!(entry["title"], "desk.SessionCache.ENTRIES holds desk.Session");
    assert_eq!((&entry["owner"], &entry["class"]), (&json!(PLANTED), &json!("desk.Session")));
    assert_eq!((&entry["bytes"], &entry["objects"]), (&json!(269_392), &json!(903)));
    let same = gate.run(&[BEFORE], &["--name", "desk"]);
    assert_eq!(same.status, Some(0), "{}", same.stderr);
    assert!(same.stdout.starts_with("Passed: ") && same.stderr.is_empty(), "{}", same.stdout);
    let (status, answer) = gate.json(&[AFTER], &["--name", "desk"]);
    assert_eq!((status, &answer["passed"]), (Some(3), &json!(false)));
    assert_eq!(status_of(&answer, FINGERPRINT), "grown");
    // Growth by 5.1 MB from 269 kB: it passes if one of both tolerances is larger.
    for (more, status) in [
        (["--grow-by", "6MB"], "accepted"),
        (["--grow-by", "5MB"], "grown"),
        (["--grow-by-percent", "2000"], "accepted"),
        (["--grow-by-percent", "1800"], "grown"),
    ] {
        let (_, answer) = gate.json(&[AFTER], &[&["--name", "desk"], &more[..]].concat());
        assert_eq!(status_of(&answer, FINGERPRINT), status, "{more:?}");
    }
    // Another program's baseline.
    gate.edit(|baseline| baseline["dumps"][0]["leaks"] = json!([]));
    let (status, answer) = gate.json(&[AFTER], &["--name", "desk"]);
    assert_eq!((status, &*status_of(&answer, FINGERPRINT)), (Some(3), "new"));
    let checked = gate.run(&[AFTER], &["--name", "desk"]);
    assert!(checked.stderr.contains("desk: new leak suspect: SessionCache.ENTRIES holds 1,200"), "{}", checked.stderr);
}

#[test]
fn the_text_is_the_stored_one() {
    let gate = Gate::new();
    gate.accept(&[BEFORE], &["--name", "desk"]);
    let checked = gate.run(&[AFTER], &["--name", "desk"]);
    assert_eq!(checked.status, Some(3));
    let folder = gate.folder.path().to_str().expect("a path");
    let text = checked.stdout.replace(folder, "FOLDER").replace("FOLDER\\", "FOLDER/");
    super::golden::compare("check.txt", &text);
    super::golden::compare("check-baseline.json", &std::fs::read_to_string(gate.baseline()).expect("a baseline"));
}

#[test]
fn a_finding_that_is_gone_or_expected_passes() {
    let gate = Gate::new();
    let full = gate.dump("app.hprof", 200);
    gate.accept(&[&full], &[]);
    let rules = gate.at("expected.txt");
    std::fs::write(&rules, "expected shop.Cache.ALL  # warm on purpose\n").expect("written");
    let rules = rules.to_str().expect("a path").to_owned();
    let (status, answer) = gate.json(&[&full], &["--rules", &rules]);
    assert_eq!((status, &*status_of(&answer, "shop.Cache.ALL")), (Some(0), "gone"));
    assert_eq!(answer["dumps"][0]["findings"][0]["gone"], "expected");
    // A new one that is expected does not fail, either.
    gate.edit(|baseline| baseline["dumps"][0]["leaks"] = json!([]));
    assert_eq!(gate.run(&[&full], &[]).status, Some(3));
    assert_eq!(gate.run(&[&full], &["--rules", &rules]).status, Some(0));
    gate.accept(&[&full], &[]);
    gate.dump("app.hprof", 0);
    let empty = gate.run(&[&full], &["--least", "1kB"]);
    assert_eq!(empty.status, Some(0), "{}", empty.stderr);
    assert!(empty.stdout.contains("No longer found; --accept removes it"), "{}", empty.stdout);
    let baseline: Value = serde_json::from_str(&gate.accept(&[&full], &[])).expect("json");
    assert!(entries(&baseline, "app", "leaks").is_empty());
}

#[test]
fn accepting_keeps_overrides_other_sections_and_other_parts() {
    let gate = Gate::new();
    let (a, b) = (gate.dump("a.hprof", 100), gate.dump("b.hprof", 50));
    gate.accept(&[&a, &b], &["--of", "leaks,owners"]);
    gate.edit(|baseline| {
        let entry = &mut baseline["dumps"][0]["leaks"][0];
        entry["grow_by"] = json!("10kB");
        entry["grow_by_percent"] = json!(0);
        entry["reason"] = json!("until 2.1");
    });
    gate.dump("a.hprof", 300);
    // Grown by less than its own tolerance.
    let (status, answer) = gate.json(&[&a], &["--grow-by", "10"]);
    assert_eq!((status, &*status_of(&answer, "shop.Cache.ALL")), (Some(0), "accepted"));
    assert_eq!(answer["dumps"][0]["findings"][0]["reason"], "until 2.1");
    let before: Value = serde_json::from_str(&std::fs::read_to_string(gate.baseline()).expect("text")).expect("json");
    let after: Value = serde_json::from_str(&gate.accept(&[&a], &[])).expect("json");
    let [entry] = entries(&after, "a", "leaks") else { panic!("{after}") };
    assert_eq!((&entry["grow_by"], &entry["reason"]), (&json!("10kB"), &json!("until 2.1")));
    assert!(entry["bytes"].as_u64() > entries(&before, "a", "leaks")[0]["bytes"].as_u64());
    for part in ["leaks", "owners"] {
        assert_eq!(entries(&after, "b", part), entries(&before, "b", part), "{part}");
    }
    assert!(!entries(&after, "a", "owners").is_empty());
    assert_eq!(entries(&after, "a", "owners"), entries(&before, "a", "owners"));
    // Above its own tolerance it fails.
    gate.dump("a.hprof", 2_000);
    assert_eq!(gate.run(&[&a], &["--grow-by", "1GB"]).status, Some(3));
}

#[test]
fn growth_of_an_owner_fails_if_owners_are_checked() {
    let gate = Gate::new();
    let dump = gate.dump("app.hprof", 100);
    gate.accept(&[&dump], &["--of", "owners"]);
    let (status, answer) = gate.json(&[&dump], &["--of", "owners"]);
    assert_eq!((status, &*status_of(&answer, "shop.Cache.ALL")), (Some(0), "accepted"));
    let complete: u64 =
        answer["dumps"][0]["findings"].as_array().expect("owners").iter().filter_map(|f| f["bytes"].as_u64()).sum();
    assert!(complete > 100 * 16, "{answer}");
    gate.dump("app.hprof", 1_000);
    let grown = gate.run(&[&dump], &["--of", "owners", "--grow-by", "1kB"]);
    assert_eq!(grown.status, Some(3));
    assert!(grown.stderr.contains("grown owner: shop.Cache.ALL retains"), "{}", grown.stderr);
    assert_eq!(gate.run(&[&dump], &["--of", "owners", "--grow-by", "1MB"]).status, Some(0));
    // The sizes of all owners are the heap.
    gate.accept(&[BEFORE], &["--of", "owners", "--least", "1"]);
    let (_, answer) = gate.json(&[BEFORE], &["--of", "owners", "--least", "1"]);
    let owners = answer["dumps"][0]["findings"].as_array().expect("owners");
    let sum: u64 = owners.iter().filter_map(|owner| owner["bytes"].as_u64()).sum();
    assert_eq!(sum, 1_930_720);
    let of = |name: &str| owners.iter().find(|owner| owner["owner"] == name).map(|owner| owner["bytes"].clone());
    assert_eq!(of(PLANTED), Some(json!(269_392)));
}

#[test]
fn several_dumps_have_sections_of_their_own() {
    let gate = Gate::new();
    let (a, b) = (gate.dump("a.hprof", 100), gate.dump("b.hprof", 50));
    gate.accept(&[&a], &[]);
    let (status, answer) = gate.json(&[&b, &a], &[]);
    assert_eq!(status, Some(3));
    assert_eq!((&answer["dumps"][0]["name"], &answer["dumps"][0]["in_baseline"]), (&json!("b"), &json!(false)));
    assert_eq!((&answer["dumps"][1]["name"], &answer["dumps"][1]["passed"]), (&json!("a"), &json!(true)));
    let text = gate.run(&[&b, &a], &[]).stdout;
    assert!(text.contains("The baseline has no dump 'b': all of its findings are new. --accept adds them"), "{text}");
    gate.accept(&[&b], &[]);
    assert_eq!(gate.run(&[&a, &b], &[]).status, Some(0));
    std::fs::create_dir(gate.at("other")).expect("a folder");
    let twin = gate.dump("other/a.hprof", 1);
    let twice = gate.run(&[&a, &twin], &[]);
    assert_eq!(twice.status, Some(2));
    assert!(twice.stderr.contains("two dumps are called 'a'"), "{}", twice.stderr);
    assert_eq!(gate.run(&[&a, &b], &["--name", "x"]).status, Some(2));
    assert_eq!(gate.run(&[&a], &["--accept", "--sarif", "x"]).status, Some(2));
}

#[test]
fn a_dump_that_cannot_be_used_is_status_1_and_the_others_are_checked() {
    let gate = Gate::new();
    let (good, bad) = (gate.dump("good.hprof", 100), gate.at("bad.hprof"));
    std::fs::write(&bad, "no dump").expect("written");
    let bad = bad.to_str().expect("a path").to_owned();
    let text = gate.accept(&[&good], &[]);
    let (status, answer) = gate.json(&[&bad, &good], &[]);
    assert_eq!(status, Some(1));
    assert!(answer["dumps"][0]["error"].as_str().is_some_and(|why| why.contains("bad.hprof")), "{answer}");
    assert_eq!(answer["dumps"][1]["passed"], true);
    let accepted = gate.run(&[&bad, &good], &["--accept"]);
    assert_eq!(accepted.status, Some(1));
    assert_eq!(accepted.stderr.lines().count(), 1, "{}", accepted.stderr);
    assert_eq!(std::fs::read_to_string(gate.baseline()).expect("text"), text, "nothing is written");
    // A truncated dump is checked, and said to be.
    let complete = std::fs::read(&good).expect("a dump");
    std::fs::write(&good, &complete[..complete.len() - 40]).expect("written");
    let (_, answer) = gate.json(&[&good], &[]);
    assert!(answer["dumps"][0]["incomplete"].is_string(), "{answer}");
    let text = gate.run(&[&good], &[]).stdout;
    assert!(text.contains("Incomplete dump: findings are of the part that was read"), "{text}");
    let text = gate.run(&[&good], &["--accept"]).stdout;
    assert!(text.contains("Incomplete dump: "), "{text}");
}

#[test]
fn a_baseline_that_cannot_be_used_is_told_in_one_line() {
    let gate = Gate::new();
    let dump = gate.dump("app.hprof", 10);
    let missing = gate.run(&[&dump], &[]);
    assert_eq!(missing.status, Some(1));
    assert!(missing.stderr.contains("--accept to create it"), "{}", missing.stderr);
    for (text, why) in [
        (&b"{\"heaplens_baseline\": 9}"[..], "later heaplens"),
        (b"{\"heaplens_baseline\": 1, \"dumps\": [", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"<<<<<<< HEAD\n", "merge conflict"),
        (b"{\"heaplens_baseline\": 1, \"dumps\": [], \"\\u001b[31m\\n\": 1}", "unknown field"),
        (b"hello", "damaged"),
    ] {
        std::fs::write(gate.baseline(), text).expect("written");
        for more in [&[][..], &["--accept"]] {
            let checked = gate.run(&[&dump], more);
            assert_eq!(checked.status, Some(1), "{why}");
            assert!(checked.stderr.contains(why) && checked.stdout.is_empty(), "{why}: {}", checked.stderr);
            assert!(checked.stderr.lines().count() == 1 && !checked.stderr.contains('\u{1b}'), "{}", checked.stderr);
            assert_eq!(std::fs::read(gate.baseline()).expect("bytes"), text, "a file of others is not overwritten");
        }
    }
    std::fs::remove_file(gate.baseline()).expect("removed");
    std::fs::create_dir(gate.baseline()).expect("a folder");
    assert_eq!(gate.run(&[&dump], &[]).status, Some(1));
}

#[test]
fn dumps_of_all_formats_are_checked() {
    for (dump, owner) in [
        ("fixtures/node/desk-final.heapsnapshot.gz", "sessions"),
        ("fixtures/android/album.hprof.gz", "ShareTracker.INSTANCE"),
        ("fixtures/ibm/shop-v5.phd", "shop.Cache"),
    ] {
        let gate = Gate::new();
        let text = gate.accept(&[dump], &["--of", "leaks,waste,owners"]);
        assert!(text.contains(owner), "{dump}: {text}");
        let (status, answer) = gate.json(&[dump], &["--of", "leaks,waste,owners"]);
        assert_eq!(status, Some(0), "{dump}: {answer}");
        let findings = answer["dumps"][0]["findings"].as_array().expect("findings");
        assert!(findings.len() > 3 && findings.iter().all(|actual| actual["status"] == "accepted"), "{answer}");
        gate.edit(|baseline| baseline["dumps"] = json!([]));
        let (status, answer) = gate.json(&[dump], &[]);
        let findings = answer["dumps"][0]["findings"].as_array().expect("findings");
        assert_eq!(status, Some(3), "{dump}");
        assert!(findings.iter().all(|actual| actual["status"] == "new" && actual["part"] == "leaks"), "{answer}");
        if dump.contains("android") {
            let traces: Vec<&Value> = findings.iter().filter(|actual| actual["kind"] == "trace").collect();
            // As many as `heaplens leaks` has with a path.
            assert_eq!(traces.len(), 4, "{answer}");
            assert!(traces.iter().all(|trace| trace["path"].as_str().is_some_and(|path| path.contains("GC Root"))));
        }
    }
}

/// One dump may show that a structure is bounded; growth from build to build shows that it is not.
#[test]
fn structures_that_look_bounded_are_checked_but_not_single_arrays() {
    let gate = Gate::new();
    gate.begin_empty();
    let dump = "fixtures/android/phone.hprof";
    let (status, answer) = gate.json(&[dump], &[]);
    assert_eq!((status, &*status_of(&answer, "com.example.Cache.current.node")), (Some(3), "new"));
    let findings = answer["dumps"][0]["findings"].as_array().expect("findings");
    let groups: Vec<&str> = findings.iter().filter_map(|actual| actual["group"].as_str()).collect();
    assert!(groups.contains(&"bounded") && groups.contains(&"leak"), "{groups:?}");
    assert!(findings.iter().all(|actual| actual["kind"] != "buffer"), "{answer}");
    assert!(gate.run(&[dump], &[]).stdout.contains("New large structure: "));
}

#[test]
fn a_baseline_has_no_text_of_the_heap() {
    let gate = Gate::new();
    let sketch = notation::read(
        "class java.util.HashMap
           field table: object
           field size: int
         class java.util.HashMap$Node
           field hash: int
           field key: object
           field value: object
           field next: object
         class shop.Vault
           static all: object = map
         class shop.Cart
           field items: object
         map = java.util.HashMap table=table size=1
         table = java.util.HashMap$Node[] node null
         node = java.util.HashMap$Node hash=1 key=key value=cart
         key = \"the-key-of-it\"
         cart = shop.Cart items=items
         class java.util.ArrayList
           field elementData: object
           field size: int
         class shop.Line
         items = java.util.ArrayList elementData=lines size=8
         lines = java.lang.Object[] a b c d e f g h
         a = shop.Line
         b = shop.Line
         c = shop.Line
         d = shop.Line
         e = shop.Line
         f = shop.Line
         g = shop.Line
         h = shop.Line
         root shop.Vault class",
    );
    let path = gate.at("app.hprof");
    std::fs::write(&path, write(&sketch.expect("a heap"), Form::MODERN)).expect("written");
    let dump = path.to_str().expect("a path");
    gate.begin_empty();
    let shown = gate.run(&[dump], &["--least", "1", "--of", "leaks,waste,owners"]);
    let text = gate.accept(&[dump], &["--least", "1", "--of", "leaks,waste,owners"]);
    assert!(text.contains("shop.Vault.all"), "{text}");
    assert!(!text.contains("the-key-of-it"), "{text}");
    assert!(!gate.run(&[dump], &["--least", "1", "--redact"]).stdout.contains("the-key-of-it"));
    // The key is in the report, so that the test can fail.
    assert!(shown.stdout.contains("the-key-of-it"), "{}", shown.stdout);
}
