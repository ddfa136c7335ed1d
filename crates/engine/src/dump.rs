//! An opened dump.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use heaplens_analysis::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::{ClassId, Heap, ImportNote, ObjectId};

/// An opened dump. Clones share all data, and the answers that were computed; threads may ask at the same time.
#[derive(Clone)]
pub struct Dump(pub(crate) heaplens_dump::Dump);

impl fmt::Debug for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dump").field("format", &self.format()).field("objects", &self.object_count()).finish()
    }
}

impl Dump {
    pub(crate) fn new(dump: heaplens_dump::Dump) -> Self {
        Self(dump)
    }

    pub(crate) fn data(&self) -> DumpData<'_> {
        self.0.data()
    }

    pub(crate) fn heap(&self) -> &Arc<Heap> {
        &self.0.facts.heap
    }

    /// Name of the format, such as `HPROF`.
    pub fn format(&self) -> &'static str {
        self.heap().origin.format.title()
    }

    /// The program that wrote the file, such as `HotSpot (JAVA PROFILE 1.0.2)`, as far as the file tells.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// println!("{} by {}, {}", dump.format(), dump.producer(), dump.file_size());
    /// assert!(dump.taken_at().is_some_and(|time| time < std::time::SystemTime::now()));
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn producer(&self) -> &str {
        &self.heap().origin.producer
    }

    /// When the dump was taken, if the file tells.
    pub fn taken_at(&self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_millis(self.heap().origin.taken_at_millis?))
    }

    /// Size of the file, packed as it is.
    pub fn file_size(&self) -> Bytes {
        Bytes(self.heap().origin.file_size.disk)
    }

    /// Number of objects in the file, reachable or not. Numbers of objects are plain ones everywhere; [`Count`](crate::Count)
    /// prints them in groups of three digits.
    pub fn object_count(&self) -> u64 {
        self.heap().len() as u64
    }

    /// Sum of the shallow sizes of all objects that a GC root reaches.
    pub fn reachable_bytes(&self) -> Bytes {
        self.0.analysis.shown.shallow
    }

    /// What could not be read, and what was assumed: with a severity, a number of cases, and where the first one is.
    ///
    /// ```
    /// # let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// # let folder = std::env::temp_dir().join(format!("heaplens-notes-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let file = folder.join("truncated.hprof.gz");
    /// # let bytes = std::fs::read(whole)?;
    /// # std::fs::write(&file, &bytes[..bytes.len() / 2])?;
    /// let dump = heaplens_engine::open(&file)?;
    /// for note in dump.notes() {
    ///     eprintln!("{note}");
    /// }
    /// assert!(dump.is_incomplete());
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn notes(&self) -> &[ImportNote] {
        &self.heap().notes
    }

    /// True if objects of the process are missing: the file is truncated or damaged.
    pub fn is_incomplete(&self) -> bool {
        self.heap().is_incomplete()
    }

    /// All objects in the file, in the order of their addresses; in snapshots, of the file.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.0.objects()
    }

    /// The object with an id as tools of the format write it: `0x7f00`, `@17`, or digits.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let largest = dump.largest(1)[0];
    /// assert_eq!(dump.find(&dump.id(largest)), Some(largest));
    /// assert_eq!(dump.find("0x1"), None);
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn find(&self, id: &str) -> Option<ObjectId> {
        self.0.find(id)
    }

    /// The class with a name in source notation, such as `java.lang.String` or `byte[]`. Of several the first.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let strings = dump.class_named("java.lang.String").expect("every JVM has strings");
    /// assert_eq!(dump.class_name(strings), "java.lang.String");
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.heap().classes.named(name)
    }

    /// All classes, of which [`histogram`](Self::histogram) lists those with reachable objects.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let map = dump.class_named("java.util.HashMap").expect("every JVM has maps");
    /// for class in dump.classes().filter(|&class| dump.superclass(class) == Some(map)) {
    ///     println!("{}, loaded by {:?}", dump.class_name(class), dump.class_loader(class).map(|loader| dump.id(loader)));
    /// }
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn classes(&self) -> impl Iterator<Item = ClassId> {
        self.heap().classes.iter().map(|(class, _)| class)
    }

    /// The class that a class extends; `None` of `java.lang.Object`, and in formats without superclasses.
    pub fn superclass(&self, class: ClassId) -> Option<ClassId> {
        self.heap().classes.get(class).superclass
    }

    /// The class loader that defined a class; `None` for the bootstrap loader.
    pub fn class_loader(&self, class: ClassId) -> Option<ObjectId> {
        self.heap().classes.get(class).loader
    }

    /// The class object, an instance of `java.lang.Class`, if it is in the dump.
    pub fn class_object(&self, class: ClassId) -> Option<ObjectId> {
        self.heap().classes.get(class).object
    }

    /// Name of a class in source notation.
    pub fn class_name(&self, class: ClassId) -> &str {
        self.0.class_name(class)
    }
}
