//! References as recorded in the file: those of each object in file order, without synthetic ones and those to classes.
//! IBM's HeapRoots infers roots from these; here they are available for every format.
//!
//! *Soft links* are references of `java.lang.ref` objects to their soft, weak or phantom referents. In formats with
//! field names, that is the field `referent`, also of subclasses; finalizer references are strong. IBM's dumps have no
//! field names: there, every reference counts that leads neither to a class nor to an object of that package; none of
//! subclasses, since these have fields of their own. In snapshots of JavaScript, soft links are the weak edges.

use super::{ClassId, Heap, ObjectId, Strength, builder::CompleteHeap, snapshot::kind};
use heaplens_base::{Cancelled, Task, named};
use heaplens_graph::{Bits, Edges, forest::Children};

/// Treatment of soft links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SoftLinks {
    /// Followed like other references.
    #[default]
    Follow,
    /// Ignored, so objects reachable only through them may become roots.
    Ignore,
}

named!(SoftLinks {
    Follow = "follow", "Follow them like strong references";
    Ignore = "ignore", "Ignore them";
});

/// Classes whose objects have soft links, and their strengths.
const SOFT: [(&str, Strength); 3] = [
    ("java.lang.ref.SoftReference", Strength::Soft),
    ("java.lang.ref.WeakReference", Strength::Weak),
    ("java.lang.ref.PhantomReference", Strength::Phantom),
];
/// The package they are in.
const PACKAGE: &str = "java.lang.ref.";

/// References of a heap as recorded in its file.
pub struct FileReferences<'a> {
    heap: &'a Heap,
    /// Treatment of soft links.
    soft: SoftLinks,
    rule: SoftLinkRule,
    /// Objects that may have soft links.
    sources: Bits,
    /// True if weak edges of snapshots are soft links.
    weak_edges: bool,
}

/// Source of information about soft references.
enum SoftLinkRule {
    /// The first reference of those objects.
    First,
    /// By class: true if its objects are never the target of a soft link.
    ByClass(Vec<bool>),
}

impl<'a> FileReferences<'a> {
    /// References of a heap, with or without its soft links.
    pub fn new(heap: &'a Heap, soft: SoftLinks, task: &Task) -> Result<Self, Cancelled> {
        Self::with(heap, soft, |strength| !matches!(strength, Strength::Strong | Strength::Final), task)
    }

    /// References of a heap that are no weaker than `weakest`.
    pub fn up_to(heap: &'a Heap, weakest: Strength, task: &Task) -> Result<Self, Cancelled> {
        Self::with(heap, SoftLinks::Ignore, |strength| strength > weakest, task)
    }

    /// Uses `is_soft` to identify soft links.
    fn with(
        heap: &'a Heap,
        soft: SoftLinks,
        is_soft: impl Fn(Strength) -> bool,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let (mut sources, weak_edges) = (Bits::new(heap.len()), is_soft(Strength::Weak));
        if heap.origin.format.names_fields() {
            let referents = heap.referent_first.all().iter().copied().filter_map(ObjectId::from_raw);
            let there = referents.filter(|object| object.index() < heap.len());
            sources.extend(there.filter(|&object| is_soft(heap.class(object).strength)).map(ObjectId::raw));
            return Ok(Self { heap, soft, rule: SoftLinkRule::First, sources, weak_edges });
        }
        let named = |is: &dyn Fn(&str) -> bool| -> Vec<bool> {
            heap.classes.iter().map(|(_, class)| is(&class.name)).collect()
        };
        let spared = named(&|name| name.starts_with(PACKAGE));
        let soft_classes = named(&|name| SOFT.iter().any(|&(soft, strength)| soft == name && is_soft(strength)));
        if soft_classes.contains(&true) {
            let column = heap.class_rows();
            for block in task.blocks(heap.len()) {
                let class = |row| column.get(row).map_or(usize::MAX, ClassId::index);
                let is_source = |&row: &u32| soft_classes.get(class(row)) == Some(&true);
                sources.extend(block?.map(|row| row as u32).filter(is_source));
            }
        }
        Ok(Self { heap, soft, rule: SoftLinkRule::ByClass(spared), sources, weak_edges })
    }

