//! Tables of leaks between JavaScript snapshots and of monotonic growth; in JSON each row with its trace.

use std::{fmt, path::PathBuf, sync::Arc};

use crate::columns::{Column, Columns, Item, heading, headings, json};
use crate::export::javascript::steps;
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::Relation;
use crate::{List, Table, TableContext};
use heaplens_analysis::javascript::leaks::{Cluster, TraceStep};
use heaplens_analysis::{TextFilter, javascript::growth::GrowingObject};
use heaplens_base::{Bytes, Task, named};
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::OpenSettings;

pub(crate) const CLUSTERS: Columns<Item<Cluster>> = &[&[
    headings::CLASS.text(|of, _| Some(of.class.as_str().into())),
    heading("kind", "Kind", "Cause of the leak: detached, timer, listener, closure, captured, collection or object")
        .text(|of, _| Some(of.kind.name().into())),
    heading("objects", "Objects", "Leaked objects that no other leaked object dominates")
        .count(|of, _| Some(of.objects)),
    heading(
        "leaked_objects",
        "Leaked objects",
        "All leaked objects, including those dominated by other leaked objects",
    )
    .count(|of, _| Some(of.leaked)),
    headings::RETAINED_BY_ALL.bytes(|of, _| Some(of.retained)),
    headings::SHARE_OF_RETAINED.share(|of: &Cluster, dump| Some(dump.share(of.retained))).not_in_json(),
    heading("ways", "Paths", "Number of similar paths to GC roots that were merged").count(|of, _| Some(of.paths)),
    headings::NAME.text(|of, dump| name(dump, end(&of.trace)).map(Into::into)),
    headings::EXAMPLE.object(|of, _| end(&of.trace)),
    Column::of_json("trace", |of, dump, _, out| json(out, &steps(dump.heap, &of.trace))),
]];
pub(crate) const GROWING: Columns<Item<GrowingObject>> = &[&[
    headings::CLASS.text(|of, _| Some(of.class.as_str().into())),
    Column::of_json("id", |of, dump, _, out| json(out, &dump.heap.id_text(of.object))),
    Column::of_json("name", |of, dump, _, out| json(out, &name(dump, Some(of.object)))),
    heading("references_before", "References before", "Outgoing references in the first snapshot")
        .count(|of: &GrowingObject, _| of.references.first().copied())
        .not_in_json(),
    heading("references", "References after", "Outgoing references in the last snapshot")
        .count(|of: &GrowingObject, _| of.references.last().copied())
        .in_json(|of, _, _, out| json(out, &of.references)),
    headings::RETAINED_BY_ALL
        .bytes(|of: &GrowingObject, _| Some(of.retained.last().copied().unwrap_or(Bytes(0))))
        .in_json(|of, _, _, out| json(out, &of.retained.iter().map(|bytes| bytes.0).collect::<Vec<_>>())),
    heading("more_bytes", "Growth", "Retained size in the last snapshot minus that in the first")
        .bytes(|of, _| Some(of.more())),
    headings::NAME.text(|of: &GrowingObject, dump| name(dump, Some(of.object)).map(Into::into)).not_in_json(),
    headings::ID.object(|of: &GrowingObject, _| Some(of.object)).not_in_json(),
    Column::of_json("trace", |of, dump, _, out| json(out, &steps(dump.heap, &of.trace))),
]];

/// Clusters of leaks, largest retained size first.
pub fn cluster_table(clusters: Vec<Cluster>) -> List<Cluster> {
    List::new(CLUSTERS, clusters).with_filter(|of, dump, filter| passes(dump, &of.class, &of.trace, filter))
}

/// Objects with monotonic growth, largest growth first.
pub fn growing_table(growing: Vec<GrowingObject>) -> List<GrowingObject> {
    List::new(GROWING, growing).with_filter(|of, dump, filter| passes(dump, &of.class, &of.trace, filter))
}

/// Name of an object, if names were requested.
fn name(dump: TableContext<'_>, object: Option<ObjectId>) -> Option<String> {
    // This task is never cancelled.
    dump.namer?.name(object?, &Task::new()).ok().flatten()
}

fn end(trace: &[TraceStep]) -> Option<ObjectId> {
    trace.last().map(|step| step.object)
}

/// True if a row passes the filter: by class, or by a step of its trace.
fn passes(dump: TableContext<'_>, class: &str, trace: &[TraceStep], filter: &TextFilter) -> bool {
    let step = |step: &TraceStep| {
        let by = step.by.as_ref().is_some_and(|by| filter.matches(&by.text));
        by || filter.matches(&dump.heap.class(step.object).name)
    };
    filter.matches(class) || trace.iter().any(step)
}

/// Kind of result of a comparison of snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SnapshotLeakKind {
    /// New objects that are still alive.
    Stayed,
    /// Monotonic growth.
    Growing,
}

named!(SnapshotLeakKind {
    Stayed = "stayed", "New and still alive: allocated since the baseline";
    Growing = "growing", "Monotonic growth: objects whose reachable set never shrinks";
});

/// A computed table of leaks between snapshots.
#[derive(Clone)]
pub struct SnapshotLeakTable {
    /// Kind of rows.
    pub of: SnapshotLeakKind,
    /// Baseline snapshots.
    pub baselines: Vec<PathBuf>,
    /// Target snapshot, if it is not the last one.
    pub target: Option<PathBuf>,
    /// Final snapshot.
    pub last: PathBuf,
    /// The rows.
    pub table: Arc<dyn Table>,
}

impl TableKind for SnapshotLeakTable {
    fn relation(&self) -> Option<&'static Relation> {
        None
    }

    fn table(&self, _dump: TableContext<'_>, _rows: &RowQuery, _task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::clone(&self.table))
    }

    /// All snapshots are opened with the options of the current one.
    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let line = Question::new("leaks", &OpenSettings { file: self.last.clone(), ..opened.clone() });
        let line = self.baselines.iter().fold(line, |line, baseline| line.option("baseline", baseline));
        line.some("target", self.target.as_ref()).option("of", self.of.name())
    }

    fn names_objects(&self) -> bool {
        true
    }
}

impl fmt::Debug for SnapshotLeakTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotLeakTable").field("of", &self.of).field("last", &self.last).finish_non_exhaustive()
    }
}

/// Computed results are equal if they are the same allocation.
impl PartialEq for SnapshotLeakTable {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of && Arc::ptr_eq(&self.table, &other.table)
    }
}

impl Eq for SnapshotLeakTable {}
