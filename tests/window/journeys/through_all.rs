//! Comparison data in every view, with further dumps of the program, and navigation to removed objects.

use std::process::Command;

use super::*;

const THREE: [&str; 3] = ["leak-before.hprof.gz", "leak-after.hprof.gz", "leak-before-all.hprof.gz"];
fn tab(h: &Harness<'_, App>) -> String {
    let location = h.state().location().expect("a location");
    h.state().tabs().iter().find(|tab| tab.key == location.dump).expect("its tab").name()
}

fn show_tab(h: &mut Harness<'_, App>, name: &str) {
    while tab(h) != name {
        h.key_press_modifiers(Modifiers::COMMAND, Key::PageDown);
        settle(h);
    }
}

fn printed(arguments: &[&str]) -> Vec<u8> {
    let files = THREE.map(|name| fixture(name).display().to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .arg("diff")
        .args(files)
        .args(["--of", "owners", "--no-cache", "--format", "csv"])
        .args(arguments)
        .output()
        .expect("heaplens starts");
    output.stdout
}

#[test]
fn three_dumps_give_every_owner_a_series_as_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = empty();
    drop_files(&mut h, &THREE);
    // The oldest with the newest, by the times in the dumps.
    assert_eq!(tab(&h), "leak-before → leak-before-all");
    assert!(has(&h, "Over time: ") && has(&h, "grew in every interval"));
    let lines = |h: &Harness<'_, App>| h.query_all_by_label_contains("Over time: ").count();
    let all = lines(&h);
    // One key leaves those that grew from each to the next, another press shows all again.
    press(&mut h, Key::E);
    assert!(lines(&h) < all && lines(&h) > 0);
    let every_time = h.query_all_by_label_contains("Over time: ").collect::<Vec<_>>();
    let output: Vec<String> = every_time.iter().filter_map(|node| node.accesskit_node().label()).collect();
    assert!(output.iter().all(|output| output.ends_with(", grew in every interval")), "{output:?}");
    press(&mut h, Key::E);
    assert_eq!(lines(&h), all);
    // The table of owners through all of them is that of the command line.
    h.get_by_role_and_label(egui::Role::Tab, "Over time").click();
    settle(&mut h);
    let export = |h: &mut Harness<'static, App>, name: &str| {
        let path = folder.path().join(name);
        h.state_mut().export_to(&path);
        h.key_press_modifiers(Modifiers::COMMAND, Key::S);
        settle(h);
        std::fs::read(&path).expect("the exported file")
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&export(&mut h, "all.csv")), text(&printed(&[])));
    press(&mut h, Key::E);
    assert_eq!(text(&export(&mut h, "every.csv")), text(&printed(&["--grew-every-time"])));
    let command = copied(&mut h, |h| {
        h.key_press(Key::Home);
        h.key_press(Key::C);
    });
    assert!(command.starts_with("heaplens diff ") && command.contains("leak-after.hprof.gz"), "{command}");
}

#[test]
fn a_dump_opened_later_joins_the_series_of_its_program() {
    let mut h = empty();
    drop_files(&mut h, &THREE[..2]);
    let pair = "leak-before → leak-after";
    assert!(tab(&h) == pair && !has(&h, "Over time"));
    drop_files(&mut h, &["facts-jdk17.hprof.gz"]);
    show_tab(&mut h, pair);
    press(&mut h, Key::Num9);
    assert!(!has(&h, "Over time"), "another program");
    drop_files(&mut h, &THREE[2..]);
    show_tab(&mut h, pair);
    press(&mut h, Key::Num9);
    assert!(has(&h, "Over time: "));
    assert!(has(&h, " objects since the baseline (leak-before)"), "the compared pair is unchanged");
    click(&mut h, "Close leak-before-all.hprof.gz");
    assert!(tab(&h) == pair && !has(&h, "Over time"));
}

