//! Ten tasks of users, step by step as `tests/desktop/tasks.py` does them in the real window.

use egui::accesskit::Role;

use super::*;

/// Opens the menu of the first control with this label and clicks an entry.
fn choose(h: &mut Harness<'_, App>, at: &str, entry: &str) {
    h.get_all_by_label_contains(at).next().expect(at).click_secondary();
    settle(h);
    h.get_all_by_label_contains(entry).last().expect(entry).click();
}

fn show(h: &mut Harness<'_, App>, view: &str) {
    h.get_by_role_and_label(Role::Tab, view).click();
    settle(h);
}

/// A window as the user meets it: on the overview, or on the comparison of two dumps.
fn opened(names: &[&str]) -> Harness<'static, App> {
    let paths: Vec<PathBuf> = names.iter().map(|name| fixture(name)).collect();
    let mut h = opening(&paths, OpenOptions::default());
    settle(&mut h);
    h
}

#[test]
fn an_unknown_dump_to_the_path_of_its_holder() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    let path = copied(&mut h, |h| choose(h, "In short: ", "Copy path"));
    assert!(path.contains("SessionCache") && path.contains("ENTRIES"), "{path}");
}

#[test]
fn two_dumps_to_one_new_entry_of_what_grew() {
    let mut h = opened(&["leak-before.hprof.gz", "leak-after.hprof.gz"]);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
    let is_session = |node: &egui_kittest::Node<'_>| {
        // The preview comes before the id.
        let label = node.accesskit_node().label();
        label.is_some_and(|label| label.starts_with("desk.Session customer ") && label.contains(" 0x"))
    };
    h.query_all_by_role(Role::Link).find(is_session).expect("a new entry").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "desk.Session");
}

#[test]
fn a_class_to_its_merged_paths_without_weak_references() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    show(&mut h, "Histogram");
    choose(&mut h, "desk.Session 1,200 objects", "Merged paths without weak references");
    settle(&mut h);
    let tree = copied(&mut h, |h| h.get_by_label("Copy rows of the tree").click());
    assert!(tree.contains("SessionReaper"), "{tree}");
}

#[test]
fn the_retained_size_of_a_chosen_set() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    show(&mut h, "Histogram");
    click(&mut h, "desk.Order 1,200 objects");
    h.get_by_label_contains("desk.Customer 400 objects").click_modifiers(Modifiers::SHIFT);
    settle(&mut h);
    assert!(has(&h, "combined retained size 5.9 MB"));
}

#[test]
fn the_holder_of_a_string() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    click(&mut h, "Command palette");
    type_text(&mut h, "\"status: placed");
    press(&mut h, Key::Enter);
    assert_eq!(chosen_class(&h), "java.lang.String");
    assert!(has(&h, "Step 1: "));
}

#[test]
fn the_biggest_class_loader() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    click(&mut h, "More views");
    show(&mut h, "Class loaders");
    assert!(has(&h, "Sort by Retained by classes, descending") && has(&h, "AppClassLoader"));
    // The first loader that is an object is selected; → shows its classes.
    press(&mut h, Key::ArrowRight);
    assert!(has(&h, "desk.Session"));
}

#[test]
fn the_local_variables_of_a_thread() {
    let mut h = opened(&["leak-after.hprof.gz"]);
    show(&mut h, "Threads");
    let is_it = |node: &egui_kittest::Node<'_>| {
        let label = node.accesskit_node().label();
        label.is_some_and(|label| label.starts_with("Expand ") && label.contains("report-writer"))
    };
    h.query_all_by_role(Role::DisclosureTriangle).find(is_it).expect("the thread").click();
    settle(&mut h);
    assert!(has(&h, "startReport"));
}

#[test]
fn the_retainer_of_a_detached_node() {
    let mut h = opened(&["node/desk-final.heapsnapshot.gz"]);
    show(&mut h, "Detached nodes");
    h.query_all_by_role(Role::DisclosureTriangle).next().expect("a node").click();
    settle(&mut h);
    assert!(has(&h, "retained by "));
}

#[test]
fn the_leak_trace_of_an_activity() {
    let mut h = opened(&["android/album.hprof.gz"]);
    let trace = copied(&mut h, |h| choose(h, "Leak 1: ", "Copy finding"));
    assert!(trace.contains("ShareTracker") && trace.contains("PhotoActivity"), "{trace}");
}

#[test]
fn a_link_in_a_report_to_its_object() {
    let report = std::process::Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .args(["overview", "--format", "html", "--no-cache"])
        .arg(fixture("leak-after.hprof.gz"))
        .output()
        .expect("heaplens starts");
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    let link = report.split("href=\"").find(|part| part.starts_with("heaplens://")).expect("a link");
    let link = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
    let mut h = opened(&["leak-after.hprof.gz"]);
    click(&mut h, "Command palette");
    type_text(&mut h, &link);
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    assert_eq!(chosen_class(&h), "java.util.HashMap");
}
