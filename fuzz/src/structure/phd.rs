//! IBM portable heap dumps: records whose tag says the widths of their fields.

use super::{Form::Big, Layout};

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    layout: Layout,
}

impl Reader<'_> {
    fn number(&mut self, width: usize) -> Option<u64> {
        let end = self.at.checked_add(width).filter(|&end| end <= self.bytes.len())?;
        let value = self.bytes[self.at..end].iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
        self.layout.field(self.at..end, Big);
        self.at = end;
        Some(value)
    }

    fn references(&mut self, count: u64, code: u64) -> Option<()> {
        (0..count).try_for_each(|_| self.number(1 << (code & 3)).map(drop))
    }

    fn record(&mut self, word: usize, has_hashes: bool, version: u64) -> Option<()> {
        let start = self.at;
        let tag = self.number(1)?;
        let hash = if has_hashes { 2 } else { 0 };
        match tag {
            0x80.. => {
                self.number(1 << (tag >> 2 & 1))?;
                self.number(hash)?;
                self.references(tag >> 3 & 3, tag)?;
            }
            0x40..=0x7f => {
                self.number(1 << (tag >> 2 & 1))?;
                self.number(word)?;
                self.number(hash)?;
                self.references(tag >> 3 & 7, tag)?;
            }
            0x20..=0x3f => {
                let width = 1 << (tag & 3);
                self.number(width)?;
                self.number(width)?;
                self.number(hash)?;
                self.number(if version == 6 { 4 } else { 0 })?;
            }
            4..=6 | 8 => {
                let flags = self.number(1)?;
                self.number(1 << (flags >> 6))?;
                self.number(if tag == 6 { 4 } else { word })?;
                let has_hash = flags & if tag == 6 { 8 } else { 2 } != 0;
                self.number(if has_hashes { 2 } else if has_hash { 4 } else { 0 })?;
                if tag == 6 {
                    self.number(word)?;
                    let name = self.number(2)?;
                    self.at = self.at.checked_add(usize::try_from(name).ok()?)?;
                }
                let count = self.number(4)?;
                self.references(count, flags >> 4)?;
                if tag == 8 {
                    self.number(4)?;
                    self.number(if version == 6 { 4 } else { 0 })?;
                }
            }
            7 => {
                let flags = self.number(1)?;
                let width = if flags & 0x10 == 0 { 1 } else { word };
                self.number(width)?;
                self.number(width)?;
                self.number(if has_hashes { 2 } else if flags & 2 != 0 { 4 } else { 0 })?;
                self.number(if version == 6 { 4 } else { 0 })?;
            }
            _ => return None,
        }
        self.layout.records.push(start..self.at);
        Some(())
    }

    fn file(&mut self) -> Option<()> {
        self.at = 20;
        let version = self.number(4)?;
        let flags = self.number(4)?;
        self.number(1)?;
        loop {
            let start = self.at;
            match self.number(1)? {
                1 | 3 => drop(self.number(8)?),
                4 => {
                    let text = self.number(2)?;
                    self.at = self.at.checked_add(usize::try_from(text).ok()?)?;
                }
                2 => break,
                _ => return None,
            }
            self.layout.records.push(start..self.at.min(self.bytes.len()));
        }
        self.number(1)?;
        let word = if flags & 1 == 1 { 8 } else { 4 };
        while self.layout.fields.len() < 20_000 {
            self.record(word, flags & 6 == 6, version)?;
        }
        Some(())
    }
}

/// Records and fields of a portable heap dump, as far as it can be read.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut reader = Reader { bytes, at: 0, layout: Layout::default() };
    let _ = reader.file();
    reader.layout.fields.retain(|field| !field.range.is_empty());
    reader.layout
}
