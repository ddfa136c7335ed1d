//! Histogram by package, class loader or superclass: packages as a tree, with the classes of each group.

use std::collections::{BTreeMap, HashSet};

use super::baseline_classes::BaselineClasses;
use super::rows::{Cell, Name, Row, Rows};
use crate::RowTarget;
use crate::TableContext;
use crate::dump::groups::group_table;
use heaplens_analysis::{GroupBy, diff::Change, grouping::GroupRow};
use heaplens_base::{Count, Task};
use heaplens_heap::ClassId;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, by: GroupBy, task: &Task) -> Result<Rows, JobError> {
    let table = group_table(TableContext::of(dump), by, task)?;
    let before = BaselineClasses::of(dump);
    let groups = before.as_ref().map(|before| before.groups(by, task)).transpose()?;
    let mut rows = Vec::new();
    let summary = Count(table.rows.len() as u64).of("group", "groups");
    let below = below(&table.rows);
    // Rows that are still to be listed, with their depth, the next at the end.
    let mut waiting: Vec<(usize, usize)> = below.tops.iter().rev().map(|&at| (at, 0)).collect();
    while let Some((at, depth)) = waiting.pop() {
        task.checkpoint()?;
        let (Some(group), Some(below)) = (table.rows.get(at), below.of.get(at)) else { continue };
        let row = Row { depth, ..group_row(group) };
        rows.push(match &groups {
            Some(groups) => compared_row(row, groups.of(group)),
            None => row,
        });
        let further: HashSet<ClassId> = below.iter().flat_map(|&at| &table.rows[at].members).copied().collect();
        let mut members: Vec<ClassId> =
            group.members.iter().filter(|class| !further.contains(class)).copied().collect();
        members.sort_by_key(|&class| (std::cmp::Reverse(dump.analysis.class_totals(class).shallow), class));
        rows.extend(members.into_iter().map(|class| {
            let row = class_row(dump, depth + 1, class);
            match &before {
                Some(before) => compared_row(row, before.class(class)),
                None => row,
            }
        }));
        waiting.extend(below.iter().rev().map(|&at| (at, depth + 1)));
    }
    let tops = below.tops.iter().map(|&at| at as u32).collect();
    Ok(Rows::new(table, rows, summary).at(tops))
}

/// Which groups are below which, by index; those of one list in the order of the table.
struct Below {
    /// Groups below no other.
    tops: Vec<usize>,
    /// By group: those directly below it.
    of: Vec<Vec<usize>>,
}

/// Only packages are below others.
fn below(groups: &[GroupRow]) -> Below {
    let by_name: BTreeMap<&str, usize> = groups.iter().enumerate().map(|(at, row)| (&*row.name, at)).collect();
    let mut below = Below { tops: Vec::new(), of: vec![Vec::new(); groups.len()] };
    for (at, row) in groups.iter().enumerate() {
        // Names of loaders have dots, too, but are above none of others' classes.
        let above = row.name.rmatch_indices('.').filter_map(|(dot, _)| by_name.get(row.name.get(..dot)?));
        let has_all = |above: &&usize| {
            let others = &groups[**above].members;
            row.members.iter().all(|class| others.binary_search(class).is_ok())
        };
        let mut above = above.filter(has_all);
        match above.next() {
            Some(&above) => below.of[above].push(at),
            None => below.tops.push(at),
        }
    }
    below
}

/// Adds the change since the baseline to a row; empty if it cannot be matched.
fn compared_row(mut row: Row, change: Option<Change>) -> Row {
    row.cells.extend(match change {
        None => [Cell::EMPTY, Cell::EMPTY, Cell::EMPTY],
        Some(change) => {
            let (shallow, retained) = (Cell::byte_delta(change.shallow()), Cell::byte_delta(change.retained()));
            [Cell::count_delta(change.objects()), shallow, retained]
        }
    });
    row
}

fn group_row(group: &GroupRow) -> Row {
    let (classes, objects) = (Cell::count(group.members.len() as u64), Cell::count(group.objects));
    let cells = vec![classes, objects, Cell::bytes(group.shallow), Cell::bytes(group.retained)];
    let leads = group.object.map_or(RowTarget::None, RowTarget::Object);
    Row { leads, name: Name::Qualified(group.name.clone()), ..Row::words(0, &*group.name, cells) }
}

fn class_row(dump: &OpenDump, depth: usize, class: ClassId) -> Row {
    let (totals, retained) = (dump.analysis.class_totals(class), dump.analysis.class_retained(class));
    let (objects, shallow) = (Cell::count(totals.objects), Cell::bytes(totals.shallow));
    Row::class(dump, depth, class, vec![Cell::EMPTY, objects, shallow, Cell::bytes(retained)])
}
