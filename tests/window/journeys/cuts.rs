//! What-if journeys: bytes freed by cutting a reference.

use super::recovery::{as_after_a_kill, keeping};
use super::*;
use heaplens::ui::command::{Command, Target};
use heaplens::ui::verb::Verb;

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
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB (76.4 %), 18,003 objects");
    // The same key takes it back, and so does Ctrl+Z.
    press(&mut h, Key::X);
    assert!(h.query_by_label_contains("Removed desk").is_none());
    press(&mut h, Key::X);
    undo(&mut h);
    assert!(h.query_by_label_contains("Removed desk").is_none());
    h.get_by_label_contains("reachable");
}

#[test]
fn remaining_references_are_cut_too() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::X);
    // The class is held by its loader, by its instances and by others.
    h.get_by_label_contains("frees nothing; 5.4 MB still retained through");
    click(&mut h, "frees nothing; 5.4 MB still retained through");
    h.get_by_label_contains("select one to remove it, too");
    h.get_by_label("Put all back").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still retained through").is_none());
    // In the map, each entry is cut from its value in one step, by the field of all nodes.
    press(&mut h, Key::X);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::X);
    h.get_by_label_contains("2 removals: frees 5.4 MB");
    undo(&mut h);
    h.get_by_label_contains("frees nothing; 5.4 MB still retained through");
    click(&mut h, "frees nothing; 5.4 MB still retained through");
    h.get_by_role_and_label(egui::Role::Button, "Undo").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("still retained through").is_none());
    // What was undone can be redone.
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(&mut h);
    h.get_by_label_contains("frees nothing; 5.4 MB still retained through");
}

#[test]
fn an_array_element_is_not_cut_as_a_field() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    // A static there is once: in all instances means the same.
    h.key_press_modifiers(Modifiers::SHIFT, Key::X);
    settle(&mut h);
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB");
    undo(&mut h);
    // Its table, by the field in all maps; and a node of the table, which no field holds.
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    h.key_press_modifiers(Modifiers::SHIFT, Key::X);
    settle(&mut h);
    h.get_by_label_contains("Removed java.util.HashMap.table: frees");
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
    while h.query_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB").is_none() {
        press(&mut h, Key::X);
        if h.query_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB").is_none() {
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
    click(&mut h, "Remove reference (what if)");
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB");
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
        label.starts_with(".ENTRIES java.util.HashMap ")
    });
    row.expect("the map").click_secondary();
    settle(&mut h);
    click(&mut h, "Remove reference (what if)");
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB");
    assert_eq!(chosen_class(&h), "java.util.HashMap");
}

#[test]
fn cutting_a_class_in_the_histogram_appears_in_the_copied_command() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::X);
    h.get_by_label_contains("Removed desk.Session: frees 5.");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    let lines: Vec<&str> = command.lines().collect();
    assert!(lines[0].starts_with("heaplens histogram "), "{command}");
    assert!(lines[1].starts_with("heaplens summary ") && lines[1].ends_with(" --cut desk.Session"), "{command}");
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .args(["summary", "--no-cache", "--cut", "desk.Session"])
        .arg(fixture("leak-after.hprof.gz"))
        .output()
        .expect("heaplens starts");
    let output = String::from_utf8_lossy(&printed.stdout).into_owned();
    let frees = output.lines().find_map(|line| line.strip_prefix("Cut          desk.Session: ")).expect("the cut");
    h.get_by_label_contains(frees);
}

/// Key of an entry of `desk.SessionCache.ENTRIES`, which is part of the entry's name.
const KEY: &str = "ceb7a421a2ccb0095de77a006253411";

/// Status of the cuts in the current tab.
fn status(h: &Harness<'_, App>) -> String {
    let now = h.state().location().expect("a location").dump;
    h.state().tabs().iter().find(|tab| tab.key == now).expect("a tab").cuts.status()
}

fn cut(h: &mut Harness<'_, App>, name: &str) {
    h.state_mut().cut_named(name).expect("it exists");
    settle_saved(h);
}

/// Runs frames until changes that no key or click made are saved too.
fn settle_saved(h: &mut Harness<'_, App>) {
    settle(h);
    h.run_steps(20);
}

