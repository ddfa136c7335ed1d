//! The objects behind a selected top-level row of a report, which the inspector shows as a group.

use super::NamedCells;
use heaplens_analysis::WasteKind;
use heaplens_analysis::dominator_tree::{FoldKind, PartitionBy};
use heaplens_analysis::histogram::objects_of;
use heaplens_analysis::waste::waste_objects;
use heaplens_base::{Count, Task};
use heaplens_heap::ObjectId;
use heaplens_session::OpenDump;
use heaplens_session::open_dump::selection::{Group, Listing, RowTotals};
use heaplens_tables::RowTarget;
use heaplens_tables::columns::Value;
use heaplens_tables::dump::group_name::GroupName;

/// The objects of a row that counts them.
fn listing(row: &NamedCells<'_>, name: impl FnOnce(u64) -> String) -> Option<Listing> {
    let &Value::Count(objects) = row.value("objects") else { return None };
    let group = Some(Group { name: name(objects), owners: None });
    Some(Listing { together: RowTotals::Objects(objects), group, ..Listing::default() })
}

/// Objects of a kind of waste.
pub(super) fn of_waste(dump: &OpenDump, row: &NamedCells<'_>) -> Option<Listing> {
    let Value::Text(key) = row.value("kind") else { return None };
    let kind = WasteKind::of_key(key)?;
    let dump = dump.clone();
    let list = Box::new(move |task: &Task| waste_objects(dump.data(), kind, task));
    Some(Listing { list, ..listing(row, |objects| format!("{} ×{}", kind.title(), Count(objects)))? })
}

/// Collections of a class.
pub(super) fn of_collections(dump: &OpenDump, row: &NamedCells<'_>) -> Option<Listing> {
    let RowTarget::Class(class) = row.target else { return None };
    let kind = FoldKind::Group(PartitionBy::Class, class);
    let name = |objects| GroupName::new(&dump.heap, (&kind, objects), None, |_: ObjectId| None).plain();
    let of = dump.clone();
    let list = Box::new(move |task: &Task| objects_of(of.data(), class, task));
    Some(Listing { list, ..listing(row, name)? })
}
