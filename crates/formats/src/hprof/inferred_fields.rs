//! Fields of an instance inferred from its references, for use without the dump file. References are in field order,
//! `referent` first, without null and dangling ones. So if there are as many references as fields, each is known; with
//! fewer, each has several candidates.

use super::shapes::{FieldShape, Shape, Shapes};
use super::{stacks::Stacks, tags::BasicType};
use heaplens_heap::{Heap, ObjectId, ReferenceKind, ReferenceName, Strength, Value};

/// Maximum number of candidate names of a reference.
const NAMES: usize = 3;

/// A field and the class that declares it.
type DeclaredField<'a> = (&'a Shape, FieldShape);

/// Instance inferred from its references.
pub(super) struct InferredFields<'a> {
    shapes: &'a Shapes,
    class: &'a Shape,
    /// Field `referent`, if it points at an object.
    referent: Option<(DeclaredField<'a>, u32, Strength)>,
    /// Other reference fields, and the references.
    fields: Vec<DeclaredField<'a>>,
    references: &'a [u32],
}

impl<'a> InferredFields<'a> {
    pub(super) fn new(shapes: &'a Shapes, stacks: &Stacks, heap: &'a Heap, object: ObjectId, class: &'a Shape) -> Self {
        let references = shapes.fields(class).filter(|(_, field)| field.kind == BasicType::Object);
        let (referents, others): (Vec<_>, Vec<_>) =
            references.partition(|&(declares, field)| shapes.is_referent(declares, field));
        let mut references = own_references(stacks, heap, object);
        let mut referent = None;
        let strength = heap.strength(object, 0);
        // Only the first reference of a row may be weak, and that is the `referent`.
        if let (Some(&field), [first, others @ ..], true) =
            (referents.first(), references, strength != Strength::Strong)
        {
            referent = Some((field, *first, strength));
            references = others;
        }
        Self { shapes, class, referent, fields: others, references }
    }

    /// Values of all fields of the class, in their order.
    pub(super) fn values(&self, class: &'a Shape) -> impl Iterator<Item = (&'a Shape, FieldShape, Value)> {
        let object = |raw: u32| ObjectId::from_raw(raw).map_or(Value::Unavailable, Value::Object);
        // Null fields leave no trace: fields can be identified only if all references are present.
        let exact = self.references.len() == self.fields.len();
        let mut known = self.references.iter().filter(move |_| exact);
        let referent = self.referent.map_or(Value::Unavailable, |(_, target, _)| object(target));
        self.shapes.fields(class).map(move |(declares, field)| {
            let value = match field.kind {
                BasicType::Object if self.shapes.is_referent(declares, field) => referent,
                BasicType::Object => known.next().map_or(Value::Unavailable, |&target| object(target)),
                _ => Value::Unavailable,
            };
            (declares, field, value)
        })
    }

    /// Names by which the instance refers to `to`.
    pub(super) fn names(&self, to: ObjectId) -> impl Iterator<Item = ReferenceName> {
        let referent = self.referent.filter(|&(_, target, _)| target == to.raw()).map(|(field, _, strength)| {
            let text = self.shapes.field_name(self.class, field);
            ReferenceName { text, kind: ReferenceKind::Field, strength }
        });
        // With two references in three fields, the first reference is in the first or second field, never in the third.
        let missing = self.fields.len().checked_sub(self.references.len());
        let indexes = (0..).zip(self.references).filter(move |&(_, &target)| target == to.raw());
        let others = indexes.filter_map(move |(index, _): (usize, _)| {
            let candidates = self.fields.get(index..=index + missing?)?;
            Some(ReferenceName::strong(ReferenceKind::Field, self.one_of(candidates)))
        });
        referent.into_iter().chain(others)
    }

    /// `next`, or `next or value`.
    fn one_of(&self, candidates: &[DeclaredField<'_>]) -> String {
        let name = |&field: &DeclaredField<'_>| self.shapes.field_name(self.class, field);
        let names: Vec<String> = candidates.iter().take(NAMES).map(name).collect();
        let more = if candidates.len() > NAMES { " …" } else { "" };
        names.join(" or ") + more
    }
}

/// References of the object itself; those held by its stack, if it is a thread, come after them.
pub(super) fn own_references<'a>(stacks: &Stacks, heap: &'a Heap, object: ObjectId) -> &'a [u32] {
    let all = heap.references(object);
    all.get(..all.len().saturating_sub(stacks.references(object).len())).unwrap_or(&[])
}
