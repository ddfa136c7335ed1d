//! What a holder is to the name of what it holds: the beginning of the name, a step of it, or nothing.

use super::class_holder::{of_fields, of_lambda};
use super::script_holder::{is_in_script, named_in_script};
use super::short_name::Origin;
use super::start::{Named, Step, is_of_class, member_text};
use crate::answers::DumpData;
use crate::naming::{Namer, is_lambda};
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Variables of closure contexts for the object that the closure belongs to; compilers make the second.
const THIS: [&str; 2] = ["this", "_this"];

/// How a holder leads to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// By a reference.
    Directly,
    /// By a reference, or through others that it dominates.
    Somehow,
}

/// False of objects that never begin a name, whatever they lead to: nothing has to be read of them.
pub(super) fn may_begin(namer: Namer<'_>, above: ObjectId) -> bool {
    let Namer { dump: DumpData { heap, .. }, index } = namer;
    let class = heap.classes.of_object(above).unwrap_or_else(|| heap.class_id(above));
    let is_of_program =
        index.is_application(class) || index.is_library(class) || is_lambda(&heap.classes.get(class).name);
    is_of_program || (heap.snapshot().is_some() && (index.is_engine(class) || is_in_script(namer, above)))
}

/// What `above` is to the name of `below`.
pub(super) fn named_by(namer: Namer<'_>, above: ObjectId, below: ObjectId, leads: Leads) -> Named {
    let Namer { dump: DumpData { heap, contents, .. }, index } = namer;
    let of_class = heap.classes.of_object(above);
    let class = of_class.unwrap_or_else(|| heap.class_id(above));
    let is_plain = heap.class(above).kind == ClassKind::Plain;
    let of_snapshot = heap.snapshot().is_some();
    // Constants and loaders of a class are in no field; formats without names of fields have numbers.
    // The variable `this` of a closure is the object that has the field.
    let is_field = |name: &String| {
        let is_internal = name.starts_with('[') || (of_class.is_some() && name.starts_with('<'));
        let leads_elsewhere = THIS.contains(&&**name) || (of_snapshot && is_of_class(name));
        !is_internal && !leads_elsewhere
    };
    let member = || {
        let name = match leads {
            Leads::Directly => namer.member(above, below),
            Leads::Somehow => namer.field_towards(above, below),
        };
        name.filter(is_field)
    };
    if of_snapshot && let Some(named) = named_in_script(namer, above, below, &member) {
        return named;
    }
    if of_class.is_none() && is_lambda(&heap.classes.get(class).name) {
        return of_lambda(namer, above, class);
    }
    let of_fields = |origin| member().map_or(Named::Nothing, |name| of_fields(namer, (above, class), &name, origin));
    if index.is_application(class) && (is_plain || of_class.is_some()) {
        return of_fields(Origin::Application);
    }
    let is_collection = of_class.is_none() && contents.role(class) == Role::Collection;
    if index.is_library(class) && !is_collection && (is_plain || of_class.is_some()) {
        return of_fields(Origin::Library);
    }
    if of_class.is_some() {
        return Named::Nothing;
    }
    if !is_plain || is_collection || (of_snapshot && contents.is_dictionary(heap, above)) {
        return Named::Entry;
    }
    if of_snapshot && index.is_engine(class) {
        return of_fields(Origin::Runtime);
    }
    let step = |name: String| Named::Step(Step { text: member_text(namer, &name), is_shown: true });
    member().filter(|_| of_snapshot).map_or(Named::Nothing, step)
}
