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
    names.into_iter().find(is_of_program).map(|name| text(namer, from, &name))
}

/// True of a name that the program has, if it is known exactly.
fn is_of_program(ReferenceName { text, kind, .. }: &ReferenceName) -> bool {
    match kind {
        // Without the dump, an index is unknown, and a field may be one of several: `next or value`.
        ReferenceKind::Element => text != "[?]",
        ReferenceKind::Field => !text.contains(' '),
        ReferenceKind::Static | ReferenceKind::Property | ReferenceKind::Context => true,
        _ => false,
    }
}

fn text(namer: Namer<'_>, from: ObjectId, ReferenceName { text, kind, .. }: &ReferenceName) -> String {
    match kind {
        ReferenceKind::Element => text.clone(),
        ReferenceKind::Context => {
            let in_source = source::variable_of_bundle(namer, from, text);
            field(in_source.as_ref().map_or(text, |(variable, _)| variable))
        }
        _ => step_text(namer, from, text).trim_start().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_program() {
        let is_step = |kind, text: &str| is_of_program(&ReferenceName::strong(kind, text));
        assert!(is_step(ReferenceKind::Static, "ORDERS"));
        assert!(is_step(ReferenceKind::Field, "val$user"));
        assert!(is_step(ReferenceKind::Element, "[3]"));
        assert!(is_step(ReferenceKind::Property, "_events"));
        // Of the runtime, or not known exactly.
        assert!(!is_step(ReferenceKind::Class, "<class>"));
        assert!(!is_step(ReferenceKind::Internal, "<elements>"));
        assert!(!is_step(ReferenceKind::Element, "[?]"));
        assert!(!is_step(ReferenceKind::Field, "next or value"));
    }
}
