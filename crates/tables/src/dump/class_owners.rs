//! Owners of the objects of each class: a table of all, and the main ones in a cell of the histogram.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::relation::{Relation, relation};
use crate::{Job, List, RowTarget, TableContext, TableError};
use heaplens_analysis::class_owners::{ClassOwners, ClassOwnersQuestion, NO_OWNER, OwnedObjects};
use heaplens_base::{Bytes, Count, Share, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Number of owners in a cell of the histogram.
pub const MAIN: usize = 3;

pub(crate) const COLUMNS: Columns<Item<OwnerRow>> = &[&[
    headings::CLASS.text(|row, dump| dump.class_name(row.objects.class)),
    heading("owner", "Held by", "Field, variable, method or thread that holds the objects, as the source names it")
        .text(|row, _| Some(row.owner.as_str().into())),
    heading("objects", "Objects", "Number of objects of the class that it holds")
        .count(|row, _| Some(row.objects.objects)),
    heading("shallow_bytes", "Shallow size", "Bytes of these objects themselves")
        .bytes(|row, _| Some(row.objects.bytes)),
    heading("share", "Share", "Part of the bytes of all objects of the class")
        .share(|row, dump| Some(share_of(row.objects.bytes, dump.analysis.class_totals(row.objects.class).shallow))),
    heading("qualified_owner", "Qualified owner", "The owner with its package")
        .text(|row, _| row.qualified.as_deref().map(Into::into)),
    headings::ID.object(|row, _| row.object),
]];

/// Owners of the objects of each class.
pub const CLASS_OWNERS: Relation = relation!("class-owners", COLUMNS)
    .named("class_owners", "Reachable objects by class and owner")
    .with_help(Job::Dump.more(), "List the owners of the objects of each class: fields, variables and threads")
    .sorted_by("shallow_bytes")
    .computed("Owners by class", |dump, _, task| Ok(Arc::new(table(dump, task)?)));

/// The objects of a class that one owner has.
pub struct OwnerRow {
    objects: OwnedObjects,
    owner: String,
    qualified: Option<String>,
    object: Option<ObjectId>,
}

/// Owners of the objects of all classes, most bytes first.
fn table(dump: TableContext<'_>, task: &Task) -> Result<List<OwnerRow>, TableError> {
    let owners = dump.data().answer(&ClassOwnersQuestion, task)?;
    // Objects of the other classes are counted for what owns them, as in the histogram.
    let is_listed = |row: &&OwnedObjects| !dump.heap.classes.get(row.class).unlisted;
    let mut rows: Vec<OwnedObjects> = owners.rows().iter().filter(is_listed).copied().collect();
    // By class where bytes are equal, and then as the owners of a class are listed.
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    let row = |objects: OwnedObjects| {
        let owner = owners.owner(&objects);
        OwnerRow {
            objects,
            owner: name(&owners, &objects).to_owned(),
            qualified: owner.and_then(|owner| owner.qualified.clone()),
            object: owner.and_then(|owner| owner.object),
        }
    };
    let list = List::new(COLUMNS, rows.into_iter().map(row).collect());
    let list = list.with_target(|row| row.object.map_or(RowTarget::Class(row.objects.class), RowTarget::Object));
    Ok(list.with_filter(|row, dump, filter| {
        let class = &dump.heap.classes.get(row.objects.class).name;
        filter.matches(class)
            || filter.matches(&row.owner)
            || row.qualified.as_deref().is_some_and(|name| filter.matches(name))
    }))
}

/// The name of an owner, or the words for none.
pub fn name<'a>(owners: &'a ClassOwners, row: &OwnedObjects) -> &'a str {
    owners.owner(row).and_then(|owner| owner.name.as_deref()).unwrap_or(NO_OWNER)
}

/// The main owners of the objects of a class.
pub fn main_owners(owners: &ClassOwners, class: ClassId) -> &[OwnedObjects] {
    let rows = owners.of(class);
    rows.get(..MAIN).unwrap_or(rows)
}

/// `OrderCache.entries 62.1 % · Session.attributes 20.4 % · 3 more`: the main owners of the objects of a class with their
/// parts of its bytes. `None` if it has no objects.
pub(crate) fn held_by(owners: &ClassOwners, class: ClassId) -> Option<String> {
    let all = owners.of(class);
    let total = all.iter().map(|row| row.bytes).sum();
    let main = main_owners(owners, class);
    let named = |row: &OwnedObjects| format!("{} {}", name(owners, row), share_of(row.bytes, total));
    let mut words: Vec<String> = main.iter().map(named).collect();
    let more = all.len() - main.len();
    words.extend((more > 0).then(|| format!("{} more", Count(more as u64))));
    (!words.is_empty()).then(|| words.join(" · "))
}

/// Names of the main owners, for the filter.
pub(crate) fn main_names(owners: &ClassOwners, class: ClassId) -> impl Iterator<Item = &str> {
    main_owners(owners, class).iter().map(|row| name(owners, row))
}

/// Part of the bytes of a class; all of none.
pub fn share_of(bytes: Bytes, total: Bytes) -> Share {
    if total == Bytes(0) { Share::of(Bytes(1), Bytes(1)) } else { Share::of(bytes, total) }
}
