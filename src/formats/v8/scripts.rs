//! Names of scripts by number, found through their functions, since the file lists them nowhere.

use rustc_hash::FxHashMap;

use super::meta::{EdgeKind, NodeKind};
use super::reading::Reading;

/// Number of functions of a script to try for its name.
const TRIES: u32 = 4;
/// Maximum length of a name in characters. Some scripts have a data URL with all of their source.
const NAME: usize = 1 << 12;
/// Prefix of the names of script nodes in newer files.
const SCRIPT: &str = "system / Script / ";

/// The names of scripts.
pub(super) fn names(reading: Reading<'_>) -> FxHashMap<u32, String> {
    let (mut names, mut tries): (FxHashMap<u32, String>, FxHashMap<u32, u32>) =
        (FxHashMap::default(), FxHashMap::default());
    // Functions may share one node, with any number of references.
    let mut said_by: FxHashMap<u32, Option<String>> = FxHashMap::default();
    for &(row, [script, ..]) in &reading.index.locations {
        let tried = tries.entry(script).or_default();
        if *tried >= TRIES {
            continue;
        }
        let Some(node) = reading.node(row).filter(|node| node.kind == NodeKind::Closure) else { continue };
        *tried += 1;
        let shared = reading.edges_of(&node).find(|edge| reading.is_called(edge, "shared")).map(|edge| edge.to);
        let said = shared.and_then(|shared| said_by.entry(shared).or_insert_with(|| said(reading, shared)).clone());
        if let Some(name) = said {
            names.insert(script, name);
            *tried = TRIES;
        }
    }
    names
}

/// Script name according to the shared info of a function.
fn said(reading: Reading<'_>, shared: u32) -> Option<String> {
    let internal = |of: u32, name: &str| reading.follow(of, EdgeKind::Internal, name);
    let of = internal(shared, "script").or_else(|| internal(shared, "script_or_debug_info"))?;
    let of_node = || {
        let node = reading.node(of).filter(|node| node.kind == NodeKind::Code || node.kind == NodeKind::Native)?;
        let name = reading.name(&node);
        // Older files name the node after the script.
        let of_engine = name.starts_with("system /");
        name.strip_prefix(SCRIPT).map(str::to_owned).or_else(|| (!of_engine).then(|| name.clone()))
    };
    let said = internal(of, "name").and_then(|name| reading.text(&reading.node(name)?, name, NAME));
    said.or_else(of_node).filter(|name| !name.is_empty())
}
