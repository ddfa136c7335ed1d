//! The three main journeys, each from the dropped file to the text in the ticket, by keyboard: find the leak in an
//! unknown dump, compare two dumps (`growth.rs`), explain it to a colleague.

use super::*;

#[test]
fn a_leak_is_found_and_copied_into_a_ticket() {
    let mut h = empty();
    // 1. Drop the file: the overview tells what happened.
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Overview));
    h.get_by_label_contains("In short: Suspect: SessionCache.ENTRIES holds 1,200 desk.Session");
    // 2. Enter on the first line: the leaking object, its path and its name; Enter again: its accumulation point in
    // the tree.
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Leaks));
    h.get_by_label_contains(", the reference to cut");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    press(&mut h, Key::A);
    assert_eq!(chosen_class(&h), "java.util.HashMap$Node[]");
    h.get_by_label_contains("GC root: ");
    h.get_by_label_contains("Copy name desk.SessionCache.ENTRIES");
    // 3. Its children are one row.
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    h.get_all_by_label_contains("HashMap$Node").next().expect("the entries, grouped");
    // 4. Which sessions: the objects of the class, one after the other.
    go_to(&mut h, "#desk.Session");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    let first = h.state().location().and_then(|p| p.object);
    press(&mut h, Key::CloseBracket);
    assert_ne!(h.state().location().and_then(|p| p.object), first);
    h.get_all_by_label_contains("= ").next().expect("its fields");
    // 5. The path goes into the ticket, with the command that prints it.
    h.key_press_modifiers(Modifiers::SHIFT, Key::Y);
    settle(&mut h);
    press(&mut h, Key::ArrowRight);
    let ticket = chosen(&mut h, Key::Num2);
    assert!(ticket.contains("leak-after.hprof.gz") && ticket.contains("desk.SessionCache"), "{ticket}");
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.starts_with("heaplens objects "), "{command}");
}

#[test]
fn a_copied_name_opens_the_same_object_elsewhere() {
    let mut h = empty();
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    press(&mut h, Key::Enter);
    press(&mut h, Key::Enter);
    press(&mut h, Key::A);
    let there = h.state().location().and_then(|p| p.object).expect("an object");
    // A star and a note for oneself; the name for the colleague, by a click in the inspector.
    press(&mut h, Key::M);
    let name = copied(&mut h, |h| {
        let node = h.get_all_by_label_contains("Copy name ").next().expect("the name");
        node.click();
    });
    assert!(name.starts_with("desk.SessionCache.ENTRIES"), "{name}");
    // The clipboard text is previewed before copying.
    h.key_press_modifiers(Modifiers::SHIFT, Key::Y);
    settle(&mut h);
    h.get_all_by_label_contains("Markdown").next().expect("the forms");
    press(&mut h, Key::Escape);
    // The colleague pastes the name.
    let mut theirs = empty();
    drop_files(&mut theirs, &["leak-after.hprof.gz"]);
    go_to(&mut theirs, &name);
    assert_eq!(theirs.state().location().and_then(|p| p.object), Some(there));
}

/// From the dropped file to the bytes freed by cutting the planted holder: two clicks, on dumps with very different
/// leaks.
#[test]
fn two_clicks_show_the_holder_of_a_leak_and_its_savings() {
    for (dump, holder, freed) in [
        ("leak-after.hprof.gz", "SessionCache.ENTRIES", "5.4 MB"),
        ("leaks/lambdas-jdk17-after.hprof.gz", "Resends.waiting", "399 kB"),
        ("leaks/loader-context-jdk17-after.hprof.gz", "thread \"refresh-0\".contextClassLoader", "kB"),
        ("leaks/thread-local-jdk17-after.hprof.gz", "FormRenderer.CONTEXT", "kB"),
        ("leaks/two-indexes-jdk17-after.hprof.gz", "TokenIndex.byToken + UserIndex.byUser", "383 kB"),
        ("leaks/finalizer-jdk17-after.hprof.gz", "java.lang.ref.Finalizer.queue", "kB"),
        ("leaks/cleaner-jdk17-after.hprof.gz", "Filming.CLEANER.impl.phantomCleanableList", "1.0 MB"),
    ] {
        let mut h = empty();
        drop_files(&mut h, &[dump]);
        let is_of_holder = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node().label().is_some_and(|label| label.contains(&format!(" {holder} ")))
        };
        h.query_all_by_label_contains("Holders: ").find(is_of_holder).expect(dump).click();
        settle(&mut h);
        assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks), "{dump}");
        assert!(has(&h, &format!("Finding 1: {holder} ")) && has(&h, "GC root: "), "{dump}");
        let is_verb = |label: &str| label.starts_with("Remove") && label.ends_with("(what if)");
        let verb = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().is_some_and(|label| is_verb(&label));
        h.query_all_by_label_contains("(what if)").find(verb).expect("the button").click();
        settle(&mut h);
        let output: Vec<String> =
            h.query_all_by_label_contains(": frees ").filter_map(|node| node.accesskit_node().label()).collect();
        assert!(output.iter().any(|text| text.contains(freed)), "{dump}: {output:?}");
    }
}
