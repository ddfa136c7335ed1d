//! The cases of Perfetto's tests of heap graphs, restated: the same types, objects and roots, and the numbers that its
//! trace processor gives for them.

use heaplens_dump::Dump;
use heaplens_heap::Value;
use heaplens_testkit::perfetto::{self, Form, Graph, Object, Type, heap, kind, natives, packet, root};
use heaplens_testkit::sketch::Id;

use super::{at, graph, open_recorded, type_name, warnings};

/// As a text format with one field per number writes it.
const PLAIN: Form = Form { deltas: false, based: false, packed: false, typed: false, packet: usize::MAX };
/// The same, packed.
const PACKED: Form = Form { packed: true, ..PLAIN };

/// Row of a table of objects: size, reachable, heap, type, kinds of roots.
type Row = (u64, bool, Option<&'static str>, &'static str, &'static str);

fn rows(dump: &Dump) -> Vec<(u64, bool, Option<String>, String, String)> {
    let heap = &dump.facts.heap;
    let row = |object| {
        let kinds: Vec<&str> = heap.roots.of(object).iter().map(|root| root.kind.key()).collect();
        let region = heap.region_name(object).map(str::to_owned);
        let reachable = dump.analysis.is_reachable(object);
        (heap.shallow(object).0, reachable, region, type_name(dump, object), kinds.join(" "))
    };
    heap.objects().map(row).collect()
}

fn expect(dump: &Dump, rows_of: &[Row]) {
    let expected: Vec<_> = rows_of
        .iter()
        .map(|&(size, reachable, heap, name, root)| {
            (size, reachable, heap.map(str::to_owned), name.to_owned(), root.to_owned())
        })
        .collect();
    assert_eq!(rows(dump), expected);
}

/// References in fields: from, field with its class, to; nulls included.
fn references(dump: &Dump) -> Vec<(Id, String, Id)> {
    let heap = &dump.facts.heap;
    let of = |object| {
        let fields = dump.facts.contents.fields(heap, object).expect("a record");
        fields.into_iter().map(move |field| {
            let to = field.value.object().map_or(0, |to| heap.address(to).0);
            (heap.address(object).0, format!("{}.{}", field.declared_by, field.name), to)
        })
    };
    heap.objects().flat_map(of).collect()
}

const ACTOR: &str = "FactoryProducerDelegateImplActor";

/// Six objects, of which four have no way from a root: fields with their objects, sizes too.
fn actors(graph: &mut Graph<'_>, location: u64, second: (u64, &str)) -> std::io::Result<()> {
    graph.roots(root::JAVA_FRAME, &[1, 5])?;
    let object = |id, of, size| Object { id, of, size, ..Object::default() };
    graph.object(&Object { fields: &[1, 4, 3], references: &[2, 0, 2], ..object(1, 1, 64) })?;
    graph.object(&object(2, 2, 32))?;
    graph.object(&object(3, 2, 128))?;
    graph.object(&Object { fields: &[2], references: &[1], ..object(4, 3, 1024) })?;
    graph.object(&object(5, 4, 256))?;
    graph.object(&object(6, 5, 256))?;
    graph.split()?;
    let names = [ACTOR, second.1, "a", "a[]", "java.lang.Class<a[]>"];
    for (id, name) in (1..).zip(names) {
        let location = if id == 2 { second.0 } else { location };
        graph.type_of(&Type { id, name, location, ..Type::default() })?;
    }
    for (id, name) in (1..).zip([format!("{ACTOR}.foo"), "int a.a".into(), "a.b".into(), format!("{ACTOR}.setToNULL")])
    {
        graph.field_name(id, &name)?;
    }
    Ok(())
}

const MAPPED_A: perfetto::MappedClass<'_> =
    ("a", "DeobfuscatedA", &[("a", "deobfuscatedA"), ("b", "Other.deobfuscatedA")], None);

fn expect_actors(bytes: &[u8]) {
    let dump = open_recorded(bytes);
    expect(
        &dump,
        &[
            (64, true, None, ACTOR, "Java Local"),
            (32, true, None, "Foo", ""),
            (128, false, None, "Foo", ""),
            (1024, false, None, "DeobfuscatedA", ""),
            (256, true, None, "DeobfuscatedA[]", "Java Local"),
            (256, false, None, "java.lang.Class<DeobfuscatedA[]>", ""),
        ],
    );
    let expected = [
        (1, format!("{ACTOR}.foo"), 2),
        (1, format!("{ACTOR}.setToNULL"), 0),
        (1, "Other.deobfuscatedA".to_owned(), 2),
        (4, "DeobfuscatedA.deobfuscatedA".to_owned(), 1),
    ];
    assert_eq!(references(&dump), expected);
    assert_eq!(warnings(&dump), []);
}

#[test]
fn objects_with_fields_of_their_own() {
    for form in [PLAIN, PACKED, Form { deltas: true, based: true, ..PACKED }] {
        // The file of no package, and no file: any mapping applies.
        for location in [1, 0] {
            let mut bytes = perfetto::processes(&[(1, "init", 0), (2, "system_server", 1000)]);
            bytes.extend(graph(form, |graph| {
                actors(graph, location, (location, "Foo"))?;
                graph.location(1, "base.apk!classes.dex")
            }));
            bytes.extend(perfetto::mapping("invalid.test.android", &[MAPPED_A]));
            expect_actors(&bytes);
        }
    }
}

#[test]
fn a_mapping_of_the_package_of_the_process() {
    let mut bytes = perfetto::processes(&[(2, "<ignored>", 10_001)]);
    bytes.extend(perfetto::packages(&[("com.other", 10_000), ("com.google.android.gm", 10_001)]));
    bytes.extend(graph(PLAIN, |graph| {
        actors(graph, 1, (1, "Foo"))?;
        graph.location(1, "base.apk!classes.dex")
    }));
    let mapping = |package| perfetto::mapping(package, &[MAPPED_A]);
    expect_actors(&[bytes.clone(), mapping("com.google.android.gm")].concat());
    // A mapping of another package applies to fields, as Perfetto has it, but not to classes.
    let dump = open_recorded(&[bytes, mapping("com.other")].concat());
    assert_eq!(type_name(&dump, at(&dump, 4)), "a");
}

#[test]
fn classes_of_one_name_in_two_packages() {
    let mut bytes = graph(PLAIN, |graph| {
        actors(graph, 1, (2, "a"))?;
        graph.location(1, "/data/app/~~ASDFG==/invalid.test.android-SDASD/test.apk")?;
        graph.location(2, "/data/app/~~ASDFG==/invalid.test2.android-SDASD/test.apk")
    });
    bytes.extend(perfetto::mapping("invalid.test.android", &[MAPPED_A]));
    bytes.extend(perfetto::mapping("invalid.test2.android", &[("a", "Foo", &[], None)]));
    expect_actors(&bytes);
}

#[test]
fn fields_and_sizes_of_types_and_of_their_superclasses() {
    let mut bytes = graph(Form { deltas: true, ..PLAIN }, |graph| {
        graph.roots(root::JAVA_FRAME, &[1, 5])?;
        let object = |id, of, size| Object { id, of, size, ..Object::default() };
        graph.object(&Object { references: &[2, 0, 2], heap: heap::APP, ..object(1, 1, 0) })?;
        graph.object(&object(2, 2, 32))?;
        graph.object(&object(3, 2, 0))?;
        graph.object(&Object { fields: &[2], references: &[1], ..object(4, 3, 0) })?;
        graph.object(&object(5, 4, 256))?;
        graph.object(&object(6, 5, 256))?;
        graph.object(&Object { heap: heap::ZYGOTE, ..object(7, 8, 256) })?;
        graph.split()?;
        graph.location(1, "/data/app/~~ASDFG==/invalid.test.android-SDASD/test.apk")?;
        let of = |id, name, object_size, superclass, fields| Type {
            id,
            name,
            object_size,
            superclass,
            fields,
            location: 1,
            ..Type::default()
        };
        graph.type_of(&of(6, "EmptySuper", 64, 7, &[]))?;
        graph.type_of(&of(7, "SuperSuper", 64, 0, &[3]))?;
        graph.type_of(&of(1, ACTOR, 64, 6, &[1, 4]))?;
        graph.type_of(&of(2, "Foo", 128, 0, &[]))?;
        graph.type_of(&of(3, "a", 1024, 0, &[]))?;
        graph.type_of(&of(4, "a[]", 0, 0, &[]))?;
        graph.type_of(&of(5, "java.lang.Class<a[]>", 0, 0, &[]))?;
        graph.type_of(&Type { id: 8, name: "android.os.Parcel", ..Type::default() })?;
        for (id, name) in
            (1..).zip([format!("{ACTOR}.foo"), "int a.a".into(), "a.b".into(), format!("{ACTOR}.setToNULL")])
        {
            graph.field_name(id, &name)?;
        }
        Ok(())
    });
    bytes.extend(perfetto::mapping("invalid.test.android", &[MAPPED_A]));
    let dump = open_recorded(&bytes);
    let app = Some("app");
    expect(
        &dump,
        &[
            (64, true, app, ACTOR, "Java Local"),
            (32, true, app, "Foo", ""),
            (128, false, app, "Foo", ""),
            (1024, false, app, "DeobfuscatedA", ""),
            (256, true, app, "DeobfuscatedA[]", "Java Local"),
            (256, false, app, "java.lang.Class<DeobfuscatedA[]>", ""),
            (256, true, Some("zygote"), "android.os.Parcel", "VM Internal"),
        ],
    );
    assert_eq!(references(&dump)[2], (1, "Other.deobfuscatedA".to_owned(), 2));
    // By class: count and size of what the roots hold, with what is below.
    let held = |id| dump.analysis.retained(at(&dump, id)).0;
    assert_eq!([held(1), held(2), held(5), held(7)], [96, 32, 256, 256]);
}

#[test]
fn superclasses_from_class_objects() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        let object = |id, of, size| Object { id, of, size, ..Object::default() };
        graph.object(&object(1, 1, 40))?;
        graph.object(&Object { fields: &[1], references: &[1], ..object(2, 2, 40) })?;
        graph.object(&Object { fields: &[1], references: &[2], ..object(3, 3, 40) })?;
        for id in 4..7 {
            graph.object(&object(id, id, 128))?;
        }
        let names = ["java.lang.Object", "MySuperClass", "MyChildClass"];
        for (id, name) in (1..).zip(names) {
            let location = if id == 3 { 2 } else { 1 };
            let of_class = format!("java.lang.Class<{name}>");
            graph.type_of(&Type { id, name: &of_class, location, ..Type::default() })?;
            graph.type_of(&Type { id: id + 3, name, location, ..Type::default() })?;
        }
        graph.field_name(1, "java.lang.Class.superClass")?;
        graph.location(1, "l1")?;
        graph.location(2, "l2")
    }));
    let heap = &dump.facts.heap;
    let above = |name: &str| {
        let class = heap.classes.named(name).expect("a class");
        heap.classes.get(class).superclass.map(|above| heap.classes.get(above).name.to_string())
    };
    assert_eq!(above("MyChildClass").as_deref(), Some("MySuperClass"));
    assert_eq!(above("MySuperClass").as_deref(), Some("java.lang.Object"));
    assert_eq!(above("java.lang.Object"), None);
    assert_eq!(above("java.lang.Class<MyChildClass>"), None);
    let [(_, 1, message, None)] = &warnings(&dump)[..] else { panic!("{:?}", warnings(&dump)) };
    assert!(message.starts_with("no GC roots"), "{message}");
}

