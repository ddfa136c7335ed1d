//! A table query as plain data: the table that answers it, and the command line that prints it.

use std::{io::Write, sync::Arc};

use crate::diff::Changes;
use crate::dump::folded::LevelQuery;
use crate::dump::references::reference_table;
use crate::dump::related::related_table;
use crate::dump::route::route_table;
use crate::dump::{aggregated, javascript, merged, ownership, related, retained_set, route};
use crate::query::{Question, class_named};
use crate::relation::Relation;
use crate::relations;
use crate::{
    AggregatedPaths, ColumnInfo, FoldedLevel, Level, MergedPaths, Objects, OutputForm, OwnedObjects, OwnershipRoots,
    RetainedClasses, RowQuery, SnapshotLeakTable, Table, TableContext, TableError, TableResult, write,
};
use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_analysis::ownership::retained_set::RootSource;
use heaplens_analysis::references::references;
use heaplens_analysis::{Direction, GroupBy, Ownership, TextFilter};
use heaplens_base::{Name, Named, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, Rules, SoftLinks, Strength};
use heaplens_session::OpenSettings;

/// Kind of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableKind {
    /// The rows of a table without parameters.
    Relation(&'static Relation),
    /// Every object.
    Objects,
    /// The objects of a class.
    ObjectsOf(ClassId),
    /// These objects, in this order.
    Named(Vec<ObjectId>),
    /// Children of an object in the dominator tree whose class name contains this text.
    Level(Option<ObjectId>, String),
    /// A folded level: chains, groups and shared objects are rows.
    FoldedLevel(LevelQuery),
    /// References of an object.
    References(ObjectId, Direction),
    /// Inferred roots, or every object with its owner.
    Ownership(ownership::OwnershipQuery),
    /// Path between two objects.
    Route(route::RouteQuery),
    /// Retained set of an object.
    RetainedSet(retained_set::RetainedSetQuery),
    /// Objects related to a set of objects, by class.
    Related(related::RelatedQuery),
    /// Live objects of a JavaScript snapshot, allocated in an interval, by class.
    Allocated {
        /// Begin in milliseconds.
        first: u64,
        /// End in milliseconds.
        last: u64,
    },
    /// Leaks between snapshots of one program, already computed.
    SnapshotLeaks(SnapshotLeakTable),
    /// Merged paths from GC roots to many objects.
    Merged(merged::MergedPathsQuery),
    /// Merged paths for each class that reaches the thresholds.
    MergedByClass(aggregated::AggregatedQuery),
    /// A comparison with another dump, already computed.
    Changes(Changes),
}

/// Rows of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistogramRows {
    /// Classes.
    Classes,
    /// Groups of classes.
    Groups(GroupBy),
    /// Single objects, as in a list.
    Objects,
}

impl Named for HistogramRows {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Classes, "class", "By class"),
        Name::new(
            Self::Groups(GroupBy::Package),
            "package",
            "By package; arrays by the package of their element class",
        ),
        Name::new(Self::Groups(GroupBy::Loader), "loader", "By class loader"),
        Name::new(Self::Groups(GroupBy::Superclass), "superclass", "By direct superclass"),
        Name::new(Self::Objects, "object", "No grouping: one row per object"),
    ];
}

/// A table query: kind, filter, order and range of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableQuery {
    /// Kind of rows.
    pub kind: TableKind,
    /// Filter, order and range.
    pub rows: RowQuery,
}

impl TableKind {
    /// The table of the rows; `None` if they are already computed: they bring their columns.
    pub fn relation(&self) -> Option<&'static Relation> {
        Some(match self {
            Self::Relation(relation) => relation,
            Self::Objects | Self::ObjectsOf(_) | Self::Named(_) => &relations::OBJECTS,
            Self::Level(..) => &relations::LEVEL,
            Self::FoldedLevel(_) => &relations::FOLDED,
            Self::References(..) => &relations::REFERENCES,
            Self::Ownership(query) if query.every_object => &relations::OWNED_OBJECTS,
            Self::Ownership(_) => &relations::INFERRED_ROOTS,
            Self::Route(_) => &relations::ROUTE,
            Self::RetainedSet(_) => &relations::RETAINED_SET,
            Self::Related(query) if query.group == PartitionBy::Class => &relations::RELATED,
            Self::Related(_) => &relations::RELATED_GROUPS,
            Self::Allocated { .. } => &relations::ALLOCATED_BY_CLASS,
            Self::Merged(_) | Self::MergedByClass(_) => &relations::MERGED,
            Self::SnapshotLeaks(_) | Self::Changes(_) => return None,
        })
    }

    /// All columns that the table may have, in their order, whether a dump has them or not. `None` if the rows are
    /// already computed.
    pub fn columns(&self) -> Option<&'static [ColumnInfo]> {
        Some(self.relation()?.columns)
    }
}

