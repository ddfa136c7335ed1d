//! Opening of dumps by the options of a command.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::{AnalysisArguments, OpenArguments, RulesArguments};
use super::cuts::Removals;
use super::failure::{Failure, exit, remark};
pub(super) use super::open_failure::{described, open_failure};
use super::progress::ProgressLine;
use heaplens_base::storage::Folder;
use heaplens_base::{Progress, Task};
use heaplens_dump::Dump;
use heaplens_heap::Rules;
use heaplens_process::ProcessRecord;
use heaplens_session::collection_list;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::{known_leaks_file, references_file};
use heaplens_session::memory::peak_memory_bytes;
use heaplens_session::runtime_classes::of_user;
use heaplens_session::{OpenOptions, verdicts};
use heaplens_tables::export::json::OpenDetails;
use heaplens_tables::export::report::words::loss_of;

/// True while other commands follow in this process.
static MORE_COMMANDS: AtomicBool = AtomicBool::new(false);

/// Makes commands close their dumps: others follow, which need the memory.
pub(super) fn expect_more_commands() {
    MORE_COMMANDS.store(true, Ordering::Relaxed);
}

/// A dump that its command does not close: the process ends next, and the system frees all memory at once, which is
/// faster. Dropping it waits until its stored analysis is complete.
pub(super) struct UnclosedDump(Option<Dump>);

impl UnclosedDump {
    pub(super) fn new(dump: Dump) -> Self {
        Self(Some(dump))
    }
}

impl Deref for UnclosedDump {
    type Target = Dump;

    fn deref(&self) -> &Dump {
        self.0.as_ref().unwrap_or_else(|| unreachable!("only a drop takes it"))
    }
}

impl Drop for UnclosedDump {
    fn drop(&mut self) {
        let Some(dump) = self.0.take() else { return };
        dump.wait_until_stored();
        // After a damaged stored analysis, the command runs again.
        if !MORE_COMMANDS.load(Ordering::Relaxed) && dump.facts.doubt().is_none() {
            std::mem::forget(dump);
        }
    }
}

/// Converts command-line options to the session's options for opening a dump.
pub fn open_options(open: &OpenArguments) -> OpenOptions {
    let (keep_unreachable, vm_roots) = (open.keep_unreachable, open.vm_roots);
    let mut rules = Rules { keep_unreachable, vm_roots, ..Rules::default() };
    if let Some(strength) = open.strength {
        rules.min_strength = strength;
    }
    let mut options = OpenOptions { rules, ..OpenOptions::default() };
    options.read.sizes = open.sizes;
    options.read.unpack_ratio = open.unpack_ratio;
    options.name_javacore(open.javacore.clone());
    options.heap_graphs.clone_from(&open.heap_graphs);
    let folder = open.cache_dir.clone().map(Folder::at).or(Folder::of_platform());
    // Unnamed temporary files go there too: the system's temporary folder may be in memory.
    options.storage.scratch = folder.as_ref().map(|folder| folder.path.clone());
    options.storage.folder = folder.filter(|_| !open.no_cache);
    if let (Some(folder), Some(limit)) = (&mut options.storage.folder, open.cache_limit) {
        folder.limit = limit;
    }
    options.storage.memory = open.memory;
    let given = open.runtime_classes.clone();
    options.runtime_classes_file = given.as_ref().map(|(file, _)| file.clone());
    options.runtime_classes = given.map_or_else(of_user, |(_, rules)| rules);
    // A wrong list of the user must not keep a dump from opening.
    let given = open.collections.clone();
    options.collections_file = given.as_ref().map(|(file, _)| file.clone());
    options.collections = given.map(|(_, list)| list).or_else(|| {
        collection_list::of_user().unwrap_or_else(|why| {
            remark(&format!("{why}; the list is ignored"));
            None
        })
    });
    options.verdicts_file = verdicts::user_file();
    options.references_file = references_file();
    options.known_leaks_file = known_leaks_file();
    options.mappings = open.mappings.iter().chain(&open.source_maps).cloned().collect();
    options.redact = open.redact;
    options.record = open
        .records
        .iter()
        .map(|record| ProcessRecord::clone(record))
        .reduce(|mut all, more| {
            all.add(more);
            all
        })
        .map(Arc::new);
    options
}

/// Files that a command reads: its dumps, those of the options, and those of the rules. An output replaces none of them.
pub(super) fn inputs<'a>(
    dumps: impl IntoIterator<Item = &'a PathBuf>,
    open: &OpenArguments,
    rules: Option<&'a RulesArguments>,
) -> Vec<PathBuf> {
    let rules = rules.into_iter().flat_map(|rules| rules.files.iter().chain(&rules.known_leaks));
    dumps.into_iter().chain(rules).cloned().chain(open_options(open).files()).collect()
}

