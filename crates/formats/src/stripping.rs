//! What removing values means for every format: the options, the statistics, and the marker in the written file.

use heaplens_heap::{ImportNote, Severity};

/// What to remove besides strings, arrays of numbers and boxed values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StripOptions {
    /// Heaps of Android to keep; empty: all.
    pub heaps: Vec<String>,
    /// Also sets numbers in fields to zero, except those that sizes, counts and states are read from.
    pub numbers: bool,
    /// Also replaces names of properties of snapshots that are keys of objects used as dictionaries.
    pub keys: bool,
}

/// Statistics of a stripped dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StripStatistics {
    /// Number of objects written, without class objects.
    pub objects: u64,
    /// Number of primitive arrays and boxed values, or of nodes of a snapshot, that were blanked.
    pub blanked: u64,
    /// Number of objects and classes with numbers in fields that were set to zero.
    pub zeroed: u64,
    /// Number of strings of the string table that nothing refers to and that were blanked: constants of the source are
    /// among them.
    pub names: u64,
    /// Names of properties that are keys of objects used as dictionaries: replaced if asked for, otherwise kept.
    pub keys: u64,
    /// Arrays without recorded contents that are too long to be filled with blanks.
    pub unfilled: u64,
    /// Objects outside the selected heaps.
    pub left_out: u64,
    /// True if the packed form of the dump is truncated, or its checksum does not match.
    pub is_damaged: bool,
    /// Number of objects with bytes of no known meaning that were set to zero.
    pub unassigned: u64,
    /// Offset at which the dump became unreadable.
    pub broken: Option<u64>,
    /// What could not be read, and was left out.
    pub notes: Vec<ImportNote>,
}

/// Beginning of a marker.
const MARKER: &str = "heaplens strip";
/// Options in the order in which a marker names them.
const NUMBERS: &str = " --numbers";
const KEYS: &str = " --keys";
/// Separates the options from the version.
const VERSION: &str = ", version ";
/// Maximum length of a marker in bytes.
pub(super) const LONGEST: usize = 128;

/// What was removed from a stripped file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct StripMarker {
    numbers: bool,
    keys: bool,
}

impl StripMarker {
    /// Marker for a file written with `options` from one that had the marker `before`: what is gone stays gone.
    pub(super) fn new(options: &StripOptions, before: Option<Self>) -> Self {
        let before = before.unwrap_or_default();
        Self { numbers: options.numbers || before.numbers, keys: options.keys || before.keys }
    }

    /// The marker that a text is.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(MARKER)?;
        let (rest, numbers) = rest.strip_prefix(NUMBERS).map_or((rest, false), |rest| (rest, true));
        let (rest, keys) = rest.strip_prefix(KEYS).map_or((rest, false), |rest| (rest, true));
        let version = rest.strip_prefix(VERSION)?;
        // Anything else would be a text of the program.
        let is_version = version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        is_version.then_some(Self { numbers, keys })
    }

    /// Text of the marker in a file.
    pub(super) fn text(self) -> String {
        format!("{}{VERSION}{}", self.command(), env!("CARGO_PKG_VERSION"))
    }

    fn command(self) -> String {
        let Self { numbers, keys } = self;
        [(true, MARKER), (numbers, NUMBERS), (keys, KEYS)]
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, text)| text)
            .collect()
    }

    /// Note about a file with this marker.
    pub(super) fn note(self) -> ImportNote {
        ImportNote::new(Severity::Info, 1, format!("values were removed by {}", self.command()), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read_as_written() {
        for (numbers, keys) in [(false, false), (true, false), (false, true), (true, true)] {
            let marker = StripMarker { numbers, keys };
            assert_eq!(StripMarker::parse(&marker.text()), Some(marker));
            assert!(marker.text().len() < LONGEST);
        }
        assert_eq!(StripMarker::parse("heaplens strips paint"), None);
        assert_eq!(StripMarker::parse("heaplens strip, version 1.0 hunter2"), None);
        let before = StripMarker { numbers: true, keys: false };
        assert_eq!(StripMarker::new(&StripOptions::default(), Some(before)), before);
    }
}
