//! No command destroys a file that it reads, by whatever name, nor a file that is no output of the same kind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, write};

/// A folder with a dump, a second one, a mapping, rules, and a baseline of a check.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().expect("a folder") };
        let dump = |seed| write(&heaps::random(seed, 300), Form::MODERN);
        fs::write(files.at("a.hprof"), dump(7)).expect("written");
        fs::write(files.at("b.hprof"), dump(8)).expect("written");
        fs::write(files.at("mapping.txt"), "shop.Item -> a:\n    int size -> b\n").expect("written");
        fs::write(files.at("rules.txt"), "expected class shop.Item\n").expect("written");
        assert!(files.heaplens(&["check", "a.hprof", "--baseline", "leaks.txt", "--accept"]).status.success());
        files
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn heaplens(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
        command.current_dir(&self.folder).args(words).arg("--no-cache").output().expect("it starts")
    }

    /// Runs a command that must refuse to overwrite `stored`.
    fn refuses(&self, words: &[&str], stored: &str, why: &str) {
        let before = fs::read(self.at(stored)).expect("a file");
        let names = self.names();
        let output = self.heaplens(words);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {message}");
        assert!(message.contains(why), "{words:?}: {message}");
        assert_eq!(fs::read(self.at(stored)).expect("it is there"), before, "{words:?}");
        assert_eq!(self.names(), names, "{words:?}");
    }

    fn names(&self) -> Vec<PathBuf> {
        let mut names: Vec<PathBuf> =
            fs::read_dir(&self.folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        names.sort();
        names
    }
}

const READ: &str = "the command reads this file, so it is not overwritten";

