//! Search for evidence about a location, in the dump alone.

use super::accumulation_point::{AccumulationPoint, Shape};
use super::bound_rules::{BoundRule, of_class};
use super::bounds::{BoundedStructure, Removal, limit, of_vacated};
use super::evidence::{Evidence, MANY};
use super::{
    cleaners, contents::AccumulationContents, cut_plan::CutPlan, entries, entry_fields, entry_roles, library::library,
    query::LeakQuery, unbounded_arrays,
};
use crate::clock::RecentObjects;
use crate::naming::is_of_package;
use crate::structure::Origin;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, Field, Heap, LogicalKind, ObjectId, Role, Vacated, Value};

/// Collections of fixed capacity.
const OF_ONE_SIZE: [&str; 4] = [
    "java.util.concurrent.ArrayBlockingQueue",
    "java.util.EnumMap",
    "java.util.RegularEnumSet",
    "java.util.Arrays$ArrayList",
];
/// Queues.
const QUEUES: [&str; 9] = [
    "java.util.concurrent.LinkedBlockingQueue",
    "java.util.concurrent.LinkedBlockingDeque",
    "java.util.concurrent.ConcurrentLinkedQueue",
    "java.util.concurrent.ConcurrentLinkedDeque",
    "java.util.concurrent.LinkedTransferQueue",
    "java.util.concurrent.PriorityBlockingQueue",
    "java.util.concurrent.ArrayBlockingQueue",
    "java.util.PriorityQueue",
    "java.util.ArrayDeque",
];

/// Maximum number of holders of shared objects whose collections are searched for a limit.
const HOLDERS: usize = 4;
/// Maximum number of fields of each.
const FIELDS: usize = 32;

/// Where more of the other objects were allocated since the last young collection, that collection was long ago.
const FEW_RECENT: f64 = 0.25;
/// That none was allocated lately tells nothing if fewer were expected.
const LEAST_EXPECTED: u64 = 32;

/// Collects the evidence about a location.
pub(super) fn evidence(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    inside: &AccumulationContents,
    cut: &CutPlan,
    task: &Task,
) -> Result<Vec<Evidence>, Cancelled> {
    // The strongest evidence comes first.
    let mut evidence: Vec<Evidence> = Vec::new();
    evidence.extend(inside.allocated.map(|(first, last)| Evidence::Allocated(first, last)));
    if inside.allocated.is_none() {
        evidence.extend(inside.recent.and_then(recent));
    }
    if evidence.is_empty() {
        evidence.extend(inside.likely_allocated.map(|(first, last)| Evidence::LikelyAllocated(first, last)));
    }
    let search = PointEvidence { question };
    if point.members.is_empty() {
        match point.shape {
            Shape::Collection => search.of_collection((point, inside, cut), &mut evidence),
            Shape::Array => {
                let is_new = evidence.first().is_some_and(Evidence::is_late);
                search.of_array(point, is_new, &mut evidence);
            }
            Shape::Data => search.of_data(point, cut, &mut evidence),
            _ => {}
        }
    } else if matches!(point.shape, Shape::Siblings | Shape::Shared) {
        evidence.extend(search.of_members((point, inside, cut)));
    }
    task.checkpoint()?;
    evidence.extend((point.is_of_runtime && !inside.is_of_application).then_some(Evidence::OfRuntime));
    let is_held_by_library = !cut.is_of_application || cut.origin == Some(Origin::Library);
    let is_in_library = is_held_by_library && (cut.library().is_some() || is_of_library(question, inside));
    if is_in_library || (cut.short_name.is_none() && is_of_package(&cut.name)) {
        evidence.push(Evidence::OfLibrary(library(question, inside, cut)));
    }
    if point.shape == Shape::ThreadLocals && point.members.len() > 1 {
        evidence.push(Evidence::InThreads(point.members.len() as u64));
    }
    if point.shape == Shape::Cleaners {
        let waiting = cleaners::waiting(question, point);
        evidence.extend((waiting > 0).then_some(Evidence::Waiting(waiting, point.members.len() as u64)));
    }
    evidence.extend(cut.mostly.clone().map(|(name, bytes)| Evidence::Mostly(name, bytes)));
    if cut.mostly.is_none() {
        let in_each = entry_fields::in_each(question, point, inside, task)?;
        evidence.extend(in_each.map(|(field, bytes)| Evidence::InEach(field, bytes)));
    }
    evidence.extend(loaders(question, point, inside));
    evidence.extend(entries::soft(question, inside));
    if let (Some(class), Some(plan)) = (inside.class, &inside.accumulated)
        && !question.namer.index.is_runtime(class)
        && plan.objects >= MANY
        && plan.objects * 10 >= plan.of_all * 9
    {
        evidence.push(Evidence::NearlyAll(plan.class.clone(), plan.objects, plan.of_all));
    }
    evidence.extend(entry_roles::roles(question, point, inside, task)?);
    evidence.extend(entries::alike(question, inside));
    let sample = entries::sample(question, point, inside);
    evidence.extend(entries::outer(question, &sample));
    evidence.extend(entries::made(question, &sample, entries::reaches_end(point, inside)));
    Ok(evidence)
}

