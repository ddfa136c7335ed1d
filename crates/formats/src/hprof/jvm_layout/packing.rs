//! Packing of the fields of a class after those of its superclass, as HotSpot does it.
//!
//! Only the number of fields of each width matters for the size, so a class is represented by a handful of counts, and
//! its layout by the remaining gaps.

use crate::hprof::tags::BasicType;

/// Space on each side of fields that must not share a cache line with others (`@Contended`).
const CONTENDED_PADDING: u64 = 128;
/// Maximum number of gaps to remember. A class leaves two or three; only a malformed chain of classes leaves more.
const MOST_GAPS: usize = 12;

/// Rounds up to a power of two.
pub(super) fn up(n: u64, to: u64) -> u64 {
    n.saturating_add(to - 1) & !(to - 1)
}

/// Number of fields by width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) eights: u64,
    pub(super) fours: u64,
    pub(super) twos: u64,
    pub(super) ones: u64,
    pub(super) references: u64,
    /// Native pointers that the virtual machine injects into classes it knows.
    pub(super) pointers: u64,
}

impl Fields {
    pub(super) fn add(&mut self, kind: BasicType) {
        match kind {
            BasicType::Object => self.references += 1,
            BasicType::Double | BasicType::Long => self.eights += 1,
            BasicType::Float | BasicType::Int => self.fours += 1,
            BasicType::Char | BasicType::Short => self.twos += 1,
            BasicType::Boolean | BasicType::Byte => self.ones += 1,
        }
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Bytes of all fields.
    pub(super) fn bytes(self, widths: Widths) -> u64 {
        let parts = [
            (self.eights, 8),
            (self.fours, 4),
            (self.twos, 2),
            (self.ones, 1),
            (self.references, widths.reference),
            (self.pointers, widths.pointer),
        ];
        parts.iter().fold(0, |sum: u64, (count, width)| sum.saturating_add(count.saturating_mul(*width)))
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct DeclaredFields {
    pub(super) fields: Fields,
    /// Fields padded from all others (`@Contended`).
    pub(super) contended: Fields,
    /// True if all of them are padded from those of the superclass.
    pub(super) all_contended: bool,
}

impl DeclaredFields {
    fn has_contended(&self) -> bool {
        self.all_contended || !self.contended.is_empty()
    }
}

/// The order in which fields are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// JDK 15 and later: into the smallest gap that fits, anywhere.
    Modern,
    /// Up to JDK 14: after the fields of the superclass, rounded up to the width of a reference.
    Classic,
}

/// Widths that depend on machine and options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    pub(super) reference: u64,
    pub(super) pointer: u64,
}

/// End of the fields of a class, and free space before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Space {
    /// Start and end of free places, ascending.
    gaps: Vec<(u64, u64)>,
    pub(super) end: u64,
    /// True if subclasses can only append, because the class has padded fields.
    closed: bool,
}

impl Space {
    /// Header without any fields.
    pub(super) fn header(end: u64) -> Self {
        Self { gaps: Vec::new(), end, closed: false }
    }

    /// Extends `self` by the fields of a subclass.
    pub(super) fn with(&self, own: &DeclaredFields, packing: Packing, widths: Widths) -> Self {
        let mut space = match packing {
            Packing::Modern => self.clone(),
            Packing::Classic => Self::header(up(self.end, widths.reference)),
        };
        if own.all_contended {
            space.pad();
        }
        match packing {
            Packing::Modern => space.add_modern(own.fields, widths),
            Packing::Classic => space.place_classic(own.fields, widths),
        }
        // Gaps left by this class are not filled by its own fields, but may be by those of subclasses.
        space.closed = false;
        if !own.contended.is_empty() {
            space.pad();
            space.add_modern(own.contended, widths);
        }
        if own.has_contended() {
            space.pad();
            space.end = up(space.end, widths.pointer);
        }
        space
    }

    /// Adds padding against neighbouring fields.
    fn pad(&mut self) {
        self.gaps.clear();
        self.closed = true;
        self.end = self.end.saturating_add(CONTENDED_PADDING);
    }

    /// Primitives at least as wide as a pointer, widest first; then smaller ones; then references.
    fn add_modern(&mut self, fields: Fields, widths: Widths) {
        let (wide_pointers, narrow_pointers) =
            if widths.pointer == 8 { (fields.pointers, 0) } else { (0, fields.pointers) };
        self.add(fields.eights + wide_pointers, 8);
        self.add(fields.fours + narrow_pointers, 4);
        self.add(fields.twos, 2);
        self.add(fields.ones, 1);
        self.add(fields.references, widths.reference);
    }

    fn add(&mut self, count: u64, width: u64) {
        let mut left = count;
        while left > 0 {
            let fits = |&(start, end): &(u64, u64)| up(start, width) + width <= end;
            // Of gaps of equal size, the last one is used.
            let candidates = self.gaps.iter().enumerate().filter(|(_, gap)| fits(gap));
            let best = candidates.min_by_key(|&(at, &(start, end))| (end - start, usize::MAX - at)).map(|(at, _)| at);
            let Some((start, end)) = best.map(|at| self.gaps.remove(at)) else {
                self.append(left, width);
                return;
            };
            let at = up(start, width);
            for free in [(start, at), (at + width, end)] {
                self.free(free);
            }
            left -= 1;
        }
    }

    fn append(&mut self, count: u64, width: u64) {
        let start = up(self.end, width);
        self.free((self.end, start));
        self.end = start.saturating_add(count.saturating_mul(width));
    }

