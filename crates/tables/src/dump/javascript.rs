//! Tables of JavaScript snapshots only.

use std::sync::Arc;

use crate::columns::{Column, Columns, Item, heading, headings, json};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::{Relation, relation};
use crate::{List, Table, TableContext, TableError};
use heaplens_analysis::DumpData;
use heaplens_analysis::javascript::by_class::ClassPart;
use heaplens_analysis::javascript::closures::{ClosureRow, closures};
use heaplens_analysis::javascript::detached::{DetachedRow, detached};
use heaplens_analysis::javascript::native_contexts::{NativeContextRow, NativeContexts, native_contexts};
use heaplens_analysis::javascript::retained_by::{RetainedPart, RetainerKind, retained_by};
use heaplens_analysis::javascript::timeline::{Bar, allocated_in, timeline};
use heaplens_base::{Name, Named, Task};
use heaplens_heap::{Heap, ObjectId, Totals, contents::ScriptLocation};
use heaplens_session::OpenSettings;

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
}

/// All queries in output order.
impl Named for JavaScriptQuery {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(
            Self::RetainedBy,
            "retained-by",
            "Objects retained only by detached nodes, closure contexts, console or event listeners",
        )
        .or("held"),
        Name::new(Self::NativeContexts, "native-contexts", "Memory per native context (page, iframe, vm context)"),
        Name::new(Self::Detached, "detached", "Detached DOM nodes by class and owner"),
        Name::new(Self::Closures, "closures", "Functions with source location, closures and captured variables"),
        Name::new(Self::Timeline, "timeline", "Live objects by allocation time; needs a recorded allocation timeline"),
    ];
}

impl JavaScriptQuery {
    /// Key in JSON.
    pub fn json_key(self) -> String {
        if self == Self::RetainedBy { "held".to_owned() } else { self.word().replace('-', "_") }
    }

    /// Its table.
    pub fn relation(self) -> &'static Relation {
        match self {
            Self::RetainedBy => &RETAINED_BY,
            Self::NativeContexts => &NATIVE_CONTEXTS,
            Self::Detached => &DETACHED_NODES,
            Self::Closures => &FUNCTIONS,
            Self::Timeline => &ALLOCATION_TIMELINE,
        }
    }
}

/// Name of the row of objects reachable from several native contexts.
pub const SHARED: &str = "(shared)";
/// Name of the row of objects reachable from none.
pub const UNATTRIBUTED: &str = "(none)";

