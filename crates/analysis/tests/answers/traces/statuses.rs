//! States of the objects of a trace.

use super::report_of;

/// The state of one object determines those before and after it.
#[test]
fn states_propagate_along_the_path() {
    let of = |first: &str, third: &str| {
        let heap = format!(
            "class android.app.Activity
               field mDestroyed: boolean
               field next: object
             class Leaking
             class Class1 extends android.app.Activity
             class Class2
               field next: object
             class Class3 extends android.app.Activity
             class Plain
               field next: object
             leaking = Leaking
             three = {third} next=leaking
             two = Class2 next=three
             one = {first} next=two
             class GcRoot
               static one: object = one
             root GcRoot class"
        );
        let report = report_of(&heap, &["leaking"]);
        let trace = report.leaks.iter().flat_map(|leak| &leak.traces).next_back().expect("a trace");
        let steps = trace.steps.iter().map(|step| {
            let suspect = step.reference.as_ref().is_some_and(|reference| reference.is_suspect);
            format!(
                "{} {} {}{}",
                step.subject.class,
                step.status.name(),
                step.subject.reason,
                if suspect { " ~" } else { "" }
            )
        });
        steps.collect::<Vec<String>>()
    };
    let fine = of("Plain", "Class3 mDestroyed=false");
    assert_eq!(
        fine[..4],
        [
            "GcRoot NO Class3↓ is not leaking and a class is never leaking",
            "Plain NO Class3↓ is not leaking",
            "Class2 NO Class3↓ is not leaking",
            "Class3 NO Activity#mDestroyed is false ~",
        ]
    );
    // A leaking object ends the path: objects below it are reported with it.
    let removed = of("Class1 mDestroyed=true", "Plain");
    assert_eq!(removed, ["GcRoot NO a class is never leaking ~", "Class1 YES Activity#mDestroyed is true"]);
    let between = of("Class1 mDestroyed=false", "Class3 mDestroyed=true");
    assert_eq!(between[2..], ["Class2 UNKNOWN  ~", "Class3 YES Activity#mDestroyed is true"]);
}
