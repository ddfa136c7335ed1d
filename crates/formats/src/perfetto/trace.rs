//! Packets of a trace, and what they say besides heap graphs: processes, packages and clocks.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::wire::{Content, Field, Message};
use heaplens_base::{Cancelled, Task};

/// Number of a packet in a trace.
const PACKET: u32 = 1;
/// Highest number of a field in a packet, extensions included, that is plausible.
const HIGHEST: u32 = 10_000;
/// Number of packets at the beginning of a file that must be valid.
const EXAMINED: usize = 16;

/// Numbers of fields of a packet.
mod tag {
    pub(super) const PROCESS_TREE: u32 = 2;
    pub(super) const CLOCKS: u32 = 6;
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const PACKAGES: u32 = 47;
    pub(super) const COMPRESSED: u32 = 50;
    pub(super) const HEAP_GRAPH: u32 = 56;
    pub(super) const MAPPING: u32 = 64;
    pub(super) const COMPRESSED_ZSTD: u32 = 133;
}
/// Fields of a packet that are numbers: user, time, sequence, flags and times of it, clock, process.
const NUMBERS: [u32; 9] = [3, tag::TIMESTAMP, tag::SEQUENCE, 13, 41, 42, 58, 79, 87];
/// Fields of a packet that are messages or texts.
const MESSAGES: [u32; 30] = [
    1,
    tag::PROCESS_TREE,
    4,
    5,
    tag::CLOCKS,
    7,
    9,
    11,
    12,
    33,
    34,
    35,
    36,
    37,
    38,
    39,
    40,
    43,
    44,
    45,
    46,
    tag::PACKAGES,
    49,
    tag::COMPRESSED,
    tag::HEAP_GRAPH,
    59,
    60,
    tag::MAPPING,
    66,
    tag::COMPRESSED_ZSTD,
];
/// Clocks of a snapshot of clocks: of the calendar, and since boot, which heap graphs are timed by.
const REAL_TIME: u64 = 1;
const BOOT_TIME: u64 = 6;

/// A packet with a heap graph.
#[derive(Debug, Clone)]
pub(super) struct GraphPacket {
    /// Offset of the packet.
    pub(super) at: u64,
    /// The heap graph.
    pub(super) graph: Range<u64>,
    /// Number of the writer.
    pub(super) sequence: u64,
    /// Nanoseconds since boot.
    pub(super) timestamp: Option<u64>,
}

/// A process of the device.
#[derive(Debug, Clone, Default)]
pub(super) struct Process {
    pub(super) name: String,
    pub(super) user: Option<u64>,
}

/// Packets of a trace as far as they matter.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) graphs: Vec<GraphPacket>,
    /// Mappings of obfuscated names.
    pub(super) mappings: Vec<Range<u64>>,
    processes: FxHashMap<u64, Process>,
    /// Packages by user.
    packages: FxHashMap<u64, String>,
    /// Calendar time of the boot, in nanoseconds since 1970.
    booted_at: Option<u64>,
    /// Number of packets.
    pub(super) packets: u64,
    /// Packets that are compressed in an unknown way, and the offset of the first.
    pub(super) unread: (u64, Option<u64>),
    /// Offset of damage, after which nothing could be read.
    pub(super) broken_at: Option<u64>,
}

/// True if a file begins with packets of a trace. Other files may begin with the same byte: all fields of the first
/// packets must be plausible, and one of them known.
pub(crate) fn recognises(file: &[u8]) -> bool {
    if file.first() != Some(&0x0a) {
        return false;
    }
    let mut known = false;
    for packet in Message::of(file).take(EXAMINED) {
        let (PACKET, Some(bytes)) = (packet.number, packet.as_bytes()) else { return false };
        let mut fields = Message::of(bytes);
        for field in fields.by_ref() {
            let is_number = matches!(field.content, Content::Number(_));
            let is_known = NUMBERS.contains(&field.number) || MESSAGES.contains(&field.number);
            let fits = !NUMBERS.contains(&field.number) || is_number;
            let fits = fits && (!MESSAGES.contains(&field.number) || field.as_bytes().is_some());
            if field.number > HIGHEST || !fits {
                return false;
            }
            known |= is_known;
        }
        // The last packet of a truncated file may end anywhere.
        if fields.broken_at.is_some() && !packet.is_cut {
            return false;
        }
    }
    known
}

/// Messages of a packet with compressed packets: their contents are packets again.
pub(super) fn compressed<'a>(packet: &Field<'a>) -> Option<&'a [u8]> {
    Message::of(packet.as_bytes()?).find(|field| field.number == tag::COMPRESSED)?.as_bytes()
}

