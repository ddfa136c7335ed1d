//! Replacements of values: as long as the value, equal for equal values and different for different ones, so that counts
//! of duplicates, shapes and lengths stay as they are. They consist of characters that no text of a program has, so that
//! they are recognized.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

/// Fills a replacement up to its length.
const BLANK: char = '?';
/// First of the 256 characters that number the values of a length: Braille patterns, which texts do not have.
const DIGITS: u32 = 0x2800;
const BASE: u64 = 256;
/// First character of the private use area and their number: for lengths of which there are too many values.
const MORE_DIGITS: u32 = 0xe000;
const MORE_BASE: u64 = 6_400;

/// Replacements given out so far.
#[derive(Default)]
pub(super) struct Placeholders {
    /// By hash of the text: its number among those of its length.
    numbers: FxHashMap<u64, u64>,
    /// By length in UTF-16 units: the next number.
    next: FxHashMap<usize, u64>,
}

/// A replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placeholder {
    number: u64,
    units: usize,
}

impl Placeholders {
    /// Replacement of a text with a length in UTF-16 units.
    pub(super) fn of(&mut self, text: &str, units: usize) -> Placeholder {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(text);
        let next = self.next.entry(units).or_default();
        let number = *self.numbers.entry(hash).or_insert_with(|| {
            *next += 1;
            *next - 1
        });
        Placeholder { number, units }
    }
}

impl Placeholder {
    /// Number of blanks, and the characters after them.
    pub(super) fn parts(self) -> (usize, String) {
        let fits = |base: u64| u32::try_from(self.units).ok().and_then(|units| base.checked_pow(units));
        // Up to 8 Braille characters number more values than there may be.
        let (first, base) = match fits(BASE) {
            Some(most) if self.number >= most => (MORE_DIGITS, MORE_BASE),
            _ => (DIGITS, BASE),
        };
        let (mut left, mut digits) = (self.number, Vec::new());
        while left > 0 && digits.len() < self.units {
            digits.extend(char::from_u32(first + (left % base) as u32));
            left /= base;
        }
        (self.units - digits.len(), digits.iter().rev().collect())
    }
}

/// True if a text is a replacement, or empty: it has no value.
pub(in crate::v8) fn is_placeholder(text: &str) -> bool {
    let is_of = |c: char, first: u32, count: u64| {
        let code = u32::from(c);
        code >= first && u64::from(code - first) < count
    };
    text.chars().all(|c| c == BLANK || is_of(c, DIGITS, BASE) || is_of(c, MORE_DIGITS, MORE_BASE))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::v8::text::units;

    #[test]
    fn values_of_any_length_stay_distinct_and_as_long() {
        for length in [0, 1, 2, 3, 40] {
            let (mut all, mut seen) = (Placeholders::default(), HashSet::new());
            let count = if length == 0 { 1 } else { 3_000 };
            for value in 0..count {
                let (blanks, digits) = all.of(&format!("{length} {value}"), length).parts();
                let text = "?".repeat(blanks) + &digits;
                assert_eq!(units(&text), length, "{text}");
                assert!(is_placeholder(&text), "{text}");
                assert!(seen.insert(text), "value {value} of length {length}");
            }
            assert_eq!(all.of(&format!("{length} 0"), length), Placeholder { number: 0, units: length });
        }
        assert!(!is_placeholder("a") && !is_placeholder("??a") && is_placeholder("???"));
    }
}
