//! Lookup tables for names, built once per dump: classes by name, threads by name, roots by kind.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use rustc_hash::FxHashMap;

use super::anchors::Anchors;
use super::field_steps::FieldSteps;
use super::landmarks::Landmarks;
use super::owner::{HolderRelation, Owner, OwnerLookup};
use super::runtime_objects::RuntimeObjects;
use super::short_class::{is_function_of_clojure, unmunged};
use super::source_names::{SourceMember, member_of_trait, source_member, trait_of_groovy};
use super::spelling::{self, ordinal, quoted};
use super::stack_names::StackNames;
use crate::{
    answers::DumpData, class_prefixes::ClassPrefixes, libraries::libraries, runtime_classes::RuntimeClasses,
    runtime_classes::is_primitive,
};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::contents::SnapshotContents;
use heaplens_heap::{Address, Class, ClassId, Field, Heap, ObjectId, RootKind, SourceVariable};

/// Stands for the bootstrap class loader.
pub(super) const NO_OBJECT: Address = Address(0);
/// Kind that names of roots leave out: the dump does not tell it. Names that were written with it are read, too.
const UNKNOWN: &str = RootKind::Unknown.key();
/// Number of fields from which on the steps of an object are cached, and the maximum number of such objects.
const MANY_FIELDS: usize = 256;
const OBJECTS: usize = 8;
/// Maximum number of cached owners: enough for a chain of 16 million.
const OWNERS: usize = 1_000_000;

