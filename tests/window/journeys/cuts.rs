//! What-if journeys: bytes freed by cutting a reference.

use super::*;

fn undo(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(h);
}

#[test]
fn cutting_a_static_shows_freed_bytes_and_can_be_undone() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.get_by_label_contains("reachable");
    // The map below its holding class, retained through the static alone.
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
fn remaining_references_are_cut_too() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::X);
    // The class is held by its loader, by its instances and by others.
    h.get_by_label_contains("frees nothing; 5.4 MB still retained through");
    click(&mut h, "frees nothing; 5.4 MB still retained through");
    h.get_by_label("Remaining paths: select one to cut it too");
    h.get_by_label("Undo all cuts").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still retained through").is_none());
    // In the map, each entry is cut from its value in one step, by the field of all nodes.
    press(&mut h, Key::X);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::X);
    h.get_by_label_contains("2 cuts: frees 5.4 MB");
    undo(&mut h);
    h.get_by_label_contains("frees nothing; 5.4 MB still retained through");
    h.get_by_role_and_label(egui::Role::Button, "Undo").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still retained through").is_none());
}

#[test]
fn an_array_element_is_not_cut_as_a_field() {
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
    h.get_by_label_contains("Array elements are not fields");
}

#[test]
fn the_reference_of_a_row_is_cut_from_the_inspector_and_from_a_menu() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // Keys go to the inspector: its selected row is the reference.
    press(&mut h, Key::F4);
    press(&mut h, Key::Home);
    while h.query_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB").is_none() {
        press(&mut h, Key::X);
        if h.query_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB").is_none() {
            undo(&mut h);
            press(&mut h, Key::ArrowDown);
        }
    }
    undo(&mut h);
    // The menu of a link has the same entry.
    let links = h.query_all_by_role(egui::Role::Link);
    let is_map = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| label.starts_with("java.util.HashMap"))
    };
    let link = links.into_iter().find(is_map).expect("the map");
    link.click_secondary();
    settle(&mut h);
    click(&mut h, "Cut reference");
    h.get_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB");
}

#[test]
fn the_holder_of_a_tree_row_is_cut_from_its_menu() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowUp);
    // It is not the selected row: its path is loaded first.
    let row = h.get_all_by_role(egui::Role::TreeItem).find(|row| {
        let label = row.accesskit_node().label().unwrap_or_default();
        label.starts_with("java.util.HashMap ")
    });
    row.expect("the map").click_secondary();
    settle(&mut h);
    click(&mut h, "Cut reference");
    h.get_by_label_contains("Cut desk.SessionCache.ENTRIES: frees 5.4 MB");
    assert_eq!(chosen_class(&h), "java.util.HashMap");
}

#[test]
fn cutting_a_class_in_the_histogram_appears_in_the_copied_command() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::X);
    h.get_by_label_contains("Cut desk.Session: frees 5.");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    let lines: Vec<&str> = command.lines().collect();
    assert!(lines[0].starts_with("heaplens histogram "), "{command}");
    assert!(lines[1].starts_with("heaplens summary ") && lines[1].ends_with(" --cut desk.Session"), "{command}");
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .args(["summary", "--no-cache", "--cut", "desk.Session"])
        .arg(fixture("leak-after.hprof.gz"))
        .output()
        .expect("heaplens starts");
    let said = String::from_utf8_lossy(&printed.stdout).into_owned();
    let frees = said.lines().find_map(|line| line.strip_prefix("Cut          desk.Session: ")).expect("the cut");
    h.get_by_label_contains(frees);
}
