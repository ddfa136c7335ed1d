//! Tables: a query of a dump → sorted rows → CSV, JSON or text. The
//! command line prints these tables and the window exports and copies them, so
//! that both agree.

pub mod columns;
pub mod query;
pub mod table;

pub mod diff;
pub mod dump;
pub mod paths;

pub mod leak_list;
pub mod reports;
pub mod search;
pub mod trees;

pub mod clips;
pub mod export;

pub mod declared;
pub mod reference;

pub use columns::{ColumnInfo, ColumnKind};
pub use dump::{
    AggregatedPaths, Bitmaps, Classes, FoldedLevel, Level, MergedPaths, Objects, OwnedObjects, OwnershipRoots,
    RetainedClasses, Sites, SnapshotLeakTable, Strings,
};
pub use query::{RowQuery, TableError};
pub use table::{OrderedRows, OutputForm, Table, Totals, TypedTable, write, write_list};
