//! Small Android heap with one of each Android-specific structure: heaps, strings with inline characters, classes with
//! inline vtables, native memory, roots, and dangling references.

use super::art::{APP, Art, Class, IMAGE, ZYGOTE, root};
use super::sketch::{Id, Type, Value};

const NULL: Value = Value::Object(0);

/// Addresses used by tests.
#[expect(missing_docs, reason = "named by what is there")]
pub mod at {
    use super::Id;

    pub const OBJECT: Id = 0x7000_0000;
    pub const STRING: Id = 0x7000_0200;
    pub const BITMAP_CLASS: Id = 0x7000_0e00;
    /// Inline vtable of `com.example.Cache`.
    pub const TABLE: Id = CACHE_CLASS | 1;
    pub const ZYGOTE_NODE: Id = 0x1000_0000;
    pub const ZYGOTE_LIST: Id = 0x1000_0020;
    pub const CACHE_CLASS: Id = 0x12c0_0000;
    pub const CACHE: Id = 0x12c0_1000;
    pub const TITLE: Id = 0x12c0_1100;
    pub const WIDE: Id = 0x12c0_1200;
    pub const EMPTY: Id = 0x12c0_1300;
    pub const BITMAP: Id = 0x12c0_1400;
    pub const RECYCLED: Id = 0x12c0_1500;
    pub const PIXELS: Id = 0x12c0_1600;
    pub const LONGS: Id = 0x12c0_1800;
    pub const ELEMENTS: Id = 0x12c0_1c00;
    pub const THREAD: Id = 0x12c0_2000;
    pub const LOCAL: Id = 0x12c0_2100;
    pub const LOADER: Id = 0x12c0_2300;
    pub const WEAK: Id = 0x12c0_2400;
    pub const HELD_WEAKLY: Id = 0x12c0_2440;
    pub const GARBAGE: Id = 0x12c0_2500;
    /// Nothing is here.
    pub const NOWHERE: Id = 0x12cf_0000;
}

/// Values of `java.lang.Object`: the class, and no lock.
fn header(class: Id) -> [Value; 2] {
    [Value::Object(class), Value::Int(0)]
}

/// The heap.
pub fn sample() -> Art {
    let mut art = Art::default();
    roots(&mut art);
    art.heap(IMAGE, "image");
    runtime(&mut art);
    art.heap(ZYGOTE, "zygote");
    let node = art.class(Class {
        id: 0x1000_0100,
        name: "com.android.Node",
        superclass: at::OBJECT,
        bytes: 16,
        fields: &[("next", Type::Object), ("own", Type::Object)],
        ..Class::default()
    });
    art.instance(
        at::ZYGOTE_NODE,
        node,
        &[&[Value::Object(at::ZYGOTE_LIST), Value::Object(at::PIXELS)], &header(node)[..]].concat(),
    );
    let blocks: Vec<Id> = (0..4).map(|n| 0x1000_1000 + n * 0x400).collect();
    art.objects(at::ZYGOTE_LIST, OBJECTS, &blocks);
    for block in blocks {
        art.numbers(block, Type::Byte, (0..100).map(|n| Value::Byte(n as i8)).collect());
    }
    art.heap(APP, "app");
    app(&mut art);
    art
}

const CLASS: Id = 0x7000_0100;
const BYTES: Id = 0x7000_0300;
const CHARS: Id = 0x7000_0400;
const OBJECTS: Id = 0x7000_0500;
const REFERENCE: Id = 0x7000_0600;
const WEAK: Id = 0x7000_0700;
const CLEANER: Id = 0x7000_0800;
const REGISTRY: Id = 0x7000_0900;
const THUNK: Id = 0x7000_0a00;
const LOADER: Id = 0x7000_0b00;
const LONGS: Id = 0x7000_0c00;
const THREAD: Id = 0x7000_0d00;
const LIST: Id = 0x7000_0f00;

