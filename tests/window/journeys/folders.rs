//! Folders of dumps: opened by the dialog of the window, from the palette and from the recent files.

use super::*;

#[test]
fn the_dialog_of_the_window_opens_a_folder() {
    if has_desktop() {
        return; // A desktop dialog would wait for input.
    }
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["leak-before.hprof.gz", "leak-after.hprof.gz"] {
        std::fs::copy(fixture(name), folder.path().join(name)).expect("a copy");
    }
    let mut h = empty();
    h.key_press_modifiers(Modifiers::COMMAND, Key::O);
    wait_for_label(&mut h, "Path of the file or folder");
    settle(&mut h);
    type_text(&mut h, &folder.path().display().to_string());
    press(&mut h, Key::Enter);
    wait_for_label(&mut h, "Compare");
    settle(&mut h);
    assert!(has(&h, "leak-before.hprof.gz, ") && has(&h, "2 dumps"));
    // The palette has the question for a folder.
    go_to(&mut h, "folder");
    wait_for_label(&mut h, "Path of the folder");
}

#[test]
fn rows_that_are_no_neighbours_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["facts-jdk17.hprof.gz", "leak-before.hprof.gz", "leak-after.hprof.gz"] {
        std::fs::copy(fixture(name), folder.path().join(name)).expect("a copy");
    }
    let mut h = opening(&[folder.path().to_owned()], OpenOptions::default());
    settle(&mut h);
    click(&mut h, "Sort by Dump");
    let row = |h: &Harness<'_, App>, name: &str| {
        let start = format!("{name}, ");
        let is_it = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node().label().is_some_and(|label| label.starts_with(&start))
        };
        let nodes = h.query_all_by_label_contains(name).collect::<Vec<_>>();
        nodes.into_iter().find(is_it).expect("its row").rect().center()
    };
    let (first, last) = (row(&h, "facts-jdk17.hprof.gz"), row(&h, "leak-before.hprof.gz"));
    for (at, modifiers) in [(first, Modifiers::NONE), (last, Modifiers::COMMAND)] {
        h.hover_at(at);
        h.event(egui::Event::ModifiersChanged(modifiers));
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            h.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        }
        h.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        settle(&mut h);
    }
    click(&mut h, "Compare");
    let names: Vec<String> = h.state().tabs().iter().map(heaplens::ui::tab::Tab::name).collect();
    assert!(names.iter().any(|name| name.contains("facts-jdk17")), "{names:?}");
    assert!(names.iter().any(|name| name.contains("leak-before")), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("leak-after")), "{names:?}");
}
