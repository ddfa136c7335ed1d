//! Objects by heap: VM roots that are followed or ignored, and classes counted in one heap.

use std::collections::BTreeSet;

use heaplens_analysis::histogram::{histogram, histogram_in};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::parts::Part;
use heaplens_heap::{Figure, ObjectId, RegionKind, RootKind, SizeModel, VmRoots};
use heaplens_testkit::art::{APP, Art, Class, IMAGE, Writer, ZYGOTE, root};
use heaplens_testkit::sketch::{Id, Type, Value};

use super::{object, open_bytes};

const OBJECT: Id = 0x7000_0000;
const PAIR: Id = 0x7000_0100;
const BYTES: Id = 0x7000_0200;
const LONGS: Id = 0x7000_0300;
const OBJECTS: Id = 0x7000_0400;
const HOLDER: Id = 0x12c0_0000;
const APPLICATION: Id = 0x12c0_1000;
const OWN_LONGS: Id = 0x12c0_1100;
const OWN_BYTES: Id = 0x12c0_1800;
const Z: Id = 0x1000_0000;
const LIST: Id = 0x1000_0100;
const BLOCKS: [Id; 4] = [0x1000_1000, 0x1000_2000, 0x1000_3000, 0x1000_4000];

/// The boot image with `Object` and a class of two references.
fn image(art: &mut Art) {
    art.heap(IMAGE, "image");
    art.class(Class { id: OBJECT, name: "java.lang.Object", bytes: 8, ..Class::default() });
    let fields = [("a", Type::Object), ("b", Type::Object)];
    let pair = Class { id: PAIR, name: "dalvik.Pair", superclass: OBJECT, bytes: 16, ..Class::default() };
    art.class(Class { fields: &fields, ..pair });
}

/// An application object that references the zygote, which references it back. Everything in the zygote is a root.
fn application() -> Art {
    let mut art = Art::default();
    art.root(root::STICKY_CLASS, HOLDER, 0);
    for object in [OBJECT, PAIR, BYTES, LONGS, OBJECTS, Z, LIST].into_iter().chain(BLOCKS) {
        art.root(root::VM_INTERNAL, object, 0);
    }
    image(&mut art);
    let above = Class { superclass: OBJECT, ..Class::default() };
    for (id, name) in [(BYTES, "byte[]"), (LONGS, "long[]"), (OBJECTS, "java.lang.Object[]")] {
        art.class(Class { id, name, ..above });
    }
    art.heap(ZYGOTE, "zygote");
    art.instance(Z, PAIR, &[LIST, OWN_BYTES].map(Value::Object));
    art.objects(LIST, OBJECTS, &BLOCKS);
    for block in BLOCKS {
        art.numbers(block, Type::Byte, vec![Value::Byte(1); 1000]);
    }
    art.heap(APP, "app");
    let statics = [("app", Value::Object(APPLICATION))];
    art.class(Class { id: HOLDER, name: "com.example.Root", bytes: 8, statics: &statics, ..above });
    art.instance(APPLICATION, PAIR, &[Z, OWN_LONGS].map(Value::Object));
    art.numbers(OWN_LONGS, Type::Long, vec![Value::Long(1); 100]);
    art.numbers(OWN_BYTES, Type::Byte, vec![Value::Byte(1); 500]);
    art
}

fn by(art: &Art, vm_roots: VmRoots) -> Dump {
    let mut options = OpenOptions::default();
    // Sizes as in ahat.
    options.read.sizes = SizeModel::File;
    options.rules.vm_roots = vm_roots;
    open_bytes(art.write(Writer::Art), &options)
}

/// Retained altogether, and of that in app and zygote.
fn retained(dump: &Dump, id: Id) -> [u64; 3] {
    let object = object(dump, id);
    let part = |kind| dump.analysis.retained_part(object, Part::Region(kind)).0;
    [dump.analysis.retained(object).0, part(RegionKind::App), part(RegionKind::Zygote)]
}

