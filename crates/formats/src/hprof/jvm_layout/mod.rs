//! Object layout of the virtual machine, which a dump does not record, derived from the distances between objects.
//!
//! Objects do not overlap, so the smallest distance from an instance of a class to the next object is the size of that
//! class if two of them are adjacent anywhere. Every layout known in HotSpot ([`headers`], [`packing`]) is compared
//! with those distances; the one with most matches yields the sizes of all classes, arrays and class objects, including
//! those too rare to measure.

mod fitting;
mod flat_values;
mod headers;
mod machine;
mod mirrors;
mod packing;
pub(super) mod samples;
mod sources;
mod special;
mod stack_chunks;

use self::fitting::{DistanceTrust, SizeInputs, lay_out, settle};
pub(super) use self::flat_values::FlatArrays;
use self::flat_values::FlatValue;
use self::headers::JvmLayout;
use self::machine::Machine;
use self::samples::{Distances, Samples};
use self::sources::SizeOrigin;
pub(super) use self::stack_chunks::StackChunks;
use super::flat_fields::FlatFields;
use super::schema::{Blueprint, Schema};
use super::sizes::{ArraySizes, Layout};
use super::tags::BasicType;
use heaplens_heap::{AddressMap, ImportNote, NoteTopic, Severity, SizeModel};

/// Sizes in the virtual machine.
#[derive(Debug)]
pub(super) struct TrueSizes {
    /// Instance sizes in bytes, by index of the class.
    pub(super) instances: Vec<u64>,
    /// Sizes of class objects in bytes, by index of the class.
    pub(super) class_objects: Vec<u64>,
    pub(super) arrays: ArraySizes,
    pub(super) stack_chunks: Option<StackChunks>,
    /// Arrays of value objects; `None` if no object is stored in another.
    pub(super) flat_arrays: Option<FlatArrays>,
    /// Notes about the layout and its certainty, and the origins of class sizes.
    pub(super) notes: Vec<ImportNote>,
}

/// Facts about the dump known in advance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    pub(super) id_bytes: u32,
    /// True if arrays are closer than references of 8 bytes allow.
    pub(super) compressed_references: bool,
    /// Divides all addresses.
    pub(super) alignment: u32,
}

/// Computes all sizes. `text` returns the names of fields, `flat` the fields that contain value objects.
///
/// The rules of Eclipse MAT apply where nothing is known: to a machine that is not HotSpot, to all classes if no layout
/// matches, else to those that could not be measured.
pub(super) fn infer_sizes(
    schema: &Schema,
    text: impl Fn(u64) -> Option<String>,
    samples: Samples,
    addresses: &AddressMap,
    flat: &FlatFields,
    hints: Hints,
) -> TrueSizes {
    let machine = Machine::of(schema, &text);
    // Other machines, such as the old agent, have ids that only look like numbers of value objects.
    let none = FlatFields::default();
    let flat = if machine.has_flat_values() { flat } else { &none };
    let instantiated: Vec<bool> = schema.classes.iter().map(|class| samples.has_class(class.id)).collect();
    let distances = samples.measure(addresses);
    let shapes = shapes(schema, &text, &distances, flat);
    let best_fit = best(schema, &shapes, &distances, machine, hints);
    let likely = || JvmLayout::likely(hints.id_bytes, hints.compressed_references, machine.is_classic());
    let layout = best_fit.as_ref().map_or_else(likely, |(layout, _)| *layout);
    let distance_trust = best_fit.as_ref().map_or(DistanceTrust::Nothing, |(_, fit)| fit.distance_trust());
    let follows = best_fit.as_ref().is_some_and(|(_, fit)| machine.has_known_layouts() || fit.is_confirmed());
    let origin = |shape: &SizeInputs, size: u64| sources::origin(shape, size, best_fit.is_some(), follows);
    let mut instances = settle(&shapes, &schema.superclasses_first, &layout, distance_trust);
    let class_of_classes = schema.named("java.lang.Class").and_then(|c| schema.of(c.id));
    let base = class_of_classes.and_then(|c| instances.get(c as usize).copied()).unwrap_or_default();
    let measuring = mirrors::Measuring { layout: &layout, machine, is_sure: best_fit.is_some() };
    let mirrors = mirrors::sizes(schema, &text, addresses, &measuring, base);
    if let Some(size) = class_of_classes.and_then(|c| instances.get_mut(c as usize)) {
        *size = mirrors.without_statics;
    }
    let origins: Vec<Option<SizeOrigin>> = (shapes.iter().zip(&instances).zip(&instantiated))
        .map(|((shape, &size), &has_instances)| has_instances.then(|| origin(shape, size)))
        .collect();
    let (mut class_objects, mut arrays) = (mirrors.sizes, layout.arrays());
    let by_mat = !follows && !machine.has_known_layouts();
    if by_mat {
        let mat = mat_layout(hints);
        let (of_instances, of_class_objects) = schema.sizes_by(&mat);
        for ((slot, mat_size), origin) in instances.iter_mut().zip(of_instances).zip(&origins) {
            if *origin != Some(SizeOrigin::Measured) {
                *slot = mat_size;
            }
        }
        if best_fit.is_none() {
            (class_objects, arrays) = (of_class_objects, mat.arrays());
        }
    }
    let mut notes = vec![layout_note(best_fit, &layout, by_mat)];
    notes.extend(sources::note(schema, &origins, machine));
    TrueSizes {
        instances,
        class_objects,
        arrays,
        stack_chunks: StackChunks::find(schema, &text, &layout, hints.id_bytes),
        flat_arrays: (!flat.is_empty()).then(|| FlatArrays::new(schema, flat, &layout)),
        notes,
    }
}

