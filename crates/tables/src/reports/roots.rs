//! GC roots by kind, with the largest of each kind below it.

use super::rows::{Cell, Row, Rows};
use crate::{TableContext, dump::roots::root_table};
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed roots of a kind.
const LISTED: usize = 1_000;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let analysis = &dump.analysis;
    let table = root_table(TableContext::of(dump));
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for kind in &table.rows {
        task.checkpoint()?;
        all.extend_from_slice(&kind.objects);
        let cells = vec![Cell::count(kind.objects.len() as u64), Cell::bytes(kind.retained)];
        rows.push(Row::words(0, kind.kind.name(), cells));
        let mut biggest = kind.objects.clone();
        biggest.sort_by_key(|&object| (std::cmp::Reverse(analysis.retained(object)), object));
        let more = biggest.len().saturating_sub(LISTED);
        biggest.truncate(LISTED);
        rows.extend(biggest.into_iter().map(|object| {
            Row::object(dump, 1, None, object, vec![Cell::EMPTY, Cell::bytes(analysis.retained(object))])
        }));
        if more > 0 {
            let words = format!("{} smaller roots", Count(more as u64));
            rows.push(Row { found_by: String::new(), ..Row::words(1, words, Vec::new()) });
        }
    }
    let counted = all.len();
    all.sort_unstable();
    all.dedup();
    // An object may be a root of several types.
    let objects = || format!(" · {}", Count(all.len() as u64).of("object", "objects"));
    let objects = if all.len() < counted { objects() } else { String::new() };
    let summary = format!("{}{objects}", Count(counted as u64).of("root", "roots"));
    Ok(Rows::new(table, rows, summary))
}
