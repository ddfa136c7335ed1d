//! Where an exception was thrown: the elements of its stack trace if the program has read them, else the classes of what
//! the virtual machine records for them.

use super::memory_error::ErrorLocation;
use crate::answers::DumpData;
use heaplens_heap::{ClassKind, ObjectId, Value};

/// Maximum number of frames read.
const FRAMES: u64 = 1_024;
/// Maximum number of chunks of a backtrace of HotSpot, which has 32 frames in each, and of elements of one.
const CHUNKS: usize = 32;
const PARTS: u64 = 64;

/// Location in the application by the stack trace of an exception.
pub(super) fn location(dump: DumpData<'_>, exception: ObjectId) -> Option<ErrorLocation> {
    let frames = frames(dump, exception);
    let runtime = dump.answers.runtime_classes();
    let is_application = |location: &&ErrorLocation| !runtime.contains(&location.class);
    frames.iter().find(is_application).or(frames.first()).cloned()
}

/// The frames of an exception, innermost first.
pub(super) fn frames(dump: DumpData<'_>, exception: ObjectId) -> Vec<ErrorLocation> {
    let elements = elements(dump, exception);
    if elements.is_empty() {
        let class = |class| ErrorLocation { class, frame: None };
        return classes(dump, exception).into_iter().map(class).collect();
    }
    elements
}

/// Elements that the program has read, or the class library has filled.
fn elements(dump: DumpData<'_>, exception: ObjectId) -> Vec<ErrorLocation> {
    // Their names are texts of the program, which may be hidden.
    let Some(trace) = dump.object_field(exception, "stackTrace").filter(|_| !dump.contents.hides_values()) else {
        return Vec::new();
    };
    let elements = dump.contents.elements(dump.heap, trace, 0..FRAMES).unwrap_or_default();
    elements.into_iter().filter_map(Value::object).filter_map(|element| element_of(dump, element)).collect()
}

fn element_of(dump: DumpData<'_>, element: ObjectId) -> Option<ErrorLocation> {
    let text = |field: &str| dump.short_text(dump.object_field(element, field)?);
    let (class, method) = (text("declaringClass")?, text("methodName")?);
    let source = match (text("fileName"), dump.field(element, "lineNumber")) {
        (Some(file), Some(Value::Int(line))) if line > 0 => format!("{file}:{line}"),
        (_, Some(Value::Int(-2))) => "native method".to_owned(),
        (Some(file), _) => file,
        (None, _) => "unknown source".to_owned(),
    };
    let frame = Some(format!("{class}.{method}({source})"));
    Some(ErrorLocation { class, frame })
}

/// Names of the classes of the frames that the virtual machine recorded, innermost first. HotSpot has chunks of parallel
/// arrays, one of which has the classes; Android one array with the classes behind the methods.
fn classes(dump: DumpData<'_>, exception: ObjectId) -> Vec<String> {
    let (mut names, mut next) = (Vec::new(), dump.object_field(exception, "backtrace"));
    for _ in 0..CHUNKS {
        let Some(chunk) = next.take().filter(|&chunk| dump.heap.class(chunk).kind == ClassKind::ObjectArray) else {
            break;
        };
        for part in objects(dump, chunk, PARTS) {
            match class_name(dump, part) {
                Some(name) => names.push(name),
                None if dump.heap.class(part).kind == ClassKind::ObjectArray => {
                    let inside: Vec<String> =
                        objects(dump, part, PARTS).into_iter().filter_map(|class| class_name(dump, class)).collect();
                    // A chunk has arrays of numbers before the classes.
                    if inside.is_empty() { next = Some(part) } else { names.extend(inside) }
                }
                None => {}
            }
        }
    }
    names
}

fn objects(dump: DumpData<'_>, array: ObjectId, most: u64) -> Vec<ObjectId> {
    let elements = dump.contents.elements(dump.heap, array, 0..most).unwrap_or_default();
    elements.into_iter().filter_map(Value::object).collect()
}

/// Name of the class that an object stands for.
fn class_name(dump: DumpData<'_>, object: ObjectId) -> Option<String> {
    let class = dump.heap.classes.of_object(object)?;
    Some(dump.heap.classes.get(class).name.to_string())
}
