//! Journeys through the grouped dominator tree: groups, shared objects, other groupings, accumulation points.

use super::*;
use heaplens::ui::command::Command;
use heaplens::ui::verb::Verb;

fn names(h: &Harness<'_, App>, part: &str) -> Vec<String> {
    h.query_all_by_label_contains(part).filter_map(|n| n.accesskit_node().label()).collect()
}

#[test]
fn groups_expand_and_collapse_by_click_and_key() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // The holder, its map, the array, and all entries as one row.
    for _ in 0..6 {
        press(&mut h, Key::ArrowRight);
    }
    let group = "[…] Group java.util.HashMap$Node 890 objects";
    h.get_by_label(group);
    let text = row(&mut h);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowRight);
    let entry = h.state().location().and_then(|p| p.object).expect("the first entry");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump").clone();
    assert_eq!(&*dump.heap.class(entry).name, "java.util.HashMap$Node", "{text}");
    // Sorting keeps expanded rows, and the cursor on its object.
    click(&mut h, "Sort by Shallow size");
    assert_eq!(h.state().location().and_then(|p| p.object), Some(entry));
    click(&mut h, "Sort by Retained size");
    h.get_by_label(group);
    // Up to the group, which the same key collapses.
    press(&mut h, Key::ArrowLeft);
    press(&mut h, Key::ArrowLeft);
    assert!(has(&h, "Expand Group java.util.HashMap$Node 890 objects"), "{:?}", names(&h, "HashMap$Node"));
    // Navigating to an object from elsewhere expands the path through its group.
    press(&mut h, Key::Num2);
    press(&mut h, Key::Num3);
    assert!(row(&mut h).starts_with("java.util.HashMap$Node ×890"));
    assert_eq!(h.state().location().and_then(|p| p.object), None, "the row is a group");
    let id = dump.heap.id_text(entry);
    h.state_mut().go_to_object(&id).expect("it exists");
    settle(&mut h);
    let text = row(&mut h);
    assert!(text.starts_with("java.util.HashMap$Node ×4 via .next"), "{text}");
}

#[test]
fn shared_memory_names_its_owners() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let shared = "Shared by OrderDesk.orders and SessionCache.ENTRIES, 379 objects";
    h.get_by_label(&format!("Expand {shared}")).click();
    settle(&mut h);
    assert!(!names(&h, "Group desk.Customer 379 objects").is_empty());
    // The filter lets shared objects through by their own class.
    press(&mut h, Key::Slash);
    h.get_by_role_and_label(egui::Role::TextInput, "Filter the top level by class").type_text("desk.Customer");
    settle(&mut h);
    h.get_by_label(shared);
    assert!(names(&h, "Group java.lang.Class").is_empty());
}

#[test]
fn the_dominator_tree_has_other_groupings() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    click(&mut h, "Tree grouped");
    click(&mut h, "By package");
    // The path to the selected object is expanded through its group.
    assert!(!names(&h, "Collapse Group desk 405 objects").is_empty());
    assert!(!names(&h, "class desk.SessionCache").is_empty());
    click(&mut h, "Tree by package");
    click(&mut h, "Plain");
    assert!(names(&h, "Group ").is_empty());
    click(&mut h, "Tree plain");
    click(&mut h, "By class loader");
    assert!(!names(&h, "Group jdk.internal.loader.ClassLoaders$AppClassLoader").is_empty());
}

#[test]
fn an_action_goes_to_the_accumulation_point() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    settle(&mut h);
    h.event(egui::Event::Text("accumulation".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Enter);
    let object = h.state().location().and_then(|p| p.object).expect("an object");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    assert_eq!(&*dump.heap.class(object).name, "java.util.HashMap$Node[]");
    let marked = names(&h, ", accumulation point");
    assert!(marked.iter().any(|name| name.contains("HashMap$Node[]")), "{marked:?}");
    // The * key expands all below, the - key collapses it again.
    let rows = |h: &Harness<'_, App>| h.query_all_by_role(egui::Role::TreeItem).count();
    h.event(egui::Event::Text("*".to_owned()));
    settle(&mut h);
    assert!(names(&h, "desk.Session").len() > 1 && rows(&h) > 10);
    press(&mut h, Key::Minus);
    assert!(names(&h, "Group java.util.HashMap$Node").is_empty());
}

