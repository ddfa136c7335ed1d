//! Objects, one row each: all, those of a class, or a list of objects.

use std::{ops::RangeInclusive, sync::Arc};

use crate::columns::{Columns, Condition, heading, headings};
use crate::dump::ownership::{self, OwnedRow};
use crate::query::{Question, TableKind, class_named, no_column};
use crate::relation::{Relation, relation};
use crate::{OrderedRows, RowQuery, TableContext, TableError, TableResult, TypedTable, export::ages, export::parts};
use heaplens_analysis::DumpData;
use heaplens_analysis::dominator_tree::{LevelOrder, in_order};
use heaplens_analysis::{Ownership, TextFilter};
use heaplens_base::{Task, Unit};
use heaplens_heap::{ClassId, Figure, Heap, ObjectId};
use heaplens_session::OpenSettings;

pub(crate) const COLUMNS: Columns<OwnedRow<'static>> = &[
    &[
        headings::ID.object(|row, _| Some(row.object)),
        headings::CLASS.text(|row, dump| dump.class_of(row.object)),
        headings::SHALLOW.bytes(|row, dump| Some(dump.heap.shallow(row.object))),
        headings::RETAINED.bytes(|row, dump| Some(dump.analysis.retained(row.object))),
        headings::SHARE_OF_RETAINED
            .when(Condition::SortKey)
            .share(|row, dump| Some(dump.share(dump.analysis.retained(row.object)))),
        headings::DOMINATED.when(Condition::SortKey).count(|row, dump| Some(dump.analysis.dominated_count(row.object))),
        heading(
            "immediate_dominator",
            "Immediate dominator",
            "Nearest object through which every path from a GC root leads; empty if there is none",
        )
        .object(|row, dump| dump.analysis.shown_immediate_dominator(dump.heap, row.object)),
        heading("distance", "Distance", "References on the shortest path from a GC root")
            .number(|row, dump| dump.analysis.shown_distance(dump.heap, row.object)),
        headings::OWNER.when(Condition::Owners).text(|row, dump| dump.owner(row.object).map(Into::into)),
        parts::HEAP.text(|row, dump| dump.heap.region_name(row.object).map(Into::into)),
    ],
    &parts::figures::<OwnedRow<'static>>(|row, dump, nth| {
        Some(dump.analysis.figure(dump.heap, row.object, Figure::ALL[nth]))
    }),
    &ownership::tree(Condition::InferredRoots),
    &[
        heading("root_owner", "Root owner", "Inferred root that owns the object")
            .when(Condition::InferredRoots)
            .object(|row, _| row.owner()),
        heading("root_kind", "Root kind", "Kind of that inferred root")
            .when(Condition::InferredRoots)
            .text(|row, _| row.kind_letter()),
    ],
    &[
        headings::AGE.text(|row, dump| Some(ages::short(dump.age(row.object)).into())),
        headings::OLDER_FROM.share(|row, dump| Some(ages::share(dump.age(row.object)?.from))),
        headings::OLDER_TO.share(|row, dump| Some(ages::share(dump.age(row.object)?.to))),
    ],
    &[headings::PREVIEW.when(Condition::Previews).text(|row, dump| dump.preview(row.object))],
];

/// Objects.
pub const OBJECTS: Relation = relation!("objects", COLUMNS);

/// Query for objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectsQuery {
    /// Every reachable object.
    All,
    /// The reachable objects of a class.
    OfClass(ClassId),
    /// These objects, in this order.
    Listed(Vec<ObjectId>),
}

impl TableKind for ObjectsQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&OBJECTS)
    }

    fn table(&self, dump: TableContext<'_>, rows: &RowQuery, _task: &Task) -> TableResult<Arc<dyn crate::Table>> {
        let (mut classes, mut named) = (None, None);
        match self {
            Self::All => {}
            Self::OfClass(class) => {
                classes = Some(dump.heap.classes.iter().map(|(other, _)| other == *class).collect());
            }
            Self::Listed(objects) => named = Some(objects.clone()),
        }
        Ok(Arc::new(Objects {
            count: dump.heap.len(),
            owner: rows.owner,
            preview: rows.preview,
            classes,
            named,
            ..Objects::default()
        }))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let line = Question::new("objects", opened);
        match self {
            Self::All => line,
            Self::OfClass(class) => line.option("class", class_named(heap, *class)),
            Self::Listed(objects) => {
                objects.iter().fold(line, |line, &object| line.option("object", heap.id_text(object)))
            }
        }
    }
}

/// Objects in address order, or in the given order. The row number is the object's.
#[derive(Default)]
pub struct Objects {
    /// Number of objects in the heap.
    pub count: usize,
    /// Only objects of these classes.
    pub classes: Option<Vec<bool>>,
    /// Only these objects, in this order.
    pub named: Option<Vec<ObjectId>>,
    /// True to add the owner of each object.
    pub owner: bool,
    /// True to add the preview of each object.
    pub preview: bool,
    /// Only objects whose id is in this range.
    pub ids: Option<RangeInclusive<u64>>,
    /// Adds the inferred root of each object.
    pub ownership: Option<Arc<Ownership>>,
}

