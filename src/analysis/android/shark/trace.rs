//! Leaks as plain data: what the command line prints and scripts read.

use super::device::Device;
use super::status::Status;
use crate::analysis::android::phone::simple;
use crate::analysis::filter::TextFilter;
use crate::heap::ids::ObjectId;
use crate::heap::roots::RootKind;
use crate::units::Bytes;

/// All that is said of the leaks of a dump of Android.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakReport {
    /// Leaks of the application and of libraries, those found first first.
    pub leaks: Vec<Leak>,
    /// Objects that should be gone, and that nothing reaches: the next collection takes them.
    pub unreachable: Vec<Subject>,
    /// How many more leaking objects are held by ways that are too long for all of them to be told.
    pub untraced: u64,
    /// What the dump says of itself.
    pub metadata: Metadata,
}

/// Leaks with one fingerprint.
#[derive(Debug, Clone, PartialEq)]
pub struct Leak {
    /// That of Shark.
    pub fingerprint: String,
    /// The known leak that it is.
    pub known: Option<Known>,
    /// Its traces, those found first first; never none.
    pub traces: Vec<LeakTrace>,
}

/// A leak of Android or of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The pattern of its reference.
    pub pattern: String,
    /// Why it leaks.
    pub cause: String,
}

/// A path from a GC root to an object that should be gone.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakTrace {
    /// Why the first object is a root.
    pub root: RootKind,
    /// The objects, the root first, the leaking object last.
    pub steps: Vec<LeakStep>,
    /// What only the leaking object keeps, in bytes as Shark counts them.
    pub retained: Bytes,
    /// The same in objects, itself included.
    pub objects: u64,
}

/// Kind of an object, in the words of Shark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    /// A class object.
    Class,
    /// An array.
    Array,
    /// Any other object.
    Instance,
}

impl SubjectKind {
    /// The word of Shark's reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Array => "array",
            Self::Instance => "instance",
        }
    }
}

/// An object and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The object.
    pub object: ObjectId,
    /// Its class; of a class object its own.
    pub class: String,
    /// Whether it is a class, an instance or an array.
    pub is: SubjectKind,
    /// What helps to understand it.
    pub labels: Vec<String>,
    /// Why it should be gone, or not.
    pub reason: String,
}

/// An object of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakStep {
    /// The object.
    pub subject: Subject,
    /// Whether it should be gone.
    pub status: Status,
    /// Its reference to the next.
    pub reference: Option<LeakReference>,
}

/// Kind of a reference of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeakReferenceKind {
    /// A field of an instance.
    InstanceField,
    /// A static field of a class.
    StaticField,
    /// A local variable of a running method.
    Local,
    /// An element of an array, or an entry of a collection.
    Entry,
}

/// A reference of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakReference {
    /// The class that declares it.
    pub declared_by: String,
    /// What it is called there: `entries`, `[0]`, `<Java Local>`.
    pub name: String,
    /// The same for whatever place in a collection: `entries`, `[x]`.
    pub generic: String,
    /// Field, static, local variable or entry.
    pub kind: LeakReferenceKind,
    /// Whether it may be the one to cut.
    pub is_suspect: bool,
    /// The known leak that it is.
    pub known: Option<String>,
}

/// What a dump says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The device.
    pub device: Device,
    /// The version of LeakCanary in the application.
    pub leakcanary: Option<String>,
    /// The name of the process.
    pub process: Option<String>,
    /// How many classes.
    pub classes: u64,
    /// How many instances.
    pub instances: u64,
    /// How many arrays of numbers.
    pub primitive_arrays: u64,
    /// How many arrays of references.
    pub object_arrays: u64,
    /// How many threads.
    pub threads: u64,
    /// What all objects take, as Shark counts.
    pub bytes: Bytes,
    /// How many bitmaps.
    pub bitmaps: u64,
    /// What they own outside the heap.
    pub bitmap_bytes: Bytes,
    /// How many of them are larger than the screen; nothing where the screen is not known.
    pub large_bitmaps: Option<u64>,
    /// What those own outside the heap.
    pub large_bitmap_bytes: Bytes,
    /// Databases: whether each is open, and what it is called.
    pub databases: Vec<(bool, Option<String>)>,
}

impl Leak {
    /// What all its leaking objects keep.
    pub fn retained(&self) -> Bytes {
        self.traces.iter().map(|trace| trace.retained).sum()
    }

