//! The frame around the views: panes that take keys, the trail, menus on objects, several selected rows, stars and
//! notes, a second tab.

use eframe::egui::{self, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use heaplens::ui::app::App;
use heaplens::ui::command::Command;
use heaplens::ui::location::View;
use heaplens::view::chart::Mode;

use super::recovery::keeping;
use super::{click, fixture, has, look_at, press, row, settle, window};

#[test]
fn keyboard_focus_moves_to_a_pane_and_back_to_the_table() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    let first = h.state().location().and_then(|p| p.object).expect("the first row");
    // Held by: up along the path to the thread, and there.
    press(&mut h, Key::F2);
    press(&mut h, Key::ArrowUp);
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first), "the cursor of the path is no choice yet");
    press(&mut h, Key::Enter);
    let above = h.state().location().and_then(|p| p.object).expect("an object");
    assert_ne!(above, first);
    // The inspector: its parts with left and right, a row with Enter.
    press(&mut h, Key::F4);
    press(&mut h, Key::ArrowRight);
    h.get_by_role_and_label(egui::Role::Tab, "Incoming");
    // The first is a local of the thread's own stack; the second is the array of its group.
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::Enter);
    assert_ne!(h.state().location().and_then(|p| p.object), Some(above));
    // The table again.
    press(&mut h, Key::F3);
    let at = h.state().location().and_then(|p| p.object);
    press(&mut h, Key::ArrowDown);
    assert_ne!(h.state().location().and_then(|p| p.object), at);
}

#[test]
fn the_status_bar_sums_selected_rows() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session 1,200 objects");
    h.get_by_label_contains("1,200 objects  ·  shallow");
    press(&mut h, Key::Enter);
    for _ in 0..9 {
        h.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    }
    settle(&mut h);
    h.get_by_label_contains("10 objects  ·  shallow 400 B  ·  combined retained size");
    h.get_by_label_contains("held by HashMap$Node");
}

#[test]
fn thousands_of_selected_rows_are_listed_beside_the_frames() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "byte[] 15,117 objects");
    press(&mut h, Key::Enter);
    // All rows of a class: their combined size is known before they are listed.
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.step();
    h.step();
    h.get_by_label_contains("15,117 objects  ·  shallow 5.5 MB  ·  retained");
    settle(&mut h);
    h.get_by_label_contains("15,117 objects  ·  shallow 5.5 MB  ·  combined retained size 5.5 MB");
    // All but the first: their number is.
    press(&mut h, Key::Home);
    press(&mut h, Key::ArrowDown);
    h.key_press_modifiers(Modifiers::SHIFT, Key::End);
    h.step();
    h.step();
    h.get_by_label_contains("15,116 ");
    settle(&mut h);
    h.get_by_label_contains("15,116 objects  ·  shallow");
    // And every row of a tree, not its first thousands.
    h.state_mut().show(View::Dominators);
    settle(&mut h);
    click(&mut h, "Tree grouped");
    click(&mut h, "Plain");
    press(&mut h, Key::Home);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    settle(&mut h);
    let rows = h.state().tabs()[0].open_dump().map(|dump| dump.analysis.dominator_children(None).count());
    let rows = heaplens_base::Count(rows.expect("open") as u64);
    h.get_by_label_contains(&format!("{rows} objects  ·  shallow"));
}

#[test]
fn the_palette_takes_focus_from_any_pane() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::F2);
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    h.run_steps(2);
    h.event(egui::Event::Text(">stars and notes".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Stars));
}

#[test]
fn panes_are_docked_by_their_menu_and_share_the_bottom() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for location in ["Move path pane to the bottom", "Move inspector to the bottom"] {
        h.get_by_label("View").click();
        h.run_steps(2);
        assert!(h.query_by_label(location).is_none(), "it is in a menu of its own");
        h.get_by_label_contains("Pane positions").click();
        h.run_steps(4);
        h.get_by_label(location).click();
        settle(&mut h);
    }
    // The table keeps its rows, the inspector its fields.
    assert!(h.get_all_by_role(egui::Role::TreeItem).count() > 12);
    let (held, fields) = (h.get_by_label_contains("GC root: ").rect(), h.get_by_label_contains("ENTRIES = ").rect());
    assert!(held.right() < fields.left() && held.top() > 400.0, "{held} {fields}");
}

