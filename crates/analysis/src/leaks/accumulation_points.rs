//! Search for accumulation points: descends the dominator tree to objects without a child that retains most of their
//! size.
//!
//! Class loaders, class objects, threads and objects with many fields hold unrelated objects, so each large child is
//! examined separately. A collection, array or chain is one location, unless a few large entries of different classes
//! make up most of it. Shared objects are siblings of their holders in the tree and are grouped by owner.

use crate::answers::DumpData;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::accumulation_point::{AccumulationPoint, Shape, is_most};
use super::links::{LINKS, first_link};
use super::shared_points::{self, Apart, SharedSearch};
use super::{fingerprint::general_thread as general, query::LeakQuery};
use crate::dominator_tree::{chains::chain_from, shared::children};
use crate::naming::{is_common_shape, is_inside};
use crate::structure::{growing_collection, is_storage};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, Heap, ObjectId, Role, Subtree};

/// Maximum number of large shared objects of one class that are locations of their own.
const FEW: u64 = 2;
/// Maximum number of large children examined separately.
const BIG: usize = 64;
/// Maximum number of steps from a collection through its internals to an entry.
const TO_ENTRY: usize = 4;
/// Beginning of the names of classes of the engine of JavaScript.
const ENGINE: &str = "system / ";
/// Children ahead of the current one whose classes are prefetched.
const CLASSES_AHEAD: usize = 16;
/// Maximum number of steps of the search; bounds the work on degenerate trees.
const LOOKED_AT: usize = 100_000;

/// Children of an object in the dominator tree.
#[derive(Default)]
struct Children {
    /// Large children, largest first.
    big: Vec<(Bytes, ObjectId)>,
    count: u64,
    /// The others by class.
    small: BTreeMap<ClassId, SmallChildren>,
}

/// Small children of one class.
#[derive(Clone, Copy)]
struct SmallChildren {
    count: u64,
    retained: Bytes,
    /// The first in tree order.
    first: ObjectId,
}

impl SmallChildren {
    /// Adds others that come later.
    fn add(&mut self, later: Self) {
        self.count += later.count;
        self.retained += later.retained;
    }
}

impl Children {
    /// These, and others that come later.
    fn and(mut self, mut later: Self) -> Self {
        self.big.append(&mut later.big);
        self.count += later.count;
        for (class, children) in later.small {
            self.small.entry(class).and_modify(|row| row.add(children)).or_insert(children);
        }
        self
    }
}

/// Work that is left.
#[derive(Clone, Copy)]
enum Step {
    /// Each child of an object separately; `None` is the top of the tree.
    Below(Option<ObjectId>),
    /// An object, down to its accumulation point.
    Down(ObjectId),
}

struct Search<'a> {
    question: LeakQuery<'a>,
    dump: DumpData<'a>,
    min_bytes: Bytes,
    task: &'a Task,
    is_thread: Vec<bool>,
    is_loader: Vec<bool>,
    /// Classes of JavaScript globals and closure contexts: each variable is unrelated to the others.
    is_scope: Vec<bool>,
    /// Loaders of a reloaded application: others of their class define the same classes.
    again: BTreeSet<ObjectId>,
    several: SharedSearch,
    waiting: Vec<Step>,
    points: Vec<AccumulationPoint>,
}

/// All locations that retain at least `min_bytes`, in tree order.
pub(super) fn accumulation_points(question: LeakQuery<'_>, task: &Task) -> Result<Vec<AccumulationPoint>, Cancelled> {
    search(question, Step::Below(None), task)
}

/// Locations at and below an object that retain at least `min_bytes`, in tree order.
pub(super) fn below(
    question: LeakQuery<'_>,
    object: ObjectId,
    task: &Task,
) -> Result<Vec<AccumulationPoint>, Cancelled> {
    search(question, Step::Down(object), task)
}

fn search(question: LeakQuery<'_>, start: Step, task: &Task) -> Result<Vec<AccumulationPoint>, Cancelled> {
    let heap = question.namer.heap;
    let below = |name: &str| heap.classes.all_below(heap.classes.named(name).as_slice());
    let mut search = Search {
        question,
        dump: question.namer.dump,
        min_bytes: question.min_bytes,
        task,
        is_thread: below("java.lang.Thread"),
        is_loader: below("java.lang.ClassLoader"),
        is_scope: heap.classes.all().iter().map(|class| heap.snapshot().is_some() && is_scope(&class.name)).collect(),
        again: loaded_again(heap),
        several: SharedSearch::default(),
        waiting: vec![start],
        points: Vec::new(),
    };
    let mut looked = 0;
    while let Some(step) = search.waiting.pop().filter(|_| looked < LOOKED_AT) {
        looked += 1;
        match step {
            Step::Below(parent) => search.below(parent)?,
            Step::Down(object) => search.down(object)?,
        }
    }
    search.leave_out_entries_of_stored();
    Ok(search.points)
}

