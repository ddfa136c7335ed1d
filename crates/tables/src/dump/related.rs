//! Objects related to a set of objects, by class.

use crate::columns::{Cell, Columns, Item, heading, headings};
use crate::query::class_named;
use crate::{List, Question, RowTarget, TableContext, TableError};
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::{Related, RelatedClass, Relation, related};
use heaplens_analysis::{Cut, HeapData};
use heaplens_base::{Named, Task};
use heaplens_core::heap::Heap;
use heaplens_session::OpenSettings;

/// Text instead of a class for objects of the set that no single object dominates.
pub const NO_DOMINATOR: &str = "(GC roots or several objects)";

pub(crate) const COLUMNS: Columns<Item<RelatedClass>> = &[&[
    headings::CLASS.text(|row, from| row.class.map_or(Some(NO_DOMINATOR.into()), |class| from.class_name(class))),
    headings::OBJECTS.count(|row, _| Some(row.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.totals.shallow)),
    headings::RETAINED_BY_ALL.bytes(|row, _| row.retained),
    heading("of_set", "Of the set", "Number of objects of the set that they dominate, refer to or are referred to by")
        .count(|row, _| row.of_set),
]];

/// Query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedQuery {
    /// The set.
    pub of: PathTargets,
    /// How objects are related to it.
    pub by: Relation,
    /// References excluded from a retained set.
    pub without: Vec<Cut>,
}

impl RelatedQuery {
    /// Searches for the related objects.
    pub fn find(&self, from: TableContext<'_>, task: &Task) -> Result<Related, TableError> {
        let TableContext { heap, contents, analysis, .. } = from;
        let objects = self.of.objects(heap, analysis, task)?;
        Ok(related(HeapData { heap, contents, analysis }, &objects, self.by, &self.without, task)?)
    }

    /// Command line that prints the rows.
    pub(crate) fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let mut line = Question::new("related", opened);
        line = match &self.of {
            PathTargets::Class(class) => line.option("class", class_named(heap, *class)),
            PathTargets::Objects(objects) => {
                objects.iter().fold(line, |line, &object| line.argument(heap.id_text(object)))
            }
        };
        line = line.option("by", self.by.word());
        self.without.iter().fold(line, |line, cut| line.option("without", cut.text_with_ids(heap)))
    }
}

/// Table of related objects.
pub fn related_table(found: Related) -> List<RelatedClass> {
    let (set, all) = (found.set, found.totals());
    let target = |row: &RelatedClass| row.class.map_or(RowTarget::None, RowTarget::Class);
    List::new(COLUMNS, found.rows).with_name("classes").with_target(target).with_totals(move |_| {
        vec![
            ("set_objects", Cell::Count(set.objects)),
            ("set_shallow_bytes", Cell::Size(set.shallow)),
            ("objects", Cell::Count(all.objects)),
            ("shallow_bytes", Cell::Size(all.shallow)),
        ]
    })
}
