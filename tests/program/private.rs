//! Privacy and injection: redacted output contains no values of the program, and class names in a dump cannot inject
//! commands into programs that show the output.

use std::path::{Path, PathBuf};
use std::process::Command;

use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::v8::form;
use heaplens_testkit::v8::random::random;
use heaplens_testkit::v8::write::write as write_snapshot;

/// Values that must not appear in redacted output.
const SECRETS: [&str; 4] = ["hunter2", "7021949999777444321", "till of Mrs. Smith", "the-key-of-it"];

fn heaplens(words: &[&str], file: &Path, more: &[&str]) -> String {
    let (command, options) = words.split_first().expect("a command");
    let mut heaplens = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    let output =
        heaplens.arg(command).arg(file).args(options).args(more).arg("--no-cache").output().expect("it starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// A dump, and the id of an object with a secret number.
fn dump(folder: &Path) -> (PathBuf, String) {
    let sketch = notation::read(
        "class java.lang.Thread
           field name: object
         class java.util.HashMap
           field table: object
           field size: int
         class java.util.HashMap$Node
           field hash: int
           field key: object
           field value: object
           field next: object
         class shop.Vault
           field owner: object
           field pin: long
           static all: object = map
         main = java.lang.Thread name=till
         till = \"till of Mrs. Smith\"
         map = java.util.HashMap table=table size=1
         table = java.util.HashMap$Node[] node null
         node = java.util.HashMap$Node hash=1 key=key value=vault
         key = \"the-key-of-it\"
         vault = shop.Vault owner=owner pin=7021949999777444321
         owner = \"hunter2\"
         twin = \"hunter2\"
         both = java.lang.Object[] owner twin
         pins = long[] 7021949999777444321 7021949999777444321
         root main thread 1 trace 1
         root shop.Vault class
         root both global
         root pins global
         trace 1 thread 1
           frame shop.Vault.open ()V Vault.java 9",
    );
    let path = folder.join("private-folder").join("app.hprof");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let sketch = sketch.expect("a heap");
    std::fs::write(&path, write(&sketch, Form::MODERN)).expect("disk space");
    (path, format!("{:#x}", sketch.id("vault")))
}

/// All commands that print values of objects.
const QUESTIONS: [&[&str]; 23] = [
    &["summary"],
    &["overview"],
    &["object", "shop.Vault.all"],
    &["strings"],
    &["threads"],
    &["objects", "--owner", "--class", "shop.Vault"],
    &["objects", "--owner"],
    &["dominators", "--top", "100"],
    &["leaks", "--least", "1"],
    &["references", "shop.Vault.all"],
    &["waste"],
    &["collections"],
    &["roots"],
    &["loaders"],
    &["histogram"],
    &["paths", "shop.Vault.all"],
    &["paths", "--all", "--class", "shop.Vault"],
    &["retained", "shop.Vault.all"],
    &["retained-set", "shop.Vault.all"],
    &["related", "--class", "shop.Vault", "--by", "dominators"],
    &["search", "unter"],
    &["finalizers"],
    &["gaps"],
];

#[test]
fn a_redacted_answer_has_no_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, vault) = dump(folder.path());
    let mut output = String::new();
    for question in QUESTIONS.into_iter().chain([&["object", &*vault][..]]) {
        let formats = if question[0] == "overview" { ["text", "json", "html"] } else { ["text", "json", "csv"] };
        for format in formats {
            let more = ["--format", format];
            output += &heaplens(question, &path, &more);
            let redacted = heaplens(question, &path, &[&more[..], &["--redact"]].concat());
            for secret in SECRETS {
                assert!(!redacted.contains(secret), "{question:?} as {format}: {secret}\n{redacted}");
            }
            assert!(!redacted.contains("private-folder"), "{question:?} as {format}: {redacted}");
        }
    }
    for secret in SECRETS {
        assert!(output.contains(secret), "{secret} is said without --redact: the test can fail");
    }
    let redacted = heaplens(&["object", "shop.Vault.all"], &path, &["--redact"]);
    assert!(redacted.contains("java.util.HashMap") && redacted.contains("table"), "{redacted}");
}

/// `diff` prints the added keys of a grown collection.
#[test]
fn a_redacted_comparison_has_no_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let (before, _) = dump(folder.path());
    let after = before.with_file_name("later.hprof");
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
           field owner: object
           static all: object = map
         map = java.util.HashMap table=table size=2
         table = java.util.HashMap$Node[] node more
         node = java.util.HashMap$Node hash=1 key=key value=owner
         more = java.util.HashMap$Node hash=2 key=till value=owner
         key = \"the-key-of-it\"
         till = \"till of Mrs. Smith\"
         owner = \"hunter2\"
         root shop.Vault class",
    );
    std::fs::write(&after, write(&sketch.expect("a heap"), Form::MODERN)).expect("disk space");
    let after = after.to_str().expect("a path");
    let mut output = String::new();
    for of in ["", "owners", "classes", "strings", "threads", "collections", "leaks"] {
        for format in ["text", "json", "markdown"] {
            let of = if of.is_empty() { &[][..] } else { &["--of", of] };
            let question = [&["diff", after, "--format", format], of].concat();
            output += &heaplens(&question, &before, &[]);
            let redacted = heaplens(&question, &before, &["--redact"]);
            for secret in SECRETS.into_iter().chain(["private-folder"]) {
                assert!(!redacted.contains(secret), "{question:?}: {secret}\n{redacted}");
            }
        }
    }
    assert!(output.contains("till of Mrs. Smith") && output.contains("hunter2"), "the test can fail");
}

