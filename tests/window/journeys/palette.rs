//! Journeys through the palette: from a few letters to a class, a string, an id, a command.

use heaplens_heap::ObjectId;

use super::*;

/// Opens the palette and types into it.
pub(super) fn look_for(h: &mut Harness<'_, App>, text: &str) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    h.run_steps(2);
    h.get_by_role_and_label(egui::Role::TextInput, "Command palette").type_text(text);
    settle(h);
}

fn class_of_chosen(h: &Harness<'_, App>) -> String {
    let object = h.state().location().and_then(|p| p.object).expect("an object is selected");
    h.state().tabs()[0].open_dump().expect("an open dump").heap.class(object).name.to_string()
}

/// Names of the rows, from top to bottom.
pub(super) fn rows(h: &Harness<'_, App>) -> Vec<String> {
    let mut rows: Vec<(f64, String)> = h
        .get_all_by_role(egui::Role::ListBoxOption)
        .map(|n| {
            (n.accesskit_node().bounding_box().map_or(0.0, |b| b.y0), n.accesskit_node().label().unwrap_or_default())
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

/// The first letters of an id may match a class: that outdated search is not waited for.
#[test]
fn an_id_typed_at_any_speed_opens_its_object() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let object = h.state().tabs()[0].open_dump().expect("open").heap.id_text(ObjectId::new(1_000).expect("an object"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    h.run_steps(2);
    for letter in object.chars() {
        h.event(egui::Event::Text(letter.to_string()));
        h.step();
    }
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(h.state().location().and_then(|p| p.object), ObjectId::new(1_000), "{object}");
}

#[test]
fn camel_humps_of_a_class_lead_to_its_objects() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_for(&mut h, "HMN");
    assert!(rows(&h)[0].starts_with("Class java.util.HashMap$Node "), "{:?}", rows(&h));
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    assert_eq!(class_of_chosen(&h), "java.util.HashMap$Node");
    // A class without instances: its statics are the useful target.
    look_for(&mut h, "sesCa");
    assert!(rows(&h)[0].starts_with("Class desk.SessionCache class object"), "{:?}", rows(&h));
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(class_of_chosen(&h), "java.lang.Class");
    h.get_by_label_contains("ENTRIES = ");
    // With nothing typed it offers where one was.
    look_for(&mut h, "");
    let recent = rows(&h);
    assert!(recent[0].contains("desk.SessionCache") && recent[1].contains("HashMap$Node"), "{recent:?}");
}

#[test]
fn enter_waits_for_the_results_of_the_whole_query() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    h.run_steps(2);
    // All in one frame, before any answer can be there.
    for letter in ["d", "esk.Order"] {
        h.event(egui::Event::Text(letter.to_owned()));
    }
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    assert_eq!(class_of_chosen(&h), "desk.Order");
}

#[test]
fn a_string_is_found_by_its_value() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_for(&mut h, "\"session-reaper");
    let result = rows(&h);
    assert!(result[0].starts_with("String session-reaper 0x"), "what says no more comes first: {result:?}");
    assert!(result[1].contains("main, session-reaper, desk-worker-0"), "{result:?}");
    h.key_press(Key::ArrowDown);
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(class_of_chosen(&h), "java.lang.String");
    h.get_all_by_label_contains("main, session-reaper").next().expect("its text");
    // Many are counted, few are shown, and more on demand.
    look_for(&mut h, "\"status: ");
    let before = rows(&h).len();
    assert!(rows(&h).last().is_some_and(|row| row.starts_with("+ ")), "{:?}", rows(&h));
    for _ in 0..before {
        h.key_press(Key::ArrowDown);
    }
    h.key_press(Key::Enter);
    settle(&mut h);
    assert!(rows(&h).len() > before);
    h.get_by_label_contains("more: type more to narrow the list");
    press(&mut h, Key::Escape);
    assert!(h.query_by_label("Command palette").is_none());
}

#[test]
fn an_id_is_accepted_with_or_without_prefix() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = h.state().location().and_then(|p| p.object).expect("the first row is an object");
    let id = h.state().tabs()[0].open_dump().expect("an open dump").heap.id_text(first);
    press(&mut h, Key::Num2);
    for typed in [id.clone(), id.trim_start_matches("0x").to_uppercase()] {
        look_for(&mut h, &typed);
        assert!(rows(&h)[0].starts_with(&format!("Object desk.SessionCache (class) {id}")), "{typed}: {:?}", rows(&h));
        press(&mut h, Key::Escape);
    }
    // All that begin so, the nearest first; one digit is missing.
    look_for(&mut h, &id[..id.len() - 1]);
    assert!(rows(&h).iter().any(|row| row.contains(&id)), "{:?}", rows(&h));
    press(&mut h, Key::Escape);
    look_for(&mut h, &id);
    press(&mut h, Key::Enter);
    assert_eq!(class_of_chosen(&h), "java.lang.Class");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Dominators));
}

