//! Header of a PHD file: version, flags, and properties of the virtual machine.

use crate::{cursor::Cursor, error::FormatError};

/// A length of 18, followed by the text.
const MAGIC: &[u8] = b"\0\x12portable heap dump";
/// The same after a transfer in text mode, which converted it from EBCDIC.
const AS_TEXT: [u8; 8] = [0x00, 0x12, 0xd7, 0x3f, 0x94, 0xb1, 0x2f, 0xdf];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// 4, 5 or 6.
    pub(super) version: u32,
    /// Addresses of eight bytes.
    pub(super) is_wide: bool,
    /// Every record has a hash of 16 bits.
    pub(super) is_hashed: bool,
    /// True for J9 and OpenJ9, false for the older "sovereign" virtual machine.
    pub(super) is_j9: bool,
    /// Version string of the virtual machine.
    pub(super) full_version: String,
    /// Declared number of objects and references, if any.
    pub(super) totals: Option<(u32, u32)>,
    /// Offset of the first record.
    pub(super) body: u64,
}

/// True if these are the first bytes of a PHD file, including one damaged by a transfer in text mode.
pub(crate) fn recognises(file: &[u8]) -> bool {
    file.starts_with(MAGIC) || file.starts_with(&AS_TEXT)
}

impl Header {
    pub(super) fn read(file: &[u8]) -> Result<Self, FormatError> {
        if file.starts_with(&AS_TEXT) {
            return Err(error(
                2,
                "\"portable heap dump\"",
                "the same text in another character encoding",
                "The file was damaged by a transfer in text mode: transfer it again in binary mode.",
            ));
        }
        let mut cursor = Cursor::new(file, MAGIC.len() as u64);
        let cut = |at: u64, expected: &str| error(at, expected, "", "Take or copy the dump again.");
        let version = cursor.u32().ok_or_else(|| cut(cursor.offset(), "the version"))?;
        if !(4..=6).contains(&version) {
            return Err(error(
                MAGIC.len() as u64,
                "version 4, 5 or 6",
                &format!("version {version}"),
                "Take the dump with another virtual machine, or as a system dump.",
            ));
        }
        let flags = cursor.u32().ok_or_else(|| cut(cursor.offset(), "flags"))?;
        let mut header = Self {
            version,
            is_wide: flags & 1 != 0,
            is_hashed: flags & 2 != 0,
            is_j9: flags & 4 != 0,
            ..Self::default()
        };
        Self::expect(&mut cursor, 1, "the start of the header")?;
        loop {
            let at = cursor.offset();
            let ended = || cut(at, "a header record");
            match cursor.u8().ok_or_else(ended)? {
                1 => header.totals = Some(cursor.u32().zip(cursor.u32()).ok_or_else(ended)?),
                2 => break,
                3 => cursor.skip(8).ok_or_else(ended)?,
                4 => {
                    let length = cursor.u16().ok_or_else(ended)?;
                    let text = cursor.take(length.into()).ok_or_else(ended)?;
                    header.full_version = String::from_utf8_lossy(text).into_owned();
                }
                tag => {
                    let advice = "Take or copy the dump again.";
                    return Err(error(at, "a header record (tag 1 to 4)", &format!("tag {tag:#04x}"), advice));
                }
            }
        }
        Self::expect(&mut cursor, 2, "the start of the dump")?;
        header.body = cursor.offset();
        Ok(header)
    }

    fn expect(cursor: &mut Cursor<'_>, tag: u8, what: &str) -> Result<(), FormatError> {
        let at = cursor.offset();
        match cursor.u8() {
            Some(tag_read) if tag_read == tag => Ok(()),
            tag_read => {
                let tag_read = tag_read.map_or_else(String::new, |tag_read| format!("tag {tag_read:#04x}"));
                let advice = "Take or copy the dump again.";
                Err(error(at, &format!("{what} (tag {tag})"), &tag_read, advice))
            }
        }
    }

    /// Bytes of an address in the file.
    pub(super) fn word(&self) -> u32 {
        if self.is_wide { 8 } else { 4 }
    }

    /// True if arrays have a recorded size.
    pub(super) fn has_sizes(&self) -> bool {
        self.version == 6
    }
}

fn error(offset: u64, expected: &str, actual: &str, advice: &'static str) -> FormatError {
    FormatError::new("PHD", offset, expected, actual, advice)
}
