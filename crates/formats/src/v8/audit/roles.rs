//! What each string of the table is, by the nodes, edges and functions that refer to it.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::json::{NumberList, StringTable};
use crate::v8::text::decode;
use crate::v8::weak_maps::ids_in;
use heaplens_base::Task;
use heaplens_heap::value_rules::{DICTIONARY, is_runtime_symbol};

/// Roles of a string, as bits.
pub(super) mod role {
    pub(crate) const NAME: u8 = 1;
    pub(crate) const PATH: u8 = 2;
    pub(crate) const KEY: u8 = 4;
    pub(crate) const VALUE: u8 = 8;
}

/// Types of nodes whose names are values.
const VALUES: [&str; 8] =
    ["string", "concatenated string", "sliced string", "slicedstring", "regexp", "number", "symbol", "bigint"];
/// Names that engines give to such nodes.
const LABELS: [&str; 6] =
    ["(concatenated string)", "(sliced string)", "(external string)", "heap number", "smi number", "number"];

/// A node whose name is a value.
pub(super) struct ValueNode {
    pub(super) id: u64,
    pub(super) name: usize,
    /// Type of the node.
    pub(super) kind: String,
    /// True if the name is a label of the engine, the name of a script, or a word that says whether a text was cut.
    pub(super) is_allowed: bool,
}

/// Roles of all strings.
pub(super) struct AuditRoles {
    of_string: Vec<u8>,
    pub(super) values: Vec<ValueNode>,
    /// Ids in names of WeakMap entries, and the name of the node of each if it is no value.
    pub(super) weak: FxHashMap<u64, Option<usize>>,
}

/// Numbers and places of the fields of a record.
struct Fields {
    count: usize,
    kind: usize,
    name: usize,
    last: usize,
    id: usize,
}

fn names(meta: &Value, key: &str) -> Vec<String> {
    let list = meta.get(key).and_then(Value::as_array).into_iter().flatten();
    list.map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
}

fn types(meta: &Value, key: &str, field: usize) -> Vec<String> {
    let list = meta.get(key).and_then(|types| types.get(field)).and_then(Value::as_array).into_iter().flatten();
    list.map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
}

fn fields(meta: &Value, key: &str, [kind, name, last, id]: [&str; 4]) -> Option<Fields> {
    let names = names(meta, key);
    let index_of = |name: &str| names.iter().position(|field| field == name);
    let id = index_of(id).unwrap_or_default();
    Some(Fields { count: names.len(), kind: index_of(kind)?, name: index_of(name)?, last: index_of(last)?, id })
}

/// An edge: its type, name and target row.
type AuditEdge = (usize, u64, u64);

/// Nodes with their edges.
struct Walk<'a> {
    nodes: &'a [u8],
    edges: &'a [u8],
    node: Fields,
    edge: Fields,
}

impl Walk<'_> {
    /// Calls `visit` with the row, type, name and id of each node, and its edges.
    fn each(&self, mut visit: impl FnMut(u64, usize, usize, u64, &[AuditEdge])) {
        let (mut nodes, mut edges) = (NumberList::new(self.nodes), NumberList::new(self.edges));
        let (mut node, mut edge, mut of_node) = (Vec::new(), Vec::new(), Vec::new());
        let at = |record: &[u64], at: usize| record.get(at).copied().unwrap_or_default();
        for row in 0.. {
            node.clear();
            node.extend(nodes.by_ref().take(self.node.count));
            if node.len() < self.node.count {
                return;
            }
            of_node.clear();
            for _ in 0..at(&node, self.node.last) {
                edge.clear();
                edge.extend(edges.by_ref().take(self.edge.count));
                if edge.len() < self.edge.count {
                    break;
                }
                let (to, count) = (at(&edge, self.edge.last), self.node.count as u64);
                // A place within a record is that of no node.
                let to = if to.is_multiple_of(count) { to / count } else { u64::MAX };
                of_node.push((at(&edge, self.edge.kind) as usize, at(&edge, self.edge.name), to));
            }
            let (kind, name) = (at(&node, self.node.kind) as usize, at(&node, self.node.name) as usize);
            visit(row, kind, name, at(&node, self.node.id), &of_node);
        }
    }
}

