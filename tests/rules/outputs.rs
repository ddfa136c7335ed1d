//! Files that a person asked for are written in one way: `heaplens_session::output_file`. Elsewhere, only files of heaplens
//! itself are written.

use super::imports::{rust_files, sources, tokens, without_tests};

/// Files that write others, and why.
const WRITERS: [(&str, &str); 20] = [
    ("crates/session/src/output_file.rs", "the way in which outputs are written"),
    ("crates/platform/src/files/pending.rs", "files that are complete or do not exist"),
    ("crates/platform/src/local_socket/windows.rs", "the port of the window that is open"),
    ("crates/base/src/storage/checked_file.rs", "the cache"),
    (
        "crates/base/src/storage/column_file.rs",
        "the cache, and an index, whose name `index` checks as that of an output",
    ),
    ("crates/base/src/storage/folder.rs", "the cache"),
    ("crates/base/src/storage/memory_budget.rs", "files without a name"),
    ("crates/base/src/storage/kept_copy.rs", "the cache"),
    ("crates/formats/src/scratch_file.rs", "files without a name"),
    ("crates/platform/src/files/temporary.rs", "the names of unfinished files"),
    ("crates/platform/src/files/unix.rs", "times of files in the cache, and files without a name"),
    ("crates/platform/src/files/windows.rs", "times of files in the cache"),
    ("crates/session/src/instance/assistant_endpoint.rs", "a lock"),
    ("crates/session/src/instance/mod.rs", "a lock"),
    ("crates/session/src/runtime_classes.rs", "a list of the user, only where there is none"),
    ("crates/session/src/saved_session/mod.rs", "settings, and their locks"),
    ("crates/session/src/saved_session/saved_file.rs", "settings, and their locks"),
    ("crates/take/src/destination.rs", "dumps, only where no file has the name"),
    ("crates/take/src/jvm/attach.rs", "the file that asks a JVM to listen"),
    ("src/cli/generate.rs", "pages in a temporary folder, on their way"),
];

/// Calls that create, fill, move or open a file for writing.
const CALLS: [&[&str]; 15] = [
    &["fs", "::", "write"],
    &["fs", "::", "copy"],
    &["fs", "::", "rename"],
    &["fs", "::", "hard_link"],
    &["File", "::", "create"],
    &["File", "::", "create_new"],
    &["File", "::", "options"],
    &["OpenOptions", "::", "new"],
    &["tempfile_in"],
    &["NamedTempFile"],
    &["persist"],
    &["persist_new"],
    &["persist_noclobber"],
    &["save_with_format"],
    &["generate_to"],
];

#[test]
fn outputs_are_written_in_one_way() {
    let mut writers = Vec::new();
    for file in sources().iter().filter(|folder| *folder != "crates/testkit/src").flat_map(|folder| rust_files(folder))
    {
        let (path, source) = file;
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            continue;
        }
        let tokens = tokens(without_tests(&source));
        let is_call = |call: &&[&str]| tokens.windows(call.len()).any(|window| *window == **call);
        if CALLS.iter().any(is_call) {
            writers.push(path);
        }
    }
    let mut allowed: Vec<&str> = WRITERS.iter().map(|(path, _)| *path).collect();
    writers.sort();
    allowed.sort_unstable();
    assert_eq!(writers, allowed, "files that a person asked for are written by heaplens_session::output_file");
}
