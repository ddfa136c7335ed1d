//! Threads, their stack frames, and the retained sizes of local variables.

use super::rows::{Cell, Name, Row, Rows};
use crate::RowTarget;
use crate::TableContext;
use crate::dump::threads::thread_table;
use heaplens_analysis::ThreadRow;
use heaplens_analysis::threads::{StackRows, stack};
use heaplens_base::{Count, Task};
use heaplens_heap::{StackLocal, ThreadState};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of rows: a crafted dump may give a deep stack to any number of threads.
const MOST: usize = 500_000;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let contents = &*dump.contents;
    let table = thread_table(TableContext::of(dump), task)?;
    let mut rows = Vec::new();
    let (mut frames, mut virtuals) = (0, 0);
    for thread in &table.rows {
        task.checkpoint()?;
        let stack = stack(contents, &dump.analysis, thread);
        frames += stack.frames.len();
        virtuals += usize::from(thread.is_virtual);
        rows.push(thread_row(dump, thread, stack.frames.len()));
        if rows.len() < MOST {
            frame_rows(dump, &stack, &mut rows);
        }
    }
    let virtuals = if virtuals == 0 { String::new() } else { format!(", {} of them virtual", Count(virtuals as u64)) };
    let summary = format!(
        "{}{virtuals} · {}",
        Count(table.rows.len() as u64).of("thread", "threads"),
        Count(frames as u64).of("frame", "frames")
    );
    Ok(Rows::new(table, rows, summary).ordered_below())
}

fn thread_row(dump: &OpenDump, thread: &ThreadRow, frames: usize) -> Row {
    let name = thread.name.clone().unwrap_or_default();
    let words = thread.state.map_or("", ThreadState::title);
    let out = if thread.out_of_memory { "out of memory · " } else { "" };
    let class = thread.object.map_or("", |object| &*dump.heap.class(object).name);
    Row {
        depth: 0,
        found_by: format!("{class} {name}"),
        name: match thread.object {
            Some(object) => Name::Object(None, object),
            None => Name::Words(format!("thread {} (its object is not in the dump)", thread.stack.map_or(0, |s| s.0))),
        },
        cells: vec![
            Cell::words(format!("{out}{words}")),
            if frames == 0 { Cell::EMPTY } else { Cell::count(frames as u64) },
            if thread.object.is_some() { Cell::bytes(thread.retained) } else { Cell::EMPTY },
        ],
        leads: thread.object.map_or(RowTarget::None, RowTarget::Object),
    }
}

fn frame_rows(dump: &OpenDump, stack: &StackRows, rows: &mut Vec<Row>) {
    for frame in &stack.frames {
        let retained = if frame.locals.is_empty() { Cell::EMPTY } else { Cell::bytes(frame.retained) };
        rows.push(Row::words(1, &*frame.text, vec![Cell::EMPTY, Cell::EMPTY, retained]));
        rows.extend(frame.locals.iter().map(|&local| local_row(dump, local, 2)));
    }
    rows.extend(stack.outside.iter().map(|&local| local_row(dump, local, 1)));
}

fn local_row(dump: &OpenDump, local: StackLocal, depth: usize) -> Row {
    let retained = Cell::bytes(dump.analysis.retained(local.object));
    Row::related(dump, depth, local.kind.name(), local.object, vec![Cell::EMPTY, Cell::EMPTY, retained])
}
