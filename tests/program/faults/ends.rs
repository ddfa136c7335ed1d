//! How commands end: streams that are closed, files that are none, data on which another crate panics, signals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::{files, made};

fn heaplens(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that must end by itself.
fn ended(command: &mut Command) -> Output {
    let mut child = command.spawn().expect("it starts");
    let since = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if since.elapsed() > Duration::from_mins(2) {
            child.kill().expect("a child");
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("a child")
}

/// The crate that reads Parquet panics on these files: nobody sees that.
#[test]
fn damaged_digests_are_one_sentence() {
    for name in ["negative-offset.parquet", "no-dictionary.parquet"] {
        let file = format!("{}/fixtures/damaged/{name}", env!("CARGO_MANIFEST_DIR"));
        let output = ended(heaplens(&["fleet", &file]).env("RUST_BACKTRACE", "1"));
        assert_eq!(messages(&output), format!("heaplens: {file}: Parquet error: the file is damaged\n"));
        assert_eq!(output.status.code(), Some(1));
    }
}

#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("a command of POSIX").success());
}

/// Pipes, devices and folders among digests are named; the others are read.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_read_as_a_digest() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let dump = made(folder.path(), 300);
    let written = at("digests");
    fs::create_dir(&written).expect("a folder");
    let digest = written.join("a.jsonl");
    let output = ended(heaplens(&["digest", "--no-cache", "-o"]).arg(&digest).arg(&dump));
    assert!(output.status.success(), "{}", messages(&output));
    let alone = ended(heaplens(&["fleet", "--format", "json"]).arg(&written));
    pipe(&written.join("b.jsonl"));
    pipe(&written.join("c.parquet"));
    std::os::unix::fs::symlink("/dev/zero", written.join("d.jsonl")).expect("a link");
    let output = ended(heaplens(&["fleet", "--format", "text"]).arg(&written));
    assert!(alone.status.success() && output.status.success(), "{}", messages(&output));
    let all = messages(&output) + &String::from_utf8_lossy(&output.stdout);
    for why in ["b.jsonl: a pipe", "c.parquet: a pipe", "d.jsonl: a device"] {
        assert!(all.contains(&format!("{why}, not a regular file")), "{why}: {all}");
    }
}

/// A pipe with a name is read as a stream, as `-` is.
#[test]
#[cfg(unix)]
fn a_named_pipe_is_read_as_a_stream() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = made(folder.path(), 300);
    let named = folder.path().join("pipe");
    pipe(&named);
    let words = ["histogram", "--format", "csv", "--no-cache"];
    let wanted = ended(heaplens(&words).arg(&dump));
    let bytes = fs::read(&dump).expect("a file");
    let writer = std::thread::spawn({
        let named = named.clone();
        move || fs::OpenOptions::new().write(true).open(named).and_then(|mut pipe| pipe.write_all(&bytes))
    });
    let output = ended(heaplens(&words).arg(&named));
    writer.join().expect("no panic").expect("it is read to its end");
    assert!(output.status.success(), "{}", messages(&output));
    assert!(output.stdout == wanted.stdout && !wanted.stdout.is_empty());
}

/// Devices without an end are refused before they are read, and a large file of zeros is not searched.
#[test]
#[cfg(target_os = "linux")]
fn what_has_no_end_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let sparse = folder.path().join("sparse");
    fs::File::create(&sparse).and_then(|file| file.set_len(1 << 38)).expect("a sparse file");
    for (words, why) in [
        (vec!["summary", "/dev/zero"], "a device, not a regular file"),
        (vec!["summary", sparse.to_str().expect("UTF-8")], "found zeros"),
    ] {
        let output = ended(&mut heaplens(&words));
        assert_eq!(output.status.code(), Some(1));
        assert!(messages(&output).contains(why), "{}", messages(&output));
    }
    let zeros = fs::File::open("/dev/zero").expect("a device");
    let output = ended(heaplens(&["summary", "-"]).stdin(zeros));
    assert!(messages(&output).contains("found zeros"), "{}", messages(&output));
}

/// Nothing is printed where nothing can be, and the status says so.
#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error() {
    for words in ["summary \"$1\" --no-cache", "--help", "version"] {
        let script = format!("exec \"$0\" {words} >&-");
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/leak-after.hprof.gz");
        let output = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_heaplens"), fixture]).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(messages(&output).starts_with("heaplens: cannot write the output: standard output is closed"));
        assert_eq!(messages(&output).lines().count(), 1);
    }
}

/// A file that is being written is removed when the process is asked to end.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_leaves_no_unfinished_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = made(folder.path(), 60_000);
    let cache = folder.path().join("cache");
    let mut seen = 0;
    for signal in ["TERM", "INT", "HUP"] {
        let mut child = heaplens(&["summary", "--cache-dir"]).arg(&cache).arg(&dump).spawn().expect("it starts");
        while files(&cache).is_empty() && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.is_ok());
        let ended = child.wait().expect("a child");
        seen += usize::from(ended.code().is_none());
        let unfinished = files(&cache).into_iter().filter(|file| file.extension().is_none());
        assert_eq!(unfinished.count(), 0, "{signal}");
        fs::remove_dir_all(&cache).expect("a folder");
    }
    assert!(seen > 0, "none ended by its signal");
}
