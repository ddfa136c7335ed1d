//! Threads; in JSON each with its stack, one after the other: all stacks together may be larger than the dump.

use std::sync::Arc;

use crate::columns::{Column, Columns, Item, heading, headings, json};
use crate::relation::{Relation, relation};
use crate::{
    List, TableContext, TableError,
    export::threads::{frames, locals},
};
use heaplens_analysis::ThreadRow;
use heaplens_analysis::threads::{StackRows, ThreadsQuestion, stack};
use heaplens_base::Task;

pub(crate) const COLUMNS: Columns<Item<ThreadRow>> = &[&[
    headings::ID.object(|row, _| row.object),
    Column::of_json("serial", |row, _, _, out| json(out, &row.stack.map(|(serial, _)| serial))),
    heading("name", "Name", "Thread name").text(|row, _| row.name.as_deref().map(Into::into)),
    headings::CLASS.text(|row, dump| dump.class_of(row.object?)),
    heading("state", "State", "Thread state, such as runnable, waiting or blocked")
        .text(|row, _| row.state.map(|state| state.name().into())),
    heading("daemon", "Daemon", "\"yes\" if the virtual machine exits without waiting for the thread")
        .true_or_false(|row: &ThreadRow, _| row.daemon)
        .in_json(|row, _, _, out| json(out, &row.daemon)),
    heading("priority", "Priority", "Thread priority from 1 to 10")
        .numeral(|row: &ThreadRow, _| row.priority.map(Into::into))
        .in_json(|row, _, _, out| json(out, &row.priority)),
    heading("virtual", "Virtual", "\"yes\" if it is a virtual thread")
        .true_or_false(|row: &ThreadRow, _| Some(row.is_virtual))
        .in_json(|row, _, _, out| json(out, &row.is_virtual)),
    heading("tid", "Thread ID", "Id of the thread in Java (Thread.threadId)")
        .numeral(|row: &ThreadRow, _| row.tid)
        .in_json(|row, _, _, out| json(out, &row.tid)),
    heading(
        "context_class_loader",
        "Context class loader",
        "Class loader the thread uses to find classes and resources",
    )
    .object(|row, _| row.context_loader),
    headings::SHALLOW.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED.bytes(|row, _| Some(row.retained)),
    heading("out_of_memory", "OutOfMemoryError", "\"yes\" if the thread was throwing an OutOfMemoryError")
        .true_or_false(|row: &ThreadRow, _| Some(row.out_of_memory))
        .in_json(|row, _, _, out| json(out, &row.out_of_memory)),
    heading("frames", "Frames", "Number of stack frames")
        .count(|row: &ThreadRow, dump| Some(stack_of(row, dump).frames.len() as u64))
        .in_json(|row, dump, _, out| json(out, &frames(dump, stack_of(row, dump).frames))),
    heading("locals", "Locals", "Number of objects held by local variables of the stack")
        .count(|row: &ThreadRow, dump| {
            let stack = stack_of(row, dump);
            let of_frames: usize = stack.frames.iter().map(|frame| frame.locals.len()).sum();
            Some((stack.outside.len() + of_frames) as u64)
        })
        .in_json(|row, dump, _, out| {
            let outside = row.stack.map(|(_, at)| dump.contents.whole_stack(at).outside);
            json(out, &locals(dump, outside.unwrap_or_default()))
        }),
]];

/// Threads.
pub const THREADS: Relation = relation!("threads", COLUMNS)
    .named("threads", "Threads")
    .sorted_by("retained_bytes")
    .computed("Threads", |dump, _, task| Ok(Arc::new(thread_table(dump, task)?)));

/// Its frames and local variables, read from the file.
pub fn stack_of(row: &ThreadRow, dump: TableContext<'_>) -> StackRows {
    stack(dump.contents, dump.analysis, row)
}

/// Threads, largest retained size first.
pub fn thread_table(dump: TableContext<'_>, task: &Task) -> Result<List<ThreadRow>, TableError> {
    let rows = Vec::clone(&*dump.data().answer(&ThreadsQuestion, task)?);
    Ok(List::new(COLUMNS, rows).with_name("threads").with_filter(|row, dump, filter| {
        let class = row.object.map_or("", |object| &dump.heap.class(object).name);
        filter.matches_object(class, || row.name.clone())
    }))
}
