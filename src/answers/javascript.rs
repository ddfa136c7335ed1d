//! What only snapshots of JavaScript engines answer, as tables: rows are worked out once, cell by cell.

use super::{Table, Trouble};
use crate::analysis::filter::TextFilter;
use crate::analysis::javascript::closures::{ClosureRow, closures};
use crate::analysis::javascript::detached::{DetachedRow, detached};
use crate::analysis::javascript::held::{HeldBy, held};
use crate::analysis::javascript::native_contexts::{NativeContextRow, native_contexts};
use crate::analysis::javascript::timeline::timeline;
use crate::analysis::javascript::{FORMAT, Opened};
use crate::export::dictionary::Dictionary;
use crate::export::table::{Cell, Column, column};
use crate::heap::ids::ObjectId;
use crate::heap::totals::Totals;
use crate::task::Task;
use crate::units::{Bytes, Share};

/// What is asked of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// What detached nodes, contexts, the console and event handlers keep.
    Held,
    /// What belongs to which global scope.
    NativeContexts,
    /// Detached nodes by class and by who holds them.
    Detached,
    /// Functions with what they capture.
    Closures,
    /// When what is there was allocated.
    Timeline,
}

impl Asked {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::Held, Self::NativeContexts, Self::Detached, Self::Closures, Self::Timeline];

    /// The word that the command line has for it; in json with `_`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::NativeContexts => "native-contexts",
            Self::Detached => "detached",
            Self::Closures => "closures",
            Self::Timeline => "timeline",
        }
    }

    /// What people read above the rows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Held => "What is kept, and by whom",
            Self::NativeContexts => "Native contexts",
            Self::Detached => "Detached nodes",
            Self::Closures => "Functions",
            Self::Timeline => "Allocation timeline",
        }
    }

    fn columns(self) -> &'static [Column] {
        match self {
            Self::Held => &HELD,
            Self::NativeContexts => &CONTEXTS,
            Self::Detached => &DETACHED,
            Self::Closures => &CLOSURES,
            Self::Timeline => &TIMELINE,
        }
    }
}

const HELD: [Column; 5] = [
    column("by", "Kept by"),
    column("keepers", "Keepers"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("share", "Share"),
];
const CONTEXTS: [Column; 5] = [
    column("name", "Native context"),
    column("id", "Object"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("share", "Share"),
];
const DETACHED: [Column; 7] = [
    column("class", "Class"),
    column("holder", "Held by"),
    column("holder_id", "Holder"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
    column("id", "Example"),
];
const CLOSURES: [Column; 8] = [
    column("function", "Function"),
    column("source", "Source"),
    column("closures", "Closures"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
    column("captured_bytes", "Captured"),
    column("variables", "Variables"),
    column("id", "Example"),
];
const TIMELINE: [Column; 4] = [
    column("milliseconds", "Milliseconds"),
    column("last_id", "Last number"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
];

/// The rows of an answer.
pub struct JavaScript {
    asked: Asked,
    rows: Vec<Vec<Cell>>,
}

impl JavaScript {
    /// Works them out.
    ///
    /// # Errors
    /// [`Trouble`] when the dump is no snapshot, or the task is cancelled.
    pub fn of(from: Dictionary<'_>, asked: Asked, task: &Task) -> Result<Self, Trouble> {
        let of = opened(from)?;
        let id = |object: ObjectId| Cell::Text(from.heap.id_text(object));
        let share = |bytes: Bytes| Cell::Share(Share::of(bytes, from.analyzed.shown.shallow));
        let rows = match asked {
            Asked::Held => {
                let mut rows = Vec::new();
                for by in HeldBy::ALL {
                    let found = held(of, by, task)?;
                    let Totals { objects, shallow } = found.totals;
                    let keepers = Cell::Count(found.keepers);
                    let name = Cell::Text(by.key().to_owned());
                    rows.push(vec![name, keepers, Cell::Count(objects), Cell::Size(shallow), share(shallow)]);
                }
                rows
            }
            Asked::NativeContexts => {
                let found = native_contexts(of, task)?;
                let row = |name: &str, id: Cell, totals: Totals| {
                    let Totals { objects, shallow } = totals;
                    vec![Cell::Text(name.to_owned()), id, Cell::Count(objects), Cell::Size(shallow), share(shallow)]
                };
                let of_context = |of: &NativeContextRow| row(&of.name, id(of.context), of.totals);
                let others = [("(shared)", found.shared), ("(none)", found.nobodys)];
                let others = others.into_iter().map(|(name, totals)| row(name, Cell::Nothing, totals));
                found.rows.iter().map(of_context).chain(others).collect()
            }
            Asked::Detached => {
                let row = |of: DetachedRow| {
                    vec![
                        Cell::Text(of.class),
                        Cell::Text(of.holder),
                        of.holder_object.map_or(Cell::Nothing, id),
                        Cell::Count(of.objects),
                        Cell::Size(of.shallow),
                        Cell::Size(of.retained),
                        id(of.example),
                    ]
                };
                detached(of, task)?.into_iter().map(row).collect()
            }
            Asked::Closures => {
                let row = |of: ClosureRow| {
                    vec![
                        Cell::Text(of.function),
                        of.source.map_or(Cell::Nothing, |source| Cell::Text(source.to_string())),
                        Cell::Count(of.closures),
                        Cell::Size(of.shallow),
                        Cell::Size(of.retained),
                        Cell::Size(of.captured),
                        Cell::Text(of.variables.join(", ")),
                        id(of.example),
                    ]
                };
                closures(of, task)?.into_iter().map(row).collect()
            }
            Asked::Timeline => {
                let bars = timeline(of, task)?.into_iter().map(|bar| {
                    let (time, last) = (Cell::Count(bar.micros / 1_000), Cell::Count(bar.last));
                    vec![time, last, Cell::Count(bar.totals.objects), Cell::Size(bar.totals.shallow)]
                });
                bars.collect()
            }
        };
        Ok(Self { asked, rows })
    }
}

/// A snapshot as questions about JavaScript take it.
///
/// # Errors
/// When the dump is none.
pub fn opened(from: Dictionary<'_>) -> Result<Opened<'_>, Trouble> {
    let Dictionary { heap, contents, analyzed, .. } = from;
    let is_one = &*heap.origin.format == FORMAT && heap.snapshot().is_some();
    let refused = || Trouble::Wish("this is no heap snapshot of a JavaScript engine".to_owned());
    if is_one { Ok(Opened { heap, contents, analyzed }) } else { Err(refused()) }
}

impl Table for JavaScript {
    fn columns(&self) -> &'static [Column] {
        self.asked.columns()
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, _from: Dictionary<'_>, row: usize, column: usize) -> Cell {
        self.rows.get(row).and_then(|row| row.get(column)).cloned().unwrap_or(Cell::Nothing)
    }

    fn passes(&self, _from: Dictionary<'_>, row: usize, filter: &TextFilter) -> bool {
        let cells = self.rows.get(row).into_iter().flatten();
        cells.into_iter().any(|cell| matches!(cell, Cell::Text(text) if filter.matches(text)))
    }
}
