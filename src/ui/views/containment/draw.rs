//! Drawing of one row: name of the edge, then the object.

use eframe::egui;
use egui::{Rect, pos2};

use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::views::histogram::columns::distance_text;
use crate::ui::views::object_columns::exact;
use crate::ui::widgets::table::elided;
use crate::ui::widgets::{ObjectName, Row, tree_row};
use heaplens_analysis::references::ReferenceRow;
use heaplens_base::Share;
use heaplens_core::heap::{ReferenceKind, Strength};
use heaplens_tables::trees::containment::{Levels, expands};

/// Maximum share of a row for the name of its edge.
const NAME: f32 = 0.5;

/// Name of an edge, marked if it does not retain its target.
pub(super) fn edge(reference: &ReferenceRow) -> String {
    let strength = reference.name.strength;
    if strength == Strength::Strong {
        reference.name.text.clone()
    } else {
        format!("{} ({})", reference.name.text, strength.name())
    }
}

/// Draws a row.
pub(super) fn row(row: &mut Row<'_>, context: &mut ViewContext<'_>, levels: &Levels) {
    let Some((spot, cell)) = levels.tree.locate(row.index).zip(row.cell(0)) else { return };
    let t = row.tokens;
    let mut left = tree_row::indent(row, cell, spot.depth);
    row.branch(spot.depth, None);
    let put = |row: &Row<'_>, left: f32, text: &str, (font, color), area: f32| {
        let galley = elided(row.ui, text.to_owned(), font, color, area.max(1.0));
        let width = galley.size().x;
        row.ui.painter().galley(pos2(left, cell.center().y - galley.size().y / 2.0), galley, color);
        left + width
    };
    let Some(reference) = levels.at(row.index) else {
        let text = levels.text(row.index);
        let left = left + tree_row::DISCLOSURE;
        put(row, left, &text, (fonts::text(), t.faint), cell.right() - left);
        row.name(text);
        return;
    };
    let (object, heap, analysis) = (reference.object, &context.dump.heap, &context.dump.analysis);
    row.object(object);
    let id = heap.id_text(object);
    let of = ObjectName { class: &reference.class, label: reference.label.as_deref(), id: &id };
    let name = edge(reference);
    let said = format!("{name} {}", of.plain());
    if expands(heap, object) {
        row.branch(spot.depth, Some(spot.open.is_some()));
        tree_row::disclosure_ui(row, "containment", (left, cell), spot.open.is_some(), &said);
    }
    left += tree_row::DISCLOSURE;
    let is_weak = reference.name.strength != Strength::Strong;
    let color = match reference.name.kind {
        _ if is_weak => t.faint,
        ReferenceKind::Internal => t.muted,
        _ => t.field,
    };
    left = put(row, left, &name, (fonts::mono(), color), (cell.right() - left) * NAME) + 8.0;
    let place = Rect::from_min_max(pos2(left.min(cell.right()), cell.top()), cell.max);
    let cut = of.paint(row.ui, t, place);
    row.small_number(1, distance_text(analysis.shown_distance(heap, object)));
    row.small_size(2, reference.shallow);
    row.size_with_bar(3, reference.retained, Share::of(reference.retained, analysis.shown.shallow));
    if row.pointer_in(0) && (cut || is_weak) {
        let weak = if is_weak { "\nWeak edge: it does not keep its target alive" } else { "" };
        row.hover(format!("{said}{weak}"));
    } else if row.pointer_in(2) {
        row.hover(exact("Shallow", reference.shallow));
    } else if row.pointer_in(3) {
        row.hover(exact("Retained", reference.retained));
    }
    row.name(said);
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_base::Bytes;
    use heaplens_core::heap::{ObjectId, ReferenceName};

    #[test]
    fn non_retaining_edges_are_marked() {
        let of = |strength| ReferenceRow {
            name: ReferenceName { strength, ..ReferenceName::strong(ReferenceKind::Property, "target") },
            object: ObjectId::new(0).expect("a row"),
            class: "Object".to_owned(),
            label: None,
            shallow: Bytes(8),
            retained: Bytes(8),
        };
        assert_eq!([Strength::Strong, Strength::Weak].map(|strength| edge(&of(strength))), ["target", "target (weak)"]);
    }
}
