//! Heaps of ART in heap graphs, and the fixture that other tests read.

use heaplens_dump::OpenOptions;
use heaplens_heap::{Rules, Strength, VmRoots};
use heaplens_testkit::fixtures;
use heaplens_testkit::perfetto::{Form, Object, Type, heap, kind, root, shop};

use super::{at, graph, try_bytes};

#[test]
fn heaps_divide_sizes_and_their_roots_may_be_ignored() {
    let bytes = graph(Form { deltas: true, ..Form::MODERN }, |graph| {
        graph.type_of(&Type { id: 1, name: "shop.Cart", fields: &[3], kind: kind::NORMAL, ..Type::default() })?;
        graph.roots(root::JNI_GLOBAL, &[20])?;
        let object = |id, heap| Object { id, of: 1, size: 16, heap, ..Object::default() };
        graph.object(&Object { references: &[12], ..object(10, heap::IMAGE) })?;
        graph.object(&object(12, 0))?;
        graph.object(&object(14, heap::ZYGOTE))?;
        graph.split()?;
        // The heap of the packet before goes on.
        graph.object(&object(16, 0))?;
        graph.object(&Object { references: &[14], ..object(20, heap::APP) })?;
        graph.object(&object(22, 0))?;
        graph.field_name(3, "shop.Cart shop.Cart.next")
    });
    let dump = try_bytes(&bytes, &OpenOptions::default()).expect("a heap");
    let heap = &dump.facts.heap;
    let regions: Vec<&str> = heap.objects().filter_map(|object| heap.region_name(object)).collect();
    assert_eq!(regions, ["image", "image", "zygote", "zygote", "app", "app"]);
    assert_eq!((heap.roots.objects().len(), dump.analysis.retained(at(&dump, 20)).0), (5, 16));
    let rules = Rules { vm_roots: VmRoots::Ignore, ..Rules::default() };
    let dump = try_bytes(&bytes, &OpenOptions { rules, ..OpenOptions::default() }).expect("a heap");
    assert_eq!(dump.analysis.retained(at(&dump, 20)).0, 32);
    assert_eq!(dump.analysis.retained(at(&dump, 10)).0, 32);
}

/// The fixture used by other tests is exactly this generated trace.
#[test]
fn the_fixture_is_the_sample() {
    let path = fixtures::path("android/shop.pftrace");
    let bytes = shop::sample();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &bytes).expect("the fixture can be written");
    }
    assert!(std::fs::read(&path).expect("the fixture") == bytes, "UPDATE_GOLDEN=1 writes it anew");
    let dump = try_bytes(&bytes, &OpenOptions::default()).expect("a heap");
    let heap = &dump.facts.heap;
    // The static holds all, and a weak reference nothing.
    let class = heap.classes.of_object(at(&dump, shop::at::SESSIONS_CLASS)).expect("a class");
    assert_eq!(&*heap.classes.get(class).name, "com.example.shop.Sessions");
    let activity = at(&dump, shop::at::ACTIVITY);
    let holders = |strength| {
        let names = dump.facts.contents.reference_names(heap, at(&dump, shop::at::WEAK), activity, 9);
        names.into_iter().filter(|name| name.strength == strength).count()
    };
    assert_eq!((holders(Strength::Weak), holders(Strength::Strong)), (1, 0));
    assert_eq!(heap.origin.taken_at_millis, Some(1_790_000_003_250));
    assert_eq!(heap.native(at(&dump, shop::at::BITMAP)).0, 640 * 480 * 4);
    assert_eq!(dump.facts.contents.array_length(heap, at(&dump, shop::at::ITEMS)), Some(120));
    assert_eq!(dump.facts.contents.array_length(heap, at(&dump, 0x20_0010)), Some(4_000));
}
