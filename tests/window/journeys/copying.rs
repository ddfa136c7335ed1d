//! Copy and export: each form equals its golden file, and the copied command prints the same rows.

use std::process::Command;

use serde_json::Value;

use super::*;

const FILE: &str = "fixtures/leak-after.hprof.gz";

/// A window with the dump by the name that the command line knows it by.
fn leak() -> Harness<'static, App> {
    window(&[PathBuf::from(FILE)])
}

/// Held to `tests/golden/copy/`; with `UPDATE_GOLDEN=1` written there.
fn check(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/copy").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, got).expect("golden file can be written");
        return;
    }
    let want = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(got, want, "{name}");
}

/// Copies in every form, after `further` moves to the right in the choice of contents.
fn check_forms(h: &mut Harness<'_, App>, name: &str, further: usize) {
    let forms = [
        (Key::Num1, "txt"),
        (Key::Num2, "md"),
        (Key::Num3, "trace.txt"),
        (Key::Num4, "tsv"),
        (Key::Num5, "json"),
        (Key::Num6, "sh"),
    ];
    for (key, extension) in forms {
        h.key_press_modifiers(Modifiers::SHIFT, Key::Y);
        settle(h);
        for _ in 0..further {
            press(h, Key::ArrowRight);
        }
        let text = chosen(h, key);
        check(&format!("{name}.{extension}"), &text);
        settle(h);
    }
}

fn select(h: &mut Harness<'_, App>, rows: usize) {
    for _ in 1..rows {
        h.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    }
    settle(h);
}

#[test]
fn copied_forms_match_their_goldens() {
    let mut h = leak();
    check_forms(&mut h, "path", 1);
    check_forms(&mut h, "object", 2);
    // The holder, its child, and the next top-level row.
    press(&mut h, Key::ArrowRight);
    select(&mut h, 3);
    check_forms(&mut h, "tree", 0);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Home);
    select(&mut h, 4);
    check_forms(&mut h, "rows", 0);
    look_at(&mut h, View::Threads);
    press(&mut h, Key::Home);
    press(&mut h, Key::ArrowRight);
    select(&mut h, 3);
    check_forms(&mut h, "outline", 0);
}

