//! The tables of a stripped dump: strings, classes, stack frames and traces. They are written from what was understood of
//! the file, never copied: records of other kinds, and bytes behind the contents of a record, are left out.

use std::io::Write;

use super::used_names::UsedNames;
use crate::cursor::Cursor;
use crate::error::OpenError;
use crate::hprof::record_sizes::{record, record_head};
use crate::hprof::records::Index;
use crate::hprof::tags::record as tags;
use heaplens_base::{CHECKPOINT_EVERY, Task};

/// Replacement for a character or byte.
pub(super) const BLANK: u8 = b'?';

/// Writes the tables; returns the number of strings that nothing refers to.
pub(super) fn write_tables(
    (file, index): (&[u8], &Index),
    used: &UsedNames,
    (marker_id, marker): (u64, &str),
    out: &mut dyn Write,
    task: &Task,
) -> Result<u64, OpenError> {
    let id = |id: u64| id_of(id, index.id_bytes);
    let mut buffer = Vec::new();
    record(&mut buffer, tags::STRING, &[&*id(marker_id), marker.as_bytes()].concat());
    let mut strings: Vec<(u64, u64, u32)> =
        index.strings.iter().map(|(&id, &(offset, length))| (offset, id, length)).collect();
    strings.sort_unstable();
    let mut unused = 0;
    for (at, &(offset, string, length)) in strings.iter().enumerate() {
        task.checkpoint_at(at)?;
        if string == marker_id {
            continue;
        }
        let text = Cursor::new(file, offset).take(length.into()).unwrap_or_default();
        let shown = used.disclosed(string, text);
        let shown_length = shown.as_ref().map_or(text.len(), |text| text.len());
        buffer.extend(record_head(tags::STRING, (shown_length as u32).saturating_add(index.id_bytes)));
        buffer.extend(id(string));
        if let Some(text) = shown {
            buffer.extend_from_slice(&text);
        } else {
            unused += u64::from(!text.is_empty());
            buffer.resize(buffer.len() + text.len(), BLANK);
        }
        flush(&mut buffer, out, FULL)?;
    }
    for (at, loaded) in index.loaded.iter().enumerate() {
        task.checkpoint_at(at)?;
        let ids = [&loaded.serial.to_be_bytes()[..], &id(loaded.class), &[0; 4], &id(loaded.name)];
        record(&mut buffer, tags::LOAD_CLASS, &ids.concat());
        flush(&mut buffer, out, FULL)?;
    }
    let mut frames: Vec<_> = index.frames.iter().collect();
    frames.sort_unstable_by_key(|(id, _)| **id);
    for (at, (&frame_id, frame)) in frames.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        let ids = [frame_id, frame.method, frame.signature, frame.source].map(id);
        let numbers = [frame.class_serial.to_be_bytes(), frame.line.to_be_bytes()];
        record(&mut buffer, tags::STACK_FRAME, &[ids.concat(), numbers.concat()].concat());
        flush(&mut buffer, out, FULL)?;
    }
    let mut traces: Vec<_> = index.traces.iter().collect();
    traces.sort_unstable_by_key(|(serial, _)| **serial);
    for (at, (serial, trace)) in traces.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        // The id of a frame that is not there may be anything.
        let frames: Vec<u64> = trace.frames.iter().copied().filter(|id| index.frames.contains_key(id)).collect();
        let mut body = [serial.to_be_bytes(), trace.thread.to_be_bytes(), (frames.len() as u32).to_be_bytes()].concat();
        frames.into_iter().for_each(|frame| body.extend(id(frame)));
        record(&mut buffer, tags::STACK_TRACE, &body);
        flush(&mut buffer, out, FULL)?;
    }
    flush(&mut buffer, out, 1)?;
    Ok(unused)
}

/// Size from which on the buffer is written, in bytes.
const FULL: usize = CHECKPOINT_EVERY;

fn flush(buffer: &mut Vec<u8>, out: &mut dyn Write, from: usize) -> Result<(), OpenError> {
    if buffer.len() >= from {
        out.write_all(buffer)?;
        buffer.clear();
    }
    Ok(())
}

/// Bytes of an id in the file.
fn id_of(id: u64, id_bytes: u32) -> Vec<u8> {
    let bytes = id.to_be_bytes();
    bytes.get(bytes.len().saturating_sub(id_bytes as usize)..).unwrap_or_default().to_vec()
}