impl Search<'_> {
    /// Examines each large child of an object, and groups of small ones.
    fn below(&mut self, parent: Option<ObjectId>) -> Result<(), Cancelled> {
        let before = (self.points.len(), self.waiting.len());
        let direct = self.direct(parent);
        let is_direct = |search: &Self, child: ObjectId| {
            direct.binary_search(&child.raw()).is_ok()
                || !search.dump.analysis.roots().of(child).is_empty()
                || search.dump.heap.classes.of_object(child).is_some()
        };
        let all = children(self.dump.analysis, parent, self.task)?;
        let children = self.children(&all, self.min_bytes)?;
        let mut shared = Bytes(0);
        let mut of_class: BTreeMap<ClassId, u64> = BTreeMap::new();
        for &(_, child) in children.big.iter().filter(|(_, child)| !is_direct(self, *child)) {
            *of_class.entry(self.dump.heap.class_id(child)).or_default() += 1;
        }
        let mut alone: BTreeSet<ObjectId> = BTreeSet::new();
        for &(retained, child) in &children.big {
            // A large shared object is a location of its own, unless there are several like it.
            let is_alone = of_class.get(&self.dump.heap.class_id(child)).is_none_or(|&count| count <= FEW);
            if is_direct(self, child) || is_alone {
                self.waiting.push(Step::Down(child));
                alone.insert(child);
            } else {
                shared += retained;
            }
        }
        self.threads(&all, &children);
        for (&class, &SmallChildren { count, retained, first }) in &children.small {
            if retained < self.min_bytes || count < 2 || self.is_thread.get(class.index()) == Some(&true) {
                continue;
            }
            // Class objects are not grouped; large ones are found below themselves.
            if self.dump.heap.classes.of_object(first).is_some() {
                continue;
            }
            let mut members = self.small(&all, |of| of == class);
            members.retain(|&(member, _)| is_direct(self, member));
            // Shared objects often have the class of their siblings, as in a tree with parent references.
            let min_bytes = Bytes(retained.0 / 2);
            match AccumulationPoint::of_subtrees(Shape::Siblings, subtrees(&all, &members), min_bytes) {
                Some(point) => self.points.push(point),
                None => shared += retained,
            }
        }
        if shared >= self.min_bytes {
            self.shared((parent, &all), &alone)?;
        }
        // Without a large child, the parent is the location.
        if let Some(parent) = parent
            && before == (self.points.len(), self.waiting.len())
            && !self.is_structure(parent)
        {
            self.points.push(AccumulationPoint::one(Shape::Object, parent, parent));
        }
        Ok(())
    }

    /// Objects among some children that several siblings share, but for those examined alone.
    fn shared(
        &mut self,
        children: (Option<ObjectId>, &[Subtree]),
        alone: &BTreeSet<ObjectId>,
    ) -> Result<(), Cancelled> {
        let mut several = std::mem::take(&mut self.several);
        let is_apart = |object| {
            if alone.contains(&object) {
                Apart::Examined
            } else if self.is_structure(object) {
                Apart::Structure
            } else {
                Apart::No
            }
        };
        let shared_points = several.among(self.question, children, is_apart, self.task)?;
        self.several = several;
        for shared_points in shared_points {
            match shared_points {
                shared_points::SharedPoint::One(object) => self.waiting.push(Step::Down(object)),
                shared_points::SharedPoint::Several(point) => self.points.push(point),
            }
        }
        Ok(())
    }

    /// Descends from an object to its accumulation point.
    fn down(&mut self, from: ObjectId) -> Result<(), Cancelled> {
        if let Some(first) = self.first_of_closures(from) {
            self.only_chain_of(first);
            return Ok(());
        }
        let mut at = from;
        let mut unit: Option<(Shape, ObjectId)> = None;
        // Objects passed by class: their number, the first, and the length of what was left to do there.
        let mut passed: BTreeMap<ClassId, (u32, ObjectId, usize)> = BTreeMap::new();
        loop {
            self.task.checkpoint()?;
            let retained = self.dump.analysis.retained(at);
            if self.is_link(at) {
                let (times, first, left) =
                    passed.entry(self.dump.heap.class_id(at)).or_insert((0, at, self.waiting.len()));
                *times += 1;
                // A list whose links are objects of several classes in turn, such as a lazy stream. What its links hold
                // is part of it.
                if *times == LINKS {
                    self.waiting.truncate(*left);
                    self.points.push(AccumulationPoint::one(Shape::Chain, *first, *first));
                    return Ok(());
                }
            }
            if self.again.contains(&at) {
                self.points.push(AccumulationPoint::one(Shape::Loader, at, at));
                return Ok(());
            }
            if self.is_structure(at) {
                self.waiting.push(Step::Below(Some(at)));
                return Ok(());
            }
            unit = self.unit(unit, at);
            let big = Bytes((retained.0 / 20).max(1)).max(self.min_bytes.min(retained));
            let mut all = children(self.dump.analysis, Some(at), self.task)?;
            let mut children = self.children(&all, big)?;
            let linked = if self.is_tree(at, &children) { None } else { self.linked(unit, at)? };
            let is_linked = linked.is_some();
            if let Some(below) = linked {
                children = self.children(&below, big)?;
                all = below;
            }
            let biggest = children.big.first().copied();
            // In a loader's list of classes, each class is examined separately.
            if biggest.is_some_and(|(_, child)| self.dump.heap.classes.of_object(child).is_some()) {
                self.waiting.push(Step::Below(Some(at)));
                return Ok(());
            }
            let is_chain = |child| self.dump.heap.class_id(child) == self.dump.heap.class_id(at);
            if self.is_tree(at, &children) {
                self.points.push(AccumulationPoint::one(Shape::Tree, at, at));
                return Ok(());
            }
            // Small objects beside a large one may be many.
            let is_beside = |small: &SmallChildren| small.count > 1 && small.retained >= self.min_bytes;
            if unit.is_none() && biggest.is_some() && children.small.values().any(is_beside) {
                self.waiting.push(Step::Below(Some(at)));
                return Ok(());
            }
            // Of an object in a snapshot, half: its own size has storage, too.
            let is_inner = |&(bytes, child): &(Bytes, ObjectId)| {
                is_most(bytes, retained)
                    || (bytes.0.saturating_mul(2) >= retained.0 && is_storage(self.question.namer, child))
            };
            if let Some((bytes, child)) = biggest.filter(is_inner)
                && bytes >= self.min_bytes
                && !is_chain(child)
            {
                if unit.is_none() {
                    // However much larger the largest is: those that are not large beside it may be leaks, too.
                    let others = all.iter().filter(|other| other.retained >= self.min_bytes && other.object != child);
                    self.waiting.extend(others.map(|other| Step::Down(other.object)));
                }
                at = child;
                continue;
            }
            let is_plain = self.dump.heap.class(at).kind == ClassKind::Plain;
            if unit.is_none()
                && is_plain
                && let Some(chain) = chain_from(self.dump, at, self.task)?
            {
                self.points
                    .push(AccumulationPoint { chain: Some(chain), ..AccumulationPoint::one(Shape::Chain, at, at) });
                return Ok(());
            }
            match unit {
                None if children.count == 0 => self.points.push(AccumulationPoint::one(Shape::Object, at, at)),
                None => self.waiting.push(Step::Below(Some(at))),
                Some((shape, unit))
                    if !self.only_keeps_together(&children, retained)
                        || (is_linked && children.small.values().any(is_beside)) =>
                {
                    // The entries of a linked collection are below all of its nodes.
                    let point = if is_linked { unit } else { at };
                    let is_apart = shape == Shape::Collection && !self.dump.analysis.dominates(unit, point);
                    self.points.push(AccumulationPoint { is_apart, ..AccumulationPoint::one(shape, unit, point) });
                }
                // Its entries may be many small ones beside what it merely keeps together.
                Some(_) if children.small.values().any(is_beside) => self.waiting.push(Step::Below(Some(at))),
                Some(_) => {
                    let large = all.iter().filter(|child| child.retained >= self.min_bytes);
                    let entries = large.map(|child| self.entry(child.object));
                    let large: Vec<Step> = entries
                        .filter(|&entry| self.dump.analysis.retained(entry) >= self.min_bytes)
                        .map(Step::Down)
                        .collect();
                    self.waiting.extend(large);
                }
            }
            return Ok(());
        }
    }

    /// The first link of a list of closures that comes to an object. Each scope between links is examined separately.
    fn first_of_closures(&self, at: ObjectId) -> Option<ObjectId> {
        let above = self.dump.analysis.immediate_dominator(at).filter(|_| self.dump.heap.snapshot().is_some())?;
        (self.is_structure(above) && self.is_link(at)).then(|| first_link(self.dump, at)).flatten()
    }

    /// Makes a chain one location, with all that its links hold.
    fn only_chain_of(&mut self, first: ObjectId) {
        let analysis = self.dump.analysis;
        self.waiting.retain(|step| match step {
            Step::Down(object) | Step::Below(Some(object)) => !analysis.dominates(first, *object),
            Step::Below(None) => true,
        });
        self.points.retain(|point| !analysis.dominates(first, point.point));
        self.points.push(AccumulationPoint::one(Shape::Chain, first, first));
    }

    /// The subtrees below the linked nodes of a collection, given the first of its nodes that the search comes to: a queue
    /// is one location, although each of its nodes dominates the next, and so is a search tree of which one side is small.
    /// `None` of other objects.
    fn linked(&self, unit: Option<(Shape, ObjectId)>, at: ObjectId) -> Result<Option<Vec<Subtree>>, Cancelled> {
        let is_node = unit.is_some_and(|(shape, unit)| shape == Shape::Collection && unit != at)
            && self.dump.heap.class(at).kind == ClassKind::Plain
            && is_inside(&self.dump.heap.class(at).name);
        let Some(mut descent) = self.dump.analysis.descent(at).filter(|_| is_node) else { return Ok(None) };
        let (class, mut nodes, mut below) = (self.dump.heap.class_id(at), 1_u64, Vec::new());
        while let Some((row, _)) = descent.step() {
            self.task.checkpoint()?;
            let Some(object) = ObjectId::from_raw(row) else { continue };
            if self.dump.heap.class_id(object) == class {
                nodes += 1;
                continue;
            }
            below.extend(self.dump.analysis.subtree(object).map(|preorders| Subtree {
                object,
                preorder: preorders.start,
                dominated: preorders.end - preorders.start - 1,
                retained: self.dump.analysis.retained(object),
            }));
            descent.pass();
        }
        Ok((nodes > 1).then_some(below))
    }

    /// True if an object may be a link of a list. Plain objects of JavaScript are of one class, whatever they are, unless
    /// they have properties of the same names.
    fn is_link(&self, at: ObjectId) -> bool {
        let class = self.dump.heap.class_id(at);
        self.dump.heap.class(at).kind == ClassKind::Plain
            && (self.dump.heap.snapshot().is_none()
                || is_common_shape(self.dump.heap, class)
                || !self.question.namer.index.is_runtime(class))
    }

    /// True if an object branches into several of its own class that retain half of it: a tree is one location.
    fn is_tree(&self, at: ObjectId, children: &Children) -> bool {
        let class = self.dump.heap.class_id(at);
        let is_node = self.dump.heap.class(at).kind == ClassKind::Plain
            && self.dump.contents.role(class) != Role::Collection
            && !(self.dump.heap.snapshot().is_some() && self.question.namer.index.is_runtime(class));
        let (mut branches, mut bytes) = (0, Bytes(0));
        for &(retained, child) in children.big.iter().filter(|_| is_node) {
            if self.dump.heap.class_id(child) == class {
                (branches, bytes) = (branches + 1, bytes + retained);
            }
        }
        branches > 1 && bytes.0.saturating_mul(2) >= self.dump.analysis.retained(at).0
    }

    /// Groups threads of one name pattern if they are large together.
    fn threads(&mut self, all: &[Subtree], children: &Children) {
        let is_thread = |class: ClassId| self.is_thread.get(class.index()) == Some(&true);
        let of_threads = children.small.iter().filter(|(class, _)| is_thread(**class)).map(|(_, small)| small.retained);
        if of_threads.sum::<Bytes>() < self.min_bytes {
            return;
        }
        let mut alike: BTreeMap<String, Vec<(ObjectId, u32)>> = BTreeMap::new();
        for thread in self.small(all, is_thread) {
            let name = self.dump.contents.label(self.dump.heap, thread.0).unwrap_or_default();
            alike.entry(general(&name)).or_default().push(thread);
        }
        let to_point = |members: Vec<(ObjectId, u32)>| {
            AccumulationPoint::of_subtrees(Shape::Threads, subtrees(all, &members), self.min_bytes)
        };
        self.points.extend(alike.into_values().filter_map(to_point));
    }

    /// True if a few children of different classes make up most of it.
    fn only_keeps_together(&self, children: &Children, retained: Bytes) -> bool {
        let big: Bytes = children.big.iter().map(|&(bytes, _)| bytes).sum();
        // By name, because reloaded plug-ins have classes of their own.
        let classes = children.big.iter().map(|&(_, child)| self.dump.heap.class_id(self.entry(child)));
        let classes: Vec<(&str, ClassId)> =
            classes.map(|class| (&*self.dump.heap.classes.get(class).name, class)).collect();
        let are_loaded_anew = classes.first().zip(classes.last()).is_some_and(|(first, last)| first.1 != last.1);
        // Segments and buckets of a library are no entries, even if only two are filled.
        let is_part = |&(_, class): &(&str, ClassId)| self.question.namer.index.is_library(class);
        let are_parts = classes.len() > 1 && classes.iter().all(is_part);
        let alike =
            classes.windows(2).all(|two| two[0].0 == two[1].0) && (classes.len() > 2 || are_loaded_anew || are_parts);
        children.big.len() < BIG && big.0.saturating_mul(2) > retained.0 && !alike
    }

    /// The unit of `at`: the collection whose internals contain it, or itself.
    fn unit(&self, unit: Option<(Shape, ObjectId)>, at: ObjectId) -> Option<(Shape, ObjectId)> {
        let class = self.dump.heap.class(at);
        if self.dump.contents.role(self.dump.heap.class_id(at)) == Role::Collection {
            // A wrapped collection belongs to its wrapper.
            let is_wrapped = unit.is_some_and(|(_, outer)| {
                let logical = self.dump.contents.logical(self.dump.heap, outer, 0..0);
                logical.is_some_and(|logical| logical.internals.contains(&at))
            });
            return if is_wrapped { unit } else { Some((Shape::Collection, at)) };
        }
        match class.kind {
            ClassKind::ObjectArray => unit.or_else(|| {
                let collection = growing_collection(self.question.namer, at).map(|of| (Shape::Collection, of));
                Some(collection.or_else(|| self.stored(at)).unwrap_or((Shape::Array, at)))
            }),
            ClassKind::PrimitiveArray => Some(match unit {
                Some(unit) if self.dump.analysis.immediate_dominator(at) == Some(unit.1) => unit,
                _ => (Shape::Data, at),
            }),
            ClassKind::Plain if is_inside(&class.name) => unit,
            ClassKind::Plain => None,
        }
    }

    /// The object whose storage an array is, in snapshots: a map has its table, and an object its properties and elements,
    /// wherever the search came to them. `None` of other arrays.
    fn stored(&self, at: ObjectId) -> Option<(Shape, ObjectId)> {
        let is_part = |&at: &ObjectId| is_storage(self.question.namer, at);
        let mut up = std::iter::successors(Some(at), |&at| self.dump.analysis.immediate_dominator(at)).take(TO_ENTRY);
        up.next().filter(is_part)?;
        let owner = up.find(|at| !is_part(at))?;
        let class = &*self.dump.heap.class(owner).name;
        let is_object = !class.starts_with('(') && !class.starts_with(ENGINE) && !self.is_structure(owner);
        let is_collection = self.dump.contents.role(self.dump.heap.class_id(owner)) == Role::Collection;
        is_object.then_some((if is_collection { Shape::Collection } else { Shape::Array }, owner))
    }

    /// In snapshots, leaves out what is in a location already: entries of an object, found as its children, too, and an object
    /// found by its properties and again by its elements.
    fn leave_out_entries_of_stored(&mut self) {
        if self.dump.heap.snapshot().is_none() {
            return;
        }
        let is_owner = |point: &AccumulationPoint| {
            point.members.is_empty() && point.shape == Shape::Array && point.unit != point.point
        };
        let mut owners: BTreeSet<ObjectId> = BTreeSet::new();
        let mut is_first = |point: &AccumulationPoint| !is_owner(point) || owners.insert(point.unit);
        self.points.retain(|point| is_first(point));
        let is_entry = |point: &AccumulationPoint| {
            let above = point.members.first().and_then(|&member| self.dump.analysis.immediate_dominator(member));
            point.shape == Shape::Siblings && above.is_some_and(|above| owners.contains(&above))
        };
        self.points.retain(|point| !is_entry(point));
    }

    /// The entry below an internal child of a collection.
    fn entry(&self, child: ObjectId) -> ObjectId {
        let mut at = child;
        for _ in 0..TO_ENTRY {
            if !is_inside(&self.dump.heap.class(at).name)
                || self.dump.contents.role(self.dump.heap.class_id(at)) == Role::Collection
            {
                break;
            }
            let below = self.dump.analysis.dominator_children_with_retained(Some(at));
            let biggest = below.take(BIG).max_by_key(|&(object, retained)| (retained, std::cmp::Reverse(object)));
            match biggest.filter(|&(_, retained)| is_most(retained, self.dump.analysis.retained(at))) {
                Some((object, _)) => at = object,
                None => break,
            }
        }
        at
    }

    /// Targets of an object's references, sorted; empty at the top.
    fn direct(&self, parent: Option<ObjectId>) -> Vec<u32> {
        let mut direct = parent.map(|parent| self.dump.heap.references(parent).to_vec()).unwrap_or_default();
        direct.sort_unstable();
        direct
    }

    fn children(&self, all: &[Subtree], big: Bytes) -> Result<Children, Cancelled> {
        let parts = all.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|part| {
            self.task.checkpoint()?;
            let mut children = Children { count: part.len() as u64, ..Children::default() };
            for (at, &Subtree { object, retained, .. }) in part.iter().enumerate() {
                // In the order of the tree, classes are anywhere.
                if let Some(soon) = part.get(at + CLASSES_AHEAD) {
                    self.dump.heap.prefetch_class(soon.object.raw());
                }
                if retained >= big {
                    children.big.push((retained, object));
                } else {
                    let one = SmallChildren { count: 1, retained, first: object };
                    children.small.entry(self.dump.heap.class_id(object)).and_modify(|row| row.add(one)).or_insert(one);
                }
            }
            Ok(children)
        });
        let mut children = parts.try_reduce(Children::default, |one, other| Ok(one.and(other)))?;
        children.big.sort_by_key(|&(retained, object)| (std::cmp::Reverse(retained), object));
        Ok(children)
    }

    /// Small children in some classes, by address, each with its index.
    fn small(&self, all: &[Subtree], of_class: impl Fn(ClassId) -> bool + Sync) -> Vec<(ObjectId, u32)> {
        let is_meant =
            |child: &Subtree| child.retained < self.min_bytes && of_class(self.dump.heap.class_id(child.object));
        let members = all.par_iter().enumerate().filter(|(_, child)| is_meant(child));
        let mut members: Vec<(ObjectId, u32)> = members.map(|(at, child)| (child.object, at as u32)).collect();
        members.par_sort_unstable();
        members
    }

    /// True of loaders, classes, threads and scopes: they hold unrelated objects.
    fn is_structure(&self, object: ObjectId) -> bool {
        let class = self.dump.heap.class_id(object).index();
        self.dump.heap.classes.of_object(object).is_some()
            || self.is_thread.get(class) == Some(&true)
            || self.is_loader.get(class) == Some(&true)
            || self.is_scope.get(class) == Some(&true)
    }
}

