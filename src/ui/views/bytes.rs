//! Elements of a primitive array as bytes: sixteen per row, in hexadecimal and as characters, read page by page while
//! scrolling.

use eframe::egui::Ui;

use super::paged::Paged;
use crate::ui::theme::fonts;
use crate::ui::widgets::{Column, Table};
use crate::ui::{Pane, ViewContext};
use heaplens_heap::{ObjectId, Value};
use heaplens_session::JobError;
use heaplens_session::open_dump::pages::PageRow;

const COLUMNS: [Column; 3] = [
    Column::words("Offset", "Offset in bytes from the first element, in hexadecimal", 76.0).fixed(9).unsorted(),
    Column::words("Bytes", "", 120.0)
        .about(
            "Bytes of the elements in hexadecimal; multi-byte values are written with the most significant byte first",
        )
        .unsorted(),
    Column::words("Text", "The same bytes as ASCII text; · for other bytes", 132.0).fixed(7).unsorted(),
];
/// Number of bytes per row.
const ROW: u64 = 16;

/// Elements that were read.
pub type Bytes = Paged<Value>;

/// Size of an element of a primitive array in bytes; `None` for references.
pub fn width_of(class: &str) -> Option<u64> {
    Some(match class {
        "byte[]" | "boolean[]" => 1,
        "char[]" | "short[]" => 2,
        "int[]" | "float[]" => 4,
        "long[]" | "double[]" => 8,
        _ => return None,
    })
}

/// Bytes of a value, most significant first.
fn bytes_of(value: Value) -> Vec<u8> {
    match value {
        Value::Bool(b) => vec![u8::from(b)],
        Value::Byte(n) => n.to_be_bytes().to_vec(),
        Value::Char(n) => n.to_be_bytes().to_vec(),
        Value::Short(n) => n.to_be_bytes().to_vec(),
        Value::Int(n) => n.to_be_bytes().to_vec(),
        Value::Long(n) => n.to_be_bytes().to_vec(),
        Value::Float(n) => n.to_be_bytes().to_vec(),
        Value::Double(n) => n.to_be_bytes().to_vec(),
        Value::Null | Value::Object(_) | Value::Dangling(_) | Value::Unavailable => Vec::new(),
    }
}

impl Paged<Value> {
    /// Draws the bytes of `object`, an array of `length` elements of `width` bytes.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId, length: u64, width: u64) {
        self.begin(object);
        let in_row = ROW / width;
        let table = Table::new("Bytes", &COLUMNS, length.div_ceil(in_row)).active(context.focus == Pane::Inspector);
        let pages = &self.pages;
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            let first = row.index * in_row;
            row.text(0, format!("{:06x}", first * width), fonts::mono(), t.faint);
            row.name(format!("Bytes at {:#x}", first * width));
            let (mut hex, mut text, mut message) = (String::new(), String::new(), None);
            for at in first..(first + in_row).min(length) {
                match pages.row(at) {
                    PageRow::Row(&value) => {
                        for byte in bytes_of(value) {
                            hex.extend(
                                [byte >> 4, byte & 15].map(|half| char::from(b"0123456789abcdef"[usize::from(half)])),
                            );
                            text.push(if byte.is_ascii_graphic() || byte == b' ' { byte as char } else { '·' });
                        }
                        hex.push(' ');
                    }
                    PageRow::Failed(error) => message = Some(error.to_owned()),
                    PageRow::Missing | PageRow::Waiting => message = Some("…".to_owned()),
                }
            }
            if let Some(message) = message {
                row.text(1, message, fonts::text(), t.faint);
                return;
            }
            row.name(format!("Bytes at {:#x}: {}", first * width, hex.trim_end()));
            row.text(1, hex, fonts::mono(), t.text);
            row.text(2, text, fonts::mono(), t.label);
        });
        let elements = output.visible.start * in_row..(output.visible.end * in_row).min(length);
        self.pages.read((context.dump, context.jobs), "bytes", object, elements, |dump, object, range| {
            let read = dump.contents.elements(&dump.heap, object, range);
            read.map_err(|error| JobError::Failed(error.to_string()))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_of_numbers_fills_rows_evenly() {
        for class in ["boolean[]", "byte[]", "char[]", "short[]", "int[]", "float[]", "long[]", "double[]"] {
            assert_eq!(width_of(class).map(|width| ROW % width), Some(0), "{class}");
        }
        assert_eq!(width_of("java.lang.Object[]"), None);
        assert_eq!(bytes_of(Value::Int(0x0102_03ff)), [1, 2, 3, 255]);
        assert_eq!(bytes_of(Value::Byte(-1)), [255]);
    }
}
