//! What each string of a snapshot is: a value, a name, or both. A string of the table may be the text of a string and the
//! name of a class at the same time.

use rustc_hash::{FxHashMap, FxHashSet};

use super::snapshot::Snapshot;
use crate::error::OpenError;
use crate::v8::meta::{EdgeKind, NodeKind};
use crate::v8::text::decode;
use crate::v8::weak_maps::ids_in;
use crate::v8::words::Word;
use heaplens_base::storage::out_of_memory::room_for;
use heaplens_base::{Task, Unit};
use heaplens_heap::value_rules::{self, DICTIONARY, DataKind, disclosed};

/// Roles of a string, as bits.
pub(super) mod role {
    /// Name of a node, an edge or a function.
    pub(crate) const NAME: u8 = 1;
    /// Name of a script, with its folders.
    pub(crate) const PATH: u8 = 2;
    /// Name of a property of a dictionary.
    pub(crate) const KEY: u8 = 8;
    /// Value of a node.
    pub(crate) const VALUE: u8 = 16;
    /// Roles of structure.
    pub(crate) const STRUCTURE: u8 = NAME | PATH;
}

/// Roles of all strings and of some nodes.
pub(super) struct Roles {
    of_string: Vec<u8>,
    /// Rows of string nodes whose text is the name of a script.
    paths: FxHashSet<u32>,
    /// Rows of string nodes with words of the engine.
    words: FxHashSet<u32>,
    /// Ids in names of WeakMap entries, and the string that is the name of that node if it is no value.
    weak: FxHashMap<u64, Option<u32>>,
    /// Number of nodes whose names are values.
    pub(super) values: u64,
    /// Number of strings that are keys and no other names.
    pub(super) keys: u64,
}

impl Roles {
    /// Finds the roles.
    pub(super) fn find(of: &Snapshot<'_>, task: &Task) -> Result<Self, OpenError> {
        let count = of.parts.strings.count() as usize;
        let mut of_string = room_for::<u8>(count);
        of_string.resize(count, 0);
        let (paths, words) = special_nodes(of, task)?;
        let mut roles = Self { of_string, paths: paths.names, words, weak: FxHashMap::default(), values: 0, keys: 0 };
        for string in 0..of.parts.strings.count() {
            task.checkpoint_at(string as usize)?;
            let raw = of.raw(string);
            if memchr::memmem::find(raw, b"part of key").is_some() {
                roles.weak.extend(ids_in(&decode(raw)).map(|id| (id, None)));
            }
        }
        task.step("Finding names", Unit::Objects, of.nodes);
        let mut properties = Vec::new();
        of.walk(task, |node, edges| {
            if of.is_value(&node) && !roles.words.contains(&node.row) {
                let is_path = roles.paths.contains(&node.row);
                roles.add(node.name, if is_path { role::PATH } else { role::VALUE });
                roles.values += u64::from(!is_path);
            } else if paths.scripts.contains(&node.row) && matches!(node.kind, NodeKind::Code | NodeKind::Native) {
                roles.add(node.name, role::PATH);
            } else {
                roles.add(node.name, role::NAME);
                if let Some(name) = roles.weak.get_mut(&node.id) {
                    *name = Some(node.name);
                }
            }
            properties.clear();
            for edge in edges.iter().filter(|edge| !edge.is_numbered) {
                if edge.kind == EdgeKind::Property && !of.is(edge.name, Word::Prototype) {
                    properties.push(edge.name);
                } else {
                    roles.add(edge.name, role::NAME);
                }
            }
            let is_plain = node.kind == NodeKind::Object && of.is(node.name, Word::Object);
            let role = if is_plain && properties.len() >= DICTIONARY { role::KEY } else { role::NAME };
            properties.iter().for_each(|&name| roles.add(name, role));
        })?;
        of.functions(task, |name, script| {
            roles.add(name, role::NAME);
            roles.add(script, role::PATH);
        })?;
        let is_key = |of: &&u8| **of & role::KEY != 0 && **of & role::STRUCTURE == 0;
        roles.keys = roles.of_string.iter().filter(is_key).count() as u64;
        Ok(roles)
    }

    fn add(&mut self, string: u32, role: u8) {
        self.of_string.get_mut(string as usize).into_iter().for_each(|of| *of |= role);
    }

    /// Roles of a string; none if nothing refers to it.
    pub(super) fn of(&self, string: u32) -> u8 {
        self.of_string.get(string as usize).copied().unwrap_or_default()
    }

    /// True if the name of the node of a row is a value that must not remain.
    pub(super) fn is_secret(&self, row: u32) -> bool {
        !self.paths.contains(&row) && !self.words.contains(&row)
    }

    /// A name of structure without the values in it.
    pub(super) fn cleaned(&self, of: &Snapshot<'_>, string: u32) -> String {
        let text = decode(of.raw(string));
        if value_rules::is_weak_map_entry(&text) {
            return value_rules::weak_map_entry(&text, |id| {
                let name = self.weak.get(&id).copied().flatten()?;
                Some(value_rules::name(&decode(of.raw(name))).into_owned().into())
            });
        }
        let is_path = self.of(string) & (role::PATH | role::NAME) == role::PATH;
        disclosed(if is_path { DataKind::SourcePath } else { DataKind::ClassName }, &text).into_owned()
    }
}

/// Scripts and the strings with their names.
#[derive(Default)]
struct Scripts {
    scripts: FxHashSet<u32>,
    names: FxHashSet<u32>,
}

/// Finds scripts with their names, and the words that say whether a text is cut.
fn special_nodes(of: &Snapshot<'_>, task: &Task) -> Result<(Scripts, FxHashSet<u32>), OpenError> {
    task.step("Finding scripts", Unit::Objects, of.nodes);
    let (mut scripts, mut cut) = (Scripts::default(), FxHashSet::default());
    of.walk(task, |_, edges| {
        for edge in edges.iter().filter(|edge| edge.kind == EdgeKind::Internal) {
            if of.is(edge.name, Word::Script) || of.is(edge.name, Word::ScriptOrDebugInfo) {
                scripts.scripts.extend(edge.to);
            } else if of.is(edge.name, Word::Truncated) {
                cut.extend(edge.to);
            }
        }
    })?;
    let mut values = FxHashSet::default();
    task.step("Finding names of scripts", Unit::Objects, of.nodes);
    of.walk(task, |node, edges| {
        let (is_script, is_cut) = (scripts.scripts.contains(&node.row), cut.contains(&node.row));
        for edge in edges.iter().filter(|edge| edge.kind == EdgeKind::Internal && (is_script || is_cut)) {
            if is_script && of.is(edge.name, Word::Name) {
                scripts.names.extend(edge.to);
            } else if is_cut && of.is(edge.name, Word::Value) {
                values.extend(edge.to);
            }
        }
    })?;
    // Anything may be behind such an edge; only the words remain.
    let mut words = FxHashSet::default();
    if !values.is_empty() {
        of.walk(task, |node, _| {
            if values.contains(&node.row) && [&b"true"[..], b"false"].contains(&of.raw(node.name)) {
                words.insert(node.row);
            }
        })?;
    }
    Ok((scripts, words))
}