impl TableQuery {
    /// Computes the rows.
    pub fn table(&self, from: TableContext<'_>, task: &Task) -> Result<Arc<dyn Table>, TableError> {
        let TableContext { heap, contents, analysis, .. } = from;
        let owner = self.rows.owner;
        let count = heap.len();
        Ok(match &self.kind {
            TableKind::Relation(relation) => relation.table(from, &self.rows, task)?,
            TableKind::Objects => Arc::new(Objects { count, owner, ..Objects::default() }),
            TableKind::ObjectsOf(class) => {
                let mut only = vec![false; heap.classes.len()];
                only.get_mut(class.index()).into_iter().for_each(|only| *only = true);
                Arc::new(Objects { count, owner, classes: Some(only), ..Objects::default() })
            }
            TableKind::Named(objects) => {
                Arc::new(Objects { count, owner, named: Some(objects.clone()), ..Objects::default() })
            }
            TableKind::Level(of, class) => {
                let of_class = TextFilter::parse(class).map_err(TableError::InvalidQuery)?;
                Arc::new(Level { of: *of, of_class, only: None, owner })
            }
            TableKind::FoldedLevel(query) => Arc::new(FoldedLevel::find(from, query, &self.rows, task)?),
            TableKind::References(object, direction) => {
                let limit = self.references_read();
                Arc::new(reference_table(references(heap, contents, analysis, *object, *direction, limit, task)?))
            }
            TableKind::Ownership(query) => {
                let ownership = Arc::new(Ownership::find(heap, query.soft, task)?);
                if query.every_object {
                    Arc::new(OwnedObjects { ownership })
                } else {
                    Arc::new(OwnershipRoots::new(ownership))
                }
            }
            TableKind::Route(query) => Arc::new(route_table(from, *query, task)?),
            TableKind::RetainedSet(query) => Arc::new(RetainedClasses::of(from, query, task)?),
            TableKind::Related(query) => Arc::new(related_table(query.find(from, task)?, query.group)),
            TableKind::Allocated { first, last } => {
                Arc::new(javascript::allocated_between(from, (*first, *last), task)?)
            }
            TableKind::Merged(query) => Arc::new(MergedPaths::find(from, query, task)?),
            TableKind::MergedByClass(query) => Arc::new(AggregatedPaths::find(from, query, task)?),
            TableKind::Changes(changes) => Arc::clone(&changes.table),
            TableKind::SnapshotLeaks(between) => Arc::clone(&between.table),
        })
    }

    /// Computes and writes the rows, as the command line does.
    pub fn write(&self, from: TableContext<'_>, form: OutputForm, out: &mut dyn Write, task: &Task) -> TableResult {
        match &self.kind {
            TableKind::Changes(changes) => changes.write(from, &self.rows, form, out, task),
            _ => write(&*self.table(from, task)?, from, &self.rows, form, out, task),
        }
    }

    /// Filtering and sorting need all rows, taking the first ones does not.
    fn references_read(&self) -> usize {
        let rows = &self.rows;
        let all = !rows.filter.trim().is_empty() || rows.sort.is_some() || rows.reverse || !rows.numbers.is_empty();
        if all { usize::MAX } else { rows.top.map_or(usize::MAX, |top| rows.skip.saturating_add(top)) }
    }

    /// True if its rows are objects, of which ages can be added.
    pub fn lists_objects(&self) -> bool {
        matches!(self.kind, TableKind::Objects | TableKind::ObjectsOf(_) | TableKind::Named(_) | TableKind::Level(..))
    }

