//! Strings that contain a text.

use crate::columns::{Cell, Columns, Record, heading, headings};
use crate::{TableContext, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::search::CHARACTERS as SEARCHED;
use heaplens_core::heap::ObjectId;

/// Maximum number of characters written per string.
const CHARACTERS: usize = 1_000;
/// Length in characters of the excerpt around a match.
const SHORT: usize = 80;

pub(crate) const COLUMNS: Columns<TextHitRows> = &[&[
    headings::ID.object(|hit, _| Some(hit.object)),
    headings::CLASS.text(|hit, from| from.class_of(hit.object)),
    heading("text", "Value", "String value around the match").text(|hit, from| Some(hit.text(from).into())),
    headings::SHALLOW.bytes(|hit, from| Some(from.heap.shallow(hit.object))),
    headings::RETAINED.bytes(|hit, from| Some(from.analysis.retained(hit.object))),
]];

/// Strings that were found.
pub struct TextHits {
    /// The strings.
    pub hits: Vec<ObjectId>,
    /// The text, for excerpts around it; `None`: the begin of each string.
    pub excerpt: Option<TextFilter>,
}

/// A string in its table.
#[derive(Clone, Copy)]
pub struct TextHit<'a> {
    table: &'a TextHits,
    object: ObjectId,
}

/// Strings that were found.
pub struct TextHitRows;

impl Record for TextHitRows {
    type Row<'a> = TextHit<'a>;
}

impl TextHit<'_> {
    fn text(self, from: TableContext<'_>) -> String {
        let read = |characters| from.contents.text(from.heap, self.object, characters).unwrap_or_default();
        match &self.table.excerpt {
            Some(wanted) => wanted.excerpt(&read(SEARCHED), SHORT).0,
            None => read(CHARACTERS),
        }
    }
}

impl TypedTable for TextHits {
    type Record = TextHitRows;
    const COLUMNS: Columns<TextHitRows> = COLUMNS;

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn row(&self, row: usize) -> Option<TextHit<'_>> {
        Some(TextHit { table: self, object: *self.hits.get(row)? })
    }

    fn passes(&self, from: TableContext<'_>, hit: TextHit<'_>, filter: &TextFilter) -> bool {
        let text = || Some(from.contents.text(from.heap, hit.object, CHARACTERS).unwrap_or_default());
        filter.matches_object(&from.heap.class(hit.object).name, text)
    }

    fn totals(&self, from: TableContext<'_>, rows: &[u32]) -> Totals {
        let hits = rows.iter().filter_map(|&row| self.hits.get(row as usize).copied());
        let retained = from.analysis.retained_together(hits);
        vec![("objects", Cell::Count(rows.len() as u64)), ("retained_bytes", Cell::Size(retained))]
    }
}