/// Output of a copied command, run in a shell.
fn run(command: &str) -> Value {
    let arguments = command.strip_prefix("heaplens ").expect("a command of heaplens");
    let output = Command::new("sh")
        .args(["-c", &format!("exec \"$0\" {} --no-cache --format json", arguments.trim_end())])
        .arg(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("json")
}

/// Copies as json, copies the command, runs it: the same rows.
pub(super) fn same(h: &mut Harness<'_, App>, what: &str) -> (Value, String) {
    let json: Value = serde_json::from_str(&copied_as(h, Key::Num5)).expect("json");
    settle(h);
    let command = copied(h, |h| h.key_press(Key::C));
    settle(h);
    let answer = run(&command);
    let about = &json["about"];
    assert_eq!(about["file"], "leak-after.hprof.gz", "{what}");
    let (list, rows) = json.as_object().and_then(|o| o.iter().find(|(key, _)| *key != "about")).expect("rows");
    assert!(rows.as_array().is_some_and(|rows| !rows.is_empty()), "{what}: {json}");
    assert_eq!(&answer[list.as_str()], rows, "{what}: {command}");
    (rows.clone(), command)
}

#[test]
fn the_copied_command_prints_the_same_rows() {
    let mut h = leak();
    same(&mut h, "one row of the tree");
    select(&mut h, 3);
    same(&mut h, "rows of a level");
    // Grouped rows are tested in their own journey.
    click(&mut h, "Tree grouped");
    click(&mut h, "Plain");
    press(&mut h, Key::Home);
    press(&mut h, Key::ArrowRight);
    select(&mut h, 4);
    let (_, command) = same(&mut h, "rows of several levels");
    assert!(command.contains("--object"), "{command}");
    click(&mut h, "Sort by Shallow size");
    click(&mut h, "Sort by Shallow size, descending");
    press(&mut h, Key::Home);
    select(&mut h, 3);
    same(&mut h, "a level, smallest first");
    h.key_press(Key::Slash);
    settle(&mut h);
    h.get_by_role(egui::Role::TextInput).type_text("/^java.lang.(Class|Thread)$/");
    settle(&mut h);
    press(&mut h, Key::Enter);
    press(&mut h, Key::Home);
    press(&mut h, Key::ArrowDown);
    select(&mut h, 3);
    same(&mut h, "a filtered level");

    press(&mut h, Key::Num2);
    for (sort, further) in [("Sort by Objects", 2), ("Sort by Objects, descending", 5), ("Sort by Class", 0)] {
        click(&mut h, sort);
        press(&mut h, Key::Home);
        for _ in 0..further {
            press(&mut h, Key::ArrowDown);
        }
        select(&mut h, 4);
        same(&mut h, sort);
    }
    h.key_press(Key::Slash);
    settle(&mut h);
    h.get_by_role(egui::Role::TextInput).type_text("desk.Session");
    settle(&mut h);
    press(&mut h, Key::Enter);
    click(&mut h, "desk.Session ");
    same(&mut h, "a filtered histogram");
    press(&mut h, Key::Enter);
    press(&mut h, Key::End);
    same(&mut h, "the last object of a class");
    click(&mut h, "Sort by Shallow size");
    press(&mut h, Key::Home);
    select(&mut h, 5);
    same(&mut h, "objects by shallow size");
}

/// Rows of the grouped tree, and the levels they expand to.
#[test]
fn grouped_rows_copy_the_output_of_the_command() {
    let mut h = leak();
    press(&mut h, Key::Num3);
    press(&mut h, Key::Home);
    // Down to the nodes of the map, which are a group; the first of these are chains.
    (0..6).for_each(|_| press(&mut h, Key::ArrowRight));
    folded_row(&mut h, "group", "--class");
    folded_row(&mut h, "chain", "--chain");
    // Top level: groups of siblings, and shared objects.
    for (kind, option) in [("group", "--class"), ("shared", "--shared-by")] {
        press(&mut h, Key::Home);
        press(&mut h, Key::Minus);
        let is_meant = |h: &mut Harness<'_, App>| {
            let json: Value = serde_json::from_str(&copied_as(h, Key::Num5)).expect("json");
            json["rows"][0]["kind"] == kind
        };
        let mut left = 12;
        while !is_meant(&mut h) {
            left -= 1;
            assert!(left > 0, "a row {kind} near the top");
            press(&mut h, Key::ArrowDown);
        }
        folded_row(&mut h, kind, option);
        press(&mut h, Key::Minus);
    }
}

/// Checks that the row at the cursor is of that kind and that the first rows below it, where the cursor moves, are
/// selected by an option.
fn folded_row(h: &mut Harness<'_, App>, kind: &str, option: &str) {
    let (rows, command) = same(h, kind);
    assert_eq!(rows[0]["kind"], kind, "{command}");
    assert!(command.contains(" --fold "), "{command}");
    // The status bar sums them up, the text lists their names.
    let objects = heaplens_base::Count(rows[0]["objects"].as_u64().expect("a number"));
    assert!(objects.0 > 1, "{rows}");
    h.get_by_label_contains(&format!("{objects} objects  ·  shallow"));
    let text = copied_as(h, Key::Num1);
    assert!(text.contains(rows[0]["row"].as_str().expect("a name")), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.ends_with(&objects.to_string())), "{text}");
    press(h, Key::ArrowRight);
    press(h, Key::ArrowDown);
    select(h, 3);
    let (_, command) = same(h, &format!("below a {kind}"));
    assert!(command.contains(option), "{command}");
    press(h, Key::ArrowUp);
    press(h, Key::ArrowDown);
}

