//! Journeys through charts of the dominator tree and the histogram.

use eframe::egui::{self, Key};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use heaplens::ui::app::App;
use heaplens::ui::location::View;
use heaplens::view::chart::Kind;
use heaplens::view::chart::Mode;

use super::{click, fixture, press, settle, window};

fn chosen(h: &Harness<'_, App>) -> String {
    let state = h.state();
    let location = state.location().expect("a location");
    let dump = state.tabs()[0].open_dump().expect("open");
    let Some(object) = location.object else {
        return format!("group {:?}", location.group.expect("an object or a group").part.only);
    };
    format!("{} {}", dump.heap.class(object).name, dump.analysis.retained(object).0)
}

/// Selects a cell as a screen reader does.
fn choose(h: &mut Harness<'_, App>, part_of_label: &str) {
    let cells = h.get_all_by_role(egui::Role::TreeItem);
    let named = |n: &egui_kittest::Node<'_>| n.accesskit_node().label().is_some_and(|l| l.contains(part_of_label));
    let cell = cells.into_iter().find(|n| named(n)).expect(part_of_label);
    cell.click_accesskit();
    settle(h);
}

#[test]
fn every_chart_reaches_the_leak_by_keyboard() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = chosen(&h);
    for kind in [Kind::Treemap, Kind::Icicle, Kind::Sunburst] {
        press(&mut h, Key::T);
        h.get_by_label("Dominator tree chart");
        h.get_all_by_label_contains("class desk.SessionCache, 5.4 MB, 76.4 %").next().expect("the biggest, by name");
        // Down to the map and its table, along the level, and up again.
        press(&mut h, Key::ArrowDown);
        assert!(chosen(&h).starts_with("java.util.HashMap "), "{kind:?}: {}", chosen(&h));
        press(&mut h, Key::ArrowDown);
        assert!(chosen(&h).starts_with("java.util.HashMap$Node[] "));
        press(&mut h, Key::ArrowUp);
        press(&mut h, Key::ArrowUp);
        assert_eq!(chosen(&h), first);
        press(&mut h, Key::ArrowRight);
        assert_ne!(chosen(&h), first);
        press(&mut h, Key::ArrowLeft);
        // The panes beside it follow.
        h.get_by_label_contains("ENTRIES = ");
        // In, farther in, and out again by the trail.
        press(&mut h, Key::Enter);
        h.get_by_label("Inside class SessionCache");
        press(&mut h, Key::ArrowDown);
        press(&mut h, Key::Enter);
        h.get_by_label("Inside .ENTRIES");
        press(&mut h, Key::Backspace);
        h.get_by_label("Inside class SessionCache");
        click(&mut h, "Zoom out to All");
        h.get_by_label("Inside All");
        press(&mut h, Key::ArrowUp);
        assert_eq!(chosen(&h), first);
    }
    press(&mut h, Key::T);
    assert!(h.query_by_label("Dominator tree chart").is_none());
    h.get_by_label_contains("Sort by Retained size");
}

#[test]
fn table_and_chart_share_their_selection() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    click(&mut h, "Table and chart");
    h.get_by_label("Dominator tree chart");
    h.get_by_label_contains("Sort by Retained size");
    let first = chosen(&h);
    choose(&mut h, "class desk.OrderDesk");
    assert_ne!(chosen(&h), first);
    // The table takes keys until the chart is clicked. A group between both stays selected.
    press(&mut h, Key::ArrowUp);
    assert!(chosen(&h).starts_with("group "), "{}", chosen(&h));
    press(&mut h, Key::ArrowUp);
    assert_eq!(chosen(&h), first);
    let picture = h.get_by_label("Dominator tree chart").rect();
    h.hover_at(picture.left_top() + egui::vec2(30.0, 4.0));
    h.run_steps(2);
    let at = picture.left_top() + egui::vec2(30.0, 4.0);
    h.drag_at(at);
    h.run_steps(1);
    h.drop_at(at);
    settle(&mut h);
    press(&mut h, Key::ArrowDown);
    assert!(chosen(&h).starts_with("java.util.HashMap "), "{}", chosen(&h));
    press(&mut h, Key::T);
    press(&mut h, Key::T);
    press(&mut h, Key::T);
    h.get_by_label_contains("Sort by Retained size");
    click(&mut h, "Table and chart");
    assert!(h.query_by_label_contains("Sort by Retained size").is_none());
}

