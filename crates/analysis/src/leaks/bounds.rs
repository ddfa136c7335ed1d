//! Limits of structures: a cache that is full is no leak.
//!
//! Libraries say in their fields how much fits ([`super::bound_rules`]). Elsewhere a number beside the structure that
//! equals its entries is a limit if its name says so and it is a round one. Numbers that count are none: each equals the
//! entries of every leak.

use super::bound_rules::{BoundRule, of_class};
use super::evidence::Evidence;
use super::names_of_limits::{is_limit, is_round, is_very_round};
use super::query::LeakQuery;
use super::unbounded_arrays::has_no_room;
use heaplens_heap::{ClassKind, Field, ObjectId, Role, Vacated, Value};

/// Maximum number of objects whose fields are searched.
const SEARCHED: usize = 48;
/// Maximum number of steps from a structure or its holder to the object with its limit.
const STEPS: usize = 2;
/// Maximum number of objects that keep a structure in a library, from the inside out.
const UP: usize = 6;
/// Maximum number of elements of an array on the path to a count.
const ELEMENTS: u64 = 4_096;
/// Structures with fewer entries have no limit by their number.
const FEW: u64 = 8;
/// A tenth of a limit may be free in a full cache: parts of it are full at different times.
const TENTHS: u128 = 9;
/// Entries more than the limit that a cache may have until it removes them.
const SLACK: u128 = 16;
/// Number of removed entries before the first that tell the order of removal.
const FRONT: u64 = 16;

/// Whether entries were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Removal {
    /// Some were, or the collection keeps the order in which they are used.
    Seen,
    /// None was.
    Never,
    /// The dump does not tell.
    Unknown,
}

/// A structure that may have a limit.
#[derive(Clone, Copy)]
pub(super) struct BoundedStructure {
    /// The collection or object.
    pub(super) unit: ObjectId,
    /// The object that holds it.
    pub(super) holder: Option<ObjectId>,
    /// Number of entries.
    pub(super) entries: u64,
    /// Whether entries were removed.
    pub(super) removal: Removal,
}

/// The limit of a structure that is full; `None` if it has none, has room, or the dump does not tell.
pub(super) fn limit(question: LeakQuery<'_>, structure: BoundedStructure) -> Option<Evidence> {
    let search = BoundSearch { question, structure };
    search.of_library().or_else(|| search.beside()).or_else(|| search.of_subclass())
}

/// The limit of a JavaScript map or set from which the oldest entries are removed, by the places of its table that they
/// left: a round number of entries remains. The snapshot has no numbers.
pub(super) fn of_vacated(entries: u64, vacated: Vacated) -> Option<Evidence> {
    let [before, between, stay] = [vacated.before, vacated.between, entries].map(u128::from);
    // Where entries leave at any age, the first that stays is near the front.
    // Most entries that were removed left no place: the table is made anew from time to time.
    let is_turned_over = vacated.before.saturating_add(vacated.between) >= entries / 2;
    let is_oldest_first = is_turned_over
        && vacated.before >= FRONT
        && (before * stay).saturating_mul(2) >= (before + between + stay) * u128::from(FRONT);
    (is_oldest_first && is_very_round(entries)).then_some(Evidence::Evicts(entries))
}

struct BoundSearch<'a> {
    question: LeakQuery<'a>,
    structure: BoundedStructure,
}

