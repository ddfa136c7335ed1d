//! A row of a tree of references: the name of the reference, then the object at its other end, a referrer with its short
//! name.

use eframe::egui::{Id, Rect, pos2, vec2};

use crate::ui::Reference;
use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::widgets::fitting::fitted_line_ui;
use crate::ui::widgets::{ObjectName, Row, line_ui, object_menu, tree_row};
use heaplens_analysis::Direction;
use heaplens_analysis::references::ReferenceRow;
use heaplens_heap::{Heap, ReferenceKind, ReferenceName, Strength};
use heaplens_tables::reports::elide::UsualCut;
use heaplens_tables::trees::reference_levels::{Levels, RowReference, expands};

/// Maximum share of a row for the name of its reference.
const NAME: f32 = 0.5;

/// Name of a reference, marked if it does not retain its target.
pub(super) fn edge(ReferenceName { text, strength, .. }: &ReferenceName) -> String {
    if *strength == Strength::Strong { text.clone() } else { format!("{text} ({})", strength.name()) }
}

/// The reference of a row, as the target of a cut.
pub(super) fn reference_of(heap: &Heap, direction: Direction, at: RowReference<'_>) -> Reference {
    let (of, row) = (at.of, at.reference);
    let (from, to) = match direction {
        Direction::Incoming => (row.object, of),
        Direction::Outgoing => (of, row.object),
    };
    let name = Some(&*row.name.text).filter(|_| row.name.kind == ReferenceKind::Field);
    Reference::between(heap, from, to, name)
}

/// Draws the first column of a row. Returns the reference; `None` if the row has none, such as a message.
///
/// With `links` the name of the object is a link, for a tree beside the view.
pub(super) fn name_ui<'a>(
    row: &mut Row<'_>,
    context: &mut ViewContext<'_>,
    levels: &'a Levels,
    tree: &str,
    links: bool,
) -> Option<&'a ReferenceRow> {
    let (spot, cell) = levels.tree.locate(row.index).zip(row.cell(0))?;
    let t = row.tokens;
    let mut left = tree_row::indent(row, cell, spot.depth);
    row.branch(spot.depth, None);
    let Some(at) = levels.reference_at(row.index) else {
        let text = levels.text(row.index);
        line_ui(row.ui, tree_row::after(cell, left + tree_row::DISCLOSURE), &*text, fonts::text(), t.faint);
        row.name(text);
        return None;
    };
    let (reference, heap) = (at.reference, &context.dump.heap);
    let object = reference.object;
    row.object(object);
    let id = heap.id_text(object);
    let preview = if reference.label.is_none() { context.labels.of(object).map(str::to_owned) } else { None };
    let label = reference.label.as_deref().or(preview.as_deref());
    let of = ObjectName { class: &reference.class, label, id: &id };
    let name = edge(&reference.name);
    // A referrer has the reference as its member, so its own name tells where it is; a target is named by the reference.
    let is_incoming = levels.direction() == Direction::Incoming;
    let short = if is_incoming { context.labels.member_name(object, true) } else { None };
    let [lead, qualified] = short.map_or_else(Default::default, |name| [name.to_string(), name.qualified_text()]);
    let label = format!("{name} {}", of.plain());
    let repeats = levels.repeats(row.index);
    if !repeats && expands(context.dump, object, levels.direction()) {
        row.branch(spot.depth, Some(spot.open.is_some()));
        tree_row::disclosure_ui(row, tree, (left, cell), spot.open.is_some(), &label);
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
    let text = (&*name, UsualCut::Middle);
    let width = fitted_line_ui(row.ui, "references", area, text, (fonts::mono(), color)).0.size().x;
    let (from, to) = if is_incoming { (object, at.of) } else { (at.of, object) };
    if context.is_removed(from, to, Some(&reference.name.text)) {
        row.strike(area.with_max_x(left + width));
    }
    left += width + 8.0;
    let mut notes: Vec<String> = Vec::new();
    let roots = &context.dump.analysis.roots();
    let root = roots.of(object).first().filter(|_| is_incoming);
    if let Some(root) = root {
        left += line_ui(row.ui, tree_row::after(cell, left), "GC root", fonts::small_medium(), t.root).size().x + 8.0;
        notes.push(format!("GC root: {}", root.kind.name()));
    }
    let place_of_name = Rect::from_min_max(pos2(left.min(cell.right()), cell.top()), cell.max);
    if links {
        let response = of.after(&lead).link_ui(row.ui, place_of_name, Id::unique(("link of", tree, row.index)));
        let cut = reference_of(heap, levels.direction(), at);
        object_menu::of_reference(&response, object, Some(&cut));
        context.select(response.clicked().then_some(object));
    } else {
        of.after(&lead).paint(row.ui, t, place_of_name);
    }
    if is_weak {
        notes.push(format!("{} reference: it does not keep its target alive", reference.name.strength.name()));
    }
    if repeats {
        notes.push("Already above in this tree".to_owned());
    }
    row.hover_in(0, || [vec![format!("{name} {}", of.after(&qualified).plain())], notes].concat().join("\n"));
    row.name(format!("{name} {}", of.after(&lead).plain()));
    Some(reference)
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
