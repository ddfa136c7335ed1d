//! Parts of retained sizes, compared with a search without the object.

use std::collections::BTreeSet;

use heaplens_base::Bytes;
use heaplens_dump::Dump;
use heaplens_heap::parts::Part;
use heaplens_heap::{ObjectId, RegionKind};
use heaplens_testkit::art::{APP, Art, Class, IMAGE, Writer, ZYGOTE, root};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Id, Type, Value};

const OBJECT: Id = 0x7000_0000;
const NODE: Id = 0x7000_0100;
const NUMBERS: Id = 0x7000_0200;

/// Objects that refer to others at random, in random heaps; some also to an array of numbers. Of some the virtual
/// machine may say that they are roots.
pub(super) fn random(seed: u64, has_vm_roots: bool) -> Art {
    let mut random = Random::new(seed);
    let mut art = Art::default();
    let count = 2 + random.below(40);
    let id = |n: u32| 0x1000_0000 + Id::from(n) * 0x100;
    for _ in 0..=random.below(3) {
        art.root(root::JNI_GLOBAL, id(random.below(count)), 0);
    }
    for n in (0..count).filter(|_| has_vm_roots) {
        if random.below(2) == 0 {
            art.root(root::VM_INTERNAL, id(n), 0);
        }
    }
    art.heap(IMAGE, "image");
    art.class(Class { id: OBJECT, name: "java.lang.Object", bytes: 8, ..Class::default() });
    let fields = [("a", Type::Object), ("b", Type::Object), ("c", Type::Object)];
    art.class(Class {
        id: NODE,
        name: "dalvik.Node",
        superclass: OBJECT,
        bytes: 24,
        fields: &fields,
        ..Class::default()
    });
    art.class(Class { id: NUMBERS, name: "int[]", superclass: OBJECT, ..Class::default() });
    for n in 0..count {
        match random.below(4) {
            0 => art.heap(ZYGOTE, "zygote"),
            1 => art.heap(IMAGE, "image"),
            2 => art.heap(77, "somewhere"),
            _ => art.heap(APP, "app"),
        }
        let mut target = || if random.below(3) == 0 { 0 } else { id(random.below(count)) };
        let (a, b) = (target(), target());
        let c = if a == 0 { id(n) + 0x40 } else { 0 };
        art.instance(id(n), NODE, &[a, b, c].map(Value::Object));
        if c != 0 {
            art.numbers(c, Type::Int, (0..n as i32).map(Value::Int).collect());
        }
    }
    art
}

/// Objects reached if `without` is removed.
fn reached(dump: &Dump, without: Option<ObjectId>) -> BTreeSet<ObjectId> {
    let heap = &dump.facts.heap;
    let mut actual = BTreeSet::new();
    let mut next: Vec<ObjectId> = heap.roots.objects().iter().copied().filter_map(ObjectId::from_raw).collect();
    while let Some(object) = next.pop() {
        if Some(object) != without && actual.insert(object) {
            next.extend(heap.references(object).iter().copied().filter_map(ObjectId::from_raw));
            next.extend(heap.class(object).object);
        }
    }
    actual
}

#[test]
fn parts_of_retained_sizes_match_a_search_without_the_object() {
    for seed in 0..150 {
        let dump = super::open(&random(seed, false).write(Writer::Art));
        let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
        let regions = heap.regions().expect("there are heaps");
        let all = reached(&dump, None);
        let bytes = |objects: &mut dyn Iterator<Item = &ObjectId>, kind| -> Bytes {
            objects.filter(|object| regions.kind(**object) == kind).map(|object| heap.shallow(*object)).sum()
        };
        for object in heap.objects() {
            let left = reached(&dump, Some(object));
            for kind in RegionKind::ALL {
                let expected = if all.contains(&object) { bytes(&mut all.difference(&left), kind) } else { Bytes(0) };
                let got = analysis.retained_part(object, Part::Region(kind));
                assert_eq!(got, expected, "seed {seed}, {} in {}", heap.id_text(object), kind.name());
            }
        }
        for (class, _) in heap.classes.iter() {
            let parts = RegionKind::ALL.map(|kind| analysis.class_retained_part(class, Part::Region(kind)));
            assert_eq!(parts.into_iter().sum::<Bytes>(), analysis.class_retained(class), "seed {seed}");
        }
        let totals = analysis.region_totals().iter().map(|region| region.shown.shallow);
        assert_eq!(totals.sum::<Bytes>(), analysis.shown.shallow, "seed {seed}");
    }
}