impl AuditRoles {
    /// Finds the roles; `None` if there are no records.
    pub(super) fn find(
        meta: &Value,
        (nodes, edges, functions): (&[u8], &[u8], &[u8]),
        (file, strings): (&[u8], &StringTable),
        task: &Task,
    ) -> Option<Self> {
        let node = fields(meta, "node_fields", ["type", "name", "edge_count", "id"])?;
        let edge = fields(meta, "edge_fields", ["type", "name_or_index", "to_node", "type"])?;
        let (node_types, edge_types) = (types(meta, "node_types", node.kind), types(meta, "edge_types", edge.kind));
        // ArkTS names its hidden edges.
        let has_named_hidden = node_types.iter().any(|name| name == "framework");
        let walk = Walk { nodes, edges, node, edge };
        let text = |string: usize| strings.raw(file, string).map(decode).unwrap_or_default();
        let is = |string: u64, word: &str| {
            let raw = strings.raw(file, string as usize).unwrap_or_default();
            // A word may be written with escapes, of up to six bytes for a letter.
            raw == word.as_bytes() || raw.len() <= 6 * word.len() && raw.contains(&b'\\') && decode(raw) == word
        };
        let is_type = |kind: usize, name: &str| edge_types.get(kind).is_some_and(|of| of == name);
        // Scripts, the nodes with their names, and the words of cut texts.
        let (mut scripts, mut cut) = (FxHashSet::default(), FxHashSet::default());
        walk.each(|_, _, _, _, edges| {
            for &(_, name, to) in edges.iter().filter(|edge| is_type(edge.0, "internal")) {
                if is(name, "script") || is(name, "script_or_debug_info") {
                    scripts.insert(to);
                } else if is(name, "truncated") {
                    cut.insert(to);
                }
            }
        });
        task.checkpoint().ok()?;
        let (mut paths, mut words) = (FxHashSet::default(), FxHashSet::default());
        walk.each(|row, _, _, _, edges| {
            for &(_, name, to) in edges.iter().filter(|edge| is_type(edge.0, "internal")) {
                if scripts.contains(&row) && is(name, "name") {
                    paths.insert(to);
                } else if cut.contains(&row) && is(name, "value") {
                    words.insert(to);
                }
            }
        });
        let mut weak = FxHashMap::default();
        for string in 0..strings.len() {
            let raw = strings.raw(file, string).unwrap_or_default();
            if memchr::memmem::find(raw, b"part of key").is_some() {
                weak.extend(ids_in(&decode(raw)).map(|id| (id, None)));
            }
        }
        let mut roles = Self { of_string: vec![0; strings.len()], values: Vec::new(), weak };
        walk.each(|row, kind, name, id, edges| {
            let kind = node_types.get(kind).map_or("", String::as_str);
            let is_value = VALUES.contains(&kind) || kind.contains("string");
            if is_value {
                let label = text(name);
                let is_label = kind != "string"
                    && (LABELS.contains(&&*label)
                        || kind == "regexp" && label == "Array"
                        || matches!(kind, "symbol" | "bigint") && is_runtime_symbol(&label));
                // Its text is judged as a path.
                let is_path = !is_label && paths.contains(&row);
                let is_word = words.contains(&row) && matches!(&*label, "true" | "false");
                roles.values.push(ValueNode {
                    id,
                    name,
                    kind: kind.to_owned(),
                    is_allowed: is_label || is_path || is_word,
                });
                roles.add(
                    name,
                    if is_label {
                        role::NAME
                    } else if is_path {
                        role::PATH
                    } else {
                        role::VALUE
                    },
                );
            } else {
                let is_path = scripts.contains(&row) && matches!(kind, "code" | "native");
                roles.add(name, if is_path { role::PATH } else { role::NAME });
                roles.weak.get_mut(&id).into_iter().for_each(|known| *known = Some(name));
            }
            let is_key = |edge: &&AuditEdge| is_type(edge.0, "property") && !is(edge.1, "__proto__");
            let is_dictionary =
                kind == "object" && is(name as u64, "Object") && edges.iter().filter(is_key).count() >= DICTIONARY;
            for edge in edges {
                let is_numbered = is_type(edge.0, "element") || is_type(edge.0, "hidden") && !has_named_hidden;
                if !is_numbered {
                    let of = if is_dictionary && is_key(&edge) { role::KEY } else { role::NAME };
                    roles.add(edge.1 as usize, of);
                }
            }
        });
        let of_function = names(meta, "trace_function_info_fields");
        let index_of = |name: &str| of_function.iter().position(|field| field == name);
        let (name, script) = (index_of("name"), index_of("script_name"));
        let mut numbers = NumberList::new(functions);
        loop {
            let record: Vec<u64> = numbers.by_ref().take(of_function.len()).collect();
            if record.is_empty() || record.len() < of_function.len() {
                break;
            }
            let string = |at: Option<usize>| at.and_then(|at| record.get(at)).map_or(usize::MAX, |&at| at as usize);
            roles.add(string(name), role::NAME);
            roles.add(string(script), role::PATH);
        }
        Some(roles)
    }

    fn add(&mut self, string: usize, role: u8) {
        self.of_string.get_mut(string).into_iter().for_each(|of| *of |= role);
    }

    pub(super) fn of(&self, string: usize) -> u8 {
        self.of_string.get(string).copied().unwrap_or_default()
    }
}
