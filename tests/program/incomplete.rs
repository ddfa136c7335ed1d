//! Every answer about a truncated dump says that the dump is incomplete: HPROF, PHD and snapshots of V8, in all forms.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

/// What answers say.
const INCOMPLETE: &str = "Incomplete dump: figures are of the part that was read.";

fn fixture(name: &str) -> Vec<u8> {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)).expect("a fixture");
    if Path::new(name).extension().is_none_or(|end| end != "gz") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).expect("it is complete");
    unpacked
}

fn heaplens(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(folder)
        .args(arguments)
        .arg("--no-cache")
        .output()
        .expect("heaplens starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asks a command in a form; returns what it writes to stdout, after it said on stderr what is missing.
fn answer(folder: &Path, command: &str, file: &str, form: &str) -> String {
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.insert(1, file);
    arguments.extend(["--format", form]);
    let output = heaplens(folder, &arguments);
    let message = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    assert!(message.contains(file) && message.contains(INCOMPLETE), "{arguments:?}: {message}");
    text(&output.stdout)
}

#[test]
fn every_answer_says_that_the_dump_is_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, fixture_name, share) in [
        ("cut.hprof", "leak-after.hprof.gz", 7),
        ("cut.phd", "ibm/shop-v5.phd", 7),
        ("cut.heapsnapshot", "node/desk-final.heapsnapshot.gz", 6),
    ] {
        let complete = fixture(fixture_name);
        std::fs::write(folder.path().join(name), &complete[..complete.len() / 10 * share]).expect("it can be written");
        let commands = ["histogram", "dominators --top 3", "objects --top 3", "roots", "leaks", "waste", "collections"];
        for command in commands {
            let as_text = answer(folder.path(), command, name, "text");
            assert!(as_text.starts_with(INCOMPLETE), "{name} {command}: {as_text}");
            assert_eq!(as_text.matches(INCOMPLETE).count(), 1, "{name} {command}: {as_text}");
            let as_json = answer(folder.path(), command, name, "json");
            let json: serde_json::Value = serde_json::from_str(&as_json).expect("JSON");
            let why = json["incomplete"].as_str().unwrap_or_else(|| panic!("{name} {command}: {as_json}"));
            assert!(why.starts_with(INCOMPLETE) && why.len() > INCOMPLETE.len() + 10, "{why}");
            // CSV has no place for it.
            let as_csv = answer(folder.path(), command, name, "csv");
            assert!(!as_csv.contains("Incomplete dump"), "{name} {command}: {as_csv}");
        }
        for (command, form) in
            [("overview", "text"), ("overview", "markdown"), ("overview", "html"), ("leaks", "markdown")]
        {
            let report = answer(folder.path(), command, name, form);
            assert!(report.contains("Incomplete dump"), "{name} {command} {form}: {report}");
        }
        let summary = answer(folder.path(), "summary", name, "text");
        assert!(summary.contains("data lost") || summary.contains("error"), "{name}: {summary}");
    }
}

/// Certainties were measured on complete dumps: of a part nothing is said to leak, and the answer begins with that.
#[test]
fn an_incomplete_dump_has_no_leak() {
    let folder = tempfile::tempdir().expect("a folder");
    let complete = fixture("leak-after.hprof.gz");
    std::fs::write(folder.path().join("cut.hprof"), &complete[..complete.len() / 2]).expect("it can be written");
    let page: serde_json::Value =
        serde_json::from_str(&answer(folder.path(), "report", "cut.hprof", "json")).expect("JSON");
    let text = page.to_string();
    assert!(text.contains("Incomplete dump: in the part that was read, "), "{text}");
    assert!(!text.contains("Leak: ") && !text.contains("Leak, certainty"), "{text}");
}

/// What leads to an unreachable object may be in the missing part: nothing is said of garbage, and it is not put before
/// what holds objects.
#[test]
fn no_object_of_an_incomplete_dump_is_called_garbage() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, share) in [("leak-after-jdk25", 6), ("leak-after-jdk25", 8), ("leak-after", 6), ("leak-before-all", 8)] {
        let complete = fixture(&format!("{name}.hprof.gz"));
        std::fs::write(folder.path().join("cut.hprof"), &complete[..complete.len() / 10 * share])
            .expect("it can be written");
        for form in ["text", "markdown", "json", "html"] {
            let report = answer(folder.path(), "overview", "cut.hprof", form);
            for words in
                ["garbage collection frees", "as in a dump of", "held only by their own", "All objects are reachable"]
            {
                assert!(!report.contains(words), "{name}, {form}: {words}: {report}");
            }
        }
        let as_json = answer(folder.path(), "overview", "cut.hprof", "json");
        let json: serde_json::Value = serde_json::from_str(&as_json).expect("JSON");
        let findings = json["findings"].as_array().expect("findings");
        let kinds: Vec<&str> = findings.iter().filter_map(|finding| finding["kind"].as_str()).collect();
        if let Some(at) = kinds.iter().position(|&kind| kind == "garbage") {
            assert_eq!(at + 1, kinds.len(), "{name}: {kinds:?}");
            let title = findings[at]["title"].as_str().expect("a title");
            assert!(title.contains("unreachable in what was read"), "{title}");
        }
    }
}

#[test]
fn an_answer_about_a_complete_dump_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("whole.phd"), fixture("ibm/shop-v5.phd")).expect("it can be written");
    for form in ["text", "json", "csv"] {
        let output = heaplens(folder.path(), &["histogram", "whole.phd", "--format", form]);
        assert!(output.status.success());
        let message = text(&output.stdout) + &text(&output.stderr);
        assert!(!message.contains("ncomplete"), "{message}");
    }
}
