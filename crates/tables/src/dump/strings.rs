//! Duplicate strings, their cost and holders.

use std::sync::Arc;

use crate::columns::{Columns, Value, heading, json};
use crate::relation::{Relation, relation};
use crate::{Job, RowOf, TableContext, TableError, Totals, TypedTable};
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
        .text(|(strings, group), dump| Some(strings.text(dump, group).into())),
    heading("objects", "Strings", "Number of strings with this value").count(|(_, group), _| Some(group.objects)),
    heading("shallow_bytes", "Shallow size", "Bytes of the strings and their character arrays")
        .bytes(|(_, group), _| Some(group.shallow)),
    heading("wasted_bytes", "Wasted", "Bytes freed if only one copy of the string existed")
        .bytes(|(_, group), _| Some(group.wasted)),
    heading("held_by", "Holders", "Most frequent fields and arrays that hold these strings")
        .text(|(strings, group): (&Strings, &TextGroup), dump| {
            let named = |holder: &Holder| format!("{} ×{}", holder.name, holder.objects);
            let holders: Vec<String> = strings.holders(dump, group).iter().map(named).collect();
            Some(holders.join(", ").into())
        })
        .in_json(|(strings, group), dump, _, out| {
            let named = |holder: Holder| serde_json::json!({ "name": holder.name, "objects": holder.objects });
            json(out, &strings.holders(dump, group).into_iter().map(named).collect::<Vec<_>>())
        }),
]];

/// Duplicate strings.
pub const STRINGS: Relation = relation!("strings", COLUMNS)
    .named("strings", "Duplicate strings by value")
    .with_help(Job::Waste.more(), "List duplicate strings with wasted bytes and owners")
    .sorted_by("wasted_bytes")
    .computed("Duplicate strings", |dump, _, task| Ok(Arc::new(Strings::of(dump, task)?)));

/// Duplicate strings, most wasted bytes first.
pub struct Strings(pub Arc<DuplicateStrings>);

impl Strings {
    /// Computes the rows.
    pub fn of(dump: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(dump.data().answer(&StringsQuestion, task)?))
    }

    fn text(&self, dump: TableContext<'_>, group: &TextGroup) -> String {
        self.0.text(dump.data(), group)
    }

    fn holders(&self, dump: TableContext<'_>, group: &TextGroup) -> Vec<Holder> {
        self.0.held_by(dump.data(), group, HOLDERS)
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

    fn passes(&self, dump: TableContext<'_>, (_, group): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&self.text(dump, group))
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
