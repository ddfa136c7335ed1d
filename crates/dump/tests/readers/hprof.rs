//! Random heaps written in all HPROF variants are read back exactly: objects, classes, references, roots, values, strings,
//! sizes, and everything derived from them.
//!
//! Expected results are computed here from the sketch alone, with sets and lists, by the rules of Eclipse MAT,
//! independently of the reader and the engine.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing case")]

use std::collections::{BTreeMap, BTreeSet};

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, RootKind, Rules, SizeModel, Strength, Value as Read};
use heaplens_testkit::hprof::{Form, Order, Segmentation, write};
use heaplens_testkit::sketch::{Body, Class, Id, Object, RootRecord, Sketch, Type, Value};
use heaplens_testkit::{heaps, notation};

use crate::open_bytes as open;

mod damaged;
mod details;
mod dumps;

/// Expected heap of a sketch. Address 0 is the bootstrap class loader.
struct Expected<'a> {
    sketch: &'a Sketch,
    form: Form,
    options: OpenOptions,
    /// Class name of each object; the keys are all objects.
    class_of: BTreeMap<Id, &'a Class>,
    classes: BTreeMap<Id, &'a Class>,
    objects: BTreeMap<Id, &'a Object>,
    /// Sorted references except that to the class; and the referent, if any.
    references: BTreeMap<Id, (Vec<Id>, Option<Id>)>,
    roots: BTreeSet<(Id, RootKind)>,
    dangling: u64,
}

impl<'a> Expected<'a> {
    fn new(sketch: &'a Sketch, form: Form, options: OpenOptions) -> Self {
        let named = |name: &str| sketch.class_named(name).expect("random heaps have the classes of the system");
        let (class, loader) = (named("java.lang.Class"), named("java.lang.ClassLoader"));
        let mut class_of = BTreeMap::from([(0, loader)]);
        class_of.extend(sketch.classes.iter().map(|c| (c.id, class)));
        class_of.extend(sketch.objects.iter().map(|o| (o.id, sketch.class_of(o).expect("an object has a class"))));
        let classes = sketch.classes.iter().map(|c| (c.id, c)).collect();
        let objects = sketch.objects.iter().map(|o| (o.id, o)).collect();
        let (references, roots) = Default::default();
        let mut all = Self { sketch, form, options, class_of, classes, objects, references, roots, dangling: 0 };
        all.link();
        all.root();
        all
    }

    fn link(&mut self) {
        let exists = |id: &Id| self.class_of.contains_key(id);
        for (&id, class) in &self.class_of {
            let mut targets = Vec::new();
            let mut referent = None;
            if let Some(class) = self.classes.get(&id) {
                targets.push(class.superclass);
                let loader = if exists(&class.loader) { class.loader } else { 0 };
                self.references.entry(id).or_default().0.push(loader);
                targets.extend(class.statics.iter().filter_map(|(_, value)| reference(*value)));
                // Static fields with dangling references are not counted.
                targets.retain(exists);
            }
            match self.objects.get(&id).map(|object| &object.body) {
                Some(Body::Instance { fields, .. }) => {
                    let line = self.sketch.line_of(class.id);
                    let names = line.iter().flat_map(|c| c.fields.iter().map(|(name, _)| (&*c.name, &**name)));
                    for (name, target) in names.zip(fields.iter().map(|value| reference(*value))) {
                        targets.extend(target);
                        if name == ("java.lang.ref.Reference", "referent") {
                            referent = target.filter(exists).filter(|&target| target != 0);
                        }
                    }
                }
                Some(Body::Objects { elements, .. }) => targets.extend(elements),
                Some(Body::Primitives { .. }) | None => {}
            }
            targets.retain(|&target| target != 0);
            self.dangling += targets.iter().filter(|target| !exists(target)).count() as u64;
            let row = self.references.entry(id).or_default();
            row.0.extend(targets.into_iter().filter(exists));
            row.1 = referent;
        }
    }

