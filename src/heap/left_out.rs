//! References and objects of a heap that are to count as not there. The heap
//! stays as it is: whoever goes along its references asks here which are left.

use super::cut::Cut;
use super::facts::Heap;
use super::ids::ObjectId;
use crate::graph::bits::Bits;

/// What is left out of a heap.
#[derive(Default)]
pub struct LeftOut {
    /// Objects that nothing leads to.
    objects: Bits,
    /// Objects of which a reference is left out.
    from: Bits,
    /// All references from one object to another, sorted.
    every: Vec<(u32, u32)>,
    /// One reference from an object to another for each time they are listed, not the `referent`; sorted.
    single: Vec<(u32, u32)>,
    /// Objects whose `referent` is left out, ascending.
    referents: Vec<u32>,
}

/// Which references are left out, in any order.
#[derive(Debug, Default)]
pub struct References {
    /// All references from one object to another.
    pub every: Vec<(u32, u32)>,
    /// One reference from an object to another for each time they are listed, not the `referent`.
    pub single: Vec<(u32, u32)>,
    /// Objects whose first reference, their `referent`, is left out.
    pub referents: Vec<u32>,
}

impl LeftOut {
    /// These references, and everything that leads to `objects`.
    pub fn new(heap: &Heap, objects: Bits, references: References) -> Self {
        let References { mut every, mut single, mut referents } = references;
        every.sort_unstable();
        every.dedup();
        single.sort_unstable();
        referents.sort_unstable();
        let mut from = Bits::default();
        if !(every.is_empty() && single.is_empty() && referents.is_empty()) {
            from = Bits::new(heap.len());
            every.iter().chain(&single).map(|&(from, _)| from).chain(referents.iter().copied()).for_each(|row| {
                from.insert(row);
            });
        }
        Self { objects, from, every, single, referents }
    }

    /// What those cuts leave out that say of which objects: fields in all instances and whole classes stay.
    pub fn of_single(heap: &Heap, cuts: &[Cut]) -> Self {
        let (mut objects, mut references) = (Bits::new(heap.len()), References::default());
        for cut in cuts {
            match cut {
                Cut::Reference { from, to } => references.every.push((from.raw(), to.raw())),
                Cut::Object(object) if object.index() < heap.len() => {
                    objects.insert(object.raw());
                }
                _ => {}
            }
        }
        Self::new(heap, objects, references)
    }

    /// Only `objects`.
    pub fn objects(objects: Bits) -> Self {
        Self { objects, ..Self::default() }
    }

    /// Whether nothing leads to an object.
    #[inline]
    pub fn has(&self, object: u32) -> bool {
        self.objects.contains(object)
    }

    /// Whether some of the references of an object are left out for what they are, not for where they lead.
    #[inline]
    pub fn touches(&self, object: u32) -> bool {
        self.from.contains(object)
    }

    /// The references of an object that are left, each with its place among all; `references` are all.
    pub(super) fn left<'a>(
        &'a self,
        heap: &'a Heap,
        from: ObjectId,
        references: &'a [u32],
    ) -> impl Iterator<Item = (usize, u32)> + 'a {
        let mut some = self.touches(from.raw()).then(|| self.of(heap, from));
        references
            .iter()
            .copied()
            .enumerate()
            .filter(move |&(place, to)| !self.has(to) && some.as_mut().is_none_or(|some| some.leaves(place, to)))
    }

    fn of(&self, heap: &Heap, from: ObjectId) -> LeftOutOf<'_> {
        let row = |pairs: &[(u32, u32)]| {
            let first = pairs.partition_point(|&(row, _)| row < from.raw());
            first..first + pairs[first..].partition_point(|&(row, _)| row == from.raw())
        };
        LeftOutOf {
            every: &self.every[row(&self.every)],
            single: self.single[row(&self.single)].iter().map(|&(_, to)| to).collect(),
            has_referent: heap.has_referent_first(from),
            referent: self.referents.binary_search(&from.raw()).is_ok(),
        }
    }
}

/// What is left out of the references of one object.
struct LeftOutOf<'a> {
    every: &'a [(u32, u32)],
    /// Where those lead that are still to come.
    single: Vec<u32>,
    has_referent: bool,
    referent: bool,
}

impl LeftOutOf<'_> {
    fn leaves(&mut self, place: usize, to: u32) -> bool {
        if self.every.binary_search_by_key(&to, |&(_, to)| to).is_ok() {
            return false;
        }
        if place == 0 && self.has_referent {
            return !self.referent;
        }
        match self.single.iter().position(|&other| other == to) {
            Some(at) => {
                self.single.swap_remove(at);
                false
            }
            None => true,
        }
    }
}
