//! Wasted memory: a row for every [`WasteKind`], with the objects that waste most. Duplicate strings are an analysis of
//! their own, [`crate::strings`].

mod objects;

pub use self::objects::waste_objects;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::answer_file::AnswerFile;
use crate::answers::{DumpData, Question};
use crate::equal_contents::{ContentsHash, HashedContents, groups};
use crate::extent::{Extent, ExtentCollector};
use crate::strings::{DuplicateStrings, StringsQuestion};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::contents::Capacity;
use heaplens_heap::{
    Analysis, Class, ClassId, ClassKind, LogicalCollection, ObjectId, PrefetchStep, Role, Totals, Value,
};
use serde::{Deserialize, Serialize};

/// Number of examples per kind.
const EXAMPLES: usize = 10;
/// Objects ahead of the current one whose records, and whose sizes, are prefetched.
const RECORDS_AHEAD: usize = 16;
const SIZES_AHEAD: usize = 16;

/// A kind of waste.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WasteKind {
    /// Equal strings.
    DuplicateStrings,
    /// Primitive arrays with equal elements.
    DuplicateArrays,
    /// Primitive arrays filled with zeros.
    ZeroArrays,
    /// Capacity of empty collections.
    EmptyCollections,
    /// Unused capacity of collections that use less than a quarter of it.
    SparseCollections,
    /// Unused capacity of other collections.
    UnusedRoom,
    /// Unused capacity of string builders.
    UnusedBuffers,
    /// Boxed values, beyond one for each value.
    DuplicateNumbers,
    /// Object headers.
    ObjectHeaders,
}

impl WasteKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::DuplicateStrings,
        Self::DuplicateArrays,
        Self::ZeroArrays,
        Self::EmptyCollections,
        Self::SparseCollections,
        Self::UnusedRoom,
        Self::UnusedBuffers,
        Self::DuplicateNumbers,
        Self::ObjectHeaders,
    ];

    /// The stable key: `kind` and `name` in JSON and CSV, the pattern of verdicts, and hashed into fingerprints.
    /// These bytes never change, whatever [`WasteKind::title`] says.
    pub fn key(self) -> &'static str {
        self.words().0
    }

    /// The kind of a [key](WasteKind::key).
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// Title for people, in sentence case.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Key and title.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::DuplicateStrings => ("duplicate strings", "Duplicate strings"),
            Self::DuplicateArrays => ("duplicate primitive arrays", "Duplicate primitive arrays"),
            Self::ZeroArrays => ("zero-filled primitive arrays", "Zero-filled primitive arrays"),
            Self::EmptyCollections => ("empty collections", "Empty collections"),
            Self::SparseCollections => ("sparse collections", "Sparse collections"),
            Self::UnusedRoom => ("unused room of other collections", "Unused capacity of other collections"),
            Self::UnusedBuffers => ("unused room of string builders", "Unused capacity of string builders"),
            Self::DuplicateNumbers => ("duplicate boxed values", "Duplicate boxed values"),
            Self::ObjectHeaders => ("object headers", "Object headers"),
        }
    }
}

/// A kind of waste in a heap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WasteRow {
    /// The kind.
    pub kind: WasteKind,
    /// Number of objects that waste memory or are redundant.
    pub objects: u64,
    /// Bytes that could be saved.
    pub wasted: Bytes,
    /// Objects and bytes among these that another kind has, too: zero-filled arrays that are also duplicates, and arrays
    /// of collections and string builders with unused capacity.
    pub elsewhere: Totals,
    /// Where the wasted bytes are.
    pub extent: Extent,
    /// Objects that waste most, in descending order.
    pub examples: Vec<ObjectId>,
}

impl WasteRow {
    /// Objects and bytes that no other kind has: those of all kinds can be added up.
    pub fn own(&self) -> Totals {
        let Totals { objects, shallow } = self.elsewhere;
        Totals { objects: self.objects - objects, shallow: Bytes(self.wasted.0 - shallow.0) }
    }
}

/// What is wasted, by kind?
#[derive(Clone, PartialEq, Eq)]
pub struct WasteQuestion;

impl Question for WasteQuestion {
    type Answer = Vec<WasteRow>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<WasteRow>, Cancelled> {
        let strings = dump.intermediate(&StringsQuestion, task)?;
        waste(dump, &strings, task)
    }

    fn file(&self) -> Option<AnswerFile<Vec<WasteRow>>> {
        Some(AnswerFile::json("table of waste", &()))
    }
}

