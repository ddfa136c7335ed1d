//! The comparison of two dumps, kept beside them.

use heaplens_analysis::answer_file::LimitedBytes;
use heaplens_analysis::diff::{Comparison, Pair, compare};
use heaplens_base::storage::out_of_memory::memory_left;
use heaplens_base::{Cancelled, Task};

/// What is asked of two dumps, as the name of a kept answer.
const QUESTION: &str = "comparison";
/// Longest comparison that is kept, in bytes.
const LARGEST: u64 = 1_000_000_000;
/// Part of the memory left that it may take while it is written.
const PART_OF_MEMORY: u64 = 4;

/// Compares two dumps, unless their comparison is kept.
///
/// # Errors
/// When `task` is cancelled.
pub fn compare_dumps(pair: Pair<'_>, task: &Task) -> Result<Comparison, Cancelled> {
    let storages = pair.before.answers.storage().zip(pair.after.answers.storage());
    let Some((before, after)) = storages else { return compare(pair, task) };
    let name = format!("{} {QUESTION}", after.key());
    if let Some(bytes) = before.read(&name)
        && let Ok(stored) = postcard::from_bytes::<Comparison>(&bytes)
        && let Some(matches) = stored.matches.restored(pair)
    {
        return Ok(Comparison { matches, ..stored });
    }
    let comparison = compare(pair, task)?;
    let of_memory = memory_left().map_or(LARGEST, |left| left / PART_OF_MEMORY);
    let bytes = LimitedBytes::new(LARGEST.min(before.limit()).min(of_memory));
    if after.is_trusted()
        && let Ok(bytes) = postcard::to_io(&comparison, bytes)
    {
        before.write(&name, &bytes.into_bytes());
    }
    Ok(comparison)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::OpenOptions;
    use crate::dump::open_and_wait;
    use crate::storage_options::StorageOptions;
    use heaplens_base::storage::{Folder, folder::ANSWER};
    use heaplens_dump::Dump;

    fn opened(folder: &Path, name: &str) -> Dump {
        opened_with(folder, name, |_| {})
    }

    fn opened_with(folder: &Path, name: &str, change: impl FnOnce(&mut OpenOptions)) -> Dump {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
        let storage = StorageOptions { folder: Some(Folder::at(folder.to_owned())), ..StorageOptions::default() };
        let mut options = OpenOptions { storage, ..OpenOptions::default() };
        change(&mut options);
        open_and_wait(&path, &options, &Task::new()).expect("it opens")
    }

    fn answers(folder: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|e| e == ANSWER)).collect()
    }

    /// Everything that a comparison answers, as text.
    fn shown(comparison: &Comparison, before: &Dump, after: &Dump) -> String {
        let of = |dump: &Dump| (0..dump.facts.heap.len()).filter_map(heaplens_heap::ObjectId::new);
        let old: Vec<_> = of(before).map(|object| comparison.matches.match_status_of_before(object)).collect();
        let new: Vec<_> = of(after).map(|object| comparison.matches.match_status_of_after(object)).collect();
        let kinds = comparison.matches.kinds.all();
        format!("{old:?} {new:?} {kinds:?} {:?} {:?}", comparison.classes, comparison.growth)
    }

    #[test]
    fn a_later_comparison_of_the_same_dumps_is_read_and_equal() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = ["leak-before.hprof.gz", "leak-after.hprof.gz"];
        let [before, after] = names.map(|name| opened(folder.path(), name));
        let compared = |before: &Dump, after: &Dump| {
            let task = Task::new();
            let comparison =
                compare_dumps(Pair { before: before.data(), after: after.data() }, &task).expect("not cancelled");
            let is_computed = task.progress().finished.iter().any(|step| step.name == "Comparing classes");
            (shown(&comparison, before, after), is_computed)
        };
        let pair = Pair { before: before.data(), after: after.data() };
        let expected = shown(&compare(pair, &Task::new()).expect("not cancelled"), &before, &after);
        assert_eq!(compared(&before, &after), (expected.clone(), true));
        assert_eq!(compared(&before, &after), (expected.clone(), false));
        drop((before, after));
        let [before, after] = names.map(|name| opened(folder.path(), name));
        assert_eq!(compared(&before, &after), (expected.clone(), false), "after another open");
        assert!(compared(&after, &before).1, "the other way round is another answer");
        // Rows and classes have the same numbers when the dumps themselves are read again.
        drop((before, after));
        for entry in fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.extension().is_none_or(|e| e != ANSWER) {
                fs::remove_file(entry).expect("removed");
            }
        }
        let [before, after] = names.map(|name| opened(folder.path(), name));
        assert_eq!(compared(&before, &after), (expected.clone(), false), "without stored analyses");
        let files = answers(folder.path());
        assert_eq!(files.len(), 2);
        for file in files {
            let bytes = fs::read(&file).expect("bytes");
            fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
        }
        assert_eq!(compared(&before, &after), (expected, true), "half of a file is no answer");
    }

    /// Values that one side hides, or other rules: that comparison is another one.
    #[test]
    fn a_comparison_is_kept_only_if_answers_of_both_dumps_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = opened(folder.path(), "leak-before.hprof.gz");
        let redacted = opened_with(folder.path(), "leak-after.hprof.gz", |options| options.redact = true);
        for (before, after) in [(&plain, &redacted), (&redacted, &plain)] {
            compare_dumps(Pair { before: before.data(), after: after.data() }, &Task::new()).expect("not cancelled");
        }
        assert_eq!(answers(folder.path()).len(), 0);
        let strict = opened_with(folder.path(), "leak-after.hprof.gz", |options| {
            options.rules.min_strength = heaplens_heap::Strength::Strong;
        });
        let after = opened(folder.path(), "leak-after.hprof.gz");
        for after in [&strict, &after] {
            compare_dumps(Pair { before: plain.data(), after: after.data() }, &Task::new()).expect("not cancelled");
        }
        assert_eq!(answers(folder.path()).len(), 2);
    }

    /// Matches that do not fit the heaps, however they came there, are computed again.
    #[test]
    fn matches_of_other_heaps_are_not_restored() {
        let folder = tempfile::tempdir().expect("a folder");
        let [before, after] = ["leak-before.hprof.gz", "leak-after.hprof.gz"].map(|name| opened(folder.path(), name));
        let pair = Pair { before: before.data(), after: after.data() };
        let comparison = compare(pair, &Task::new()).expect("not cancelled");
        let written = postcard::to_allocvec(&comparison).expect("it can be written");
        let read = || postcard::from_bytes::<Comparison>(&written).expect("it can be read").matches;
        assert!(read().restored(pair).is_some());
        assert!(read().restored(pair.swapped()).is_none());
        for end in [0, 1, written.len() / 2, written.len() - 1] {
            assert!(postcard::from_bytes::<Comparison>(&written[..end]).is_err(), "{end} bytes");
        }
    }
}
