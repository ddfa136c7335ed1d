//! Sizes of objects on the device and in the file. ART writes the instance size with every class; objects invented for
//! the file (the characters of a string as a separate array, the vtable inside a class) are recognizable by their
//! addresses.

use crate::hprof::schema::{Blueprint, Schema};
use crate::{hprof::sizes::ArraySizes, hprof::tags::BasicType};
use heaplens_heap::{ClassKind, builder::FilledRow};

/// Size of an array header in bytes; elements of 8 bytes begin at a multiple of 8.
const ARRAY_HEADER: u32 = 12;
const WIDE_ARRAY_HEADER: u32 = 16;
/// Objects begin at multiples of this.
const ALIGNMENT: u32 = 8;

/// Assigns the sizes in the file to all classes, and to arrays what their class adds to their elements, usually
/// nothing.
pub(in crate::hprof) fn assign_file_sizes(schema: &mut Schema, id_bytes: u32) -> ArraySizes {
    give(schema, id_bytes, |bytes| bytes);
    let header = |name: &str| schema.named(name).map_or(0, |class| class.file_bytes);
    let kinds = BasicType::ALL.map(|kind| {
        let name = if kind == BasicType::Object { "java.lang.Object[]" } else { &format!("{}[]", kind.name()) };
        (kind, header(name), u64::from(kind.bytes(id_bytes)))
    });
    ArraySizes::new(kinds, 1)
}

/// Assigns the sizes on the device to all classes. Arrays and class objects are rounded by [`DeviceSizes`].
pub(in crate::hprof) fn assign_device_sizes(schema: &mut Schema, id_bytes: u32) -> (ArraySizes, DeviceSizes) {
    give(schema, id_bytes, |bytes| bytes.next_multiple_of(u64::from(ALIGNMENT)));
    let kinds = BasicType::ALL.map(|kind| {
        // A reference takes 4 bytes on every device.
        let width = kind.bytes(4);
        (kind, u64::from(if width == 8 { WIDE_ARRAY_HEADER } else { ARRAY_HEADER }), u64::from(width))
    });
    (ArraySizes::new(kinds, 1), DeviceSizes::new(schema))
}

fn give(schema: &mut Schema, id_bytes: u32, instance: impl Fn(u64) -> u64) {
    let class_bytes = schema.named("java.lang.Class").map_or(0, |class| class.file_bytes);
    for class in &mut schema.classes {
        class.instance_size = if class.kind == Some(ClassKind::Plain) { instance(class.file_bytes) } else { 0 };
        let statics: u64 = class.statics.iter().map(|field| u64::from(field.kind.bytes(id_bytes))).sum();
        class.class_object_size = class_bytes + statics;
    }
}

/// Size information derived from neighbouring rows.
pub(in crate::hprof) struct DeviceSizes {
    class_objects: Option<u32>,
    bytes: Option<u32>,
    chars: Option<u32>,
    /// Class of strings, and size of one without characters in bytes, if the characters follow its fields.
    strings: Option<(u32, u32)>,
}

impl DeviceSizes {
    fn new(schema: &Schema) -> Self {
        let string = schema.named("java.lang.String").filter(|string| {
            let line = std::iter::successors(Some(*string), |class| schema.get(class.superclass?));
            // String objects are two levels deep; a malformed file may have a long chain.
            let fields = line.take(4).flat_map(|class: &Blueprint| &class.fields);
            // References take four bytes on 64-bit devices too.
            let all: u64 = fields.map(|field| u64::from(field.kind.bytes(4))).sum();
            // A field that does not fit is synthetic.
            string.file_bytes > 0 && string.file_bytes < all
        });
        let strings = string.and_then(|class| Some((schema.of(class.id)?, class.file_bytes as u32)));
        let class_objects = schema.named("java.lang.Class").and_then(|class| schema.of(class.id));
        let array = |kind| schema.primitive_array(kind);
        Self { class_objects, bytes: array(BasicType::Byte), chars: array(BasicType::Char), strings }
    }

    /// Size of a row, given its neighbours.
    pub(in crate::hprof) fn size(&self, [before, this, after]: [Option<FilledRow>; 3]) -> u32 {
        let Some(this) = this else { return 0 };
        let up = |bytes: u32| bytes.checked_next_multiple_of(ALIGNMENT).unwrap_or(bytes);
        if let Some(before) = before {
            if self.is_table(before, this) {
                return 0;
            }
            if let Some((_, fields)) = self.strings.filter(|_| self.is_text(before, this)) {
                let characters = this.size.saturating_sub(ARRAY_HEADER);
                return up(fields.saturating_add(characters)).saturating_sub(up(fields));
            }
        }
        let table = after.filter(|after| self.is_table(this, *after));
        up(this.size.saturating_add(table.map_or(0, |table| table.size.saturating_sub(ARRAY_HEADER))))
    }

    /// True if an array is the vtable inside a class object.
    fn is_table(&self, class: FilledRow, array: FilledRow) -> bool {
        Some(class.class) == self.class_objects
            && Some(array.class) == self.bytes
            && class.address & 1 == 0
            && array.address == class.address | 1
    }

    /// True if an array has the characters inside a string.
    fn is_text(&self, string: FilledRow, array: FilledRow) -> bool {
        self.strings.is_some_and(|(strings, _)| strings == string.class)
            && [self.bytes, self.chars].contains(&Some(array.class))
            && [8, 16].contains(&array.address.wrapping_sub(string.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contained_objects_are_counted_once() {
        let sizes = DeviceSizes { class_objects: Some(1), bytes: Some(2), chars: Some(3), strings: Some((4, 16)) };
        let row = |class, address, size| Some(FilledRow { class, address, size });
        // A class of 50 bytes with a table of 21: 71, rounded up, and nothing for the table.
        let (class, table) = (row(1, 0x1000, 50), row(2, 0x1001, ARRAY_HEADER + 21));
        assert_eq!((sizes.size([None, class, table]), sizes.size([class, table, None])), (72, 0));
        // A string of three characters: 19 bytes, rounded up, 16 of them its own.
        let (string, text) = (row(4, 0x2000, 16), row(2, 0x2010, ARRAY_HEADER + 3));
        assert_eq!((sizes.size([table, string, text]), sizes.size([string, text, None])), (16, 8));
        let empty = row(2, 0x2008, ARRAY_HEADER);
        assert_eq!(sizes.size([string, empty, None]), 0);
        // The same array at any other position.
        assert_eq!(sizes.size([None, text, None]), 16);
        assert_eq!(sizes.size([row(4, 0x1ff0, 16), text, None]), 16);
    }
}
