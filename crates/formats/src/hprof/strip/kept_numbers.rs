//! Numbers in fields that `strip --numbers` keeps: sizes, counts and states of objects are read from them. None of them
//! is a value of the program. `docs/commands/strip.md` has the same list.

use crate::hprof::tags::BasicType;
use heaplens_heap::collection_list::{CollectionList, FieldRole, RoleFields};

/// Fields of some classes.
struct KeptFields {
    /// A class; a package with its subpackages if it ends with a dot, without if it ends with `.*`.
    classes: &'static str,
    fields: &'static [&'static str],
}

const fn keep(classes: &'static str, fields: &'static [&'static str]) -> KeptFields {
    KeptFields { classes, fields }
}

/// Every field.
const ANY: &[&str] = &[];

const SAFE_FIELDS: &[KeptFields] = &[
    // Numbers of entries, limits of queues, and numbers of modifications, which are evidence of growth.
    keep("java.util.*", &["size", "elementCount", "count", "modCount", "head", "tail", "n"]),
    keep("java.util.ArrayList$SubList", &["offset"]),
    keep("java.util.RegularEnumSet", &["elements"]),
    keep("java.util.concurrent.*", &["size", "count", "takeIndex", "baseCount", "capacity", "modCount"]),
    keep("java.util.concurrent.ConcurrentHashMap$CounterCell", &["value"]),
    keep("java.util.concurrent.atomic.Striped64$Cell", &["value"]),
    keep("java.lang.ThreadLocal$ThreadLocalMap", &["size"]),
    keep("kotlin.collections.*", &["size", "head", "length", "offset", "modCount"]),
    keep("android.util.*", &["mSize", "size"]),
    keep("androidx.collection.", &["mSize", "size", "_size", "_capacity"]),
    keep("androidx.compose.runtime.", &["size", "state"]),
    // Lengths and encoding of texts, used part of buffers.
    keep("java.lang.String", &["coder", "offset", "count"]),
    keep("java.lang.AbstractStringBuilder", &["coder", "count"]),
    // Native memory.
    keep("java.nio.Buffer", &["capacity"]),
    keep("libcore.util.NativeAllocationRegistry", &["size"]),
    // Size of an object: the frames of a virtual thread.
    keep("jdk.internal.vm.StackChunk", &["size"]),
    // Threads.
    keep("java.lang.Thread", &["threadStatus", "priority", "daemon", "tid"]),
    keep("java.lang.Thread$FieldHolder", &["threadStatus", "priority", "daemon"]),
    keep("java.lang.VirtualThread", &["state", "daemon"]),
    // Position of a constant in its enum.
    keep("java.lang.Enum", &["ordinal"]),
    // The release of Android, on which known leaks of its libraries depend.
    keep("android.os.Build$VERSION", &["SDK_INT"]),
    // Bitmaps: dimensions and storage.
    keep("android.graphics.Bitmap", &["mWidth", "mHeight", "mDensity", "mId"]),
    // Whether a view was attached, a player released, an object watched, and since when.
    keep("android.view.View", &["mWindowAttachCount"]),
    keep("android.view.ViewGroup", &["mChildrenCount"]),
    keep("android.media.MediaPlayer", &["mNativeContext"]),
    keep("leakcanary.", ANY),
    keep("com.squareup.leakcanary.", ANY),
];

/// Packages whose flags say whether an object should be gone: destroyed, recycled, attached.
const FLAGS: &[&str] = &["android.", "androidx.", "mortar.", "com.squareup.", "leakcanary."];
/// Classes whose constants name the numbers of a state.
const CONSTANTS: &[&str] = &["java.lang.VirtualThread"];
/// Counters that a collection may have as its size.
const COUNTERS: &[&str] = &[
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.LongAdder",
];
/// Field of a collection that holds its counter, and is named otherwise than the numbers above.
const ADDER: (&str, &str) = ("java.util.concurrent.ConcurrentSkipListMap", "adder");

/// The rules, with those of the list of collections.
pub(in crate::hprof) struct KeptNumbers {
    /// Beginnings of class names, each with its fields.
    listed: Vec<(String, Vec<String>)>,
}

impl KeptNumbers {
    pub(in crate::hprof) fn new() -> Self {
        let list = CollectionList::built_in();
        let mut numbers = Self { listed: Vec::new() };
        for rule in (0..).map_while(|at| list.collection(at)) {
            let sizes = [FieldRole::Size, FieldRole::Start, FieldRole::End, FieldRole::Focus, FieldRole::Zero];
            numbers.add(&rule.class, &rule.fields, &sizes);
            numbers.add(&rule.class, &rule.fields, &[FieldRole::Threads]);
        }
        for node in (0..).map_while(|at| list.node(at)) {
            numbers.add(&node.class, &node.fields, &[FieldRole::Threads]);
        }
        numbers
    }

    /// The last fields of some roles, in the package of a class: a part of a collection may have the number.
    fn add(&mut self, class: &str, fields: &RoleFields, roles: &[FieldRole]) {
        let plain = class.split('*').next().unwrap_or(class);
        let package = plain.rfind('.').and_then(|dot| plain.get(..=dot)).unwrap_or(plain);
        let paths = roles.iter().flat_map(|&role| fields.of(role)).flatten();
        for field in paths.filter_map(|path| path.last()).map(|step| &*step.field) {
            let at = self.listed.iter().position(|(known, _)| known == package).unwrap_or_else(|| {
                self.listed.push((package.to_owned(), Vec::new()));
                self.listed.len() - 1
            });
            let known = self.listed.get_mut(at).map(|(_, fields)| fields);
            known.into_iter().filter(|known| !known.iter().any(|known| known == field)).for_each(|known| {
                known.push(field.to_owned());
            });
        }
    }

    /// True if the value of a field is kept: `class` declares it.
    pub(in crate::hprof) fn keeps(&self, class: &str, field: &str, kind: BasicType) -> bool {
        if kind == BasicType::Boolean && FLAGS.iter().any(|package| class.starts_with(package)) {
            return true;
        }
        let is_named = |listed: &KeptFields| listed.fields.is_empty() || listed.fields.contains(&field);
        SAFE_FIELDS.iter().any(|listed| is_named(listed) && is_of(class, listed.classes))
            || self.is_listed(class, field)
    }

    /// The same for a static field.
    pub(in crate::hprof) fn keeps_static(&self, class: &str, field: &str, kind: BasicType) -> bool {
        CONSTANTS.contains(&class) || self.keeps(class, field, kind)
    }

    /// True if a field with a reference may have the counter of a collection.
    pub(in crate::hprof) fn is_counter(&self, class: &str, field: &str) -> bool {
        (class, field) == ADDER
            || (class.starts_with("java.util.concurrent.") && field == "count")
            || self.is_listed(class, field)
    }

    fn is_listed(&self, class: &str, field: &str) -> bool {
        let mut packages = self.listed.iter().filter(|(package, _)| class.starts_with(&**package));
        packages.any(|(_, fields)| fields.iter().any(|known| known == field))
    }
}

/// True if objects of a class may be counters.
pub(in crate::hprof) fn may_count(class: &str) -> bool {
    COUNTERS.contains(&class)
}

fn is_of(class: &str, pattern: &str) -> bool {
    if let Some(package) = pattern.strip_suffix('*') {
        return class.strip_prefix(package).is_some_and(|rest| !rest.contains('.'));
    }
    class == pattern || (pattern.ends_with('.') && class.starts_with(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_and_values_are_not() {
        let numbers = KeptNumbers::new();
        let int = |class: &str, field: &str| numbers.keeps(class, field, BasicType::Int);
        assert!(int("java.util.HashMap", "size") && int("java.util.AbstractList", "modCount"));
        assert!(int("com.google.common.cache.LocalCache$Segment", "count"), "a part of a listed collection");
        assert!(int("it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap", "size"));
        assert!(!int("java.util.HashMap$Node", "hash") && !int("java.lang.String", "hash"));
        assert!(!int("shop.Order", "size") && !int("java.util.UUID", "mostSigBits"));
        assert!(!int("java.util.concurrent.atomic.AtomicInteger", "value"));
        assert!(!int("java.util.prefs.Preferences", "size"), "another package");
        assert!(numbers.keeps("android.app.Activity", "mDestroyed", BasicType::Boolean));
        assert!(!numbers.keeps("shop.Order", "paid", BasicType::Boolean));
        assert!(numbers.is_counter("java.util.concurrent.LinkedBlockingQueue", "count"));
    }
}