/// Evidence from the objects of a location that were allocated since the last young collection.
fn recent(recent: RecentObjects) -> Option<Evidence> {
    match recent {
        RecentObjects { objects: 0, expected, .. } => {
            (expected >= LEAST_EXPECTED).then_some(Evidence::NotRecent(expected))
        }
        // If much of the heap is as new, a table filled at start may be, too.
        RecentObjects { objects, part, part_of_others, .. } => {
            (part_of_others <= FEW_RECENT && part >= part_of_others).then_some(Evidence::Recent(objects))
        }
    }
}

/// True if objects of a library accumulate.
pub(super) fn is_of_library(question: LeakQuery<'_>, inside: &AccumulationContents) -> bool {
    inside.class.is_some_and(|class| question.namer.index.is_library(class))
}

/// True if a collection is a queue.
pub(super) fn is_queue(heap: &Heap, unit: ObjectId) -> bool {
    let mut class = Some(heap.class_id(unit));
    for _ in 0..8 {
        let Some(at) = class else { return false };
        if QUEUES.contains(&&*heap.classes.get(at).name) {
            return true;
        }
        class = heap.classes.get(at).superclass;
    }
    false
}

/// Class loaders in a location, of the most frequent class.
fn loaders(question: LeakQuery<'_>, point: &AccumulationPoint, inside: &AccumulationContents) -> Option<Evidence> {
    let heap = question.namer.heap;
    let is_loader = heap.classes.all_below(heap.classes.named("java.lang.ClassLoader").as_slice());
    let of_place = inside.held.iter().filter(|(class, _)| is_loader.get(class.index()) == Some(&true));
    let name = |class: ClassId| &*heap.classes.get(class).name;
    let (class, totals) =
        of_place.max_by(|(a, x), (b, y)| x.objects.cmp(&y.objects).then_with(|| name(*b).cmp(name(*a))))?;
    let mut of_loaders: Vec<&str> = Vec::new();
    for (_, row) in heap.classes.iter() {
        if row.loader.is_some_and(|loader| heap.class_id(loader) == *class) {
            of_loaders.push(&row.name);
        }
    }
    of_loaders.sort_unstable();
    let twice = of_loaders.windows(2).find(|two| two[0] == two[1]).map(|two| two[0].to_owned());
    // A single loader without duplicate classes is ordinary content.
    let is_one_of_several = totals.objects > 1 || point.shape == Shape::Loader;
    (is_one_of_several && twice.is_some()).then(|| Evidence::Loaders {
        count: totals.objects,
        class: name(*class).to_owned(),
        twice,
    })
}

/// Evidence for one kind of accumulation point.
struct PointEvidence<'a> {
    question: LeakQuery<'a>,
}

