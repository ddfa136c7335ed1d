//! Problems found while reading a file, grouped by kind: a corrupt file may have millions of them, but yields few parse
//! warnings.

use std::collections::BTreeMap;

use heaplens_base::Count;
use heaplens_heap::{ImportNote, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReadProblem {
    /// Record with an unknown tag.
    UnknownRecord(u8),
    /// Bytes that are no record, where one is due.
    NoRecord,
    /// Record shorter than its contents.
    ShortRecord(u8),
    /// File truncated inside a record header.
    CutHeader,
    /// File truncated inside a record.
    CutRecord,
    /// File truncated inside a heap dump segment.
    CutSegment,
    /// End of file where another heap dump segment, or the end record, is due.
    NoEndMark,
    /// Heap dump with a wrong length; its end was found by parsing it.
    WrongLength,
    /// Segment with a length of 0; its end was found by parsing it.
    NoLength,
    /// Last heap dump of several, without a readable sub-record.
    UnreadableDump,
    /// Sub-record with an unknown tag.
    UnknownObject(u8),
    /// Sub-record with a value of unknown type.
    UnknownType,
    /// Sub-record that extends past its segment, or past the end of the file.
    CutObject,
    /// Sub-record that extends past the declared end of its segment, and is followed by a record.
    ObjectOverEnd,
    /// Segment that ends before its declared end.
    ShortSegment,
    /// Zeros where a record or sub-record is due.
    Zeros,
    /// Bytes behind the end record that are no record.
    Trailing,
}

impl ReadProblem {
    fn severity(self) -> Severity {
        match self {
            Self::WrongLength | Self::NoLength | Self::ObjectOverEnd | Self::Trailing => Severity::Info,
            _ => Severity::DataLost,
        }
    }

    /// Message for the user; `bytes` is the total lost to all problems of this kind.
    fn message(self, bytes: u64) -> String {
        let missing = Count(bytes);
        match self {
            Self::UnknownRecord(tag) => format!("unknown record tag {tag:#04x}: {missing} bytes skipped"),
            Self::NoRecord => format!("unreadable bytes instead of a record: {missing} bytes skipped"),
            Self::ShortRecord(tag) => {
                format!("record with tag {tag:#04x} is shorter than its contents: {missing} bytes skipped")
            }
            Self::CutHeader => format!("file is truncated inside a record header: {missing} bytes skipped"),
            Self::CutRecord => format!("file is truncated inside a record: at least {missing} bytes missing"),
            // Further segments may be missing too.
            Self::CutSegment => {
                format!("file is truncated inside a heap dump segment: at least {missing} bytes missing")
            }
            Self::NoEndMark => {
                "no end record after the last heap dump segment: the file is probably truncated".to_owned()
            }
            Self::WrongLength => {
                "wrong length in the heap dump record (it wraps above 4 GiB): the end was found by parsing its contents"
                    .to_owned()
            }
            Self::NoLength => {
                "heap dump segment with a length of 0, as an interrupted JVM leaves it: its end was found \
                               by parsing its contents"
                    .to_owned()
            }
            Self::UnreadableDump => format!("the last heap dump contains no readable object: {missing} bytes skipped"),
            Self::UnknownObject(tag) => format!("unknown sub-record tag {tag:#04x}: {missing} bytes skipped"),
            Self::UnknownType => format!("sub-record with a value of unknown type: {missing} bytes skipped"),
            Self::CutObject => format!("sub-record extends past the end of its segment: {missing} bytes skipped"),
            Self::ObjectOverEnd => {
                "sub-records that extend past the declared end of their segment: read to their own end".to_owned()
            }
            Self::ShortSegment => {
                format!("heap dump segment ends before its declared end: at least {missing} bytes missing")
            }
            Self::Trailing => format!("bytes behind the end of the dump that are no record: {missing} bytes skipped"),
            Self::Zeros => {
                format!("zeros instead of records, as in a hole of an incomplete copy: {missing} bytes skipped")
            }
        }
    }
}

/// All problems of one kind.
#[derive(Debug, Clone, Copy)]
struct Occurrences {
    count: u64,
    bytes: u64,
    first: u64,
}

#[derive(Debug, Default)]
pub(super) struct ReadProblems(BTreeMap<ReadProblem, Occurrences>);

impl ReadProblems {
    /// Adds a problem at `offset` that cost `bytes`.
    pub(super) fn add(&mut self, problem: ReadProblem, bytes: u64, offset: u64) {
        self.add_all(problem, Occurrences { count: 1, bytes, first: offset });
    }

    /// Merges the problems of another part of the file.
    pub(super) fn join(&mut self, other: Self) {
        for (problem, occurrences) in other.0 {
            self.add_all(problem, occurrences);
        }
    }

    fn add_all(&mut self, problem: ReadProblem, occurrences: Occurrences) {
        let all = self.0.entry(problem).or_insert(Occurrences { count: 0, bytes: 0, first: u64::MAX });
        all.count += occurrences.count;
        all.bytes = all.bytes.saturating_add(occurrences.bytes);
        all.first = all.first.min(occurrences.first);
    }

    pub(super) fn any_lost(&self) -> bool {
        self.0.keys().any(|problem| problem.severity() == Severity::DataLost)
    }

    /// Parse warnings, one per kind, in file order.
    pub(super) fn notes(&self) -> Vec<ImportNote> {
        let note = |(problem, occurrences): (&ReadProblem, &Occurrences)| {
            let message = problem.message(occurrences.bytes);
            ImportNote::new(problem.severity(), occurrences.count, message, Some(occurrences.first))
        };
        let mut notes: Vec<ImportNote> = self.0.iter().map(note).collect();
        notes.sort_by_key(|note| note.first_offset);
        notes
    }
}
