//! What a holder is to the name of what it holds: the beginning of the name, a step of it, or nothing.

use super::source::{self, CONTEXT, FUNCTION, Source};
use crate::answers::DumpData;
use crate::naming::{Namer, field, global_name, is_lambda, source_field};
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Variables of closure contexts for the object that the closure belongs to; compilers make the second.
const THIS: [&str; 2] = ["this", "_this"];
/// Variables that each module of Node.js has: the module tells more.
const OF_MODULE: [&str; 2] = ["exports", "module"];
/// Names of the reference from a module to what it exports.
const EXPORTS: [&str; 2] = ["exports", "<symbol node:module_export>"];
/// Stands for an entry of a collection or an element of an array.
pub(super) const ENTRY: &str = "[…]";
/// Endings of the names of classes that are collections, whoever wrote them: the object that has one tells more.
const COLLECTIONS: [&str; 8] = ["Map", "Set", "List", "Queue", "Deque", "Table", "Bag", "Multimap"];
/// Classes of JavaScript whose objects are data of whoever made them.
const DATA: [&str; 6] = ["Object", "Array", "Map", "Set", "WeakMap", "WeakSet"];
/// Object of Node.js that leads to all modules.
const PROCESS: &str = "process";
/// Beginning of the names of properties that a symbol has.
const SYMBOL: &str = "<symbol ";
/// Names examined per reference.
const NAMES: usize = 16;

/// Whose object a name begins at, nearest to the application first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelHolder {
    Application,
    /// A library; the application does not hold it.
    Library,
    /// The engine itself, or Node.js.
    Engine,
}

/// The beginning of a name.
pub(super) struct Start {
    /// Class and field, or variable: what the name begins with.
    pub(super) text: String,
    /// The same as a step of a name that begins farther up.
    pub(super) step: String,
    pub(super) holder: LabelHolder,
    /// The file or package that variables of this name are in.
    pub(super) source: Option<String>,
    /// True of collections: what has them names them better.
    pub(super) is_collection: bool,
    /// True if what is farther up holds it whatever the program does.
    pub(super) is_last: bool,
}

impl Start {
    fn new(text: String, step: String, holder: LabelHolder) -> Self {
        let is_last = holder == LabelHolder::Application;
        Self { text, step, holder, source: None, is_collection: false, is_last }
    }

    fn last(self) -> Self {
        Self { is_last: true, ..self }
    }
}

/// What a holder is to the name of what it holds.
pub(super) enum Named {
    /// The name may begin here.
    Start(Start),
    /// A step of the name.
    Step(String),
    /// It is not part of the name.
    Nothing,
    /// The name does not continue farther up.
    End,
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
    if is_lambda(&heap.classes.get(class).name) {
        return Named::Nothing;
    }
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
    let of_fields = |holder| {
        let start = |name: String| {
            let text = source_field(&index.class(heap, class), &name);
            let is_collection = COLLECTIONS.iter().any(|ending| heap.classes.get(class).name.ends_with(ending));
            let script = heap.classes.get(class).made_at.and_then(|position| contents.script_name(position.script));
            let source = script.and_then(|path| source::package_of(&path));
            let start = Start { source, ..Start::new(text, field(&name), holder) };
            let is_last = start.is_last || of_class.is_some();
            Named::Start(Start { is_collection, is_last, ..start })
        };
        member().map_or(Named::Nothing, start)
    };
    if index.is_application(class) && (is_plain || of_class.is_some()) {
        return of_fields(LabelHolder::Application);
    }
    let is_collection = of_class.is_none() && contents.role(class) == Role::Collection;
    if index.is_library(class) && !is_collection && (is_plain || of_class.is_some()) {
        return of_fields(LabelHolder::Library);
    }
    if of_class.is_some() {
        return Named::Nothing;
    }
    if !is_plain || is_collection || (of_snapshot && contents.is_dictionary(heap, above)) {
        return Named::Step(ENTRY.to_owned());
    }
    if of_snapshot && index.is_engine(class) {
        return of_fields(LabelHolder::Engine);
    }
    member().filter(|_| of_snapshot).map_or(Named::Nothing, |name| Named::Step(field(&name)))
}

