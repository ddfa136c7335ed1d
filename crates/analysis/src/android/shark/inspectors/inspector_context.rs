//! What inspectors read, and the remarks that they write.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::android::{android_heap::AndroidHeap, shark::watched::WatchedObject};
use heaplens_heap::{ClassId, ObjectId};

/// Remarks about an object, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    /// Labels that help to understand it.
    pub(crate) labels: Vec<String>,
    /// Reasons why it is leaking.
    pub(crate) leaking: Vec<String>,
    /// Reasons why it is not leaking.
    pub(crate) fine: Vec<String>,
}

/// Context of inspectors besides the object.
pub(crate) struct InspectorContext<'a> {
    pub(crate) phone: &'a AndroidHeap<'a>,
    /// Objects retained longer than LeakCanary's waiting time.
    pub(crate) watched: FxHashMap<ObjectId, Vec<WatchedObject>>,
    /// Running services, if known.
    pub(super) services: Option<FxHashSet<ObjectId>>,
    /// Device uptime in milliseconds at the time of the dump.
    pub(crate) dumped_at: Option<i64>,
    /// Names of resources by number.
    pub(super) resources: FxHashMap<i64, String>,
}

impl Remarks {
    pub(super) fn label(&mut self, text: impl Into<String>) {
        add(&mut self.labels, text.into());
    }

    pub(super) fn is_leaking(&mut self, why: impl Into<String>) {
        add(&mut self.leaking, why.into());
    }

    pub(super) fn is_fine(&mut self, why: impl Into<String>) {
        add(&mut self.fine, why.into());
    }

    /// One of two labels, if it is known which.
    pub(super) fn label_either(&mut self, is: Option<bool>, yes: &str, no: &str) {
        is.into_iter().for_each(|is| self.label(if is { yes } else { no }));
    }

    /// Leaking or not, each for its reason, if it is known.
    pub(super) fn judge_either(&mut self, is_leaking: Option<bool>, leaking: &str, fine: &str) {
        is_leaking.into_iter().for_each(|is| self.judge(is, if is { leaking } else { fine }));
    }

    /// Leaking or not, for the same reason.
    pub(super) fn judge(&mut self, is_leaking: bool, why: impl Into<String>) {
        if is_leaking {
            self.is_leaking(why);
        } else {
            self.is_fine(why);
        }
    }
}

fn add(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

impl<'a> InspectorContext<'a> {
    /// Simple name of an object's class, as used in labels.
    pub(super) fn simple(&self, object: ObjectId) -> &'a str {
        self.phone.simple_name(object)
    }
}

/// Nearest class in the superclass chain that is one of `names`.
pub(super) fn nearest<'n>(phone: &AndroidHeap<'_>, class: ClassId, names: &[&'n str]) -> Option<&'n str> {
    phone.lineage(class).find_map(|above| names.iter().find(|&&name| phone.name_of(above) == name).copied())
}
