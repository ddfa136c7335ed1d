//! Files with a checksum that are read as a whole: a file that was damaged or cut off reads like one that does not exist.

use std::io::{self, Read, Write};
use std::path::Path;

use heaplens_platform::files::open_regular;

use super::checksum::checksum;
use super::folder::unfinished;

/// Bytes of the checksum, which come first.
const CHECKSUM: usize = size_of::<u64>();

/// Writes a file atomically.
///
/// # Errors
/// If it cannot be written.
pub fn write_checked(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = unfinished(path)?;
    file.write_all(&checksum(bytes).to_le_bytes())?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Contents of a file that was written completely; `None` if there is none.
pub fn read_checked(path: &Path) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    open_regular(path).and_then(|mut opened| opened.read_to_end(&mut file)).ok()?;
    let (sum, bytes) = file.split_first_chunk::<CHECKSUM>()?;
    if u64::from_le_bytes(*sum) != checksum(bytes) {
        return None;
    }
    file.drain(..CHECKSUM);
    Some(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_truncation_and_change_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        assert_eq!(read_checked(&path), None);
        write_checked(&path, b"an answer").expect("written");
        assert_eq!(read_checked(&path).as_deref(), Some(&b"an answer"[..]));
        let whole = fs::read(&path).expect("bytes");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("written");
            assert_eq!(read_checked(&path), None, "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, bytes).expect("written");
            assert_eq!(read_checked(&path), None, "byte {at}");
        }
    }
}
