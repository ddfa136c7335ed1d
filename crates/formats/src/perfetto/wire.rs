//! Protocol buffers as they are stored: fields with a number, and their contents. Heap graphs are read in place, twice
//! and by several threads: no message is built, and lists of numbers stay slices of the file. A library that decodes
//! messages into structs would allocate several times per object; what is needed instead is the few lines below.

use std::ops::Range;

use crate::cursor::Cursor;

/// Reads a number of variable length, up to 64 bits.
#[inline]
fn varint(cursor: &mut Cursor<'_>) -> Option<u64> {
    let first = cursor.u8()?;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..u64::BITS).step_by(7) {
        let byte = cursor.u8()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    /// Number of variable length.
    Number(u64),
    /// Text, message or list of numbers.
    Bytes(&'a [u8]),
    /// Number of 4 or 8 bytes, which no field read here has.
    Fixed,
}

/// A field of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) number: u32,
    pub(super) content: Content<'a>,
    /// Offset of the field in the file.
    pub(super) at: u64,
    /// Offset of the end of its content.
    end: u64,
    /// True if the content ends with the data, before its declared length.
    pub(super) is_cut: bool,
}

impl<'a> Field<'a> {
    pub(super) fn as_number(&self) -> Option<u64> {
        if let Content::Number(number) = self.content { Some(number) } else { None }
    }

    pub(super) fn as_bytes(&self) -> Option<&'a [u8]> {
        if let Content::Bytes(bytes) = self.content { Some(bytes) } else { None }
    }

    /// Text; malformed characters are replaced.
    pub(super) fn as_text(&self) -> Option<String> {
        self.as_bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Position of the content in the file.
    pub(super) fn range(&self) -> Range<u64> {
        self.end - self.as_bytes().map_or(0, |bytes| bytes.len() as u64)..self.end
    }
}

/// Iterator over the fields of a message. Stops at damage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message<'a> {
    cursor: Cursor<'a>,
    /// Offset of a field that could not be read.
    pub(super) broken_at: Option<u64>,
}

impl<'a> Message<'a> {
    /// The message at `range` of a file.
    pub(super) fn new(file: &'a [u8], range: &Range<u64>) -> Self {
        let end = usize::try_from(range.end).unwrap_or(usize::MAX);
        Self { cursor: Cursor::new(file.get(..end).unwrap_or(file), range.start), broken_at: None }
    }

    /// A message on its own: offsets count from its start.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(bytes, 0), broken_at: None }
    }

    /// Offset of the next field.
    pub(super) fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    fn field(&mut self, at: u64) -> Option<Field<'a>> {
        let tag = varint(&mut self.cursor)?;
        let number = u32::try_from(tag >> 3).ok().filter(|&number| number > 0)?;
        let mut is_cut = false;
        let content = match tag & 7 {
            0 => Content::Number(varint(&mut self.cursor)?),
            1 => self.cursor.skip(8).map(|()| Content::Fixed)?,
            2 => {
                let length = varint(&mut self.cursor)?;
                is_cut = length > self.cursor.left();
                Content::Bytes(self.cursor.take(length.min(self.cursor.left()))?)
            }
            5 => self.cursor.skip(4).map(|()| Content::Fixed)?,
            _ => return None,
        };
        Some(Field { number, content, at, end: self.cursor.offset(), is_cut })
    }
}

#[expect(clippy::copy_iterator, reason = "a position, as a cursor is: copies are cheap and independent")]
impl<'a> Iterator for Message<'a> {
    type Item = Field<'a>;

    #[inline]
    fn next(&mut self) -> Option<Field<'a>> {
        if self.cursor.left() == 0 || self.broken_at.is_some() {
            return None;
        }
        let at = self.cursor.offset();
        let field = self.field(at);
        if field.is_none_or(|field| field.is_cut) {
            self.broken_at = Some(at);
        }
        field
    }
}

