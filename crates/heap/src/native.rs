//! What objects have outside of the heap: native memory, open files and sockets. Few objects have any, so it is a list, not
//! a column.

use serde::{Deserialize, Serialize};

use super::{ObjectId, sections};
use heaplens_base::storage::{Column, MemoryBudget, StoredAnalysis};
use heaplens_base::{Bytes, named};

/// What an object has outside of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NativeKind {
    /// The runtime or the file records an amount for the object.
    Registered,
    /// A direct buffer of Java: its capacity. One without a cleaner counts, too, unless it is a view of another: libraries
    /// such as Netty free such memory themselves.
    DirectBuffer,
    /// An `Inflater` that was not ended: what zlib allocates.
    Inflater,
    /// A `Deflater` that was not ended: what zlib allocates.
    Deflater,
    /// The memory of an array buffer of JavaScript, Node's buffers included. It is a node of the snapshot, and so part of
    /// its sizes.
    ArrayBuffer,
    /// A file that is mapped into memory. Its pages belong to the file, so it is no memory that the object owns.
    MappedFile,
    /// An arena of foreign memory (JDK 22 and newer) that is not closed: what it has allocated.
    Arena,
    /// An open file. Its memory is the kernel's, and in no dump.
    OpenFile,
    /// An open socket. Its memory is the kernel's, and in no dump.
    Socket,
    /// A string of JavaScript whose characters are outside of the heap. A snapshot does not record how many there are.
    ExternalString,
}

named! { NativeKind {
    Registered = "registered", "Registered native memory";
    DirectBuffer = "direct-buffer", "Direct buffers";
    Inflater = "inflater", "Inflaters";
    Deflater = "deflater", "Deflaters";
    ArrayBuffer = "array-buffer", "Array buffers";
    MappedFile = "mapped-file", "Mapped files";
    Arena = "arena", "Arenas of foreign memory";
    OpenFile = "open-file", "Open files";
    Socket = "socket", "Open sockets";
    ExternalString = "external-string", "External strings";
}}

impl NativeKind {
    /// All kinds, by number.
    const ALL: [Self; 10] = [
        Self::Registered,
        Self::DirectBuffer,
        Self::Inflater,
        Self::Deflater,
        Self::ArrayBuffer,
        Self::MappedFile,
        Self::Arena,
        Self::OpenFile,
        Self::Socket,
        Self::ExternalString,
    ];

    /// Title of a sum.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Registered => "Registered native memory",
            Self::DirectBuffer => "Direct buffers (native memory)",
            Self::Inflater => "Inflaters (native memory, estimated)",
            Self::Deflater => "Deflaters (native memory, estimated)",
            Self::ArrayBuffer => "Array buffers",
            Self::MappedFile => "Mapped files",
            Self::Arena => "Arenas (native memory)",
            Self::OpenFile => "Open files",
            Self::Socket => "Open sockets",
            Self::ExternalString => "External strings",
        }
    }

    /// The noun for one and for several.
    pub const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Registered => ("object with registered native memory", "objects with registered native memory"),
            Self::DirectBuffer => ("direct buffer", "direct buffers"),
            Self::Inflater => ("inflater", "inflaters"),
            Self::Deflater => ("deflater", "deflaters"),
            Self::ArrayBuffer => ("array buffer", "array buffers"),
            Self::MappedFile => ("mapped file", "mapped files"),
            Self::Arena => ("arena", "arenas"),
            Self::OpenFile => ("open file", "open files"),
            Self::Socket => ("open socket", "open sockets"),
            Self::ExternalString => ("external string", "external strings"),
        }
    }

    /// True if a program ends it by a call; otherwise it ends when the object is collected.
    pub const fn can_be_closed(self) -> bool {
        matches!(self, Self::Inflater | Self::Deflater | Self::Arena | Self::OpenFile | Self::Socket)
    }

    /// True if the dump tells bytes of it; otherwise only their number.
    pub const fn has_bytes(self) -> bool {
        !matches!(self, Self::OpenFile | Self::Socket | Self::ExternalString)
    }

    /// True if the amount is in the dump; otherwise it follows from what the library usually allocates.
    pub const fn is_measured(self) -> bool {
        !matches!(self, Self::Inflater | Self::Deflater)
    }
}

