//! Columns of tables by key, for readers that need a column before there are rows, such as the headers of the window.
//! In a constant, a key that the table does not declare is an error of the compiler.

use crate::columns::{ColumnInfo, Columns, Record};
use crate::dump::{
    classes, collections, finalizers, gaps, groups, javascript, loaders, objects, related, roots, sites, strings,
    threads, waste,
};

macro_rules! declared {
    ($($table:ident: $columns:expr, $what:literal;)*) => {$(
        #[doc = concat!("Column of the ", $what, ".")]
        ///
        /// # Panics
        /// If the table has no column with this key.
        pub const fn $table(key: &str) -> ColumnInfo {
            find($columns, key)
        }
    )*};
}

declared! {
    collections: collections::COLUMNS, "collections by class";
    finalizers: finalizers::COLUMNS, "objects with a pending finalizer";
    gaps: gaps::COLUMNS, "gaps by size";
    groups: groups::COLUMNS, "groups of classes";
    histogram: classes::COLUMNS, "class histogram";
    allocated: javascript::ALLOCATED, "allocated objects by class";
    closures: javascript::CLOSURES, "functions by source position";
    native_contexts: javascript::CONTEXTS, "native contexts";
    detached: javascript::DETACHED, "detached nodes";
    retained_by: javascript::RETAINERS, "kinds of retainers";
    objects: objects::COLUMNS, "objects";
    loaders: loaders::COLUMNS, "class loaders";
    related: related::COLUMNS, "objects related to a set";
    related_groups: related::GROUPS, "groups of objects related to a set";
    roots: roots::COLUMNS, "GC roots by kind";
    sites: sites::COLUMNS, "allocation sites";
    strings: strings::COLUMNS, "duplicate strings";
    threads: threads::COLUMNS, "threads";
    waste: waste::COLUMNS, "wasted memory by kind";
}

const fn find<K: Record>(columns: Columns<K>, key: &str) -> ColumnInfo {
    let (mut group, mut place) = (0, 0);
    while group < columns.len() {
        let mut at = 0;
        while at < columns[group].len() {
            let column = &columns[group][at];
            if is_same(column.heading.key, key) {
                return column.info(place);
            }
            at += 1;
            place += 1;
        }
        group += 1;
    }
    panic!("the table declares no column with this key")
}

/// True if two texts are equal, in constants.
pub const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
