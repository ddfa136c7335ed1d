//! Records of a PHD file. Addresses are encoded as differences to the preceding record: [`State`] contains what is
//! needed to start reading at a later record.

use serde::{Deserialize, Serialize};

use super::header::Header;
use crate::cursor::Cursor;
use heaplens_heap::SizeModel;

/// Types of arrays of numbers, in the order of the file: `boolean`, `char`, `float`, `double`, `byte`, `short`, `int`,
/// `long`.
pub(super) const LETTERS: [char; 8] = ['Z', 'C', 'F', 'D', 'B', 'S', 'I', 'J'];

/// Bytes of an element of an array of numbers.
pub(super) fn element_bytes(kind: u8) -> u64 {
    1 << (kind & 3)
}

mod tag {
    pub(super) const END: u8 = 3;
    pub(super) const LONG_OBJECT: u8 = 4;
    pub(super) const OLD_ARRAY: u8 = 5;
    pub(super) const CLASS: u8 = 6;
    pub(super) const LONG_PRIMITIVES: u8 = 7;
    pub(super) const ARRAY: u8 = 8;
}

/// Rule for first references of records that identify the class instead of being real references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum LeadingReferences {
    None,
    /// Reference from an instance to its class, as in IBM's reader for all versions.
    Classes,
    /// The same, and the first reference of an array to its class, which is counted as an element.
    ClassesAndArrays,
}

impl LeadingReferences {
    fn of(header: &Header, sizes: SizeModel) -> Self {
        match sizes {
            _ if !header.is_j9 => Self::None,
            _ if header.version == 4 => Self::ClassesAndArrays,
            // IBM's reader, and thus MAT, treats it as the class in all versions; it may be a field as well.
            SizeModel::Mat => Self::Classes,
            SizeModel::Auto | SizeModel::File => Self::None,
        }
    }
}

/// Layout of records, from the header.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Form {
    word: u32,
    /// Every record has a hash of 16 bits.
    short_hash: bool,
    /// Arrays have a recorded size.
    sizes: bool,
    /// Number of bits by which addresses are shifted in the file.
    shift: u32,
    /// Bits an address has.
    mask: u64,
    /// In primitive arrays, gaps and lengths of the widest encoding have four bytes, not eight: a defect of one
    /// version.
    narrow_widest: bool,
    leading: LeadingReferences,
}

impl Form {
    /// Derives the layout from the header; the size model decides what the first reference of an object is.
    pub(super) fn of(header: &Header, sizes: SizeModel) -> Self {
        Self {
            leading: LeadingReferences::of(header, sizes),
            word: header.word(),
            short_hash: header.is_j9 && header.is_hashed,
            sizes: header.has_sizes(),
            shift: if header.version == 5 || header.is_j9 { 2 } else { 3 },
            mask: if header.is_wide { u64::MAX } else { u64::from(u32::MAX) },
            narrow_widest: !header.is_j9 && header.full_version.ends_with("0917"),
        }
    }

    /// True if the values are possible in a header: stored data may be damaged.
    pub(super) fn is_sound(&self) -> bool {
        matches!(self.word, 4 | 8) && self.shift < 4
    }
}

/// State carried over from preceding records.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct State {
    /// Address of the preceding record.
    last: u64,
    classes: [u64; 4],
    next_class: usize,
}

/// Kind and contents of a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordContents<'a> {
    Instance {
        /// Address of the class.
        class: u64,
    },
    /// An array of references.
    Objects {
        /// Address of the element class, or of the array class.
        class: u64,
        /// Number of elements, including nulls; `None` if the file does not record it.
        length: Option<u32>,
    },
    /// An array of numbers.
    Primitives {
        /// Index of the type in [`LETTERS`].
        kind: u8,
        length: u64,
    },
    Class {
        /// Instance size in the file, in bytes.
        instance_size: i32,
        /// Address of the class above, or 0.
        superclass: u64,
        /// Its name, as in class files.
        name: &'a [u8],
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) offset: u64,
    pub(super) address: u64,
    pub(super) contents: RecordContents<'a>,
    /// Size of an array in bytes, if recorded.
    pub(super) size: Option<u64>,
    pub(super) references: References<'a>,
}

impl Record<'_> {
    /// Removes the first reference if it identifies the class, in arrays also from the elements; returns true if it was
    /// removed. `is_array_of` is true if the class at an address is that of arrays whose records have the other.
    #[inline]
    pub(super) fn take_leading(&mut self, form: Form, is_array_of: impl FnOnce(u64, u64) -> bool) -> bool {
        if form.leading == LeadingReferences::None {
            return false;
        }
        let Some(first) = self.references.at(0) else { return false };
        match &mut self.contents {
            RecordContents::Instance { class } if *class == first => {}
            RecordContents::Objects { class, length }
                if form.leading == LeadingReferences::ClassesAndArrays && is_array_of(first, *class) =>
            {
                *length = length.map(|length| length.saturating_sub(1));
            }
            _ => return false,
        }
        self.references = self.references.without_first();
        true
    }
}