/// The tables. They belong to one heap under one set of rules.
pub struct NameIndex {
    /// Rules that distinguish runtime from application classes.
    pub rules: RuntimeClasses,
    /// True for classes of the runtime, by class.
    is_runtime: Vec<bool>,
    /// True for classes of well-known libraries, by class.
    is_library: Vec<bool>,
    /// True for classes that scripts of the engine define, by class.
    is_engine: Vec<bool>,
    classes: HashMap<String, Vec<ClassId>>,
    /// Length of the longest of these names in bytes.
    longest_class: usize,
    /// Classes that share a name with an earlier one, with their ordinal.
    later_classes: HashMap<ClassId, u64>,
    threads: HashMap<String, ObjectId>,
    thread_names: HashMap<ObjectId, String>,
    /// Indices into [`ThreadStacks::stack_owners`](heaplens_heap::contents::ThreadStacks::stack_owners).
    indexes_of_threads: HashMap<ObjectId, usize>,
    /// Starting points of names in V8 snapshots.
    pub(super) anchors: Anchors,
    /// Class objects, threads, anchors and the bootstrap loader: names start there whatever is above.
    starts: Bits,
    /// Class and root by kind, for ordinals.
    roots: Vec<(&'static str, ClassId, ObjectId)>,
    /// Cached names of deep objects, for objects below them.
    pub(super) landmarks: Landmarks,
    /// Cached owners of some deep objects.
    owners: RwLock<FxHashMap<(ObjectId, HolderRelation), OwnerLookup>>,
    /// Objects of the runtime itself.
    pub(super) runtime_objects: RuntimeObjects,
    /// Class of the entries of the thread locals of a thread.
    thread_local_entry: Option<ClassId>,
    thread_local_map: Option<ClassId>,
    /// Traits of Groovy, by what stands before their fields in the classes that have them: `desk_Audited`.
    traits: HashMap<String, String>,
    /// Names of symbols of JavaScript by their descriptions.
    symbols: OnceLock<FxHashMap<String, String>>,
    /// Variables of closure contexts of bundles in their sources, by their names in the bundle.
    bundle_variables: Mutex<FxHashMap<ObjectId, Arc<BTreeMap<String, SourceVariable>>>>,
    /// Where the structures of some deep objects begin.
    heads: RwLock<FxHashMap<ObjectId, ObjectId>>,
    /// Classes with two fields of one name.
    shadowing: Mutex<HashMap<ClassId, bool>>,
    /// What the stacks of threads hold.
    stacks: Mutex<FxHashMap<ObjectId, Arc<StackNames>>>,
    /// Steps from the objects with many fields that were asked about last.
    field_steps: Mutex<Vec<(ObjectId, Arc<FieldSteps>)>>,
}

/// Maximum number of closure contexts whose variables are cached.
const CONTEXTS: usize = 10_000;
/// Parts of the names of packages that have copies of libraries.
const RELOCATED: [&str; 7] =
    [".shaded.", ".shade.", ".repackaged.", ".relocated.", ".thirdparty.", ".sparkproject.", ".shadow."];

/// Class of the entries of the thread locals of a thread.
const THREAD_LOCAL_ENTRY: &str = "java.lang.ThreadLocal$ThreadLocalMap$Entry";
/// Class of the thread locals of a thread.
const THREAD_LOCAL_MAP: &str = "java.lang.ThreadLocal$ThreadLocalMap";

/// Name prefixes of scripts that belong to the engine.
const LIBRARY: [&str; 3] = ["node:", "internal/", "extensions::"];

impl NameIndex {
    /// Gathers the tables.
    pub fn new(dump: DumpData<'_>, rules: RuntimeClasses, task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, analysis, .. } = dump;
        let is_snapshot = heap.snapshot().is_some();
        let (libraries, built_in, classes) = (libraries(), RuntimeClasses::default(), heap.classes.all());
        let mut index = Self {
            is_library: classes.iter().map(|class| is_library(class, contents, &libraries)).collect(),
            is_runtime: classes
                .iter()
                .map(|class| is_runtime(class, (contents, is_snapshot), &rules, &built_in))
                .collect(),
            is_engine: classes
                .iter()
                .map(|class| script_of(class, contents).is_some_and(|name| is_of_engine(&name)))
                .collect(),
            rules,
            classes: HashMap::with_capacity(heap.classes.len()),
            longest_class: 0,
            later_classes: HashMap::new(),
            threads: HashMap::new(),
            thread_names: HashMap::new(),
            indexes_of_threads: HashMap::new(),
            anchors: Anchors::find(dump, task)?,
            starts: Bits::new(heap.len()),
            roots: Vec::with_capacity(analysis.roots().objects().len()),
            landmarks: Landmarks::default(),
            owners: RwLock::default(),
            runtime_objects: RuntimeObjects::default(),
            thread_local_entry: heap.classes.named(THREAD_LOCAL_ENTRY),
            thread_local_map: heap.classes.named(THREAD_LOCAL_MAP),
            traits: heap.classes.iter().filter_map(|(_, class)| trait_of_groovy(&class.name)).collect(),
            symbols: OnceLock::new(),
            bundle_variables: Mutex::default(),
            heads: RwLock::default(),
            shadowing: Mutex::default(),
            stacks: Mutex::default(),
            field_steps: Mutex::default(),
        };
        for (class, row) in heap.classes.iter() {
            let name = spelling::class(&row.name).to_owned();
            index.longest_class = index.longest_class.max(name.len());
            let same = index.classes.entry(name).or_default();
            if !same.is_empty() {
                index.later_classes.insert(class, same.len() as u64);
            }
            same.push(class);
        }
        task.checkpoint()?;
        let mut owners: Vec<_> = contents.stack_owners().into_iter().enumerate().collect();
        owners.sort_by_key(|(_, owner)| owner.serial);
        let mut same: HashMap<String, u64> = HashMap::new();
        for (nth, thread) in owners.into_iter().filter_map(|(nth, owner)| Some((nth, owner.object?))) {
            task.checkpoint()?;
            if index.thread_names.contains_key(&thread) {
                continue;
            }
            let label = contents.label(heap, thread).unwrap_or_default();
            let text = format!("thread {}", quoted(&label));
            let before = same.entry(text.clone()).or_default();
            let name = ordinal(text, *before);
            *before += 1;
            index.threads.insert(name.clone(), thread);
            index.thread_names.insert(thread, name);
            index.indexes_of_threads.insert(thread, nth);
        }
        for block in analysis.roots().objects().chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            for root in block.iter().filter_map(|&root| ObjectId::from_raw(root)) {
                let kind = analysis.roots().of(root).first().map_or(UNKNOWN, |root| root.kind.key());
                index.roots.push((kind, heap.class_id(root), root));
            }
        }
        index.roots.sort_unstable();
        let classes = heap.classes.all().iter().filter_map(|class| class.object);
        let bootstrap = heap.at(NO_OBJECT).filter(|_| heap.snapshot().is_none());
        let threads = index.thread_names.keys().copied();
        let starts = classes.chain(threads).chain(index.anchors.objects()).chain(bootstrap);
        starts.filter(|start| start.index() < heap.len()).for_each(|start| {
            index.starts.insert(start.raw());
        });
        Ok(index)
    }

