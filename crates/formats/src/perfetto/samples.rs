//! Heap graphs of a trace, which may have several: of several processes, and of one at several times. A heap graph is
//! written in packets with consecutive indexes, all by one writer; those of several may alternate.

use std::ops::Range;

use rayon::prelude::*;

use super::objects::{IdDecoder, identity};
use super::trace::{GraphPacket, Trace};
use super::wire::Message;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Count, Task};
use heaplens_heap::{ImportNote, Severity};

/// Numbers of fields of a heap graph.
pub(super) mod tag {
    pub(in crate::perfetto) const PID: u32 = 1;
    pub(in crate::perfetto) const OBJECT: u32 = 2;
    pub(in crate::perfetto) const FIELD_NAME: u32 = 4;
    pub(in crate::perfetto) const CONTINUED: u32 = 5;
    pub(in crate::perfetto) const INDEX: u32 = 6;
    pub(in crate::perfetto) const ROOT: u32 = 7;
    pub(in crate::perfetto) const LOCATION: u32 = 8;
    pub(in crate::perfetto) const TYPE: u32 = 9;
}

/// Maximum number of other heap graphs named in a note.
const NAMED: usize = 12;

/// What a packet adds to a heap graph.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    pid: Option<u64>,
    index: u64,
    continued: bool,
    objects: u64,
    /// Sum of the distances since the last absolute id, and that id if there is any.
    last: (u64, Option<u64>),
    heap: Option<u64>,
    broken_at: Option<u64>,
}

/// A packet of a heap graph, and the state in which it is read.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The message in the file.
    pub(super) range: Range<u64>,
    pub(super) ids: IdDecoder,
    /// Heap of its first objects, if they do not name another.
    pub(super) heap: u64,
}

/// A heap graph: the objects of a process at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// Process number.
    pub(super) pid: u64,
    /// Nanoseconds since boot.
    pub(super) timestamp: Option<u64>,
    pub(super) parts: Vec<Part>,
    pub(super) objects: u64,
    /// Number of gaps in the indexes of its packets, and the offset of the first packet after one.
    gaps: (u64, Option<u64>),
    /// True if its last packet is there.
    is_finished: bool,
    /// Offset of damage inside a packet.
    broken_at: (u64, Option<u64>),
}

/// Reads what a packet adds.
fn head(file: &[u8], packet: &GraphPacket, task: &Task) -> Result<Head, Cancelled> {
    let mut head = Head::default();
    let mut fields = Message::new(file, &packet.graph);
    for field in fields.by_ref() {
        match field.number {
            tag::PID => head.pid = field.as_number(),
            tag::INDEX => head.index = field.as_number().unwrap_or_default(),
            tag::CONTINUED => head.continued = field.as_number().is_some_and(|flag| flag != 0),
            tag::OBJECT if field.as_bytes().is_some() && !field.is_cut => {
                head.objects += 1;
                if head.objects.is_multiple_of(CHECKPOINT_EVERY as u64) {
                    task.checkpoint()?;
                }
                let (id, heap) = identity(Message::new(file, &field.range()));
                head.last = match id {
                    (delta, true) => (head.last.0.wrapping_add(delta), head.last.1),
                    (id, false) => (0, Some(id)),
                };
                head.heap = heap.or(head.heap);
            }
            _ => {}
        }
    }
    head.broken_at = fields.broken_at;
    task.advance_checked(packet.graph.end - packet.graph.start)?;
    Ok(head)
}

/// A heap graph of which more packets may come.
struct Open {
    sequence: u64,
    sample: Sample,
    next_index: u64,
    ids: IdDecoder,
    heap: u64,
}

impl Open {
    fn new(packet: &GraphPacket, head: &Head) -> Self {
        let sample = Sample { pid: head.pid.unwrap_or_default(), timestamp: packet.timestamp, ..Sample::default() };
        Self { sequence: packet.sequence, sample, next_index: 0, ids: IdDecoder { last: Some(0) }, heap: 0 }
    }

    /// True if a packet is of this heap graph.
    fn continues(&self, packet: &GraphPacket, head: &Head) -> bool {
        let is_same = |a: Option<u64>, b: Option<u64>| a.is_none() || b.is_none() || a == b;
        packet.sequence == self.sequence
            && is_same(head.pid, Some(self.sample.pid))
            && is_same(packet.timestamp, self.sample.timestamp)
    }

    fn add(&mut self, packet: &GraphPacket, head: &Head) {
        if head.index != self.next_index {
            let (gaps, first) = &mut self.sample.gaps;
            *gaps += 1;
            first.get_or_insert(packet.at);
            self.ids.last = None;
        }
        self.next_index = head.index.wrapping_add(1);
        let (ids, heap) = (self.ids, self.heap);
        self.sample.parts.push(Part { range: packet.graph.clone(), ids, heap });
        self.sample.objects += head.objects;
        self.sample.is_finished = !head.continued;
        if let Some(at) = head.broken_at {
            self.sample.broken_at.0 += 1;
            self.sample.broken_at.1.get_or_insert(at);
            // The rest of the packet, and with it the last id, is lost.
            self.ids.last = None;
        } else {
            let (sum, absolute) = head.last;
            self.ids.last = absolute.or(self.ids.last).map(|from| from.wrapping_add(sum));
        }
        self.heap = head.heap.unwrap_or(self.heap);
    }
}

