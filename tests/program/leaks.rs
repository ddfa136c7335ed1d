//! `heaplens leaks` on programs with planted leaks: the owner is ranked first, its cut frees the planted objects, and the
//! next dump of the program has the same fingerprints. Also: user rules and the exit status.

mod drawn;
mod known;
mod planted;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use planted::Planted;
use serde_json::Value;

const BEFORE: &str = "fixtures/leak-before.hprof.gz";
const AFTER: &str = "fixtures/leak-after.hprof.gz";
const NOCOOPS: &str = "fixtures/leak-after-nocoops.hprof.gz";
const JDK25: &str = "fixtures/leak-after-jdk25.hprof.gz";
const PLANTED: &str = "desk.SessionCache.ENTRIES";

fn leaks(dump: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["leaks", "--no-cache"])
        .arg(dump)
        .args(more)
        .output()
        .expect("heaplens starts")
}

fn findings(dump: &Path, more: &[&str]) -> Vec<Value> {
    let output = leaks(dump, &[&["--format", "json"], more].concat());
    assert!(output.status.success(), "{}: {}", dump.display(), String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
    answer["findings"].as_array().cloned().expect("findings")
}

fn named(dump: &str, name: &str) -> Value {
    let actual = findings(Path::new(dump), &[]).into_iter().find(|finding| finding["name"] == name);
    actual.unwrap_or_else(|| panic!("{name} in {dump}"))
}

/// Dumps in the repository with their truth lines.
fn recorded_dumps() -> Vec<(PathBuf, Planted)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/leaks");
    let mut dumps: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of planted leaks")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.to_string_lossy().ends_with(".hprof.gz"))
        .collect();
    dumps.sort();
    let truth = |path: &Path| path.to_string_lossy().replace(".hprof.gz", ".truth.txt");
    dumps
        .into_iter()
        .map(|path| {
            let planted = Planted::read(&std::fs::read_to_string(truth(&path)).expect("lines of the truth file"));
            (path, planted)
        })
        .collect()
}

#[test]
fn the_planted_holder_is_first_and_its_cut_frees_what_was_planted() {
    let stored = recorded_dumps();
    assert!(stored.len() > 4);
    for (dump, planted) in stored {
        let findings = findings(&dump, &[]);
        let first: Vec<&Value> = findings.iter().take(3).map(|finding| &finding["title"]).collect();
        let (name, harmless) = (dump.display(), &planted.harmless.0);
        // Before, the planted leak is smaller than the harmless tables.
        let is_after = dump.to_string_lossy().contains("-after");
        let rank = planted.rank(&findings);
        let what = &planted.kind;
        let is_first = rank.is_some_and(|rank| rank == 1 || !is_after);
        assert!(is_first, "{name}, {what}: {rank:?} beside {harmless}, first {first:?}");
        let actual = &findings[rank.expect("found") - 1];
        assert!(planted.is_cut_off_by(actual), "{name}: {} frees {}", actual["cut"], actual["frees"]);
        assert_eq!(actual["group"], "leak", "{name}: {}", planted.kind);
    }
}

#[test]
fn the_next_dump_of_a_program_has_the_same_fingerprints() {
    let fingerprint = |dump| named(dump, PLANTED)["fingerprint"].clone();
    let of_after = fingerprint(AFTER);
    for dump in [BEFORE, NOCOOPS, JDK25] {
        assert_eq!(fingerprint(dump), of_after, "{dump}");
    }
}

#[test]
fn what_a_cut_frees_is_what_its_target_retains() {
    for finding in findings(Path::new(AFTER), &[]) {
        let [cut] = finding["cut"].as_array().expect("cuts").as_slice() else { continue };
        if cut["times"] != 1 {
            continue;
        }
        let object = cut["to"].as_str().expect("an id");
        let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["object", AFTER, object, "--format", "json", "--no-cache"])
            .output()
            .expect("heaplens starts");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
        assert_eq!(answer["retained_bytes"], finding["frees"], "{}", finding["name"]);
    }
}

#[test]
fn users_mark_findings_as_expected_or_leaking() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("leak.rules");
    std::fs::write(&rules, "expected desk.SessionCache.*  # sessions live for a day\nleaking desk.Samples\n")
        .expect("written");
    let rules = rules.to_string_lossy().into_owned();
    let judged = findings(Path::new(AFTER), &["--rules", &rules]);
    let of = |name: &str| judged.iter().find(|finding| finding["name"] == name).expect("a finding");
    assert_eq!(of(PLANTED)["group"], "expected");
    assert_eq!(of(PLANTED)["verdict"]["reason"], "sessions live for a day");
    assert_ne!(judged[0]["name"], PLANTED);
    // The same line applies to the earlier dump.
    let before = findings(Path::new(BEFORE), &["--rules", &rules, "--least", "1kB"]);
    let expected = before.iter().filter(|finding| finding["group"] == "expected");
    assert_eq!(expected.map(|finding| &finding["name"]).collect::<Vec<_>>(), [PLANTED]);
    std::fs::write(&rules, "normal a.B\nfine a.C\n").expect("written");
    let output = leaks(Path::new(AFTER), &["--rules", &rules]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("line 2: 'fine'"), "{stderr}");
}

#[test]
fn the_exit_status_reports_findings() {
    let fails = |more: &[&str]| {
        let output = leaks(Path::new(AFTER), more);
        (output.status.code(), !output.stdout.is_empty(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, answered, why) = fails(&["--fail-on", "1MB"]);
    assert_eq!((status, answered), (Some(3), true));
    assert!(why.contains("SessionCache.ENTRIES holds"), "{why}");
    assert_eq!(fails(&["--fail-on", "1GB"]).0, Some(0));
    assert_eq!(fails(&["--least", "200%"]).0, Some(2));
}

/// The platform's settings folder can be set with an environment variable there.
#[cfg(target_os = "linux")]
#[test]
fn verdicts_of_the_window_apply_on_the_command_line() {
    use heaplens_analysis::leaks::Group;
    use heaplens_session::UserVerdict;
    use heaplens_session::verdicts::keep;

    let settings = tempfile::tempdir().expect("a folder");
    let file = settings.path().join("heaplens/verdicts.txt");
    let answer = |dump: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("XDG_CONFIG_HOME", settings.path())
            .args(["leaks", "--no-cache", dump, "--format", "json", "--filter", PLANTED])
            .output()
            .expect("heaplens starts");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code(), answer["findings"][0]["group"].clone())
    };
    assert_eq!(answer(BEFORE), (Some(0), Value::from("leak")));
    let text = UserVerdict { pattern: PLANTED.to_owned(), group: Some(Group::Expected), reason: "warm".to_owned() };
    keep(&file, &text).expect("kept");
    // In the dump of the verdict, and in the next one.
    assert_eq!(answer(BEFORE), (Some(0), Value::from("expected")));
    assert_eq!(answer(AFTER), (Some(0), Value::from("expected")));
    keep(&file, &UserVerdict { group: None, ..text.clone() }).expect("kept");
    assert_eq!(answer(AFTER), (Some(0), Value::from("leak")));
    // A file with an invalid line is neither used nor overwritten.
    std::fs::write(&file, "fine a.B").expect("written");
    assert_eq!(answer(AFTER).0, Some(2));
    assert!(keep(&file, &text).is_err());
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "fine a.B");
}