/// The references of a record, none of them null.
#[derive(Debug, Clone, Copy)]
pub(super) struct References<'a> {
    bytes: &'a [u8],
    /// Width code of one reference: 0 for 1 byte, 3 for 8 bytes.
    width: u8,
    from: u64,
    shift: u32,
    mask: u64,
}

impl<'a> References<'a> {
    const NONE: Self = Self { bytes: &[], width: 0, from: 0, shift: 0, mask: 0 };

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bytes.len() >> self.width
    }

    /// The addresses, in the order of the file.
    #[inline]
    pub(super) fn all(self) -> impl DoubleEndedIterator<Item = u64> + 'a {
        (0..self.len()).filter_map(move |at| self.at(at))
    }

    #[inline]
    pub(super) fn at(&self, at: usize) -> Option<u64> {
        let bytes = self.bytes.get(at << self.width..)?;
        let delta = match self.width {
            0 => i64::from(bytes.first()?.cast_signed()),
            1 => i64::from(i16::from_be_bytes(*bytes.first_chunk()?)),
            2 => i64::from(i32::from_be_bytes(*bytes.first_chunk()?)),
            _ => i64::from_be_bytes(*bytes.first_chunk()?),
        };
        Some(self.from.wrapping_add((delta << self.shift).cast_unsigned()) & self.mask)
    }

    fn without_first(mut self) -> Self {
        self.bytes = self.bytes.get(1 << self.width..).unwrap_or_default();
        self
    }
}

/// Why reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// End tag.
    Mark,
    /// End of the requested range.
    Bound,
    /// The file ends between two records.
    NoMark,
    /// The file is truncated inside a record.
    CutOff,
    UnknownTag(u8),
}

/// Reads records one after the other.
#[derive(Debug, Clone)]
pub(super) struct Walker<'a> {
    cursor: Cursor<'a>,
    form: Form,
    state: State,
    bound: u64,
}

impl<'a> Walker<'a> {
    /// Starts at `offset` and reads up to `bound`.
    pub(super) fn new(file: &'a [u8], form: Form, (offset, state): (u64, State), bound: u64) -> Self {
        Self { cursor: Cursor::new(file, offset), form, state, bound }
    }

    /// Offset of the next record, and the state there.
    #[inline]
    pub(super) fn position(&self) -> (u64, State) {
        (self.cursor.offset(), self.state)
    }

