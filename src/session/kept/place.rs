//! A file of a window, and the thread that writes it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use serde::Serialize;
use serde_json::Value;

use super::merge::merged;
use super::{LOCK, Left};
use crate::storage::folder::{create_private, replace};

/// Between two writes: keys that are held down change something with every repetition.
const PAUSE: Duration = Duration::from_millis(250);
/// For another window that writes the settings.
const PATIENCE: Duration = Duration::from_secs(2);

/// A file, and the thread that writes it.
pub(super) struct Place {
    path: PathBuf,
    last: Vec<u8>,
    /// Whether other windows write it too, and as what this one found it or wrote it last.
    is_shared: bool,
    before: Value,
    /// What is to be deleted once something has been written.
    left: Vec<Left>,
    writer: Option<(Sender<Vec<u8>>, JoinHandle<()>)>,
    troubles: (Sender<String>, Receiver<String>),
}

impl Place {
    /// A file of this window alone. Once it has been written, what others `left` is deleted.
    pub(super) fn own(path: PathBuf, left: Vec<Left>) -> Self {
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

    /// A file that all windows write.
    pub(super) fn shared(path: PathBuf) -> Self {
        let mut place = Self::own(path, Vec::new());
        place.is_shared = true;
        place
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// As what the file was found: what this window changes is what is not so any more.
    pub(super) fn found(&mut self, what: &impl Serialize) {
        // As it will be written and read: numbers in it are then the same if nobody changes them.
        let bytes = serde_json::to_vec(what).unwrap_or_default();
        self.before = serde_json::from_slice(&bytes).unwrap_or_default();
    }

    /// Has it written, if it is not what was written last.
    pub(super) fn put(&mut self, what: &impl Serialize) {
        let Ok(bytes) = serde_json::to_vec(what) else { return };
        if bytes == self.last {
            return;
        }
        self.last.clone_from(&bytes);
        if self.writer.is_none() {
            let (sender, news) = crossbeam_channel::unbounded();
            let writer = Writer {
                path: self.path.clone(),
                before: self.is_shared.then(|| std::mem::take(&mut self.before)),
                left: std::mem::take(&mut self.left),
            };
            let trouble = self.troubles.0.clone();
            let thread = std::thread::Builder::new().name("keep".to_owned());
            let Ok(thread) = thread.spawn(move || writer.write_all(&news, &trouble)) else { return };
            self.writer = Some((sender, thread));
        }
        if let Some((sender, _)) = &self.writer {
            // The thread lives as long as the sender.
            let _sent = sender.send(bytes);
        }
    }

    /// Why it could not be written, once.
    pub(super) fn trouble(&mut self) -> Option<String> {
        self.troubles.1.try_recv().ok()
    }

    /// Waits until all is written.
    pub(super) fn finish(&mut self) {
        if let Some((sender, thread)) = self.writer.take() {
            drop(sender);
            // It has no way to panic but for want of memory.
            let _ended = thread.join();
        }
    }
}

impl Drop for Place {
    /// What was put last is written before the window is gone.
    fn drop(&mut self) {
        self.finish();
    }
}

/// What the thread has.
struct Writer {
    path: PathBuf,
    /// As what this window found the file or wrote it last, if others write it too.
    before: Option<Value>,
    left: Vec<Left>,
}

impl Writer {
    /// Writes what comes, the newest alone where it comes faster than it need be written.
    fn write_all(mut self, news: &Receiver<Vec<u8>>, trouble: &Sender<String>) {
        while let Ok(mut bytes) = news.recv() {
            let until = Instant::now() + PAUSE;
            let ended = loop {
                match news.recv_deadline(until) {
                    Ok(newer) => bytes = newer,
                    Err(RecvTimeoutError::Timeout) => break false,
                    Err(RecvTimeoutError::Disconnected) => break true,
                }
            };
            match self.write(&bytes) {
                Ok(()) => self.left.drain(..).for_each(|left| left.delete()),
                // Said once is enough.
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
        // Between reading and writing no other window does. One that hangs meanwhile is not waited for for ever.
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
