//! Classes of boxed values.

use rustc_hash::FxHashMap;

use crate::class_names::of_class_file;
use crate::hprof::{records::Index, runtime_rules::BOXED};

/// Size of the value of each of [`BOXED`], in bytes.
const VALUES: [usize; BOXED.len()] = [1, 1, 2, 8, 4, 4, 8, 2];

/// Classes of boxed values of a dump, and the value sizes in bytes.
pub(super) fn boxed_classes(file: &[u8], index: &Index) -> FxHashMap<u64, usize> {
    let boxed = index.loaded.iter().filter_map(|loaded| {
        let name = of_class_file(&index.text(file, loaded.name)?);
        let at = BOXED.iter().position(|boxed| *boxed == name)?;
        Some((loaded.class, *VALUES.get(at)?))
    });
    boxed.collect()
}
