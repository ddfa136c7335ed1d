//! Large copies that later opens map, such as the unpacked form of a packed dump. A copy is a plain file; beside it is
//! its *seal*: length, a checksum of each block, and the state of the file (disk, number, times) when it was sealed.
//!
//! Comparing the checksums of gigabytes at each open would take as long as some opens. So a copy whose state is that of
//! its seal is taken for what it was: a write to a file sets the time of its last change, which no program can choose.
//! A seal counts only if that time was over when it was written, so that a change within the resolution of the clock
//! is none that it misses. In any other state all blocks are compared, and so are those of small copies, and of copies
//! that are read from begin to end anyway.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use heaplens_platform::files::TemporaryFile;
use heaplens_platform::files::{changed, identity, open_own, touch_own};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::build_key::contents_key;
use super::checked_file::{read_checked, write_to};
use super::checksum::{BlockSums, checksum};
use super::folder::{Folder, SEAL, UNPACKED, unfinished};
use super::mapping::Mapping;
use super::stored::Key;

/// Bytes for which a seal has a checksum.
const BLOCK: usize = 4 << 20;
/// Length in bytes up to which all checksums are compared at each open.
const SMALL: u64 = 16 << 20;
/// Looks at whether the clock of a file system moved on, and the time between two.
const LOOKS: u32 = 40;
const INTERVAL: Duration = Duration::from_millis(1);

/// Where the copy of a file is kept.
#[derive(Debug, Clone)]
pub struct KeptCopy {
    path: PathBuf,
    key: Key,
    /// True to compare all checksums, for a reader of everything.
    is_read_whole: bool,
}

/// What is known of a copy.
#[derive(Serialize, Deserialize)]
struct Seal {
    length: u64,
    sums: Vec<u64>,
    state: FileState,
    /// True if every later change has a later time.
    is_settled: bool,
}

/// State of a file, which changes with its contents.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FileState {
    disk: u64,
    number: u64,
    /// Times in nanoseconds.
    modified: u64,
    changed: i128,
}

impl FileState {
    fn of(file: &File, path: &Path) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let (disk, number) = identity(path, &metadata)?;
        let since = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Ok(Self { disk, number, modified: since.as_nanos() as u64, changed: changed(file)? })
    }
}

impl KeptCopy {
    /// The copy that a folder keeps under a name.
    pub fn of(folder: &Folder, name: &Key) -> Self {
        Self { path: folder.file(name, UNPACKED), key: contents_key(name), is_read_whole: false }
    }

    /// The same for a reader of everything, to whom comparing all checksums costs little more.
    #[must_use]
    pub fn read_whole(self) -> Self {
        Self { is_read_whole: true, ..self }
    }

    /// Its file, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn seal_path(&self) -> PathBuf {
        self.path.with_extension(SEAL)
    }

    /// The copy; `None` if there is none that is what was written. Another one is deleted.
    pub fn open(&self) -> Option<Mapping> {
        // Without a seal, another process may be about to write it.
        let is_sealed = fs::symlink_metadata(self.seal_path()).is_ok();
        let copy = self.try_open();
        if copy.is_none() && is_sealed {
            // Ignored: a file that stays is found out again.
            [&self.path, &self.seal_path()].into_iter().for_each(|path| drop(fs::remove_file(path)));
        }
        copy
    }

    fn try_open(&self) -> Option<Mapping> {
        let file = open_own(&self.path).ok()?;
        let seal: Seal = postcard::from_bytes(&read_checked(&self.seal_path(), &self.key)?).ok()?;
        let state = FileState::of(&file, &self.path).ok()?;
        let mapping = Mapping::of(&file).ok().filter(|mapping| mapping.len() as u64 == seal.length)?;
        let is_unchanged = seal.is_settled && seal.state == state;
        if !is_unchanged || self.is_read_whole || seal.length <= SMALL {
            let is_complete = seal.sums.len() == mapping.len().div_ceil(BLOCK);
            let blocks = mapping.par_chunks(BLOCK).zip(&seal.sums);
            if !is_complete || !blocks.all(|(block, &sum)| checksum(block) == sum) || mapping.lost_at().is_some() {
                return None;
            }
        }
        if is_unchanged {
            // Ignored: then it is deleted before others that are used.
            let _unmarked = touch_own(&self.seal_path());
        } else {
            // Ignored: then the checksums are compared again.
            let _unsealed = self.seal(&file, seal.sums, Some(state));
        }
        Some(mapping)
    }

    /// Begins a copy.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn create(&self) -> io::Result<CopyWriter> {
        Ok(CopyWriter { file: unfinished(&self.path)?, sums: BlockSums::new(BLOCK) })
    }

    /// Writes the seal of a file with these checksums, unless its state is another one than when they were computed.
    fn seal(&self, file: &File, sums: Vec<u64>, computed: Option<FileState>) -> io::Result<()> {
        let state = FileState::of(file, &self.path)?;
        if computed.is_some_and(|computed| computed != state) {
            return Ok(());
        }
        let mut written = unfinished(&self.seal_path())?;
        let is_settled = has_passed(written.file_mut(), state.changed)? && FileState::of(file, &self.path)? == state;
        written.file().set_len(0)?;
        written.file_mut().rewind()?;
        let seal = Seal { length: file.metadata()?.len(), sums, state, is_settled };
        write_to(written.file_mut(), &self.key, &postcard::to_allocvec(&seal).map_err(io::Error::other)?)?;
        written.persist(&self.seal_path())?;
        Ok(())
    }
}