impl BoundSearch<'_> {
    fn fields(&self, object: ObjectId) -> Vec<Field> {
        // Unreadable objects have no fields.
        self.question.namer.contents.fields(self.question.namer.heap, object).unwrap_or_default()
    }

    /// A limit by a rule about the class of the structure, or of an object of its library around it.
    fn of_library(&self) -> Option<Evidence> {
        let namer = self.question.namer;
        let (heap, analysis) = (namer.heap, namer.analysis);
        let unit = self.structure.unit;
        // In a snapshot, a collection has to be walked to its end for that.
        let logical = heap.snapshot().is_none().then(|| namer.contents.logical(heap, unit, 0..0)).flatten();
        let wrapped = logical.map(|logical| logical.internals).unwrap_or_default();
        let up = std::iter::successors(analysis.immediate_dominator(unit), |&at| analysis.immediate_dominator(at));
        // What an entry of a cache holds is not bounded by the cache.
        let up = up.take(UP).take_while(|&object| !namer.index.is_application(heap.class_id(object)));
        let around = self.structure.holder.into_iter().chain(up);
        let is_around = |&object: &ObjectId| namer.index.is_library(heap.class_id(object));
        let objects = [unit].into_iter().chain(wrapped.into_iter().take(UP)).chain(around.filter(is_around));
        objects.into_iter().find_map(|object| {
            let (class, rule) = of_class(heap, heap.class_id(object))?;
            self.by_rule(object, class, rule)
        })
    }

    fn by_rule(&self, object: ObjectId, class: &str, rule: BoundRule) -> Option<Evidence> {
        let entries = self.structure.entries;
        let named = |path: &str| format!("{class}.{}", path.rsplit('.').next().unwrap_or(path));
        match rule {
            BoundRule::Immutable | BoundRule::Persistent => None,
            BoundRule::Limit(limits, counted) => limits.split('|').find_map(|path| {
                let limit = self.number_at(object, path).filter(|&limit| limit > 0)?;
                let mut counts = counted.into_iter().flat_map(|paths| paths.split('|'));
                let used = counts.find_map(|path| self.number_at(object, path));
                let is_entries = counted.is_none() || used == Some(entries);
                let used = used.unwrap_or(entries);
                let is_full = is_full(used, limit);
                let (name, is_of_entries) = (named(path), is_entries && is_full);
                if is_of_entries {
                    return Some(Evidence::Bound(name, limit));
                }
                is_full.then_some(Evidence::WeightBound(name, limit, used))
            }),
            BoundRule::Filled(paths) => paths.split('|').find_map(|path| {
                let array = self.question.namer.object_field(object, path)?;
                let is_full = has_no_room(self.question.namer.heap, array, entries);
                is_full.then(|| Evidence::Bound(named(path), entries))
            }),
            BoundRule::Generation(paths) => {
                let has_it = paths.split('|').any(|path| self.question.namer.object_field(object, path).is_some());
                has_it.then(|| Evidence::Generations(class.to_owned()))
            }
        }
    }

    /// The number at the end of a path; of several, the sum.
    fn number_at(&self, object: ObjectId, path: &str) -> Option<u64> {
        let (heap, contents) = (self.question.namer.heap, self.question.namer.contents);
        let mut at = vec![object];
        let mut numbers: Vec<u64> = Vec::new();
        for step in path.split('.') {
            let (name, is_each) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
            let values: Vec<Value> = at.iter().filter_map(|&object| self.question.namer.field(object, name)).collect();
            numbers = values.iter().filter_map(|value| self.number(value)).collect();
            let objects = values.iter().filter_map(|value| value.object());
            at = if is_each {
                let elements = |array| contents.elements(heap, array, 0..ELEMENTS).unwrap_or_default();
                objects.flat_map(elements).filter_map(Value::object).collect()
            } else {
                objects.collect()
            };
        }
        (!numbers.is_empty()).then(|| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)))
    }

    /// A number, in a box or an atomic variable or not.
    fn number(&self, value: &Value) -> Option<u64> {
        let (heap, contents) = (self.question.namer.heap, self.question.namer.contents);
        let object = match *value {
            Value::Short(number) => return u64::try_from(number).ok(),
            Value::Object(object) => object,
            number => return whole_number(number),
        };
        if let Some(boxed) = contents.boxed(heap, object) {
            return whole_number(boxed);
        }
        let is_atomic = heap.class(object).name.starts_with("java.util.concurrent.atomic.Atomic");
        let fields = if is_atomic { self.fields(object) } else { Vec::new() };
        whole_number(fields.iter().find(|field| field.name == "value" && !field.is_static)?.value)
    }

    /// A number beside the structure that equals its entries.
    fn beside(&self) -> Option<Evidence> {
        let BoundedStructure { unit, holder, .. } = self.structure;
        let heap = self.question.namer.heap;
        let mut searched: Vec<(ObjectId, usize)> = Vec::new();
        // Statics of the class of an object count as its own; those of a holder that is a class are its fields.
        for object in [Some(unit), holder].into_iter().flatten() {
            let is_class = heap.classes.of_object(object).is_some();
            searched.push((object, if is_class { STEPS } else { 0 }));
            let class = (!is_class).then(|| heap.class(object).object).flatten();
            searched.extend(class.map(|class| (class, STEPS)));
        }
        let mut next = 0;
        while let Some(&(object, step)) = searched.get(next) {
            next += 1;
            let fields = self.fields(object);
            if let Some(bound) = fields.iter().find_map(|field| self.by_number(field)) {
                return Some(bound);
            }
            if step < STEPS {
                for held in fields.iter().filter(|field| !field.is_static).filter_map(|field| field.value.object()) {
                    if searched.len() < SEARCHED
                        && self.may_have_limit(held)
                        && searched.iter().all(|&(seen, _)| seen != held)
                    {
                        searched.push((held, step + 1));
                    }
                }
            }
        }
        None
    }

    /// True of objects with settings: no entries, arrays, classes, threads or other collections.
    fn may_have_limit(&self, object: ObjectId) -> bool {
        let namer = self.question.namer;
        let class = namer.heap.class_id(object);
        let row = namer.heap.classes.get(class);
        let is_of_java = row.name.starts_with("java.") && !row.name.starts_with("java.util.concurrent.atomic.");
        row.kind == ClassKind::Plain
            && !is_of_java
            && namer.heap.classes.of_object(object).is_none()
            && namer.contents.role(class) != Role::Collection
    }

    /// A limit, if the field is one.
    fn by_number(&self, field: &Field) -> Option<Evidence> {
        // Sizes, thresholds and counts of Java's collections.
        if field.declared_by.starts_with("java.util.") {
            return None;
        }
        let BoundedStructure { entries, removal, .. } = self.structure;
        if entries < FEW || removal == Removal::Never || !is_limit(&field.name) {
            return None;
        }
        let number = self.number(&field.value)?;
        // A high-water mark is called a maximum, too, and equals the entries of a leak: it is rarely round.
        (entries.abs_diff(number) <= 1 && is_round(number))
            .then(|| Evidence::Bound(format!("{}.{}", field.declared_by, field.name), number))
    }

    /// The limit of a class of the application below `LinkedHashMap`, which decides itself which entries it removes: a
    /// round number of them remains.
    fn of_subclass(&self) -> Option<Evidence> {
        let heap = self.question.namer.heap;
        let class = heap.class_id(self.structure.unit);
        let is_own = !heap.classes.get(class).name.starts_with("java.");
        let mut above = heap.classes.get(class).superclass;
        for _ in 0..UP {
            let Some(at) = above.filter(|_| is_own) else { break };
            if &*heap.classes.get(at).name == "java.util.LinkedHashMap" {
                let is_full = self.structure.removal == Removal::Seen && is_very_round(self.structure.entries);
                return is_full.then_some(Evidence::Evicts(self.structure.entries));
            }
            above = heap.classes.get(at).superclass;
        }
        None
    }
}

