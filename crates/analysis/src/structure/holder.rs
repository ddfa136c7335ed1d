//! What a holder is to the name of what it holds: the beginning of the name, a step of it, or nothing.

use super::class_holder::of_fields;
use super::script_holder::named_in_script;
use super::short_name::{Origin, ShortName};
use super::symbols;
use crate::answers::DumpData;
use crate::naming::{Namer, field, is_lambda};
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Variables of closure contexts for the object that the closure belongs to; compilers make the second.
const THIS: [&str; 2] = ["this", "_this"];
/// Beginning and end of the names of properties that a symbol has.
const SYMBOL: &str = "<symbol ";

/// The beginning of a name.
pub(super) struct Start {
    /// The name of what is held.
    pub(super) name: ShortName,
    /// The member as a step of a name that begins farther up.
    pub(super) step: Step,
    /// True if what is farther up names it better: of collections, whoever wrote them, and of lambda expressions.
    pub(super) is_weak: bool,
    /// True if what is farther up holds it whatever the program does.
    pub(super) is_last: bool,
}

impl Start {
    pub(super) fn new(name: ShortName, step: Step) -> Self {
        let is_last = name.origin == Origin::Application;
        Self { name, step, is_weak: false, is_last }
    }

    pub(super) fn last(self) -> Self {
        Self { is_last: true, ..self }
    }
}

/// A step of a name.
pub(super) struct Step {
    pub(super) text: String,
    /// False of fields of libraries, which a short name leaves out.
    pub(super) is_shown: bool,
}

/// What a holder is to the name of what it holds.
pub(super) enum Named {
    /// The name may begin here.
    Start(Box<Start>),
    /// A step of the name.
    Step(Step),
    /// It holds an entry or an element.
    Entry,
    /// It is not part of the name.
    Nothing,
    /// The name does not continue farther up.
    End,
}

impl Named {
    pub(super) fn start(start: Start) -> Self {
        Self::Start(Box::new(start))
    }
}

/// How a holder leads to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// By a reference.
    Directly,
    /// By a reference, or through others that it dominates.
    Somehow,
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
        !name.starts_with('[') && (of_class.is_none() || !name.starts_with('<')) && !THIS.contains(&&**name)
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
        return super::class_holder::of_lambda(namer, above, class);
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

/// A field, property or symbol behind its holder: `.carts`, `[kClients]`, `.#entries`.
pub(super) fn member_text(namer: Namer<'_>, name: &str) -> String {
    if let Some(description) = name.strip_prefix(SYMBOL).and_then(|name| name.strip_suffix('>')) {
        let symbol = symbols::symbol(namer, description);
        return format!("[{}]", symbol.as_deref().unwrap_or(description));
    }
    let is_private = name.strip_prefix('#').is_some_and(|name| field(name) == format!(".{name}"));
    if is_private { format!(".{name}") } else { field(name) }
}

/// True of a property that a symbol has.
pub(super) fn is_symbol(name: &str) -> bool {
    name.starts_with(SYMBOL)
}