#[test]
fn reports_copy_the_output_of_the_command() {
    let mut h = leak();
    let views = [
        (View::Threads, "Sort by Thread"),
        (View::Strings, "Sort by Strings"),
        (View::Collections, "Sort by Elements"),
        (View::Waste, "Sort by Objects"),
        (View::Loaders, "Sort by Classes"),
        (View::Roots, "Sort by Objects"),
    ];
    for (view, sort) in views {
        look_at(&mut h, view);
        press(&mut h, Key::Home);
        press(&mut h, Key::ArrowDown);
        same(&mut h, &format!("{view:?}"));
        click(&mut h, sort);
        press(&mut h, Key::Home);
        select(&mut h, 3);
        same(&mut h, &format!("{view:?}, {sort}"));
    }
    // A row that passes the filter only through a descendant is addressed by its position without filter.
    press(&mut h, Key::Slash);
    h.get_by_role(egui::Role::TextInput).type_text("SessionReaper");
    settle(&mut h);
    press(&mut h, Key::Enter);
    press(&mut h, Key::Home);
    same(&mut h, "a filtered report");
    // An object below it by its id.
    press(&mut h, Key::ArrowDown);
    let (rows, _) = same(&mut h, "an object of a report");
    assert_eq!(rows[0]["class"], "desk.SessionReaper");
    // Packages.
    press(&mut h, Key::Num2);
    click(&mut h, "Group by class");
    click(&mut h, "By package");
    press(&mut h, Key::Home);
    select(&mut h, 3);
    same(&mut h, "packages");
}

#[test]
fn paths_objects_and_inspector_lists_copy_the_output_of_the_command() {
    let mut h = leak();
    // The list `further` entries to the right in the copy menu: as JSON, and the output of its command.
    let copy = |h: &mut Harness<'_, App>, further: usize| -> (Value, Value) {
        let mut text = |form| {
            h.key_press_modifiers(Modifiers::SHIFT, Key::Y);
            settle(h);
            (0..further).for_each(|_| press(h, Key::ArrowRight));
            let text = chosen(h, form);
            settle(h);
            text
        };
        (serde_json::from_str(&text(Key::Num5)).expect("json"), run(&text(Key::Num6)))
    };
    for (further, list) in [(1, "paths"), (2, "object"), (3, "fields")] {
        let (json, answer) = copy(&mut h, further);
        let answer = if list == "object" { &answer } else { &answer[list] };
        assert_eq!(&json[list], answer, "{list}");
    }
    for tab in ["Incoming", "Outgoing"] {
        click(&mut h, tab);
        let (json, answer) = copy(&mut h, 3);
        assert_eq!(json["rows"], answer["rows"], "{tab}");
    }
}

#[test]
fn a_class_selected_in_a_chart_is_copied_as_its_row() {
    let mut h = leak();
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session ");
    press(&mut h, Key::T);
    let (rows, command) = same(&mut h, "a class in a picture");
    assert_eq!(
        (rows.as_array().map(Vec::len), &rows[0]["class"]),
        (Some(1), &Value::from("desk.Session")),
        "{command}"
    );
    let text = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert!(text.contains("desk.Session"), "{text}");
}

/// Every table of growth between two dumps: copied and exported rows equal the output of `diff`.
#[test]
fn growth_is_copied_and_exported_as_diff_prints_it() {
    const BEFORE: &str = "fixtures/leak-before.hprof.gz";
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&[PathBuf::from(BEFORE), PathBuf::from(FILE)]);
    press(&mut h, Key::Num9);
    let tables = [
        ("Owners", "charged_bytes", "Sort by Δ objects"),
        ("Classes", "delta_shallow_bytes", "Sort by Change"),
        ("Packages", "delta_shallow_bytes", "Sort by Change"),
        ("Loaders", "delta_shallow_bytes", "Sort by Δ retained"),
        ("Threads", "delta_retained_bytes", "Sort by Change"),
        ("Strings", "delta_shallow_bytes", "Sort by Before"),
        ("Collections", "delta_shallow_bytes", "Sort by Δ elements"),
    ];
    for (table, sorted, sort) in tables {
        growth::look_at_table(&mut h, table);
        press(&mut h, Key::Home);
        let (_, command) = same(&mut h, table);
        assert!(
            command.starts_with(&format!("heaplens diff {BEFORE} {FILE} --of {}", table.to_lowercase())),
            "{command}"
        );
        for format in ["csv", "json"] {
            let path = folder.path().join(format!("{table}.{format}"));
            h.state_mut().export_to(&path);
            h.key_press_modifiers(Modifiers::COMMAND, Key::S);
            settle(&mut h);
            let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
                .args(["diff", BEFORE, FILE, "--no-cache", "--of", &table.to_lowercase(), "--sort", sorted])
                .args(["--format", format])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .expect("heaplens starts");
            let exported = std::fs::read(&path).expect("the exported file");
            assert!(exported == output.stdout && !exported.is_empty(), "{table} as {format}");
        }
        click(&mut h, sort);
        press(&mut h, Key::Home);
        select(&mut h, 3);
        same(&mut h, &format!("{table}, {sort}"));
    }
}

