//! Tables of a raw heap of 1.x and 2.x: its sections and their contents. Nothing is copied: tables are slices of the
//! file.

use super::bytes::{between, to_nul, u32_at, u64_at};
use super::damage::{Damage, wrong};
use crate::{cursor::Cursor, error::OpenError};

/// Sizes of the fields after version and time: space, heap and runtime, if there is space before the first table.
const HEADER: [u64; 3] = [32, 16, 8];
/// Offset of the header fields.
const HEADER_AT: u64 = 16;
/// Value of a count if references were not recorded.
const OFF: u32 = u32::MAX;

/// Addresses in a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Addresses<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Addresses<'a> {
    /// Reads the next `count` addresses, or fewer at the end.
    fn read(reader: &mut Cursor<'a>, count: u32, width: usize, damage: &mut Damage) -> Self {
        let there = reader.left() / width as u64;
        if u64::from(count) > there {
            damage.at(reader.offset());
        }
        let bytes = reader.take(there.min(count.into()) * width as u64).unwrap_or_default();
        Self { bytes, width }
    }

    pub(super) fn len(self) -> usize {
        self.bytes.len().checked_div(self.width).unwrap_or(0)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u64> + 'a {
        self.bytes.chunks_exact(self.width.max(1)).filter_map(address)
    }
}

/// Reads an address of four or eight bytes.
fn address(bytes: &[u8]) -> Option<u64> {
    u64_at(bytes, 0).or_else(|| u32_at(bytes, 0).map(u64::from))
}

/// Recorded references from outside: location of each, and the address of its object.
#[derive(Debug, Clone, Copy)]
pub(super) struct References<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> References<'a> {
    pub(super) fn len(self) -> usize {
        self.bytes.len() / (8 + self.width)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (u64, u64)> + 'a {
        let entries = self.bytes.chunks_exact(8 + self.width);
        entries.filter_map(|entry| Some((u64_at(entry, 0)?, address(entry.get(8..)?)?)))
    }
}

/// Table of objects, followed by their memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Objects<'a> {
    items: &'a [u8],
    stride: usize,
    /// Offset of the memory in the file.
    pub(super) memory_at: u64,
    /// End of the memory in the file.
    pub(super) memory_end: u64,
    pub(super) items_at: u64,
}

impl<'a> Objects<'a> {
    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        self.items.chunks_exact(self.stride)
    }
}

/// Name and the objects that have it.
pub(super) struct NameEntry<'a> {
    pub(super) text: &'a [u8],
    pub(super) objects: Addresses<'a>,
}

