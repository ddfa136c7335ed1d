//! Inferred roots, gaps, and the route between two objects.

use super::*;

#[test]
fn inferred_roots_show_their_ownership() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "Inferred roots");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Ownership));
    assert!(has(&h, "pure roots, reaching"), "what HeapRoots said");
    assert!(has(&h, "Total sizes depend on the order of the search"), "the warning");
    // The biggest tree expands into objects its root owns and objects it only references.
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowRight);
    assert!(has(&h, "Collapse pure"), "it is unfolded");
    press(&mut h, Key::ArrowRight);
    assert!(h.state().location().and_then(|location| location.object).is_some());
    // Without soft links there are other roots.
    let roots = |h: &Harness<'_, App>| {
        let output = |n: egui_kittest::Node<'_>| n.accesskit_node().label().or_else(|| n.accesskit_node().value());
        h.query_all_by_label_contains("pure roots, reaching").find_map(output).expect("the header")
    };
    let before = roots(&h);
    click(&mut h, "Soft links followed");
    click(&mut h, "Soft links ignored");
    assert_ne!(roots(&h), before);
}

#[test]
fn gaps_have_sizes_where_ids_are_addresses() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "Gaps");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Gaps));
    assert!(has(&h, " gaps · "));
}

#[test]
fn the_route_between_two_objects_opens_from_their_menus() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let ids = h.state().tabs()[0].open_dump().map(|dump| {
        let heap = &dump.heap;
        let session = heap.objects().find(|&o| &*heap.class(o).name == "desk.Session").expect("a session");
        let mut to = heap.references(session).iter().filter_map(|&to| heaplens_heap::ObjectId::from_raw(to));
        let to = to.rfind(|&to| &*heap.class(to).name != "java.lang.Class").expect("its target");
        [session, to].map(|object| heap.id_text(object))
    });
    let [from, to] = ids.expect("an open dump");
    go_to(&mut h, &from);
    go_to(&mut h, "> Start path here");
    assert!(has(&h, "in the menu of the other object"), "what is missing is said");
    go_to(&mut h, &to);
    go_to(&mut h, "> End path here");
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Route));
    assert!(has(&h, "1 reference"));
    assert!(has(&h, "retains"), "what each keeps alive");
    click(&mut h, "Swap");
    assert!(has(&h, "No path") || has(&h, " references"));
}
