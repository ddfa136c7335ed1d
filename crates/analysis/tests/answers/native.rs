//! Memory outside the heap: who owns it, who keeps it, and what a removal frees of it, against a search without the owner or
//! the reference.

use std::collections::BTreeSet;
use std::fmt::Write;

use heaplens_analysis::cuts::{Cut, what_if};
use heaplens_analysis::native_memory::OutsideHeap;
use heaplens_analysis::native_owners::native_owners;
use heaplens_analysis::process::{PartKind, ProcessQuestion};
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_heap::native::NativeKind;
use heaplens_heap::parts::Part;
use heaplens_heap::{Address, ObjectId, Strength};
use heaplens_process::{HeapArea, JvmHeap, JvmRecord, Mapping, Metaspace, ProcessRecord};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;

/// Classes of the JDK, and of a program with tiles.
const CLASSES: &str = "
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.PhantomReference extends java.lang.ref.Reference
    class jdk.internal.ref.Cleaner extends java.lang.ref.PhantomReference
      field next: object
      static first: object = k0
    class java.io.FileDescriptor
    class java.nio.Buffer
      field address: long
      field capacity: int
    class java.nio.MappedByteBuffer extends java.nio.Buffer
      field fd: object
    class java.nio.DirectByteBuffer extends java.nio.MappedByteBuffer
      field cleaner: object
      field att: object
    class java.util.zip.Inflater$InflaterZStreamRef
      field address: long
    class java.util.zip.Inflater
      field zsRef: object
      field bytesWritten: long
    class maps.Tile
      field pixels: object
      field left: object
      field right: object
    root jdk.internal.ref.Cleaner class
    root maps.TileCache class
    root maps.Viewport class
";

fn open(text: &str) -> (Sketch, Dump) {
    let sketch = notation::read(&format!("{CLASSES}{text}")).expect("a heap");
    let dump = crate::open_bytes(write(&sketch, Form::MODERN), &heaplens_dump::OpenOptions::default());
    (sketch, dump)
}

fn at(sketch: &Sketch, dump: &Dump, label: &str) -> ObjectId {
    dump.facts.heap.at(Address(sketch.id(label))).expect("it is in the heap")
}

const TILES: &str = "
    class maps.TileCache
      static tiles: object = tiles
    class maps.Viewport
      static visible: object = view
    tiles = java.lang.Object[] one two
    one = maps.Tile pixels=b1
    two = maps.Tile pixels=b2
    b1 = java.nio.DirectByteBuffer address=4096 capacity=2000 cleaner=k1
    b2 = java.nio.DirectByteBuffer address=8192 capacity=3000 cleaner=k2
    lost = java.nio.DirectByteBuffer address=16384 capacity=5000 cleaner=k0
    view = java.nio.DirectByteBuffer address=8292 capacity=100 att=b2
    slice = java.nio.DirectByteBuffer address=4196 capacity=100
    mapped = java.nio.DirectByteBuffer address=65536 capacity=7000 fd=file
    file = java.io.FileDescriptor
    zip = java.util.zip.Inflater zsRef=z bytesWritten=1
    z = java.util.zip.Inflater$InflaterZStreamRef address=99
    ended = java.util.zip.Inflater zsRef=none bytesWritten=1
    none = java.util.zip.Inflater$InflaterZStreamRef
    k0 = jdk.internal.ref.Cleaner referent=lost next=k1
    k1 = jdk.internal.ref.Cleaner referent=b1 next=k2
    k2 = jdk.internal.ref.Cleaner referent=b2
    root slice frame 1 0
    root mapped frame 1 0
    root zip frame 1 0
    root ended frame 1 0
";

#[test]
fn a_buffer_counts_once_for_what_keeps_it() {
    let (sketch, dump) = open(TILES);
    let label = |label: &str| at(&sketch, &dump, label);
    let native = |name: &str| dump.facts.heap.native(label(name)).0;
    assert_eq!([native("b1"), native("b2"), native("lost")], [2000, 3000, 5000]);
    // Views, mapped files and an ended inflater own nothing.
    assert_eq!([native("view"), native("slice"), native("mapped"), native("ended")], [0; 4]);
    assert_eq!(native("zip"), 39 << 10);
    let retained = |name: &str| dump.analysis.retained_part(label(name), Part::Native).0;
    assert_eq!([retained("one"), retained("b1"), retained("tiles")], [2000, 2000, 2000]);
    // The view keeps the second buffer, too.
    assert_eq!([retained("two"), retained("view"), retained("b2")], [0, 0, 3000]);
    let class = |name: &str| dump.facts.heap.classes.named(name).expect("a class");
    let of_class = |name: &str| dump.analysis.class_retained_part(class(name), Part::Native).0;
    assert_eq!(of_class("maps.Tile"), 2000);
    assert_eq!(of_class("java.nio.DirectByteBuffer"), 5000, "that of garbage does not count");
    let outside = OutsideHeap::of(dump.data());
    assert_eq!(outside.objects(NativeKind::DirectBuffer), 2);
    assert_eq!(outside.bytes(), Bytes(5000 + (39 << 10)));
}

