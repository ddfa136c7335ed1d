//! Whether a dump that arrives as a stream is whole. Programs and networks between a process and us end a stream early
//! without an error, or put words of their own in its place; each format says where it ends.

use heaplens_base::{Count, storage::stored};

/// Bytes at the beginning of a dump that tell its format.
const HEAD: usize = 32;
/// Bytes of the last record of HPROF, HEAP DUMP END: its tag, a time, no bytes.
const LAST_RECORD: usize = 9;
/// Tags of HPROF.
const HEAP_DUMP_END: u8 = 0x2c;
/// Length of the identifier size and the time after the version of HPROF, in bytes.
const AFTER_VERSION: u64 = 12;
/// Characters of a foreign stream that a message shows.
const SHOWN: usize = 40;

/// A dump, as its bytes arrive.
#[derive(Debug, Default)]
pub(crate) struct CompletenessCheck {
    head: Vec<u8>,
    tail: Vec<u8>,
    bytes: u64,
    records: Records,
    brackets: Brackets,
}

/// Format of a dump that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hprof,
    Json,
    Gzip,
    Index,
}

impl CompletenessCheck {
    /// The next bytes.
    pub(crate) fn push(&mut self, block: &[u8]) {
        self.bytes += block.len() as u64;
        let missing = HEAD.saturating_sub(self.head.len());
        self.head.extend(block.iter().take(missing));
        let last = block.len().saturating_sub(LAST_RECORD);
        self.tail.extend(&block[last..]);
        self.tail.drain(..self.tail.len().saturating_sub(LAST_RECORD));
        match self.kind() {
            Some(Kind::Hprof) => self.records.push(block),
            Some(Kind::Json) => self.brackets.push(block),
            Some(Kind::Gzip | Kind::Index) | None => {}
        }
    }

    /// The first bytes.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    fn kind(&self) -> Option<Kind> {
        match self.head.as_slice() {
            [b'J', b'A', b'V', b'A', b' ', b'P', ..] => Some(Kind::Hprof),
            [b'{', ..] => Some(Kind::Json),
            [0x1f, 0x8b, ..] => Some(Kind::Gzip),
            head => stored::is_beginning(head).then_some(Kind::Index),
        }
    }

    /// # Errors
    /// A sentence if the number of bytes is another.
    pub(crate) fn check_length(&self, announced: u64) -> Result<(), String> {
        let arrived = self.bytes;
        let why = || format!("the dump is incomplete: {} of {} bytes arrived", Count(arrived), Count(announced));
        if arrived == announced { Ok(()) } else { Err(why()) }
    }

    /// Why the dump is not whole; `announced` is its length in bytes where it was written, before it was packed.
    ///
    /// # Errors
    /// A clause without the place it came from.
    pub(crate) fn end(&self, announced: Option<u64>) -> Result<(), String> {
        if self.bytes == 0 {
            return Err("no dump arrived".to_owned());
        }
        let cut = || format!("the dump is incomplete: it ends after {} bytes", Count(self.bytes));
        let is_whole = match self.kind() {
            None => {
                let begin: String = String::from_utf8_lossy(&self.head).chars().take(SHOWN).collect();
                return Err(format!("what arrived is no heap dump: it begins with \"{}\"", begin.escape_debug()));
            }
            Some(Kind::Hprof) => self.ends_records(),
            Some(Kind::Json) => self.brackets.is_closed(),
            // Its last bytes are the length of what is packed, modulo 4 GiB.
            Some(Kind::Gzip) => {
                let length = self.tail.last_chunk().map(|length| u32::from_le_bytes(*length));
                self.bytes >= 18 && announced.is_none_or(|announced| length == Some(announced as u32))
            }
            Some(Kind::Index) => true,
        };
        if let Some(announced) = announced.filter(|_| self.kind() != Some(Kind::Gzip)) {
            self.check_length(announced)?;
        }
        if is_whole { Ok(()) } else { Err(cut()) }
    }

    /// True if the records of HPROF end with the bytes. Of version 1.0.1, in which old machines write small heaps, there is no
    /// last record.
    fn ends_records(&self) -> bool {
        let is_ended = matches!(self.tail.as_slice(), [HEAP_DUMP_END, _, _, _, _, 0, 0, 0, 0]);
        is_ended || self.head.starts_with(b"JAVA PROFILE 1.0.1\0") && self.records.is_at_end()
    }
}

/// Records of HPROF, each with its length.
#[derive(Debug, Default)]
struct Records {
    /// True once the version has ended.
    has_begun: bool,
    /// Bytes before the next record.
    rest: u64,
    /// Beginning of a record: tag, time, length.
    begin: Vec<u8>,
}

