//! Objects and bytes by package, class loader or superclass: the histogram over a coarser partition of the classes.

use crate::answers::{DumpData, Question};
use std::collections::BTreeMap;

use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, Totals};

/// Grouping criterion of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// The package; for arrays that of the elements.
    Package,
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
            GroupBy::Package => Key::Package(class.package().to_owned()),
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
    let column = heap.class_column().slices();
    let group = |object: ObjectId| {
        let class = column.get(object.index()).and_then(|class| group_of.get(class as usize));
        class.copied().unwrap_or(u32::MAX)
    };
    let retained = dump.analysis.retained_by_group(group, rows.len(), task)?;
    rows.iter_mut().zip(retained).for_each(|(row, retained)| row.retained = retained);
    rows.sort_by(|a, b| b.shallow.cmp(&a.shallow).then_with(|| a.name.cmp(&b.name)).then(a.object.cmp(&b.object)));
    Ok(rows)
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
