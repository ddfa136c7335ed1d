//! Limits of an unpacked or received dump while it is written: space is left on the disk, and a few bytes do not become
//! gigabytes.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::options::ReadOptions;
use super::unpack_limit::UnpackLimit;
use heaplens_base::Bytes;
use heaplens_base::storage::disk_space::{RESERVE, usable};

/// Default of [`ReadOptions::unpack_ratio`]. Gzip never packs more than a thousand zeros into a byte; dumps with large
/// unused arrays are packed to a hundredth.
pub const UNPACK_RATIO: u32 = 500;
/// Size in bytes that any file may be unpacked to.
const UNLIMITED: u64 = 1 << 30;
/// Number of bytes after which the space of the disk is examined.
const STEP: u64 = 64 << 20;

/// Writer to a file in `folder`; `None` if it is in memory.
pub(super) struct BoundedOutput<'a> {
    to: &'a mut dyn Write,
    folder: Option<&'a Path>,
    /// Size of the packed file in bytes; 0 if the file is not unpacked from another one.
    packed: u64,
    ratio: u32,
    written: u64,
    /// Number of bytes written at which the disk is examined again.
    next_check: u64,
}

impl<'a> BoundedOutput<'a> {
    pub(super) fn new(to: &'a mut dyn Write, folder: Option<&'a Path>, packed: u64, options: &ReadOptions) -> Self {
        let ratio = options.unpack_ratio.unwrap_or(UNPACK_RATIO);
        Self { to, folder, packed, ratio, written: 0, next_check: STEP }
    }

    fn check(&mut self, more: u64) -> io::Result<()> {
        let size = self.written.saturating_add(more);
        let (packed, ratio) = (Bytes(self.packed), self.ratio);
        if self.packed > 0 && size > UNLIMITED.max(self.packed.saturating_mul(ratio.into())) {
            return Err(io::Error::other(UnpackLimit { packed, ratio, reached: Bytes(self.written) }));
        }
        if size > self.next_check {
            // A disk that does not tell is written to until it is full.
            if let Some(Ok(free)) = self.folder.map(usable)
                && free.0 < more
            {
                let why = format!("the disk is full but for {} that stay free", Bytes(RESERVE));
                return Err(io::Error::new(ErrorKind::StorageFull, why));
            }
            self.next_check = size.saturating_add(STEP);
        }
        self.written = size;
        Ok(())
    }
}

impl Write for BoundedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check(bytes.len() as u64)?;
        self.to.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_unpacked_whatever_the_ratio() {
        let (mut to, folder) = (io::sink(), std::env::temp_dir());
        let mut out = BoundedOutput::new(&mut to, Some(&folder), 10, &ReadOptions::default());
        assert!(out.check(UNLIMITED).is_ok());
        let error = out.check(1).unwrap_err();
        let text = "10 B are unpacked to more than 1.1 GB, above the limit of 500 times the packed size";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn the_ratio_can_be_raised() {
        let (mut to, folder) = (io::sink(), std::env::temp_dir());
        let options = ReadOptions { unpack_ratio: Some(2_000), ..ReadOptions::default() };
        let mut out = BoundedOutput::new(&mut to, Some(&folder), 1 << 20, &options);
        out.next_check = u64::MAX;
        assert!(out.check(2_000 << 20).is_ok());
        assert!(out.check(1).is_err());
        // What is received is as large as it is.
        let mut to = io::sink();
        let mut received = BoundedOutput::new(&mut to, Some(&folder), 0, &ReadOptions::default());
        received.next_check = u64::MAX;
        assert!(received.check(1 << 40).is_ok());
    }
}