#[test]
fn native_sizes_of_registered_objects() {
    for form in [PLAIN, Form { typed: true, ..Form::MODERN }] {
        let dump = open_recorded(&natives::sample(form));
        let heap = &dump.facts.heap;
        let native: Vec<(u64, u64)> =
            heap.native_bytes().objects().map(|(object, bytes)| (heap.address(object).0, bytes.0)).collect();
        assert_eq!(native, [(1, 123_456)]);
        assert_eq!(heap.shallow(at(&dump, 1)).0, 46);
        // The referent of a phantom reference is no strong reference.
        let referent = dump.facts.contents.reference_names(heap, at(&dump, 6), at(&dump, 1), 9);
        assert_eq!((referent.len(), &*referent[0].text, referent[0].strength.name()), (1, "referent", "phantom"));
        assert_eq!(warnings(&dump), []);
    }
}

#[test]
fn sums_above_four_gigabytes() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        graph.type_of(&Type {
            id: 55,
            name: "BigStuff",
            object_size: 1_000_000_000,
            kind: kind::NORMAL,
            ..Type::default()
        })?;
        graph.type_of(&Type {
            id: 56,
            name: "Container",
            object_size: 36,
            fields: &[601, 602, 603],
            ..Type::default()
        })?;
        for id in 1..4 {
            graph.object(&Object { id, of: 55, ..Object::default() })?;
        }
        graph.object(&Object { id: 4, of: 56, references: &[1, 2, 3], ..Object::default() })?;
        graph.roots(root::JAVA_FRAME, &[4])?;
        for id in 1..4 {
            graph.field_name(600 + id, &format!("BigStuff Container.obj{id}"))?;
        }
        Ok(())
    }));
    assert_eq!(dump.analysis.retained(at(&dump, 4)).0, 3_000_000_036);
}