fn roots(art: &mut Art) {
    // Frames come before their thread.
    art.root(root::JAVA_FRAME, at::LOCAL, 17);
    art.root(root::THREAD, at::THREAD, 17);
    art.root(root::JNI_GLOBAL, at::LOADER, 0);
    art.root(root::INTERNED, at::NOWHERE, 0);
    art.root(root::DEBUGGER, at::WEAK, 0);
    art.root(root::JNI_MONITOR, at::TITLE, 17);
    for class in [at::OBJECT, CLASS, at::STRING, at::CACHE_CLASS, CLEANER, 0x12c0_0300] {
        art.root(root::STICKY_CLASS, class, 0);
    }
    for class in [BYTES, CHARS, OBJECTS, LONGS, at::BITMAP_CLASS, REGISTRY, THUNK, THREAD, LIST] {
        art.root(root::VM_INTERNAL, class, 0);
    }
}

/// The classes of the runtime.
fn runtime(art: &mut Art) {
    let plain = |id, name, bytes, fields| Class { id, name, superclass: at::OBJECT, bytes, fields, ..Class::default() };
    let object = [("shadow$_klass_", Type::Object), ("shadow$_monitor_", Type::Int)];
    art.class(Class { superclass: 0, ..plain(at::OBJECT, "java.lang.Object", 8, &object) });
    art.class(plain(CLASS, "java.lang.Class", 0, &[("classLoader", Type::Object)]));
    // The last of its fields is synthetic: there is no space for it.
    let string = [("count", Type::Int), ("hash", Type::Int), ("value", Type::Object)];
    art.class(plain(at::STRING, "java.lang.String", 16, &string));
    for (id, name) in [(BYTES, "byte[]"), (CHARS, "char[]"), (OBJECTS, "java.lang.Object[]"), (LONGS, "long[]")] {
        art.class(plain(id, name, 0, &[]));
    }
    let reference = [("referent", Type::Object), ("queue", Type::Object)];
    art.class(plain(REFERENCE, "java.lang.ref.Reference", 16, &reference));
    art.class(Class { superclass: REFERENCE, ..plain(WEAK, "java.lang.ref.WeakReference", 16, &[]) });
    let cleaner = [("next", Type::Object), ("prev", Type::Object), ("thunk", Type::Object)];
    let first = [("first", Value::Object(0x12c0_1440))];
    let class = Class { superclass: REFERENCE, statics: &first, ..plain(CLEANER, "sun.misc.Cleaner", 28, &cleaner) };
    art.class(class);
    art.class(plain(REGISTRY, "libcore.util.NativeAllocationRegistry", 16, &[("size", Type::Long)]));
    let thunk = [("this$0", Type::Object), ("nativePtr", Type::Long)];
    art.class(plain(THUNK, "libcore.util.NativeAllocationRegistry$CleanerThunk", 24, &thunk));
    let loader = [("parent", Type::Object), ("runtimeInternalObjects", Type::Object)];
    art.class(plain(LOADER, "java.lang.ClassLoader", 12, &loader));
    art.class(plain(THREAD, "java.lang.Thread", 20, &[("name", Type::Object), ("tid", Type::Long)]));
    art.class(plain(at::BITMAP_CLASS, "android.graphics.Bitmap", 24, &[("mWidth", Type::Int), ("mHeight", Type::Int)]));
    // As in Harmony, up to Android 6.
    let list = [("array", Type::Object), ("size", Type::Int)];
    art.class(plain(LIST, "java.util.ArrayList", 16, &list));
}

