//! String table of a snapshot: each text once, in the order of first use.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// Index in the string table.
pub(super) type Name = u32;

/// Name of nameless nodes: the empty string that every table has.
pub(super) const NAMELESS: Name = 1;
/// First strings of every table.
const FIXED: [&str; 3] = ["<dummy>", "", "GC roots"];

/// Texts as bytes, since those of a file may be invalid.
#[derive(Default)]
pub(super) struct Names<'a> {
    texts: Vec<Cow<'a, [u8]>>,
    known: FxHashMap<Cow<'a, [u8]>, Name>,
}

impl<'a> Names<'a> {
    /// Index of a text from the file.
    pub(super) fn of(&mut self, text: &'a [u8]) -> Name {
        match self.known.get(text) {
            Some(&name) => name,
            None => self.add(Cow::Borrowed(text)),
        }
    }

    /// Index of a text made here.
    pub(super) fn add_text(&mut self, text: impl AsRef<[u8]>) -> Name {
        match self.known.get(text.as_ref()) {
            Some(&name) => name,
            None => self.add(Cow::Owned(text.as_ref().to_owned())),
        }
    }

    fn add(&mut self, text: Cow<'a, [u8]>) -> Name {
        let name = (FIXED.len() + self.texts.len()) as Name;
        self.texts.push(text.clone());
        self.known.insert(text, name);
        name
    }

    /// True if the index is that of a requested text.
    pub(super) fn is_named(name: Name) -> bool {
        name as usize >= FIXED.len()
    }

    pub(super) fn text(&self, name: Name) -> &[u8] {
        let index = (name as usize).checked_sub(FIXED.len());
        match index {
            Some(index) => self.texts.get(index).map(AsRef::as_ref).unwrap_or_default(),
            None => FIXED.get(name as usize).map(|text| text.as_bytes()).unwrap_or_default(),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &[u8]> {
        FIXED.iter().map(|text| text.as_bytes()).chain(self.texts.iter().map(AsRef::as_ref))
    }
}

/// Writes a text as a JSON string: valid UTF-8 unchanged, unpaired surrogates (which ArkTS writes as three bytes) as
/// escapes, other bytes as replacement characters.
pub(super) fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                escape(valid, out);
                break;
            }
            Err(error) => error,
        };
        let (valid, broken) = rest.split_at_checked(error.valid_up_to()).unwrap_or((rest, &[]));
        escape(std::str::from_utf8(valid).unwrap_or_default(), out);
        let used = match *broken {
            [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
                let unit = 0xd000 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f);
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                3
            }
            [0xc0, 0x80, ..] => {
                out.extend_from_slice(b"\\u0000");
                2
            }
            _ => {
                out.extend_from_slice("\u{fffd}".as_bytes());
                error.error_len().unwrap_or(broken.len())
            }
        };
        rest = broken.get(used.max(1)..).unwrap_or_default();
    }
    out.push(b'"');
}

fn escape(text: &str, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &[u8]) -> String {
        let mut out = Vec::new();
        quote(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_are_valid_json_strings() {
        assert_eq!(quoted(b"a\"b\\\n\x01"), r#""a\"b\\\n\u0001""#);
        assert_eq!(quoted("żółw 🐢".as_bytes()), "\"żółw 🐢\"");
        assert_eq!(quoted(b"x\xed\xa0\xbdy\xc0\x80"), r#""x\ud83dy\u0000""#);
        assert_eq!(quoted(b"\xffa\xe2\x82"), "\"\u{fffd}a\u{fffd}\"");
    }

    #[test]
    fn each_name_is_stored_once() {
        let mut names = Names::default();
        assert_eq!((names.of(b"a"), names.add_text("b"), names.add_text("a")), (3, 4, 3));
        assert_eq!(names.all().count(), 5);
        assert!(Names::is_named(3) && !Names::is_named(NAMELESS));
    }
}
