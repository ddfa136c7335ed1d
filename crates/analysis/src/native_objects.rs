//! The live objects that have something outside of the heap: native memory, mapped files, open files and sockets, and strings
//! whose characters are elsewhere.

use rayon::prelude::*;

use crate::answers::DumpData;
use crate::native_memory::keepers;
use crate::rows::{joined, shown_of};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::native::{NativeKind, NativeMemory};
use heaplens_heap::{ClassId, Field, ObjectId, Value};

/// Class of the memory of an array buffer in V8 snapshots.
const ARRAY_BUFFER_DATA: &str = "system / JSArrayBufferData";
/// Class of strings there.
const STRING: &str = "(string)";
/// Class of scripts and their code.
const CODE: &str = "(compiled code)";
/// Largest size of a string whose characters are outside of the heap: map, hash, length, address and cached address.
const EXTERNAL_STRING: u64 = 32;
const DIRECT_BUFFERS: [&str; 2] = ["java.nio.DirectByteBuffer", "java.nio.DirectByteBufferR"];
const DESCRIPTOR: &str = "java.io.FileDescriptor";
/// Fields with its number, of a JVM and of Android.
const NUMBERS: [&str; 2] = ["fd", "descriptor"];
/// Standard input, output and error.
const STANDARD: i32 = 2;
/// Parts of the names of classes that have a socket: `NioSocketImpl`, `DatagramChannelImpl`.
const SOCKETS: [&str; 2] = ["Socket", "Datagram"];
/// Number of objects between a descriptor and the class that tells what it is.
const LEVELS: usize = 3;
/// Classes of Node's handles.
const HANDLES: [&str; 5] = ["TCP", "Pipe", "UDP", "TTY", "FileHandle"];
/// From a handle to what Node has of it while it is open.
const TO_NATIVE: &str = "<javascript_to_native>";
/// What that is, with what it has.
const NATIVE_HANDLES: [(&str, NativeKind); 6] = [
    ("TCPSocketWrap", NativeKind::Socket),
    ("TCPServerWrap", NativeKind::Socket),
    ("PipeWrap", NativeKind::Socket),
    ("UDPWrap", NativeKind::Socket),
    ("TTYWrap", NativeKind::OpenFile),
    ("FileHandle", NativeKind::OpenFile),
];

/// All of them, by kind.
///
/// # Errors
/// When `task` is cancelled.
pub fn native_objects(dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let live = dump.heap.native_bytes().all().filter(|owned| dump.analysis.has_live_native(*owned));
    let mut owned: Vec<NativeMemory> = live.collect();
    if dump.heap.snapshot().is_some() {
        let buffers = of_classes(dump, &[ARRAY_BUFFER_DATA], task)?;
        let buffer = |object| NativeMemory { object, kind: NativeKind::ArrayBuffer, bytes: dump.heap.shallow(object) };
        owned.extend(buffers.into_iter().map(buffer));
        owned.extend(open_handles(dump, task)?);
        owned.extend(external_strings(dump, task)?);
    } else {
        owned.extend(mapped_files(dump, task)?);
        owned.extend(descriptors(dump, task)?);
    }
    Ok(owned)
}

/// Shown objects of the classes with some names.
fn of_classes(dump: DumpData<'_>, names: &[&str], task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let is_meant = |class: &heaplens_heap::Class| names.contains(&&*class.name);
    let classes: Vec<ClassId> =
        dump.heap.classes.iter().filter(|(_, class)| is_meant(class)).map(|(id, _)| id).collect();
    if classes.is_empty() {
        return Ok(Vec::new());
    }
    shown_of(dump, |of| classes.contains(&of), task)
}

