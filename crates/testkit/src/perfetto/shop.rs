//! A small trace as a device writes it: a shop whose last activity is held by a static, with a bitmap, in three heaps,
//! obfuscated; and a heap graph of another process.

use std::io::{self, Write};

use super::{Form, Graph, Object, Type, clocks, heap, kind, mapping, packages, processes, root};
use crate::sketch::Id;

/// Ids of objects used by tests.
#[expect(missing_docs, reason = "named by what is there")]
pub mod at {
    use super::Id;

    pub const SESSIONS_CLASS: Id = 0x400_0000;
    pub const ACTIVITY: Id = 0x400_0100;
    pub const ITEMS: Id = 0x400_0110;
    pub const BITMAP: Id = 0x400_0200;
    pub const WEAK: Id = 0x400_0220;
    pub const FIRST_ITEM: Id = 0x400_1000;
}

const ITEMS: u64 = 120;
const REGISTRY: &str = "libcore.util.NativeAllocationRegistry";

/// Types: name, bytes, superclass, kind, ids of fields; ids are from 1.
const TYPES: [(&str, u64, u64, u64, &[u64]); 16] = [
    ("java.lang.Object", 8, 0, kind::NORMAL, &[]),
    ("java.lang.Class", 0, 1, kind::CLASS, &[1, 2]),
    ("java.lang.String", 0, 1, kind::STRING, &[]),
    ("byte[]", 0, 1, kind::NO_REFERENCES, &[]),
    ("java.lang.Object[]", 0, 1, kind::ARRAY, &[]),
    ("java.lang.ref.Reference", 24, 1, kind::NORMAL, &[3, 4]),
    ("java.lang.ref.WeakReference", 24, 6, kind::WEAK, &[]),
    ("sun.misc.Cleaner", 36, 6, kind::PHANTOM, &[5, 6]),
    ("libcore.util.NativeAllocationRegistry$CleanerThunk", 16, 1, kind::NORMAL, &[7]),
    (REGISTRY, 32, 1, kind::NORMAL, &[]),
    ("android.graphics.Bitmap", 60, 1, kind::NO_REFERENCES, &[]),
    ("android.app.Activity", 140, 1, kind::NORMAL, &[8]),
    ("a.b", 8, 1, kind::NO_REFERENCES, &[]),
    ("a.c", 148, 12, kind::NORMAL, &[9, 10]),
    ("a.d", 12, 1, kind::NORMAL, &[11]),
    ("a.d[]", 0, 1, kind::ARRAY, &[]),
];
const FIELDS: [&str; 13] = [
    "java.lang.ClassLoader java.lang.Class.classLoader",
    "java.lang.Class java.lang.Class.superClass",
    "java.lang.Object java.lang.ref.Reference.referent",
    "java.lang.ref.ReferenceQueue java.lang.ref.Reference.queue",
    "sun.misc.Cleaner sun.misc.Cleaner.next",
    "java.lang.Runnable sun.misc.Cleaner.thunk",
    "libcore.util.NativeAllocationRegistry libcore.util.NativeAllocationRegistry$CleanerThunk.this$0",
    "java.lang.Object android.app.Activity.mApplication",
    "a.d[] a.c.b",
    "android.graphics.Bitmap a.c.c",
    "java.lang.String a.d.a",
    "a.c a.b.a",
    "sun.misc.Cleaner sun.misc.Cleaner.first",
];
/// Type of the class object of a type, by the place of that type.
const CLASS_OBJECT: u64 = 100;

/// The trace.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn sample() -> Vec<u8> {
    let mut out = clocks(1_790_000_000_000_000_000, 40_000_000_000);
    out.extend(processes(&[(4321, "com.example.shop", 10_123), (88, "com.example.player", 10_099)]));
    out.extend(packages(&[("com.example.shop", 10_123), ("com.example.player", 10_099)]));
    player(&mut out).and_then(|()| shop(&mut out)).expect("memory");
    out.extend(mapping(
        "com.example.shop",
        &[
            ("a.b", "com.example.shop.Sessions", &[("a", "last")], None),
            ("a.c", "com.example.shop.CartActivity", &[("b", "items"), ("c", "photo")], None),
            ("a.d", "com.example.shop.Item", &[("a", "name")], None),
        ],
    ));
    out
}

fn player(out: &mut dyn Write) -> io::Result<()> {
    let mut graph = Graph::new(out, Form::MODERN, (88, 5, 41_000_000_000));
    graph.type_of(&Type {
        id: 1,
        name: "com.example.Player",
        kind: kind::NORMAL,
        object_size: 16,
        ..Type::default()
    })?;
    graph.roots(root::JNI_GLOBAL, &[0x20])?;
    graph.object(&Object { id: 0x20, of: 1, heap: heap::APP, ..Object::default() })?;
    graph.object(&Object { id: 0x28, of: 1, ..Object::default() })?;
    graph.end()
}

