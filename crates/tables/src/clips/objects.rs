//! Copied rows of objects.

use super::{json, name};
use crate::export::copy::{Clip, Row};
use crate::relations::LEVEL;
use crate::{Level, Objects, Table, TableContext, TableQuery, columns::Value, export::parts};
use heaplens_base::{Share, Task};
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// Rows of objects, each with its depth in the tree, and the command that prints them.
pub fn objects(
    dump: &OpenDump,
    title: &str,
    rows: &[(usize, ObjectId)],
    request: &TableQuery,
    task: &Task,
) -> Result<Clip, JobError> {
    let (heap, analysis) = (&dump.heap, &dump.analysis);
    let total = analysis.shown.shallow;
    let beside = parts::columns(TableContext::of(dump));
    let mut copied = Vec::with_capacity(rows.len());
    for &(depth, object) in rows {
        task.checkpoint()?;
        let (retained, shallow) = (analysis.retained(object), heap.shallow(object));
        let mut cells = vec![
            Value::text(name(dump, object)),
            Value::Bytes(retained),
            Value::Share(Share::of(retained, total)),
            Value::Bytes(shallow),
            Value::Count(analysis.dominated_count(object)),
        ];
        cells.extend(beside.iter().map(|column| column.cell(object, TableContext::of(dump)).into_static()));
        copied.push(Row { depth, cells });
    }
    let of_level = request.kind.relation() == Some(&LEVEL);
    let table: &dyn Table = if of_level { &Level::default() } else { &Objects::default() };
    let json = json(table, dump, rows.iter().map(|(_, object)| object.index()));
    let headings = ["Object", "Retained size", "Share", "Shallow size", "Dominated"].into_iter();
    let headings = headings.chain(beside.iter().map(|column| column.heading.title));
    Ok(super::rows(dump, title, request, headings, copied, json))
}
