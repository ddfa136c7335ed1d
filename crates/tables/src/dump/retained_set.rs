//! Retained set of objects, by class.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::columns::{Columns, Item, Value, headings};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::{Relation, relation};
use crate::{RowOf, Table, TableContext, TableError, TypedTable};
use heaplens_analysis::ownership::retained_set::{RetainedObjects, RootSource};
use heaplens_analysis::retained::retained_objects;
use heaplens_analysis::{Ownership, TextFilter};
use heaplens_base::{Bytes, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, SoftLinks};
use heaplens_session::OpenSettings;

pub(crate) const COLUMNS: Columns<Item<(ClassId, u64, Bytes)>> = &[&[
    headings::CLASS.text(|&(class, ..), dump| dump.class_name(class)),
    headings::OBJECTS.count(|&(_, objects, _), _| Some(objects)),
    headings::SHALLOW_OF_ALL.bytes(|&(_, _, bytes), _| Some(bytes)),
    headings::LOADER_OF_NAMESAKE.text(|&(class, ..), dump| dump.loader_of(class)),
    headings::LOADER_ID.text(|&(class, ..), dump| dump.loader_id(class)),
]];

/// Retained set of objects, by class.
pub const RETAINED_SET: Relation = relation!("retained-set", COLUMNS);

/// Query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetainedSetQuery {
    /// The objects whose retained set it is, together.
    pub objects: Vec<ObjectId>,
    /// Roots to use; `None`: those of the file if any leads to one of the objects.
    pub roots: Option<RootSource>,
    /// Treatment of soft links when roots are inferred.
    pub soft: SoftLinks,
}

impl TableKind for RetainedSetQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&RETAINED_SET)
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::new(RetainedClasses::of(dump, self, task)?))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let line = Question::new("retained-set", opened);
        let line = self.objects.iter().fold(line, |line, &object| line.argument(heap.id_text(object)));
        line.soft(self.soft).some("roots", self.roots.map(RootSource::name))
    }
}

/// Classes of the retained set, largest first.
pub struct RetainedClasses {
    /// The retained set.
    pub set: RetainedObjects,
    /// Of several objects, by the GC roots of the file: the part that single ones of them dominate.
    pub dominated: Option<Bytes>,
    rows: Vec<(ClassId, u64, Bytes)>,
}

impl RetainedClasses {
    /// Computes the retained set; infers roots first if they are needed.
    pub fn of(dump: TableContext<'_>, query: &RetainedSetQuery, task: &Task) -> Result<Self, TableError> {
        let (heap, analysis) = (dump.heap, dump.analysis);
        let objects = &*query.objects;
        let roots = query.roots.unwrap_or_else(|| RootSource::default_for(dump.data(), objects));
        let set = match (roots, objects) {
            // What an object dominates needs no search.
            (RootSource::File, &[object]) => RetainedObjects::from_file(dump.data(), object, task)?,
            (RootSource::File, _) => RetainedObjects::new(heap, retained_objects(dump.data(), objects, task)?),
            (RootSource::Inferred, _) => {
                RetainedObjects::from_inferred(heap, &Ownership::find(heap, query.soft, task)?, objects, task)?
            }
        };
        let is_of_several = roots == RootSource::File && objects.len() != 1;
        let dominated = is_of_several.then(|| analysis.retained_together(objects.iter().copied()));
        Ok(Self::new(dump, set, dominated))
    }

    fn new(dump: TableContext<'_>, set: RetainedObjects, dominated: Option<Bytes>) -> Self {
        let mut classes: BTreeMap<ClassId, (u64, Bytes)> = BTreeMap::new();
        for &object in &set.objects {
            let of_class = classes.entry(dump.heap.class_id(object)).or_default();
            of_class.0 += 1;
            of_class.1 += dump.heap.shallow(object);
        }
        let mut rows: Vec<_> = classes.into_iter().map(|(class, (objects, bytes))| (class, objects, bytes)).collect();
        rows.sort_by(|a, b| {
            let name = |class| &dump.heap.classes.get(class).name;
            b.2.cmp(&a.2).then_with(|| b.1.cmp(&a.1)).then_with(|| name(a.0).cmp(name(b.0)))
        });
        Self { set, dominated, rows }
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

    fn passes(&self, dump: TableContext<'_>, &(class, ..): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&dump.heap.classes.get(class).name)
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Value<'static>)> {
        let totals =
            [("objects", Value::Count(self.set.objects.len() as u64)), ("bytes", Value::Bytes(self.set.bytes))];
        totals.into_iter().chain(self.dominated.map(|dominated| ("dominated_bytes", Value::Bytes(dominated)))).collect()
    }
}
