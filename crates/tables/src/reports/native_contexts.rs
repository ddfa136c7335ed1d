//! Memory per native context (page, iframe, `vm` context); below each, by class, the objects that belong to it alone.

use std::sync::Arc;

use super::rows::{Cell, Name, Row, Rows};
use crate::dump::javascript::{context_table, opened};
use crate::{RowTarget, TableContext};
use heaplens_analysis::javascript::native_contexts::{NativeContextRow, native_contexts};
use heaplens_base::{Count, Task};
use heaplens_core::heap::Totals;
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed classes of a context.
const LISTED: usize = 200;

/// Computes the rows.
///
/// # Errors
/// If the task is cancelled, or the dump is no snapshot.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let found = native_contexts(opened(TableContext::of(dump))?, task)?;
    let mut rows = Vec::new();
    for of in &found.rows {
        task.checkpoint()?;
        rows.push(row(&called(dump, of), of.totals, RowTarget::Object(of.context)));
        class_rows(dump, of, &mut rows);
    }
    rows.push(row("Shared by several contexts", found.shared, RowTarget::None));
    rows.push(row("Not in any context", found.nobodys, RowTarget::None));
    let summary = Count(found.rows.len() as u64).of("native context", "native contexts");
    Ok(Rows::new(Arc::new(context_table(&found)), rows, summary))
}

/// `file:// @1507`: several pages may have the same address.
fn called(dump: &OpenDump, of: &NativeContextRow) -> String {
    let name = of.name.strip_prefix("system / ").unwrap_or(&of.name);
    format!("{name}  {}", dump.heap.id_text(of.context))
}

fn row(name: &str, totals: Totals, leads: RowTarget) -> Row {
    Row {
        depth: 0,
        name: Name::Words(name.to_owned()),
        found_by: name.to_owned(),
        cells: vec![Cell::Count(totals.objects), Cell::Bytes(totals.shallow)],
        leads,
    }
}

fn class_rows(dump: &OpenDump, of: &NativeContextRow, rows: &mut Vec<Row>) {
    rows.extend(of.classes.iter().take(LISTED).map(|&(class, totals)| {
        let name = &dump.heap.classes.get(class).name;
        Row {
            depth: 1,
            name: Name::Class(name.clone()),
            found_by: name.to_string(),
            cells: vec![Cell::Count(totals.objects), Cell::Bytes(totals.shallow)],
            leads: RowTarget::Class(class),
        }
    }));
}