#[test]
fn a_second_tab_of_a_dump_is_independent() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    let first = h.state().location().expect("a location");
    h.key_press_modifiers(Modifiers::COMMAND, Key::T);
    settle(&mut h);
    let second = h.state().location().expect("a location");
    assert_eq!(h.state().tabs().len(), 2);
    assert_eq!((second.view, second.class), (first.view, first.class));
    assert_ne!(second.dump, first.dump);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| (p.dump, p.view)), Some((first.dump, View::Histogram)));
    h.get_by_label_contains("desk.Session 1,200 objects");
}

#[test]
fn stars_and_notes_are_listed_and_linked() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = h.state().location().and_then(|p| p.object).expect("the first row");
    press(&mut h, Key::M);
    h.get_by_label("Remove star (M)");
    press(&mut h, Key::N);
    h.event(egui::Event::Text("grows with every login".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Escape);
    press(&mut h, Key::ArrowDown);
    assert_ne!(h.state().location().and_then(|p| p.object), Some(first));
    h.state_mut().show(View::Stars);
    settle(&mut h);
    click(&mut h, "Starred class desk.SessionCache");
    assert_eq!(h.state().location().and_then(|p| p.object), Some(first));
    press(&mut h, Key::M);
    h.get_by_label("Add star (M)");
}

#[test]
fn a_row_of_the_histogram_is_found_by_typing() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Quote);
    h.event(egui::Event::Text("orderdesk".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Escape);
    let location = h.state().location().expect("a location");
    let dump = h.state().tabs()[0].open_dump().expect("open");
    let name = dump.heap.classes.get(location.class.expect("a class")).name.to_lowercase();
    assert!(name.contains("orderdesk"), "{name}");
}

#[test]
fn a_menu_on_a_row_does_what_its_keys_do() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    h.get_all_by_label_contains("desk.Session 1,200 objects").next().expect("the class").click_secondary();
    settle(&mut h);
    h.get_all_by_label_contains("List objects of this class").next().expect("the menu").click();
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    // Brackets walk the objects of the class by address.
    let before = h.state().location().and_then(|p| p.object);
    press(&mut h, Key::CloseBracket);
    let after = h.state().location().and_then(|p| p.object);
    assert_ne!(before, after);
    press(&mut h, Key::OpenBracket);
    assert_eq!(h.state().location().and_then(|p| p.object), before);
}

#[test]
fn one_key_shows_sizes_in_all_digits() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    let row = row(&mut h);
    let digits = row.split('\t').nth(1).expect("the retained size").to_owned();
    press(&mut h, Key::Period);
    let grouped = heaplens_base::Bytes(digits.parse().expect("digits")).exact();
    h.get_all_by_label_contains(&format!("retained {grouped}")).next().expect("the status bar");
    press(&mut h, Key::Period);
    assert!(h.query_all_by_label_contains(&format!("retained {grouped}")).next().is_none());
}

#[test]
fn bytes_of_an_array_are_shown_in_hex() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "byte[] ");
    press(&mut h, Key::Enter);
    h.get_by_role_and_label(egui::Role::Tab, "Hex").click();
    settle(&mut h);
    let rows = h.get_all_by_label_contains("Bytes at 0x0: ");
    let output = rows.into_iter().next().and_then(|n| n.accesskit_node().label()).expect("the first row");
    assert!(output.split(' ').skip(3).all(|byte| u8::from_str_radix(byte, 16).is_ok()), "{output}");
}