#[test]
fn owners_are_members_of_the_source() {
    let (_, dump) = open(TILES);
    let task = Task::new();
    let owners = native_owners(dump.data().namer(&task).expect("not cancelled"), &task).expect("not cancelled");
    let rows: Vec<_> = owners
        .iter()
        .filter(|owner| owner.kind == NativeKind::DirectBuffer)
        .map(|owner| (owner.name.as_deref(), owner.objects, owner.bytes.0, owner.shared.0))
        .collect();
    assert_eq!(rows, [(Some("TileCache.tiles"), 2, 5000, 3000)]);
    assert_eq!(owners[0].kind, NativeKind::Inflater, "most bytes first");
    assert!(owners.iter().any(|owner| owner.kind == NativeKind::MappedFile && owner.bytes == Bytes(7000)));
}

#[test]
fn a_removal_frees_what_only_a_cleaner_refers_to() {
    let (sketch, dump) = open(TILES);
    let task = Task::new();
    let frees = |cuts: &[Cut]| what_if(dump.data(), cuts, &task).expect("not cancelled").native.0;
    let (tiles, view) = (Cut::Object(at(&sketch, &dump, "tiles")), Cut::Object(at(&sketch, &dump, "view")));
    assert_eq!(frees(std::slice::from_ref(&tiles)), 2000);
    assert_eq!(frees(std::slice::from_ref(&view)), 0);
    assert_eq!(frees(&[tiles, view]), 5000);
}

/// A mapping of `kilobytes`, all resident.
fn mapping(start: u64, kilobytes: u64, access: &str, name: &str) -> Mapping {
    let bytes = kilobytes << 10;
    Mapping {
        start,
        end: start + bytes,
        access: access.to_owned(),
        name: name.to_owned(),
        resident: bytes,
        anonymous: if name.starts_with('/') { 0 } else { bytes },
        swap: 0,
    }
}

#[test]
fn the_parts_of_a_process_add_up_to_its_resident_memory() {
    let (sketch, dump) = open(TILES);
    let heap = sketch.id("tiles") & !0xfff;
    let record = ProcessRecord {
        threads: Some(3),
        mappings: vec![
            mapping(heap, 64, "rw-p", ""),
            mapping(0x5000_0000, 200, "r-xp", "/usr/lib/libjvm.so"),
            mapping(0x6000_0000, 50, "r--s", "/var/data/tiles.bin"),
            mapping(0x7000_0000, 1012, "rw-p", ""),
            mapping(0x7100_0000, 30, "rwxp", ""),
            mapping(0x7200_0000, 500, "rw-p", "[heap]"),
        ],
        jvm: Some(JvmRecord {
            metaspace: Some(Metaspace { committed: 100 << 10, ..Metaspace::default() }),
            heap: Some(JvmHeap {
                areas: vec![HeapArea { addresses: Some((heap, heap + (1 << 20))), ..HeapArea::default() }],
                ..JvmHeap::default()
            }),
            ..JvmRecord::default()
        }),
        ..ProcessRecord::new("smaps")
    };
    let dump = dump.with_facts(dump.facts.with_record(&record));
    let memory = dump.answer(&ProcessQuestion, &Task::new()).expect("not cancelled");
    let kilobytes = |kind: PartKind| memory.parts.iter().find(|part| part.kind == kind).map(|part| part.bytes.0 >> 10);
    assert_eq!(memory.resident, Some(Bytes(1856 << 10)));
    let sum: Bytes = memory.parts.iter().map(|part| part.bytes).sum();
    assert_eq!(Some(sum), memory.resident);
    assert_eq!(kilobytes(PartKind::Libraries), Some(200));
    assert_eq!(kilobytes(PartKind::MappedFiles), Some(50));
    assert_eq!(kilobytes(PartKind::ThreadStacks), Some(1012));
    assert_eq!(kilobytes(PartKind::CompiledCode), Some(30));
    assert_eq!(kilobytes(PartKind::ClassMetadata), Some(100));
    assert_eq!(kilobytes(PartKind::Compression), Some(39));
    // 500 of malloc, less metadata, the inflater and 10,000 bytes of buffers, garbage included.
    assert_eq!(memory.unexplained(), Some(Bytes((500 - 100 - 39) * 1024 - 10_000)));
    let buffers = memory.parts.iter().find(|part| part.kind == PartKind::DirectBuffers).expect("there are buffers");
    assert_eq!(buffers.about, "5.0 kB of them are garbage");
    assert_eq!(buffers.holder.as_deref(), Some("TileCache.tiles"));
}

