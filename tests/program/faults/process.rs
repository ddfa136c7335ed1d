//! Limits that a system sets for a process.

use std::path::Path;
use std::process::{Command, Output};

use super::{files, made};

/// Runs heaplens under limits of the shell.
fn limited(limits: &str, words: &str, dump: &Path, cache: &Path) -> Output {
    let script = format!("{limits} && exec \"$0\" {words} \"$1\" --cache-dir \"$2\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_heaplens")]).arg(dump).arg(cache);
    shell.output().expect("a shell")
}

/// With any number of addresses there is an answer or one sentence; never an abort.
#[test]
#[cfg(target_os = "linux")]
fn without_address_space_the_open_fails_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = made(folder.path(), 300_000);
    let cache = folder.path().join("cache");
    let (mut answered, mut refused) = (0, 0);
    // The program alone, in a build for tests, maps about 70 MB.
    for megabytes in (120..420).step_by(10) {
        let limits = format!("ulimit -v {}", megabytes * 1024);
        let output = limited(&limits, "summary --no-cache --threads 2", &dump, &cache);
        let text = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => answered += 1,
            Some(1) => {
                assert!(text.contains("not enough memory"), "{megabytes} MB: {text}");
                assert!(text.lines().count() == 1, "{megabytes} MB: {text}");
                refused += 1;
            }
            _ => panic!("{megabytes} MB: {}: {text}", output.status),
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
}

/// A disk that is full, as a limit on the size of files: the answer is there all the same.
#[test]
fn a_full_disk_only_prevents_storing() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = made(folder.path(), 20_000);
    let (cache, other) = (folder.path().join("cache"), folder.path().join("other"));
    let words = "dominators --format csv --top 50";
    let wanted = limited("true", words, &dump, &other);
    // 16 KiB: not even the first column fits. The signal sent with it is an ordinary error.
    let output = limited("ulimit -f 32", words, &dump, &cache);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout == wanted.stdout);
    assert!(files(&cache).is_empty(), "{:?}", files(&cache));
}
