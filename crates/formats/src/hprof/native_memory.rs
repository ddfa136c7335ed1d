//! Native memory of objects of a Java virtual machine: direct buffers, arenas, and what zlib allocates for inflaters and
//! deflaters.
//!
//! Rules by the sources of OpenJDK 8 to 25. A view of a direct buffer refers to the buffer it is a view of (`att`), a view
//! of a memory segment to the segment; a mapped file has a descriptor. All others own their memory, also those without a
//! cleaner, which `Unsafe` allocated, but not the image of the JDK, which native code maps. Each address counts once, because a library can make a view of an address alone.

use rayon::prelude::*;

use super::peek::{Fields, Peek};
use super::record_access::HprofContents;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::native::{NativeKind, NativeMemory};
use heaplens_heap::{ClassId, Heap, ObjectId, Value};

const DIRECT_BUFFER: &str = "java.nio.DirectByteBuffer";
/// Reader of the image of the JDK's own classes, with the field that has the mapped file as a buffer.
const IMAGE_READER: &str = "jdk.internal.jimage.BasicImageReader";
const INFLATER: &str = "java.util.zip.Inflater";
const DEFLATER: &str = "java.util.zip.Deflater";
/// What an arena is open for, and the field of its cleanups with the bytes to free, newer name first.
const SESSION: &str = "jdk.internal.foreign.MemorySessionImpl";
const ALLOCATED: [&str; 2] = ["val$allocationSize", "val$alignedSize"];
/// A smaller buffer without a cleaner is memory that native code lends, such as a counter of the virtual machine.
const LENT: u64 = 1 << 10;
/// Bytes of the state of `inflate`, before it has a window (zlib's `zconf.h`: "about 7 kilobytes").
const INFLATE_STATE: u64 = 7 << 10;
/// Bytes of the window of `inflate`, which it allocates when it has data to keep.
const INFLATE_WINDOW: u64 = 32 << 10;
/// Bytes of `deflate` with its defaults (`zconf.h`: `(1 << (windowBits + 2)) + (1 << (memLevel + 9))`).
const DEFLATE: u64 = 256 << 10;

/// Native memory of each object that owns any.
pub(super) fn owned(heap: &Heap, contents: &HprofContents, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let classes = [DIRECT_BUFFER, INFLATER, DEFLATER].map(|name| heap.classes.named(name));
    let readers = heap.classes.all_below(heap.classes.named(IMAGE_READER).as_slice());
    let sessions = heap.classes.all_below(heap.classes.named(SESSION).as_slice());
    if classes == [None; 3] && !sessions.contains(&true) {
        return Ok(Vec::new());
    }
    let [direct, inflater, deflater] = classes;
    let (column, peek) = (heap.class_column().slices(), Peek { contents, heap });
    let scanned = task.par_blocks(heap.len()).map(|rows| {
        let mut owners = Owners::default();
        for row in rows? {
            let class = column.get(row).and_then(ClassId::from_raw);
            let is_below = |below: &[bool]| class.is_some_and(|class| below.get(class.index()) == Some(&true));
            let (is_reader, is_session) = (is_below(&readers), is_below(&sessions));
            if class.is_none() || !(is_reader || is_session || classes.contains(&class)) {
                continue;
            }
            let Some(object) = ObjectId::new(row) else { continue };
            let Some(fields) = peek.fields(object, "") else { continue };
            if is_reader {
                owners.images.extend(image(fields));
            } else if is_session {
                owners.others.extend(arena(object, fields, heap.len()));
            } else if class == direct {
                owners.buffers.extend(buffer(object, fields));
            } else if class == inflater {
                owners.others.extend(stream(object, fields, NativeKind::Inflater, inflate_bytes(fields)));
            } else if class == deflater {
                owners.others.extend(stream(object, fields, NativeKind::Deflater, DEFLATE));
            }
        }
        Ok(owners)
    });
    let Owners { others: mut owned, mut buffers, images } =
        scanned.try_reduce(Owners::default, |all, more| Ok(all.and(more)))?;
    buffers.retain(|buffer| !images.contains(&buffer.object));
    owned.extend(without_views(buffers));
    Ok(owned)
}

