//! GC roots, and the threads they name: locals of a thread become references of its object, as in binary dumps.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::census::Outline;
use super::lines::{RootLine, begins_dump, trace};
use crate::text_lines::Lines;
use heaplens_heap::{Address, AddressMap, Classes, ImportNote, ObjectId, Root, RootKind, Severity, roots::Roots};

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

/// Converts the roots of the file. If it names no system class, all classes of the bootstrap loader are, as in binary
/// dumps.
pub(super) fn convert(
    file: &[u8],
    lines: &[RootLine],
    outline: &Outline,
    classes: &Classes,
    addresses: &AddressMap,
) -> RootTable {
    let mut table = RootTable::default();
    let mut thread_indexes: FxHashMap<u32, usize> = FxHashMap::default();
    let (mut rows, mut nowhere) = (Vec::new(), 0);
    for line in lines {
        let object = addresses.object(Address(line.object));
        nowhere += u64::from(object.is_none() && line.object != 0);
        if line.kind == RootKind::Thread {
            rows.extend(object.map(|object| Root { object, kind: line.kind }));
            let Some(serial) = line.thread else { continue };
            let name = outline.threads.get(&line.object).cloned().unwrap_or_default();
            let trace = line.trace.and_then(|trace| outline.traces.get(&trace));
            let frames = trace.map(|&at| frames(file, at)).unwrap_or_default();
            // Of several threads with one number, the last counts for what follows it.
            let next = table.threads.len();
            let index = *thread_indexes.entry(serial).or_insert(next);
            if index == next {
                table.threads.push(Thread { serial, ..Thread::default() });
            }
            if let Some(thread) = table.threads.get_mut(index) {
                (thread.object, thread.name, thread.frames) = (object, name, frames);
            }
            continue;
        }
        let Some(object) = object else { continue };
        // As in binary dumps, only objects of a thread that was named before are its locals.
        let index = line.thread.and_then(|serial| thread_indexes.get(&serial));
        match index.and_then(|&index| table.threads.get_mut(index)) {
            Some(thread) => {
                thread.locals.push(Local { object, kind: line.kind, frame: line.frame });
                match thread.object {
                    Some(holder) => table.references.push((holder, object)),
                    // No object refers to it: the stack itself is the root.
                    None => rows.push(Root { object, kind: line.kind }),
                }
            }
            None => rows.push(Root { object, kind: line.kind }),
        }
    }
    if !lines.is_empty() && !lines.iter().any(|line| line.kind == RootKind::SystemClass) {
        let is_root: FxHashSet<ObjectId> = rows.iter().map(|root| root.object).collect();
        let of_system = classes.all().iter().filter(|class| class.loader.is_none() && !class.name.ends_with("[]"));
        let objects = of_system.filter_map(|class| class.object).filter(|object| !is_root.contains(object));
        rows.extend(objects.map(|object| Root { object, kind: RootKind::SystemClass }));
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