    /// Roots on the stack of a known thread are references of the thread object.
    fn root(&mut self) {
        let mut threads = BTreeMap::new();
        let mut locals = BTreeSet::new();
        for &(object, why) in &self.sketch.roots {
            let (kind, thread) = match why {
                RootRecord::Unknown => (RootKind::Unknown, None),
                RootRecord::JniGlobal => (RootKind::JniGlobal, None),
                RootRecord::JniLocal { thread, .. } => (RootKind::JniLocal, Some(thread)),
                RootRecord::JavaFrame { thread, .. } => (RootKind::JavaFrame, Some(thread)),
                RootRecord::NativeStack { thread } => (RootKind::NativeStack, Some(thread)),
                RootRecord::StickyClass => (RootKind::SystemClass, None),
                RootRecord::ThreadBlock { thread } => (RootKind::ThreadBlock, Some(thread)),
                RootRecord::MonitorUsed => (RootKind::Monitor, None),
                RootRecord::Thread { thread, .. } => {
                    threads.insert(thread, object);
                    (RootKind::Thread, None)
                }
            };
            if !self.class_of.contains_key(&object) {
                continue;
            }
            match thread.and_then(|thread| threads.get(&thread)) {
                Some(&thread) => drop(locals.insert((thread, object, kind))),
                None => drop(self.roots.insert((object, kind))),
            }
        }
        for (thread, object, _) in locals {
            self.references.entry(thread).or_default().0.push(object);
        }
        if !self.sketch.roots.iter().any(|(_, why)| *why == RootRecord::StickyClass) {
            let boot = self.sketch.classes.iter().filter(|c| c.loader == 0 && !c.name.ends_with("[]"));
            let is_root: BTreeSet<Id> = self.roots.iter().map(|&(id, _)| id).collect();
            self.roots.extend(boot.filter(|c| !is_root.contains(&c.id)).map(|c| (c.id, RootKind::SystemClass)));
        }
        self.references.values_mut().for_each(|(targets, _)| targets.sort_unstable());
    }

    fn strength(&self, id: Id) -> Strength {
        let line = self.sketch.line_of(self.class_of[&id].id);
        line.iter().find_map(|class| strength_of(&class.name)).unwrap_or(Strength::Strong)
    }

    /// Targets of references up to a strength, including the class.
    fn successors(&self, id: Id, weakest: Strength) -> Vec<Id> {
        let (targets, referent) = &self.references[&id];
        let mut targets = targets.clone();
        if let Some(referent) = referent
            && self.strength(id) > weakest
        {
            let at = targets.iter().position(|target| target == referent).expect("it is one of the references");
            targets.remove(at);
        }
        targets.push(self.class_of[&id].id);
        targets
    }