/// Contents of the file before the metadata.
pub(super) struct Tables<'a> {
    /// The file up to the metadata.
    pub(super) body: &'a [u8],
    /// Size of an address in bytes: 8 for a memory image, 4 for synthetic addresses.
    pub(super) width: usize,
    /// Space, heap and runtime.
    pub(super) about: Option<[&'a [u8]; 3]>,
    /// Objects marked as roots.
    pub(super) roots: Addresses<'a>,
    /// Local handles, global handles, the runtime, frames.
    pub(super) groups: [Addresses<'a>; 4],
    /// Global references, if they were recorded.
    pub(super) references: Option<References<'a>>,
    pub(super) objects: Vec<Objects<'a>>,
    strings_at: u64,
}

/// Body of a file and its metadata, if the offsets at its end are valid.
pub(super) fn parts(file: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = (file.len() as u64).checked_sub(8)?;
    let (body, length) = (u64::from(u32_at(file, end)?), u64::from(u32_at(file, end + 4)?));
    if body.checked_add(length)? > end || length == 0 {
        return None;
    }
    Some((between(file, 0, body), between(file, body, body + length)))
}

/// Section table at the end of the body.
pub(super) fn sections(body: &[u8]) -> Option<Vec<u64>> {
    let end = (body.len() as u64).checked_sub(8)?;
    let (count, width) = (u64::from(u32_at(body, end)?), u32_at(body, end + 4)?);
    let start = end.checked_sub(count.checked_mul(4)?).filter(|_| width == 4 && count >= 6)?;
    Some((0..count).filter_map(|at| u32_at(body, start + 4 * at)).map(u64::from).collect())
}

impl<'a> Tables<'a> {
    /// Finds the tables.
    pub(super) fn read(body: &'a [u8], damage: &mut Damage) -> Result<Self, OpenError> {
        let sections = sections(body).ok_or_else(|| {
            wrong(body.len() as u64, "the section table at the end of the heap", "none", "Copy the file again.")
        })?;
        let [roots_at, roots_size, strings_at, ..] = *sections.as_slice() else {
            return Err(wrong(0, "sections", "none", "Copy the file again."));
        };
        let mut reader = Cursor::new(body, roots_at);
        let (count, width) = (reader.u32_le().unwrap_or(0), reader.u32_le().unwrap_or(0));
        if width != 4 && width != 8 {
            let actual = format!("{width}");
            return Err(wrong(roots_at, "an address size of 4 or 8", &actual, "Copy the file again."));
        }
        let width = width as usize;
        let roots = Addresses::read(&mut reader, count, width, damage);
        let mut reader = Cursor::new(between(body, 0, strings_at), roots_at.saturating_add(roots_size));
        let mut groups = [Addresses::default(); 4];
        for group in &mut groups {
            // Older files end before; remaining bytes are padding.
            let Some(count) = Some(reader).filter(|reader| reader.left() > 4).and_then(|_| reader.u32_le()) else {
                break;
            };
            *group = Addresses::read(&mut reader, count, width, damage);
        }
        let references = Self::references(&mut reader, width, damage);
        let about = (roots_at >= HEADER_AT + HEADER.iter().sum::<u64>()).then(|| {
            let mut reader = Cursor::new(body, HEADER_AT);
            HEADER.map(|bytes| to_nul(reader.take(bytes).unwrap_or_default()))
        });
        // Tables are adjacent: together they are no longer than the heap. Those of a malformed file may overlap any
        // number of times.
        let (mut objects, mut left) = (Vec::new(), body.len() as u64);
        for pair in sections.get(4..).unwrap_or_default().chunks_exact(2) {
            if let [at, size] = *pair {
                objects.extend(Self::objects(body, at, size, &mut left, damage));
            }
        }
        if objects.is_empty() {
            return Err(wrong(body.len() as u64, "an object table", "none", "Copy the file again."));
        }
        Ok(Self { body, width, about, roots, groups, references, objects, strings_at })
    }

    fn references(reader: &mut Cursor<'a>, width: usize, damage: &mut Damage) -> Option<References<'a>> {
        let count = Some(*reader).filter(|reader| reader.left() > 4).and_then(|_| reader.u32_le());
        let count = u64::from(count.filter(|&count| count != OFF)?);
        let entry = 8 + width as u64;
        if count > reader.left() / entry {
            damage.at(reader.offset());
        }
        let bytes = reader.take(count.min(reader.left() / entry) * entry)?;
        Some(References { bytes, width })
    }

    fn objects(body: &'a [u8], at: u64, size: u64, left: &mut u64, damage: &mut Damage) -> Option<Objects<'a>> {
        let mut reader = Cursor::new(body, at);
        let (count, stride) = (u64::from(reader.u32_le()?), u64::from(reader.u32_le()?));
        if stride < 24 {
            damage.at(at);
            return None;
        }
        let (items_at, there) = (reader.offset(), reader.left().min(*left) / stride);
        let memory_end = at.saturating_add(size);
        if count > there || memory_end > body.len() as u64 {
            damage.at(at);
        }
        let items = reader.take(count.min(there) * stride)?;
        *left -= items.len() as u64;
        let memory_end = memory_end.min(body.len() as u64);
        Some(Objects { items, stride: stride as usize, memory_at: reader.offset(), memory_end, items_at })
    }

    /// Names, up to the end of the table or the first damage.
    pub(super) fn names(&self, damage: &mut Damage) -> Vec<NameEntry<'a>> {
        let mut reader = Cursor::new(self.body, self.strings_at);
        let (count, _) = (reader.u32_le().unwrap_or(0), reader.u32_le());
        let mut names = Vec::new();
        for _ in 0..count {
            let at = reader.offset();
            let Some(named) = Self::named(&mut reader, self.width) else {
                damage.at(at);
                break;
            };
            names.push(named);
        }
        names
    }

    fn named(reader: &mut Cursor<'a>, width: usize) -> Option<NameEntry<'a>> {
        let (length, count) = (u64::from(reader.u32_le()?), u64::from(reader.u32_le()?));
        let objects = Addresses { bytes: reader.take(count.checked_mul(width as u64)?)?, width };
        Some(NameEntry { text: to_nul(reader.take(length + 1)?), objects })
    }
}