pub(crate) const RETAINERS: Columns<Item<RetainerRow>> = &[&[
    heading("by", "Retained by", "Filter of DevTools: objects reachable only through such objects or references")
        .text(|row, _| Some(row.by.word().into())),
    heading("keepers", "Retainers", "Number of detached nodes, contexts, console references or event listeners")
        .count(|row, _| Some(row.keepers)),
    headings::OBJECTS.count(|row, _| Some(row.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.totals.shallow)),
    headings::SHARE_OF_SHALLOW.share(|row, dump| Some(dump.share(row.totals.shallow))),
]];
pub(crate) const CONTEXTS: Columns<Item<ContextRow>> = &[&[
    heading("name", "Native context", "Global scope (page, iframe or vm context) that the objects belong to")
        .text(|row, _| Some(row.name.as_str().into())),
    headings::ID.object(|row, _| row.context),
    headings::OBJECTS.count(|row, _| Some(row.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.totals.shallow)),
    headings::SHARE_OF_SHALLOW.share(|row, dump| Some(dump.share(row.totals.shallow))),
]];
pub(crate) const DETACHED: Columns<Item<DetachedRow>> = &[&[
    headings::CLASS.text(|row, _| Some(row.class.as_str().into())),
    heading("holder", "Retainer", "Class and property of the nearest retainer that is not a detached node")
        .text(|row, _| Some(row.holder.as_str().into())),
    heading("holder_id", "Retainer object", "Id of one such retainer").object(|row, _| row.holder_object),
    headings::OBJECTS.count(|row, _| Some(row.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
    headings::EXAMPLE.object(|row, _| row.first.first().copied()),
]];
pub(crate) const CLOSURES: Columns<Item<ClosureRow>> = &[&[
    heading("function", "Function", "Function name").text(|row, _| Some(row.function.as_str().into())),
    heading("source", "Source", "Script, line and column of the function")
        .text(|row, _| Some(row.source.as_ref()?.to_string().into())),
    Column::of_json("generated", |row, _, _, out| json(out, &row.source.as_ref().and_then(ScriptLocation::generated))),
    heading("closures", "Closures", "Number of closures of this function").count(|row, _| Some(row.closures)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
    heading("captured_bytes", "Captured", "Retained size of the contexts with the captured variables")
        .bytes(|row, _| Some(row.captured)),
    heading("variables", "Variables", "Variables in the context of the closure with the largest retained size").text(
        |row, _| {
            let variables: Vec<&str> = row.variables.iter().map(|(name, _)| name.as_str()).collect();
            Some(variables.join(", ").into())
        },
    ),
    headings::EXAMPLE.object(|row, _| row.first.first().copied()),
]];
pub(crate) const TIMELINE: Columns<Item<Bar>> = &[&[
    heading("milliseconds", "Time (ms)", "End of the interval in milliseconds since the recording began")
        .count(|bar, _| Some(bar.micros / 1_000)),
    heading("last_id", "Last id", "Highest object id assigned in the interval").count(|bar, _| Some(bar.last)),
    headings::OBJECTS.count(|bar, _| Some(bar.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|bar, _| Some(bar.totals.shallow)),
]];
pub(crate) const ALLOCATED: Columns<Item<ClassPart>> = &[&[
    headings::CLASS.text(|row, dump| dump.class_name(row.class)),
    headings::OBJECTS.count(|row, _| Some(row.totals.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.totals.shallow)),
]];

/// Objects retained only by detached nodes, closure contexts, the console or event listeners.
pub const RETAINED_BY: Relation =
    relation!("javascript --of retained-by", RETAINERS).of_snapshots().computed("Retained by", |dump, _, task| {
        let of = opened(dump)?;
        let parts = RetainerKind::ALL.map(|by| retained_by(of, by, task));
        Ok(Arc::new(retainer_table(&parts.into_iter().collect::<Result<Vec<_>, _>>()?)))
    });

/// Memory per global scope.
pub const NATIVE_CONTEXTS: Relation = relation!("javascript --of native-contexts", CONTEXTS)
    .of_snapshots()
    .named("native_contexts", "JavaScript: native contexts")
    .computed("Native contexts", |dump, _, task| Ok(Arc::new(context_table(&native_contexts(opened(dump)?, task)?))));

/// Detached nodes by class and retainer.
pub const DETACHED_NODES: Relation = relation!("javascript --of detached", DETACHED)
    .of_snapshots()
    .named("detached", "JavaScript: detached nodes")
    .sorted_by("retained_bytes")
    .naming_objects()
    .computed("Detached nodes", |dump, _, task| {
        Ok(Arc::new(List::new(DETACHED, detached(opened(dump)?, dump.namer, task)?)))
    });

/// Closures with captured variables, by function.
pub const FUNCTIONS: Relation = relation!("javascript --of closures", CLOSURES)
    .of_snapshots()
    .named("closures", "JavaScript: functions by source position")
    .sorted_by("retained_bytes")
    .computed("Closures", |dump, _, task| Ok(Arc::new(List::new(CLOSURES, closures(opened(dump)?, task)?))));

/// Allocation timeline.
pub const ALLOCATION_TIMELINE: Relation = relation!("javascript --of timeline", TIMELINE)
    .of_snapshots()
    .computed("Allocation timeline", |dump, _, task| Ok(Arc::new(List::new(TIMELINE, timeline(opened(dump)?, task)?))));

/// Live objects allocated in an interval, by class.
pub const ALLOCATED_BY_CLASS: Relation = relation!("javascript --of timeline --between", ALLOCATED).of_snapshots();

/// Objects retained only by one kind of retainer.
pub struct RetainerRow {
    by: RetainerKind,
    keepers: u64,
    totals: Totals,
}

/// Objects of a native context; of none, or of several: without an object.
pub struct ContextRow {
    name: String,
    context: Option<ObjectId>,
    totals: Totals,
}

/// Query for the live objects allocated in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocatedQuery {
    /// Begin in milliseconds since the recording began.
    pub first: u64,
    /// End in milliseconds.
    pub last: u64,
}

impl TableKind for AllocatedQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&ALLOCATED_BY_CLASS)
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        let of = opened(dump)?;
        let mut bars = timeline(of, task)?;
        bars.retain(|bar| (self.first..=self.last).contains(&(bar.micros / 1_000)));
        Ok(Arc::new(List::new(ALLOCATED, allocated_in(of, &bars, task)?)))
    }

    fn command(&self, _heap: &Heap, opened: &OpenSettings) -> Question {
        let line = Question::new("javascript", opened).option("of", "timeline");
        line.option("between", format!("{}-{}", self.first, self.last))
    }
}

/// Rows by kind of retainer.
pub fn retainer_table(parts: &[RetainedPart]) -> List<RetainerRow> {
    let row = |of: &RetainedPart| RetainerRow { by: of.by, keepers: of.keepers, totals: of.totals };
    List::new(RETAINERS, parts.iter().map(row).collect())
}

/// Contexts, then shared and unattributed objects.
pub fn context_table(contexts: &NativeContexts) -> List<ContextRow> {
    let of_context =
        |of: &NativeContextRow| ContextRow { name: of.name.clone(), context: Some(of.context), totals: of.totals };
    let others = [(SHARED, contexts.shared), (UNATTRIBUTED, contexts.nobodys)];
    let others = others.map(|(name, totals)| ContextRow { name: name.to_owned(), context: None, totals });
    List::new(CONTEXTS, contexts.rows.iter().map(of_context).chain(others).collect())
}

/// Snapshot data for JavaScript analyses.
///
/// # Errors
/// If the dump is not a JavaScript snapshot.
pub fn opened(dump: TableContext<'_>) -> Result<DumpData<'_>, TableError> {
    let is_one = dump.heap.snapshot().is_some();
    let refused = || {
        TableError::InvalidQuery(
            "not a JavaScript heap snapshot: open a .heapsnapshot, .heaptimeline or .rawheap file".to_owned(),
        )
    };
    if is_one { Ok(dump.data()) } else { Err(refused()) }
}