#[test]
fn a_full_name_opens_its_object_and_a_partial_one_lists_candidates() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let dump = h.state().tabs()[0].open_dump().expect("an open dump").clone();
    let is_session = |object: &ObjectId| &*dump.heap.class(*object).name == "desk.Session";
    let session = (0..dump.heap.len() as u32).filter_map(ObjectId::from_raw).find(is_session).expect("a session");
    let task = Task::new();
    let namer = dump.namer(&task).expect("not cancelled");
    let name = namer.name(session, &task).expect("not cancelled").expect("a root leads there");
    let id = dump.heap.id_text(session);
    // A name, a command line with it, a line that was copied.
    for (typed, row) in [
        (name.clone(), format!("Object {name} {id} ")),
        (format!("heaplens object leak.hprof '{name}' --format json"), format!("Object {name} {id} ")),
        (format!("Step 3: desk.Session {id} 4,216 bytes"), format!("Object SessionCache.ENTRIES[…] Session {id} ")),
    ] {
        look_for(&mut h, &typed);
        assert!(rows(&h)[0].starts_with(&row), "{typed}: {:?}", rows(&h));
        press(&mut h, Key::Enter);
        assert_eq!(h.state().location().and_then(|p| p.object), Some(session), "{typed}");
        h.state_mut().go_to_object("desk.SessionCache").expect("a class");
        settle(&mut h);
    }
    let half = "Object desk.SessionCache (class) has no .ENTRYS; it has .ENTRIES";
    look_for(&mut h, "desk.SessionCache.ENTRYS");
    assert!(rows(&h)[0].starts_with(half), "{:?}", rows(&h));
    press(&mut h, Key::Escape);
    look_for(&mut h, "thread \"nobody\"");
    h.get_by_label_contains("no thread \"nobody\"");
    press(&mut h, Key::Escape);
    // Exact names come before partial matches, and a class is offered as a class.
    look_for(&mut h, "desk.Session");
    assert!(rows(&h)[0].starts_with("Class desk.Session "), "{:?}", rows(&h));
}

#[test]
fn a_star_is_found_by_its_note() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::M);
    press(&mut h, Key::N);
    h.event(egui::Event::Text("never emptied".to_owned()));
    settle(&mut h);
    press(&mut h, Key::Escape);
    let starred = h.state().location().and_then(|p| p.object);
    press(&mut h, Key::Num2);
    for typed in ["", "emptied", "SessionCache.class"] {
        look_for(&mut h, typed);
        let star = "Starred desk.SessionCache.class never emptied ";
        assert!(rows(&h).iter().any(|row| row.starts_with(star)), "{typed}: {:?}", rows(&h));
        press(&mut h, Key::Escape);
    }
    look_for(&mut h, "never emptied");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().and_then(|p| p.object), starred);
}

#[test]
fn prefixes_narrow_the_search_and_tab_switches_groups() {
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    click(&mut h, "leak-before.hprof.gz, exact");
    look_for(&mut h, "ses");
    let kind = |row: &String| row.split(' ').next().unwrap_or_default().to_owned();
    let mut kinds: Vec<String> = rows(&h).iter().map(kind).filter(|k| k != "+").collect();
    kinds.dedup();
    assert!(["Class", "Thread", "String"].iter().all(|k| kinds.contains(&(*k).to_owned())), "{kinds:?}");
    h.key_press(Key::Tab);
    h.key_press(Key::Enter);
    settle(&mut h);
    assert!(h.query_by_label("Command palette").is_none(), "the first row of the second group was opened");
    for (typed, only) in [("@reaper", "Thread"), ("#session", "Class"), (">hist", "Command"), ("0xf", "Object")] {
        look_for(&mut h, typed);
        let rows = rows(&h);
        assert!(
            !rows.is_empty() && rows.iter().all(|r| r.starts_with(only) || r.starts_with("+ ")),
            "{typed}: {rows:?}"
        );
        press(&mut h, Key::Escape);
    }
    // The other dump.
    let here = h.state().location().map(|p| p.dump);
    look_for(&mut h, "after.hprof");
    press(&mut h, Key::Enter);
    assert_ne!(h.state().location().map(|p| p.dump), here);
    // A clicked prefix is inserted before the typed text.
    look_for(&mut h, "session");
    h.get_by_label("Only classes: #").click();
    // To move there, press and let go are frames of their own, and nothing has to be worked out after them.
    h.run_steps(8);
    settle(&mut h);
    assert!(rows(&h).iter().all(|r| r.starts_with("Class") || r.starts_with("+ ")), "{:?}", rows(&h));
}

