//! What a window leaves for the next one, written as it changes: settings with stars and notes, and which dumps are
//! open and where in them the reader is. A window that is killed loses the last moment at most.
//!
//! Settings are one file for all windows. What is open is a file for each, beside a lock that its window holds: what
//! nobody holds any more was left by a window that has ended, however it ended.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::storage::folder::{create_private, replace};

/// The file of the settings.
const SETTINGS: &str = "settings.json";
/// The folder of what is open in which window.
const WINDOWS: &str = "windows";
/// Ending of the lock of a window, beside its file.
const LOCK: &str = "lock";
/// Between two writes: keys that are held down change something with every repetition.
const PAUSE: Duration = Duration::from_millis(250);

/// What is kept for the next window.
pub struct Kept {
    settings: Place,
    open: Place,
    /// What the window that ended last had open.
    last: Option<Vec<u8>>,
    /// Held until this window ends.
    _lock: Option<File>,
}

impl Kept {
    /// Begins a window whose things are kept in `folder`.
    pub fn begin(folder: &Path) -> Self {
        let windows = folder.join(WINDOWS);
        let last = left_behind(&windows);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let own = windows.join(format!("{:x}-{}.json", now.as_nanos(), std::process::id()));
        let lock = create_private(&windows).and_then(|()| File::create(own.with_extension(LOCK)));
        // Without a lock the next window takes what this one leaves while it is still there: better than nothing.
        let lock = lock.ok().inspect(|lock| drop(lock.try_lock()));
        Self { settings: Place::new(folder.join(SETTINGS)), open: Place::new(own), last, _lock: lock }
    }

    /// The settings as they were kept last; the usual ones if there are none. A file that says nothing anybody
    /// understands is put aside, not written over.
    pub fn settings<T: DeserializeOwned + Default>(&self) -> T {
        let path = &self.settings.path;
        let Ok(bytes) = fs::read(path) else { return T::default() };
        serde_json::from_slice(&bytes).unwrap_or_else(|_damage| {
            let _aside = fs::rename(path, path.with_extension("damaged.json"));
            T::default()
        })
    }

    /// What the window that ended last had open, if that was anything.
    pub fn last<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.last.as_deref()?).ok()
    }

    /// Keeps the settings, if they are not as they were.
    pub fn keep_settings(&mut self, settings: &impl Serialize) {
        self.settings.put(settings);
    }

    /// Keeps what is open, if it is not what was open before.
    pub fn keep_open(&mut self, open: &impl Serialize) {
        self.open.put(open);
    }

    /// Why something could not be kept, once.
    pub fn trouble(&mut self) -> Option<String> {
        self.settings.trouble().or_else(|| self.open.trouble())
    }
}

/// What the window that ended last had open. What others left before it is deleted with it: the new window keeps it
/// until something is opened there.
fn left_behind(windows: &Path) -> Option<Vec<u8>> {
    let mut left = Vec::new();
    for entry in fs::read_dir(windows).ok()?.flatten() {
        let lock = entry.path();
        if lock.extension().is_none_or(|extension| extension != LOCK) {
            continue;
        }
        let Ok(held) = File::open(&lock) else { continue };
        if matches!(held.try_lock(), Err(TryLockError::WouldBlock)) {
            continue;
        }
        let file = lock.with_extension("json");
        let changed = fs::metadata(&file).and_then(|metadata| metadata.modified());
        if let (Ok(changed), Ok(bytes)) = (changed, fs::read(&file)) {
            left.push((changed, bytes));
        }
        let _deleted = (fs::remove_file(&file), fs::remove_file(&lock));
    }
    left.sort();
    left.pop().map(|(_, bytes)| bytes)
}

/// A file, and the thread that writes it.
struct Place {
    path: PathBuf,
    last: Vec<u8>,
    writer: Option<(Sender<Vec<u8>>, JoinHandle<()>)>,
    troubles: (Sender<String>, Receiver<String>),
}

impl Place {
    fn new(path: PathBuf) -> Self {
        Self { path, last: Vec::new(), writer: None, troubles: crossbeam_channel::bounded(1) }
    }

    fn put(&mut self, what: &impl Serialize) {
        let Ok(bytes) = serde_json::to_vec(what) else { return };
        if bytes == self.last {
            return;
        }
        self.last.clone_from(&bytes);
        if self.writer.is_none() {
            let (sender, news) = crossbeam_channel::unbounded();
            let (path, trouble) = (self.path.clone(), self.troubles.0.clone());
            let thread = std::thread::Builder::new().name("keep".to_owned());
            let Ok(thread) = thread.spawn(move || write_all(&path, &news, &trouble)) else { return };
            self.writer = Some((sender, thread));
        }
        if let Some((sender, _)) = &self.writer {
            // The thread lives as long as the sender.
            let _sent = sender.send(bytes);
        }
    }

    fn trouble(&mut self) -> Option<String> {
        self.troubles.1.try_recv().ok()
    }
}

impl Drop for Place {
    /// What was put last is written before the window is gone.
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.writer.take() {
            drop(sender);
            // It has no way to panic but for want of memory.
            let _ended = thread.join();
        }
    }
}

/// Writes what comes, the newest alone where it comes faster than it need be written.
fn write_all(path: &Path, news: &Receiver<Vec<u8>>, trouble: &Sender<String>) {
    while let Ok(mut bytes) = news.recv() {
        let until = Instant::now() + PAUSE;
        let ended = loop {
            match news.recv_deadline(until) {
                Ok(newer) => bytes = newer,
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        if let Err(error) = write(path, &bytes) {
            // Said once is enough.
            let _said_before = trouble.try_send(format!("{}: {error}", path.display()));
        }
        if ended {
            break;
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_private(path.parent().unwrap_or(Path::new(".")))?;
    replace(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(text: &str) -> Vec<String> {
        vec![text.to_owned()]
    }

    #[test]
    fn a_window_finds_what_the_one_before_it_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = Kept::begin(folder.path());
        assert_eq!(first.last::<Vec<String>>(), None);
        assert_eq!(first.settings::<Vec<String>>(), Vec::<String>::new());
        first.keep_settings(&notes("it grows"));
        first.keep_open(&notes("a.hprof"));
        // Another window beside it: that one is still there.
        assert_eq!(Kept::begin(folder.path()).last::<Vec<String>>(), None);
        drop(first);
        let second = Kept::begin(folder.path());
        assert_eq!(second.last(), Some(notes("a.hprof")));
        assert_eq!(second.settings::<Vec<String>>(), notes("it grows"));
        assert_eq!(Kept::begin(folder.path()).last::<Vec<String>>(), None, "it is offered once");
    }

    #[test]
    fn what_is_damaged_is_put_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(SETTINGS), "{\"notes\": [").expect("a file");
        let mut kept = Kept::begin(folder.path());
        assert_eq!(kept.settings::<Vec<String>>(), Vec::<String>::new());
        kept.keep_settings(&notes("new"));
        drop(kept);
        let aside = fs::read_to_string(folder.path().join("settings.damaged.json")).expect("it is aside");
        assert_eq!(aside, "{\"notes\": [");
    }

    #[test]
    fn where_nothing_can_be_written_that_is_said_and_nothing_else_happens() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("a file");
        // A folder cannot be where a file is.
        let mut kept = Kept::begin(&file);
        kept.keep_settings(&notes("new"));
        kept.settings.writer = kept.settings.writer.take().and_then(|(sender, thread)| {
            drop(sender);
            thread.join().expect("it ends");
            None
        });
        assert!(kept.trouble().is_some_and(|why| why.contains("settings.json")));
        assert_eq!(kept.trouble(), None);
    }
}
