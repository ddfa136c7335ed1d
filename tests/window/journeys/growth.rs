//! Comparison by keyboard, the second main journey: two dumps, owners that grew, the chart of both dumps, added entries
//! by key, fields side by side.

use super::*;
use heaplens_analysis::diff::MatchStatus;
use heaplens_heap::ObjectId;

/// Both dumps dropped together, and compared.
fn compared(before: &str, after: &str) -> Harness<'static, App> {
    let mut h = empty();
    drop_files(&mut h, &[before, after]);
    settle(&mut h);
    h
}

fn leak() -> Harness<'static, App> {
    compared("leak-before.hprof.gz", "leak-after.hprof.gz")
}
/// Shows a table listed below its view in the navigation.
pub(super) fn look_at_table(h: &mut Harness<'_, App>, name: &str) {
    h.get_all_by_label(name).last().expect(name).click();
    settle(h);
}

/// Name of the current tab.
fn tab(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab").name()
}

#[test]
fn growth_between_two_dumps_is_found_by_keyboard() {
    // 1. Drop both together: the comparison opens, the older dump is the one before.
    let mut h = leak();
    assert_eq!(h.state().tabs().len(), 3);
    assert_eq!(tab(&h), "leak-before → leak-after");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Growth));
    assert!(has(&h, " objects since the baseline (leak-before)") && has(&h, "of baseline bytes matched"));
    // 2. The first owner is the leak, with its added objects; it is already selected.
    let first = h.get_all_by_label_contains("SessionCache.ENTRIES: ").next().expect("the first owner");
    let output = first.accesskit_node().label().unwrap_or_default();
    assert!(output.contains("+1,140 Session"), "{output}");
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    // Held by shows that the map was in the baseline, and how it was matched.
    assert!(has(&h, "Same object as 0x"));
    // The class that names the growth comes first, then the classes of added objects by bytes.
    assert!(
        output.contains("ENTRIES: +1,140 Session +45.6 kB, +5,700 byte[] +4.8 MB, +4,560 String +109 kB, "),
        "{output}"
    );
    // 3. Enter: the map in the tree, with the growth of its retained size, and the chart by growth.
    press(&mut h, Key::F3);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowUp);
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    assert!(has(&h, "Dominator tree chart") && has(&h, "Colour by growth"));
    assert!(has(&h, "Colour of New"));
    // 4. Added entries, by key.
    assert!(has(&h, "Changes"));
    assert!(has(&h, "1,200 entries, +1,140"));
    let new = h.get_all_by_label_contains("Added: \"").next().expect("an added key");
    new.click();
    settle(&mut h);
    // The pane has the keys: down to the first of them, and into its value.
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::Enter);
    assert_eq!(chosen_class(&h), "desk.Session");
    assert!(has(&h, "Added: no object of the baseline matches this one"));
    // 5. Fields of an object in both dumps with their previous values: back to the map.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowRight);
    assert!(has(&h, "size = 1200, baseline: 60"));
}

#[test]
fn one_key_compares_and_swaps_before_and_after() {
    let mut h = empty();
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    assert!(!has(&h, "Growth"), "nothing to compare with");
    drop_files(&mut h, &["leak-before.hprof.gz"]);
    press(&mut h, Key::B);
    assert_eq!(tab(&h), "leak-before → leak-after", "by the time in the dumps, not by the order of opening");
    assert!(has(&h, " objects since the baseline (leak-before)"));
    let was = h.state().location().and_then(|p| p.object);
    press(&mut h, Key::B);
    assert_eq!(tab(&h), "leak-after → leak-before");
    assert!(has(&h, " objects since the baseline (leak-after)"));
    assert_eq!(h.state().tabs().len(), 3, "the comparison took the place of the other");
    // The map is still selected: it is in both dumps.
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    assert_ne!(h.state().location().and_then(|p| p.object), was);
    // The dumps may be closed: the comparison has all it needs.
    click(&mut h, "Close leak-before.hprof.gz");
    click(&mut h, "Close leak-after.hprof.gz");
    assert_eq!(h.state().tabs().len(), 1);
    press(&mut h, Key::B);
    assert!(has(&h, " objects since the baseline (leak-before)"));
}

