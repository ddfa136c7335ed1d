//! Closures that a program makes again and again, each with a scope of its own, such as the callbacks of timers. What such a
//! scope holds is named by the function, as what an object holds by its class: a variable alone would be that of one.

use super::short_name::ShortName;
use super::source::{self, CONTEXT, FUNCTION, Source};
use super::start::{Start, Step};
use crate::naming::Namer;
use heaplens_heap::ObjectId;

/// Fewest closures of one function that are many.
const CLOSURES: usize = 8;
/// Maximum number of referrers of a scope, and of references of a function, that are examined.
const REFERENCES: usize = 64;
/// Reference of a closure to the function that it shares with others, in V8.
const SHARED: &str = "shared";
/// Stands for the name of a function without one.
const NAMELESS: &str = "function";

/// `beat (heartbeat.js:7)`: the function of the application or a library whose closures each have a scope such as this.
/// `None` if the scope has several closures or none, or if there are few like it.
pub(super) fn of_scope(namer: Namer<'_>, scope: ObjectId) -> Option<Start> {
    let class = |object: ObjectId| &*namer.heap.class(object).name;
    let mut closure = None;
    for from in namer.analysis.referrers(scope).take(REFERENCES) {
        let is_closure = class(from) == FUNCTION;
        if class(from).starts_with(CONTEXT) || (is_closure && closure.replace(from).is_some()) {
            return None;
        }
    }
    let closure = closure?;
    let shared = shared_function(namer, closure)?;
    let closures = namer.analysis.referrers(shared).filter(|&from| class(from) == FUNCTION);
    if closures.take(CLOSURES).count() < CLOSURES {
        return None;
    }
    let source = source::of_function(namer, closure).filter(|source| *source != Source::Engine)?;
    let location = namer.contents.script_location(namer.heap, closure)?;
    let line = location.source.map_or(location.position.line, |in_source| in_source.line);
    let function = source::function_name(namer, closure).unwrap_or_else(|| NAMELESS.to_owned());
    let member = format!(" ({}:{})", source.file().unwrap_or_default(), u64::from(line) + 1);
    let text = format!("{function}{member}");
    let mut name = ShortName::of_itself(closure, (function, text), source.origin());
    name.member = member;
    name.package = String::new();
    name.source = source.package().map(str::to_owned);
    let start = Start::new(name, Step { text: String::new(), is_shown: false });
    // What holds the closures, such as a set of listeners, names them better.
    Some(Start { is_weak: true, is_last: false, ..start })
}

/// The function that a closure has in common with others.
fn shared_function(namer: Namer<'_>, closure: ObjectId) -> Option<ObjectId> {
    let named = namer.contents.named_references_of(namer.heap, closure, REFERENCES)?;
    named.into_iter().find(|(name, _)| name.bare() == SHARED).map(|(_, to)| to)
}
