//! From a path to bytes: mapped files, and gzip unpacked into a scratch file
//! that is mapped too. The only room with `unsafe`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use memmap2::Mmap;

use super::error::{FormatError, OpenError};
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
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file").into());
        }
        let packed = map(&file)?;
        if !packed.starts_with(&[0x1f, 0x8b]) {
            return Ok(Self { map: (!packed.is_empty()).then(|| Arc::new(packed)), damage: None });
        }
        task.step("Unpacking", Unit::Bytes, packed.len() as u64);
        let mut unpacked = match scratch {
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                tempfile::tempfile_in(folder)?
            }
            None => tempfile::tempfile()?,
        };
        let damage = unpack(&packed, &mut unpacked, task)?;
        let map = map(&unpacked)?;
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

/// Unpacks all members. Damage in the middle keeps what came before it.
fn unpack(packed: &[u8], to: &mut File, task: &Task) -> Result<Option<String>, OpenError> {
    let mut decoder = MultiGzDecoder::new(packed);
    let mut buffer = vec![0; 1 << 20];
    let mut seen = 0;
    loop {
        let left = decoder.get_ref().len();
        task.advance_checked((packed.len() - left - seen) as u64)?;
        seen = packed.len() - left;
        match decoder.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(n) => to.write_all(buffer.get(..n).unwrap_or(&buffer))?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Ok(Some(format!("the gzip data breaks off or is damaged after {seen} packed bytes ({error})")));
            }
        }
    }
}

#[expect(unsafe_code, reason = "mapping a file is the one thing here that the language cannot check")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and shared as `&[u8]`. The language wants those bytes never to
    // change; a dump that another program writes to while it is open breaks that, and would show
    // other numbers, but every read is bounds-checked against the length mapped, nothing read is
    // trusted as a pointer, index or length without a check, and no reference is kept to data
    // whose validity depends on its value.
    unsafe { Mmap::map(file) }
}
