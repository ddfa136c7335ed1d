//! Which entries of a collection a cut means, by their index in its order.

use std::fmt;
use std::ops::Range;

/// Entries by index, from 0; a negative number counts from the end. `[*]` are all, `[..-1000]` all but the last 1,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryRange {
    /// The first entry; `None`: that of the collection.
    pub begin: Option<i64>,
    /// The entry after the last one; `None`: the end of the collection.
    pub end: Option<i64>,
}

impl EntryRange {
    /// All entries.
    pub const ALL: Self = Self { begin: None, end: None };

    /// All but the last `left` entries; with 0, all.
    pub fn all_but_last(left: u32) -> Self {
        if left == 0 { Self::ALL } else { Self { begin: None, end: Some(-i64::from(left)) } }
    }

    /// Splits a text that ends with a range: `name[..-1000]`, `name[*]`. `None` if it ends otherwise.
    pub(super) fn split(text: &str) -> Option<(&str, Self)> {
        let inside = text.strip_suffix(']')?;
        let (name, inside) = inside.rsplit_once('[')?;
        if inside == "*" {
            return Some((name, Self::ALL));
        }
        let (begin, end) = inside.split_once("..")?;
        let bound = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
        Some((name, Self { begin: bound(begin)?, end: bound(end)? }))
    }

    /// The indexes in a collection of this size.
    pub(super) fn within(self, size: u64) -> Range<u64> {
        let at = |bound: i64| match bound {
            0.. => bound.unsigned_abs().min(size),
            _ => size.saturating_sub(bound.unsigned_abs()),
        };
        let (begin, end) = (self.begin.map_or(0, at), self.end.map_or(size, at));
        begin..end.max(begin)
    }
}

impl fmt::Display for EntryRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("[*]");
        }
        let bound = |bound: Option<i64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
        write!(f, "[{}..{}]", bound(self.begin), bound(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_written() {
        for text in ["a[*]", "a.b[3..7]", "a[\"k\"][..-1000]", "0x12[-5..]", "a[2..]", "[-9..-2]"] {
            let (name, range) = EntryRange::split(text).expect(text);
            assert_eq!(format!("{name}{range}"), text);
        }
        assert_eq!(EntryRange::split("a[..]"), Some(("a", EntryRange::ALL)));
        for text in
            ["a[17]", "a[\"1..2\"]", "a[x..]", "a{*}", "a", "a[1..2", "1..2]", "a[1...2]", "a[..99999999999999999999]"]
        {
            assert_eq!(EntryRange::split(text), None, "{text}");
        }
    }

    #[test]
    fn bounds_are_clipped_to_the_collection() {
        let within = |text: &str, size| EntryRange::split(text).expect("a range").1.within(size);
        assert_eq!(within("[*]", 10), 0..10);
        assert_eq!(within("[..-3]", 10), 0..7);
        assert_eq!(within("[-3..]", 10), 7..10);
        assert_eq!(within("[..-30]", 10), 0..0);
        assert_eq!(within("[4..2]", 10), 4..4);
        assert_eq!(within("[4..20]", 10), 4..10);
        assert_eq!(within("[-9223372036854775808..9223372036854775807]", 10), 0..10);
        assert_eq!(EntryRange::all_but_last(3).within(10), 0..7);
        assert_eq!(EntryRange::all_but_last(0).within(10), 0..10);
    }
}