/// True if a change now has a later time than `moment`, on the disk of `file`, which is written to.
fn has_passed(file: &mut File, moment: i128) -> io::Result<bool> {
    for _ in 0..LOOKS {
        file.write_all(b" ")?;
        file.flush()?;
        if changed(file)? > moment {
            return Ok(true);
        }
        sleep(INTERVAL);
    }
    Ok(false)
}

/// A copy that is being written.
pub struct CopyWriter {
    file: TemporaryFile,
    sums: BlockSums,
}

impl Write for CopyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.file_mut().write(bytes)?;
        self.sums.add(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.file_mut().flush()
    }
}

impl CopyWriter {
    /// Maps what was written. With `keep`, later opens have it.
    ///
    /// # Errors
    /// If it cannot be mapped.
    pub fn finish(self, keep: Option<&KeptCopy>) -> io::Result<Mapping> {
        let mapping = Mapping::of(self.file.file())?;
        if let Some(target) = keep
            // Ignored: the mapping works without a file name.
            && let Ok(file) = self.file.persist(&target.path)
        {
            // Ignored: a copy without a seal is made again.
            let _unsealed = target.seal(&file, self.sums.finish(), None);
        }
        Ok(mapping)
    }
}

#[cfg(test)]
mod tests {
    use super::super::checked_file::write_checked;
    use super::*;

    fn copy_in(folder: &Path) -> KeptCopy {
        KeptCopy::of(&Folder::at(folder.to_owned()), &[3; 16])
    }

    fn write(copy: &KeptCopy, bytes: &[u8]) {
        let mut writer = copy.create().expect("a folder");
        writer.write_all(bytes).expect("disk space");
        assert_eq!(&*writer.finish(Some(copy)).expect("it is mapped"), bytes);
    }

    fn read(copy: &KeptCopy) -> Option<Vec<u8>> {
        copy.open().map(|mapping| mapping.to_vec())
    }

    /// A change of the bytes of a file.
    type Change<'a> = &'a dyn Fn(&mut Vec<u8>);

    #[test]
    fn a_copy_is_what_was_written_or_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = copy_in(folder.path());
        assert_eq!(read(&copy), None);
        let bytes: Vec<u8> = (0..BLOCK * 2 + 1000).map(|n| (n / 3) as u8).collect();
        let last = bytes.len() - 1;
        let changes: [Change; 8] = [
            &|bytes| bytes.truncate(0),
            &|bytes| bytes.truncate(last),
            &|bytes| bytes.push(0),
            &|bytes| bytes[0] ^= 1,
            &|bytes| bytes[BLOCK] ^= 0x80,
            &|bytes| bytes[last] ^= 1,
            &|bytes| bytes[5000..BLOCK].fill(0),
            &|bytes| bytes.swap(BLOCK - 1, BLOCK + 700),
        ];
        for (n, change) in changes.iter().enumerate() {
            write(&copy, &bytes);
            assert!(read(&copy).as_ref() == Some(&bytes) && read(&copy.clone().read_whole()).as_ref() == Some(&bytes));
            let mut other = bytes.clone();
            change(&mut other);
            fs::write(&copy.path, other).expect("written");
            assert_eq!(read(&copy), None, "change {n}");
            assert!(!copy.path.exists() && !copy.seal_path().exists(), "change {n}: both are deleted");
        }
        // Written again with the same bytes, it is sealed again.
        write(&copy, &bytes);
        fs::write(&copy.path, &bytes).expect("written");
        assert!(read(&copy).as_ref() == Some(&bytes));
        // A seal of another copy, and none.
        let other = KeptCopy::of(&Folder::at(folder.path().to_owned()), &[4; 16]);
        write(&other, b"other");
        fs::copy(other.seal_path(), copy.seal_path()).expect("copied");
        assert_eq!((read(&copy), read(&other)), (None, Some(b"other".to_vec())));
        fs::remove_file(other.seal_path()).expect("it is there");
        assert_eq!((read(&other), other.path.exists()), (None, true), "its seal may come");
        write(&other, b"");
        assert_eq!(read(&other), Some(Vec::new()));
    }

    /// A large copy is not read again as long as nobody changes it: a state that is that of the seal is enough.
    #[test]
    fn the_state_of_a_large_copy_is_enough() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = copy_in(folder.path());
        let bytes = vec![5; SMALL as usize + 1];
        write(&copy, &bytes);
        let seal = |change: &dyn Fn(&mut Seal)| {
            let path = copy.seal_path();
            let bytes = read_checked(&path, &copy.key).expect("a seal");
            let mut seal: Seal = postcard::from_bytes(&bytes).expect("a seal");
            change(&mut seal);
            write_checked(&path, &copy.key, &postcard::to_allocvec(&seal).expect("bytes")).expect("written");
            seal.is_settled
        };
        let is_settled = seal(&|seal| seal.sums[0] ^= 1);
        assert_eq!(copy.open().is_some(), is_settled);
        if is_settled {
            assert!(copy.clone().read_whole().open().is_none(), "a reader of everything compares the sums");
            write(&copy, &bytes);
            seal(&|seal| (seal.sums[0], seal.is_settled) = (seal.sums[0] ^ 1, false));
            assert!(copy.open().is_none(), "a seal that may miss a change");
        }
    }
}
