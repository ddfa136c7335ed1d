//! Chains of promises: each promise has the reactions to it, and these the promises that they settle. What keeps a chain
//! growing is the code that reacts.

use super::short_name::ShortName;
use super::source::{self, FUNCTION, Source};
use crate::naming::Namer;
use heaplens_heap::ObjectId;

/// Class of promises.
const PROMISE: &str = "Promise";
/// Beginning of the labels of the engine's objects between them: reactions, and capabilities.
const REACTION: &str = "system / Promise";
/// Maximum number of promises whose reactions are examined.
const PROMISES: usize = 16;
/// Maximum number of references examined of each object.
const REFERENCES: usize = 32;

/// True of a promise, and of the engine's objects between promises.
pub(super) fn is_link(namer: Namer<'_>, object: ObjectId) -> bool {
    let class = &*namer.heap.class(object).name;
    class == PROMISE
        || (class.starts_with('(') || class.starts_with(REACTION))
            && namer.contents.label(namer.heap, object).is_some_and(|label| label.starts_with(REACTION))
}

/// The function that reacts to the first promises of a chain, with its file; one of the application if there is one, else
/// of a library.
pub(super) fn reaction(namer: Namer<'_>, head: ObjectId) -> Option<ShortName> {
    let heap = namer.heap;
    if &*heap.class(head).name != PROMISE {
        return None;
    }
    let (mut waiting, mut at, mut reactions) = (vec![head], 0, Vec::new());
    while let Some(&link) = waiting.get(at) {
        at += 1;
        for to in heap.references(link).iter().take(REFERENCES).filter_map(|&row| ObjectId::from_raw(row)) {
            if &*heap.class(to).name == FUNCTION {
                reactions.extend(source::of_function(namer, to).filter(|source| *source != Source::Engine).map(
                    |source| {
                        let function = namer.contents.label(heap, to).unwrap_or_default();
                        let file = source.file().unwrap_or_default().to_owned();
                        (source.origin(), file, function, source.package().map(str::to_owned), to)
                    },
                ));
            } else if is_link(namer, to) && waiting.len() < PROMISES && !waiting.contains(&to) {
                waiting.push(to);
            }
        }
    }
    let (origin, file, function, source, object) = reactions.into_iter().min()?;
    let mut name = ShortName::of_itself(object, (file.clone(), format!("{file} {function}")), origin);
    name.member = format!(" {function}");
    name.source = source;
    name.package = String::new();
    Some(name)
}
