//! Starts of names: classes, threads, the bootstrap loader, well-known objects and other roots.

use super::{index::NO_OBJECT, namer::Namer, short_class::short_class, spelling::ordinal_at};
use heaplens_heap::{ClassId, ObjectId, split_class};

/// Name of the bootstrap loader.
pub(super) const BOOTSTRAP: &str = "bootstrap loader";

impl Namer<'_> {
    /// True if an object stands for the bootstrap loader.
    pub(super) fn is_bootstrap(&self, object: ObjectId) -> bool {
        self.heap.address(object) == NO_OBJECT && self.heap.snapshot().is_none()
    }

    /// The start of names that begin at `object`.
    pub(super) fn start_name(&self, object: ObjectId) -> String {
        if let Some(class) = self.heap.classes.of_object(object) {
            return self.index.class(self.heap, class);
        }
        if self.is_bootstrap(object) {
            return BOOTSTRAP.to_owned();
        }
        if let Some(name) = self.index.anchors.name(object) {
            return name.to_owned();
        }
        let of_root = || self.index.root_name(self.dump, object);
        self.index.thread_name(object).map(str::to_owned).or_else(of_root).unwrap_or_default()
    }

    /// The class whose short name begins a text, and its length: `SessionCache` of `SessionCache.ENTRIES`. Of several with
    /// the longest one, that whose name it is rather than those that a compiler made for it, then the only one of the
    /// application.
    pub(crate) fn short_class_prefix(&self, text: &str) -> Option<(ClassId, usize)> {
        let begins = |name: &str| {
            !name.is_empty() && text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut all: Vec<(usize, bool, ClassId)> = Vec::new();
        for (class, row) in self.heap.classes.iter() {
            let (_, simple) = split_class(&row.name);
            if begins(simple) {
                all.push((simple.len(), true, class));
                continue;
            }
            let short = short_class(self.heap, class);
            if begins(&short) {
                all.push((short.len(), false, class));
            }
        }
        let &(length, is_simple, _) = all.iter().max_by_key(|&&(length, is_simple, _)| (length, is_simple))?;
        all.retain(|&(other, is_named, _)| other == length && is_named == is_simple);
        if all.len() > 1 {
            all.retain(|&(.., class)| self.index.is_application(class));
        }
        let [(.., class)] = all[..] else { return None };
        Some((class, length))
    }

    /// The longest class name at the start of `text`, and its length with the ordinal.
    pub(crate) fn class_prefix(&self, text: &str) -> Option<(ClassId, usize)> {
        let ends = text.match_indices(['.', '#', '[', '{', '(']).map(|(at, _)| at).chain([text.len()]);
        let mut longest = None;
        for end in ends.take_while(|&end| end <= self.index.longest_class()) {
            let classes = self.index.classes(&text[..end]);
            let (nth, length) = ordinal_at(text, end);
            let class = usize::try_from(nth).ok().and_then(|nth| classes.get(nth));
            longest = class.map(|&class| (class, length)).or(longest);
        }
        longest
    }
}
