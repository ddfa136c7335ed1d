//! Where a dump is written: space is checked first, and the file appears under its name only when it is whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use heaplens_base::Bytes;
use heaplens_base::storage::disk_space;
use heaplens_platform::files::{TemporaryFile, TemporaryPath};
use heaplens_process::ProcessRecord;
use tempfile::{Builder, TempDir};

use crate::TakeError;

/// Name prefix of files that are being written.
const UNFINISHED: &str = ".heaplens-";

/// Free space of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The folder.
    pub folder: PathBuf,
    /// Bytes that can be used, less the reserve.
    pub free: Bytes,
}

impl Space {
    /// Space of the disk of `folder`.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be examined.
    pub fn of(folder: &Path) -> Result<Self, TakeError> {
        let free = disk_space::usable(folder).map_err(|error| TakeError::file(folder, error))?;
        Ok(Self { folder: folder.to_owned(), free })
    }

    /// # Errors
    /// If `needed` bytes do not fit.
    pub fn check(&self, needed: Bytes) -> Result<(), TakeError> {
        let Self { folder, free } = self.clone();
        if needed > free { Err(TakeError::DiskFull { folder, needed, free }) } else { Ok(()) }
    }
}

/// File name of a dump that does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    path: PathBuf,
}

impl Destination {
    /// A dump at `path`: its folder exists, and no file has its name or that of its record, which would be of another dump.
    ///
    /// # Errors
    /// If one of them is not so.
    pub fn new(path: &Path) -> Result<Self, TakeError> {
        if let Some(existing) = existing(path) {
            return Err(TakeError::Exists(existing));
        }
        let destination = Self { path: path.to_owned() };
        let folder = destination.folder();
        fs::read_dir(folder).map_err(|error| TakeError::file(folder, error))?;
        Ok(destination)
    }

    /// The first free name in `folder` made of a name and the time, such as `shop-20261126-214503.hprof`.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn named(folder: &Path, name: &str, extension: &str, now: SystemTime) -> Result<Self, TakeError> {
        let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
        let name: String = letters.take(40).collect();
        let name = name.trim_matches('-');
        let name = if name.is_empty() { "process" } else { name };
        let stem = format!("{name}-{}", moment(now));
        let at = |number: u32| match number {
            0 => folder.join(format!("{stem}.{extension}")),
            number => folder.join(format!("{stem}-{number}.{extension}")),
        };
        let free = (0..1000).map(at).find(|path| existing(path).is_none());
        Self::new(&free.unwrap_or_else(|| at(1000)))
    }

    /// Final path of the dump.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Folder of the dump.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// # Errors
    /// If `needed` bytes do not fit beside the reserve.
    pub(crate) fn check_space(&self, needed: Bytes) -> Result<(), TakeError> {
        Space::of(self.folder())?.check(needed)
    }

    /// An unfinished file, removed on drop unless it is finished.
    pub(crate) fn unfinished(&self) -> Result<TemporaryFile, TakeError> {
        let file = TemporaryFile::new_in(self.folder(), UNFINISHED);
        file.map_err(|error| TakeError::file(self.folder(), error))
    }

    /// A private folder for a file that another process writes, removed with its contents on drop.
    pub(crate) fn unfinished_folder(&self) -> Result<TempDir, TakeError> {
        let folder = Builder::new().prefix(UNFINISHED).tempdir_in(self.folder());
        folder.map_err(|error| TakeError::file(self.folder(), error))
    }

    /// Gives the finished file its name.
    pub(crate) fn finish(&self, file: TemporaryPath) -> Result<(), TakeError> {
        file.persist_new(&self.path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => TakeError::Exists(self.path.clone()),
            _ => TakeError::file(&self.path, error),
        })
    }

    /// The same destination with another extension, for a dump that turned out to be packed or not.
    pub(crate) fn with_extension(&self, extension: &str) -> Self {
        Self { path: self.path.with_extension(extension) }
    }
}

/// A file under the name of a dump or of its record.
fn existing(dump: &Path) -> Option<PathBuf> {
    let names = [dump.to_owned(), ProcessRecord::path_beside(dump)];
    names.into_iter().find(|path| fs::symlink_metadata(path).is_ok())
}

/// Time of day in UTC as digits, such as `20261126-214503`.
fn moment(now: SystemTime) -> String {
    let seconds = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{:02}", second % 60)
}

/// Gregorian date of a number of days since 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_dates() {
        for (seconds, text) in
            [(0, "19700101-000000"), (951_782_399, "20000228-235959"), (1_795_729_503, "20261126-214503")]
        {
            assert_eq!(moment(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn an_existing_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hprof");
        let destination = Destination::new(&path).unwrap();
        let unfinished = destination.unfinished().unwrap();
        fs::write(&path, "other").unwrap();
        assert!(matches!(destination.finish(unfinished.into_path()), Err(TakeError::Exists(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(matches!(Destination::new(&path), Err(TakeError::Exists(_))));
    }

    #[test]
    fn a_record_that_was_left_is_not_taken_for_that_of_another_dump() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hprof");
        fs::write(folder.path().join("a.hprof.process.json"), "{}").unwrap();
        let error = Destination::new(&path).unwrap_err().to_string();
        assert!(error.ends_with("a.hprof.process.json exists; choose another name"), "{error}");
    }

    #[test]
    fn a_name_is_made_of_letters_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| Destination::named(folder.path(), name, "hprof", SystemTime::UNIX_EPOCH).unwrap();
        let file_name = |destination: &Destination| destination.path().file_name().unwrap().to_owned();
        assert_eq!(file_name(&named("shop.Main")), "shop-Main-19700101-000000.hprof");
        assert_eq!(file_name(&named("../..")), "process-19700101-000000.hprof");
        fs::write(named("a").path(), "").unwrap();
        assert_eq!(file_name(&named("a")), "a-19700101-000000-1.hprof");
    }
}
