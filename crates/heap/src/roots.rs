//! GC roots: objects where reachability begins.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ObjectId;
use heaplens_graph::Bits;

/// Root kind: the reason why an object is a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RootKind {
    /// Unknown kind.
    Unknown,
    /// A global reference of native code.
    JniGlobal,
    /// A local reference of native code.
    JniLocal,
    /// A local variable of a Java method.
    JavaFrame,
    /// A local of native code or the virtual machine.
    NativeStack,
    /// A class of the system that is never unloaded.
    SystemClass,
    /// Held by a thread that waits for a monitor.
    ThreadBlock,
    /// Its monitor is in use.
    Monitor,
    /// A thread that has been started and has not ended.
    Thread,
    /// Interned string of the virtual machine.
    InternedString,
    /// Waits for its finalizer.
    Finalizing,
    /// Held by a debugger.
    Debugger,
    /// Waits for its reference to be cleared.
    ReferenceCleanup,
    /// Held by the virtual machine: on Android, all objects created before the application.
    VmInternal,
    /// Its monitor is held by native code.
    JniMonitor,
    /// Unreachable, but included on request.
    Unreachable,
    /// Root node of a snapshot, above all others.
    SnapshotRoot,
    /// Reachable only by weak edges, but not yet collected when the snapshot was taken.
    OnlyWeakly,
    /// The snapshot records no reference to it, though something holds it.
    NotRecorded,
}

impl RootKind {
    /// Name in the user interface, as in Eclipse MAT, including capitals, since users search for these.
    pub fn name(self) -> &'static str {
        self.key()
    }

    /// The stable key in JSON and in names of objects (`root <JNI Global …>`), which verdicts and fingerprints contain.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown",
            Self::JniGlobal => "JNI Global",
            Self::JniLocal => "JNI Local",
            Self::JavaFrame => "Java Local",
            Self::NativeStack => "Native Stack",
            Self::SystemClass => "System Class",
            Self::ThreadBlock => "Thread Block",
            Self::Monitor => "Busy Monitor",
            Self::Thread => "Thread",
            Self::InternedString => "Interned String",
            Self::Finalizing => "Finalizing",
            Self::Debugger => "Debugger",
            Self::ReferenceCleanup => "Reference Cleanup",
            Self::VmInternal => "VM Internal",
            Self::JniMonitor => "JNI Monitor",
            Self::Unreachable => "Unreachable",
            Self::SnapshotRoot => "Snapshot Root",
            Self::OnlyWeakly => "Only Weakly Held",
            Self::NotRecorded => "No Recorded Reference",
        }
    }
}

impl fmt::Display for RootKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Root object with one of its kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Root {
    /// The object.
    pub object: ObjectId,
    /// The reason.
    pub kind: RootKind,
}

/// All roots, sorted by object; an object may have several kinds.
#[derive(Debug, Default, Clone)]
pub struct Roots {
    rows: Vec<Root>,
    objects: Vec<u32>,
    /// Set of the low bits of root rows: rejects most other objects by one look-up, fewer with more than 65,536 roots.
    low_bits: Bits,
    /// Mask of the low bits.
    mask: u32,
    /// True if the file names no root but classes, so that all others are inferred.
    are_inferred: bool,
}

/// Bits for each root, and maximum number of all.
const BITS_PER_ROOT: usize = 16;
const MOST_BITS: usize = 1 << 20;

impl Roots {
    /// Builds the list from any order, without duplicates.
    pub fn new(mut rows: Vec<Root>) -> Self {
        rows.sort_unstable();
        rows.dedup();
        let mut objects: Vec<u32> = rows.iter().map(|r| r.object.raw()).collect();
        objects.dedup();
        // The root above all others comes first.
        let top = rows.iter().find(|root| root.kind == RootKind::SnapshotRoot);
        if let Some(at) = top.and_then(|top| objects.binary_search(&top.object.raw()).ok()) {
            objects[..=at].rotate_right(1);
        }
        let bits = objects.len().saturating_mul(BITS_PER_ROOT).next_power_of_two().min(MOST_BITS);
        let (mut low_bits, mask) = (Bits::new(bits), bits as u32 - 1);
        low_bits.extend(objects.iter().map(|object| object & mask));
        let of_file = |root: &Root| !matches!(root.kind, RootKind::Unknown | RootKind::SystemClass);
        let are_inferred = !rows.is_empty() && !rows.iter().any(of_file);
        Self { rows, objects, low_bits, mask, are_inferred }
    }

    /// All kinds of all roots, sorted by object.
    pub fn all(&self) -> &[Root] {
        &self.rows
    }

    /// Distinct root objects as graph nodes: ascending, except that the root of a snapshot comes first.
    pub fn objects(&self) -> &[u32] {
        &self.objects
    }

    /// True if the file names no root but classes: the others are objects without incoming references.
    pub fn are_inferred(&self) -> bool {
        self.are_inferred
    }

    /// Root kinds of `object`; empty if it is not a root.
    pub fn of(&self, object: ObjectId) -> &[Root] {
        if !self.low_bits.contains(object.raw() & self.mask) {
            return &[];
        }
        let from = &self.rows[self.rows.partition_point(|root| root.object < object)..];
        &from[..from.iter().take_while(|root| root.object == object).count()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_the_kinds_that_were_given() {
        for step in [1_usize, 3, 64, 1_000] {
            let object = |row: usize| ObjectId::new(row).expect("a row below 2³²");
            let of_row = |row: usize| {
                let thread = row.is_multiple_of(5).then_some(Root { object: object(row), kind: RootKind::Thread });
                thread.into_iter().chain([Root { object: object(row), kind: RootKind::JniGlobal }])
            };
            let roots = Roots::new((7..2_000).step_by(step).rev().flat_map(of_row).collect());
            for row in 0..2_010_usize {
                let is_root = (7..2_000).contains(&row) && (row - 7).is_multiple_of(step);
                let mut expected: Vec<Root> = of_row(row).filter(|_| is_root).collect();
                expected.sort_unstable();
                assert_eq!(roots.of(object(row)), expected, "row {row}, every {step}");
            }
        }
        assert!(Roots::default().of(ObjectId::new(0).expect("a row")).is_empty());
    }

    #[test]
    fn keys_of_kinds_never_change() {
        let keys = [
            (RootKind::Unknown, "Unknown"),
            (RootKind::JniGlobal, "JNI Global"),
            (RootKind::JniLocal, "JNI Local"),
            (RootKind::JavaFrame, "Java Local"),
            (RootKind::NativeStack, "Native Stack"),
            (RootKind::SystemClass, "System Class"),
            (RootKind::Monitor, "Busy Monitor"),
            (RootKind::Thread, "Thread"),
            (RootKind::VmInternal, "VM Internal"),
            (RootKind::SnapshotRoot, "Snapshot Root"),
        ];
        assert!(keys.iter().all(|(kind, key)| kind.key() == *key));
    }
}
