//! Help with its search, terms and manual; messages that stay; a path typed where the desktop has no file dialog.

use super::*;

fn search(h: &mut Harness<'_, App>, text: &str) {
    h.get_by_label("Search the help").focus();
    settle(h);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    type_text(h, text);
}

#[test]
fn f1_opens_the_page_of_the_view_and_links_work() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    press(&mut h, Key::F1);
    h.get_by_label("Search the help");
    assert!(has(&h, "Every object below its immediate dominator") || has(&h, "dominator"), "the page of the view");
    click(&mut h, "Growth");
    search(&mut h, "heaproots listing");
    assert!(h.query_by_label("Growth").is_none(), "pages that do not match are left out");
    press(&mut h, Key::Escape);
    assert!(h.query_by_label("Search the help").is_none());
}

#[test]
fn one_search_finds_commands_terms_and_pages() {
    let mut h = empty();
    // The start page begins in its path field, which Escape leaves.
    press(&mut h, Key::Escape);
    press(&mut h, Key::Questionmark);
    search(&mut h, "retained heap");
    click(&mut h, "Glossary");
    h.get_by_label("Retained size");
    assert!(has(&h, "Bytes that would be freed"));
    assert!(h.query_by_label("Closure").is_none());
    search(&mut h, "no such thing anywhere");
    assert!(has(&h, "No match for"));
    press(&mut h, Key::Escape);
    go_to(&mut h, "glossary");
    h.get_by_label("GC root");
}

#[test]
fn titles_of_columns_are_defined_by_the_glossary() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    let definition = "Bytes of the object itself";
    assert!(!has(&h, definition));
    h.get_by_label_contains("Sort by Shallow size").hover();
    // A tooltip appears once the pointer has rested.
    for _ in 0..10 {
        h.step();
    }
    assert!(has(&h, definition));
}

#[test]
fn no_tooltip_lies_over_the_palette_or_stays_after_a_key() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    let definition = "Bytes of the object itself";
    let rest = |h: &mut Harness<'_, App>| (0..10).for_each(|_| h.step());
    let point = |h: &mut Harness<'_, App>| {
        h.hover_at(egui::pos2(700.0, 870.0));
        h.step();
        h.get_by_label_contains("Sort by Shallow size").hover();
        rest(h);
    };
    point(&mut h);
    assert!(has(&h, definition));
    h.key_press_modifiers(Modifiers::COMMAND, Key::K);
    rest(&mut h);
    assert!(!has(&h, definition), "it is hidden below the palette");
    press(&mut h, Key::Escape);
    rest(&mut h);
    assert!(!has(&h, definition), "it stays hidden until the pointer moves");
    point(&mut h);
    assert!(has(&h, definition));
    press(&mut h, Key::Num2);
    rest(&mut h);
    assert!(!has(&h, definition), "the view has changed");
    // Tooltips of what lies over the window appear.
    press(&mut h, Key::Questionmark);
    h.hover_at(egui::pos2(700.0, 870.0));
    h.step();
    h.get_by_label("Close help").hover();
    rest(&mut h);
    assert_eq!(h.get_all_by_label("Close help").count(), 2, "the button and its tooltip");
}

#[test]
fn the_key_sheet_begins_with_the_view_and_leads_to_all_commands() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num3);
    press(&mut h, Key::Questionmark);
    h.get_by_label("* Expand all below the row");
    assert!(has(&h, "Command palette…") && !has(&h, "Copy as spreadsheet cells"));
    search(&mut h, "export table");
    assert!(has(&h, "Export table…") && !has(&h, "Expand all below the row"));
    search(&mut h, "");
    h.key_press(Key::Backspace);
    settle(&mut h);
    click(&mut h, "All commands, also those without a key");
    assert!(has(&h, "Copy as spreadsheet cells") || has(&h, "Take dump of process…"));
    press(&mut h, Key::Escape);
    // The sheet of another view has its own keys.
    press(&mut h, Key::Num2);
    press(&mut h, Key::Questionmark);
    assert!(!has(&h, "Expand all below the row") && has(&h, "Enter Open the row"));
}

#[test]
fn a_warning_stays_until_it_is_dismissed() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("shopping-list.txt");
    std::fs::write(&text, "milk\nbread\n").expect("a file");
    h.input_mut().dropped_files.push(Arc::new(Dropped(text)));
    settle(&mut h);
    let warning = "shopping-list.txt";
    assert!(has(&h, warning), "a file that is no mapping is refused");
    // Far longer than information messages are shown.
    for _ in 0..10 {
        let later = h.input_mut().time.map(|time| time + 3.0);
        h.input_mut().time = later;
        h.step();
    }
    assert!(has(&h, warning));
    click(&mut h, "Dismiss this message");
    assert!(!has(&h, "Dismiss this message"));
}

#[test]
fn without_a_file_dialog_a_path_is_typed() {
    if has_desktop() {
        return;
    }
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::O);
    wait_for_path_field(&mut h);
    type_text(&mut h, "no/such/file.hprof");
    h.key_press(Key::Enter);
    wait_for_label(&mut h, "There is no such file");
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    type_text(&mut h, fixture("leak-after.hprof.gz").to_str().expect("a name"));
    h.key_press(Key::Enter);
    wait_for_label(&mut h, "leak-after.hprof.gz, exact");
    assert_eq!(h.state().tabs().len(), 2);
    // A table is exported to the path that is suggested, or nowhere.
    press(&mut h, Key::Num2);
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    wait_for_path_field(&mut h);
    press(&mut h, Key::Escape);
    assert!(h.query_by_label("Path of the file").is_none());
}

fn wait_for_path_field(h: &mut Harness<'_, App>) {
    wait_for_label(h, "Path of the file");
    settle(h);
}
