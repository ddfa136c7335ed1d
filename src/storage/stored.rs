//! A stored analysis, read. The file is a header of fixed size, sections one
//! after the other, and a directory of them:
//!
//! ```text
//! 0      "HEAPLENS", version, byte order, key, length of the file,
//!        place, length and checksum of the directory, checksum of all that
//! 4096   sections, each at a multiple of 64: numbers as this machine has them
//! …      directory (postcard): name, width, place, length of each section,
//!        and the XXH3 checksum of each 64 KiB block of it
//! ```
//!
//! Opening looks at the header and the directory alone. Blocks of sections are
//! compared with their checksums when they are first read.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checks::{BLOCK, Checks, Damage};
use super::checksum::checksum;
use super::column::Column;
use super::mapping::Mapping;

/// Bytes before the first section.
pub(super) const HEADER: usize = 4096;
/// Sections begin at multiples of this.
pub(super) const ALIGNMENT: u64 = 64;
/// The section that is not a column.
pub(super) const META: &str = "meta";

const MAGIC: [u8; 8] = *b"HEAPLENS";
/// Counts up whenever a section changes its meaning: older files are then rebuilt.
pub const VERSION: u32 = 9;
/// Reads differently on a machine of the other byte order.
const BYTE_ORDER: u32 = 0x0102_0304;

/// What a stored analysis is of: the dump's identity and all that its columns depend on, hashed.
pub type Key = [u8; 16];

/// What stands at the beginning of the file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    byte_order: u32,
    key: Key,
    file_bytes: u64,
    directory_at: u64,
    directory_bytes: u64,
    directory_sum: u64,
    /// Checksum of all above.
    sum: u64,
}

impl Header {
    pub(super) fn new(key: Key, directory_at: u64, directory: &[u8]) -> Self {
        let mut header = Self {
            magic: MAGIC,
            version: VERSION,
            byte_order: BYTE_ORDER,
            key,
            file_bytes: directory_at + directory.len() as u64,
            directory_at,
            directory_bytes: directory.len() as u64,
            directory_sum: checksum(directory),
            sum: 0,
        };
        header.sum = header.own_sum();
        header
    }

    fn own_sum(&self) -> u64 {
        let bytes = bytemuck::bytes_of(self);
        checksum(&bytes[..bytes.len() - size_of::<u64>()])
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = bytemuck::bytes_of(self).to_vec();
        bytes.resize(HEADER, 0);
        bytes
    }
}

/// What sections there are.
#[derive(Serialize, Deserialize)]
pub(super) struct Directory {
    pub(super) entries: Vec<Entry>,
}

/// One section.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    /// Bytes of a value.
    pub(super) width: u32,
    pub(super) at: u64,
    pub(super) bytes: u64,
    /// Checksum of each block.
    pub(super) sums: Vec<u64>,
}

/// Whether the file at `path` is a stored analysis, by its first bytes.
///
/// # Errors
/// When it cannot be read.
pub fn is_stored(path: &Path) -> io::Result<bool> {
    // Before it is opened: opening a pipe waits for a writer, for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// Why a file is not used as a stored analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// It is not there, or cannot be read.
    Unreadable(String),
    /// It is something else.
    Foreign,
    /// Another version of heaplens, or another kind of machine, wrote it.
    OtherVersion,
    /// It is of another dump, or of the same dump read otherwise.
    OtherDump,
    /// Its header or directory is not what was written.
    Damaged,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable(why) => why,
            Self::Foreign => "it is no stored analysis",
            Self::OtherVersion => {
                "another version of heaplens, or one for another kind of machine, wrote it: write it again with this one"
            }
            Self::OtherDump => "it is of another dump",
            Self::Damaged => "it is damaged: copy or write it again",
        })
    }
}

/// A stored analysis, mapped.
pub struct Stored {
    mapping: Mapping,
    entries: Vec<Entry>,
    damage: Damage,
}

