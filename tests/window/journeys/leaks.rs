//! Leak journeys: to the holder, to the bytes freed by a cut, to a ticket, and to a verdict that applies to the next
//! dump.

use std::process::Command;

use super::*;

fn leaks(name: &str, options: OpenOptions) -> Harness<'static, App> {
    let mut h = window_with(&[fixture(name)], options);
    press(&mut h, Key::F);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    h
}

#[test]
fn from_the_dump_to_the_holder_in_two_keys() {
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES holds 1,200 desk.Session, 5.4 MB (76.4 %)");
    h.get_by_label_contains("Leak suspects: 3, ");
    // The finding shows its path, the reference to cut, and the evidence for a leak.
    h.get_by_label_contains("ENTRIES → java.util.HashMap (1,200)");
    h.get_by_label_contains(", the reference to cut");
    h.get_by_label_contains("Evidence for a leak: it contains all 1,200 desk.Session of the heap");
    h.get_by_label_contains("Entries were never removed: 1,200 were added");
    // The panes show the map named in the title, and so does the tree after Enter.
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    // Back, and to the next finding by keys; a click selects a step of its path.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    press(&mut h, Key::ArrowDown);
    h.get_by_label_contains("orders → java.util.LinkedList (1,200)");
    click(&mut h, "Path 2: appClass → class desk.OrderDesk");
    assert_eq!(chosen_class(&h), "desk.OrderDesk");
}

#[test]
fn accumulated_objects_are_stepped_through() {
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    press(&mut h, Key::CloseBracket);
    assert_eq!(chosen_class(&h), "desk.Session");
    let first = h.state().location().and_then(|location| location.object);
    press(&mut h, Key::CloseBracket);
    let second = h.state().location().and_then(|location| location.object);
    assert_eq!(chosen_class(&h), "desk.Session");
    assert_ne!(first, second);
    press(&mut h, Key::OpenBracket);
    assert_eq!(h.state().location().and_then(|location| location.object), first);
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES");
}

#[test]
fn the_row_above_shows_what_removing_the_references_of_a_finding_frees() {
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    press(&mut h, Key::X);
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB (76.4 %), 18,003 objects");
    h.get_by_label("Put back").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("Removed desk.SessionCache").is_none());
}

#[test]
fn cutting_several_references_is_one_undo_step() {
    let mut h = leaks("leaks/two-indexes-jdk17-after.hprof.gz", OpenOptions::default());
    h.get_by_label_contains("Finding 1: TokenIndex.byToken + UserIndex.byUser");
    h.get_by_label("Remove both (what if)").click();
    settle(&mut h);
    h.get_by_label_contains("2 removals: frees 38");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert!(h.query_by_label_contains("removals: frees").is_none());
}

#[test]
fn a_finding_is_copied_as_the_command_line_prints_it() {
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    let markdown = copied(&mut h, |h| h.get_by_label("Copy Markdown").click());
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(
        command.starts_with("heaplens leaks ") && command.ends_with(" --filter desk.SessionCache.ENTRIES\n"),
        "{command}"
    );
    let nowhere = tempfile::tempdir().expect("a folder");
    let printed = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .env("XDG_CONFIG_HOME", nowhere.path())
        .arg("leaks")
        .arg(fixture("leak-after.hprof.gz"))
        .args(["--no-cache", "--format", "markdown", "--filter", "desk.SessionCache.ENTRIES"])
        .output()
        .expect("heaplens starts");
    assert_eq!(markdown, String::from_utf8_lossy(&printed.stdout));
}

#[test]
fn a_verdict_on_a_finding_applies_to_the_next_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings/verdicts.txt");
    let options = || OpenOptions { verdicts_file: Some(file.clone()), ..OpenOptions::default() };
    let mut h = leaks("leak-after.hprof.gz", options());
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES");
    assert!(h.query_by_label_contains("Expected: ").is_none());
    // Nothing is saved before the user asks for it.
    press(&mut h, Key::V);
    type_text(&mut h, "warm");
    press(&mut h, Key::Escape);
    assert!(!file.exists());
    press(&mut h, Key::V);
    type_text(&mut h, "warm on purpose");
    press(&mut h, Key::Enter);
    let written = std::fs::read_to_string(&file).expect("the verdicts");
    assert!(written.ends_with("\nexpected  desk.SessionCache.ENTRIES  # warm on purpose\n"), "{written}");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks), "Enter was for the text");
    h.get_by_label_contains("Expected: 1, ");
    h.get_by_label_contains("Your rule desk.SessionCache.ENTRIES marks it as expected: warm on purpose");

    // Another dump of the program, in another window.
    let mut h = leaks("leak-after-nocoops.hprof.gz", options());
    h.get_by_label_contains("Finding 1: OrderDesk.orders");
    // It comes last.
    press(&mut h, Key::End);
    h.get_by_label_contains("Expected: 1, ");
    let markdown = copied(&mut h, |h| h.get_by_label("Copy Markdown").click());
    assert!(markdown.contains("## Expected") && markdown.contains("warm on purpose"), "{markdown}");
    // Taken back, it is a leak again.
    h.get_by_label("Remove verdict").click();
    settle(&mut h);
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES");
    assert!(!std::fs::read_to_string(&file).expect("the verdicts").contains("warm on purpose"));
}