#[test]
fn without_a_dump_the_palette_lists_commands_and_files() {
    let mut h = window(&[]);
    look_for(&mut h, "light");
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(h.ctx.theme(), Theme::Light);
    look_for(&mut h, fixture("leak-before.hprof.gz").to_str().expect("UTF-8"));
    press(&mut h, Key::Enter);
    assert_eq!(h.state().tabs().len(), 1);
    look_for(&mut h, "no such thing anywhere");
    h.get_by_label("No matches");
}

#[test]
fn words_of_other_tools_find_commands() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for (typed, row) in [
        ("leak suspects", "Command Leaks leak suspects · "),
        ("oql", "Command Query OQL · "),
        ("duplicate classes", "Command Class loaders duplicate classes · "),
        ("comparison", "Command Open… comparison with another dump · "),
        ("immediate dominators", "Command Immediate dominators "),
        ("with outgoing references", "Command Show outgoing references with outgoing references · "),
        ("merge shortest paths", "Command Merged paths merge shortest paths to GC roots · "),
        ("customized retained set", "Command Related objects customized retained set · "),
        ("containment", "Command GC roots containment view · "),
        ("summary", "Command Histogram summary · "),
        ("inspector", "Command Show inspector "),
        ("group by package", "Command Histogram group by package · "),
        ("heap dump details", "Command Overview heap dump details · "),
        ("top consumers", "Command Dominator tree top consumers · "),
        ("acquire heap dump", "Command Take dump of process… acquire heap dump · "),
    ] {
        look_for(&mut h, typed);
        assert!(rows(&h)[0].starts_with(row), "{typed}: {:?}", rows(&h));
        press(&mut h, Key::Escape);
    }
    look_for(&mut h, "leak suspects");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Leaks));
}

#[test]
fn a_field_is_found_by_parts_of_its_name_in_any_order() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_for(&mut h, "cache entries");
    let offers = rows(&h);
    assert!(offers[0].starts_with("Variable desk.SessionCache.ENTRIES static · "), "{offers:?}");
    h.key_press(Key::Enter);
    settle(&mut h);
    let class = class_of_chosen(&h);
    assert!(class.ends_with("Map"), "what the static refers to: {class}");
    // A field of many instances leads to these.
    look_for(&mut h, ".customer");
    let offers = rows(&h);
    let field =
        offers.iter().position(|row| row.starts_with("Variable desk.Order.customer field ")).expect("the field");
    assert!(offers.iter().all(|row| row.starts_with("Variable ") || row.starts_with("+ ")), "{offers:?}");
    for _ in 0..field {
        h.key_press(Key::ArrowDown);
    }
    h.key_press(Key::Enter);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    assert_eq!(class_of_chosen(&h), "desk.Order");
}

#[test]
fn words_of_a_command_lead_to_it_before_classes_and_strings() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = |h: &mut Harness<'_, App>, typed: &str| {
        look_for(h, typed);
        let first = rows(h).into_iter().next().unwrap_or_default();
        press(h, Key::Escape);
        first
    };
    for (typed, row) in [
        ("theme light", "Command Use light theme "),
        ("csv", "Command Export table… CSV · "),
        ("retainers", "Command Show incoming references retainers · "),
        ("incoming", "Command Show incoming references "),
        ("why is this alive", "Command Show path to GC root why is "),
        ("path of the gc root", "Command Show path to GC root "),
        // Exact names of classes come first, and so do matches of a class before words in the middle of a synonym.
        ("session", "Class desk.Session "),
        ("hash map", "Class java.util.HashMap "),
    ] {
        let offer = first(&mut h, typed);
        assert!(offer.starts_with(row), "{typed}: {offer}");
    }
    // What is removed can be put back by the words of other tools.
    press(&mut h, Key::X);
    for typed in ["cuts", "undo cut"] {
        let offer = first(&mut h, typed);
        assert!(offer.starts_with("Command Undo "), "{typed}: {offer}");
    }
    // Without a selected object, views of incoming references.
    look_at(&mut h, View::Overview);
    let offer = first(&mut h, "retainers");
    assert!(offer.starts_with("Command ") && offer.contains("retainers"), "{offer}");
}

#[test]
fn scattered_letters_count_only_if_nothing_matches_better() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let is_class = |row: &String| row.starts_with("Class ");
    look_for(&mut h, "jvutlhm");
    assert!(rows(&h).iter().any(is_class), "{:?}", rows(&h));
    press(&mut h, Key::Escape);
    look_for(&mut h, "retainers");
    assert!(!rows(&h).iter().any(is_class), "{:?}", rows(&h));
}
