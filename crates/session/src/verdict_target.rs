//! Targets of a verdict: the findings, objects and classes that a user can mark as expected or leaking.

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{Group, NamedObject, pattern_of};
use heaplens_heap::{ClassId, Heap, ObjectId};

/// A possible target of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictTarget {
    /// Kind of target, as shown: `Finding`, `Object`, `Class`.
    pub what: &'static str,
    /// Key by which later dumps recognize it.
    pub by: VerdictKey,
}

/// Key of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerdictKey {
    /// A known pattern.
    Pattern(String),
    /// The address-free name of an object, computed on demand.
    NameOf(ObjectId),
}

/// All possible targets, most specific first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerdictTargets {
    /// The targets.
    pub subjects: Vec<VerdictTarget>,
    /// Verdict that is preselected; `None` for *expected*.
    pub group: Option<Group>,
}

impl VerdictTargets {
    /// A class with all of its objects.
    pub fn class(heap: &Heap, class: ClassId) -> Self {
        Self::default().with("Class", &heap.classes.get(class).name)
    }

    /// An object, and its class.
    pub fn object(heap: &Heap, object: ObjectId, is_reachable: bool) -> Self {
        let represented_class = heap.classes.of_object(object);
        let mut about = Self::default();
        // An unreachable object has no address-free name.
        if is_reachable && represented_class.is_none() {
            about.subjects.push(VerdictTarget { what: "Object", by: VerdictKey::NameOf(object) });
        }
        about.with("Class", &heap.classes.get(represented_class.unwrap_or_else(|| heap.class_id(object))).name)
    }

    /// A finding, and the classes of its accumulated objects and its holder.
    pub fn finding(finding: &LeakFinding, group: Option<Group>) -> Self {
        let is_expected = finding.group == Group::Expected;
        let unlike = if is_expected { Group::Leak } else { Group::Expected };
        let mut about = Self { subjects: Vec::new(), group: group.or(Some(unlike)) };
        about.subjects.push(VerdictTarget { what: "Finding", by: VerdictKey::Pattern(finding.pattern()) });
        for (what, class) in [
            ("Accumulated class", finding.accumulated.as_ref().map(|accumulated| &accumulated.class)),
            ("Holder class", finding.holder.as_ref().map(holding_class)),
        ] {
            about = class.into_iter().fold(about, |about, class| about.with(what, class));
        }
        about
    }

    /// Adds a target with the pattern of this name, unless it is already there.
    #[must_use]
    pub fn with(mut self, what: &'static str, name: &str) -> Self {
        let by = VerdictKey::Pattern(pattern_of(name));
        if !name.is_empty() && !self.subjects.iter().any(|subject| subject.by == by) {
            self.subjects.push(VerdictTarget { what, by });
        }
        self
    }
}

/// Class name of a holder; for a class object, the name of its class.
fn holding_class(holder: &NamedObject) -> &String {
    holder.label.as_ref().filter(|_| holder.class == "java.lang.Class").unwrap_or(&holder.class)
}
