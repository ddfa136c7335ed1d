//! The sections of a snapshot: nodes and edges as numbers, names as in the text.

use super::text::Json;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Bits of the flags of a node.
const INTERNAL: u64 = 1;

/// Name of nodes and edges whose name is not in the file.
pub(super) const MISSING_NAME: &[u8] = b"(name not in the file)";

/// A node. A name is an index; those out of range have no name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node {
    pub(super) id: u64,
    pub(super) size: u64,
    pub(super) class: u32,
    /// Name in the form for debugging; `u32::MAX` if there is none.
    pub(super) label: u32,
    /// True if it belongs to the engine, not to the program.
    pub(super) is_internal: bool,
}

/// An edge between two ids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) kind: u32,
    /// Index of a name, or index of an element.
    pub(super) name: u32,
}

/// Sections that are read. If the file is truncated, what comes before is there.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// True for the form with labels, addresses and reasons of roots.
    pub(super) is_debugging: bool,
    pub(super) nodes: Vec<Node>,
    pub(super) class_names: Vec<&'a [u8]>,
    pub(super) edges: Vec<Edge>,
    pub(super) edge_types: Vec<&'a [u8]>,
    pub(super) edge_names: Vec<&'a [u8]>,
    pub(super) labels: Vec<&'a [u8]>,
    /// Root objects with the labels of their reasons.
    pub(super) roots: Vec<(u64, u32)>,
    /// Offset at which the file is truncated or malformed, if it is.
    pub(super) broken: Option<u64>,
    /// Sections that every snapshot has and that were not found.
    pub(super) missing: Vec<&'static str>,
}

/// Sections that every snapshot has.
const SECTIONS: [&str; 5] = ["nodes", "nodeClassNames", "edges", "edgeTypes", "edgeNames"];

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl<'a> Parts<'a> {
    pub(super) fn read(file: &'a [u8], task: &Task) -> Result<Self, Cancelled> {
        let mut parts = Self::default();
        let mut json = Json::new(file);
        json.enter(b'{');
        let mut is_whole = true;
        parts.missing = SECTIONS.to_vec();
        while let Some(key) = json.key() {
            parts.missing.retain(|section| section.as_bytes() != key);
            let read = match key {
                b"type" => json.string().map(|of| parts.is_debugging = of == b"GCDebugging"),
                b"nodes" => parts.read_nodes(&mut json, task)?,
                b"edges" => parts.read_edges(&mut json, task)?,
                b"roots" => parts.read_roots(&mut json, task)?,
                b"nodeClassNames" => strings(&mut json, &mut parts.class_names, task)?,
                b"edgeTypes" => strings(&mut json, &mut parts.edge_types, task)?,
                b"edgeNames" => strings(&mut json, &mut parts.edge_names, task)?,
                b"labels" => strings(&mut json, &mut parts.labels, task)?,
                _ => json.skip(),
            };
            if read.is_none() {
                is_whole = false;
                break;
            }
        }
        let at = json.offset().min(file.len() as u64);
        // The walk over the sections ends behind the last bracket.
        let (read, rest) = file.split_at_checked(usize::try_from(at).unwrap_or(usize::MAX)).unwrap_or((file, &[]));
        let is_closed = read.ends_with(b"}") && rest.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        parts.broken = (!is_whole || !is_closed).then_some(at);
        if parts.broken.is_some() {
            parts.missing.clear();
        }
        Ok(parts)
    }

    fn read_nodes(&mut self, json: &mut Json<'a>, task: &Task) -> Result<Option<()>, Cancelled> {
        let is_debugging = self.is_debugging;
        records(json, task, |json| {
            let (id, size) = (json.number()?, next(json)?);
            let (class, flags) = (narrow(next(json)?), next(json)?);
            let mut label = u32::MAX;
            if is_debugging {
                label = narrow(next(json)?);
                // Addresses of the cell and of what it wraps.
                json.more(b']')?.then_some(())?;
                json.skip()?;
                json.more(b']')?.then_some(())?;
                json.skip()?;
            }
            self.nodes.push(Node { id, size, class, label, is_internal: flags & INTERNAL != 0 });
            Some(())
        })
    }

    fn read_edges(&mut self, json: &mut Json<'a>, task: &Task) -> Result<Option<()>, Cancelled> {
        records(json, task, |json| {
            let (from, to, kind) = (json.number()?, next(json)?, narrow(next(json)?));
            self.edges.push(Edge { from, to, kind, name: narrow(next(json)?) });
            Some(())
        })
    }

    fn read_roots(&mut self, json: &mut Json<'a>, task: &Task) -> Result<Option<()>, Cancelled> {
        records(json, task, |json| {
            let (id, reason, reachable) = (json.number()?, narrow(next(json)?), narrow(next(json)?));
            // The reason why an opaque root is reachable takes the place of an empty reason.
            self.roots.push((id, if reason == 0 { reachable } else { reason }));
            Some(())
        })
    }

    /// Number of names and of types of edges that are not in their lists.
    pub(super) fn unnamed(&self) -> u64 {
        let classes = self.nodes.iter().filter(|node| node.class as usize >= self.class_names.len()).count();
        let is_unnamed = |edge: &&Edge| match self.edge_types.get(edge.kind as usize).copied() {
            Some(b"Property" | b"Variable") => edge.name as usize >= self.edge_names.len(),
            Some(_) => false,
            None => true,
        };
        (classes + self.edges.iter().filter(is_unnamed).count()) as u64
    }

    /// Name of the class of a node.
    pub(super) fn class_of(&self, node: &Node) -> &'a [u8] {
        self.class_names.get(node.class as usize).copied().unwrap_or(MISSING_NAME)
    }

    /// Label of a node, if it has one.
    pub(super) fn label_of(&self, node: &Node) -> Option<&'a [u8]> {
        self.labels.get(node.label as usize).copied().filter(|label| !label.is_empty())
    }
}

/// The number after a comma.
fn next(json: &mut Json<'_>) -> Option<u64> {
    json.more(b']')?.then_some(())?;
    json.number()
}

/// Reads an array record by record; `None` if it is not whole.
fn records<'a>(
    json: &mut Json<'a>,
    task: &Task,
    mut record: impl FnMut(&mut Json<'a>) -> Option<()>,
) -> Result<Option<()>, Cancelled> {
    if !json.enter(b'[') {
        return Ok(None);
    }
    for count in 0_usize.. {
        if count.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        match json.more(b']') {
            Some(true) if record(json).is_some() => {}
            Some(false) => return Ok(Some(())),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

fn strings<'a>(json: &mut Json<'a>, list: &mut Vec<&'a [u8]>, task: &Task) -> Result<Option<()>, Cancelled> {
    records(json, task, |json| {
        list.push(json.string()?);
        Some(())
    })
}
