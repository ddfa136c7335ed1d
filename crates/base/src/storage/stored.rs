//! Reader of stored analyses. The file is a header of fixed size, a sequence of sections, and their directory:
//!
//! ```text
//! 0      "HEAPLENS", version, byte order, key, length of the file,
//!        offset, length and checksum of the directory, checksum of the header
//! 4096   sections, each at a multiple of 64: numbers in native byte order
//! …      directory (postcard): name, width, offset, length of each section,
//!        and the XXH3 checksum of each 64 KiB block of it
//! ```
//!
//! Opening reads only the header and the directory. Blocks of sections are verified when they are first read.

use std::io::{self, Read};
use std::{fmt, path::Path, sync::Arc};

use bytemuck::{Pod, Zeroable};
use heaplens_platform::files::{open_own, open_regular};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checks::{self, BLOCK, Checks, Damage};
use super::{Column, checksum::checksum, mapping::Mapping};

/// Size of the header in bytes.
pub(super) const HEADER: usize = 4096;
/// Alignment of sections in bytes.
pub(super) const ALIGNMENT: u64 = 64;
/// Name of the section that is not a column.
pub(super) const META: &str = "meta";

const MAGIC: [u8; 8] = *b"HEAPLENS";
/// Version of the file format; increased when the meaning of a section changes, so that older files are rebuilt.
pub const VERSION: u32 = 12;
/// Marker that detects files with the other byte order.
const BYTE_ORDER: u32 = 0x0102_0304;

/// Key of a kept file: hash of the dump's identity and of everything else that affects its contents.
pub type Key = [u8; 16];

/// Header at the start of the file.
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
    /// Checksum of the fields above.
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

#[derive(Serialize, Deserialize)]
pub(super) struct Directory {
    pub(super) entries: Vec<Entry>,
}

/// Directory entry of a section.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    /// Size of a value in bytes.
    pub(super) width: u32,
    pub(super) at: u64,
    pub(super) bytes: u64,
    /// Checksums of the blocks.
    pub(super) sums: Vec<u64>,
}

/// True if the file at `path` starts like a stored analysis.
pub fn is_stored(path: &Path) -> io::Result<bool> {
    // A stream is none.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    open_regular(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// True for the first bytes of a stored analysis.
pub fn is_beginning(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// True if a damaged block of any stored analysis was read since the last call. A question that failed meanwhile may have
/// failed for that reason.
pub fn take_damage() -> bool {
    checks::take_damage()
}

/// Reasons why a file cannot be used as a stored analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredError {
    /// Missing or unreadable file.
    Unreadable(String),
    /// File of another format.
    Foreign,
    /// Written by another version of heaplens, or on a machine of another kind.
    OtherVersion,
    /// Analysis of another dump, of the same dump with other options, or by another build.
    OtherDump,
    /// Damaged header or directory.
    Damaged,
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable(why) => why,
            Self::Foreign => "not a stored analysis",
            Self::OtherVersion => {
                "written by another version of heaplens or on another kind of machine; create the index again with this version"
            }
            Self::OtherDump => "it belongs to another dump",
            Self::Damaged => "file is damaged; copy or create it again",
        })
    }
}

/// A stored analysis, mapped.
pub struct StoredAnalysis {
    mapping: Mapping,
    entries: Vec<Entry>,
    damage: Damage,
}

impl StoredAnalysis {
    /// Maps the file at `path` if it is a complete stored analysis with the given `key`; `None` accepts any key. A file
    /// that should have the key and cannot be used is deleted: it is made again.
    pub fn open(path: &Path, key: Option<&Key>) -> Result<Self, StoredError> {
        let opened = Self::try_open(path, key);
        // A file that cannot be read now may be a good one.
        let is_wrong = opened.as_ref().is_err_and(|error| !matches!(error, StoredError::Unreadable(_)));
        if is_wrong && key.is_some() {
            // Ignored: there may be none; one that stays is found out again.
            let _stays = std::fs::remove_file(path);
        }
        opened
    }

