//! Javacores: text files that IBM virtual machines write next to a heap dump, with data missing from it. Each line
//! begins with a tag; lines about threads, their stacks, monitors and class loaders are parsed.

pub(crate) mod companion;
mod read;
mod thread_table;

use rustc_hash::FxHashMap;

pub(crate) use self::thread_table::ThreadTable;
use heaplens_base::Count;
use heaplens_heap::threads::DumpCause;
use heaplens_heap::{ImportNote, ObjectId, Root, RootKind, Severity};

/// Loaders by class name; `None` if several have a class of that name.
type LoadersByName<'a> = FxHashMap<&'a str, Option<ObjectId>>;

/// Contents of a javacore; `O` is an address, or an object of a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Javacore<O> {
    /// Threads with a name, in the order of the file.
    threads: Vec<Thread<O>>,
    /// Objects whose monitor is owned by a thread.
    monitors: Vec<O>,
    loaders: Vec<Loader<O>>,
    /// Why the virtual machine wrote its dumps.
    cause: Option<DumpCause>,
    /// Native address of the thread that caused it.
    current: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Thread<O> {
    name: String,
    /// Native address in the virtual machine.
    native: Option<u64>,
    object: Option<O>,
    /// `R`, `CW`, `P`, …
    state: String,
    priority: Option<i32>,
    daemon: Option<bool>,
    /// Java thread id.
    id: Option<i64>,
    frames: Vec<Frame<O>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame<O> {
    /// `shop.Cart.add(Cart.java:17)`
    text: String,
    /// Objects whose monitors it entered.
    locks: Vec<O>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Loader<O> {
    is_bootstrap: bool,
    object: Option<O>,
    /// Names of its classes, in source notation.
    classes: Vec<String>,
}

impl Javacore<u64> {
    /// Maps addresses to objects of a heap and drops those that are not in it. `None` if the javacore is from another
    /// process or time, so that hardly any thread or loader is in the heap.
    pub(crate) fn of_heap(self, object: impl Fn(u64) -> Option<ObjectId>) -> Option<Javacore<ObjectId>> {
        let addresses = self.threads.iter().filter_map(|thread| thread.object);
        let addresses = addresses.chain(self.loaders.iter().filter_map(|loader| loader.object));
        let (mut here, mut all) = (0, 0);
        for address in addresses {
            all += 1;
            here += usize::from(object(address).is_some());
        }
        if all == 0 || here * 2 < all {
            return None;
        }
        let object_at = |address: Option<u64>| address.and_then(&object);
        let frame = |frame: Frame<u64>| Frame {
            text: frame.text,
            locks: frame.locks.into_iter().filter_map(&object).collect(),
        };
        let thread = |thread: Thread<u64>| Thread {
            name: thread.name,
            native: thread.native,
            object: object_at(thread.object),
            state: thread.state,
            priority: thread.priority,
            daemon: thread.daemon,
            id: thread.id,
            frames: thread.frames.into_iter().map(frame).collect(),
        };
        let loader = |loader: Loader<u64>| Loader {
            is_bootstrap: loader.is_bootstrap,
            object: object_at(loader.object),
            classes: loader.classes,
        };
        Some(Javacore {
            threads: self.threads.into_iter().map(thread).collect(),
            monitors: self.monitors.into_iter().filter_map(&object).collect(),
            loaders: self.loaders.into_iter().map(loader).collect(),
            cause: self.cause,
            current: self.current,
        })
    }
}

impl Javacore<ObjectId> {
    pub(super) fn bootstrap_loader(&self) -> Option<ObjectId> {
        self.loaders.iter().find(|loader| loader.is_bootstrap)?.object
    }

    /// Loaders by the names of their classes.
    pub(super) fn loaders_of_classes(&self) -> LoadersByName<'_> {
        let mut known: LoadersByName<'_> = FxHashMap::default();
        for loader in &self.loaders {
            for class in &loader.classes {
                let several = known.contains_key(class.as_str());
                known.insert(class, loader.object.filter(|_| !several));
            }
        }
        known
    }

    /// Threads, and objects whose monitors are held.
    pub(super) fn roots(&self) -> impl Iterator<Item = Root> {
        let threads = self.threads.iter().filter_map(|thread| thread.object);
        let entered = self.threads.iter().flat_map(|thread| &thread.frames).flat_map(|frame| &frame.locks);
        let monitors = self.monitors.iter().chain(entered).copied();
        let threads = threads.map(|object| Root { object, kind: RootKind::Thread });
        threads.chain(monitors.map(|object| Root { object, kind: RootKind::Monitor }))
    }

    /// Number of threads, and number of those whose object is in the heap.
    pub(crate) fn threads(&self) -> (u64, u64) {
        let here = self.threads.iter().filter(|thread| thread.object.is_some()).count();
        (self.threads.len() as u64, here as u64)
    }
}

/// Maps the javacore to objects of the heap, and adds notes about it.
pub(crate) fn resolve_javacore(
    javacore: Option<(Javacore<u64>, String)>,
    object: impl Fn(u64) -> Option<ObjectId>,
    notes: &mut Vec<ImportNote>,
) -> Option<Javacore<ObjectId>> {
    let Some((javacore, name)) = javacore else {
        let message = "the format records no GC roots or threads: objects without incoming references, and unreachable \
                       cycles, are treated as GC roots. Add the matching javacore to see threads";
        notes.push(ImportNote::new(Severity::Info, 1, message, None));
        return None;
    };
    let javacore = javacore.of_heap(object);
    let message = match javacore.as_ref().map(Javacore::threads) {
        Some((all, here)) => format!(
            "threads, monitors and class loaders were read from {name}: {} threads, {} of them with an object in the \
             dump; objects without incoming references are also treated as GC roots",
            Count(all),
            Count(here)
        ),
        None => format!(
            "{name} does not match this dump and was ignored: almost none of its threads and class loaders are in the dump"
        ),
    };
    notes.push(ImportNote::new(Severity::Info, 1, message, None));
    javacore
}
