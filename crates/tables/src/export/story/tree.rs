//! The top of the dominator tree, three levels deep, for the page.

use heaplens_analysis::dominator_tree::{LevelOrder, level};
use heaplens_analysis::preview::label_or_preview;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;

/// Number of children listed on each level.
const CHILDREN: [usize; 3] = [12, 6, 4];
/// A child with less than one part in so many of the heap is not listed.
const LEAST: u64 = 500;

/// An object with the largest of those below it.
pub(super) struct TreeNode {
    /// Class and label.
    pub(super) name: String,
    /// Its id.
    pub(super) id: String,
    pub(super) retained: Bytes,
    pub(super) children: Vec<TreeNode>,
}

/// The largest objects, each with the largest below it.
pub(super) fn tree(dump: &Dump, task: &Task) -> Result<Vec<TreeNode>, Cancelled> {
    let mut roots = children(dump, None, 0, task)?;
    for root in &mut roots {
        let below = children(dump, Some(root.1), 1, task)?;
        for (mut node, object) in below {
            node.children = children(dump, Some(object), 2, task)?.into_iter().map(|(node, _)| node).collect();
            root.0.children.push(node);
        }
    }
    Ok(roots.into_iter().map(|(node, _)| node).collect())
}

fn children(
    dump: &Dump,
    parent: Option<ObjectId>,
    depth: usize,
    task: &Task,
) -> Result<Vec<(TreeNode, ObjectId)>, Cancelled> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let least = analysis.shown.shallow.0 / LEAST;
    let is_much = |object: ObjectId| analysis.retained(object).0 >= least.max(1);
    let order = (LevelOrder::Retained, false);
    let objects = level(dump.data(), parent, is_much, order, task)?;
    let most = CHILDREN.get(depth).copied().unwrap_or(0);
    let node = |object: ObjectId| -> Result<(TreeNode, ObjectId), Cancelled> {
        let label = label_or_preview(dump.data(), object, task)?;
        let class = &heap.class(object).name;
        let name = label.map_or_else(|| class.to_string(), |label| format!("{class} {label}"));
        let (id, retained) = (heap.id_text(object), analysis.retained(object));
        Ok((TreeNode { name, id, retained, children: Vec::new() }, object))
    };
    objects.into_iter().take(most).map(node).collect()
}
