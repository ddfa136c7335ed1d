//! Objects related to a set of objects: classes with the largest objects of each below, or groups with their classes.

use std::sync::Arc;

use super::rows::{Cell, Row, Rows};
use crate::TableContext;
use crate::dump::related::{RelatedQuery, class_of, name, related_table};
use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_analysis::related::{RelatedGroup, RelatedKind};
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, query: &RelatedQuery, task: &Task) -> Result<Rows, JobError> {
    let answer = query.find(TableContext::of(dump), task)?;
    let all = answer.totals();
    let groups = Count(answer.rows.iter().filter(|row| row.class.is_some()).count() as u64);
    let (one, several) = match query.group {
        PartitionBy::Class => ("class", "classes"),
        PartitionBy::Package => ("package", "packages"),
        PartitionBy::Loader => ("class loader", "class loaders"),
    };
    let summary = format!(
        "{} of {} · {} · of {}",
        Count(all.objects).of("object", "objects"),
        groups.of(one, several),
        all.shallow,
        Count(answer.set.objects).of("object", "objects"),
    );
    let table = related_table(answer, query.group);
    let mut rows = Vec::new();
    for related in &table.rows {
        task.checkpoint()?;
        rows.push(group_row(dump, related, query, 0));
        rows.extend(related.classes.iter().map(|class| group_row(dump, class, query, 1)));
        if class_of(related).is_some() {
            object_rows(dump, related, query.by, &mut rows);
        }
    }
    let mut rows = Rows::new(table, rows, summary);
    rows.subject = Some(Arc::new(query.clone()));
    Ok(rows)
}

/// Row of a class, package or class loader.
fn group_row(dump: &OpenDump, related: &RelatedGroup, query: &RelatedQuery, depth: usize) -> Row {
    let mut cells = cells(related, query.by);
    if query.group != PartitionBy::Class {
        let count = Count(related.classes.len() as u64);
        cells.insert(0, if count.0 > 0 { Cell::count(count.0) } else { Cell::EMPTY });
    }
    match class_of(related) {
        Some(class) => Row::class(dump, depth, class, cells),
        None => Row::words(depth, name(related, TableContext::of(dump)), cells),
    }
}

/// Rows of the largest objects of a class.
fn object_rows(dump: &OpenDump, related: &RelatedGroup, by: RelatedKind, rows: &mut Vec<Row>) {
    let figures = |object| {
        let shallow = vec![Cell::EMPTY, Cell::bytes(dump.heap.shallow(object))];
        if by == RelatedKind::Retained {
            return shallow;
        }
        let retained = Cell::bytes(dump.analysis.retained(object));
        [shallow, vec![retained, Cell::EMPTY]].concat()
    };
    rows.extend(related.largest.iter().map(|&object| Row::object(dump, 1, None, object, figures(object))));
    let more = related.totals.objects.saturating_sub(related.largest.len() as u64);
    if more > 0 {
        let words = format!("{} smaller objects", Count(more));
        rows.push(Row { found_by: String::new(), ..Row::words(1, words, Vec::new()) });
    }
}

/// Cells of a group. A retained set is freed as a whole: its parts have no figures of their own beyond their objects.
fn cells(row: &RelatedGroup, by: RelatedKind) -> Vec<Cell> {
    let size = |bytes: Option<Bytes>| bytes.map_or(Cell::EMPTY, Cell::bytes);
    let of_set = row.of_set.map_or(Cell::EMPTY, Cell::count);
    let objects = row.class.map_or(Cell::EMPTY, |_| Cell::count(row.totals.objects));
    let shallow = size(row.class.map(|_| row.totals.shallow));
    let own = vec![objects, shallow];
    if by == RelatedKind::Retained { own } else { [own, vec![size(row.retained), of_set]].concat() }
}
