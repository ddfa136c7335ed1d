//! Drawing of one row: the kind of root, or the relation to the object above, then the object.

use eframe::egui::{Rect, pos2};

use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::views::object_columns::exact;
use crate::ui::widgets::{ObjectName, Row, line_ui, tree_row};
use heaplens_analysis::Ownership;
use heaplens_analysis::ownership::Kind;
use heaplens_analysis::ownership::listing::Mark;
use heaplens_base::{Bytes, Count, Share};
use heaplens_session::OpenDump;
use heaplens_tables::trees::ownership::{Levels, expands};

/// Mark of an object that the one above does not own, as in HeapRoots; empty if it does.
pub(super) fn mark(dump: &OpenDump, mark: Mark, total: Bytes) -> String {
    match mark {
        Mark::Owned => String::new(),
        Mark::SameTree => format!("{{{total}}}"),
        Mark::OtherTree(root) => format!("<{total} root:{}>", dump.heap.id_text(root)),
    }
}

pub(super) fn row(row: &mut Row<'_>, context: &mut ViewContext<'_>, (levels, ownership): (&Levels, &Ownership)) {
    let Some((spot, cell)) = levels.tree.locate(row.index).zip(row.cell(0)) else { return };
    let t = row.tokens;
    let mut left = tree_row::indent(row, cell, spot.depth);
    row.branch(spot.depth, None);
    let Some(line) = levels.at(row.index) else {
        let text = levels.error(row.index).unwrap_or("Loading…").to_owned();
        line_ui(row.ui, tree_row::after(cell, left + tree_row::DISCLOSURE), &*text, fonts::text(), t.faint);
        row.name(text);
        return;
    };
    let object = line.object;
    let (owned, heap) = (ownership.of(object), &context.dump.heap);
    row.object(object);
    let name = ObjectName::with(context.labels, heap, object, |name| name.plain());
    let (before, about) = match (line.mark, ownership.kind(object)) {
        (Mark::Owned, Kind::Pure) => ("pure".to_owned(), "Pure root: no other object refers to it"),
        (Mark::Owned, Kind::Artificial) => {
            ("artificial".to_owned(), "Artificial root: part of a cycle that no pure root reaches")
        }
        (Mark::Owned, Kind::NonRoot) => (String::new(), ""),
        (Mark::SameTree, _) => ("{ }".to_owned(), "Owned by another object of the same tree; press Enter to go there"),
        (Mark::OtherTree(root), _) => (
            format!("< root:{} >", heap.id_text(root)),
            "Owned by an object in the tree of another root; press Enter to go there",
        ),
    };
    let label = if before.is_empty() { name } else { format!("{before} {name}") };
    if expands(heap, &line) {
        row.branch(spot.depth, Some(spot.open.is_some()));
        tree_row::disclosure_ui(row, "inferred roots", (left, cell), spot.open.is_some(), &label);
    }
    left += tree_row::DISCLOSURE;
    let is_owned = line.mark == Mark::Owned;
    if !before.is_empty() {
        let (font, color) = if is_owned { (fonts::small_medium(), t.root) } else { (fonts::mono(), t.muted) };
        left += line_ui(row.ui, tree_row::after(cell, left), before, font, color).size().x + 8.0;
    }
    let area = Rect::from_min_max(pos2(left.min(cell.right()), cell.top()), cell.max);
    let cut = ObjectName::with(context.labels, heap, object, |name| name.paint(row.ui, t, area));
    let total = Bytes(owned.total);
    row.size_with_bar(1, total, Share::of(if is_owned { total } else { Bytes(0) }, ownership.process.heap_bytes));
    row.small_number(2, Count(owned.descendants.into()).to_string());
    row.small_number(3, Count(owned.max_depth.into()).to_string());
    if context.dump.analysis.is_reachable(object) {
        row.small_size(4, context.dump.analysis.retained(object));
    } else {
        row.small_number(4, "–");
    }
    row.small_size(5, heap.shallow(object));
    if cut || !about.is_empty() {
        row.hover_in(0, || format!("{label}\n{about}").trim_end().to_owned());
    }
    row.hover_in(1, || exact("Total", total));
    row.name(label);
}
