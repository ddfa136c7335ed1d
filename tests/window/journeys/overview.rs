//! Journeys from the overview: a finding leads to the holder, every card links to a view, and the whole overview can be
//! exported.

use super::*;

fn overview(name: &str) -> Harness<'static, App> {
    let mut h = window(&[fixture(name)]);
    h.state_mut().show(View::Overview);
    settle(&mut h);
    h
}

#[test]
fn the_first_finding_of_the_overview_leads_to_the_holder() {
    let mut h = overview("leak-after.hprof.gz");
    h.get_by_label_contains("In short: Suspect: SessionCache.ENTRIES holds 1,200 desk.Session, 5.4 MB (76.4 %)");
    assert!(h.query_by_label_contains("GC root: ").is_none(), "the side panes are for objects");
    press(&mut h, Key::Enter);
    let location = h.state().location().expect("a location");
    assert_eq!(location.view, View::Leaks);
    h.get_by_label_contains("ENTRIES → java.util.HashMap (1,200)");
    // It is the map that the sentence names: neither its internal array nor the class that holds the map and more.
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    h.get_by_label_contains("Copy name desk.SessionCache.ENTRIES");
    // Back restores the overview.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Overview));
    h.get_by_label_contains("Holders: SessionCache");
}

/// Lines of a part of the page, by accessible names.
fn lines(h: &Harness<'_, App>, part: &str) -> Vec<String> {
    let begin = format!("{part}: ");
    let labels = h.query_all_by_label_contains(&begin).filter_map(|node| node.accesskit_node().label());
    labels.filter_map(|label| label.strip_prefix(&begin).map(str::to_owned)).collect()
}

/// The title of the finding that is selected in Leaks, by its accessible name.
fn selected(h: &Harness<'_, App>) -> Vec<String> {
    let nodes = h.query_all_by_label_contains("Finding ");
    let is_on = |n: &egui_kittest::Node<'_>| n.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True);
    let titles = nodes.filter(is_on).filter_map(|n| n.accesskit_node().label());
    titles.filter_map(|title| Some(title.strip_prefix("Finding ")?.split_once(": ")?.1.to_owned())).collect()
}

/// Words up to the size: the overview and Leaks write the size in different ways.
fn named(title: &str) -> &str {
    title.split_once(" hold").map_or(title, |(name, _)| name)
}

#[test]
fn a_click_on_a_finding_selects_the_same_finding_in_leaks() {
    for name in ["leak-after.hprof.gz", "leaks/two-indexes-jdk17-after.hprof.gz"] {
        let mut h = overview(name);
        let holders: Vec<String> = lines(&h, "Holders").into_iter().filter(|title| title.contains(" hold")).collect();
        assert!(!holders.is_empty(), "{name}");
        for title in holders {
            look_at(&mut h, View::Overview);
            click(&mut h, &format!("Holders: {title}"));
            assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
            let selected = selected(&h);
            assert_eq!(selected.iter().map(|title| named(title)).collect::<Vec<_>>(), [named(&title)], "{name}");
            // The other panes show the object that the title names: the name of an object ends in the field of the title.
            let field = named(&title).rsplit('.').next().unwrap_or_default();
            let copies = h.query_all_by_label_contains("Copy name ").filter_map(|node| node.accesskit_node().label());
            let mut copied = copies.map(|label| label.trim_end_matches("[…]").to_owned());
            // Objects that several structures hold are named by these, values of a thread local by their threads.
            let is_shared = named(&title).contains(" + ");
            let is_named = |label: String| label.ends_with(field) || label.contains(".threadLocals");
            assert!(is_shared || copied.any(is_named), "{name}: {title}");
        }
    }
}

