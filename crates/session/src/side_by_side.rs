//! Two dumps side by side: rows of an analysis joined by name: packages, loaders, threads, strings, classes of
//! collections, leaks and what is outside of the heap. Matched objects are not needed.

use std::{cmp::Reverse, collections::BTreeMap};

use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Pair;
use heaplens_analysis::grouping::{GroupRow, GroupsQuestion};
use heaplens_analysis::leaks::{Group, LeakQuery, find_leaks, general, rules::LeakRules};
use heaplens_analysis::{GroupBy, Namer, RuntimeClasses, collections::CollectionsQuestion};
use heaplens_analysis::{
    loaders::LoadersQuestion,
    naming::NameIndex,
    native_owners::{NativeOwner, NativeOwnersQuestion},
    strings::StringsQuestion,
    threads::{ThreadRow, ThreadsQuestion},
};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Kind of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SideRowKind {
    /// Packages; arrays count for the package of their elements.
    Packages,
    /// Class loaders of one class and name.
    Loaders,
    /// Threads of one name.
    Threads,
    /// Duplicate strings of one value.
    Strings,
    /// Collections of one class.
    Collections,
    /// Leaks, by holder.
    Leaks,
    /// What objects have outside of the heap, by what holds it and by its kind.
    Outside,
}

/// Measure of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Loaders.
    Loaders,
    /// Threads.
    Threads,
    /// Classes that have objects.
    Classes,
    /// Objects.
    Objects,
    /// Elements of the collections.
    Elements,
    /// Shallow size.
    Shallow,
    /// Retained size; each byte counts once.
    Retained,
    /// Wasted bytes.
    Wasted,
    /// Bytes freed by cutting a reference.
    Frees,
    /// Native memory.
    Native,
}

/// Rows of both dumps are the same if these are equal: the name, and for strings, of whose texts only the beginning is
/// shown, the hash of the whole text.
type RowKey = (String, Option<[u64; 2]>);

