//! The list of views: groups, keys, and the views that a dump does not have.

use egui::accesskit::Role;
use heaplens::view::ViewGroup;

use super::*;

/// Views in the list, from top to bottom.
fn listed(h: &Harness<'_, App>) -> Vec<String> {
    let views: Vec<&str> = View::ALL.into_iter().map(View::name).collect();
    let entries = h.query_all_by_role(Role::Tab).filter_map(|node| node.accesskit_node().label());
    entries.filter(|label| views.contains(&label.as_str())).collect()
}

fn is_listed(h: &Harness<'_, App>, view: View) -> bool {
    listed(h).iter().any(|name| name == view.name())
}

#[test]
fn views_are_listed_in_groups_and_only_those_the_dump_has() {
    let mut java = window(&[fixture("leak-after.hprof.gz")]);
    let names = listed(&java);
    let order = View::ALL.into_iter().map(View::name).filter(|&name| names.iter().any(|n| n == name));
    assert_eq!(names, order.collect::<Vec<_>>());
    for title in ViewGroup::ALL.into_iter().filter_map(ViewGroup::title) {
        java.get_by_role_and_label(Role::Label, title);
    }
    for view in [View::Growth, View::Detached, View::Bitmaps, View::Closures] {
        assert!(!is_listed(&java, view), "{}", view.name());
    }
    java.get_by_role_and_label(Role::Tab, "Class loaders").click();
    settle(&mut java);
    assert_eq!(java.state().location().map(|location| location.view), Some(View::Loaders));

    let snapshot = window(&[fixture("node/desk-final.heapsnapshot.gz")]);
    for view in [View::Threads, View::Collections, View::Loaders, View::Finalizers, View::Gaps] {
        assert!(!is_listed(&snapshot, view), "{}", view.name());
    }
    assert!(is_listed(&snapshot, View::Closures) && is_listed(&snapshot, View::Strings));

    // The format of IBM's dumps records no fields.
    let ibm = window(&[fixture("ibm/heapdump.20261122.120000.4711.0001.phd")]);
    for view in [View::Strings, View::Collections, View::Finalizers] {
        assert!(!is_listed(&ibm, view), "{}", view.name());
    }
    assert!(is_listed(&ibm, View::Loaders));
}

#[test]
fn the_folded_list_has_a_menu_for_each_group() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::B);
    settle(&mut h);
    // The overview is a view of its own; the other groups are icons.
    assert_eq!(listed(&h), ["Overview"]);
    click(&mut h, "Views: Wasted memory");
    h.get_by_role_and_label(Role::Tab, "Duplicate strings").click();
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Strings));
    click(&mut h, "Show names of views");
    assert!(is_listed(&h, View::Histogram));
    // A narrow window shows icons until the user asks for names.
    let mut narrow = window(&[fixture("leak-after.hprof.gz")]);
    narrow.set_size(egui::vec2(1000.0, 640.0));
    settle(&mut narrow);
    assert!(!is_listed(&narrow, View::Histogram));
    click(&mut narrow, "Show names of views");
    assert!(is_listed(&narrow, View::Histogram));
}

#[test]
fn visited_locations_are_listed_and_lead_back_and_forward() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for name in ["desk.SessionCache.ENTRIES", "desk.OrderDesk.orders"] {
        h.state_mut().go_to_object(name).expect("it exists");
        settle(&mut h);
    }
    click(&mut h, "Locations visited");
    h.get_by_label_contains("Dominator tree  LinkedList 0x");
    h.get_by_label_contains("Dominator tree  HashMap 0x").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    click(&mut h, "Locations visited");
    h.get_by_label_contains("Dominator tree  LinkedList 0x").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "java.util.LinkedList");
}