#[test]
fn every_card_of_the_overview_links_to_a_view() {
    let mut h = overview("leak-after.hprof.gz");
    // Another finding; then by keys over all rows to the last, a class, and back to the first.
    click(&mut h, "Finding 1: OrderDesk.orders holds 1,200 desk.Order");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Leaks));
    h.get_by_label_contains("Copy name desk.OrderDesk.orders");
    h.get_by_label_contains("orders → java.util.LinkedList (1,200)");
    // Back, and to the first again: the same finding is selected.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    click(&mut h, "Holders: SessionCache.ENTRIES");
    h.get_by_label_contains("ENTRIES → java.util.HashMap (1,200)");
    h.state_mut().show(View::Overview);
    settle(&mut h);
    press(&mut h, Key::End);
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    for (label, view) in [
        ("desk.Session ×1,200", View::Objects),
        ("report-writer waiting", View::Threads),
        ("What fills the memory: The live heap is 7.0 MB", View::Histogram),
        ("What fills the memory: 4,567 duplicate strings waste 284 kB", View::Waste),
        ("Class loaders: 4", View::Loaders),
        ("GC roots: 736", View::Roots),
    ] {
        h.state_mut().show(View::Overview);
        settle(&mut h);
        // The figures of the whole are above the first row.
        if label.contains(": ") {
            press(&mut h, Key::Home);
        }
        h.get_all_by_label_contains(label).next().expect(label).scroll_to_me();
        settle(&mut h);
        click(&mut h, label);
        assert_eq!(h.state().location().map(|p| p.view), Some(view), "{label}");
    }
    // Recorded facts of the dump, and missing ones.
    h.state_mut().show(View::Overview);
    settle(&mut h);
    h.get_by_label_contains("Runtime: OpenJDK 64-Bit Server VM 17.0.15");
    h.get_by_label("Not recorded in the dump: VM arguments, Garbage collectors");
}

#[test]
fn without_a_dialog_the_report_is_exported_to_a_typed_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("dump.hprof.gz");
    std::fs::copy(fixture("leak-before.hprof.gz"), &dump).expect("a copy");
    let mut h = window(std::slice::from_ref(&dump));
    h.state_mut().show(View::Overview);
    settle(&mut h);
    if has_desktop() {
        return; // A desktop dialog would wait for input.
    }
    click(&mut h, "Export report…");
    h.get_by_label("Path of the file");
    assert!(says(&mut h, "Report written to ", |h| h.key_press(Key::Enter)));
    let html = std::fs::read_to_string(folder.path().join("dump.hprof.gz-report.html")).expect("the report");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(html.contains("Report on dump.hprof.gz") && html.contains("desk.SessionCache"));
    // What a colleague without heaplens needs: why it is alive, and what a fix frees.
    for part in ["Path to GC root", "What a fix frees", "Health", "Classes by retained size"] {
        assert!(html.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(!html.contains(folder.path().to_str().expect("a name")), "the report contains no folder");
}

/// A menu that a right click opens, and an entry of it.
fn choose(h: &mut Harness<'_, App>, part_of_label: &str, entry: &str) {
    h.get_all_by_label_contains(part_of_label).next().expect(part_of_label).click_secondary();
    settle(h);
    h.get_all_by_label_contains(entry).last().expect(entry).click();
    settle(h);
}

#[test]
fn a_finding_of_the_overview_has_a_menu() {
    let finding = "Holders: SessionCache.ENTRIES";
    let mut h = overview("leak-after.hprof.gz");
    choose(&mut h, finding, "Show in Leaks");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Leaks));
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    for (entry, view, class) in [
        ("Show in dominator tree", View::Dominators, "java.util.HashMap"),
        ("Objects of Session", View::Objects, "desk.Session"),
        ("Show incoming references", View::Dominators, "java.util.HashMap"),
    ] {
        look_at(&mut h, View::Overview);
        choose(&mut h, finding, entry);
        assert_eq!(h.state().location().map(|p| p.view), Some(view), "{entry}");
        assert_eq!(chosen_class(&h), class, "{entry}");
    }
    // Actions without a view of their own run here.
    look_at(&mut h, View::Overview);
    choose(&mut h, finding, "Remove reference (what if)");
    h.get_by_label_contains("Removed desk.SessionCache.ENTRIES: frees 5.4 MB (76.4 %)");
    choose(&mut h, finding, "Star or unstar object");
    choose(&mut h, finding, "Set verdict…");
    h.get_by_label("Reason of the verdict");
    h.get_by_label_contains("Finding: desk.SessionCache.ENTRIES");
    press(&mut h, Key::Escape);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Overview));
    look_at(&mut h, View::Stars);
    assert!(has(&h, "Starred java.util.HashMap"));
}

