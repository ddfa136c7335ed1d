//! Answers of long searches kept in the cache folder, so that a later open of the dump has them at once.
//!
//! An answer belongs to the bytes of the dump, or of both dumps that are compared, to the options they were read with, to
//! the lists that the search uses, and to this build of the program: another build may find something else.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use super::open_options::OpenOptions;
use super::storage_options::DumpFiles;
use heaplens_base::storage::Folder;
use heaplens_base::storage::build_key::{contents_key, name_key};
use heaplens_base::storage::checked_file::{read_checked, write_checked};
use heaplens_base::storage::folder::ANSWER;
use heaplens_base::storage::out_of_memory::memory_left;
use heaplens_dump::facts::Facts;

/// Longest answer that is kept, in bytes: reading a longer one takes about as long as some searches.
const MOST: usize = 128_000_000;
/// Longest kept answer with columns, in bytes.
const MOST_PACKED: u64 = 1_000_000_000;
/// Part of the cache folder that one of these may fill: stored analyses should not be deleted for it.
const PART_OF_FOLDER: u64 = 10;
/// Part of the memory left that it may take while it is written.
const PART_OF_MEMORY: u64 = 4;

/// Kept answers about one dump, or about two that are compared; none if answers are not kept.
#[derive(Clone, Default)]
pub struct KeptAnswers(Option<Arc<Place>>);

/// Where answers are kept.
struct Place {
    folder: Folder,
    /// The dumps and everything that changes their answers.
    dumps: String,
}

impl KeptAnswers {
    /// Answers of a dump that is opened with these options. With other names, redacted values or other references,
    /// answers are not kept: those are rare, and the answers of their searches differ.
    pub(super) fn of(files: &DumpFiles, options: &OpenOptions) -> Self {
        let is_usual =
            options.mappings.is_empty() && !options.redact && !options.owner_rules && options.storage.target.is_none();
        let place = || {
            let folder = options.storage.folder.clone().filter(|_| is_usual)?;
            let lists = fingerprint(&(&options.runtime_classes, &options.collections));
            let dump = format!("{:032x} {lists:016x}", u128::from_be_bytes(files.name));
            Some(Arc::new(Place { folder, dumps: dump }))
        };
        Self(place())
    }

    /// Answers about this dump and another one; none if answers of either are not kept.
    #[must_use]
    pub(super) fn with(&self, other: &Self) -> Self {
        let both = self
            .0
            .as_ref()
            .zip(other.0.as_ref())
            .map(|(one, other)| Place { folder: one.folder.clone(), dumps: format!("{} {}", one.dumps, other.dumps) });
        Self(both.map(Arc::new))
    }

    /// The kept answer, or else the computed one, which is kept unless the dump changed or its stored analysis was found
    /// damaged. `question` says what is asked, and `about` has everything that the answer depends on besides dump and options.
    ///
    /// # Errors
    /// That of the computation.
    pub fn get_or<T: Serialize + DeserializeOwned, E>(
        &self,
        question: &str,
        about: &impl Hash,
        facts: &Facts,
        compute: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let read = |bytes: &[u8]| serde_json::from_slice(bytes).ok();
        let write = |answer: &T| {
            let mut bytes = Limited { bytes: Vec::new(), most: MOST };
            serde_json::to_writer(&mut bytes, answer).ok().map(|()| bytes.bytes)
        };
        self.read_or(&format!("{question} {:016x}", fingerprint(about)), &[facts], (read, write), compute)
    }

    /// Like [`Self::get_or`], for an answer from two dumps with long columns. A kept one counts if `restored` returns it.
    ///
    /// # Errors
    /// That of the computation.
    pub fn get_packed_or<T: Serialize + DeserializeOwned, E>(
        &self,
        question: &str,
        facts: [&Facts; 2],
        restored: impl FnOnce(T) -> Option<T>,
        compute: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let read = |bytes: &[u8]| postcard::from_bytes(bytes).ok().and_then(restored);
        let write = |answer: &T| {
            let of_folder = self.0.as_ref().map_or(0, |place| place.folder.limit / PART_OF_FOLDER);
            let of_memory = memory_left().map_or(MOST_PACKED, |left| left / PART_OF_MEMORY);
            let most = MOST_PACKED.min(of_folder).min(of_memory) as usize;
            postcard::to_io(answer, Limited { bytes: Vec::new(), most }).ok().map(|written| written.bytes)
        };
        self.read_or(question, &facts, (read, write), compute)
    }