/// All heap graphs of a trace, in the order in which they begin. Progress counts bytes.
pub(super) fn samples(file: &[u8], trace: &Trace, task: &Task) -> Result<Vec<Sample>, Cancelled> {
    let heads: Vec<Head> =
        trace.graphs.par_iter().with_max_len(1).map(|packet| head(file, packet, task)).collect::<Result<_, _>>()?;
    let mut done: Vec<(usize, Sample)> = Vec::new();
    let mut open: Vec<(usize, Open)> = Vec::new();
    for (nth, (packet, head)) in trace.graphs.iter().zip(&heads).enumerate() {
        task.checkpoint_at(nth)?;
        let known = open.iter().position(|(_, of)| of.sequence == packet.sequence);
        // A heap graph whose last packet is missing ends where another begins.
        if let Some(at) = known.filter(|&at| open.get(at).is_some_and(|(_, of)| !of.continues(packet, head))) {
            let (from, ended) = open.swap_remove(at);
            done.push((from, ended.sample));
        }
        let at = open.iter().position(|(_, of)| of.sequence == packet.sequence).unwrap_or_else(|| {
            open.push((nth, Open::new(packet, head)));
            open.len() - 1
        });
        let Some((_, of)) = open.get_mut(at) else { continue };
        of.add(packet, head);
        if !head.continued {
            let (from, ended) = open.swap_remove(at);
            done.push((from, ended.sample));
        }
    }
    done.extend(open.into_iter().map(|(from, open)| (from, open.sample)));
    done.sort_by_key(|&(from, _)| from);
    Ok(done.into_iter().map(|(_, sample)| sample).collect())
}

/// Index of the heap graph shown unless another is chosen: the one with the most objects, the last of several.
pub(super) fn largest(samples: &[Sample]) -> Option<usize> {
    (0..samples.len()).max_by_key(|&at| samples.get(at).map_or(0, |sample| sample.objects))
}

/// `com.example.shop (process 123)`
pub(super) fn process_name(trace: &Trace, pid: u64) -> String {
    match trace.process(pid).map(|process| process.name.as_str()) {
        Some(name) if !name.is_empty() => format!("{name} (process {pid})"),
        _ => format!("process {pid}"),
    }
}

/// One of several heap graphs, for a list.
fn described(trace: &Trace, number: usize, sample: &Sample) -> String {
    let time = match sample.timestamp {
        Some(time) => format!(" at {}.{:03} s", time / 1_000_000_000, time / 1_000_000 % 1_000),
        None => String::new(),
    };
    format!("{number}: {}{time}, {} objects", process_name(trace, sample.pid), Count(sample.objects))
}

/// Parse warning about heap graphs that are not shown.
pub(super) fn other_samples(trace: &Trace, samples: &[Sample], shown: usize) -> Option<ImportNote> {
    let numbered = || samples.iter().enumerate();
    let others: Vec<String> = numbered()
        .filter(|&(at, _)| at != shown)
        .map(|(at, sample)| described(trace, at + 1, sample))
        .take(NAMED)
        .collect();
    let more = (samples.len() - 1).checked_sub(others.len()).filter(|&more| more > 0);
    let more = more.map_or_else(String::new, |more| format!("; and {} more", Count(more as u64)));
    let shown = samples.get(shown).map(|sample| described(trace, shown + 1, sample))?;
    let message = format!(
        "the trace contains {} heap graphs: one is shown ({shown}); choose another with the option heap-graph ({}{more})",
        samples.len(),
        others.join("; ")
    );
    (!others.is_empty()).then(|| ImportNote::new(Severity::Info, others.len() as u64, message, None))
}

impl Sample {
    /// Parse warnings about packets that are missing or damaged.
    pub(super) fn notes(&self) -> Vec<ImportNote> {
        let data_lost =
            |(count, at): (u64, Option<u64>), message| ImportNote::if_any(Severity::DataLost, count, message, at);
        let cut = u64::from(!self.is_finished && self.broken_at.0 == 0);
        let notes = [
            data_lost(
                self.gaps,
                "packets of the heap graph are missing: objects are missing (record with a larger buffer)",
            ),
            data_lost(self.broken_at, "packet of the heap graph is truncated or damaged: the rest of it is missing"),
            data_lost((cut, None), "the last packet of the heap graph is missing: objects and names may be missing"),
        ];
        notes.into_iter().flatten().collect()
    }
}
