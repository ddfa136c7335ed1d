//! Class loaders: defined classes, their memory, and whether anything but their own classes still holds them.

use crate::answer_file::AnswerFile;
use crate::answers::{DumpData, Question};
use std::collections::{BTreeMap, BTreeSet};

use super::rows::shown_of;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId, Value};
use serde::{Deserialize, Serialize};

/// One class loader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoaderRow {
    /// The loader; `None` for the bootstrap loader.
    pub loader: Option<ObjectId>,
    /// The name it was given.
    pub name: Option<String>,
    /// Parent loader, asked first.
    pub parent: Option<ObjectId>,
    /// The classes it defined, by id.
    pub classes: Vec<ClassId>,
    /// Number of shown instances of those.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them by the dominator tree; each byte counts once.
    pub kept_by_objects: Bytes,
    /// Retained size of the loader.
    pub retained: Bytes,
    /// Names of its classes that another loader has defined too.
    pub duplicates: Vec<String>,
    /// An object that holds it and is neither one of its classes, nor an instance of those, nor dominated by it. If
    /// there is none, only its own classes keep it alive: typical of a leak after redeployment.
    pub holder: Option<ObjectId>,
    /// True if it is a GC root itself.
    pub is_root: bool,
}

impl LoaderRow {
    /// True if something besides its own classes keeps it alive; always for the bootstrap loader.
    pub fn held_otherwise(&self) -> bool {
        self.loader.is_none() || self.is_root || self.holder.is_some()
    }
}

/// Which class loaders are alive, and why?
#[derive(Clone, PartialEq, Eq)]
pub struct LoadersQuestion;

impl Question for LoadersQuestion {
    type Answer = Vec<LoaderRow>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<LoaderRow>, Cancelled> {
        loaders(dump, task)
    }

    fn file(&self) -> Option<AnswerFile<Vec<LoaderRow>>> {
        Some(AnswerFile::json("class loaders", &()))
    }
}

/// All loaders with classes or shown loader objects, by bytes of the instances of their classes.
pub fn loaders(dump: DumpData<'_>, task: &Task) -> Result<Vec<LoaderRow>, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let mut rows: BTreeMap<Option<ObjectId>, LoaderRow> = BTreeMap::new();
    rows.extend(idle(dump, task)?.into_iter().map(|loader| (Some(loader), LoaderRow::default())));
    let mut by_name: BTreeMap<&str, BTreeSet<Option<ObjectId>>> = BTreeMap::new();
    for (id, class) in heap.classes.iter() {
        let row = rows.entry(class.loader).or_default();
        let totals = analysis.class_totals(id);
        row.classes.push(id);
        row.objects += totals.objects;
        row.shallow += totals.shallow;
        if class.kind == ClassKind::Plain {
            by_name.entry(&class.name).or_default().insert(class.loader);
        }
    }
    let group_of_loader: BTreeMap<Option<ObjectId>, u32> = rows.keys().copied().zip(0..).collect();
    let group_of: Vec<u32> = heap.classes.all().iter().map(|class| group_of_loader[&class.loader]).collect();
    let column = heap.class_column().slices();
    let group = |object: ObjectId| {
        let class = column.get(object.index()).and_then(|class| group_of.get(class as usize));
        class.copied().unwrap_or(u32::MAX)
    };
    let retained = analysis.retained_by_group(group, rows.len(), task)?;
    for ((loader, row), retained) in rows.iter_mut().zip(retained) {
        task.checkpoint()?;
        row.loader = *loader;
        row.kept_by_objects = retained;
        let named = row.classes.iter().map(|&class| &*heap.classes.get(class).name);
        let twice = named.filter(|name| by_name.get(name).is_some_and(|loaders| loaders.len() > 1));
        row.duplicates = twice.map(str::to_owned).collect();
        row.duplicates.sort_unstable();
        row.duplicates.dedup();
        let Some(loader) = *loader else { continue };
        row.retained = analysis.retained(loader);
        row.is_root = !analysis.roots().of(loader).is_empty();
        row.holder = holder(dump, loader);
        let fields = dump.contents.fields(heap, loader).unwrap_or_default();
        let own = |name: &str| {
            let field = fields.iter().find(|f| f.name == name && f.declared_by == "java.lang.ClassLoader");
            field.map(|f| f.value).and_then(Value::object)
        };
        row.parent = own("parent");
        row.name = own("name").and_then(|name| dump.contents.text(heap, name, 256));
    }
    let mut rows: Vec<LoaderRow> = rows.into_values().collect();
    rows.sort_by(|a, b| b.shallow.cmp(&a.shallow).then(a.loader.cmp(&b.loader)));
    Ok(rows)
}

/// Shown objects of loader classes. Address 0 represents the bootstrap loader, which is a row already.
fn idle(dump: DumpData<'_>, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let heap = dump.heap;
    let is_loader = heap.classes.all_below(heap.classes.named("java.lang.ClassLoader").as_slice());
    let mut loaders = shown_of(dump, |class| is_loader.get(class.index()) == Some(&true), task)?;
    loaders.retain(|&object| heap.address(object).0 != 0);
    Ok(loaders)
}

/// First external holder of the loader.
fn holder(dump: DumpData<'_>, loader: ObjectId) -> Option<ObjectId> {
    let DumpData { heap, analysis, .. } = dump;
    let of_loader = |class: ClassId| heap.classes.get(class).loader == Some(loader);
    analysis.referrers(loader).find(|&from| {
        analysis.is_reachable(from)
            && !heap.classes.of_object(from).is_some_and(of_loader)
            && !of_loader(heap.class_id(from))
            && !analysis.dominates(loader, from)
    })
}
