//! Java objects with a text value: strings, names.

use super::tags::BasicType;

/// Maximum length of a label in characters.
pub(super) const LABEL: usize = 80;

/// Text of the characters of a `java.lang.String`, at most `limit` of them.
/// `latin1`: bytes of one character each (JDK 9 and later, `coder` 0).
pub(super) fn string_text(kind: BasicType, latin1: bool, elements: &[u8], limit: usize) -> String {
    match kind {
        // UTF-16 in a byte[] has the byte order of the machine, and all current HotSpot platforms are little-endian.
        BasicType::Byte if !latin1 => {
            units_text(elements.as_chunks::<2>().0.iter().map(|&b| u16::from_le_bytes(b)), limit)
        }
        BasicType::Byte => elements.iter().take(limit).map(|&b| char::from(b)).collect(),
        // A char[] is written in the byte order of the file, big-endian.
        _ => units_text(elements.as_chunks::<2>().0.iter().map(|&b| u16::from_be_bytes(b)), limit),
    }
}

fn units_text(units: impl Iterator<Item = u16>, limit: usize) -> String {
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).take(limit).collect()
}

/// Decodes Java's modified UTF-8: NUL takes two bytes, characters above U+FFFF two surrogates of three bytes each.
/// Invalid bytes become U+FFFD.
pub(super) fn name_text(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let low_bits = |byte: &u8| u16::from(byte & 0x3f);
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        let (unit, left) = match (first, after) {
            (0..=0x7f, _) => (u16::from(*first), after),
            (0xc0..=0xdf, [b @ 0x80..=0xbf, left @ ..]) => (u16::from(first & 0x1f) << 6 | low_bits(b), left),
            (0xe0..=0xef, [b @ 0x80..=0xbf, c @ 0x80..=0xbf, left @ ..]) => {
                (u16::from(first & 0x0f) << 12 | low_bits(b) << 6 | low_bits(c), left)
            }
            _ => (0xfffd, after),
        };
        units.push(unit);
        rest = left;
    }
    units_text(units.into_iter(), usize::MAX)
}

/// `text` cut to `limit` characters, with `…` where it was longer.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_string_reads_the_same() {
        assert_eq!(string_text(BasicType::Byte, true, b"caf\xe9", 99), "café");
        assert_eq!(string_text(BasicType::Byte, false, &[0x63, 0, 0xac, 0x20], 99), "c€");
        assert_eq!(string_text(BasicType::Char, false, &[0, 0x63, 0x20, 0xac], 99), "c€");
        // Unpaired surrogate, and half a unit at the end.
        assert_eq!(string_text(BasicType::Char, false, &[0xd8, 0, 0], 99), "\u{fffd}");
        assert_eq!(string_text(BasicType::Byte, true, b"abcdef", 3), "abc");
        assert_eq!(shortened("abcdef", 4), "abc…");
    }

    #[test]
    fn names_in_javas_own_utf8() {
        let cases: [(&[u8], &str); 5] = [
            (b"plain", "plain"),
            ("caf\u{e9}".as_bytes(), "caf\u{e9}"),
            (b"a\xc0\x80b", "a\0b"),
            (b"\xed\xa0\xbd\xed\xba\x80", "\u{1f680}"),
            (b"\xed\xa0\xbdx\xe3\x81", "\u{fffd}x\u{fffd}\u{fffd}"),
        ];
        for (bytes, text) in cases {
            assert_eq!(name_text(bytes), text);
        }
    }
}
