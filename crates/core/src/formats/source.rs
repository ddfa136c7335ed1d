//! Access to the bytes of a file: mapped directly, or unpacked to a temporary file that is mapped.

use std::io::{self, Write};
use std::{fs::File, path::Path};

use super::error::{FormatError, OpenError};
use super::{gzip, options::ReadOptions, zip};
use crate::heap::{ImportNote, Severity};
use heaplens_base::storage::folder::{create_private, unfinished};
use heaplens_base::storage::{Folder, mapping::Mapping};
use heaplens_base::{Count, Task, Unit};

/// Bytes of an opened file, shared by clones.
#[derive(Clone)]
pub struct Source {
    bytes: Mapping,
    /// True if the bytes are in a temporary file.
    is_copy: bool,
    /// Damage of the packed form: the rest of the file is missing.
    pub damage: Option<String>,
}

/// Message for a file that became shorter between opening and reading.
pub fn gone(at: u64) -> String {
    format!("data from byte {} on is unreadable: the file was truncated while in use, or the disk failed", Count(at))
}

/// Maximum depth of nested packings.
const LAYERS: usize = 3;

impl Source {
    /// Maps the file at `path`; unpacks it first if it is packed, unless the unpacked form is cached.
    ///
    /// # Errors
    /// If the file cannot be read, or nothing of it can be unpacked.
    pub fn open(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        let mut source = Self::of_file(path, options, task)?;
        for _ in 0..LAYERS {
            let is_zip = zip::recognises(&source.bytes);
            if !is_zip && !zip::is_zlib(&source.bytes) {
                break;
            }
            task.step("Unpacking", Unit::Bytes, 0);
            let (packed, mut damage) = (source.clone(), None);
            source = packed.rewrite(options, |out, blame| {
                let write = |bytes: &[u8]| out.write_all(bytes).map_err(blame);
                let unpack = if is_zip {
                    zip::unpack(&packed.bytes, write, task)
                } else {
                    zip::unpack_zlib(&packed.bytes, write, task)
                };
                damage = unpack?;
                Ok(())
            })?;
            source.damage = source.damage.or(damage);
        }
        Ok(source)
    }

    /// Same contents in another form, written by `write` to an unnamed temporary file.
    pub(super) fn rewrite(
        &self,
        options: &ReadOptions,
        write: impl FnOnce(&mut dyn Write, &dyn Fn(io::Error) -> OpenError) -> Result<(), OpenError>,
    ) -> Result<Self, OpenError> {
        let (scratch, folder) = scratch(options)?;
        let blame = |error| OpenError::scratch(&folder, error);
        let mut out = io::BufWriter::with_capacity(1 << 20, &scratch);
        write(&mut out, &blame)?;
        out.flush().map_err(blame)?;
        drop(out);
        Ok(Self { bytes: Mapping::of(&scratch).map_err(blame)?, is_copy: true, damage: self.damage.clone() })
    }

    /// Maps the file at `path`; unpacks it first if it is gzip.
    fn of_file(path: &Path, options: &ReadOptions, task: &Task) -> Result<Self, OpenError> {
        // Check before opening: opening a pipe would block until there is a writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a regular file").into());
        }
        let bytes = Mapping::of(&File::open(path)?)?;
        if !gzip::recognises(&bytes) {
            return Ok(Self { bytes, is_copy: false, damage: None });
        }
        if let Some(kept) = options.unpacked.as_deref().and_then(cached_unpacked) {
            return Ok(Self { bytes: kept, is_copy: true, damage: None });
        }
        let packed = bytes;
        task.step("Unpacking", Unit::Bytes, packed.len() as u64);
        if let Some(target) = &options.unpacked
            && let Ok(unfinished) = unfinished(target)
        {
            let (bytes, damage) = unpack(&packed, unfinished.as_file(), target, task)?;
            // A damaged unpacked form is not cached: the next open could not detect the damage.
            if damage.is_none() {
                // Failing to write the cache is not an error: the mapping works without a file name.
                let _unnamed = unfinished.persist(target);
            }
            return Self::of_unpacked(bytes, damage);
        }
        let (scratch, folder) = scratch(options)?;
        let (bytes, damage) = unpack(&packed, &scratch, &folder, task)?;
        Self::of_unpacked(bytes, damage)
    }

    fn of_unpacked(bytes: Mapping, damage: Option<String>) -> Result<Self, OpenError> {
        match damage {
            Some(found) if bytes.is_empty() => {
                let advice = "Copy the file again.";
                Err(FormatError::new("gzip", 0, "gzip data", found, advice).into())
            }
            damage => Ok(Self { bytes, is_copy: true, damage }),
        }
    }

    /// True if the bytes are in a temporary file, because the dump is packed or was converted: changes to the dump file
    /// then have no effect.
    pub fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Offset from which on the file became unreadable, although it was longer when it was opened: see
    /// [`Mapping::lost`].
    pub fn lost(&self) -> Option<u64> {
        self.bytes.lost()
    }

    /// Parse warning about damage of the packed form.
    pub(super) fn damage_note(&self) -> Option<ImportNote> {
        self.damage.as_ref().map(|damage| ImportNote::new(Severity::DataLost, 1, damage.clone(), None))
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Creates an unnamed temporary file; also returns its folder.
fn scratch(options: &ReadOptions) -> Result<(File, std::path::PathBuf), OpenError> {
    let folder = options.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let scratch = create_private(&folder).and_then(|()| tempfile::tempfile_in(&folder));
    match scratch {
        Ok(scratch) => Ok((scratch, folder)),
        Err(error) => Err(OpenError::scratch(&folder, error)),
    }
}

/// Unpacked form cached by an earlier open.
fn cached_unpacked(path: &Path) -> Option<Mapping> {
    let bytes = Mapping::of(&File::open(path).ok()?).ok()?;
    Folder::used(path);
    Some(bytes)
}

/// Unpacks into `file` and maps it; `place` is named in errors of writing.
fn unpack(
    packed: &Mapping,
    mut file: &File,
    place: &Path,
    task: &Task,
) -> Result<(Mapping, Option<String>), OpenError> {
    let blame = |error| OpenError::scratch(place, error);
    let damage = gzip::unpack(packed, |bytes| file.write_all(bytes).map_err(blame), task)?;
    let damage = packed.lost().map_or(damage, |at| Some(gone(at)));
    Ok((Mapping::of(file).map_err(blame)?, damage))
}
