//! Allocation sites as a call tree: the outermost frame at the top, below it its callees, each with the objects
//! allocated there and deeper. Only dumps taken while allocations were tracked contain sites.

use std::{collections::BTreeMap, ops::Range};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::answers::{DumpData, Question};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::{ClassId, Heap, ObjectId, RegionKind, Totals};

/// A frame of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteRow {
    /// Frame, formatted as in a Java stack trace.
    pub frame: Box<str>,
    /// Number of frames above it.
    pub depth: u32,
    /// Objects allocated by this frame and its callees.
    pub below: Totals,
    /// Objects allocated by this frame itself.
    pub own: Totals,
    /// Bytes of `below` by region, in the order of [`RegionKind::ALL`].
    pub regions: [Bytes; 5],
    /// Its own objects by class, most bytes first.
    pub classes: Vec<(ClassId, Totals)>,
    /// Row after its last descendant.
    pub end: usize,
}

/// The tree in preorder; siblings with most bytes first.
#[derive(Debug, Default)]
pub struct Sites {
    /// The rows.
    pub rows: Vec<SiteRow>,
    /// Totals of the shown objects with a known site.
    pub known: Totals,
    /// By site number, the row of its innermost frame.
    innermost: BTreeMap<u32, usize>,
}

/// A site, a class and a region.
type SiteKey = (u32, ClassId, RegionKind);

/// Totals of one site, class and region.
type SiteTotals = BTreeMap<SiteKey, Totals>;

/// A node during construction.
#[derive(Default)]
struct Node {
    frame: usize,
    children: Vec<usize>,
    below: Totals,
    own: Totals,
    regions: [Bytes; 5],
    classes: BTreeMap<ClassId, Totals>,
}

/// Where were the objects allocated?
#[derive(Clone, PartialEq, Eq)]
pub struct SitesQuestion;

impl Question for SitesQuestion {
    type Answer = Sites;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Sites, Cancelled> {
        sites(dump, task)
    }

    fn bytes(answer: &Sites) -> usize {
        let classes = |row: &SiteRow| size_of_val(&*row.classes) + row.frame.len();
        size_of_val(&*answer.rows) + answer.rows.iter().map(classes).sum::<usize>()
    }
}

/// Builds the tree of the shown objects.
pub fn sites(dump: DumpData<'_>, task: &Task) -> Result<Sites, Cancelled> {
    if !dump.contents.has_sites() {
        return Ok(Sites::default());
    }
    task.step("Reading allocation sites", Unit::Objects, dump.heap.len() as u64);
    let counted = counted(dump, task)?;
    let counted: Vec<(SiteKey, Totals)> = counted.into_iter().collect();
    let mut tree = SiteTreeBuilder { nodes: vec![Node::default()], ..SiteTreeBuilder::default() };
    let mut last = Vec::new();
    for of_site in counted.chunk_by(|a, b| a.0.0 == b.0.0) {
        task.checkpoint()?;
        let Some(&((site, ..), _)) = of_site.first() else { continue };
        let frames = dump.contents.site(site);
        // A site number without frames in the file is useless.
        if !frames.is_empty() {
            last.push((site, tree.add(frames, of_site)));
        }
    }
    Ok(tree.into_sites(dump.heap, &last))
}

fn counted(dump: DumpData<'_>, task: &Task) -> Result<SiteTotals, Cancelled> {
    let heap = dump.heap;
    let regions = heap.regions();
    let block = |rows: Result<Range<usize>, Cancelled>| -> Result<SiteTotals, Cancelled> {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let mut counted = SiteTotals::default();
        for object in rows.filter_map(ObjectId::new).filter(|&object| dump.analysis.is_reachable(object)) {
            let Some(site) = dump.contents.allocation_site(heap, object) else { continue };
            let region = regions.map_or(RegionKind::Default, |regions| regions.kind(object));
            let one = Totals { objects: 1, shallow: heap.shallow(object) };
            counted.entry((site, heap.class_id(object), region)).or_default().add(one);
        }
        Ok(counted)
    };
    task.par_blocks(heap.len()).map(block).try_reduce(SiteTotals::default, |mut all, more| {
        more.into_iter().for_each(|(key, totals)| all.entry(key).or_default().add(totals));
        Ok(all)
    })
}

