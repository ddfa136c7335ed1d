//! Tables of JavaScript snapshots only; all cells are computed once.

use super::{Table, TableError};
use crate::export::table::Cell;
use crate::export::table_context::TableContext;
use crate::heading::{Heading, heading};
use crate::headings;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::javascript::Opened;
use heaplens_analysis::javascript::by_class::ClassPart;
use heaplens_analysis::javascript::closures::{ClosureRow, closures};
use heaplens_analysis::javascript::detached::{DetachedRow, detached};
use heaplens_analysis::javascript::native_contexts::{NativeContextRow, NativeContexts, native_contexts};
use heaplens_analysis::javascript::retained_by::{RetainedPart, RetainerKind, held};
use heaplens_analysis::javascript::timeline::{Bar, allocated_in, timeline};
use heaplens_base::named::{Name, Named};
use heaplens_base::task::Task;
use heaplens_base::units::{Bytes, Share};
use heaplens_core::heap::ids::ObjectId;
use heaplens_core::heap::totals::Totals;

/// Query of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JavaScriptQuery {
    /// Objects retained only by detached nodes, contexts, the console or event listeners.
    RetainedBy,
    /// Memory per global scope.
    NativeContexts,
    /// Detached nodes by class and retainer.
    Detached,
    /// Closures with captured variables.
    Closures,
    /// Allocation timeline.
    Timeline,
    /// Live objects allocated in an interval, by class.
    Allocated {
        /// Begin in milliseconds.
        first: u64,
        /// End in milliseconds.
        last: u64,
    },
}

/// All queries in output order; those of an interval are chosen by its ends.
impl Named for JavaScriptQuery {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(
            Self::RetainedBy,
            "held",
            "Objects retained only by detached nodes, closure contexts, console or event listeners",
        ),
        Name::new(Self::NativeContexts, "native-contexts", "Memory per native context (page, iframe, vm context)"),
        Name::new(Self::Detached, "detached", "Detached DOM nodes by class and owner"),
        Name::new(Self::Closures, "closures", "Functions with source location, closures and captured variables"),
        Name::new(Self::Timeline, "timeline", "Live objects by allocation time; needs a recorded allocation timeline"),
    ];
}

impl JavaScriptQuery {
    /// Word on the command line; in JSON with `_`.
    pub fn key(self) -> &'static str {
        if self.between().is_some() { Self::Timeline.word() } else { self.word() }
    }

    /// Interval in milliseconds, if restricted.
    pub fn between(self) -> Option<(u64, u64)> {
        if let Self::Allocated { first, last } = self { Some((first, last)) } else { None }
    }

    /// Title above the rows.
    pub fn title(self) -> &'static str {
        match self {
            Self::RetainedBy => "Retained by",
            Self::NativeContexts => "Native contexts",
            Self::Detached => "Detached nodes",
            Self::Closures => "Closures",
            Self::Timeline => "Allocation timeline",
            Self::Allocated { .. } => "Allocated in the interval",
        }
    }

    fn columns(self) -> &'static [Heading] {
        match self {
            Self::RetainedBy => &HELD,
            Self::NativeContexts => &CONTEXTS,
            Self::Detached => &DETACHED,
            Self::Closures => &CLOSURES,
            Self::Timeline => &TIMELINE,
            Self::Allocated { .. } => &ALLOCATED,
        }
    }
}

/// Name of the row of objects reachable from several native contexts.
pub const SHARED: &str = "(shared)";
/// Name of the row of objects reachable from none.
pub const NOBODYS: &str = "(none)";

