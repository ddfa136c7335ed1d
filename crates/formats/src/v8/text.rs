//! Decoding of JSON strings.

use super::text_hash::TextHash;

/// Maximum length of a name in characters: engines use far lower limits, but a file may contain anything.
const LONGEST_NAME: usize = 4_096;
/// Name of nodes and edges whose name is not in the string table.
pub(super) const MISSING_NAME: &str = "(name not in the file)";
/// Maximum size of an escaped character in bytes: two units, each escaped.
const LONGEST_CHARACTER: usize = 12;

/// Decodes a string, given the text between its quotes. Lone surrogates and invalid UTF-8 become the replacement
/// character.
pub(super) fn decode(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    decoded(raw, &mut text);
    text
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

/// Hash of all code units, unpaired surrogates included.
pub(super) fn hash(raw: &[u8]) -> TextHash {
    let mut hash = TextHash::default();
    units_of(raw, |unit| hash.push(unit));
    hash
}

/// What a text of a snapshot may be the beginning of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextMeasure {
    /// Length in UTF-16 code units.
    pub(super) units: u32,
    /// Units that do not fit into a byte. Node.js 20 writes a character of two units as one of these.
    pub(super) wide: u32,
    /// Groups of three question marks, which V8 also writes for a single unit: half of a pair, or U+FFFD.
    pub(super) marks: u32,
}

impl TextMeasure {
    /// Measures a text as stored in the file.
    pub(super) fn of(raw: &[u8]) -> Self {
        let mut measure = Self::default();
        if raw.contains(&b'\\') || !raw.is_ascii() {
            units_of(raw, |unit| {
                measure.units = measure.units.saturating_add(1);
                measure.wide += u32::from(unit > 0xff);
            });
        } else {
            measure.units = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        }
        if raw.contains(&b'?') {
            measure.marks = memchr::memmem::find_iter(raw, b"???").count() as u32;
        }
        measure
    }

    /// Lowest number of units that the text may stand for.
    pub(super) fn least_units(self) -> u32 {
        self.units.saturating_sub(self.marks.saturating_mul(2))
    }

    /// Highest number of units that the text may stand for.
    pub(super) fn most_units(self) -> u32 {
        self.units.saturating_add(self.wide)
    }
}

/// Receives a text as it is decoded.
trait Decoded {
    /// Characters without an escape, in UTF-8.
    fn plain(&mut self, text: &[u8]);
    /// An escaped character; half of a surrogate pair if it is unpaired.
    fn code(&mut self, code: u32);
}

impl Decoded for String {
    fn plain(&mut self, text: &[u8]) {
        self.push_str(&Self::from_utf8_lossy(text));
    }

    fn code(&mut self, code: u32) {
        self.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
}

struct Units<F>(F);

impl<F: FnMut(u16)> Decoded for Units<F> {
    fn plain(&mut self, text: &[u8]) {
        if text.is_ascii() {
            text.iter().for_each(|&byte| (self.0)(byte.into()));
        } else {
            String::from_utf8_lossy(text).encode_utf16().for_each(&mut self.0);
        }
    }

    fn code(&mut self, code: u32) {
        match char::from_u32(code) {
            Some(character) => character.encode_utf16(&mut [0; 2]).iter().copied().for_each(&mut self.0),
            None => (self.0)(code as u16),
        }
    }
}

/// Calls `with` with each UTF-16 code unit of a text as stored in the file.
fn units_of(raw: &[u8], with: impl FnMut(u16)) {
    decoded(raw, &mut Units(with));
}

/// Decodes the text.
fn decoded(raw: &[u8], text: &mut impl Decoded) {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escaped) = rest.split_at(at);
        text.plain(plain);
        rest = escaped.get(2..).unwrap_or_default();
        match escaped.get(1) {
            Some(b'n') => text.code(0x0a),
            Some(b't') => text.code(0x09),
            Some(b'r') => text.code(0x0d),
            Some(b'b') => text.code(0x08),
            Some(b'f') => text.code(0x0c),
            Some(b'u') => {
                let high = unit(rest);
                rest = rest.get(4..).unwrap_or_default();
                let low = high.filter(|high| (0xd800..0xdc00).contains(high)).and_then(|_| {
                    rest.strip_prefix(b"\\u").and_then(unit).filter(|low| (0xdc00..0xe000).contains(low))
                });
                let code = match (high, low) {
                    (Some(high), Some(low)) => {
                        rest = rest.get(6..).unwrap_or_default();
                        0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
                    }
                    // Not four digits: the replacement character.
                    (high, _) => high.unwrap_or(0xfffd),
                };
                text.code(code);
            }
            // The character itself: a quote, a slash, a backslash.
            Some(&other) => text.code(other.into()),
            None => {}
        }
    }
    text.plain(rest);
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
    fn texts_are_measured_as_the_writer_may_have_changed_them() {
        let measure = |raw: &[u8]| {
            let measure = TextMeasure::of(raw);
            (measure.units, measure.least_units(), measure.most_units())
        };
        assert_eq!(measure(b"plain"), (5, 5, 5));
        assert_eq!(measure(br"caf\u00e9\n"), (5, 5, 5));
        assert_eq!(measure("caf\u{e9} \u{20ac}".as_bytes()), (6, 6, 7));
        assert_eq!(measure(br"\ud83d\ude00 \uf600"), (4, 4, 7));
        assert_eq!(measure(b"x???y??"), (7, 5, 7));
        let hashes = [&br"a\ud83db"[..], br"a\ufffdb", br"a\ud83eb", b"a", b""].map(|raw| hash(raw).sums);
        assert_eq!(hashes.iter().collect::<std::collections::HashSet<_>>().len(), hashes.len());
        assert_eq!(hash(br"\u0041\u00e9\ud83d\ude00"), hash("A\u{e9}\u{1f600}".as_bytes()));
    }

    #[test]
    fn numbers_lead() {
        assert_eq!(leading_number("3abc"), Some(3));
        assert_eq!(leading_number(" -12"), Some(-12));
        assert_eq!(leading_number("abc"), None);
        assert_eq!(leading_number(""), None);
    }
}
