//! Which classes are read as collections, and how. Classes must match exactly: a subclass may contain more.

/// Alternative names of a field; an implementation has one of them.
pub(super) type Names = &'static [&'static str];

/// Reading strategy of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CollectionReader {
    /// An array.
    Array(Names),
    /// An array of a set.
    Set(Names),
    /// Nodes of a list: first, next, element.
    Nodes,
    /// A table of chains of nodes.
    Table,
    /// The same, with weak keys.
    WeakTable,
    /// A set around a map.
    Keys,
    /// `android.os.MessageQueue`
    Messages,
    /// `androidx.arch.core.internal.SafeIterableMap`
    Entries,
    /// `android.animation.ObjectAnimator`
    Animator,
    /// `android.app.ActivityThread`
    ActivityThread,
    /// `android.app.ActivityThread$ActivityClientRecord`
    ActivityRecord,
}

impl CollectionReader {
    /// Reading strategy of objects of exactly this class.
    pub(super) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "java.util.ArrayList" => Self::Array(&["elementData", "array"]),
            "java.util.concurrent.CopyOnWriteArrayList" => Self::Array(&["array", "elements"]),
            "java.util.LinkedList" => Self::Nodes,
            "java.util.HashMap" | "java.util.LinkedHashMap" | "java.util.concurrent.ConcurrentHashMap" => Self::Table,
            "java.util.WeakHashMap" => Self::WeakTable,
            "java.util.HashSet" | "java.util.LinkedHashSet" => Self::Keys,
            "android.util.ArraySet" => Self::Set(&["mArray"]),
            "android.os.MessageQueue" => Self::Messages,
            "androidx.arch.core.internal.SafeIterableMap" | "androidx.arch.core.internal.FastSafeIterableMap" => {
                Self::Entries
            }
            "android.animation.ObjectAnimator" => Self::Animator,
            "android.app.ActivityThread" => Self::ActivityThread,
            "android.app.ActivityThread$ActivityClientRecord" => Self::ActivityRecord,
            _ => return None,
        })
    }
}