    /// True if a class belongs to the runtime.
    pub fn is_runtime(&self, class: ClassId) -> bool {
        self.is_runtime.get(class.index()).copied().unwrap_or(true)
    }

    /// True if a class is neither of the runtime nor of a library.
    pub(crate) fn is_application(&self, class: ClassId) -> bool {
        !self.is_runtime(class) && !self.is_library(class)
    }

    /// True if a class belongs to a well-known library; some of them count as runtime, too.
    pub(crate) fn is_library(&self, class: ClassId) -> bool {
        self.is_library.get(class.index()).copied().unwrap_or(false)
    }

    /// True if a script of the engine defines a class: `Timeout`, `Socket`.
    pub(crate) fn is_engine(&self, class: ClassId) -> bool {
        self.is_engine.get(class.index()).copied().unwrap_or(false)
    }

    /// `desk.Session`, or `desk.Plugin#2` if another loader has one, too.
    pub(crate) fn class(&self, heap: &Heap, class: ClassId) -> String {
        let name = spelling::class(&heap.classes.get(class).name).to_owned();
        ordinal(name, self.later_classes.get(&class).copied().unwrap_or(0))
    }

    /// Classes of this name, in the order of their ordinals.
    pub(super) fn classes(&self, text: &str) -> &[ClassId] {
        self.classes.get(text).map_or(&[], Vec::as_slice)
    }

    /// Length of the longest name of a class in bytes.
    pub(super) fn longest_class(&self) -> usize {
        self.longest_class
    }

    pub(super) fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// True of a thread with a stack.
    pub(crate) fn is_thread(&self, object: ObjectId) -> bool {
        self.thread_names.contains_key(&object)
    }

    /// True if names start at an object whatever is above.
    pub(super) fn is_start(&self, object: ObjectId) -> bool {
        self.starts.contains(object.raw())
    }

    pub(crate) fn thread_name(&self, thread: ObjectId) -> Option<&str> {
        self.thread_names.get(&thread).map(String::as_str)
    }

    pub(super) fn thread(&self, name: &str) -> Option<ObjectId> {
        self.threads.get(name).copied()
    }

    pub(super) fn index_of_thread(&self, thread: ObjectId) -> Option<usize> {
        self.indexes_of_threads.get(&thread).copied()
    }

    /// Steps from an object to what its fields hold; `read` has the fields.
    pub(super) fn field_steps(&self, object: ObjectId, read: impl FnOnce() -> Vec<Field>) -> Arc<FieldSteps> {
        if let Ok(known) = self.field_steps.lock()
            && let Some((_, steps)) = known.iter().find(|(known, _)| *known == object)
        {
            return Arc::clone(steps);
        }
        let fields = read();
        let steps = Arc::new(FieldSteps::new(&fields));
        if fields.len() >= MANY_FIELDS
            && let Ok(mut known) = self.field_steps.lock()
        {
            if known.len() >= OBJECTS {
                known.remove(0);
            }
            known.push((object, Arc::clone(&steps)));
        }
        steps
    }

