//! Journeys of somebody who asks what would be freed without a reference.

use eframe::egui::{self, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use heaplens::ui::app::App;

use super::{click, fixture, press, settle, window};

fn undo(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(h);
}

#[test]
fn cutting_the_static_says_what_it_frees_and_is_taken_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.get_by_label_contains("reachable");
    // The map below the class that holds it: by the static alone.
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::X);
    h.get_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB (76.4 %), 18,003 objects");
    // The same key takes it back, and so does Ctrl+Z.
    press(&mut h, Key::X);
    assert!(h.query_by_label_contains("Cut desk").is_none());
    press(&mut h, Key::X);
    undo(&mut h);
    assert!(h.query_by_label_contains("Cut desk").is_none());
    h.get_by_label_contains("reachable");
}

#[test]
fn what_is_still_held_is_cut_too() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::X);
    // The class is held by its loader, by its instances and by others.
    h.get_by_label_contains("frees nothing; 5.4 MB still held by");
    click(&mut h, "frees nothing; 5.4 MB still held by");
    h.get_by_label("Still held so: choose one to cut it too");
    h.get_by_label("Take all cuts back").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still held by").is_none());
    // Of the map each entry is cut off from its value at once, by the field of all nodes.
    press(&mut h, Key::X);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::X);
    h.get_by_label_contains("2 cuts: frees 5.4 MB");
    undo(&mut h);
    h.get_by_label_contains("frees nothing; 5.4 MB still held by");
    h.get_by_role_and_label(egui::Role::Button, "Undo").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still held by").is_none());
}

#[test]
fn an_element_of_an_array_is_no_field() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    // A static there is once: in all instances means the same.
    h.key_press_modifiers(Modifiers::SHIFT, Key::X);
    settle(&mut h);
    h.get_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB");
    undo(&mut h);
    // Its table, by the field in all maps; and a node of the table, which no field holds.
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    h.key_press_modifiers(Modifiers::SHIFT, Key::X);
    settle(&mut h);
    h.get_by_label_contains("Cut java.util.HashMap.table: frees");
    undo(&mut h);
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowRight, Key::ArrowDown] {
        press(&mut h, key);
    }
    h.key_press_modifiers(Modifiers::SHIFT, Key::X);
    settle(&mut h);
    h.get_by_label_contains("An element of an array is no field");
}