#[test]
fn the_histogram_shows_growth_by_class_and_group() {
    let mut h = empty();
    drop_files(&mut h, &THREE[..2]);
    press(&mut h, Key::Num2);
    assert!(has(&h, "desk.Session 1,200 objects, +1,140 objects, +45.6 kB"));
    click(&mut h, "Sort by Δ objects");
    h.get_by_label_contains("Sort by Δ objects, descending");
    let most = copied(&mut h, |h| {
        h.key_press(Key::Home);
        h.key_press_modifiers(Modifiers::COMMAND, Key::C);
    });
    assert!(most.contains("Δ retained") && most.contains('+'), "{most}");
    click(&mut h, "Group by class");
    click(&mut h, "By package");
    assert!(has(&h, "Sort by Δ shallow"));
    click(&mut h, "Sort by Δ retained");
    assert!(has(&h, "desk"));
    // Classes without remaining objects are listed in Growth.
    let mut h = empty();
    drop_files(&mut h, &["leak-before.hprof.gz", "leak-before-all.hprof.gz"]);
    press(&mut h, Key::Num2);
    click(&mut h, "7 removed");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Growth));
    assert!(has(&h, "Sort by Change"));
}

#[test]
fn the_tree_sorts_by_growth_for_objects_and_groups() {
    let mut h = empty();
    drop_files(&mut h, &THREE[..2]);
    press(&mut h, Key::Num3);
    press(&mut h, Key::F3);
    click(&mut h, "Sort by Δ retained");
    h.get_by_label_contains("Sort by Δ retained, descending");
    press(&mut h, Key::Home);
    assert_eq!(chosen_class(&h), "desk.SessionCache");
    click(&mut h, "Tree grouped");
    click(&mut h, "By package");
    h.get_all_by_label_contains("Group desk").next().expect("a package");
}

#[test]
fn removed_objects_open_in_the_baseline() {
    let mut h = empty();
    drop_files(&mut h, &["keys-before.hprof.gz", "keys-after.hprof.gz"]);
    let follow_one = |h: &mut Harness<'static, App>| {
        look_at(h, View::Dominators);
        h.state_mut().go_to_object("ledger.Books.BY_PLACE").expect("it exists");
        settle(h);
        let node = h.get_all_by_label_contains("Removed: ledger.Place").next().expect("a removed key");
        node.click();
        settle(h);
        press(h, Key::Enter);
    };
    follow_one(&mut h);
    assert_eq!(tab(&h), "keys-before.hprof.gz");
    assert_eq!(chosen_class(&h), "ledger.Posting");
    // Again after the tab of that dump was closed: it is reopened.
    click(&mut h, "Close keys-before.hprof.gz");
    assert_eq!(h.state().tabs().len(), 2);
    show_tab(&mut h, "keys-before → keys-after");
    follow_one(&mut h);
    assert_eq!((tab(&h).as_str(), h.state().tabs().len()), ("keys-before.hprof.gz", 3));
}

#[test]
fn charts_hatch_removed_objects_and_link_to_them() {
    let mut h = empty();
    drop_files(&mut h, &THREE[..2]);
    // In the other direction a thousand sessions are removed.
    press(&mut h, Key::B);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    look_at(&mut h, View::Dominators);
    assert!(has(&h, "Colour by growth"));
    let removed = h.get_all_by_label_contains("objects removed").next().expect("a removed object has a location");
    removed.click();
    settle(&mut h);
    assert_eq!(tab(&h), "leak-after.hprof.gz");
    assert!(h.state().location().and_then(|location| location.object).is_some());
}

#[test]
fn held_by_shows_a_second_chain_where_the_holder_changed() {
    let mut h = empty();
    drop_files(&mut h, &["leak-before.hprof.gz", "leak-before-all.hprof.gz"]);
    h.state_mut().go_to_object("desk.Samples.weakToDropped[0]").expect("it exists");
    settle(&mut h);
    assert!(has(&h, "Path in the baseline") && has(&h, "Baseline GC root: "));
    // An object with unchanged holders has one chain.
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    assert!(!has(&h, "Path in the baseline"));
}

#[test]
fn merged_paths_show_the_object_count_of_the_baseline() {
    let mut h = empty();
    drop_files(&mut h, &THREE[..2]);
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::Num5);
    assert!(has(&h, "Δ objects"));
    // The merged path through the map leads to a thousand more objects, step by step.
    let grown: Vec<String> =
        h.query_all_by_label_contains(", +1,140 objects").filter_map(|node| node.accesskit_node().label()).collect();
    let has_step = |name: &str| grown.iter().any(|step| step.contains(name));
    assert!(has_step("desk.SessionCache") && has_step("java.util.HashMap"), "{grown:?}");
}
