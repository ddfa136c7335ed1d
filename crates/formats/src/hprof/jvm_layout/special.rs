//! Classes with more than their declared fields: fields injected by the virtual machine, which no dump records, and
//! padding around contended fields.

use super::packing::{DeclaredFields, Fields};
use crate::hprof::tags::BasicType;

const NOTHING: Fields = Fields { eights: 0, fours: 0, twos: 0, ones: 0, references: 0, pointers: 0 };
const POINTER: Fields = Fields { pointers: 1, ..NOTHING };

/// Fields injected by the virtual machine, by version; the first is used if nothing could be measured.
const INJECTED: [(&str, &[Fields]); 13] = [
    // Class pointers of the class and of its array class, two sizes, and two to four objects.
    (
        "java.lang.Class",
        &[
            Fields { pointers: 2, fours: 2, references: 3, ..NOTHING },
            Fields { pointers: 2, fours: 2, references: 2, ..NOTHING },
            Fields { pointers: 2, fours: 2, references: 4, ..NOTHING },
        ],
    ),
    ("java.lang.ClassLoader", &[POINTER]),
    ("java.lang.InternalError", &[Fields { ones: 1, ..NOTHING }]),
    ("java.lang.Module", &[POINTER]),
    ("java.lang.StackFrameInfo", &[Fields { twos: 1, ..NOTHING }]),
    ("java.lang.String", &[Fields { ones: 1, ..NOTHING }]),
    // Per-thread data of debuggers and Flight Recorder (JDK 19 and later).
    (
        "java.lang.Thread",
        &[
            NOTHING,
            Fields { pointers: 1, twos: 1, ..NOTHING },
            Fields { pointers: 1, fours: 1, twos: 1, ones: 1, ..NOTHING },
        ],
    ),
    // Monitor waiters (JDK 24 and later).
    ("java.lang.VirtualThread", &[NOTHING, POINTER]),
    ("java.lang.invoke.CallSite", &[NOTHING, POINTER]),
    ("java.lang.invoke.MemberName", &[POINTER, Fields { pointers: 2, references: 1, ..NOTHING }]),
    ("java.lang.invoke.MethodHandleNatives$CallSiteContext", &[Fields { pointers: 1, eights: 1, ..NOTHING }]),
    ("java.lang.invoke.ResolvedMethodName", &[Fields { pointers: 1, references: 1, ..NOTHING }]),
    (STACK_CHUNK, &[Fields { references: 1, pointers: 1, fours: 1, ones: 1, ..NOTHING }]),
];

/// Class whose instances hold the frames of a virtual thread.
pub(super) const STACK_CHUNK: &str = "jdk.internal.vm.StackChunk";

/// `@Contended` fields of the class library, which no dump records: fields by name, or the whole class.
const CONTENDED: [(&str, &[&str]); 8] = [
    ("java.lang.Thread", &["threadLocalRandomSeed", "threadLocalRandomProbe", "threadLocalRandomSecondarySeed"]),
    ("java.util.concurrent.ConcurrentHashMap$CounterCell", &[]),
    ("java.util.concurrent.Exchanger$Node", &[]),
    ("java.util.concurrent.Exchanger$Slot", &[]),
    ("java.util.concurrent.ForkJoinPool", &["ctl", "parallelism"]),
    ("java.util.concurrent.ForkJoinPool$WorkQueue", &["top", "phase", "stackPred", "source", "nsteals", "parking"]),
    ("java.util.concurrent.SubmissionPublisher$BufferedSubscription", &["demand", "waiting"]),
    ("java.util.concurrent.atomic.Striped64$Cell", &[]),
];

pub(super) fn is_special(name: &str) -> bool {
    INJECTED.iter().any(|(class, _)| *class == name) || CONTENDED.iter().any(|(class, _)| *class == name)
}

/// Layouts of a class in various versions, likeliest first.
pub(super) fn variants(name: &str, fields: &[(String, BasicType)]) -> Vec<DeclaredFields> {
    let has = |field: &str| fields.iter().any(|(name, _)| name == field);
    let contended = CONTENDED.iter().find(|(class, _)| *class == name).map(|&(_, fields)| fields);
    let injected = INJECTED.iter().find(|(class, _)| *class == name).map_or(&[NOTHING][..], |&(_, added)| added);
    // Threads with these fields belong to a version for which the last form is the likeliest.
    let recent = has("holder") || has("onWaitingList");
    // Up to JDK 6: two pointers and a constructor.
    let before_7 = name == "java.lang.Class" && has("cachedConstructor") && !has("classValueMap");
    let injected = if before_7 { &[Fields { pointers: 2, references: 1, ..NOTHING }][..] } else { injected };
    let mut together = Vec::new();
    for &added in injected {
        for apart in [true, false] {
            if apart && contended.is_none() {
                continue;
            }
            let mut own = DeclaredFields { fields: added, ..DeclaredFields::default() };
            let names = contended.unwrap_or_default();
            own.all_contended = apart && (names.is_empty() || name.ends_with("BufferedSubscription"));
            for (field, kind) in fields {
                let is_apart = apart && is_contended(name, names, field, has("parking"));
                if is_apart { own.contended.add(*kind) } else { own.fields.add(*kind) }
            }
            together.push(own);
        }
    }
    if recent {
        together.reverse();
    }
    together
}

/// True if a field is padded; some are padded only since another one exists.
fn is_contended(class: &str, names: &[&str], field: &str, parks: bool) -> bool {
    let since = match (class, field) {
        ("java.util.concurrent.ForkJoinPool$WorkQueue", "phase" | "stackPred") => parks,
        _ => true,
    };
    since && names.contains(&field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_sizes_follow_the_jdk_version() {
        let old = [("threadLocalRandomSeed".to_owned(), BasicType::Long)];
        let new = [old.as_slice(), &[("holder".to_owned(), BasicType::Object)]].concat();
        let first = |fields: &[(String, BasicType)]| variants("java.lang.Thread", fields).swap_remove(0);
        assert_eq!((first(&old).contended.eights, first(&old).fields.pointers), (1, 0));
        assert_eq!((first(&new).contended.eights, first(&new).fields.pointers), (0, 1));
    }

    #[test]
    fn only_special_classes_are_special() {
        assert!(is_special("java.lang.Module") && !is_special("java.lang.Object"));
        assert!(variants("java.util.concurrent.atomic.Striped64$Cell", &[]).iter().any(|own| own.all_contended));
    }
}
