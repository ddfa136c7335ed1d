//! Live objects allocated in a range of the recording, by class; below each class its largest objects.

use std::sync::Arc;

use super::{class_parts::class_rows, rows::Rows};
use crate::dump::javascript::{ALLOCATED, AllocatedQuery, opened};
use crate::{List, TableContext};
use heaplens_analysis::javascript::timeline::{Bar, allocated_in};
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Rows for a range of the recording.
pub fn rows(dump: &OpenDump, bars: &[Bar], task: &Task) -> Result<Rows, JobError> {
    let parts = allocated_in(opened(TableContext::of(dump))?, bars, task)?;
    let mut rows = Vec::new();
    for part in &parts {
        task.checkpoint()?;
        class_rows(dump, part, 0, &mut rows);
    }
    let summary = Count(parts.len() as u64).of("class", "classes");
    let time = |bar: Option<&Bar>| bar.map_or(0, |bar| bar.micros / 1_000);
    let (first, last) = (time(bars.first()), time(bars.last()));
    let mut rows = Rows::new(List::new(ALLOCATED, parts), rows, summary);
    rows.subject = Some(Arc::new(AllocatedQuery { first, last }));
    Ok(rows)
}
