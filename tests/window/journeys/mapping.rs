//! The names of a mapping, put into a dump that is open and taken away again.

use super::*;

fn class_of_chosen(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    let heap = &h.state().tabs()[0].open_dump().expect("an open dump").heap;
    heap.class(location.object.expect("an object")).name.to_string()
}

#[test]
fn a_mapping_dropped_on_the_window_renames_the_current_view() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    h.state_mut().go_to_object("0x12c01000").expect("it exists");
    settle(&mut h);
    assert_eq!(class_of_chosen(&h), "com.example.Cache");
    drop_files(&mut h, &["android/phone.mapping.txt"]);
    assert_eq!(h.state().tabs().len(), 1, "it is no dump");
    assert_eq!(class_of_chosen(&h), "shop.Catalogue");
    assert!(has(&h, "shop.Catalogue") && !has(&h, "com.example.Cache"));
    assert!(has(&h, "names from phone.mapping.txt"), "the status says so");
    go_to(&mut h, ">remove mapping");
    assert_eq!(class_of_chosen(&h), "com.example.Cache");
    assert!(has(&h, "com.example.Cache") && !has(&h, "names from"));
}

#[test]
fn a_malformed_mapping_is_refused() {
    let mut h = window(&[fixture("android/phone.hprof")]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "bread, milk").expect("written");
    h.input_mut().dropped_files.push(Arc::new(Dropped(file)));
    settle(&mut h);
    assert!(has(&h, "not a ProGuard or R8 mapping"));
    assert_eq!(h.state().tabs().len(), 1);
}
