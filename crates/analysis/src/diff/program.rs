//! Checks that two heaps are of one program: only then it makes sense to follow an owner from one to the other.

use std::collections::BTreeSet;

use super::kinds::stable;
use crate::runtime_classes::RuntimeClasses;
use heaplens_core::heap::Heap;

/// True if they are, judged by application class names: most of those of the smaller heap are in
/// the other. Without such classes, only the format is compared.
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
