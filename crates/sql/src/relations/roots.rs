//! `roots`: the GC roots of the file, one row for each reason why an object is one.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::{SqlType, SqlValue};
use heaplens_base::Task;

/// The table.
pub(crate) fn table(source: Arc<QuerySource>) -> Listed {
    let columns = vec![
        SqlColumn::shown("id", SqlType::Object, "The root object"),
        SqlColumn::shown("kind", SqlType::Text, "Why it is a GC root"),
        SqlColumn::shown("class", SqlType::Text, "Full class name"),
        SqlColumn::shown("shallow_bytes", SqlType::Bytes, "Bytes of the object itself"),
        SqlColumn::shown("retained_bytes", SqlType::Bytes, "Bytes freed if the object were collected"),
    ];
    Listed::new(source, columns, compute)
}

fn compute(source: &QuerySource, _: &[SqlValue<'static>], task: &Task) -> Result<Vec<RowValues>, RowsError> {
    let (heap, analysis) = (source.heap(), source.analysis());
    let mut rows = Vec::new();
    for (at, root) in analysis.roots().all().iter().enumerate() {
        task.checkpoint_at(at)?;
        rows.push(vec![
            SqlValue::object(heap, root.object),
            SqlValue::text(root.kind.name()),
            SqlValue::text(heap.class(root.object).name.to_string()),
            SqlValue::bytes(heap.shallow(root.object)),
            SqlValue::bytes(analysis.retained(root.object)),
        ]);
    }
    Ok(rows)
}
