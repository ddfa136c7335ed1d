//! Output of answers as text for people, or as JSON or CSV for programs. Nothing is
//! computed here; equal answers give equal bytes.

pub mod ages;
pub mod check;
pub mod command_line;
pub mod copy;
pub mod cuts;
pub mod diff;
pub mod extent;
mod finding_rows;
pub mod heaproots;
pub mod hidden_values;
pub mod html;
pub mod identity;
pub mod javascript;
pub mod json;
mod keys;
pub mod koom;
pub mod leaks;
mod links;
pub mod markdown;
pub mod memory_errors;
pub mod nested;
pub mod object_extras;
pub mod object_text;
pub mod parts;
pub mod png;
pub mod printable;
pub mod process;
pub mod report;
pub mod snapshot;
pub mod story;
pub mod table;
pub mod text_width;
pub mod threads;
mod time;
pub mod traces;
mod xml;

/// Text that `write` writes; writing to memory cannot fail.
pub(crate) fn written<E>(write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> String {
    let mut out = Vec::new();
    let _written = write(&mut out);
    String::from_utf8(out).unwrap_or_default()
}
