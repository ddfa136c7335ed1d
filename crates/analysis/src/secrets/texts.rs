//! The texts of a heap: strings of any form, and arrays that have text without a string, such as passwords in `char[]`.
//! An array that several strings share is read once.

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Role};

/// Maximum number of characters examined of a text.
pub const CHARACTERS: usize = 1_000_000;
/// Length of the shortest array that is examined.
const SHORTEST: u64 = 4;
/// Length of the shortest text between other bytes that is examined.
const FRAGMENT: usize = 16;
/// Number of bytes by which UTF-16 is recognized.
const SAMPLE: usize = 64;

/// What to read of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    String,
    Chars,
    Bytes,
    None,
}

/// Texts of a heap.
pub(super) struct Texts<'a> {
    dump: DumpData<'a>,
    forms: Vec<TextForm>,
    /// Arrays with the characters of a string.
    of_strings: Bits,
    /// Strings whose characters another string has already.
    repeated: Bits,
}

impl<'a> Texts<'a> {
    pub(super) fn new(dump: DumpData<'a>, task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, .. } = dump;
        let forms = heap.classes.iter().map(|(id, class)| match (&*class.name, class.kind) {
            _ if contents.role(id) == Role::Text => TextForm::String,
            ("char[]", ClassKind::PrimitiveArray) => TextForm::Chars,
            ("byte[]", ClassKind::PrimitiveArray) => TextForm::Bytes,
            _ => TextForm::None,
        });
        let forms: Vec<TextForm> = forms.collect();
        let form = |object: ObjectId| forms.get(heap.class_id(object).index()).copied().unwrap_or(TextForm::None);
        let (mut of_strings, mut repeated) = (Bits::new(heap.len()), Bits::new(heap.len()));
        // Strings of old libraries have different parts of one array of characters.
        let mut has_parts: Option<(ClassId, bool)> = None;
        let mut may_be_part = |string: ObjectId| {
            let class = heap.class_id(string);
            if let Some((_, has_parts)) = has_parts.filter(|(of, _)| *of == class) {
                return has_parts;
            }
            let fields = contents.fields(heap, string);
            let has =
                fields.map_or(true, |fields| fields.iter().any(|field| matches!(&*field.name, "offset" | "count")));
            has_parts = Some((class, has));
            has
        };
        for block in task.blocks(heap.len()) {
            for string in block?.filter_map(ObjectId::new).filter(|&object| form(object) == TextForm::String) {
                let mut arrays = heap.references(string).iter().copied().filter_map(ObjectId::from_raw);
                let Some(array) = arrays.find(|&array| matches!(form(array), TextForm::Chars | TextForm::Bytes)) else {
                    continue;
                };
                let is_first = of_strings.insert(array.raw());
                if !is_first && (form(array) == TextForm::Bytes || !may_be_part(string)) {
                    repeated.insert(string.raw());
                }
            }
        }
        Ok(Self { dump, forms, of_strings, repeated })
    }

    pub(super) fn form(&self, object: ObjectId) -> TextForm {
        self.forms.get(self.dump.heap.class_id(object).index()).copied().unwrap_or(TextForm::None)
    }

    /// The text of an object, unless it was read from another one.
    pub(super) fn text(&self, object: ObjectId) -> Option<String> {
        match self.form(object) {
            TextForm::String if self.repeated.contains(object.raw()) => None,
            TextForm::String => self.dump.contents.text(self.dump.heap, object, CHARACTERS),
            TextForm::None => None,
            form => self.array(object, form, CHARACTERS).filter(|_| !self.of_strings.contains(object.raw())),
        }
    }

    /// The text of a string or array up to a length, no matter who else has it.
    pub(super) fn any_text(&self, object: ObjectId, characters: usize) -> Option<String> {
        match self.form(object) {
            TextForm::String => self.dump.contents.text(self.dump.heap, object, characters),
            form => self.array(object, form, characters),
        }
    }

