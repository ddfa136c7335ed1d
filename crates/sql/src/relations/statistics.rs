//! `statistics`: figures of the dump, one a row.

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
        SqlColumn::shown("name", SqlType::Text, "Name of the figure"),
        SqlColumn::shown("number", SqlType::Integer, "Value, if it is a number"),
        SqlColumn::shown("text", SqlType::Text, "Value, if it is text"),
    ];
    Listed::new(source, columns, |source, _, _: &Task| -> Result<Vec<RowValues>, RowsError> { Ok(rows(source)) })
}

fn rows(source: &QuerySource) -> Vec<RowValues> {
    let (heap, analysis) = (source.heap(), source.analysis());
    let number = |name: &'static str, number: u64| vec![Value::text(name), Value::Count(number), Value::Null];
    let text = |name: &'static str, text: String| vec![Value::text(name), Value::Null, Value::text(text)];
    let mut rows = vec![
        text("format", heap.origin.format.key().to_owned()),
        text("producer", heap.origin.producer.clone()),
        number("file_bytes", heap.origin.file_size.disk),
        number("unpacked_bytes", heap.origin.file_size.unpacked),
        number("objects", analysis.shown.objects),
        number("shallow_bytes", analysis.shown.shallow.0),
        number("unreachable_objects", analysis.unreachable.objects),
        number("unreachable_bytes", analysis.unreachable.shallow.0),
        number("references", heap.reference_count()),
        number("classes", heap.classes.len() as u64),
        number("roots", analysis.roots().objects().len() as u64),
        number("incomplete", heap.is_incomplete().into()),
    ];
    rows.extend(heap.origin.taken_at_millis.map(|millis| number("taken_at_millis", millis)));
    rows
}
