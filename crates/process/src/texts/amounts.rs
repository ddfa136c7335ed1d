//! Numbers in texts: with units, separators and words around them.

/// Splits a text that begins with a number, such as `1,234.5 kB`, into the number and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit() && !matches!(byte, b'.' | b','));
    // A separator at the end belongs to the sentence.
    let end = text.get(..end.unwrap_or(text.len())).map_or(0, |number| number.trim_end_matches(['.', ',']).len());
    text.split_at_checked(end).unwrap_or(("", text))
}

/// Number of `unit` bytes each.
fn scaled(number: &str, unit: u64) -> Option<u64> {
    let number = number.replace(',', "");
    if number.contains('.') {
        // A conversion of floats to integers saturates.
        return number.parse::<f64>().ok().map(|number| (number * unit as f64) as u64);
    }
    Some(number.parse::<u64>().ok()?.saturating_mul(unit))
}

/// Bytes of a text that begins with a number and perhaps a unit, as in `320K`, `1.06 GB`, `0 bytes`, `120036Kb`; units are
/// powers of 1024. Without a unit it is a number of `unit` bytes.
pub(super) fn bytes(text: &str, unit: u64) -> Option<u64> {
    let (number, rest) = split_number(text.trim_start());
    let word = rest.trim_start();
    let mut letters = word.bytes();
    let unit = match (letters.next().map(|letter| letter.to_ascii_uppercase()), letters.next()) {
        (Some(b'B'), _) => 1,
        (Some(letter @ (b'K' | b'M' | b'G' | b'T')), next) if next.is_none_or(is_end_of_unit) => {
            1 << (10 * (1 + b"KMGT".iter().position(|&unit| unit == letter).unwrap_or(0)))
        }
        _ => unit,
    };
    scaled(number, unit)
}

/// True for what follows the letter of a unit: its own `B`, or no letter.
fn is_end_of_unit(byte: u8) -> bool {
    matches!(byte, b'B' | b'b' | b'i') || !byte.is_ascii_alphabetic()
}

/// Bytes of a Kubernetes quantity: `512Mi` in powers of 1024, `500M` in powers of 1000.
pub(super) fn quantity(text: &str) -> Option<u64> {
    let (number, suffix) = split_number(text.trim());
    let power = |base: u64, power| base.saturating_pow(power);
    let unit = match suffix {
        "" => 1,
        "k" | "K" => 1000,
        "M" => power(1000, 2),
        "G" => power(1000, 3),
        "T" => power(1000, 4),
        "Ki" => 1024,
        "Mi" => power(1024, 2),
        "Gi" => power(1024, 3),
        "Ti" => power(1024, 4),
        "m" => return scaled(number, 1).map(|thousandths| thousandths / 1000),
        _ => return None,
    };
    scaled(number, unit)
}

/// What follows `key` in `line`.
pub(super) fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_once(key).map(|(_, rest)| rest)
}

/// Bytes that follow `key` in `line`, without a unit in `unit` bytes.
pub(super) fn bytes_after(line: &str, key: &str, unit: u64) -> Option<u64> {
    bytes(after(line, key)?, unit)
}

/// Addresses in a range such as `[0x00f8, 0x00fc, 0x0100)`.
pub(super) fn addresses(line: &str) -> Vec<u64> {
    let Some((_, range)) = line.rsplit_once('[') else { return Vec::new() };
    let range = range.split([')', ']']).next().unwrap_or_default();
    range.split(',').filter_map(|word| address(word.trim())).collect()
}

/// An address, with `0x` or without.
pub(super) fn address(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read() {
        for (text, number) in [
            ("320K,", 320 << 10),
            (" 1.50 GB reserved", 3 << 29),
            ("0 bytes", 0),
            ("120036Kb used", 120_036 << 10),
            ("766192 k", 766_192 << 10),
            ("4M, capacity", 4 << 20),
            ("1,234 kB", 1234 << 10),
            ("77 committed", 77),
            ("12 more", 12),
            ("99999999999999999999 GB", u64::MAX),
            ("18446744073709551615KB", u64::MAX),
        ] {
            let expected = if text.starts_with("99999") { None } else { Some(number) };
            assert_eq!(bytes(text, 1), expected, "{text}");
        }
        assert_eq!(bytes("5 ", 1024), Some(5120));
        assert_eq!((bytes("", 1), bytes("x", 1), bytes(".", 1)), (None, None, None));
        assert_eq!((quantity("512Mi"), quantity("1G"), quantity("x")), (Some(512 << 20), Some(1_000_000_000), None));
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(addresses(" x [0x00f8,0x0100, 0x0200)"), [0xf8, 0x100, 0x200]);
        assert_eq!(addresses("none"), [0; 0]);
    }
}
