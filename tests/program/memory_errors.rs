//! An `OutOfMemoryError` in the first lines of summary, overview and reports, and in JSON; redacted, without values.

use std::process::Command;

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use serde_json::Value;

/// A caught error of direct buffers, which a static holds.
const TILES: &str = "
class java.lang.Thread
  field name: object
class java.lang.Throwable
  field backtrace: object
  field detailMessage: object
  field stackTrace: object
  field depth: int
class java.lang.OutOfMemoryError extends java.lang.Throwable
class java.nio.Bits
class desk.Tiles
  static lastError: object = thrown
main = java.lang.Thread name=mainName
mainName = \"tiles of alice\"
thrown = java.lang.OutOfMemoryError detailMessage=message backtrace=chunk depth=2
message = \"Cannot reserve 1048576 bytes of direct buffer memory (allocated: 67108864, limit: 67108864)\"
chunk = java.lang.Object[] methods classes null
methods = short[] 1 2
classes = java.lang.Object[] java.nio.Bits desk.Tiles
root desk.Tiles class
root main thread 7 trace 3
root thrown frame 7 0
trace 3 thread 7
  frame desk.Tiles.draw ()V Tiles.java 44
";

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .arg("--no-cache")
        .output()
        .expect("heaplens starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn answers_begin_with_the_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiles.hprof");
    std::fs::write(&path, write(&notation::read(TILES).expect("a heap"), Form::MODERN)).expect("disk space");
    let dump = path.to_str().expect("a path");
    let sentence = "OutOfMemoryError: Direct buffer memory, thrown before the dump was taken, caught in thread \"tiles \
                    of alice\", in Tiles: it wanted 1.0 MB, 67.1 MB of 67.1 MB were in use. The heap has ";
    let summary = run(&["summary", dump]);
    assert!(summary.contains(&format!("Error        {sentence}")), "{summary}");
    let overview = run(&["overview", dump]);
    assert!(overview.lines().nth(1).is_some_and(|line| line.starts_with(sentence)), "{overview}");
    let is_fact = |line: &str| {
        line.starts_with("OutOfMemoryError  ")
            && line.contains("  Direct buffer memory, thrown before the dump was taken")
    };
    assert!(overview.lines().any(is_fact), "{overview}");
    let markdown = run(&["overview", dump, "--format", "markdown"]);
    assert!(markdown.contains("\n**OutOfMemoryError: Direct buffer memory"), "{markdown}");
    let html = run(&["overview", dump, "--format", "html"]);
    assert!(html.contains("<p class=\"error\">OutOfMemoryError: Direct buffer memory"), "{html}");
    for command in ["summary", "overview"] {
        let json: Value = serde_json::from_str(&run(&[command, dump, "--format", "json"])).expect("json");
        let (errors, first) = (&json["out_of_memory"], &json["out_of_memory"]["errors"][0]);
        assert_eq!((&errors["count"], &first["kinds"][0]), (&Value::from(1), &Value::from("direct-memory")));
        assert_eq!((&first["known_by"], &first["occasion"]), (&Value::from("message"), &Value::from("earlier")));
        assert_eq!((&first["class"], &first["thread"]["name"]), (&"desk.Tiles".into(), &"tiles of alice".into()));
        assert_eq!((&first["wanted_bytes"], &first["limit_bytes"]), (&1_048_576.into(), &67_108_864.into()));
    }
    // The message has no values of the program, the name of a thread may have some.
    let redacted = run(&["overview", dump, "--redact"]);
    let sentence =
        "OutOfMemoryError: Direct buffer memory, thrown before the dump was taken, in Tiles: it wanted 1.0 MB, 67.1 MB";
    assert!(redacted.lines().nth(1).is_some_and(|line| line.starts_with(sentence)), "{redacted}");
    assert!(!redacted.contains("alice"));
}