const HELD: [Heading; 5] = [
    heading("by", "Retained by", "Filter of DevTools: objects reachable only through such objects or references"),
    heading("keepers", "Retainers", "Number of detached nodes, contexts, console references or event listeners"),
    headings::OBJECTS,
    headings::SHALLOW_OF_ALL,
    headings::SHARE_OF_SHALLOW,
];
const CONTEXTS: [Heading; 5] = [
    heading("name", "Native context", "Global scope (page, iframe or vm context) that the objects belong to"),
    headings::ID,
    headings::OBJECTS,
    headings::SHALLOW_OF_ALL,
    headings::SHARE_OF_SHALLOW,
];
const DETACHED: [Heading; 7] = [
    headings::CLASS,
    heading("holder", "Retainer", "Class and property of the nearest retainer that is not a detached node"),
    heading("holder_id", "Retainer object", "Id of one such retainer"),
    headings::OBJECTS,
    headings::SHALLOW_OF_ALL,
    headings::RETAINED_BY_ALL,
    headings::EXAMPLE,
];
const CLOSURES: [Heading; 8] = [
    heading("function", "Function", "Function name"),
    heading("source", "Source", "Script, line and column of the function"),
    heading("closures", "Closures", "Number of closures of this function"),
    headings::SHALLOW_OF_ALL,
    headings::RETAINED_BY_ALL,
    heading("captured_bytes", "Captured", "Retained size of the contexts with the captured variables"),
    heading("variables", "Variables", "Variables in the context of the closure with the largest retained size"),
    headings::EXAMPLE,
];
const TIMELINE: [Heading; 4] = [
    heading("milliseconds", "Time (ms)", "End of the interval in milliseconds since the recording began"),
    heading("last_id", "Last id", "Highest object id assigned in the interval"),
    headings::OBJECTS,
    headings::SHALLOW_OF_ALL,
];

/// A computed table.
pub struct JavaScript {
    asked: JavaScriptQuery,
    rows: Vec<Vec<Cell>>,
}

const ALLOCATED: [Heading; 3] = [headings::CLASS, headings::OBJECTS, headings::SHALLOW_OF_ALL];

