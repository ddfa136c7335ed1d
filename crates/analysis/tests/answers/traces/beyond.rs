//! Labels of objects that Shark does not inspect.

use super::report_of;

/// Labels of the object referenced by `GcRoot.it`.
fn labels_of(heap: &str) -> Vec<String> {
    let heap = format!(
        "class Leaking
         leaking = Leaking
         class android.app.Activity
           field mDestroyed: boolean
         screen = android.app.Activity mDestroyed=true
         {heap}
         class GcRoot
           static it: object = it
         root GcRoot class"
    );
    let report = report_of(&heap, &["leaking"]);
    let leak = report
        .leaks
        .iter()
        .find(|leak| leak.traces[0].steps.last().is_some_and(|step| step.subject.class == "Leaking"));
    leak.expect("a leak").traces[0].steps[1].subject.labels.clone()
}

#[test]
fn a_binding_outlives_its_view() {
    let of = |view: &str| {
        labels_of(&format!(
            "class androidx.fragment.app.Fragment
               field mView: object
             class MainFragment extends androidx.fragment.app.Fragment
               field binding: object
               field held: object
             class MainBinding
               field rootView: object
             inner = MainBinding
             it = MainFragment mView={view} binding=inner held=leaking"
        ))
    };
    assert_eq!(of("null"), ["binding references MainBinding although Fragment.mView is null"]);
    assert_eq!(of("inner"), [""; 0]);
}

#[test]
fn dialogs_pages_and_adapters_report_their_state() {
    let dialog = "
        class android.app.Dialog
          field mContext: object
          field mShowing: boolean
          field held: object
        it = android.app.Dialog mContext=screen mShowing=true held=leaking";
    // The activity is a leak of its own, and ends the path that goes by it.
    assert_eq!(labels_of(dialog), ["Dialog is showing although its activity is destroyed"]);
    let page = "
        class android.webkit.WebView
          field mProvider: object
          field held: object
        class Provider
          field mAwContents: object
        class Contents
          field mIsDestroyed: boolean
        contents = Contents mIsDestroyed=true
        provider = Provider mAwContents=contents
        it = android.webkit.WebView mProvider=provider held=leaking";
    assert_eq!(labels_of(page), ["WebView is destroyed"]);
    let adapter = "
        class androidx.recyclerview.widget.RecyclerView$Adapter
          field mObservable: object
          field held: object
        class Observable
          field mObservers: object
        class java.util.ArrayList
          field size: int
        list = java.util.ArrayList size=2
        observable = Observable mObservers=list
        it = androidx.recyclerview.widget.RecyclerView$Adapter mObservable=observable held=leaking";
    assert_eq!(labels_of(adapter), ["Adapter has 2 observers"]);
}
