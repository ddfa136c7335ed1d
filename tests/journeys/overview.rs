//! Journeys from the overview: a finding leads to the holder, every card leads
//! on, the whole of it can be taken away.

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
    h.get_by_label_contains("Finding 1: desk.SessionCache.ENTRIES holds 1,200 desk.Session: 5.4 MB, 76.4 %");
    assert!(h.query_by_label_contains("GC root: ").is_none(), "the side panes are for objects");
    press(&mut h, Key::Enter);
    let place = h.state().place().expect("a place");
    assert_eq!(place.view, View::Leaks);
    h.get_by_label_contains("ENTRIES → java.util.HashMap (1,200)");
    // It is the map that the sentence names: neither its internal array nor the class that holds the map and more.
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    h.get_by_label_contains("Copy the name desk.SessionCache.ENTRIES");
    // Back is the overview, as it was.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Overview));
    h.get_by_label_contains("Finding 1: desk.SessionCache");
}

#[test]
fn every_card_of_the_overview_leads_on() {
    let mut h = overview("leak-after.hprof.gz");
    // Another finding; then by keys over all rows to the last, a kind of waste, and back to the first.
    click(&mut h, ": desk.OrderDesk.orders holds 1,200 desk.Order");
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Leaks));
    h.get_by_label_contains("Copy the name desk.OrderDesk.orders");
    h.get_by_label_contains("orders → java.util.LinkedList (1,200)");
    // Back, and to the first again: the same finding is looked at as was then.
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(&mut h);
    click(&mut h, "Finding 1: desk.SessionCache.ENTRIES");
    h.get_by_label_contains("ENTRIES → java.util.HashMap (1,200)");
    h.state_mut().show(View::Overview);
    settle(&mut h);
    press(&mut h, Key::End);
    press(&mut h, Key::Enter);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Waste));
    for (label, view) in [
        ("desk.Session ×1,200", View::Objects),
        ("report-writer waiting", View::Threads),
        ("Duplicate strings ×", View::Strings),
        ("Sparse collections ×", View::Collections),
        ("Class loaders: 4", View::Loaders),
        ("GC roots: 736", View::Roots),
    ] {
        h.state_mut().show(View::Overview);
        settle(&mut h);
        // The figures of the whole are above the first row.
        if label.contains(':') {
            press(&mut h, Key::Home);
        }
        click(&mut h, label);
        assert_eq!(h.state().place().map(|p| p.view), Some(view), "{label}");
    }
    // What the dump says of itself, and what it does not.
    h.state_mut().show(View::Overview);
    settle(&mut h);
    h.get_by_label_contains("Runtime: OpenJDK 64-Bit Server VM 17.0.15");
    h.get_by_label("Collectors: Not said by the dump");
}

#[test]
fn the_overview_is_exported_beside_the_dump_where_there_is_no_dialog() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("dump.hprof.gz");
    std::fs::copy(fixture("leak-before.hprof.gz"), &dump).expect("a copy");
    let mut h = window(std::slice::from_ref(&dump));
    h.state_mut().show(View::Overview);
    settle(&mut h);
    if std::env::var_os("DISPLAY").is_some() || std::env::var_os("WAYLAND_DISPLAY").is_some() {
        return; // There a dialog would wait for somebody.
    }
    assert!(says(&mut h, "Overview written to ", |h| h.get_by_label("Export overview…").click()));
    let html = std::fs::read_to_string(folder.path().join("dump.hprof.gz-overview.html")).expect("the report");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(html.contains("Overview of dump.hprof.gz") && html.contains("desk.SessionCache"));
    assert!(!html.contains(folder.path().to_str().expect("a name")), "where it lies is nobody's business");
}
