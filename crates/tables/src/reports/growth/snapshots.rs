//! Leaks between snapshots of one JavaScript program: objects new and still alive, and monotonic growth. With more than
//! two snapshots open, all up to the first of the compared pair are baselines, and the one before the second is the target.

use std::{borrow::Cow, sync::Arc};

use crate::dump::javascript_leaks::{SnapshotLeakKind, SnapshotLeakTable, cluster_table, growing_table};
use crate::reports::rows::{Cell, Row, RowLabel, Rows};
use crate::{Table, TableContext, dump::javascript::opened, export::javascript::sentence};
use heaplens_analysis::javascript::leaks::{Cluster, Leaks, TraceStep};
use heaplens_analysis::javascript::{growth::GrowingObject, rules::Rules};
use heaplens_analysis::structure::Origin;
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump, javascript::leaked_and_growing};

/// Maximum number of displayed characters of a name.
const TAIL: usize = 44;
/// Number of steps listed at each end of a long path.
const ENDS: usize = 100;

/// The compared snapshots and the result.
struct SnapshotComparison {
    baselines: Vec<OpenDump>,
    target: OpenDump,
    last: OpenDump,
    leaks: Leaks,
    growing: Vec<GrowingObject>,
}

impl SnapshotComparison {
    fn find(open_dump: &OpenDump, task: &Task) -> Result<Self, JobError> {
        let Some(baseline) = &open_dump.baseline else {
            return Err(JobError::Failed(
                "no comparison: open another snapshot of the same program and compare it".to_owned(),
            ));
        };
        let (baselines, target) = match &open_dump.over_time {
            Some(over) => {
                let (then, now) = over.ends;
                let target = over.dumps.get(now.saturating_sub(1)).filter(|_| now > then + 1);
                (over.dumps.iter().take(then + 1).cloned().collect(), target.unwrap_or(open_dump).clone())
            }
            None => (vec![baseline.before.clone()], open_dump.clone()),
        };
        let of =
            baselines.iter().map(|dump: &OpenDump| opened(TableContext::of(dump))).collect::<Result<Vec<_>, _>>()?;
        let question = (&*of, opened(TableContext::of(&target))?, opened(TableContext::of(open_dump))?);
        let (leaks, growing) = leaked_and_growing(question, &Rules::default(), task)?;
        Ok(Self { baselines, target, last: open_dump.clone(), leaks, growing })
    }

    /// Rows, and the command that prints them.
    fn rows(self, of: SnapshotLeakKind, rows: Vec<Row>, summary: String) -> Rows {
        let file = |dump: &OpenDump| dump.opened.file.clone();
        let is_last = Arc::ptr_eq(&self.target.heap, &self.last.heap);
        let (baselines, target) = (self.baselines.iter().map(file).collect(), file(&self.target));
        let last = file(&self.last);
        let table: Arc<dyn Table> = match of {
            SnapshotLeakKind::Stayed => Arc::new(cluster_table(self.leaks.clusters)),
            SnapshotLeakKind::Growing => Arc::new(growing_table(self.growing)),
        };
        let mut rows = Rows::shared(Arc::clone(&table), rows, summary);
        let target = Some(target).filter(|_| !is_last);
        rows.subject = Some(Arc::new(SnapshotLeakTable { of, baselines, target, last, table }));
        rows
    }
}

/// Objects new and still alive, by retainer; below each the path to it.
pub fn stayed(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let comparison = SnapshotComparison::find(dump, task)?;
    let namer = dump.namer(task)?;
    let mut rows = Vec::new();
    for cluster in &comparison.leaks.clusters {
        let end = cluster.trace.last().map(|step| step.object);
        let name = end.map(|end| namer.name(end, task)).transpose()?.flatten();
        let owner = end.map(|end| namer.owner(end, task)).transpose()?.flatten().map(|owner| owner.text);
        rows.push(cluster_row(dump, cluster, owner, name));
        push_trace(dump, &cluster.trace, &mut rows);
    }
    let stayed = comparison.leaks.stayed;
    let summary = format!("{} new and still alive, {}", Count(stayed.objects).of("object", "objects"), stayed.shallow);
    Ok(comparison.rows(SnapshotLeakKind::Stayed, rows, summary))
}

