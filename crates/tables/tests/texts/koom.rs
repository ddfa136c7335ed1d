//! KOOM's report as a file: its fields, and the objects of a report found in a dump.

use heaplens_analysis::android::koom::{KoomReport, Thresholds, koom_report};
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::KoomFile;
use heaplens_tables::export::koom::write_koom;
use heaplens_testkit::notation;

use crate::sketched;

/// KOOM distinguishes classes by their distance from `Object`.
const CLASSES: &str = "
    strings as chars
    class android.content.Context
    class android.content.ContextWrapper extends android.content.Context
    class android.view.ContextThemeWrapper extends android.content.ContextWrapper
    class android.app.Activity extends android.view.ContextThemeWrapper
      field mDestroyed: boolean
    class Screen extends android.app.Activity
    class android.graphics.Bitmap
      field mWidth: int
      field mHeight: int
    class GcRoot
      static all: object = all
    root GcRoot class
    ";

fn report_of(dump: &Dump) -> KoomReport {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let (matchers, device) = (Matchers::none(), Device::default());
    let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::Pruned };
    koom_report(question, &Thresholds::default(), &Task::new()).expect("not cancelled")
}

fn dump_and_report(objects: &str) -> (Dump, KoomReport) {
    let labels: Vec<&str> = objects.lines().filter_map(|line| Some(line.split_once(" = ")?.0.trim())).collect();
    let dump = sketched(&format!("{CLASSES}{objects}\nall = java.lang.Object[] {}", labels.join(" ")));
    let report = report_of(&dump);
    (dump, report)
}

#[test]
fn the_report_has_the_fields_of_koom() {
    let (dump, report) = dump_and_report("big = android.graphics.Bitmap mWidth=1080 mHeight=1920");
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
    let (dump, report) = dump_and_report(objects);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let mut out = Vec::new();
    write_koom(&mut out, &dump.facts.heap, &report).expect("disk space");
    std::fs::write(&file, out).expect("disk space");
    let of = |dump: &Dump| {
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
    let of_roots = report_of(&roots);
    write_koom(&mut out, &roots.facts.heap, &of_roots).expect("disk space");
    std::fs::write(&file, out).expect("disk space");
    let named: Vec<String> = of(&roots).objects.into_iter().map(|(_, why)| why).collect();
    assert_eq!(named, ["Activity Leak", "Bitmap Size Over Threshold, 1080x1920"]);
    let (other, _) = dump_and_report("only = android.graphics.Bitmap mWidth=1 mHeight=1");
    let elsewhere = of(&other);
    assert!(elsewhere.objects.is_empty());
    assert_eq!(elsewhere.missing.len(), 3, "{:?}", elsewhere.missing);
    for wrong in ["bread, milk", "[1, 2]", "{}", "{\"gcPaths\": 7}", "{\"leakObjects\": [{\"objectId\": 7}]}"] {
        std::fs::write(&file, wrong).expect("disk space");
        assert!(KoomFile::read(&file).is_err(), "{wrong}");
    }
}