#[derive(Default)]
struct SiteTreeBuilder {
    /// The first node is the virtual root.
    nodes: Vec<Node>,
    frames: Vec<Box<str>>,
    known: FxHashMap<Box<str>, usize>,
    below: FxHashMap<(usize, usize), usize>,
}

impl SiteTreeBuilder {
    /// Adds the counts of a site (innermost frame first); returns the node of its innermost frame.
    fn add(&mut self, frames: Vec<String>, counted: &[(SiteKey, Totals)]) -> usize {
        let mut path = vec![0];
        for frame in frames.into_iter().rev() {
            let frame = frame.into_boxed_str();
            let next = self.frames.len();
            let frame = *self.known.entry(frame).or_insert_with_key(|frame| {
                self.frames.push(frame.clone());
                next
            });
            let (above, next) = (path[path.len() - 1], self.nodes.len());
            let node = *self.below.entry((above, frame)).or_insert(next);
            if node == next {
                self.nodes.push(Node { frame, ..Node::default() });
                self.nodes[above].children.push(node);
            }
            path.push(node);
        }
        for &((_, class, region), totals) in counted {
            for &node in &path {
                let node = &mut self.nodes[node];
                node.below.add(totals);
                node.regions[region as usize] += totals.shallow;
            }
            let innermost = &mut self.nodes[path[path.len() - 1]];
            innermost.own.add(totals);
            innermost.classes.entry(class).or_default().add(totals);
        }
        path[path.len() - 1]
    }

    fn into_sites(mut self, heap: &Heap, last: &[(u32, usize)]) -> Sites {
        let key: Vec<(u64, usize)> = self.nodes.iter().map(|node| (node.below.shallow.0, node.frame)).collect();
        let frames = &self.frames;
        for node in &mut self.nodes {
            node.children
                .sort_by(|&a, &b| key[b].0.cmp(&key[a].0).then_with(|| frames[key[a].1].cmp(&frames[key[b].1])));
        }
        let mut rows: Vec<SiteRow> = Vec::with_capacity(self.nodes.len() - 1);
        let mut row_of = vec![0; self.nodes.len()];
        // A stack of nodes with their depths.
        let mut waiting: Vec<(usize, u32)> = self.nodes[0].children.iter().rev().map(|&node| (node, 0)).collect();
        // Open rows whose ends are not known yet.
        let mut open: Vec<usize> = Vec::new();
        while let Some((at, depth)) = waiting.pop() {
            while open.len() > depth as usize {
                let Some(ended) = open.pop() else { break };
                rows[ended].end = rows.len();
            }
            let node = &self.nodes[at];
            let mut classes: Vec<(ClassId, Totals)> = node.classes.iter().map(|(&class, &of)| (class, of)).collect();
            let name = |class: ClassId| &heap.classes.get(class).name;
            classes.sort_by(|a, b| b.1.shallow.cmp(&a.1.shallow).then_with(|| name(a.0).cmp(name(b.0))));
            row_of[at] = rows.len();
            open.push(rows.len());
            let frame = self.frames[node.frame].clone();
            let Node { below, own, regions, .. } = *node;
            rows.push(SiteRow { frame, depth, below, own, regions, classes, end: 0 });
            waiting.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
        let end = rows.len();
        open.into_iter().for_each(|row| rows[row].end = end);
        let innermost = last.iter().map(|&(site, node)| (site, row_of[node])).collect();
        Sites { rows, known: self.nodes[0].below, innermost }
    }
}

impl Sites {
    /// Site numbers at a row and below it.
    pub fn below(&self, row: usize) -> Vec<u32> {
        let rows = row..self.rows.get(row).map_or(row, |row| row.end);
        self.innermost.iter().filter(|(_, at)| rows.contains(at)).map(|(&site, _)| site).collect()
    }
}
