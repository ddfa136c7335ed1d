//! Snapshots of JavaScript engines in the window: the same journeys as with a dump of a Java heap.

use super::*;

const FINAL: &str = "node/desk-final.heapsnapshot.gz";

#[test]
fn a_snapshot_shows_its_memory_by_kind() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Overview));
    for part in ["Memory by type", "Strings", "Code", "Detached nodes: "] {
        assert!(has(&h, part), "{part}");
    }
    // Views of Java heaps only are not offered.
    for part in ["Class loaders", "Finalizers", "Not recorded in the dump"] {
        assert!(!has(&h, part), "{part}");
    }
}

#[test]
fn the_planted_leaks_of_a_program_are_found_and_named() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    press(&mut h, Key::F);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Leaks));
    for planted in ["sessions holds", "routes holds", "PriceFeed._events.price holds"] {
        assert!(has(&h, planted), "{planted}");
    }
    // From the first finding to its accumulation point in the tree.
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "Array");
    assert!(has(&h, "GC root: Snapshot Root"));
}

#[test]
fn objects_are_found_by_their_numbers_and_show_their_edges() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    press(&mut h, Key::Num2);
    assert!(has(&h, "Session 400 objects"), "the histogram");
    assert!(has(&h, "Distance"));
    go_to(&mut h, "#Session");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Objects));
    assert_eq!(chosen_class(&h), "Session");
    let object = h.state().location().and_then(|location| location.object).expect("a session");
    let dump = h.state().location().map(|location| location.dump);
    let tab = h.state().tabs().iter().find(|tab| Some(tab.key) == dump).expect("its tab");
    let id = tab.open_dump().expect("an open dump").heap.id_text(object);
    assert!(id.starts_with('@'), "{id}");
    press(&mut h, Key::Num3);
    go_to(&mut h, &id);
    assert_eq!(h.state().location().and_then(|location| location.object), Some(object));
    assert!(has(&h, "internal"), "edges say what they are");
}

#[test]
fn snapshots_of_one_process_are_compared_by_number() {
    let mut h = empty();
    drop_files(&mut h, &["node/desk-baseline.heapsnapshot.gz", FINAL]);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Growth));
    assert!(has(&h, "sessions: +400 Session"), "what grew");
}

#[test]
fn containment_follows_edges_by_name() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    go_to(&mut h, "Containment");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Containment));
    // Objects of the program come before those of the engine.
    let tops = |h: &Harness<'_, App>, part: &str| h.get_by_label_contains(part).rect().top();
    assert!(tops(&h, "Expand 2 global") < tops(&h, "Expand [1] (synthetic)"));
    click(&mut h, "Expand 2 global");
    assert!(has(&h, "Expand console console"), "its properties, biggest first");
    click(&mut h, "Expand console console");
    click(&mut h, "Collapse console console");
    let row =
        |n: &egui_kittest::Node<'_>| n.accesskit_node().label().is_some_and(|label| label.starts_with("setInterval"));
    h.query_all_by_label_contains("setInterval Function").find(row).expect("its row").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "Function");
    // The same by keys: expand, move down, move up, collapse.
    press(&mut h, Key::ArrowRight);
    assert!(has(&h, "Collapse setInterval Function"));
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowLeft);
    press(&mut h, Key::ArrowLeft);
    assert!(has(&h, "Expand setInterval Function"));
}

#[test]
fn closures_show_captures_and_detached_nodes_their_retainers() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    go_to(&mut h, "Closures");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Closures));
    assert!(has(&h, "matchRoute(): /srv/demo/desk.js:33:34 · captures table"));
    click(&mut h, "Expand matchRoute()");
    assert!(has(&h, "table  RouteTable"), "the variable with its value");
    go_to(&mut h, "Retained by");
    assert!(has(&h, "Closure contexts") && has(&h, "DevTools console"));
    click(&mut h, "Expand Closure contexts");
    assert!(has(&h, "Expand Session"), "what only functions keep, by class");
    go_to(&mut h, "Native contexts");
    assert!(has(&h, "Shared by several contexts") && has(&h, "Expand NativeContext"));
    go_to(&mut h, "Detached nodes");
    assert!(has(&h, "detached nodes"));
}

#[test]
fn a_time_range_of_a_recording_is_selected() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    assert!(!has(&h, "Timeline"), "no recording, no timeline");
    drop_files(&mut h, &["node/recorded.heaptimeline.gz"]);
    go_to(&mut h, "Timeline");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Timeline));
    assert!(has(&h, "Expand Order"), "all of it at first");
    let chart = h.get_by_label_contains("Allocation timeline:").rect();
    let at = |part: f32| egui::pos2(chart.left() + chart.width() * part, chart.center().y);
    h.drag_at(at(0.45));
    h.hover_at(at(0.5));
    h.hover_at(at(0.55));
    h.drop_at(at(0.55));
    settle(&mut h);
    assert!(has(&h, "Select all"), "a part is selected");
    assert!(has(&h, "Expand Order"), "all its orders survive");
    click(&mut h, "Select all");
    assert!(!has(&h, "Select all"));
}

#[test]
fn three_snapshots_show_objects_that_stayed() {
    let mut h = empty();
    drop_files(&mut h, &["node/desk-baseline.heapsnapshot.gz", "node/desk-target.heapsnapshot.gz", FINAL]);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Growth));
    assert!(!has(&h, "Loaders"), "what only a Java heap has is not offered");
    click(&mut h, "New and still alive");
    // Rows lead with what owns the objects, as the source has it; the second line has their class.
    let planted = [
        "PriceFeed._events: Array",
        "desk.js sessions ×400: Session",
        "desk.js routes ×150: Function",
        "TimersList: ",
        "desk.js selection: TreeNode",
    ];
    for leak in planted {
        assert!(has(&h, leak), "{leak}");
    }
    click(&mut h, "Expand desk.js sessions ×400");
    assert!(has(&h, "Map @"), "the way there");
    click(&mut h, "Monotonic growth");
    assert!(has(&h, "desk.js sessions: Map @"), "the map of sessions");
}
