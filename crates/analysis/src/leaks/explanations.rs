//! Explanations of a finding: the names, classes and fields of all dominators on the way to it. A verdict on one of
//! them applies to the finding, too.

use super::{finding::LeakFinding, fingerprint::general};
use crate::naming::Namer;
use heaplens_base::invisible::is_invisible;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId};

/// Suffix of the names of class objects.
const OF_CLASS: &str = ".class";

/// The pattern of a rule that matches this name in later dumps, too, with `*` for parts that differ from dump to dump.
/// A class object is matched by its class.
pub fn pattern_of(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(OF_CLASS).filter(|class| !class.is_empty()).unwrap_or(name);
    // A rule is one line, and `#` begins its reason.
    general(name).trim().chars().map(|c| if c == '…' || c == '#' || is_invisible(c) { '*' } else { c }).collect()
}

/// Names, application classes and fields that every path to a finding passes.
pub(super) fn explained_by(namer: Namer<'_>, finding: &LeakFinding, task: &Task) -> Result<Vec<String>, Cancelled> {
    let Some(path) = &finding.path else { return Ok(Vec::new()) };
    let analysis = namer.analysis;
    let is_of_all = |object: ObjectId| match finding.cut.as_slice() {
        [] | [_] => true,
        several => several.iter().all(|cut| analysis.dominates(object, cut.to)),
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
        // After omitted steps the field to the next object is unknown.
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
    let own = classes.of_object(from).unwrap_or_else(|| namer.heap.class_id(from));
    let declared = namer.contents.field_shown_as(namer.heap, own, field);
    let field = declared.map_or(field, |(_, name)| name);
    let named = |class: ClassId| format!("{}.{field}", classes.get(class).name);
    let declared = declared.map(|(class, _)| class).filter(|&class| class != own);
    [own].into_iter().chain(declared).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::pattern_of;

    #[test]
    fn patterns_leave_out_dump_specific_parts() {
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
