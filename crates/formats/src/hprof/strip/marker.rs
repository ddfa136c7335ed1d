//! The marker of a stripped dump: a string that nothing refers to, which other tools read and ignore.

use crate::cursor::Cursor;
use crate::hprof::records::Index;
use crate::stripping::{LONGEST, StripMarker};
use heaplens_heap::ImportNote;

/// Id of the marker, `heaplens` in ASCII; if the dump uses it, one of the following.
const ID: [u8; 8] = *b"heaplens";
/// Number of ids that are tried.
const TRIES: u64 = 64;

/// Ids that a marker may have.
fn ids(id_bytes: u32) -> impl Iterator<Item = u64> {
    let id = u64::from_be_bytes(ID);
    let first = if id_bytes == 8 { id } else { id >> 32 };
    (0..TRIES).map(move |more| first + more)
}

/// The marker of a dump and its id.
pub(super) fn find_marker(file: &[u8], index: &Index) -> Option<(u64, StripMarker)> {
    ids(index.id_bytes).find_map(|id| {
        let &(offset, length) = index.strings.get(&id)?;
        let text = Cursor::new(file, offset).take(u64::from(length).min(LONGEST as u64))?;
        Some((id, StripMarker::parse(std::str::from_utf8(text).ok()?)?))
    })
}

/// An id that the dump does not use.
pub(super) fn free_id(index: &Index) -> u64 {
    let is_used = |id: &u64| index.strings.contains_key(id);
    // Beyond these, any unused one: the marker is then not found again, which loses a note.
    ids(index.id_bytes).find(|id| !is_used(id)).or_else(|| (1..=u32::MAX.into()).find(|id| !is_used(id))).unwrap_or(0)
}

/// Note about a dump with a marker.
pub(in crate::hprof) fn note(file: &[u8], index: &Index) -> Option<ImportNote> {
    find_marker(file, index).map(|(_, marker)| marker.note())
}
