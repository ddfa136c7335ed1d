//! Allocation traces, as ART writes them while it tracks allocations.

use super::{Art, ID};
use crate::hprof::RecordBuffer;
use crate::sketch::Id;

/// Thread named by ART's traces.
const THREAD: u32 = 1;

/// A frame of a trace.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Class of the method.
    pub class: Id,
    /// The method.
    pub method: &'a str,
    /// The source file.
    pub source: &'a str,
    /// Line; -1 if unknown.
    pub line: i32,
}

/// Trace: its number, and class, method, source and line of each frame.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    serial: u32,
    frames: Vec<(Id, Id, Id, i32)>,
}

impl Art {
    /// Adds a trace, innermost frame first.
    pub fn trace(&mut self, serial: u32, frames: &[Frame<'_>]) {
        let frames = frames.iter().map(|frame| {
            let (method, source) = (self.text(frame.method), self.text(frame.source));
            (frame.class, method, source, frame.line)
        });
        let frames = frames.collect();
        self.traces.push(Trace { serial, frames });
    }

    /// Sets the allocation trace of the following objects; 0: unknown.
    pub fn allocated(&mut self, trace: u32) {
        self.trace = trace;
    }

    pub(super) fn write_traces(&self, out: &mut RecordBuffer) {
        let signature = 0;
        let mut id: Id = 0x1;
        for trace in &self.traces {
            let first = id;
            for &(class, method, source, line) in &trace.frames {
                let loaded = self.loaded.iter().position(|&(of, _)| of == class).unwrap_or_default();
                let mut body = RecordBuffer::new(ID);
                body.ids([id, method, signature, source]);
                body.u4(loaded as u32 + 1);
                body.u4(line.cast_unsigned());
                out.record(0x04, &body.bytes);
                id += 1;
            }
            let mut body = RecordBuffer::new(ID);
            [trace.serial, THREAD, trace.frames.len() as u32].into_iter().for_each(|number| body.u4(number));
            body.ids(first..id);
            out.record(0x05, &body.bytes);
        }
    }
}