impl Trace {
    /// Reads all packets. Heap graphs are only located.
    pub(super) fn read(file: &[u8], task: &Task) -> Result<Self, Cancelled> {
        let mut trace = Self::default();
        let mut packets = Message::new(file, &(0..file.len() as u64));
        for packet in packets.by_ref() {
            trace.packets += 1;
            task.checkpoint_at(trace.packets as usize)?;
            if packet.number == PACKET && packet.as_bytes().is_some() {
                trace.packet(file, &packet);
            }
        }
        trace.broken_at = packets.broken_at;
        Ok(trace)
    }

    fn packet(&mut self, file: &[u8], packet: &Field<'_>) {
        let mut graph = GraphPacket { at: packet.at, graph: 0..0, sequence: 0, timestamp: None };
        let mut fields = Message::new(file, &packet.range());
        for field in fields.by_ref() {
            match (field.number, field.content) {
                (tag::TIMESTAMP, Content::Number(time)) => graph.timestamp = Some(time),
                (tag::SEQUENCE, Content::Number(number)) => graph.sequence = number,
                (tag::HEAP_GRAPH, Content::Bytes(_)) => graph.graph = field.range(),
                (tag::MAPPING, Content::Bytes(_)) if !field.is_cut => self.mappings.push(field.range()),
                (tag::PROCESS_TREE, Content::Bytes(bytes)) => self.process_tree(bytes),
                (tag::PACKAGES, Content::Bytes(bytes)) => self.package_list(bytes),
                (tag::CLOCKS, Content::Bytes(bytes)) => self.clocks(bytes),
                (tag::COMPRESSED | tag::COMPRESSED_ZSTD, _) => {
                    self.unread.0 += 1;
                    self.unread.1.get_or_insert(field.at);
                }
                _ => {}
            }
        }
        if !graph.graph.is_empty() {
            self.graphs.push(graph);
        }
    }

    fn process_tree(&mut self, bytes: &[u8]) {
        for process in Message::of(bytes).filter(|field| field.number == 1).filter_map(|field| field.as_bytes()) {
            let (mut pid, mut known) = (None, Process::default());
            for field in Message::of(process) {
                match field.number {
                    1 => pid = field.as_number(),
                    // The first argument is the name.
                    3 if known.name.is_empty() => known.name = field.as_text().unwrap_or_default(),
                    5 => known.user = field.as_number(),
                    _ => {}
                }
            }
            if let Some(pid) = pid {
                self.processes.entry(pid).or_insert(known);
            }
        }
    }

    fn package_list(&mut self, bytes: &[u8]) {
        for package in Message::of(bytes).filter(|field| field.number == 1).filter_map(|field| field.as_bytes()) {
            let (mut name, mut user) = (None, None);
            for field in Message::of(package) {
                match field.number {
                    1 => name = field.as_text(),
                    2 => user = field.as_number(),
                    _ => {}
                }
            }
            if let (Some(name), Some(user)) = (name, user) {
                self.packages.entry(user).or_insert(name);
            }
        }
    }

    fn clocks(&mut self, bytes: &[u8]) {
        let (mut real, mut boot) = (None, None);
        for clock in Message::of(bytes).filter(|field| field.number == 1).filter_map(|field| field.as_bytes()) {
            let (mut id, mut time) = (None, None);
            for field in Message::of(clock) {
                match field.number {
                    1 => id = field.as_number(),
                    2 => time = field.as_number(),
                    _ => {}
                }
            }
            match id {
                Some(REAL_TIME) => real = time,
                Some(BOOT_TIME) => boot = time,
                _ => {}
            }
        }
        let booted_at = real.zip(boot).and_then(|(real, boot)| real.checked_sub(boot));
        self.booted_at = self.booted_at.or(booted_at);
    }

    /// The process of a number.
    pub(super) fn process(&self, pid: u64) -> Option<&Process> {
        self.processes.get(&pid)
    }

    /// The package that a process runs.
    pub(super) fn package_of(&self, pid: u64) -> Option<&str> {
        /// Every user of a device has its own numbers for the same applications.
        const PER_USER: u64 = 100_000;
        let application = self.process(pid)?.user? % PER_USER;
        self.packages.get(&application).map(String::as_str)
    }

    /// Calendar time of a moment since boot, in milliseconds since 1970.
    pub(super) fn millis(&self, timestamp: u64) -> Option<u64> {
        Some(self.booted_at?.checked_add(timestamp)? / 1_000_000)
    }
}
