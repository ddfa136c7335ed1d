//! What is wasted, and what texts contain.

use std::sync::Arc;

use crate::Dump;
pub use heaplens_analysis::TextFilter;
pub use heaplens_analysis::collections::CollectionRow;
use heaplens_analysis::collections::CollectionsQuestion;
use heaplens_analysis::search;
pub use heaplens_analysis::search::SearchResult;
use heaplens_analysis::secrets::SecretsQuestion;
pub use heaplens_analysis::secrets::{SecretEvidence, SecretGroup, Secrets};
use heaplens_analysis::strings::StringsQuestion;
pub use heaplens_analysis::strings::{DuplicateStrings, Holder, TextGroup, UncomparedStrings};
use heaplens_analysis::waste::WasteQuestion;
pub use heaplens_analysis::waste::{WasteKind, WasteRow};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

impl Dump {
    /// Equal strings, most wasted bytes first. Computed once for all clones of the dump.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let strings = dump.duplicate_strings(&Task::new())?;
    /// for group in strings.groups.iter().take(5) {
    ///     println!("{} × {:?}", group.objects, dump.text(group.first, 40));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn duplicate_strings(&self, task: &Task) -> Result<Arc<DuplicateStrings>, Cancelled> {
        self.0.answer(&StringsQuestion, task)
    }

    /// The fields and arrays that hold most of some equal strings, with the number of strings that each holds.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let strings = dump.duplicate_strings(&Task::new())?;
    /// if let Some(group) = strings.groups.first() {
    ///     for holder in dump.string_holders(&strings, group, 3) {
    ///         println!("{} holds {}", holder.name, holder.objects);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn string_holders(&self, strings: &DuplicateStrings, group: &TextGroup, most: usize) -> Vec<Holder> {
        strings.held_by(self.data(), group, most)
    }

    /// Bytes that could be saved, by kind: duplicate strings and arrays, empty and sparse collections, unused capacity.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for row in dump.waste(&Task::new())?.iter() {
    ///     println!("{}: {}", row.kind.title(), row.wasted);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn waste(&self, task: &Task) -> Result<Arc<Vec<WasteRow>>, Cancelled> {
        self.0.answer(&WasteQuestion, task)
    }

    /// Collections by class: number, elements, how many are empty, and how full their arrays are.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for (class, row) in dump.collections(&Task::new())?.iter() {
    ///     println!("{}: {} with {} elements", dump.class_name(*class), row.objects, row.elements);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn collections(&self, task: &Task) -> Result<Arc<Vec<(ClassId, CollectionRow)>>, Cancelled> {
        self.0.answer(&CollectionsQuestion, task)
    }

    /// At most `characters` of the text of a string; `None` if the object is no string, or the file does not have its text.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let strings = dump.class_named("java.lang.String").expect("every JVM has strings");
    /// let string = dump.objects().find(|&object| dump.class_of(object) == strings).expect("and one at least");
    /// assert!(dump.text(string, 100).is_some());
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn text(&self, object: ObjectId, characters: usize) -> Option<String> {
        self.0.facts.contents.text(self.heap(), object, characters)
    }

    /// Reachable strings that contain a text; letters match in either case. `/…/` is a regular expression.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Task, strings::TextFilter};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let (objects, statistics) = dump.search(&TextFilter::parse("java")?, &Task::new())?;
    /// assert_eq!(objects.len() as u64, statistics.hits);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn search(&self, text: &TextFilter, task: &Task) -> Result<(Vec<ObjectId>, SearchResult), Cancelled> {
        let mut objects = Vec::new();
        let statistics = search::search(self.data(), text, task, &mut |hits| objects.extend(hits))?;
        Ok((objects, statistics))
    }

    /// Strings and arrays that look like credentials, masked: for a look before a dump is given to others.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for group in &dump.secrets(&Task::new())?.groups {
    ///     println!("{} {} in {} objects", group.kind, group.masked, group.objects.len());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn secrets(&self, task: &Task) -> Result<Arc<Secrets>, Cancelled> {
        self.0.answer(&SecretsQuestion, task)
    }
}