fn shop(out: &mut dyn Write) -> io::Result<()> {
    let mut graph = Graph::new(out, Form { packet: 2_000, ..Form::MODERN }, (4321, 6, 43_250_000_000));
    // Class objects of the runtime are in the boot image.
    let class_object = |at: u64| if at == 13 { at::SESSIONS_CLASS } else { 0x10_0000 + at * 0x20 };
    let classes: Vec<Id> = (1..=TYPES.len() as u64).map(class_object).collect();
    graph.roots(root::STICKY_CLASS, &classes)?;
    graph.roots(root::JAVA_FRAME, &[at::WEAK])?;
    for (id, (name, object_size, superclass, kind, fields)) in (1..).zip(TYPES) {
        let location = if name.starts_with("a.") { 2 } else { 1 };
        graph.type_of(&Type { id, name, location, object_size, superclass, kind, fields, ..Type::default() })?;
        let name = format!("java.lang.Class<{name}>");
        graph.type_of(&Type { id: id + CLASS_OBJECT, name: &name, location, ..Type::default() })?;
    }
    let class = |at: u64, heap: u64, extra: &'static [(u64, Id)]| {
        let superclass = TYPES[at as usize - 1].2;
        let above = if superclass == 0 { 0 } else { class_object(superclass) };
        let (fields, references): (Vec<u64>, Vec<Id>) = [(2, above)].into_iter().chain(extra.iter().copied()).unzip();
        (
            Object { id: class_object(at), of: at + CLASS_OBJECT, size: 288, heap, ..Object::default() },
            fields,
            references,
        )
    };
    for at in (1..=TYPES.len() as u64).filter(|&at| at != 13) {
        let extra: &[_] = if at == 8 { &[(13, at::BITMAP + 0x8)] } else { &[] };
        let (object, fields, references) = class(at, u64::from(at == 1) * heap::IMAGE, extra);
        graph.object(&Object { fields: &fields, references: &references, ..object })?;
    }
    // Preloaded before the application started.
    graph.object(&Object {
        id: 0x20_0000,
        of: 5,
        size: 12 + 4 * 3,
        references: &[0x20_0010, 0, 0x20_0010],
        heap: heap::ZYGOTE,
        ..Object::default()
    })?;
    graph.object(&Object { id: 0x20_0010, of: 4, size: 12 + 4_000, ..Object::default() })?;
    let (object, fields, references) = class(13, heap::APP, &[(12, at::ACTIVITY)]);
    graph.object(&Object { fields: &fields, references: &references, ..object })?;
    graph.object(&Object { id: at::ACTIVITY, of: 14, references: &[at::ITEMS, at::BITMAP, 0], ..Object::default() })?;
    let items: Vec<Id> = (0..ITEMS).map(|n| at::FIRST_ITEM + n * 0x10).collect();
    graph.object(&Object { id: at::ITEMS, of: 16, size: 12 + 4 * ITEMS, references: &items, ..Object::default() })?;
    let values = &[(11, 3_000_017), (13, 640), (14, 480)];
    graph.object(&Object { id: at::BITMAP, of: 11, values, ..Object::default() })?;
    let [cleaner, thunk, registry] = [8, 0x14, 0x18].map(|n| at::BITMAP + n);
    graph.object(&Object { id: cleaner, of: 8, references: &[0, thunk, at::BITMAP, 0], ..Object::default() })?;
    graph.object(&Object { id: thunk, of: 9, references: &[registry], ..Object::default() })?;
    graph.object(&Object { id: registry, of: 10, registry_size: Some((640 * 480 * 4) | 1), ..Object::default() })?;
    graph.object(&Object { id: at::WEAK, of: 7, references: &[at::ACTIVITY, 0], ..Object::default() })?;
    for (n, id) in (0..).zip(items) {
        graph.object(&Object { id, of: 15, references: &[id + 4], ..Object::default() })?;
        graph.object(&Object { id: id + 4, of: 3, size: 16 + 5 + n % 7, ..Object::default() })?;
    }
    // Garbage.
    graph.object(&Object { id: 0x500_0000, of: 4, size: 12 + 100, ..Object::default() })?;
    for (id, text) in (1..).zip(FIELDS) {
        graph.field_name(id, text)?;
    }
    graph.location(1, "/apex/com.android.art/javalib/core-oj.jar")?;
    graph.location(2, "/data/app/~~x1==/com.example.shop-y2==/base.apk")?;
    graph.end()
}