#[test]
fn cuts_are_kept_with_their_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    let mut h = keeping(folder.path(), &dumps);
    cut(&mut h, "desk.SessionCache.ENTRIES");
    cut(&mut h, "desk.Session");
    let made = status(&h);
    assert!(made.starts_with("2 removals: frees "), "{made}");
    let left = as_after_a_kill(folder.path());
    drop(h);

    let mut next = keeping(left.path(), &dumps);
    assert_eq!(status(&next), made);
    next.get_by_label_contains(&made);
    // The second cut is a step of its own.
    undo(&mut next);
    assert!(has(&next, "Removed desk.SessionCache.ENTRIES: frees 5.4 MB"));
    let left = as_after_a_kill(left.path());
    drop(next);

    let mut third = keeping(left.path(), &dumps);
    assert!(has(&third, "Removed desk.SessionCache.ENTRIES: frees 5.4 MB"));
    let ctx = third.ctx.clone();
    third.state_mut().apply(&ctx, Command::ClearCuts);
    settle_saved(&mut third);
    drop(third);
    let last = keeping(left.path(), &dumps);
    assert!(last.state().tabs()[0].cuts.is_empty());
}

#[test]
fn the_last_change_of_two_tabs_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    let mut h = keeping(folder.path(), &dumps);
    cut(&mut h, "desk.SessionCache.ENTRIES");
    let ctx = h.ctx.clone();
    h.state_mut().apply(&ctx, Command::from(Verb::OpenInNewTab));
    settle(&mut h);
    assert_eq!(h.state().tabs().len(), 2);
    assert!(has(&h, "Removed desk.SessionCache.ENTRIES: frees 5.4 MB"), "the new tab has them too");
    cut(&mut h, "desk.Session");
    drop(h);
    let mut next = keeping(folder.path(), &dumps);
    assert!(has(&next, "2 removals: frees"));
    // Closed and opened again in the same window.
    let key = next.state().tabs()[0].key;
    let ctx = next.ctx.clone();
    next.state_mut().apply(&ctx, Command::Do(Verb::CloseTab, Target::Tab(key)));
    next.state_mut().apply(&ctx, Command::Open(vec![dumps[0].clone()]));
    settle(&mut next);
    assert!(has(&next, "2 removals: frees"));
}

#[test]
fn kept_cuts_contain_no_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = keeping(folder.path(), &[fixture("leak-after.hprof.gz")]);
    let ctx = h.ctx.clone();
    cut(&mut h, &format!("desk.SessionCache.ENTRIES[\"{KEY}\"]"));
    assert!(status(&h).starts_with("Removed "));
    cut(&mut h, &format!("desk.SessionCache.ENTRIES[\"{KEY}\"].page"));
    let key = h.state().tabs()[0].key;
    h.state_mut().apply(&ctx, Command::NameFix(key, "one entry".to_owned()));
    settle(&mut h);
    // Values can be hidden and shown without losing the cut.
    for _ in 0..2 {
        h.state_mut().apply(&ctx, Command::from(Verb::Redact));
        settle(&mut h);
        assert_eq!(h.state().tabs()[0].cuts.all().len(), 2);
    }
    drop(h);
    let stored = std::fs::read_to_string(folder.path().join("settings.json")).expect("settings");
    let stored: serde_json::Value = serde_json::from_str(&stored).expect("json");
    let text = stored["cuts"][0]["steps"][0][0].as_str().expect("a cut").to_owned();
    assert!(text.starts_with("0x") && !text.contains(KEY), "{text}");
    // Nor does the fix that other dumps are offered: the name of the second has the key.
    let cuts = stored["cuts"][0].clone();
    let second = cuts["by_name"][1].as_str().expect("a cut");
    assert!(cuts["fix"] == "one entry" && second.starts_with("0x") && !cuts.to_string().contains(KEY), "{cuts}");
}

#[test]
fn a_kept_cut_that_is_not_in_the_dump_gives_one_hint() {
    let folder = tempfile::tempdir().expect("a folder");
    let dumps = [fixture("leak-after.hprof.gz")];
    let mut h = keeping(folder.path(), &dumps);
    cut(&mut h, "desk.SessionCache.ENTRIES");
    drop(h);
    let settings = folder.path().join("settings.json");
    let text = std::fs::read_to_string(&settings).expect("settings");
    let mut stored: serde_json::Value = serde_json::from_str(&text).expect("json");
    let steps = stored["cuts"][0]["steps"].as_array_mut().expect("steps");
    steps.push(serde_json::json!(["0x1:0x2", "desk.Gone"]));
    std::fs::write(&settings, stored.to_string()).expect("disk space");
    let mut next = keeping(folder.path(), &dumps);
    assert!(has(&next, "Removed desk.SessionCache.ENTRIES: frees 5.4 MB"));
    let (ctx, key) = (next.ctx.clone(), next.state().tabs()[0].key);
    let hint = "2 removals of leak-after.hprof.gz cannot be restored: 0x1:0x2: no object 0x1";
    assert!(says(&mut next, hint, |h| h.state_mut().apply(&ctx, Command::Reopen(key))));
    assert!(has(&next, "Removed desk.SessionCache.ENTRIES: frees 5.4 MB"));
}
