//! References that are in neither instances nor arrays: those of class objects, and those of stack frames.

use super::{roots::RootTables, schema::Schema, tags::BasicType};
use heaplens_heap::{Address, AddressMap, ImportNote, ObjectId, Severity};

/// References besides those in instances and arrays: from class objects to superclass, loader and static values, from
/// threads to objects held by their stacks.
pub(super) fn references(
    schema: &Schema,
    root_tables: &RootTables,
    addresses: &AddressMap,
) -> Vec<(ObjectId, ObjectId)> {
    let mut extra = Vec::new();
    let at = |address: u64| addresses.object(Address(address));
    for class in &schema.classes {
        let Some(from) = at(class.id) else { continue };
        let superclass = class.superclass.and_then(|s| schema.get(s)).and_then(|s| at(s.id));
        // A loader without an object is treated as the bootstrap loader, as in MAT.
        let loader = at(class.loader).or_else(|| at(0));
        let statics = class.statics.iter().filter(|s| s.kind == BasicType::Object && s.value != 0);
        let targets = superclass.into_iter().chain(loader).chain(statics.filter_map(|s| at(s.value)));
        extra.extend(targets.map(|to| (from, to)));
    }
    extra.extend(root_tables.locals.iter().map(|l| (l.thread, l.object)));
    extra
}

/// Parse warning for static fields with dangling references.
pub(super) fn dangling_statics(schema: &Schema, addresses: &AddressMap) -> Option<ImportNote> {
    let statics = schema.classes.iter().flat_map(|class| class.statics.iter().map(move |field| (class, field)));
    let mut nowhere = statics.filter(|(_, field)| {
        field.kind == BasicType::Object && field.value != 0 && addresses.object(Address(field.value)).is_none()
    });
    let first = nowhere.next()?.0.offset;
    let message = "static fields refer to addresses without an object in the dump";
    Some(ImportNote::new(Severity::Info, 1 + nowhere.count() as u64, message, Some(first)))
}
