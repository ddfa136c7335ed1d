//! Objects related to a set of objects, by class, package or class loader.

use std::borrow::Cow;
use std::sync::Arc;

use crate::columns::{Column, Columns, Item, Value, heading, headings};
use crate::query::{Question, RowQuery, TableKind, TableResult, class_named};
use crate::relation::{self, relation};
use crate::{List, RowTarget, Table, TableContext, TableError};
use heaplens_analysis::Cut;
use heaplens_analysis::dominator_tree::{Partition, PartitionBy};
use heaplens_analysis::grouping::loader_name;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::{Related, RelatedGroup, RelatedKind, related};
use heaplens_base::{Named, Task};
use heaplens_heap::{ClassId, Heap};
use heaplens_session::OpenSettings;

/// Text instead of a class for objects of the set that no single object dominates.
pub(crate) const NO_DOMINATOR: &str = "(GC roots or several objects)";

pub(crate) const COLUMNS: Columns<Item<RelatedGroup>> =
    &[&[headings::CLASS.text(|row, dump| Some(name(row, dump)))], FIGURES];

/// Columns of groups of classes.
pub(crate) const GROUPS: Columns<Item<RelatedGroup>> = &[
    &[
        heading("group", "Group", "Package or class loader that the row sums up")
            .text(|row, dump| Some(name(row, dump))),
        heading("classes", "Classes", "Number of classes with related objects")
            .count(|row, _| Some(row.classes.len() as u64)),
    ],
    FIGURES,
];

const FIGURES: &[Column<Item<RelatedGroup>>] = &[
    headings::OBJECTS.count(|row, _| Some(row.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.totals.shallow)),
    headings::RETAINED_BY_ALL.bytes(|row, _| row.retained),
    heading("of_set", "Of the set", "Number of objects of the set that they dominate, refer to or are referred to by")
        .count(|row, _| row.of_set),
];

/// Objects related to a set.
pub const RELATED: relation::Relation = relation!("related", COLUMNS);

/// Groups of objects related to a set.
pub const RELATED_GROUPS: relation::Relation = relation!("related --group", GROUPS);

/// Name of a group.
pub(crate) fn name<'a>(row: &RelatedGroup, dump: TableContext<'a>) -> Cow<'a, str> {
    let Some(class) = row.class else { return NO_DOMINATOR.into() };
    let class = dump.heap.classes.get(class);
    match row.by {
        PartitionBy::Class => class.name.as_ref().into(),
        PartitionBy::Package => class.package().into(),
        PartitionBy::Loader => loader_name(dump.data(), class.loader).into(),
    }
}

/// Query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedQuery {
    /// The set.
    pub of: PathTargets,
    /// How objects are related to it.
    pub by: RelatedKind,
    /// References excluded from a retained set.
    pub without: Vec<Cut>,
    /// Grouping of the related objects.
    pub group: PartitionBy,
}

impl RelatedQuery {
    /// Searches for the related objects.
    pub fn find(&self, dump: TableContext<'_>, task: &Task) -> Result<Related, TableError> {
        let heap = dump.heap;
        let objects = self.of.objects(dump.data(), task)?;
        let partition = &Partition::new(heap, self.group);
        Ok(related(dump.data(), &objects, self.by, &self.without, partition, task)?)
    }
}

impl TableKind for RelatedQuery {
    fn relation(&self) -> Option<&'static relation::Relation> {
        Some(if self.group == PartitionBy::Class { &RELATED } else { &RELATED_GROUPS })
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::new(related_table(self.find(dump, task)?, self.group)))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let mut line = Question::new("related", opened);
        line = match &self.of {
            PathTargets::Class(class) => line.option("class", class_named(heap, *class)),
            PathTargets::Objects(objects) => {
                objects.iter().fold(line, |line, &object| line.argument(heap.id_text(object)))
            }
        };
        line = line.option("by", self.by.word());
        if self.group != PartitionBy::Class {
            line = line.option("group", self.group.word());
        }
        self.without.iter().fold(line, |line, cut| line.option("without", cut.text_with_ids(heap)))
    }
}

/// The class whose objects a row sums up, if it is a single one.
pub(crate) fn class_of(row: &RelatedGroup) -> Option<ClassId> {
    row.class.filter(|_| row.by == PartitionBy::Class)
}

/// Table of related objects.
pub fn related_table(related: Related, group: PartitionBy) -> List<RelatedGroup> {
    let (set, all) = (related.set, related.totals());
    let target = |row: &RelatedGroup| class_of(row).map_or(RowTarget::None, RowTarget::Class);
    let (columns, name) = if group == PartitionBy::Class { (COLUMNS, "classes") } else { (GROUPS, "groups") };
    List::new(columns, related.rows).with_name(name).with_target(target).with_totals(move |_| {
        vec![
            ("set_objects", Value::Count(set.objects)),
            ("set_shallow_bytes", Value::Bytes(set.shallow)),
            ("objects", Value::Count(all.objects)),
            ("shallow_bytes", Value::Bytes(all.shallow)),
        ]
    })
}
