//! The cache folder: what is stored of which dump, and what goes when it grows
//! too large.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use super::stored::Key;

/// How the names of files begin that are still being written.
const UNFINISHED: &str = ".unfinished-";
/// The name of our own folders.
const OWN: &str = "heaplens";
/// Ending of a stored analysis.
pub const STORED: &str = "heaplens";
/// Ending of the unpacked form of a packed dump.
pub const UNPACKED: &str = "unpacked";
/// Bytes a folder may hold unless somebody says otherwise.
const USUAL_LIMIT: u64 = 20_000_000_000;
/// What nobody holds a lock on may still be in use where systems know no locks.
const SURELY_DEAD: Duration = Duration::from_hours(24);

/// Where programs of the platform keep their settings; none where there is no home.
pub fn all_settings() -> Option<PathBuf> {
    dirs::config_dir()
}

/// Where the platform wants our settings to be; none where there is no home.
pub fn settings_folder() -> Option<PathBuf> {
    all_settings().map(|path| path.join(OWN))
}

/// A folder of stored analyses and unpacked dumps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes it may hold.
    pub limit: u64,
}

/// The folder of the user's own desktop entries, file types and icons; none where there is no home.
pub fn user_data() -> Option<PathBuf> {
    dirs::data_dir()
}

impl Folder {
    /// The platform's own place for such files; none where there is no home.
    pub fn of_platform() -> Option<Self> {
        dirs::cache_dir().map(|path| Self::at(path.join(OWN)))
    }

    /// A folder that may hold the usual number of bytes.
    pub fn at(path: PathBuf) -> Self {
        Self { path, limit: USUAL_LIMIT }
    }

    /// Where what is kept under `key` stands.
    pub fn file(&self, key: &Key, ending: &str) -> PathBuf {
        self.path.join(format!("{:032x}.{ending}", u128::from_be_bytes(*key)))
    }

    /// Marks a file as used now, so that others go first.
    pub fn used(path: &Path) {
        // A folder one cannot write to can still be read from.
        let _unmarked = File::options().append(true).open(path).and_then(|f| f.set_modified(SystemTime::now()));
    }

    /// Deletes everything that is kept; says how many bytes that were.
    ///
    /// # Errors
    /// When the folder is there and cannot be read.
    pub fn clear(&self) -> io::Result<u64> {
        let mut gone = 0;
        for entry in match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries?,
        } {
            let path = entry?.path();
            let bytes = fs::metadata(&path).map_or(0, |m| m.len());
            if is_kept(&path) && fs::remove_file(&path).is_ok() {
                gone += bytes;
            }
        }
        Ok(gone)
    }

    /// Deletes what killed processes left, then the files used longest ago, until the rest is within the
    /// limit. `keep` stays in any case. Open files can go: who has one mapped keeps it until the end.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn make_room(&self, keep: &Path) -> io::Result<()> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let Ok(entry) = entry else { continue };
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else { continue };
            if !metadata.is_file() {
                continue;
            }
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(UNFINISHED)) {
                if is_abandoned(&path, used) {
                    let _gone = fs::remove_file(&path);
                }
            } else if is_kept(&path) {
                kept.push((used, metadata.len(), path));
            }
        }
        kept.sort();
        let mut total: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in kept {
            if total <= self.limit {
                break;
            }
            if path != keep && fs::remove_file(&path).is_ok() {
                total -= bytes;
            }
        }
        Ok(())
    }
}

/// Whether a file of the folder is one of those that are kept.
fn is_kept(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == STORED || e == UNPACKED)
}

/// Makes a folder that nobody else may look into, with those it is in. One that is there and is our own becomes such a
/// folder: what is kept of a dump says what was in it.
///
/// # Errors
/// When it cannot be made.
pub fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        builder.mode(0o700);
        builder.create(folder)?;
        let metadata = fs::metadata(folder)?;
        if metadata.permissions().mode() & 0o077 != 0 && folder.ends_with(OWN) {
            // Somebody else's folder cannot be changed, and need not be.
            let _unchanged = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        }
        Ok(())
    }
    #[cfg(not(unix))]
    builder.create(folder)
}

/// Puts `bytes` into the file at `path`, all or none: who reads it meanwhile finds what was there before.
///
/// # Errors
/// When the folder cannot be written to.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = unfinished(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// A file beside `target`, to be given its name when it is complete. Its own name is one that no reader looks
/// for, and a lock tells the living from what a killed process left behind.
///
/// # Errors
/// When the folder cannot be written to.
pub fn unfinished(target: &Path) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_private(folder)?;
    let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    // Not every system knows locks; without one, what a killed process leaves lies there a day.
    let _unlocked = file.as_file().try_lock();
    Ok(file)
}

/// Whether whoever wrote this file is no more.
fn is_abandoned(path: &Path, written: SystemTime) -> bool {
    match File::open(path).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(fs::TryLockError::WouldBlock)) => false,
        _ => written.elapsed().is_ok_and(|age| age > SURELY_DEAD),
    }
}

/// What tells one dump from another, and a dump from what it was before: size, times, and a sample of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(Vec<u8>);

impl Identity {
    /// Places a sample is taken from.
    const SAMPLES: u64 = 64;
    /// Bytes of each.
    const SAMPLE: u64 = 4096;

    /// Looks at the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        // Before it is opened: opening a pipe waits for a writer, for ever.
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let file = File::open(path)?;
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
        bytes.extend(changed(&metadata).to_le_bytes());
        Ok(Self(bytes))
    }

    /// The key of what is kept of this dump, read and analyzed in the `way` named.
    pub fn key(&self, way: &str) -> Key {
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        hash.update(&self.0);
        hash.update(way.as_bytes());
        hash.digest128().to_le_bytes()
    }
}

/// When the file was last changed in any way, which no program can set: another dump with the same size and
/// the times of this one is found out.
#[cfg(unix)]
fn changed(metadata: &fs::Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt;
    i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &fs::Metadata) -> i128 {
    0
}
