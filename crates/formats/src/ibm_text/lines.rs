//! Lines of a text heap dump: records, references that continue one, comments. Other lines are counted and skipped.

use memchr::memchr;

pub(super) use crate::text_lines::Lines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Nothing but blanks.
    Blank,
    /// Text after `//`.
    Comment(&'a [u8]),
    /// An object: `0x10007030 [1024] OBJ shop/Cart 0x200000b0`.
    Record(Record<'a>),
    /// Further references of the preceding object.
    References(&'a [u8]),
    /// Unrecognized line.
    Bad,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub(super) address: u64,
    /// Digits of the address.
    pub(super) digits: usize,
    pub(super) size: u64,
    /// Name, including the keyword before it that gives the kind of object.
    pub(super) name: &'a [u8],
    /// References on the same line.
    pub(super) references: &'a [u8],
}

/// Offset of the first record that begins after `from` and before `bound`. Reads past `bound` only to the end of a line
/// that begins before it.
pub(super) fn record_between(file: &[u8], from: u64, bound: u64) -> Option<u64> {
    let offset = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(file.len());
    // The line that contains `from` belongs to the preceding range.
    let rest = file.get(offset(from)..offset(bound))?;
    let first = from + memchr(b'\n', rest)? as u64 + 1;
    let mut lines = Lines::new(file, first, bound);
    std::iter::from_fn(|| lines.next()).find(|(_, line)| head(line).is_some()).map(|(begin, _)| begin)
}

#[inline]
pub(super) fn line(bytes: &[u8]) -> Line<'_> {
    let line = bytes.trim_ascii();
    if line.is_empty() {
        return Line::Blank;
    }
    if let Some(comment) = line.strip_prefix(b"//") {
        return Line::Comment(comment.trim_ascii());
    }
    if let Some((address, digits, size, rest)) = head(line) {
        let (name, references) = split(rest);
        return Line::Record(Record { address, digits, size, name, references });
    }
    if tokens(line).all(|token| hexadecimal(token).is_some()) {
        return Line::References(line);
    }
    // A byte order mark before the first line.
    bytes.strip_prefix(b"\xef\xbb\xbf").map_or(Line::Bad, |rest| match self::line(rest) {
        Line::Comment(comment) => Line::Comment(comment),
        _ => Line::Bad,
    })
}

/// `0x<hex> [<decimal>]`, and the rest of the line.
#[inline]
fn head(line: &[u8]) -> Option<(u64, usize, u64, &[u8])> {
    let line = line.trim_ascii_start();
    let after = line.strip_prefix(b"0x").or_else(|| line.strip_prefix(b"0X"))?;
    let digits = after.iter().take(17).take_while(|b| b.is_ascii_hexdigit()).count();
    let (number, rest) = after.split_at_checked(digits)?;
    let rest = rest.trim_ascii_start().strip_prefix(b"[")?;
    let width = rest.iter().take(20).take_while(|b| b.is_ascii_digit()).count();
    let (size, rest) = rest.split_at_checked(width)?;
    let size = size.iter().fold(0_u64, |size, &b| size.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    (width > 0).then_some(())?;
    Some((digits_value(number)?, digits, size, rest.strip_prefix(b"]")?))
}

/// Hexadecimal digits, up to 16.
#[inline]
fn digits_value(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut value = 0_u64;
    for &b in digits {
        let digit = match b {
            b'0'..=b'9' => b - b'0',
            b'a'..=b'f' => b - b'a' + 10,
            b'A'..=b'F' => b - b'A' + 10,
            _ => return None,
        };
        value = value << 4 | u64::from(digit);
    }
    Some(value)
}

/// The value of `0x<hex>`.
#[inline]
pub(super) fn hexadecimal(token: &[u8]) -> Option<u64> {
    digits_value(token.strip_prefix(b"0x").or_else(|| token.strip_prefix(b"0X"))?)
}

/// Tokens separated by blanks.
#[inline]
fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// References of a line that consists only of them.
#[inline]
pub(super) fn references(line: &[u8]) -> impl Iterator<Item = u64> {
    tokens(line).filter_map(hexadecimal)
}

/// Splits the rest of a line into name and references.
#[inline]
fn split(rest: &[u8]) -> (&[u8], &[u8]) {
    let mut end = 0;
    let mut at = 0;
    // Names may contain blanks: the last word that is not a reference ends the name.
    for token in rest.split(u8::is_ascii_whitespace) {
        if !token.is_empty() && hexadecimal(token).is_none() {
            end = at + token.len();
        }
        at += token.len() + 1;
    }
    let (name, references) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    (name.trim_ascii(), references.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_searched_up_to_a_limit() {
        let file = b"0x1 [8] A\n\t0x2 0x3\n0x2 [8] B\n";
        assert_eq!(record_between(file, 1, 99), Some(19));
        assert_eq!(record_between(file, 1, 20), Some(19));
        // It begins at the bound, so the search from there finds it.
        assert_eq!(record_between(file, 1, 19), None);
        assert_eq!((record_between(file, 1, 8), record_between(file, 19, 99)), (None, None));
        assert_eq!((record_between(file, 99, 120), record_between(b"", 0, 0)), (None, None));
    }

    #[test]
    fn every_form_of_line_is_parsed() {
        let record = |bytes: &'static [u8]| match line(bytes) {
            Line::Record(r) => {
                let name = String::from_utf8_lossy(r.name).into_owned();
                (r.address, r.digits, r.size, name, references(r.references).collect::<Vec<_>>())
            }
            other => panic!("{other:?}"),
        };
        let name = |text: &str| text.to_owned();
        assert_eq!(record(b"0x10007030 [1024] J"), (0x1000_7030, 8, 1024, name("J"), vec![]));
        assert_eq!(record(b"0x1 [8] K 0x2 0X3\r"), (1, 1, 8, name("K"), vec![2, 3]));
        assert_eq!(record(b"0x00CB03B0 [272] OBJ [C"), (0xcb_03b0, 8, 272, name("OBJ [C"), vec![]));
        let spread = record(b" 0xABCDEF0123456789 [1] array of  java/lang/String\t0x0 ");
        assert_eq!(spread, (0xabcd_ef01_2345_6789, 16, 1, name("array of  java/lang/String"), vec![0]));
        assert_eq!(record(b"0x5 [16]"), (5, 1, 16, name(""), vec![]));
        // Word inside a name that looks like a reference.
        assert_eq!(record(b"0x5 [16] a 0x7 b 0x8"), (5, 1, 16, name("a 0x7 b"), vec![8]));
        assert_eq!(line(b"\t0x1 0x2 "), Line::References(b"0x1 0x2"));
        assert_eq!(line(b"\t \r"), Line::Blank);
        assert_eq!(line(b"// Version: x\r"), Line::Comment(b"Version: x"));
        for bad in [&b"0x"[..], b"0x1 [", b"0x1 []", b"0x1 [1 x", b"0x12345678901234567 [1] x", b"[8] x", b"0xg [1] x"]
        {
            assert_eq!(line(bad), Line::Bad, "{}", bad.escape_ascii());
        }
    }
}
