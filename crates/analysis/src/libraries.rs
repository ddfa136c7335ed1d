//! Classes of well-known libraries: neither of the runtime nor of the application. An engineer changes the field of the
//! application that holds an object of a library, so names of findings begin there.

use crate::class_prefixes::ClassPrefixes;

/// Built-in list.
const BUILT_IN: &str = include_str!("../assets/library-classes.txt");

/// The built-in libraries.
pub(crate) fn libraries() -> ClassPrefixes {
    let mut libraries = ClassPrefixes::default();
    libraries.read(BUILT_IN);
    libraries
}
