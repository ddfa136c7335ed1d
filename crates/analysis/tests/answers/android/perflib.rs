//! The cases of the tests of perflib, HAHA's engine, on our own heaps.

use heaplens_analysis::references::{Direction, references};
use heaplens_heap::reach::reached;
use heaplens_heap::{ExcludedReferences, RootKind, Strength};
use heaplens_testkit::art::{APP, Art, Class, root};
use heaplens_testkit::sketch::{Type, Value};

use super::graphs::{Drawn, Graph};
use super::*;

/// Immediate dominators of all objects but roots, `-` where there is none.
fn dominators(edges: &str, roots: &[&str], expected: &[(&str, &str)]) {
    let graph = Graph::new(edges).sized();
    let drawn = graph.open(roots, Strength::Strong);
    for &(object, dominator) in expected {
        assert_eq!(drawn.idom(object).as_deref().unwrap_or("-"), dominator, "{edges}: {object}");
    }
}

#[test]
fn dominators_of_small_graphs() {
    let simple = [("2", "1"), ("3", "1"), ("4", "1"), ("6", "1"), ("5", "3")];
    dominators("1->2,3; 2->4,6; 3->4,5; 4->6", &["1"], &simple);
    dominators("1->2,3,4; 2->3; 3->4; 4->2", &["1"], &[("2", "1"), ("3", "1"), ("4", "1")]);
    dominators("1->3; 2->4; 3->5; 4->5; 5->6", &["1", "2"], &[("5", "-"), ("6", "5"), ("3", "1"), ("4", "2")]);
    dominators("1->7,8; 7->2,3; 8->2; 2->4; 3->5; 5->4; 4->6", &["1"], &[("4", "1"), ("6", "4")]);
}

#[test]
fn shortest_paths_pass_a_nearest_referrer() {
    let graph = Graph::new("1->2,3; 2->4,6; 3->4,5; 4->6").sized();
    let drawn = graph.open(&["1"], Strength::Strong);
    let cases: [(&str, &[&str]); 5] = [("2", &["1"]), ("3", &["1"]), ("4", &["2", "3"]), ("5", &["3"]), ("6", &["2"])];
    for (object, before) in cases {
        let got = drawn.before(object).expect("it is reachable");
        assert!(before.contains(&&*got), "{object} by {got}");
    }
    // Neighbours in a cycle refer to each other: each side is nearer to half of it.
    let ring = Graph::new(RING).sized();
    let drawn = ring.open(&["1"], Strength::Strong);
    assert!(["5", "7"].contains(&&*drawn.before("6").expect("it is reachable")));
}

/// 1 refers to 2, which is in a cycle of eight objects that refer to both neighbours.
const RING: &str = "1->2; 2->3,9; 3->4,2; 4->5,3; 5->6,4; 6->7,5; 7->8,6; 8->9,7; 9->2,8";

#[test]
fn retained_sizes_of_small_graphs() {
    let cases: [(&str, &[(&str, u64)]); 4] = [
        (RING, &[("1", 45), ("2", 44), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("8", 8), ("9", 9)]),
        ("1->3,2; 3->2", &[("1", 6), ("2", 2), ("3", 3)]),
        ("1->7,8; 7->2,3; 8->2; 2->4; 3->5; 5->4; 4->6", &[("1", 36), ("2", 2), ("3", 8)]),
        ("1->2,3; 2->4,6; 3->4,5; 4->6", &[("1", 21), ("3", 8)]),
    ];
    for (edges, expected) in cases {
        let graph = Graph::new(edges).sized();
        let drawn = graph.open(&["1"], Strength::Strong);
        for &(object, bytes) in expected {
            assert_eq!(drawn.retained(object), bytes, "{edges}: {object}");
        }
    }
}

/// Size in bytes of all objects reachable from an object, itself included.
fn composite(dump: &Dump, object: ObjectId) -> u64 {
    let heap = &dump.facts.heap;
    let all = reached(heap, &[object.raw()], Strength::Strong, &ExcludedReferences::default(), &Task::new())
        .expect("reachable");
    all.iter().filter_map(ObjectId::from_raw).map(|object| heap.shallow(object).0).sum()
}

#[test]
fn reachable_objects_of_an_object() {
    for (edges, expected) in [("1->2,3; 2->4; 3->4", &[10, 6, 7, 4][..]), ("1->2; 2->3; 3->1", &[6, 6, 6])] {
        let graph = Graph::new(edges).sized();
        let drawn = graph.open(&["1"], Strength::Strong);
        for (name, &bytes) in ["1", "2", "3", "4"].into_iter().zip(expected) {
            assert_eq!(composite(&drawn.dump, drawn.object(name)), bytes, "{edges}: {name}");
        }
    }
}

