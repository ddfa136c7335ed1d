//! Journeys through a fleet: what is new, its dumps, one of them at the leak.

use std::fs;
use std::path::Path;

use super::*;
use heaplens_base::Task;
use heaplens_fleet::{DigestForm, DigestIdentity, DigestOptions, DigestRecord, digest, write};

/// Writes digests into a folder.
fn digests(folder: &Path, records: &[DigestRecord]) {
    let mut bytes = Vec::new();
    write(&mut bytes, DigestForm::Parquet, records).expect("digests");
    fs::write(folder.join("digests.parquet"), bytes).expect("a file");
}

/// Digests of the dump with the leak and of the one before it, as two versions of a program.
fn two_versions() -> Vec<DigestRecord> {
    let of = |name: &str, version: &str| {
        let path = fixture(name);
        let identity = DigestIdentity { app: Some("desk".to_owned()), version: Some(version.to_owned()), device: None };
        let shown = path.display().to_string();
        digest((&path, &shown), &identity, &DigestOptions::default(), &Task::new()).expect("not cancelled")
    };
    [of("leak-before.hprof.gz", "1.9"), of("leak-after.hprof.gz", "1.10")].concat()
}

#[test]
fn from_a_fleet_to_the_leak_in_one_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    digests(folder.path(), &two_versions());
    let mut h = opening(&[folder.path().to_owned()], OpenOptions::default());
    settle(&mut h);
    h.get_by_label_contains("2 dumps · ");
    // The cache holds more in the second version; other leaks are as they were.
    click(&mut h, "Worse");
    assert!(has(&h, "desk.SessionCache.ENTRIES, desk, 2 dumps") && !has(&h, "desk.OrderDesk.orders, desk"));
    click(&mut h, "All");
    let row = |h: &Harness<'_, App>, part: &str| {
        h.query_all_by_label_contains(part).find_map(|n| n.accesskit_node().label()).expect("a row")
    };
    let leak = row(&h, "desk.OrderDesk.orders, desk, 2 dumps");
    click(&mut h, &leak);
    press(&mut h, Key::Enter);
    settle(&mut h);
    h.get_by_label_contains("Dumps with desk.OrderDesk.orders");
    // Escape leads back, Enter on again.
    press(&mut h, Key::Escape);
    settle(&mut h);
    assert!(h.query_by_label_contains("Dumps with").is_none());
    click(&mut h, &leak);
    press(&mut h, Key::Enter);
    settle(&mut h);
    // The first is selected. It is as large as the other: in the order of their digests.
    press(&mut h, Key::Enter);
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    assert_eq!(h.state().tabs().len(), 1);
    let dump = h.state().tabs()[0].open_dump().expect("the dump");
    assert!(dump.opened.file.ends_with("leak-before.hprof.gz"));
    // Not the first finding, but that of the fleet.
    let object = h.state().location().and_then(|location| location.object).expect("the list");
    assert_eq!(dump.heap.class(object).name.as_ref(), "java.util.LinkedList");
    // The fleet is still there, as it was left.
    let tab = row(&h, "Fleet: ");
    click(&mut h, &tab);
    h.get_by_label_contains("Dumps with desk.OrderDesk.orders");
    assert_eq!(h.state().location(), None);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert!(h.query_by_label_contains("Fleet: ").is_none());
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
}

#[test]
fn leaks_of_a_fleet_are_filtered_sorted_and_drawn() {
    let mut h = opening(&[fixture("fleet")], OpenOptions::default());
    settle(&mut h);
    h.get_by_label_contains("200 dumps, 5 damaged · ");
    click(&mut h, "New");
    h.get_by_label_contains("mail.net.Sessions.LIVE, mail");
    assert!(h.query_by_label_contains("maps.tile.Tiles.CACHE").is_none());
    click(&mut h, "All");
    h.get_by_label("Filter leaks").click();
    settle(&mut h);
    h.get_by_label("Filter leaks").type_text("Samples");
    settle(&mut h);
    h.get_by_label_contains("maps.gps.Samples.RECENT, maps");
    assert!(h.query_by_label_contains("maps.tile.Tiles.CACHE").is_none());
    click(&mut h, "Clear the filter");
    click(&mut h, "Treemap");
    h.get_by_label_contains("First seen in");
    h.get_by_label_contains("maps.tile.Tiles.CACHE");
}

#[test]
fn a_folder_without_digests_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("bad.jsonl"), "no digest").expect("a file");
    let mut h = opening(&[folder.path().to_owned()], OpenOptions::default());
    settle(&mut h);
    h.get_by_label_contains("Neither a dump nor a digest is there");
    h.get_by_label_contains("bad.jsonl");
}

#[test]
fn a_folder_of_dumps_is_a_list_to_open_and_compare() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["leak-before.hprof.gz", "leak-after.hprof.gz"] {
        fs::copy(fixture(name), folder.path().join(name)).expect("a copy");
    }
    let mut h = opening(&[folder.path().to_owned()], OpenOptions::default());
    settle(&mut h);
    assert!(has(&h, "Folder: ") && has(&h, "leak-before.hprof.gz, "));
    // One selected row is opened by Enter; two are compared.
    h.key_press(Key::ArrowUp);
    h.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    settle(&mut h);
    h.get_by_label("Compare").click();
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
}
