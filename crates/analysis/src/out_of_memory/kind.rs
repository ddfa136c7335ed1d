//! What ran out, how that is known, and when.

use heaplens_base::named;

/// What an `OutOfMemoryError` says has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The Java heap.
    JavaHeap,
    /// Time: nearly all of it went to garbage collection, with little result.
    GcOverhead,
    /// No memory: an array was longer than the virtual machine or the library allows.
    ArraySize,
    /// Metadata of classes.
    Metaspace,
    /// The part of it that compressed class pointers reach.
    ClassSpace,
    /// Memory of direct buffers.
    DirectMemory,
    /// Threads of the system.
    NativeThread,
    /// Swap space.
    Swap,
    /// Other native memory.
    NativeMemory,
    /// Something else, in the words of the message.
    Other,
    /// Not recorded in the dump.
    NotKnown,
}

named! { ErrorKind {
    JavaHeap = "java-heap-space", "The Java heap is full";
    GcOverhead = "gc-overhead", "Nearly all time went to garbage collection";
    ArraySize = "array-size", "An array exceeds the largest length";
    Metaspace = "metaspace", "Metadata of classes reached its limit";
    ClassSpace = "class-space", "The compressed class space is full";
    DirectMemory = "direct-memory", "Direct buffers reached their limit";
    NativeThread = "native-thread", "The system refused a thread";
    Swap = "swap", "Out of swap space";
    NativeMemory = "native-memory", "The system refused native memory";
    Other = "other", "Another message";
    NotKnown = "not-known", "Not recorded in the dump";
} }

impl ErrorKind {
    /// Name for people: the words of the virtual machine.
    pub fn title(self) -> &'static str {
        match self {
            Self::JavaHeap => "Java heap space",
            Self::GcOverhead => "GC overhead limit exceeded",
            Self::ArraySize => "requested array size exceeds VM limit",
            Self::Metaspace => "Metaspace",
            Self::ClassSpace => "compressed class space",
            Self::DirectMemory => "direct buffer memory",
            Self::NativeThread => "unable to create native thread",
            Self::Swap => "out of swap space",
            Self::NativeMemory => "native memory",
            Self::Other => "another kind",
            Self::NotKnown => "kind not recorded",
        }
    }

    /// True if the heap is not what ran out.
    pub fn is_outside_heap(self) -> bool {
        matches!(
            self,
            Self::Metaspace
                | Self::ClassSpace
                | Self::DirectMemory
                | Self::NativeThread
                | Self::Swap
                | Self::NativeMemory
        )
    }
}

/// What the kind of an error follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KnownBy {
    /// The message.
    Message,
    /// Methods on the stack.
    Frames,
    /// How full the heap is.
    HeapFill,
    /// What of the limits of the virtual machine is in use, by the record of the process.
    Record,
    /// Nothing: all kinds that the virtual machine writes a dump for are possible.
    Nothing,
}

named! { KnownBy {
    Message = "message", "By its message";
    Frames = "frames", "By the methods on the stack";
    HeapFill = "heap-fill", "By how full the heap is";
    Record = "record", "By the record of the process";
    Nothing = "nothing", "Not known";
} }

/// When an error was thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// The virtual machine wrote the dump because of it.
    DumpCause,
    /// Earlier; its object is still reachable.
    Earlier,
    /// Earlier; its object is unreachable.
    EarlierUnreachable,
}

named! { Occasion {
    DumpCause = "dump-cause", "The dump was written because of it";
    Earlier = "earlier", "Thrown earlier, and still reachable";
    EarlierUnreachable = "earlier-unreachable", "Thrown earlier, and unreachable";
} }
