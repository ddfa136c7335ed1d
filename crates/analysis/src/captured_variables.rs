//! Variables that functions of a bundle captured, with their names in the source.

use std::collections::BTreeMap;

use crate::answers::DumpData;
use heaplens_heap::{ObjectId, ReferenceKind, ScriptPosition, SourceVariable};

/// Class of closure contexts in V8, and of functions.
const CONTEXT: &str = "system / Context";
const FUNCTION: &str = "Function";
/// Maximum number of variables of a context, of referrers of one, of contexts inside of it, and of functions asked.
const VARIABLES: usize = 1 << 12;
const REFERRERS: usize = 256;
const CONTEXTS: usize = 8;
const FUNCTIONS: usize = 4;

/// Variables of a closure context in the source, by their names in the script. Those that no source map has for certain
/// are missing.
pub fn source_variables(dump: DumpData<'_>, context: ObjectId) -> BTreeMap<String, SourceVariable> {
    let is_context = dump.heap.class(context).name.starts_with(CONTEXT);
    let functions = if is_context { functions(dump, context) } else { Vec::new() };
    if functions.is_empty() {
        return BTreeMap::new();
    }
    let edges = dump.contents.named_references_of(dump.heap, context, VARIABLES).unwrap_or_default();
    let variables = edges.into_iter().filter(|(name, _)| name.kind == ReferenceKind::Context);
    let mut names: Vec<String> = variables.map(|(name, _)| name.text).collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut variables_by_name: BTreeMap<&str, Option<SourceVariable>> = BTreeMap::new();
    for function in functions {
        let variables = dump.contents.source_variables(function, &names);
        for (&name, variable) in names.iter().zip(variables) {
            let Some(variable) = variable else { continue };
            // Where functions of one context disagree, neither is certain.
            let known = variables_by_name.entry(name).or_insert_with(|| Some(variable.clone()));
            *known = known.take().filter(|known| *known == variable);
        }
    }
    variables_by_name.into_iter().filter_map(|(name, variable)| Some((name.to_owned(), variable?))).collect()
}

/// Positions of functions with this context; of functions inside of those if none is alive. Only of scripts with a source
/// map.
fn functions(dump: DumpData<'_>, context: ObjectId) -> Vec<ScriptPosition> {
    let DumpData { heap, contents, analysis, .. } = dump;
    let (mut contexts, mut positions) = (vec![context], Vec::new());
    let mut at = 0;
    while let Some(&context) = contexts.get(at) {
        at += 1;
        for from in analysis.referrers(context).take(REFERRERS) {
            let class = &*heap.class(from).name;
            if class.starts_with(CONTEXT) && contexts.len() < CONTEXTS && !contexts.contains(&from) {
                contexts.push(from);
            }
            let location = (class == FUNCTION).then(|| contents.script_location(heap, from)).flatten();
            if let Some(location) = location.filter(|location| location.source.is_some())
                && !positions.contains(&location.position)
            {
                positions.push(location.position);
            }
            if positions.len() == FUNCTIONS {
                break;
            }
        }
        if !positions.is_empty() {
            break;
        }
    }
    positions
}
