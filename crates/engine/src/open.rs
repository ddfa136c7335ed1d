//! Opening a dump.

use std::path::{Path, PathBuf};

use crate::Dump;
use heaplens_base::Task;
use heaplens_dump::OpenError;
pub use heaplens_heap::SizeModel;
use heaplens_heap::Strength;

/// Options of [`open_with`].
///
/// ```
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
/// use heaplens_engine::{OpenOptions, Task, open_with};
///
/// let options = OpenOptions::default().memory_limit(512 << 20);
/// let dump = open_with(file, &options, &Task::new())?;
/// println!("{} objects", dump.object_count());
/// # Ok::<(), heaplens_engine::OpenError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OpenOptions(heaplens_dump::OpenOptions);

impl OpenOptions {
    /// Limits the memory for columns in progress, in bytes: the rest goes to temporary files. Without a limit the memory
    /// that is available is used.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.0.memory = Some(bytes);
        self
    }

    /// Folder of temporary files, instead of that of the system.
    #[must_use]
    pub fn temporary_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.0.read.scratch = Some(folder.into());
        self
    }

    /// How sizes of objects are computed, where the file does not record them.
    #[must_use]
    pub fn sizes(mut self, model: SizeModel) -> Self {
        self.0.read.sizes = model;
        self
    }

    /// Weakest references that keep an object alive; by default soft references do not.
    #[must_use]
    pub fn min_strength(mut self, strength: Strength) -> Self {
        self.0.rules.min_strength = strength;
        self
    }
}

/// Opens a dump of any format, also packed, or a stored analysis (`.heaplens`), and computes dominators and retained sizes.
/// A javacore beside a dump of OpenJ9 is read, too. Nothing is written but temporary files. Values of objects are read from
/// the file later: it has to stay where it is.
///
/// ```
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
/// let dump = heaplens_engine::open(file)?;
/// println!("{} objects, {}", dump.object_count(), dump.reachable_bytes());
/// # Ok::<(), heaplens_engine::OpenError>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is of no known format, or memory does not suffice. A damaged file opens as far as it can be
/// read, with [notes](Dump::notes) that say what is missing:
///
/// ```
/// let error = heaplens_engine::open("Cargo.toml").err().expect("this is no dump");
/// assert!(error.to_string().contains("heap dump"), "{error}");
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<Dump, OpenError> {
    open_with(path, &OpenOptions::default(), &Task::new())
}

/// Opens a dump with options. Another thread can watch the progress of `task`, and cancel it:
///
/// ```
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
/// use std::thread;
/// use std::time::Duration;
///
/// use heaplens_engine::{OpenError, OpenOptions, Task, open_with};
///
/// let task = Task::new();
/// let of_opener = task.clone();
/// let opener = thread::spawn(move || open_with(file, &OpenOptions::default(), &of_opener));
/// while !opener.is_finished() {
///     let progress = task.progress();
///     eprintln!("{} {:.0} %", progress.step, progress.fraction().unwrap_or(0.0) * 100.0);
///     if progress.elapsed > Duration::from_secs(600) {
///         task.cancel();
///     }
///     thread::sleep(Duration::from_millis(20));
/// }
/// match opener.join().expect("it does not panic") {
///     Ok(dump) => println!("{} objects", dump.object_count()),
///     Err(OpenError::Cancelled) => println!("it took too long"),
///     Err(error) => println!("{error}"),
/// }
/// ```
///
/// # Errors
/// Those of [`open()`], and [`OpenError::Cancelled`].
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions, task: &Task) -> Result<Dump, OpenError> {
    heaplens_dump::open_with(path, &options.0, task).map(Dump::new)
}
