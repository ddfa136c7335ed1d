//! Shallow sizes. HPROF does not record the object layout of the virtual machine; these are the exact rules of Eclipse
//! MAT (its HprofParserHandlerImpl), and the plain sizes in the file. The actual layout is computed in
//! [`super::jvm_layout`].

use super::tags::BasicType;
use heaplens_heap::SizeModel;

fn up(n: u64, to: u32) -> u64 {
    let to = u64::from(to.max(1));
    // Nearly always a power of two, and needed for every array, so avoid the division.
    if to.is_power_of_two() { n.saturating_add(to - 1) & !(to - 1) } else { n.next_multiple_of(to) }
}

/// Sizes of arrays, by element type and length.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArraySizes {
    /// Offset of the elements and element width in bytes, by type number.
    kinds: [(u32, u32); BasicType::ALL.len()],
    alignment: u32,
}

impl ArraySizes {
    /// Creates the table from the offset of the elements and the element width of each type.
    pub(super) fn new(kinds: [(BasicType, u64, u64); BasicType::ALL.len()], alignment: u32) -> Self {
        let mut sizes = Self { kinds: [(0, 0); BasicType::ALL.len()], alignment };
        for (kind, first, width) in kinds {
            if let Some(entry) = sizes.kinds.get_mut(kind as usize) {
                *entry = (first as u32, width as u32);
            }
        }
        sizes
    }

    /// Offset of the elements and element width, in bytes.
    #[inline]
    pub(super) fn of(&self, kind: BasicType) -> (u32, u32) {
        self.kinds.get(kind as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn size(&self, kind: BasicType, length: u32) -> u64 {
        let (first, width) = self.of(kind);
        up(u64::from(first) + u64::from(length) * u64::from(width), self.alignment)
    }
}

/// Facts about the layout that MAT guesses from the dump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) model: SizeModel,
    /// Size of an id in the file in bytes, which MAT uses as the pointer size.
    pub(super) id_bytes: u32,
    /// Bytes of a reference: 4 with compressed references.
    pub(super) reference_bytes: u32,
    /// Objects begin at multiples of this.
    pub(super) alignment: u32,
}

impl Layout {
    fn value_bytes(&self, kind: BasicType) -> u64 {
        match self.model {
            SizeModel::File => u64::from(kind.bytes(self.id_bytes)),
            SizeModel::Auto | SizeModel::Mat => u64::from(kind.bytes(self.reference_bytes)),
        }
    }

    /// Values of these types.
    pub(super) fn values(&self, kinds: impl Iterator<Item = BasicType>) -> u64 {
        kinds.map(|kind| self.value_bytes(kind)).sum()
    }

    /// Unaligned size of header and fields of an instance, given that of its superclass and the size of its own fields.
    pub(super) fn fields_end(&self, superclass: Option<u64>, own: u64) -> u64 {
        match (self.model, superclass) {
            (SizeModel::File, above) => above.unwrap_or(0).saturating_add(own),
            // MAT omits the fields of a class without a superclass: `java.lang.Object` has none.
            (_, None) => u64::from(self.id_bytes + self.reference_bytes),
            (_, Some(above)) => up(above.saturating_add(own), self.reference_bytes),
        }
    }

    /// Size of an instance whose fields end at `fields_end`.
    pub(super) fn instance(&self, fields_end: u64) -> u64 {
        match self.model {
            SizeModel::File => fields_end,
            SizeModel::Auto | SizeModel::Mat => up(fields_end, self.alignment),
        }
    }

    pub(super) fn arrays(&self) -> ArraySizes {
        let (pointer, reference) = (u64::from(self.id_bytes), u64::from(self.reference_bytes));
        let header = pointer + reference + 4;
        let kinds = BasicType::ALL.map(|kind| {
            let first = match (self.model, kind) {
                (SizeModel::File, _) => 0,
                (_, BasicType::Object) => header,
                _ => up(header, self.reference_bytes),
            };
            (kind, first, self.value_bytes(kind))
        });
        ArraySizes::new(kinds, if self.model == SizeModel::File { 1 } else { self.alignment })
    }

    /// Size of a class object with these statics.
    pub(super) fn class(&self, statics: impl Iterator<Item = BasicType>) -> u64 {
        let bytes = self.values(statics);
        match self.model {
            SizeModel::File => bytes,
            SizeModel::Auto | SizeModel::Mat => up(bytes, self.alignment),
        }
    }
}

/// Computes MAT's alignment: the greatest common divisor of the distances between addresses, at least 8 and at most
/// 256.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Alignment {
    first: Option<u64>,
    divisor: u64,
}

