//! The shortest path to each leaking object, as Shark searches: references that are
//! known to leak, and local variables, are followed last; the search stops at leaking objects,
//! so no path leads through another. Then the retained size of each.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::reference::{Reference, ReferenceBuffer};
use super::starts::{Start, starts};
use super::{references::References, roots::Roots, sizes::Sizes};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::{Bits, NONE};
use heaplens_heap::ObjectId;

/// Retained set of a leaking object.
#[derive(Debug, Default)]
pub(super) struct LeakRetainedSize {
    pub(super) bytes: Bytes,
    pub(super) objects: u64,
    /// Leaking objects reachable only through it.
    pub(super) leaking: Vec<ObjectId>,
    /// Leaking objects with their own path that also lead to it.
    pub(super) by: Vec<ObjectId>,
}

/// Paths to leaking objects.
#[derive(Default)]
pub(super) struct Paths {
    /// Previous object; [`NONE`] at the beginning of a path.
    before: Vec<u32>,
    /// Index of the reference taken; at the beginning the index of the root.
    indexes: Vec<u32>,
    pub(super) starts: Vec<Start>,
    /// Reached leaking objects, in order of discovery.
    pub(super) leaking: Vec<ObjectId>,
    /// Retained set of each, in the same order.
    pub(super) retained: Vec<LeakRetainedSize>,
    /// Unreachable leaking objects.
    pub(super) unreachable: Vec<ObjectId>,
}

struct Search<'s, 'a> {
    references: &'s References<'a>,
    paths: Paths,
    /// Visited.
    seen: Bits,
    /// Queued with low priority.
    waiting: Bits,
    first: VecDeque<u32>,
    last: VecDeque<u32>,
    is_last: bool,
}

/// Searches from the roots to all of `leaking`.
pub(super) fn search(
    references: &References<'_>,
    sizes: &Sizes<'_>,
    leaking: &Bits,
    roots: Roots,
    task: &Task,
) -> Result<Paths, Cancelled> {
    let objects = references.phone.heap.len();
    task.step("Finding paths to leaking objects", Unit::Objects, objects as u64);
    let paths = Paths {
        before: vec![NONE; objects],
        indexes: vec![NONE; objects],
        starts: starts(references, roots),
        ..Paths::default()
    };
    let mut search = Search {
        references,
        paths,
        seen: Bits::new(objects),
        waiting: Bits::new(objects),
        first: VecDeque::new(),
        last: VecDeque::new(),
        is_last: false,
    };
    search.walk(leaking, task)?;
    search.keep(leaking, sizes, task)?;
    let Search { mut paths, seen, .. } = search;
    paths.unreachable = leaking.iter().filter(|&row| !seen.contains(row)).filter_map(ObjectId::from_raw).collect();
    Ok(paths)
}

impl Search<'_, '_> {
    fn walk(&mut self, leaking: &Bits, task: &Task) -> Result<(), Cancelled> {
        for (index, start) in (0..).zip(self.paths.starts.clone()) {
            self.offer(start.object, NONE, index, start.is_last);
        }
        let (mut buffer, mut done) = (ReferenceBuffer::default(), 0_usize);
        while let Some(row) = self.next() {
            done += 1;
            if done.is_multiple_of(CHECKPOINT_EVERY) {
                task.advance_checked(CHECKPOINT_EVERY as u64)?;
            }
            let Some(object) = ObjectId::from_raw(row) else { continue };
            if leaking.contains(row) {
                self.paths.leaking.push(object);
                continue;
            }
            self.references.read(object, &mut buffer);
            for (index, reference) in (0..).zip(&buffer.references) {
                self.offer(reference.target, row, index, reference.is_last);
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<u32> {
        if let Some(row) = self.first.pop_front() {
            return Some(row);
        }
        self.is_last = true;
        loop {
            let row = self.last.pop_front()?;
            // Others were visited again on an ordinary path and came first.
            if self.waiting.contains(row) {
                self.waiting.remove(row);
                return Some(row);
            }
        }
    }

    /// A path to an object.
    fn offer(&mut self, object: ObjectId, before: u32, index: u32, is_last: bool) {
        let row = object.raw();
        let goes_last = is_last || self.is_last;
        if self.seen.insert(row) {
            if goes_last {
                self.waiting.insert(row);
                self.last.push_back(row);
            } else {
                self.first.push_back(row);
            }
        } else if !goes_last && self.waiting.contains(row) {
            self.waiting.remove(row);
            self.first.push_back(row);
        } else {
            return;
        }
        self.paths.before[object.index()] = before;
        self.paths.indexes[object.index()] = index;
    }

    /// Walks below each leaking object in order of discovery: shared objects count for the first.
    fn keep(&mut self, leaking: &Bits, sizes: &Sizes<'_>, task: &Task) -> Result<(), Cancelled> {
        let number: FxHashMap<ObjectId, usize> =
            (0..).zip(&self.paths.leaking).map(|(n, &object)| (object, n)).collect();
        let mut retained: Vec<LeakRetainedSize> =
            self.paths.leaking.iter().map(|_| LeakRetainedSize::default()).collect();
        let (mut buffer, mut done, mut queue) = (ReferenceBuffer::default(), 0_usize, VecDeque::new());
        for (at, &from) in self.paths.leaking.iter().enumerate() {
            let mut others: FxHashSet<usize> = FxHashSet::default();
            queue.push_back(from);
            while let Some(object) = queue.pop_front() {
                done += 1;
                if done.is_multiple_of(CHECKPOINT_EVERY) {
                    task.advance_checked(CHECKPOINT_EVERY as u64)?;
                }
                retained[at].bytes += sizes.of(object);
                retained[at].objects += 1;
                if object != from && leaking.contains(object.raw()) {
                    retained[at].leaking.push(object);
                }
                self.references.read(object, &mut buffer);
                for reference in &buffer.references {
                    let target = reference.target;
                    if self.seen.insert(target.raw()) {
                        queue.push_back(target);
                    } else if let Some(&other) = number.get(&target).filter(|&&other| other != at)
                        && others.insert(other)
                    {
                        retained[other].by.push(from);
                    }
                }
            }
        }
        self.paths.retained = retained;
        Ok(())
    }
}

impl Paths {
    /// Objects of a path, the root first, each with its reference to the next, and the GC root.
    pub(super) fn to<'a>(
        &self,
        references: &References<'a>,
        leaking: ObjectId,
    ) -> (Option<Start>, Vec<(ObjectId, Option<Reference<'a>>)>) {
        let mut steps = vec![(leaking, None)];
        let (mut at, mut buffer) = (leaking, ReferenceBuffer::default());
        while let Some(before) = self.before.get(at.index()).copied().and_then(ObjectId::from_raw) {
            let index = self.indexes.get(at.index()).copied().unwrap_or(NONE);
            steps.push((before, references.at(before, index, &mut buffer)));
            at = before;
        }
        steps.reverse();
        let start = self.indexes.get(at.index()).and_then(|&index| self.starts.get(index as usize)).copied();
        (start, steps)
    }
}
