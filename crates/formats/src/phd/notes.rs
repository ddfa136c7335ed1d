//! Parse warnings for PHD files.

use super::{header::Header, records::End};
use heaplens_base::Count;
use heaplens_heap::{ImportNote, Severity};

/// Parse warning if reading ended before the end tag.
pub(super) fn of_end((offset, end): (u64, End), bytes: u64) -> Option<ImportNote> {
    let left = Count(bytes - offset.min(bytes));
    let message = match end {
        End::Mark | End::Bound => return None,
        End::NoMark => "no end tag after the last record: the file is probably truncated".to_owned(),
        End::CutOff => format!(
            "file is truncated inside a record, {left} bytes of it are present: everything after it is missing, \
             possibly the classes of most objects, which come last"
        ),
        End::UnknownTag(tag) => format!("unknown record tag {tag:#04x}: the remaining {left} bytes could not be read"),
    };
    Some(ImportNote::new(Severity::DataLost, 1, message, Some(offset)))
}

/// Parse warning if the header declares other totals than were read.
pub(super) fn of_totals(header: &Header, records: u64, references: u64) -> Option<ImportNote> {
    let (said_objects, said_references) = header.totals?;
    let is = |declared: u32, read: u64| declared == 0 || u64::from(declared) == read;
    if is(said_objects, records) && is(said_references, references) {
        return None;
    }
    let message = format!(
        "the header declares {} objects and {} references, but the file contains {} and {}",
        Count(said_objects.into()),
        Count(said_references.into()),
        Count(records),
        Count(references)
    );
    Some(ImportNote::new(Severity::Error, 1, message, None))
}
