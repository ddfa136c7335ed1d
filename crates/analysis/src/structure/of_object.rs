//! The short name of any object: that of the structure that it is a part of.

use super::short_name::{Origin, ShortName};
use super::{constants, head::head, short_names, thread_locals};
use crate::answers::DumpData;
use crate::naming::{Namer, Owner, short_class, source_class_name};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Maximum number of steps from an object up to the entry or the thread that holds it.
const STEPS: usize = 64;

/// The method that has a lambda expression, for the one that a compiler makes of it: `open` for `lambda$open$0` of Java and
/// `$anonfun$open$1` of Scala.
fn method_of_source(method: &str) -> &str {
    let inside = ["lambda$", "$anonfun$"].iter().find_map(|before| method.strip_prefix(before));
    inside.and_then(|inside| inside.split('$').next()).filter(|name| !name.is_empty()).unwrap_or(method)
}

impl Namer<'_> {
    /// The short name of an object: the member of the application or of a library by which one finds it in the source,
    /// whatever path leads to it: of what is in a structure, the member that has the structure; of classes and threads,
    /// their own name; of what a thread local or a local variable alone holds, these. `None` if nothing in the source
    /// names it.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn short_name(&self, object: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
        if let Some(name) = self.own_name(object) {
            return Ok(Some(name));
        }
        let head = head(*self, object, task)?;
        if let Some(name) = self.own_name(head) {
            return Ok(Some(name));
        }
        if let Some(name) = thread_locals::of_map(*self, head, task)? {
            return Ok(Some(name));
        }
        let name = if self.is_constant(head) { None } else { short_names::of_structure(*self, head, task)? };
        if name.as_ref().is_some_and(ShortName::is_of_application) {
            return Ok(name);
        }
        if let Some(name) = thread_locals::of_value(*self, head, task)? {
            return Ok(Some(name));
        }
        let name = name.or_else(|| constants::of_constant(*self, head));
        Ok(name.or_else(|| self.local_variable(head)).or_else(|| short_names::of_runtime(*self, head)))
    }

    /// The owner of an object: what has the member that its short name begins with. `None` if neither the application nor
    /// a library has one.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn owner(&self, object: ObjectId, task: &Task) -> Result<Option<Owner>, Cancelled> {
        let owner = self.short_name(object, task)?.and_then(ShortName::owner);
        Ok(owner.map(|owner| Owner { object: owner.object, text: owner.to_string() }))
    }

    /// The name of a class or a thread.
    fn own_name(&self, object: ObjectId) -> Option<ShortName> {
        let DumpData { heap, contents, .. } = self.dump;
        let origin = |class| match (self.index.is_application(class), self.index.is_library(class)) {
            (true, _) => Origin::Application,
            (false, true) => Origin::Library,
            (false, false) => Origin::Runtime,
        };
        if let Some(class) = heap.classes.of_object(object) {
            let names = (short_class(heap, class), self.index.class(heap, class));
            return Some(ShortName::of_itself(object, names, origin(class)));
        }
        if !self.index.is_thread(object) {
            return None;
        }
        let label = contents.label(heap, object).filter(|label| !label.is_empty())?;
        Some(ShortName::of_itself(object, (label.clone(), label), origin(heap.class_id(object))))
    }

    /// True of a constant of a class, which is in no field.
    fn is_constant(&self, head: ObjectId) -> bool {
        let above =
            self.analysis.immediate_dominator(head).filter(|&above| self.heap.classes.of_object(above).is_some());
        above.and_then(|above| self.field_towards(above, head)).is_some_and(|name| name.starts_with('<'))
    }

    /// `Import.run()`: the method whose local variable alone holds an object.
    fn local_variable(&self, object: ObjectId) -> Option<ShortName> {
        let mut below = object;
        for _ in 0..STEPS {
            let above = self.analysis.immediate_dominator(below)?;
            if !self.index.is_thread(above) {
                below = above;
                continue;
            }
            return self.method_above(above, below);
        }
        None
    }

    /// `Import.run()`: the method of a thread whose local variable holds an object.
    pub(super) fn method_above(&self, thread: ObjectId, object: ObjectId) -> Option<ShortName> {
        let method = self.local_method(thread, object)?;
        let (class, simple) = method.rsplit_once('.')?;
        let simple = method_of_source(simple);
        let of_runtime = self.index.rules.contains(class);
        let origin = if of_runtime { Origin::Runtime } else { Origin::Application };
        let mut name = ShortName::of_itself(thread, (source_class_name(class), class.to_owned()), origin);
        name.qualified = format!("{method}()");
        name.member = format!(".{simple}()");
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_expressions_have_the_method_that_makes_them() {
        for (method, source) in [
            ("lambda$open$0", "open"),
            ("$anonfun$open$1", "open"),
            ("lambda$", "lambda$"),
            ("open", "open"),
            ("access$000", "access$000"),
        ] {
            assert_eq!(method_of_source(method), source);
        }
    }
}