fn layout_note(best_fit: Option<(JvmLayout, LayoutScore)>, layout: &JvmLayout, by_mat: bool) -> ImportNote {
    let described = layout.describe();
    let (note, topic) = match best_fit {
        Some((_, fit)) => {
            let matching = format!("matches {} of {} classes", fit.agree, fit.comparable);
            (format!("objects have {described} ({matching})"), NoteTopic::MeasuredLayout)
        }
        None => {
            let assumed = if by_mat { "Eclipse MAT's rules".to_owned() } else { described };
            let assumed = format!("sizes assume {assumed} and may be wrong");
            (format!("object layout could not be determined: {assumed}"), NoteTopic::AssumedLayout)
        }
    };
    ImportNote::new(Severity::Info, 1, note, None).on(topic)
}

/// The layout that Eclipse MAT assumes.
fn mat_layout(hints: Hints) -> Layout {
    let reference_bytes = if hints.compressed_references { 4 } else { hints.id_bytes };
    Layout { model: SizeModel::Mat, id_bytes: hints.id_bytes, reference_bytes, alignment: hints.alignment }
}

fn shapes(
    schema: &Schema,
    text: &impl Fn(u64) -> Option<String>,
    distances: &Distances,
    flat: &FlatFields,
) -> Vec<SizeInputs> {
    let shape = |(at, class): (usize, &Blueprint)| {
        // Instances of these differ in size, or are measured with the class objects.
        let varies = [special::STACK_CHUNK, "java.lang.Class"].contains(&&*class.name);
        let measured = distances.classes.get(&class.id).filter(|_| !varies && class.undescribed == 0).copied();
        let values = (0..class.fields.len()).map(|nth| {
            let value = flat.field(at as u32, nth)?;
            Some(FlatValue::of(schema, flat, value))
        });
        SizeInputs::new(class, text, measured, values)
    };
    schema.classes.iter().enumerate().map(shape).collect()
}

/// Agreement of a layout with the measurements.
#[derive(Debug, Clone, Copy, Default)]
struct LayoutScore {
    /// Classes and arrays with exactly the measured size.
    exact: i64,
    /// Those that would overlap the next object.
    impossible: i64,
    /// Of the classes with enough instances, those with exactly the expected size.
    agree: usize,
    comparable: usize,
}

/// Number of instances from which on one of them is likely to have an adjacent neighbour.
const SOME: usize = 4;
/// Minimum agreement: fewer classes and arrays may be chance.
const FEW: i64 = 12;

impl LayoutScore {
    fn see(&mut self, size: u64, distance: u64) {
        self.exact += i64::from(size == distance);
        self.impossible += i64::from(size > distance);
    }

    fn score(&self) -> i64 {
        self.exact - 4 * self.impossible
    }

    /// In heaps with many gaps, such as one not compacted by ZGC, a class whose objects all have the same gap after
    /// them may really have that size.
    fn distance_trust(&self) -> DistanceTrust {
        if self.agree * 100 >= self.comparable * 97 { DistanceTrust::Larger } else { DistanceTrust::Smaller }
    }

    /// A layout that nearly all of many classes confirm is that of the machine, whichever it is.
    fn is_confirmed(&self) -> bool {
        self.comparable as i64 >= FEW && self.distance_trust() == DistanceTrust::Larger
    }

    /// No layout matches a damaged file, or one whose ids are not addresses.
    fn is_sure(&self) -> bool {
        self.exact >= FEW && self.impossible * 20 <= self.exact && self.agree * 2 >= self.comparable
    }
}

/// Layout that matches the distances best, if it matches well.
fn best(
    schema: &Schema,
    shapes: &[SizeInputs],
    distances: &Distances,
    machine: Machine,
    hints: Hints,
) -> Option<(JvmLayout, LayoutScore)> {
    // Largest power of two in the divisor, since the divisor of a few addresses may be arbitrary.
    let alignment = 1_u64 << hints.alignment.trailing_zeros().clamp(3, 8);
    let mut layouts = JvmLayout::all(alignment);
    layouts.retain(|layout| hints.id_bytes == 4 || layout.header != headers::Header::Machine32);
    layouts.retain(|layout| !machine.is_classic() || layout.is_classic());
    let mut best: Option<(JvmLayout, LayoutScore)> = None;
    for layout in layouts {
        let mut fit = LayoutScore::default();
        for (shape, size) in shapes.iter().zip(lay_out(shapes, &schema.superclasses_first, &layout)) {
            let Some(measured) = shape.measured else { continue };
            fit.see(size, measured.smallest);
            if measured.objects >= SOME {
                fit.comparable += 1;
                fit.agree += usize::from(size == measured.smallest);
            }
        }
        let arrays = layout.arrays();
        for (kind, samples) in BasicType::ALL.into_iter().zip(&distances.arrays) {
            for &(length, distance) in samples {
                fit.see(arrays.size(kind, length), distance);
            }
        }
        if best.is_none_or(|(_, best)| fit.score() > best.score()) {
            best = Some((layout, fit));
        }
    }
    best.filter(|(_, fit)| fit.is_sure())
}