/// A repeated number: packed into one field, as by all known writers, or a field for each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Numbers<'a> {
    #[default]
    None,
    Packed(&'a [u8]),
    /// Message, and the number of the fields.
    Scattered(Message<'a>, u32),
}

impl<'a> Numbers<'a> {
    /// Adds a field of a message.
    #[inline]
    pub(super) fn add(&mut self, message: Message<'a>, field: &Field<'a>) {
        *self = match (&self, field.content) {
            (Self::None, Content::Bytes(bytes)) => Self::Packed(bytes),
            _ => Self::Scattered(message, field.number),
        };
    }

    pub(super) fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    /// How many there are.
    pub(super) fn len(self) -> usize {
        match self {
            Self::None => 0,
            // The last byte of each is below 0x80.
            Self::Packed(bytes) => bytes.iter().filter(|&&byte| byte < 0x80).count(),
            Self::Scattered(..) => self.iter().count(),
        }
    }

    /// The numbers in order, up to a malformed one.
    #[inline]
    pub(super) fn iter(self) -> NumberIter<'a> {
        let (packed, rest, number) = match self {
            Self::None => (&[][..], Message::of(&[]), 0),
            Self::Packed(bytes) => (bytes, Message::of(&[]), 0),
            Self::Scattered(message, number) => (&[][..], message, number),
        };
        NumberIter { packed: Cursor::new(packed, 0), rest, number }
    }
}

pub(super) struct NumberIter<'a> {
    packed: Cursor<'a>,
    rest: Message<'a>,
    number: u32,
}

impl Iterator for NumberIter<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        loop {
            if self.packed.left() > 0 {
                return varint(&mut self.packed);
            }
            let number = self.number;
            match self.rest.find(|field| field.number == number)?.content {
                Content::Number(value) => return Some(value),
                Content::Bytes(bytes) => self.packed = Cursor::new(bytes, 0),
                Content::Fixed => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of a field, and its content as a number or as bytes.
    type Read = (u32, Option<u64>, Vec<u8>);

    fn fields(bytes: &[u8]) -> (Vec<Read>, Option<u64>) {
        let mut message = Message::of(bytes);
        let of = |field: Field<'_>| (field.number, field.as_number(), field.as_bytes().unwrap_or_default().to_vec());
        let fields = message.by_ref().map(of).collect();
        (fields, message.broken_at)
    }

    #[test]
    fn fields_of_every_kind_are_read() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 2, 7, 8, 0x1d, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8];
        let expected = vec![(1, Some(150), vec![]), (2, None, vec![7, 8]), (3, None, vec![]), (4, None, vec![])];
        assert_eq!(fields(&bytes), (expected, None));
        let ten = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(fields(&ten).0, [(1, Some(u64::MAX), vec![])]);
    }

    #[test]
    fn damage_ends_a_message() {
        // An endless number, a group, field 0, and a text that ends early.
        assert_eq!(
            fields(&[0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
            (vec![], Some(0))
        );
        assert_eq!(fields(&[0x08, 1, 0x0b]), (vec![(1, Some(1), vec![])], Some(2)));
        assert_eq!(fields(&[0x00, 1]), (vec![], Some(0)));
        assert_eq!(fields(&[0x0a, 9, 7]), (vec![(1, None, vec![7])], Some(0)));
    }

    #[test]
    fn repeated_numbers_may_be_packed_or_not() {
        for bytes in [&[0x22, 3, 5, 0x80, 1][..], &[0x20, 5, 0x08, 9, 0x20, 0x80, 1], &[0x22, 1, 5, 0x20, 0x80, 1]] {
            let mut numbers = Numbers::default();
            for field in Message::of(bytes) {
                if field.number == 4 {
                    numbers.add(Message::of(bytes), &field);
                }
            }
            assert_eq!(numbers.iter().collect::<Vec<_>>(), [5, 128], "{bytes:?}");
            assert_eq!((numbers.len(), numbers.is_empty()), (2, false));
        }
        assert!(Numbers::default().is_empty());
    }
}
