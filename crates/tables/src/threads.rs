//! Threads; in JSON each with its stack, one after the other: all stacks
//! together may be larger than the dump.

use std::io::{self, Write};

use super::{Table, TableError, optional};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use crate::export::threads::Thread;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::threads::{ThreadRow, stack, threads};
use heaplens_base::task::Task;
use heaplens_core::heap::threads::ThreadState;

const COLUMNS: [Column; 14] = [
    columns::ID,
    column_with_help("name", "Name", "Thread name"),
    columns::CLASS,
    column_with_help("state", "State", "Thread state, such as runnable, waiting or blocked"),
    column_with_help("daemon", "Daemon", "\"yes\" if the virtual machine exits without waiting for the thread"),
    column_with_help("priority", "Priority", "Thread priority from 1 to 10"),
    column_with_help("virtual", "Virtual", "\"yes\" if it is a virtual thread"),
    column_with_help("tid", "Thread ID", "Id of the thread in Java (Thread.threadId)"),
    column_with_help(
        "context_class_loader",
        "Context class loader",
        "Class loader the thread uses to find classes and resources",
    ),
    columns::SHALLOW,
    columns::RETAINED,
    column_with_help("out_of_memory", "OutOfMemoryError", "\"yes\" if the thread was throwing an OutOfMemoryError"),
    column_with_help("frames", "Frames", "Number of stack frames"),
    column_with_help("locals", "Locals", "Number of objects held by local variables of the stack"),
];

/// Threads, largest retained size first.
pub struct Threads(pub Vec<ThreadRow>);

impl Threads {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(threads(from.heap, from.contents, from.analysis, task)?))
    }

    /// A thread with its stack.
    pub fn whole(&self, from: TableContext<'_>, row: usize) -> Option<Thread> {
        let row = self.0.get(row)?;
        Some(Thread::new(from, row, stack(from.contents, from.analysis, row)))
    }
}

impl Table for Threads {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.get(row) else { return Cell::Nothing };
        let id = |object| from.heap.id_text(object);
        let stack = || stack(from.contents, from.analysis, row);
        match column {
            0 => optional(row.object.map(id)),
            1 => optional(row.name.clone()),
            2 => optional(row.object.map(|object| from.heap.class(object).name.to_string())),
            3 => optional(row.state.map(ThreadState::name).map(str::to_owned)),
            4 => optional(row.daemon.map(|yes| yes.to_string())),
            5 => optional(row.priority.map(|n| n.to_string())),
            6 => Cell::Text(row.is_virtual.to_string()),
            7 => optional(row.tid.map(|n| n.to_string())),
            8 => optional(row.context_loader.map(id)),
            9 => Cell::Count(row.shallow.0),
            10 => Cell::Count(row.retained.0),
            11 => Cell::Text(row.out_of_memory.to_string()),
            12 => Cell::Count(stack().frames.len() as u64),
            _ => {
                let stack = stack();
                let of_frames: usize = stack.frames.iter().map(|frame| frame.locals.len()).sum();
                Cell::Count((stack.outside.len() + of_frames) as u64)
            }
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let Some(row) = self.0.get(row) else { return false };
        let class = row.object.map_or("", |object| &from.heap.class(object).name);
        filter.matches_object(class, || row.name.clone())
    }

    fn list(&self) -> (&'static str, bool) {
        ("threads", false)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        if let Some(thread) = self.whole(from, row) {
            serde_json::to_writer(out, &thread)?;
        }
        Ok(())
    }
}
