//! Constants of classes: string literals, and the objects that lambda expressions and other calls are linked to once. The
//! source has no field for them, so they are named by the class that has them.

use super::short_name::{ENTRY, Origin, ShortName};
use crate::naming::{Namer, short_class};
use heaplens_heap::ObjectId;

/// Reference of HotSpot from a class to the array of its constants, those of its constant pool that are objects.
const CONSTANTS: &str = "<resolved_references>";
/// Behind the name of the class.
const MEMBER: &str = " constants";
/// Maximum number of dominators between an object and the class.
const STEPS: usize = 64;

/// The reference from a class to its constants, behind the name of the class; `None` of other references.
pub(super) fn member_of(reference: &str) -> Option<&'static str> {
    (reference == CONSTANTS).then_some(MEMBER)
}

/// The name of the constants of a class, or of an object that only they lead to: `OrderDesk constants`.
pub(super) fn of_constant(namer: Namer<'_>, object: ObjectId) -> Option<ShortName> {
    let heap = namer.heap;
    let up = std::iter::successors(Some(object), |&at| namer.analysis.immediate_dominator(at));
    let up: Vec<ObjectId> = up.take(STEPS).take_while(|&at| heap.classes.of_object(at).is_none()).collect();
    let &array = up.last()?;
    let class_object = namer.analysis.immediate_dominator(array)?;
    let class = heap.classes.of_object(class_object)?;
    namer.member(class_object, array).filter(|name| name == CONSTANTS)?;
    let origin = match (namer.index.is_application(class), namer.index.is_library(class)) {
        (true, _) => Origin::Application,
        (false, true) => Origin::Library,
        (false, false) => Origin::Runtime,
    };
    let qualified = namer.index.class(heap, class);
    let mut name = ShortName::of_itself(class_object, (short_class(heap, class), qualified), origin);
    MEMBER.clone_into(&mut name.member);
    name.qualified = format!("{}.{CONSTANTS}", name.qualified);
    if object != array {
        ENTRY.clone_into(&mut name.steps);
    }
    Some(name)
}
