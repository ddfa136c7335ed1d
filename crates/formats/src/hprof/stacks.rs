//! Thread stacks and the objects their frames hold, as kept for an open dump.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::roots::{RootTables, ThreadRoot};
use super::schema::Schema;
use super::shapes::{Name, Namer, Shapes};
use heaplens_heap::threads::StackFrame;
use heaplens_heap::{MappingFit, ObjectId, OriginalNames, RootKind, Stack, StackLocal, StackOwner, original};

/// Maximum number of frames of a stack. A thread with a stack overflow has some ten thousand; a malformed one may have
/// one for every four bytes of its file.
const MOST_FRAMES: usize = 1 << 16;

/// Frame of the constructor that HotSpot reports when it runs out of memory.
const OUT_OF_MEMORY: (&str, &str) = ("java.lang.OutOfMemoryError", "<init>");

/// Object held by the stack of a thread; objects are rows.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StackReference {
    thread: u32,
    pub(super) object: u32,
    /// `<Java Local>`
    pub(super) name: Name,
    kind: RootKind,
}

/// Thread named in the file.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Owner {
    /// Its row, if in the heap.
    object: Option<u32>,
    serial: u32,
    /// Place of its trace.
    trace: Option<u32>,
}

/// Object held by a frame.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Local {
    /// Serial number of the thread.
    thread: u32,
    /// Index of the frame in its trace.
    frame: Option<u32>,
    object: u32,
    kind: RootKind,
}

/// A frame of a stack.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Frame {
    /// Index of the class.
    class: Option<u32>,
    /// Class name from a mapping. Not stored with a dump.
    #[serde(skip)]
    class_name: Option<Name>,
    method: Option<Name>,
    source: Option<Name>,
    /// Positive: a line; 0 none, -1 unknown, -2 compiled, -3 native.
    line: i32,
}

/// The stacks of all threads.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Stacks {
    /// By thread.
    references: Vec<StackReference>,
    /// Sorted by object, those without one first, and by serial number.
    owners: Vec<Owner>,
    /// By thread and frame.
    locals: Vec<Local>,
    /// Indexes of frames, innermost first. Threads may share a trace, and traces a frame: expanded for each thread, a
    /// malformed file could grow to the square of its size.
    traces: Vec<Vec<u32>>,
    frames: Vec<Frame>,
    /// Serial numbers of the traces that no running thread has, ascending, with their indexes: allocation sites.
    sites: Vec<(u32, u32)>,
}