    /// What the stack of a thread holds; computed by `read` and cached.
    pub(super) fn stack_names(&self, thread: ObjectId, read: impl FnOnce() -> StackNames) -> Arc<StackNames> {
        if let Ok(known) = self.stacks.lock()
            && let Some(known) = known.get(&thread)
        {
            return Arc::clone(known);
        }
        let names = Arc::new(read());
        if let Ok(mut known) = self.stacks.lock() {
            known.insert(thread, Arc::clone(&names));
        }
        names
    }

    /// `root <JNI Global java.lang.Thread>#2`; `root <java.lang.Thread>#2` if the dump does not tell the kind.
    pub(super) fn root_name(&self, dump: DumpData<'_>, object: ObjectId) -> Option<String> {
        let kind = dump.analysis.roots().of(object).first()?.kind.key();
        let class = dump.heap.class_id(object);
        let at = self.roots.binary_search(&(kind, class, object)).ok()?;
        let first = self.roots.partition_point(|&(k, c, _)| (k, c) < (kind, class));
        let name = self.class(dump.heap, class);
        let text = if kind == UNKNOWN { format!("root <{name}>") } else { format!("root <{kind} {name}>") };
        Some(ordinal(text, (at - first) as u64))
    }

    /// The `nth`-th root of this name, and their number.
    pub(super) fn root(&self, heap: &Heap, text: &str, nth: u64) -> (Option<ObjectId>, u64) {
        let alike = |&&(kind, class, _): &&(&str, ClassId, ObjectId)| {
            let is_its_name = |name: &str| {
                name.starts_with(spelling::class(&heap.classes.get(class).name)) && name == self.class(heap, class)
            };
            text.strip_prefix(kind).and_then(|rest| rest.strip_prefix(' ')).is_some_and(is_its_name)
                || kind == UNKNOWN && is_its_name(text)
        };
        let roots: Vec<_> = self.roots.iter().filter(alike).collect();
        let one = usize::try_from(nth).ok().and_then(|nth| roots.get(nth)).map(|&&(_, _, root)| root);
        (one, roots.len() as u64)
    }

    /// Cached name of an object.
    pub(super) fn owner_above(&self, object: ObjectId, along: HolderRelation) -> Option<OwnerLookup> {
        self.owners.read().ok()?.get(&(object, along)).cloned()
    }

    pub(super) fn put_owner(
        &self,
        objects: impl Iterator<Item = (ObjectId, HolderRelation)>,
        owner: Option<&Arc<Owner>>,
    ) {
        let mut objects = objects.peekable();
        if objects.peek().is_some()
            && let Ok(mut owners) = self.owners.write()
        {
            let room = OWNERS.saturating_sub(owners.len());
            owners.extend(objects.take(room).map(|object| (object, OwnerLookup(owner.cloned()))));
        }
    }

    /// True of an entry of the thread locals of a thread.
    pub(crate) fn is_thread_local_entry(&self, class: ClassId) -> bool {
        self.thread_local_entry == Some(class)
    }

    /// True of the thread locals of a thread.
    pub(crate) fn is_thread_local_map(&self, class: ClassId) -> bool {
        self.thread_local_map == Some(class)
    }

    /// A field of a class of the Java virtual machine as its source has it, whatever compilers make of its name.
    pub(crate) fn source_member(&self, heap: &Heap, class: ClassId, field: &str) -> SourceMember {
        let of_trait = member_of_trait(field, |before| self.traits.get(before).map(String::as_str));
        let member = of_trait.unwrap_or_else(|| source_member(field));
        if is_function_of_clojure(heap, class) {
            return SourceMember { name: unmunged(&member.name), ..member };
        }
        member
    }

    /// Name of a symbol by its description; `read` has those of all symbols.
    pub(crate) fn symbol(&self, description: &str, read: impl FnOnce() -> FxHashMap<String, String>) -> Option<String> {
        self.symbols.get_or_init(read).get(description).cloned()
    }