    fn reached_without(&self, removed: Option<Id>) -> BTreeSet<Id> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<Id> = self.roots.iter().map(|&(id, _)| id).collect();
        while let Some(id) = waiting.pop() {
            if Some(id) != removed && reached.insert(id) {
                waiting.extend(self.successors(id, self.options.rules.min_strength));
            }
        }
        reached
    }

    /// Distances from the nearest root over strong references, by breadth-first search.
    fn strong_distances(&self) -> BTreeMap<Id, u32> {
        let mut distances: BTreeMap<Id, u32> = self.roots.iter().map(|&(id, _)| (id, 0)).collect();
        for distance in 1.. {
            let ring: Vec<Id> = distances.iter().filter(|&(_, &d)| d + 1 == distance).map(|(&id, _)| id).collect();
            if ring.is_empty() {
                break;
            }
            for to in ring.into_iter().flat_map(|id| self.successors(id, Strength::Strong)) {
                distances.entry(to).or_insert(distance);
            }
        }
        distances
    }

    /// Size of a reference in memory in bytes, by Eclipse MAT's heuristic.
    fn reference_bytes(&self) -> u64 {
        let arrays = self.sketch.objects.iter().filter_map(|object| match &object.body {
            Body::Objects { elements, .. } => Some((object.id, object.id + 16 + 8 * elements.len() as u64)),
            _ => None,
        });
        let arrays: Vec<(Id, Id)> = arrays.collect();
        let close = arrays.windows(2).any(|pair| pair[0].0 < pair[1].0 && pair[1].0 < pair[0].1);
        if close { 4 } else { u64::from(self.form.id_bytes) }
    }

    /// Object alignment in bytes, by Eclipse MAT's heuristic.
    fn alignment(&self) -> u64 {
        let ids: Vec<Id> = self.class_of.keys().copied().filter(|&id| id != 0).collect();
        ids.windows(2).map(|pair| pair[1] - pair[0]).fold(0, common_divisor).clamp(8, 256)
    }

    /// Shallow sizes by Eclipse MAT's rules, or as in the file.
    fn sizes(&self) -> BTreeMap<Id, u64> {
        let pointer = u64::from(self.form.id_bytes);
        let as_in_file = self.options.read.sizes == SizeModel::File;
        let reference = if as_in_file { pointer } else { self.reference_bytes() };
        let unit = self.alignment();
        let up = |bytes: u64, unit: u64| if as_in_file { bytes } else { bytes.next_multiple_of(unit) };
        let header = |bytes: u64| if as_in_file { 0 } else { bytes };
        let instance = |class: &Class| {
            let mut line = self.sketch.line_of(class.id);
            let top = line.pop().expect("the class itself, at least");
            assert!(top.fields.is_empty(), "java.lang.Object has no fields");
            let own = |class: &Class| class.fields.iter().map(|(_, kind)| kind.bytes(reference)).sum::<u64>();
            let end = line.into_iter().rev().fold(header(pointer + reference), |end, c| up(end + own(c), reference));
            up(end, unit)
        };
        let size = |(&id, class): (&Id, &&Class)| {
            let bytes = match (self.classes.get(&id), self.objects.get(&id).map(|object| &object.body)) {
                (Some(class), _) => up(class.statics.iter().map(|(_, v)| v.kind().bytes(reference)).sum(), unit),
                (_, Some(Body::Objects { elements, .. })) => {
                    up(header(pointer + reference + 4) + elements.len() as u64 * reference, unit)
                }
                (_, Some(Body::Primitives { kind, elements })) => {
                    let header = up(header(pointer + reference + 4), reference);
                    up(header + elements.len() as u64 * kind.bytes(reference), unit)
                }
                _ => instance(class),
            };
            (id, bytes)
        };
        self.class_of.iter().map(size).collect()
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn strength_of(class: &str) -> Option<Strength> {
    match class {
        "java.lang.ref.SoftReference" => Some(Strength::Soft),
        "java.lang.ref.WeakReference" => Some(Strength::Weak),
        "java.lang.ref.Reference" => Some(Strength::Phantom),
        _ => None,
    }
}

fn reference(value: Value) -> Option<Id> {
    if let Value::Object(id) = value { Some(id) } else { None }
}

/// Opens bytes as a file.
/// The heap of `dump` is exactly that of `expected`.
fn check(expected: &Expected<'_>, dump: &Dump) {
    check_facts(expected, dump);
    check_contents(expected, dump);
    check_derived(expected, dump);
}

fn check_facts(expected: &Expected<'_>, dump: &Dump) {
    let heap = &*dump.facts.heap;
    let ids: Vec<Id> = heap.objects().map(|object| heap.address(object).0).collect();
    assert_eq!(ids, expected.class_of.keys().copied().collect::<Vec<_>>(), "objects");
    assert_eq!(heap.classes.len(), expected.classes.len(), "classes");
    let sizes = expected.sizes();
    for object in heap.objects() {
        let id = heap.address(object).0;
        let class = heap.class(object);
        assert_eq!(heap.at(Address(id)), Some(object));
        assert_eq!(*class.name, *expected.class_of[&id].name, "class of {id:#x}");
        assert_eq!(class.object.map(|object| heap.address(object).0), Some(expected.class_of[&id].id));
        assert_eq!(heap.shallow(object).0, sizes[&id], "shallow size of {id:#x}, a {}", class.name);
        let (targets, referent) = &expected.references[&id];
        let address = |&row: &u32| heap.address(ObjectId::from_raw(row).expect("a row")).0;
        let mut read: Vec<Id> = heap.references(object).iter().map(address).collect();
        if let Some(referent) = referent {
            assert_eq!(read.first(), Some(referent), "the referent comes first");
            assert_eq!(heap.strength(object, 0), expected.strength(id));
        }
        read.sort_unstable();
        assert_eq!(read, *targets, "references of {id:#x}, a {}", class.name);
    }
    for (_, class) in heap.classes.iter() {
        let twin = expected.classes[&heap.address(class.object.expect("a class object")).0];
        let superclass = class.superclass.and_then(|s| heap.classes.get(s).object).map_or(0, |s| heap.address(s).0);
        assert_eq!((&*class.name, superclass), (&*twin.name, twin.superclass));
        let loader = class.loader.map_or(0, |loader| heap.address(loader).0);
        assert_eq!(loader, if expected.class_of.contains_key(&twin.loader) { twin.loader } else { 0 });
    }
    let roots = heap.roots.all().iter().map(|root| (heap.address(root.object).0, root.kind));
    assert_eq!(roots.collect::<BTreeSet<_>>(), expected.roots, "roots");
    let dangling: u64 = heap.notes.iter().filter(|n| n.message.starts_with("references to")).map(|n| n.count).sum();
    assert_eq!(dangling, expected.dangling, "references that lead nowhere");
    // All objects except the bootstrap loader, which is synthetic.
    assert_eq!(dump.census.objects + 1, ids.len() as u64, "objects in the census");
    if expected.alignment() == 8 || expected.options.read.sizes == SizeModel::File {
        // The first pass rounds arrays to 8 bytes, as other alignments are detected only when all addresses are known.
        assert_eq!(dump.census.shallow.0 + sizes[&0], sizes.values().sum::<u64>(), "bytes in the census");
    }
}

/// Fields, statics, elements and strings.
fn check_contents(expected: &Expected<'_>, dump: &Dump) {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let read = |value: Value| match value {
        Value::Object(0) => Read::Null,
        Value::Object(id) => heap.at(Address(id)).map_or(Read::Dangling(Address(id)), Read::Object),
        Value::Boolean(b) => Read::Bool(b),
        Value::Char(c) => Read::Char(c),
        Value::Float(f) => Read::Float(f),
        Value::Double(d) => Read::Double(d),
        Value::Byte(n) => Read::Byte(n),
        Value::Short(n) => Read::Short(n),
        Value::Int(n) => Read::Int(n),
        Value::Long(n) => Read::Long(n),
    };
    let row = |id: Id| heap.at(Address(id)).expect("it is in the heap");
    let fields = |id: Id| {
        let fields = contents.fields(heap, row(id)).expect("readable");
        fields.into_iter().map(|field| (field.declared_by, field.name, field.value)).collect::<Vec<_>>()
    };
    for class in &expected.sketch.classes {
        let statics = class.statics.iter().map(|(name, value)| (class.name.clone(), name.clone(), read(*value)));
        assert_eq!(fields(class.id), statics.collect::<Vec<_>>(), "statics of {}", class.name);
    }
    for object in &expected.sketch.objects {
        let elements = match &object.body {
            Body::Instance { class, fields: values } => {
                let line = expected.sketch.line_of(*class).into_iter();
                let names = line.flat_map(|c| c.fields.iter().map(|(name, _)| (c.name.clone(), name.clone())));
                let named = names.zip(values).map(|((class, name), value)| (class, name, read(*value)));
                assert_eq!(fields(object.id), named.collect::<Vec<_>>(), "fields of {:#x}", object.id);
                assert_eq!(contents.array_length(heap, row(object.id)), None);
                if expected.sketch.id("java.lang.String") == *class {
                    let text = text_of(expected.sketch, values);
                    assert_eq!(contents.text(heap, row(object.id), 1000), Some(text), "text of {:#x}", object.id);
                }
                continue;
            }
            Body::Objects { elements, .. } => elements.iter().map(|&id| read(Value::Object(id))).collect::<Vec<_>>(),
            Body::Primitives { elements, .. } => elements.iter().map(|&value| read(value)).collect(),
        };
        let length = elements.len() as u64;
        assert_eq!(contents.array_length(heap, row(object.id)), Some(length));
        for (from, to) in
            [(0, length), (length / 2, length), (1, length + 9), (length, length), (length + 5, length + 6)]
        {
            let part = elements.get(from as usize..(to as usize).min(elements.len())).unwrap_or(&[]);
            assert_eq!(
                contents.elements(heap, row(object.id), from..to).expect("readable"),
                part,
                "elements {from}..{to}"
            );
        }
    }
}

