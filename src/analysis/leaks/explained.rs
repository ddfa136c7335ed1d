//! What else explains a finding: whoever keeps all of it alive, by name, by class and by the field that leads there. What
//! somebody says of one of these goes for the finding as well.

use super::Finding;
use super::fingerprint::general;
use crate::analysis::naming::Namer;
use crate::heap::classes::ClassKind;
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{Cancelled, Task};

/// Stands for a class in names of class objects.
const OF_CLASS: &str = ".class";

/// The pattern of a rule that means what is called so, in this dump and in the next: with `*` for what differs from dump
/// to dump. A class object stands for its class.
pub fn pattern_of(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(OF_CLASS).filter(|class| !class.is_empty()).unwrap_or(name);
    // A rule is one line, and `#` begins its reason.
    general(name).trim().chars().map(|c| if c == '…' || c == '#' || c.is_control() { '*' } else { c }).collect()
}

/// Names, classes of the application, and fields on the way to a finding, as far as no way leads past them.
pub(super) fn explained_by(namer: Namer<'_>, finding: &Finding, task: &Task) -> Result<Vec<String>, Cancelled> {
    let Some(path) = &finding.path else { return Ok(Vec::new()) };
    let analyzed = namer.analyzed;
    let is_of_all = |object: ObjectId| match finding.cut.as_slice() {
        [] | [_] => true,
        several => several.iter().all(|cut| analyzed.dominates(object, cut.to)),
    };
    let mut known: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if !text.is_empty() && !known.contains(&text) {
            known.push(text);
        }
    };
    let mut before: Option<ObjectId> = None;
    for (at, step) in path.steps.iter().enumerate() {
        task.checkpoint()?;
        // Where steps are left out, nobody knows which field led to the next.
        let from = before.filter(|_| path.omission.is_none_or(|omission| omission.after != at));
        before = Some(step.object);
        if !step.dominates || !is_of_all(step.object) {
            continue;
        }
        if let (Some(from), Some(field)) = (from, step.reference.as_deref()) {
            fields(namer, from, field).into_iter().for_each(&mut add);
        }
        let class = namer.heap.classes.of_object(step.object).unwrap_or_else(|| namer.heap.class_id(step.object));
        if !namer.index.is_runtime(class) && namer.heap.classes.get(class).kind == ClassKind::Plain {
            add(namer.heap.classes.get(class).name.to_string());
        }
        if let Some(name) = namer.name(step.object, task)? {
            add(general(&name));
            add(name);
        }
    }
    Ok(known)
}

/// `desk.Session.cart`: a field by the class of the object and by the class that declares it.
fn fields(namer: Namer<'_>, from: ObjectId, field: &str) -> Vec<String> {
    if field.starts_with(['[', '<']) {
        return Vec::new();
    }
    let classes = &namer.heap.classes;
    let named = |class: ClassId| format!("{}.{field}", classes.get(class).name);
    let own = classes.of_object(from).unwrap_or_else(|| namer.heap.class_id(from));
    let declared = namer.contents.named_references(own).into_iter().find(|(_, name)| *name == field);
    let declared = declared.map(|(class, _)| class).filter(|&class| class != own);
    [own].into_iter().chain(declared).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::pattern_of;

    #[test]
    fn what_differs_from_dump_to_dump_is_left_out_of_patterns() {
        for (name, pattern) in [
            ("desk.SessionCache.ENTRIES", "desk.SessionCache.ENTRIES"),
            ("desk.Cache.ALL[\"user #17\"].cart[3]", "desk.Cache.ALL[*].cart[*]"),
            ("desk.Session.class", "desk.Session"),
            ("byte[]", "byte[]"),
            ("thread \"pool-3-thread-12\"", "thread \"pool-*-thread-*\""),
            (".class", ".class"),
        ] {
            assert_eq!(pattern_of(name), pattern);
        }
    }
}
