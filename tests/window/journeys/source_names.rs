//! Names in the source, which rows and cells lead with.

use std::fmt::Write;

use super::*;
use heaplens_testkit::hprof::Form;

/// Roles of rows and cells.
const ROWS: [egui::accesskit::Role; 2] = [egui::accesskit::Role::TreeItem, egui::accesskit::Role::Row];

/// A desk with a static list that a clerk has too, so that the list is at the top level, and with a board that the class
/// alone holds.
fn desk(folder: &Path) -> PathBuf {
    let mut text = "
        class java.util.ArrayList
          field elementData: object
          field size: int
        class shop.desk.Board
          field notes: object
        class shop.desk.Clerk
          field list: object
        class shop.desk.OrderDesk
          static ORDERS: object = orders
          static BOARD: object = board
        board = shop.desk.Board notes=notes
        notes = java.lang.Object[] pinned
        clerk = shop.desk.Clerk list=orders
        root clerk global
        root shop.desk.OrderDesk class
        "
    .to_owned();
    let mut add = |line: String| writeln!(text, "{line}").expect("a string");
    add("orders = java.util.ArrayList elementData=lines size=2".to_owned());
    add("lines = java.lang.Object[] first second".to_owned());
    for name in ["first", "second", "pinned"] {
        add(format!("{name} = long[] {}", "7 ".repeat(2_000)));
    }
    let file = folder.join("desk.hprof");
    let sketch = heaplens_testkit::notation::read(&text).expect("a heap");
    std::fs::write(&file, heaplens_testkit::hprof::write(&sketch, Form::MODERN)).expect("disk space");
    file
}

/// Writes a dump in the notation of the test kit.
fn written(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("written.hprof");
    let sketch = heaplens_testkit::notation::read(text).expect("a heap");
    std::fs::write(&file, heaplens_testkit::hprof::write(&sketch, Form::MODERN)).expect("disk space");
    file
}

/// Names of the rows and cells on screen.
fn labels(h: &Harness<'_, App>) -> Vec<String> {
    let nodes = ROWS.into_iter().flat_map(|role| h.query_all_by_role(role));
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

fn has_row(h: &Harness<'_, App>, begin: &str) {
    let labels = labels(h);
    assert!(labels.iter().any(|label| label.starts_with(begin)), "{begin}: {labels:#?}");
}

#[test]
fn rows_of_the_dominator_tree_lead_with_the_name_in_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&[desk(folder.path())]);
    // At the top level the short name; a class is named itself.
    has_row(&h, "OrderDesk.ORDERS java.util.ArrayList (2) 0x");
    has_row(&h, "class shop.desk.OrderDesk 0x");
    h.get_by_label_contains("Expand java.util.ArrayList").click();
    settle(&mut h);
    has_row(&h, ".elementData java.lang.Object[] ");
    h.get_by_label_contains("Expand java.lang.Object[]").click();
    settle(&mut h);
    // Below, what the row above holds it by.
    has_row(&h, "[0] long[] ");
    has_row(&h, "[1] long[] ");
    click(&mut h, "Expand java.lang.Class");
    has_row(&h, ".BOARD shop.desk.Board ");
}

#[test]
fn cells_of_the_treemap_lead_with_the_name_in_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&[desk(folder.path())]);
    for chart in ["treemap", "icicle", "sunburst"] {
        press(&mut h, Key::T);
        h.get_by_label("Dominator tree chart");
        has_row(&h, "OrderDesk.ORDERS ArrayList (2), ");
        has_row(&h, ".BOARD Board, ");
        has_row(&h, "class shop.desk.OrderDesk, ");
        assert!(labels(&h).iter().any(|label| label.starts_with(".notes Object[] [1], ")), "{chart}");
    }
}

