//! Buffers: where they are read and written, and the beginning of their contents if that is text.

use crate::hprof::java::{LABEL, string_text};
use crate::hprof::peek::{Fields, Peek};
use crate::hprof::subrecords::RawArray;
use crate::hprof::tags::BasicType;
use heaplens_heap::{ObjectId, Value};

/// Maximum number of characters shown of the contents.
const SHOWN: usize = 40;
/// Maximum number of bytes of a character in UTF-8.
const UTF8: usize = 4;
/// Maximum number of characters skipped to the position of a buffer over a string.
const SKIPPED: usize = 1 << 16;
/// Maximum depth of views of a Netty buffer: in a malformed dump they may form a cycle.
const VIEWS: usize = 8;

/// The text so far, of a `StringBuilder`.
pub(super) fn builder(fields: Fields<'_>) -> Option<String> {
    let array = recorded(fields.peek, fields.object(&["value"])?)?;
    let count = usize::try_from(fields.count(&["count"])?).ok()?;
    let latin1 = fields.get("coder") != Some(Value::Byte(1));
    let used = if array.kind == BasicType::Byte && latin1 { count } else { count.saturating_mul(2) };
    let used = array.elements.get(..used).unwrap_or(array.elements);
    Some(string_text(array.kind, latin1, used, LABEL + 1))
}

fn recorded(peek: Peek<'_>, array: ObjectId) -> Option<RawArray<'_>> {
    peek.array(array).filter(|array| peek.contents.is_recorded(array))
}

/// Position, limit and capacity of a `java.nio.Buffer`, and its text.
pub(super) fn nio(fields: Fields<'_>) -> Option<String> {
    let [position, limit, capacity] = ["position", "limit", "capacity"].map(|name| fields.integer(name));
    let (position, limit, capacity) = (position?, limit?, capacity?);
    let numbers = format!("pos {position}, limit {limit} of {capacity}");
    if let Some(text) = nio_text(fields, position, limit) {
        return Some(format!("{numbers}: {text}"));
    }
    // While a buffer is filled, its text is before the position.
    let written = if limit == capacity { nio_text(fields, 0, position) } else { None };
    Some(written.map(|text| format!("{numbers}, written: {text}")).unwrap_or(numbers))
}

/// Text of a heap buffer between two positions.
fn nio_text(fields: Fields<'_>, from: i64, to: i64) -> Option<String> {
    if let Some(text) = fields.object(&["str"]) {
        let skipped = from.checked_add(fields.integer("offset").unwrap_or(0))?;
        let skipped = usize::try_from(skipped).ok().filter(|&skipped| skipped <= SKIPPED)?;
        let count = usize::try_from(to.checked_sub(from)?).ok()?.min(SHOWN + 1);
        let text = fields.peek.string_text(text, skipped + count)?;
        return quoted(&text.chars().skip(skipped).collect::<String>());
    }
    let array = recorded(fields.peek, fields.object(&["hb"])?)?;
    let offset = fields.integer("offset")?;
    text(&array, offset.checked_add(from)?, offset.checked_add(to)?)
}

/// Beginning of a part of an array of bytes or characters, in quotes, if it is text.
fn text(array: &RawArray<'_>, from: i64, to: i64) -> Option<String> {
    let width = match array.kind {
        BasicType::Byte => 1,
        BasicType::Char => 2,
        _ => return None,
    };
    let offset = |at: i64| usize::try_from(at).ok()?.checked_mul(width);
    let part = array.elements.get(offset(from)?..offset(to)?)?;
    if width == 2 {
        return quoted(&string_text(array.kind, false, part, SHOWN + 1));
    }
    let part = part.get(..(SHOWN + 1) * UTF8).unwrap_or(part);
    match std::str::from_utf8(part) {
        Ok(text) => quoted(text),
        // The last character may have been cut.
        Err(error) if error.error_len().is_none() => {
            quoted(std::str::from_utf8(part.get(..error.valid_up_to())?).ok()?)
        }
        Err(_) => None,
    }
}

/// Beginning of a text in quotes; `None` if it is empty or contains characters that do not occur in texts.
fn quoted(text: &str) -> Option<String> {
    let beginning: String = text.chars().take(SHOWN).collect();
    let is_text = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER || matches!(c, '\t' | '\r' | '\n');
    if beginning.is_empty() || !beginning.chars().all(is_text) {
        return None;
    }
    let more = if beginning.len() < text.len() { "…" } else { "" };
    let escaped = beginning.replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n");
    Some(format!("\"{escaped}{more}\""))
}

/// Number of bytes of a `ByteArrayOutputStream` or of what remains of a `ByteArrayInputStream`, and their text.
pub(super) fn stream(fields: Fields<'_>) -> Option<String> {
    let (position, count) = (fields.integer("pos").unwrap_or(0), fields.integer("count")?);
    let numbers = if position == 0 { format!("{count} bytes") } else { format!("pos {position} of {count} bytes") };
    let array = fields.object(&["buf"]).and_then(|array| recorded(fields.peek, array));
    let text = array.and_then(|array| text(&array, position, count));
    Some(text.map(|text| format!("{numbers}: {text}")).unwrap_or(numbers))
}

/// Reader index, writer index and capacity of a Netty buffer, and the text that is to be read.
pub(super) fn netty(fields: Fields<'_>) -> Option<String> {
    // Wrappers for leak detection have no indexes.
    let mut fields = fields;
    for _ in 0..VIEWS {
        if fields.get("readerIndex").is_some() {
            break;
        }
        fields = fields.inside(&["buf"])?;
    }
    let (reader, writer) = (fields.integer("readerIndex")?, fields.integer("writerIndex")?);
    let (mut capacity, mut at, mut bytes) = (None, 0_i64, None);
    let mut view = fields;
    for _ in 0..VIEWS {
        if let Some(shift) = view.integer("adjustment") {
            // A slice cannot grow. That of a pooled buffer refers to the whole one by the same distance.
            capacity = capacity.or_else(|| view.integer("maxCapacity"));
            at = at.checked_add(shift)?;
        } else if let Some(offset) = view.integer("offset") {
            capacity = capacity.or_else(|| view.integer("length"));
            bytes = view.object(&["memory"]).and_then(|memory| recorded(fields.peek, memory));
            at = at.checked_add(offset)?;
        } else if let Some(array) = view.object(&["array"]).and_then(|array| fields.peek.array(array)) {
            capacity = capacity.or(Some(array.length.into()));
            bytes = Some(array).filter(|array| fields.peek.contents.is_recorded(array));
        } else {
            capacity = capacity.or_else(|| view.integer("capacity"));
        }
        match view.inside(&["rootParent", "buffer"]).filter(|inner| inner.get("readerIndex").is_some()) {
            Some(inner) => view = inner,
            None => break,
        }
    }
    let of = capacity.map(|capacity| format!(" of {capacity}")).unwrap_or_default();
    let numbers = format!("reader {reader}, writer {writer}{of}");
    let text = bytes.and_then(|bytes| text(&bytes, at.checked_add(reader)?, at.checked_add(writer)?));
    Some(text.map(|text| format!("{numbers}: {text}")).unwrap_or(numbers))
}
