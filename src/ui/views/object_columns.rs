//! The columns that tables of objects share: object, retained size with its
//! share, shallow size, how many it dominates.

use crate::analysis::dominator_tree::LevelOrder;
use crate::heap::ids::ObjectId;
use crate::ui::scene::Scene;
use crate::ui::widgets::table::{Column, Row};
use crate::units::{Bytes, Count, Share};
use eframe::egui::Rect;

/// The columns.
pub const COLUMNS: [Column; 5] = [
    Column::words("Object", "Class, label and id", 230.0),
    Column::numbers(
        "Retained size",
        "Bytes that would be freed without the object: its own and those of all it dominates",
        152.0,
        8,
    ),
    Column::numbers("Share", "Retained size as a part of all that is reachable", 74.0, 7),
    Column::numbers("Shallow size", "Bytes the object takes by itself", 98.0, 6),
    Column::numbers("Dominated", "Objects that only this one keeps alive, at all levels", 96.0, 5),
];

/// By what a click on a header sorts.
pub fn order_of(column: usize) -> LevelOrder {
    match column {
        0 => LevelOrder::Class,
        3 => LevelOrder::Shallow,
        4 => LevelOrder::Dominated,
        _ => LevelOrder::Retained,
    }
}

/// The header to mark for an order, and whether it reads biggest first.
pub fn marked(order: LevelOrder, reversed: bool) -> Option<(usize, bool)> {
    match order {
        LevelOrder::Class => Some((0, reversed)),
        LevelOrder::Retained => Some((1, !reversed)),
        LevelOrder::Shallow => Some((3, !reversed)),
        LevelOrder::Dominated => Some((4, !reversed)),
        LevelOrder::Address => None,
    }
}

/// Fills the row of `object`; its name goes into `place`, and is what screen readers say.
pub fn draw(row: &mut Row<'_>, scene: &mut Scene<'_>, object: ObjectId, place: Rect) -> String {
    let answers = scene.answers;
    let analyzed = &answers.analyzed;
    let (retained, shallow) = (analyzed.retained(object), answers.heap.shallow(object));
    let whole = analyzed.shown.shallow;
    let share = Share::of(retained, whole);
    let (cut, plain) =
        scene.labels.named(&answers.heap, object, |name| (name.paint(row.ui, row.tokens, place), name.plain()));
    row.number_with_bar(1, retained.to_string(), share);
    row.small_number(2, share.to_string());
    row.small_number(3, shallow.to_string());
    row.small_number(4, Count(analyzed.dominated(object)).to_string());
    if row.pointer_in(0) && cut {
        row.hover(&plain);
    } else if row.pointer_in(1) || row.pointer_in(2) {
        row.hover(exact("Retained", retained));
    } else if row.pointer_in(3) {
        row.hover(exact("Shallow", shallow));
    }
    row.name(plain.clone());
    plain
}

/// All digits of a size.
pub fn exact(what: &str, bytes: Bytes) -> String {
    format!("{what} size {} bytes", bytes.exact())
}

/// The row of `object` as text, columns separated by tabs, sizes in whole bytes.
/// The label is there if it was on screen.
pub fn copied(scene: &mut Scene<'_>, object: ObjectId) -> String {
    let answers = scene.answers;
    let analyzed = &answers.analyzed;
    let (retained, shallow) = (analyzed.retained(object), answers.heap.shallow(object));
    let share = Share::of(retained, analyzed.shown.shallow);
    let name = scene.labels.named(&answers.heap, object, |name| name.plain().replace(['\t', '\n', '\r'], " "));
    format!("{name}\t{}\t{share}\t{}\t{}", retained.0, shallow.0, analyzed.dominated(object))
}

/// Rows copied at most.
pub const COPIED_AT_MOST: u64 = 10_000;
