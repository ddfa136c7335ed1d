//! Tables of both heaps joined by what stays the same: the name of a class, a
//! package, a thread, a text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{By, Grown, GrownRow};
use crate::analysis::collections::CollectionRow;
use crate::analysis::diff::kinds::{Kind, KindId, Kinds};
use crate::analysis::diff::{Amount, Pair};
use crate::answers::{Collections, Strings, Threads, Trouble};
use crate::export::dictionary::Dictionary;
use crate::heap::facts::Heap;
use crate::heap::ids::ClassId;
use crate::session::comparison::Comparison;
use crate::task::Task;
use crate::units::{ByteDelta, Bytes, CountDelta};

/// What the bootstrap loader is called.
const BOOTSTRAP: &str = "bootstrap loader";
/// Threads without a name.
const UNNAMED: &str = "(no name)";

fn kind_row(kinds: &Kinds, kind: KindId, change: &crate::analysis::diff::Change) -> GrownRow {
    let of = kinds.get(kind);
    GrownRow {
        before: change.before,
        after: change.after,
        objects: change.objects(),
        bytes: change.shallow(),
        class: of.and_then(|kind| kind.after.first().copied()),
        ..GrownRow::named(of.map_or_else(String::new, |kind| kind.name.to_string()))
    }
}

impl Grown {
    /// Classes, which are told apart by the class of their loader too.
    pub fn classes(found: &Comparison, before: PathBuf) -> Self {
        let kinds = &found.matches.kinds;
        let rows = found.classes.iter().map(|row| kind_row(kinds, row.kind, &row.change)).collect();
        Self::sorted(By::Class, rows, before)
    }