/// Value of a string, decoded from its array in the sketch.
fn text_of(sketch: &Sketch, fields: &[Value]) -> String {
    let array = sketch.objects.iter().find(|object| reference(fields[0]) == Some(object.id)).expect("it has an array");
    let Body::Primitives { kind, elements } = &array.body else { panic!("the characters of a string are numbers") };
    let bytes =
        elements.iter().filter_map(|value| if let Value::Byte(b) = value { Some(b.cast_unsigned()) } else { None });
    let units: Vec<u16> = match (kind, fields[1]) {
        (Type::Char, _) => {
            elements.iter().filter_map(|v| if let Value::Char(c) = v { Some(*c) } else { None }).collect()
        }
        (_, Value::Byte(0)) => bytes.map(u16::from).collect(),
        _ => bytes.collect::<Vec<_>>().chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
    };
    String::from_utf16(&units).expect("texts are whole")
}

/// Reachability, dominators and retained sizes by their definitions.
fn check_derived(expected: &Expected<'_>, dump: &Dump) {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let sizes = expected.sizes();
    let bytes = |ids: &BTreeSet<Id>| ids.iter().map(|id| sizes[id]).sum::<u64>();
    if expected.options.rules.keep_unreachable {
        assert!(heap.objects().all(|object| analysis.is_reachable(object)), "all objects count as reachable");
        assert_eq!(analysis.shown.shallow.0, sizes.values().sum::<u64>());
        return;
    }
    let reached = expected.reached_without(None);
    let held: BTreeMap<Id, BTreeSet<Id>> =
        reached.iter().map(|&id| (id, &reached - &expected.reached_without(Some(id)))).collect();
    let mut by_class: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let strong = expected.strong_distances();
    for object in heap.objects() {
        let id = heap.address(object).0;
        assert_eq!(analysis.is_reachable(object), reached.contains(&id), "whether {id:#x} is reached");
        let held_here = held.get(&id).cloned().unwrap_or_default();
        assert_eq!(analysis.retained(object).0, bytes(&held_here), "retained by {id:#x}");
        assert_eq!(analysis.dominated_count(object), held_here.len().saturating_sub(1) as u64);
        let strict = held.iter().filter(|(holder, held)| **holder != id && held.contains(&id));
        let nearest = strict.min_by_key(|(_, held)| held.len()).map(|(holder, _)| *holder);
        let dominator = analysis.immediate_dominator(object).map(|dominator| heap.address(dominator).0);
        assert_eq!(dominator, nearest, "immediate dominator of {id:#x}");
        by_class.entry(expected.class_of[&id].id).or_default().extend(held_here);
        assert_eq!(analysis.strongly_reachable(object), strong.contains_key(&id), "{id:#x} is strongly reached");
        let distance = analysis.distance(object);
        assert_eq!(distance.is_some(), reached.contains(&id), "a distance for what is reached: {id:#x}");
        if let Some(&strong) = strong.get(&id) {
            assert_eq!(distance, Some(strong), "weaker references shorten no way to what is strongly reached");
        }
        let before = analysis.predecessor(heap, object);
        assert_eq!(before.and_then(|o| analysis.distance(o)), distance.and_then(|steps| steps.checked_sub(1)));
        if let Some(before) = before {
            let next = expected.successors(heap.address(before).0, expected.options.rules.min_strength);
            assert!(next.contains(&id), "a way goes along references");
        }
    }
    for (class_id, class) in heap.classes.iter() {
        let id = heap.address(class.object.expect("a class object")).0;
        let held = by_class.get(&id).map_or(0, bytes);
        assert_eq!(analysis.class_retained(class_id).0, held, "retained by all of {}", class.name);
    }
    assert_eq!((analysis.shown.objects, analysis.shown.shallow.0), (reached.len() as u64, bytes(&reached)));
}

