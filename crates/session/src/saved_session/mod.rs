//! State saved for the next window, written as it changes: settings with stars and notes, and the open
//! dumps with their positions. A killed window loses only the last moment.
//!
//! Settings are one file for all windows: changes are merged, so that no window undoes those of another.
//! The open dumps are one file per window, with a lock held by the window: unlocked files were left by a
//! window that has ended. They are deleted once the next window has saved that it offers them.

mod left_files;
mod merge;
mod saved_file;

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Serialize, de::DeserializeOwned};

use self::left_files::{LOCK, LeftFiles};
use self::saved_file::SavedFile;
use heaplens_base::storage::folder::create_private;

/// The file of the settings.
const SETTINGS: &str = "settings.json";
/// Folder of the open dumps by window.
const WINDOWS: &str = "windows";

/// Saved state for the next window.
pub struct SavedSession {
    settings: SavedFile,
    open: SavedFile,
    /// Open dumps of ended windows, the most recent last.
    last: Vec<Vec<u8>>,
    /// Lock held until this window ends.
    _lock: Option<File>,
}

impl SavedSession {
    /// Begins a window whose state is saved in `folder`.
    pub fn begin(folder: &Path) -> Self {
        let windows = folder.join(WINDOWS);
        let (last, left) = left_behind(&windows);
        let (own, lock) = own_file(&windows);
        let settings = SavedFile::shared(folder.join(SETTINGS));
        Self { settings, open: SavedFile::own(own, left), last, _lock: lock }
    }

    /// Saved settings, or defaults. An unreadable file is renamed, not overwritten.
    pub fn settings<T: Serialize + DeserializeOwned + Default>(&mut self) -> T {
        let path = self.settings.path();
        let parsed = fs::read(path).ok().map(|bytes| serde_json::from_slice::<T>(&bytes));
        let settings = parsed.map_or_else(T::default, |parsed| {
            parsed.unwrap_or_else(|_damage| {
                let _aside = fs::rename(path, path.with_extension("damaged.json"));
                T::default()
            })
        });
        self.settings.set_known(&settings);
        settings
    }

    /// Open dumps of ended windows, the most recent last.
    pub fn last<T: DeserializeOwned>(&self) -> Vec<T> {
        self.last.iter().filter_map(|left| serde_json::from_slice(left).ok()).collect()
    }

    /// Saves the settings if they changed.
    pub fn keep_settings(&mut self, settings: &impl Serialize) {
        self.settings.put(settings);
    }

    /// Saves the open dumps if they changed.
    pub fn keep_open(&mut self, open: &impl Serialize) {
        self.open.put(open);
    }

    /// Reason why something could not be saved; returned once.
    pub fn trouble(&mut self) -> Option<String> {
        self.settings.trouble().or_else(|| self.open.trouble())
    }
}

/// File of this window, with its lock.
fn own_file(windows: &Path) -> (PathBuf, Option<File>) {
    loop {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let own = windows.join(format!("{:x}-{}.json", now.as_nanos(), std::process::id()));
        let lock = create_private(windows).and_then(|()| File::create(own.with_extension(LOCK)));
        let Ok(lock) = lock else { return (own, None) };
        // Race: a window starting at this moment may take it for an abandoned file and delete it. On systems without
        // locks the next window takes this window's file while it is still open: better than nothing.
        if !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return (own, Some(lock));
        }
    }
}

