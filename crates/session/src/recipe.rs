//! Opens a dump, from file to exact results: from its stored analysis
//! if that exists and is intact, otherwise by reading it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;

use super::dump::{Event, Facts, OpenOptions};
use super::javacore;
use super::mapping::MappingFile;
use super::storage_options::{DumpFiles, StorageOptions};
use heaplens_base::storage::folder::Folder;
use heaplens_base::storage::memory_budget::{MemoryBudget, PendingSeal};
use heaplens_base::storage::out_of_memory::OutOfMemory;
use heaplens_base::storage::stored::{StoredAnalysis, StoredError, is_stored};
use heaplens_base::task::{Task, Unit};
use heaplens_base::units::Bytes;
use heaplens_core::formats::error::OpenError;
use heaplens_core::formats::{self, LoadedDump, ReadOptions};
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::census::Census;
use heaplens_core::heap::notes::{ImportNote, Severity};
use heaplens_core::heap::stored::{RestoredHeap, restore, tables};

/// Result of an open.
pub(super) struct OpenResult {
    pub(super) analysis: Arc<Analysis>,
    /// Notes about this open, not about the dump.
    pub(super) remarks: Vec<ImportNote>,
    /// The stored analysis, while it is being written.
    pub(super) storing: Option<PendingSeal>,
}

impl OpenResult {
    fn restored(analysis: Analysis) -> Self {
        Self { analysis: Arc::new(analysis), remarks: Vec::new(), storing: None }
    }
}

/// Opens the dump at `path`, reporting each result as soon as it is available, with mapped names if there is a mapping.
pub(super) fn recipe(
    path: &Path,
    options: &OpenOptions,
    task: &Task,
    tell: &dyn Fn(Event),
) -> Result<OpenResult, OpenError> {
    let named = |mapping: &Arc<MappingFile>, event: Event| match event {
        Event::Census(census) => Event::Census(Arc::new(mapping.put_in_census(&census))),
        Event::Facts(facts) => Event::Facts(mapping.put(&facts)),
    };
    let tell = |event| match event {
        Event::Facts(facts) if options.redact => tell(Event::Facts(facts.redacted())),
        event => tell(event),
    };
    let first = options.mappings.first();
    let tell = |event| match first {
        Some(mapping) => tell(named(mapping, event)),
        None => tell(event),
    };
    let ended = catch_unwind(AssertUnwindSafe(|| opened(path, options, task, &tell)));
    match ended {
        Ok(Err(OpenError::Cancelled)) if task.is_starved() => Err(OpenError::Memory(OutOfMemory::unknown())),
        Ok(ended) => ended,
        Err(panic) => match OutOfMemory::of(panic.as_ref()) {
            Some(shortage) => Err(OpenError::Memory(shortage)),
            None => resume_unwind(panic),
        },
    }
}

/// Opens the dump with its original names.
fn opened(path: &Path, options: &OpenOptions, task: &Task, tell: &dyn Fn(Event)) -> Result<OpenResult, OpenError> {
    if is_stored(path)? {
        return without_dump(path, task, tell);
    }
    let keeping = &options.keeping;
    let javacore = options.read.javacore.clone().or_else(|| javacore::beside(path));
    let places = keeping.places(path, options.read.sizes, options.rules, javacore.as_ref())?;
    let read = ReadOptions {
        scratch: Some(keeping.scratch()),
        javacore,
        unpacked: places.as_ref().and_then(|places| places.unpacked.clone()),
        ..options.read.clone()
    };
    if let Some(places) = places.as_ref().filter(|_| keeping.target.is_none())
        && let Some(ended) = from_kept(path, places, &read, task, tell)?
    {
        return Ok(ended);
    }
    by_reading(path, options, &read, places.as_ref(), task, tell)
}

/// Opens a stored analysis without its dump.
fn without_dump(path: &Path, task: &Task, tell: &dyn Fn(Event)) -> Result<OpenResult, OpenError> {
    task.step(STEP, Unit::Bytes, 0);
    let unusable = |why: StoredError| OpenError::Stored(why.to_string());
    let stored = StoredAnalysis::open(path, None).map_err(unusable)?;
    let damaged = || unusable(StoredError::Damaged);
    let RestoredHeap { heap, analysis, census, contents } = restore(&stored).ok_or_else(damaged)?;
    let contents = formats::restore_contents(&heap, &contents, None).map_err(|_damage| damaged())?;
    tell(Event::Census(Arc::new(census)));
    let stored = Some(Arc::new(stored));
    tell(Event::Facts(Facts { heap: Arc::new(heap), contents, stored, mapped: None, source: None, hidden: None }));
    Ok(OpenResult::restored(analysis))
}

