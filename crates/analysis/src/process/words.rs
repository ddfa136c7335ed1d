//! The answer in a sentence.

use std::fmt;

use super::{PartKind, ProcessMemory, ProcessPart};
use crate::native_owners::NativeOwner;
use heaplens_base::{Bytes, Count, named::Named};
use heaplens_heap::native::NativeKind;

/// Number of parts that the sentence names besides the heap.
const NAMED: usize = 2;
/// A part of less than one in so many of the process is not named.
const LEAST: u64 = 20;

impl ProcessMemory {
    /// The parts that the sentence names, largest first.
    fn named(&self) -> impl Iterator<Item = &ProcessPart> {
        // Without a record the parts that are only assumed would hide the others.
        let measured = self.parts.iter().filter(|part| part.basis == super::Basis::Measured);
        let most = self.resident.unwrap_or_else(|| measured.map(|part| part.bytes).sum());
        let is_named = move |part: &&ProcessPart| {
            let is_other = !matches!(part.kind, PartKind::LiveHeap | PartKind::Unexplained);
            is_other
                && part.bytes.0 >= most.0 / LEAST
                && (self.resident.is_some() || part.basis == super::Basis::Measured)
        };
        self.parts.iter().filter(is_named).take(NAMED)
    }

    /// The answer in a sentence, if it tells more than the size of the heap: the process was recorded, or its objects own as
    /// much outside of the heap as a tenth of it.
    pub fn telling_sentence(&self) -> Option<String> {
        let outside: Bytes = self.owners.iter().map(|owner| owner.bytes).sum();
        (self.resident.is_some() || outside.0 > self.heap.live.0 / 10).then(|| self.to_string())
    }

    /// True if others hold a twentieth of a part or more.
    fn is_held_in_part(&self, part: &ProcessPart, holder: &str) -> bool {
        let of_holder = |owner: &&NativeOwner| part.kind.has(owner) && owner.name.as_deref() == Some(holder);
        let held: Bytes = self.owners.iter().filter(of_holder).map(|owner| owner.bytes).sum();
        held > Bytes(0) && held.0 < part.bytes.0 - part.bytes.0 / LEAST
    }

    /// The resident memory that the sentence does not name.
    fn others(&self) -> Option<Bytes> {
        let named: Bytes = self.named().map(|part| part.bytes).sum();
        let part = |kind| self.parts.iter().filter(|part| part.kind == kind).map(|part| part.bytes).sum::<Bytes>();
        let rest = self.resident?.0.saturating_sub(named.0 + part(PartKind::LiveHeap).0);
        Some(Bytes(rest.saturating_sub(part(PartKind::Unexplained).0)))
    }

    /// Bytes that no part explains.
    pub fn unexplained(&self) -> Option<Bytes> {
        self.resident?;
        Some(self.parts.iter().find(|part| part.kind == PartKind::Unexplained).map_or(Bytes(0), |part| part.bytes))
    }
}

impl ProcessPart {
    /// The part in a sentence: `direct buffers`, `category Native Heap`.
    pub(super) fn words(&self) -> String {
        if self.kind == PartKind::Category { format!("category {}", self.about) } else { self.kind.noun().to_owned() }
    }

    /// Its title; of a category of Android, its name.
    pub fn title(&self) -> &str {
        if self.kind == PartKind::Category { &self.about } else { self.kind.title() }
    }
}

