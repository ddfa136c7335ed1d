//! A heap graph with objects that hold native memory.

use super::{Form, Object, Type, graph, kind, root};

/// A bitmap with a registration, and a binder whose cleaner has run.
pub fn sample(form: Form) -> Vec<u8> {
    let registry = "libcore.util.NativeAllocationRegistry";
    let thunk = format!("{registry}$CleanerThunk");
    graph(form, |graph| {
        let of = |id, name, object_size, superclass, fields, kind| Type {
            id,
            name,
            object_size,
            superclass,
            fields,
            kind,
            location: 5,
            ..Type::default()
        };
        graph.type_of(&of(54, "java.lang.Object", 8, 0, &[], kind::NO_REFERENCES))?;
        graph.type_of(&of(12_171, "java.lang.ref.Reference", 24, 54, &[1, 2, 3, 15_420], kind::NORMAL))?;
        graph.type_of(&of(11_645, "java.lang.ref.PhantomReference", 24, 12_171, &[], kind::PHANTOM))?;
        graph.type_of(&of(17, "sun.misc.Cleaner", 36, 11_645, &[14_946, 14_947, 14_948], kind::PHANTOM))?;
        graph.type_of(&of(11_646, "java.lang.Class<sun.misc.Cleaner>", 0, 0, &[], 0))?;
        graph.type_of(&of(16, &thunk, 24, 54, &[19_501], kind::NORMAL))?;
        graph.type_of(&of(778, registry, 32, 54, &[19_502], kind::NORMAL))?;
        graph.type_of(&of(777, "android.graphics.Bitmap", 46, 54, &[], kind::NORMAL))?;
        graph.type_of(&of(15, "android.os.BinderProxy", 17, 54, &[], kind::NO_REFERENCES))?;
        let object = |id, of, references| Object { id, of, references, ..Object::default() };
        graph.object(&object(1, 777, &[]))?;
        graph.object(&object(2, 15, &[]))?;
        graph.object(&Object { registry_size: Some(123_456), ..object(3, 778, &[0]) })?;
        graph.object(&object(4, 16, &[3]))?;
        graph.object(&object(5, 16, &[3]))?;
        graph.object(&object(6, 17, &[0, 0, 4, 0, 0, 0, 1]))?;
        graph.object(&object(7, 17, &[7, 7, 5, 0, 0, 0, 2]))?;
        graph.object(&Object { size: 288, fields: &[14_950], ..object(8, 11_646, &[6]) })?;
        graph.roots(root::STICKY_CLASS, &[8])?;
        graph.roots(root::JAVA_FRAME, &[1, 2])?;
        for (id, text) in [
            (1, "java.lang.ref.Reference java.lang.ref.Reference.pendingNext"),
            (2, "java.lang.ref.ReferenceQueue java.lang.ref.Reference.queue"),
            (3, "java.lang.ref.Reference java.lang.ref.Reference.queueNext"),
            (14_950, "sun.misc.Cleaner sun.misc.Cleaner.first"),
            (15_420, "java.lang.Object java.lang.ref.Reference.referent"),
            (14_946, "sun.misc.Cleaner sun.misc.Cleaner.next"),
            (14_947, "sun.misc.Cleaner sun.misc.Cleaner.prev"),
            (14_948, "java.lang.Runnable sun.misc.Cleaner.thunk"),
            (19_501, &format!("{registry} {registry}$CleanerThunk.this$0")),
            (19_502, &format!("java.lang.ClassLoader {registry}.classLoader")),
        ] {
            graph.field_name(id, text)?;
        }
        graph.location(5, "/apex/com.android.art/javalib/core-oj.jar")
    })
}