/// True if what counts against a limit is about as much. Much more counts against another limit.
fn is_full(used: u64, limit: u64) -> bool {
    let [used, limit] = [used, limit].map(u128::from);
    used * 10 >= limit * TENTHS && used <= limit + limit / 4 + SLACK
}

/// A number that counts: JavaScript has whole ones among its others.
fn whole_number(value: Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(number).ok(),
        Value::Long(number) => u64::try_from(number).ok(),
        Value::Double(number) => {
            let is_whole = number.trunc().total_cmp(&number).is_eq() && (0.0..9e15).contains(&number);
            is_whole.then_some(number as u64)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_more_than_a_limit_counts_against_another() {
        for (used, limit, full) in
            [(1_000, 1_000, true), (920, 1_000, true), (1_020, 1_000, true), (500, 1_000, false), (5_000, 100, false)]
        {
            assert_eq!(is_full(used, limit), full, "{used} of {limit}");
        }
        assert!(is_full(u64::MAX, u64::MAX));
    }

    #[test]
    fn maps_that_forget_the_oldest_are_told_from_those_that_forget_at_any_age() {
        let of = |entries, before, between| of_vacated(entries, Vacated { before, between }).is_some();
        assert!(of(1_000, 600, 0), "the oldest alone");
        assert!(of(2_000, 700, 900), "the oldest, and those used again");
        assert!(!of(1_000, 0, 0) && !of(1_000, 8, 0), "made anew just now");
        assert!(!of(1_000, 9, 9_000), "one of ten stays");
        assert!(!of(1_013, 600, 0), "a number that nobody chose");
        assert!(!of(u64::MAX, u64::MAX, u64::MAX));
    }
}