impl SideRowKind {
    /// Measures of a row. Rows are sorted by the last of them.
    pub fn measures(self) -> &'static [Measure] {
        use Measure::{Classes, Elements, Frees, Loaders, Native, Objects, Retained, Shallow, Threads, Wasted};
        match self {
            Self::Packages => &[Classes, Objects, Shallow, Retained],
            Self::Loaders => &[Loaders, Classes, Objects, Shallow, Retained],
            Self::Threads => &[Threads, Retained],
            Self::Strings => &[Objects, Shallow, Wasted],
            Self::Collections => &[Objects, Elements, Wasted, Shallow],
            Self::Leaks => &[Objects, Frees],
            Self::Outside => &[Objects, Native],
        }
    }

    /// Index of the size whose growth is drawn with a bar and in percent.
    pub fn size(self) -> usize {
        let wanted = match self {
            Self::Threads => Measure::Retained,
            Self::Leaks => Measure::Frees,
            Self::Outside => Measure::Native,
            _ => Measure::Shallow,
        };
        self.measures().iter().position(|&measure| measure == wanted).unwrap_or(0)
    }

    /// Rows of one dump; only leaks that free at least `min_bytes`.
    fn rows(self, of: DumpData<'_>, min_bytes: Bytes, task: &Task) -> Result<Vec<(RowKey, SideValues)>, Cancelled> {
        let DumpData { heap, contents, .. } = of;
        Ok(match self {
            Self::Packages => {
                let answer = of.intermediate(&GroupsQuestion(GroupBy::Package), task)?;
                let counts =
                    |row: &GroupRow| vec![row.members.len() as u64, row.objects, row.shallow.0, row.retained.0];
                let of_row = |row: &GroupRow| SideValues::of(counts(row), None).with(row.members.clone());
                answer.iter().map(|row| ((row.name.clone(), None), of_row(row))).collect()
            }
            Self::Loaders => {
                let called = |loader: ObjectId, name: Option<&str>| {
                    let class = &heap.class(loader).name;
                    name.map_or_else(|| class.to_string(), |name| format!("{class} {name:?}"))
                };
                let answer = of.intermediate(&LoadersQuestion, task)?;
                let rows = answer.iter().map(|row| {
                    let key = row.loader.map_or_else(|| BOOTSTRAP.to_owned(), |id| called(id, row.name.as_deref()));
                    let counts = vec![1, row.classes.len() as u64, row.objects, row.shallow.0, row.retained.0];
                    ((key, None), SideValues::of(counts, row.loader).with(row.classes.clone()))
                });
                rows.collect()
            }
            Self::Threads => {
                let answer = of.intermediate(&ThreadsQuestion, task)?;
                let key = |row: &ThreadRow| row.name.clone().unwrap_or_else(|| "(unnamed)".to_owned());
                let of_row = |row: &ThreadRow| SideValues::of(vec![1, row.retained.0], row.object);
                answer.iter().map(|row| ((key(row), None), of_row(row))).collect()
            }
            Self::Strings => {
                let answer = of.intermediate(&StringsQuestion, task)?;
                let mut rows = Vec::with_capacity(answer.groups.len());
                for group in &answer.groups {
                    task.checkpoint()?;
                    let counts = vec![group.objects, group.shallow.0, group.wasted.0];
                    let hash = contents.fingerprint(heap, group.first).map(|print| print.hash);
                    let key = (answer.text(of, group), hash);
                    rows.push((key, SideValues::of(counts, Some(group.first))));
                }
                rows
            }
            Self::Collections => {
                let answer = of.intermediate(&CollectionsQuestion, task)?;
                let rows = answer.iter().map(|&(class, ref row)| {
                    let counts = vec![row.objects, row.elements, row.wasted.0, row.shallow.0];
                    ((heap.classes.get(class).name.to_string(), None), SideValues::of(counts, None).with(vec![class]))
                });
                rows.collect()
            }
            Self::Leaks => {
                let index = NameIndex::new(of, RuntimeClasses::default(), task)?;
                let (namer, rules) = (Namer { dump: of, index: &index }, &LeakRules::default());
                let answer = find_leaks(LeakQuery { namer, with_ages: false, rules, min_bytes }, task)?.into_iter();
                let rows = answer.filter(|finding| finding.group == Group::Leak).map(|finding| {
                    let point = finding.point.map(|point| point.object);
                    ((general(&finding.name), None), SideValues::of(vec![finding.objects, finding.frees.0], point))
                });
                rows.collect()
            }
            Self::Outside => {
                let key = |owner: &NativeOwner| {
                    let name = owner.qualified.as_deref().unwrap_or("no name in the source");
                    format!("{name} ({})", owner.kind.nouns().1)
                };
                let answer = of.intermediate(&NativeOwnersQuestion, task)?;
                let of_owner = |owner: &NativeOwner| {
                    let object = owner.name.is_some().then_some(owner.object);
                    SideValues::of(vec![owner.objects, owner.bytes.0], object)
                };
                answer.iter().map(|owner| ((key(owner), None), of_owner(owner))).collect()
            }
        })
    }
}

/// Divisor of the heap size: leaks that free less in both dumps are omitted.
const LEAST: u64 = 1_000;
/// Factor by which they may be smaller in the other dump; smaller ones count as 0.
const SMALLER: u64 = 16;

const BOOTSTRAP: &str = "<system class loader>";

/// Values of a row in one dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideValues {
    /// Values in the order of [`SideRowKind::measures`].
    pub counts: Vec<u64>,
    /// The loaders or threads, or the first string of the value.
    pub objects: Vec<ObjectId>,
    /// The classes of a package, of loaders, of the collections.
    pub classes: Vec<ClassId>,
}

impl SideValues {
    fn of(counts: Vec<u64>, object: Option<ObjectId>) -> Self {
        Self { counts, objects: object.into_iter().collect(), classes: Vec::new() }
    }

    fn with(self, classes: Vec<ClassId>) -> Self {
        Self { classes, ..self }
    }

    fn add(&mut self, other: Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, n)| *sum = sum.saturating_add(*n));
        self.objects.extend(other.objects);
        self.classes.extend(other.classes);
    }
}

/// A row joined by name in both dumps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideRow {
    /// Name, without addresses.
    pub name: String,
    /// Values before; `None` if added.
    pub before: Option<SideValues>,
    /// Values after; `None` if removed.
    pub after: Option<SideValues>,
}

impl SideRow {
    /// Number of threads or objects before and after.
    pub fn things(&self, what: SideRowKind) -> (u64, u64) {
        let is_thing = |measure: &Measure| matches!(measure, Measure::Threads | Measure::Objects);
        self.counts(what.measures().iter().position(is_thing).unwrap_or(0))
    }

    /// Value of a measure before and after.
    pub fn counts(&self, measure: usize) -> (u64, u64) {
        let of = |side: &Option<SideValues>| side.as_ref().and_then(|f| f.counts.get(measure).copied()).unwrap_or(0);
        (of(&self.before), of(&self.after))
    }

