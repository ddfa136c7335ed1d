//! Watches the files of open dumps: deleted, replaced, still being written, overwritten. A thread checks
//! every two seconds, since a disk may not respond.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use heaplens_base::threads;
use heaplens_platform::files::identity;

use super::jobs::Jobs;

/// Time between two checks.
const EVERY: Duration = Duration::from_secs(2);

/// Change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Deleted. The opened file can still be read.
    Deleted,
    /// Replaced by another file. The opened file can still be read.
    Replaced,
    /// It grew: it is still being written. The part that existed when it was opened can still be read.
    Longer,
    /// Overwritten or truncated: values read now are wrong.
    WrittenOver,
}

/// Identity and state of a file, to detect changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self { file: identity(path, &metadata)?, bytes: metadata.len(), modified: metadata.modified().ok() })
    }

    /// Change between this state and the state `now`.
    fn change(&self, now: &io::Result<Self>) -> Option<Change> {
        match now {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Change::Deleted),
            Ok(now) if now.file != self.file => Some(Change::Replaced),
            Ok(now) if now.bytes > self.bytes => Some(Change::Longer),
            Ok(now) if now.bytes < self.bytes || now.modified != self.modified => Some(Change::WrittenOver),
            // Unchanged, or on a disk that does not respond at the moment.
            _ => None,
        }
    }
}

/// Watcher of files.
pub struct Watch {
    files: Arc<Mutex<Vec<WatchedFile>>>,
    /// Dropping it ends the thread; nothing is sent.
    _ends: Option<Sender<()>>,
}

struct WatchedFile {
    path: PathBuf,
    stamp: Stamp,
    change: Option<Change>,
}

impl Watch {
    /// Creates a watcher without files that wakes the window when a file changes.
    pub fn new(jobs: &Jobs) -> Self {
        let files = Arc::<Mutex<Vec<WatchedFile>>>::default();
        let (ends, ended) = crossbeam_channel::bounded(0);
        let (theirs, jobs) = (files.clone(), jobs.clone());
        // Without the thread changes are not reported.
        let started = threads::start("watch files", move || look(&theirs, &ended, &jobs));
        Self { files, _ends: started.is_ok().then_some(ends) }
    }

    /// Watches a file from its current state on.
    pub fn begin(&self, path: &Path) {
        self.end(path);
        if let Ok(stamp) = Stamp::of(path) {
            let watched = WatchedFile { path: path.to_owned(), stamp, change: None };
            self.files.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        }
    }

    /// Watches a file unless it is watched already, so that pending changes are not lost.
    pub fn go_on(&self, path: &Path) {
        let is_watched = |watched: &WatchedFile| watched.path == path;
        if !self.files.lock().unwrap_or_else(PoisonError::into_inner).iter().any(is_watched) {
            self.begin(path);
        }
    }

    /// Stops watching a file.
    pub fn end(&self, path: &Path) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).retain(|watched| watched.path != path);
    }

    /// Changes of the watched files, each reported once.
    pub fn changes(&self) -> Vec<(PathBuf, Change)> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = files.extract_if(.., |watched| watched.change.is_some());
        changed.filter_map(|watched| Some((watched.path, watched.change?))).collect()
    }
}

fn look(files: &Mutex<Vec<WatchedFile>>, ended: &Receiver<()>, jobs: &Jobs) {
    while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let lock = || files.lock().unwrap_or_else(PoisonError::into_inner);
        let known: Vec<(PathBuf, Stamp)> = lock().iter().map(|watched| (watched.path.clone(), watched.stamp)).collect();
        for (path, stamp) in known {
            // Not under the lock: an unresponsive disk may block this.
            if let Some(change) = stamp.change(&Stamp::of(&path)) {
                lock()
                    .iter_mut()
                    .filter(|watched| watched.path == path)
                    .for_each(|watched| watched.change = Some(change));
                jobs.wake();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_file_are_distinguished() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("app.hprof");
        let write = |text: &str| fs::write(&path, text).expect("a file");
        write("0123");
        let stamp = Stamp::of(&path).expect("it is there");
        let change = || stamp.change(&Stamp::of(&path));
        assert_eq!(change(), None);
        write("012345");
        assert_eq!(change(), Some(Change::Longer));
        write("01");
        assert_eq!(change(), Some(Change::WrittenOver));
        write("4567");
        let file = fs::File::options().append(true).open(&path).expect("it is there");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        assert_eq!(change(), Some(Change::WrittenOver));
        drop(file);
        let other = folder.path().join("other");
        fs::write(&other, "0123").expect("a file");
        fs::rename(&other, &path).expect("it takes its place");
        assert_eq!(change(), Some(Change::Replaced));
        fs::remove_file(&path).expect("it is deleted");
        assert_eq!(change(), Some(Change::Deleted));
    }
}