impl PointEvidence<'_> {
    fn of_collection(
        &self,
        (point, inside, cut): (&AccumulationPoint, &AccumulationContents, &CutPlan),
        evidence: &mut Vec<Evidence>,
    ) {
        let class = &*self.question.namer.heap.class(point.unit).name;
        let size = inside.collection.as_ref().map_or(0, |collection| collection.size);
        // A view beside others does not bound what it shows.
        let holder = match cut.references.as_slice() {
            [cut] => Some(cut.from),
            _ => None,
        };
        // A view, too, gives its entries to nothing else that holds them.
        for object in [Some(point.unit), holder].into_iter().flatten() {
            match of_class(self.question.namer.heap, self.question.namer.heap.class_id(object)) {
                Some((_, BoundRule::Immutable)) => {
                    evidence.push(Evidence::Unchanging(self.question.namer.heap.class(object).name.to_string()));
                    return;
                }
                Some((_, BoundRule::Persistent)) => return,
                _ => {}
            }
        }
        if OF_ONE_SIZE.contains(&class) {
            let room = self
                .question
                .namer
                .contents
                .logical(self.question.namer.heap, point.unit, 0..0)
                .and_then(|logical| logical.capacity);
            let is_full = room == Some(size) && is_queue(self.question.namer.heap, point.unit);
            evidence.push(if is_full { Evidence::Full(size) } else { Evidence::OneSize(room.unwrap_or(size)) });
            return;
        }
        if is_queue(self.question.namer.heap, point.unit) && size > 0 && self.most(point.unit) == Some(size) {
            evidence.push(Evidence::Full(size));
            return;
        }
        let changes = self.changes(point.unit).filter(|_| !self.is_in_access_order(point.unit));
        let more = changes.and_then(|changes| changes.checked_sub(size)).unwrap_or(0);
        let removed = inside.vacated.map_or(0, |vacated| vacated.before.saturating_add(vacated.between));
        if let Some(bound) = self.limit((point.unit, holder), (size, inside.vacated)) {
            evidence.insert(0, bound);
            return;
        }
        let is_list = inside.collection.as_ref().is_some_and(|collection| collection.kind == LogicalKind::List);
        match changes {
            Some(changes) if changes == size && size > 0 => evidence.push(Evidence::NeverRemoved(size)),
            _ if self.is_taken_from(point.unit) => evidence.push(Evidence::TakenFrom),
            _ if more > 1 && is_list => evidence.push(Evidence::Changed(more, size)),
            _ if more > 1 => evidence.push(Evidence::Removed(more / 2, size)),
            _ if removed > 0 => evidence.push(Evidence::Removed(removed, size)),
            _ => evidence.push(Evidence::Grows(class.to_owned())),
        }
    }

    /// The limit of a collection, given its holder, number of entries, and the places that removed ones left.
    fn limit(
        &self,
        (unit, holder): (ObjectId, Option<ObjectId>),
        (entries, vacated): (u64, Option<Vacated>),
    ) -> Option<Evidence> {
        let is_of_accesses = self.is_in_access_order(unit);
        let changes = self.changes(unit).filter(|_| !is_of_accesses);
        let is_changed = changes.is_some_and(|changes| changes > entries.saturating_add(1));
        let removal = match changes {
            _ if is_of_accesses || is_changed || self.is_taken_from(unit) => Removal::Seen,
            _ if vacated.is_some_and(|vacated| vacated != Vacated::default()) => Removal::Seen,
            Some(changes) if changes == entries => Removal::Never,
            _ => Removal::Unknown,
        };
        let structure = BoundedStructure { unit, holder, entries, removal };
        limit(self.question, structure).or_else(|| of_vacated(entries, vacated?))
    }

    /// The limit of objects that a collection and other objects hold, such as the linked nodes of a cache: of a collection with
    /// as many entries.
    fn of_members(
        &self,
        (point, inside, cut): (&AccumulationPoint, &AccumulationContents, &CutPlan),
    ) -> Option<Evidence> {
        let count = inside.accumulated.as_ref()?.objects;
        let heads = point.containers.iter().map(|container| container.head).take(HOLDERS);
        let mut holders: Vec<ObjectId> = heads.chain(cut.named_object).chain(point.within).collect();
        holders.extend(cut.references.iter().take(HOLDERS).map(|cut| cut.from));
        let mut seen: Vec<ObjectId> = Vec::new();
        for holder in holders {
            let fields = self.fields(holder);
            let held = fields.iter().filter(|field| !field.is_static).filter_map(|field| field.value.object());
            for object in std::iter::once(holder).chain(held).take(FIELDS) {
                if seen.contains(&object)
                    || self.question.namer.contents.role(self.question.namer.heap.class_id(object)) != Role::Collection
                {
                    continue;
                }
                seen.push(object);
                let Some(collection) = self.question.namer.contents.logical(self.question.namer.heap, object, 0..0)
                else {
                    continue;
                };
                let around = self.question.namer.analysis.immediate_dominator(object).or(Some(holder));
                let of_map = || self.limit((object, around), (collection.size, collection.vacated));
                if let Some(bound) = (collection.size.abs_diff(count) <= 1).then(of_map).flatten() {
                    return Some(bound);
                }
            }
        }
        None
    }

    /// True of a `LinkedHashMap` in the order of access: every access counts as a modification.
    fn is_in_access_order(&self, map: ObjectId) -> bool {
        matches!(value(&self.fields(map), "accessOrder"), Some(Value::Bool(true)))
    }

    /// Number of modifications: additions and removals.
    fn changes(&self, collection: ObjectId) -> Option<u64> {
        let mut at = collection;
        for _ in 0..4 {
            let fields = self.fields(at);
            if let Some(Value::Int(changes)) = value(&fields, "modCount") {
                return u64::try_from(changes).ok();
            }
            at = ["map", "m", "c"].iter().find_map(|name| value(&fields, name)?.object())?;
        }
        None
    }

    /// True if elements were taken from the front of an `ArrayDeque`: its elements lie together behind unused room.
    /// Without that they begin at the beginning of its array, or elements were added in front and end at its end.
    fn is_taken_from(&self, deque: ObjectId) -> bool {
        let fields = self.fields(deque);
        let int = |name| match value(&fields, name) {
            Some(Value::Int(index)) => u64::try_from(index).ok(),
            _ => None,
        };
        &*self.question.namer.heap.class(deque).name == "java.util.ArrayDeque"
            && int("head").zip(int("tail")).is_some_and(|(head, tail)| head > 0 && head <= tail)
    }

    /// Capacity of a bounded queue.
    fn most(&self, queue: ObjectId) -> Option<u64> {
        let Some(Value::Int(most)) = value(&self.fields(queue), "capacity") else { return None };
        u64::try_from(most).ok()
    }

    fn of_array(&self, point: &AccumulationPoint, is_new: bool, evidence: &mut Vec<Evidence>) {
        let length = self.question.namer.contents.array_length(self.question.namer.heap, point.unit).unwrap_or(0);
        let is_snapshot = self.question.namer.heap.snapshot().is_some();
        let used = self.question.namer.heap.references(point.unit).len() as u64;
        let is_full = if is_snapshot {
            unbounded_arrays::has_no_room(self.question.namer.heap, point.unit, length)
        } else {
            used == length
        };
        // A table that was filled at start may be a copy, too.
        let is_copied = is_new && unbounded_arrays::is_copied(self.question.namer.heap, point.unit)
            || unbounded_arrays::is_of_copying_list(self.question.namer.dump, point.unit);
        if is_full && !is_copied && !unbounded_arrays::has_growing_elements(self.question.namer.dump, point.unit) {
            evidence.push(Evidence::OneSize(length));
        } else if !is_full && !is_snapshot {
            evidence.push(Evidence::Room(used, length));
        } else {
            evidence.push(Evidence::Grows(self.question.namer.heap.class(point.unit).name.to_string()));
        }
    }

    fn of_data(&self, point: &AccumulationPoint, cut: &CutPlan, evidence: &mut Vec<Evidence>) {
        let length = self.question.namer.contents.array_length(self.question.namer.heap, point.unit).unwrap_or(0);
        // The direct holder of the array.
        let above =
            self.question.namer.analysis.immediate_dominator(point.unit).or(cut.references.first().map(|cut| cut.from));
        let Some(above) = above else { return };
        let holder = self.fields(above);
        // A growing buffer has a count field beside its array.
        let is_filled_to = |field: &Field| match field.value {
            Value::Int(count) => u64::try_from(count).is_ok_and(|count| count >= length / 4 && count < length),
            _ => false,
        };
        let grows = holder.iter().any(|field| !field.is_static && is_filled_to(field));
        let class = self.question.namer.heap.class(above).name.to_string();
        evidence.push(if grows { Evidence::Grows(class) } else { Evidence::SingleArray(length) });
    }

    fn fields(&self, object: ObjectId) -> Vec<Field> {
        // Unreadable objects have no fields.
        self.question.namer.contents.fields(self.question.namer.heap, object).unwrap_or_default()
    }
}

fn value(fields: &[Field], name: &str) -> Option<Value> {
    fields.iter().find(|field| field.name == name && !field.is_static).map(|field| field.value)
}
