//! Pairs of raw heaps. A program that runs both kinds of ArkTS writes two files: the heap of the dynamic runtime, and
//! that of the static one with the references between them. They are joined to one heap with one root.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{NAMELESS, Names};
use super::snapshot::{Edge, EdgeKind, EdgeVisitor, Graph, Node};
use super::{records::Records, roots::group_node, static_heap::StaticHeap};
use crate::error::OpenError;

/// Words that distinguish the names of the two files.
const WORDS: [&str; 2] = ["dynamic", "static"];
/// Separators before the word, if only one of the names has it.
const BEFORE: [&str; 3] = ["-", "_", "."];
/// File name extension.
const ENDING: &str = ".rawheap";

/// Candidate paths for the other file of a pair, most likely first: in the same folder, with the same name except for
/// the word that distinguishes them.
pub(super) fn companion_paths(path: &Path, is_static: bool) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let [own, other] = if is_static { [WORDS[1], WORDS[0]] } else { WORDS };
    let mut names: Vec<String> = Vec::new();
    if let Some((before, after)) = name.rsplit_once(own) {
        names.push(format!("{before}{other}{after}"));
        if is_static {
            let shorter = |mark: &str| before.strip_suffix(mark).map(|before| format!("{before}{after}"));
            names.extend(BEFORE.iter().filter_map(|mark| shorter(mark)));
        }
    }
    if let Some((stem, packed)) = name.rsplit_once(ENDING).filter(|_| !is_static) {
        names.extend(BEFORE.iter().map(|mark| format!("{stem}{mark}{other}{ENDING}{packed}")));
    }
    names.into_iter().map(|name| path.with_file_name(name)).collect()
}

/// References between the runtimes with both ends present, as indexes in their heaps.
struct Crossings(Vec<(u32, u32, u8)>);

impl Crossings {
    fn find(dynamic: &[Node], fixed: &StaticHeap<'_>, records: &Records<'_>) -> Self {
        let wanted: FxHashSet<u32> = records.crossings.iter().map(|crossing| crossing.dynamic).collect();
        let ids = dynamic.iter().map(|node| node.id).zip(0..);
        let nodes: FxHashMap<u32, u32> = ids.filter(|(id, _)| *id != 0 && wanted.contains(id)).collect();
        let crossings = records.crossings.iter().filter_map(|crossing| {
            Some((*nodes.get(&crossing.dynamic)?, fixed.find(crossing.fixed)?, crossing.direction))
        });
        Self(crossings.collect())
    }
}

/// Two heaps as one.
pub(super) struct Pair<'a> {
    /// Has all nodes; those of the static heap come after its own.
    dynamic: Box<dyn Graph<'a> + 'a>,
    fixed: Vec<(u32, Edge)>,
    /// Edges between the two heaps, sorted by source node.
    between: Vec<(u32, Edge)>,
}

impl<'a> Pair<'a> {
    /// True if two heaps are of one process: most references between them have both ends.
    pub(super) fn matches(dynamic: &mut dyn Graph<'_>, fixed: &StaticHeap<'_>, records: &Records<'_>) -> bool {
        let count = Crossings::find(dynamic.parts().0, fixed, records).0.len();
        records.is_hybrid && count > 0 && 2 * count > records.crossings.len()
    }

    /// Joins them.
    pub(super) fn join(mut dynamic: Box<dyn Graph<'a> + 'a>, fixed: &StaticHeap<'a>, records: &Records<'a>) -> Self {
        let (nodes, names) = dynamic.parts();
        let crossings = Crossings::find(nodes, fixed, records);
        let first = nodes.len() as u32;
        let texts = &fixed.names;
        let mut moved_names: FxHashMap<u32, u32> = FxHashMap::default();
        let mut named = |moved: u32, names: &mut Names<'a>| {
            let text = if Names::is_named(moved) { texts.text(moved) } else { texts.text(NAMELESS) };
            *moved_names.entry(moved).or_insert_with(|| names.add_text(text))
        };
        let mut edges = fixed.edges.iter().peekable();
        let mut shifted = Vec::with_capacity(fixed.edges.len());
        for (moved, node) in (0..).zip(&fixed.nodes) {
            nodes.push(Node { name: named(node.name, names), ..*node });
            while let Some(&(_, edge)) = edges.next_if(|&&(from, _)| from == moved) {
                let is_index = edge.kind == EdgeKind::Element;
                let name = if is_index { edge.name } else { named(edge.name, names) };
                shifted.push((first + moved, Edge { name, to: first + edge.to, ..edge }));
            }
        }
        let root = nodes.len() as u32;
        nodes.push(group_node("StaticRoot", records.roots.len(), names));
        let sub_root = names.add_text("-subroot-");
        let mut between = vec![(0, Edge { kind: EdgeKind::Shortcut, name: sub_root, to: root })];
        for (name, to) in (0..).zip(records.roots.iter().filter_map(|&id| fixed.find(id))) {
            between.push((root, Edge { kind: EdgeKind::Element, name, to: first + to }));
        }
        let [there, back, both] = ["xref_dyn_sta", "xref_sta_dyn", "xref_bidir"].map(|name| names.add_text(name));
        for (of_dynamic, of_static, direction) in crossings.0 {
            let of_static = first + of_static;
            let mut cross = |from, name, to| between.push((from, Edge { kind: EdgeKind::Xref, name, to }));
            match direction {
                0 => cross(of_dynamic, there, of_static),
                1 => cross(of_static, back, of_dynamic),
                _ => {
                    cross(of_dynamic, both, of_static);
                    cross(of_static, both, of_dynamic);
                }
            }
        }
        between.sort_by_key(|&(from, _)| from);
        for &(from, _) in &between {
            if let Some(node) = nodes.get_mut(from as usize) {
                node.edges += 1;
            }
        }
        Self { dynamic, fixed: shifted, between }
    }
}

impl<'a> Graph<'a> for Pair<'a> {
    fn parts(&mut self) -> (&mut Vec<Node>, &mut Names<'a>) {
        self.dynamic.parts()
    }

    fn walk(&mut self, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let mut between = self.between.iter().copied().peekable();
        let mut merged = |from: u32, edge: Edge| {
            while let Some((before, edge)) = between.next_if(|&(of, _)| of < from) {
                take(before, edge)?;
            }
            take(from, edge)
        };
        self.dynamic.walk(&mut merged)?;
        for &(from, edge) in &self.fixed {
            merged(from, edge)?;
        }
        between.try_for_each(|(from, edge)| take(from, edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_companion_file_has_the_same_name() {
        let names = |path: &str, is_static| -> Vec<String> {
            companion_paths(Path::new(path), is_static).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(names("d/app-dynamic.rawheap", false).first().map(String::as_str), Some("d/app-static.rawheap"));
        assert_eq!(
            names("d/app.rawheap", false),
            ["d/app-static.rawheap", "d/app_static.rawheap", "d/app.static.rawheap"]
        );
        assert_eq!(names("d/app_static.rawheap.gz", true), ["d/app_dynamic.rawheap.gz", "d/app.rawheap.gz"]);
        assert!(names("d/app.rawheap", true).is_empty());
    }
}
