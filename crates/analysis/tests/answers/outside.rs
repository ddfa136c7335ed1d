//! What is outside of the heap besides buffers: arenas of foreign memory, open files and sockets, and strings whose
//! characters are elsewhere.

use heaplens_analysis::native_owners::NativeOwnersQuestion;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::native::NativeKind;
use heaplens_testkit::hprof::{self, Form};
use heaplens_testkit::notation;
use heaplens_testkit::v8;
use heaplens_testkit::v8::collections::Heap;

/// A closed file, a socket whose cleaner has an action, a descriptor that only its cleaner is about to close, an open and a
/// closed arena.
const JVM: &str = "
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.PhantomReference extends java.lang.ref.Reference
    class jdk.internal.ref.PhantomCleanable extends java.lang.ref.PhantomReference
      field action: object
    class java.io.FileDescriptor
      field fd: int
    class java.io.RandomAccessFile
      field fd: object
    class sun.nio.ch.NioSocketImpl
      field fd: object
    class java.net.Socket
      field impl: object
    class sun.nio.ch.Closer
      field fd: object
    class jdk.internal.foreign.MemorySessionImpl
      field resourceList: object
    class jdk.internal.foreign.ConfinedSession extends jdk.internal.foreign.MemorySessionImpl
    class jdk.internal.foreign.ResourceList
      field fst: object
      field cache: object
    class jdk.internal.foreign.SegmentFactories$1
      field val$allocationSize: long
      field next: object
    class crawler.Archive
      static pages: object = pages
    class crawler.Pool
      static leased: object = leased
    class series.Store
      static arenas: object = arenas
    root crawler.Archive class
    root crawler.Pool class
    root series.Store class
    pages = java.lang.Object[] f1 f2 f3
    f1 = java.io.RandomAccessFile fd=d1
    f2 = java.io.RandomAccessFile fd=d2
    f3 = java.io.RandomAccessFile fd=d3
    d1 = java.io.FileDescriptor fd=7
    d2 = java.io.FileDescriptor fd=8
    d3 = java.io.FileDescriptor fd=-1
    leased = java.lang.Object[] s1
    s1 = java.net.Socket impl=i1
    i1 = sun.nio.ch.NioSocketImpl fd=d4
    d4 = java.io.FileDescriptor fd=9
    c4 = jdk.internal.ref.PhantomCleanable referent=i1 action=a4
    a4 = sun.nio.ch.Closer fd=d4
    lost = sun.nio.ch.NioSocketImpl fd=d5
    d5 = java.io.FileDescriptor fd=10
    c5 = jdk.internal.ref.PhantomCleanable referent=lost action=a5
    a5 = sun.nio.ch.Closer fd=d5
    out = java.io.FileDescriptor fd=1
    root out global
    root c4 global
    root c5 global
    arenas = java.lang.Object[] open closed
    open = jdk.internal.foreign.ConfinedSession resourceList=l1
    l1 = jdk.internal.foreign.ResourceList fst=m1 cache=m3
    m1 = jdk.internal.foreign.SegmentFactories$1 val$allocationSize=4096 next=m2
    m2 = jdk.internal.foreign.SegmentFactories$1 val$allocationSize=8192
    m3 = jdk.internal.foreign.SegmentFactories$1 val$allocationSize=16384
    closed = jdk.internal.foreign.ConfinedSession resourceList=l2
    l2 = jdk.internal.foreign.ResourceList
";

/// Owners of a kind: name, number and bytes.
fn owners(dump: &Dump, kind: NativeKind) -> Vec<(Option<String>, u64, u64)> {
    let owners = dump.answer(&NativeOwnersQuestion, &Task::new()).expect("not cancelled");
    let of_kind = owners.iter().filter(|owner| owner.kind == kind);
    of_kind.map(|owner| (owner.name.clone(), owner.objects, owner.bytes.0)).collect()
}

fn named(name: &str, objects: u64, bytes: u64) -> Vec<(Option<String>, u64, u64)> {
    vec![(Some(name.to_owned()), objects, bytes)]
}

