//! The step by which an object holds another directly, as its source has it.

use super::source;
use super::start::step_text;
use crate::naming::{Namer, field};
use heaplens_heap::{ClassKind, ObjectId, ReferenceKind, ReferenceName};

/// Number of names of a reference among which that of the program is searched for.
const NAMES: usize = 4;

/// The field, element or variable by which an object refers to another directly, as the source has it: `.orders`, `[3]`.
/// `None` if there is no reference, or only one of the runtime, such as that to the class.
pub(crate) fn direct_step(namer: Namer<'_>, from: ObjectId, to: ObjectId) -> Option<String> {
    // An array has one kind of names, and may be long.
    let limit = if namer.heap.class(from).kind == ClassKind::ObjectArray { 1 } else { NAMES };
    let names = namer.contents.reference_names(namer.heap, from, to, limit);
    names.into_iter().find_map(|name| text(namer, from, &name))
}

fn text(namer: Namer<'_>, from: ObjectId, ReferenceName { text, kind, .. }: &ReferenceName) -> Option<String> {
    match kind {
        // Without the dump, an index is unknown, and a field may be one of several: `next or value`.
        ReferenceKind::Element => Some(text.clone()).filter(|text| text != "[?]"),
        ReferenceKind::Field if text.contains(' ') => None,
        ReferenceKind::Context => Some(match source::variable_of_bundle(namer, from, text) {
            Some((variable, _)) => field(&variable),
            None => field(text),
        }),
        ReferenceKind::Field | ReferenceKind::Static | ReferenceKind::Property => {
            Some(step_text(namer, from, text).trim_start().to_owned())
        }
        _ => None,
    }
}