#[test]
fn objects_of_reports_lead_with_their_short_name() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Strings);
    h.get_by_label_contains("Expand “status: placed”").click();
    settle(&mut h);
    let labels = labels(&h);
    let strings: Vec<&String> =
        labels.iter().filter(|label| label.contains(" status: placed 0x") && !label.starts_with("Step ")).collect();
    let is_named = |label: &&&String| label.starts_with("Samples.duplicates[…] java.lang.String status: placed 0x");
    assert!(!strings.is_empty() && strings.iter().all(|label| is_named(&label)), "{labels:#?}");
}

/// A pair whose parts both hold a cache, which neither dominates, and which a static field of a registry names.
#[test]
fn a_row_that_its_dominator_does_not_hold_leads_with_its_short_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "
        class shop.desk.Part
          field shared: object
        class shop.desk.Cache
          field bytes: object
        class shop.desk.Pair
          field left: object
          field right: object
        pair = shop.desk.Pair left=left right=right
        left = shop.desk.Part shared=cache
        right = shop.desk.Part shared=cache
        cache = shop.desk.Cache bytes=bytes
        root pair global
        bytes = long[] 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
        ";
    let mut h = window(&[written(folder.path(), text)]);
    click(&mut h, "Expand shop.desk.Pair");
    has_row(&h, ".left shop.desk.Part ");
    has_row(&h, "Part.shared shop.desk.Cache ");
    click(&mut h, "Expand shop.desk.Cache");
    has_row(&h, ".bytes long[] ");
}

/// Siblings of a class in one row: elements of an array, and roots that one static array of the program holds too.
#[test]
fn a_row_of_several_objects_leads_with_what_holds_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = "
        class shop.desk.Ticket
          field number: int
        class shop.desk.Desk
          static TICKETS: object = tickets
          static PENDING: object = pending
        "
    .to_owned();
    let mut add = |line: String| writeln!(text, "{line}").expect("a string");
    let list = |name: &str| (0..12).map(|n| format!("{name}{n}")).collect::<Vec<_>>();
    for (array, name) in [("tickets", "open"), ("pending", "waiting")] {
        add(format!("{array} = java.lang.Object[] {}", list(name).join(" ")));
        for (number, name) in list(name).iter().enumerate() {
            add(format!("{name} = shop.desk.Ticket number={number}"));
        }
    }
    add("root shop.desk.Desk class".to_owned());
    // Objects of at least a percent of the heap are not grouped.
    add(format!("ballast = long[] {}", "7 ".repeat(2_000)));
    add("root ballast global".to_owned());
    list("waiting").iter().for_each(|name| add(format!("root {name} global")));
    let mut h = window(&[written(folder.path(), &text)]);
    // At the top level, all have one owner.
    has_row(&h, "Desk.PENDING Group shop.desk.Ticket 12 objects");
    click(&mut h, "Expand java.lang.Class");
    click(&mut h, "Expand java.lang.Object[]");
    has_row(&h, "[…] Group shop.desk.Ticket 12 objects");
    // Cells of the chart are the same rows.
    press(&mut h, Key::T);
    has_row(&h, "Desk.PENDING Ticket ×12, ");
    has_row(&h, "[…] Ticket ×12, ");
}

#[test]
fn objects_of_a_class_and_referrers_lead_with_their_short_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut h = window(&[desk(folder.path())]);
    go_to(&mut h, "java.util.ArrayList");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Objects));
    has_row(&h, "OrderDesk.ORDERS java.util.ArrayList (2) 0x");
    press(&mut h, Key::Home);
    press(&mut h, Key::I);
    // The reference, then the referrer: a class and a root are named themselves.
    has_row(&h, "ORDERS class shop.desk.OrderDesk");
    go_to(&mut h, "java.lang.Object[]");
    let lists = |label: &String| label.starts_with("elementData OrderDesk.ORDERS java.util.ArrayList (2) 0x");
    for _ in 0..4 {
        if labels(&h).iter().any(lists) {
            break;
        }
        press(&mut h, Key::ArrowDown);
        press(&mut h, Key::I);
    }
    assert!(labels(&h).iter().any(lists), "{:#?}", labels(&h));
}