#[test]
fn a_dump_compared_with_itself_did_not_grow() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("again.hprof.gz");
    std::fs::copy(fixture("leak-before.hprof.gz"), &copy).expect("a copy");
    let mut h = window(&[fixture("leak-before.hprof.gz"), copy]);
    press(&mut h, Key::Num9);
    assert!(has(&h, "No change: "));
    assert!(has(&h, "100.0 % of baseline bytes matched"));
    for table in ["Classes", "Packages", "Threads"] {
        look_at_table(&mut h, table);
        let only = h.get_by_label("Growing only");
        only.click();
        settle(&mut h);
        assert!(!has(&h, "+1"), "{table}");
        h.get_by_label("Growing only").click();
        settle(&mut h);
    }
    let location = h.state().location().expect("a location");
    let tab = h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab");
    let dump = tab.open_dump().expect("an open dump");
    let new = (0..dump.heap.len() as u32).filter_map(ObjectId::from_raw);
    let new = new.filter(|&object| dump.analysis.is_reachable(object));
    let new = new.filter(|&object| matches!(dump.match_status(object), Some(MatchStatus::Alone))).count();
    assert_eq!(new, 0);
}

#[test]
fn every_growth_table_sorts_filters_and_copies() {
    let mut h = leak();
    look_at_table(&mut h, "Classes");
    h.key_press(Key::Slash);
    type_text(&mut h, "desk.Session");
    let rows: Vec<_> = h.query_all_by_label_contains("desk.Session").collect();
    assert!(!rows.is_empty());
    press(&mut h, Key::Enter);
    press(&mut h, Key::F3);
    press(&mut h, Key::Home);
    let text = copied(&mut h, |h| h.key_press_modifiers(Modifiers::COMMAND, Key::C));
    assert!(text.contains("Δ shallow") && text.contains("desk.Session"), "{text}");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.starts_with("heaplens diff ") && command.contains("--of classes"), "{command}");
    for table in ["Packages", "Loaders", "Threads", "Strings", "Collections", "Leaks", "Owners"] {
        look_at_table(&mut h, table);
        assert!(!has(&h, "Cannot"), "{table}");
    }
}

/// In a comparison, Leaks and the overview have growth as evidence; the copied command line prints the same.
#[test]
fn growth_is_evidence_in_leaks() {
    let mut h = leak();
    press(&mut h, Key::F);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES holds 1,200 desk.Session, 5.4 MB (76.4 %)");
    h.get_by_label_contains("Evidence for a leak: it grew by 5.1 MB since the baseline: 269 kB in 903 objects before");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.contains(" --before ") && command.contains("leak-before.hprof.gz"), "{command}");
    click(&mut h, "Finding 2: OrderDesk.orders");
    h.get_by_label_contains("Evidence against a leak: it did not grow since the baseline: 221 kB in 7,201 objects");
    // The overview asks for the same answer.
    look_at(&mut h, View::Overview);
    click(&mut h, "Holders: SessionCache.ENTRIES");
    h.get_by_label_contains("Evidence for a leak: it grew by 5.1 MB since the baseline");
}

#[test]
fn charts_of_both_dumps_are_drawn_side_by_side() {
    let mut h = leak();
    press(&mut h, Key::Num3);
    press(&mut h, Key::T);
    h.get_by_label("Dominator tree chart");
    h.get_by_role_and_label(egui::Role::Button, "Side by side").click();
    settle(&mut h);
    let (before, after) = ("Dominator tree chart of the baseline", "Dominator tree chart");
    h.get_by_label(before);
    h.get_by_label(after);
    // The same object has both sizes.
    let cells = |h: &Harness<'_, App>, size: &str| {
        h.query_all_by_label_contains(&format!("class desk.SessionCache, {size}")).count()
    };
    assert_eq!((cells(&h, "270 kB"), cells(&h, "5.4 MB")), (1, 1));
    // A click in the baseline selects the match in the target.
    h.get_by_label_contains("class desk.SessionCache, 270 kB").click_accesskit();
    settle(&mut h);
    let chosen = |h: &Harness<'_, App>| {
        let dump = h.state().location().expect("a location").dump;
        let open = h.state().tabs().iter().find(|tab| tab.key == dump).and_then(|tab| tab.open_dump().cloned());
        let object = h.state().location().and_then(|location| location.object).expect("an object");
        open.expect("an open dump").analysis.retained(object).to_string()
    };
    assert_eq!(chosen(&h), "5.4 MB");
    // Zooming one zooms both.
    press(&mut h, Key::Enter);
    h.get_by_label("Inside class SessionCache");
    let maps = |h: &Harness<'_, App>, map: &str| h.query_all_by_label_contains(map).count();
    assert_eq!((maps(&h, ".ENTRIES HashMap, 269 kB"), maps(&h, ".ENTRIES HashMap (1,200), 5.4 MB")), (1, 1));
    assert!(h.query_all_by_label_contains("class desk.OrderDesk, ").next().is_none());
    press(&mut h, Key::Backspace);
    assert!(h.query_all_by_label_contains("class desk.OrderDesk, 375 kB").next().is_some());
    h.get_by_role_and_label(egui::Role::Button, "Side by side").click();
    settle(&mut h);
    assert!(h.query_by_label(before).is_none());
}

