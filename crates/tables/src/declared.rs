//! Columns of tables by key, for readers that need a column before there are rows, such as the headers of the window.
//! In a constant, a key that the table does not declare is an error of the compiler.

use crate::columns::{ColumnInfo, Columns, Record};
use crate::dump::{
    classes, collections, finalizers, gaps, groups, javascript, loaders, objects, roots, sites, strings, threads, waste,
};

macro_rules! declared {
    ($($(#[$about:meta])* $table:ident: $columns:expr;)*) => {$(
        $(#[$about])*
        ///
        /// # Panics
        /// If the table has no column with this key.
        pub const fn $table(key: &str) -> ColumnInfo {
            find($columns, key)
        }
    )*};
}

declared! {
    /// Column of the collections by class.
    collections: collections::COLUMNS;
    /// Column of the objects with a pending finalizer.
    finalizers: finalizers::COLUMNS;
    /// Column of the gaps by size.
    gaps: gaps::COLUMNS;
    /// Column of the groups of classes.
    groups: groups::COLUMNS;
    /// Column of the class histogram.
    histogram: classes::COLUMNS;
    /// Column of the allocated objects by class.
    allocated: javascript::ALLOCATED;
    /// Column of the functions by source position.
    closures: javascript::CLOSURES;
    /// Column of the native contexts.
    native_contexts: javascript::CONTEXTS;
    /// Column of the detached nodes.
    detached: javascript::DETACHED;
    /// Column of the kinds of retainers.
    retained_by: javascript::RETAINERS;
    /// Column of the objects.
    objects: objects::COLUMNS;
    /// Column of the class loaders.
    loaders: loaders::COLUMNS;
    /// Column of the GC roots by kind.
    roots: roots::COLUMNS;
    /// Column of the allocation sites.
    sites: sites::COLUMNS;
    /// Column of the duplicate strings.
    strings: strings::COLUMNS;
    /// Column of the threads.
    threads: threads::COLUMNS;
    /// Column of the wasted memory by kind.
    waste: waste::COLUMNS;
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
