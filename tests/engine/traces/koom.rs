//! KOOM's report: its thresholds to the byte, its counts, its paths.

use heaplens_analysis::android::koom::{KoomReport, Thresholds, koom_report};
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery};
use heaplens_base::{Bytes, Task};
use heaplens_session::KoomFile;
use heaplens_tables::export::koom::write_koom;
use heaplens_testkit::notation;

use super::{LoadedDump, sketched};

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

fn report_of(dump: &LoadedDump, thresholds: &Thresholds, roots: Roots) -> KoomReport {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let (matchers, device) = (Matchers::none(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots };
    koom_report(question, thresholds, &Task::new()).expect("not cancelled")
}

fn found(objects: &str, thresholds: &Thresholds) -> (LoadedDump, KoomReport) {
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
    let (_, report) = found(objects, &Thresholds::default());
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
    let (_, report) = found(&objects, &least);
    let big: Vec<(&str, u64)> = report.big.iter().map(|big| (&*big.class, big.size)).collect();
    assert_eq!(big, [("android.graphics.Bitmap", 100), ("int[]", 53), ("short[]", 53), ("java.lang.String[]", 56)]);
    let (_, usual) = found(&objects, &Thresholds::default());
    assert!(usual.big.is_empty() && usual.paths.is_empty());
    assert_eq!(Thresholds::default().bitmap_pixels, 1_049_089);
}

#[test]
fn paths_are_limited_per_class() {
    let objects: Vec<String> = (0..50).map(|n| format!("gone{n} = Screen mDestroyed=true")).collect();
    let objects = objects.join("\n");
    let (_, report) = found(&objects, &Thresholds::default());
    assert_eq!(reasons(&report), [("Activity Leak", 45)]);
    assert_eq!((report.classes[0].instances, report.classes[0].leaking), (50, 50));
    let (_, all) = found(&objects, &Thresholds { same_class: 100, ..Thresholds::default() });
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

#[test]
fn the_report_has_the_fields_of_koom() {
    let (dump, report) = found("big = android.graphics.Bitmap mWidth=1080 mHeight=1920", &Thresholds::default());
    let mut out = Vec::new();
    write_koom(&mut out, &dump.facts.heap, &report).expect("disk space");
    let json: serde_json::Value = serde_json::from_slice(&out).expect("it is json");
    let path = &json["gcPaths"][0];
    assert_eq!(path["leakReason"], "Bitmap Size Over Threshold, 1080x1920");
    assert_eq!((&path["instanceCount"], &path["gcRoot"]), (&1.into(), &"System class".into()));
    let steps: Vec<[&str; 2]> = path["path"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|step| {
            [step["reference"].as_str().unwrap_or_default(), step["referenceType"].as_str().unwrap_or_default()]
        })
        .collect();
    let expected = [
        ["GcRoot.all", "STATIC_FIELD"],
        ["java.lang.Object[]", "ARRAY_ENTRY"],
        ["android.graphics.Bitmap", "instance"],
    ];
    assert_eq!(steps, expected);
    assert_eq!(json["classInfos"][0]["instanceCount"], "1");
    let big = &json["leakObjects"][0];
    assert_eq!((&big["size"], &big["extDetail"]), (&"2073600".into(), &"1080 x 1920".into()));
    let id: u64 = big["objectId"].as_str().and_then(|id| id.parse().ok()).expect("a number");
    let read = notation::read(&format!("{CLASSES}big = android.graphics.Bitmap\nall = java.lang.Object[] big"));
    assert_eq!(id, read.expect("a heap").id("big"));
}

/// A report that was written on the device finds its objects in the dump it was written of, and only there.
#[test]
fn objects_of_a_report_are_found_in_its_dump() {
    let objects = "
        gone = Screen mDestroyed=true
        shown = Screen
        big = android.graphics.Bitmap mWidth=1080 mHeight=1920";
    let (dump, report) = found(objects, &Thresholds::default());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let mut out = Vec::new();
    write_koom(&mut out, &dump.facts.heap, &report).expect("disk space");
    std::fs::write(&file, out).expect("disk space");
    let of = |dump: &LoadedDump| {
        let read = KoomFile::read(&file).expect("a report");
        read.in_dump(&dump.facts, &Task::new()).expect("not cancelled")
    };
    let reported = of(&dump);
    let named: Vec<(&str, &str)> =
        reported.objects.iter().map(|(object, why)| (&*dump.facts.heap.class(*object).name, &**why)).collect();
    // One path leads to both, with the reason of the first.
    assert_eq!(named, [("Screen", "Activity Leak"), ("android.graphics.Bitmap", "Activity Leak")]);
    assert!(reported.missing.is_empty());
    assert_eq!(reported.summary(), "2 objects reported by KOOM");
    // Two GC roots have the signature of no reference both: their reasons tell them apart.
    let roots = sketched(&format!(
        "{CLASSES}
         all = java.lang.Object[] null
         gone = Screen mDestroyed=true
         big = android.graphics.Bitmap mWidth=1080 mHeight=1920
         root gone global
         root big global"
    ));
    let mut out = Vec::new();
    let of_roots = report_of(&roots, &Thresholds::default(), Roots::Pruned);
    write_koom(&mut out, &roots.facts.heap, &of_roots).expect("disk space");
    std::fs::write(&file, out).expect("disk space");
    let named: Vec<String> = of(&roots).objects.into_iter().map(|(_, why)| why).collect();
    assert_eq!(named, ["Activity Leak", "Bitmap Size Over Threshold, 1080x1920"]);
    let (other, _) = found("only = android.graphics.Bitmap mWidth=1 mHeight=1", &Thresholds::default());
    let elsewhere = of(&other);
    assert!(elsewhere.objects.is_empty());
    assert_eq!(elsewhere.missing.len(), 3, "{:?}", elsewhere.missing);
    for wrong in ["bread, milk", "[1, 2]", "{}", "{\"gcPaths\": 7}", "{\"leakObjects\": [{\"objectId\": 7}]}"] {
        std::fs::write(&file, wrong).expect("disk space");
        assert!(KoomFile::read(&file).is_err(), "{wrong}");
    }
}
