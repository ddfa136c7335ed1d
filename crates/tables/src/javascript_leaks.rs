//! Tables of leaks between JavaScript snapshots and of monotonic growth; in JSON each row with its trace.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::Table;
use crate::export::command_line::CommandLine;
use crate::export::javascript::{ClusterRow, GrowingRow};
use crate::export::table::Cell;
use crate::export::table_context::TableContext;
use crate::heading::{Heading, heading};
use crate::headings;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::javascript::growth::GrowingObject;
use heaplens_analysis::javascript::leaks::{Cluster, Leaks, TraceStep};
use heaplens_base::named;
use heaplens_base::task::Task;
use heaplens_base::units::{Bytes, Share};
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::open_settings::OpenSettings;

const CLUSTERS: [Heading; 9] = [
    headings::CLASS,
    heading("kind", "Kind", "Cause of the leak: detached, timer, listener, closure, captured, collection or object"),
    heading("objects", "Objects", "Leaked objects that no other leaked object dominates"),
    heading(
        "leaked_objects",
        "Leaked objects",
        "All leaked objects, including those dominated by other leaked objects",
    ),
    headings::RETAINED_BY_ALL,
    headings::SHARE_OF_RETAINED,
    heading("ways", "Paths", "Number of similar paths to GC roots that were merged"),
    headings::NAME,
    headings::EXAMPLE,
];
const GROWING: [Heading; 7] = [
    headings::CLASS,
    heading("references_before", "References before", "Outgoing references in the first snapshot"),
    heading("references", "References after", "Outgoing references in the last snapshot"),
    headings::RETAINED_BY_ALL,
    heading("more_bytes", "Growth", "Retained size in the last snapshot minus that in the first"),
    headings::NAME,
    headings::ID,
];

/// Clusters of leaks, largest retained size first.
pub struct JavaScriptLeaks(pub Leaks);

/// Objects with monotonic growth, largest growth first.
pub struct JavaScriptGrowth(pub Vec<GrowingObject>);

/// Name of an object, if names were requested.
fn name(from: TableContext<'_>, object: Option<ObjectId>) -> Option<String> {
    // This task is never cancelled.
    from.namer?.name(object?, &Task::new()).ok().flatten()
}

fn end(trace: &[TraceStep]) -> Option<ObjectId> {
    trace.last().map(|step| step.object)
}

fn id(from: TableContext<'_>, object: Option<ObjectId>) -> Cell {
    object.map_or(Cell::Nothing, |object| Cell::Text(from.heap.id_text(object)))
}

/// True if a row passes the filter: by class, or by a step of its trace.
fn passes(from: TableContext<'_>, class: &str, trace: &[TraceStep], filter: &TextFilter) -> bool {
    let step = |step: &TraceStep| {
        let by = step.by.as_ref().is_some_and(|by| filter.matches(&by.text));
        by || filter.matches(&from.heap.class(step.object).name)
    };
    filter.matches(class) || trace.iter().any(step)
}

impl JavaScriptLeaks {
    fn row(&self, row: usize) -> Option<&Cluster> {
        self.0.clusters.get(row)
    }
}

impl Table for JavaScriptLeaks {
    fn old_columns(&self) -> &'static [Heading] {
        &CLUSTERS
    }

    fn count(&self) -> usize {
        self.0.clusters.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(of) = self.row(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(of.class.clone()),
            1 => Cell::Text(of.kind.name().to_owned()),
            2 => Cell::Count(of.objects),
            3 => Cell::Count(of.leaked),
            4 => Cell::Size(of.retained),
            5 => Cell::Share(Share::of(of.retained, from.analysis.shown.shallow)),
            6 => Cell::Count(of.ways),
            7 => name(from, end(&of.trace)).map_or(Cell::Nothing, Cell::Text),
            _ => id(from, end(&of.trace)),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.row(row).is_some_and(|of| passes(from, &of.class, &of.trace, filter))
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(of) = self.row(row) else { return Ok(()) };
        let answer = ClusterRow::new(from.heap, of, name(from, end(&of.trace)));
        serde_json::to_writer(out, &answer)?;
        Ok(())
    }
}

impl Table for JavaScriptGrowth {
    fn old_columns(&self) -> &'static [Heading] {
        &GROWING
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(of) = self.0.get(row) else { return Cell::Nothing };
        let count = |count: Option<&u64>| count.map_or(Cell::Nothing, |&count| Cell::Count(count));
        match column {
            0 => Cell::Text(of.class.clone()),
            1 => count(of.references.first()),
            2 => count(of.references.last()),
            3 => Cell::Size(of.retained.last().copied().unwrap_or(Bytes(0))),
            4 => Cell::Size(of.more()),
            5 => name(from, Some(of.object)).map_or(Cell::Nothing, Cell::Text),
            _ => id(from, Some(of.object)),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|of| passes(from, &of.class, &of.trace, filter))
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(of) = self.0.get(row) else { return Ok(()) };
        let answer = GrowingRow::new(from.heap, of, name(from, Some(of.object)));
        serde_json::to_writer(out, &answer)?;
        Ok(())
    }
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

impl SnapshotLeakTable {
    /// Command that prints the same rows; all snapshots are opened with the options of the current one.
    pub fn command(&self, opened: &OpenSettings) -> CommandLine {
        let line = CommandLine::new("leaks", &OpenSettings { file: self.last.clone(), ..opened.clone() });
        let line = self.baselines.iter().fold(line, |line, baseline| line.option("baseline", baseline));
        line.some("target", self.target.as_ref()).option("of", self.of.name())
    }
}

impl fmt::Debug for SnapshotLeakTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Between").field("of", &self.of).field("last", &self.last).finish_non_exhaustive()
    }
}

/// Computed results are equal if they are the same allocation.
impl PartialEq for SnapshotLeakTable {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of && Arc::ptr_eq(&self.table, &other.table)
    }
}

impl Eq for SnapshotLeakTable {}