#[test]
fn very_many_references_are_cut_in_one_step() {
    let mut h = leaks("leaks/finalizer-jdk17-after.hprof.gz", OpenOptions::default());
    h.get_by_label_contains("Finding 1: java.lang.ref.Finalizer.queue");
    press(&mut h, Key::X);
    h.get_by_label_contains("Removed java.lang.ref.Finalizer.referent: frees 38");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    let lines: Vec<&str> = command.lines().collect();
    assert!(lines[0].starts_with("heaplens leaks ") && lines[1].starts_with("heaplens summary "), "{command}");
    assert!(lines[1].contains(" --cut ") && lines.len() == 2, "{command}");
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    assert!(h.query_by_label_contains("Removed java.lang.ref.Finalizer").is_none());
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.starts_with("heaplens leaks ") && !command.contains("--cut"), "{command}");
}

#[test]
fn findings_are_filtered_and_exported_by_file_extension() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    press(&mut h, Key::Slash);
    type_text(&mut h, "orders");
    press(&mut h, Key::Enter);
    assert!(h.query_by_label_contains("Finding 1: SessionCache").is_none());
    h.get_by_label_contains(": OrderDesk.orders holds");
    for (name, begins) in
        [("leaks.md", "# Leaks\n"), ("leaks.csv", "group,kind,name,short_name,label,"), ("leaks.json", "{\"counts\":")]
    {
        let file = folder.path().join(name);
        h.state_mut().export_to(&file);
        assert!(says(&mut h, "Exported ", |h| h.key_press_modifiers(Modifiers::COMMAND, Key::S)));
        let text = std::fs::read_to_string(&file).expect("the export");
        assert!(text.starts_with(begins), "{text}");
        assert!(text.contains("desk.OrderDesk.orders") && !text.contains("desk.SessionCache.ENTRIES"), "{text}");
    }
    // Another view and back: filter and collapsed rows are restored.
    click(&mut h, "Leak suspects: ");
    press(&mut h, Key::Num2);
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    assert!(h.query_by_label_contains("Finding 1: SessionCache").is_none());
    h.get_by_label("Clear the filter").click();
    settle(&mut h);
    assert!(h.query_by_label_contains("Finding 1: SessionCache").is_none(), "the group was folded");
    click(&mut h, "Leak suspects: ");
    h.get_by_label_contains("Finding 1: SessionCache");
}

#[test]
fn findings_and_steps_have_menus() {
    let mut h = leaks("leak-after.hprof.gz", OpenOptions::default());
    let choose = |h: &mut Harness<'_, App>, part_of_label: &str, entry: &str| {
        h.get_all_by_label_contains(part_of_label).next().expect(part_of_label).click_secondary();
        settle(h);
        h.get_all_by_label_contains(entry).last().expect(entry).click();
        settle(h);
    };
    // The right click selects the second finding first.
    choose(&mut h, "Finding 2: OrderDesk.orders", "Remove reference (what if)");
    assert_eq!(chosen_class(&h), "java.util.LinkedList");
    h.get_by_label_contains("Removed desk.OrderDesk.orders: frees 221 kB");
    press(&mut h, Key::Num3);
    press(&mut h, Key::F);
    // A step: the reference of that step, and a verdict on it.
    choose(&mut h, "Path 2: appClass → class desk.OrderDesk", "Remove this reference (what if)");
    assert_eq!(chosen_class(&h), "desk.OrderDesk");
    h.get_by_label_contains("Finding 2: OrderDesk.orders");
    h.get_by_label_contains("2 removals: ");
    choose(&mut h, "Path 2: appClass → class desk.OrderDesk", "Set verdict…");
    h.get_by_label_contains("Field that holds it: ");
    press(&mut h, Key::Escape);
    choose(&mut h, "Path 3: orders → java.util.LinkedList", "Show in dominator tree");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "java.util.LinkedList");
}
