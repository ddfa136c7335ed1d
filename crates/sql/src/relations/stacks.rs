//! `frames` and `locals`: stacks of threads, and the objects that they hold.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_analysis::threads::{ThreadRow, ThreadsQuestion, stack};
use heaplens_base::Task;
use heaplens_heap::{Heap, StackLocal};
use heaplens_tables::columns::Value;

/// One row for each stack frame.
pub(crate) fn frames(source: Arc<QuerySource>) -> Listed {
    let columns = vec![
        SqlColumn::shown("thread", SqlType::Object, "The thread"),
        SqlColumn::shown("thread_name", SqlType::Text, "Its name"),
        SqlColumn::shown("depth", SqlType::Integer, "Position on the stack: 0 is the innermost frame"),
        SqlColumn::shown("frame", SqlType::Text, "Method, file and line"),
        SqlColumn::shown("retained_bytes", SqlType::Bytes, "Bytes that only local variables of the frame retain"),
        SqlColumn::shown("locals", SqlType::Integer, "Number of objects held by local variables of the frame"),
    ];
    Listed::new(source, columns, |source, _, task| {
        let mut rows = Vec::new();
        for thread in &*of_dump(source, task)? {
            let frames = stack(source.contents(), source.analysis(), thread).frames;
            rows.extend((0_i64..).zip(frames).map(|(depth, frame)| {
                let [object, name] = named(source.heap(), thread);
                let values = [Value::Integer(depth), Value::text(frame.text), Value::Bytes(frame.retained)];
                let locals = Value::Count(frame.locals.len() as u64);
                [object, name].into_iter().chain(values).chain([locals]).collect()
            }));
        }
        Ok(rows)
    })
}

/// One row for each object that a stack holds.
pub(crate) fn locals(source: Arc<QuerySource>) -> Listed {
    let columns = vec![
        SqlColumn::shown("thread", SqlType::Object, "The thread"),
        SqlColumn::shown("thread_name", SqlType::Text, "Its name"),
        SqlColumn::shown("depth", SqlType::Integer, "Position of the frame; null for objects held outside frames"),
        SqlColumn::shown("frame", SqlType::Text, "Method, file and line"),
        SqlColumn::shown("object", SqlType::Object, "The object held"),
        SqlColumn::shown("class", SqlType::Text, "Its class"),
        SqlColumn::shown("retained_bytes", SqlType::Bytes, "Bytes freed if it were collected"),
    ];
    Listed::new(source, columns, |source, _, task| {
        let mut rows = Vec::new();
        for thread in &*of_dump(source, task)? {
            let stack = stack(source.contents(), source.analysis(), thread);
            for (depth, frame) in (0_i64..).zip(stack.frames) {
                let frame_values = || [Value::Integer(depth), Value::text(frame.text.clone())];
                rows.extend(frame.locals.iter().map(|&local| of_local(source, thread, frame_values(), local)));
            }
            let outside = stack.outside.iter();
            rows.extend(outside.map(|&local| of_local(source, thread, [Value::Null, Value::Null], local)));
        }
        Ok(rows)
    })
}

fn of_dump(source: &QuerySource, task: &Task) -> Result<Arc<Vec<ThreadRow>>, RowsError> {
    Ok(source.data().answer(&ThreadsQuestion, task)?)
}

fn named(heap: &Heap, thread: &ThreadRow) -> [Value<'static>; 2] {
    let object = Value::optional(thread.object, |object| Value::object(heap, object));
    [object, Value::optional(thread.name.clone(), Value::text)]
}

fn of_local(
    source: &QuerySource,
    thread: &ThreadRow,
    frame_values: [Value<'static>; 2],
    local: StackLocal,
) -> RowValues {
    let heap = source.heap();
    let held = [
        Value::object(heap, local.object),
        Value::text(heap.class(local.object).name.to_string()),
        Value::Bytes(source.analysis().retained(local.object)),
    ];
    named(heap, thread).into_iter().chain(frame_values).chain(held).collect()
}
