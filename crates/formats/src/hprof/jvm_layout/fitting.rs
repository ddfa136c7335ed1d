//! Sizes of all instances under one layout, and the choice between layout and measured distances where they disagree.

use super::flat_values::FlatValue;
use super::packing::{DeclaredFields, Space};
use super::{headers::JvmLayout, samples::DistanceSummary, special};
use crate::hprof::schema::Blueprint;

/// Number of instances that is enough to measure a class on its own.
const ENOUGH: usize = 10;
/// Maximum size of injected fields unknown here, in bytes: two pointers.
const UNKNOWN: u64 = 16;

/// Inputs that determine the instance size of a class.
#[derive(Debug)]
pub(super) struct SizeInputs {
    superclass: Option<u32>,
    own: DeclaredFields,
    /// Other forms of the class in various versions; the likeliest is `own`.
    others: Vec<DeclaredFields>,
    /// Value objects in its own fields.
    values: Vec<FlatValue>,
    pub(super) measured: Option<DistanceSummary>,
}

impl SizeInputs {
    pub(super) fn new(
        class: &Blueprint,
        text: &impl Fn(u64) -> Option<String>,
        measured: Option<DistanceSummary>,
        values: impl Iterator<Item = Option<FlatValue>>,
    ) -> Self {
        let mut flat = Vec::new();
        let mut own = DeclaredFields::default();
        let mut others = Vec::new();
        if special::is_special(&class.name) {
            let fields: Vec<_> = class.fields.iter().map(|f| (text(f.name).unwrap_or_default(), f.kind)).collect();
            others = special::variants(&class.name, &fields);
            if !others.is_empty() {
                own = others.remove(0);
            }
        } else {
            for (field, value) in class.fields.iter().zip(values) {
                match value {
                    Some(value) => flat.push(value),
                    None => own.fields.add(field.kind),
                }
            }
        }
        own.fields.ones += class.undescribed;
        Self { superclass: class.superclass, own, others, values: flat, measured }
    }

    /// Space of the class after that of its superclass.
    fn space(&self, above: &Space, layout: &JvmLayout) -> Space {
        let space = |own| above.with(own, layout.packing, layout.widths());
        if !self.values.is_empty() {
            let mut own = self.own.clone();
            self.values.iter().for_each(|value| value.add_to(&mut own, layout.widths()));
            return space(&own);
        }
        let likeliest = space(&self.own);
        let Some(measured) = self.measured.filter(|_| !self.others.is_empty()) else { return likeliest };
        let all = || self.others.iter().map(space);
        let size = |space: &Space| layout.instance(space.end);
        if size(&likeliest) == measured.smallest {
            return likeliest;
        }
        if let Some(exact) = all().find(|space| size(space) == measured.smallest) {
            return exact;
        }
        if size(&likeliest) < measured.smallest {
            return likeliest;
        }
        all().filter(|space| size(space) < measured.smallest).max_by_key(|space| space.end).unwrap_or(likeliest)
    }
}

/// Instance sizes of all classes.
pub(super) fn lay_out(shapes: &[SizeInputs], superclasses_first: &[u32], layout: &JvmLayout) -> Vec<u64> {
    walk(shapes, superclasses_first, layout, |_, space| layout.instance(space.end))
}

/// Trust in measured distances where they contradict the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DistanceTrust {
    /// No trust: a damaged file, or ids that are not addresses.
    Nothing,
    /// Objects do not overlap.
    Smaller,
    /// Objects are adjacent: a larger distance means a larger object.
    Larger,
}

/// Sizes by the layout, corrected by measurements according to the trust in these.
pub(super) fn settle(
    shapes: &[SizeInputs],
    superclasses_first: &[u32],
    layout: &JvmLayout,
    distance_trust: DistanceTrust,
) -> Vec<u64> {
    walk(shapes, superclasses_first, layout, |shape, space| {
        let size = layout.instance(space.end);
        let Some(measured) = shape.measured.filter(|_| distance_trust != DistanceTrust::Nothing) else { return size };
        // Objects do not overlap.
        if measured.smallest < size {
            return measured.smallest.max(layout.instance(layout.first_field()));
        }
        // The virtual machine may inject more fields than known here, also into subclasses.
        if distance_trust == DistanceTrust::Larger && may_be_larger(size, measured) {
            space.end += measured.smallest - size;
            return measured.smallest;
        }
        size
    })
}

/// True if the distance is that of a size, not of gaps: gaps vary, or equal the size of garbage between the objects.
fn may_be_larger(size: u64, measured: DistanceSummary) -> bool {
    let steady = measured.objects >= ENOUGH && measured.at_smallest * 2 >= measured.objects;
    steady && measured.smallest > size && measured.smallest - size <= UNKNOWN
}

/// Computes the space of each class, superclasses first.
fn walk(
    shapes: &[SizeInputs],
    superclasses_first: &[u32],
    layout: &JvmLayout,
    size: impl Fn(&SizeInputs, &mut Space) -> u64,
) -> Vec<u64> {
    let header = Space::header(layout.first_field());
    let mut spaces = vec![Space::default(); shapes.len()];
    let mut sizes = vec![0; shapes.len()];
    for &at in superclasses_first {
        let Some(shape) = shapes.get(at as usize) else { continue };
        let above = shape.superclass.and_then(|s| spaces.get(s as usize)).unwrap_or(&header);
        let mut space = shape.space(above, layout);
        if let Some(slot) = sizes.get_mut(at as usize) {
            *slot = size(shape, &mut space);
        }
        if let Some(slot) = spaces.get_mut(at as usize) {
            *slot = space;
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_unreachable_objects_are_not_taken_for_sizes() {
        let measured = |smallest, objects, at_smallest| DistanceSummary { smallest, objects, at_smallest };
        // Injected pointer in each of many instances.
        assert!(may_be_larger(24, measured(32, 30, 28)));
        // Garbage after each object, a string and its array: as regular, but larger than any padding.
        assert!(!may_be_larger(32, measured(88, 32, 32)));
        // Few objects, distances that differ, and nothing larger.
        assert!(!may_be_larger(24, measured(32, 9, 9)));
        assert!(!may_be_larger(24, measured(32, 30, 3)));
        assert!(!may_be_larger(24, measured(24, 30, 30)));
    }
}
