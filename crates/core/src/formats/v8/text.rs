//! Decoding of JSON strings.

use std::fmt::Write;

/// Maximum length of a name in characters: engines use far lower limits, but a file may contain anything.
const LONGEST_NAME: usize = 4_096;
/// Maximum size of an escaped character in bytes: two units, each escaped.
const LONGEST_CHARACTER: usize = 12;

/// Decodes a string, given the text between its quotes. Lone surrogates and invalid UTF-8 become the replacement
/// character.
pub(super) fn decode(raw: &[u8]) -> String {
    decoded(raw, |_| {})
}

/// Beginning of a string: at least `most` characters if it has that many, since strings may have any length. The last
/// character may be incomplete.
pub(super) fn beginning(raw: &[u8], most: usize) -> String {
    decode(raw.get(..most.saturating_mul(LONGEST_CHARACTER)).unwrap_or(raw))
}

/// Name of a class, property or script. Longer names with the same beginning are not distinguished.
pub(super) fn name(raw: &[u8]) -> String {
    shortened(beginning(raw, LONGEST_NAME + 1))
}

/// Name shortened to [`LONGEST_NAME`] characters, with a mark if it was cut.
pub(super) fn shortened(mut name: String) -> String {
    if let Some((at, _)) = name.char_indices().nth(LONGEST_NAME) {
        name.truncate(at);
        name.push('…');
    }
    name
}

/// Like [`decode`], but distinguishes lone surrogates, for comparing texts.
pub(super) fn comparable(raw: &[u8]) -> String {
    let mut alone = Vec::new();
    let mut text = decoded(raw, |unit| alone.push(unit));
    // No text contains these after its end.
    for unit in alone {
        // Writing to a string cannot fail.
        let _ = write!(text, "\0{unit:x}");
    }
    text
}

/// Decodes the text; calls `alone` with each unpaired surrogate, in order.
fn decoded(raw: &[u8], mut alone: impl FnMut(u32)) -> String {
    if !raw.contains(&b'\\') {
        return String::from_utf8_lossy(raw).into_owned();
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escaped) = rest.split_at(at);
        text.push_str(&String::from_utf8_lossy(plain));
        rest = escaped.get(2..).unwrap_or_default();
        match escaped.get(1) {
            Some(b'n') => text.push('\n'),
            Some(b't') => text.push('\t'),
            Some(b'r') => text.push('\r'),
            Some(b'b') => text.push('\u{8}'),
            Some(b'f') => text.push('\u{c}'),
            Some(b'u') => {
                let high = unit(rest);
                rest = rest.get(4..).unwrap_or_default();
                let low = high.filter(|high| (0xd800..0xdc00).contains(high)).and_then(|_| {
                    rest.strip_prefix(b"\\u").and_then(unit).filter(|low| (0xdc00..0xe000).contains(low))
                });
                let code = match (high, low) {
                    (Some(high), Some(low)) => {
                        rest = rest.get(6..).unwrap_or_default();
                        Some(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                    }
                    (high, _) => high,
                };
                let character = code.and_then(char::from_u32);
                if let (Some(unit), None) = (code, character) {
                    alone(unit);
                }
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            // The character itself: a quote, a slash, a backslash.
            Some(&other) => text.push(char::from(other)),
            None => {}
        }
    }
    text.push_str(&String::from_utf8_lossy(rest));
    text
}

/// Parses four digits as a UTF-16 code unit.
fn unit(digits: &[u8]) -> Option<u32> {
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// Length of a text in UTF-16 code units.
pub(super) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Integer at the beginning of a text, as in JavaScript's `parseInt`.
pub(super) fn leading_number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1, text.get(1..)?),
        Some(b'+') => (1, text.get(1..)?),
        _ => (1, text),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits.get(..end)?.parse::<i64>().ok().map(|number| sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_characters() {
        assert_eq!(decode(br#"a\"b\\c\/d\n\t\r\b\f"#), "a\"b\\c/d\n\t\r\u{8}\u{c}");
        assert_eq!(decode(br"\u0041\u00e9\ud83d\ude00"), "A\u{e9}\u{1f600}");
        assert_eq!(decode(br"\ud83d \ude00x\ud83d\u0041"), "\u{fffd} \u{fffd}x\u{fffd}A");
        assert_eq!(decode(br"\u12"), "\u{fffd}");
        assert_eq!(decode(b"\\"), "");
        assert_eq!(decode("h\u{e9}".as_bytes()), "h\u{e9}");
    }

    #[test]
    fn names_are_cut_between_characters() {
        let long = r"\ud83d\ude00".repeat(LONGEST_NAME + 1);
        assert_eq!(name(long.as_bytes()), "\u{1f600}".repeat(LONGEST_NAME) + "…");
        assert_eq!(name(&long.as_bytes()[12..]), "\u{1f600}".repeat(LONGEST_NAME));
        let mixed = "a\u{e9}".repeat(LONGEST_NAME * 20);
        assert_eq!(name(mixed.as_bytes()), "a\u{e9}".repeat(LONGEST_NAME / 2) + "…");
        let begins = beginning(mixed.as_bytes(), 3);
        assert!(begins.starts_with("a\u{e9}a") && begins.len() < 60, "{begins}");
    }

    #[test]
    fn numbers_lead() {
        assert_eq!(leading_number("3abc"), Some(3));
        assert_eq!(leading_number(" -12"), Some(-12));
        assert_eq!(leading_number("abc"), None);
        assert_eq!(leading_number(""), None);
    }
}