/// Name of a file in the output; without its folder if redacted.
pub(super) fn called(file: &Path, open: &OpenArguments) -> String {
    let name = file.file_name().filter(|_| open.redact).map(Path::new);
    name.unwrap_or(file).display().to_string()
}

/// Sets the number of worker threads. Call it once, before opening a dump.
pub(super) fn set_threads(open: &OpenArguments) -> Result<(), Failure> {
    start_threads(open.threads.map_or(0, |threads| threads as usize))
}

/// The same for the window; the exit status if no threads can be started.
pub fn set_window_threads(open: &OpenArguments) -> Result<(), ExitCode> {
    set_threads(open).map_err(|why| exit(Err(why)))
}

/// Starts the threads of this program; 0: one for each core.
pub(super) fn start_threads(threads: usize) -> Result<(), Failure> {
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    // If the pool is already running, the number was set before.
    match started.as_ref().err().and_then(std::error::Error::source) {
        Some(error) => Err(Failure::Unusable(format!(
            "cannot start threads: {error}. Raise the limit on processes (ulimit -u), or use fewer with --threads"
        ))),
        None => Ok(()),
    }
}

/// Opens a dump and waits for the complete analysis; shows progress if stderr is a terminal.
pub(super) fn open(file: &Path, arguments: &AnalysisArguments) -> Result<(UnclosedDump, Progress), Failure> {
    let (_, dump, progress) = open_reduced(file, 0, arguments, &mut Removals::new(arguments, 1)?)?;
    Ok((dump, progress))
}

/// Opens a dump; with removals, both the dump before them, which comes first, and after them.
pub(super) fn open_before_and_after(
    file: &Path,
    arguments: &AnalysisArguments,
) -> Result<(Option<UnclosedDump>, UnclosedDump), Failure> {
    let (before, dump, _) = open_reduced(file, 0, arguments, &mut Removals::new(arguments, 1)?)?;
    Ok((before.map(UnclosedDump::new), dump))
}

/// Opens several dumps in this order, each with the mapping for its index among the files given: each may be of another
/// build. Removals apply to all of them.
pub(super) fn open_several<'a>(
    files: impl IntoIterator<Item = (usize, &'a PathBuf)>,
    arguments: &AnalysisArguments,
) -> Result<Vec<UnclosedDump>, Failure> {
    let files: Vec<(usize, &PathBuf)> = files.into_iter().collect();
    let mut removals = Removals::new(arguments, files.len())?;
    files.into_iter().map(|(nth, file)| Ok(open_reduced(file, nth, arguments, &mut removals)?.1)).collect()
}

/// Opens a dump and removes references: the dump before, if any are removed, and the one to ask.
fn open_reduced(
    file: &Path,
    nth: usize,
    arguments: &AnalysisArguments,
    removals: &mut Removals<'_>,
) -> Result<(Option<Dump>, UnclosedDump, Progress), Failure> {
    let options = analysis_options(arguments).of_file(nth);
    let (dump, mut progress) = open_with(file, arguments, &options)?;
    if options.owner_rules && !dump.facts.heap.origin.format.is_android() {
        return Err(Failure::Usage("--owner-rules applies to Android dumps only".to_owned()));
    }
    Ok(match removals.apply(&dump, file, &options, &mut progress)? {
        Some(after) => (Some(dump), UnclosedDump::new(after), progress),
        None => (None, UnclosedDump::new(dump), progress),
    })
}

/// The options for opening a dump to ask questions about its heap.
fn analysis_options(arguments: &AnalysisArguments) -> OpenOptions {
    OpenOptions { owner_rules: arguments.cut.owner_rules, ..open_options(arguments) }
}

/// Opens a dump that is closed when it is dropped.
pub(super) fn open_with(
    file: &Path,
    arguments: &OpenArguments,
    options: &OpenOptions,
) -> Result<(Dump, Progress), Failure> {
    set_threads(arguments)?;
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let opened = open_and_wait(file, options, &task);
    drop(line);
    let dump =
        opened.map_err(|error| if task.is_cancelled() { Failure::Interrupted } else { open_failure(&error, file) })?;
    if let Some((mapped, doubt)) = dump.facts.mapped.as_ref().and_then(|mapped| Some((mapped, mapped.doubt.as_ref()?)))
    {
        remark(&format!("{}: {doubt}", mapped.file.path.display()));
    }
    // Also where the answer has no place for it, as in CSV.
    if let Some(loss) = loss_of(&dump.facts.heap) {
        remark(&format!("{}: {loss}", called(file, arguments)));
    }
    Ok((dump, task.progress()))
}

/// Facts of this open for the summary: phases, cache use, remarks, peak memory.
pub(super) fn this_open<'a>(dump: &'a Dump, progress: &'a Progress) -> OpenDetails<'a> {
    OpenDetails {
        progress,
        from_cache: dump.is_from_cache(),
        open_warnings: &dump.open_warnings,
        peak_memory: peak_memory_bytes(),
    }
}
