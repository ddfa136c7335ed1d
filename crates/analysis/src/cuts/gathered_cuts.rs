//! The references that each cut of a list means, gathered before they are counted and excluded.

use std::iter::repeat_n;

use super::entries::EntryReferences;
use super::leads_to::leads_to;
use super::{cut::Cut, cut_references::CutReferences, fields::Fields, properties};
use crate::answers::DumpData;
use crate::strings::StringsQuestion;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{Class, ExcludedReferenceList, ObjectId, ReferenceKind};

/// Maximum number of static fields of a class with the same value.
const STATIC_FIELDS: usize = 1 << 12;

/// What a list of cuts means.
#[derive(Default)]
pub(super) struct GatheredCuts {
    /// Objects that are cut themselves.
    pub(super) objects: Bits,
    /// Rows of the nodes of removed entries.
    pub(super) nodes: Vec<u32>,
    pub(super) references: ExcludedReferenceList,
    /// References by which the engine stores the same.
    pub(super) stored: Vec<(u32, u32)>,
    /// Of the engine, from instances to values of their properties, and the index of each.
    pub(super) internal: Vec<(u32, u32, u32)>,
    /// Targets that are not in `references`.
    pub(super) targets: Vec<ObjectId>,
    /// Names of cut fields.
    pub(super) fields: Vec<Box<str>>,
    pub(super) unread: u64,
}

/// By class, true if its objects are cut, or their references.
struct ClassSets {
    cut: Vec<bool>,
    sources: Vec<bool>,
}