/// With both charts on screen, an object that the baseline does not have stays selected.
#[test]
fn a_new_object_stays_selected_side_by_side() {
    let mut h = leak();
    press(&mut h, Key::Num3);
    press(&mut h, Key::T);
    h.get_by_role_and_label(egui::Role::Button, "Side by side").click();
    settle(&mut h);
    let location = |h: &Harness<'_, App>| h.state().location().expect("a location");
    let open = h.state().tabs().iter().find(|tab| tab.key == location(&h).dump).expect("a tab").open_dump();
    let dump = open.expect("an open dump").clone();
    let (_, result) = dump.compared().expect("a comparison");
    let is_new = |object: &ObjectId| {
        dump.analysis.is_reachable(*object)
            && result.matches.before(*object).is_none()
            && &*dump.heap.class(*object).name == "desk.Session"
    };
    let new = dump.heap.objects().find(is_new).expect("a new session");
    h.state_mut().go_to_object(&dump.heap.id_text(new)).expect("it exists");
    settle(&mut h);
    assert_eq!(location(&h).object, Some(new));
}

/// The percentage beside bytes is one of bytes: 903 objects before and 18,003 after are +1,893 %.
#[test]
fn change_is_a_percentage_of_the_bytes_beside_it() {
    let mut h = leak();
    for (table, filter, change) in [
        ("Leaks", "SessionCache.ENTRIES", "+1,898 %"),
        ("Classes", "byte[]", "+653 %"),
        ("Collections", "java.util.HashMap", "+12.8 %"),
        ("Packages", "desk", "+46.4 %"),
    ] {
        look_at_table(&mut h, table);
        h.key_press(Key::Slash);
        type_text(&mut h, filter);
        press(&mut h, Key::Enter);
        press(&mut h, Key::F3);
        press(&mut h, Key::Home);
        let text = copied_as(&mut h, Key::Num1);
        let mut lines = text.lines().rev();
        let row = lines.next().unwrap_or_default().to_owned();
        assert!(row.contains(change), "{table}: {text}");
    }
}

/// A static that refers to the same map in both dumps has changed if the map has.
#[test]
fn a_reference_to_a_collection_that_grew_is_not_the_same() {
    let mut h = leak();
    press(&mut h, Key::Num3);
    h.state_mut().go_to_object("desk.SessionCache.class").expect("it exists");
    settle(&mut h);
    click(&mut h, "Statics");
    h.get_by_label_contains(
        "ENTRIES = java.util.HashMap (1,200), baseline: same object, 60 → 1,200 elements, retained",
    );
}

/// Two owners of one name are told apart by their paths.
#[test]
fn owners_of_one_name_are_told_apart() {
    let h = leak();
    let name = "phantomCleanableList.\"PhantomCleanable.next\" (";
    let mut rows: Vec<String> = h
        .query_all_by_label_contains(name)
        .filter_map(|node| node.accesskit_node().label())
        .filter_map(|label| label.split_once(name).map(|(_, own)| own.split(')').next().unwrap_or_default().to_owned()))
        .collect();
    rows.sort_unstable();
    assert!(rows.len() == 2 && rows[0] != rows[1], "{rows:?}");
}
