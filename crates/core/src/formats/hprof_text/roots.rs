//! GC roots, and the threads they name: locals of a thread become references of its object, as in binary dumps.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::census::Outline;
use super::lines::{RootLine, begins_dump, trace};
use crate::formats::text_lines::Lines;
use crate::heap::{Address, AddressMap, ImportNote, ObjectId, Root, RootKind, Severity, roots::Roots};

/// Maximum number of frames of a stack.
const FRAMES: usize = 4096;

/// An object on the stack of a thread.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Local {
    pub(super) object: ObjectId,
    pub(super) kind: RootKind,
    /// Index of the frame, innermost 0; `None` outside all frames.
    pub(super) frame: Option<u32>,
}

/// A thread that was running.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Thread {
    pub(super) serial: u32,
    pub(super) object: Option<ObjectId>,
    pub(super) name: String,
    /// Lines of the stack trace, innermost first.
    pub(super) frames: Vec<String>,
    pub(super) locals: Vec<Local>,
}

/// Roots of the heap, and its threads.
#[derive(Debug, Default)]
pub(super) struct RootTable {
    pub(super) roots: Roots,
    /// In the order of the file.
    pub(super) threads: Vec<Thread>,
    /// References from threads to objects on their stacks.
    pub(super) references: Vec<(ObjectId, ObjectId)>,
    pub(super) note: Option<ImportNote>,
}

pub(super) fn convert(file: &[u8], lines: &[RootLine], outline: &Outline, addresses: &AddressMap) -> RootTable {
    let mut table = RootTable::default();
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    for line in lines.iter().filter(|line| line.kind == RootKind::Thread) {
        let Some(serial) = line.thread else { continue };
        places.entry(serial).or_insert_with(|| {
            let object = addresses.object(Address(line.object));
            let name = outline.threads.get(&line.object).cloned().unwrap_or_default();
            let trace = line.trace.and_then(|trace| outline.traces.get(&trace));
            let frames = trace.map(|&at| frames(file, at)).unwrap_or_default();
            table.threads.push(Thread { serial, object, name, frames, locals: Vec::new() });
            table.threads.len() - 1
        });
    }
    let (mut rows, mut nowhere) = (Vec::new(), 0);
    for line in lines {
        let Some(object) = addresses.object(Address(line.object)) else {
            nowhere += 1;
            continue;
        };
        let place = line.thread.filter(|_| line.kind != RootKind::Thread).and_then(|serial| places.get(&serial));
        let thread = place.and_then(|&place| table.threads.get_mut(place));
        match thread.and_then(|thread| Some((thread.object?, thread))) {
            Some((holder, thread)) => {
                thread.locals.push(Local { object, kind: line.kind, frame: line.frame });
                table.references.push((holder, object));
            }
            None => rows.push(Root { object, kind: line.kind }),
        }
    }
    table.references.sort_unstable();
    table.references.dedup();
    table.roots = Roots::new(rows);
    let message = "GC roots at ids without an object: ignored";
    table.note = ImportNote::if_any(Severity::Info, nowhere, message, None);
    table
}

/// Frames of the trace that begins at an offset.
fn frames(file: &[u8], at: u64) -> Vec<String> {
    let mut lines = Lines::new(file, at, file.len() as u64);
    lines.next();
    let rest = std::iter::from_fn(|| lines.next()).map(|(_, line)| line);
    let rest = rest.take_while(|line| line.starts_with(b"\t") && trace(line).is_none() && !begins_dump(line));
    let frames = rest.map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned());
    frames.filter(|frame| !frame.starts_with('<')).take(FRAMES).collect()
}
