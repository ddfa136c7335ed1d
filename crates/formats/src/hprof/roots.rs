//! Converts the roots in the file to those of the heap, by the rules of Eclipse MAT (its HprofParserHandlerImpl): a
//! root that belongs to a thread seen before becomes a reference from the thread's object.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{schema::Schema, subrecords::RawRoot};
use heaplens_base::Count;
use heaplens_heap::{Address, AddressMap, ImportNote, ObjectId, Root, RootKind, Severity, roots::Roots};

/// Object held by the stack of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Local {
    pub(super) thread: ObjectId,
    pub(super) object: ObjectId,
    pub(super) kind: RootKind,
}

/// Local by frame, of any thread named in the file: its object may be missing, or come later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FrameLocal {
    /// Serial number of the thread.
    pub(super) thread: u32,
    /// Index of the frame, innermost 0; `None` outside all frames.
    pub(super) frame: Option<u32>,
    pub(super) object: ObjectId,
    pub(super) kind: RootKind,
}

/// Thread according to its root.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadRoot {
    /// Its object, if in the heap.
    pub(super) object: Option<ObjectId>,
    /// Serial number of its stack trace.
    pub(super) trace: u32,
}

/// Roots, stack locals, and the stack trace of each thread.
#[derive(Debug, Default)]
pub(super) struct RootTables {
    pub(super) roots: Roots,
    /// Sorted.
    pub(super) locals: Vec<Local>,
    /// By thread and frame.
    pub(super) frame_locals: Vec<FrameLocal>,
    /// By serial number.
    pub(super) threads: BTreeMap<u32, ThreadRoot>,
    /// ART writes no thread stacks: traces that name a thread are allocation sites.
    pub(super) traces_are_sites: bool,
    /// True if objects without incoming references are roots too.
    pub(super) infer_roots: bool,
    pub(super) notes: Vec<ImportNote>,
}

/// `raw` in file order. `is_whole` is true if everything else in the file was read.
pub(super) fn convert(
    raw: &[RawRoot],
    schema: &Schema,
    addresses: &AddressMap,
    is_android: bool,
    is_whole: bool,
) -> RootTables {
    let mut rows = Vec::new();
    let mut answer = RootTables { traces_are_sites: is_android, ..RootTables::default() };
    let mut threads: FxHashMap<u32, u64> = FxHashMap::default();
    if is_android {
        // A thread may come after the objects it holds. If it is not in the dump, these objects are treated as roots.
        let named = raw.iter().filter(|root| root.kind == RootKind::Thread);
        let there = named.filter(|root| addresses.object(Address(root.object)).is_some());
        threads.extend(there.filter_map(|root| Some((root.thread?, root.object))));
    }
    let mut nowhere = 0;
    let mut first_nowhere = None;
    for root in raw {
        let object = addresses.object(Address(root.object));
        if object.is_none() {
            nowhere += 1;
            first_nowhere.get_or_insert(root.offset);
        }
        let thread = root.thread.and_then(|serial| threads.get(&serial).copied());
        answer.frame_locals.extend(frame_local(root, object));
        match (root.kind, root.thread, thread) {
            (RootKind::Thread, Some(serial), _) => {
                if object.is_some() || !is_android {
                    threads.insert(serial, root.object);
                }
                answer.threads.insert(serial, ThreadRoot { object, trace: root.stack });
                rows.extend(object.map(|object| Root { object, kind: root.kind }));
            }
            (kind, _, Some(thread)) => {
                // Dropped if the thread has no object, as in MAT.
                let thread = addresses.object(Address(thread));
                answer.locals.extend(thread.zip(object).map(|(thread, object)| Local { thread, object, kind }));
            }
            (kind, _, None) => rows.extend(object.map(|object| Root { object, kind })),
        }
    }
    let class_roots = |boot_only: bool, kind: RootKind| -> Vec<Root> {
        let classes = schema.classes.iter().filter(|c| !boot_only || (c.loader == 0 && !c.name.ends_with("[]")));
        classes.filter_map(|c| addresses.object(Address(c.id))).map(|object| Root { object, kind }).collect()
    };
    // The bootstrap loader, at address 0, is synthetic: a root of null is none.
    let null = addresses.object(Address(0));
    let has_roots = !answer.locals.is_empty() || rows.iter().any(|root: &Root| Some(root.object) != null);
    if !has_roots {
        // JDK 17 writes all roots after all objects: a truncated dump has none.
        rows.extend(class_roots(false, RootKind::Unknown));
        // In a truncated dump, a reference may be among what is missing.
        answer.infer_roots = is_whole;
        let missing = match raw.len() as u64 {
            0 if is_whole => "no GC roots in the file".to_owned(),
            0 => "no GC roots in the file (truncated before them)".to_owned(),
            all => format!("{} in the file, but of no object in the dump", Count(all).of("GC root", "GC roots")),
        };
        let treated = if is_whole { "all classes and objects without incoming references" } else { "all classes" };
        let message = format!("{missing}: {treated} are treated as GC roots");
        answer.notes.push(ImportNote::new(Severity::DataLost, (raw.len() as u64).max(1), message, first_nowhere));
    } else if !is_android && !raw.iter().any(|r| r.kind == RootKind::SystemClass) {
        let is_root: std::collections::BTreeSet<ObjectId> = rows.iter().map(|r| r.object).collect();
        rows.extend(class_roots(true, RootKind::SystemClass).into_iter().filter(|r| !is_root.contains(&r.object)));
    }
    if has_roots {
        let message = "GC roots at addresses without an object: ignored";
        answer.notes.extend(ImportNote::if_any(Severity::Info, nowhere, message, first_nowhere));
    }
    answer.locals.sort_unstable();
    answer.locals.dedup();
    // Those of one frame stay in file order, which is the order of the variables.
    answer.frame_locals.sort_by_key(|local| (local.thread, local.frame));
    answer.frame_locals.dedup();
    answer.roots = Roots::new(rows);
    answer
}

/// Stack frame local of a root, if the root is on a thread's stack.
fn frame_local(root: &RawRoot, object: Option<ObjectId>) -> Option<FrameLocal> {
    let frame = match root.kind {
        // -1 means no frame.
        RootKind::JavaFrame | RootKind::JniLocal => (root.stack != u32::MAX).then_some(root.stack),
        RootKind::Thread => return None,
        _ => None,
    };
    Some(FrameLocal { thread: root.thread?, frame, object: object?, kind: root.kind })
}