#[test]
fn without_zygote_roots_the_application_retains_its_objects() {
    let (on, off) = (by(&application(), VmRoots::Count), by(&application(), VmRoots::Ignore));
    assert_eq!(retained(&on, APPLICATION), [816, 816, 0]);
    assert_eq!(retained(&on, Z), [516, 500, 16]);
    assert_eq!(retained(&off, APPLICATION), [5_348, 1_316, 4_032]);
    assert_eq!(retained(&off, Z), [4_532, 500, 4_032]);
    // No object is lost.
    assert_eq!(on.analysis.shown, off.analysis.shown);
    assert_eq!(on.analysis.unreachable, off.analysis.unreachable);
    // Objects without another path stay roots: classes without instances.
    let is_root = |id| !off.analysis.roots().of(object(&off, id)).is_empty();
    assert!(!is_root(Z) && !is_root(BLOCKS[0]) && !is_root(PAIR) && is_root(HOLDER));
}

/// The cycle comes after an object it reaches: that object is no root, although it is first.
#[test]
fn objects_reached_from_a_cycle_are_no_roots() {
    let [first, one, other]: [Id; 3] = [0x1000_0000, 0x1000_0100, 0x1000_0200];
    let mut art = Art::default();
    [OBJECT, PAIR].into_iter().for_each(|class| art.root(root::STICKY_CLASS, class, 0));
    [first, one, other].into_iter().for_each(|object| art.root(root::VM_INTERNAL, object, 0));
    image(&mut art);
    art.heap(ZYGOTE, "zygote");
    art.instance(first, PAIR, &[0, 0].map(Value::Object));
    art.instance(one, PAIR, &[other, 0].map(Value::Object));
    art.instance(other, PAIR, &[one, first].map(Value::Object));
    let dump = by(&art, VmRoots::Ignore);
    let is_root = |id| !dump.analysis.roots().of(object(&dump, id)).is_empty();
    assert!(!is_root(first) && (is_root(one) != is_root(other)));
    assert!([first, one, other].into_iter().all(|id| dump.analysis.is_reachable(object(&dump, id))));
}

#[test]
fn a_cycle_held_only_by_the_vm_keeps_one_root() {
    let mut art = Art::default();
    let node = |n: Id| 0x1000_0000 + n * 0x100;
    (0..6).for_each(|n| art.root(root::VM_INTERNAL, node(n), 0));
    art.root(root::VM_INTERNAL, 0x12c0_0000, 0);
    art.root(root::STICKY_CLASS, OBJECT, 0);
    art.root(root::STICKY_CLASS, PAIR, 0);
    image(&mut art);
    art.heap(ZYGOTE, "zygote");
    // A cycle of three, an object that references it, an isolated one, and one referenced only by garbage.
    for (from, to) in [(0, 1), (1, 2), (2, 0), (3, 2)] {
        art.instance(node(from), PAIR, &[node(to), 0].map(Value::Object));
    }
    art.instance(node(4), PAIR, &[0, 0].map(Value::Object));
    art.instance(node(5), PAIR, &[0, 0].map(Value::Object));
    // Another cycle, without references into it.
    for (n, to) in [(6, 7), (7, 6)] {
        art.root(root::VM_INTERNAL, node(n), 0);
        art.instance(node(n), PAIR, &[node(to), 0].map(Value::Object));
    }
    art.heap(APP, "app");
    art.instance(0x12c0_0000, PAIR, &[0, 0].map(Value::Object));
    art.instance(0x12c0_0100, PAIR, &[node(5), 0].map(Value::Object));
    let dump = by(&art, VmRoots::Ignore);
    let roots: Vec<u64> = dump
        .analysis
        .roots()
        .all()
        .iter()
        .filter(|root| root.kind == RootKind::VmInternal)
        .map(|root| dump.facts.heap.address(root.object).0)
        .collect();
    assert_eq!(roots, [node(3), node(4), node(5), node(6), 0x12c0_0000]);
    assert_eq!(dump.analysis.unreachable.objects, 1);
}

