//! Drawing of one row: name of the edge, then the object.

use eframe::egui::{Rect, pos2, vec2};

use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::views::histogram::columns::distance_text;
use crate::ui::views::object_columns::exact;
use crate::ui::widgets::{ObjectName, Row, line_ui, tree_row};
use heaplens_base::Share;
use heaplens_core::heap::{ReferenceKind, ReferenceName, Strength};
use heaplens_tables::trees::containment::{Levels, expands};

/// Maximum share of a row for the name of its edge.
const NAME: f32 = 0.5;

/// Name of an edge, marked if it does not retain its target.
pub(in crate::ui::views) fn edge(ReferenceName { text, strength, .. }: &ReferenceName) -> String {
    if *strength == Strength::Strong { text.clone() } else { format!("{text} ({})", strength.name()) }
}

pub(super) fn row(row: &mut Row<'_>, context: &mut ViewContext<'_>, levels: &Levels) {
    let Some((spot, cell)) = levels.tree.locate(row.index).zip(row.cell(0)) else { return };
    let t = row.tokens;
    let mut left = tree_row::indent(row, cell, spot.depth);
    row.branch(spot.depth, None);
    let Some(reference) = levels.at(row.index) else {
        let text = levels.text(row.index);
        line_ui(row.ui, tree_row::after(cell, left + tree_row::DISCLOSURE), &*text, fonts::text(), t.faint);
        row.name(text);
        return;
    };
    let (object, heap, analysis) = (reference.object, &context.dump.heap, &context.dump.analysis);
    row.object(object);
    let id = heap.id_text(object);
    let of = ObjectName { class: &reference.class, label: reference.label.as_deref(), id: &id };
    let name = edge(&reference.name);
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
    let area =
        Rect::from_min_size(pos2(left, cell.top()), vec2(((cell.right() - left) * NAME).max(1.0), cell.height()));
    left += line_ui(row.ui, area, &*name, fonts::mono(), color).size().x + 8.0;
    let place = Rect::from_min_max(pos2(left.min(cell.right()), cell.top()), cell.max);
    let cut = of.paint(row.ui, t, place);
    row.small_number(1, distance_text(analysis.shown_distance(heap, object)));
    row.small_size(2, reference.shallow);
    row.size_with_bar(3, reference.retained, Share::of(reference.retained, analysis.shown.shallow));
    if cut || is_weak {
        let weak = if is_weak { "\nWeak edge: it does not keep its target alive" } else { "" };
        row.hover_in(0, || format!("{said}{weak}"));
    }
    row.hover_in(2, || exact("Shallow", reference.shallow));
    row.hover_in(3, || exact("Retained", reference.retained));
    row.name(said);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_retaining_edges_are_marked() {
        let of = |strength| ReferenceName { strength, ..ReferenceName::strong(ReferenceKind::Property, "target") };
        assert_eq!([Strength::Strong, Strength::Weak].map(|strength| edge(&of(strength))), ["target", "target (weak)"]);
    }
}