    fn try_open(path: &Path, key: Option<&Key>) -> Result<Self, StoredError> {
        let unreadable = |error: io::Error| StoredError::Unreadable(error.to_string());
        // A file of the cache folder that others may have written is none of heaplens.
        let file = if key.is_some() { open_own(path) } else { open_regular(path) };
        let mapping = file.and_then(|file| Mapping::of(&file)).map_err(unreadable)?;
        if !mapping.starts_with(&MAGIC) {
            return Err(StoredError::Foreign);
        }
        let header = mapping.get(..size_of::<Header>()).ok_or(StoredError::Damaged)?;
        let header: Header = *bytemuck::try_from_bytes(header).map_err(|_unaligned| StoredError::Damaged)?;
        // Checked before the checksum, which also differs on another kind of machine.
        if header.byte_order != BYTE_ORDER || header.version != VERSION {
            return Err(StoredError::OtherVersion);
        }
        if header.sum != header.own_sum() || header.file_bytes != mapping.len() as u64 {
            return Err(StoredError::Damaged);
        }
        if key.is_some_and(|key| *key != header.key) {
            return Err(StoredError::OtherDump);
        }
        let directory = section_bytes(&mapping, header.directory_at, header.directory_bytes);
        let directory =
            directory.filter(|bytes| checksum(bytes) == header.directory_sum).ok_or(StoredError::Damaged)?;
        let Directory { entries } = postcard::from_bytes(directory).map_err(|_damage| StoredError::Damaged)?;
        let sound = |entry: &Entry| {
            let bytes = section_bytes(&mapping, entry.at, entry.bytes);
            let blocks = bytes.map(|bytes| bytes.len().div_ceil(BLOCK));
            blocks == Some(entry.sums.len()) && matches!(entry.width, 1 | 2 | 4 | 8 | 64)
        };
        if !entries.iter().all(sound) {
            return Err(StoredError::Damaged);
        }
        // A damaged file in the cache folder is deleted; an index file of the user is not.
        let damage = Damage::of(key.is_some().then(|| path.to_owned()));
        Ok(Self { mapping, entries, damage })
    }

    /// Length of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.mapping.len() as u64
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| *entry.name == *name)
    }

    /// Size in bytes of a column's values.
    pub(super) fn width(&self, name: &str) -> Option<u32> {
        self.entry(name).map(|entry| entry.width)
    }

    /// Column by name; `None` if it does not exist or its values have another size.
    pub fn column<T: Pod>(&self, name: &str) -> Option<Column<T>> {
        let entry = self.entry(name).filter(|entry| entry.width as usize == size_of::<T>())?;
        let from = usize::try_from(entry.at).ok()?;
        let bytes = from..from.checked_add(usize::try_from(entry.bytes).ok()?)?;
        let checks = Checks::new(entry.sums.clone().into_boxed_slice(), self.damage.clone());
        Column::mapped(&self.mapping, bytes, Some(Arc::new(checks)))
    }

    /// Metadata given to `seal`; `None` if damaged.
    pub fn meta(&self) -> Option<Vec<u8>> {
        let column = self.column::<u8>(META)?;
        Some(column.all().to_vec()).filter(|bytes| bytes.len() == column.len())
    }

    /// True if a damaged block was read, or if the file can no longer be read.
    pub fn is_damaged(&self) -> bool {
        self.damage.is_set() || self.mapping.lost_at().is_some()
    }

    /// Verifies all blocks, on all cores; returns true if none is damaged.
    pub fn check_all(&self) -> bool {
        let blocks = self.entries.par_iter().flat_map(|entry| {
            let bytes = section_bytes(&self.mapping, entry.at, entry.bytes).unwrap_or_default();
            bytes.par_chunks(BLOCK).zip(&entry.sums)
        });
        let holds = blocks.all(|(block, &sum)| checksum(block) == sum);
        if !holds {
            self.damage.set();
        }
        holds
    }
}

fn section_bytes(mapping: &Mapping, at: u64, bytes: u64) -> Option<&[u8]> {
    let from = usize::try_from(at).ok()?;
    mapping.get(from..from.checked_add(usize::try_from(bytes).ok()?)?)
}
