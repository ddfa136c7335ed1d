//! Threads as JSON, and as text similar to `jstack`. Field names are a contract: see `docs/command-line.md`.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use std::io::{self, Write};

use serde::Serialize;

use crate::TableContext;
use heaplens_analysis::{ThreadRow, threads::StackRows};
use heaplens_base::Bytes;
use heaplens_heap::{ObjectId, StackLocal, ThreadState};

/// One thread.
#[derive(Debug, Serialize)]
pub struct Thread {
    pub id: Option<String>,
    pub serial: Option<u32>,
    pub name: Option<String>,
    pub class: Option<String>,
    pub state: Option<&'static str>,
    pub daemon: Option<bool>,
    pub priority: Option<i32>,
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
    pub tid: Option<i64>,
    pub context_class_loader: Option<String>,
    pub shallow_bytes: u64,
    pub retained_bytes: u64,
    pub out_of_memory: bool,
    pub frames: Vec<Frame>,
    pub locals: Vec<Local>,
}

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

impl Local {
    fn new(from: TableContext<'_>, local: StackLocal) -> Self {
        let TableContext { heap, contents, analysis, .. } = from;
        Self {
            id: heap.id_text(local.object),
            class: heap.class(local.object).name.to_string(),
            label: contents.label(heap, local.object),
            kind: local.kind.name(),
            shallow_bytes: heap.shallow(local.object).0,
            retained_bytes: analysis.retained(local.object).0,
        }
    }
}

impl Thread {
    /// A thread with its stack.
    pub fn new(from: TableContext<'_>, row: &ThreadRow, stack: StackRows) -> Self {
        let heap = from.heap;
        let id = |object: ObjectId| heap.id_text(object);
        let locals = |locals: Vec<StackLocal>| locals.into_iter().map(|local| Local::new(from, local)).collect();
        let frames = stack.frames.into_iter().map(|frame| Frame {
            frame: frame.text,
            retained_bytes: frame.retained.0,
            locals: locals(frame.locals),
        });
        Self {
            id: row.object.map(id),
            serial: row.stack.map(|(serial, _)| serial),
            name: row.name.clone(),
            class: row.object.map(|object| heap.class(object).name.to_string()),
            state: row.state.map(ThreadState::name),
            daemon: row.daemon,
            priority: row.priority,
            is_virtual: row.is_virtual,
            tid: row.tid,
            context_class_loader: row.context_loader.map(id),
            shallow_bytes: row.shallow.0,
            retained_bytes: row.retained.0,
            out_of_memory: row.out_of_memory,
            frames: frames.collect(),
            locals: locals(stack.outside),
        }
    }

    /// Writes the thread as text: a heading, its frames, and their locals.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{:?}", self.name.as_deref().unwrap_or("unnamed"))?;
        if let Some(tid) = self.tid {
            write!(out, " #{tid}")?;
        }
        for (word, is_true) in [("virtual", self.is_virtual), ("daemon", self.daemon == Some(true) && !self.is_virtual)]
        {
            if is_true {
                write!(out, " {word}")?;
            }
        }
        if let Some(priority) = self.priority {
            write!(out, " prio={priority}")?;
        }
        write!(out, " {}", self.state.unwrap_or("(unknown state)"))?;
        match (&self.class, &self.id) {
            (Some(class), Some(id)) => {
                writeln!(out, "  {class} {id}  retained {}", Bytes(self.retained_bytes).exact())?;
            }
            _ => writeln!(out, "  thread {}: its object is missing from the dump", self.serial.unwrap_or(0))?,
        }
        if self.out_of_memory {
            writeln!(out, "   threw java.lang.OutOfMemoryError")?;
        }
        for frame in &self.frames {
            write!(out, "   at {}", frame.frame)?;
            if frame.retained_bytes > 0 {
                write!(out, "  retains {}", Bytes(frame.retained_bytes).exact())?;
            }
            writeln!(out)?;
            frame.locals.iter().try_for_each(|local| local.write_text(out))?;
        }
        if !self.locals.is_empty() {
            writeln!(out, "   outside stack frames")?;
            self.locals.iter().try_for_each(|local| local.write_text(out))?;
        }
        Ok(())
    }
}

impl Local {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let label = self.label.as_deref().map(|label| format!(" {label:?}")).unwrap_or_default();
        let retained = Bytes(self.retained_bytes).exact();
        writeln!(out, "      - {} {}{label}  ({}, retained {retained})", self.class, self.id, self.kind)
    }
}
