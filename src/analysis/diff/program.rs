//! Whether two heaps are of one program: only then it means anything to follow an
//! owner from one to the other.

use std::collections::BTreeSet;

use super::kinds::stable;
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::heap::facts::Heap;

/// Whether they are, as far as the names of the application's classes tell: most of those of the smaller one are in
/// the other. Where a heap has no such classes, only the format tells.
pub fn is_one_program(one: &Heap, other: &Heap, rules: &RuntimeClasses) -> bool {
    if one.origin.format != other.origin.format {
        return false;
    }
    let (one, other) = (application(one, rules), application(other, rules));
    let (least, common) = (one.len().min(other.len()), one.intersection(&other).count());
    common * 2 >= least
}

fn application<'h>(heap: &'h Heap, rules: &RuntimeClasses) -> BTreeSet<&'h str> {
    let names = heap.classes.iter().map(|(_, class)| stable(&class.name));
    names.filter(|name| !name.ends_with("[]") && !rules.contains(name)).collect()
}
