//! Scripts by number, found through their functions, since the file lists them nowhere.

use rustc_hash::FxHashMap;

use super::meta::{EdgeKind, NodeKind};
use super::reader::SnapshotReader;

/// Number of functions of a script to try for its name.
const TRIES: u32 = 4;
/// Maximum length of a name in characters. Some scripts have a data URL with all of their source.
const NAME: usize = 1 << 12;
/// Prefix of the names of script nodes in newer files.
const SCRIPT: &str = "system / Script / ";

/// A script with a name.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) name: String,
    /// Row of the string with its text, of which V8 records the first 1024 characters.
    text: Option<u32>,
}

/// The scripts with a name.
pub(super) fn scripts(reader: SnapshotReader<'_>) -> FxHashMap<u32, Script> {
    let (mut scripts, mut tries): (FxHashMap<u32, Script>, FxHashMap<u32, u32>) =
        (FxHashMap::default(), FxHashMap::default());
    // Functions may share one node, with any number of references.
    let mut script_by_info: FxHashMap<u32, Option<Script>> = FxHashMap::default();
    for &(row, [script, ..]) in &reader.index.locations {
        let tried = tries.entry(script).or_default();
        if *tried >= TRIES {
            continue;
        }
        let Some(node) = reader.node(row).filter(|node| node.kind == NodeKind::Closure) else { continue };
        *tried += 1;
        let shared = reader.edges_of(&node).find(|edge| reader.is_called(edge, "shared")).map(|edge| edge.to);
        let name =
            shared.and_then(|shared| script_by_info.entry(shared).or_insert_with(|| script_of(reader, shared)).clone());
        if let Some(name) = name {
            scripts.insert(script, name);
            *tried = TRIES;
        }
    }
    scripts
}

/// Beginning of the text of a script, as far as the file has it.
pub(super) fn beginning(reader: SnapshotReader<'_>, script: &Script) -> Option<String> {
    let row = script.text?;
    reader.text(&reader.node(row)?, row, NAME)
}

/// The script according to the shared info of a function.
fn script_of(reader: SnapshotReader<'_>, shared: u32) -> Option<Script> {
    let internal = |of: u32, name: &str| reader.follow(of, EdgeKind::Internal, name);
    let of = internal(shared, "script").or_else(|| internal(shared, "script_or_debug_info"))?;
    let of_node = || {
        let node = reader.node(of).filter(|node| node.kind == NodeKind::Code || node.kind == NodeKind::Native)?;
        let name = reader.name(&node);
        // Older files name the node after the script.
        let of_engine = name.starts_with("system /");
        name.strip_prefix(SCRIPT).map(str::to_owned).or_else(|| (!of_engine).then(|| name.clone()))
    };
    let name = internal(of, "name").and_then(|name| reader.text(&reader.node(name)?, name, NAME));
    let name = name.or_else(of_node).filter(|name| !name.is_empty())?;
    Some(Script { name, text: internal(of, "source") })
}
