//! KOOM's report: its thresholds to the byte, its counts, its paths.

use heaplens_analysis::android::koom::{KoomReport, Thresholds, koom_report};
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery};
use heaplens_base::{Bytes, Task};

use super::{Dump, sketched};

/// KOOM distinguishes classes by their distance from `Object`.
const CLASSES: &str = "
    strings as chars
    class android.content.Context
    class android.content.ContextWrapper extends android.content.Context
    class android.view.ContextThemeWrapper extends android.content.ContextWrapper
    class android.app.Activity extends android.view.ContextThemeWrapper
      field mDestroyed: boolean
      field mFinished: boolean
    class Screen extends android.app.Activity
    class androidx.fragment.app.Fragment
      field mFragmentManager: object
      field mCalled: boolean
    class Part extends androidx.fragment.app.Fragment
    class android.app.Fragment
      field mFragmentManager: object
      field mCalled: boolean
    class android.graphics.Bitmap
      field mWidth: int
      field mHeight: int
    class libcore.util.NativeAllocationRegistry
    class GcRoot
      static all: object = all
    root GcRoot class
    ";

fn report_of(dump: &Dump, thresholds: &Thresholds, roots: Roots) -> KoomReport {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let (matchers, device) = (Matchers::none(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots };
    koom_report(question, thresholds, &Task::new()).expect("not cancelled")
}

fn dump_and_report(objects: &str, thresholds: &Thresholds) -> (Dump, KoomReport) {
    let labels: Vec<&str> = objects.lines().filter_map(|line| Some(line.split_once(" = ")?.0.trim())).collect();
    let dump = sketched(&format!("{CLASSES}{objects}\nall = java.lang.Object[] {}", labels.join(" ")));
    let report = report_of(&dump, thresholds, Roots::Pruned);
    (dump, report)
}

fn reasons(report: &KoomReport) -> Vec<(&str, usize)> {
    report.paths.iter().map(|path| (&*path.reason, path.leak.traces.len())).collect()
}

#[test]
fn destroyed_activities_and_fragments_are_leaks() {
    let objects = "
        destroyed = Screen mDestroyed=true
        finished = Screen mFinished=true
        shown = Screen
        over = Part mCalled=true
        early = Part
        attached = Part mCalled=true mFragmentManager=shown
        other = android.app.Fragment mCalled=true
        registry = libcore.util.NativeAllocationRegistry";
    let (_, report) = dump_and_report(objects, &Thresholds::default());
    // All are held by the same array: one signature, and so one path.
    assert_eq!(reasons(&report), [("Activity Leak", 3)]);
    let counts: Vec<(&str, u64, u64)> =
        report.classes.iter().map(|class| (&*class.class, class.instances, class.leaking)).collect();
    let expected = [("Screen", 2, 2), ("Part", 2, 1), ("libcore.util.NativeAllocationRegistry", 1, 0)];
    assert_eq!(counts, expected);
}

#[test]
fn bitmaps_and_arrays_are_big_from_a_threshold_on() {
    let numbers = |count: usize| vec!["0"; count].join(" ");
    let nulls = |count: usize| vec!["null"; count].join(" ");
    let least = Thresholds {
        bitmap_pixels: 100,
        primitive_array: Bytes(13 + 40),
        object_array: Bytes(16 + 40),
        same_class: 45,
    };
    let objects = format!(
        "
        big = android.graphics.Bitmap mWidth=10 mHeight=10
        small = android.graphics.Bitmap mWidth=11 mHeight=9
        ints = int[] {}
        shorts = short[] {}
        fewer = int[] {}
        slots = java.lang.String[] {}
        fewer_slots = java.lang.String[] {}",
        numbers(10),
        numbers(20),
        numbers(9),
        nulls(10),
        nulls(9),
    );
    let (_, report) = dump_and_report(&objects, &least);
    let big: Vec<(&str, u64)> = report.big.iter().map(|big| (&*big.class, big.size)).collect();
    assert_eq!(big, [("android.graphics.Bitmap", 100), ("int[]", 53), ("short[]", 53), ("java.lang.String[]", 56)]);
    let (_, default) = dump_and_report(&objects, &Thresholds::default());
    assert!(default.big.is_empty() && default.paths.is_empty());
    assert_eq!(Thresholds::default().bitmap_pixels, 1_049_089);
}

#[test]
fn paths_are_limited_per_class() {
    let objects: Vec<String> = (0..50).map(|n| format!("gone{n} = Screen mDestroyed=true")).collect();
    let objects = objects.join("\n");
    let (_, report) = dump_and_report(&objects, &Thresholds::default());
    assert_eq!(reasons(&report), [("Activity Leak", 45)]);
    assert_eq!((report.classes[0].instances, report.classes[0].leaking), (50, 50));
    let (_, all) = dump_and_report(&objects, &Thresholds { same_class: 100, ..Thresholds::default() });
    assert_eq!(reasons(&all), [("Activity Leak", 50)]);
}

/// Objects held only by a running method are no leaks for KOOM: it ignores such roots.
#[test]
fn roots_are_pruned() {
    let heap = format!(
        "{CLASSES}
         class java.lang.Thread
         thread = java.lang.Thread
         all = java.lang.Object[] null
         gone = Screen mDestroyed=true
         root thread thread 7
         root gone frame 7 0"
    );
    let dump = sketched(&heap);
    assert!(report_of(&dump, &Thresholds::default(), Roots::Pruned).paths.is_empty());
    assert_eq!(report_of(&dump, &Thresholds::default(), Roots::All).paths.len(), 1);
}
