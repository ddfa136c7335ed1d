//! Texts in UTF-16, which redirection in Windows PowerShell and some editors write.

/// Number of characters that are decoded.
const DECODED: usize = 2048;
/// Number of bytes that are examined of a text without a mark.
const EXAMINED: usize = 32;

/// The beginning of a text in UTF-16, without its byte order mark; `None` for other files. Without a mark, every other
/// byte at the beginning is 0, and the others are printable.
pub(super) fn decoded(file: &[u8]) -> Option<String> {
    let (is_little, rest) = match file {
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, rest @ ..] => (true, rest),
        [0xfe, 0xff, rest @ ..] => (false, rest),
        _ => (is_ascii_at(file)?, file),
    };
    let number = if is_little { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = rest.as_chunks::<2>().0.iter().take(DECODED).map(|&bytes| number(bytes));
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// True if the characters are at even places, false if they are at odd ones, `None` if the file is no such text.
fn is_ascii_at(file: &[u8]) -> Option<bool> {
    let (pairs, _) = file.get(..EXAMINED)?.as_chunks::<2>();
    let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let is_little = pairs.iter().all(|&[text, zero]| is_text(text) && zero == 0);
    let is_big = pairs.iter().all(|&[zero, text]| is_text(text) && zero == 0);
    (is_little || is_big).then_some(is_little)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_both_byte_orders_are_decoded() {
        let text = "{\"snapshot\":{\"meta\":{\"node_fields\":";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&little, &big, &[&[0xff, 0xfe], &little[..]].concat(), &[&[0xfe, 0xff], &big[..]].concat()] {
            assert_eq!(decoded(bytes).as_deref(), Some(text));
        }
        for other in [&b""[..], b"plain text that is long enough to be told", &[0; 64], b"\xff\xfe\0\0a\0\0\0"] {
            assert_eq!(decoded(other), None);
        }
    }
}
