//! Columns of tables: hidden, shown, moved, and as they were in the next window.

use egui::accesskit::Role;

use super::recovery::{as_after_a_kill, keeping};
use super::*;

/// Titles of the columns, from left to right.
fn columns(h: &Harness<'_, App>) -> Vec<String> {
    let headers = h.query_all_by_role(Role::ColumnHeader);
    let mut headers: Vec<(f32, String)> =
        headers.map(|node| (node.rect().left(), node.accesskit_node().label().unwrap_or_default())).collect();
    headers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let title = |label: String| label.trim_start_matches("Sort by ").split(',').next().unwrap_or_default().to_owned();
    headers.into_iter().map(|(_, label)| title(label)).collect()
}

fn menu_of(h: &mut Harness<'_, App>, column: &str) {
    h.get_by_label_contains(&format!("Sort by {column}")).click_secondary();
    settle(h);
}

#[test]
fn columns_are_hidden_moved_and_kept_for_the_next_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    assert_eq!(columns(&h), ["Class", "Objects", "Shallow size", "Retained size", "Held by"]);
    click(&mut h, "Columns of Histogram");
    h.get_by_role_and_label(Role::CheckBox, "Shallow size").click();
    settle(&mut h);
    press(&mut h, Key::Escape);
    assert_eq!(columns(&h), ["Class", "Objects", "Retained size", "Held by"]);
    menu_of(&mut h, "Retained size");
    h.get_by_label("Move column left").click();
    settle(&mut h);
    press(&mut h, Key::Escape);
    assert_eq!(columns(&h), ["Class", "Retained size", "Objects", "Held by"]);
    // Settings are written every few frames.
    for _ in 0..60 {
        h.step();
    }

    let copy = as_after_a_kill(folder.path());
    let mut next = keeping(copy.path(), &[fixture("leak-after.hprof.gz")]);
    look_at(&mut next, View::Histogram);
    assert_eq!(columns(&next), ["Class", "Retained size", "Objects", "Held by"]);
    menu_of(&mut next, "Objects");
    next.get_by_label("Reset columns").click();
    settle(&mut next);
    assert_eq!(columns(&next), ["Class", "Objects", "Shallow size", "Retained size", "Held by"]);
}

#[test]
fn a_column_is_dragged_to_another_place() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    let from = h.get_by_label_contains("Sort by Retained size").rect().center();
    let to = h.get_by_label_contains("Sort by Objects").rect().left_center() + egui::vec2(12.0, 0.0);
    h.hover_at(from);
    h.step();
    let button = |pressed, pos| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    h.event(button(true, from));
    h.step();
    for part in 1..=8 {
        h.hover_at(from + (to - from) * (part as f32 / 8.0));
        h.step();
    }
    h.event(button(false, to));
    settle(&mut h);
    assert_eq!(columns(&h), ["Class", "Retained size", "Objects", "Shallow size", "Held by"]);
    // A click on a header still sorts.
    click(&mut h, "Sort by Objects");
    assert!(has(&h, "Sort by Objects, descending"));
}

#[test]
fn a_column_without_room_is_shown_on_request() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.set_size(egui::vec2(720.0, 480.0));
    look_at(&mut h, View::Dominators);
    assert!(!columns(&h).contains(&"Shallow size".to_owned()));
    click(&mut h, "Columns of Dominator tree");
    click(&mut h, "Shallow size (no room)");
    press(&mut h, Key::Escape);
    assert!(columns(&h).contains(&"Shallow size".to_owned()));
}

#[test]
fn headers_that_do_not_sort_have_the_menu_too() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "desk.Session");
    press(&mut h, Key::Home);
    press(&mut h, Key::I);
    h.get_by_role_and_label(Role::ColumnHeader, "Retained").click_secondary();
    settle(&mut h);
    h.get_by_role_and_label(Role::CheckBox, "Retained").click();
    settle(&mut h);
    press(&mut h, Key::Escape);
    assert!(h.query_by_role_and_label(Role::ColumnHeader, "Retained").is_none());
}
