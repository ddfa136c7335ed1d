//! Objects and bytes by package, class loader or superclass: the histogram over a coarser partition of the classes, or
//! over several, each coarser than the next.

use crate::answers::{DumpData, Question};
use std::collections::BTreeMap;

use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Class, ClassId, ObjectId, Totals};

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
    let package = |name: &str| Key::Package(name.to_owned());
    let mut rows = match by {
        GroupBy::Package => partition(dump, |class| Some(package(class.package())), task)?,
        GroupBy::Loader => partition(dump, |class| Some(Key::Loader(class.loader)), task)?,
        GroupBy::Superclass => partition(dump, |class| Some(Key::Superclass(class.superclass)), task)?,
        GroupBy::PackageTree => {
            let mut rows = Vec::new();
            // Level by level: the packages of one level have no class in common.
            for level in 0..LEVELS {
                let mut below = partition(dump, |class| above(class.package(), level).map(package), task)?;
                if below.is_empty() {
                    break;
                }
                rows.append(&mut below);
            }
            rows
        }
    };
    rows.sort_by(|a, b| b.shallow.cmp(&a.shallow).then_with(|| a.name.cmp(&b.name)).then(a.object.cmp(&b.object)));
    Ok(rows)
}

/// Levels of packages. Those further below count for the last one.
const LEVELS: usize = 32;

/// Groups with objects by the key of their classes, in the order of these. A class without a key is in none.
fn partition(dump: DumpData<'_>, key: impl Fn(&Class) -> Option<Key>, task: &Task) -> Result<Vec<GroupRow>, Cancelled> {
    let heap = dump.heap;
    let mut indexes: BTreeMap<Key, u32> = BTreeMap::new();
    let mut rows: Vec<GroupRow> = Vec::new();
    let mut group_of = vec![u32::MAX; heap.classes.len()];
    for (id, class) in heap.classes.iter() {
        let Totals { objects, shallow } = dump.analysis.class_totals(id);
        let Some(key) = Some(class).filter(|_| objects > 0).and_then(&key) else { continue };
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
    if rows.is_empty() {
        return Ok(rows);
    }
    let column = heap.class_column().slices();
    let group = |object: ObjectId| {
        let class = column.get(object.index()).and_then(|class| group_of.get(class as usize));
        class.copied().unwrap_or(u32::MAX)
    };
    let retained = dump.analysis.retained_by_group(group, rows.len(), task)?;
    rows.iter_mut().zip(retained).for_each(|(row, retained)| row.retained = retained);
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