    /// True if its rows contain names of objects, which need a namer.
    pub fn names_objects(&self) -> bool {
        match &self.kind {
            TableKind::Relation(relation) => relation.names_objects,
            kind => matches!(kind, TableKind::SnapshotLeaks(_)),
        }
    }

    /// Command line that prints the same rows.
    pub fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let line = |command: &str| Question::new(command, opened);
        let id = |object: ObjectId| heap.id_text(object);
        let line = match &self.kind {
            TableKind::Relation(relation) => {
                let mut words = relation.command.split(' ');
                let mut line = line(words.next().unwrap_or_default());
                while let (Some(option), Some(value)) = (words.next(), words.next()) {
                    line = line.option(option.trim_start_matches('-'), value);
                }
                line
            }
            TableKind::Objects => line("objects"),
            TableKind::ObjectsOf(class) => line("objects").option("class", class_named(heap, *class)),
            TableKind::Named(objects) => {
                objects.iter().fold(line("objects"), |line, &object| line.option("object", id(object)))
            }
            TableKind::Level(of, class) => {
                let line = line("dominators").some("of", of.map(id));
                line.some("filter-class", Some(class).filter(|class| !class.is_empty()))
            }
            TableKind::FoldedLevel(query) => query.arguments(line("dominators"), heap),
            TableKind::References(object, direction) => {
                let direction_flag = if *direction == Direction::Incoming { "in" } else { "out" };
                line("references").argument(id(*object)).flag(direction_flag)
            }
            TableKind::Ownership(query) => {
                let line = soft(line("roots").flag("ownership"), query.soft);
                if query.every_object { line.flag("every-object") } else { line }
            }
            TableKind::Route(query) => {
                // The options of the opened dump include a strength too: it is the same option.
                let opened =
                    OpenSettings { rules: Rules { min_strength: Strength::Phantom, ..opened.rules }, ..opened.clone() };
                let line = Question::new("route", &opened).argument(id(query.from)).argument(id(query.to));
                line.some("strength", query.weakest.map(Named::word))
            }
            TableKind::RetainedSet(query) => {
                let line = query.objects.iter().fold(line("retained-set"), |line, &object| line.argument(id(object)));
                soft(line, query.soft).some("roots", query.roots.map(RootSource::name))
            }
            TableKind::Related(query) => query.command(heap, opened),
            TableKind::Allocated { first, last } => {
                line("javascript").option("of", "timeline").option("between", format!("{first}-{last}"))
            }
            TableKind::Merged(query) => query.command(heap, opened),
            TableKind::MergedByClass(query) => query.command(opened),
            TableKind::Changes(changes) => changes.command(opened),
            TableKind::SnapshotLeaks(between) => between.command(opened),
        };
        if matches!(self.kind, TableKind::Route(_)) {
            // A path is printed from its start.
            let top = self.rows.top.map(|top| top.saturating_add(self.rows.skip));
            return RowQuery { skip: 0, top, ..self.rows.clone() }.options(line);
        }
        self.rows.options(line)
    }
}

/// Adds the option for soft links, if not the default.
fn soft(line: Question, soft: SoftLinks) -> Question {
    if soft == SoftLinks::default() { line } else { line.option("soft", soft.name()) }
}

impl RowQuery {
    /// Command-line options of the query.
    fn options(&self, mut line: Question) -> Question {
        line = line.some("filter", Some(&self.filter).filter(|filter| !filter.is_empty()));
        if !self.numbers.is_empty() {
            let range = |range: &std::ops::RangeInclusive<u32>| {
                let (first, last) = (range.start(), range.end());
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            };
            line = line.option("rows", self.numbers.iter().map(range).collect::<Vec<_>>().join(","));
        }
        if self.age {
            line = line.flag("age");
        }
        line = line.some("sort", self.sort.as_ref());
        if self.reverse {
            line = line.flag("reverse");
        }
        line = line.some("skip", (self.skip > 0).then(|| self.skip.to_string()));
        line.some("top", self.top.map(|top| top.to_string()))
    }
}
