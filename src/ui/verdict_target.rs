//! What somebody is about to say something of: that it is expected, or that it leaks.

use crate::analysis::leaks::{Group, LeakFinding, NamedObject, pattern_of};
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};

/// One thing that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictTarget {
    /// What it is: `This object`.
    pub what: &'static str,
    /// By which pattern it is known.
    pub by: VerdictKey,
}

/// By what something is known in the next dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerdictKey {
    /// A pattern that is known.
    Pattern(String),
    /// The name of an object, which is looked up.
    NameOf(ObjectId),
}

/// Everything that may be meant, the likeliest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerdictTargets {
    /// What may be meant.
    pub subjects: Vec<VerdictTarget>,
    /// What is to be said, unless somebody chooses the other.
    pub group: Option<Group>,
}

impl VerdictTargets {
    /// A class, all of its objects.
    pub fn class(heap: &Heap, class: ClassId) -> Self {
        Self::default().with("Class", &heap.classes.get(class).name)
    }

    /// An object, else its class.
    pub fn object(heap: &Heap, object: ObjectId, is_reachable: bool) -> Self {
        let stands_for = heap.classes.of_object(object);
        let mut about = Self::default();
        // What no root leads to has no name.
        if is_reachable && stands_for.is_none() {
            about.subjects.push(VerdictTarget { what: "Object", by: VerdictKey::NameOf(object) });
        }
        about.with("Class", &heap.classes.get(stands_for.unwrap_or_else(|| heap.class_id(object))).name)
    }

    /// A finding, else the classes that accumulate and hold.
    pub fn finding(finding: &LeakFinding, group: Option<Group>) -> Self {
        let is_expected = finding.group == Group::Expected;
        let unlike = if is_expected { Group::Leak } else { Group::Expected };
        let mut about = Self { subjects: Vec::new(), group: group.or(Some(unlike)) };
        about.subjects.push(VerdictTarget { what: "Finding", by: VerdictKey::Pattern(finding.pattern()) });
        for (what, class) in [
            ("Accumulated class", finding.accumulated.as_ref().map(|found| &found.class)),
            ("Holder class", finding.holder.as_ref().map(holding_class)),
        ] {
            about = class.into_iter().fold(about, |about, class| about.with(what, class));
        }
        about
    }

    /// With one more, known by its name, unless it is there already.
    #[must_use]
    pub fn with(mut self, what: &'static str, name: &str) -> Self {
        let by = VerdictKey::Pattern(pattern_of(name));
        if !name.is_empty() && !self.subjects.iter().any(|subject| subject.by == by) {
            self.subjects.push(VerdictTarget { what, by });
        }
        self
    }
}

/// The class of who holds something; of a class object the one it stands for.
fn holding_class(holder: &NamedObject) -> &String {
    holder.label.as_ref().filter(|_| holder.class == "java.lang.Class").unwrap_or(&holder.class)
}