/// The leak of many small objects is a cell by the name of its row, in every chart.
#[test]
fn groups_are_the_same_in_table_and_chart() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for kind in [Kind::Treemap, Kind::Icicle, Kind::Sunburst] {
        h.state_mut().show_as(Mode::Picture(kind));
        settle(&mut h);
        choose(&mut h, "HashMap$Node ×890");
        assert_eq!(h.state().location().and_then(|location| location.object), None, "{kind:?}");
        h.get_by_label("Inspector: java.util.HashMap$Node ×890");
        h.get_by_label_contains("Class java.util.HashMap$Node, 890 objects");
        // The table expands the tree down to the row of the group, which is selected there too.
        h.state_mut().show_as(Mode::Split(kind));
        settle(&mut h);
        assert!(super::row(&mut h).starts_with("java.util.HashMap$Node ×890"), "{kind:?}");
        click(&mut h, "class desk.OrderDesk");
        h.state_mut().show_as(Mode::Table);
        settle(&mut h);
    }
}

#[test]
fn the_histogram_shows_packages_and_leads_to_the_objects_of_a_class() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    press(&mut h, Key::T);
    h.get_all_by_label_contains("(primitive arrays), ").next().expect("a package");
    h.get_by_label_contains("Area: shallow size");
    choose(&mut h, "desk.Session, ");
    press(&mut h, Key::Enter);
    let location = h.state().location().expect("a location");
    assert_eq!(location.view, View::Objects);
    let dump = h.state().tabs()[0].open_dump().expect("open");
    assert_eq!(&*dump.heap.classes.get(location.class.expect("a class")).name, "desk.Session");
}

#[test]
fn an_object_too_small_to_draw_selects_its_dominator() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().show_as(Mode::Picture(Kind::Icicle));
    // A key far down in the map.
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session ");
    press(&mut h, Key::Enter);
    press(&mut h, Key::End);
    press(&mut h, Key::D);
    assert!(chosen(&h).starts_with("desk.Session "));
    let cells: Vec<String> = h
        .get_all_by_role(egui::Role::TreeItem)
        .filter(|n| n.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True))
        .filter_map(|n| n.accesskit_node().label())
        .collect();
    assert_eq!(cells.len(), 1, "{cells:?}");
    assert!(cells[0].starts_with("[…] HashMap$Node ×890, "), "{cells:?}");
}

/// The colours of a legend, with their bytes.
fn legend(h: &Harness<'_, App>) -> Vec<String> {
    // A read-only text has a value, not a label.
    let labels = h.query_all_by_label_contains("Colour of ").filter_map(|node| node.accesskit_node().value());
    let mut labels: Vec<String> = labels.collect();
    labels.retain(|label| !label.contains("Too small to draw"));
    labels
}

#[test]
fn a_legend_has_the_same_bytes_in_every_form_of_a_chart() {
    let before_and_after = [fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")];
    for (files, colour) in
        [(&before_and_after[..], "growth"), (&before_and_after[1..], "class"), (&before_and_after[1..], "depth")]
    {
        let mut h = window(files);
        h.state_mut().show(View::Dominators);
        settle(&mut h);
        let mut legends = Vec::new();
        for _ in 0..8 {
            press(&mut h, Key::T);
            if h.query_by_label("Dominator tree chart").is_none() {
                continue;
            }
            if !super::has(&h, &format!("Colour by {colour}")) {
                click(&mut h, "Colour by ");
                let name = format!("Colour by {colour}");
                h.get_all_by_label(&name).last().expect("a colouring").click();
                settle(&mut h);
            }
            legends.push(legend(&h));
        }
        legends.retain(|legend| !legend.is_empty());
        assert!(legends.len() >= 3, "{colour}: {legends:?}");
        assert!(legends.windows(2).all(|two| two[0] == two[1]), "{colour}: {legends:#?}");
        if colour == "growth" {
            // All objects of the later dump, once each, and the removed ones of the earlier.
            assert!(legends[0][0].starts_with("Colour of New "), "{:?}", legends[0]);
        }
    }
}
