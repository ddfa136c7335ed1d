//! Retained set of an object, by class.

use std::collections::BTreeMap;

use crate::columns::{Columns, Item, Value, headings};
use crate::{RowOf, TableContext, TableError, TypedTable};
use heaplens_analysis::ownership::retained_set::{RetainedObjects, RootSource};
use heaplens_analysis::{Ownership, TextFilter};
use heaplens_base::{Bytes, Task};
use heaplens_heap::{ClassId, ObjectId, SoftLinks};

pub(crate) const COLUMNS: Columns<Item<(ClassId, u64, Bytes)>> = &[&[
    headings::CLASS.text(|&(class, ..), from| from.class_name(class)),
    headings::OBJECTS.count(|&(_, objects, _), _| Some(objects)),
    headings::SHALLOW_OF_ALL.bytes(|&(_, _, bytes), _| Some(bytes)),
    headings::LOADER_OF_NAMESAKE.text(|&(class, ..), from| from.loader_of(class)),
    headings::LOADER_ID.text(|&(class, ..), from| from.loader_id(class)),
]];

/// Query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetainedSetQuery {
    /// The object.
    pub object: ObjectId,
    /// Roots to use; `None`: those of the file if any leads to the object.
    pub roots: Option<RootSource>,
    /// Treatment of soft links when roots are inferred.
    pub soft: SoftLinks,
}

/// Classes of the retained set, largest first.
pub struct RetainedClasses {
    /// The retained set.
    pub found: RetainedObjects,
    rows: Vec<(ClassId, u64, Bytes)>,
}

impl RetainedClasses {
    /// Computes the retained set; infers roots first if they are needed.
    pub fn of(from: TableContext<'_>, query: RetainedSetQuery, task: &Task) -> Result<Self, TableError> {
        let (heap, analysis) = (from.heap, from.analysis);
        let found = match query.roots.unwrap_or_else(|| RootSource::usual(heap, analysis, query.object)) {
            RootSource::File => RetainedObjects::from_file(heap, analysis, query.object, task)?,
            RootSource::Inferred => {
                RetainedObjects::from_found(heap, &Ownership::find(heap, query.soft, task)?, query.object, task)?
            }
        };
        Ok(Self::new(from, found))
    }

    /// Table of a computed retained set.
    pub fn new(from: TableContext<'_>, found: RetainedObjects) -> Self {
        let mut classes: BTreeMap<ClassId, (u64, Bytes)> = BTreeMap::new();
        for &object in &found.objects {
            let of_class = classes.entry(from.heap.class_id(object)).or_default();
            of_class.0 += 1;
            of_class.1 += from.heap.shallow(object);
        }
        let mut rows: Vec<_> = classes.into_iter().map(|(class, (objects, bytes))| (class, objects, bytes)).collect();
        rows.sort_by(|a, b| {
            let name = |class| &from.heap.classes.get(class).name;
            b.2.cmp(&a.2).then_with(|| b.1.cmp(&a.1)).then_with(|| name(a.0).cmp(name(b.0)))
        });
        Self { found, rows }
    }
}

impl TypedTable for RetainedClasses {
    type Record = Item<(ClassId, u64, Bytes)>;
    const COLUMNS: Columns<Item<(ClassId, u64, Bytes)>> = COLUMNS;
    const LIST: (&'static str, bool) = ("classes", true);

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.rows.get(row)
    }

    fn passes(&self, from: TableContext<'_>, &(class, ..): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&from.heap.classes.get(class).name)
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Value<'static>)> {
        vec![("objects", Value::Count(self.found.objects.len() as u64)), ("bytes", Value::Bytes(self.found.bytes))]
    }
}