/// Subtrees of members, given their indices in `all`.
fn subtrees(all: &[Subtree], members: &[(ObjectId, u32)]) -> impl ExactSizeIterator<Item = Subtree> {
    members.iter().map(|&(_, at)| all[at as usize])
}

/// True if instances of a class are scopes of variables.
fn is_scope(class: &str) -> bool {
    let is_global = class == "global" || class.starts_with("global (") || class.starts_with("Window");
    is_global || class.starts_with("system / Context") || class == "(synthetic)"
}

/// Loaders of which at least 90 % of the classes are also defined by other loaders of the same class: a reloaded
/// application, and not merely two with common libraries.
fn loaded_again(heap: &Heap) -> BTreeSet<ObjectId> {
    let mut by_name: BTreeMap<(ClassId, &str), Vec<ObjectId>> = BTreeMap::new();
    let mut classes: BTreeMap<ObjectId, (u64, u64)> = BTreeMap::new();
    for (_, class) in heap.classes.iter().filter(|(_, class)| class.kind == ClassKind::Plain) {
        if let Some(loader) = class.loader {
            by_name.entry((heap.class_id(loader), &class.name)).or_default().push(loader);
            classes.entry(loader).or_default().0 += 1;
        }
    }
    for loader in by_name.into_values().filter(|loaders| loaders.len() > 1).flatten() {
        classes.entry(loader).or_default().1 += 1;
    }
    let again = classes.into_iter().filter(|(_, (all, again))| *again > 0 && again * 10 >= all * 9);
    again.map(|(loader, _)| loader).collect()
}