/// True for the columns of ages, by which objects can be sorted: newest first.
pub fn is_age(key: &str) -> bool {
    [headings::AGE, headings::OLDER_FROM, headings::OLDER_TO].iter().any(|heading| heading.key == key)
}

/// Sort order of a column. An unknown key fails with the list of columns.
pub fn order_of(dump: TableContext<'_>, key: &str) -> Result<LevelOrder, TableError> {
    // Share sorts like retained size.
    let key = if key == "share" { LevelOrder::Retained.key() } else { key };
    let all = LevelOrder::all(dump.data());
    let keys: Vec<&str> = all.iter().map(|order| order.key()).collect();
    all.iter().find(|order| order.key() == key).copied().ok_or_else(|| no_column(key, &keys))
}

impl TypedTable for Objects {
    type Record = OwnedRow<'static>;
    const COLUMNS: Columns<OwnedRow<'static>> = COLUMNS;

    fn count(&self) -> usize {
        self.count
    }

    fn row(&self, row: usize) -> Option<OwnedRow<'_>> {
        Some(OwnedRow { object: ObjectId::new(row)?, ownership: self.ownership.as_deref() })
    }

    fn offers(&self, condition: Condition) -> bool {
        match condition {
            Condition::Owners => self.owner,
            Condition::Previews => self.preview,
            Condition::InferredRoots => self.ownership.is_some(),
            _ => true,
        }
    }

    fn passes(&self, dump: TableContext<'_>, row: OwnedRow<'_>, filter: &TextFilter) -> bool {
        let (words, object) = (filter.words(), row.object);
        // If all objects are of a given class, its name is not filtered.
        filter.in_its_heap(dump.heap, object)
            && (words.is_empty()
                || (self.classes.is_none() && words.matches(&dump.heap.class(object).name))
                || words.matches(&dump.heap.id_text(object))
                || dump.contents.label(dump.heap, object).is_some_and(|label| words.matches(&label)))
    }

    fn ordered_rows<'a>(
        &'a self,
        dump: TableContext<'a>,
        row_query: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let DumpData { heap, analysis, .. } = *dump;
        let filter = row_query.row_filter()?;
        let conditions = filter.conditions(COLUMNS, |when| self.has(dump, when))?;
        let ownership = self.ownership.as_deref();
        let ranges = row_query.clone();
        let passes = move |object: ObjectId, number: u32| {
            let has_id = self.ids.as_ref().is_none_or(|ids| ids.contains(&heap.address(object).0));
            let row = OwnedRow { object, ownership };
            has_id
                && ranges.has_number(number)
                && conditions.are_met(row, dump)
                && (filter.text.is_empty() || self.passes(dump, row, &filter.text))
        };
        let of_class = move |&object: &ObjectId| {
            let class = heap.class_id(object).index();
            analysis.is_reachable(object) && self.classes.as_ref().is_none_or(|of| of.get(class) == Some(&true))
        };
        // Listed objects are shown even if unreachable.
        let all: Box<dyn Iterator<Item = ObjectId> + 'a> = match &self.named {
            Some(named) => Box::new(named.iter().copied()),
            None => Box::new(heap.objects().filter(of_class)),
        };
        let passing = (0..).zip(all).filter(move |&(number, object)| passes(object, number)).map(|(_, object)| object);
        let expected = self.named.as_ref().map_or(heap.len(), Vec::len) as u64;
        let rows = match row_query.sort.as_deref() {
            None if !row_query.reverse => row_query.part(passing.map(ObjectId::raw)),
            Some(key) if self.ownership.is_some() && ownership::by_of(key).is_some() => {
                let (ownership, by) = (self.ownership.as_ref(), ownership::by_of(key).unwrap_or_default());
                task.step("Sorting", Unit::Objects, expected);
                let mut objects: Vec<ObjectId> = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                task.checkpoint()?;
                ownership.into_iter().for_each(|ownership| ownership.sort(&mut objects, by));
                if row_query.reverse {
                    objects.reverse();
                }
                row_query.part(objects.into_iter().map(ObjectId::raw))
            }
            Some(key) if is_age(key) && dump.ages.is_some() => {
                task.step("Sorting", Unit::Objects, expected);
                let mut objects: Vec<ObjectId> = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                task.checkpoint()?;
                dump.ages.map_or(Ok(()), |ages| ages.sort(heap, &mut objects, row_query.reverse, task))?;
                row_query.part(objects.into_iter().map(ObjectId::raw))
            }
            sort => {
                let order = sort.map_or(Ok(LevelOrder::Address), |key| order_of(dump, key))?;
                task.step("Sorting", Unit::Objects, expected);
                let objects = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                let sorted = in_order(dump.data(), objects, (order, row_query.reverse), None, task)?;
                task.checkpoint()?;
                row_query.part(sorted.into_iter().map(ObjectId::raw))
            }
        };
        Ok(OrderedRows { rows, totals: Vec::new(), expected })
    }
}
