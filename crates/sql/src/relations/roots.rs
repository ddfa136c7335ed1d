//! `roots`: the GC roots of the file, one row for each reason why an object is one.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_base::Task;
use heaplens_tables::columns::Value;

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

fn compute(source: &QuerySource, _: &[Value<'static>], task: &Task) -> Result<Vec<RowValues>, RowsError> {
    let (heap, analysis) = (source.heap(), source.analysis());
    let mut rows = Vec::new();
    for (at, root) in analysis.roots().all().iter().enumerate() {
        task.checkpoint_at(at)?;
        rows.push(vec![
            Value::object(heap, root.object),
            Value::text(root.kind.name()),
            Value::text(heap.class(root.object).name.to_string()),
            Value::Bytes(heap.shallow(root.object)),
            Value::Bytes(analysis.retained(root.object)),
        ]);
    }
    Ok(rows)
}
