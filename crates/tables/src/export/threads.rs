//! Threads as JSON, and as text similar to `jstack`. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use std::io::{self, Write};

use serde::Serialize;

use crate::TableContext;
use heaplens_analysis::threads::{FrameRow, StackRows};
use heaplens_analysis::{DumpData, ThreadRow};
use heaplens_base::Bytes;
use heaplens_heap::{StackLocal, ThreadState};

/// One frame.
#[derive(Debug, Serialize)]
pub struct Frame {
    pub frame: String,
    pub retained_bytes: u64,
    pub locals: Vec<Local>,
}

/// An object held by a frame.
#[derive(Debug, Serialize)]
pub struct Local {
    pub id: String,
    pub class: String,
    pub label: Option<String>,
    pub kind: &'static str,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
}

/// Frames with their locals.
pub(crate) fn frames(dump: TableContext<'_>, rows: Vec<FrameRow>) -> Vec<Frame> {
    let frame = |row: FrameRow| {
        let retained_bytes = row.retained.0;
        Frame { frame: row.text, retained_bytes, locals: locals(dump, row.locals) }
    };
    rows.into_iter().map(frame).collect()
}

/// Objects held by a frame, or outside of frames.
pub(crate) fn locals(dump: TableContext<'_>, locals: Vec<StackLocal>) -> Vec<Local> {
    let DumpData { heap, contents, analysis, .. } = *dump;
    let local = |local: StackLocal| Local {
        id: heap.id_text(local.object),
        class: heap.class(local.object).name.to_string(),
        label: contents.label(heap, local.object),
        kind: local.kind.name(),
        shallow_bytes: heap.shallow(local.object).0,
        retained_bytes: analysis.retained(local.object).0,
    };
    locals.into_iter().map(local).collect()
}

/// Writes a thread as text: a heading, its frames, and their locals.
///
/// # Errors
/// If it cannot be written.
pub fn write_thread(out: &mut impl Write, dump: TableContext<'_>, row: &ThreadRow, stack: StackRows) -> io::Result<()> {
    write!(out, "{:?}", row.name.as_deref().unwrap_or("unnamed"))?;
    if let Some(tid) = row.tid {
        write!(out, " #{tid}")?;
    }
    for (word, is_true) in [("virtual", row.is_virtual), ("daemon", row.daemon == Some(true) && !row.is_virtual)] {
        if is_true {
            write!(out, " {word}")?;
        }
    }
    if let Some(priority) = row.priority {
        write!(out, " prio={priority}")?;
    }
    write!(out, " {}", row.state.map_or("(unknown state)", ThreadState::name))?;
    match row.object {
        Some(object) => {
            let (class, id) = (&dump.heap.class(object).name, dump.heap.id_text(object));
            writeln!(out, "  {class} {id}  retained {}", row.retained.exact())?;
        }
        None => {
            let serial = row.stack.map_or(0, |(serial, _)| serial);
            writeln!(out, "  thread {serial}: its object is missing from the dump")?;
        }
    }
    if row.out_of_memory {
        writeln!(out, "   threw java.lang.OutOfMemoryError")?;
    }
    for frame in frames(dump, stack.frames) {
        write!(out, "   at {}", frame.frame)?;
        if frame.retained_bytes > 0 {
            write!(out, "  retains {}", Bytes(frame.retained_bytes).exact())?;
        }
        writeln!(out)?;
        frame.locals.iter().try_for_each(|local| local.write_text(out))?;
    }
    if !stack.outside.is_empty() {
        writeln!(out, "   outside stack frames")?;
        locals(dump, stack.outside).iter().try_for_each(|local| local.write_text(out))?;
    }
    Ok(())
}

impl Local {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let label = self.label.as_deref().map(|label| format!(" {label:?}")).unwrap_or_default();
        let retained = Bytes(self.retained_bytes).exact();
        writeln!(out, "      - {} {}{label}  ({}, retained {retained})", self.class, self.id, self.kind)
    }
}
