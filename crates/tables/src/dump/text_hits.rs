//! Strings that contain a text.

use crate::columns::{Columns, Value, heading, headings};
use crate::{RowOf, TableContext, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::search::CHARACTERS as SEARCHED;
use heaplens_heap::ObjectId;

/// Maximum number of characters written per string.
const CHARACTERS: usize = 1_000;
/// Length in characters of the excerpt around a match.
const SHORT: usize = 80;

pub(crate) const COLUMNS: Columns<(TextHits, ObjectId)> = &[&[
    headings::ID.object(|(_, hit), _| Some(*hit)),
    headings::CLASS.text(|(_, hit), dump| dump.class_of(*hit)),
    heading("text", "Value", "String value around the match")
        .text(|(table, hit), dump| Some(table.text(dump, *hit).into())),
    headings::SHALLOW.bytes(|(_, hit), dump| Some(dump.heap.shallow(*hit))),
    headings::RETAINED.bytes(|(_, hit), dump| Some(dump.analysis.retained(*hit))),
]];

/// Strings that were found.
pub struct TextHits {
    /// The strings.
    pub hits: Vec<ObjectId>,
    /// The text, for excerpts around it; `None`: the begin of each string.
    pub excerpt: Option<TextFilter>,
}

impl TextHits {
    fn text(&self, dump: TableContext<'_>, hit: ObjectId) -> String {
        let read = |characters| dump.contents.text(dump.heap, hit, characters).unwrap_or_default();
        match &self.excerpt {
            Some(wanted) => wanted.excerpt(&read(SEARCHED), SHORT).0,
            None => read(CHARACTERS),
        }
    }
}

impl TypedTable for TextHits {
    type Record = (TextHits, ObjectId);
    const COLUMNS: Columns<Self::Record> = COLUMNS;

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some((self, self.hits.get(row)?))
    }

    fn passes(&self, dump: TableContext<'_>, (_, &hit): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        let text = || Some(dump.contents.text(dump.heap, hit, CHARACTERS).unwrap_or_default());
        filter.matches_object(&dump.heap.class(hit).name, text)
    }

    fn totals(&self, dump: TableContext<'_>, rows: &[u32]) -> Totals {
        let hits = rows.iter().filter_map(|&row| self.hits.get(row as usize).copied());
        let retained = dump.analysis.retained_together(hits);
        vec![("objects", Value::Count(rows.len() as u64)), ("retained_bytes", Value::Bytes(retained))]
    }
}
