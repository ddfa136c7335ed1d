//! Names of symbols: the variable or property that has one, by which scripts write it. `[kClients]` is written for
//! `Symbol("clients")`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::naming::Namer;
use heaplens_heap::{ObjectId, ReferenceKind};

/// Class of symbols in V8, and the beginning of their labels.
const SYMBOL: (&str, &str) = ("(symbol)", "Symbol(");
/// Maximum number of symbols, and of references to one, that are examined.
const SYMBOLS: usize = 10_000;
const REFERRERS: usize = 64;

/// The name of a symbol by its description, if all symbols of this description that have a name have this one.
pub(super) fn symbol(namer: Namer<'_>, description: &str) -> Option<String> {
    namer.index.symbol(description, || names(namer))
}

/// Names of all symbols by their descriptions.
fn names(namer: Namer<'_>) -> FxHashMap<String, String> {
    let heap = namer.heap;
    let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
    let is_symbol: Vec<bool> = heap.classes.iter().map(|(_, class)| &*class.name == SYMBOL.0).collect();
    let symbols = heap.objects().filter(|&object| is_symbol.get(heap.class_id(object).index()) == Some(&true));
    for object in symbols.take(SYMBOLS) {
        let label = namer.contents.label(heap, object);
        let Some(description) = label.as_deref().and_then(|label| label.strip_prefix(SYMBOL.1)?.strip_suffix(')'))
        else {
            continue;
        };
        let Some(name) = name_of(namer, object) else { continue };
        names
            .entry(description.to_owned())
            .and_modify(|known| *known = known.take().filter(|known| *known == name))
            .or_insert(Some(name));
    }
    names.into_iter().filter_map(|(description, name)| Some((description, name?))).collect()
}

/// The variable or property that most references to a symbol have; the first by name.
fn name_of(namer: Namer<'_>, symbol: ObjectId) -> Option<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for from in namer.analysis.referrers(symbol).take(REFERRERS) {
        for name in namer.contents.reference_names(namer.heap, from, symbol, 4) {
            let is_of_program = matches!(name.kind, ReferenceKind::Context | ReferenceKind::Property);
            let is_name = name.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
            if is_of_program && is_name && !name.text.starts_with(|c: char| c.is_ascii_digit()) {
                *times.entry(name.text).or_default() += 1;
            }
        }
    }
    let most = times.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    most.map(|(name, _)| name)
}
