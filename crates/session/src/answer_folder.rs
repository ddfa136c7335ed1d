//! Answers of long searches kept in the cache folder, so that a later open of the dump has them at once.
//!
//! An answer belongs to the bytes of the dump, or of both dumps that are compared, to the options they were read with, to
//! the lists that the search uses, and to this build of the program: another build may find something else.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::open_options::OpenOptions;
use super::storage_options::DumpFiles;
use heaplens_analysis::answer_file::AnswerStorage;
use heaplens_base::storage::Folder;
use heaplens_base::storage::build_key::{contents_key, name_key};
use heaplens_base::storage::checked_file::{read_checked, write_checked};
use heaplens_base::storage::folder::ANSWER;
use heaplens_base::storage::stored::Key;
use heaplens_dump::facts::Facts;
use heaplens_dump::source_maps::AppliedSources;

/// Part of the cache folder that one of these may fill: stored analyses should not be deleted for it.
const PART_OF_FOLDER: u64 = 10;

/// The part of the cache folder with answers about one dump.
pub(super) struct AnswerFolder {
    folder: Folder,
    /// The dump and everything that changes its answers.
    key: String,
    facts: Facts,
}

impl AnswerFolder {
    /// Answers about a dump that is opened with these options. With other names, redacted values or other references,
    /// there are none: those are rare, and the answers of their searches differ.
    ///
    /// Source maps beside the dump are part of the key, since they are there each time.
    pub(super) fn of(
        files: &DumpFiles,
        options: &OpenOptions,
        facts: &Facts,
        sources: Option<Arc<AppliedSources>>,
    ) -> Option<Arc<dyn AnswerStorage>> {
        let is_usual =
            options.mappings.is_empty() && !options.redact && !options.owner_rules && options.storage.target.is_none();
        let folder = options.storage.folder.clone().filter(|_| is_usual)?;
        let mut lists = DefaultHasher::new();
        (&options.runtime_classes, &options.collections).hash(&mut lists);
        sources.map_or(0, |sources| sources.maps.key).hash(&mut lists);
        let key = format!("{:032x} {:016x}", u128::from_be_bytes(files.name), lists.finish());
        Some(Arc::new(Self { folder, key, facts: facts.clone() }))
    }

    fn name(&self, name: &str) -> Key {
        name_key(&format!("{} {name}", self.key))
    }
}

impl AnswerStorage for AnswerFolder {
    fn key(&self) -> &str {
        &self.key
    }

    fn limit(&self) -> u64 {
        self.folder.limit / PART_OF_FOLDER
    }

