//! Objects related to a set of objects: classes, and the largest objects of each below it.

use super::rows::{Cell, Row, Rows};
use crate::dump::related::{NO_DOMINATOR, RelatedQuery, related_table};
use crate::{TableContext, TableKind};
use heaplens_analysis::related::{RelatedClass, Relation};
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, query: &RelatedQuery, task: &Task) -> Result<Rows, JobError> {
    let found = query.find(TableContext::of(dump), task)?;
    let all = found.totals();
    let summary = format!(
        "{} of {} · {} · of {}",
        Count(all.objects).of("object", "objects"),
        Count(found.rows.len() as u64).of("class", "classes"),
        all.shallow,
        Count(found.set.objects).of("object", "objects"),
    );
    let table = related_table(found);
    let mut rows = Vec::new();
    for related in &table.rows {
        task.checkpoint()?;
        rows.push(match related.class {
            Some(class) => Row::class(dump, 0, class, cells(related, query.by)),
            None => Row::words(0, NO_DOMINATOR, cells(related, query.by)),
        });
        let figures = |object| {
            let shallow = vec![Cell::Empty, Cell::Bytes(dump.heap.shallow(object))];
            if query.by == Relation::Retained {
                return shallow;
            }
            let retained = Cell::Bytes(dump.analysis.retained(object));
            [shallow, vec![retained, Cell::Empty]].concat()
        };
        rows.extend(related.largest.iter().map(|&object| Row::object(dump, 1, None, object, figures(object))));
        let more = related.totals.objects.saturating_sub(related.largest.len() as u64);
        if more > 0 {
            let words = format!("{} smaller objects", Count(more));
            rows.push(Row { found_by: String::new(), ..Row::words(1, words, Vec::new()) });
        }
    }
    let mut rows = Rows::new(table, rows, summary);
    rows.subject = Some(TableKind::Related(query.clone()));
    Ok(rows)
}

/// Cells of a class. A retained set is freed as a whole: its classes have no figures of their own beyond their objects.
fn cells(row: &RelatedClass, by: Relation) -> Vec<Cell> {
    let size = |bytes: Option<Bytes>| bytes.map_or(Cell::Empty, Cell::Bytes);
    let of_set = row.of_set.map_or(Cell::Empty, Cell::Count);
    let objects = row.class.map_or(Cell::Empty, |_| Cell::Count(row.totals.objects));
    let shallow = size(row.class.map(|_| row.totals.shallow));
    let own = vec![objects, shallow];
    if by == Relation::Retained { own } else { [own, vec![size(row.retained), of_set]].concat() }
}