#[test]
fn open_files_sockets_and_arenas_have_owners() {
    let sketch = notation::read(JVM).expect("a heap");
    let dump = crate::open_bytes(hprof::write(&sketch, Form::MODERN), &OpenOptions::default());
    assert_eq!(owners(&dump, NativeKind::OpenFile), named("Archive.pages", 2, 0));
    assert_eq!(owners(&dump, NativeKind::Socket), named("Pool.leased", 1, 0));
    assert_eq!(owners(&dump, NativeKind::Arena), named("Store.arenas", 1, 28_672));
    let all = dump.answer(&NativeOwnersQuestion, &Task::new()).expect("not cancelled");
    let sentences: Vec<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(
        sentences,
        [
            "Store.arenas holds 1 arena: 28.7 kB outside the heap",
            "Archive.pages holds 2 open files",
            "Pool.leased holds 1 open socket"
        ]
    );
}

/// A jar in the runtime's table of open files, and in the loader that reads it.
const PLUGINS: &str = "
    class java.io.FileDescriptor
      field fd: int
    class java.io.RandomAccessFile
      field fd: object
    class java.util.zip.ZipFile$Source
      field file: object
      static files: object = files
    class java.util.jar.JarFile
      field source: object
    class java.net.URLClassLoader
      field jar: object
    class plugins.Host
      static loaders: object = loaders
    root java.util.zip.ZipFile$Source class
    root plugins.Host class
    files = java.lang.Object[] source
    loaders = java.lang.Object[] loader
    loader = java.net.URLClassLoader jar=jar
    jar = java.util.jar.JarFile source=source
    source = java.util.zip.ZipFile$Source file=file
    file = java.io.RandomAccessFile fd=d
    d = java.io.FileDescriptor fd=7
";

#[test]
fn what_a_table_of_the_runtime_holds_too_has_the_owner_in_the_program() {
    let sketch = notation::read(PLUGINS).expect("a heap");
    let dump = crate::open_bytes(hprof::write(&sketch, Form::MODERN), &OpenOptions::default());
    assert_eq!(owners(&dump, NativeKind::OpenFile), named("Host.loaders", 1, 0));
}

#[test]
fn a_list_of_cleanups_that_is_a_circle_ends() {
    let text = JVM.replace("val$allocationSize=8192", "val$allocationSize=8192 next=m1");
    let sketch = notation::read(&text).expect("a heap");
    let dump = crate::open_bytes(hprof::write(&sketch, Form::MODERN), &OpenOptions::default());
    assert_eq!(owners(&dump, NativeKind::Arena).len(), 1);
}

#[test]
fn handles_of_node_and_external_strings_are_counted() {
    let mut heap = Heap::new(0, 10_001);
    let handle = |heap: &mut Heap, name: &str, native: Option<&str>, id: u64| {
        let object = heap.node("object", name, id, 96);
        if let Some(native) = native {
            let wrap = heap.node("native", native, id + 2, 100);
            heap.made.name(object, "internal", "javascript_to_native", wrap);
        }
        object
    };
    let held = [
        handle(&mut heap, "TCP", Some("Node / TCPSocketWrap"), 101),
        handle(&mut heap, "TCP", Some("Node / TCPServerWrap"), 105),
        handle(&mut heap, "TCP", None, 109),
        handle(&mut heap, "FileHandle", Some("Detached Node / FileHandle"), 113),
    ];
    let pool = heap.node("object", "Pool", 201, 40);
    let global = heap.global;
    heap.made.name(global, "property", "pool", pool);
    for (at, object) in held.into_iter().enumerate() {
        heap.made.name(pool, "property", format!("handle{at}"), object);
    }
    let texts = heap.node("object", "Texts", 301, 40);
    heap.made.name(global, "property", "texts", texts);
    // A text in the heap has room for its characters.
    for (at, (length, size)) in [(1024, 32), (40, 32), (1024, 1040), (12, 32), (32, 32)].into_iter().enumerate() {
        let text = heap.node("string", &"x".repeat(length), 401 + 2 * at as u64, size);
        heap.made.name(texts, "property", format!("text{at}"), text);
    }
    // The text of a script is the engine's.
    let script = heap.node("code", "main.js", 501, 56);
    heap.made.name(texts, "property", "script", script);
    let source = heap.node("string", &"y".repeat(1024), 503, 32);
    heap.made.name(script, "internal", "source", source);
    let text = v8::write::write(&heap.made, &v8::form::Form::node20());
    let dump = crate::open_bytes(text, &OpenOptions::default());
    let count = |kind| owners(&dump, kind).iter().map(|(_, objects, _)| objects).sum::<u64>();
    assert_eq!(count(NativeKind::Socket), 2);
    assert_eq!(count(NativeKind::OpenFile), 1);
    assert_eq!(count(NativeKind::ExternalString), 2);
}