/// Name of the only step.
const STEP: &str = "Opening the stored analysis";

/// Opens from the stored analysis of an earlier open; `None` if there is no usable one.
fn from_kept(
    path: &Path,
    places: &DumpFiles,
    read: &ReadOptions,
    task: &Task,
    tell: &dyn Fn(Event),
) -> Result<Option<OpenResult>, OpenError> {
    let Ok(stored) = StoredAnalysis::open(&places.stored, Some(&places.key)) else { return Ok(None) };
    task.step(STEP, Unit::Bytes, 0);
    let Some(RestoredHeap { heap, analysis, census, contents }) = restore(&stored) else { return Ok(None) };
    let source = formats::read_source(path, read, task)?;
    let Ok(contents) = formats::restore_contents(&heap, &contents, Some(source.clone())) else { return Ok(None) };
    Folder::used(&places.stored);
    tell(Event::Census(Arc::new(census)));
    let (stored, source) = (Some(Arc::new(stored)), Some(source));
    tell(Event::Facts(Facts { heap: Arc::new(heap), contents, stored, mapped: None, source, hidden: None }));
    Ok(Some(OpenResult::restored(analysis)))
}

/// Opens by reading the dump, and stores the analysis.
fn by_reading(
    path: &Path,
    options: &OpenOptions,
    read: &ReadOptions,
    places: Option<&DumpFiles>,
    task: &Task,
    tell: &dyn Fn(Event),
) -> Result<OpenResult, OpenError> {
    let keeping = &options.keeping;
    let space = keeping.space(places)?;
    let mut census = Census::default();
    let tell_census = &mut |counted: Census| {
        census.clone_from(&counted);
        tell(Event::Census(Arc::new(counted)));
    };
    let LoadedDump { built, contents, source } = formats::open(path, read, &space, task, tell_census)?;
    let facts =
        Facts { heap: Arc::new(built.heap), contents, stored: None, mapped: None, source: Some(source), hidden: None };
    tell(Event::Facts(facts.clone()));
    let analysis = Analysis::derive(&facts.heap, built.references, options.rules, &space, task)?;
    let remarks = remarks(&space);
    // Nothing is stored of a file that changed or vanished while it was read.
    let places = places.filter(|_| facts.lost().is_none());
    let storing = store(&facts, &analysis, &census, space, places, keeping)?;
    Ok(OpenResult { analysis: Arc::new(analysis), remarks, storing })
}

/// Adds notes about steps slowed down by the memory limit, and about failed temporary files.
fn remarks(space: &MemoryBudget) -> Vec<ImportNote> {
    let bytes = space.spilled_bytes();
    let message = format!(
        "memory limit reached: {} of data were processed in files, which made opening slower; results are the same and \
         as fast as without the limit",
        Bytes(bytes)
    );
    let outside = (bytes > 0).then(|| ImportNote::new(Severity::Info, 1, message, None));
    let trouble = space.file_error().map(|why| format!("the analysis was not stored: {why}"));
    outside.into_iter().chain(trouble.map(|why| ImportNote::new(Severity::Info, 1, why, None))).collect()
}

/// Completes the stored analysis in the background, and frees cache space for it. A cache that cannot be written is no
/// reason to fail, unless the user requested that file: then it is waited for.
fn store(
    facts: &Facts,
    analysis: &Analysis,
    census: &Census,
    space: MemoryBudget,
    places: Option<&DumpFiles>,
    keeping: &StorageOptions,
) -> Result<Option<PendingSeal>, OpenError> {
    let tables = places.and_then(|_| tables(&facts.heap, analysis, census, facts.contents.save()));
    let (Some(tables), Some(places)) = (tables, places) else {
        space.mark_successful();
        return Ok(None);
    };
    let (folder, stored) = (keeping.folder.clone().filter(|_| keeping.target.is_none()), places.stored.clone());
    let storing = space.seal(tables, move || {
        // A folder that cannot be listed is not trimmed.
        let _unlisted = folder.map(|folder| folder.make_room(&stored));
    });
    if let Some(target) = &keeping.target {
        storing.wait().map_err(|why| OpenError::Stored(format!("{}: {why}", target.display())))?;
    }
    Ok(Some(storing))
}
