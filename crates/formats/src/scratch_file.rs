//! A file without a name for the unpacked or converted form of a dump: in the given folder, else in the temporary folder
//! of the system, else in memory.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{error::OpenError, options::ReadOptions};
use heaplens_base::storage::folder::{create_private, memory_file};
use heaplens_base::storage::out_of_memory::memory_left;

/// A file that ends with its last handle and mapping.
pub(super) struct ScratchFile {
    pub(super) file: File,
    /// Its folder, for messages.
    pub(super) folder: PathBuf,
    /// Number of bytes that still fit; `None` if the disk decides.
    left: Option<u64>,
}

impl ScratchFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If no folder can be written and there are no files in memory; the message names the folder that should be used.
    pub(super) fn create(options: &ReadOptions) -> Result<Self, OpenError> {
        let system = std::env::temp_dir();
        let folder = options.scratch.clone().unwrap_or_else(|| system.clone());
        let error = match in_folder(&folder) {
            Ok(file) => return Ok(Self { file, folder, left: None }),
            Err(error) => error,
        };
        if let Ok(file) = in_folder(&system) {
            return Ok(Self { file, folder: system, left: None });
        }
        match memory_file() {
            Ok(file) => {
                let left = options.memory.or_else(|| memory_left().map(|left| left / 2));
                Ok(Self { file, folder, left })
            }
            Err(_) => Err(OpenError::scratch(&folder, error)),
        }
    }
}

impl ScratchFile {
    /// True if its bytes are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.left.is_some()
    }
}

fn in_folder(folder: &Path) -> io::Result<File> {
    create_private(folder)?;
    tempfile::tempfile_in(folder)
}

impl Write for ScratchFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left else { return self.file.write(bytes) };
        if bytes.len() as u64 > left {
            let why = "it cannot be written, and the unpacked dump does not fit into memory";
            return Err(io::Error::other(why));
        }
        let written = self.file.write(bytes)?;
        self.left = Some(left - written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_usable_folder_another_one_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = folder.path().join("a file");
        std::fs::write(&taken, "").expect("a file");
        let options = ReadOptions { scratch: Some(taken.join("below")), ..ReadOptions::default() };
        let mut scratch = ScratchFile::create(&options).expect("the temporary folder");
        assert_eq!(scratch.folder, std::env::temp_dir());
        scratch.write_all(b"text").expect("written");
    }

    #[test]
    fn a_file_in_memory_has_a_limit() {
        let Ok(file) = memory_file() else { return };
        let mut scratch = ScratchFile { file, folder: PathBuf::from("none"), left: Some(10) };
        scratch.write_all(b"12345678").expect("it fits");
        assert!(scratch.write_all(b"901").is_err_and(|why| why.to_string().contains("does not fit into memory")));
        scratch.write_all(b"90").expect("it fits");
    }
}