/// Removing any remaining root makes some object unreachable, and no object is missing: neither too many nor too few
/// roots.
#[test]
fn as_many_roots_remain_as_needed() {
    for seed in 0..60 {
        let art = super::parts::random(seed, true);
        let (on, off) = (by(&art, VmRoots::Count), by(&art, VmRoots::Ignore));
        assert_eq!(on.analysis.shown, off.analysis.shown, "seed {seed}");
        let heap = &off.facts.heap;
        let roots: Vec<_> = off.analysis.roots().all().to_vec();
        let reached = |without: Option<ObjectId>| -> BTreeSet<ObjectId> {
            let mut actual = BTreeSet::new();
            let mut next: Vec<ObjectId> = roots.iter().map(|r| r.object).filter(|o| Some(*o) != without).collect();
            while let Some(object) = next.pop() {
                if actual.insert(object) {
                    next.extend(heap.references(object).iter().copied().filter_map(ObjectId::from_raw));
                    next.extend(heap.class(object).object);
                }
            }
            actual
        };
        assert_eq!(reached(None).len() as u64, off.analysis.shown.objects, "seed {seed}");
        let regions = heap.regions().expect("there are heaps");
        for root in roots.iter().filter(|r| r.kind == RootKind::VmInternal) {
            let is_ignored =
                regions.kind(root.object) != RegionKind::App && off.analysis.roots().of(root.object).len() == 1;
            let needed = !reached(Some(root.object)).contains(&root.object);
            assert!(!is_ignored || needed, "seed {seed}: {}", heap.id_text(root.object));
        }
    }
}

/// Counted in one heap, a class has its objects in that heap and their retained size, each byte once.
#[test]
fn classes_of_a_heap_match_a_count_of_its_objects() {
    let task = Task::new();
    for seed in 0..20 {
        let dump = super::open(&super::parts::random(seed, false).write(Writer::Art));
        let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
        let regions = heap.regions().expect("there are heaps");
        let mut all = (0, Bytes(0));
        for name in regions.names() {
            let actual = histogram_in(dump.data(), name, &task).expect("not cancelled");
            all = (all.0 + actual.objects, all.1 + actual.shallow);
            for row in &actual.rows {
                let of_class: Vec<ObjectId> = heap
                    .objects()
                    .filter(|&o| {
                        analysis.is_reachable(o) && heap.class_id(o) == row.class && regions.name(o) == &**name
                    })
                    .collect();
                let topmost = of_class
                    .iter()
                    .filter(|&&o| !of_class.iter().any(|&other| other != o && analysis.dominates(other, o)));
                let sum = |figure: &dyn Fn(ObjectId) -> Bytes| topmost.clone().map(|&o| figure(o)).sum::<Bytes>();
                let about = format!("seed {seed}, {name}, {}", heap.classes.get(row.class).name);
                assert_eq!(row.objects, of_class.len() as u64, "{about}");
                assert_eq!(row.shallow, of_class.iter().map(|&o| heap.shallow(o)).sum(), "{about}");
                assert_eq!(row.retained, sum(&|o| analysis.retained(o)), "{about}");
                for figure in analysis.figures().filter(|figure| *figure != Figure::Native) {
                    let expected = sum(&|o| analysis.figure(heap, o, figure));
                    assert_eq!(actual.figures.get(row.class, figure), expected, "{about}, {}", figure.key());
                }
            }
        }
        let complete = histogram(dump.data());
        assert_eq!(all, (complete.objects, complete.shallow), "seed {seed}");
        assert!(histogram_in(dump.data(), "nowhere", &task).expect("not cancelled").rows.is_empty());
    }
}

/// Native bytes are those of the objects in the heap.
#[test]
fn native_bytes_of_a_heap_are_those_of_its_objects() {
    let dump = super::open(&heaplens_testkit::phone::sample().write(Writer::Art));
    let (heap, task) = (&dump.facts.heap, Task::new());
    let bitmap = heap.classes.named("android.graphics.Bitmap").expect("it exists");
    let native = |name| {
        let actual = histogram_in(dump.data(), name, &task).expect("not cancelled");
        actual.figures.get(bitmap, Figure::Native)
    };
    assert_eq!((native("app"), native("zygote")), (Bytes(12_288), Bytes(0)));
}
