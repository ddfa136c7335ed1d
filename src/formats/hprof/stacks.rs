//! What threads hold on their stacks and the stacks themselves, as they are
//! kept of an open dump.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::roots::Rooted;
use super::schema::Schema;
use super::shapes::{Name, Namer, Shapes};
use crate::heap::ids::ObjectId;

/// Something a thread's stack holds; objects are rows.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Held {
    thread: u32,
    pub(super) object: u32,
    /// `<Java Local>`
    pub(super) name: Name,
}

/// A frame of a stack.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Frame {
    /// Place of the class among the classes.
    class: Option<u32>,
    method: Option<Name>,
    source: Option<Name>,
    /// Positive: a line; 0 none, -1 unknown, -2 compiled, -3 native.
    line: i32,
}

/// The stacks of all threads.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Stacks {
    /// By thread.
    held: Vec<Held>,
    /// Thread and place of its trace, by thread.
    threads: Vec<(u32, u32)>,
    /// Places of frames, innermost first. Threads may share a trace, and traces a frame: written out for each
    /// thread, a made-up file would become as many frames as it has bytes, squared.
    traces: Vec<Vec<u32>>,
    frames: Vec<Frame>,
}

impl Stacks {
    /// The stacks of the threads in the heap.
    pub(super) fn new(namer: &mut Namer<'_>, schema: &Schema, rooted: &Rooted) -> Self {
        let mut stacks = Self::default();
        let mut kinds = BTreeMap::new();
        stacks.held.extend(rooted.locals.iter().map(|local| {
            let name = *kinds.entry(local.kind).or_insert_with(|| namer.add(&format!("<{}>", local.kind.name())));
            Held { thread: local.thread.raw(), object: local.object.raw(), name }
        }));
        let (index, mut traces, mut frames) = (namer.index, FxHashMap::default(), FxHashMap::default());
        let threads = rooted.stacks.iter().map(|(thread, &serial)| (thread.raw(), serial));
        let mut threads: Vec<(u32, u32)> = threads.collect();
        threads.sort_unstable();
        for (thread, serial) in threads {
            let Some(ids) = index.traces.get(&serial) else { continue };
            let place = *traces.entry(serial).or_insert_with(|| {
                let frame = |id: &u64| {
                    let raw = index.frames.get(id)?;
                    Some(*frames.entry(*id).or_insert_with(|| {
                        let class = index.class_by_serial.get(&raw.class_serial).and_then(|&class| schema.of(class));
                        let (method, source) = (namer.if_there(raw.method), namer.if_there(raw.source));
                        stacks.frames.push(Frame { class, method, source, line: raw.line });
                        stacks.frames.len() as u32 - 1
                    }))
                };
                stacks.traces.push(ids.iter().filter_map(frame).collect());
                stacks.traces.len() as u32 - 1
            });
            stacks.threads.push((thread, place));
        }
        stacks
    }

    /// What the stack of a thread holds.
    pub(super) fn held(&self, thread: ObjectId) -> &[Held] {
        let from = self.held.partition_point(|held| held.thread < thread.raw());
        let to = self.held.partition_point(|held| held.thread <= thread.raw());
        self.held.get(from..to).unwrap_or(&[])
    }

    /// The frames of a thread, innermost first.
    pub(super) fn frames(&self, thread: ObjectId) -> impl Iterator<Item = &Frame> {
        let at = self.threads.binary_search_by_key(&thread.raw(), |&(thread, _)| thread).ok();
        let trace = at.and_then(|at| self.threads.get(at)).and_then(|&(_, trace)| self.traces.get(trace as usize));
        trace.into_iter().flatten().filter_map(|&frame| self.frames.get(frame as usize))
    }

    /// Whether a place is one of nothing; `classes` is how many there are of those.
    pub(super) fn lead_nowhere(&self, classes: usize) -> bool {
        self.frames.iter().any(|frame| frame.class.is_some_and(|at| at as usize >= classes))
            || self.traces.iter().flatten().any(|&at| at as usize >= self.frames.len())
            || self.threads.iter().any(|&(_, at)| at as usize >= self.traces.len())
    }
}

impl Frame {
    /// As a Java stack trace writes it.
    pub(super) fn text(&self, shapes: &Shapes) -> String {
        let text = |name: Option<Name>| name.map_or("", |name| shapes.name(name));
        let class = self.class.and_then(|at| shapes.class(at)).map_or("unknown class", |class| shapes.name(class.name));
        let (method, source) = (text(self.method), text(self.source));
        match self.line {
            -3 => format!("{class}.{method}(native method)"),
            line if line > 0 && !source.is_empty() => format!("{class}.{method}({source}:{line})"),
            _ if source.is_empty() => format!("{class}.{method}(unknown source)"),
            _ => format!("{class}.{method}({source})"),
        }
    }
}