impl Stacks {
    /// Stacks of the threads in the heap.
    pub(super) fn new(namer: &mut Namer<'_>, schema: &Schema, root_tables: &RootTables) -> Self {
        let mut stacks = Self::default();
        let mut kinds = BTreeMap::new();
        stacks.references.extend(root_tables.locals.iter().map(|local| {
            let name = *kinds.entry(local.kind).or_insert_with(|| namer.add(&format!("<{}>", local.kind.key())));
            StackReference { thread: local.thread.raw(), object: local.object.raw(), name, kind: local.kind }
        }));
        stacks.locals.extend(root_tables.frame_locals.iter().map(|local| {
            let (object, kind) = (local.object.raw(), local.kind);
            Local { thread: local.thread, frame: local.frame, object, kind }
        }));
        let (index, mut traces, mut frames) = (namer.index, FxHashMap::default(), FxHashMap::default());
        let mut add_trace = |serial: u32, namer: &mut Namer<'_>, stacks: &mut Self| {
            index.traces.get(&serial).map(|trace| {
                *traces.entry(serial).or_insert_with(|| {
                    let frame = |id: &u64| {
                        let raw = index.frames.get(id)?;
                        Some(*frames.entry(*id).or_insert_with(|| {
                            let class = index.class_by_serial.get(&raw.class_serial);
                            let class = class.and_then(|&class| schema.of(class));
                            let (method, source) = (namer.if_there(raw.method), namer.if_there(raw.source));
                            stacks.frames.push(Frame { class, class_name: None, method, source, line: raw.line });
                            stacks.frames.len() as u32 - 1
                        }))
                    };
                    let numbers = trace.frames.iter().filter_map(frame).collect();
                    stacks.traces.push(numbers);
                    stacks.traces.len() as u32 - 1
                })
            })
        };
        for (serial, thread) in threads(namer, root_tables) {
            let trace = add_trace(thread.trace, namer, &mut stacks);
            stacks.owners.push(Owner { object: thread.object.map(ObjectId::raw), serial, trace });
        }
        stacks.owners.sort_unstable_by_key(|owner| (owner.object, owner.serial));
        let running: BTreeSet<u32> = root_tables.threads.values().map(|thread| thread.trace).collect();
        let mut sites: Vec<u32> =
            index.traces.iter().filter(|(_, raw)| !raw.frames.is_empty()).map(|(&serial, _)| serial).collect();
        sites.retain(|serial| !running.contains(serial));
        sites.sort_unstable();
        stacks.sites =
            sites.into_iter().filter_map(|site| Some((site, add_trace(site, namer, &mut stacks)?))).collect::<Vec<_>>();
        stacks
    }

    /// True if any trace may be that of an allocation.
    pub(super) fn has_sites(&self) -> bool {
        !self.sites.is_empty()
    }

    /// True if objects with this trace serial number have an allocation site.
    pub(super) fn is_site(&self, serial: u32) -> bool {
        self.sites.binary_search_by_key(&serial, |&(site, _)| site).is_ok()
    }

    /// The frames of a site, innermost first.
    pub(super) fn site(&self, serial: u32) -> impl Iterator<Item = &Frame> {
        let at = self.sites.binary_search_by_key(&serial, |&(site, _)| site).ok();
        self.of_trace(at.and_then(|at| self.sites.get(at)).map(|&(_, trace)| trace))
    }

    /// Objects held by the stack of a thread.
    pub(super) fn references(&self, thread: ObjectId) -> &[StackReference] {
        let from = self.references.partition_point(|reference| reference.thread < thread.raw());
        let to = self.references.partition_point(|reference| reference.thread <= thread.raw());
        self.references.get(from..to).unwrap_or(&[])
    }

    pub(super) fn all_locals(&self) -> impl Iterator<Item = StackLocal> {
        self.references.iter().filter_map(|reference| local(reference.object, reference.kind))
    }

    /// The frames of a thread, innermost first.
    pub(super) fn frames(&self, thread: ObjectId) -> impl Iterator<Item = &Frame> {
        let at = self.owners.partition_point(|owner| owner.object < Some(thread.raw()));
        let owner = self.owners.get(at).filter(|owner| owner.object == Some(thread.raw()));
        self.of_trace(owner.and_then(|owner| owner.trace))
    }

    /// All threads named in the file.
    pub(super) fn owners(&self, shapes: &Shapes) -> Vec<StackOwner> {
        // Computed once per trace, since threads may share it.
        let throws = |trace: usize| self.of_trace(Some(trace as u32)).any(|frame| frame.runs_out_of_memory(shapes));
        let throwing: Vec<bool> = (0..self.traces.len()).map(throws).collect();
        let owner = |owner: &Owner| StackOwner {
            serial: owner.serial,
            object: owner.object.and_then(ObjectId::from_raw),
            out_of_memory: owner.trace.and_then(|trace| throwing.get(trace as usize)).is_some_and(|&throws| throws),
        };
        self.owners.iter().map(owner).collect()
    }

    /// Complete stack of the `at`-th thread.
    pub(super) fn complete(&self, at: usize, shapes: &Shapes) -> Stack {
        let Some(owner) = self.owners.get(at) else { return Stack::default() };
        let frame = |f: &Frame| StackFrame { text: f.text(shapes), method: f.name(shapes), locals: Vec::new() };
        let mut stack = Stack { frames: self.of_trace(owner.trace).map(frame).collect(), outside: Vec::new() };
        let from = self.locals.partition_point(|local| local.thread < owner.serial);
        let to = self.locals.partition_point(|local| local.thread <= owner.serial);
        for reference in self.locals.get(from..to).unwrap_or(&[]) {
            let frame = reference.frame.and_then(|frame| stack.frames.get_mut(frame as usize));
            frame.map_or(&mut stack.outside, |frame| &mut frame.locals).extend(local(reference.object, reference.kind));
        }
        stack
    }

    /// The same stacks with original names. Locals of a frame belong to the outermost of the frames it expands to.
    pub(super) fn renamed(
        &self,
        shapes: &Shapes,
        names: &dyn OriginalNames,
        fit: &mut MappingFit,
        mut add: impl FnMut(&str) -> Name,
    ) -> Self {
        let mut frames = Vec::new();
        let ranges = self.frames.iter().map(|frame| {
            let start = frames.len() as u32;
            let (class, method) = frame.parts(shapes);
            let source = frame.source.map_or("", |name| shapes.name(name));
            fit.other_build |= names.is_other_build(source) == Some(true);
            let originals = names.frames(&original::Frame { class, method, source, line: frame.line });
            if originals.is_empty() {
                frames.push(frame.clone());
            }
            frames.extend(originals.iter().map(|original| Frame {
                class: frame.class,
                class_name: Some(add(&original.class)),
                method: Some(add(&original.method)),
                source: Some(add(&original.source)),
                line: original.line,
            }));
            start..frames.len() as u32
        });
        let ranges: Vec<Range<u32>> = ranges.collect();
        let becomes = |frame: &u32| ranges.get(*frame as usize).cloned().unwrap_or_default();
        let traces = self.traces.iter().map(|trace| trace.iter().flat_map(becomes).collect()).collect();
        let trace_of: FxHashMap<u32, u32> =
            self.owners.iter().filter_map(|owner| Some((owner.serial, owner.trace?))).collect();
        // By trace, number of frames up to the end of each of the previous frames.
        let mut ends: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let locals = self.locals.iter().map(|local| {
            let trace = trace_of.get(&local.thread);
            let ends = trace.map(|&trace| {
                ends.entry(trace).or_insert_with(|| {
                    let frames = self.traces.get(trace as usize).into_iter().flatten();
                    let ends = frames.scan(0, |end, frame| {
                        *end += becomes(frame).len() as u32;
                        Some(*end)
                    });
                    ends.collect()
                })
            });
            let moved =
                |frame: u32| ends.and_then(|ends| ends.get(frame as usize)).map_or(frame, |end| end.saturating_sub(1));
            Local { frame: local.frame.map(moved), ..*local }
        });
        let locals = locals.collect();
        let (references, owners, sites) = (self.references.clone(), self.owners.clone(), self.sites.clone());
        Self { references, owners, locals, traces, frames, sites }
    }

    fn of_trace(&self, trace: Option<u32>) -> impl Iterator<Item = &Frame> {
        let trace = trace.and_then(|trace| self.traces.get(trace as usize));
        trace.into_iter().flatten().take(MOST_FRAMES).filter_map(|&frame| self.frames.get(frame as usize))
    }

    /// True if any index is out of range; `classes` is the number of classes.
    pub(super) fn lead_nowhere(&self, classes: usize) -> bool {
        self.frames.iter().any(|frame| frame.class.is_some_and(|at| at as usize >= classes))
            || self.traces.iter().flatten().any(|&at| at as usize >= self.frames.len())
            || self.owners.iter().filter_map(|owner| owner.trace).any(|at| at as usize >= self.traces.len())
            || self.sites.iter().any(|&(_, at)| at as usize >= self.traces.len())
    }
}

