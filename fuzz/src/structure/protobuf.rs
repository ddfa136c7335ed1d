//! Protocol buffers: fields with a tag are records; a field whose bytes are a message is read too.

use std::ops::Range;

use super::{Form::{Little, Varint}, Layout};

/// Range and value of a number of seven bits a byte.
fn varint(bytes: &[u8], at: usize, end: usize) -> Option<(Range<usize>, u64)> {
    let width = bytes[at..end].iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
    let value = bytes[at..at + width].iter().rev().fold(0, |all, &byte| all << 7 | u64::from(byte & 0x7f));
    Some((at..at + width, value))
}

/// Reads the fields of one message into `layout`, and its parts that may be messages into `nested`.
fn message(bytes: &[u8], of: Range<usize>, layout: &mut Layout, nested: &mut Vec<Range<usize>>) -> Option<()> {
    let mut at = of.start;
    while at < of.end {
        let start = at;
        let (tag, kind) = varint(bytes, at, of.end)?;
        at = tag.end;
        match kind & 7 {
            0 => {
                let (number, _) = varint(bytes, at, of.end)?;
                at = number.end;
                layout.field(number, Varint);
            }
            1 | 5 => {
                let width = if kind & 7 == 1 { 8 } else { 4 };
                let end = Some(at + width).filter(|&end| end <= of.end)?;
                layout.field(at..end, Little);
                at = end;
            }
            2 => {
                let (length, size) = varint(bytes, at, of.end)?;
                let end = length.end.checked_add(usize::try_from(size).ok()?).filter(|&end| end <= of.end)?;
                at = end;
                nested.push(length.end..end);
                layout.enclosing(length.clone(), Varint, length.end..end);
            }
            _ => return None,
        }
        layout.records.push(start..at);
    }
    Some(())
}

/// Records and fields of nested messages. Whether bytes are a message or a text is not known: they are read as far as
/// they look like one.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut layout = Layout::default();
    let mut nested = vec![0..bytes.len()];
    while let Some(part) = nested.pop().filter(|_| layout.fields.len() < 20_000) {
        let _ = message(bytes, part, &mut layout, &mut nested);
    }
    layout
}