/// What some rows have.
#[derive(Default)]
struct Owners {
    /// Arenas, inflaters and deflaters.
    others: Vec<NativeMemory>,
    /// Direct buffers, views by address alone included.
    buffers: Vec<Range>,
    /// Buffers of the image of the JDK.
    images: Vec<ObjectId>,
}

impl Owners {
    fn and(mut self, mut more: Self) -> Self {
        self.others.append(&mut more.others);
        self.buffers.append(&mut more.buffers);
        self.images.append(&mut more.images);
        self
    }
}

/// The buffer of a mapped image and the one that it is a view of.
fn image(reader: Fields<'_>) -> impl Iterator<Item = ObjectId> {
    let map = reader.object(&["memoryMap"]);
    let base = map.and_then(|map| reader.peek.fields(map, "")).and_then(|view| view.object(&["att"]));
    map.into_iter().chain(base)
}

/// A range of addresses that a buffer owns unless it is a view.
struct Range {
    object: ObjectId,
    start: u64,
    bytes: u64,
}

/// The memory of a buffer; `None` if it is a view or a mapped file.
fn buffer(object: ObjectId, fields: Fields<'_>) -> Option<Range> {
    let refers = |name: &str| fields.get(name).is_some_and(|value| value != Value::Null);
    if refers("att") || refers("segment") || refers("fd") {
        return None;
    }
    let start = fields.integer("address")?.cast_unsigned();
    let least = if refers("cleaner") { 1 } else { LENT };
    let bytes = u64::try_from(fields.integer("capacity")?).ok().filter(|&bytes| bytes >= least)?;
    Some(Range { object, start, bytes })
}

/// The buffers that are not inside the memory of another one.
fn without_views(mut buffers: Vec<Range>) -> Vec<NativeMemory> {
    // Those that begin at the same address: the longest first, then the first in the heap.
    buffers.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.bytes), range.object));
    let mut end = 0;
    buffers.retain(|range| {
        let own_end = range.start.saturating_add(range.bytes);
        // Without an address, as in a dump without values, nothing is known of views.
        let is_view = range.start != 0 && own_end <= end;
        end = end.max(own_end);
        !is_view
    });
    let owned =
        |range: Range| NativeMemory { object: range.object, kind: NativeKind::DirectBuffer, bytes: Bytes(range.bytes) };
    buffers.into_iter().map(owned).collect()
}

/// What an arena has allocated and not freed: the sizes in the list of its cleanups, one for each allocation. The segments
/// may be garbage. Mapped files and memory of others have cleanups of other classes, and a closed arena has none.
fn arena(object: ObjectId, fields: Fields<'_>, most: usize) -> Option<NativeMemory> {
    let list = fields.inside(&["resourceList"])?;
    // A confined arena has one of them beside the list (JDK 25).
    let (mut beside, mut next) = (list.object(&["cache"]), list.object(&["fst"]));
    let mut bytes: u64 = 0;
    for _ in 0..most {
        let Some(at) = next.or_else(|| beside.take()) else { break };
        let Some(cleanup) = fields.peek.fields(at, "") else { break };
        beside = beside.filter(|&beside| beside != at);
        let size = ALLOCATED.iter().find_map(|name| cleanup.integer(name)).and_then(|size| u64::try_from(size).ok());
        bytes = bytes.saturating_add(size.unwrap_or(0));
        next = cleanup.object(&["next"]);
    }
    (bytes > 0).then_some(NativeMemory { object, kind: NativeKind::Arena, bytes: Bytes(bytes) })
}

/// The memory of an object of zlib that was not ended.
fn stream(object: ObjectId, fields: Fields<'_>, kind: NativeKind, bytes: u64) -> Option<NativeMemory> {
    let address = fields.inside(&["zsRef"])?.integer("address")?;
    (address != 0).then_some(NativeMemory { object, kind, bytes: Bytes(bytes) })
}

fn inflate_bytes(fields: Fields<'_>) -> u64 {
    // Before JDK 9 the counts are in zlib only.
    let is_new = fields.integer("bytesWritten") == Some(0);
    INFLATE_STATE + if is_new { 0 } else { INFLATE_WINDOW }
}
