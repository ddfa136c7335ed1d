//! Files of aligned little-endian words: words of four and eight bytes are fields, rows of them are records.

use super::{Form::Little, Layout};

/// Words and rows of a file.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut layout = Layout::default();
    let complete = bytes.len() & !7;
    for at in (0..complete).step_by(4) {
        layout.field(at..at + 4, Little);
    }
    for at in (0..complete).step_by(8) {
        layout.field(at..at + 8, Little);
        for width in [8, 16, 32, 64] {
            if at % width == 0 && at + width <= complete {
                layout.records.push(at..at + width);
            }
        }
    }
    layout
}