impl Alignment {
    #[inline]
    pub(super) fn see(&mut self, address: u64) {
        if self.first.is_some() && self.divisor != 0 && self.divisor <= 8 {
            return;
        }
        let Some(first) = self.first else {
            self.first = Some(address);
            return;
        };
        let (mut a, mut b) = (self.divisor, address.abs_diff(first));
        while b != 0 {
            (a, b) = (b, a % b);
        }
        self.divisor = a;
    }

    pub(super) fn join(&mut self, other: Self) {
        let Some(first) = other.first else { return };
        self.see(first);
        if other.divisor != 0 {
            // Any address at that distance has the same effect as all those that `other` has seen.
            self.see(first.wrapping_add(other.divisor));
        }
    }

    /// The alignment.
    pub(super) fn bytes(self) -> u32 {
        self.divisor.clamp(8, 256) as u32
    }
}

/// Detects compressed references as MAT does: an object array is too close to the preceding array in the file for
/// elements of 8 bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReferenceWidth {
    first: Option<u64>,
    last: Option<(u64, u64)>,
    /// True if two arrays were that close.
    pub(super) compressed: bool,
}

impl ReferenceWidth {
    /// Adds an object array; must be called in file order.
    #[inline]
    pub(super) fn see(&mut self, address: u64, length: u32) {
        self.first.get_or_insert(address);
        if let Some((start, end)) = self.last {
            self.compressed |= start < address && address < end;
        }
        self.last = Some((address, address.saturating_add(16 + 8 * u64::from(length))));
    }

    /// Merges the result of the following part of the file.
    pub(super) fn join(&mut self, next: Self) {
        self.compressed |= next.compressed;
        if let (Some((start, end)), Some(address)) = (self.last, next.first) {
            self.compressed |= start < address && address < end;
        }
        self.first = self.first.or(next.first);
        self.last = next.last.or(self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAT: Layout = Layout { model: SizeModel::Mat, id_bytes: 8, reference_bytes: 4, alignment: 8 };

    #[test]
    fn sizes_are_those_of_eclipse_mat() {
        let object = MAT.fields_end(None, 0);
        let fields = [BasicType::Int, BasicType::Object, BasicType::Object, BasicType::Object];
        let node = MAT.fields_end(Some(object), MAT.values(fields.into_iter()));
        assert_eq!((MAT.instance(object), MAT.instance(node)), (16, 32));
        assert_eq!(MAT.arrays().size(BasicType::Object, 3), 32);
        assert_eq!(MAT.arrays().size(BasicType::Byte, 1), 24);
        assert_eq!(MAT.class([BasicType::Int].into_iter()), 8);
        assert_eq!(MAT.class([].into_iter()), 0);
    }

    #[test]
    fn rounding_up_needs_no_power_of_two() {
        for (n, to, rounded) in [(0, 8, 0), (1, 8, 8), (8, 8, 8), (17, 24, 24), (25, 24, 48), (9, 4, 12), (5, 0, 5)] {
            assert_eq!(up(n, to), rounded, "{n} up to {to}");
        }
    }

    #[test]
    fn alignment_is_a_common_divisor_however_it_is_joined() {
        let mut all = Alignment::default();
        let (mut left, mut right) = (Alignment::default(), Alignment::default());
        for a in [0x1000_u64, 0x1020, 0x1040, 0x10a0] {
            all.see(a);
            if a < 0x1030 { left.see(a) } else { right.see(a) }
        }
        left.join(right);
        assert_eq!((all.bytes(), left.bytes()), (32, 32));
        left.see(0x10a4);
        assert_eq!(left.bytes(), 8);
    }

    #[test]
    fn close_arrays_show_compressed_references() {
        let mut one = ReferenceWidth::default();
        one.see(0x1000, 10);
        let mut two = ReferenceWidth::default();
        two.see(0x1000 + 16 + 40, 1);
        assert!(!one.compressed && !two.compressed);
        one.join(two);
        assert!(one.compressed);
        let mut wide = ReferenceWidth::default();
        wide.see(0x1000, 10);
        wide.see(0x1000 + 24 + 80, 10);
        assert!(!wide.compressed);
    }
}
