//! Growth as evidence for leaks, on small handwritten heaps: a table filled at start, and one that grows.

use std::fmt::Write as _;

use heaplens_analysis::DumpData;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::diff::Pair;
use heaplens_analysis::leaks::rules::LeakRules;
use heaplens_analysis::leaks::{BaselineQuery, Evidence, Group, LeakQuery, find_leaks, with_baseline};
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_testkit::notation;
use heaplens_testkit::v8::collections::Heap;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::write::write;

use super::opened::{compared, held_by, made_up, pair};

const CATALOGUE: &str = "shop.App.catalogue";
const SESSIONS: &str = "shop.App.sessions";
/// Entries of the catalogue, in both heaps.
const PRODUCTS: usize = 400;

/// A program with some sessions and a full catalogue, which has the later addresses.
fn heap(sessions: usize) -> Dump {
    let mut text = "
        class shop.Product
          field data: object
        class shop.Session
          field data: object
        class shop.App
          static catalogue: object = catalogue
          static sessions: object = sessions
        root shop.App class\n"
        .to_owned();
    for (name, class, count) in [("sessions", "shop.Session", sessions), ("catalogue", "shop.Product", PRODUCTS)] {
        let entries: Vec<String> = (0..count).map(|at| format!("{name}-{at}")).collect();
        writeln!(text, "{name} = {class}[] {}", entries.join(" ")).expect("a string");
        for (at, entry) in entries.iter().enumerate() {
            writeln!(text, "{entry} = {class} data={entry}-data\n{entry}-data = int[] {at} 2 3 4 5 6 7 8 9 10 11 12")
                .expect("a string");
        }
    }
    made_up(&notation::read(&text).expect("a heap"))
}

/// Findings of the later heap alone, or of none, with growth since the earlier one.
fn findings(pair: Pair<'_>, is_alone: bool, has_known: bool) -> Vec<LeakFinding> {
    let (task, rules, comparison) = (&Task::new(), &LeakRules::default(), compared(pair));
    let [before, namer] = [pair.before, pair.after].map(|dump| dump.namer(task).expect("not cancelled"));
    let question = LeakQuery { namer, with_ages: true, rules, min_bytes: Bytes(2_000) };
    let known = if has_known { find_leaks(question, task).expect("not cancelled") } else { Vec::new() };
    if is_alone {
        return known;
    }
    let query = BaselineQuery { question, before, matches: &comparison.matches, growth: &comparison.growth };
    with_baseline(query, known, task).expect("not cancelled")
}

type Listed<'a> = (Group, &'a str, Option<(Bytes, Bytes)>);

/// Group, name and growth in bytes before and after.
fn listed(findings: &[LeakFinding]) -> Vec<Listed<'_>> {
    let growth = |finding: &LeakFinding| match finding.growth() {
        Some(Evidence::Grew { bytes, .. } | Evidence::DidNotGrow { bytes, .. }) => Some(*bytes),
        _ => None,
    };
    findings.iter().map(|finding| (finding.group, &*finding.name, growth(finding))).collect()
}

#[test]
fn what_grew_comes_before_a_larger_table_filled_at_start() {
    let (before, after) = (heap(20), heap(200));
    let pair = pair(&before, &after);
    let retained = |name: &str| {
        let of = |side| held_by(side, name);
        (pair.before.analysis.retained(of(pair.before)), pair.after.analysis.retained(of(pair.after)))
    };
    let alone = findings(pair, true, true);
    let catalogue_is_first = alone.iter().map(|finding| &*finding.name).next() == Some(CATALOGUE);
    assert!(catalogue_is_first && alone.iter().all(|finding| finding.growth().is_none()), "{:?}", listed(&alone));
    let grown = findings(pair, false, true);
    let expected = [(SESSIONS, true), (CATALOGUE, false)];
    assert_eq!(grown.iter().map(|finding| &*finding.name).collect::<Vec<_>>(), expected.map(|(name, _)| name));
    for (finding, (name, grew)) in grown.iter().zip(expected) {
        assert_eq!(listed(std::slice::from_ref(finding))[0].2, Some(retained(name)), "{name}");
        assert_eq!(finding.growth().map(Evidence::is_for), Some(grew), "{name}");
    }
    // The array alone is full and fixed, which bounds it; growth shows that it is replaced by larger ones.
    assert_eq!(grown[0].group, Group::Leak);
    assert!(alone.iter().any(|finding| finding.name == SESSIONS && finding.group == Group::Bounded));
}

#[test]
fn a_growing_structure_is_a_finding_even_if_the_later_heap_alone_has_none() {
    let (before, after) = (heap(20), heap(200));
    let grown = findings(pair(&before, &after), false, false);
    let [sessions] = grown.as_slice() else { panic!("{:?}", listed(&grown)) };
    assert_eq!((&*sessions.name, sessions.group), (SESSIONS, Group::Leak));
    assert!(sessions.grown() > Bytes(2_000) && sessions.cut.len() == 1);
}

