//! Opens a dump: reads a file of any format or restores a stored analysis, and derives dominators and retained sizes.
//!
//! [`open`] and [`open_with`] wait for everything. [`read`] and [`restore`] are their parts, for callers that show
//! each result as soon as it is available, or store the analysis.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{path::Path, sync::Arc};

use crate::{Dump, facts::Facts};
use heaplens_base::storage::stored::{StoredError, is_stored};
use heaplens_base::storage::{ColumnFile, MemoryBudget, OutOfMemory, StoredAnalysis};
use heaplens_base::{Bytes, Task, Unit, threads::in_own_pool};
use heaplens_formats::{self as formats, ReadOptions, ReadResult, error::OpenError, source::Source};
use heaplens_heap::steps::STORED;
use heaplens_heap::stored::{self, RestoredHeap};
use heaplens_heap::{Analysis, Census, FileSize, ImportNote, Rules, Severity};

/// Options of [`open_with`].
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Options for reading the file: size model, folder of temporary files.
    pub read: ReadOptions,
    /// Which references and objects count.
    pub rules: Rules,
    /// Memory limit in bytes for columns in progress, which go to files beyond it; `None`: available memory.
    pub memory: Option<u64>,
}

/// Result that is available before the dump is open.
pub enum OpenEvent {
    /// Header, and objects by class.
    Census(Arc<Census>),
    /// Objects, references and values.
    Facts(Facts),
}

/// Receiver of results of an open, on whichever thread.
pub type OnEvent<'a> = &'a (dyn Fn(OpenEvent) + Sync);

/// Opens a dump of any format, also compressed, or a stored analysis.
///
/// # Errors
/// If the file cannot be read, is of no known format, or memory does not suffice. A damaged file opens as far as it can
/// be read, with notes that say what is missing.
pub fn open(path: impl AsRef<Path>) -> Result<Dump, OpenError> {
    open_with(path, &OpenOptions::default(), &Task::new())
}

/// Opens a dump with options. Other threads can observe progress through `task`, and cancel it.
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions, task: &Task) -> Result<Dump, OpenError> {
    let path = path.as_ref();
    let dump = catch_out_of_memory(task, || {
        if is_stored(path)? {
            return open_stored(path, task);
        }
        let read_options = options.read.clone().with_javacore_beside(path);
        let scratch = read_options.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let columns = ColumnFile::nameless(&scratch).ok();
        let budget = MemoryBudget::new(options.memory, scratch, columns);
        let dump = read(path, &read_options, options.rules, &budget, task, &|_event| {})?;
        budget.mark_successful();
        Ok(dump.with_facts(dump.facts.with_sources_beside(path).with_record_beside(path)))
    });
    task.finish();
    dump
}

/// Runs an open; running out of memory in it becomes an error.
///
/// # Errors
/// Those of `work`, and [`OpenError::Memory`].
pub fn catch_out_of_memory<T>(task: &Task, work: impl FnOnce() -> Result<T, OpenError>) -> Result<T, OpenError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Err(OpenError::Cancelled)) if task.is_starved() => Err(OpenError::Memory(OutOfMemory::unknown())),
        Ok(ended) => ended,
        Err(panic) => match OutOfMemory::of(panic.as_ref()) {
            Some(shortage) => Err(OpenError::Memory(shortage)),
            None => resume_unwind(panic),
        },
    }
}

/// Reads the dump at `path` and derives everything, in a pool of its own; passes each earlier result to `on_event` at once.
/// Columns go to `budget`, which the caller marks as successful or stores.
pub fn read(
    path: &Path,
    options: &ReadOptions,
    rules: Rules,
    budget: &MemoryBudget,
    task: &Task,
    on_event: OnEvent<'_>,
) -> Result<Dump, OpenError> {
    in_own_pool(|| read_in_pool(path, options, rules, budget, task, on_event))
}

fn read_in_pool(
    path: &Path,
    options: &ReadOptions,
    rules: Rules,
    budget: &MemoryBudget,
    task: &Task,
    on_event: &dyn Fn(OpenEvent),
) -> Result<Dump, OpenError> {
    let mut census = Arc::default();
    let on_census = &mut |counted: Census| {
        census = Arc::new(counted);
        on_event(OpenEvent::Census(census.clone()));
    };
    let ReadResult { built, contents, source } = formats::read(path, options, budget, task, on_census)?;
    let heap = Arc::new(built.heap);
    let facts = Facts {
        heap,
        contents,
        stored: None,
        mapped: None,
        sources: None,
        source: Some(source),
        hidden: None,
        record: None,
    };
    on_event(OpenEvent::Facts(facts.clone()));
    let analysis = Analysis::derive(&facts.heap, built.references, rules, budget, task)?;
    Ok(Dump::new(census, facts, Arc::new(analysis), open_warnings(budget)))
}

/// Opens a stored analysis without its dump: values are unavailable.
///
/// # Errors
/// [`OpenError::Stored`] if it is damaged or of another version.
pub fn open_stored(path: &Path, task: &Task) -> Result<Dump, OpenError> {
    let unusable = |why: StoredError| OpenError::Stored(why.to_string());
    let stored = StoredAnalysis::open(path, None).map_err(unusable)?;
    restore(stored, task, || Ok(None))?.ok_or_else(|| unusable(StoredError::Damaged))
}

/// Restores a dump from its stored analysis; `None` if that is damaged. `source` opens the file with the values, if
/// there is one, and is called only if everything else is intact.
pub fn restore(
    stored: StoredAnalysis,
    task: &Task,
    source: impl FnOnce() -> Result<Option<Source>, OpenError>,
) -> Result<Option<Dump>, OpenError> {
    task.step(STORED, Unit::Bytes, 0);
    let Some(restored) = stored::restore(&stored) else { return Ok(None) };
    let RestoredHeap { mut heap, analysis, mut census, contents } = restored;
    let source = source()?;
    let file_size = source.as_ref().map_or_else(|| FileSize::plain(stored.file_bytes()), Source::size);
    (heap.origin.file_size, census.origin.file_size) = (file_size, file_size);
    let Ok(contents) = formats::restore_contents(&heap, &contents, source.clone()) else { return Ok(None) };
    let (heap, stored) = (Arc::new(heap), Some(Arc::new(stored)));
    let facts = Facts { heap, contents, stored, mapped: None, sources: None, source, hidden: None, record: None };
    Ok(Some(Dump::new(Arc::new(census), facts, Arc::new(analysis), Vec::new())))
}

/// Notes about steps slowed down by the memory limit, and about failed temporary files.
fn open_warnings(budget: &MemoryBudget) -> Vec<ImportNote> {
    let bytes = budget.spilled_bytes();
    let message = format!(
        "memory limit reached: {} of data were processed in files, which made opening slower; results are the same and \
         as fast as without the limit",
        Bytes(bytes)
    );
    let spilled = (bytes > 0).then(|| ImportNote::new(Severity::Info, 1, message, None));
    let failed = budget.file_error().map(|why| format!("the analysis was not stored: {why}"));
    spilled.into_iter().chain(failed.map(|why| ImportNote::new(Severity::Info, 1, why, None))).collect()
}
