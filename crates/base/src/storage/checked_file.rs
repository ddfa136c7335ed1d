//! Small files that are read as a whole. Each says whose it is, how long it is and what its bytes sum up to: one that was
//! damaged, cut off, or put in the place of another reads like one that does not exist, and is deleted.
//!
//! ```text
//! 0   "HEAPKEPT", key, length of the contents, checksum of key, length and contents
//! 40  contents
//! ```

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use bytemuck::{Pod, Zeroable};
use heaplens_platform::files::open_own;

use super::checksum::BlockSums;
use super::folder::unfinished;
use super::stored::Key;

const MAGIC: [u8; 8] = *b"HEAPKEPT";

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    key: Key,
    bytes: u64,
    sum: u64,
}

impl Header {
    fn new(key: &Key, contents: &[u8]) -> Self {
        let bytes = contents.len() as u64;
        // One checksum of everything.
        let mut sum = BlockSums::new(usize::MAX);
        sum.add(key);
        sum.add(&bytes.to_le_bytes());
        sum.add(contents);
        Self { magic: MAGIC, key: *key, bytes: bytes.to_le(), sum: sum.finish().first().copied().unwrap_or(0).to_le() }
    }
}

/// Writes a file atomically. It belongs to `key`: the hash of everything that its contents depend on.
///
/// # Errors
/// If it cannot be written.
pub fn write_checked(path: &Path, key: &Key, contents: &[u8]) -> io::Result<()> {
    let mut file = unfinished(path)?;
    write_to(file.file_mut(), key, contents)?;
    file.persist(path)?;
    Ok(())
}

/// Writes the contents of a checked file.
///
/// # Errors
/// Those of the file.
pub(super) fn write_to(mut file: impl Write, key: &Key, contents: &[u8]) -> io::Result<()> {
    file.write_all(bytemuck::bytes_of(&Header::new(key, contents)))?;
    file.write_all(contents)
}

/// Contents of a file that was written completely for `key`; `None` if there is none.
pub fn read_checked(path: &Path, key: &Key) -> Option<Vec<u8>> {
    let contents = match read(path, key) {
        Ok(contents) => contents,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
        // A file that cannot be read now may be a good one.
        Err(_) => return None,
    };
    if contents.is_none() {
        // Ignored: a file that stays is found out again.
        let _stays = fs::remove_file(path);
    }
    contents
}

/// `None` if the file is not what was written for `key`.
fn read(path: &Path, key: &Key) -> io::Result<Option<Vec<u8>>> {
    let mut file = open_own(path)?;
    let mut header = Header::zeroed();
    file.read_exact(bytemuck::bytes_of_mut(&mut header))?;
    let bytes = u64::from_le(header.bytes);
    // Compared before anything is allocated by it.
    if header.magic != MAGIC || file.metadata()?.len().checked_sub(size_of::<Header>() as u64) != Some(bytes) {
        return Ok(None);
    }
    let mut contents = Vec::new();
    file.take(bytes).read_to_end(&mut contents)?;
    Ok(Some(contents).filter(|contents| bytemuck::bytes_of(&Header::new(key, contents)) == bytemuck::bytes_of(&header)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const KEY: Key = [7; 16];

    #[test]
    fn every_truncation_and_change_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        assert_eq!(read_checked(&path, &KEY), None);
        write_checked(&path, &KEY, b"an answer").expect("written");
        assert_eq!(read_checked(&path, &KEY).as_deref(), Some(&b"an answer"[..]));
        let intact = fs::read(&path).expect("bytes");
        let mut damaged: Vec<Vec<u8>> = (0..intact.len()).map(|length| intact[..length].to_vec()).collect();
        damaged.push([&intact[..], b"x"].concat());
        for at in 0..intact.len() {
            let mut bytes = intact.clone();
            bytes[at] ^= 1;
            damaged.push(bytes);
        }
        for bytes in damaged {
            fs::write(&path, &bytes).expect("written");
            assert_eq!(read_checked(&path, &KEY), None, "{bytes:?}");
            assert!(!path.exists(), "a damaged file is deleted");
        }
    }

    #[test]
    fn a_file_belongs_to_its_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_checked(&path, &KEY, b"an answer").expect("written");
        let other = [8; 16];
        assert_eq!(read_checked(&path, &other), None);
        assert!(!path.exists());
        write_checked(&path, &KEY, b"").expect("written");
        assert_eq!(read_checked(&path, &KEY).as_deref(), Some(&b""[..]));
        // A folder in its place stays.
        fs::remove_file(&path).and_then(|()| fs::create_dir(&path)).expect("a folder");
        assert_eq!(read_checked(&path, &KEY), None);
        assert!(path.is_dir() && write_checked(&path, &KEY, b"x").is_err());
    }
}
