//! Threads; in JSON each with its stack, one after the other: all stacks together may be larger than the dump.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::relation::{Relation, relation};
use crate::{List, TableContext, TableError, export::threads::Thread};
use heaplens_analysis::ThreadRow;
use heaplens_analysis::threads::{StackRows, ThreadsQuestion, stack};
use heaplens_base::Task;

pub(crate) const COLUMNS: Columns<Item<ThreadRow>> = &[&[
    headings::ID.object(|row, _| row.object),
    heading("name", "Name", "Thread name").text(|row, _| row.name.as_deref().map(Into::into)),
    headings::CLASS.text(|row, from| from.class_of(row.object?)),
    heading("state", "State", "Thread state, such as runnable, waiting or blocked")
        .text(|row, _| row.state.map(|state| state.name().into())),
    heading("daemon", "Daemon", "\"yes\" if the virtual machine exits without waiting for the thread")
        .true_or_false(|row, _| row.daemon),
    heading("priority", "Priority", "Thread priority from 1 to 10").numeral(|row, _| row.priority.map(Into::into)),
    heading("virtual", "Virtual", "\"yes\" if it is a virtual thread").true_or_false(|row, _| Some(row.is_virtual)),
    heading("tid", "Thread ID", "Id of the thread in Java (Thread.threadId)").numeral(|row, _| row.tid),
    heading(
        "context_class_loader",
        "Context class loader",
        "Class loader the thread uses to find classes and resources",
    )
    .object(|row, _| row.context_loader),
    headings::SHALLOW.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED.bytes(|row, _| Some(row.retained)),
    heading("out_of_memory", "OutOfMemoryError", "\"yes\" if the thread was throwing an OutOfMemoryError")
        .true_or_false(|row, _| Some(row.out_of_memory)),
    heading("frames", "Frames", "Number of stack frames")
        .count(|row, from| Some(stack_of(row, from).frames.len() as u64)),
    heading("locals", "Locals", "Number of objects held by local variables of the stack").count(|row, from| {
        let stack = stack_of(row, from);
        let of_frames: usize = stack.frames.iter().map(|frame| frame.locals.len()).sum();
        Some((stack.outside.len() + of_frames) as u64)
    }),
]];

/// Threads.
pub const THREADS: Relation = relation!("threads", COLUMNS)
    .named("threads", "Threads")
    .sorted_by("retained_bytes")
    .computed("Threads", |from, _, task| Ok(Arc::new(thread_table(from, task)?)));

fn stack_of(row: &ThreadRow, from: TableContext<'_>) -> StackRows {
    stack(from.contents, from.analysis, row)
}

/// Threads, largest retained size first.
pub fn thread_table(from: TableContext<'_>, task: &Task) -> Result<List<ThreadRow>, TableError> {
    let rows = Vec::clone(&*from.data().answer(&ThreadsQuestion, task)?);
    let table = List::new(COLUMNS, rows).with_name("threads");
    Ok(table.with_json(|row, from, _, out| Ok(serde_json::to_writer(out, &with_stack(from, row))?)).with_filter(
        |row, from, filter| {
            let class = row.object.map_or("", |object| &from.heap.class(object).name);
            filter.matches_object(class, || row.name.clone())
        },
    ))
}

/// A thread with its stack.
pub fn with_stack(from: TableContext<'_>, row: &ThreadRow) -> Thread {
    Thread::new(from, row, stack_of(row, from))
}
