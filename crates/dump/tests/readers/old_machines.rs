//! `--sizes auto` on dumps of old and of other virtual machines: objects are laid out in a made dump as those machines
//! do, so their true sizes are known.

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{NoteTopic, SizeModel};
use heaplens_testkit::hprof::{Form, Order, Segmentation, write};
use heaplens_testkit::sketch::{AddressAllocator, Body, Class, Object, RootRecord, Sketch, Type, Value};

/// Form of JDK 5 and 6.
const OLD: Form = Form { version: "1.0.1", id_bytes: 4, cut: Segmentation::Whole, order: Order::RootsLast };

/// A class, its own fields, the true size of its instances in bytes, and their number.
type TrueClass = (&'static str, &'static str, &'static [(&'static str, Type)], u64, u64);

/// Classes with true sizes of a 32-bit machine: a header of 8 bytes, and the fields of each class after those of its
/// superclass, rounded up to 4 bytes.
const CLASSES: [TrueClass; 12] = [
    ("java.lang.Object", "", &[], 8, 20),
    ("java.lang.Thread", "java.lang.Object", &[("parkBlocker", Type::Object)], 16, 0),
    ("app.Pair", "java.lang.Object", &[("left", Type::Object), ("right", Type::Object)], 16, 30),
    ("app.Entry", "app.Pair", &[("next", Type::Object), ("hash", Type::Int)], 24, 30),
    ("app.Wide", "java.lang.Object", &[("time", Type::Long), ("count", Type::Int)], 24, 30),
    ("app.WideBelow", "app.Wide", &[("more", Type::Long)], 32, 12),
    ("app.Flag", "java.lang.Object", &[("on", Type::Boolean)], 16, 10),
    ("ClassA", "java.lang.Object", &[("field1", Type::Byte)], 16, 1),
    ("ClassB", "ClassA", &[("field2", Type::Byte)], 16, 1),
    // One object that no other follows: the layout of the machine decides.
    ("ClassC", "ClassB", &[("field3", Type::Byte)], 24, 1),
    (
        "java.lang.Class",
        "java.lang.Object",
        &[("cachedConstructor", Type::Object), ("genericInfo", Type::Object)],
        0,
        0,
    ),
    ("int[]", "java.lang.Object", &[], 0, 0),
];

/// Dump of these classes, with `gap` bytes after each array; `rename` changes names of classes.
fn dump_of(classes: &[TrueClass], gap: u64, rename: impl Fn(&str) -> String) -> Vec<u8> {
    let mut indexes = AddressAllocator::new(0x1000, 8);
    let mut sketch = Sketch::default();
    let id_of = |sketch: &Sketch, name: &str| sketch.class_named(name).map_or(0, |class| class.id);
    for (name, superclass, fields, ..) in classes {
        let fields = fields.iter().map(|&(field, kind)| (field.to_owned(), kind)).collect();
        let superclass = id_of(&sketch, &rename(superclass));
        let id = indexes.take(96);
        sketch.classes.push(Class { id, name: rename(name), superclass, fields, ..Class::default() });
    }
    for (name, _, _, size, count) in classes {
        let class = id_of(&sketch, &rename(name));
        for nth in 0..*count {
            let id = indexes.take(*size);
            let fields =
                sketch.line_of(class).iter().flat_map(|class| &class.fields).map(|&(_, kind)| zero(kind)).collect();
            sketch.objects.push(Object { id, body: Body::Instance { class, fields } });
            sketch.roots.push((id, RootRecord::Unknown));
            // Only where there are many is another object adjacent.
            if *count == 1 {
                indexes.take(512 + nth);
            }
        }
    }
    for length in 0..40 {
        // A header, the length, and the elements.
        let id = indexes.take(12 + 4 * length + gap);
        let elements = vec![Value::Int(7); length as usize];
        sketch.objects.push(Object { id, body: Body::Primitives { kind: Type::Int, elements } });
        sketch.roots.push((id, RootRecord::Unknown));
    }
    write(&sketch, OLD)
}

