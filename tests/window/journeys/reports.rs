//! Journeys through the reports: threads, roots, loaders, groups of classes.

use super::*;

#[test]
fn a_thread_links_to_the_objects_of_its_locals() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num6);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Threads));
    h.get_by_label_contains("13 threads");
    // The thread, the frame, the object that a local variable of the frame holds.
    click(&mut h, "Expand java.lang.Thread report-writer");
    click(&mut h, "Expand desk.Worker.lambda$startReport$1");
    let local = |h: &Harness<'_, App>| {
        let rows =
            h.query_all_by_label_contains("java.util.ArrayList").filter_map(|node| node.accesskit_node().label());
        rows.into_iter().find(|row| row.starts_with("Java Local  "))
    };
    let row = local(&h).expect("the row of the local variable");
    click(&mut h, &row);
    let object = h.state().location().and_then(|p| p.object).expect("the list of rows");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    assert_eq!(&*dump.heap.class(object).name, "java.util.ArrayList");
    // Its holder and its contents are beside it, and it is copied with all digits.
    h.get_by_label_contains("Step 1: ");
    let text = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(text.contains("\nJava Local  java.util.ArrayList"), "{text}");
    // Left moves to the frame and collapses it.
    press(&mut h, Key::ArrowLeft);
    press(&mut h, Key::ArrowLeft);
    assert_eq!(local(&h), None);
}

#[test]
fn filtered_reports_keep_parent_rows() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Roots);
    h.get_by_label("System Class");
    press(&mut h, Key::Slash);
    h.get_by_role(egui::Role::TextInput).type_text("SessionReaper");
    settle(&mut h);
    h.get_by_label("Thread");
    h.get_all_by_label_contains("desk.SessionReaper session-reaper").next().expect("the thread");
    assert!(h.query_by_label("System Class").is_none());
    // The two loaders of one class are marked.
    press(&mut h, Key::Escape);
    look_at(&mut h, View::Loaders);
    h.get_by_label_contains("classes also defined by other loaders");
    let loader = h.get_all_by_label_contains("Expand desk.PluginLoader tax-plugin").next().expect("a loader");
    loader.click();
    settle(&mut h);
    h.get_all_by_label_contains("desk.plugin.TaxRules, also defined by another loader").next().expect("the class");
}

#[test]
fn the_histogram_groups_by_package() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "Group by class");
    click(&mut h, "By package");
    click(&mut h, "Expand desk");
    click(&mut h, "desk.Session$Cart");
    let class = h.state().location().and_then(|p| p.class).expect("a class");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    assert_eq!(&*dump.heap.classes.get(class).name, "desk.Session$Cart");
    // Enter lists its objects.
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
}

#[test]
fn packages_are_a_tree() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "Group by class");
    click(&mut h, "By package");
    assert!(h.query_by_label("Expand java.util").is_none(), "it is below java");
    click(&mut h, "Expand java");
    click(&mut h, "Expand java.util");
    click(&mut h, "Expand java.util.concurrent");
    h.get_by_label("java.util.concurrent.ConcurrentHashMap$Node");
}

/// Class names on screen in their order, with the retained sizes of the classes.
fn classes_on_screen(h: &Harness<'_, App>) -> Vec<(String, u64)> {
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    let retained = |label: &str| {
        // A row says its class first.
        let mut all = dump.heap.classes.iter().filter(|(_, of)| of.name.starts_with("desk."));
        let name = label.split([' ', ',']).next().unwrap_or_default();
        let (class, _) = all.find(|(_, of)| *of.name == *name)?;
        Some(dump.analysis.class_retained(class).0)
    };
    let mut result: Vec<(i32, String, u64)> = h
        .get_all_by_label_contains("desk.")
        .filter_map(|node| {
            let label = node.accesskit_node().label()?;
            let retained = retained(&label)?;
            Some((node.rect().top() as i32, label, retained))
        })
        .collect();
    result.sort();
    result.into_iter().map(|(_, label, retained)| (label, retained)).collect()
}

#[test]
fn classes_below_a_package_are_sorted_as_their_package() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "Group by class");
    click(&mut h, "By package");
    click(&mut h, "Expand desk");
    let is_sorted = |rows: &[(String, u64)]| rows.is_sorted_by(|(_, one), (_, next)| one >= next);
    let before = classes_on_screen(&h);
    assert!(before.len() > 3 && !is_sorted(&before), "by shallow size: {before:?}");
    click(&mut h, "Sort by Retained size");
    let after = classes_on_screen(&h);
    assert!(after.len() > 3 && is_sorted(&after), "{after:?}");
    // Another grouping keeps the column.
    click(&mut h, "Group by package");
    click(&mut h, "By class loader");
    settle(&mut h);
    click(&mut h, "Group by class loader");
    click(&mut h, "By class");
    settle(&mut h);
    let classes = classes_on_screen(&h);
    assert!(classes.len() > 1 && is_sorted(&classes), "{classes:?}");
}

#[test]
fn a_map_shows_its_keys_with_their_values() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // From the class that holds most to its map, by the link of the static field.
    let link = h
        .get_all_by_role(egui::Role::Link)
        .find(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with("java.util.HashMap (1,200)")));
    link.expect("the link to the map").click();
    settle(&mut h);
    let entry = |h: &Harness<'_, App>| {
        let rows = h.get_all_by_label_contains(" → desk.Session");
        rows.filter_map(|n| n.accesskit_node().label()).find(|l| l.starts_with('"'))
    };
    assert!(entry(&h).is_some(), "no key leads to a session");
    // Its fields are on another tab.
    h.get_by_label("Fields").click();
    settle(&mut h);
    h.get_by_label_contains("threshold = 1536");
}
