//! Bytes of value objects that are stored in their holders (JEP 401). HotSpot reads and writes each at once, so it has
//! 1, 2, 4 or 8 bytes, at a multiple of that, with a byte that tells if it is null.

use rustc_hash::FxHashMap;

use super::headers::JvmLayout;
use super::packing::{DeclaredFields, Fields, Widths};
use crate::hprof::flat_fields::FlatFields;
use crate::hprof::{schema::Schema, tags::BasicType};

/// Maximum depth of value objects in value objects, and of superclasses.
const DEEPEST: usize = 16;
/// Maximum number of value objects in one.
const MOST_VALUES: usize = 256;
/// Maximum size of a value that is read at once, in bytes.
const ATOMIC: u64 = 8;

/// Fields of a value object.
#[derive(Debug, Clone, Default)]
pub(super) struct FlatValue {
    fields: Fields,
    nested: Vec<FlatValue>,
}

impl FlatValue {
    /// The fields of the value class with this id.
    pub(super) fn of(schema: &Schema, flat: &FlatFields, class: u64) -> Self {
        let mut left = MOST_VALUES;
        Self::nested(schema, flat, class, DEEPEST, &mut left)
    }

    /// The fields of a value class; no more than `depth` values deep, and `left` in all, even in a malformed file.
    fn nested(schema: &Schema, flat: &FlatFields, class: u64, depth: usize, left: &mut usize) -> Self {
        let mut value = Self::default();
        *left = left.saturating_sub(1);
        let mut at = schema.of(class).filter(|_| depth > 0 && *left > 0);
        for _ in 0..DEEPEST {
            let Some((index, class)) = at.and_then(|at| Some((at, schema.get(at)?))) else { break };
            for (nth, field) in class.fields.iter().enumerate() {
                match flat.field(index, nth) {
                    Some(of) => value.nested.push(Self::nested(schema, flat, of, depth - 1, left)),
                    None => value.fields.add(field.kind),
                }
            }
            at = class.superclass;
        }
        value
    }

    /// Bytes in a holder.
    pub(super) fn width(&self, widths: Widths) -> u64 {
        let nested: u64 = self.nested.iter().map(|value| value.width(widths)).fold(0, u64::saturating_add);
        let bytes = self.fields.bytes(widths).saturating_add(nested);
        match bytes {
            // With the byte for null.
            0..ATOMIC => (bytes + 1).next_power_of_two(),
            // Only a value that is never null.
            ATOMIC => ATOMIC,
            // Not read at once.
            more => more.checked_next_multiple_of(ATOMIC).unwrap_or(u64::MAX / 2),
        }
    }

    /// Adds the value to the fields of its holder.
    pub(super) fn add_to(&self, holder: &mut DeclaredFields, widths: Widths) {
        match self.width(widths) {
            1 => holder.fields.ones += 1,
            2 => holder.fields.twos += 1,
            4 => holder.fields.fours += 1,
            more => holder.fields.eights = holder.fields.eights.saturating_add(more / ATOMIC),
        }
    }
}

/// Arrays of value objects.
#[derive(Debug)]
pub(in crate::hprof) struct FlatArrays {
    /// Primitive type of the same width as the elements, by index of the array class.
    elements: FxHashMap<u32, BasicType>,
}

impl FlatArrays {
    pub(super) fn new(schema: &Schema, flat: &FlatFields, layout: &JvmLayout) -> Self {
        let element = |(array, value): (u64, u64)| {
            let as_wide = match FlatValue::of(schema, flat, value).width(layout.widths()) {
                1 => BasicType::Byte,
                2 => BasicType::Short,
                4 => BasicType::Int,
                8 => BasicType::Long,
                _ => return None,
            };
            Some((schema.of(array)?, as_wide))
        };
        Self { elements: flat.arrays().filter_map(element).collect() }
    }

    /// Primitive type as wide as the elements of an array class; `None` if these are references.
    #[inline]
    pub(in crate::hprof) fn element(&self, class: u32) -> Option<BasicType> {
        if self.elements.is_empty() { None } else { self.elements.get(&class).copied() }
    }
}
