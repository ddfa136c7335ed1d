//! The cache folder: names of stored files, and eviction of the least recently used ones.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use heaplens_platform::files::TemporaryFile;
pub use heaplens_platform::files::memory_file;
use heaplens_platform::{files, folders};

use super::stored::Key;

/// Name prefix of files that are being written.
const UNFINISHED: &str = ".unfinished-";
/// Name of heaplens' own folders.
const OWN: &str = "heaplens";
/// File extension of a stored analysis.
pub const STORED: &str = "heaplens";
/// File extension of an answer of a search.
pub const ANSWER: &str = "answer";
/// File extension of an unpacked dump.
pub const UNPACKED: &str = "unpacked";
/// File extension of the seal of an unpacked dump: see [`super::kept_copy`].
pub const SEAL: &str = "seal";
/// Default size limit of the folder in bytes.
const USUAL_LIMIT: u64 = 20_000_000_000;
/// Age after which an unfinished file counts as abandoned on systems without file locks.
const SURELY_DEAD: Duration = Duration::from_hours(24);

/// heaplens' settings folder; `None` without a home folder.
pub fn settings_folder() -> Option<PathBuf> {
    folders::settings().map(|path| path.join(OWN))
}

/// A folder of stored analyses, answers and unpacked dumps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Path of the folder.
    pub path: PathBuf,
    /// Size limit in bytes.
    pub limit: u64,
}

impl Folder {
    /// heaplens' folder in the platform's cache folder; `None` without a home folder.
    pub fn of_platform() -> Option<Self> {
        folders::cache().map(|path| Self::at(path.join(OWN)))
    }

    /// Folder with the default size limit.
    pub fn at(path: PathBuf) -> Self {
        Self { path, limit: USUAL_LIMIT }
    }

    /// Path of the file stored under `key`.
    pub fn file(&self, key: &Key, ending: &str) -> PathBuf {
        self.path.join(format!("{:032x}.{ending}", u128::from_be_bytes(*key)))
    }

    /// Checks that only the user can have put files there. Where no folder is yet, nobody has.
    ///
    /// # Errors
    /// If it belongs to another user, or others can write to it; the message says which.
    pub fn check_own(&self) -> io::Result<()> {
        if !self.path.is_dir() {
            return Ok(());
        }
        if self.path.ends_with(OWN) {
            // Ignored: what is still open to others is found next.
            let _unchanged = create_private(&self.path);
        }
        files::check_own_folder(&self.path)
    }

    /// Marks a file as used now, so that others are deleted first.
    pub fn used(path: &Path) {
        // Ignored: a read-only folder can still be used.
        let _unmarked = files::touch_own(path);
    }

    /// Deletes all stored files and returns their size in bytes.
    ///
    /// # Errors
    /// If the folder exists and cannot be read.
    pub fn clear(&self) -> io::Result<u64> {
        let mut freed = 0;
        for entry in match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries?,
        } {
            let path = entry?.path();
            let bytes = fs::symlink_metadata(&path).map_or(0, |m| m.len());
            if is_kept(&path) && fs::remove_file(&path).is_ok() {
                freed += bytes;
            }
        }
        Ok(freed)
    }

    /// Deletes files left by killed processes, then the least recently used files until the rest is within the limit.
    /// Never deletes `keep`. Open files can be deleted: a process that has one mapped can use it until it exits.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn make_room(&self, keep: &Path) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let Ok(entry) = entry else { continue };
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else { continue };
            if !metadata.is_file() {
                continue;
            }
            let mut used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(UNFINISHED)) {
                if is_abandoned(&path, used) {
                    let _gone = fs::remove_file(&path);
                }
            } else if path.extension().is_some_and(|e| e == SEAL) {
                // Goes with its copy, and is of no use without it.
                let _orphan = (!path.with_extension(UNPACKED).exists()).then(|| fs::remove_file(&path));
            } else if is_kept(&path) {
                if path.extension().is_some_and(|e| e == UNPACKED) {
                    // The copy itself is never touched. Without a seal it is of no use.
                    let seal = fs::symlink_metadata(path.with_extension(SEAL)).and_then(|seal| seal.modified());
                    used = seal.unwrap_or(SystemTime::UNIX_EPOCH);
                }
                files.push((used, metadata.len(), path));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if total <= self.limit {
                break;
            }
            if path != keep && fs::remove_file(&path).is_ok() {
                total -= bytes;
                if path.extension().is_some_and(|e| e == UNPACKED) {
                    let _gone = fs::remove_file(path.with_extension(SEAL));
                }
            }
        }
        Ok(())
    }
}

/// True for stored analyses, answers and unpacked dumps with their seals.
fn is_kept(path: &Path) -> bool {
    path.extension().is_some_and(|e| [STORED, ANSWER, UNPACKED, SEAL].iter().any(|extension| e == *extension))
}

/// Creates a folder, and its parents, that only the user can read, since stored files contain values from dumps. An
/// existing folder of heaplens gets the same permissions.
pub fn create_private(folder: &Path) -> io::Result<()> {
    files::create_private_folder(folder, folder.ends_with(OWN))
}

/// Replaces the file at `path` atomically: concurrent readers see the old or the new content.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = unfinished(path)?;
    file.file_mut().write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Creates a temporary file in the folder of `target`, to be renamed when complete. Readers ignore its name, and a
/// lock marks it as in use, which distinguishes it from files of killed processes.
pub fn unfinished(target: &Path) -> io::Result<TemporaryFile> {
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_private(folder)?;
    let file = TemporaryFile::new_in(folder, UNFINISHED)?;
    // Ignored: without locks, an abandoned file is deleted after a day.
    let _unlocked = file.file().try_lock();
    Ok(file)
}

/// True if the process that wrote this file has ended.
fn is_abandoned(path: &Path, written: SystemTime) -> bool {
    match File::open(path).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(fs::TryLockError::WouldBlock)) => false,
        _ => written.elapsed().is_ok_and(|age| age > SURELY_DEAD),
    }
}

/// Identity of a dump file: size, times, and a hash of samples of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(Vec<u8>);

impl Identity {
    /// Number of samples.
    const SAMPLES: u64 = 64;
    /// Size of a sample in bytes.
    const SAMPLE: u64 = 4096;
    /// Identity of a file that cannot be read.
    pub(super) const NONE: Self = Self(Vec::new());

    /// Computes the identity of the file at `path`.
    pub fn of(path: &Path) -> io::Result<Self> {
        let file = files::open_regular(path)?;
        let metadata = file.metadata()?;
        let map = super::mapping::Mapping::of(&file)?;
        let len = map.len() as u64;
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        for n in 0..Self::SAMPLES {
            let at = len.saturating_sub(Self::SAMPLE) / (Self::SAMPLES - 1) * n;
            let at = if n + 1 == Self::SAMPLES { len.saturating_sub(Self::SAMPLE) } else { at };
            hash.update(&map[at as usize..(at + Self::SAMPLE).min(len) as usize]);
        }
        let mut bytes = hash.digest128().to_le_bytes().to_vec();
        bytes.extend(len.to_le_bytes());
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        bytes.extend(metadata.modified().map_or(0, since).to_le_bytes());
        bytes.extend(files::changed(&file)?.to_le_bytes());
        Ok(Self(bytes))
    }

    /// Key of the stored analysis of this dump; `options` describes the options it was read with.
    pub fn key(&self, options: &str) -> Key {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        hash.update(&self.0);
        hash.update(options.as_bytes());
        hash.digest128().to_le_bytes()
    }
}
