//! Sizes of all instances under one layout, and which of them to believe where
//! the layout and the distances say different things.

use super::headers::JvmLayout;
use super::packing::{Own, Space};
use super::samples::Measured;
use super::special;
use crate::formats::hprof::schema::Blueprint;

/// So many instances measure a class by themselves.
const ENOUGH: usize = 10;

/// What the size of a class's instances follows from.
#[derive(Debug)]
pub(super) struct Shape {
    superclass: Option<u32>,
    own: Own,
    /// Other forms the class has had; the likeliest is `own`.
    others: Vec<Own>,
    pub(super) measured: Option<Measured>,
}

impl Shape {
    pub(super) fn new(class: &Blueprint, text: &impl Fn(u64) -> Option<String>, measured: Option<Measured>) -> Self {
        let mut own = Own::default();
        let mut others = Vec::new();
        if special::is_special(&class.name) {
            let fields: Vec<_> = class.fields.iter().map(|f| (text(f.name).unwrap_or_default(), f.kind)).collect();
            others = special::variants(&class.name, &fields);
            if !others.is_empty() {
                own = others.remove(0);
            }
        } else {
            class.fields.iter().for_each(|field| own.fields.add(field.kind));
        }
        own.fields.ones += class.undescribed;
        Self { superclass: class.superclass, own, others, measured }
    }

    /// The space of the class behind that of its superclass.
    fn space(&self, above: &Space, layout: &JvmLayout) -> Space {
        let space = |own| above.with(own, layout.packing, layout.widths());
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

/// The sizes of the instances of all classes.
pub(super) fn lay_out(shapes: &[Shape], superclasses_first: &[u32], layout: &JvmLayout) -> Vec<u64> {
    walk(shapes, superclasses_first, layout, |_, space| layout.instance(space.end))
}

/// The sizes to be believed. Where the layout is `sure`, what was measured corrects it.
pub(super) fn settle(shapes: &[Shape], superclasses_first: &[u32], layout: &JvmLayout, sure: bool) -> Vec<u64> {
    walk(shapes, superclasses_first, layout, |shape, space| {
        let size = layout.instance(space.end);
        let Some(measured) = shape.measured.filter(|_| sure) else { return size };
        // Nothing reaches into the next object.
        if measured.smallest < size {
            return measured.smallest.max(layout.instance(layout.first_field()));
        }
        // The machine may keep more in a class than is known here; subclasses have it too.
        if measured.smallest > size && is_steady(measured) {
            space.end += measured.smallest - size;
            return measured.smallest;
        }
        size
    })
}

/// Whether the distance is that of a size, not of gaps, which differ.
fn is_steady(measured: Measured) -> bool {
    measured.objects >= ENOUGH && measured.at_smallest * 2 >= measured.objects
}

/// Gives each class its space, superclasses first.
fn walk(
    shapes: &[Shape],
    superclasses_first: &[u32],
    layout: &JvmLayout,
    size: impl Fn(&Shape, &mut Space) -> u64,
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
