//! A part of the memory of a process.

use heaplens_base::{Bytes, named};

/// How the bytes of a part are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The system, the virtual machine or the dump counted them.
    Measured,
    /// They follow from addresses, sizes and other figures.
    Inferred,
    /// They are what is usual.
    Assumed,
}

named! { Basis {
    Measured = "measured", "Counted by the system, the virtual machine or the dump";
    Inferred = "inferred", "Follows from addresses, sizes and other figures";
    Assumed = "assumed", "The usual amount";
}}

/// Kind of a part of the memory of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Reachable objects.
    LiveHeap,
    /// Garbage and free memory in the heap.
    RestOfHeap,
    /// Direct buffers of Java.
    DirectBuffers,
    /// What arenas of foreign memory have allocated.
    ForeignMemory,
    /// Inflaters and deflaters.
    Compression,
    /// Native memory that is registered for objects.
    Registered,
    /// Array buffers of JavaScript.
    ArrayBuffers,
    /// Other memory that the engine of JavaScript counts as external, such as external strings.
    External,
    /// Heaps of worker threads, which no dump of another thread has.
    Workers,
    /// Data in mapped files.
    MappedFiles,
    /// Programs, libraries and their data.
    Libraries,
    /// Stacks of threads.
    ThreadStacks,
    /// Metadata of classes.
    ClassMetadata,
    /// Compiled code.
    CompiledCode,
    /// The virtual machine itself: collector, compilers, symbols.
    VirtualMachine,
    /// Shared memory.
    SharedMemory,
    /// A category of Android.
    Category,
    /// What no other part explains.
    Unexplained,
}

named! { PartKind {
    LiveHeap = "live-heap", "Live heap";
    RestOfHeap = "rest-of-heap", "Garbage and free heap";
    DirectBuffers = "direct-buffers", "Direct buffers";
    ForeignMemory = "foreign-memory", "Foreign memory";
    Compression = "compression", "Inflaters and deflaters";
    Registered = "registered", "Registered native memory";
    ArrayBuffers = "array-buffers", "Array buffers";
    External = "external", "Other external memory";
    Workers = "workers", "Heaps of worker threads";
    MappedFiles = "mapped-files", "Mapped files";
    Libraries = "libraries", "Programs and libraries";
    ThreadStacks = "thread-stacks", "Thread stacks";
    ClassMetadata = "class-metadata", "Class metadata";
    CompiledCode = "compiled-code", "Compiled code";
    VirtualMachine = "virtual-machine", "Virtual machine";
    SharedMemory = "shared-memory", "Shared memory";
    Category = "category", "Category of Android";
    Unexplained = "unexplained", "Unexplained";
}}

/// A part of the memory of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessPart {
    /// Which part.
    pub kind: PartKind,
    /// Its bytes: resident ones if the process was recorded, else those of the dump.
    pub bytes: Bytes,
    /// How they are known.
    pub basis: Basis,
    /// Number of things in it, such as threads or buffers.
    pub count: Option<u64>,
    /// What has most of it, as the source names it: a field, threads of a name, class loaders of a class.
    pub holder: Option<String>,
    /// What it consists of, or where its figure is from, in words.
    pub about: String,
}

impl ProcessPart {
    pub(super) fn new(kind: PartKind, bytes: Bytes, basis: Basis) -> Self {
        Self { kind, bytes, basis, count: None, holder: None, about: String::new() }
    }

    pub(super) fn count(self, count: impl Into<Option<u64>>) -> Self {
        Self { count: count.into(), ..self }
    }

    pub(super) fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }
}
