//! Layout properties fixed by the options of a virtual machine: headers, width of references, offset of array elements.

use super::packing::{Packing, Widths, up};
use crate::{hprof::sizes::ArraySizes, hprof::tags::BasicType};

/// Kind of object header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    /// 8 bytes in total (JDK 24 and later, `-XX:+UseCompactObjectHeaders`).
    Compact,
    /// 8 bytes and a class pointer of 4.
    CompressedClass,
    /// 8 bytes and a class pointer of 8.
    WideClass,
    /// 4 bytes and a class pointer of 4: a 32-bit machine.
    Machine32,
}

/// Possible layout of a virtual machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JvmLayout {
    pub(super) header: Header,
    pub(super) reference: u64,
    pub(super) alignment: u64,
    pub(super) packing: Packing,
    /// True if elements smaller than 8 bytes may begin at a multiple of 4 (JDK 23 and later).
    pub(super) tight_arrays: bool,
}

impl JvmLayout {
    /// All possible layouts, most common first.
    pub(super) fn all(alignment: u64) -> Vec<Self> {
        let mut all = Vec::new();
        let headers = [
            (Header::CompressedClass, false),
            (Header::Compact, true),
            (Header::WideClass, false),
            (Header::WideClass, true),
            (Header::Machine32, false),
        ];
        for (header, tight_arrays) in headers {
            for reference in [4, 8] {
                for packing in [Packing::Modern, Packing::Classic] {
                    let recent = header == Header::Compact || tight_arrays;
                    if recent && packing == Packing::Classic || header == Header::Machine32 && reference == 8 {
                        continue;
                    }
                    all.push(Self { header, reference, alignment, packing, tight_arrays });
                }
            }
        }
        all
    }

    /// Most likely layout if nothing could be measured.
    pub(super) fn likely(id_bytes: u32, compressed_references: bool, is_classic: bool) -> Self {
        let wide = id_bytes == 8;
        Self {
            header: if wide { Header::CompressedClass } else { Header::Machine32 },
            reference: if wide && !compressed_references { 8 } else { 4 },
            alignment: 8,
            packing: if is_classic { Packing::Classic } else { Packing::Modern },
            tight_arrays: false,
        }
    }

    /// True if the layout existed before JDK 15.
    pub(super) fn is_classic(&self) -> bool {
        self.packing == Packing::Classic
    }

    pub(super) fn widths(&self) -> Widths {
        Widths { reference: self.reference, pointer: if self.header == Header::Machine32 { 4 } else { 8 } }
    }

    /// Lowest offset of a field, in bytes.
    pub(super) fn first_field(&self) -> u64 {
        match self.header {
            Header::Compact | Header::Machine32 => 8,
            Header::CompressedClass => 12,
            Header::WideClass => 16,
        }
    }

    /// Size of an instance whose fields end at `end`.
    pub(super) fn instance(&self, end: u64) -> u64 {
        up(end, self.alignment)
    }

    fn element(&self, kind: BasicType) -> u64 {
        u64::from(kind.bytes(self.reference as u32))
    }

    /// Offset of array elements: after a length of 4 bytes.
    fn first_element(&self, kind: BasicType) -> u64 {
        let behind_length = self.first_field() + 4;
        let word = self.widths().pointer;
        if self.element(kind) == 8 || !(self.tight_arrays || word == 4) { up(behind_length, 8) } else { behind_length }
    }

    pub(super) fn arrays(&self) -> ArraySizes {
        ArraySizes::new(
            BasicType::ALL.map(|kind| (kind, self.first_element(kind), self.element(kind))),
            self.alignment as u32,
        )
    }

    /// Description in the terms of JVM options.
    pub(super) fn describe(&self) -> String {
        let header = match self.header {
            Header::Compact => "compact headers",
            Header::CompressedClass => "compressed class pointers",
            Header::WideClass => "8-byte class pointers",
            Header::Machine32 => "32-bit headers",
        };
        format!("{header}, {}-byte references, {}-byte alignment", self.reference, self.alignment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_begin_where_hotspot_begins_them() {
        use BasicType::{Byte, Long, Object};
        use Header::{Compact, CompressedClass, Machine32, WideClass};
        let likely = JvmLayout::likely(8, true, false);
        let first = |header, reference, tight_arrays, kind| {
            JvmLayout { header, reference, tight_arrays, ..likely }.first_element(kind)
        };
        for (header, reference, tight, expected) in [
            (CompressedClass, 4, false, [16, 16, 16]),
            (CompressedClass, 8, false, [16, 16, 16]),
            (Compact, 4, true, [12, 16, 12]),
            (Compact, 8, true, [12, 16, 16]),
            (WideClass, 8, false, [24, 24, 24]),
            (WideClass, 4, true, [20, 24, 20]),
            (Machine32, 4, false, [12, 16, 12]),
        ] {
            assert_eq!([Byte, Long, Object].map(|kind| first(header, reference, tight, kind)), expected);
        }
    }
}