fn options(seed: u64) -> OpenOptions {
    let strengths = [Strength::Phantom, Strength::Strong, Strength::Soft, Strength::Weak];
    let mut options = OpenOptions::default();
    options.read.sizes = if seed % 5 == 4 { SizeModel::File } else { SizeModel::Mat };
    options.rules =
        Rules { min_strength: strengths[(seed / 2 % 4) as usize], keep_unreachable: seed % 7 == 6, ..Rules::default() };
    options
}

#[test]
fn random_heaps_in_every_form_are_read_exactly() {
    let forms = Form::all();
    for seed in 0..10 * forms.len() as u64 {
        let sketch = heaps::random(seed, 10 + seed as u32 % 60);
        let (form, options) = (forms[seed as usize % forms.len()], options(seed));
        eprintln!("seed {seed}, {form:?}, {options:?}"); // shown when it fails
        check(&Expected::new(&sketch, form, options.clone()), &open(write(&sketch, form), &options));
    }
}

/// An object may refer to another a hundred thousand times.
#[test]
fn each_referrer_is_listed_once() {
    let form = Form::all()[0];
    for seed in 0..4 {
        let dump = open(write(&heaps::random(seed, 60), form), &options(0));
        let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
        for object in heap.objects() {
            let refers = |from: &ObjectId| heap.references(*from).contains(&object.raw());
            let expected: Vec<ObjectId> = heap.objects().filter(refers).collect();
            assert_eq!(analysis.referrers(object).collect::<Vec<_>>(), expected, "seed {seed}");
        }
    }
}

