//! Sizes of class objects: the fields of `java.lang.Class`, followed by the statics of the class.

use super::packing::{Fields, statics};
use super::{headers::JvmLayout, machine::Machine};
use crate::hprof::schema::{Blueprint, Schema};
use heaplens_heap::AddressMap;

/// Maximum difference between versions of the virtual machine in the size of `java.lang.Class`, in alignments.
const UNCERTAIN: u64 = 8;

pub(super) struct Mirrors {
    /// By index of the class.
    pub(super) sizes: Vec<u64>,
    /// Size of a class object without statics, in bytes.
    pub(super) without_statics: u64,
}

/// What class objects are measured with.
pub(super) struct Measuring<'a> {
    pub(super) layout: &'a JvmLayout,
    pub(super) machine: Machine,
    /// True if the layout matches the dump.
    pub(super) is_sure: bool,
}

/// Computes the sizes; `expected` is the size without statics according to the layout.
pub(super) fn sizes(
    schema: &Schema,
    text: &impl Fn(u64) -> Option<String>,
    addresses: &AddressMap,
    measuring: &Measuring<'_>,
    expected: u64,
) -> Mirrors {
    let &Measuring { layout, machine, is_sure: sure } = measuring;
    let behind = |class| if machine.has_statics_in_class_objects() { behind(class, text, layout) } else { 0 };
    let behind: Vec<u64> = schema.classes.iter().map(behind).collect();
    let distances: Vec<Option<u64>> = (schema.classes.iter())
        // Synthetic classes have no address.
        .map(|class| (sure && class.offset != 0).then(|| addresses.distance_to_next(class.id)).flatten())
        .collect();
    let size = |base: u64, behind: u64| layout.instance(base + behind);
    let score = |base: u64| -> i64 {
        let measured = behind.iter().zip(&distances).filter_map(|(&behind, distance)| Some((behind, (*distance)?)));
        let scores = measured.map(|(behind, distance)| match size(base, behind).cmp(&distance) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => -4,
        });
        scores.sum()
    };
    let mut without_statics = expected;
    let mut most = score(expected);
    for steps in 1..=UNCERTAIN {
        let step = steps * layout.alignment;
        for base in [expected.saturating_add(step), expected.saturating_sub(step)] {
            let score = score(base);
            if sure && base > layout.first_field() && score > most {
                (without_statics, most) = (base, score);
            }
        }
    }
    let sizes = behind.iter().zip(&distances).map(|(&behind, distance)| {
        let size = size(without_statics, behind);
        distance.map_or(size, |distance| size.min(distance))
    });
    Mirrors { sizes: sizes.collect(), without_statics }
}

/// Size of the statics of a class, in bytes.
fn behind(class: &Blueprint, text: &impl Fn(u64) -> Option<String>, layout: &JvmLayout) -> u64 {
    let mut fields = Fields::default();
    for field in &class.statics {
        // `<resolved_references>` and the like are listed with the statics in the dump, but are not stored after the
        // class object.
        if text(field.name).is_none_or(|name| !name.starts_with('<')) {
            fields.add(field.kind);
        }
    }
    statics(fields, layout.widths())
}
