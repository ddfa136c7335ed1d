//! Which member of a cluster each of its exits leaves: members have their exits in the order of their positions, so the
//! number of exits of each is enough.

use std::ops::Range;

use heaplens_base::storage::{Buffer, MemoryBudget, prefetch};

/// Number in a byte that stands for itself and all larger ones.
pub(super) const MANY: u8 = u8::MAX;

/// Number of exits of each member, in the order of [`super::Members`]; exits to hubs do not count.
pub(super) struct Leaving {
    counts: Buffer<u8>,
    /// Members with at least [`MANY`] exits, and their number, ascending.
    many: Vec<(u32, u32)>,
}

impl Leaving {
    pub(super) fn new(members: usize, budget: &MemoryBudget) -> Self {
        Self { counts: budget.scratch(members), many: Vec::new() }
    }

    /// Adds the counts of the members from `first` on, and those of them that are large, by position from there.
    pub(super) fn append(&mut self, first: usize, counts: &[u8], many: &[(u32, u32)]) {
        self.counts[first..first + counts.len()].copy_from_slice(counts);
        self.many.extend(many.iter().map(|&(member, count)| (first as u32 + member, count)));
    }

    pub(super) fn set_len(&mut self, members: usize) {
        self.counts.set_len(members);
    }

    /// Loads the number of exits of a member in the background.
    #[inline]
    pub(super) fn prefetch(&self, member: usize) {
        prefetch(&self.counts, member);
    }

    fn of(&self, member: usize) -> usize {
        let count = self.counts[member];
        if count < MANY {
            return usize::from(count);
        }
        let large = self.many.binary_search_by_key(&(member as u32), |&(member, _)| member);
        large.map_or(usize::from(MANY), |at| self.many[at].1 as usize)
    }

    /// Sources of the exits of the cluster with some members.
    pub(super) fn sources(&self, members: Range<usize>) -> Sources<'_> {
        Sources { leaving: self, next: members.start, members, passed: 0 }
    }
}

/// Finds sources of the exits of a cluster, in the order of the exits.
pub(super) struct Sources<'a> {
    leaving: &'a Leaving,
    members: Range<usize>,
    /// First member whose exits are not passed, and the number of those that are.
    next: usize,
    passed: usize,
}

impl Sources<'_> {
    /// Position of the source of an exit, counted from the first of the cluster; `None` if it leads to a hub. The exit
    /// must not be before those asked for earlier.
    pub(super) fn of(&mut self, exit: usize) -> Option<u32> {
        while self.passed <= exit {
            if self.next == self.members.end {
                return None;
            }
            self.passed += self.leaving.of(self.next);
            self.next += 1;
        }
        Some((self.next - 1 - self.members.start) as u32)
    }
}
