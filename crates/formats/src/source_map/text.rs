//! Lines and columns of a script. Columns are UTF-16 units, as engines and source maps count them.

/// Bytes of text between two entries of [`ScriptText::units`].
const STEP: usize = 1 << 8;

/// A script, and where its lines begin.
#[derive(Debug)]
pub(super) struct ScriptText {
    text: String,
    /// Byte at which each line begins.
    lines: Vec<u32>,
    /// UTF-16 units before every 256th byte; before the character that this byte is in the middle of.
    units: Vec<u32>,
}

impl ScriptText {
    /// Finds the lines of a script; `None` if it has 4 GB or more.
    pub(super) fn new(text: String) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let (mut lines, mut units, mut count) = (vec![0], vec![0], 0_u32);
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            while at >= units.len() * STEP {
                units.push(count);
            }
            count += character.len_utf16() as u32;
            let is_end = match character {
                '\r' => characters.peek().is_none_or(|&(_, next)| next != '\n'),
                '\n' | '\u{2028}' | '\u{2029}' => true,
                _ => false,
            };
            if is_end {
                lines.push((at + character.len_utf8()) as u32);
            }
        }
        Some(Self { text, lines, units })
    }

    /// The text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// UTF-16 units before a byte of the text.
    fn units_before(&self, at: usize) -> Option<u32> {
        let step = at / STEP;
        let begin = self.boundary(step * STEP);
        let more: usize = self.text.get(begin..at)?.chars().map(char::len_utf16).sum();
        Some(self.units.get(step)? + u32::try_from(more).ok()?)
    }

    /// The first byte from `at` on that begins a character.
    fn boundary(&self, at: usize) -> usize {
        (at..at + 4).find(|&at| self.text.is_char_boundary(at)).unwrap_or(self.text.len())
    }

    /// Line and column of a byte.
    pub(super) fn position(&self, at: usize) -> Option<(u32, u32)> {
        let line = self.lines.partition_point(|&begin| begin as usize <= at).checked_sub(1)?;
        let begin = *self.lines.get(line)? as usize;
        Some((u32::try_from(line).ok()?, self.units_before(at)? - self.units_before(begin)?))
    }

    /// Byte of a line and column; `None` if there is no such column.
    pub(super) fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let begin = *self.lines.get(line as usize)? as usize;
        let end = self.lines.get(line as usize + 1).map_or(self.text.len(), |&end| end as usize);
        let units = self.units_before(begin)?.checked_add(column)?;
        let step = self.units.partition_point(|&before| before <= units).checked_sub(1)?;
        let from = self.boundary(step * STEP).max(begin);
        let mut left = units.checked_sub(self.units_before(from)?)?;
        for (at, character) in self.text.get(from..)?.char_indices() {
            if left == 0 {
                return Some(from + at).filter(|&at| at < end);
            }
            left = left.checked_sub(character.len_utf16() as u32)?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::ScriptText;

    #[test]
    fn columns_are_utf16_units() {
        let long = "é😀x".repeat(5000);
        let text = ScriptText::new(format!("a\r\nb\rcd\u{2028}{long}\n")).expect("a text");
        let begin = text.as_str().find('é').expect("it is there");
        for (line, column, at) in [(0, 0, 0), (1, 0, 3), (2, 1, 6), (3, 0, begin), (3, 1, begin + 2), (3, 3, begin + 6)]
        {
            assert_eq!(
                (text.offset(line, column), text.position(at)),
                (Some(at), Some((line, column))),
                "{line}:{column}"
            );
        }
        for group in 0..5000 {
            let (at, column) = (begin + group * 7, group as u32 * 4);
            assert_eq!((text.offset(3, column), text.position(at)), (Some(at), Some((3, column))));
        }
        assert_eq!(
            (text.offset(3, 2), text.offset(0, 3), text.offset(1, 2), text.offset(9, 0)),
            (None, None, None, None)
        );
        assert_eq!((text.offset(3, u32::MAX), text.offset(4, 0)), (None, None));
    }
}