fn zero(kind: Type) -> Value {
    match kind {
        Type::Object => Value::Object(0),
        Type::Boolean => Value::Boolean(false),
        Type::Char => Value::Char(0),
        Type::Float => Value::Float(0.0),
        Type::Double => Value::Double(0.0),
        Type::Byte => Value::Byte(0),
        Type::Short => Value::Short(0),
        Type::Int => Value::Int(0),
        Type::Long => Value::Long(0),
    }
}

fn open(bytes: &[u8], sizes: SizeModel) -> Dump {
    let mut options = OpenOptions::default();
    options.read.sizes = sizes;
    crate::open_bytes(bytes, &options)
}

/// Size of an instance of a class, in bytes.
fn size(dump: &Dump, name: &str) -> u64 {
    let heap = &dump.facts.heap;
    let instance = heap.objects().find(|&object| &*heap.class(object).name == name).unwrap_or_else(|| panic!("{name}"));
    heap.shallow(instance).0
}

fn note(dump: &Dump, topic: NoteTopic) -> Option<String> {
    dump.facts.heap.notes.iter().find(|note| note.topic == topic).map(|note| note.message.clone())
}

#[test]
fn all_classes_of_an_old_machine_have_their_true_sizes() {
    let dump = open(&dump_of(&CLASSES, 0, str::to_owned), SizeModel::Auto);
    for (name, _, _, expected, count) in CLASSES {
        if count > 0 {
            assert_eq!(size(&dump, name), expected, "{name}");
        }
    }
    let layout = note(&dump, NoteTopic::MeasuredLayout).expect("the layout was measured");
    assert!(layout.contains("32-bit headers"), "{layout}");
    let origins = note(&dump, NoteTopic::SizeOrigins).expect("a note about class sizes");
    assert_eq!(
        origins,
        "sizes of classes (HotSpot of JDK 6): 6 measured (app.Entry, app.Flag, …), 3 inferred from the layout (ClassA, \
         ClassB, …), 0 assumed"
    );
}

#[test]
fn fields_fill_gaps_of_superclasses_only_since_jdk_15() {
    // The same classes, with a field that says that they are of a later machine.
    let mut later = CLASSES;
    later[10].2 = &[("cachedConstructor", Type::Object), ("classData", Type::Object)];
    let dump = open(&dump_of(&later, 0, str::to_owned), SizeModel::Auto);
    assert_eq!((size(&dump, "ClassB"), size(&dump, "ClassC")), (16, 16));
    let origins = note(&dump, NoteTopic::SizeOrigins).expect("a note about class sizes");
    assert!(origins.contains("HotSpot of JDK 15 or later"), "{origins}");
}

#[test]
fn machines_without_known_layouts_have_sizes_of_eclipse_mat_where_nothing_was_measured() {
    // Nothing is adjacent, and a class of the machine names it.
    let sparse: Vec<TrueClass> = CLASSES
        .iter()
        .map(|&(name, superclass, fields, size, count)| (name, superclass, fields, 4096 + size, count.min(3)))
        .collect();
    for (package, machine) in [
        ("com.ibm.oti.vm.VM", "OpenJ9"),
        ("jrockit.vm.Memory", "JRockit"),
        ("com.oracle.svm.core.hub.DynamicHub", "GraalVM native image"),
    ] {
        let rename = |name: &str| match name {
            "app.Flag" => package.to_owned(),
            // Without it, the machine is not HotSpot.
            "java.lang.Class" => "app.Class".to_owned(),
            name => name.to_owned(),
        };
        let bytes = dump_of(&sparse, 4096, rename);
        let (auto, mat) = (open(&bytes, SizeModel::Auto), open(&bytes, SizeModel::Mat));
        for name in ["app.Pair", "app.Entry", "app.Wide", "app.WideBelow", "ClassC", "int[]"] {
            assert_eq!(size(&auto, name), size(&mat, name), "{machine}: {name}");
        }
        let layout = note(&auto, NoteTopic::AssumedLayout).expect("no layout matches");
        assert!(layout.contains("Eclipse MAT's rules"), "{layout}");
        let origins = note(&auto, NoteTopic::SizeOrigins).expect("a note about class sizes");
        assert!(origins.starts_with(&format!("sizes of classes ({machine}): 0 measured, 0 inferred")), "{origins}");
    }
}