impl JavaScript {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError`] if the dump is not a snapshot, or the task is cancelled.
    pub fn of(from: TableContext<'_>, asked: JavaScriptQuery, task: &Task) -> Result<Self, TableError> {
        let of = opened(from)?;
        Ok(match asked {
            JavaScriptQuery::RetainedBy => {
                let found = RetainerKind::ALL.map(|by| held(of, by, task));
                Self::held(from, &found.into_iter().collect::<Result<Vec<_>, _>>()?)
            }
            JavaScriptQuery::NativeContexts => Self::native_contexts(from, &native_contexts(of, task)?),
            JavaScriptQuery::Detached => Self::detached(from, &detached(of, task)?),
            JavaScriptQuery::Closures => Self::closures(from, &closures(of, task)?),
            JavaScriptQuery::Timeline => Self::timeline(&timeline(of, task)?),
            JavaScriptQuery::Allocated { first, last } => {
                let mut bars = timeline(of, task)?;
                bars.retain(|bar| (first..=last).contains(&(bar.micros / 1_000)));
                Self::allocated(from, asked, &allocated_in(of, &bars, task)?)
            }
        })
    }

    /// Rows by kind of retainer.
    pub fn held(from: TableContext<'_>, found: &[RetainedPart]) -> Self {
        let row = |of: &RetainedPart| {
            let Totals { objects, shallow } = of.totals;
            let (name, keepers) = (Cell::Text(of.by.word().to_owned()), Cell::Count(of.keepers));
            vec![name, keepers, Cell::Count(objects), Cell::Size(shallow), share(from, shallow)]
        };
        Self { asked: JavaScriptQuery::RetainedBy, rows: found.iter().map(row).collect() }
    }

    /// Contexts, then shared and unattributed objects.
    pub fn native_contexts(from: TableContext<'_>, found: &NativeContexts) -> Self {
        let row = |name: &str, id: Cell, totals: Totals| {
            let Totals { objects, shallow } = totals;
            vec![Cell::Text(name.to_owned()), id, Cell::Count(objects), Cell::Size(shallow), share(from, shallow)]
        };
        let of_context = |of: &NativeContextRow| row(&of.name, id(from, of.context), of.totals);
        let others = [(SHARED, found.shared), (NOBODYS, found.nobodys)];
        let others = others.into_iter().map(|(name, totals)| row(name, Cell::Nothing, totals));
        Self { asked: JavaScriptQuery::NativeContexts, rows: found.rows.iter().map(of_context).chain(others).collect() }
    }

    /// Detached nodes by class and retainer.
    pub fn detached(from: TableContext<'_>, found: &[DetachedRow]) -> Self {
        let row = |of: &DetachedRow| {
            vec![
                Cell::Text(of.class.clone()),
                Cell::Text(of.holder.clone()),
                of.holder_object.map_or(Cell::Nothing, |holder| id(from, holder)),
                Cell::Count(of.objects),
                Cell::Size(of.shallow),
                Cell::Size(of.retained),
                of.first.first().map_or(Cell::Nothing, |&example| id(from, example)),
            ]
        };
        Self { asked: JavaScriptQuery::Detached, rows: found.iter().map(row).collect() }
    }

    /// Functions.
    pub fn closures(from: TableContext<'_>, found: &[ClosureRow]) -> Self {
        let row = |of: &ClosureRow| {
            let variables: Vec<&str> = of.variables.iter().map(|(name, _)| name.as_str()).collect();
            vec![
                Cell::Text(of.function.clone()),
                of.source.as_ref().map_or(Cell::Nothing, |source| Cell::Text(source.to_string())),
                Cell::Count(of.closures),
                Cell::Size(of.shallow),
                Cell::Size(of.retained),
                Cell::Size(of.captured),
                Cell::Text(variables.join(", ")),
                of.first.first().map_or(Cell::Nothing, |&example| id(from, example)),
            ]
        };
        Self { asked: JavaScriptQuery::Closures, rows: found.iter().map(row).collect() }
    }

    /// Times of a recording.
    pub fn timeline(bars: &[Bar]) -> Self {
        let row = |bar: &Bar| {
            let (time, last) = (Cell::Count(bar.micros / 1_000), Cell::Count(bar.last));
            vec![time, last, Cell::Count(bar.totals.objects), Cell::Size(bar.totals.shallow)]
        };
        Self { asked: JavaScriptQuery::Timeline, rows: bars.iter().map(row).collect() }
    }

    /// Classes of live objects allocated in an interval.
    pub fn allocated(from: TableContext<'_>, asked: JavaScriptQuery, found: &[ClassPart]) -> Self {
        let row = |part: &ClassPart| {
            let Totals { objects, shallow } = part.totals;
            let name = Cell::Text(from.heap.classes.get(part.class).name.to_string());
            vec![name, Cell::Count(objects), Cell::Size(shallow)]
        };
        Self { asked, rows: found.iter().map(row).collect() }
    }
}

fn id(from: TableContext<'_>, object: ObjectId) -> Cell {
    Cell::Text(from.heap.id_text(object))
}

fn share(from: TableContext<'_>, bytes: Bytes) -> Cell {
    Cell::Share(Share::of(bytes, from.analysis.shown.shallow))
}

/// Snapshot data for JavaScript analyses.
///
/// # Errors
/// If the dump is not a JavaScript snapshot.
pub fn opened(from: TableContext<'_>) -> Result<Opened<'_>, TableError> {
    let TableContext { heap, contents, analysis, .. } = from;
    let is_one = heap.snapshot().is_some();
    let refused = || {
        TableError::InvalidQuery(
            "not a JavaScript heap snapshot: open a .heapsnapshot, .heaptimeline or .rawheap file".to_owned(),
        )
    };
    if is_one { Ok(Opened { heap, contents, analysis }) } else { Err(refused()) }
}

impl Table for JavaScript {
    fn old_columns(&self) -> &'static [Heading] {
        self.asked.columns()
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        self.rows.get(row).and_then(|row| row.get(column)).cloned().unwrap_or(Cell::Nothing)
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let cells = self.rows.get(row).into_iter().flatten();
        cells.into_iter().any(|cell| matches!(cell, Cell::Text(text) if filter.matches(text)))
    }
}