/// Screen readers have no disclosure button to click: rows expose their expanded state and the action.
#[test]
fn tree_rows_expand_for_screen_readers() {
    use egui::accesskit::{Action, ActionRequest};
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for (view, row) in
        [(View::Dominators, "class desk.SessionCache"), (View::Threads, "java.lang.Thread report-writer")]
    {
        look_at(&mut h, view);
        let item = |h: &Harness<'_, App>| {
            let named = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().is_some_and(|l| l.contains(row));
            let node = h.get_all_by_role(egui::Role::TreeItem).find(named).expect(row);
            let (location, node) = (node.accesskit_node().locate(), node.accesskit_node().data().clone());
            (location, node.is_expanded(), node.supports_action(Action::Expand), node.level())
        };
        let below = |h: &Harness<'_, App>| {
            h.get_all_by_role(egui::Role::TreeItem).any(|node| node.accesskit_node().data().level() == Some(2))
        };
        let (_, expanded, offered, level) = item(&h);
        assert_eq!((expanded, offered, level), (Some(false), true, Some(1)), "{view:?}");
        for (action, open) in [(Action::Expand, true), (Action::Collapse, false)] {
            let (target_node, target_tree) = item(&h).0;
            let request = ActionRequest { action, target_tree, target_node, data: None };
            h.event(egui::Event::AccessKitActionRequest(request));
            settle(&mut h);
            assert_eq!(item(&h).1, Some(open), "{view:?}");
            assert_eq!(below(&h), open, "{view:?}");
        }
    }
}

/// The view changes while the objects of a class are loading: nothing waits for them.
#[test]
fn loading_a_hidden_list_is_cancelled() {
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    let ctx = h.ctx.clone();
    let named = |h: &Harness<'_, App>, name| h.state().tabs()[0].open_dump()?.heap.classes.named(name);
    h.state_mut().apply(&ctx, Command::from(Verb::Show(View::Objects)));
    settle(&mut h);
    assert!(has(&h, "all classes"));
    let class = named(&h, "desk.Session").expect("it exists");
    let list = Command::on_class(Verb::ObjectsOfClass, h.state().tabs()[0].key, class);
    h.state_mut().apply(&ctx, list.clone());
    h.step();
    h.state_mut().apply(&ctx, Command::Back(1));
    settle(&mut h);
    assert!(has(&h, "all classes"));
    h.state_mut().apply(&ctx, list);
    settle(&mut h);
    assert!(has(&h, "1,200 objects"));
}

#[test]
fn object_filters_are_restored_per_class() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    let named = |h: &Harness<'_, App>, name| h.state().tabs()[0].open_dump()?.heap.classes.named(name);
    let list = |h: &mut Harness<'_, App>, name| {
        let class = named(h, name).expect("it exists");
        let dump = h.state().tabs()[0].key;
        h.state_mut().apply(&ctx, Command::on_class(Verb::ObjectsOfClass, dump, class));
    };
    list(&mut h, "desk.Session");
    h.step();
    // While they are being sorted, and after.
    press(&mut h, Key::Slash);
    type_text(&mut h, "0xfe0");
    press(&mut h, Key::Enter);
    let filtered = |h: &Harness<'_, App>| h.query_all_by_value("0xfe0").next().is_some();
    assert!(filtered(&h));
    list(&mut h, "java.lang.String");
    settle(&mut h);
    assert!(!filtered(&h));
    h.state_mut().apply(&ctx, Command::Back(1));
    settle(&mut h);
    assert!(filtered(&h));
}

#[test]
fn filters_compare_numbers() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Slash);
    type_text(&mut h, "retained>5MB objects>1k");
    settle(&mut h);
    // Strings have enough objects, but retain less.
    let listed = |h: &Harness<'_, App>, class: &str| h.query_all_by_label_contains(class).next().is_some();
    assert!(listed(&h, "desk.Session 1,200 objects") && listed(&h, "byte[] 15,117 objects"));
    assert!(!listed(&h, "java.lang.String 13,789 objects") && has(&h, "3 of "));
    press(&mut h, Key::Escape);
    press(&mut h, Key::Num3);
    press(&mut h, Key::Slash);
    type_text(&mut h, ">1%");
    settle(&mut h);
    assert!(has(&h, " top-level rows match"));
    // A condition that names no column is reported, and does not hide the rows.
    press(&mut h, Key::Escape);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Slash);
    h.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    type_text(&mut h, "depth>5");
    settle(&mut h);
    assert!(listed(&h, "java.lang.String 13,789 objects"));
}

#[test]
fn a_row_of_the_dominator_tree_is_found_by_typing() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    press(&mut h, Key::Quote);
    type_text(&mut h, "MODULEDESCRIPTOR");
    press(&mut h, Key::Escape);
    let object = h.state().location().and_then(|location| location.object).expect("an object");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    assert!(dump.heap.class(object).name.contains("ModuleDescriptor"));
}

/// A key press as a keyboard reports it: the key at its place, and what it types.
fn type_key(h: &mut Harness<'_, App>, key: Key, modifiers: Modifiers, text: &str) {
    // Both in one frame, as the keyboard sends them.
    let press = |pressed| egui::Event::Key { key, physical_key: Some(key), pressed, repeat: false, modifiers };
    h.input_mut().events.extend([press(true), egui::Event::Text(text.to_owned()), press(false)]);
    h.step();
    settle(h);
}