    /// `application` or `library`.
    pub fn kind(&self) -> &'static str {
        if self.known.is_some() { "library" } else { "application" }
    }

    /// Objects that only its leaking objects keep, these included.
    pub fn objects(&self) -> u64 {
        self.traces.iter().map(|trace| trace.objects).sum()
    }

    /// The class of what leaks.
    pub fn class(&self) -> &str {
        self.traces.first().and_then(LeakTrace::leaking).map_or("", |leaking| &leaking.class)
    }

    /// Whether a filter lets it through: by the class that leaks, the references to look at, the pattern of a known
    /// leak, or its fingerprint.
    pub fn passes(&self, filter: &TextFilter) -> bool {
        let known = self.known.as_ref().is_some_and(|known| filter.matches(&known.pattern));
        let held = || {
            let suspects = self.traces.first().into_iter().flat_map(LeakTrace::suspects);
            suspects.map(|(_, reference)| reference).any(|reference| filter.matches(&reference.text()))
        };
        known || filter.matches(self.class()) || filter.matches(&self.fingerprint) || held()
    }
}

impl LeakTrace {
    /// The object that should be gone.
    pub fn leaking(&self) -> Option<&Subject> {
        self.steps.last().map(|step| &step.subject)
    }

    /// The references one of which is to be cut, each with the object that holds.
    pub fn suspects(&self) -> impl Iterator<Item = (&LeakStep, &LeakReference)> {
        let references = self.steps.iter().filter_map(|step| Some((step, step.reference.as_ref()?)));
        references.filter(|(_, reference)| reference.is_suspect)
    }
}

impl Subject {
    /// Whether a filter lets it through: by its class, or why it should be gone.
    pub fn passes(&self, filter: &TextFilter) -> bool {
        filter.matches(&self.class) || filter.matches(&self.reason)
    }
}

impl LeakReference {
    /// True of fields, static ones included; false of entries and local variables.
    pub fn is_field(&self) -> bool {
        matches!(self.kind, LeakReferenceKind::InstanceField | LeakReferenceKind::StaticField)
    }

    /// True of static fields.
    pub fn is_static(&self) -> bool {
        self.kind == LeakReferenceKind::StaticField
    }

    /// The class that declares it without its package, up to where its name begins: `Cache.`, `ArrayList`, `Thread`.
    pub fn prefix(&self) -> String {
        let owner = simple(&self.declared_by).trim_end_matches("[]");
        format!("{owner}{}", if self.is_field() { "." } else { "" })
    }

    /// With its owner: `Cache.entries`, `ArrayList[0]`.
    pub fn text(&self) -> String {
        self.prefix() + &self.name
    }
}

impl LeakReport {
    /// How many leaks are the application's, and how many those of libraries.
    pub fn counts(&self) -> (u64, u64) {
        let library = self.leaks.iter().filter(|leak| leak.known.is_some()).count() as u64;
        (self.leaks.len() as u64 - library, library)
    }

    /// Leaves out what a filter does not let through.
    pub fn keep(&mut self, filter: &TextFilter) {
        if !filter.is_empty() {
            self.leaks.retain(|leak| leak.passes(filter));
            self.unreachable.retain(|object| object.passes(filter));
        }
    }
}

/// A GC root as Shark writes it.
pub fn root_text(kind: RootKind) -> &'static str {
    match kind {
        // The last two are of other formats.
        RootKind::Unknown | RootKind::SnapshotRoot | RootKind::OnlyWeakly => "Unknown GC root type",
        RootKind::JniGlobal => "Global variable in native code",
        RootKind::JniLocal => "Local variable in native code",
        RootKind::JavaFrame => "Java local variable",
        RootKind::NativeStack => "Input or output parameters in native code",
        RootKind::SystemClass => "System class",
        RootKind::ThreadBlock => "Thread block",
        RootKind::Monitor => "Monitor (anything that called the wait() or notify() methods, or that is synchronized.)",
        RootKind::Thread => "Thread object",
        RootKind::InternedString => "Interned string",
        RootKind::Finalizing => "Object awaiting finalization",
        RootKind::Debugger => "Debugger reference",
        RootKind::ReferenceCleanup => "Reference cleanup",
        RootKind::VmInternal => "VM internal reference",
        RootKind::JniMonitor => "Root JNI monitor",
        RootKind::Unreachable => "Unreachable object",
    }
}
