//! A file of a window, and the thread that writes it.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread::JoinHandle};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use serde::Serialize;
use serde_json::Value;

use super::left_files::{LOCK, LeftFiles};
use super::merge::merged;
use heaplens_base::storage::folder::{create_private, replace};
use heaplens_base::threads;

/// Minimum time between two writes: held keys cause a change with every repetition.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum wait for another window that writes the settings.
const PATIENCE: Duration = Duration::from_secs(2);

/// A file, and the thread that writes it.
pub(super) struct SavedFile {
    path: PathBuf,
    last: Vec<u8>,
    /// For a file shared with other windows: its content as last read or written by this one.
    is_shared: bool,
    before: Value,
    /// Files to delete after the first write.
    left: Vec<LeftFiles>,
    writer: Option<(Sender<Vec<u8>>, JoinHandle<()>)>,
    troubles: (Sender<String>, Receiver<String>),
}

impl SavedFile {
    /// File of this window alone. After the first write, the files `left` by others are deleted.
    pub(super) fn own(path: PathBuf, left: Vec<LeftFiles>) -> Self {
        Self {
            path,
            last: Vec::new(),
            is_shared: false,
            before: Value::Null,
            left,
            writer: None,
            troubles: crossbeam_channel::bounded(1),
        }
    }

    /// File written by all windows.
    pub(super) fn shared(path: PathBuf) -> Self {
        let mut shared = Self::own(path, Vec::new());
        shared.is_shared = true;
        shared
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets the content the file was read with: changes are computed against it.
    pub(super) fn set_known(&mut self, what: &impl Serialize) {
        // Round trip through JSON, so that unchanged numbers compare equal.
        let bytes = serde_json::to_vec(what).unwrap_or_default();
        self.before = serde_json::from_slice(&bytes).unwrap_or_default();
    }

    /// Queues a write if the content changed.
    pub(super) fn put(&mut self, what: &impl Serialize) {
        let Ok(bytes) = serde_json::to_vec(what) else { return };
        if bytes == self.last {
            return;
        }
        self.last.clone_from(&bytes);
        if self.writer.is_none() {
            let (sender, changes) = crossbeam_channel::unbounded();
            let writer = Writer {
                path: self.path.clone(),
                before: self.is_shared.then(|| std::mem::take(&mut self.before)),
                left: std::mem::take(&mut self.left),
            };
            let trouble = self.troubles.0.clone();
            let Ok(thread) = threads::start("keep", move || writer.write_all(&changes, &trouble)) else { return };
            self.writer = Some((sender, thread));
        }
        if let Some((sender, _)) = &self.writer {
            // The thread lives as long as the sender.
            let _sent = sender.send(bytes);
        }
    }

    /// Reason why it could not be written; returned once.
    pub(super) fn trouble(&mut self) -> Option<String> {
        self.troubles.1.try_recv().ok()
    }

    /// Waits until everything is written.
    pub(super) fn finish(&mut self) {
        if let Some((sender, thread)) = self.writer.take() {
            drop(sender);
            // It can panic only if out of memory.
            let _ended = thread.join();
        }
    }
}

impl Drop for SavedFile {
    /// The last queued content is written before the window ends.
    fn drop(&mut self) {
        self.finish();
    }
}

/// State of the writer thread.
struct Writer {
    path: PathBuf,
    /// Content last read or written by this window, if the file is shared.
    before: Option<Value>,
    left: Vec<LeftFiles>,
}

impl Writer {
    /// Writes queued contents, skipping outdated ones.
    fn write_all(mut self, changes: &Receiver<Vec<u8>>, trouble: &Sender<String>) {
        while let Ok(mut bytes) = changes.recv() {
            let until = Instant::now() + PAUSE;
            let ended = loop {
                match changes.recv_deadline(until) {
                    Ok(newer) => bytes = newer,
                    Err(RecvTimeoutError::Timeout) => break false,
                    Err(RecvTimeoutError::Disconnected) => break true,
                }
            };
            match self.write(&bytes) {
                Ok(()) => self.left.drain(..).for_each(|left| left.delete()),
                // Reporting it once is enough.
                Err(error) => {
                    let _said_before = trouble.try_send(format!("{}: {error}", self.path.display()));
                }
            }
            if ended {
                break;
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        create_private(self.path.parent().unwrap_or(Path::new(".")))?;
        let Some(before) = &self.before else { return replace(&self.path, bytes) };
        // Locks out other windows between reading and writing; waits for a hanging one only for a limited time.
        let lock = File::create(self.path.with_extension(LOCK))?;
        let until = Instant::now() + PATIENCE;
        while matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) && Instant::now() < until {
            std::thread::sleep(PAUSE / 10);
        }
        let ours: Value = serde_json::from_slice(bytes)?;
        let theirs = fs::read(&self.path).ok().and_then(|theirs| serde_json::from_slice::<Value>(&theirs).ok());
        let both = theirs.map_or_else(|| ours.clone(), |theirs| merged(before, &ours, theirs));
        replace(&self.path, &serde_json::to_vec(&both)?)?;
        self.before = Some(ours);
        Ok(())
    }
}
