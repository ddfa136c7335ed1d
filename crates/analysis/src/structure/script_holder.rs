//! Variables, exports and global objects of scripts as the beginning of a name. A variable has the name of its file, which
//! ever scope, global object or slot of a stack leads to it.

use super::closures;
use super::short_name::{Origin, ShortName};
use super::source::{self, CONTEXT, FUNCTION, MODULE, Source};
use super::start::{Named, Start, Step, is_of_class, is_symbol, member_text};
use crate::naming::{Namer, field, global_name, is_common_shape};
use heaplens_heap::ObjectId;

/// Names of the reference from a module to what it exports.
pub(super) const EXPORTS: [&str; 2] = ["exports", "<symbol node:module_export>"];
/// Classes of JavaScript whose objects are data of whoever made them.
const DATA: [&str; 6] = ["Object", "Array", "Map", "Set", "WeakMap", "WeakSet"];
/// Object of Node.js that leads to all modules.
pub(super) const PROCESS: &str = "process";
/// Class of the global object of a page, and its name in scripts.
const WINDOW: (&str, &str) = ("Window", "window");
/// Names examined per reference.
const NAMES: usize = 16;

/// True if [`named_in_script`] may have an answer about an object, whatever it leads to.
pub(super) fn is_in_script(namer: Namer<'_>, above: ObjectId) -> bool {
    let class = &*namer.heap.class(above).name;
    may_be_in_script(class) && (class != MODULE || source::is_module(namer, above))
}

/// True if it may have one about an instance of a class.
pub(super) fn may_be_in_script(class: &str) -> bool {
    let is_code = class == FUNCTION || class == PROCESS || class == MODULE || class.starts_with(CONTEXT);
    is_code || global_name(class).is_some()
}

/// What a scope, function or module of a snapshot is to the name of `below`; `None` of other objects.
pub(super) fn named_in_script(
    namer: Namer<'_>,
    above: ObjectId,
    below: ObjectId,
    member: &impl Fn() -> Option<String>,
) -> Option<Named> {
    let heap = namer.heap;
    let class = &*heap.class(above).name;
    if let Some(global) = global_name(class) {
        // A function of the engine may lead to it, too, which is no variable of a program; nor is what has a symbol.
        let name = namer
            .member(above, below)
            .filter(|name| !is_symbol(name) && !is_of_class(name) && is_of_program(namer, below));
        let global = if global == WINDOW.0 { WINDOW.1 } else { global };
        return Some(
            name.map_or(Named::End, |name| Named::start(of_holder(namer, above, (global, &name), Origin::Application))),
        );
    }
    if class.starts_with(CONTEXT) {
        let source = source::of_context(namer, above);
        let member = member();
        if member.is_some()
            && let Some(start) = closures::of_scope(namer, above)
        {
            return Some(Named::start(start));
        }
        return Some(match member {
            Some(variable) => Named::start(match source::variable_of_bundle(namer, above, &variable) {
                Some((variable, source)) => of_variable(above, &variable, Some(&source)),
                None => of_variable(above, &variable, source.as_ref()),
            }),
            None if source == Some(Source::Engine) => Named::End,
            None => Named::Nothing,
        });
    }
    if class == FUNCTION {
        let source = source::of_function(namer, above)?;
        let name = member()?;
        // Last, because the label of a function takes longest.
        let Some(function) = source::function_name(namer, above) else {
            return Some(Named::Step(Step { text: member_text(namer, &name), is_shown: true }));
        };
        let mut start = of_holder(namer, above, (&function, &name), source.origin());
        start.name.source = source.package().map(str::to_owned);
        return Some(Named::start(if source == Source::Engine { start.last() } else { start }));
    }
    if source::is_module(namer, above) {
        let names = namer.contents.reference_names(heap, above, below, NAMES);
        if names.iter().any(|name| EXPORTS.contains(&name.bare())) {
            let source = source::of_module(namer, above);
            return Some(Named::start(of_variable(above, EXPORTS[0], source.as_ref()).last()));
        }
    }
    if source::is_module(namer, above) || class == PROCESS {
        let start = |name: String| of_holder(namer, above, (class, &name), Origin::Runtime).last();
        return Some(member().map_or(Named::End, |name| Named::start(start(name))));
    }
    (class == "(synthetic)").then_some(Named::End)
}

/// A property of an object that is known by its name: `window.items`, `Registry.all`.
fn of_holder(namer: Namer<'_>, above: ObjectId, (holder, name): (&str, &str), origin: Origin) -> Start {
    let member = member_text(namer, name);
    let mut short = ShortName::of_itself(above, (holder.to_owned(), format!("{holder}{member}")), origin);
    short.member.clone_from(&member);
    short.package = String::new();
    Start::new(short, Step { text: member, is_shown: origin == Origin::Application })
}

/// A variable by its file: `lib/index.js connections`.
pub(super) fn of_variable(above: ObjectId, variable: &str, source: Option<&Source>) -> Start {
    let file = source.and_then(Source::file).unwrap_or_default();
    let origin = source.map_or(Origin::Application, Source::origin);
    let text = if file.is_empty() { variable.to_owned() } else { format!("{file} {variable}") };
    let mut name = ShortName::of_itself(above, (file.to_owned(), text), origin);
    name.member = if file.is_empty() { variable.to_owned() } else { format!(" {variable}") };
    name.package = String::new();
    name.source = source.and_then(Source::package).map(str::to_owned);
    let start = Start::new(name, Step { text: field(variable), is_shown: origin == Origin::Application });
    if origin == Origin::Runtime { start.last() } else { start }
}

/// True if the value of a global variable is of the program: neither a function nor an object of the engine.
fn is_of_program(namer: Namer<'_>, value: ObjectId) -> bool {
    let (class, name) = (namer.heap.class_id(value), &*namer.heap.class(value).name);
    if name == FUNCTION {
        return source::of_function(namer, value).is_some_and(|source| source != Source::Engine);
    }
    !namer.index.is_runtime(class) || DATA.contains(&name) || is_common_shape(namer.heap, class)
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
