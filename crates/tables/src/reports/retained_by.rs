//! Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
//! side by side, with the objects of each by class.

use super::class_parts::class_rows;
use super::rows::{Cell, Row, Rows};
use crate::TableContext;
use crate::dump::javascript::{opened, retainer_table};
use heaplens_analysis::javascript::by_class::by_class;
use heaplens_analysis::javascript::retained_by::{RetainedPart, RetainerKind, retained_by};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let of = opened(TableContext::of(dump))?;
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for by in RetainerKind::ALL {
        let retained_part = retained_by(of, by, task)?;
        rows.push(keeper_row(&retained_part));
        for part in by_class(of, retained_part.objects.iter().filter_map(ObjectId::from_raw), |_| true, task)? {
            class_rows(dump, &part, 1, &mut rows);
        }
        all.push(retained_part);
    }
    let some = all.iter().filter(|retained_part| retained_part.totals.objects > 0).count();
    let summary = if some == 0 { "no object is retained only by one of these".to_owned() } else { String::new() };
    Ok(Rows::new(retainer_table(&all), rows, summary))
}

fn keeper_row(of: &RetainedPart) -> Row {
    let (objects, shallow) = (Cell::count(of.totals.objects), Cell::bytes(of.totals.shallow));
    Row::words(0, of.by.name(), vec![objects, shallow, Cell::EMPTY, Cell::count(of.keepers)])
}