/// What one object has outside of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NativeMemory {
    /// The owner.
    pub object: ObjectId,
    /// How it is known.
    pub kind: NativeKind,
    /// The amount; 0 of a kind without [`NativeKind::has_bytes`].
    pub bytes: Bytes,
}

/// Native memory of all objects with the same kind of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeTotals {
    /// The kind.
    pub kind: NativeKind,
    /// Number of owners.
    pub objects: u64,
    /// Sum of their amounts.
    pub bytes: Bytes,
}

/// Native memory of the objects that own any.
#[derive(Default)]
pub struct NativeBytes {
    /// Ascending.
    rows: Column<u32>,
    bytes: Column<u64>,
    /// Index in [`NativeKind::ALL`].
    kinds: Column<u8>,
}

impl NativeBytes {
    /// Native memory of objects; several amounts of one object are summed.
    pub(super) fn new(mut owned: Vec<NativeMemory>, budget: &MemoryBudget) -> Self {
        owned.sort_unstable();
        let (mut rows, mut bytes, mut kinds): (Vec<u32>, Vec<u64>, Vec<u8>) = (Vec::new(), Vec::new(), Vec::new());
        for of_object in owned.chunk_by(|a, b| a.object == b.object) {
            rows.extend(of_object.first().map(|first| first.object.raw()));
            kinds.extend(of_object.first().map(|first| first.kind as u8));
            bytes.push(of_object.iter().fold(0, |sum: u64, more| sum.saturating_add(more.bytes.0)));
        }
        Self {
            rows: budget.keep(sections::NATIVE_ROWS, rows),
            bytes: budget.keep(sections::NATIVE_BYTES, bytes),
            kinds: budget.keep(sections::NATIVE_KINDS, kinds),
        }
    }

    /// Objects that own native memory.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, Bytes)> {
        self.all().map(|owned| (owned.object, owned.bytes))
    }

    /// Objects that own native memory, with its kind.
    pub fn all(&self) -> impl Iterator<Item = NativeMemory> {
        let columns = self.rows.all().iter().zip(self.bytes.all()).zip(self.kinds.all());
        columns.filter_map(|((&row, &bytes), &kind)| {
            let kind = NativeKind::ALL.get(usize::from(kind)).copied()?;
            Some(NativeMemory { object: ObjectId::from_raw(row)?, kind, bytes: Bytes(bytes) })
        })
    }

    /// Sums by kind of the memory that `is_meant`, those without any left out.
    pub fn totals(&self, is_meant: impl Fn(NativeMemory) -> bool) -> Vec<NativeTotals> {
        let mut totals = NativeKind::ALL.map(|kind| NativeTotals { kind, objects: 0, bytes: Bytes(0) });
        for owned in self.all().filter(|owned| is_meant(*owned)) {
            if let Some(sum) = totals.get_mut(owned.kind as usize) {
                sum.objects += 1;
                sum.bytes = Bytes(sum.bytes.0.saturating_add(owned.bytes.0));
            }
        }
        totals.into_iter().filter(|sum| sum.objects > 0).collect()
    }

    /// True if no object owns any.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Native memory of a row.
    pub(super) fn of_row(&self, row: u32) -> Bytes {
        let at = self.rows.all().binary_search(&row);
        Bytes(at.ok().and_then(|at| self.bytes.get(at)).unwrap_or_default())
    }

    /// Loads the stored columns.
    pub(super) fn find(stored: &StoredAnalysis) -> Option<Self> {
        Some(Self {
            rows: stored.column(sections::NATIVE_ROWS)?,
            bytes: stored.column(sections::NATIVE_BYTES)?,
            kinds: stored.column(sections::NATIVE_KINDS)?,
        })
    }
}