/// What the search reads.
#[derive(Clone, Copy)]
struct Searched<'a> {
    dump: DumpData<'a>,
    strings: &'a DuplicateStrings,
}

/// Waste found in a part of the objects.
struct Part {
    /// By kind: objects, bytes, and the largest.
    totals: [KindTotals; WasteKind::ALL.len()],
    /// Primitive arrays of collections and string builders with unused capacity.
    unused: Vec<ObjectId>,
    /// Hashes of zero-filled arrays.
    zeros: FxHashSet<[u64; 2]>,
}

/// Values of a part that may have duplicates.
#[derive(Default)]
struct Hashes {
    arrays: Vec<ContentsHash>,
    numbers: Vec<ContentsHash>,
}

struct KindTotals {
    objects: u64,
    wasted: Bytes,
    elsewhere: Totals,
    extent: ExtentCollector,
    biggest: Vec<(Bytes, ObjectId)>,
}

impl KindTotals {
    fn new(heap: Bytes) -> Self {
        let extent = ExtentCollector::new(heap);
        Self { objects: 0, wasted: Bytes(0), elsewhere: Totals::default(), extent, biggest: Vec::new() }
    }

    /// Adds an object. `is_elsewhere` if another kind has it, too.
    fn add(&mut self, analysis: &Analysis, wasted: Bytes, object: ObjectId, is_elsewhere: bool) {
        if wasted == Bytes(0) {
            return;
        }
        self.objects += 1;
        self.wasted += wasted;
        if is_elsewhere {
            self.elsewhere.add(Totals { objects: 1, shallow: wasted });
        } else {
            self.extent.add(analysis, object, wasted);
        }
        self.keep(wasted, object);
    }

    fn keep(&mut self, wasted: Bytes, object: ObjectId) {
        let key = |&(wasted, object): &(Bytes, ObjectId)| (std::cmp::Reverse(wasted), object);
        let index = self.biggest.partition_point(|other| key(other) < key(&(wasted, object)));
        if index < EXAMPLES {
            self.biggest.insert(index, (wasted, object));
            self.biggest.truncate(EXAMPLES);
        }
    }

    fn merge(&mut self, other: Self) {
        self.objects += other.objects;
        self.wasted += other.wasted;
        self.elsewhere.add(other.elsewhere);
        self.extent.append(other.extent);
        other.biggest.into_iter().for_each(|(wasted, object)| self.keep(wasted, object));
    }
}

impl Part {
    fn new(analysis: &Analysis) -> Self {
        let none = || KindTotals::new(analysis.shown.shallow);
        Self { totals: std::array::from_fn(|_| none()), unused: Vec::new(), zeros: FxHashSet::default() }
    }

    fn add(&mut self, analysis: &Analysis, kind: WasteKind, wasted: Bytes, object: ObjectId) {
        if let Some(totals) = self.totals.get_mut(kind as usize) {
            totals.add(analysis, wasted, object, false);
        }
    }

    fn merge(mut self, mut other: Self) -> Self {
        self.totals.iter_mut().zip(other.totals).for_each(|(all, some)| all.merge(some));
        self.unused.append(&mut other.unused);
        self.zeros.extend(other.zeros);
        self
    }

    /// Checks one object.
    fn look(&mut self, searched: Searched<'_>, (object, role): (ObjectId, Role), hashes: &mut Hashes) {
        let DumpData { heap, contents, analysis, .. } = searched.dump;
        match role {
            Role::Collection => self.collection(searched, object),
            Role::Buffer => {
                if let Some(room) = contents.capacity(heap, object) {
                    let wasted = Capacity::unused(room.used, room.capacity, heap.shallow(room.array));
                    self.add(analysis, WasteKind::UnusedBuffers, wasted, object);
                    self.unused.extend(Some(room.array).filter(|_| wasted > Bytes(0)));
                }
            }
            Role::Boxed => {
                let value = contents.boxed(heap, object).and_then(bits);
                let class = u64::from(heap.class_id(object).raw());
                hashes.numbers.extend(value.map(|value| ContentsHash { hash: [class, value], object, array: object }));
            }
            Role::Other => {
                let Some(print) = contents.fingerprint(heap, object).filter(|print| print.length > 0) else { return };
                if print.zero {
                    self.zeros.insert(print.hash);
                    self.add(analysis, WasteKind::ZeroArrays, heap.shallow(object), object);
                }
                hashes.arrays.push(ContentsHash { hash: print.hash, object, array: object });
            }
            Role::Text => {}
        }
    }

