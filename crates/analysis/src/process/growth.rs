//! What grew between two dumps of a process, in the same parts.

use std::fmt;

use super::part::{PartKind, ProcessPart};
use super::{Basis, ProcessMemory};
use heaplens_base::{ByteDelta, Bytes};

/// Maximum number of parts that the sentence names.
const NAMED: usize = 3;
/// A part with less than one in so many of all changes is not named.
const LEAST: u64 = 20;

/// What the sentence is about if both dumps have a record.
const PROCESS: &str = "process";

/// A part now and before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartChange {
    /// The part; without bytes if it is no more.
    pub part: ProcessPart,
    /// Its bytes before; 0 if it is new.
    pub before: Bytes,
}

impl PartChange {
    /// Change of its bytes.
    pub fn delta(&self) -> ByteDelta {
        ByteDelta::between(self.before, self.part.bytes)
    }
}

/// The memory of a process and that of an earlier dump of it.
#[derive(Debug, Clone, Copy)]
pub struct ProcessGrowth<'a> {
    /// Earlier.
    pub before: &'a ProcessMemory,
    /// Later.
    pub after: &'a ProcessMemory,
}

impl ProcessGrowth<'_> {
    /// All parts of both, in the order of the later one, what is unexplained last.
    pub fn parts(&self) -> Vec<PartChange> {
        let of_kind = |parts: &[ProcessPart], part: &ProcessPart| {
            parts.iter().find(|other| (other.kind, other.title()) == (part.kind, part.title())).map(|other| other.bytes)
        };
        let change = |part: &ProcessPart| PartChange {
            part: part.clone(),
            before: of_kind(&self.before.parts, part).unwrap_or_default(),
        };
        let mut parts: Vec<PartChange> = self.after.parts.iter().map(change).collect();
        let removed = self.before.parts.iter().filter(|part| of_kind(&self.after.parts, part).is_none());
        parts.extend(removed.map(|part| PartChange {
            part: ProcessPart {
                bytes: Bytes(0),
                count: None,
                holder: None,
                about: removed_about(part),
                ..part.clone()
            },
            before: part.bytes,
        }));
        parts.sort_by_key(|change| change.part.kind == PartKind::Unexplained);
        parts
    }

    /// What the sentence is about: the process if both were recorded, else the live heap.
    fn subject(&self) -> (&'static str, Bytes, Bytes) {
        match (self.before.resident, self.after.resident) {
            (Some(before), Some(after)) => (PROCESS, before, after),
            _ => ("live heap", self.before.heap.live, self.after.heap.live),
        }
    }

    /// The parts that changed most.
    fn named(&self) -> Vec<PartChange> {
        let is_recorded = self.before.resident.is_some() && self.after.resident.is_some();
        let mut parts = self.parts();
        // What is assumed would hide what the dumps tell.
        parts.retain(|change| {
            is_recorded || change.part.basis == Basis::Measured && change.part.kind != PartKind::LiveHeap
        });
        parts.sort_by_key(|change| std::cmp::Reverse(change.delta().0.unsigned_abs()));
        let all = parts.iter().fold(0_u64, |sum, change| sum.saturating_add(change.delta().0.unsigned_abs()));
        parts.retain(|change| change.delta().0.unsigned_abs() > all / LEAST);
        parts.truncate(NAMED);
        parts
    }
}

/// A category of Android is named by its description.
fn removed_about(part: &ProcessPart) -> String {
    if part.kind == PartKind::Category { part.about.clone() } else { String::new() }
}

impl fmt::Display for ProcessGrowth<'_> {
    /// `The process grew by 110 MB to 410 MB: direct buffers +104 MB, held by TileCache.tiles; live heap +2.0 MB`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (subject, before, after) = self.subject();
        match ByteDelta::between(before, after).0 {
            0 => write!(f, "The {subject} has {after} as before")?,
            more @ 1.. => write!(f, "The {subject} grew by {} to {after}", Bytes(more.unsigned_abs()))?,
            less => write!(f, "The {subject} shrank by {} to {after}", Bytes(less.unsigned_abs()))?,
        }
        for (at, change) in self.named().iter().enumerate() {
            // Other parts are no parts of the heap.
            let before = if at == 0 && subject == PROCESS { ":" } else { ";" };
            write!(f, "{before} {} {}", change.part.words(), change.delta())?;
            if let Some(holder) = change.part.holder.as_ref().filter(|_| change.delta().0 > 0) {
                write!(f, ", {} {holder}", change.part.kind.held())?;
            }
        }
        Ok(())
    }
}