impl PartKind {
    /// Title of the part.
    pub fn title(self) -> &'static str {
        Self::NAMES.iter().find(|name| name.value == self).map_or("", |name| name.help)
    }

    /// True if memory of an owner is in the part.
    pub fn has(self, owner: &NativeOwner) -> bool {
        use heaplens_heap::native::NativeKind as Kind;
        matches!(
            (self, owner.kind),
            (Self::DirectBuffers, Kind::DirectBuffer)
                | (Self::Compression, Kind::Inflater | Kind::Deflater)
                | (Self::Registered, Kind::Registered)
                | (Self::ArrayBuffers, Kind::ArrayBuffer)
                | (Self::MappedFiles, Kind::MappedFile)
                | (Self::ForeignMemory, Kind::Arena)
                | (Self::External, Kind::ExternalString)
        )
    }

    /// What is counted in it: the noun for one and for several.
    pub fn counted(self) -> (&'static str, &'static str) {
        match self {
            Self::DirectBuffers => ("buffer", "buffers"),
            Self::ForeignMemory => ("arena", "arenas"),
            Self::MappedFiles => ("file", "files"),
            Self::ThreadStacks | Self::Workers => ("thread", "threads"),
            Self::ClassMetadata => ("class", "classes"),
            _ => ("object", "objects"),
        }
    }

    /// What connects a part with what has most of it.
    pub(super) const fn held(self) -> &'static str {
        if matches!(self, Self::ThreadStacks | Self::ClassMetadata) { "of" } else { "held by" }
    }

    /// The part in a sentence: `direct buffers`.
    fn noun(self) -> &'static str {
        match self {
            Self::LiveHeap => "live heap",
            Self::RestOfHeap => "garbage and free memory in the heap",
            Self::DirectBuffers => "direct buffers",
            Self::ForeignMemory => "foreign memory",
            Self::Compression => "inflaters and deflaters",
            Self::Registered => "registered native memory",
            Self::ArrayBuffers => "array buffers",
            Self::External => "other external memory",
            Self::Workers => "heaps of worker threads",
            Self::MappedFiles => "mapped files",
            Self::Libraries => "programs and libraries",
            Self::ThreadStacks => "thread stacks",
            Self::ClassMetadata => "class metadata",
            Self::CompiledCode => "compiled code",
            Self::VirtualMachine => "memory of the virtual machine",
            Self::SharedMemory => "shared memory",
            Self::Category => "of a category of Android",
            Self::Unexplained => "unexplained",
        }
    }
}

impl fmt::Display for NativeOwner {
    /// `TileCache.tiles holds 26 direct buffers: 52.0 MB outside the heap`, `ConnectionPool.leased holds 300 open sockets`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, several) = self.kind.nouns();
        let objects = Count(self.objects).of(one, several);
        match &self.name {
            Some(name) if !self.kind.has_bytes() => write!(f, "{name} holds {objects}"),
            None if !self.kind.has_bytes() => write!(f, "{objects} without a name in the source"),
            Some(name) if self.kind == NativeKind::MappedFile => write!(f, "{name} holds {objects} of {}", self.bytes),
            Some(name) => write!(f, "{name} holds {objects}: {} outside the heap", self.bytes),
            None => {
                let have = if self.objects == 1 { "has" } else { "have" };
                write!(f, "{objects} {have} {} outside the heap, and no name in the source", self.bytes)
            }
        }
    }
}

impl fmt::Display for ProcessMemory {
    /// `The process has 410 MB; the live heap is 13.0 MB of it, 240 MB are direct buffers held by TileCache.tiles;
    /// unexplained 9.0 MB`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resident {
            Some(resident) => write!(f, "The process has {resident}; the live heap is {} of it", self.heap.live)?,
            None => write!(f, "The live heap is {}", self.heap.live)?,
        }
        for part in self.named() {
            write!(f, ", {} are {}", part.bytes, part.kind.noun())?;
            if !part.about.is_empty() && part.kind == PartKind::Category {
                write!(f, " ({})", part.about)?;
            }
            if let Some(holder) = &part.holder {
                let mostly = if self.is_held_in_part(part, holder) { "mostly " } else { "" };
                write!(f, " {mostly}{} {holder}", part.kind.held())?;
            }
        }
        match self.others() {
            Some(others) if others > Bytes(0) => write!(f, ", {others} are other parts")?,
            _ => {}
        }
        match self.unexplained() {
            Some(bytes) => write!(f, "; unexplained {bytes}"),
            None => write!(f, "; the size of the process is not recorded"),
        }
    }
}