/// Open dumps of ended windows, ordered by last write, with their files.
fn left_behind(windows: &Path) -> (Vec<Vec<u8>>, Vec<LeftFiles>) {
    let (mut texts, mut left) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(windows).into_iter().flatten().flatten() {
        let lock = entry.path();
        // Opening a pipe would wait for a reader.
        if lock.extension().is_none_or(|extension| extension != LOCK) || !lock.is_file() {
            continue;
        }
        // On network file systems only a writable handle can be locked.
        let Ok(held) = File::options().write(true).open(&lock) else { continue };
        if matches!(held.try_lock(), Err(TryLockError::WouldBlock)) {
            continue;
        }
        let file = lock.with_extension("json");
        let changed = fs::metadata(&file).and_then(|metadata| metadata.modified());
        if let (Ok(changed), Ok(bytes)) = (changed, fs::read(&file)) {
            texts.push((changed, bytes));
        }
        left.push(LeftFiles::new(file, lock, held));
    }
    texts.sort();
    (texts.into_iter().map(|(_, bytes)| bytes).collect(), left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(text: &str) -> Vec<String> {
        vec![text.to_owned()]
    }

    #[test]
    fn a_window_restores_the_previous_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = SavedSession::begin(folder.path());
        assert_eq!(first.last::<Vec<String>>(), [] as [Vec<String>; 0]);
        assert_eq!(first.settings::<Vec<String>>(), Vec::<String>::new());
        first.keep_settings(&notes("it grows"));
        first.keep_open(&notes("a.hprof"));
        // Another window while the first is still open.
        assert_eq!(SavedSession::begin(folder.path()).last::<Vec<String>>(), [] as [Vec<String>; 0]);
        drop(first);
        // A window that ends before saving what it offers: the next one offers it.
        assert_eq!(SavedSession::begin(folder.path()).last::<Vec<String>>(), [notes("a.hprof")]);
        let mut second = SavedSession::begin(folder.path());
        assert_eq!(second.last::<Vec<String>>(), [notes("a.hprof")]);
        assert_eq!(second.settings::<Vec<String>>(), notes("it grows"));
        assert_eq!(
            SavedSession::begin(folder.path()).last::<Vec<String>>(),
            [] as [Vec<String>; 0],
            "it is offered once"
        );
        second.keep_open(&notes("b.hprof"));
        drop(second);
        assert_eq!(SavedSession::begin(folder.path()).last::<Vec<String>>(), [notes("b.hprof")]);
    }

    #[test]
    fn sessions_of_all_windows_are_merged() {
        type Settings = std::collections::BTreeMap<String, String>;
        let folder = tempfile::tempdir().expect("a folder");
        let of = |key: &str, value: &str| Settings::from([(key.to_owned(), value.to_owned())]);
        let (mut first, mut second) = (SavedSession::begin(folder.path()), SavedSession::begin(folder.path()));
        assert_eq!((first.settings::<Settings>(), second.settings::<Settings>()), Default::default());
        first.keep_settings(&of("0x1", "it grows"));
        first.keep_open(&notes("a.hprof"));
        drop(first);
        second.keep_settings(&of("0x2", "it does not"));
        second.keep_open(&notes("b.hprof"));
        drop(second);
        let mut third = SavedSession::begin(folder.path());
        assert_eq!(third.last::<Vec<String>>(), [notes("a.hprof"), notes("b.hprof")]);
        let mut all = of("0x1", "it grows");
        all.extend(of("0x2", "it does not"));
        assert_eq!(third.settings::<Settings>(), all);
    }

    #[test]
    fn a_damaged_session_is_moved_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(SETTINGS), "{\"notes\": [").expect("a file");
        let mut session = SavedSession::begin(folder.path());
        assert_eq!(session.settings::<Vec<String>>(), Vec::<String>::new());
        session.keep_settings(&notes("new"));
        drop(session);
        let aside = fs::read_to_string(folder.path().join("settings.damaged.json")).expect("it is aside");
        assert_eq!(aside, "{\"notes\": [");
    }

    #[test]
    fn an_unwritable_session_folder_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("a file");
        // A folder cannot be created where a file exists.
        let mut session = SavedSession::begin(&file);
        session.keep_settings(&notes("new"));
        session.settings.finish();
        assert!(session.trouble().is_some_and(|why| why.contains("settings.json")));
        assert_eq!(session.trouble(), None);
    }
}