/// `*` is the 8 with Shift on US keyboards, and beside Enter on German ones, at the place of `]`.
#[test]
fn keys_are_what_they_type_on_every_keyboard() {
    for (key, modifiers) in [(Key::Num8, Modifiers::SHIFT), (Key::CloseBracket, Modifiers::SHIFT)] {
        let mut h = window(&[fixture("leak-after.hprof.gz")]);
        let location = h.state().location();
        let rows = |h: &Harness<'_, App>| h.query_all_by_label_contains("Collapse ").count();
        let before = rows(&h);
        type_key(&mut h, key, modifiers, "*");
        assert_eq!(h.state().location(), location, "neither another view nor another object");
        assert!(rows(&h) > before, "all below is expanded");
    }
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let location = h.state().location();
    for (key, text) in [(Key::Num4, "$"), (Key::Num2, "\""), (Key::Quote, "\""), (Key::Num9, "("), (Key::Num0, ")")] {
        type_key(&mut h, key, Modifiers::SHIFT, text);
        assert_eq!(h.state().location(), location, "{text}");
        assert!(h.query_by_label("find in the table, text").is_none() && !has(&h, "Find in table"), "{text}");
    }
    // German: the slash is the 7 with Shift, the question mark beside it. French: digits need Shift.
    type_key(&mut h, Key::Num2, Modifiers::SHIFT, "2");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
    type_key(&mut h, Key::Slash, Modifiers::SHIFT, "/");
    assert!(h.query_by_label("Close help").is_none());
    h.get_by_role_and_label(egui::Role::TextInput, "Filter by class or owner").type_text("desk");
    settle(&mut h);
    press(&mut h, Key::Escape);
    type_key(&mut h, Key::Questionmark, Modifiers::SHIFT, "?");
    h.get_by_label("Close help");
}

/// Objects in one row have no path and no fields of their own: the panes show owners, classes and merged paths.
#[test]
fn a_selected_group_shows_its_owners_classes_and_merged_path() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let shared = "Shared by OrderDesk.orders and SessionCache.ENTRIES, 379 objects";
    h.get_by_label(shared).click();
    settle(&mut h);
    assert!(!has(&h, "No object is selected"));
    let name = "379 shared by OrderDesk.orders and SessionCache.ENTRIES";
    assert!(has(&h, &format!("Inspector: {name}")) && has(&h, &format!("Breadcrumb: {name}")));
    assert!(!names(&h, "Class desk.Customer, 379 objects").is_empty(), "{:?}", names(&h, "Class "));
    // The merged path is a button in the inspector, its common part is in the left pane.
    assert!(has(&h, "All merged paths") && has(&h, "Show merged paths") && has(&h, "Merged path"));
    click(&mut h, "Show merged paths");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Paths));
    // Back at the group, an owner is a link to its object.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    assert!(has(&h, &format!("Inspector: {name}")), "going back restores the group");
    look_at(&mut h, View::Histogram);
    look_at(&mut h, View::Dominators);
    assert!(has(&h, &format!("Inspector: {name}")), "as does the view");
    let owner = names(&h, "desk.OrderDesk").into_iter().find(|name| name.starts_with("class ")).expect("an owner");
    h.get_all_by_role_and_label(egui::Role::Link, &owner).next().expect("a link").click();
    settle(&mut h);
    let dump = h.state().tabs()[0].open_dump().expect("open").clone();
    let object = h.state().location().and_then(|location| location.object).expect("the owner");
    assert_eq!(&*dump.heap.class(object).name, "java.lang.Class");
}

/// Rows of reports for many objects are groups too: a kind of waste, the collections of a class.
#[test]
fn a_kind_of_waste_and_collections_of_a_class_are_groups_in_the_inspector() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Waste);
    for kind in ["Sparse collections", "Duplicate strings"] {
        h.get_all_by_role_and_label(egui::Role::TreeItem, kind).next().expect("a row").click();
        settle(&mut h);
        assert!(!has(&h, "No object is selected") && has(&h, &format!("Inspector: {kind} ×")), "{kind}");
        assert!(has(&h, "Owners: nearest dominators") && has(&h, "All merged paths") && has(&h, "Show merged paths"));
    }
    assert!(!names(&h, "Class java.lang.String, ").is_empty(), "{:?}", names(&h, "Class "));
    // An object below a kind is shown as such.
    click(&mut h, "Expand Duplicate strings");
    let is_group = |h: &Harness<'_, App>| has(h, "Inspector: Duplicate strings ×");
    assert!(is_group(&h), "{:?}", names(&h, "Inspector: "));
    press(&mut h, Key::ArrowDown);
    assert!(!is_group(&h) && !has(&h, "No object is selected"), "{:?}", names(&h, "Inspector: "));
    look_at(&mut h, View::Collections);
    press(&mut h, Key::Home);
    assert!(has(&h, "Inspector: java.util."), "{:?}", names(&h, "Inspector: "));
    assert!(!has(&h, "No object is selected") && has(&h, "Show merged paths"));
}
