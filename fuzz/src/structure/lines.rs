//! Texts of lines: lines are records, and so are words; runs of digits are fields.

use super::{Form::Digits, Layout};

/// Lines, words and numbers of a text.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut layout = Layout::default();
    let (mut line, mut word, mut number) = (0, 0, None);
    for (at, &byte) in bytes.iter().enumerate() {
        match (byte.is_ascii_digit(), number) {
            (true, None) => number = Some(at),
            (false, Some(start)) => {
                layout.field(start..at, Digits);
                number = None;
            }
            _ => {}
        }
        if byte.is_ascii_whitespace() || byte == b',' {
            layout.records.push(word..at + 1);
            word = at + 1;
        }
        if byte == b'\n' {
            layout.records.push(line..at + 1);
            line = at + 1;
        }
    }
    layout
}