/// Mapped files; views of them do not count.
fn mapped_files(dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let mut mapped = Vec::new();
    for object in of_classes(dump, &DIRECT_BUFFERS, task)? {
        let fields = dump.contents.fields(dump.heap, object).unwrap_or_default();
        let value = |name: &str| fields.iter().find(|field: &&Field| field.name == name).map(|field| field.value);
        let is_view = value("att").is_some_and(|att| att != Value::Null);
        if value("fd").and_then(Value::object).is_some()
            && !is_view
            && let Some(Value::Int(bytes)) = value("capacity")
        {
            let bytes = Bytes(u64::try_from(bytes).unwrap_or(0));
            mapped.push(NativeMemory { object, kind: NativeKind::MappedFile, bytes });
        }
    }
    Ok(mapped)
}

/// Open descriptors of a Java virtual machine that something keeps; what a cleaner is about to close does not count.
fn descriptors(dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let mut open = Vec::new();
    for (at, object) in of_classes(dump, &[DESCRIPTOR], task)?.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        let number = NUMBERS.iter().find_map(|name| dump.field(object, name));
        let is_open = matches!(number, Some(Value::Int(number)) if number > STANDARD);
        if is_open && !keepers(dump, object).0.is_empty() {
            let kind = if is_of_socket(dump, object) { NativeKind::Socket } else { NativeKind::OpenFile };
            open.push(NativeMemory { object, kind, bytes: Bytes(0) });
        }
    }
    Ok(open)
}

/// True if a class of sockets refers to a descriptor, directly or through few objects.
fn is_of_socket(dump: DumpData<'_>, descriptor: ObjectId) -> bool {
    let mut at = vec![descriptor];
    for _ in 0..LEVELS {
        let above: Vec<ObjectId> = at.iter().flat_map(|&object| keepers(dump, object).0).take(64).collect();
        let is_socket = |&object: &ObjectId| {
            let class = &dump.heap.class(object).name;
            let simple = class.rsplit('.').next().unwrap_or(class);
            SOCKETS.iter().any(|part| simple.contains(part))
        };
        if above.iter().any(is_socket) {
            return true;
        }
        at = above;
    }
    false
}

/// Open handles of Node: of a closed one, nothing native is left.
fn open_handles(dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let mut open = Vec::new();
    for (at, object) in of_classes(dump, &HANDLES, task)?.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        let Some(native) = dump.object_field(object, TO_NATIVE) else { continue };
        // A synthetic node has its name as a label, a native one as its class.
        let label = dump.contents.label(dump.heap, native);
        let name = label.as_deref().unwrap_or(&dump.heap.class(native).name);
        let name = name.rsplit(" / ").next().unwrap_or(name);
        if let Some(&(_, kind)) = NATIVE_HANDLES.iter().find(|(native, _)| *native == name) {
            open.push(NativeMemory { object, kind, bytes: Bytes(0) });
        }
    }
    Ok(open)
}

/// Strings with more characters than fit into their size; not the texts of scripts, which are the engine's.
fn external_strings(dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeMemory>, Cancelled> {
    let Some(class) = dump.heap.classes.named(STRING) else { return Ok(Vec::new()) };
    let column = dump.heap.class_column().slices();
    let is_external = |object: ObjectId| {
        let size = dump.heap.shallow(object).0;
        size <= EXTERNAL_STRING
            && dump.analysis.is_reachable(object)
            && dump.contents.text(dump.heap, object, EXTERNAL_STRING as usize + 1).is_some_and(|text| {
                // One byte a character is the least.
                text.chars().count() as u64 > size
            })
            && !dump.analysis.referrers(object).any(|from| dump.heap.class(from).name.starts_with(CODE))
    };
    joined(task.par_blocks(dump.heap.len()).map(|rows| {
        let strings = rows?.filter(|&row| column.get(row).and_then(ClassId::from_raw) == Some(class));
        let external = strings.filter_map(ObjectId::new).filter(|&object| is_external(object));
        let string = |object| NativeMemory { object, kind: NativeKind::ExternalString, bytes: Bytes(0) };
        Ok(external.map(string).collect())
    }))
}
