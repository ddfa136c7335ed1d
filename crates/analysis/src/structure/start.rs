//! The beginning of a name, and its steps.

use super::constants::member_of;
use super::short_name::{Origin, ShortName};
use super::symbols;
use crate::naming::{Namer, field};
use heaplens_heap::ObjectId;

/// Beginning and end of the names of properties that a symbol has.
const SYMBOL: &str = "<symbol ";
/// Names of the properties by which an object leads to the code of its class.
const OF_CLASS: [&str; 2] = ["constructor", "__proto__"];

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
#[derive(Clone)]
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

/// A field, property or symbol behind its holder: `.carts`, `[kClients]`, `.#entries`.
pub(super) fn member_text(namer: Namer<'_>, name: &str) -> String {
    if let Some(description) = name.strip_prefix(SYMBOL).and_then(|name| name.strip_suffix('>')) {
        let symbol = symbols::symbol(namer, description);
        return format!("[{}]", symbol.as_deref().unwrap_or(description));
    }
    let is_private = name.strip_prefix('#').is_some_and(|name| field(name) == format!(".{name}"));
    if is_private { format!(".{name}") } else { field(name) }
}

/// A field, static field, property or variable as a step from its holder, as the source has it: `.orders` for
/// `desk_Audited__orders` of a trait of Groovy, `[kClients]`; ` constants` of a class.
pub(crate) fn step_text(namer: Namer<'_>, holder: ObjectId, name: &str) -> String {
    let heap = namer.heap;
    if heap.snapshot().is_some() {
        return member_text(namer, name);
    }
    let of_class = heap.classes.of_object(holder);
    if of_class.is_some()
        && let Some(constants) = member_of(name)
    {
        return constants.to_owned();
    }
    let class = of_class.unwrap_or_else(|| heap.class_id(holder));
    field(&namer.index.source_member(heap, class, name).name)
}

/// True of a property by which an object of JavaScript leads to the code of its class, which it does not hold.
pub(super) fn is_of_class(name: &str) -> bool {
    OF_CLASS.contains(&name)
}

/// True of a property that a symbol has.
pub(super) fn is_symbol(name: &str) -> bool {
    name.starts_with(SYMBOL)
}
