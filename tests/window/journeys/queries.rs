//! Query journeys: write a query, follow a row, save it, and come from a table.

use super::*;

/// Name of the editor.
const EDITOR: &str = "Query";

/// Replaces the text of the editor, and runs it.
fn run(h: &mut Harness<'_, App>, query: &str) {
    write(h, query);
    press(h, Key::F5);
    settle(h);
}

fn write(h: &mut Harness<'_, App>, query: &str) {
    h.get_by_role_and_label(egui::Role::MultilineTextInput, EDITOR).focus();
    settle(h);
    h.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    settle(h);
    h.get_by_role_and_label(egui::Role::MultilineTextInput, EDITOR).type_text(query);
    settle(h);
}

#[test]
fn a_row_of_an_answer_is_an_object_with_its_path() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Q);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Query));
    // The first example has an answer already.
    h.get_by_label_contains("100 rows");
    run(&mut h, "SELECT object, size FROM \"java.util.HashMap\" ORDER BY size DESC LIMIT 3");
    h.get_by_label_contains("3 rows");
    let row = |h: &Harness<'_, App>| {
        let all = h.query_all_by_label_contains("java.util.HashMap (1,200)");
        all.filter_map(|n| n.accesskit_node().label()).find(|label| label.ends_with("1,200")).expect("the largest map")
    };
    let label = row(&h);
    // The first row is selected, and the panes show it.
    let first = h.state().location().and_then(|p| p.object);
    click(&mut h, &label);
    let object = h.state().location().and_then(|p| p.object).expect("the map");
    assert_eq!(first, Some(object));
    assert!(h.query_all_by_label_contains("Step ").next().is_some(), "its path");
    // Enter goes where it goes from every table.
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| (p.view, p.object)), Some((View::Dominators, Some(object))));
    // Back is the query, as it was left.
    click(&mut h, "Go back");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Query));
}

#[test]
fn a_wrong_word_is_named_and_the_last_answer_stays() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Q);
    run(&mut h, "SELECT class, objects FROM classes LIMIT 2");
    h.get_by_label_contains("2 rows");
    run(&mut h, "SELECT class, weight FROM classes LIMIT 4");
    h.get_by_label_contains("no such column: weight");
    h.get_by_label("The rows are of the query before");
    h.get_by_label_contains("2 rows");
    run(&mut h, "SELECT class, objects FROM classes LIMIT 4");
    assert!(h.query_by_label_contains("no such column").is_none());
    h.get_by_label_contains("4 rows");
}

#[test]
fn names_are_suggested_and_accepted() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Q);
    write(&mut h, "SELECT * FROM LinkedHashM");
    h.get_by_label_contains("\"java.util.LinkedHashMap\"");
    press(&mut h, Key::Tab);
    press(&mut h, Key::F5);
    settle(&mut h);
    h.get_by_label_contains("1 row ·");
    assert!(h.query_by_label_contains("no such").is_none());
}

#[test]
fn a_query_is_saved_under_a_name_and_found_again() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Q);
    run(&mut h, "SELECT name FROM threads");
    click(&mut h, "Save…");
    h.get_by_role_and_label(egui::Role::TextInput, "Name of the query").type_text("all threads");
    settle(&mut h);
    click(&mut h, "Save query");
    run(&mut h, "SELECT 1 AS one");
    h.get_by_label_contains("1 row ·");
    click(&mut h, "Saved");
    click(&mut h, "all threads");
    click(&mut h, "Open query");
    settle(&mut h);
    assert!(h.query_by_label_contains("1 row ·").is_none());
}

#[test]
fn a_table_is_shown_as_a_query_with_the_same_rows() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    settle(&mut h);
    h.key_press_modifiers(egui::Modifiers::SHIFT, Key::Q);
    settle(&mut h);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Query));
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    let classes = heaplens_analysis::histogram::histogram(dump.data()).rows.len();
    h.get_by_label_contains(&format!("{classes} rows"));
}

#[test]
fn all_rows_of_an_answer_are_exported_also_those_that_are_not_shown() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let folder = tempfile::tempdir().expect("a folder");
    press(&mut h, Key::Q);
    // In their order on screen.
    run(&mut h, "SELECT class, objects FROM classes WHERE class LIKE 'desk.%' ORDER BY class LIMIT 3");
    h.get_by_label_contains("3 rows");
    let table = folder.path().join("answer.csv");
    h.state_mut().export_to(&table);
    assert!(says(&mut h, "Exported ", |h| h.key_press_modifiers(Modifiers::COMMAND, Key::S)));
    let text = std::fs::read_to_string(&table).expect("the answer");
    assert_eq!(text.lines().next(), Some("class,objects"));
    assert_eq!(text.lines().count(), 4, "{text}");
    // More rows than the window shows.
    run(&mut h, "SELECT source, target FROM refs UNION ALL SELECT target, source FROM refs");
    h.get_by_label_contains("first 100,000 rows");
    let table = folder.path().join("references.json");
    h.state_mut().export_to(&table);
    assert!(says(&mut h, "Exported ", |h| h.key_press_modifiers(Modifiers::COMMAND, Key::S)));
    let text = std::fs::read_to_string(&table).expect("the answer");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(json["rows"].as_array().is_some_and(|rows| rows.len() > 130_000));
}

#[test]
fn the_editor_has_the_focus_and_ctrl_enter_runs_the_query() {
    for by_key in [true, false] {
        let mut h = window(&[fixture("leak-after.hprof.gz")]);
        if by_key {
            press(&mut h, Key::Q);
        } else {
            h.get_by_role_and_label(egui::Role::Tab, "Query").click();
            settle(&mut h);
        }
        h.get_by_label_contains("100 rows");
        // Typing replaces the example.
        type_text(&mut h, "SELECT 1 AS one");
        h.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
        settle(&mut h);
        h.get_by_label_contains("1 row ·");
        assert_eq!(h.state().tabs().len(), 1, "no other tab is opened");
        // A query of the user is not selected when one comes back.
        h.get_by_role_and_label(egui::Role::Tab, "Histogram").click();
        settle(&mut h);
        h.get_by_role_and_label(egui::Role::Tab, "Query").click();
        settle(&mut h);
        h.key_press(Key::End);
        type_text(&mut h, " UNION ALL SELECT 2");
        press(&mut h, Key::F5);
        settle(&mut h);
        h.get_by_label_contains("2 rows ·");
    }
}

#[test]
fn ctrl_enter_ends_a_note_also_beside_a_query() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for view in [View::Dominators, View::Query] {
        look_at(&mut h, view);
        if view == View::Query {
            // The focus leaves the editor for a row.
            h.get_all_by_label_contains("java.").next().expect("a row").click();
            settle(&mut h);
        }
        press(&mut h, Key::N);
        type_text(&mut h, "a note");
        h.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
        settle(&mut h);
        assert_eq!(h.state().tabs().len(), 1, "{view:?}");
        // Letters are shortcuts again.
        press(&mut h, Key::Num2);
        assert_eq!(h.state().location().map(|p| p.view), Some(View::Histogram), "{view:?}");
    }
}
