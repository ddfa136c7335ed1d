//! Duplicate strings, their cost and holders.

use std::sync::Arc;

use serde_json::json;

use crate::columns::{Columns, Value, heading};
use crate::relation::{Relation, relation};
use crate::{RowOf, TableContext, TableError, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::strings::{DuplicateStrings, Holder, StringsQuestion, TextGroup};
use heaplens_base::{Bytes, Task};

/// Maximum number of holders listed per string.
const HOLDERS: usize = 3;
/// Maximum number of characters in text forms.
const CHARACTERS: usize = 60;

pub(crate) const COLUMNS: Columns<(Strings, TextGroup)> = &[&[
    heading("text", "Value", "String value, shortened in text output")
        .for_people(shortened)
        .text(|(strings, group), from| Some(strings.text(from, group).into())),
    heading("objects", "Strings", "Number of strings with this value").count(|(_, group), _| Some(group.objects)),
    heading("shallow_bytes", "Shallow size", "Bytes of the strings and their character arrays")
        .bytes(|(_, group), _| Some(group.shallow)),
    heading("wasted_bytes", "Wasted", "Bytes freed if only one copy of the string existed")
        .bytes(|(_, group), _| Some(group.wasted)),
    heading("held_by", "Holders", "Most frequent fields and arrays that hold these strings")
        .text(|(strings, group): (&Strings, &TextGroup), from| {
            let named = |holder: &Holder| format!("{} ×{}", holder.name, holder.objects);
            let holders: Vec<String> = strings.holders(from, group).iter().map(named).collect();
            Some(holders.join(", ").into())
        })
        .in_json(|(strings, group), from| {
            let named = |holder: Holder| json!({ "name": holder.name, "objects": holder.objects });
            strings.holders(from, group).into_iter().map(named).collect()
        }),
]];

/// Duplicate strings.
pub const STRINGS: Relation = relation!("strings", COLUMNS)
    .named("strings", "Duplicate strings by value")
    .with_help("List duplicate strings with wasted bytes and owners")
    .sorted_by("wasted_bytes")
    .computed("Duplicate strings", |from, _, task| Ok(Arc::new(Strings::of(from, task)?)));

/// Duplicate strings, most wasted bytes first.
pub struct Strings(pub Arc<DuplicateStrings>);

impl Strings {
    /// Computes the rows.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(from.data().answer(&StringsQuestion, task)?))
    }

    fn text(&self, from: TableContext<'_>, group: &TextGroup) -> String {
        self.0.text(from.heap, from.contents, group)
    }

    fn holders(&self, from: TableContext<'_>, group: &TextGroup) -> Vec<Holder> {
        self.0.held_by(from.heap, from.contents, from.analysis, group, HOLDERS)
    }
}

impl TypedTable for Strings {
    type Record = (Strings, TextGroup);
    const COLUMNS: Columns<Self::Record> = COLUMNS;
    const LIST: (&'static str, bool) = ("rows", true);

    fn count(&self) -> usize {
        self.0.groups.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some((self, self.0.groups.get(row)?))
    }

    fn passes(&self, from: TableContext<'_>, (_, group): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&self.text(from, group))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let groups = || rows.iter().filter_map(|&row| self.0.groups.get(row as usize));
        let mut totals = vec![
            ("groups", Value::Count(rows.len() as u64)),
            ("objects", Value::Count(groups().map(|group| group.objects).sum())),
            ("shallow_bytes", Value::Bytes(groups().map(|group| group.shallow).sum::<Bytes>())),
            ("wasted_bytes", Value::Bytes(groups().map(|group| group.wasted).sum::<Bytes>())),
        ];
        // Of all strings of the dump, whatever the filter: their texts are not known.
        let uncompared = self.0.uncompared.partial + self.0.uncompared.unavailable;
        totals.extend((uncompared > 0).then_some(("uncompared", Value::Count(uncompared))));
        totals
    }
}

/// A cell shortened to fit a line.
pub(crate) fn shortened(cell: Value<'_>) -> Value<'_> {
    cell.map_text(|text| match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    })
}
