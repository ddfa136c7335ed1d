//! Cuts resolved in one heap: the excluded references and their targets.

use rayon::prelude::*;

use super::{cut::Cut, cut_references::CutReferences};
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
    pub(super) places: Option<(u32, u32)>,
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
        let (mut fields, mut stored) = (Fields::default(), Vec::new());
        for one in cuts {
            match one {
                Cut::Reference { from, to } => {
                    if analysis.is_reachable(*from) && heap.references(*from).contains(&to.raw()) {
                        let mut found = CutReferences::between(of, *from, *to);
                        references.every.append(&mut found.cut);
                        stored.append(&mut found.stored);
                    }
                }
                Cut::Object(object) => cut(object.raw()),
                Cut::Class(class) => cut_classes.get_mut(class.index()).into_iter().for_each(|cut| *cut = true),
                Cut::Field { class, name } => {
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
        for (_, places) in &fields.0 {
            let mut found = in_all(of, places, task)?;
            resolved.unread += found.unread;
            references.referents.extend(found.referents.iter().map(|&(from, _)| from));
            resolved.targets.extend(found.referents.iter().filter_map(|&(_, to)| ObjectId::from_raw(to)));
            references.single.append(&mut found.single);
        }
        let led_to = references.every.iter().chain(&references.single).filter_map(|&(_, to)| ObjectId::from_raw(to));
        resolved.targets.extend(led_to);
        resolved.targets.retain(|&object| analysis.is_reachable(object) && !objects.contains(object.raw()));
        resolved.targets.par_sort_unstable();
        resolved.targets.dedup();
        resolved.count(of, &references, &objects, task)?;
        references.every.append(&mut stored);
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
        let mut span = |place: u32| {
            let (first, last) = self.places.unwrap_or((place, place));
            self.places = Some((first.min(place), last.max(place)));
        };
        self.targets.iter().filter_map(|&object| analysis.preorder(object)).for_each(&mut span);
        self.references = (references.single.len() + references.referents.len()) as u64;
        for &(from, to) in &references.every {
            task.checkpoint()?;
            let row = ObjectId::from_raw(from).map_or(&[] as &[u32], |from| heap.references(from));
            self.references += row.iter().filter(|&&other| other == to).count() as u64;
        }
        for object in objects.iter().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            if let Some(place) = analysis.preorder(object) {
                span(place);
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
        let place = |(has, (of, _)): (bool, (ClassId, _))| {
            let fields = if has { contents.named_references(of) } else { Vec::new() };
            fields.into_iter().position(|field| field == declared)
        };
        let places = heap.classes.all_below(&[class]).into_iter().zip(heap.classes.iter()).map(place);
        // One field may be named through two classes.
        match self.0.iter_mut().find(|(known, _)| *known == declared) {
            Some((_, known)) => known.iter_mut().zip(places).for_each(|(known, place)| *known = known.or(place)),
            None => {
                let places = places.collect();
                self.0.push((declared, places));
            }
        }
    }
}

/// Targets of a field in all reachable instances that have it.
fn in_all(of: DumpData<'_>, places: &[Option<usize>], task: &Task) -> Result<FieldValues, Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    if places.iter().all(Option::is_none) {
        return Ok(FieldValues::default());
    }
    task.step("Reading the field", Unit::Objects, heap.len() as u64);
    let column = heap.class_column().slices();
    let is_referent: Vec<bool> = heap
        .classes
        .iter()
        .zip(places)
        .map(|((class, _), place)| place.is_some_and(|place| contents.is_referent(class, place)))
        .collect();
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let mut found = FieldValues::default();
        for object in rows.filter_map(ObjectId::new) {
            let Some(class) = column.get(object.index()) else { continue };
            let Some(&Some(place)) = places.get(class as usize) else { continue };
            // Class objects have another layout, and objects without references need not be read.
            let is_read = analysis.is_reachable(object)
                && !heap.references(object).is_empty()
                && heap.classes.of_object(object).is_none();
            if !is_read {
                continue;
            }
            match contents.reference_field(heap, object, place) {
                Value::Object(to) if is_referent.get(class as usize) == Some(&true) => {
                    let first = heap.references(object).first().filter(|_| heap.has_referent_first(object));
                    found.referents.extend(first.filter(|&&first| first == to.raw()).map(|&to| (object.raw(), to)));
                }
                Value::Object(to) => found.single.push((object.raw(), to.raw())),
                Value::Unavailable => found.unread += 1,
                _ => {}
            }
        }
        Ok(found)
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
