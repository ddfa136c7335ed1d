//! Search for the owner of an object, up the dominator tree or along the path of its name.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::owner::{HolderRelation, Owner, OwnerLookup};
use super::{entries::is_inside, namer::Namer, spelling::field};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassKind, ObjectId, ReferenceKind, ReferenceName};

/// Maximum number of references examined to find the field through which a holder reaches an object it dominates.
const LOOKED_AT: usize = 4_096;
/// Maximum number of names examined per reference.
const NAMES: usize = 16;

/// Number of steps up before the cache is consulted.
const NEAR: usize = 8;
/// Distance between cached objects on a path up.
const APART: usize = 16;

/// Kinds of references that are named by the program.
const OF_PROGRAM: [ReferenceKind; 4] =
    [ReferenceKind::Static, ReferenceKind::Field, ReferenceKind::Property, ReferenceKind::Context];
/// Class of closure contexts in V8.
const CONTEXT: &str = "system / Context";

impl Namer<'_> {
    /// The nearest application object above `object`: a dominator if there is one, else on the path of its name. `None`
    /// if only the runtime holds it, or if that path leads through an object of the runtime itself, which the runtime
    /// holds whatever the application does: a class loader does not belong to a thread that happens to lead to it.
    pub(crate) fn holder_of_application(&self, object: ObjectId, task: &Task) -> Result<Option<Owner>, Cancelled> {
        match self.climb(object, HolderRelation::Dominator, task)? {
            Some(owner) => Ok(Some(owner)),
            None => self.climb(object, HolderRelation::NamePath, task),
        }
    }

    /// True of an object of the runtime itself, which it holds whatever the application does.
    pub(crate) fn is_of_runtime_itself(&self, object: ObjectId, task: &Task) -> Result<bool, Cancelled> {
        self.index.runtime_objects.contain(self.dump, object, task)
    }

    /// The objects of the runtime itself.
    pub(crate) fn runtime_objects(&self, task: &Task) -> Result<Arc<Bits>, Cancelled> {
        self.index.runtime_objects.of(self.dump, task)
    }

    /// The nearest application object above `object`. Results are cached at intervals on the way up, so that queries
    /// for all nodes of a long chain do not walk the chain each time.
    fn climb(&self, object: ObjectId, along: HolderRelation, task: &Task) -> Result<Option<Owner>, Cancelled> {
        let (mut below, mut steps, mut passed) = (object, 0_usize, Vec::new());
        let of_runtime = match along {
            HolderRelation::Dominator => None,
            HolderRelation::NamePath => Some(self.index.runtime_objects.of(self.dump, task)?),
        };
        let owner = loop {
            if of_runtime.as_ref().is_some_and(|objects| objects.contains(below.raw())) {
                break None;
            }
            // Most owners are near: finding them is faster than a cache lookup.
            if steps >= NEAR {
                if let Some(OwnerLookup(owner)) = self.index.owner_above(below, along) {
                    break owner;
                }
                if steps > NEAR && (steps - NEAR).is_multiple_of(APART) {
                    passed.push((steps, below));
                }
            }
            let above = match along {
                HolderRelation::Dominator => self.analysis.immediate_dominator(below),
                HolderRelation::NamePath => self.before_far_down(below),
            };
            let Some(above) = above else {
                break match along {
                    HolderRelation::Dominator => None,
                    HolderRelation::NamePath => self.owner_close_by(below, of_runtime.as_deref(), task)?.map(Arc::new),
                };
            };
            steps += 1;
            task.checkpoint()?;
            if let Some(text) = self.holds_as_owner(above, below) {
                break Some(Arc::new(Owner { object: above, text }));
            }
            below = above;
        };
        // Objects close to a cached or found owner are not cached: one entry per interval of a chain is enough.
        let worth = passed.into_iter().filter(|&(at, _)| steps >= at + APART).map(|(_, object)| (object, along));
        self.index.put_owner(worth, owner.as_ref());
        Ok(owner.map(Arc::unwrap_or_clone))
    }

    /// The owner near the start of a path, below the objects of the runtime itself.
    fn owner_close_by(
        &self,
        object: ObjectId,
        of_runtime: Option<&Bits>,
        task: &Task,
    ) -> Result<Option<Owner>, Cancelled> {
        let path = self.close_path(object, task)?.unwrap_or_default();
        let is_of_application = |pair: &&[ObjectId]| of_runtime.is_none_or(|objects| !objects.contains(pair[1].raw()));
        let owner = path.windows(2).rev().take_while(is_of_application).find_map(|pair| {
            let text = self.holds_as_owner(pair[0], pair[1])?;
            Some(Owner { object: pair[0], text })
        });
        Ok(owner)
    }

    /// The name of `above` as owner of `below`, if it belongs to the application.
    fn holds_as_owner(&self, above: ObjectId, below: ObjectId) -> Option<String> {
        self.owner_by(above, below, Self::field_towards)
    }

    /// The same without a search for the field that leads to an object that `above` does not refer to itself.
    pub(crate) fn holds_directly_as_owner(&self, above: ObjectId, below: ObjectId) -> Option<String> {
        self.owner_by(above, below, Self::member)
    }

    fn owner_by(
        &self,
        above: ObjectId,
        below: ObjectId,
        member: impl Fn(&Self, ObjectId, ObjectId) -> Option<String>,
    ) -> Option<String> {
        if let Some(text) = self.thread_as_owner(above, below) {
            return Some(text);
        }
        let class = match self.heap.classes.of_object(above) {
            Some(class) => class,
            // An array has no fields: its holder is the owner.
            None if self.heap.class(above).kind == ClassKind::Plain => self.heap.class_id(above),
            None => return None,
        };
        if self.heap.snapshot().is_some() && self.heap.classes.get(class).name.starts_with(CONTEXT) {
            // Captured variables are named by the program.
            return member(self, above, below).map(|variable| format!("variable {variable}"));
        }
        if self.index.is_runtime(class) {
            return None;
        }
        let name = self.index.class(self.heap, class);
        Some(match member(self, above, below) {
            Some(member) => name + &field(&member),
            None => name,
        })
    }

    /// A thread owns the locals of its stack while it runs an application method.
    fn thread_as_owner(&self, thread: ObjectId, below: ObjectId) -> Option<String> {
        let name = self.index.thread_name(thread)?;
        let stack = self.stack_names(thread)?;
        (stack.runs_application && stack.holds(below)).then(|| name.to_owned())
    }

    /// The field through which `above` reaches an object it dominates, directly or not: of several, the one with the fewest
    /// objects between them, where collections with their parts and links of one class count as none; then the first by
    /// name.
    pub(crate) fn field_towards(&self, above: ObjectId, below: ObjectId) -> Option<String> {
        if let Some(name) = self.member(above, below) {
            return Some(name);
        }
        let (mut near, mut farther) = (VecDeque::from([below]), VecDeque::new());
        let mut seen: HashSet<ObjectId> = HashSet::new();
        let (mut first, mut looked_at): (Option<String>, usize) = (None, 0);
        while looked_at < LOOKED_AT {
            let Some(at) = near.pop_front() else {
                if farther.is_empty() || first.is_some() {
                    break;
                }
                near = std::mem::take(&mut farther);
                continue;
            };
            if !seen.insert(at) {
                continue;
            }
            for before in self.analysis.referrers(at).take(LOOKED_AT) {
                looked_at += 1;
                if before == above {
                    first = first.into_iter().chain(self.member(above, at)).min();
                } else if !seen.contains(&before) && self.analysis.dominates(above, before) {
                    if self.is_between(before, at) { &mut farther } else { &mut near }.push_back(before);
                }
            }
        }
        first
    }

    /// True of an object that is no part of a collection or a chain that leads to another.
    fn is_between(&self, object: ObjectId, to: ObjectId) -> bool {
        let (class, name) = (self.heap.class(object), &*self.heap.class(object).name);
        let is_part = class.kind != ClassKind::Plain || is_inside(name) || self.is_collection(object);
        !is_part && self.heap.class_id(object) != self.heap.class_id(to)
    }

    /// The name of a field or static field that holds an object; the first by name.
    pub(crate) fn member(&self, holder: ObjectId, object: ObjectId) -> Option<String> {
        let names = self.contents.reference_names(self.heap, holder, object, NAMES);
        let is_member = |name: &ReferenceName| OF_PROGRAM.contains(&name.kind);
        names.into_iter().filter(is_member).map(|name| name.text).min()
    }
}