    /// True if the reference at an index of an object is a soft link.
    fn is_soft(&self, node: u32, index: usize, to: u32) -> bool {
        let Some((from, to)) = ObjectId::from_raw(node).zip(ObjectId::from_raw(to)) else { return false };
        let own = self.own(node).len();
        if let Some(behind) = index.checked_sub(own) {
            let kinds = self.heap.snapshot().and_then(|snapshot| snapshot.non_retaining_kinds(from).get(behind));
            return self.weak_edges && kinds.is_some_and(|kind| kind & kind::WEAK != 0);
        }
        match &self.rule {
            _ if !self.sources.contains(node) => false,
            SoftLinkRule::First => index == 0,
            SoftLinkRule::ByClass(spared) => {
                let is_spared = spared.get(self.heap.class_id(to).index()) == Some(&true);
                !is_spared && self.heap.classes.of_object(to).is_none()
            }
        }
    }

    /// References of an object, without synthetic ones.
    #[inline]
    fn own(&self, node: u32) -> &'a [u32] {
        ObjectId::from_raw(node).map_or(&[], |object| self.heap.own_references(object))
    }

    /// Number of soft references used by a search: `parent` is the node from which a node was reached. Of several
    /// references between two objects, the first was used.
    pub fn soft_links_taken(&self, parent: impl Fn(u32) -> u32, task: &Task) -> Result<u64, Cancelled> {
        let (mut met, mut taken) = (Bits::new(self.heap.len()), 0);
        let non_retaining = self.heap.snapshot().map(|snapshot| &snapshot.non_retaining);
        for block in task.blocks(self.heap.len()) {
            let may_be = |node: &u32| {
                self.sources.contains(*node)
                    || non_retaining.is_some_and(|non_retaining| !non_retaining.row(*node).is_empty())
            };
            for node in block?.map(|node| node as u32).filter(may_be) {
                let children = self.children(node);
                let children_by_index = (0..children.len()).filter_map(|index| Some((index, children.get(index)?)));
                for (index, to) in
                    children_by_index.filter(|&(_, to)| (to as usize) < self.heap.len() && parent(to) == node)
                {
                    taken += u64::from(met.insert(to) && self.is_soft(node, index, to));
                }
            }
        }
        Ok(taken)
    }
}

impl Edges for FileReferences<'_> {
    fn nodes(&self) -> usize {
        self.heap.len()
    }

    #[inline]
    fn children(&self, node: u32) -> Children<'_> {
        let second = match self.heap.snapshot() {
            None => &[],
            Some(snapshot) => snapshot.non_retaining.row(node),
        };
        let ignores = self.soft == SoftLinks::Ignore;
        let may_skip = ignores && (!second.is_empty() || self.sources.contains(node));
        Children { first: self.own(node), second, may_skip }
    }

    fn skips(&self, node: u32, index: usize, to: u32) -> bool {
        self.is_soft(node, index, to)
    }
}

impl Heap {
    /// Number of references in the file: without references to classes and synthetic ones, but with dangling ones.
    pub fn recorded_references(&self) -> u64 {
        let made: u64 = self.made.iter().map(|&(_, made)| u64::from(made)).sum();
        let non_retaining = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.non_retaining.edges() as u64);
        (self.references.edges() as u64 + non_retaining).saturating_sub(made).saturating_add(self.unresolved)
    }
}

impl CompleteHeap {
    /// Marks references, given as source and target, as synthetic: they are the last of the rows that they are in,
    /// where [`super::builder::HeapBuilder::finish`] puts extra references.
    #[must_use]
    pub fn with_made_references(mut self, made: &[(ObjectId, ObjectId)]) -> Self {
        let mut rows: Vec<u32> = made.iter().map(|(from, _)| from.raw()).collect();
        rows.sort_unstable();
        self.heap.made = rows.chunk_by(|a, b| a == b).filter_map(|of| Some((*of.first()?, of.len() as u32))).collect();
        self
    }
}
