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
    let strings: Vec<&String> = labels.iter().filter(|label| label.contains(" status: placed")).collect();
    let is_named = |label: &&&String| label.starts_with("Samples.duplicates[…] java.lang.String status: placed 0x");
    assert!(!strings.is_empty() && strings.iter().all(|label| is_named(&label)), "{labels:#?}");
}