    /// Variables of a closure context of a bundle in their source; computed by `read` and cached.
    pub(crate) fn bundle_variables(
        &self,
        context: ObjectId,
        read: impl FnOnce() -> BTreeMap<String, SourceVariable>,
    ) -> Arc<BTreeMap<String, SourceVariable>> {
        if let Ok(known) = self.bundle_variables.lock()
            && let Some(known) = known.get(&context)
        {
            return Arc::clone(known);
        }
        let variables = Arc::new(read());
        if let Ok(mut known) = self.bundle_variables.lock()
            && known.len() < CONTEXTS
        {
            known.insert(context, Arc::clone(&variables));
        }
        variables
    }

    /// Cached head of the structure of an object.
    pub(crate) fn head_above(&self, object: ObjectId) -> Option<ObjectId> {
        self.heads.read().ok()?.get(&object).copied()
    }

    pub(crate) fn put_head(&self, objects: &[ObjectId], head: ObjectId) {
        if let Ok(mut heads) = self.heads.write() {
            let room = OWNERS.saturating_sub(heads.len());
            heads.extend(objects.iter().take(room).map(|&object| (object, head)));
        }
    }

    /// True if a class has two fields of one name; computed by `look` and cached.
    pub(super) fn is_shadowing(&self, class: ClassId, look: impl FnOnce() -> bool) -> bool {
        if let Ok(known) = self.shadowing.lock()
            && let Some(&known) = known.get(&class)
        {
            return known;
        }
        let is_shadowing = look();
        if let Ok(mut known) = self.shadowing.lock() {
            known.insert(class, is_shadowing);
        }
        is_shadowing
    }
}

/// Name of the script that has the constructor of a class.
fn script_of(class: &Class, contents: &dyn SnapshotContents) -> Option<String> {
    let made_at = class.made_at?;
    // A bundle has files of the application and of packages.
    contents.source_location(made_at).map(|source| source.file).or_else(|| contents.script_name(made_at.script))
}

/// True if a class belongs to a library, by its name or because its constructor is in a script of an npm package.
fn is_library(class: &Class, contents: &dyn SnapshotContents, libraries: &ClassPrefixes) -> bool {
    let is_relocated = || RELOCATED.iter().any(|part| class.name.contains(part));
    libraries.contains(&class.name)
        || is_relocated()
        || script_of(class, contents).is_some_and(|name| is_of_package(&name))
}

/// True if a class belongs to the runtime, by its name or because its constructor is in a script of the engine. A class of
/// the program may have the name of one of the engine: it is not of the runtime unless a rule of the user says so.
fn is_runtime(
    class: &Class,
    (contents, is_snapshot): (&dyn SnapshotContents, bool),
    rules: &RuntimeClasses,
    built_in: &RuntimeClasses,
) -> bool {
    let is_listed = rules.contains(&class.name);
    // Names of JavaScript, such as `Pipe` and `Map`, may be classes of the program elsewhere.
    if !is_snapshot && is_listed && is_without_package(&class.name) {
        return !built_in.contains(&class.name);
    }
    match script_of(class, contents) {
        Some(script) if is_of_engine(&script) => true,
        // Names of files without a folder are redacted.
        Some(script) if is_listed && script.contains(['/', '\\']) => !built_in.contains(&class.name),
        _ => is_listed,
    }
}

/// True of a class in no package, and of arrays of one; not of primitive types.
fn is_without_package(class: &str) -> bool {
    let element = class.trim_end_matches("[]");
    !is_primitive(element) && element.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// True of a class of plain objects of JavaScript that have properties of the same names: `{id, name, total}`.
pub(crate) fn is_common_shape(heap: &Heap, class: ClassId) -> bool {
    heap.snapshot().is_some() && heap.classes.get(class).name.starts_with('{')
}

/// True if a script or module belongs to an npm package, by its path.
pub(crate) fn is_of_package(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "node_modules")
}

/// True if a script is one of the engine, by its name.
pub(crate) fn is_of_engine(script: &str) -> bool {
    LIBRARY.iter().any(|prefix| script.starts_with(prefix))
}