    fn is_trusted(&self) -> bool {
        self.facts.doubt().is_none()
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let name = self.name(name);
        let file = self.folder.file(&name, ANSWER);
        let bytes = read_checked(&file, &contents_key(&name))?;
        Folder::used(&file);
        Some(bytes)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        if self.is_trusted() {
            let name = self.name(name);
            let file = self.folder.file(&name, ANSWER);
            // A cache that cannot be written, or not be listed, is no reason to fail.
            let written = write_checked(&file, &contents_key(&name), bytes);
            let _unwritten = written.and_then(|()| self.folder.make_room(&file));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::dump::open_and_wait;
    use crate::storage_options::StorageOptions;
    use heaplens_analysis::answer_file::AnswerFile;
    use heaplens_analysis::{DumpData, Question, RuntimeClasses};
    use heaplens_base::{Cancelled, Task};
    use heaplens_dump::Dump;

    /// A question whose answer is `answer`, which is no parameter of it.
    #[derive(Clone)]
    struct Numbers {
        name: &'static str,
        about: u32,
        answer: Vec<f64>,
    }

    impl PartialEq for Numbers {
        fn eq(&self, other: &Self) -> bool {
            (self.name, self.about) == (other.name, other.about)
        }
    }

    impl Eq for Numbers {}

    impl Question for Numbers {
        type Answer = Vec<f64>;

        fn compute(&self, _dump: DumpData<'_>, task: &Task) -> Result<Vec<f64>, Cancelled> {
            task.step(COMPUTING, heaplens_base::Unit::Objects, 0);
            Ok(self.answer.clone())
        }

        fn file(&self) -> Option<AnswerFile<Vec<f64>>> {
            Some(AnswerFile::json(self.name, &self.about))
        }
    }

    const COMPUTING: &str = "Computing numbers";

    fn opened(folder: &Path, change: impl FnOnce(&mut OpenOptions)) -> Dump {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-before.hprof.gz");
        let storage = StorageOptions { folder: Some(Folder::at(folder.to_owned())), ..StorageOptions::default() };
        let mut options = OpenOptions { storage, ..OpenOptions::default() };
        change(&mut options);
        open_and_wait(&path, &options, &Task::new()).expect("it opens")
    }

    /// The answer, and true if it was computed.
    fn ask(dump: &Dump, name: &'static str, about: u32, answer: &[f64]) -> (Vec<f64>, bool) {
        let task = Task::new();
        let result = dump.answer(&Numbers { name, about, answer: answer.to_vec() }, &task).expect("an answer");
        task.finish();
        (result.to_vec(), task.progress().finished.iter().any(|step| step.name == COMPUTING))
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
        let dump = opened(folder.path(), |_| {});
        assert_eq!(ask(&dump, "a", 1, &[5.0]), (vec![5.0], true));
        assert_eq!(
            Folder::at(folder.path().to_owned()).clear().expect("cleared") > 0,
            answers(folder.path()).is_empty()
        );
    }

    #[test]
    fn a_part_of_another_answer_is_kept_once_it_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let dump = opened(folder.path(), |_| {});
        let (question, task) = (Numbers { name: "a", about: 1, answer: vec![1.0] }, &Task::new());
        dump.data().intermediate(&question, task).expect("an answer");
        assert_eq!(answers(folder.path()).len(), 0);
        assert_eq!(ask(&dump, "a", 1, &[2.0]), (vec![1.0], false));
        assert_eq!(answers(folder.path()).len(), 1);
    }

    #[test]
    fn answers_with_other_lists_or_other_contents_are_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let dump = opened(folder.path(), |_| {});
        assert!(ask(&dump, "a", 1, &[1.0]).1);
        let other = |options: &mut OpenOptions| options.runtime_classes = Arc::new(RuntimeClasses::with("org.acme."));
        assert!(ask(&opened(folder.path(), other), "a", 1, &[2.0]).1, "other runtime classes");
        let redacted = |()| opened(folder.path(), |options| options.redact = true);
        let [one, other] = [(), ()].map(redacted);
        assert!(ask(&one, "a", 1, &[3.0]).1 && ask(&other, "a", 1, &[4.0]).1, "nothing is kept");
        assert!(ask(&dump.redacted(), "a", 1, &[5.0]).1, "the same heap, hidden later");
        assert_eq!(ask(&dump, "a", 1, &[6.0]), (vec![1.0], false));
        assert_eq!(answers(folder.path()).len(), 2);
    }

    /// Both have their own answers, and both may be in use.
    #[test]
    fn a_dump_and_its_state_after_a_cut_have_their_own_answers() {
        let folder = tempfile::tempdir().expect("a folder");
        let dump = opened(folder.path(), |_| {});
        let [task, count] = [Task::new(), Task::new()];
        let sessions = dump.namer(&task).expect("not cancelled").resolve("desk.SessionCache.ENTRIES", &task);
        let cuts = [heaplens_analysis::Cut::Object(sessions.expect("a map with texts"))];
        let excluded = heaplens_analysis::cuts::excluded_references(dump.data(), &cuts, &task).expect("not cancelled");
        let after = crate::dump::without(&dump, &excluded, &StorageOptions::default(), &task).expect("memory");
        let ask = |dump: &Dump| dump.answer(&heaplens_analysis::strings::StringsQuestion, &count).expect("an answer");
        for _ in 0..2 {
            assert!(ask(&dump).objects > ask(&after).objects, "strings below the cut are unreachable");
        }
        count.finish();
        let searches = count.progress().finished.iter().filter(|step| step.name == "Reading strings").count();
        assert_eq!(searches, 2);
        assert!(!Arc::ptr_eq(dump.answers(), after.answers()) && after.answers().storage().is_none());
    }
}
