//! Opens a dump, from file to exact results: from its stored analysis
//! if that exists and is intact, otherwise by reading it.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::answer_folder::AnswerFolder;
use super::open_options::OpenOptions;
use super::owner_rules::OwnerTree;
use super::storage_options::{DumpFiles, StorageOptions};
use heaplens_analysis::answer_file::AnswerStorage;
use heaplens_base::Task;
use heaplens_base::storage::{Folder, KeptCopy, MemoryBudget, StoredAnalysis};
use heaplens_base::storage::{memory_budget::PendingSeal, stored::is_stored};
use heaplens_dump::Dump;
use heaplens_dump::OpenError;
use heaplens_dump::mapping::MappingFile;
use heaplens_dump::open::{OnEvent, OpenEvent, catch_out_of_memory, open_stored, read, restore};
use heaplens_formats::{ReadOptions, is_stream, read_source};
use heaplens_heap::{Analysis, ImportNote, stored::tables};

/// Result of an open.
pub(super) struct OpenResult {
    pub(super) analysis: Arc<Analysis>,
    /// Notes about this open, not about the dump.
    pub(super) open_warnings: Vec<ImportNote>,
    /// The stored analysis, while it is being written.
    pub(super) storing: Option<PendingSeal>,
    /// Where answers about the dump are kept, if they are.
    pub(super) storage: Option<Arc<dyn AnswerStorage>>,
}

impl OpenResult {
    /// Result of an open from a stored analysis, where everything is available at once.
    fn restored(dump: &Dump, on_event: &dyn Fn(OpenEvent)) -> Self {
        on_event(OpenEvent::Census(dump.census.clone()));
        on_event(OpenEvent::Facts(dump.facts.clone()));
        Self {
            analysis: dump.analysis.clone(),
            open_warnings: dump.open_warnings.to_vec(),
            storing: None,
            storage: None,
        }
    }
}

/// Opens the dump at `path`, reporting each result as soon as it is available, with mapped names if there is a mapping.
pub(super) fn recipe(
    path: &Path,
    options: &OpenOptions,
    task: &Task,
    on_event: OnEvent<'_>,
) -> Result<OpenResult, OpenError> {
    let named = |mapping: &Arc<MappingFile>, event| match event {
        OpenEvent::Census(census) => OpenEvent::Census(Arc::new(mapping.rename_census(&census))),
        OpenEvent::Facts(facts) => OpenEvent::Facts(facts.renamed(mapping)),
    };
    let on_event = |event| match event {
        OpenEvent::Facts(facts) if options.redact => on_event(OpenEvent::Facts(facts.redacted())),
        OpenEvent::Census(census) if options.redact => on_event(OpenEvent::Census(Arc::new(census.redacted()))),
        event => on_event(event),
    };
    let on_event = |event| match (event, &options.record) {
        (OpenEvent::Facts(facts), Some(record)) => on_event(OpenEvent::Facts(facts.with_record(record))),
        (event, _) => on_event(event),
    };
    let on_event = |event| match event {
        OpenEvent::Facts(facts) => on_event(OpenEvent::Facts(facts.with_record_beside(path))),
        event @ OpenEvent::Census(_) => on_event(event),
    };
    let first = options.mappings.first();
    let on_event = |event| match first {
        Some(mapping) => on_event(named(mapping, event)),
        None => on_event(event),
    };
    let on_event = |event| match (event, &options.collections) {
        (OpenEvent::Facts(facts), Some(list)) => on_event(OpenEvent::Facts(facts.with_collections(list))),
        (event, _) => on_event(event),
    };
    catch_out_of_memory(task, || {
        if options.owner_rules {
            by_owners(path, options, task, &on_event)
        } else {
            opened(path, options, task, &on_event)
        }
    })
}

/// Opens the dump with the names in the file and applies the owner rules. Its objects are reported only then, because
/// their references are others.
fn by_owners(path: &Path, options: &OpenOptions, task: &Task, on_event: OnEvent<'_>) -> Result<OpenResult, OpenError> {
    let read = OnceLock::new();
    let mut result = opened(path, options, task, &|event| match event {
        // They are told once.
        OpenEvent::Facts(facts) => drop(read.set(facts)),
        event @ OpenEvent::Census(_) => on_event(event),
    })?;
    let Some(mut facts) = read.into_inner() else { return Ok(result) };
    // The collections of libraries do not change which references own.
    if let Some(tree) = OwnerTree::of(&facts, &result.analysis, options, task)? {
        (facts, result.analysis) = (tree.facts, tree.analysis);
        result.open_warnings.push(tree.remark);
    }
    on_event(OpenEvent::Facts(facts));
    Ok(result)
}

