//! From a path to bytes: mapped files, and gzip unpacked into a file that is
//! mapped too.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::ReadOptions;
use super::error::{FormatError, OpenError};
use super::gzip;
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
        if !gzip::recognises(&bytes) {
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
    let damage = gzip::unpack(packed, |bytes| file.write_all(bytes).map_err(blame), task)?;
    Ok((Mapping::of(file).map_err(blame)?, damage))
}