#[test]
fn a_branching_heap() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        graph.roots(root::JAVA_FRAME, &[1])?;
        let links: [&[Id]; 5] = [&[2, 4], &[3], &[], &[5], &[]];
        for (id, references) in (1..).zip(links) {
            let fields = &[1, 1][..references.len()];
            graph.object(&Object { id, of: id, size: 50 << id, references, fields, ..Object::default() })?;
        }
        graph.split()?;
        for (id, name) in (1..).zip(["RootNode", "LeftChild0", "LeftChild1", "RightChild0", "RightChild1"]) {
            graph.type_of(&Type { id, name, ..Type::default() })?;
        }
        graph.field_name(1, "Node.next")
    }));
    let held = [1, 2, 3, 4, 5].map(|id| dump.analysis.retained(at(&dump, id)).0);
    assert_eq!(held, [3100, 600, 400, 2400, 1600]);
}

#[test]
fn objects_held_by_the_runtime() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        graph.type_of(&Type { id: 3, name: "java.lang.Object", ..Type::default() })?;
        graph.type_of(&Type { id: 4, name: "java.lang.DexCache", superclass: 3, ..Type::default() })?;
        graph.roots(root::JAVA_FRAME, &[5])?;
        graph.object(&Object { id: 5, of: 4, size: 64, internal: &[6], ..Object::default() })?;
        graph.object(&Object { id: 6, of: 3, size: 32, ..Object::default() })
    }));
    assert_eq!(dump.analysis.retained(at(&dump, 5)).0, 96);
    let names = dump.facts.contents.reference_names(&dump.facts.heap, at(&dump, 5), at(&dump, 6), 9);
    assert_eq!((names.len(), &*names[0].text), (1, "<runtime internal>"));
}

