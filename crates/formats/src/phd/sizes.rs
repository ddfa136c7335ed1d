//! Sizes of objects. Classes record their instance size; arrays record theirs since version 6. Before that, it follows
//! from the object layout: by the rules of IBM's own reader, as shown by Eclipse MAT, or as in the virtual machine.

use super::{header::Header, records::element_bytes};
use heaplens_heap::SizeModel;

/// Infers the width of references from the distance between reference arrays and the objects after them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReferenceWidth {
    /// Last record, if it was a sufficiently long array: its address, and its size with wide references.
    array: Option<(u64, u64)>,
    /// True if an object overlaps the references of an array, assuming they had eight bytes.
    is_narrow: bool,
}

/// Minimum length of an array for a conclusion: shorter ones may be padded.
const TELLING: u64 = 4;

impl ReferenceWidth {
    /// Adds the address of the next record.
    #[inline]
    pub(super) fn see(&mut self, address: u64) {
        if let Some((array, bytes)) = self.array.take()
            && address > array
            && address - array < bytes
        {
            self.is_narrow = true;
        }
    }

    /// Adds a reference array.
    #[inline]
    pub(super) fn array(&mut self, address: u64, length: u64) {
        self.array = (length >= TELLING).then(|| (address, length.saturating_mul(8).saturating_add(8)));
    }

    pub(super) fn join(&mut self, other: Self) {
        self.is_narrow |= other.is_narrow;
    }
}

/// Size rules of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    model: SizeModel,
    /// Number of bytes added to every instance size: the oldest files omit the header.
    instance_header: u64,
    /// Bytes of the smallest object.
    smallest: u64,
    /// Header size of primitive arrays, and of object arrays, in bytes.
    headers: [u64; 2],
    /// Bytes of a reference.
    reference: u64,
}

impl Sizes {
    /// Derives the rules from the header, the measured distances, and the smallest instance of any class in the file.
    pub(super) fn new(
        model: SizeModel,
        header: &Header,
        width: ReferenceWidth,
        smallest_instance: Option<u64>,
    ) -> Self {
        let without_header = smallest_instance == Some(0);
        let instance_header = match (without_header, header.is_wide) {
            (true, true) => 24,
            (true, false) => 12,
            (false, _) => 0,
        };
        let wide_pointers = header.is_wide && (without_header || smallest_instance.is_none_or(|size| size > 16));
        let pointer = if wide_pointers { 8 } else { 4 };
        let by_rule = Self {
            model,
            instance_header,
            smallest: 0,
            headers: [2 * pointer + if without_header { 4 } else { 8 }, 2 * pointer + 8],
            reference: pointer,
        };
        match model {
            SizeModel::File => {
                Self { instance_header: 0, headers: [0, 0], reference: if header.is_wide { 8 } else { 4 }, ..by_rule }
            }
            // J9 2.6 and later; earlier versions hash all objects.
            SizeModel::Auto if header.is_j9 && !header.is_hashed => {
                let reference = if header.is_wide && !width.is_narrow { 8 } else { 4 };
                Self { smallest: 16, headers: [2 * reference; 2], reference, ..by_rule }
            }
            SizeModel::Auto | SizeModel::Mat => by_rule,
        }
    }

    /// Instance size of a class with a declared size of `declared` bytes.
    pub(super) fn instance(&self, declared: i32) -> u64 {
        let declared = u64::from(declared.unsigned_abs());
        if self.model == SizeModel::File {
            return declared;
        }
        up(declared + self.instance_header).max(self.smallest)
    }

    /// Size of a class object with a declared size of `declared` bytes, including its header.
    pub(super) fn class_object(&self, declared: i32) -> u64 {
        Self { instance_header: 0, ..*self }.instance(declared)
    }

    /// Bytes of an array of numbers.
    #[inline]
    pub(super) fn primitives(&self, kind: u8, length: u64, declared: Option<u64>) -> u64 {
        self.array(self.headers[0], length.saturating_mul(element_bytes(kind)), declared)
    }

    /// Bytes of an array of references.
    #[inline]
    pub(super) fn objects(&self, length: u64, declared: Option<u64>) -> u64 {
        self.array(self.headers[1], length.saturating_mul(self.reference), declared)
    }

    #[inline]
    fn array(&self, header: u64, elements: u64, declared: Option<u64>) -> u64 {
        match declared {
            Some(declared) if self.model == SizeModel::File => declared,
            None if self.model == SizeModel::File => elements,
            Some(declared) => up(declared),
            None => up(elements.saturating_add(header)).max(self.smallest),
        }
    }

    /// Header size of primitive arrays, and of object arrays, in bytes.
    pub(super) fn headers(&self) -> [u64; 2] {
        self.headers
    }

    /// Bytes of a reference.
    pub(super) fn reference(&self) -> u64 {
        self.reference
    }

    /// True if sizes are not rounded.
    pub(super) fn is_as_in_file(&self) -> bool {
        self.model == SizeModel::File
    }
}

/// Rounds up to the next multiple of eight.
fn up(bytes: u64) -> u64 {
    bytes.saturating_add(7) & !7
}
