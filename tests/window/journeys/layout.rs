//! Nothing moves but what was meant to: rectangles of unchanged parts of the frame, before and after.

use super::*;

/// Rectangles of parts that no action below changes.
fn fixed(h: &Harness<'_, App>) -> Vec<egui::Rect> {
    let labels = ["Command palette…", "Overview", "Histogram", "Fold to icons", "Go back"];
    labels
        .into_iter()
        .map(|label| h.query_all_by_label_contains(label).next().unwrap_or_else(|| panic!("{label}")).rect())
        .collect()
}

#[test]
fn removals_messages_and_views_move_no_other_part() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let before = fixed(&h);
    press(&mut h, Key::X);
    assert_eq!(fixed(&h), before, "a removal");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert_eq!(fixed(&h), before, "undo");
    press(&mut h, Key::M);
    press(&mut h, Key::C);
    assert_eq!(fixed(&h), before, "a message");
    for key in [Key::Num2, Key::Num6, Key::Num7, Key::Q, Key::Num3] {
        h.state_mut().show(View::Dominators);
        settle(&mut h);
        press(&mut h, key);
        assert_eq!(fixed(&h), before, "{key:?}");
        press(&mut h, Key::Escape);
    }
}

#[test]
fn many_tabs_move_no_other_part() {
    let names =
        ["leak-before", "leak-after", "keys-before", "keys-after", "moved-before", "moved-after", "facts-jdk17"];
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.set_size(egui::vec2(1240.0, 700.0));
    settle(&mut h);
    let before = fixed(&h);
    for name in names {
        h.state_mut().open(&fixture(&format!("{name}.hprof.gz")));
        settle(&mut h);
    }
    assert!(h.state().tabs().len() > 5);
    assert_eq!(fixed(&h), before);
    // The tab on screen is in view, with its cross, and so is the list of all tabs.
    let area = h.ctx.content_rect();
    let cross = h.get_by_label("Close facts-jdk17.hprof.gz").rect();
    let list = h.get_by_label("All tabs").rect();
    assert!(
        area.contains_rect(cross) && area.contains_rect(list) && cross.right() <= list.left(),
        "{cross:?} {list:?}"
    );
}

#[test]
fn panes_come_back_after_a_small_window() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.set_size(egui::vec2(1440.0, 900.0));
    settle(&mut h);
    let inspector = |h: &Harness<'_, App>| h.get_by_label_contains("Hide the inspector").rect();
    let path = |h: &Harness<'_, App>| h.query_all_by_label_contains("Path to GC root").next().map(|node| node.rect());
    let (before, before_path) = (inspector(&h), path(&h));
    h.set_size(egui::vec2(720.0, 480.0));
    settle(&mut h);
    assert!(h.query_by_label_contains("Sort by Retained size").is_some(), "a column of figures stays");
    h.set_size(egui::vec2(1440.0, 900.0));
    settle(&mut h);
    assert_eq!((inspector(&h), path(&h)), (before, before_path));
}