fn app(art: &mut Art) {
    let statics = [
        ("$classOverhead", Value::Object(at::TABLE)),
        ("$class$classLoader", Value::Object(at::LOADER)),
        ("current", Value::Object(at::CACHE)),
        ("lost", Value::Object(at::NOWHERE)),
        ("limit", Value::Int(7)),
    ];
    let fields = [
        ("node", Type::Object),
        ("title", Type::Object),
        ("wide", Type::Object),
        ("empty", Type::Object),
        ("bitmap", Type::Object),
        ("longs", Type::Object),
        ("list", Type::Object),
    ];
    let class = Class { superclass: at::OBJECT, loader: at::LOADER, ..Class::default() };
    let cache = Class { id: at::CACHE_CLASS, name: "com.example.Cache", bytes: 36, ..class };
    art.class(Class { statics: &statics, fields: &fields, ..cache });
    art.numbers(at::TABLE, Type::Byte, vec![Value::Byte(0); 21]);
    // Two classes with the same name; the second is the loaded one.
    let twice = Class { name: "com.example.Twice", bytes: 8, ..class };
    art.class(Class { id: 0x12c0_0200, ..twice });
    art.class(Class { id: 0x12c0_0300, ..twice });
    let values =
        [at::ZYGOTE_NODE, at::TITLE, at::WIDE, at::EMPTY, at::BITMAP, at::LONGS, 0x12c0_1b00].map(Value::Object);
    art.instance(at::CACHE, at::CACHE_CLASS, &[&values, &header(at::CACHE_CLASS)[..]].concat());
    let above = header(at::STRING);
    art.string(at::TITLE, at::STRING, &above, "hello, world");
    art.string(at::WIDE, at::STRING, &above, "Sigma (Ʃ) is not ASCII");
    art.string(at::EMPTY, at::STRING, &above, "");
    art.numbers(at::PIXELS, Type::Byte, vec![Value::Byte(3); 50]);
    art.numbers(at::LONGS, Type::Long, (0..10).map(Value::Long).collect());
    art.instance(0x12c0_1b00, LIST, &[&[Value::Object(at::ELEMENTS), Value::Int(2)], &header(LIST)[..]].concat());
    art.objects(at::ELEMENTS, OBJECTS, &[at::TITLE, at::WIDE, 0, at::NOWHERE]);
    native(art);
    art.string(0x12c0_2040, at::STRING, &above, "worker");
    let thread = [Value::Object(0x12c0_2040), Value::Long(17)];
    art.instance(at::THREAD, THREAD, &[&thread, &header(THREAD)[..]].concat());
    art.string(at::LOCAL, at::STRING, &above, "held by a frame");
    art.instance(at::LOADER, LOADER, &[&[NULL, Value::Object(at::LOADER + 4)], &header(LOADER)[..]].concat());
    art.objects(at::LOADER + 4, OBJECTS, &[at::LOCAL]);
    let weak = [Value::Object(at::HELD_WEAKLY), NULL];
    art.instance(at::WEAK, WEAK, &[&weak, &header(WEAK)[..]].concat());
    art.string(at::HELD_WEAKLY, at::STRING, &above, "held weakly");
    art.string(at::GARBAGE, at::STRING, &above, "garbage");
}

/// Two bitmaps with a cleaner each. One of the cleaners has run.
fn native(art: &mut Art) {
    let size = |number: i32| [Value::Int(number), Value::Int(number)];
    art.instance(at::BITMAP, at::BITMAP_CLASS, &[size(64), header(at::BITMAP_CLASS)].concat());
    art.instance(at::RECYCLED, at::BITMAP_CLASS, &[size(16), header(at::BITMAP_CLASS)].concat());
    for (bitmap, bytes, has_run) in [(at::BITMAP, 12_289, false), (at::RECYCLED, 1_025, true)] {
        let (cleaner, thunk, registry) = (bitmap + 0x40, bitmap + 0x80, bitmap + 0xc0);
        let next = if has_run { cleaner } else { at::RECYCLED + 0x40 };
        let values = [next, 0, thunk, bitmap, 0].map(Value::Object);
        art.instance(cleaner, CLEANER, &[&values, &header(CLEANER)[..]].concat());
        let values = [Value::Object(registry), Value::Long(0x7c00)];
        art.instance(thunk, THUNK, &[&values, &header(THUNK)[..]].concat());
        // The lowest bit marks memory of malloc.
        art.instance(registry, REGISTRY, &[&[Value::Long(bytes)], &header(REGISTRY)[..]].concat());
    }
}
