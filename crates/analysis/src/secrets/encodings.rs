//! Texts inside of texts: base64, percent-encoding, escapes of JSON and of program sources.

use super::der;

/// Maximum length of a part that is decoded, in characters.
const LONGEST: usize = 64 * 1024;
/// Length of the shortest part in base64 that is decoded: 15 bytes.
const SHORTEST: usize = 20;
/// Number of bytes that are decoded first: random ones are hardly ever all text.
const BEGINNING: usize = 12;

/// Decodes base64 or base64url, with or without padding; `None` for other text.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::with_capacity(text.len().min(LONGEST) * 3 / 4));
    for byte in text.bytes().take(LONGEST) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// Something decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unwrapped {
    Text(String),
    /// A private key of this type, and its encoding.
    Key(&'static str, String),
}

fn is_of_text(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7f || byte.is_ascii_whitespace()
}

/// Text or a private key that a part in base64 decodes to; `None` for other bytes.
fn of_base64(part: &str) -> Option<Unwrapped> {
    let beginning = decoded(part.get(..BEGINNING / 3 * 4)?)?;
    let is_key = matches!(*beginning, [0x30, 0x81..=0x83 | 0x2e, ..]);
    if !is_key && !beginning.iter().all(|&byte| is_of_text(byte) && byte.is_ascii()) {
        return None;
    }
    let bytes = decoded(part)?;
    if let Some(kind) = der::key_type(&bytes) {
        return Some(Unwrapped::Key(kind, part.to_owned()));
    }
    let text = String::from_utf8(bytes).ok()?;
    text.bytes().all(is_of_text).then_some(Unwrapped::Text(text))
}

/// True if a text is text in base64.
pub(super) fn is_encoded_text(text: &str) -> bool {
    matches!(of_base64(text.trim_end_matches('=')), Some(Unwrapped::Text(_)))
}

/// What the parts of a text in base64 decode to, with their positions.
pub(super) fn base64_parts(text: &str) -> impl Iterator<Item = (usize, Unwrapped)> {
    let is_of_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-".contains(byte);
    let mut start = 0;
    let runs = text.as_bytes().chunk_by(move |a, b| is_of_base64(a) == is_of_base64(b)).map(move |run| {
        let from = start;
        start += run.len();
        (from, run)
    });
    let long = runs.filter(move |(_, run)| run.len() >= SHORTEST && run.first().is_some_and(is_of_base64));
    long.filter_map(|(from, run)| Some((from, of_base64(text.get(from..from + run.len())?)?)))
}

/// A text with its percent-encoding resolved; `None` if it has none.
pub(super) fn of_percent(text: &str) -> Option<String> {
    let hex = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut count) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
                count += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    (count > 0).then(|| String::from_utf8(out).ok()).flatten()
}

/// A text with escaped quotes and line ends resolved, as in JSON inside of JSON; `None` if it has none.
pub(super) fn of_escapes(text: &str) -> Option<String> {
    if !["\\\"", "\\n", "\\r", "\\t", "\\u0026", "\\u003d", "\\/"].iter().any(|escape| text.contains(escape)) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut letters = after.chars();
        let (letter, length) = match letters.next() {
            Some('n') => ('\n', 1),
            Some('r') => ('\r', 1),
            Some('t') => ('\t', 1),
            Some('u') => {
                let code = after.get(1..5).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                code.and_then(char::from_u32).map_or(('u', 1), |letter| (letter, 5))
            }
            Some(letter) => (letter, letter.len_utf8()),
            None => ('\\', 0),
        };
        out.push(letter);
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_texts_are_decoded_and_other_bytes_are_not() {
        assert_eq!(decoded("aGk").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decoded("aGk=").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decoded("a k"), None);
        let unwrapped: Vec<(usize, Unwrapped)> =
            base64_parts("x: aGVsbG8sIHdvcmxkIG9mIHRleHRz, getUserAccountByIdentifier").collect();
        assert_eq!(unwrapped, [(3, Unwrapped::Text("hello, world of texts".to_owned()))]);
        assert_eq!(of_percent("a%3Db%2").as_deref(), Some("a=b%2"));
        assert_eq!(of_percent("100% of it"), None);
        assert_eq!(of_escapes(r#"{\"a\":\u0026\n}"#).as_deref(), Some("{\"a\":&\n}"));
        assert_eq!(of_escapes(r"C:\").as_deref(), None);
        assert_eq!(of_escapes("a\\nb\\").as_deref(), Some("a\nb\\"));
    }
}
