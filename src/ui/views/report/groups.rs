//! Histogram by package, class loader or superclass, with the classes of each group.

use std::sync::Arc;

use super::Kind;
use super::rows::{Cell, Name, Row, Rows};
use crate::ui::views::histogram::baseline::BaselineClasses;
use crate::ui::widgets::table::Column;
use heaplens_analysis::diff::Change;
use heaplens_analysis::grouping::{GroupBy, GroupRow};
use heaplens_base::task::Task;
use heaplens_base::units::Count;
use heaplens_core::heap::ids::ClassId;
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::Groups;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::row_target::RowTarget;
use heaplens_tables::table_query::TableKind;

const fn columns(title: &'static str, about: &'static str) -> [Column; 5] {
    [
        Column::words(title, about, 240.0),
        Column::numbers("Classes", "Number of classes with objects", 84.0, 4),
        Column::numbers("Objects", "Number of objects", 104.0, 6),
        Column::numbers("Shallow size", "Total bytes of the objects themselves", 168.0, 7),
        Column::numbers(
            "Retained size",
            "Bytes freed if all of these objects were collected; each byte counted once",
            168.0,
            8,
        ),
    ]
}

/// The same columns for a comparison.
const fn compared(title: &'static str, about: &'static str) -> [Column; 8] {
    let [name, classes, objects, shallow, retained] = columns(title, about);
    [
        Column { width: 190.0, ..name },
        Column { rank: 2, ..classes },
        Column { width: 88.0, ..objects },
        Column { width: 144.0, ..shallow },
        Column { width: 144.0, ..retained },
        Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 5),
        Column::numbers("Δ shallow", "Change in shallow size (after − before)", 100.0, 8),
        Column::numbers("Δ retained", "Change in retained size (after − before)", 104.0, 4),
    ]
}

const COMPARED_KEYS: &[&str] = &["group", "classes", "objects", "shallow_bytes", "retained_bytes", "", "", ""];

/// By package.
pub const PACKAGES: Kind = Kind {
    name: "Packages",
    columns: &columns("Package", "Package; expand it to see its classes"),
    sorted: Some((3, true)),
    filter: "Filter by package or class",
    nothing: ("No objects", "No object is reachable from a GC root"),
    keys: &["group", "classes", "objects", "shallow_bytes", "retained_bytes"],
    subject: Some(TableKind::Groups(GroupBy::Package)),
    make: |dump, task| make(dump, GroupBy::Package, task),
};

/// By class loader.
pub const LOADERS: Kind = Kind {
    name: "Classes by loader",
    columns: &columns("Class loader", "Class loader; expand it to see the classes it defined"),
    filter: "Filter by loader or class",
    subject: Some(TableKind::Groups(GroupBy::Loader)),
    make: |dump, task| make(dump, GroupBy::Loader, task),
    ..PACKAGES
};

/// By superclass.
pub const SUPERCLASSES: Kind = Kind {
    name: "Classes by superclass",
    columns: &columns("Superclass", "Class; expand it to see its direct subclasses"),
    filter: "Filter by class",
    subject: Some(TableKind::Groups(GroupBy::Superclass)),
    make: |dump, task| make(dump, GroupBy::Superclass, task),
    ..PACKAGES
};

/// By package, compared with the baseline.
pub const PACKAGES_COMPARED: Kind =
    Kind { columns: &compared("Package", "Package; expand it to see its classes"), keys: COMPARED_KEYS, ..PACKAGES };

/// By class loader, compared.
pub const LOADERS_COMPARED: Kind = Kind {
    columns: &compared("Class loader", "Class loader; expand it to see the classes it defined"),
    keys: COMPARED_KEYS,
    ..LOADERS
};

/// By superclass, compared.
pub const SUPERCLASSES_COMPARED: Kind = Kind {
    columns: &compared("Superclass", "Class; expand it to see its direct subclasses"),
    keys: COMPARED_KEYS,
    ..SUPERCLASSES
};

fn make(dump: &OpenDump, by: GroupBy, task: &Task) -> Result<Rows, JobError> {
    let table = Groups::of(TableContext::of(dump), by, task)?;
    let found = &table.rows;
    let before = BaselineClasses::of(dump);
    let groups = before.as_ref().map(|before| before.groups(by, task)).transpose()?;
    let mut rows = Vec::new();
    let summary = Count(found.len() as u64).of("group", "groups");
    for group in found {
        task.checkpoint()?;
        let mut members = group.members.clone();
        members.sort_by_key(|&class| (std::cmp::Reverse(dump.analysis.class_totals(class).shallow), class));
        let row = group_row(group);
        rows.push(match &groups {
            Some(groups) => compared_row(row, groups.of(group)),
            None => row,
        });
        rows.extend(members.into_iter().map(|class| match &before {
            Some(before) => compared_row(class_row(dump, class), before.class(class)),
            None => class_row(dump, class),
        }));
    }
    Ok(Rows::new(Arc::new(table), rows, summary))
}

/// Adds the change since the baseline to a row; empty if it cannot be matched.
fn compared_row(mut row: Row, change: Option<Change>) -> Row {
    row.cells.extend(match change {
        None => [Cell::Empty, Cell::Empty, Cell::Empty],
        Some(change) => {
            let (shallow, retained) = (Cell::GrownBy(change.shallow()), Cell::GrownBy(change.retained()));
            [Cell::More(change.objects()), shallow, retained]
        }
    });
    row
}

fn group_row(group: &GroupRow) -> Row {
    Row {
        depth: 0,
        found_by: group.name.clone(),
        cells: vec![
            Cell::Count(group.members.len() as u64),
            Cell::Count(group.objects),
            Cell::Bytes(group.shallow),
            Cell::Bytes(group.retained),
        ],
        leads: group.object.map_or(RowTarget::Nowhere, RowTarget::To),
        name: Name::Words(group.name.clone()),
    }
}

fn class_row(dump: &OpenDump, class: ClassId) -> Row {
    let (name, totals) = (&dump.heap.classes.get(class).name, dump.analysis.class_totals(class));
    Row {
        depth: 1,
        name: Name::Class(name.clone()),
        found_by: name.to_string(),
        cells: vec![
            Cell::Empty,
            Cell::Count(totals.objects),
            Cell::Bytes(totals.shallow),
            Cell::Bytes(dump.analysis.class_retained(class)),
        ],
        leads: RowTarget::ToClass(class),
    }
}