/// What a scope, function or module of a snapshot is to the name of `below`; `None` of other objects.
fn named_in_script(
    namer: Namer<'_>,
    above: ObjectId,
    below: ObjectId,
    member: &impl Fn() -> Option<String>,
) -> Option<Named> {
    let heap = namer.heap;
    let class = &*heap.class(above).name;
    if let Some(global) = global_name(class) {
        // A function of the engine may lead to it, too, which is no variable of a program; nor is what has a symbol.
        let name = namer.member(above, below).filter(|name| !name.starts_with(SYMBOL) && is_of_program(namer, below));
        let start =
            |name: String| Start::new(global.to_owned() + &field(&name), field(&name), LabelHolder::Application);
        return Some(name.map_or(Named::End, |name| Named::Start(start(name))));
    }
    if class.starts_with(CONTEXT) {
        let source = source::of_context(namer, above);
        return Some(match member() {
            Some(variable) => Named::Start(variable_start(variable, source.as_ref())),
            None if source == Some(Source::Engine) => Named::End,
            None => Named::Nothing,
        });
    }
    if class == FUNCTION {
        let function = namer.contents.label(heap, above).unwrap_or_default();
        let function = function.trim_end_matches("()");
        let source = source::of_function(namer, above)?;
        let is_named = !function.is_empty() && !function.contains(['(', ' ']);
        let name = member()?;
        let start = Start::new(function.to_owned() + &field(&name), field(&name), holder_of(&source));
        let start = Start { source: source.name().map(str::to_owned), ..start };
        let start = if source == Source::Engine { start.last() } else { start };
        return Some(if is_named { Named::Start(start) } else { Named::Step(field(&name)) });
    }
    if source::is_module(namer, above) {
        let names = namer.contents.reference_names(heap, above, below, NAMES);
        if names.iter().any(|name| EXPORTS.contains(&name.bare())) {
            return Some(Named::Start(
                variable_start(EXPORTS[0].to_owned(), source::of_module(namer, above).as_ref()).last(),
            ));
        }
        return Some(member().map_or(Named::End, |name| {
            Named::Start(Start::new(class.to_owned() + &field(&name), field(&name), LabelHolder::Engine).last())
        }));
    }
    if class == PROCESS {
        let start = |name: String| Start::new(class.to_owned() + &field(&name), field(&name), LabelHolder::Engine);
        return Some(member().map_or(Named::End, |name| Named::Start(start(name).last())));
    }
    (class == "(synthetic)").then_some(Named::End)
}

/// A variable as the beginning of a name: of a package with its name, as no file of the application has it.
fn variable_start(variable: String, source: Option<&Source>) -> Start {
    let step = field(&variable);
    let name = source.and_then(Source::name).map(str::to_owned);
    let is_of_package = matches!(source, Some(Source::Package(_)));
    let text = match &name {
        Some(name) if is_of_package || OF_MODULE.contains(&&*variable) => format!("{name}: {variable}"),
        _ => variable,
    };
    let holder = source.map_or(LabelHolder::Application, holder_of);
    let start = Start { source: name, ..Start::new(text, step, holder) };
    if holder == LabelHolder::Engine { start.last() } else { start }
}

pub(super) fn holder_of(source: &Source) -> LabelHolder {
    match source {
        Source::Engine => LabelHolder::Engine,
        Source::Package(_) => LabelHolder::Library,
        Source::Application(_) => LabelHolder::Application,
    }
}

/// True if the value of a global variable is of the program: neither a function nor an object of the engine.
fn is_of_program(namer: Namer<'_>, value: ObjectId) -> bool {
    let (class, name) = (namer.heap.class_id(value), &*namer.heap.class(value).name);
    if name == FUNCTION {
        return source::of_function(namer, value).is_some_and(|source| source != Source::Engine);
    }
    !namer.index.is_runtime(class) || DATA.contains(&name) || name.starts_with('{')
}

/// True if no name continues through an object of a snapshot: it leads to everything that is loaded.
pub(crate) fn leads_to_all(namer: Namer<'_>, object: ObjectId) -> bool {
    let class = &*namer.heap.class(object).name;
    namer.heap.snapshot().is_some()
        && (class == "(synthetic)"
            || class == PROCESS
            || global_name(class).is_some()
            || class.starts_with("system / NativeContext")
            || source::is_module(namer, object)
            || (class.starts_with(CONTEXT) && source::of_context(namer, object) == Some(Source::Engine)))
}