#[test]
fn without_a_record_the_size_of_the_process_is_not_known() {
    let (_, dump) = open(TILES);
    let memory = dump.answer(&ProcessQuestion, &Task::new()).expect("not cancelled");
    assert_eq!((memory.resident, memory.unexplained()), (None, None));
    assert_eq!(memory.gaps.len(), 1);
    assert!(memory.to_string().ends_with("the size of the process is not recorded"), "{memory}");
    assert!(memory.parts.iter().all(|part| part.kind != PartKind::Unexplained));
}

/// The bytes of direct buffers that are reached without one object, by following all references but those of cleaners.
fn reached(dump: &Dump, without: Option<ObjectId>) -> u64 {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
    let mut waiting: Vec<ObjectId> =
        analysis.roots().objects().iter().filter_map(|&row| ObjectId::from_raw(row)).collect();
    while let Some(object) = waiting.pop() {
        if Some(object) == without || !seen.insert(object) {
            continue;
        }
        let skipped = usize::from(heap.class(object).strength == Strength::Phantom && heap.has_referent_first(object));
        waiting.extend(heap.references(object).iter().skip(skipped).filter_map(|&row| ObjectId::from_raw(row)));
        waiting.extend(heap.class(object).object);
    }
    let owned = heap.native_bytes().objects();
    owned.filter(|(object, _)| seen.contains(object)).map(|(_, bytes)| bytes.0).sum()
}

/// Tiles that refer to each other and to buffers at random; each buffer has a cleaner.
fn random_tiles(random: &mut Random) -> String {
    let (tiles, buffers) = (2 + random.below(12), 1 + random.below(8));
    let mut text = "
    class maps.TileCache
      static tiles: object = t0
    class maps.Viewport
      static visible: object = t1
    k0 = jdk.internal.ref.Cleaner next=c0
"
    .to_owned();
    for tile in 0..tiles {
        let (left, right, buffer) = (random.below(tiles), random.below(tiles), random.below(buffers));
        writeln!(text, "    t{tile} = maps.Tile pixels=b{buffer} left=t{left} right=t{right}").expect("memory");
    }
    for buffer in 0..buffers {
        // More than a hundredth of the heap, so that there are columns.
        let (address, bytes) = ((buffer + 1) << 24, 4096 << buffer);
        writeln!(
            text,
            "    b{buffer} = java.nio.DirectByteBuffer address={address} capacity={bytes} cleaner=c{buffer}"
        )
        .expect("memory");
        let next = if buffer + 1 < buffers { format!("next=c{}", buffer + 1) } else { String::new() };
        writeln!(text, "    c{buffer} = jdk.internal.ref.Cleaner referent=b{buffer} {next}").expect("memory");
    }
    text
}

#[test]
fn retained_native_memory_is_what_is_not_reached_without_the_object() {
    for seed in 0..300 {
        let text = random_tiles(&mut Random::new(seed));
        let (_, dump) = open(&text);
        let all = reached(&dump, None);
        assert_eq!(OutsideHeap::of(dump.data()).bytes().0, all, "seed {seed}");
        for object in (0..dump.facts.heap.len()).filter_map(ObjectId::new).filter(|&o| dump.analysis.is_reachable(o)) {
            let class = &*dump.facts.heap.class(object).name;
            if class.ends_with("Cleaner") || class == "java.lang.Class" {
                continue;
            }
            let naive = all - reached(&dump, Some(object));
            let ours = dump.analysis.retained_part(object, Part::Native).0;
            assert_eq!(ours, naive, "seed {seed}: {class} {}", dump.facts.heap.id_text(object));
            let cut = what_if(dump.data(), &[Cut::Object(object)], &Task::new()).expect("not cancelled");
            assert_eq!(cut.native.0, naive, "seed {seed}: removing {class}");
        }
    }
}
