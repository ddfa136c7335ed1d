//! `findings`: what the leak search finds.

use std::sync::Arc;

use super::listed::{Listed, table_rows};
use crate::relation::SqlColumn;
use crate::source::QuerySource;
use heaplens_tables::Table;
use heaplens_tables::export::leaks::{self, finding_table};

/// The table: the columns of the command `leaks` without growth, as there is no baseline.
pub(crate) fn table(source: Arc<QuerySource>) -> Listed {
    let mut columns = Table::columns(&finding_table(Vec::new()), source.context());
    columns.retain(|column| !column.heading.key.starts_with("growth_"));
    let declared = columns.iter().map(|column| SqlColumn::of_heading(&column.heading, column.kind)).collect();
    Listed::new(source, declared, move |source, _, task| {
        let table = finding_table(leaks::rows(&source.findings(task)?, None));
        table_rows(source, &table, &columns, task)
    })
}
