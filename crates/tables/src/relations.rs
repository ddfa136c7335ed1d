//! The list of tables. The command line, the catalog of queries, *Show as query*, the views, `docs/tables.md` and files
//! of columns read it.

use crate::diff::{classes as compared_classes, owners, series, sides};
use crate::dump::{drops, javascript_leaks, path_steps, secrets, text_hits, variables};
use crate::export::leaks;
use crate::relation::{Relation, relation};
use heaplens_analysis::GroupBy;

pub use crate::dump::bitmaps::BITMAPS;
pub use crate::dump::class_owners::CLASS_OWNERS;
pub use crate::dump::classes::CLASSES;
pub use crate::dump::collections::COLLECTIONS;
pub use crate::dump::finalizers::FINALIZERS;
pub use crate::dump::folded::FOLDED;
pub use crate::dump::gaps::GAPS;
pub use crate::dump::groups::{CLASSES_BY_LOADER, CLASSES_BY_SUPERCLASS, PACKAGE_TREE, PACKAGES};
pub use crate::dump::javascript::{
    ALLOCATED_BY_CLASS, ALLOCATION_TIMELINE, DETACHED_NODES, FUNCTIONS, NATIVE_CONTEXTS, RETAINED_BY,
};
pub use crate::dump::level::LEVEL;
pub use crate::dump::loaders::LOADERS;
pub use crate::dump::merged::MERGED;
pub use crate::dump::native_owners::NATIVE_OWNERS;
pub use crate::dump::objects::OBJECTS;
pub use crate::dump::ownership::{INFERRED_ROOTS, OWNED_OBJECTS};
pub use crate::dump::policies::POLICIES;
pub use crate::dump::process::PROCESS;
pub use crate::dump::references::REFERENCES;
pub use crate::dump::related::{RELATED, RELATED_GROUPS};
pub use crate::dump::retained_set::RETAINED_SET;
pub use crate::dump::roots::ROOTS;
pub use crate::dump::route::ROUTE;
pub use crate::dump::sites::SITES;
pub use crate::dump::strings::STRINGS;
pub use crate::dump::threads::THREADS;
pub use crate::dump::waste::WASTE;

/// All tables: first those of queries, in the order of their help.
pub const RELATIONS: &[&Relation] = &[
    &CLASSES,
    &CLASS_OWNERS,
    &PACKAGES,
    &PACKAGE_TREE,
    &THREADS,
    &STRINGS,
    &COLLECTIONS,
    &WASTE,
    &POLICIES,
    &PROCESS,
    &NATIVE_OWNERS,
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
    &relation!("diff --of outside", sides::OUTSIDE),
    &relation!("process --before", crate::dump::process::COMPARED),
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
    &relation!("search --variables", variables::COLUMNS),
    &relation!("secrets", secrets::COLUMNS),
];

/// The histogram by a grouping.
pub fn histogram_by(by: GroupBy) -> &'static Relation {
    match by {
        GroupBy::Package => &PACKAGES,
        GroupBy::PackageTree => &PACKAGE_TREE,
        GroupBy::Loader => &CLASSES_BY_LOADER,
        GroupBy::Superclass => &CLASSES_BY_SUPERCLASS,
    }
}