impl GatheredCuts {
    pub(super) fn of(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, .. } = of;
        let (mut all, mut fields) = (Self::default(), Fields::default());
        let none = vec![false; heap.classes.len()];
        let mut classes = ClassSets { cut: none.clone(), sources: none };
        for cut in cuts {
            if let Cut::Field { class, name } = cut
                && heap.snapshot().is_none()
            {
                fields.add(heap, contents, *class, name);
                all.fields.push(name.clone());
                continue;
            }
            all.add(of, cut, &mut classes, task)?;
        }
        all.add_classes(of, &classes, task)?;
        let mut values = fields.values(of, task)?;
        all.unread += values.unread;
        all.references.referents.extend(values.referents.iter().map(|&(from, _)| from));
        all.targets.extend(values.referents.iter().filter_map(|&(_, to)| ObjectId::from_raw(to)));
        all.references.single.append(&mut values.single);
        Ok(all)
    }

    fn add(&mut self, of: DumpData<'_>, cut: &Cut, classes: &mut ClassSets, task: &Task) -> Result<(), Cancelled> {
        let DumpData { heap, analysis, .. } = of;
        match cut {
            Cut::Reference { from, to } => {
                if analysis.is_reachable(*from) && heap.may_hold(*from, *to) {
                    self.append(CutReferences::between(of, *from, *to));
                }
            }
            Cut::Object(object) => self.cut(of, [*object]),
            Cut::Class(class) => classes.cut.get_mut(class.index()).into_iter().for_each(|cut| *cut = true),
            Cut::Loader(loader) => {
                let is_its = |class: &Class| class.loader == Some(*loader);
                classes.set(of, is_its, |sets| &mut sets.cut);
                let objects = heap.classes.all().iter().filter(|class| is_its(class)).filter_map(|class| class.object);
                self.cut(of, objects.chain([*loader]));
            }
            Cut::Query { objects, .. } => self.cut(of, objects.iter().copied()),
            Cut::Field { class, name } => {
                let mut property = properties::in_all(of, *class, name, task)?;
                self.references.single.append(&mut property.cut);
                self.stored.append(&mut property.stored);
                self.internal.append(&mut property.internal);
                self.unread += property.unread;
                self.fields.push(name.clone());
            }
            Cut::Roots(cut) => {
                let roots =
                    leads_to(of, cut, task)?.into_iter().filter(|&object| !analysis.roots().of(object).is_empty());
                self.references.roots.extend(roots.map(ObjectId::raw));
            }
            Cut::From(cut) => {
                if let Cut::Class(class) = **cut {
                    classes.set(of, |of: &Class| std::ptr::eq(of, heap.classes.get(class)), |sets| &mut sets.sources);
                    let object = heap.classes.get(class).object;
                    object.into_iter().for_each(|object| self.add_source(of, object));
                } else {
                    leads_to(of, cut, task)?.into_iter().for_each(|object| self.add_source(of, object));
                }
            }
            Cut::Package(package) => {
                let is_its = |class: &Class| class.is_in(package);
                classes.set(of, is_its, |sets| &mut sets.sources);
                let objects = heap.classes.all().iter().filter(|class| is_its(class)).filter_map(|class| class.object);
                objects.for_each(|object| self.add_source(of, object));
            }
            Cut::Entries { of: cut, range } => {
                for collection in leads_to(of, cut, task)? {
                    let Some(entries) = EntryReferences::of(of, collection, *range, task)? else { continue };
                    self.append(entries.references);
                    self.nodes.extend(entries.nodes);
                    self.unread += entries.unread;
                }
            }
            Cut::DuplicateStrings => {
                let strings = of.intermediate(&StringsQuestion, task)?;
                self.cut(of, strings.redundant());
            }
        }
        Ok(())
    }

    /// Objects of the classes that are cut, and those whose references are.
    fn add_classes(&mut self, of: DumpData<'_>, classes: &ClassSets, task: &Task) -> Result<(), Cancelled> {
        let heap = of.heap;
        let has = |sets: &[bool]| sets.contains(&true);
        if !has(&classes.cut) && !has(&classes.sources) {
            return Ok(());
        }
        let column = heap.class_column().slices();
        let is_in =
            |sets: &[bool], row: usize| column.get(row).is_some_and(|class| sets.get(class as usize) == Some(&true));
        for block in task.blocks(heap.len()) {
            for row in block? {
                if is_in(&classes.cut, row) {
                    self.cut(of, ObjectId::new(row));
                }
                // The static fields of a class are its own, not those of `java.lang.Class`.
                let is_class = |object: &ObjectId| heap.classes.of_object(*object).is_some();
                if is_in(&classes.sources, row)
                    && let Some(object) = ObjectId::new(row).filter(|object| !is_class(object))
                {
                    self.add_source(of, object);
                }
            }
        }
        Ok(())
    }

    fn append(&mut self, mut references: CutReferences) {
        self.references.every.append(&mut references.cut);
        self.stored.append(&mut references.stored);
    }

    fn cut(&mut self, of: DumpData<'_>, objects: impl IntoIterator<Item = ObjectId>) {
        for object in objects {
            if self.objects.has_no_room() {
                self.objects = Bits::new(of.heap.len());
            }
            if object.index() < of.heap.len() {
                self.objects.insert(object.raw());
            }
        }
    }

    /// Cuts the references from a reachable object; of a class object the static fields only, since the others are those
    /// of the runtime.
    fn add_source(&mut self, of: DumpData<'_>, object: ObjectId) {
        let DumpData { heap, contents, analysis, .. } = of;
        if object.index() >= heap.len() || !analysis.is_reachable(object) || heap.references(object).is_empty() {
            return;
        }
        if heap.classes.of_object(object).is_none() {
            self.references.sources.push(object.raw());
            return;
        }
        let mut targets = heap.references(object).to_vec();
        targets.sort_unstable();
        targets.dedup();
        for to in targets.into_iter().filter_map(ObjectId::from_raw) {
            // The superclass may be the value of a static field, too.
            let names = contents.reference_names(heap, object, to, STATIC_FIELDS);
            let statics = names.iter().filter(|name| name.kind == ReferenceKind::Static).count();
            self.references.single.extend(repeat_n((object.raw(), to.raw()), statics));
        }
    }
}

impl ClassSets {
    fn set(&mut self, of: DumpData<'_>, is_one: impl Fn(&Class) -> bool, set: impl Fn(&mut Self) -> &mut Vec<bool>) {
        for (is_in, class) in set(self).iter_mut().zip(of.heap.classes.all()) {
            *is_in |= is_one(class);
        }
    }
}
