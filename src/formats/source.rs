//! From a path to bytes: mapped files, and gzip unpacked into a file that is
//! mapped too.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::ReadOptions;
use super::error::{FormatError, OpenError};
use crate::storage::folder::{Folder, unfinished};
use crate::storage::mapping::Mapping;
use crate::task::{Task, Unit};

/// The bytes of an opened file; clones share them.
#[derive(Clone)]
pub struct Source {
    bytes: Mapping,
    /// What was wrong with the packed form: the rest of the file is missing.
    pub damage: Option<String>,
}

impl Source {
    /// Maps the file at `path`; unpacks it first if it is gzip, unless that was done before.
    ///
    /// # Errors
    /// When the file cannot be read, or not a byte of it can be unpacked.
    pub fn open(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        // Before it is opened: opening a pipe waits for a writer, for ever.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a regular file").into());
        }
        let bytes = Mapping::of(&File::open(path)?)?;
        if !bytes.starts_with(&[0x1f, 0x8b]) {
            return Ok(Self { bytes, damage: None });
        }
        if let Some(kept) = options.unpacked.as_deref().and_then(unpacked_before) {
            return Ok(Self { bytes: kept, damage: None });
        }
        let packed = bytes;
        task.step("Unpacking", Unit::Bytes, packed.len() as u64);
        if let Some(target) = &options.unpacked
            && let Ok(unfinished) = unfinished(target)
        {
            let (bytes, damage) = unpack(&packed, unfinished.as_file(), target, task)?;
            // What is damaged is not kept: the next open could not tell any more.
            if damage.is_none() {
                // A cache that cannot be written is no reason to fail: the map holds without a name.
                let _unnamed = unfinished.persist(target);
            }
            return Self::of_unpacked(bytes, damage);
        }
        let folder = options.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let scratch = std::fs::create_dir_all(&folder).and_then(|()| tempfile::tempfile_in(&folder));
        let scratch = scratch.map_err(|error| OpenError::Scratch { folder: folder.clone(), error })?;
        let (bytes, damage) = unpack(&packed, &scratch, &folder, task)?;
        Self::of_unpacked(bytes, damage)
    }

    fn of_unpacked(bytes: Mapping, damage: Option<String>) -> Result<Self, OpenError> {
        match damage {
            Some(found) if bytes.is_empty() => {
                let advice = "the file is damaged from its first byte: copy it again";
                Err(FormatError { format: "gzip", offset: 0, expected: "gzip data".to_owned(), found, advice }.into())
            }
            damage => Ok(Self { bytes, damage }),
        }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The unpacked form that an earlier open kept.
fn unpacked_before(path: &Path) -> Option<Mapping> {
    let bytes = Mapping::of(&File::open(path).ok()?).ok()?;
    Folder::used(path);
    Some(bytes)
}

/// Unpacks into `file`, which is mapped then; `place` is to blame when it cannot be written.
fn unpack(packed: &[u8], mut file: &File, place: &Path, task: &Task) -> Result<(Mapping, Option<String>), OpenError> {
    let blame = |error| OpenError::Scratch { folder: place.to_owned(), error };
    let damage = unpack_members(packed, |bytes| file.write_all(bytes).map_err(blame), task)?;
    Ok((Mapping::of(file).map_err(blame)?, damage))
}

/// Unpacks all members. Damage in the middle keeps what came before it, and is told.
fn unpack_members(
    packed: &[u8],
    mut write: impl FnMut(&[u8]) -> Result<(), OpenError>,
    task: &Task,
) -> Result<Option<String>, OpenError> {
    let mut decoder = MultiGzDecoder::new(packed);
    let mut buffer = vec![0; 1 << 20];
    let mut seen = 0;
    loop {
        let left = decoder.get_ref().len();
        task.advance_checked((packed.len() - left - seen) as u64)?;
        seen = packed.len() - left;
        match decoder.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(n) => write(buffer.get(..n).unwrap_or(&buffer))?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Ok(Some(format!("the gzip data breaks off or is damaged after {seen} packed bytes ({error})")));
            }
        }
    }
}
