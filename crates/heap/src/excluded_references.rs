//! References and objects excluded from a heap. The heap itself is unchanged: code that follows references checks here
//! which of them remain.

use super::{Heap, ObjectId};
use heaplens_graph::{Bits, ranks::Ranks};

/// References excluded from a heap.
#[derive(Debug, Default)]
pub struct ExcludedReferences {
    /// Objects to which all references are excluded.
    objects: Bits,
    /// Objects that are no GC roots any more.
    roots: Bits,
    /// Objects from which all references are excluded, besides that to their class.
    sources: Bits,
    /// Objects with an excluded reference.
    from: Bits,
    /// Pairs of objects between which all references are excluded, sorted.
    every: Vec<(u32, u32)>,
    /// Pairs of objects; each occurrence excludes one reference between them, other than the `referent`; sorted.
    single: Vec<(u32, u32)>,
    /// Sources of these, and the start of each in the list.
    rows: Ranks,
    starts: Vec<usize>,
    /// Objects with an excluded `referent`, ascending.
    referents: Vec<u32>,
}

/// Excluded references, in any order.
#[derive(Debug, Default)]
pub struct ExcludedReferenceList {
    /// Pairs of objects between which all references are excluded.
    pub every: Vec<(u32, u32)>,
    /// Pairs of objects; each occurrence excludes one reference between them, other than the `referent`.
    pub single: Vec<(u32, u32)>,
    /// Objects whose first reference, their `referent`, is excluded.
    pub referents: Vec<u32>,
    /// Objects that are no GC roots any more. References to them remain.
    pub roots: Vec<u32>,
    /// Objects from which all references are excluded, besides that to their class.
    pub sources: Vec<u32>,
}

impl ExcludedReferences {
    /// Excludes these references, and all references to `objects`.
    pub fn new(heap: &Heap, objects: Bits, references: ExcludedReferenceList) -> Self {
        let ExcludedReferenceList { mut every, mut single, mut referents, roots, sources } = references;
        every.sort_unstable();
        every.dedup();
        single.sort_unstable();
        referents.sort_unstable();
        let pairs = every.iter().chain(&single).map(|&(from, _)| from);
        let from = bits(heap, pairs.chain(referents.iter().chain(&sources).copied()));
        let (roots, sources) = (bits(heap, roots), bits(heap, sources));
        let (mut rows, mut starts, mut end) = (Vec::new(), vec![0], 0);
        for of_row in single.chunk_by(|one, other| one.0 == other.0) {
            end += of_row.len();
            starts.push(end);
            rows.extend(of_row.first().map(|&(row, _)| row));
        }
        let rows = if rows.is_empty() { Ranks::default() } else { Ranks::new(heap.len(), &rows) };
        Self { objects, roots, sources, from, every, single, rows, starts, referents }
    }

    /// Only `objects`.
    pub fn objects(objects: Bits) -> Self {
        Self { objects, ..Self::default() }
    }

    /// Excludes all references to `objects` too.
    #[must_use]
    pub fn and_objects(mut self, heap: &Heap, objects: &Bits) -> Self {
        let mut all = Bits::new(heap.len());
        all.extend(self.objects.iter().chain(objects.iter()));
        self.objects = all;
        self
    }

    /// True if all references to `object` are excluded.
    #[inline]
    pub fn has(&self, object: u32) -> bool {
        self.objects.contains(object)
    }

    /// True if an object is no GC root any more.
    #[inline]
    pub fn has_root(&self, object: u32) -> bool {
        self.has(object) || self.roots.contains(object)
    }

    /// True if all references from one object to another are excluded.
    pub fn excludes(&self, from: u32, to: u32) -> bool {
        self.has(to)
            || self.touches(from) && (self.sources.contains(from) || self.every.binary_search(&(from, to)).is_ok())
    }

    /// True if some references of an object are excluded by their kind, not by their target.
    #[inline]
    pub fn touches(&self, object: u32) -> bool {
        self.from.contains(object)
    }

    /// Remaining references of an object, each with its index among all; `references` are all of them.
    pub(super) fn left<'a>(
        &'a self,
        heap: &'a Heap,
        from: ObjectId,
        references: &'a [u32],
    ) -> impl Iterator<Item = (usize, u32)> + 'a {
        let touched = self.touches(from.raw());
        let all = references.iter().copied().enumerate();
        all.filter(move |&(index, to)| !self.has(to) && (!touched || self.leaves(heap, from, references, (index, to))))
    }

    /// True if a reference remains, for an object with some excluded.
    fn leaves(&self, heap: &Heap, from: ObjectId, references: &[u32], (index, to): (usize, u32)) -> bool {
        if self.excludes(from.raw(), to) {
            return false;
        }
        let referent = |index: usize| index == 0 && heap.has_referent_first(from);
        let times = self.single_of(from.raw()).iter().filter(|&&(_, other)| other == to).count();
        if !self.referents.is_empty() && referent(index) {
            return self.referents.binary_search(&from.raw()).is_err();
        }
        if times == 0 || referent(index) {
            return true;
        }
        // The first ones with that target are excluded; an instance has few references.
        let before = references[..index].iter().enumerate().filter(|&(at, &other)| other == to && !referent(at));
        before.count() >= times
    }

    /// Entries of [`Self::single`] with `from` as their source.
    fn single_of(&self, from: u32) -> &[(u32, u32)] {
        let Some(at) = self.rows.up_to(from).checked_sub(1) else { return &[] };
        let of_row = self.starts.get(at).zip(self.starts.get(at + 1)).map(|(&first, &end)| &self.single[first..end]);
        of_row.filter(|row| row.first().is_some_and(|&(row, _)| row == from)).unwrap_or_default()
    }
}

/// A set of some objects of a heap, without room if it is empty.
fn bits(heap: &Heap, rows: impl IntoIterator<Item = u32>) -> Bits {
    let mut rows = rows.into_iter().filter(|&row| (row as usize) < heap.len()).peekable();
    if rows.peek().is_none() {
        return Bits::default();
    }
    let mut all = Bits::new(heap.len());
    all.extend(rows);
    all
}
