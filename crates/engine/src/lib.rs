//! Heap dumps, opened and asked: what holds the memory of a process, and what leaks.
//!
//! [`open()`] reads a dump of any format: HPROF of HotSpot and Android, `.heapsnapshot` of Node.js and browsers, PHD and text
//! of OpenJ9, traces of Perfetto; also packed. [`Dump`] answers questions about it:
//!
//! ```
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
//! use heaplens_engine::{Task, leaks::LeakOptions, open};
//!
//! let dump = open(file)?;
//! for leak in dump.leaks(&LeakOptions::default(), &Task::new())? {
//!     println!("{leak}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Terms
//!
//! An **object** is an [`ObjectId`]: a row number, valid for its dump only. Its **shallow size** is what it occupies itself;
//! its **retained size** is what would be freed if it were collected. Sizes are [`Bytes`], of the machine that wrote the
//! dump. The **immediate dominator** of an object is the nearest object that all paths from GC roots to it pass. A **class**
//! is a [`ClassId`]: two class loaders may define classes with one name.
//!
//! # Questions
//!
//! | Question | Method |
//! |---|---|
//! | Which objects retain the most? | [`Dump::largest`], then [`Dump::dominated_by`] |
//! | Which classes use the most memory? | [`Dump::histogram`], [`Dump::histogram_by`], by package or loader [`Dump::groups`] |
//! | Why is an object alive? | [`Dump::paths`], or in short [`Dump::path_from_root`] |
//! | What leaks? | [`Dump::leaks`] |
//! | What is wasted? | [`Dump::waste`], [`Dump::duplicate_strings`], [`Dump::collections`] |
//! | What would it free to cut a reference? | [`Dump::what_if`] |
//! | What grew between two dumps? | [`compare()`], [`Dump::growth_name`] |
//! | What is in an object? | [`Dump::describe`], [`Dump::elements`], [`Dump::references`] |
//! | What is it called in the source, and who owns it? | [`Dump::name`], [`Dump::owner`], [`Dump::resolve`] |
//! | What do threads and class loaders hold? | [`Dump::threads`], [`Dump::class_loaders`] |
//! | Are there credentials in it? | [`Dump::secrets`] |
//!
//! # Long work
//!
//! Whatever visits all objects takes a [`Task`]: another thread can watch its [`Progress`] and cancel it ([`open_with`] has
//! an example). [`Cancelled`] is the only error of a question; after it, [`Task::is_starved`] says whether memory ran out
//! instead. A task that was cancelled stays so, and its progress is of one operation: use a new one for each. Answers that several questions need, such as duplicate strings, are computed
//! once and shared by the clones of a [`Dump`].
//!
//! # Damaged files
//!
//! A truncated or damaged dump opens as far as it can be read; [`Dump::notes`] says what is missing. Only a file of which
//! nothing can be shown is an [`OpenError`]. No file can make the library panic.

mod dump;
mod open;

pub mod classes;
pub mod comparison;
pub mod leaks;
pub mod names;
pub mod objects;
pub mod paths;
pub mod runtime;
pub mod strings;

pub use self::comparison::compare;
pub use self::dump::Dump;
pub use self::open::{OpenOptions, SizeModel, open, open_with};
pub use heaplens_base::{ByteDelta, Bytes, Cancelled, Count, CountDelta, Progress, Share, Task, Unit};
pub use heaplens_dump::OpenError;
pub use heaplens_heap::{Address, ClassId, ImportNote, NoteTopic, ObjectId, RootKind, Severity, Strength, Totals};
