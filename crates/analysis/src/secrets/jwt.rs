//! Credentials that contain encoded text: JSON web tokens and the basic scheme of HTTP.

use std::sync::LazyLock;

use regex::Regex;

/// Maximum length of a part that is decoded, in characters.
const LONGEST: usize = 8_192;

/// Decodes base64 or base64url, with or without padding; `None` for other text.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::with_capacity(text.len() * 3 / 4));
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

/// A flat JSON object, as headers of tokens are: names with strings, numbers, words or lists of strings.
static HEADER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let text = r#""(?:[^"\\]|\\.)*""#;
    let value = format!(r"(?:{text}|-?[0-9.eE+-]+|true|false|null|\[\s*(?:{text}\s*,?\s*)*\]|\{{[^{{}}]*\}})");
    let member = format!(r"\s*{text}\s*:\s*{value}\s*");
    Regex::new(&format!(r"^\s*\{{{member}(?:,{member})*\}}\s*$")).ok()
});

/// True if the first part is a JSON object that names its algorithm.
pub(super) fn is_jwt(token: &str) -> bool {
    let header = token.split('.').next().and_then(decoded).and_then(|bytes| String::from_utf8(bytes).ok());
    let is_object = |header: &str| HEADER.as_ref().is_some_and(|pattern| pattern.is_match(header));
    header.is_some_and(|header| header.contains("\"alg\"") && is_object(&header))
}

/// True if it is a name and a password, with a colon between.
pub(super) fn is_basic(encoded: &str) -> bool {
    let text = decoded(encoded).and_then(|bytes| String::from_utf8(bytes).ok());
    let parts = text.as_deref().and_then(|text| text.split_once(':'));
    parts.is_some_and(|(name, password)| {
        !password.is_empty() && !name.is_empty() && !(name.chars().chain(password.chars())).any(char::is_control)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_json_objects_with_an_algorithm() {
        assert_eq!(decoded("aGk").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decoded("aGk=").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decoded("a k"), None);
        // {"alg":"none"} and {"cty":"none"}.
        assert!(is_jwt("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln"));
        assert!(!is_jwt("eyJjdHkiOiJub25lIn0.eyJhIjoxfQ.c2ln"));
        assert!(!is_jwt("eyJhbGciOiJub25lIn.eyJhIjoxfQ.c2ln"), "not closed");
        assert!(is_basic("YW5uOnB3") && !is_basic("YW5ucHc=") && !is_basic("authentication"));
    }
}
