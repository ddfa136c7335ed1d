//! A report that KOOM wrote of the dump that is open.

use super::*;

fn drop_report(h: &mut Harness<'_, App>, text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    std::fs::write(&file, text).expect("written");
    h.input_mut().dropped_files.push(Arc::new(Dropped(file)));
    settle(h);
}

#[test]
fn objects_of_a_report_get_stars() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    // The object at 0x12c01000, and one that is not there.
    let objects = r#"{"leakObjects": [
        {"className": "com.example.Cache", "objectId": "314576896", "extDetail": "too big"},
        {"className": "com.example.Cache", "objectId": "7"}]}"#;
    drop_report(&mut h, objects);
    assert!(has(&h, "1 object reported by KOOM; 1 more not in this dump"));
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Stars));
    assert!(has(&h, "KOOM: Big com.example.Cache, too big"));
    assert_eq!(h.state().tabs().len(), 1, "it is no dump");
}

#[test]
fn a_malformed_report_is_refused() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    drop_report(&mut h, "{\"name\": \"bread\"}");
    assert!(has(&h, "not a KOOM report"));
}