    fn read_or<T, E>(
        &self,
        question: &str,
        facts: &[&Facts],
        (read, write): (impl FnOnce(&[u8]) -> Option<T>, impl FnOnce(&T) -> Option<Vec<u8>>),
        compute: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(place) = &self.0 else { return compute() };
        let name = name_key(&format!("{} {question}", place.dumps));
        let (file, key) = (place.folder.file(&name, ANSWER), contents_key(&name));
        if let Some(answer) = read_checked(&file, &key).and_then(|bytes| read(&bytes)) {
            Folder::used(&file);
            return Ok(answer);
        }
        let answer = compute()?;
        if facts.iter().all(|facts| facts.doubt().is_none())
            && let Some(bytes) = write(&answer)
        {
            // A cache that cannot be written, or not be listed, is no reason to fail.
            let _unwritten = write_checked(&file, &key, &bytes).and_then(|()| place.folder.make_room(&file));
        }
        Ok(answer)
    }
}

/// Bytes, of which more than `most` fail to be written.
struct Limited {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hash that is the same in every run of this build.
fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::LoadedDump;
    use crate::dump::open_and_wait;
    use crate::storage_options::StorageOptions;
    use heaplens_base::Task;

    fn opened(folder: &Path, change: impl FnOnce(&mut OpenOptions)) -> LoadedDump {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-before.hprof.gz");
        let storage = StorageOptions { folder: Some(Folder::at(folder.to_owned())), ..StorageOptions::default() };
        let mut options = OpenOptions { storage, ..OpenOptions::default() };
        change(&mut options);
        open_and_wait(&path, &options, &Task::new()).expect("it opens")
    }

    /// The answer, and true if it was computed.
    fn ask(dump: &LoadedDump, question: &str, about: u32, answer: &[f64]) -> (Vec<f64>, bool) {
        let mut is_computed = false;
        let found = dump.kept.get_or(question, &about, &dump.facts, || {
            is_computed = true;
            Ok::<_, ()>(answer.to_vec())
        });
        (found.expect("an answer"), is_computed)
    }

    fn answers(folder: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|e| e == ANSWER)).collect()
    }

    #[test]
    fn a_later_open_has_the_answer() {
        let folder = tempfile::tempdir().expect("a folder");
        let dump = opened(folder.path(), |_| {});
        let exact = [0.1 + 0.2, 1.0 / 3.0];
        assert_eq!(ask(&dump, "a", 1, &exact), (exact.to_vec(), true));
        assert_eq!(ask(&dump, "a", 1, &[]), (exact.to_vec(), false), "the same open");
        drop(dump);
        let dump = opened(folder.path(), |_| {});
        assert_eq!(ask(&dump, "a", 1, &[]), (exact.to_vec(), false), "a later open");
        assert!(ask(&dump, "a", 2, &[]).1 && ask(&dump, "b", 1, &[]).1, "other questions");
        // A damaged file is no answer.
        let files = answers(folder.path());
        assert_eq!(files.len(), 3);
        for file in &files {
            fs::write(file, b"damaged").expect("written");
        }
        assert_eq!(ask(&dump, "a", 1, &[5.0]), (vec![5.0], true));
        assert_eq!(
            Folder::at(folder.path().to_owned()).clear().expect("cleared") > 0,
            answers(folder.path()).is_empty()
        );
    }

    #[test]
    fn answers_with_other_lists_or_other_contents_are_others() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(ask(&opened(folder.path(), |_| {}), "a", 1, &[1.0]).1);
        let other = |options: &mut OpenOptions| {
            options.runtime_classes = Arc::new(heaplens_analysis::RuntimeClasses::with("org.acme."));
        };
        assert!(ask(&opened(folder.path(), other), "a", 1, &[2.0]).1, "other runtime classes");
        let redacted = opened(folder.path(), |options| options.redact = true);
        assert!(ask(&redacted, "a", 1, &[3.0]).1 && ask(&redacted, "a", 1, &[4.0]).1, "nothing is kept");
        assert_eq!(answers(folder.path()).len(), 2);
    }
}