#[test]
fn a_command_does_not_overwrite_what_it_reads() {
    let files = Files::new();
    fs::hard_link(files.at("a.hprof"), files.at("hard.hprof")).expect("a link");
    let mut names = vec!["a.hprof", "hard.hprof"];
    // Windows allows links to few users.
    if heaplens_platform::paths::link(Path::new("a.hprof"), &files.at("soft.hprof")).is_ok() {
        names.push("soft.hprof");
    }
    for name in names {
        files.refuses(&["index", "a.hprof", "--output", name], "a.hprof", READ);
        files.refuses(&["strip", "a.hprof", name], "a.hprof", READ);
        for form in ["--sarif", "--junit", "--markdown"] {
            files.refuses(&["check", "a.hprof", "--baseline", "leaks.txt", form, name], "a.hprof", READ);
        }
        files.refuses(&["digest", "a.hprof", "--jsonl", "--output", name], "a.hprof", READ);
    }
    // What it reads besides the dump, and what it writes besides.
    let check = ["check", "a.hprof", "--baseline", "leaks.txt"];
    let with = |more: &[&'static str]| [&check[..], more].concat();
    files.refuses(&with(&["--sarif", "leaks.txt"]), "leaks.txt", READ);
    files.refuses(&with(&["--mapping", "mapping.txt", "--markdown", "mapping.txt"]), "mapping.txt", READ);
    files.refuses(&with(&["--rules", "rules.txt", "--junit", "./rules.txt"]), "rules.txt", READ);
    let first = ["digest", "a.hprof", "--output", "base.jsonl"];
    assert!(files.heaplens(&first).status.success());
    let onto_baseline = ["digest", "a.hprof", "--baseline", "base.jsonl", "--output", "base.jsonl"];
    files.refuses(&onto_baseline, "base.jsonl", READ);
    assert!(files.heaplens(&with(&["--sarif", "one", "--junit", "one"])).status.code() == Some(1));
}

#[test]
fn a_command_does_not_overwrite_a_file_of_another_kind() {
    let files = Files::new();
    let other = "so it is not overwritten. Delete it, or choose another name";
    let packed = heaplens_testkit::archives::zip(&[("b.hprof", &fs::read(files.at("b.hprof")).expect("a dump"))]);
    fs::write(files.at("b.zip"), packed).expect("written");
    fs::write(files.at("b.heapsnapshot"), "{\"snapshot\":{\"meta\":{}}}").expect("written");
    for name in ["b.hprof", "b.zip", "b.heapsnapshot"] {
        files.refuses(&["index", "a.hprof", "--output", name], name, other);
        files.refuses(&["check", "a.hprof", "--baseline", "leaks.txt", "--sarif", name], name, other);
        files.refuses(&["check", "a.hprof", "--baseline", "leaks.txt", "--markdown", name], name, other);
        files.refuses(&["digest", "a.hprof", "--jsonl", "--output", name], name, other);
    }
    files.refuses(&["strip", "a.hprof", "b.hprof"], "b.hprof", "a dump that is not stripped has this name");
    files.refuses(&["strip", "a.hprof", "rules.txt"], "rules.txt", other);
    files.refuses(&["index", "a.hprof", "--output", "rules.txt"], "rules.txt", other);
    let pages = files.at("pages");
    fs::create_dir(&pages).expect("a folder");
    fs::copy(files.at("b.hprof"), pages.join("heaplens.1")).expect("a copy");
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens")).args(["generate", "man"]).arg(&pages).output();
    assert_eq!(output.expect("it starts").status.code(), Some(1));
    assert_eq!(fs::read(pages.join("heaplens.1")).expect("a file"), fs::read(files.at("b.hprof")).expect("a dump"));
    fs::create_dir(files.at("tables")).expect("a folder");
    fs::copy(files.at("b.hprof"), files.at("tables/classes.parquet")).expect("a copy");
    files.refuses(
        &["export", "a.hprof", "--tables", "classes", "--output", "tables", "--force"],
        "tables/classes.parquet",
        other,
    );
}

#[test]
fn a_command_replaces_its_earlier_output() {
    let files = Files::new();
    let commands: [&[&str]; 5] = [
        &["index", "a.hprof", "--output", "a.heaplens"],
        &["strip", "a.hprof", "stripped.hprof"],
        &["digest", "a.hprof", "--output", "a.parquet"],
        &[
            "check",
            "a.hprof",
            "--baseline",
            "leaks.txt",
            "--sarif",
            "a.sarif",
            "--junit",
            "a.xml",
            "--markdown",
            "a.md",
        ],
        &["export", "a.hprof", "--tables", "classes", "--output", "tables", "--force"],
    ];
    for words in commands {
        for _ in 0..2 {
            let output = files.heaplens(words);
            assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    let is_part = |path: &PathBuf| path.to_string_lossy().contains(".heaplens-");
    assert!(!files.names().iter().any(is_part), "nothing unfinished is left");
    // An empty file may be a temporary one that a script made.
    File::create(files.at("empty")).expect("a file");
    assert!(files.heaplens(&["index", "a.hprof", "--output", "empty"]).status.success());
}

/// Files with values are private; others have the usual permissions.
#[cfg(unix)]
#[test]
fn files_with_values_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let files = Files::new();
    let mode = |name: &str| fs::metadata(files.at(name)).expect("a file").permissions().mode() & 0o777;
    let default = mode("a.hprof");
    for (words, name, is_private) in [
        (&["digest", "a.hprof", "--output", "plain.jsonl"][..], "plain.jsonl", false),
        (&["digest", "a.hprof", "--values", "--output", "values.jsonl"], "values.jsonl", true),
        (&["strip", "a.hprof", "stripped.hprof"], "stripped.hprof", false),
        (&["index", "a.hprof", "--output", "a.heaplens"], "a.heaplens", true),
        (&["export", "a.hprof", "--tables", "strings", "--values", "--output", "."], "strings.parquet", true),
        (&["export", "a.hprof", "--tables", "classes", "--output", "."], "classes.parquet", false),
    ] {
        let output = files.heaplens(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(mode(name), if is_private { 0o600 } else { default }, "{words:?}");
    }
}

/// Devices and pipes are written to, not replaced.
#[cfg(unix)]
#[test]
fn a_device_is_written_to() {
    let files = Files::new();
    let to_output = files.heaplens(&["check", "a.hprof", "--baseline", "leaks.txt", "--markdown", "/dev/stdout"]);
    let text = String::from_utf8(to_output.stdout).expect("text");
    assert!(to_output.status.success() && text.contains('#'), "{text}");
    let link = files.at("null");
    std::os::unix::fs::symlink("/dev/null", &link).expect("a link");
    assert!(files.heaplens(&["digest", "a.hprof", "--jsonl", "--output", "null"]).status.success());
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    files.refuses(&["index", "a.hprof", "--output", "null"], "a.hprof", "not a regular file");
}