    fn collection(&mut self, searched: Searched<'_>, object: ObjectId) {
        let DumpData { heap, contents, analysis, .. } = searched.dump;
        let Some(logical) = contents.logical(heap, object, 0..0) else { return };
        let kind = collection_kind(&logical);
        let wasted = logical.unused(heap);
        self.add(analysis, kind, wasted, object);
        let is_primitive = |array: &&ObjectId| heap.class(**array).kind == ClassKind::PrimitiveArray;
        if wasted > Bytes(0) {
            self.unused.extend(logical.own_backing().iter().filter(is_primitive));
        }
    }

    /// Counts duplicates; the first of each value is not waste. Zero-filled arrays, and those of collections and string
    /// builders, belong to other kinds, too.
    fn duplicates(
        DumpData { heap, analysis, .. }: DumpData<'_>,
        of_kind: HashedContents,
        (zeros, unused): (&FxHashSet<[u64; 2]>, &[ObjectId]),
        task: &Task,
    ) -> Result<KindTotals, Cancelled> {
        let none = || KindTotals::new(analysis.shown.shallow);
        let parts = of_kind.into_parts().map(|part| {
            task.checkpoint()?;
            let mut totals = none();
            let again: Vec<ContentsHash> = groups(&part).flat_map(|group| group.iter().skip(1)).copied().collect();
            for (at, &ContentsHash { hash, object, .. }) in again.iter().enumerate() {
                if let Some(soon) = again.get(at + SIZES_AHEAD) {
                    heap.prefetch_shallow(soon.object.raw());
                }
                let is_elsewhere = zeros.contains(&hash) || unused.binary_search(&object).is_ok();
                totals.add(analysis, heap.shallow(object), object, is_elsewhere);
            }
            Ok(totals)
        });
        parts.try_reduce(none, |mut all, some| {
            all.merge(some);
            Ok(all)
        })
    }

    /// Arrays of collections and string builders, ascending; the zero-filled ones among them belong to two kinds.
    fn settle_unused(&mut self, Searched { dump, strings }: Searched<'_>) -> Vec<ObjectId> {
        let DumpData { heap, contents, analysis, .. } = dump;
        let mut unused = std::mem::take(&mut self.unused);
        unused.sort_unstable();
        unused.dedup();
        if let Some(zeros) = self.totals.get_mut(WasteKind::ZeroArrays as usize) {
            let is_zero = |array: ObjectId| contents.fingerprint(heap, array).is_some_and(|print| print.zero);
            let is_counted = |array: ObjectId| !strings.is_of_string(array) && analysis.is_reachable(array);
            for &array in unused.iter().filter(|&&array| is_counted(array) && is_zero(array)) {
                zeros.elsewhere.add(Totals { objects: 1, shallow: heap.shallow(array) });
            }
        }
        unused
    }
}

/// Kind of the unused capacity of a collection.
fn collection_kind(logical: &LogicalCollection) -> WasteKind {
    match logical.size {
        0 => WasteKind::EmptyCollections,
        _ if logical.is_sparse() => WasteKind::SparseCollections,
        _ => WasteKind::UnusedRoom,
    }
}

/// Role of each class whose objects are searched for waste.
fn searched_roles(DumpData { heap, contents, .. }: DumpData<'_>) -> Vec<Option<Role>> {
    let role = |(class, row): (ClassId, &Class)| match contents.role(class) {
        Role::Text => None,
        Role::Other if row.kind != ClassKind::PrimitiveArray => None,
        // A snapshot does not tell the capacity of collections.
        Role::Collection if heap.snapshot().is_some() => None,
        role => Some(role),
    };
    heap.classes.iter().map(role).collect()
}

/// Unique number of a value within its type.
fn bits(value: Value) -> Option<u64> {
    Some(match value {
        Value::Bool(b) => b.into(),
        Value::Char(c) => c.into(),
        Value::Byte(n) => i64::from(n).cast_unsigned(),
        Value::Short(n) => i64::from(n).cast_unsigned(),
        Value::Int(n) => i64::from(n).cast_unsigned(),
        Value::Long(n) => n.cast_unsigned(),
        Value::Float(n) => n.to_bits().into(),
        Value::Double(n) => n.to_bits(),
        Value::Null | Value::Object(_) | Value::Dangling(_) | Value::Unavailable => return None,
    })
}

