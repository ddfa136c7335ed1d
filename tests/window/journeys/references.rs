//! References of an object as a tree in the inspector: referrers of referrers up to a GC root.

use egui::accesskit::Role;

use super::*;

/// Rows of the tree, from top to bottom.
fn rows(h: &Harness<'_, App>) -> Vec<String> {
    h.query_all_by_role(Role::TreeItem)
        .filter(|node| node.accesskit_node().level() != Some(0))
        .filter_map(|node| node.accesskit_node().label())
        .collect()
}

#[test]
fn referrers_expand_up_to_a_gc_root() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // The list of objects has no tree of its own.
    go_to(&mut h, "desk.Session");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Objects));
    press(&mut h, Key::Home);
    press(&mut h, Key::I);
    let first = rows(&h);
    assert!(first.iter().any(|row| row.starts_with("value SessionCache.ENTRIES java.util.HashMap$Node")), "{first:?}");
    for (row, expected) in [
        ("value java.util.HashMap$Node", "["),
        ("[", "table SessionCache.ENTRIES java.util.HashMap"),
        ("table java.util.HashMap", "ENTRIES class desk.SessionCache"),
    ] {
        click(&mut h, &format!("Expand {row}"));
        let rows = rows(&h);
        assert!(rows.iter().any(|row| row.starts_with(expected)), "{expected}: {rows:?}");
    }
    // The cart is referred to by the session alone, which is above it: there is nothing more to expand.
    click(&mut h, "Expand this$0 desk.Session$Cart");
    assert_eq!(h.query_all_by_label_contains("Expand cart desk.Session").count(), 0);
    // A link in the tree goes to the object.
    let class = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| label.contains("SessionCache 0x"))
    };
    h.query_all_by_role(Role::Link).find(class).expect("a link to the class").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "desk.SessionCache");
}

#[test]
fn keys_expand_referrers_and_rows_at_any_depth_are_copied() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "desk.Session");
    press(&mut h, Key::Home);
    press(&mut h, Key::I);
    // The inspector has the keyboard focus and its first row is selected: right expands it, left collapses it.
    let closed = rows(&h).len();
    press(&mut h, Key::ArrowRight);
    assert!(rows(&h).len() > closed);
    press(&mut h, Key::ArrowDown);
    let text = copied(&mut h, |h| h.get_by_label("Copy inspector rows").click());
    assert!(text.contains("java.util.HashMap$Node[]") && text.contains("Retained"), "{text}");
    press(&mut h, Key::ArrowUp);
    press(&mut h, Key::ArrowLeft);
    assert_eq!(rows(&h).len(), closed);
}

#[test]
fn side_keys_stay_in_the_tree_of_references() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "desk.Session");
    press(&mut h, Key::Home);
    press(&mut h, Key::I);
    let closed = rows(&h);
    // Right expands, then goes to the child; there it expands until a row has no children, and does nothing.
    for _ in 0..40 {
        press(&mut h, Key::ArrowRight);
    }
    let expanded = rows(&h);
    assert!(expanded.len() > closed.len() && expanded[0] == closed[0], "{expanded:?}");
    // Left collapses or goes to the parent, up to the first row.
    for _ in 0..40 {
        press(&mut h, Key::ArrowLeft);
    }
    assert_eq!(rows(&h), closed);
}
