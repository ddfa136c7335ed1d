//! From a path to bytes: mapped files, and gzip unpacked into a scratch file
//! that is mapped too. The only room with `unsafe`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::error::{FormatError, OpenError};
use super::gzip;
use crate::task::{Task, Unit};

/// The bytes of an opened file; clones share them.
#[derive(Clone)]
pub struct Source {
    map: Option<Arc<Mmap>>,
    /// What was wrong with the packed form: the rest of the file is missing.
    pub damage: Option<String>,
}

impl Source {
    /// Maps the file at `path`; unpacks it first if it is gzip.
    ///
    /// # Errors
    /// When the file cannot be read, or not a byte of it can be unpacked.
    pub fn open(path: &Path, scratch: Option<&Path>, task: &Task) -> Result<Self, OpenError> {
        // Before it is opened: opening a pipe waits for a writer, for ever.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a regular file").into());
        }
        let packed = map(&File::open(path)?)?;
        if !gzip::recognises(&packed) {
            return Ok(Self { map: (!packed.is_empty()).then(|| Arc::new(packed)), damage: None });
        }
        task.step("Unpacking", Unit::Bytes, packed.len() as u64);
        let folder = scratch.map_or_else(std::env::temp_dir, Path::to_owned);
        let blame_folder = |error| OpenError::Scratch { folder: folder.clone(), error };
        let mut unpacked = scratch_file(&folder).map_err(blame_folder)?;
        let damage = gzip::unpack(&packed, |bytes| unpacked.write_all(bytes).map_err(blame_folder), task)?;
        let map = map(&unpacked).map_err(blame_folder)?;
        if let (true, Some(damage)) = (map.is_empty(), &damage) {
            let advice = "the file is damaged from its first byte: copy it again";
            let (expected, found) = ("gzip data".to_owned(), damage.clone());
            return Err(FormatError { format: "gzip", offset: 0, expected, found, advice }.into());
        }
        Ok(Self { map: (!map.is_empty()).then(|| Arc::new(map)), damage })
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.map.as_deref().map_or(&[], |map| map)
    }
}

/// A file without a name, gone when it is closed.
fn scratch_file(folder: &Path) -> io::Result<File> {
    std::fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder)
}

#[expect(unsafe_code, reason = "mapping a file is the one thing here that the language cannot check")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and shared as `&[u8]`. The language wants those bytes never to
    // change; a dump that another program writes to while it is open breaks that, and would show
    // other numbers, but every read is bounds-checked against the length mapped, nothing read is
    // trusted as a pointer, index or length without a check, and no reference is kept to data
    // whose validity depends on its value. A known limitation: if another program makes the file
    // shorter while it is mapped, reading what is gone ends this process (SIGBUS); that is no
    // undefined behaviour, but nothing here can prevent or survive it.
    unsafe { Mmap::map(file) }
}
