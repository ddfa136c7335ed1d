//! Objects and bytes by package, class loader or superclass: the histogram over a coarser partition of the classes, or
//! over several, each coarser than the next.

use crate::answers::{DumpData, Question};
use std::collections::BTreeMap;

use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, Totals};

/// Grouping criterion of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// The package; for arrays that of the elements.
    Package,
    /// The package and each package above it: a row sums up a package and all below it.
    PackageTree,
    /// The loader that defined the class.
    Loader,
    /// The direct superclass.
    Superclass,
}

/// One group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupRow {
    /// Name for people.
    pub name: String,
    /// The loader, or the class object of the superclass; `None` for a package and the bootstrap loader.
    pub object: Option<ObjectId>,
    /// Its classes that have objects, in the order of their ids.
    pub members: Vec<ClassId>,
    /// Number of their objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them by the dominator tree; each byte counts once.
    pub retained: Bytes,
}

/// Identity of a group: names of loaders and classes are not unique.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Package(String),
    Loader(Option<ObjectId>),
    Superclass(Option<ClassId>),
}

/// How much do packages, class loaders or superclasses retain?
#[derive(Clone, PartialEq, Eq)]
pub struct GroupsQuestion(pub GroupBy);

impl Question for GroupsQuestion {
    type Answer = Vec<GroupRow>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<GroupRow>, Cancelled> {
        groups(dump, self.0, task)
    }
}

/// All groups with objects, largest shallow size first, ties by name.
pub fn groups(dump: DumpData<'_>, by: GroupBy, task: &Task) -> Result<Vec<GroupRow>, Cancelled> {
    if by == GroupBy::PackageTree {
        return package_tree(dump, task);
    }
    let heap = dump.heap;
    let mut indexes: BTreeMap<Key, u32> = BTreeMap::new();
    let mut rows: Vec<GroupRow> = Vec::new();
    let mut group_of = vec![u32::MAX; heap.classes.len()];
    for (id, class) in heap.classes.iter() {
        let Totals { objects, shallow } = dump.analysis.class_totals(id);
        if objects == 0 {
            continue;
        }
        let key = match by {
            GroupBy::Package | GroupBy::PackageTree => Key::Package(class.package().to_owned()),
            GroupBy::Loader => Key::Loader(class.loader),
            GroupBy::Superclass => Key::Superclass(class.superclass),
        };
        let at = *indexes.entry(key.clone()).or_insert_with(|| {
            let (name, object) = named(dump, key);
            rows.push(GroupRow { name, object, ..GroupRow::default() });
            rows.len() as u32 - 1
        });
        group_of[id.index()] = at;
        let row = &mut rows[at as usize];
        row.members.push(id);
        (row.objects, row.shallow) = (row.objects + objects, row.shallow + shallow);
    }
    let retained = retained_of(dump, &group_of, rows.len(), task)?;
    rows.iter_mut().zip(retained).for_each(|(row, retained)| row.retained = retained);
    sort(&mut rows);
    Ok(rows)
}

/// Retained sizes of groups, given the group of each class (`u32::MAX`: none).
fn retained_of(dump: DumpData<'_>, group_of: &[u32], groups: usize, task: &Task) -> Result<Vec<Bytes>, Cancelled> {
    let column = dump.heap.class_column().slices();
    let group = |object: ObjectId| {
        let class = column.get(object.index()).and_then(|class| group_of.get(class as usize));
        class.copied().unwrap_or(u32::MAX)
    };
    dump.analysis.retained_by_group(group, groups, task)
}

fn sort(rows: &mut [GroupRow]) {
    rows.sort_by(|a, b| b.shallow.cmp(&a.shallow).then_with(|| a.name.cmp(&b.name)).then(a.object.cmp(&b.object)));
}

/// Levels of packages. Those further below count for the last one.
const LEVELS: usize = 32;

/// Packages with those above them: level by level, as the packages of one level have no class in common.
fn package_tree(dump: DumpData<'_>, task: &Task) -> Result<Vec<GroupRow>, Cancelled> {
    let classes = &dump.heap.classes;
    let mut rows: Vec<GroupRow> = Vec::new();
    for level in 0..LEVELS {
        let (first, mut indexes) = (rows.len(), BTreeMap::new());
        let mut group_of = vec![u32::MAX; classes.len()];
        for (id, class) in classes.iter() {
            let Totals { objects, shallow } = dump.analysis.class_totals(id);
            let Some(name) = above(class.package(), level).filter(|_| objects > 0) else { continue };
            let at = *indexes.entry(name).or_insert_with(|| {
                rows.push(GroupRow { name: name.to_owned(), ..GroupRow::default() });
                rows.len() - 1
            });
            group_of[id.index()] = (at - first) as u32;
            let row = &mut rows[at];
            row.members.push(id);
            (row.objects, row.shallow) = (row.objects + objects, row.shallow + shallow);
        }
        if indexes.is_empty() {
            break;
        }
        let retained = retained_of(dump, &group_of, rows.len() - first, task)?;
        rows[first..].iter_mut().zip(retained).for_each(|(row, retained)| row.retained = retained);
    }
    sort(&mut rows);
    Ok(rows)
}

/// The package that a package is in at a level, from 0 at the top: `java.util` for `java.util.zip` at 1. `None` below it.
fn above(package: &str, level: usize) -> Option<&str> {
    let end = package.match_indices('.').map(|(dot, _)| dot).chain([package.len()]).nth(level)?;
    package.get(..end)
}

/// Name of a class loader for people; `None`: the one that defines the system classes.
pub fn loader_name(dump: DumpData<'_>, loader: Option<ObjectId>) -> String {
    let heap = dump.heap;
    let Some(loader) = loader else { return "<system class loader>".to_owned() };
    let label = dump.contents.label(heap, loader).map(|label| format!(" {label}")).unwrap_or_default();
    format!("{} @ {}{label}", heap.class(loader).name, heap.id_text(loader))
}

fn named(dump: DumpData<'_>, key: Key) -> (String, Option<ObjectId>) {
    match key {
        Key::Package(name) => (name, None),
        Key::Loader(loader) => (loader_name(dump, loader), loader),
        Key::Superclass(None) => ("(no superclass)".to_owned(), None),
        Key::Superclass(Some(above)) => {
            (dump.heap.classes.get(above).name.to_string(), dump.heap.classes.get(above).object)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn a_package_is_in_those_above_it() {
        let all = |package| (0..).map_while(|level| above(package, level)).collect::<Vec<_>>();
        assert_eq!(all("java.util.zip"), ["java", "java.util", "java.util.zip"]);
        assert_eq!(all("(no package)"), ["(no package)"]);
    }
}