    /// Text in an array; `None` if it is none.
    fn array(&self, object: ObjectId, form: TextForm, characters: usize) -> Option<String> {
        let length = self.dump.contents.array_length(self.dump.heap, object).filter(|&length| length >= SHORTEST)?;
        let body = self.dump.contents.body(self.dump.heap, object)?;
        let text = match form {
            TextForm::Chars => {
                let units = body.as_chunks::<2>().0.iter().take(characters).map(|&unit| u16::from_be_bytes(unit));
                // Unused room of a buffer.
                let used: Vec<u16> = units.take_while(|&unit| unit != 0).collect();
                String::from_utf16_lossy(&used)
            }
            TextForm::Bytes => {
                if let Some(text) = of_utf16(body) {
                    return Some(text);
                }
                let end = body.iter().take(characters).position(|&byte| byte == 0);
                let used = body.get(..end.unwrap_or(body.len().min(characters)))?;
                // Pictures and compressed data are no text.
                if used.iter().take(64).any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
                    return None;
                }
                std::str::from_utf8(used).ok()?.to_owned()
            }
            TextForm::String | TextForm::None => return None,
        };
        (text.len() as u64 >= SHORTEST.min(length)).then_some(text)
    }

    /// Bytes of an array that belongs to no string, as far as they are examined.
    pub(super) fn bytes(&self, object: ObjectId) -> Option<&[u8]> {
        if self.form(object) != TextForm::Bytes || self.of_strings.contains(object.raw()) {
            return None;
        }
        let body = self.dump.contents.body(self.dump.heap, object)?;
        body.get(..body.len().min(CHARACTERS))
    }
}

/// Text in UTF-16 up to a zero, as programs encode it; `None` for other bytes.
fn of_utf16(bytes: &[u8]) -> Option<String> {
    let sample = bytes.get(..bytes.len().min(SAMPLE))?.as_chunks::<2>().0;
    let used = sample.iter().take_while(|unit| **unit != [0, 0]).count();
    let zeros = |at: usize| sample.iter().take(used).filter(|unit| unit.get(at) == Some(&0)).count();
    let read: fn([u8; 2]) -> u16 = match (zeros(0), zeros(1)) {
        _ if used < SHORTEST as usize => return None,
        (0, low) if low * 10 >= used * 9 => u16::from_le_bytes,
        (high, 0) if high * 10 >= used * 9 => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes.as_chunks::<2>().0.iter().take(CHARACTERS / 2).map(|&unit| read(unit));
    let units: Vec<u16> = units.take_while(|&unit| unit != 0).collect();
    Some(String::from_utf16_lossy(&units))
}

/// Texts in ASCII between other bytes, one in a line, without the beginning of `bytes` if that is all text: a pool of
/// buffers, or a message of a binary protocol.
pub(super) fn fragments(bytes: &[u8], prefix: Option<&str>) -> Option<String> {
    let rest = bytes.get(prefix.map_or(0, str::len)..)?;
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let mut joined = String::new();
    for run in rest.chunk_by(|a, b| is_text(a) == is_text(b)) {
        let text = run.first().is_some_and(is_text) && run.len() >= FRAGMENT;
        if let Some(text) = text.then(|| std::str::from_utf8(run).ok()).flatten() {
            joined.push_str(text);
            joined.push('\n');
        }
    }
    (!joined.is_empty()).then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_bytes_is_found() {
        let little: Vec<u8> = "token one".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "token one".encode_utf16().flat_map(u16::to_be_bytes).chain([0, 0, 9, 9]).collect();
        assert_eq!(of_utf16(&little).as_deref(), Some("token one"));
        assert_eq!(of_utf16(&big).as_deref(), Some("token one"));
        assert_eq!(of_utf16(b"token one"), None);
        assert_eq!(of_utf16(&[1, 0]), None);
        let buffer = b"\x05\x00first text of all\x00\x01short\x02second text of all\x00";
        assert_eq!(fragments(buffer, None).as_deref(), Some("first text of all\nsecond text of all\n"));
        assert_eq!(
            fragments(b"begins with text\x00then even more of it", Some("begins with text")).as_deref(),
            Some("then even more of it\n")
        );
    }
}
