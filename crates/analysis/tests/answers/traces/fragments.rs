//! Fragments of androidx, by the state of their lifecycle.

use super::report_of;

/// States are distinguished by the static that holds them: Shark reads their names, and knows none in a dump without
/// strings.
#[test]
fn fragments_are_judged_by_their_state() {
    // Reason for the fragment's state, and its labels.
    let judged = |state: &str, version: &str, values: &str| {
        let heap = format!(
            "class State
               field unused: int
               static DESTROYED: object = destroyed
               static INITIALIZED: object = initialized
               static RESUMED: object = resumed
             destroyed = State
             initialized = State
             resumed = State
             class androidx.lifecycle.LifecycleRegistry
               field state: object
             registry = androidx.lifecycle.LifecycleRegistry state={state}
             class androidx.fragment.app.Fragment
               field mLifecycleRegistry: object
               field mFragmentManager: object
               field mCalled: boolean
               field mTag: object
               field below: object
               {version}
             class GcRoot
               static it: object = fragment
             manager = java.lang.Object
             tag = \"my-fragment\"
             fragment = androidx.fragment.app.Fragment mTag=tag {registry} {values}
             below = Below held=leaking
             class Below
               field held: object
             class Leaking
             leaking = Leaking
             root GcRoot class",
            registry = if values.contains("mLifecycleRegistry") { "" } else { "mLifecycleRegistry=registry" },
        );
        let (alone, before) =
            (report_of(&heap, &[]), report_of(&heap.replace("mTag=tag", "mTag=tag below=below"), &["leaking"]));
        let subject = before.leaks[0].traces[0].steps[1].subject.clone();
        assert!(subject.labels.iter().any(|label| label == "Fragment.mTag = my-fragment"), "{:?}", subject.labels);
        (!alone.leaks.is_empty(), subject)
    };
    let of = |state: &str, version: &str, values: &str| {
        let (is_leaking, subject) = judged(state, version, values);
        is_leaking.then_some(subject.reason)
    };
    let fine = |state: &str, version: &str, values: &str| {
        let (is_leaking, subject) = judged(state, version, values);
        assert!(!is_leaking);
        subject.reason
    };
    let newer = "field mMaxState: object";
    let is = |state: &str| Some(format!("Fragment.mLifecycleRegistry.state is {state}"));
    assert_eq!(of("destroyed", "", ""), is("DESTROYED"));
    assert_eq!(of("destroyed", newer, ""), is("DESTROYED"));
    assert_eq!(of("initialized", "", ""), None);
    assert_eq!(of("initialized", newer, "mCalled=false"), None);
    assert_eq!(of("initialized", newer, "mCalled=true mFragmentManager=manager"), None);
    assert_eq!(of("resumed", newer, "mCalled=true"), None);
    let reset = of("initialized", newer, "mCalled=true").expect("a leak");
    assert!(reset.contains("was reset to INITIALIZED by Fragment#initState()"), "{reset}");
    let complete =
        "Fragment.mLifecycleRegistry.state was reset to INITIALIZED by Fragment#initState() after Fragment#onDestroy()";
    assert_eq!(reset, complete);
    assert_eq!(fine("initialized", "", ""), "Fragment.mLifecycleRegistry.state is INITIALIZED");
    let never = "Fragment.mLifecycleRegistry.state is INITIALIZED and the fragment was never attached";
    assert_eq!(fine("initialized", newer, "mCalled=false"), never);
    let attached = "Fragment.mLifecycleRegistry.state is INITIALIZED and Fragment.mFragmentManager is set";
    assert_eq!(fine("initialized", newer, "mCalled=true mFragmentManager=manager"), attached);
    assert_eq!(fine("resumed", newer, ""), "Fragment.mLifecycleRegistry.state is RESUMED");
    let (is_leaking, unknown) = judged("resumed", newer, "mLifecycleRegistry=null");
    assert!(!is_leaking && unknown.reason.is_empty());
    assert!(unknown.labels.iter().any(|label| label == "Fragment.mLifecycleRegistry = null"), "{:?}", unknown.labels);
}
