//! Classes of one name from several class loaders: each row says which loader, and dumps without such classes have no
//! column for it.

use std::path::Path;
use std::process::Command;

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use serde_json::Value;

/// Two loaders that define a class each, of which the second gets the name of the first.
const PLUGINS: &str = r#"
class java.lang.ClassLoader
  field name: object
class a.Loader extends java.lang.ClassLoader
class a.Plugin by one
  field bytes: object
class a.Renamed by two
  field bytes: object
class a.Host
  static first: object = p1
  static second: object = p2
one@0x7000 = a.Loader name=oneName
two@0x7100 = a.Loader name=twoName
oneName = "one"
twoName = "two"
p1 = a.Plugin bytes=b1
p2 = a.Renamed bytes=b2
b1 = byte[] 1 2 3
b2 = byte[] 1 2 4
root a.Host class
root one global
root two global
"#;

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
fn rows_of_one_class_name_say_their_loader() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plugins.hprof");
    let mut sketch = notation::read(PLUGINS).unwrap_or_else(|why| panic!("{why}"));
    for class in sketch.classes.iter_mut().filter(|class| class.name == "a.Renamed") {
        class.name = "a.Plugin".to_owned();
    }
    std::fs::write(&path, write(&sketch, Form::MODERN)).expect("written");
    let dump = path.to_str().expect("a path");
    let answer: Value = serde_json::from_str(&run(&["histogram", dump, "--format", "json"])).expect("json");
    let rows: Vec<&Value> =
        answer["rows"].as_array().expect("rows").iter().filter(|row| row["class"] == "a.Plugin").collect();
    let mut ids: Vec<&str> = rows.iter().filter_map(|row| row["loader_id"].as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["0x7000", "0x7100"], "{rows:?}");
    assert!(rows.iter().all(|row| row["loader"].as_str().is_some_and(|loader| loader.starts_with("a.Loader"))));
    // Others are told apart by their names.
    let host = answer["rows"].as_array().expect("rows").iter().find(|row| row["class"] == "a.Loader");
    assert!(host.is_some_and(|row| row["loader"].is_null()), "{host:?}");
    for form in ["text", "csv"] {
        let text = run(&["histogram", dump, "--format", form]);
        assert!(text.contains("0x7000") && text.contains("0x7100"), "{text}");
    }
    let table = run(&["query", dump, "SELECT loader_id FROM classes WHERE class = 'a.Plugin' ORDER BY 1"]);
    assert!(table.contains("0x7000") && table.contains("0x7100"), "{table}");
}

#[test]
fn other_dumps_have_no_such_column() {
    let dump = Path::new("fixtures/keys-before.hprof.gz").to_str().expect("a path");
    for form in ["text", "csv", "json"] {
        let text = run(&["histogram", dump, "--format", form]);
        assert!(!text.to_lowercase().contains("loader_id") && !text.contains("Loader id"), "{form}");
    }
}