    fn free(&mut self, gap: (u64, u64)) {
        if gap.0 < gap.1 && !self.closed && self.gaps.len() < MOST_GAPS {
            let at = self.gaps.partition_point(|g| g.0 < gap.0);
            self.gaps.insert(at, gap);
        }
    }

    /// Primitives by width, widest first, then references. If the widest must leave a gap for alignment, smaller fields
    /// fill it.
    fn place_classic(&mut self, mut fields: Fields, widths: Widths) {
        if widths.pointer == 8 {
            fields.eights += fields.pointers;
        } else {
            fields.fours += fields.pointers;
        }
        let mut at = self.end;
        if fields.eights > 0 {
            let mut gap = up(at, 8) - at;
            at = up(at, 8) + 8 * fields.eights;
            let references =
                if widths.reference == 4 { (&mut fields.references, 4) } else { (&mut 0_u64, widths.reference) };
            let mut fill = |(count, width): (&mut u64, u64)| {
                while gap >= width && *count > 0 {
                    *count -= 1;
                    gap -= width;
                }
            };
            fill((&mut fields.fours, 4));
            fill((&mut fields.twos, 2));
            fill((&mut fields.ones, 1));
            fill(references);
        }
        at += 4 * fields.fours + 2 * fields.twos + fields.ones;
        if fields.references > 0 {
            at = up(at, widths.reference) + widths.reference * fields.references;
        }
        self.end = up(at, widths.reference);
    }
}

/// Size of the statics after the fields of a class object, in bytes: references first, then primitives, widest first.
/// Gaps remain.
pub(super) fn statics(fields: Fields, widths: Widths) -> u64 {
    let mut space = Space { closed: true, ..Space::header(0) };
    space.append(fields.references, widths.reference);
    space.add_modern(Fields { references: 0, ..fields }, widths);
    up(space.end, widths.pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NARROW: Widths = Widths { reference: 4, pointer: 8 };
    const WIDE: Widths = Widths { reference: 8, pointer: 8 };

    fn own(eights: u64, fours: u64, ones: u64, references: u64) -> DeclaredFields {
        DeclaredFields {
            fields: Fields { eights, fours, ones, references, ..Fields::default() },
            ..DeclaredFields::default()
        }
    }

    #[test]
    fn a_modern_class_fills_the_gaps_of_its_superclass() {
        // One byte after a header of 12 bytes; the subclass has a long and three bytes.
        for (packing, end) in [(Packing::Modern, 24), (Packing::Classic, 27)] {
            let above = Space::header(12).with(&own(0, 0, 1, 0), packing, NARROW);
            let below = above.with(&own(1, 0, 3, 0), packing, NARROW);
            assert_eq!(up(below.end, 4), up(end, 4), "{packing:?}");
        }
    }

    #[test]
    fn gaps_of_wide_references_are_filled_by_subclass_fields() {
        let above = Space::header(12).with(&own(0, 0, 0, 1), Packing::Modern, WIDE);
        assert_eq!(above.end, 24);
        assert_eq!(above.with(&own(0, 1, 0, 0), Packing::Modern, WIDE).end, 24);
        assert_eq!(above.with(&own(0, 2, 0, 0), Packing::Modern, WIDE).end, 28);
    }

    #[test]
    fn well_known_classes_have_their_sizes() {
        let size =
            |header, own: &DeclaredFields, widths| up(Space::header(header).with(own, Packing::Modern, widths).end, 8);
        // java.util.HashMap$Node: an int and three references.
        let node = own(0, 1, 0, 3);
        assert_eq!([size(12, &node, NARROW), size(12, &node, WIDE), size(16, &node, WIDE)], [32, 40, 48]);
        assert_eq!(size(8, &node, NARROW), 24);
        // java.util.concurrent.atomic.Striped64$Cell, padded.
        let cell = DeclaredFields { all_contended: true, ..own(1, 0, 0, 0) };
        assert_eq!(size(12, &cell, NARROW), 280);
        // java.util.concurrent.ForkJoinPool: the second number does not precede the padded one.
        let fields = Fields { eights: 1, fours: 1, ..Fields::default() };
        let pool = DeclaredFields { contended: fields, ..own(0, 1, 0, 0) };
        assert_eq!(size(8, &pool, NARROW), 288);
        // After padding, a subclass begins at a full word.
        let above = Space::header(12).with(&pool, Packing::Modern, NARROW);
        assert_eq!((above.end, above.with(&own(0, 1, 0, 0), Packing::Modern, NARROW).end), (288, 292));
    }

    #[test]
    fn statics_begin_with_references() {
        let fields = Fields { eights: 1, fours: 2, ones: 2, references: 1, ..Fields::default() };
        assert_eq!([statics(fields, NARROW), statics(fields, WIDE)], [32, 32]);
        assert_eq!(statics(Fields { eights: 0, ..fields }, NARROW), 16);
        assert_eq!(statics(Fields::default(), NARROW), 0);
    }

    #[test]
    fn gaps_remembered_along_a_class_chain_are_limited() {
        let mut space = Space::header(12);
        for n in 0..10_000 {
            space = space.with(&own(n % 2, 0, 1, 0), Packing::Modern, WIDE);
        }
        assert!(space.gaps.len() <= MOST_GAPS);
        let large = DeclaredFields {
            fields: Fields { eights: u64::MAX / 64, ..Fields::default() },
            ..DeclaredFields::default()
        };
        assert!(space.with(&large, Packing::Modern, WIDE).end > space.end);
    }
}
