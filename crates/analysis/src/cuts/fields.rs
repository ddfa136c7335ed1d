//! Values of declared fields in all instances.

use rayon::prelude::*;

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::contents::FieldReferences;
use heaplens_heap::{ClassId, Heap, ObjectId, Value};

/// Values of fields, as rows of instances and values.
#[derive(Default)]
pub(super) struct FieldValues {
    pub(super) single: Vec<(u32, u32)>,
    /// Those that are the `referent` of a reference object.
    pub(super) referents: Vec<(u32, u32)>,
    /// Instances whose field could not be read.
    pub(super) unread: u64,
}

impl FieldValues {
    fn append(&mut self, mut more: Self) {
        self.single.append(&mut more.single);
        self.referents.append(&mut more.referents);
        self.unread += more.unread;
    }
}

/// Declaring class and name of a field.
type DeclaredField<'a> = (ClassId, &'a str);

/// Cut fields by declaring class and name, each with its index among the reference fields per class; `None` if it is
/// not cut.
#[derive(Default)]
pub(super) struct Fields<'a>(Vec<(DeclaredField<'a>, Vec<Option<usize>>)>);

impl<'a> Fields<'a> {
    pub(super) fn add(&mut self, heap: &Heap, contents: &'a dyn FieldReferences, class: ClassId, name: &str) {
        let Some(declared) = contents.field_shown_as(heap, class, name) else { return };
        let index_in_class = |(has, (of, _)): (bool, (ClassId, _))| {
            let fields = if has { contents.named_references(of) } else { Vec::new() };
            fields.into_iter().position(|field| field == declared)
        };
        let indexes = heap.classes.all_below(&[class]).into_iter().zip(heap.classes.iter()).map(index_in_class);
        // One field may be named through two classes.
        match self.0.iter_mut().find(|(known, _)| *known == declared) {
            Some((_, known)) => {
                known.iter_mut().zip(indexes).for_each(|(known, index_in_class)| *known = known.or(index_in_class));
            }
            None => {
                let indexes = indexes.collect();
                self.0.push((declared, indexes));
            }
        }
    }

    /// Their values in all reachable instances.
    pub(super) fn values(&self, of: DumpData<'_>, task: &Task) -> Result<FieldValues, Cancelled> {
        let mut all = FieldValues::default();
        for (_, indexes) in &self.0 {
            all.append(in_all(of, indexes, task)?);
        }
        Ok(all)
    }
}

/// Targets of a field in all reachable instances that have it.
fn in_all(of: DumpData<'_>, indexes: &[Option<usize>], task: &Task) -> Result<FieldValues, Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    if indexes.iter().all(Option::is_none) {
        return Ok(FieldValues::default());
    }
    task.step("Reading the field", Unit::Objects, heap.len() as u64);
    let column = heap.class_column().slices();
    let is_referent: Vec<bool> = heap
        .classes
        .iter()
        .zip(indexes)
        .map(|((class, _), index)| index.is_some_and(|index| contents.is_referent(class, index)))
        .collect();
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let mut references_cut = FieldValues::default();
        for object in rows.filter_map(ObjectId::new) {
            let Some(class) = column.get(object.index()) else { continue };
            let Some(&Some(index)) = indexes.get(class as usize) else { continue };
            // Class objects have another layout, and objects without references need not be read.
            let is_read = analysis.is_reachable(object)
                && !heap.references(object).is_empty()
                && heap.classes.of_object(object).is_none();
            if !is_read {
                continue;
            }
            match contents.reference_field(heap, object, index) {
                Value::Object(to) if is_referent.get(class as usize) == Some(&true) => {
                    let first = heap.references(object).first().filter(|_| heap.has_referent_first(object));
                    references_cut
                        .referents
                        .extend(first.filter(|&&first| first == to.raw()).map(|&to| (object.raw(), to)));
                }
                Value::Object(to) => references_cut.single.push((object.raw(), to.raw())),
                Value::Unavailable => references_cut.unread += 1,
                _ => {}
            }
        }
        Ok(references_cut)
    });
    let blocks: Vec<FieldValues> = blocks.collect::<Result<_, Cancelled>>()?;
    let mut all = FieldValues::default();
    blocks.into_iter().for_each(|block| all.append(block));
    Ok(all)
}
