//! Objects of the runtime itself: class loaders, modules, thread groups, system properties, tables and caches of the class
//! library. The runtime holds them whatever the application does, so a path from the application that leads through one of
//! them, such as from a thread to its class loader, makes no owner.
//!
//! They are what static fields of the class library and global references of the virtual machine lead to, through
//! objects of the class library alone, and not through threads. Toolkits and frameworks (Swing, the views of Android) also
//! reach objects of the application in this way, and are no part of it.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::answers::DumpData;
use crate::runtime_classes::is_primitive;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassKind, Heap, ObjectId, RootKind, Strength};

/// Packages of the class library: what these hold is the runtime's own.
const LIBRARY: [&str; 15] = [
    "java.io.",
    "java.lang.",
    "java.net.",
    "java.nio.",
    "java.security.",
    "java.text.",
    "java.time.",
    "java.util.",
    "javax.management.",
    "com.sun.jmx.",
    "com.sun.management.",
    "jdk.internal.",
    "sun.",
    "dalvik.system.",
    "libcore.",
];
/// Packages among these that belong to toolkits.
const TOOLKITS: [&str; 4] = ["sun.awt.", "sun.font.", "sun.java2d.", "sun.swing."];
/// Roots by which the virtual machine holds objects of its own.
const ROOTS: [RootKind; 3] = [RootKind::JniGlobal, RootKind::SystemClass, RootKind::VmInternal];

/// Maximum number of referrers examined to tell of one object whether it is of the runtime itself.
const EXAMINED: usize = 512;

/// The objects, computed on first use.
#[derive(Default)]
pub(super) struct RuntimeObjects {
    all: Mutex<Option<Arc<Bits>>>,
    /// True for classes of the class library, by class.
    library: OnceLock<Vec<bool>>,
}

impl RuntimeObjects {
    /// The objects of the runtime itself in a heap; none in V8 snapshots.
    pub(super) fn of(&self, dump: DumpData<'_>, task: &Task) -> Result<Arc<Bits>, Cancelled> {
        // Others wait: the search starts no parallel work that could come back here.
        let mut known = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let runtime = match dump.heap.snapshot() {
            Some(_) => Bits::default(),
            None => self.class_library(dump).search(task)?,
        };
        Ok(Arc::clone(known.insert(Arc::new(runtime))))
    }

    /// True of an object of the runtime itself. Unless all of them are known, it is looked for upwards: the runtime's
    /// objects are spread over the whole heap, and a stored analysis would be read and verified for a few names.
    pub(super) fn contain(&self, dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<bool, Cancelled> {
        let known = self.all.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let near = match (&known, dump.heap.snapshot()) {
            (Some(known), _) => Some(known.contains(object.raw())),
            (None, Some(_)) => Some(false),
            (None, None) => self.class_library(dump).holds(object),
        };
        near.map_or_else(|| Ok(self.of(dump, task)?.contains(object.raw())), Ok)
    }

    fn class_library<'a>(&'a self, dump: DumpData<'a>) -> ClassLibrary<'a> {
        ClassLibrary { dump, classes: self.library.get_or_init(|| library_classes(dump.heap)) }
    }
}

/// The class library in a heap.
#[derive(Clone, Copy)]
struct ClassLibrary<'a> {
    dump: DumpData<'a>,
    /// True for its classes, by class.
    classes: &'a [bool],
}

impl ClassLibrary<'_> {
    /// True of its objects and classes.
    fn has(self, object: ObjectId) -> bool {
        let DumpData { heap, analysis, .. } = self.dump;
        let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
        self.classes.get(class.index()) == Some(&true) && analysis.is_reachable(object)
    }

    /// True of a root by which the virtual machine holds an object of its own.
    fn is_root(self, object: ObjectId) -> bool {
        self.dump.analysis.roots().of(object).iter().any(|root| ROOTS.contains(&root.kind))
    }

    /// True of an object whose first reference is a weak one to its referent.
    fn is_weak(self, object: ObjectId) -> bool {
        self.dump.heap.has_referent_first(object) && self.dump.heap.class(object).strength > Strength::Soft
    }

    /// References of an object, without a weak one to its referent.
    fn references(self, object: ObjectId) -> impl Iterator<Item = u32> {
        self.dump.heap.references(object).iter().skip(usize::from(self.is_weak(object))).copied()
    }

    /// All objects of the runtime itself.
    fn search(self, task: &Task) -> Result<Bits, Cancelled> {
        let DumpData { heap, analysis, .. } = self.dump;
        let mut runtime = Bits::new(heap.len());
        let mut waiting: Vec<ObjectId> = Vec::new();
        let mut meet = |object: ObjectId, waiting: &mut Vec<ObjectId>| {
            if object.index() < heap.len() && self.has(object) && runtime.insert(object.raw()) {
                waiting.push(object);
            }
        };
        for class in heap.classes.all().iter().filter(|class| class.kind == ClassKind::Plain) {
            class.object.into_iter().for_each(|object| meet(object, &mut waiting));
        }
        for object in analysis.roots().objects().iter().filter_map(|&root| ObjectId::from_raw(root)) {
            task.checkpoint()?;
            if self.is_root(object) {
                meet(object, &mut waiting);
            }
        }
        while let Some(object) = waiting.pop() {
            task.checkpoint()?;
            self.references(object).filter_map(ObjectId::from_raw).for_each(|to| meet(to, &mut waiting));
        }
        Ok(runtime)
    }

    /// True if `object` is of the runtime itself; `None` if too many objects lead to it. The same as [`Self::search`] in
    /// the other direction.
    fn holds(self, object: ObjectId) -> Option<bool> {
        let DumpData { heap, analysis, .. } = self.dump;
        if !self.has(object) {
            return Some(false);
        }
        let is_start = |of: ObjectId| {
            let class = heap.classes.of_object(of);
            class.is_some_and(|class| heap.classes.get(class).kind == ClassKind::Plain) || self.is_root(of)
        };
        if is_start(object) {
            return Some(true);
        }
        let (mut seen, mut waiting, mut examined) = (HashSet::from([object]), VecDeque::from([object]), 0);
        while let Some(at) = waiting.pop_front() {
            for from in analysis.referrers(at) {
                examined += 1;
                if examined > EXAMINED {
                    return None;
                }
                let leads = || !self.is_weak(from) || self.references(from).any(|to| to == at.raw());
                if self.has(from) && leads() && seen.insert(from) {
                    if is_start(from) {
                        return Some(true);
                    }
                    waiting.push_back(from);
                }
            }
        }
        Some(false)
    }
}

/// True for classes of the class library, threads excepted, and for arrays of them, by class.
fn library_classes(heap: &Heap) -> Vec<bool> {
    let threads = heap.classes.all_below(heap.classes.named("java.lang.Thread").as_slice());
    let is_library = |name: &str| {
        let element = name.trim_end_matches("[]");
        let is_of = |prefix: &&str| element.starts_with(*prefix);
        is_primitive(element) || (LIBRARY.iter().any(is_of) && !TOOLKITS.iter().any(is_of))
    };
    let of_class =
        heap.classes.iter().map(|(class, row)| is_library(&row.name) && threads.get(class.index()) != Some(&true));
    of_class.collect()
}
