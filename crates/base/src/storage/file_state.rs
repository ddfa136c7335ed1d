//! State of an opened file, by which a change of its contents is found out while it is in use: a mapping shows what other
//! programs write.

use std::cmp::Ordering;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::mapping::Mapping;

/// Number of samples of the contents.
const SAMPLES: usize = 64;
/// Size of a sample in bytes.
const SAMPLE: usize = 4096;

/// Change of the contents of a file since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    /// It became longer; what it had is as before.
    Longer,
    /// It became shorter; what is left of it is as before.
    Shorter,
    /// It was written to.
    Written,
}

/// An opened file, and its state when it was opened: size, time of modification, and hashes of samples. Times have a
/// granularity of some milliseconds, programs can set them back, and writes through a mapping change them late; there the
/// samples decide.
#[derive(Debug)]
pub struct FileState {
    file: File,
    path: PathBuf,
    bytes: usize,
    modified: Option<SystemTime>,
    samples: Vec<u64>,
}

impl FileState {
    /// State of an opened file before `contents`, a mapping of it, is read. `modified` is from before it was mapped.
    pub fn of(file: File, path: &Path, modified: Option<SystemTime>, contents: &Mapping) -> Self {
        let samples = samples(contents, contents.len(), contents.len()).collect();
        Self { file, path: path.to_owned(), bytes: contents.len(), modified, samples }
    }

    /// Path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Change since it was opened; `None` also while its disk does not respond. A file that was renamed, deleted or given
    /// other permissions has the same contents. Reads a few pages, and asks the system: not for every frame.
    pub fn change(&self, contents: &Mapping) -> Option<FileChange> {
        let mut now = self.file.metadata().ok()?;
        let (len, is_sampled_same) = loop {
            let len = usize::try_from(now.len()).unwrap_or(usize::MAX);
            // Unreadable bytes are zeros.
            let readable = contents.lost_at().map_or(len, |lost_at| len.min(lost_at as usize));
            let is_same =
                samples(contents, self.bytes, readable).zip(&self.samples).all(|(now, before)| now == *before);
            let before = std::mem::replace(&mut now, self.file.metadata().ok()?);
            // Another program may be shortening it right now: a sample may be of bytes that are no longer there.
            if is_same || now.len() >= before.len() {
                break (len, is_same);
            }
        };
        match len.cmp(&self.bytes) {
            _ if !is_sampled_same => Some(FileChange::Written),
            Ordering::Less => Some(FileChange::Shorter),
            Ordering::Greater => Some(FileChange::Longer),
            // Bytes between the samples may be others. Whoever only sets the time cannot be told from that.
            Ordering::Equal => (now.modified().ok() != self.modified).then_some(FileChange::Written),
        }
    }
}

/// Hashes of samples of a file of `bytes` bytes, evenly distributed, up to the length that it has now.
fn samples(contents: &[u8], bytes: usize, len: usize) -> impl Iterator<Item = u64> + '_ {
    let last = bytes.saturating_sub(SAMPLE);
    // In 128 bits, as the product may not fit into 64.
    let at = move |number: usize| (last as u128 * number as u128 / (SAMPLES - 1) as u128) as usize;
    let ranges = (0..SAMPLES).map(at).map(move |at| at..(at + SAMPLE).min(bytes));
    ranges.take_while(move |range| range.end <= len).filter_map(|range| contents.get(range)).map(xxh3_64)
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs;
    use std::io::{Seek, SeekFrom, Write};
    use std::time::Duration;

    use super::*;

    /// A file of noise, opened and mapped, with its state; and the same file for a writer.
    fn opened(folder: &Path) -> (FileState, Mapping, File) {
        let path = folder.join("a.hprof");
        let noise: Vec<u8> = (0..400_000_u32).flat_map(|at| at.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        fs::write(&path, noise).expect("written");
        let file = File::open(&path).expect("it is there");
        let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
        let mapping = Mapping::of(&file).expect("mapped");
        let writer = File::options().write(true).open(&path).expect("it is ours");
        (FileState::of(file, &path, modified, &mapping), mapping, writer)
    }

    #[test]
    fn writes_into_a_file_in_use_are_found_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let (state, mapping, mut writer) = opened(folder.path());
        assert_eq!(state.change(&mapping), None);
        let modified = fs::metadata(state.path()).and_then(|metadata| metadata.modified()).expect("a time");
        // Large, with the time set back: samples.
        writer.seek(SeekFrom::Start(500_000)).and_then(|_| writer.write_all(&vec![1; 300_000])).expect("written");
        writer.set_modified(modified).expect("set back");
        assert_eq!(state.change(&mapping), Some(FileChange::Written));
        // One byte: the time.
        let (state, mapping, mut writer) = opened(folder.path());
        writer.seek(SeekFrom::Start(10_000)).and_then(|_| writer.write_all(b"x")).expect("written");
        writer.set_modified(modified + Duration::from_secs(9)).expect("later");
        assert_eq!(state.change(&mapping), Some(FileChange::Written));
    }

    #[test]
    fn other_names_permissions_and_lengths_are_no_writes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (state, mapping, mut writer) = opened(folder.path());
        writer.seek(SeekFrom::End(0)).and_then(|_| writer.write_all(b"more")).expect("written");
        assert_eq!(state.change(&mapping), Some(FileChange::Longer));
        let (state, mapping, writer) = opened(folder.path());
        fs::hard_link(state.path(), folder.path().join("link")).expect("a link");
        fs::rename(state.path(), folder.path().join("b.hprof")).expect("renamed");
        assert_eq!(state.change(&mapping), None);
        // Windows does not shorten a mapped file.
        if writer.set_len(700_000).is_ok() {
            assert_eq!((state.change(&mapping), mapping.lost_at()), (Some(FileChange::Shorter), None));
        }
    }
}
