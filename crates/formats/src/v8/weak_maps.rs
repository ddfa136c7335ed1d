//! WeakMap entries. V8 writes two edges to the value of each, one from the key and one from the table, both named `3 /
//! part of key (Key @17) -> value (Value @19) pair in WeakMap (table @23)`.

use std::sync::LazyLock;

use regex::Regex;

/// Parsed name of an edge of a WeakMap entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Common part of the names of both edges: everything after the first number.
    pub(super) pair: String,
    /// Id of the table node.
    pub(super) table: u64,
}

/// Same pattern as in DevTools: names may contain anything except line ends, and matches are minimal.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = "[^\n\r\u{2028}\u{2029}]*?";
    let pattern = format!(
        r"^[0-9]+( / part of key \({name} @[0-9]+\) -> value \({name} @[0-9]+\) pair in WeakMap \(table @([0-9]+)\))$"
    );
    Regex::new(&pattern).ok()
});

/// WeakMap entry of an edge with this name.
pub(super) fn entry(name: &str) -> Option<Entry> {
    let captures = PATTERN.as_ref()?.captures(name)?;
    Some(Entry { pair: captures.get(1)?.as_str().to_owned(), table: captures.get(2)?.as_str().parse().ok()? })
}

/// Ids of the key and of the value in the name of an edge of a WeakMap entry.
pub(super) fn ids_in(name: &str) -> impl Iterator<Item = u64> {
    let ids = name.match_indices(" @").filter_map(|(at, mark)| {
        let digits = name.get(at + mark.len()..)?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits.get(..end)?.parse().ok()
    });
    ids.take(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_edges_of_a_weak_map_entry_are_recognised() {
        let of = |number: u32, key: &str| {
            entry(&format!("{number} / part of key ({key} @17) -> value (V @19) pair in WeakMap (table @23)"))
        };
        let (first, second) = (of(1, "K").unwrap(), of(3, "K").unwrap());
        assert_eq!(first, second);
        assert_eq!(first.table, 23);
        assert_ne!(of(1, "J"), of(1, "K"));
        assert_eq!(ids_in("part of key (Key @17) -> value (V @19) pair").collect::<Vec<_>>(), [17, 19]);
        assert_eq!(of(1, "a\nb"), None, "a name with a line end is not recognised, as in DevTools");
        assert_eq!(entry("1 / part of key (K @17)"), None);
    }
}
