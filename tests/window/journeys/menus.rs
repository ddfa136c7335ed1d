//! Menus: every entry is reachable, at the usual sizes of the window without scrolling.

use eframe::egui::{self, Key, Modifiers, MouseWheelUnit, Rect, Role, TouchPhase, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use heaplens::ui::app::App;
use heaplens::ui::location::View;
use heaplens::ui::verb::{Entry, Menu, TABLE, Verb};
use heaplens_session::OpenOptions;

use super::{fixture, has, opening, settle};

/// A window of `size` with a dump open.
fn window_of(size: egui::Vec2) -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size(size)
        .with_max_steps(200)
        .allow_missing_glyphs()
        .build_eframe(|cc| App::new(&cc.egui_ctx, &[fixture("leak-before.hprof.gz")], OpenOptions::default()));
    settle(&mut harness);
    harness
}

/// Entries that a menu, or one of its submenus, shows.
fn entries(menu: Menu, submenu: Option<&str>) -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().filter(move |entry| entry.menu == menu && entry.submenu == submenu)
}

/// Submenus of a menu, from top to bottom.
fn submenus(menu: Menu) -> Vec<&'static str> {
    let mut names: Vec<&str> = TABLE.iter().filter(|e| e.menu == menu).filter_map(|e| e.submenu).collect();
    names.dedup();
    names
}

/// Opens a menu of the menu bar, by its title at the top of the window.
fn open(h: &mut Harness<'_, App>, menu: Menu) {
    let title = h.get_all_by_label(menu.name()).min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()));
    title.expect("the title of the menu").click();
    h.run_steps(4);
}

/// Rectangle of an entry of an open menu.
fn rect_of(h: &Harness<'_, App>, entry: &Entry) -> Rect {
    let of_role =
        |role| h.query_all_by_role(role).find(|item| item.accesskit_node().label().as_deref() == Some(entry.name));
    let item = of_role(Role::MenuItem).or_else(|| of_role(Role::MenuItemRadio));
    item.unwrap_or_else(|| panic!("{} is in no open menu", entry.name)).rect()
}

/// Opens a submenu of the open menu.
fn open_submenu(h: &mut Harness<'_, App>, name: &str) {
    h.get_by_role_and_label(Role::Button, name).click();
    h.run_steps(4);
}

fn assert_inside(h: &Harness<'_, App>, entries: impl Iterator<Item = &'static Entry>, bar: f32) {
    let screen = h.ctx.content_rect();
    for entry in entries {
        let rect = rect_of(h, entry);
        assert!(screen.contains_rect(rect), "{} at {rect} is outside {screen}", entry.name);
        assert!(entry.submenu.is_some() || rect.top() >= bar, "{} at {rect} covers the menu bar", entry.name);
    }
}

#[test]
fn every_entry_of_every_menu_and_submenu_is_inside_the_window() {
    for size in [vec2(1440.0, 900.0), vec2(1000.0, 640.0)] {
        let mut h = window_of(size);
        let bar = h.get_by_label("Help").rect().bottom();
        for menu in Menu::ALL {
            open(&mut h, menu);
            assert_inside(&h, entries(menu, None), bar);
            for submenu in submenus(menu) {
                open_submenu(&mut h, submenu);
                assert_inside(&h, entries(menu, Some(submenu)), bar);
            }
            h.key_press(Key::Escape);
            h.run_steps(4);
        }
    }
}

#[test]
fn in_the_smallest_window_a_menu_scrolls_to_its_last_entry() {
    let mut h = window_of(vec2(720.0, 480.0));
    let screen = h.ctx.content_rect();
    for menu in Menu::ALL {
        open(&mut h, menu);
        for submenu in [None].into_iter().chain(submenus(menu).into_iter().map(Some)) {
            if let Some(name) = submenu {
                h.get_by_role_and_label(Role::Button, name).scroll_to_me();
                h.run_steps(4);
                open_submenu(&mut h, name);
            }
            let (Some(first), Some(last)) = (entries(menu, submenu).next(), entries(menu, submenu).last()) else {
                panic!("an empty menu")
            };
            // Over a drawn entry, on whichever side the submenu was placed.
            let first = rect_of(&h, first).center();
            let over = egui::pos2(first.x, first.y.clamp(screen.top() + 60.0, screen.bottom() - 60.0));
            h.hover_at(over);
            for _ in 0..8 {
                h.event(egui::Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta: vec2(0.0, -200.0),
                    phase: TouchPhase::Move,
                    modifiers: egui::Modifiers::NONE,
                    source: egui::MouseWheelSource::Wheel,
                });
                h.run_steps(2);
            }
            h.run_steps(20);
            let rect = rect_of(&h, last);
            assert!(screen.contains_rect(rect), "{} at {rect} cannot be reached", last.name);
        }
        h.key_press(Key::Escape);
        h.run_steps(4);
    }
}

#[test]
fn a_shortcut_whose_modifiers_are_released_in_its_frame_is_no_plain_key() {
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    // As a frame has them that is late: the key with Ctrl, and Ctrl released before its end.
    for pressed in [true, false] {
        h.input_mut().events.push(egui::Event::Key {
            key: Key::M,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        });
    }
    settle(&mut h);
    assert!(!has(&h, "select an object first"));
}

#[test]
fn the_menu_of_an_object_is_inside_the_window() {
    for size in [vec2(1440.0, 900.0), vec2(1000.0, 640.0)] {
        let mut h = window_of(size);
        h.state_mut().show(View::Dominators);
        settle(&mut h);
        // Rows of groups have no menu of an object.
        let has_address = |label: Option<String>| label.is_some_and(|label| label.contains(" 0x"));
        let end = size.y - 60.0;
        let rows = h.query_all_by_role(Role::TreeItem).filter(|row| row.rect().bottom() < end);
        let rows = rows.filter(|row| has_address(row.accesskit_node().label()));
        let lowest = rows.max_by(|a, b| a.rect().bottom().total_cmp(&b.rect().bottom()));
        lowest.expect("a row").click_secondary();
        h.run_steps(6);
        let screen = h.ctx.content_rect();
        // The label of an entry ends with its key.
        let rect_of = |h: &Harness<'_, App>, verb: Verb| {
            let entry = h.get_all_by_label_contains(verb.entry().name).last();
            entry.expect("an entry").rect()
        };
        let first = rect_of(&h, Verb::ShowInTree);
        assert!(screen.contains_rect(first), "{first} is outside {screen}");
        h.get_all_by_label_contains(Verb::RetainedSet.entry().name).last().expect("the last entry").scroll_to_me();
        h.run_steps(20);
        let last = rect_of(&h, Verb::RetainedSet);
        assert!(screen.contains_rect(last), "{last} is outside {screen}");
    }
}
