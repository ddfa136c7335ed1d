//! A level of the dominator tree: the children of an object.

use std::io::{self, Write};

use crate::OrderedRows;
use crate::RowQuery;
use crate::TableContext;
use crate::TableError;
use crate::TableResult;
use crate::TypedTable;
use crate::columns::{Column, Columns, Condition, headings};
use crate::dump::object_filter::ObjectConditions;
use crate::dump::objects::order_of;
use crate::export::ages;
use crate::export::parts;
use crate::relation::{Relation, relation};
use crate::table::{entries, write_entries};
use heaplens_analysis::dominator_tree::{LevelOrder, level};
use heaplens_analysis::{TextFilter, filter::ObjectFilter, unreachable::Unreachable};
use heaplens_base::Task;
use heaplens_heap::ObjectId;

pub(crate) const COLUMNS: Columns<ObjectId> = &[
    &[
        headings::SHORT_NAME.when(Condition::Named).text(|object, dump| dump.short_name(object).map(Into::into)),
        headings::ID.object(|object, _| Some(object)),
        headings::CLASS.text(|object, dump| dump.class_of(object)),
        headings::LABEL.text(|object, dump| dump.label(object)),
        headings::SHALLOW.bytes(|object, dump| Some(dump.heap.shallow(object))),
        headings::RETAINED.bytes(|object, dump| Some(dump.analysis.retained(object))),
        headings::SHARE_OF_RETAINED.share(|object, dump| Some(dump.share(dump.analysis.retained(object)))),
        headings::DOMINATED.count(|object, dump| Some(dump.analysis.dominated_count(object))),
        headings::OWNER.when(Condition::Owners).text(|object, dump| dump.owner(object).map(Into::into)),
    ],
    parts::OBJECT[0],
    parts::OBJECT[1],
    &[
        headings::AGE.text(|object, dump| Some(ages::short(dump.age(object)).into())),
        headings::OLDER_FROM.share(|object, dump| Some(ages::share(dump.age(object)?.from))),
        headings::OLDER_TO.share(|object, dump| Some(ages::share(dump.age(object)?.to))),
    ],
    &[headings::PREVIEW.when(Condition::Previews).text(|object, dump| dump.preview(object))],
];

/// A level of the dominator tree.
pub const LEVEL: Relation = relation!("dominators", COLUMNS).naming_objects();

/// Children of an object, largest retained size first. The row number is the object's.
#[derive(Default)]
pub struct Level {
    /// The object; `None`: the virtual root.
    pub of: Option<ObjectId>,
    /// Only objects whose class name contains this text.
    pub of_class: TextFilter,
    /// Only objects of these classes.
    pub only: Option<Unreachable>,
    /// True to add the owner of each object.
    pub owner: bool,
    /// True to add the preview of each object.
    pub preview: bool,
}

impl Level {
    /// The objects in an order, filtered by class only.
    pub fn objects(
        &self,
        dump: TableContext<'_>,
        order: (LevelOrder, bool),
        task: &Task,
    ) -> Result<Vec<ObjectId>, TableError> {
        let passing = ObjectFilter::new(dump.heap, &self.of_class);
        Ok(level(dump.data(), self.of, |object| passing.has(object), order, task)?)
    }
}

impl TypedTable for Level {
    type Record = ObjectId;
    const COLUMNS: Columns<ObjectId> = COLUMNS;

    /// The rows are computed for a query only.
    fn count(&self) -> usize {
        0
    }

    fn row(&self, row: usize) -> Option<ObjectId> {
        ObjectId::new(row)
    }

    fn offers(&self, condition: Condition) -> bool {
        match condition {
            Condition::Owners => self.owner,
            Condition::Previews => self.preview,
            _ => true,
        }
    }

    fn passes(&self, dump: TableContext<'_>, object: ObjectId, filter: &TextFilter) -> bool {
        filter.passes_object(dump.data(), object)
    }

    fn write_row(&self, dump: TableContext<'_>, object: ObjectId, nth: usize, out: &mut dyn Write) -> io::Result<()> {
        // The owner comes last.
        let is_owner = |column: &&Column<ObjectId>| column.heading.when == Condition::Owners;
        let (owner, others): (Vec<_>, Vec<_>) = entries(self, dump).partition(is_owner);
        write_entries(others.into_iter().chain(owner), dump, object, nth, out)
    }

    fn ordered_rows<'a>(
        &'a self,
        dump: TableContext<'a>,
        rows: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let filter = rows.row_filter()?;
        let conditions = ObjectConditions::new(dump, &filter)?;
        let order = rows.sort.as_deref().map_or(Ok(LevelOrder::Retained), |key| order_of(dump, key))?;
        let mut objects = self.objects(dump, (order, rows.reverse), task)?;
        if let Some(only) = &self.only {
            objects.retain(|&object| only.contains(object));
        }
        let expected = objects.len() as u64;
        let has_words = move |object| filter.text.is_empty() || self.passes(dump, object, &filter.text);
        let passing = objects.into_iter().filter(move |&object| conditions.are_met(dump, object) && has_words(object));
        Ok(OrderedRows { rows: rows.part(passing.map(ObjectId::raw)), totals: Vec::new(), expected })
    }
}
