//! JSON: values with the comma after them are records, numbers are fields.

use super::{Form::Digits, Layout};

/// Values and numbers of a JSON text, as far as it can be read.
pub fn parse(bytes: &[u8]) -> Layout {
    let mut layout = Layout::default();
    // Beginnings of the value or member that is being read, one for each level.
    let (mut open, mut at) = (vec![0], 0);
    while at < bytes.len() && layout.fields.len() < 20_000 {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = bytes.len().min(at + 1);
                continue;
            }
            b'0'..=b'9' => {
                while at < bytes.len() && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                layout.field(start..at, Digits);
                continue;
            }
            b'[' | b'{' => open.push(at + 1),
            b']' | b'}' => {
                if let Some(began) = open.pop().filter(|&began| began < at) {
                    layout.records.push(began..at);
                }
            }
            b',' => {
                if let Some(began) = open.last_mut() {
                    layout.records.push(*began..at + 1);
                    *began = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    layout
}
