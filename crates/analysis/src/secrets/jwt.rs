//! Credentials that contain encoded text: JSON web tokens and the basic scheme of HTTP.

use std::sync::LazyLock;

use regex::Regex;

use super::encodings::decoded;

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
    let is_header = header.is_some_and(|header| header.contains("\"alg\"") && is_object(&header));
    // The example of jwt.io and of many libraries' documentation.
    let payload = token.split('.').nth(1).and_then(decoded).and_then(|bytes| String::from_utf8(bytes).ok());
    is_header && !payload.is_some_and(|payload| payload.contains("\"1234567890\"") && payload.contains("John Doe"))
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
        // {"alg":"none"} and {"cty":"none"}.
        assert!(is_jwt("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln"));
        assert!(!is_jwt("eyJjdHkiOiJub25lIn0.eyJhIjoxfQ.c2ln"));
        assert!(!is_jwt("eyJhbGciOiJub25lIn.eyJhIjoxfQ.c2ln"), "not closed");
        assert!(is_basic("YW5uOnB3") && !is_basic("YW5ucHc=") && !is_basic("authentication"));
    }
}
