//! Answers of long searches kept in the cache folder, so that a later open of the dump has them at once.
//!
//! An answer belongs to the bytes of the dump, to the options it was read with, to the lists that the search uses, and
//! to this build of the program: another build may find something else.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use super::open_options::OpenOptions;
use super::storage_options::DumpFiles;
use heaplens_base::storage::Folder;
use heaplens_base::storage::checked_file::{read_checked, write_checked};
use heaplens_base::storage::folder::{ANSWER, Identity};
use heaplens_core::dump::facts::Facts;

/// Kept answers of one dump; none if answers are not kept.
#[derive(Clone, Default)]
pub struct KeptAnswers(Option<Arc<Place>>);

/// Where answers are kept.
struct Place {
    folder: Folder,
    /// Identity of the program.
    program: Identity,
    /// The dump and everything that changes its answers.
    dump: String,
}

impl KeptAnswers {
    /// Answers of a dump that is opened with these options. With other names, redacted values or other references,
    /// answers are not kept: those are rare, and the answers of their searches differ.
    pub(super) fn of(files: &DumpFiles, options: &OpenOptions) -> Self {
        let is_usual =
            options.mappings.is_empty() && !options.redact && !options.owner_rules && options.storage.target.is_none();
        let place = || {
            let folder = options.storage.folder.clone().filter(|_| is_usual)?;
            let program = Identity::of(&std::env::current_exe().ok()?).ok()?;
            let lists = fingerprint(&(&options.runtime_classes, &options.collections));
            let dump = format!("{:032x} {lists:016x}", u128::from_be_bytes(files.key));
            Some(Arc::new(Place { folder, program, dump }))
        };
        Self(place())
    }

    /// The kept answer, or else the computed one, which is kept unless the dump was not completely readable. `question`
    /// says what is asked, and `about` has everything that the answer depends on besides dump and options.
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
        let Some(place) = &self.0 else { return compute() };
        let key = place.program.key(&format!("{} {question} {:016x}", place.dump, fingerprint(about)));
        let file = place.folder.file(&key, ANSWER);
        let kept = read_checked(&file).and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(answer) = kept {
            Folder::used(&file);
            return Ok(answer);
        }
        let answer = compute()?;
        if facts.doubt().is_none()
            && let Ok(bytes) = serde_json::to_vec(&answer)
        {
            // A cache that cannot be written is no reason to fail.
            let _unwritten = write_checked(&file, &bytes);
        }
        Ok(answer)
    }
}

/// Hash that is the same in every run of this build.
fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