/// All visible data of a dump, for comparison.
fn portrait(dump: &Dump) -> Vec<String> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let mut lines: Vec<String> = dump.census.rows.iter().map(|row| format!("{row:?}")).collect();
    lines.extend(heap.roots.all().iter().map(|root| format!("{root:?}")));
    lines.extend(heap.classes.iter().map(|(id, class)| format!("{class:?} {}", analysis.class_retained(id).0)));
    lines.extend(heap.objects().map(|object| {
        let (references, retainers) = (heap.references(object), analysis.retainers(object));
        let sizes = (heap.shallow(object).0, analysis.retained(object).0, analysis.distance(object));
        let paths = (analysis.immediate_dominator(object), analysis.predecessor(heap, object));
        format!("{} {:?} {sizes:?} {paths:?} {references:?} {retainers:?}", heap.address(object), heap.class_id(object))
    }));
    lines
}

/// Parallel chunks are 4 MiB; dumps are split above 32 MiB.
#[test]
fn a_large_heap_does_not_depend_on_form_or_threads() {
    let mut sketch = heaps::random(12, 20_000);
    let mut random = heaplens_testkit::random::Random::new(12);
    for number in 0..9 {
        let id = 0x4000_0000 + number * 0x100_0000;
        let elements = (0..500_000).map(|_| Value::Long(random.number().cast_signed())).collect();
        let at = random.below(sketch.objects.len() as u32) as usize;
        sketch.objects.insert(at, Object { id, body: Body::Primitives { kind: Type::Long, elements } });
        sketch.roots.push((id, RootRecord::JniGlobal));
    }
    let options = options(0);
    let mut first: Option<Vec<String>> = None;
    for (version, cut) in [
        ("1.0.1", Segmentation::Whole),
        ("1.0.1", Segmentation::Endless),
        ("1.0.2", Segmentation::Segments(1 << 20)),
        ("1.0.2", Segmentation::Segments(64)),
    ] {
        let form = Form { version, id_bytes: 8, cut, order: Order::RootsLast };
        let bytes = write(&sketch, form);
        assert!(bytes.len() > 33 << 20, "large enough to be cut");
        for threads in [1, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let dump = pool.install(|| open(&bytes, &options));
            check_facts(&Expected::new(&sketch, form, options.clone()), &dump);
            let portrait = portrait(&dump);
            let first = first.get_or_insert_with(|| portrait.clone());
            assert!(*first == portrait, "{form:?} on {threads} threads differs");
        }
    }
}