/// Threads by serial number: those with a root, and those with a trace only.
fn threads(namer: &Namer<'_>, root_tables: &RootTables) -> BTreeMap<u32, ThreadRoot> {
    let mut threads = root_tables.threads.clone();
    let named: BTreeSet<u32> = threads.values().map(|thread| thread.trace).collect();
    if root_tables.traces_are_sites {
        return threads;
    }
    let mut traces: Vec<_> = namer.index.traces.iter().collect();
    traces.sort_unstable_by_key(|&(&serial, _)| serial);
    for (&trace, raw) in traces {
        // Thread 0 is not a thread: HotSpot assigns it the trace of objects without an allocation site.
        if raw.thread != 0 && !raw.frames.is_empty() && !named.contains(&trace) {
            threads.entry(raw.thread).or_insert(ThreadRoot { object: None, trace });
        }
    }
    threads
}

fn local(object: u32, kind: RootKind) -> Option<StackLocal> {
    Some(StackLocal { object: ObjectId::from_raw(object)?, kind })
}

impl Frame {
    fn parts<'a>(&self, shapes: &'a Shapes) -> (&'a str, &'a str) {
        let own = || self.class.and_then(|at| shapes.class(at)).map(|class| class.name);
        let class = self.class_name.or_else(own).map_or("unknown class", |name| shapes.name(name));
        (class, self.method.map_or("", |name| shapes.name(name)))
    }

    fn runs_out_of_memory(&self, shapes: &Shapes) -> bool {
        self.parts(shapes) == OUT_OF_MEMORY
    }

    /// `java.lang.Thread.run`
    fn name(&self, shapes: &Shapes) -> String {
        let (class, method) = self.parts(shapes);
        format!("{class}.{method}")
    }

    /// Text in the format of a Java stack trace.
    pub(super) fn text(&self, shapes: &Shapes) -> String {
        let (name, source) = (self.name(shapes), self.source.map_or("", |name| shapes.name(name)));
        match self.line {
            -3 => format!("{name}(native method)"),
            line if line > 0 && !source.is_empty() => format!("{name}({source}:{line})"),
            _ if source.is_empty() => format!("{name}(unknown source)"),
            _ => format!("{name}({source})"),
        }
    }
}