#[test]
fn a_finding_of_the_overview_is_copied_as_leaks_copies_it() {
    let mut h = overview("leak-after.hprof.gz");
    let entry = |h: &mut Harness<'_, App>, entry: &str| {
        h.get_all_by_label_contains("Holders: SessionCache").next().expect("the finding").click_secondary();
        settle(h);
        let entry = entry.to_owned();
        copied(h, |h| h.get_all_by_label_contains(&entry).last().expect("the entry").click())
    };
    let text = entry(&mut h, "Copy finding");
    assert!(text.contains("SessionCache.ENTRIES holds 1,200 desk.Session"), "{text}");
    let path = entry(&mut h, "Copy path");
    assert!(path.contains("\nGC root: ") && path.contains("ENTRIES"), "{path}");
    let command = entry(&mut h, "Copy command line");
    assert!(command.starts_with("heaplens leaks ") && command.contains(" --filter "), "{command}");
    // The cursor is on the finding: the key copies it, too.
    let again = copied(&mut h, |h| h.event(egui::Event::Copy));
    assert_eq!(again, text);
}

/// The overview of a comparison.
fn compared(names: [&str; 2]) -> Harness<'static, App> {
    let mut h = window(&names.map(fixture));
    // The comparison is shown once both dumps are open.
    look_at(&mut h, View::Overview);
    for _ in 0..2 {
        if !has(&h, "since the baseline") {
            h.key_press_modifiers(Modifiers::COMMAND, Key::PageDown);
            settle(&mut h);
            look_at(&mut h, View::Overview);
        }
    }
    h
}

#[test]
fn in_a_comparison_the_key_figures_have_their_changes() {
    let h = compared(["leak-before.hprof.gz", "leak-after.hprof.gz"]);
    h.get_by_label_contains("Reachable: 7.0 MB, +5.1 MB since the baseline");
    h.get_by_label_contains("Objects: 56,647, +17,092 since the baseline");
}

/// Parts of the page as `heaplens report` prints them: title and lines.
fn reported(arguments: &[&str]) -> Vec<(String, Vec<String>)> {
    let program = env!("CARGO_BIN_EXE_heaplens");
    let files = arguments.iter().map(|name| if name.starts_with("--") { PathBuf::from(name) } else { fixture(name) });
    let output = std::process::Command::new(program)
        .args(["report", "--no-cache", "--values", "--format", "json"])
        .args(files)
        .output()
        .expect("heaplens starts");
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |of: &serde_json::Value| of.as_str().expect("a text").to_owned();
    let parts = page["parts"].as_array().expect("parts").iter();
    let lines = |part: &serde_json::Value| {
        let claims = part["claims"].as_array().expect("claims");
        claims.iter().map(|claim| text(&claim["text"])).collect::<Vec<String>>()
    };
    parts.map(|part| (text(&part["title"]), lines(part))).collect()
}

/// The window and the command line tell the same, whatever the dump is.
#[test]
fn the_overview_tells_what_the_report_tells() {
    const PARTS: [&str; 10] = [
        "In short",
        "Why the dump exists",
        "What fills the memory",
        "Holders",
        "Why it is alive",
        "Growth",
        "What a fix frees",
        "What to try tonight",
        "What to change",
        "Not known",
    ];
    let shown = |h: &Harness<'_, App>| {
        let parts = PARTS.iter().map(|part| ((*part).to_owned(), lines(h, part)));
        parts.filter(|(_, lines)| !lines.is_empty()).collect::<Vec<_>>()
    };
    for name in ["leak-after.hprof.gz", "node/desk-final.heapsnapshot.gz", "android/album.hprof.gz"] {
        let h = overview(name);
        assert_eq!(shown(&h), reported(&[name]), "{name}");
        assert!(lines(&h, "Growth").is_empty(), "{name}");
    }
    // With a baseline, what grew is known.
    let (before, after) = ("leak-before.hprof.gz", "leak-after.hprof.gz");
    let h = compared([before, after]);
    assert_eq!(shown(&h), reported(&[after, "--before", before]));
    assert!(lines(&h, "Growth").iter().any(|line| line.starts_with("SessionCache.ENTRIES: it grew by 5.1 MB")));
}

