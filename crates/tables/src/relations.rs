//! The list of tables. The command line, the catalog of queries, *Show as query*, the views, `docs/tables.md` and files
//! of columns read it.

use crate::diff::{classes as compared_classes, owners, series, sides};
use crate::dump::{
    drops, folded, javascript_leaks, level, merged, objects, ownership, path_steps, references, related, retained_set,
    route, secrets, text_hits,
};
use crate::export::leaks;
use crate::relation::{Relation, relation};
use heaplens_analysis::GroupBy;

pub use crate::dump::bitmaps::BITMAPS;
pub use crate::dump::classes::CLASSES;
pub use crate::dump::collections::COLLECTIONS;
pub use crate::dump::finalizers::FINALIZERS;
pub use crate::dump::gaps::GAPS;
pub use crate::dump::groups::{CLASSES_BY_LOADER, CLASSES_BY_SUPERCLASS, PACKAGES};
pub use crate::dump::javascript::{
    ALLOCATED_BY_CLASS, ALLOCATION_TIMELINE, DETACHED_NODES, FUNCTIONS, NATIVE_CONTEXTS, RETAINED_BY,
};
pub use crate::dump::loaders::LOADERS;
pub use crate::dump::roots::ROOTS;
pub use crate::dump::sites::SITES;
pub use crate::dump::strings::STRINGS;
pub use crate::dump::threads::THREADS;
pub use crate::dump::waste::WASTE;

/// Objects.
pub const OBJECTS: Relation = relation!("objects", objects::COLUMNS);
/// A level of the dominator tree.
pub(crate) const LEVEL: Relation = relation!("dominators", level::COLUMNS);
/// A level of the dominator tree with chains and groups.
pub(crate) const FOLDED: Relation = relation!("dominators --fold, --by, --shared", folded::COLUMNS);
/// References of an object.
pub(crate) const REFERENCES: Relation = relation!("references", references::COLUMNS);
/// Merged paths.
pub(crate) const MERGED: Relation = relation!("paths --all", merged::COLUMNS);
/// Objects related to a set.
pub const RELATED: Relation = relation!("related", related::COLUMNS);
/// Groups of objects related to a set.
pub const RELATED_GROUPS: Relation = relation!("related --group", related::GROUPS);
/// Retained set of an object, by class.
pub(crate) const RETAINED_SET: Relation = relation!("retained-set", retained_set::COLUMNS);
/// Inferred roots.
pub(crate) const INFERRED_ROOTS: Relation = relation!("roots --ownership", ownership::ROOTS);
/// Every object with its inferred root.
pub(crate) const OWNED_OBJECTS: Relation = relation!("roots --ownership --every-object", ownership::OBJECTS);
/// Path between two objects.
pub(crate) const ROUTE: Relation = relation!("route", route::COLUMNS);

/// All tables: first those of queries, in the order of their help.
pub const RELATIONS: &[&Relation] = &[
    &CLASSES,
    &PACKAGES,
    &THREADS,
    &STRINGS,
    &COLLECTIONS,
    &WASTE,
    &LOADERS,
    &FINALIZERS,
    &ROOTS,
    &GAPS,
    &SITES,
    &BITMAPS,
    &DETACHED_NODES,
    &FUNCTIONS,
    &NATIVE_CONTEXTS,
    &RETAINED_BY,
    &ALLOCATION_TIMELINE,
    &ALLOCATED_BY_CLASS,
    &CLASSES_BY_LOADER,
    &CLASSES_BY_SUPERCLASS,
    &relation!("diff --of owners", owners::COLUMNS),
    &relation!("diff --of classes", compared_classes::COLUMNS),
    &relation!("diff --of packages", sides::PACKAGES),
    &relation!("diff --of loaders", sides::CLASS_LOADERS),
    &relation!("diff --of threads", sides::OF_THREADS),
    &relation!("diff --of strings", sides::STRINGS),
    &relation!("diff --of collections", sides::COLLECTIONS),
    &relation!("diff --of leaks", sides::LEAKS),
    &relation!("diff --of owners, three dumps or more", series::OWNERS),
    &relation!("diff --of classes, three dumps or more", series::CLASSES),
    &LEVEL,
    &FOLDED,
    &relation!("dominators --drops", drops::COLUMNS),
    &RETAINED_SET,
    &relation!("leaks", leaks::COLUMNS),
    &relation!("leaks --baseline --of stayed", javascript_leaks::CLUSTERS),
    &relation!("leaks --baseline --of growing", javascript_leaks::GROWING),
    &OBJECTS,
    &relation!("paths", path_steps::COLUMNS),
    &MERGED,
    &REFERENCES,
    &RELATED,
    &RELATED_GROUPS,
    &INFERRED_ROOTS,
    &OWNED_OBJECTS,
    &ROUTE,
    &relation!("search", text_hits::COLUMNS),
    &relation!("secrets", secrets::COLUMNS),
];

/// The histogram by a grouping.
pub fn histogram_by(by: GroupBy) -> &'static Relation {
    match by {
        GroupBy::Package => &PACKAGES,
        GroupBy::Loader => &CLASSES_BY_LOADER,
        GroupBy::Superclass => &CLASSES_BY_SUPERCLASS,
    }
}