/// Redacted names are the same for all keys, so they lead to no object.
#[test]
fn links_of_redacted_reports_have_no_redacted_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = dump(folder.path());
    for question in [&["leaks", "--least", "1", "--format", "markdown"][..], &["overview", "--format", "html"]] {
        let redacted = heaplens(question, &path, &["--redact"]);
        assert!(redacted.contains("heaplens://open?dump="), "{question:?}: {redacted}");
        let mut links = redacted.split("heaplens://").skip(1).filter_map(|rest| rest.split(['"', ')', ' ']).next());
        assert!(links.all(|link| !link.contains("redacted")), "{question:?}: {redacted}");
    }
}

#[test]
fn strings_of_a_snapshot_are_redacted_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("app.heapsnapshot");
    let mut snapshot = random(3, 30);
    let text = snapshot.add("string", "hunter2 in a snapshot, which is long enough", 90_001, 64);
    let twin = snapshot.add("string", "hunter2 in a snapshot, which is long enough", 90_003, 64);
    for (index, of) in (0..).zip([text, twin]) {
        snapshot.number(0, "element", index, of);
    }
    std::fs::write(&path, write_snapshot(&snapshot, &form::Form::node20())).expect("disk space");
    for question in [&["strings"][..], &["objects"], &["dominators"], &["object", "@90001"]] {
        let redacted = heaplens(question, &path, &["--format", "json", "--redact"]);
        assert!(!redacted.contains("hunter2"), "{question:?}: {redacted}");
    }
    assert!(heaplens(&["strings"], &path, &[]).contains("hunter2"));
}

/// Function locations contain script paths, which may reveal the user.
#[test]
fn allocation_sites_are_redacted_too() {
    let recorded = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/node/recorded.heaptimeline.gz"));
    for question in [&["sites"][..], &["sites", "--format", "csv"], &["sites", "--format", "json"]] {
        assert!(heaplens(question, recorded, &[]).contains("/srv/"), "{question:?}: the test can fail");
        let redacted = heaplens(question, recorded, &["--redact"]);
        assert!(redacted.contains("(record.js:") && !redacted.contains("/srv/"), "{question:?}: {redacted}");
    }
}

/// Class names may be anything: a formula, a terminal escape sequence, a script.
#[test]
fn names_are_escaped_wherever_they_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sketch =
        notation::read("class Evil\nevil = Evil\nother = Evil\nroot evil global\nroot other global").expect("a heap");
    sketch.classes.iter_mut().filter(|class| class.name == "Evil").for_each(|class| {
        class.name = "=HYPERLINK(\"http://x\")\u{1b}]0;owned\u{7}<script>alert(1)</script>".to_owned();
    });
    let path = folder.path().join("evil.hprof");
    std::fs::write(&path, write(&sketch, Form::MODERN)).expect("disk space");
    let csv = heaplens(&["histogram"], &path, &["--format", "csv"]);
    let line = csv.lines().find(|line| line.contains("HYPERLINK")).expect("its row");
    assert!(line.starts_with("\"'=HYPERLINK"), "{line}");
    for question in QUESTIONS.iter().filter(|question| question.len() == 1) {
        let text = heaplens(question, &path, &[]);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{question:?}: {text:?}");
    }
    let obeyed = |text: &str| text.contains('\u{1b}') || text.contains('\u{7}') || text.contains('\u{9b}');
    // Errors take another path than results.
    for wish in
        [&["diff", path.to_str().expect("a path"), "--fail-if-grew", "a\u{1b}[31m=1"][..], &["object", "a\u{9b}31m"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .args([&wish[..1], &[path.to_str().expect("a path")], &wish[1..], &["--no-cache"]].concat())
            .output()
            .expect("it starts");
        let message = String::from_utf8(output.stderr).expect("text");
        assert!(!message.is_empty() && !obeyed(&message), "{wish:?}: {message:?}");
    }
    // csv is unchanged for programs, but not for terminals.
    #[cfg(target_os = "linux")]
    for format in ["csv", "json"] {
        assert!(format == "json" || obeyed(&csv));
        let line = format!(
            "{} histogram {} --no-cache --format {format} 2>/dev/null",
            env!("CARGO_BIN_EXE_heaplens"),
            path.display()
        );
        let output = Command::new("script").args(["-qec", &line, "/dev/null"]).output().expect("it starts");
        let shown = String::from_utf8(output.stdout).expect("text");
        assert!(shown.contains("HYPERLINK") && !obeyed(&shown), "{format}: {shown:?}");
    }
    let page = heaplens(&["overview"], &path, &["--format", "html"]);
    assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"));
}
