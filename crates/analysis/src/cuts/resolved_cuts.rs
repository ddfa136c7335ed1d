//! Cuts resolved in one heap: the excluded references and their targets.

use rayon::prelude::*;

use super::{cut::Cut, cut_references::CutReferences, properties};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::contents::FieldReferences;
use heaplens_heap::{ClassId, ExcludedReferenceList, ExcludedReferences, Heap, ObjectId, Value};

/// Cuts resolved in one heap.
#[derive(Default)]
pub(super) struct ResolvedCuts {
    pub(super) excluded: ExcludedReferences,
    /// Reachable targets of cut references, ascending, without objects that are cut themselves.
    pub(super) targets: Vec<ObjectId>,
    /// First and last tree position of all cut objects and targets of cut references.
    pub(super) span: Option<(u32, u32)>,
    /// Names of cut fields.
    pub(super) fields: Vec<Box<str>>,
    pub(super) references: u64,
    pub(super) unread: u64,
}

/// Values of one field in a block of objects.
#[derive(Default)]
struct FieldValues {
    single: Vec<(u32, u32)>,
    referents: Vec<(u32, u32)>,
    unread: u64,
}

impl ResolvedCuts {
    pub(super) fn of(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, analysis, .. } = of;
        let (mut resolved, mut references) = (Self::default(), ExcludedReferenceList::default());
        let (mut objects, mut cut_classes) = (Bits::default(), vec![false; heap.classes.len()]);
        let mut cut = |object: u32| {
            if objects.has_no_room() {
                objects = Bits::new(heap.len());
            }
            if (object as usize) < heap.len() {
                objects.insert(object);
            }
        };
        let (mut fields, mut stored, mut internal) = (Fields::default(), Vec::new(), Vec::new());
        for one in cuts {
            match one {
                Cut::Reference { from, to } => {
                    if analysis.is_reachable(*from) && heap.may_hold(*from, *to) {
                        let mut references_cut = CutReferences::between(of, *from, *to);
                        references.every.append(&mut references_cut.cut);
                        stored.append(&mut references_cut.stored);
                    }
                }
                Cut::Object(object) => cut(object.raw()),
                Cut::Class(class) => cut_classes.get_mut(class.index()).into_iter().for_each(|cut| *cut = true),
                Cut::Field { class, name } => {
                    if heap.snapshot().is_some() {
                        let mut property = properties::in_all(of, *class, name, task)?;
                        references.single.append(&mut property.cut);
                        stored.append(&mut property.stored);
                        internal.append(&mut property.internal);
                        resolved.unread += property.unread;
                    }
                    fields.add(heap, contents, *class, name);
                    resolved.fields.push(name.clone());
                }
            }
        }
        if cut_classes.contains(&true) {
            let column = heap.class_column().slices();
            let is_cut = |row: usize| column.get(row).is_some_and(|c| cut_classes.get(c as usize) == Some(&true));
            for block in task.blocks(heap.len()) {
                block?.filter(|&row| is_cut(row)).for_each(|row| cut(row as u32));
            }
        }
        for (_, indexes) in &fields.0 {
            let mut references_cut = in_all(of, indexes, task)?;
            resolved.unread += references_cut.unread;
            references.referents.extend(references_cut.referents.iter().map(|&(from, _)| from));
            resolved.targets.extend(references_cut.referents.iter().filter_map(|&(_, to)| ObjectId::from_raw(to)));
            references.single.append(&mut references_cut.single);
        }
        let led_to = references.every.iter().chain(&references.single).filter_map(|&(_, to)| ObjectId::from_raw(to));
        resolved.targets.extend(led_to);
        resolved.targets.retain(|&object| analysis.is_reachable(object) && !objects.contains(object.raw()));
        resolved.targets.par_sort_unstable();
        resolved.targets.dedup();
        resolved.count(of, &references, &objects, task)?;
        // The references of the engine are not counted.
        references.every.append(&mut stored);
        internal.sort_unstable();
        internal.dedup();
        references.single.extend(internal.into_iter().map(|(from, to, _)| (from, to)));
        resolved.excluded = ExcludedReferences::new(heap, objects, references);
        Ok(resolved)
    }

    /// Counts references and extends the range of affected tree positions.
    fn count(
        &mut self,
        DumpData { heap, contents, analysis, .. }: DumpData<'_>,
        references: &ExcludedReferenceList,
        objects: &Bits,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let mut span = |preorder: u32| {
            let (first, last) = self.span.unwrap_or((preorder, preorder));
            self.span = Some((first.min(preorder), last.max(preorder)));
        };
        self.targets.iter().filter_map(|&object| analysis.preorder(object)).for_each(&mut span);
        self.references = (references.single.len() + references.referents.len()) as u64;
        for &(from, to) in &references.every {
            task.checkpoint()?;
            let row = ObjectId::from_raw(from).map_or(&[] as &[u32], |from| heap.references(from));
            // A reference of the engine is one that does not retain at present.
            self.references += row.iter().filter(|&&other| other == to).count().max(1) as u64;
        }
        for object in objects.iter().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            if let Some(preorder) = analysis.preorder(object) {
                span(preorder);
                let from = analysis.retainers(object).iter().filter_map(|&row| ObjectId::from_raw(row));
                let counts = |from: &ObjectId| !analysis.is_storage_reference(heap, contents, *from, object);
                self.references += from.filter(counts).count() as u64;
            }
        }
        Ok(())
    }
}

/// Declaring class and name of a field.
type DeclaredField<'a> = (ClassId, &'a str);

/// Cut fields by declaring class and name, each with its index among the reference fields per class; `None` if it is
/// not cut.
#[derive(Default)]
struct Fields<'a>(Vec<(DeclaredField<'a>, Vec<Option<usize>>)>);

impl<'a> Fields<'a> {
    fn add(&mut self, heap: &Heap, contents: &'a dyn FieldReferences, class: ClassId, name: &str) {
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
    for mut block in blocks {
        all.single.append(&mut block.single);
        all.referents.append(&mut block.referents);
        all.unread += block.unread;
    }
    Ok(all)
}
