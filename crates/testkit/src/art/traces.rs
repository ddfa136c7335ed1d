//! Allocation traces, as ART writes them while it tracks allocations.

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

/// Trace: its number, and class, method, source and line of each frame; texts by their ids.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) serial: u32,
    pub(super) frames: Vec<(Id, Id, Id, i32)>,
}

/// Writes traces with ids of `id_bytes`; `serial_of` tells the number of a class.
pub(super) fn write(traces: &[Trace], id_bytes: u8, serial_of: impl Fn(Id) -> u32, out: &mut RecordBuffer) {
    let signature = 0;
    let mut id: Id = 0x1;
    for trace in traces {
        let first = id;
        for &(class, method, source, line) in &trace.frames {
            let mut body = RecordBuffer::new(id_bytes);
            body.ids([id, method, signature, source]);
            body.u4(serial_of(class));
            body.u4(line.cast_unsigned());
            out.record(0x04, &body.bytes);
            id += 1;
        }
        let mut body = RecordBuffer::new(id_bytes);
        [trace.serial, THREAD, trace.frames.len() as u32].into_iter().for_each(|number| body.u4(number));
        body.ids(first..id);
        out.record(0x05, &body.bytes);
    }
}
