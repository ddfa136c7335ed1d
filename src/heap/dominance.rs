//! The dominator tree over objects.
//!
//! Everything stays in the numbers of the depth-first search, with a column
//! from object to number and one back: turning the columns around to objects
//! would cost a cache miss per entry of each, for all objects, to spare one for
//! those that somebody looks at.

use super::analyzed::Rules;
use super::facts::Heap;
use super::ids::{ClassId, ObjectId};
use super::roots::{Root, RootKind, Roots};
use crate::graph::bits::Bits;
use crate::graph::digraph::Digraph;
use crate::graph::dominators::immediate_dominators;
use crate::graph::leaves::append_leaves;
use crate::graph::marks::Marks;
use crate::graph::search::{Search, search};
use crate::graph::tree::{Tree, child_places, numbers_at};
use crate::task::{Cancelled, Task, Unit};
use crate::units::Bytes;

/// What is known before the search.
pub(super) struct Settled<'a, P> {
    /// Objects that the search leaves out.
    pub(super) leaves: &'a Bits,
    /// Marks for the roots of the file.
    pub(super) marks: &'a Marks,
    /// The one object that refers to a leaf.
    pub(super) parent_of: P,
}

/// Who dominates whom, and retained sizes.
pub(super) struct Dominance {
    /// Where the search began: the roots of the file, and those made for what they do not reach.
    pub(super) roots: Roots,
    /// Number of each object; 0, the virtual root's, where no root reaches.
    number: Vec<u32>,
    /// Object of each number; `NONE` for 0.
    order: Vec<u32>,
    tree: Tree,
    /// Place of each number in the preorder of the tree: a subtree is a run of places.
    place: Vec<u32>,
    number_at: Vec<u32>,
    class_retained: Vec<u64>,
}

impl Dominance {
    /// Searches, finds dominators, sums up. Steps are named in `task`.
    pub(super) fn find(
        heap: &Heap,
        rules: Rules,
        settled: &Settled<'_, impl Fn(u32) -> u32>,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(rules.weakest);
        let graph = heap.graph(skip.as_ref());
        task.step("Searching from the roots", Unit::Objects, heap.len() as u64);
        let (mut found, roots) = search_all(heap, &graph, rules, settled, task)?;

        task.step("Finding dominators", Unit::Objects, 2 * found.reached() as u64);
        let mut idoms = immediate_dominators(&graph, &mut found, task)?;
        append_leaves(&mut found, &mut idoms, settled.leaves, &settled.parent_of, task)?;

        task.step("Summing retained sizes", Unit::Objects, heap.len() as u64);
        let Search { order, number, .. } = found;
        let shallow = |n: u32| ObjectId::from_raw(order[n as usize]).map_or(0, |o| heap.shallow(o).0);
        let tree = Tree::new(idoms, shallow, task)?;
        let place = tree.places(task)?;
        let number_at = numbers_at(&place, task)?;
        let class_of = |n: u32| heap.class_column()[order[n as usize] as usize];
        let class_retained = tree.group_totals(&number_at, class_of, heap.classes.len(), task)?;
        task.advance(heap.len() as u64);
        Ok(Self { roots, number, order, tree, place, number_at, class_retained })
    }

    /// The search number; 0 where no root reaches.
    #[inline]
    fn number(&self, object: ObjectId) -> usize {
        self.number[object.index()] as usize
    }

    pub(super) fn is_reachable(&self, object: ObjectId) -> bool {
        self.number(object) != 0
    }

    pub(super) fn retained(&self, object: ObjectId) -> Bytes {
        match self.number(object) {
            0 => Bytes(0),
            n => Bytes(self.tree.weight[n]),
        }
    }

    pub(super) fn immediate_dominator(&self, object: ObjectId) -> Option<ObjectId> {
        // The parent of number 0 is 0 itself, whose object is none.
        ObjectId::from_raw(self.order[self.tree.parent[self.number(object)] as usize])
    }

    pub(super) fn dominated(&self, object: ObjectId) -> u32 {
        match self.number(object) {
            0 => 0,
            n => self.tree.below[n],
        }
    }

    pub(super) fn children(&self, parent: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        // What no root reaches has nothing below it; only asking for the virtual root gives its children.
        let number = parent.map_or(0, |o| self.number(o));
        let below = if parent.is_some() && number == 0 { 0 } else { self.tree.below[number] };
        let number_at = |place: u32| self.number_at[place as usize] as usize;
        child_places(self.place[number], below, move |at| self.tree.below[number_at(at)])
            .filter_map(move |at| ObjectId::from_raw(self.order[number_at(at)]))
    }

    pub(super) fn dominates(&self, dominator: ObjectId, object: ObjectId) -> bool {
        let (above, inside) = (self.number(dominator), self.number(object));
        let (place, inside) = (self.place[above], self.place[inside]);
        above != 0 && place <= inside && inside <= place + self.tree.below[above]
    }

    pub(super) fn class_retained(&self, class: ClassId) -> Bytes {
        Bytes(self.class_retained[class.index()])
    }
}

/// The search, and the roots it began from. Where nothing is to be left out, the first search goes everywhere.
fn search_all(
    heap: &Heap,
    graph: &Digraph<'_>,
    rules: Rules,
    settled: &Settled<'_, impl Fn(u32) -> u32>,
    task: &Task,
) -> Result<(Search, Roots), Cancelled> {
    if !rules.keep_unreachable {
        return Ok((search(graph, heap.roots.objects(), settled.marks, task)?, heap.roots.clone()));
    }
    let everything = Marks::new(graph, heap.roots.objects(), &Bits::default(), task)?;
    let found = search(graph, heap.roots.objects(), &everything, task)?;
    if found.reached() == heap.len() {
        return Ok((found, heap.roots.clone()));
    }
    let made = unreachable_roots(heap, graph, &found.number, task)?;
    let roots = Roots::new(heap.roots.all().iter().copied().chain(made).collect());
    drop(found);
    let marks = Marks::new(graph, roots.objects(), settled.leaves, task)?;
    Ok((search(graph, roots.objects(), &marks, task)?, roots))
}

/// Roots for what no root reaches: first every object that nothing refers to,
/// then, in address order, objects of the rings that are left, until all are
/// covered: at least one of each that nothing outside refers to.
fn unreachable_roots(heap: &Heap, graph: &Digraph<'_>, number: &[u32], task: &Task) -> Result<Vec<Root>, Cancelled> {
    let lost = |row: u32| number[row as usize] == 0;
    let mut referred = Bits::new(heap.len());
    for block in task.blocks(heap.len()) {
        for row in block?.map(|r| r as u32).filter(|&r| lost(r)) {
            graph.successors(row).filter(|&to| to != row).for_each(|to| {
                referred.insert(to);
            });
        }
    }
    let mut covered = Bits::new(heap.len());
    let mut made = Vec::new();
    let mut stack = Vec::new();
    let all = || (0..heap.len() as u32).filter(|&r| lost(r));
    let unreferred = all().filter(|&r| !referred.contains(r));
    for row in unreferred.chain(all()) {
        if !covered.insert(row) {
            continue;
        }
        made.extend(ObjectId::from_raw(row).map(|object| Root { object, kind: RootKind::Unreachable }));
        task.checkpoint()?;
        stack.push(row);
        while let Some(from) = stack.pop() {
            stack.extend(graph.successors(from).filter(|&to| lost(to) && covered.insert(to)));
        }
    }
    Ok(made)
}