    /// The next record.
    ///
    /// # Errors
    /// [`End`] if there is none; the position is then that of the missing record.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Record<'a>, End> {
        let offset = self.cursor.offset();
        if offset >= self.bound {
            return Err(if self.cursor.left() == 0 { End::NoMark } else { End::Bound });
        }
        let (begin, state) = (self.cursor, self.state);
        let end = match self.record(offset) {
            Ok(record) => return Ok(record),
            Err(end) => end,
        };
        (self.cursor, self.state) = (begin, state);
        Err(end)
    }

    #[inline]
    fn record(&mut self, offset: u64) -> Result<Record<'a>, End> {
        let tag = self.cursor.u8().ok_or(End::NoMark)?;
        let read = match tag {
            0x80.. => self.short(offset, tag),
            0x40.. => self.medium(offset, tag),
            0x20.. => self.primitives(offset, tag),
            tag::LONG_OBJECT => self.long(offset),
            tag::OLD_ARRAY | tag::ARRAY => self.objects(offset, tag == tag::ARRAY),
            tag::CLASS => self.class(offset),
            tag::LONG_PRIMITIVES => self.long_primitives(offset),
            tag::END => return Err(End::Mark),
            tag => return Err(End::UnknownTag(tag)),
        };
        read.ok_or(End::CutOff)
    }

    /// A signed number of a coded width.
    #[inline]
    fn signed(&mut self, width: u8) -> Option<i64> {
        Some(match width {
            0 => i64::from(self.cursor.u8()?.cast_signed()),
            1 => i64::from(self.cursor.u16()?.cast_signed()),
            2 => i64::from(self.cursor.u32()?.cast_signed()),
            _ => self.cursor.u64()?.cast_signed(),
        })
    }

    #[inline]
    fn address(&mut self, width: u8) -> Option<u64> {
        let gap = self.signed(width)? << self.form.shift;
        self.state.last = self.state.last.wrapping_add(gap.cast_unsigned()) & self.form.mask;
        Some(self.state.last)
    }

    #[inline]
    fn word(&mut self) -> Option<u64> {
        self.cursor.id(self.form.word)
    }

    #[inline]
    fn hash(&mut self, is_long: bool) -> Option<()> {
        if self.form.short_hash {
            return self.cursor.skip(2);
        }
        if is_long { self.cursor.skip(4) } else { Some(()) }
    }

    #[inline]
    fn references(&mut self, from: u64, count: u64, width: u8) -> Option<References<'a>> {
        // Reject a count larger than the remaining bytes before allocating for it.
        let bytes = self.cursor.take(count.checked_mul(1 << width)?)?;
        Some(References { bytes, width, from, shift: self.form.shift, mask: self.form.mask })
    }

    #[inline]
    fn remember(&mut self, class: u64) {
        if let Some(slot) = self.state.classes.get_mut(self.state.next_class) {
            *slot = class;
        }
        self.state.next_class = (self.state.next_class + 1) % 4;
    }

    /// `1ccnngrr`
    #[inline]
    fn short(&mut self, offset: u64, tag: u8) -> Option<Record<'a>> {
        let class = *self.state.classes.get(usize::from(tag >> 5 & 3))?;
        let address = self.address(tag >> 2 & 1)?;
        self.hash(false)?;
        let references = self.references(address, u64::from(tag >> 3 & 3), tag & 3)?;
        Some(Record { offset, address, contents: RecordContents::Instance { class }, size: None, references })
    }

    /// `01nnngrr`
    #[inline]
    fn medium(&mut self, offset: u64, tag: u8) -> Option<Record<'a>> {
        let address = self.address(tag >> 2 & 1)?;
        let class = self.word()?;
        self.remember(class);
        self.hash(false)?;
        let references = self.references(address, u64::from(tag >> 3 & 7), tag & 3)?;
        Some(Record { offset, address, contents: RecordContents::Instance { class }, size: None, references })
    }

    /// `001tttww`
    #[inline]
    fn primitives(&mut self, offset: u64, tag: u8) -> Option<Record<'a>> {
        let width = match tag & 3 {
            3 if self.form.narrow_widest => 2,
            width => width,
        };
        let address = self.address(width)?;
        let length = match width {
            0 => u64::from(self.cursor.u8()?),
            1 => u64::from(self.cursor.u16()?),
            2 => u64::from(self.cursor.u32()?),
            _ => self.cursor.u64()?,
        };
        self.hash(false)?;
        self.numbers(offset, address, tag >> 2 & 7, length)
    }

    fn long_primitives(&mut self, offset: u64) -> Option<Record<'a>> {
        let flags = self.cursor.u8()?;
        let is_wide = flags & 0x10 != 0;
        let width = match self.form.word {
            _ if !is_wide => 0,
            8 => 3,
            _ => 2,
        };
        let address = self.address(width)?;
        let length = if is_wide { self.word()? } else { u64::from(self.cursor.u8()?) };
        self.hash(flags & 2 != 0)?;
        self.numbers(offset, address, flags >> 5, length)
    }

    #[inline]
    fn numbers(&mut self, offset: u64, address: u64, kind: u8, length: u64) -> Option<Record<'a>> {
        let contents = RecordContents::Primitives { kind, length };
        Some(Record { offset, address, contents, size: self.size()?, references: References::NONE })
    }

    /// Recorded size after an array, which the file stores in units of 4: `Some(None)` if it has none.
    #[inline]
    #[expect(clippy::option_option, reason = "cut off, not written, written")]
    fn size(&mut self) -> Option<Option<u64>> {
        if !self.form.sizes {
            return Some(None);
        }
        self.cursor.u32().map(|size| Some(u64::from(size) * 4))
    }

    fn long(&mut self, offset: u64) -> Option<Record<'a>> {
        let flags = self.cursor.u8()?;
        let address = self.address(flags >> 6)?;
        let class = self.word()?;
        self.remember(class);
        self.hash(flags & 2 != 0)?;
        let count = self.cursor.u32()?;
        let references = self.references(address, count.into(), flags >> 4 & 3)?;
        Some(Record { offset, address, contents: RecordContents::Instance { class }, size: None, references })
    }

    fn objects(&mut self, offset: u64, has_length: bool) -> Option<Record<'a>> {
        let flags = self.cursor.u8()?;
        let address = self.address(flags >> 6)?;
        let class = self.word()?;
        self.hash(flags & 2 != 0)?;
        let count = self.cursor.u32()?;
        let references = self.references(address, count.into(), flags >> 4 & 3)?;
        let length = if has_length { Some(self.cursor.u32()?) } else { None };
        let size = if has_length { self.size()? } else { None };
        Some(Record { offset, address, contents: RecordContents::Objects { class, length }, size, references })
    }

    fn class(&mut self, offset: u64) -> Option<Record<'a>> {
        let flags = self.cursor.u8()?;
        let address = self.address(flags >> 6)?;
        let instance_size = self.cursor.u32()?.cast_signed();
        self.hash(flags & 8 != 0)?;
        let superclass = self.word()?;
        let length = self.cursor.u16()?;
        let name = self.cursor.take(length.into())?;
        let count = self.cursor.u32()?;
        let references = self.references(address, count.into(), flags >> 4 & 3)?;
        Some(Record {
            offset,
            address,
            contents: RecordContents::Class { instance_size, superclass, name },
            size: None,
            references,
        })
    }
}

/// The record of the object at `address`, which begins at `offset`.
pub(super) fn record_at(file: &[u8], form: Form, offset: u64, address: u64) -> Option<Record<'_>> {
    let mut walker = Walker::new(file, form, (offset, State::default()), file.len() as u64);
    let first = walker.next().ok()?;
    // The address depends on earlier records: start from a base such that it comes out as 0.
    let last = address.wrapping_sub(first.address) & form.mask;
    let state = State { last, ..State::default() };
    Walker::new(file, form, (offset, state), file.len() as u64).next().ok()
}
