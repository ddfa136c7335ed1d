//! Recognises dumps that a program on their way took for text and converted. Nothing can be read from them, and the
//! cause is not obvious: they look truncated or damaged.

use super::error::FormatError;

/// Number of bytes that are examined.
const EXAMINED: usize = 1 << 20;
/// Minimum number of conversions that are no chance.
const ENOUGH: usize = 8;
/// First bytes of the dumps that are recognised in UTF-16.
const DUMPS: [&str; 2] = ["JAVA PROFILE 1.0", "{\"snapshot\""];

const ADVICE: &str = "The conversion cannot be undone. Transfer the dump in binary mode: scp, kubectl cp, docker cp, adb pull or adb exec-out (not adb shell), FTP with the command binary.";
const ADVICE_UTF16: &str = "Windows PowerShell converts what > and Out-File write. Write the dump with the tool's own option for a file, or with > in cmd.exe.";

/// A conversion of binary data as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextConversion {
    /// Bytes that are no UTF-8 were replaced by U+FFFD.
    Replaced,
    /// Bytes were taken for characters of one byte and written as UTF-8.
    Recoded,
    /// LF became CR LF.
    LineEnds,
    /// Bytes were taken for characters and written as UTF-16.
    Utf16,
}

impl TextConversion {
    /// The error of opening such a file.
    pub(super) fn error(self, format: &'static str) -> FormatError {
        let (actual, advice) = match self {
            Self::Replaced => {
                ("a dump that was converted as text: bytes outside ASCII were replaced (EF BF BD)", ADVICE)
            }
            Self::Recoded => ("a dump that was converted as text: from a single-byte encoding to UTF-8", ADVICE),
            Self::LineEnds => ("a dump that was converted as text: line ends from LF to CR LF", ADVICE),
            Self::Utf16 => ("a dump that was converted as text: to UTF-16", ADVICE_UTF16),
        };
        FormatError::new(format, 0, "binary data", actual, advice)
    }
}

/// The conversion of a binary file with at least some bytes outside ASCII. To be asked only for a damaged file.
pub(super) fn of(file: &[u8]) -> Option<TextConversion> {
    let start = file.get(..EXAMINED).unwrap_or(file);
    is_utf8(start).or_else(|| has_only_crlf(start).then_some(TextConversion::LineEnds))
}

/// The conversion of a file that no reader recognises.
pub(super) fn of_unknown(file: &[u8]) -> Option<TextConversion> {
    let (mark, rest) = file.split_at_checked(2)?;
    let unit: fn([u8; 2]) -> u16 = match mark {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let units = rest.as_chunks::<2>().0.iter().take(32).map(|&pair| unit(pair));
    let text: String = char::decode_utf16(units).map_while(Result::ok).collect();
    DUMPS.iter().any(|dump| text.starts_with(dump)).then_some(TextConversion::Utf16)
}

/// How a file without any invalid UTF-8 became so; binary data is not valid by chance.
fn is_utf8(start: &[u8]) -> Option<TextConversion> {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(start.get(..error.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    let count = |is_one: fn(char) -> bool| text.chars().filter(|&c| is_one(c)).count();
    if count(|c| c == char::REPLACEMENT_CHARACTER) >= ENOUGH {
        return Some(TextConversion::Replaced);
    }
    // No text has these control characters; half of the bytes outside ASCII become one, or a character of Windows-1252.
    (count(|c| ('\u{80}'..='\u{9f}').contains(&c)) >= ENOUGH).then_some(TextConversion::Recoded)
}

/// True if every LF follows a CR; in binary data one of 256 does.
fn has_only_crlf(start: &[u8]) -> bool {
    let ends = start.split(|&byte| byte == b'\n').count() - 1;
    let pairs = start.windows(2).filter(|pair| *pair == b"\r\n").count();
    ends >= ENOUGH && ends == pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of all values, in no order.
    fn binary() -> Vec<u8> {
        (0..4_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    }

    #[test]
    fn conversions_are_told_apart() {
        let binary = binary();
        assert_eq!(of(&binary), None);
        let replaced = String::from_utf8_lossy(&binary).into_owned();
        assert_eq!(of(replaced.as_bytes()), Some(TextConversion::Replaced));
        let recoded: String = binary.iter().map(|&byte| char::from(byte)).collect();
        assert_eq!(of(recoded.as_bytes()), Some(TextConversion::Recoded));
        let mut line_ends = Vec::new();
        binary.iter().for_each(|&byte| if byte == b'\n' { line_ends.extend(b"\r\n") } else { line_ends.push(byte) });
        assert_eq!(of(&line_ends), Some(TextConversion::LineEnds));
        let units = "JAVA PROFILE 1.0.2\0".encode_utf16();
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(units.flat_map(u16::to_le_bytes)).collect();
        assert_eq!(of_unknown(&wide), Some(TextConversion::Utf16));
        assert_eq!(of_unknown(b"\xff\xfeJ\0"), None);
    }
}
