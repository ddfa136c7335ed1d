//! Numbers of a source map: digits of Base64 with five bits each, the lowest first, and the sign in the last bit.

/// Value of a digit of Base64.
pub(super) fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Reads the number at the beginning of `text`, which then begins after it. `None` if it is cut off, has other characters
/// or does not fit into 32 bits.
pub(super) fn number(text: &mut &[u8]) -> Option<i64> {
    let mut value = 0_u64;
    for shift in (0..35).step_by(5) {
        let (&byte, rest) = text.split_first()?;
        *text = rest;
        let digit = digit(byte).filter(|_| byte != b'-' && byte != b'_')?;
        value |= u64::from(digit & 31) << shift;
        if digit < 32 {
            let size = i64::try_from(value >> 1).ok().filter(|&size| size <= i64::from(u32::MAX))?;
            return Some(if value & 1 == 1 { -size } else { size });
        }
    }
    None
}

/// Bytes of a text in Base64, to its first other character. `None` if nothing is left.
pub(super) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.iter().map_while(|&byte| digit(byte)) {
        bits = bits << 6 & 0xffff | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_sign_and_continuation() {
        for (text, value) in [("A", 0), ("C", 1), ("D", -1), ("yhB", 537), ("gBAA", 16)] {
            assert_eq!(number(&mut text.as_bytes()), Some(value), "{text}");
        }
        for text in ["", "g", "gggggggA", "ggggggg", "!", "-", "=", "//////////A"] {
            assert_eq!(number(&mut text.as_bytes()), None, "{text}");
        }
        let mut two = b"CD".as_slice();
        assert_eq!((number(&mut two), number(&mut two), number(&mut two)), (Some(1), Some(-1), None));
    }

    #[test]
    fn base64_ends_at_other_characters() {
        for (text, bytes) in [("eyJhIjoxfQ==", "{\"a\":1}"), ("e30=\n// x", "{}"), ("e30", "{}")] {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!((base64(b""), base64(b"A"), base64(b"=")), (None, None, None));
    }
}
