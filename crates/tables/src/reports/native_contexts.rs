//! Memory per native context (page, iframe, `vm` context); below each, by class, the objects that belong to it alone.

use super::rows::{Cell, Row, Rows};
use crate::dump::javascript::{context_table, opened};
use crate::{RowTarget, TableContext};
use heaplens_analysis::javascript::native_contexts::{NativeContextRow, native_contexts};
use heaplens_base::{Count, Task};
use heaplens_heap::Totals;
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed classes of a context.
const LISTED: usize = 200;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let contexts = native_contexts(opened(TableContext::of(dump))?, task)?;
    let mut rows = Vec::new();
    for of in &contexts.rows {
        task.checkpoint()?;
        rows.push(row(&called(dump, of), of.totals, RowTarget::Object(of.context)));
        let classes = of.classes.iter().take(LISTED);
        rows.extend(classes.map(|&(class, totals)| Row::class(dump, 1, class, cells(totals))));
    }
    rows.push(row("Shared by several contexts", contexts.shared, RowTarget::None));
    rows.push(row("Not in any context", contexts.nobodys, RowTarget::None));
    let summary = Count(contexts.rows.len() as u64).of("native context", "native contexts");
    Ok(Rows::new(context_table(&contexts), rows, summary))
}

/// `file:// @1507`: several pages may have the same address.
fn called(dump: &OpenDump, of: &NativeContextRow) -> String {
    let name = of.name.strip_prefix("system / ").unwrap_or(&of.name);
    format!("{name}  {}", dump.heap.id_text(of.context))
}

fn row(name: &str, totals: Totals, leads: RowTarget) -> Row {
    Row { leads, ..Row::words(0, name, cells(totals)) }
}

fn cells(totals: Totals) -> Vec<Cell> {
    vec![Cell::count(totals.objects), Cell::bytes(totals.shallow)]
}