#[test]
fn without_growth_nothing_is_added_and_nothing_moves() {
    let (before, after) = (heap(200), heap(200));
    let pair = pair(&before, &after);
    let (alone, grown) = (findings(pair, true, true), findings(pair, false, true));
    let names = |findings: &[LeakFinding]| findings.iter().map(|finding| finding.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&alone), names(&grown));
    assert!(grown.iter().all(|finding| matches!(finding.growth(), Some(Evidence::DidNotGrow { .. }))));
}

/// A catalogue whose products an index holds, too, or holds no longer.
fn indexed(is_indexed: bool) -> Dump {
    let mut text = "
        class shop.Product
          field data: object
        class shop.App
          static catalogue: object = catalogue
          static index: object = index
        root shop.App class\n"
        .to_owned();
    let products: Vec<String> = (0..PRODUCTS).map(|at| format!("product-{at}")).collect();
    let all = products.join(" ");
    let held = if is_indexed { &*all } else { "null" };
    writeln!(text, "catalogue = shop.Product[] {all}\nindex = java.lang.Object[] {held}").expect("a string");
    for (at, product) in products.iter().enumerate() {
        writeln!(text, "{product} = shop.Product data={product}-data\n{product}-data = int[] {at} 2 3 4 5 6 7 8")
            .expect("a string");
    }
    made_up(&notation::read(&text).expect("a heap"))
}

#[test]
fn what_another_object_held_before_did_not_grow() {
    let (before, after) = (indexed(true), indexed(false));
    let pair = pair(&before, &after);
    let retained = |side: DumpData<'_>| side.analysis.retained(held_by(side, CATALOGUE));
    assert!(retained(pair.after).0 > retained(pair.before).0 + 2_000, "the retained size alone grows");
    let findings = findings(pair, false, true);
    assert!(findings.iter().any(|finding| finding.name == CATALOGUE), "{:?}", listed(&findings));
    assert!(findings.iter().all(|finding| finding.grown() == Bytes(0)), "{:?}", listed(&findings));
}

/// A program with many screens, which two lists hold. Each keeps some orders, and one of them also notes.
fn screens(orders: usize, notes: usize) -> Dump {
    const SCREENS: usize = 80;
    let mut text = "
        class shop.Order
          field data: object
        class shop.Screen
          field orders: object
          field notes: object
        class shop.App
          static screens: object = screens
          static byName: object = byName
          static catalogue: object = catalogue
        root shop.App class\n"
        .to_owned();
    let many = |name: &str, count: usize| (0..count).map(|at| format!("{name}{at}")).collect::<Vec<_>>().join(" ");
    let mut line = |line: String| writeln!(text, "{line}").expect("a string");
    line(format!("screens = java.lang.Object[] {0}\nbyName = java.lang.Object[] {0} null", many("screen", SCREENS)));
    for screen in 0..SCREENS {
        let noted = if screen == 0 { "notes" } else { "null" };
        line(format!("screen{screen} = shop.Screen orders=orders{screen} notes={noted}"));
        line(format!("orders{screen} = shop.Order[] {}", many(&format!("order{screen}-"), orders)));
        for order in 0..orders {
            line(format!("order{screen}-{order} = shop.Order data=data{screen}-{order}"));
            line(format!("data{screen}-{order} = int[] {screen} {order} 3 4 5 6 7 8 9 10"));
        }
    }
    line(format!("notes = java.lang.Object[] {}", many("note", notes)));
    (0..notes).for_each(|note| line(format!("note{note} = int[] {note} 1")));
    line(format!("catalogue = java.lang.Object[] {}", many("product", 4 * SCREENS)));
    (0..4 * SCREENS).for_each(|product| line(format!("product{product} = int[] {product} 2 3 4 5 6 7 8 9 10 11 12")));
    made_up(&notation::read(&text).expect("a heap"))
}

#[test]
fn owners_that_are_too_many_to_list_have_the_growth_of_all() {
    let (before, after) = (screens(2, 2), screens(8, 6));
    let pair = pair(&before, &after);
    let findings = findings(pair, false, false);
    let grown = findings.iter().filter(|finding| finding.grown() > Bytes(20_000)).count();
    assert_eq!(grown, 1, "{:?}", listed(&findings));
}

/// An object that is used as a dictionary grows by itself, even if objects of the same class hold it.
#[test]
fn a_dictionary_is_no_link_of_a_chain() {
    let heap = |entries: u64, fresh: u64| {
        let mut heap = Heap::new(0, fresh);
        let tree = [11, 13, 15].map(|id| heap.node("object", "Object", id, 32));
        heap.made.name(heap.global, "property", "tree", tree[0]);
        heap.made.name(tree[0], "property", "price", tree[1]);
        heap.made.name(tree[1], "property", "answers", tree[2]);
        for entry in 0..entries {
            let answer = heap.node("object", "Object", 101 + entry * 2, 56);
            heap.made.name(tree[2], "property", format!("call{entry}"), answer);
        }
        crate::open_bytes(write(&heap.made, &Form::node20()), &OpenOptions::default())
    };
    let (before, after) = (heap(200, 90_001), heap(500, 95_001));
    let pair = pair(&before, &after);
    let owner = compared(pair).growth.rows[0].owners[0].structure().expect("an owner");
    assert_eq!(pair.after.heap.references(owner).len(), 500);
}