/// The whole table, as the command line prints it.
#[test]
fn exported_tables_match_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = leak();
    let export = |h: &mut Harness<'_, App>, view: View, name: &str, arguments: &[&str]| {
        look_at(h, view);
        let path = folder.path().join(name);
        h.state_mut().export_to(&path);
        h.key_press_modifiers(Modifiers::COMMAND, Key::S);
        settle(h);
        let format = if name.ends_with("json") { "json" } else { "csv" };
        let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
            .args([arguments, &["--no-cache", "--format", format]].concat())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("heaplens starts");
        let exported = std::fs::read(&path).expect("the exported file");
        assert!(exported == output.stdout && !exported.is_empty(), "{name}");
    };
    export(&mut h, View::Dominators, "tree.csv", &["dominators", FILE, "--fold"]);
    export(&mut h, View::Dominators, "tree.json", &["dominators", FILE, "--fold"]);
    export(&mut h, View::Histogram, "classes.json", &["histogram", FILE, "--owners"]);
    export(
        &mut h,
        View::Objects,
        "objects.csv",
        &["objects", FILE, "--class", "byte[]", "--sort", "retained_bytes", "--age"],
    );
    // Objects of the class that was listed.
    export(&mut h, View::Paths, "merged.json", &["paths", FILE, "--all", "--class", "byte[]", "--merge", "class"]);
    export(&mut h, View::Paths, "merged.csv", &["paths", FILE, "--all", "--class", "byte[]", "--merge", "class"]);
    export(&mut h, View::Threads, "threads.json", &["threads", FILE]);
    export(&mut h, View::Strings, "strings.json", &["strings", FILE]);
    export(&mut h, View::Waste, "waste.csv", &["waste", FILE]);
    export(&mut h, View::Loaders, "loaders.csv", &["loaders", FILE, "--sort", "kept_by_objects_bytes"]);
    export(&mut h, View::Roots, "roots.json", &["roots", FILE]);
    look_at(&mut h, View::Paths);
    // With the list of accumulating classes, over all objects.
    click(&mut h, "Classes");
    click(&mut h, "Min. objects: Any number");
    click(&mut h, "≥ 1,000");
    click(&mut h, "Min. retained size: ≥ 1 %");
    click(&mut h, "Any size");
    export(&mut h, View::Paths, "by-class.json", &["paths", FILE, "--all", "--least-objects", "1000"]);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 12, "nothing half-written stays");
}

/// A copy of a long table is cut, which toast and text say; all rows count as selected.
#[test]
fn a_copy_of_many_rows_says_that_it_is_not_all() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "java.lang.String 13,789 objects");
    press(&mut h, Key::Enter);
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    settle(&mut h);
    assert!(has(&h, "13,789 objects  ·  shallow"), "all of them are selected");
    let missing = "10,000 of 13,789 rows copied; Export table… (Ctrl+S) writes all";
    let text = copied_as(&mut h, Key::Num1);
    assert_eq!(text.lines().last(), Some(missing));
    assert_eq!(text.lines().filter(|line| line.contains("java.lang.String")).count(), 10_001, "with the title");
    h.get_by_label("Copied 10,000 of 13,789 rows as plain text; Export table… (Ctrl+S) writes all");
    let cells = copied_as(&mut h, Key::Num4);
    assert_eq!(cells.lines().last(), Some(missing));
    let json: serde_json::Value = serde_json::from_str(&copied_as(&mut h, Key::Num5)).expect("JSON");
    assert_eq!(json["rows_in_all"], 13_789);
    // Fewer rows are all there.
    press(&mut h, Key::Home);
    assert!(!copied_as(&mut h, Key::Num1).contains("rows copied"));
}

/// Rows that lead to no object are selected, too.
#[test]
fn selected_rows_without_objects_are_counted() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Loaders);
    press(&mut h, Key::Home);
    assert!(!has(&h, "Nothing is selected"));
    h.get_by_label("1 row selected");
}