/// Owner and class, or class and path if neither the application nor a library owns the objects.
fn cluster_row(dump: &OpenDump, of: &Cluster, owner: Option<String>, name: Option<String>) -> Row {
    let path = || name.as_deref().map(tail).unwrap_or_default();
    // Of objects of one owner, the end of the path tells one row from another.
    let class_and_path = || [of.class.clone(), path()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let (first, second) = match owner {
        Some(owner) => (owner, class_and_path().join(" · ")),
        None => (of.class.clone(), path()),
    };
    let called = RowLabel {
        name: first.into(),
        times: of.objects,
        more: second.into(),
        object: of.trace.last().map(|step| step.object),
    };
    let cells = vec![Cell::words(of.kind.name()), Cell::count(of.leaked), Cell::bytes(of.retained)];
    let mut row = Row::called(called, cells);
    let sentence = sentence(of, dump.analysis.shown.shallow);
    row.found_by = format!("{} {} {sentence}", row.found_by, name.unwrap_or_default());
    row
}

/// End of a long name, which distinguishes it: `… .feed._events.price`.
fn tail(name: &str) -> String {
    let from = name.char_indices().rev().nth(TAIL).map_or(0, |(at, _)| at);
    let Some(dot) = name[from..].find('.').filter(|_| from > 0) else { return name.to_owned() };
    format!("… {}", &name[from + dot..])
}

/// Objects with monotonic growth; below each the path to it.
pub fn growing(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let comparison = SnapshotComparison::find(dump, task)?;
    let namer = dump.namer(task)?;
    let mut rows = Vec::new();
    for growing in &comparison.growing {
        let name = namer.name(growing.object, task)?.unwrap_or_default();
        let short = namer.short_name(growing.object, task)?.filter(|name| name.origin != Origin::Runtime);
        rows.push(growing_row(dump, growing, short.map(|name| name.to_string()), &name));
        push_trace(dump, &growing.trace, &mut rows);
    }
    let summary = format!("{} with monotonic growth", Count(comparison.growing.len() as u64).of("object", "objects"));
    Ok(comparison.rows(SnapshotLeakKind::Growing, rows, summary))
}

fn growing_row(dump: &OpenDump, of: &GrowingObject, short: Option<String>, name: &str) -> Row {
    let references: Vec<String> = of.references.iter().map(|&count| Count(count).to_string()).collect();
    let retained = of.retained.last().copied().unwrap_or_default();
    let id = dump.heap.id_text(of.object);
    let path = || if name.is_empty() { id.clone() } else { format!("{} {id}", tail(name)) };
    let (first, second) =
        short.map_or_else(|| (of.class.clone(), path()), |short| (short, format!("{} {id}", of.class)));
    let called = RowLabel { name: first.into(), times: 1, more: second.into(), object: Some(of.object) };
    let references = Cell::words(references.join(" → "));
    Row::called(called, vec![references, Cell::minor(of.more()), Cell::bytes(retained)])
}

/// Rows of the path from a root; only both ends of a long one.
fn push_trace(dump: &OpenDump, trace: &[TraceStep], rows: &mut Vec<Row>) {
    for (at, of) in trace.iter().enumerate() {
        if at < ENDS || at + ENDS >= trace.len() {
            let by = of.by.as_ref().map(|by| dotted(&by.text));
            rows.push(Row::object(dump, 1, by.as_deref(), of.object, Vec::new()));
        }
    }
}

/// `.cache`, `[3]`, `<map>`.
fn dotted(by: &str) -> Cow<'_, str> {
    if by.starts_with(['[', '<', '(']) { by.into() } else { format!(".{by}").into() }
}
