//! Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
//! side by side, with the objects of each by class.

use std::sync::Arc;

use super::Kind;
use super::class_parts::class_rows;
use super::rows::{Cell, Name, Row, Rows};
use crate::ui::widgets::table::Column;
use heaplens_analysis::javascript::by_class::by_class;
use heaplens_analysis::javascript::retained_by::{RetainedPart, RetainerKind, held};
use heaplens_base::task::Task;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::JavaScript;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::javascript::{JavaScriptQuery, opened};
use heaplens_tables::row_target::RowTarget;
use heaplens_tables::table_query::TableKind;

/// The report.
pub(super) const KEPT_BY: Kind = Kind {
    name: "Retained by",
    columns: &[
        Column::words(
            "Retained by",
            "Kind of retainer; below it, by class, the objects that only this kind retains",
            250.0,
        ),
        Column::numbers("Objects", "Number of objects retained only by this kind of retainer", 96.0, 6),
        Column::numbers("Shallow size", "Total bytes of these objects themselves", 152.0, 8),
        Column::numbers("Retained size", "", 104.0, 4),
        Column::numbers(
            "Retainers",
            "Number of detached nodes, contexts, console references or event listeners of this kind",
            88.0,
            5,
        ),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class",
    nothing: (
        "No such objects",
        "Detached DOM nodes, closure contexts, the console and event listeners exist only in V8 snapshots",
    ),
    keys: &["by", "objects", "shallow_bytes", "", "keepers"],
    subject: Some(TableKind::JavaScript(JavaScriptQuery::RetainedBy)),
    make,
};

fn make(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let of = opened(TableContext::of(dump))?;
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for by in RetainerKind::ALL {
        let found = held(of, by, task)?;
        rows.push(keeper_row(&found));
        for part in by_class(of, found.objects.iter().filter_map(ObjectId::from_raw), |_| true, task)? {
            class_rows(dump, &part, 1, &mut rows);
        }
        all.push(found);
    }
    let some = all.iter().filter(|found| found.totals.objects > 0).count();
    let summary = if some == 0 { "no object is retained only by one of these".to_owned() } else { String::new() };
    Ok(Rows::new(Arc::new(JavaScript::held(TableContext::of(dump), &all)), rows, summary))
}

fn keeper_row(of: &RetainedPart) -> Row {
    Row {
        depth: 0,
        name: Name::Words(of.by.name().to_owned()),
        found_by: of.by.name().to_owned(),
        cells: vec![
            Cell::Count(of.totals.objects),
            Cell::Bytes(of.totals.shallow),
            Cell::Empty,
            Cell::Count(of.keepers),
        ],
        leads: RowTarget::Nowhere,
    }
}
