//! String values that occur more than once, with their owners and strings below.

use super::rows::{Cell, Name, Row, Rows};
use crate::{RowTarget, Strings, TableContext};
use heaplens_analysis::strings::{DuplicateStrings, TextGroup};
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of values with owners, and of owners per value.
const HELD_BY: (usize, usize) = (200, 3);

/// Maximum number of listed values, and of strings per value.
const LISTED: (usize, usize) = (10_000, 100);

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = Strings::of(TableContext::of(dump), task)?;
    let strings = &table.0;
    let mut rows = Vec::new();
    for (at, group) in strings.groups.iter().take(LISTED.0).enumerate() {
        task.checkpoint()?;
        let text = strings.text(dump.data(), group);
        let cells = vec![Cell::count(group.objects), Cell::bytes(group.shallow), Cell::bytes(group.wasted)];
        let row = Row::words(0, format!("“{text}”"), cells);
        rows.push(Row { found_by: text, leads: RowTarget::Object(group.first), ..row });
        if at < HELD_BY.0 {
            rows.extend(holders(dump, strings, group));
        }
        rows.extend(strings.members(group).iter().take(LISTED.1).map(|&string| Row {
            depth: 1,
            name: Name::Object(None, string),
            found_by: String::new(),
            cells: Vec::new(),
            leads: RowTarget::Object(string),
        }));
    }
    let texts = Count(strings.groups.len() as u64).of("value", "values");
    let mut summary =
        format!("{texts} · {} · {} wasted", Count(strings.objects).of("string", "strings"), strings.wasted);
    if let Some(uncompared) = strings.uncompared.sentence() {
        summary = format!("{summary} · {uncompared}");
    }
    Ok(Rows::new(table, rows, summary))
}

fn holders(dump: &OpenDump, strings: &DuplicateStrings, group: &TextGroup) -> Vec<Row> {
    let holders = strings.held_by(dump.data(), group, HELD_BY.1);
    let row = |holder: heaplens_analysis::strings::Holder| {
        let row = Row::words(1, format!("held by {}", holder.name), vec![Cell::count(holder.objects)]);
        Row { found_by: holder.name, ..row }
    };
    holders.into_iter().map(row).collect()
}