#[test]
fn statics_and_arrays_hold_what_they_refer_to() {
    let mut art = Art::default();
    art.heap(APP, "app");
    art.root(root::STICKY_CLASS, 0x300, 0);
    art.class(Class { id: 0x100, name: "java.lang.Object", ..Class::default() });
    // A class object is as big as its statics and an object of this class.
    art.class(Class { id: 0x200, name: "java.lang.Class", superclass: 0x100, bytes: 2, ..Class::default() });
    let statics = [("one", Value::Object(0x1000)), ("two", Value::Object(0x1100))];
    art.class(Class { id: 0x300, name: "dalvik.Root", superclass: 0x100, statics: &statics, ..Class::default() });
    art.class(Class { id: 0x400, name: "dalvik.Node", superclass: 0x100, bytes: 20, ..Class::default() });
    art.class(Class { id: 0x500, name: "java.lang.Object[]", superclass: 0x100, ..Class::default() });
    for class in [0x400, 0x500] {
        art.root(root::STICKY_CLASS, class, 0);
    }
    art.instance(0x1000, 0x400, &[]);
    art.instance(0x1100, 0x400, &[]);
    art.instance(0x1200, 0x400, &[]);
    art.objects(0x1300, 0x500, &[0x1200, 0x1200, 0x1200]);
    art.root(root::JNI_GLOBAL, 0x1300, 0);
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::File;
    let dump = open_bytes(art.write(Writer::Art), &options);
    let retained = |id| dump.analysis.retained(object(&dump, id)).0;
    assert_eq!((retained(0x300), retained(0x1300)), (50, 32));
}

/// If a strong and a soft reference lead to one object, both are listed, and the strong one counts.
#[test]
fn soft_references() {
    let edges = "1->2,3; 2-soft->4; 3->4; 3->5; 5-soft->6; 6->7";
    let graph = Graph::new(edges);
    let check = |drawn: &Drawn<'_>, object: &str| -> (Vec<&'static str>, Option<u32>, Option<Strength>) {
        let analysis = &drawn.dump.analysis;
        let (of, task) = (drawn.object(object), Task::new());
        let actual = references(drawn.dump.data(), of, Direction::Incoming, 10, &task).expect("references");
        let mut held: Vec<&str> = actual.rows.iter().map(|row| row.name.strength.name()).collect();
        held.sort_unstable();
        (held, analysis.distance(of), analysis.strength(of))
    };
    let strong = graph.open(&["1"], Strength::Strong);
    assert_eq!(check(&strong, "4"), (vec!["soft", "strong"], Some(2), Some(Strength::Strong)));
    assert_eq!(check(&strong, "6"), (vec!["soft"], None, None));
    assert!(!strong.dump.analysis.is_reachable(strong.object("7")));
    let soft = graph.open(&["1"], Strength::Soft);
    assert_eq!(check(&soft, "6"), (vec!["soft"], Some(3), Some(Strength::Soft)));
    assert_eq!(check(&soft, "7").2, Some(Strength::Soft));
}

#[test]
fn classes_of_one_name_are_kept_apart() {
    let mut art = Art::default();
    art.heap(APP, "app");
    art.class(Class { id: 0x100, name: "java.lang.Object", ..Class::default() });
    art.class(Class { id: 0x200, name: "dalvik.Loader", superclass: 0x100, ..Class::default() });
    for loader in [0x1000, 0x1100] {
        art.instance(loader, 0x200, &[]);
        let twin = Class { id: loader + 0x1000, name: "dalvik.Twin", superclass: 0x100, loader, ..Class::default() };
        art.class(twin);
        art.root(root::STICKY_CLASS, twin.id, 0);
    }
    let dump = open(&art.write(Writer::Art));
    let heap = &dump.facts.heap;
    let twins: Vec<_> = heap.classes.iter().filter(|(_, class)| &*class.name == "dalvik.Twin").collect();
    let loaders: Vec<_> = twins.iter().map(|(_, class)| class.loader).collect();
    assert_eq!(loaders, [0x1000, 0x1100].map(|id| Some(object(&dump, id))));
    for (class, _) in twins {
        assert_eq!(dump.analysis.class_retained(class), Bytes(0));
    }
}

/// An object that a thread and native code hold is below neither.
#[test]
fn objects_held_by_two_kinds_of_roots_have_no_dominator() {
    let mut art = Art::default();
    art.heap(APP, "app");
    art.root(root::THREAD, 0x1000, 1);
    art.root(root::JAVA_FRAME, 0x1100, 1);
    art.root(root::JNI_GLOBAL, 0x1100, 0);
    art.class(Class { id: 0x100, name: "java.lang.Object", bytes: 8, ..Class::default() });
    let name = [("name", Type::Object)];
    art.class(Class {
        id: 0x200,
        name: "java.lang.Thread",
        superclass: 0x100,
        bytes: 8,
        fields: &name,
        ..Class::default()
    });
    art.class(Class { id: 0x300, name: "dalvik.Held", superclass: 0x100, bytes: 8, ..Class::default() });
    art.instance(0x1000, 0x200, &[Value::Object(0)]);
    art.instance(0x1100, 0x300, &[]);
    let dump = open(&art.write(Writer::Art));
    let held = object(&dump, 0x1100);
    assert_eq!(dump.analysis.immediate_dominator(held), None);
    let kinds: Vec<RootKind> = dump.analysis.roots().of(held).iter().map(|root| root.kind).collect();
    assert_eq!(kinds, [RootKind::JniGlobal]);
}
