//! HPROF: records with a tag, a time and a length; in heap dump segments a tag and fields of fixed width.

use super::{Form::Big, Layout};

/// Reading position; every number read becomes a field of the layout.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    id: usize,
    layout: Layout,
}

impl Reader<'_> {
    fn number(&mut self, width: usize) -> Option<u64> {
        let end = self.at.checked_add(width).filter(|&end| end <= self.end)?;
        let value = self.bytes[self.at..end].iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
        self.layout.field(self.at..end, Big);
        self.at = end;
        Some(value)
    }

    fn numbers(&mut self, widths: &[usize]) -> Option<()> {
        widths.iter().try_for_each(|&width| self.number(width).map(drop))
    }

    /// Words of the width of an id, as far as there are whole ones; then the rest is skipped.
    fn words(&mut self, bytes: u64, width: usize) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(bytes).ok()?).filter(|&end| end <= self.end)?;
        while self.at + width <= end && self.layout.fields.len() < 20_000 {
            self.number(width)?;
        }
        self.at = end;
        Some(())
    }

    fn constant(&mut self) -> Option<()> {
        let kind = self.number(1)?;
        let width = self.width(kind)?;
        self.number(width).map(drop)
    }

    fn width(&self, kind: u64) -> Option<usize> {
        Some(match kind {
            2 => self.id,
            4 | 8 => 1,
            5 | 9 => 2,
            6 | 10 => 4,
            7 | 11 => 8,
            _ => return None,
        })
    }

    fn class(&mut self) -> Option<()> {
        let id = self.id;
        self.numbers(&[id, 4, id, id, id, id, id, id, 4])?;
        for _ in 0..self.number(2)? {
            self.number(2)?;
            self.constant()?;
        }
        for _ in 0..self.number(2)? {
            self.number(id)?;
            self.constant()?;
        }
        for _ in 0..self.number(2)? {
            self.numbers(&[id, 1])?;
        }
        Some(())
    }

    /// One record inside of a heap dump.
    fn object(&mut self) -> Option<()> {
        let (start, id) = (self.at, self.id);
        match self.number(1)? {
            0x01 => self.numbers(&[id, id])?,
            0x02 | 0x03 | 0x08 | 0x8e => self.numbers(&[id, 4, 4])?,
            0x04 | 0x06 => self.numbers(&[id, 4])?,
            0x05 | 0x07 | 0x89..=0x8d | 0x90 | 0xff => self.numbers(&[id])?,
            0x20 => self.class()?,
            0x21 => {
                self.numbers(&[id, 4, id])?;
                let body = self.number(4)?;
                self.words(body, id)?;
            }
            0x22 => {
                self.numbers(&[id, 4])?;
                let count = self.number(4)?;
                self.number(id)?;
                self.words(count.checked_mul(id as u64)?, id)?;
            }
            0x23 => {
                self.numbers(&[id, 4])?;
                let count = self.number(4)?;
                let kind = self.number(1)?;
                let width = self.width(kind)?;
                self.words(count.checked_mul(width as u64)?, width)?;
            }
            0xc3 => self.numbers(&[id, 4, 4, 1])?,
            0xfe => self.numbers(&[4, id])?,
            _ => return None,
        }
        self.layout.records.push(start..self.at);
        Some(())
    }

    fn file(&mut self) -> Option<()> {
        self.at = self.bytes.iter().position(|&byte| byte == 0)? + 1;
        self.id = usize::try_from(self.number(4)?).ok().filter(|id| [1, 2, 4, 8].contains(id))?;
        self.number(8)?;
        while self.at < self.bytes.len() {
            self.end = self.bytes.len();
            let start = self.at;
            let tag = self.number(1)?;
            self.number(4)?;
            let length = self.at..self.at + 4;
            let size = self.number(4)?;
            let end = self.bytes.len().min(self.at.saturating_add(usize::try_from(size).ok()?));
            self.layout.records.push(start..end);
            self.layout.enclosing(length, Big, self.at..end);
            self.end = end;
            match tag {
                0x0c | 0x1c => while self.object().is_some() {},
                0x02 => drop(self.numbers(&[4, self.id, 4, self.id])),
                0x04 => drop(self.numbers(&[self.id, self.id, self.id, self.id, 4, 4])),
                0x01 => drop(self.numbers(&[self.id])),
                _ => while self.number(4).is_some() {},
            }
            self.at = end;
        }
        Some(())
    }
}

/// Records and fields of an HPROF dump, as far as it can be read.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut reader = Reader { bytes, at: 0, end: bytes.len(), id: 8, layout: Layout::default() };
    let _ = reader.file();
    reader.layout
}
