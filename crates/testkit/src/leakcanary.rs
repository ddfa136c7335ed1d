//! Objects that LeakCanary watches, in the notation.

/// Classes that LeakCanary uses to watch objects.
const WATCHED: &str = "
    strings as chars
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.WeakReference extends java.lang.ref.Reference
    class leakcanary.KeyedWeakReference extends java.lang.ref.WeakReference
      field key: object
      field description: object
      field watchUptimeMillis: long
      field retainedUptimeMillis: long
      static heapDumpUptimeMillis: long = 30000
    key = \"a-key\"
    ended = \"its lifecycle has ended\"
    ";

/// The heap with weak references by which LeakCanary watches the objects with these labels.
pub fn watching(heap: &str, watched: &[&str]) -> String {
    let weak = |object: &&str| {
        format!(
            "weak_{object} = leakcanary.KeyedWeakReference referent={object} key=key description=ended \
             watchUptimeMillis=10000 retainedUptimeMillis=20000\n"
        )
    };
    let weak: String = watched.iter().map(weak).collect();
    format!("{WATCHED}{heap}\n{weak}")
}
