//! Dumps and tools that a server offers, whatever carries its messages.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use heaplens_analysis::android::shark::Matchers;
use heaplens_base::{Cancelled, Task};
use heaplens_dump::OpenError;
use heaplens_session::dump::open_and_wait;
use heaplens_session::{Jobs, LeakRules, OpenDump as TabDump, OpenOptions};

use crate::allowed_paths::AllowedPaths;
use crate::answer::{Answer, ToolError};
use crate::dumps::Dumps;
use crate::fence::Fence;
use crate::open_dump::OpenDump;

/// Time between two looks at whether it is a call's turn.
const INTERVAL: Duration = Duration::from_millis(5);

/// A picture of a view, as a client asks for it.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    /// File of the dump.
    pub file: PathBuf,
    /// View by its key, as `--view` takes it; `None` for the first.
    pub view: Option<String>,
    /// Id or name of the object to select.
    pub object: Option<String>,
    /// References to leave out, by name: the heap without them is shown.
    pub cuts: Vec<String>,
    /// True for the light theme.
    pub light: bool,
    /// True to hide values of the program.
    pub redact: bool,
}

/// Draws a picture of a dump as PNG, or says why it cannot; ends when the task is cancelled.
pub type Pictures = Arc<dyn Fn(&Picture, &Task) -> Result<Vec<u8>, String> + Send + Sync>;

/// What a server offers and how it opens dumps.
pub struct AssistantOptions {
    /// Files and folders whose dumps may be opened.
    pub allowed_paths: Vec<PathBuf>,
    /// How dumps are opened. Values are redacted if it says so.
    pub open: OpenOptions,
    /// Rules that judge findings.
    pub rules: LeakRules,
    /// Known leaking references of Android.
    pub matchers: Matchers,
    /// Draws pictures; `None` in a build without a window.
    pub pictures: Option<Pictures>,
}

/// Dumps and tools of a server.
pub struct Assistant {
    pub(crate) dumps: Dumps,
    pub(crate) allowed_paths: AllowedPaths,
    pub(crate) fence: Fence,
    pub(crate) matchers: Matchers,
    pub(crate) pictures: Option<Pictures>,
    /// Files that are being opened: a client that asks for one twice waits for the first.
    opening: Mutex<()>,
    /// Pictures that are being drawn, one at a time: each opens its dump again.
    pub(crate) drawing: Mutex<()>,
    /// Heaps without some references are analyzed one at a time, too.
    pub(crate) reducing: Mutex<()>,
    pub(crate) open: OpenOptions,
    rules: LeakRules,
}

impl Assistant {
    /// A server of these dumps.
    ///
    /// # Errors
    /// A message if a file or folder does not exist.
    pub fn new(options: AssistantOptions) -> Result<Self, String> {
        let AssistantOptions { allowed_paths, open, rules, matchers, pictures } = options;
        Ok(Self {
            dumps: Dumps::new(Jobs::new(Arc::new(|| {}))),
            allowed_paths: AllowedPaths::new(&allowed_paths)?,
            fence: Fence::new(),
            matchers,
            pictures,
            opening: Mutex::default(),
            drawing: Mutex::default(),
            reducing: Mutex::default(),
            open,
            rules,
        })
    }

    /// True if values of the program are hidden.
    pub(crate) fn is_redacted(&self) -> bool {
        self.open.redact
    }

    /// Offers the tabs of the window, each with its file, and no longer those that it closed or changed. Called in every
    /// frame: it compares a few addresses.
    pub fn share(&self, tabs: &[(&Path, &TabDump)]) {
        let is_same = |(file, tab): &(&Path, &TabDump), dump: &OpenDump| {
            *file == dump.file && Arc::ptr_eq(&tab.heap, &dump.source.facts().heap)
        };
        self.dumps.retain(|dump| tabs.iter().any(|tab| is_same(tab, dump)));
        let offered = self.dumps.all();
        for &(file, tab) in tabs.iter().filter(|tab| !offered.iter().any(|dump| is_same(tab, dump))) {
            let (name, rules) = (self.dumps.next_name(), self.rules.clone());
            let dump = if self.is_redacted() { tab.redacted() } else { tab.dump.clone() };
            self.dumps.add(OpenDump::of(name, file.to_owned(), &dump, rules));
        }
    }

    /// An error of a call with these arguments. If a dump that they name is in doubt, the call may be right.
    pub(crate) fn explained(&self, error: ToolError, arguments: &[String]) -> ToolError {
        let is_named = |dump: &&Arc<OpenDump>| {
            arguments.iter().any(|argument| *argument == dump.name || Path::new(argument) == dump.file)
        };
        let doubt = |dump: &Arc<OpenDump>| dump.checked(Ok(Answer::default())).err();
        match error {
            ToolError::Cancelled => error,
            ToolError::Refused { .. } => self.dumps.all().iter().filter(is_named).find_map(doubt).unwrap_or(error),
        }
    }

    /// The dump that a client names: by its name, or by its file, which is opened.
    pub(crate) fn dump(&self, name: &str, task: &Task) -> Result<Arc<OpenDump>, ToolError> {
        let open_dump = self.dumps.get(name);
        if open_dump.is_err() && self.allowed_paths.find(Path::new(name)).is_some() {
            return Ok(self.open(Path::new(name), task)?.0);
        }
        open_dump
    }

    /// Opens a file, or finds it among the open ones. With the name of a dump that was closed to make room.
    pub(crate) fn open(&self, file: &Path, task: &Task) -> Result<(Arc<OpenDump>, Option<String>), ToolError> {
        // One whose file has changed since is opened again.
        let known = |file: &Path| self.dumps.of_file(file).filter(|dump| dump.source.facts().doubt().is_none());
        if let Some(dump) = known(file) {
            return Ok((dump, None));
        }
        let Some(path) = self.allowed_paths.find(file) else {
            return Err(ToolError::new(
                "This file may not be opened, or does not exist. Call list_dumps for the files that may.",
            ));
        };
        let _one_at_a_time = turn(&self.opening, task)?;
        if let Some(dump) = known(&path) {
            return Ok((dump, None));
        }
        self.dumps.retain(|dump| dump.file != path);
        let dump = open_and_wait(&path, &self.open.of_file(0), task).map_err(|error| match error {
            OpenError::Cancelled => ToolError::Cancelled,
            error => ToolError::with("This file cannot be opened as a heap dump.", &error.describe(&path)),
        })?;
        let opened = OpenDump::of(self.dumps.next_name(), path, &dump, self.rules.clone());
        let closed = self.dumps.make_room();
        Ok((self.dumps.add(opened), closed))
    }
}

/// Waits for a lock until the call is cancelled.
pub(crate) fn turn<'a>(of: &'a Mutex<()>, task: &Task) -> Result<MutexGuard<'a, ()>, Cancelled> {
    loop {
        match of.try_lock() {
            Ok(turn) => return Ok(turn),
            Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        task.checkpoint()?;
        std::thread::sleep(INTERVAL);
    }
}