impl Stored {
    /// Maps the file at `path` if it is a stored analysis, whole, and of `key` (any, if none is given).
    ///
    /// # Errors
    /// Why it is not used.
    pub fn open(path: &Path, key: Option<&Key>) -> Result<Self, Unusable> {
        let unreadable = |error: io::Error| Unusable::Unreadable(error.to_string());
        let mapping = File::open(path).and_then(|file| Mapping::of(&file)).map_err(unreadable)?;
        if !mapping.starts_with(&MAGIC) {
            return Err(Unusable::Foreign);
        }
        let header = mapping.get(..size_of::<Header>()).ok_or(Unusable::Damaged)?;
        let header: Header = *bytemuck::try_from_bytes(header).map_err(|_unaligned| Unusable::Damaged)?;
        // Before the checksum: what another machine wrote has another sum too.
        if header.byte_order != BYTE_ORDER || header.version != VERSION {
            return Err(Unusable::OtherVersion);
        }
        if header.sum != header.own_sum() || header.file_bytes != mapping.len() as u64 {
            return Err(Unusable::Damaged);
        }
        if key.is_some_and(|key| *key != header.key) {
            return Err(Unusable::OtherDump);
        }
        let directory = section_bytes(&mapping, header.directory_at, header.directory_bytes);
        let directory = directory.filter(|bytes| checksum(bytes) == header.directory_sum).ok_or(Unusable::Damaged)?;
        let Directory { entries } = postcard::from_bytes(directory).map_err(|_damage| Unusable::Damaged)?;
        let sound = |entry: &Entry| {
            let bytes = section_bytes(&mapping, entry.at, entry.bytes);
            let blocks = bytes.map(|bytes| bytes.len().div_ceil(BLOCK));
            blocks == Some(entry.sums.len()) && matches!(entry.width, 1 | 2 | 4 | 8 | 64)
        };
        if !entries.iter().all(sound) {
            return Err(Unusable::Damaged);
        }
        // What is found damaged is gone for the next open, unless it is somebody's own file.
        let damage = Damage::of(key.is_some().then(|| path.to_owned()));
        Ok(Self { mapping, entries, damage })
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| *entry.name == *name)
    }

    /// Bytes a value of a column takes.
    pub(super) fn width(&self, name: &str) -> Option<u32> {
        self.entry(name).map(|entry| entry.width)
    }

    /// A column by its name; `None` if it is not there or holds values of another width.
    pub fn column<T: Pod>(&self, name: &str) -> Option<Column<T>> {
        let entry = self.entry(name).filter(|entry| entry.width as usize == size_of::<T>())?;
        let from = usize::try_from(entry.at).ok()?;
        let bytes = from..from.checked_add(usize::try_from(entry.bytes).ok()?)?;
        let checks = Checks::new(entry.sums.clone().into_boxed_slice(), self.damage.clone());
        Column::mapped(self.mapping.clone(), bytes, Some(Arc::new(checks)))
    }

    /// What was given to `seal`; `None` where it is damaged.
    pub fn meta(&self) -> Option<Vec<u8>> {
        let column = self.column::<u8>(META)?;
        Some(column.all().to_vec()).filter(|bytes| bytes.len() == column.len())
    }

    /// Whether a block was read that is not what had been written, or the file went away under us.
    pub fn is_damaged(&self) -> bool {
        self.damage.was_met() || self.mapping.lost().is_some()
    }

    /// Compares every block with its checksum, on all cores. Says whether all hold.
    pub fn check_all(&self) -> bool {
        let blocks = self.entries.par_iter().flat_map(|entry| {
            let bytes = section_bytes(&self.mapping, entry.at, entry.bytes).unwrap_or_default();
            bytes.par_chunks(BLOCK).zip(&entry.sums)
        });
        let holds = blocks.all(|(block, &sum)| checksum(block) == sum);
        if !holds {
            self.damage.meet();
        }
        holds
    }
}

fn section_bytes(mapping: &Mapping, at: u64, bytes: u64) -> Option<&[u8]> {
    let from = usize::try_from(at).ok()?;
    mapping.get(from..from.checked_add(usize::try_from(bytes).ok()?)?)
}
