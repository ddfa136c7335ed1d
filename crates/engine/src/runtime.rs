//! What parts of the runtime hold: threads, class loaders, finalizers, memory outside the heap.

use std::sync::Arc;

use crate::Dump;
use heaplens_analysis::finalizers::FinalizersQuestion;
pub use heaplens_analysis::finalizers::{FinalizerRow, FinalizerState};
pub use heaplens_analysis::loaders::LoaderRow;
use heaplens_analysis::loaders::LoadersQuestion;
pub use heaplens_analysis::native_memory::OutsideHeap;
use heaplens_analysis::threads;
pub use heaplens_analysis::threads::{FrameRow, StackRows, ThreadRow};
use heaplens_base::{Cancelled, Task};
pub use heaplens_heap::{StackLocal, ThreadState};

impl Dump {
    /// Threads, largest retained size first.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for thread in dump.threads(&Task::new())? {
    ///     println!("{:?} retains {}", thread.name, thread.retained);
    ///     for frame in dump.stack(&thread).frames {
    ///         println!("  at {}", frame.text);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn threads(&self, task: &Task) -> Result<Vec<ThreadRow>, Cancelled> {
        threads::threads(self.data(), task)
    }

    /// Stack of a thread, with what the local variables of each frame retain; empty if the file has none.
    pub fn stack(&self, thread: &ThreadRow) -> StackRows {
        let dump = self.data();
        threads::stack(dump.contents, dump.analysis, thread)
    }

    /// Class loaders, and what holds each: one that only its own classes hold is typical of a leak after redeployment.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for row in dump.class_loaders(&Task::new())?.iter() {
    ///     println!("{} classes, {} retained", row.classes.len(), row.retained);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn class_loaders(&self, task: &Task) -> Result<Arc<Vec<LoaderRow>>, Cancelled> {
        self.0.answer(&LoadersQuestion, task)
    }

    /// Objects with a finalizer, by class and state: those that wait are garbage that is not collected yet.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for row in dump.finalizers(&Task::new())?.iter() {
    ///     println!("{} {}: {}", row.objects.len(), dump.class_name(row.class), row.state.name());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn finalizers(&self, task: &Task) -> Result<Arc<Vec<FinalizerRow>>, Cancelled> {
        self.0.answer(&FinalizersQuestion, task)
    }

    /// Native memory of the objects by kind, such as direct buffers; empty if the format does not record any.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// for sum in dump.outside_heap().kinds {
    ///     println!("{} in {} {}", sum.bytes, sum.objects, sum.kind.nouns().1);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outside_heap(&self) -> OutsideHeap {
        OutsideHeap::of(self.data())
    }
}
