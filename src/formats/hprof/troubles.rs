//! Places where the file could not be read as it should have been, gathered by
//! kind: a file of rubbish has millions of places, but makes few notes.

use std::collections::BTreeMap;

use crate::heap::notes::{ImportNote, Severity};
use crate::units::Count;

/// What is wrong with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trouble {
    /// A record of a tag nobody knows.
    UnknownRecord(u8),
    /// A record that ends before its contents do.
    ShortRecord(u8),
    /// The file ends inside a record's header.
    CutHeader,
    /// The file ends inside a record.
    CutRecord,
    /// The file ends inside a heap dump segment.
    CutSegment,
    /// The file ends where another heap dump segment, or the end mark, is due.
    NoEndMark,
    /// A heap dump whose length had to be found out.
    WrongLength,
    /// A heap dump without a readable sub-record, behind all others.
    UnreadableDump,
    /// A sub-record of a tag nobody knows.
    UnknownObject(u8),
    /// A sub-record with a value of a type nobody knows.
    UnknownType,
    /// A sub-record that goes past its segment.
    CutObject,
}

impl Trouble {
    fn severity(self) -> Severity {
        if self == Self::WrongLength { Severity::Info } else { Severity::DataLost }
    }

    /// For a person; `bytes` were lost to all such places together.
    fn message(self, bytes: u64) -> String {
        let lost = Count(bytes);
        match self {
            Self::UnknownRecord(tag) => {
                format!("unknown record tag {tag:#04x}: {lost} bytes were skipped by its length")
            }
            Self::ShortRecord(tag) => {
                format!("a record of tag {tag:#04x} is shorter than its contents: its {lost} bytes were skipped")
            }
            Self::CutHeader => format!("the file ends inside a record header: {lost} bytes of it were skipped"),
            Self::CutRecord => format!("the file ends inside a record: {lost} bytes of it are missing"),
            Self::CutSegment => format!("the file ends inside a heap dump segment: {lost} bytes of it are missing"),
            Self::NoEndMark => {
                "the file has no end mark after its last heap dump segment: it was probably cut off".to_owned()
            }
            Self::WrongLength => {
                "the length of the heap dump record is wrong (past 4 GiB it wraps): its end was found by reading it"
                    .to_owned()
            }
            Self::UnreadableDump => format!("the last heap dump has no readable object: its {lost} bytes were skipped"),
            Self::UnknownObject(tag) => {
                format!("unknown kind of object record {tag:#04x}: the rest of its segment, {lost} bytes, was skipped")
            }
            Self::UnknownType => format!(
                "an object record has a value of an unknown type: the rest of its segment, {lost} bytes, was skipped"
            ),
            Self::CutObject => {
                format!("an object record is cut off: {lost} bytes at the end of its segment were skipped")
            }
        }
    }
}

/// All places of one kind.
#[derive(Debug, Clone, Copy)]
struct Places {
    count: u64,
    bytes: u64,
    first: u64,
}

/// All troubles of a reading.
#[derive(Debug, Default)]
pub(super) struct Troubles(BTreeMap<Trouble, Places>);

impl Troubles {
    /// Takes in a place, at `offset`, that cost `bytes`.
    pub(super) fn add(&mut self, trouble: Trouble, bytes: u64, offset: u64) {
        self.add_all(trouble, Places { count: 1, bytes, first: offset });
    }

    /// Takes in the troubles of another part of the file.
    pub(super) fn join(&mut self, other: Self) {
        for (trouble, places) in other.0 {
            self.add_all(trouble, places);
        }
    }

    fn add_all(&mut self, trouble: Trouble, places: Places) {
        let all = self.0.entry(trouble).or_insert(Places { count: 0, bytes: 0, first: u64::MAX });
        all.count += places.count;
        all.bytes = all.bytes.saturating_add(places.bytes);
        all.first = all.first.min(places.first);
    }

    /// Whether anything is missing.
    pub(super) fn any_lost(&self) -> bool {
        self.0.keys().any(|trouble| trouble.severity() == Severity::DataLost)
    }

    /// A note for each kind, as they come in the file.
    pub(super) fn notes(&self) -> Vec<ImportNote> {
        let note = |(trouble, places): (&Trouble, &Places)| {
            let message = trouble.message(places.bytes);
            ImportNote::new(trouble.severity(), places.count, message, Some(places.first))
        };
        let mut notes: Vec<ImportNote> = self.0.iter().map(note).collect();
        notes.sort_by_key(|note| note.first_offset);
        notes
    }
}
