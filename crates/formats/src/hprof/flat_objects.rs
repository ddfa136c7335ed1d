//! Value objects stored in their holders (JEP 401). HotSpot writes each as an instance record right after the record of
//! its holder, with a number as its id: it has no address, and its bytes are part of the holder. Numbers are never
//! multiples of 8, addresses always are.

use rustc_hash::FxHashMap;

use heaplens_heap::{ImportNote, Severity};

/// True if the object is stored in another one, in a dump that has such objects.
#[inline]
pub(super) fn is_flat(id: u64) -> bool {
    !id.is_multiple_of(8)
}

/// A record of a class that is followed by most flat objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Example {
    flats: u32,
    offset: u64,
}

/// Flat objects seen in the first reading.
#[derive(Debug, Default)]
pub(super) struct FlatObjects {
    count: u64,
    /// Examples by class of the holder: an instance or an object array.
    holders: FxHashMap<u64, Example>,
    /// The last object with an address: its class, and the record with the flat objects after it.
    last: Option<(u64, Example)>,
}

impl FlatObjects {
    /// Considers the record of an instance or an object array.
    #[inline]
    pub(super) fn see(&mut self, id: u64, class: u64, offset: u64) {
        if is_flat(id) {
            self.count += 1;
            if let Some((_, example)) = &mut self.last {
                example.flats += 1;
            }
        } else {
            self.flush();
            self.last = Some((class, Example { flats: 0, offset }));
        }
    }

    /// Keeps the record with most flat objects, the first of several.
    #[inline]
    fn flush(&mut self) {
        if let Some((class, example)) = self.last.take().filter(|(_, example)| example.flats > 0) {
            self.keep(class, example);
        }
    }

    fn keep(&mut self, class: u64, example: Example) {
        let best = self.holders.entry(class).or_insert(example);
        if (example.flats, best.offset) > (best.flats, example.offset) {
            *best = example;
        }
    }

    /// Merges the objects of the following part of the file.
    pub(super) fn join(&mut self, mut next: Self) {
        self.flush();
        next.flush();
        self.count += next.count;
        // The best is the same in any order.
        next.holders.drain().for_each(|(class, example)| self.keep(class, example));
    }

    /// Parse warning about them.
    pub(super) fn note(&self) -> Option<ImportNote> {
        let message = "value objects stored in their holders: they have numbers instead of addresses, and no size of \
                       their own";
        ImportNote::if_any(Severity::Info, self.count, message, None)
    }

    /// Offset of the record with most flat objects of each class that has any, by the id of the class.
    pub(super) fn examples(&self) -> Vec<(u64, u64)> {
        let mut examples: Vec<(u64, u64)> =
            self.holders.iter().map(|(&class, example)| (class, example.offset)).collect();
        examples.sort_unstable();
        examples
    }
}
