//! Objects of the runtime itself: class loaders, modules, thread groups, system properties, tables and caches of the class
//! library. The runtime holds them whatever the application does, so a path from the application that leads through one of
//! them, such as from a thread to its class loader, makes no owner.
//!
//! They are what static fields of the class library and global references of the virtual machine lead to, through
//! objects of the class library alone, and not through threads. Toolkits and frameworks (Swing, the views of Android) also
//! reach objects of the application in this way, and are no part of it.

use std::sync::{Arc, Mutex, PoisonError};

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

/// The objects, computed on first use.
#[derive(Default)]
pub(super) struct RuntimeObjects(Mutex<Option<Arc<Bits>>>);

impl RuntimeObjects {
    /// The objects of the runtime itself in a heap; none in V8 snapshots.
    pub(super) fn of(&self, dump: DumpData<'_>, task: &Task) -> Result<Arc<Bits>, Cancelled> {
        // Others wait: the search starts no parallel work that could come back here.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let runtime = if dump.heap.snapshot().is_some() { Bits::default() } else { search(dump, task)? };
        Ok(Arc::clone(known.insert(Arc::new(runtime))))
    }
}

fn search(dump: DumpData<'_>, task: &Task) -> Result<Bits, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let is_library = library_classes(heap);
    let is_of_library = |object: ObjectId| {
        let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
        is_library.get(class.index()) == Some(&true) && analysis.is_reachable(object)
    };
    let mut runtime = Bits::new(heap.len());
    let mut waiting: Vec<ObjectId> = Vec::new();
    let mut meet = |object: ObjectId, waiting: &mut Vec<ObjectId>| {
        if object.index() < heap.len() && is_of_library(object) && runtime.insert(object.raw()) {
            waiting.push(object);
        }
    };
    for class in heap.classes.all().iter().filter(|class| class.kind == ClassKind::Plain) {
        class.object.into_iter().for_each(|object| meet(object, &mut waiting));
    }
    for object in analysis.roots().objects().iter().filter_map(|&root| ObjectId::from_raw(root)) {
        task.checkpoint()?;
        if analysis.roots().of(object).iter().any(|root| ROOTS.contains(&root.kind)) {
            meet(object, &mut waiting);
        }
    }
    while let Some(object) = waiting.pop() {
        task.checkpoint()?;
        let is_weak = heap.has_referent_first(object) && heap.class(object).strength > Strength::Soft;
        let references = heap.references(object).iter().skip(usize::from(is_weak));
        references.filter_map(|&row| ObjectId::from_raw(row)).for_each(|to| meet(to, &mut waiting));
    }
    Ok(runtime)
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