#[test]
fn back_restores_sort_and_filter_of_the_view_as_it_was() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "Sort by Objects");
    press(&mut h, Key::Slash);
    h.get_by_role_and_label(egui::Role::TextInput, "Filter by class or owner").type_text("desk.");
    settle(&mut h);
    press(&mut h, Key::Enter);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::Enter);
    // Somewhere else the same view is turned round.
    press(&mut h, Key::Num2);
    click(&mut h, "Clear the filter");
    click(&mut h, "Sort by Class");
    h.get_by_label_contains("Sort by Class, ascending");
    for _ in 0..2 {
        h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
        settle(&mut h);
    }
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Histogram));
    h.get_by_label_contains("Sort by Objects, descending");
    assert!(h.query_all_by_label_contains("java.lang.String ").next().is_none(), "the filter is back");
}

#[test]
fn layout_and_stars_are_restored_in_the_next_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[fixture("leak-before.hprof.gz")]);
    h.state_mut().show(View::Dominators);
    settle(&mut h);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    press(&mut h, Key::M);
    press(&mut h, Key::N);
    h.event(egui::Event::Text("grows".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Escape);
    press(&mut h, Key::F3);
    // Zoomed in, and a chart instead of the tree.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    settle(&mut h);
    assert!(h.ctx.zoom_factor() > 1.05);
    press(&mut h, Key::T);
    h.get_by_role_and_label(egui::Role::RadioButton, "Treemap");
    let mode = |h: &mut Harness<'_, App>| *h.state_mut().picture_mode(View::Dominators).expect("a view with a chart");
    let before = mode(&mut h);
    assert_ne!(before, Mode::default());
    eframe::App::on_exit(h.state_mut(), None);
    drop(h);

    let mut next = keeping(folder.path(), &[fixture("leak-after.hprof.gz")]);
    assert!(next.ctx.zoom_factor() > 1.05);
    assert_eq!(mode(&mut next), before);
    // The same map in the dump after, which has no marks of its own.
    next.state_mut().show(View::Stars);
    settle(&mut next);
    next.get_by_label_contains("Marked in another dump: java.util.HashMap ");
    next.get_by_label_contains("grows · from leak-before.hprof.gz");
}

/// Keys pressed in one frame: the cursor moves in one dump, and the next tab is shown. The row of the first dump is not
/// selected in the second.
#[test]
fn switching_dumps_clears_the_selected_row() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().open(&fixture("android/phone.hprof"));
    settle(&mut h);
    look_at(&mut h, View::Dominators);
    let small = h.state().location().expect("a location");
    let ctx = h.ctx.clone();
    let first = h.state().tabs()[0].key;
    h.state_mut().apply(&ctx, Command::ShowTab(first));
    settle(&mut h);
    let began = h.state().location().expect("a location");
    assert_eq!(began.view, View::Dominators);
    let pressed =
        |key, modifiers| egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    let keys = [pressed(Key::ArrowDown, Modifiers::NONE), pressed(Key::Tab, Modifiers::CTRL)];
    h.input_mut().events.extend(keys);
    h.step();
    assert_eq!(h.state().location(), Some(small));
    settle(&mut h);
    assert_eq!(h.state().location(), Some(small));
}

/// Keys pressed in one frame are handled in order.
#[test]
fn a_star_set_before_switching_tabs_stays_in_its_tab() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().open(&fixture("android/phone.hprof"));
    settle(&mut h);
    look_at(&mut h, View::Dominators);
    let pressed =
        |key, modifiers| egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    let keys = [pressed(Key::M, Modifiers::NONE), pressed(Key::Tab, Modifiers::CTRL)];
    h.input_mut().events.extend(keys);
    h.step();
    settle(&mut h);
    look_at(&mut h, View::Stars);
    assert!(has(&h, "No stars or notes"));
    h.key_press_modifiers(Modifiers::CTRL, Key::Tab);
    settle(&mut h);
    look_at(&mut h, View::Stars);
    assert!(!has(&h, "No stars or notes"));
}
