//! Leaks as plain data for the command line and JSON.

use super::{device::Device, status::Status};
use crate::android::android_heap::simple;
use crate::filter::TextFilter;
use heaplens_base::Bytes;
use heaplens_heap::{ObjectId, RootKind};

/// Leak report of an Android dump.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakReport {
    /// Leaks of the application and of libraries, in order of discovery.
    pub leaks: Vec<Leak>,
    /// Leaking objects that are unreachable: the next garbage collection frees them.
    pub unreachable: Vec<LeakSubject>,
    /// Number of further leaking objects whose paths are too long to list.
    pub untraced: u64,
    /// Metadata of the dump.
    pub metadata: Metadata,
}

/// Leaks with one fingerprint.
#[derive(Debug, Clone, PartialEq)]
pub struct Leak {
    /// Shark's fingerprint.
    pub fingerprint: String,
    /// Known leak that it matches.
    pub known: Option<KnownLeak>,
    /// Its traces in order of discovery; at least one.
    pub traces: Vec<LeakTrace>,
}

/// A leak of Android or of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLeak {
    /// Pattern of the reference.
    pub pattern: String,
    /// Explanation of the leak.
    pub cause: String,
}

/// A path from a GC root to a leaking object.
#[derive(Debug, Clone, PartialEq)]
pub struct LeakTrace {
    /// Root kind of the first object.
    pub root: RootKind,
    /// The objects, the root first, the leaking object last.
    pub steps: Vec<LeakStep>,
    /// Retained size of the leaking object, in bytes as Shark counts them.
    pub retained: Bytes,
    /// Number of objects in its retained set, itself included.
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

/// An object with remarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakSubject {
    /// The object.
    pub object: ObjectId,
    /// Its class; for a class object the class it represents.
    pub class: String,
    /// Class, instance or array.
    pub is: SubjectKind,
    /// Labels that help to understand it.
    pub labels: Vec<String>,
    /// Reason for its status.
    pub reason: String,
}

/// An object of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakStep {
    /// The object.
    pub subject: LeakSubject,
    /// Its leak status.
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
    /// Its name: `entries`, `[0]`, `<Java Local>`.
    pub name: String,
    /// Name without index or key: `entries`, `[x]`.
    pub generic: String,
    /// Field, static, local variable or entry.
    pub kind: LeakReferenceKind,
    /// True if it is a suspect: the reference to clear may be this one.
    pub is_suspect: bool,
    /// Known leak that it matches.
    pub known: Option<String>,
}

/// Metadata of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The device.
    pub device: Device,
    /// Version of LeakCanary in the application.
    pub leakcanary: Option<String>,
    /// Process name.
    pub process: Option<String>,
    /// Number of classes.
    pub classes: u64,
    /// Number of instances.
    pub instances: u64,
    /// Number of primitive arrays.
    pub primitive_arrays: u64,
    /// Number of object arrays.
    pub object_arrays: u64,
    /// Number of threads.
    pub threads: u64,
    /// Bytes of all objects, as Shark counts them.
    pub bytes: Bytes,
    /// Number of bitmaps.
    pub bitmaps: u64,
    /// Their native bytes.
    pub bitmap_bytes: Bytes,
    /// Number of bitmaps larger than the screen; `None` if the screen size is unknown.
    pub large_bitmaps: Option<u64>,
    /// Their native bytes.
    pub large_bitmap_bytes: Bytes,
    /// Databases: open or closed, and name.
    pub databases: Vec<(bool, Option<String>)>,
}

impl Leak {
    /// Bytes retained by all its leaking objects.
    pub fn retained(&self) -> Bytes {
        self.traces.iter().map(|trace| trace.retained).sum()
    }

    /// `application` or `library`.
    pub fn kind(&self) -> &'static str {
        if self.known.is_some() { "library" } else { "application" }
    }

    /// Number of objects retained by its leaking objects, these included.
    pub fn objects(&self) -> u64 {
        self.traces.iter().map(|trace| trace.objects).sum()
    }

    /// Class of the leaking object.
    pub fn class(&self) -> &str {
        self.traces.first().and_then(LeakTrace::leaking).map_or("", |leaking| &leaking.class)
    }

    /// True if it passes a filter: by leaking class, suspect references, pattern of the known leak, or fingerprint.
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
    /// The leaking object.
    pub fn leaking(&self) -> Option<&LeakSubject> {
        self.steps.last().map(|step| &step.subject)
    }

    /// Suspect references, each with the object that has it.
    pub fn suspects(&self) -> impl Iterator<Item = (&LeakStep, &LeakReference)> {
        let references = self.steps.iter().filter_map(|step| Some((step, step.reference.as_ref()?)));
        references.filter(|(_, reference)| reference.is_suspect)
    }
}

impl LeakSubject {
    /// True if it passes a filter: by its class, or the reason why it is leaking.
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

    /// Simple name of the declaring class, as a prefix of the reference's name: `Cache.`, `ArrayList`, `Thread`.
    pub fn prefix(&self) -> String {
        let owner = simple(&self.declared_by).trim_end_matches("[]");
        format!("{owner}{}", if self.is_field() { "." } else { "" })
    }

    /// Name with the declaring class: `Cache.entries`, `ArrayList[0]`.
    pub fn text(&self) -> String {
        self.prefix() + &self.name
    }
}

impl LeakReport {
    /// Number of application leaks and of library leaks.
    pub fn counts(&self) -> (u64, u64) {
        let library = self.leaks.iter().filter(|leak| leak.known.is_some()).count() as u64;
        (self.leaks.len() as u64 - library, library)
    }
}

/// A GC root as Shark writes it.
pub fn root_text(kind: RootKind) -> &'static str {
    match kind {
        // The last two occur only in other formats.
        RootKind::Unknown | RootKind::SnapshotRoot | RootKind::OnlyWeakly | RootKind::NotRecorded => {
            "Unknown GC root type"
        }
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