/// Opens the dump with the names in the file, and in the source maps beside it.
fn opened(path: &Path, options: &OpenOptions, task: &Task, on_event: OnEvent<'_>) -> Result<OpenResult, OpenError> {
    let sourced = OnceLock::new();
    let on_event = &|event| match event {
        OpenEvent::Facts(facts) => {
            let facts = facts.with_sources_beside(path);
            // They are told once.
            let _set = sourced.set(facts.sources.clone());
            on_event(OpenEvent::Facts(facts));
        }
        event @ OpenEvent::Census(_) => on_event(event),
    };
    let sources = || sourced.get().cloned().flatten();
    // A pipe can be read only once, and nothing tells whether it is the same dump the next time.
    let is_stream = is_stream(path);
    if !is_stream && is_stored(path)? {
        if options.storage.target.is_some() {
            return Err(std::io::Error::other("a stored analysis already: copy the file instead").into());
        }
        return Ok(OpenResult::restored(&open_stored(path, task)?, on_event));
    }
    let (storage, mistrust) = options.storage.trusted();
    let read_options = options.read.clone().with_javacore_beside(path);
    let files =
        if is_stream && storage.target.is_none() { None } else { storage.files(path, &read_options, options.rules)? };
    let unpacked = files.as_ref().and_then(|files| files.unpacked.clone());
    let scratch = Some(storage.scratch());
    let read_options = ReadOptions { scratch, unpacked, memory: storage.memory, ..read_options };
    if let Some(files) = files.as_ref().filter(|_| storage.target.is_none())
        && let Some(dump) = from_kept(path, files, &read_options, task)?
        // Values are read from the file as it is now.
        && storage.files(path, &read_options, options.rules)?.is_some_and(|now| now.key == files.key)
    {
        let restored = OpenResult::restored(&dump, on_event);
        return Ok(OpenResult { storage: AnswerFolder::of(files, options, &dump.facts, sources()), ..restored });
    }
    let budget = storage.budget(files.as_ref())?;
    let unpacked = read_options.unpacked.map(KeptCopy::read_whole);
    let dump = read(path, &ReadOptions { unpacked, ..read_options }, options.rules, &budget, task, on_event)?;
    // Nothing is stored of a file that changed or vanished while it was read.
    let changed = files.as_ref().and_then(|_| dump.facts.changed());
    if let Some(why) = changed.as_ref().filter(|_| storage.target.is_some()) {
        return Err(std::io::Error::other(why.clone()).into());
    }
    let files = files.as_ref().filter(|_| changed.is_none());
    let storing = store(&dump, budget, files, &storage)?;
    let answers = files.and_then(|files| AnswerFolder::of(files, options, &dump.facts, sources()));
    let open_warnings = dump.open_warnings.iter().cloned().chain(mistrust).collect();
    Ok(OpenResult { analysis: dump.analysis.clone(), open_warnings, storing, storage: answers })
}

/// Opens from the stored analysis of an earlier open; `None` if there is no usable one.
fn from_kept(path: &Path, files: &DumpFiles, read: &ReadOptions, task: &Task) -> Result<Option<Dump>, OpenError> {
    let Ok(stored) = StoredAnalysis::open(&files.stored, Some(&files.key)) else { return Ok(None) };
    let dump = restore(stored, task, || read_source(path, read, task).map(Some))?;
    if dump.is_some() {
        Folder::used(&files.stored);
    }
    Ok(dump)
}

/// Completes the stored analysis in the background, and frees cache space for it. A cache that cannot be written is no
/// reason to fail, unless the user requested that file: then it is waited for.
fn store(
    dump: &Dump,
    budget: MemoryBudget,
    files: Option<&DumpFiles>,
    storage: &StorageOptions,
) -> Result<Option<PendingSeal>, OpenError> {
    let tables = files.and_then(|_| tables(&dump.facts.heap, &dump.analysis, &dump.census, dump.facts.contents.save()));
    let (Some(tables), Some(files)) = (tables, files) else {
        budget.mark_successful();
        return Ok(None);
    };
    let (folder, stored) = (storage.folder.clone().filter(|_| storage.target.is_none()), files.stored.clone());
    let storing = budget.seal(tables, move || {
        // A folder that cannot be listed is not trimmed.
        let _unlisted = folder.map(|folder| folder.make_room(&stored));
    });
    if let Some(target) = &storage.target {
        storing.wait().map_err(|why| OpenError::Stored(format!("{}: {why}", target.display())))?;
    }
    Ok(Some(storing))
}
