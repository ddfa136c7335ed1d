//! Address-free names and owners in lists and in the inspector.

use super::*;

fn chosen_class(h: &Harness<'_, App>) -> String {
    let object = h.state().location().and_then(|p| p.object).expect("an object is selected");
    h.state().tabs()[0].open_dump().expect("an open dump").heap.class(object).name.to_string()
}

#[test]
fn a_name_is_copied_from_the_inspector_and_the_owner_leads_on() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // The planted holder is first; its map is below it.
    let text = copied(&mut h, |h| h.get_by_label("Copy name desk.SessionCache.class").click());
    assert_eq!(text, "desk.SessionCache.class");
    // The pane that was clicked has keyboard focus.
    press(&mut h, Key::F3);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowRight);
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    h.get_by_label("Copy name desk.SessionCache.ENTRIES");
    h.get_by_role_and_label(egui::Role::Link, "Owner SessionCache.ENTRIES").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "java.lang.Class");
    h.get_by_label("Copy name desk.SessionCache.class");
}

/// Opens the list of runtime classes from the menu.
fn edit_list(h: &mut Harness<'_, App>) {
    h.get_by_label("View").click();
    h.run_steps(2);
    h.get_by_label_contains("Analysis options").click();
    h.run_steps(4);
    h.get_by_label("Edit runtime classes…").click();
}

#[test]
fn a_missing_list_of_runtime_classes_is_created() {
    if has_desktop() {
        return; // There an editor would open.
    }
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("settings/runtime-classes.txt");
    let options = OpenOptions { runtime_classes_file: Some(list.clone()), ..OpenOptions::default() };
    let mut h = window_with(&[fixture("leak-before.hprof.gz")], options);
    assert!(says(&mut h, "runtime-classes.txt: ", edit_list));
    let text = std::fs::read_to_string(&list).expect("the list");
    assert!(text.lines().all(|line| line.starts_with('#')), "it says how to write one, and changes nothing: {text}");
    // A file written by the user is kept.
    std::fs::write(&list, "desk.").expect("written");
    edit_list(&mut h);
    settle(&mut h);
    assert_eq!(std::fs::read_to_string(&list).expect("the list"), "desk.");
}

#[test]
fn owners_follow_the_list_of_runtime_classes() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("runtime-classes.txt");
    let options = OpenOptions { runtime_classes_file: Some(list.clone()), ..OpenOptions::default() };
    let mut h = window_with(&[fixture("leak-after.hprof.gz")], options);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    let reload = |h: &mut Harness<'_, App>, text: &str| {
        std::fs::write(&list, text).expect("written");
        h.key_press_modifiers(Modifiers::COMMAND, Key::K);
        h.run_steps(2);
        h.event(egui::Event::Text(">reload runtime".to_owned()));
        settle(h);
        press(h, Key::Enter);
    };
    for (text, owner) in
        [("desk.", "None: no field or variable in the source holds it"), ("!java.util.", "SessionCache.ENTRIES")]
    {
        reload(&mut h, text);
        h.get_by_label(&format!("Owner {owner}"));
    }
    // So do the findings of the overview, but for what is most of the heap.
    let orders = "OrderDesk.orders holds 1,200 desk.Order";
    for (text, finds) in [("desk.", false), ("", true)] {
        reload(&mut h, text);
        look_at(&mut h, View::Overview);
        assert_eq!(h.query_by_label_contains(orders).is_some(), finds, "{text:?}");
    }
    look_at(&mut h, View::Dominators);
    let missing = h.state_mut().go_to_object("desk.SessionCache.ENTRYS").expect_err("there is none");
    assert!(missing.contains("has no .ENTRYS; it has .ENTRIES"), "{missing}");
}