/// Opens a heap written in the notation.
fn noted(text: &str) -> (Sketch, Dump) {
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    let dump = open(write(&sketch, Form::MODERN), &OpenOptions::default());
    (sketch, dump)
}

#[test]
fn a_thread_shows_its_name_stack_and_locals() {
    let (sketch, dump) = noted(
        "class java.lang.Thread
           field name: object
         class shop.Clerk extends java.lang.Thread
         clerk = shop.Clerk name=name
         name = \"till 7\"
         basket = java.lang.Object[] name
         root clerk thread 7 trace 3
         root basket frame 7 0
         root name frame 8 0
         trace 3 thread 7
           frame shop.Clerk.sell (I)V Clerk.java 12
           frame shop.Clerk.wait ()V Clerk.java -3
           frame java.lang.Thread.run ()V Thread.java 0",
    );
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let object = |label| heap.at(Address(sketch.id(label))).expect("it is in the heap");
    let stack =
        ["shop.Clerk.sell(Clerk.java:12)", "shop.Clerk.wait(native method)", "java.lang.Thread.run(Thread.java)"];
    assert_eq!(contents.stack(heap, object("clerk")), stack);
    assert_eq!(contents.label(heap, object("clerk")).as_deref(), Some("till 7"));
    let names = contents.reference_names(heap, object("clerk"), object("basket"), 9);
    assert_eq!(names.iter().map(|name| &*name.text).collect::<Vec<_>>(), ["<Java Local>"]);
    assert_eq!(dump.analysis.immediate_dominator(object("basket")), Some(object("clerk")));
    // Thread 8 is not in the dump, so its local variables are roots themselves.
    assert_eq!(heap.roots.of(object("name")).iter().map(|root| root.kind).collect::<Vec<_>>(), [RootKind::JavaFrame]);
}

/// Java's modified UTF-8: NUL has two bytes, characters above U+FFFF have six.
#[test]
fn names_are_read_whatever_their_script() {
    let (sketch, dump) = noted(
        "class laden.Stra\u{df}e
           field \u{540d}\u{524d}: int
           field \u{1f680}: int
         it = laden.Stra\u{df}e \u{540d}\u{524d}=1 \u{1f680}=2
         root it",
    );
    let heap = &*dump.facts.heap;
    let it = heap.at(Address(sketch.id("it"))).expect("it is in the heap");
    assert_eq!(&*heap.class(it).name, "laden.Stra\u{df}e");
    let fields = dump.facts.contents.fields(heap, it).expect("readable");
    let fields: Vec<_> = fields.iter().map(|field| (&*field.name, field.value)).collect();
    assert_eq!(fields, [("\u{540d}\u{524d}", Read::Int(1)), ("\u{1f680}", Read::Int(2))]);
}

/// Missing parts of the file are synthesized: classes, the bootstrap loader, roots.
#[test]
fn a_dump_without_system_classes_and_roots_still_opens() {
    let mut sketch = notation::read("class A\n  field next: object\na = A next=b\nb = int[] 1 2").expect("a heap");
    sketch.classes.retain(|class| class.name == "A" || class.name == "java.lang.Object");
    let dump = open(write(&sketch, Form::MODERN), &OpenOptions::default());
    let heap = &*dump.facts.heap;
    let class_of = |label| &*heap.class(heap.at(Address(sketch.id(label))).expect("it is in the heap")).name;
    assert_eq!((class_of("a"), class_of("b")), ("A", "int[]"));
    let notes: Vec<&str> = heap.notes.iter().map(|note| &*note.message).collect();
    assert!(notes.iter().any(|note| note.contains("no GC roots")), "{notes:?}");
    assert!(
        heap.classes.iter().all(|(_, class)| dump.analysis.is_reachable(class.object.expect("generated if missing")))
    );
}
