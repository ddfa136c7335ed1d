//! One row of merged paths.

use eframe::egui::{Rect, pos2};

use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::views::object_columns::exact;
use crate::ui::widgets::fitting::fitted_line_ui;
use crate::ui::widgets::{ObjectName, Row, elided, tree_row};
use heaplens_analysis::paths::merged::{MergeBy, Node, TOP};
use heaplens_analysis::paths::text::dotted;
use heaplens_base::{Count, CountDelta, Share};
use heaplens_tables::reports::elide::UsualCut;
use heaplens_tables::trees::merged_paths::{MergedAnswer, ReferenceNames};
use heaplens_tables::trees::tree::Tree;

/// Share of the width that the name of a reference takes at most.
const REFERENCE: f32 = 0.5;

/// Text before the object: root type, or the field that refers to it.
fn before(
    context: &ViewContext<'_>,
    answer: &MergedAnswer,
    names: &mut ReferenceNames,
    node: usize,
) -> Option<(String, bool)> {
    let entry = answer.tree.node(node)?;
    match (answer.question.by, entry.before()) {
        (MergeBy::Object, Some(_)) => names.of(node).map(|name| (dotted(name), false)),
        (MergeBy::Class, Some(_)) => answer.tree.name(node).map(|name| (dotted(name), false)),
        (_, None) => answer.root_kind(context.dump, node).map(|kind| (kind.to_owned(), true)),
    }
}

/// ` ×5,000,000` for a row of several objects.
fn times(node: &Node) -> String {
    if node.steps == 1 { String::new() } else { format!("×{}", Count(u64::from(node.steps))) }
}

/// Naming of a row: by object if it contains a single one, else as in the query.
fn shown_as(answer: &MergedAnswer, node: &Node) -> MergeBy {
    if node.steps == 1 { MergeBy::Object } else { answer.question.by }
}

/// Full name of a row, as text.
pub(super) fn spoken(
    context: &mut ViewContext<'_>,
    answer: &MergedAnswer,
    names: &mut ReferenceNames,
    node: usize,
) -> String {
    let Some(entry) = answer.tree.node(node) else { return String::new() };
    let Some(object) = entry.object() else { return String::new() };
    let by = before(context, answer, names, node).map_or_else(String::new, |(by, _)| by);
    let heap = &context.dump.heap;
    let name = match shown_as(answer, entry) {
        MergeBy::Object => ObjectName::with(context.labels, heap, object, |name| name.plain()),
        MergeBy::Class => heap.class(object).name.to_string(),
    };
    let parts = [by, name, times(entry)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

pub(super) fn row(
    row: &mut Row<'_>,
    context: &mut ViewContext<'_>,
    answer: &MergedAnswer,
    tree: &Tree<usize>,
    names: &mut ReferenceNames,
) {
    let Some((spot, cell)) = tree.locate(row.index).zip(row.cell(0)) else { return };
    let node = tree.payload(spot.parent).and_then(|&above| answer.tree.child(above, spot.index));
    let Some((node, entry)) = node.and_then(|node| Some((node, answer.tree.node(node)?))) else { return };
    let Some(object) = entry.object() else { return };
    let t = row.tokens;
    row.branch(spot.depth, (entry.children() > 0).then_some(spot.open.is_some()));
    let mut left = tree_row::indent(row, cell, spot.depth);
    let text = spoken(context, answer, names, node);
    if entry.children() > 0 {
        tree_row::disclosure_ui(row, "merged paths", (left, cell), spot.open.is_some(), &text);
    }
    left += tree_row::DISCLOSURE;
    if let Some((by, root)) = before(context, answer, names, node) {
        let (font, color) = if root { (fonts::small_medium(), t.root) } else { (fonts::mono(), t.field) };
        // The object at the end of the reference must stay readable, however deep the row is.
        let area = tree_row::after(cell, left);
        let area = area.with_max_x(area.left() + area.width() * REFERENCE);
        let text = (&*by, UsualCut::Middle);
        left += fitted_line_ui(row.ui, "references", area, text, (font, color)).0.size().x + 8.0;
    }
    let times = elided(row.ui, times(entry), fonts::medium(), t.accent, 120.0);
    let area = if times.size().x > 0.0 { times.size().x + 8.0 } else { 0.0 };
    let rect = Rect::from_min_max(
        pos2(left.min(cell.right()), cell.top()),
        pos2((cell.right() - area).max(left), cell.bottom()),
    );
    let heap = &context.dump.heap;
    let class = &heap.class(object).name;
    let paint = |name: ObjectName<'_>| {
        name.paint(row.ui, t, rect);
        name.galley(row.ui, t, rect.width()).0.size().x
    };
    let width = match shown_as(answer, entry) {
        MergeBy::Object => ObjectName::with(context.labels, heap, object, paint),
        MergeBy::Class => paint(ObjectName { class, label: None, id: "" }),
    };
    let y = cell.center().y - times.size().y / 2.0;
    row.ui.painter().galley(pos2(rect.left() + width + 8.0, y), times, t.accent);
    let total = answer.tree.node(TOP).map_or(entry.retained, |top| top.retained);
    row.number_with_bar(1, entry.retained.to_string(), Share::of(entry.retained, total));
    row.number(2, Count(u64::from(entry.objects)).to_string());
    row.small_number(3, entry.shallow.to_string());
    let then =
        answer.then.get(node).map(|&then| (then, CountDelta::between(u64::from(then), u64::from(entry.objects))));
    if let Some((then, delta)) = then {
        row.small_number(4, Count(u64::from(then)).to_string());
        row.delta(5, delta.0, delta.to_string());
    }
    row.hover_in(1, || exact("Retained", entry.retained));
    row.hover_in(3, || exact("Shallow", entry.shallow));
    row.hover_in(0, || &text);
    // Screen readers also announce the change.
    row.name(match then {
        Some((_, delta)) if delta.0 != 0 => format!("{text}, {delta} objects"),
        _ => text,
    });
}
