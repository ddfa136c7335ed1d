//! Invisible characters, in names and strings of a dump: every answer for people shows them as escapes, and JSON
//! keeps the text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use heaplens_base::invisible::is_invisible;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// Without width, direction, tags, a variation selector, private use, a joiner between letters that need none.
const HIDDEN: &str = "A\u{200b}b\u{202e}c\u{e0041}\u{e0042}d\u{fe0f}e\u{e000}f\u{200d}g\u{2066}h\u{ad}i";
const SHOWN: &str = "A\\u{200b}b\\u{202e}c\\u{e0041}\\u{e0042}d\\u{fe0f}e\\u{e000}f\\u{200d}g\\u{2066}h\\u{ad}i";

fn dump(folder: &Path) -> PathBuf {
    let sketch = notation::read(&format!(
        "class shop.{HIDDEN}
           field note: object
         a = shop.{HIDDEN} note=text
         b = shop.{HIDDEN} note=same
         text = \"note {HIDDEN}\u{2028}more of it, long enough to be listed\"
         same = \"note {HIDDEN}\u{2028}more of it, long enough to be listed\"
         all = java.lang.Object[] a b
         root all global"
    ));
    let path = folder.join("hidden.hprof");
    fs::write(&path, write(&sketch.expect("a heap"), Form::MODERN)).expect("disk space");
    path
}

fn answer(dump: &Path, words: &[&str]) -> String {
    let (command, options) = words.split_first().expect("a command");
    let mut heaplens = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    let output = heaplens.arg(command).arg(dump).args(options).arg("--no-cache").output().expect("it starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

#[test]
fn people_see_what_is_hidden() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = dump(folder.path());
    for (words, shown) in [
        (&["histogram"][..], SHOWN),
        (&["dominators"], SHOWN),
        (&["objects"], SHOWN),
        (&["strings"], SHOWN),
        (&["search", "note"], SHOWN),
        (&["paths", "--all", "--class", &format!("shop.{HIDDEN}")], SHOWN),
        (&["query", "SELECT DISTINCT class FROM objects"], SHOWN),
        (&["diff", dump.to_str().expect("UTF-8"), "--format", "markdown"], ""),
        (&["overview"], ""),
        (&["overview", "--format", "markdown"], ""),
        (&["overview", "--format", "html"], ""),
        (&["leaks", "--least", "0"], ""),
        (&["leaks", "--least", "0", "--format", "markdown"], ""),
    ] {
        let text = answer(&dump, words);
        let hidden: Vec<char> = text.chars().filter(|&c| is_invisible(c) && c != '\n').collect();
        assert!(hidden.is_empty(), "{words:?}: {hidden:?}: {text}");
        assert!(text.contains(shown), "{words:?}: {text}");
    }
    let json = answer(&dump, &["histogram", "--format", "json"]);
    assert!(json.contains(&format!("shop.{HIDDEN}")), "programs get the text: {json}");
}