impl Records {
    fn push(&mut self, mut block: &[u8]) {
        while !block.is_empty() {
            if !self.has_begun {
                let end = block.iter().position(|&byte| byte == 0);
                (self.has_begun, self.rest) = (end.is_some(), AFTER_VERSION);
                block = &block[end.map_or(block.len(), |end| end + 1)..];
            } else if self.rest > 0 {
                let skipped = self.rest.min(block.len() as u64);
                self.rest -= skipped;
                block = &block[skipped as usize..];
            } else {
                let wanted = (LAST_RECORD - self.begin.len()).min(block.len());
                self.begin.extend(&block[..wanted]);
                block = &block[wanted..];
                if let [_, _, _, _, _, a, b, c, d] = *self.begin {
                    self.rest = u64::from(u32::from_be_bytes([a, b, c, d]));
                    self.begin.clear();
                }
            }
        }
    }

    /// True if the last record is whole.
    fn is_at_end(&self) -> bool {
        self.has_begun && self.rest == 0 && self.begin.is_empty()
    }
}

/// Brackets of JSON outside its strings.
#[derive(Debug, Default)]
struct Brackets {
    depth: u64,
    is_string: bool,
    is_escaped: bool,
    end: ValueEnd,
}

/// Whether the end of the first value was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ValueEnd {
    #[default]
    Ahead,
    Reached,
    /// Something follows it.
    Passed,
}

impl Brackets {
    fn push(&mut self, block: &[u8]) {
        for &byte in block {
            if self.is_escaped {
                self.is_escaped = false;
                continue;
            }
            if self.end == ValueEnd::Reached && !byte.is_ascii_whitespace() {
                self.end = ValueEnd::Passed;
            }
            match byte {
                b'\\' => self.is_escaped = self.is_string,
                b'"' => self.is_string = !self.is_string,
                _ if self.is_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 && self.end == ValueEnd::Ahead {
                        self.end = ValueEnd::Reached;
                    }
                }
                _ => {}
            }
        }
    }

    /// True if one value was read to its end, and nothing follows.
    fn is_closed(&self) -> bool {
        self.end == ValueEnd::Reached && !self.is_string && self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Result for bytes that arrive in blocks of `block`.
    fn end(bytes: &[u8], block: usize, announced: Option<u64>) -> Result<(), String> {
        let mut check = CompletenessCheck::default();
        bytes.chunks(block).for_each(|block| check.push(block));
        check.end(announced)
    }

    fn hprof(version: u8, is_ended: bool) -> Vec<u8> {
        let mut file = b"JAVA PROFILE 1.0.".to_vec();
        file.extend([version, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
        file.extend([1, 0, 0, 0, 0, 0, 0, 0, 11]);
        file.extend(b"\0\0\0\0\0\0\0\x07abc");
        file.extend([0x0c, 0, 0, 0, 0, 0, 0, 0, 20]);
        file.extend([0x2c; 20]);
        if is_ended {
            file.extend([HEAP_DUMP_END, 0, 0, 1, 2, 0, 0, 0, 0]);
        }
        file
    }

    #[test]
    fn only_whole_dumps_are_whole() {
        let json = b"{\"snapshot\":{\"meta\":[\"}\",\"\\\"]\"]},\"text\":\"\\\\\"}\n";
        // The last bytes of gzip are a checksum and the length of what is packed.
        let gzip = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], b"packed", &[1, 2, 3, 4], &7_u32.to_le_bytes()].concat();
        for (complete, announced) in [
            (hprof(b'2', true), None),
            (hprof(b'3', true), None),
            (hprof(b'1', true), None),
            (hprof(b'1', false), None),
            (json.to_vec(), None),
            (gzip, Some(7)),
        ] {
            let name = complete.escape_ascii();
            for block in [1, 7, 1000] {
                assert_eq!(end(&complete, block, announced), Ok(()), "{name}");
            }
            // A line after a snapshot may be missing.
            let ends = if complete.ends_with(b"\n") { complete.len() - 1 } else { complete.len() };
            for cut in 0..ends {
                let ended = end(&complete[..cut], 5, announced);
                // Of version 1.0.1, the end of any record may be that of the dump: the announced length remains.
                let is_record = complete[17] == b'1' && [31, 51, 80].contains(&cut);
                assert!(ended.is_err() || is_record, "{name} cut at {cut}");
                let length = complete.len() as u64;
                let is_packed = announced.is_some();
                assert!(is_packed || end(&complete[..cut], 5, Some(length)).is_err(), "{name} cut at {cut}");
            }
        }
        assert!(end(&hprof(b'2', false), 9, None).is_err());
        assert!(end(b"{\"a\":1}{\"b\":2}", 9, None).is_err());
        let foreign = end(b"<html>\nNot found", 9, Some(16)).unwrap_err();
        assert_eq!(foreign, "what arrived is no heap dump: it begins with \"<html>\\nNot found\"");
        let noisy = end(&[b"{}\n".as_slice(), &hprof(b'2', true)].concat(), 9, None);
        assert!(noisy.is_err());
    }
}