#[test]
fn fields_of_bitmaps() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        graph.type_of(&Type { id: 1, name: "android.graphics.Bitmap", ..Type::default() })?;
        let values = &[(11, 123), (12, 456), (13, 100), (14, 200)];
        graph.object(&Object { id: 1, of: 1, size: 64, values, ..Object::default() })
    }));
    let mut fields = dump.facts.contents.fields(&dump.facts.heap, at(&dump, 1)).expect("a record");
    fields.sort_by(|a, b| a.name.cmp(&b.name));
    let fields: Vec<_> = fields.iter().map(|field| (&*field.name, field.type_name, field.value)).collect();
    let expected = [
        ("mHeight", "int", Value::Int(200)),
        ("mId", "long", Value::Long(123)),
        ("mSourceId", "long", Value::Long(456)),
        ("mWidth", "int", Value::Int(100)),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn a_root_named_twice_counts_once() {
    let dump = open_recorded(&graph(PLAIN, |graph| {
        graph.type_of(&Type { id: 1, name: ACTOR, location: 1, ..Type::default() })?;
        graph.roots(root::JAVA_FRAME, &[1, 1])?;
        graph.object(&Object { id: 1, of: 1, size: 64, ..Object::default() })
    }));
    expect(&dump, &[(64, true, None, ACTOR, "Java Local")]);
}

/// Graphs of two writers may alternate.
#[test]
fn packets_of_two_processes_alternate() {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut of = Graph::new(&mut first, PLAIN, (2, 999, 10));
    // Its first packet has the index 1, as if one had been lost.
    of.lose_packet();
    of.roots(root::JAVA_FRAME, &[1]).expect("memory");
    of.object(&Object { id: 1, of: 1, size: 64, fields: &[1], references: &[2], ..Object::default() }).expect("memory");
    of.object(&Object { id: 2, of: 2, size: 32, ..Object::default() }).expect("memory");
    of.split().expect("memory");
    let mut other = Graph::new(&mut second, PLAIN, (3, 1, 10));
    other.roots(root::JAVA_FRAME, &[1]).expect("memory");
    other.object(&Object { id: 1, of: 1, size: 16, ..Object::default() }).expect("memory");
    other.type_of(&Type { id: 1, name: "Other", ..Type::default() }).expect("memory");
    other.end().expect("memory");
    let types = packet(|out| {
        out.number(10, 999).message(56, |graph| {
            for (id, name) in [(1, ACTOR), (2, "Foo")] {
                graph.message(9, |of| {
                    of.number(1, id).bytes(3, name.as_bytes());
                });
            }
            graph.number(1, 2).number(6, 1);
        });
    });
    let dump = open_recorded(&[first, second, types].concat());
    expect(&dump, &[(64, true, None, ACTOR, "Java Local"), (32, true, None, "Foo", "")]);
    let warnings = warnings(&dump);
    assert!(warnings.iter().any(|(_, count, message, _)| *count == 2 && message.contains("packets")), "{warnings:?}");
}