    /// Growth of a measure.
    pub fn growth(&self, measure: usize) -> i64 {
        let (before, after) = self.counts(measure);
        after.cast_signed().saturating_sub(before.cast_signed())
    }

    /// True if any measure differs.
    pub fn has_changed(&self) -> bool {
        let counts = |side: &Option<SideValues>| side.as_ref().map(|values| values.counts.clone());
        counts(&self.before) != counts(&self.after)
    }
}

/// Rows of both dumps joined by name: largest growth of the last measure first, ties by name.
pub fn side_by_side(pair: Pair<'_>, what: SideRowKind, task: &Task) -> Result<Vec<SideRow>, Cancelled> {
    // Leaks large enough in one dump must be found in the other too, where they may be smaller.
    let total = pair.before.analysis.shown.shallow.max(pair.after.analysis.shown.shallow);
    let (least, smaller) = (total.0.div_ceil(LEAST), Bytes(total.0.div_ceil(LEAST * SMALLER)));
    let (before, after) = (gathered(pair.before, what, smaller, task)?, gathered(pair.after, what, smaller, task)?);
    let mut rows = joined(before, after);
    let last = what.measures().len() - 1;
    if what == SideRowKind::Leaks {
        rows.retain(|row| row.counts(last).0.max(row.counts(last).1) >= least);
    }
    // What has no bytes grows in number.
    rows.sort_by_key(|row| Reverse((row.growth(last), row.growth(0))));
    Ok(rows)
}

/// Rows of one dump by key: rows of equal keys are summed.
fn gathered(
    of: DumpData<'_>,
    what: SideRowKind,
    least: Bytes,
    task: &Task,
) -> Result<BTreeMap<RowKey, SideValues>, Cancelled> {
    let mut rows: BTreeMap<RowKey, SideValues> = BTreeMap::new();
    for (key, values) in what.rows(of, least, task)? {
        match rows.get_mut(&key) {
            Some(row) => row.add(values),
            None => drop(rows.insert(key, values)),
        }
    }
    if let (SideRowKind::Loaders | SideRowKind::Threads, Some(Measure::Retained)) = (what, what.measures().last()) {
        // One of them may retain another: each byte counts once.
        for row in rows.values_mut().filter(|row| row.objects.len() > 1) {
            let together = of.analysis.retained_together(row.objects.iter().copied());
            row.counts.last_mut().into_iter().for_each(|retained| *retained = together.0);
        }
    }
    Ok(rows)
}

/// Joins two lists by key, sorted by name.
fn joined(before: BTreeMap<RowKey, SideValues>, after: BTreeMap<RowKey, SideValues>) -> Vec<SideRow> {
    let row = |key: &RowKey| SideRow { name: key.0.clone(), before: None, after: None };
    let mut rows: BTreeMap<RowKey, SideRow> = BTreeMap::new();
    for (key, values) in before {
        rows.entry(key).or_insert_with_key(row).before = Some(values);
    }
    for (key, values) in after {
        rows.entry(key).or_insert_with_key(row).after = Some(values);
    }
    rows.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(&str, u64)]) -> BTreeMap<RowKey, SideValues> {
        rows.iter().map(|&(name, n)| ((name.to_owned(), None), SideValues::of(vec![n], None))).collect()
    }

    #[test]
    fn names_of_one_dump_only_are_rows_too() {
        let rows = joined(of(&[("both", 3), ("gone", 2)]), of(&[("both", 5), ("new", 1)]));
        let seen: Vec<_> = rows.iter().map(|row| (&*row.name, row.counts(0), row.growth(0))).collect();
        assert_eq!(seen, [("both", (3, 5), 2), ("gone", (2, 0), -2), ("new", (0, 1), 1)]);
        assert!(rows.iter().all(SideRow::has_changed));
        assert!(!joined(of(&[("both", 3)]), of(&[("both", 3)])).iter().any(SideRow::has_changed));
    }

    #[test]
    fn texts_that_begin_alike_are_two_rows() {
        let of = |hash| BTreeMap::from([(("beginning".to_owned(), Some([hash, 0])), SideValues::of(vec![7], None))]);
        let rows = joined(of(1), of(2));
        let seen: Vec<_> = rows.iter().map(|row| (&*row.name, row.counts(0))).collect();
        assert_eq!(seen, [("beginning", (7, 0)), ("beginning", (0, 7))]);
        assert_eq!(joined(of(1), of(1)).len(), 1);
    }
}