/// Lines that are known keep their position while others are computed.
#[test]
fn known_lines_do_not_move() {
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    let (mut tops, mut quiet) = (Vec::new(), 0);
    while quiet < 5 {
        h.step();
        let line = h.query_all_by_label_contains("What fills the memory: The live heap is 7.0 MB").next();
        tops.extend(line.map(|node| node.rect().top().round() as i32));
        quiet = if h.state().is_busy() { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(!tops.is_empty() && tops.iter().all(|top| *top == tops[0]), "{tops:?}");
    assert!(has(&h, "In short: ") && has(&h, "What a fix frees: "));
}

/// Each line that leads on leads to its view.
#[test]
fn lines_of_the_page_lead_to_their_views() {
    let mut h = overview("leak-after.hprof.gz");
    for (line, view) in [
        ("In short: ", View::Leaks),
        ("What fills the memory: The live heap", View::Histogram),
        ("Holders: One of 1,200 entries", View::Leaks),
        ("Why it is alive: GC root", View::Leaks),
        ("What a fix frees: ", View::Leaks),
        ("What to change: ", View::Leaks),
        ("Not known: The size of the process", View::Process),
    ] {
        click(&mut h, line);
        assert_eq!(h.state().location().map(|location| location.view), Some(view), "{line}");
        look_at(&mut h, View::Overview);
    }
    // By keys: down to the line about the live heap.
    press(&mut h, Key::Home);
    let is_at = |h: &Harness<'_, App>| {
        let line = h.get_by_label_contains("What fills the memory: The live heap");
        line.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    for _ in 0..9 {
        if !is_at(&h) {
            press(&mut h, Key::ArrowDown);
        }
    }
    assert!(is_at(&h));
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
    look_at(&mut h, View::Overview);
    // A line that leads nowhere can be selected and copied.
    let line = "Why the dump exists: No OutOfMemoryError";
    h.get_by_label_contains(line).click_secondary();
    settle(&mut h);
    let text = copied(&mut h, |h| h.get_all_by_label_contains("Copy line").last().expect("the entry").click());
    assert_eq!(text, "No OutOfMemoryError is in the dump, so it was probably taken on request");
}

/// Scroll positions belong to a tab: a dump that is opened later begins at the top.
#[test]
fn an_overview_begins_at_the_top_whatever_was_scrolled_before() {
    let top = |h: &Harness<'_, App>| {
        let node = h.get_all_by_label_contains("In short: ").next().expect("the first line");
        node.rect().top().round() as i32
    };
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    look_at(&mut h, View::Overview);
    let first = top(&h);
    h.event(egui::Event::PointerMoved(egui::pos2(800.0, 500.0)));
    for _ in 0..30 {
        let delta = egui::vec2(0.0, -200.0);
        let (unit, phase, modifiers) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move, Modifiers::NONE);
        h.event(egui::Event::MouseWheel { unit, delta, phase, modifiers, source: egui::MouseWheelSource::Wheel });
        h.step();
    }
    settle(&mut h);
    let scrolled = top(&h);
    assert!(scrolled < first - 100, "{scrolled}, {first}");
    drop_files(&mut h, &["leak-after.hprof.gz"]);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Overview));
    assert_eq!(top(&h), first);
    // The first stays where it was.
    click(&mut h, "leak-before.hprof.gz, exact");
    assert_eq!(top(&h), scrolled);
    // Other views of the dump have a position of their own.
    look_at(&mut h, View::ParseWarnings);
    look_at(&mut h, View::Overview);
    assert_eq!(top(&h), scrolled);
}