    /// Packages, with their classes below.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn packages(pair: Pair<'_>, found: &Comparison, before: PathBuf, task: &Task) -> Result<Self, Trouble> {
        let (old, new) = (pair.before.heap, pair.after.heap);
        let package = |kind: &Kind| {
            let of = |heap: &Heap, classes: &[ClassId]| {
                classes.first().map(|&class| heap.classes.get(class).package().to_owned())
            };
            of(new, &kind.after).or_else(|| of(old, &kind.before)).unwrap_or_default()
        };
        Self::groups(By::Package, pair, found, before, &package, task)
    }

    /// Class loaders by their class, with the classes that they defined below.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn loaders(pair: Pair<'_>, found: &Comparison, before: PathBuf, task: &Task) -> Result<Self, Trouble> {
        let loader = |kind: &Kind| kind.loader.as_deref().unwrap_or(BOOTSTRAP).to_owned();
        Self::groups(By::Loader, pair, found, before, &loader, task)
    }

    fn groups(
        by: By,
        pair: Pair<'_>,
        found: &Comparison,
        before: PathBuf,
        name: &dyn Fn(&Kind) -> String,
        task: &Task,
    ) -> Result<Self, Trouble> {
        let kinds = &found.matches.kinds;
        let mut places: BTreeMap<String, u32> = BTreeMap::new();
        let mut rows: Vec<GrownRow> = Vec::new();
        let mut group_of = vec![u32::MAX; kinds.all().len()];
        for row in &found.classes {
            let Some(kind) = kinds.get(row.kind) else { continue };
            let at = *places.entry(name(kind)).or_insert_with_key(|name| {
                rows.push(GrownRow::named(name.clone()));
                rows.len() as u32 - 1
            });
            if let Some(group) = group_of.get_mut(row.kind.0 as usize) {
                *group = at;
            }
            let group = &mut rows[at as usize];
            for (sum, part) in [(&mut group.before, &row.change.before), (&mut group.after, &row.change.after)] {
                (sum.objects, sum.shallow) = (sum.objects + part.objects, sum.shallow + part.shallow);
            }
            group.members.push(kind_row(kinds, row.kind, &row.change));
        }
        let group = |kind: KindId| group_of.get(kind.0 as usize).copied().unwrap_or(u32::MAX);
        let (old, new) = (pair.before, pair.after);
        let kept = [
            old.analyzed.retained_by_group(|o| group(kinds.of_before(old.heap.class_id(o))), rows.len(), task)?,
            new.analyzed.retained_by_group(|o| group(kinds.of_after(new.heap.class_id(o))), rows.len(), task)?,
        ];
        for (at, row) in rows.iter_mut().enumerate() {
            let kept = |side: usize| kept[side].get(at).copied().unwrap_or(Bytes(0));
            (row.before.retained, row.after.retained) = (kept(0), kept(1));
            row.objects = CountDelta::between(row.before.objects, row.after.objects);
            row.bytes = ByteDelta::between(row.before.shallow, row.after.shallow);
        }
        Ok(Self::sorted(by, rows, before))
    }

    /// Threads by their name; those of one name together.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn threads(sides: [Dictionary<'_>; 2], before: PathBuf, task: &Task) -> Result<Self, Trouble> {
        let mut joined = Joined::default();
        for (side, from) in sides.into_iter().enumerate() {
            for thread in Threads::of(from, task)?.0 {
                let row = joined.row(thread.name.unwrap_or_else(|| UNNAMED.to_owned()));
                let amount = Amount { objects: 1, shallow: thread.shallow, retained: thread.retained };
                put(row, side, amount);
                row.object = if side == 1 { row.object.or(thread.object) } else { None };
            }
        }
        Ok(joined.finish(By::Thread, before, |row| ByteDelta::between(row.before.retained, row.after.retained)))
    }

    /// Texts that stand in either heap more than once.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn texts(sides: [Dictionary<'_>; 2], before: PathBuf, task: &Task) -> Result<Self, Trouble> {
        let mut joined = Joined::default();
        for (side, from) in sides.into_iter().enumerate() {
            let found = Strings::of(from, task)?.0;
            for group in &found.groups {
                task.checkpoint()?;
                let row = joined.row(found.text(from.heap, from.contents, group));
                put(row, side, Amount { objects: group.objects, shallow: group.shallow, retained: group.wasted });
                row.object = (side == 1).then_some(group.first);
            }
        }
        Ok(joined.finish(By::Text, before, |row| ByteDelta::between(row.before.shallow, row.after.shallow)))
    }

    /// Collections by their class.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn collections(sides: [Dictionary<'_>; 2], before: PathBuf, task: &Task) -> Result<Self, Trouble> {
        let mut joined = Joined::default();
        for (side, from) in sides.into_iter().enumerate() {
            for (class, CollectionRow { objects, elements, shallow, .. }) in Collections::of(from, task)?.0 {
                let row = joined.row(from.heap.classes.get(class).name.to_string());
                put(row, side, Amount { objects, shallow, retained: Bytes(0) });
                row.elements[side] += elements;
                row.class = (side == 1).then_some(class);
            }
        }
        Ok(joined.finish(By::Collection, before, |row| ByteDelta::between(row.before.shallow, row.after.shallow)))
    }
}

/// Adds to one side of a row.
fn put(row: &mut GrownRow, side: usize, amount: Amount) {
    let sum = if side == 0 { &mut row.before } else { &mut row.after };
    sum.objects += amount.objects;
    sum.shallow += amount.shallow;
    sum.retained += amount.retained;
}

/// Rows by name.
#[derive(Default)]
struct Joined(BTreeMap<String, GrownRow>);

impl Joined {
    fn row(&mut self, name: String) -> &mut GrownRow {
        self.0.entry(name).or_insert_with_key(|name| GrownRow::named(name.clone()))
    }

    fn finish(self, by: By, before: PathBuf, bytes: impl Fn(&GrownRow) -> ByteDelta) -> Grown {
        let row = |mut row: GrownRow| {
            row.objects = CountDelta::between(row.before.objects, row.after.objects);
            row.bytes = bytes(&row);
            row
        };
        Grown::sorted(by, self.0.into_values().map(row).collect(), before)
    }
}
