//! Starts of names: classes, threads, the bootstrap loader, well-known objects and other roots.

use super::{index::NO_OBJECT, namer::Namer, short_class::short_class, spelling::ordinal_at};
use heaplens_heap::{ClassId, ObjectId};

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

    /// The only class whose short name begins a text, and its length: `SessionCache` of `SessionCache.ENTRIES`.
    pub(super) fn short_class_prefix(&self, text: &str) -> Option<(ClassId, usize)> {
        let mut longest: Option<(ClassId, usize, bool)> = None;
        for (class, _) in self.heap.classes.iter() {
            let short = short_class(self.heap, class);
            let goes_on = text.strip_prefix(&short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            if short.is_empty() || !goes_on {
                continue;
            }
            longest = match longest {
                Some((_, length, _)) if length > short.len() => longest,
                Some((first, length, _)) if length == short.len() => Some((first, length, false)),
                _ => Some((class, short.len(), true)),
            };
        }
        longest.filter(|&(.., is_only)| is_only).map(|(class, length, _)| (class, length))
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