/// Finds waste of every kind, most wasted bytes first, given the duplicate strings.
pub fn waste(dump: DumpData<'_>, strings: &DuplicateStrings, task: &Task) -> Result<Vec<WasteRow>, Cancelled> {
    let DumpData { heap, contents, analysis, .. } = dump;
    task.step("Searching for waste", Unit::Objects, heap.len() as u64);
    let roles = searched_roles(dump);
    let column = heap.class_column().slices();
    let searched = Searched { dump, strings };
    let (arrays, numbers) = (HashedContents::default(), HashedContents::default());
    let parts = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        // Classes are read in order, positions in the tree only of objects that matter.
        let meant = rows.filter_map(|row| {
            let role = column.get(row).and_then(|class| roles.get(class as usize).copied().flatten())?;
            let object = ObjectId::new(row)?;
            // Character arrays of strings are counted with the strings.
            let is_of_string = role == Role::Other && strings.is_of_string(object);
            (!is_of_string && analysis.is_reachable(object)).then_some((object, role))
        });
        let meant: Vec<(ObjectId, Role)> = meant.collect();
        let (mut part, mut hashes) = (Part::new(analysis), Hashes::default());
        for (at, &of) in meant.iter().enumerate() {
            if let Some(&(soon, _)) = meant.get(at + RECORDS_AHEAD) {
                contents.prefetch(heap, soon, PrefetchStep::Record);
            }
            part.look(searched, of, &mut hashes);
        }
        arrays.add(&hashes.arrays);
        numbers.add(&hashes.numbers);
        Ok(part)
    });
    let mut all = parts.try_reduce(|| Part::new(analysis), |all, some| Ok(all.merge(some)))?;
    let unused = all.settle_unused(searched);
    let (zeros, none) = (std::mem::take(&mut all.zeros), FxHashSet::default());
    for (kind, of_kind, zeros) in
        [(WasteKind::DuplicateArrays, arrays, &zeros), (WasteKind::DuplicateNumbers, numbers, &none)]
    {
        let of_part = Part::duplicates(dump, of_kind, (zeros, &unused), task)?;
        if let Some(of_kind) = all.totals.get_mut(kind as usize) {
            *of_kind = of_part;
        }
    }
    let row = |(kind, of_part): (WasteKind, KindTotals)| WasteRow {
        kind,
        objects: of_part.objects,
        wasted: of_part.wasted,
        elsewhere: of_part.elsewhere,
        extent: of_part.extent.extent(),
        examples: of_part.biggest.into_iter().map(|(_, object)| object).collect(),
    };
    let mut of_part: Vec<WasteRow> = WasteKind::ALL.into_iter().zip(all.totals).map(row).collect();
    let (objects, wasted, examples) = strings.surplus();
    let (kind, elsewhere, extent) = (WasteKind::DuplicateStrings, Totals::default(), strings.extent(analysis));
    of_part.push(WasteRow { kind, objects, wasted, elsewhere, extent, examples });
    let size = |name: &str| heap.classes.named(name).map(|class| heap.classes.get(class).instance_size);
    if let (Some(empty), Some(number)) = (size("java.lang.Object"), size("java.lang.Integer")) {
        of_part.push(headers(analysis, empty, number));
    }
    of_part.retain(|row| row.objects > 0);
    of_part.sort_by(|a, b| b.wasted.cmp(&a.wasted).then(a.kind.cmp(&b.kind)));
    Ok(of_part)
}

/// Size of object headers, derived from sizes: an object without fields, or an Integer minus
/// its four bytes, consists of a header only, but both are rounded up.
fn headers(analysis: &Analysis, empty: Bytes, number: Bytes) -> WasteRow {
    let header = empty.0.min(number.0.saturating_sub(4));
    let objects = analysis.shown.objects;
    let wasted = Bytes(header.saturating_mul(objects));
    let (kind, elsewhere, extent) = (WasteKind::ObjectHeaders, Totals::default(), Extent::default());
    WasteRow { kind, objects, wasted, elsewhere, extent, examples: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stable() {
        let keys = [
            "duplicate strings",
            "duplicate primitive arrays",
            "zero-filled primitive arrays",
            "empty collections",
            "sparse collections",
            "unused room of other collections",
            "unused room of string builders",
            "duplicate boxed values",
            "object headers",
        ];
        assert_eq!(WasteKind::ALL.map(WasteKind::key), keys);
        assert!(WasteKind::ALL.into_iter().all(|kind| WasteKind::of_key(kind.key()) == Some(kind)));
        assert_eq!(WasteKind::of_key("Duplicate strings"), None);
    }
}
