//! Drawing of one row of a report: disclosure button, name, figures.

use eframe::egui::{self, Id, Rect, Role, Sense, vec2};

use super::Kind;
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, sizes};
use crate::ui::widgets::fitting::{Beside, fitted};
use crate::ui::widgets::table::two_lines_ui;
use crate::ui::widgets::{Column, ObjectName, Row, elided, sparkline, tree_row};
use heaplens_base::{Bytes, Count, CountDelta, Share};
use heaplens_heap::{Heap, ObjectId, split_class};
use heaplens_session::files::short_name;
use heaplens_tables::RowTarget;
use heaplens_tables::columns::Value;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::UsualCut;
use heaplens_tables::reports::rows::{Cell, CellStyle, Name, RowLabel, Rows};
use heaplens_tables::reports::second_line::SecondLine;

/// A name as text, with the text of its object.
pub(super) fn plain(name: &Name, object_text: impl FnOnce(ObjectId) -> String) -> String {
    match name {
        Name::Words(words) | Name::Qualified(words) => words.clone(),
        Name::Class(class) => class.to_string(),
        Name::Held(holder, class) => format!("{holder} {class}"),
        Name::Object(None, object) => object_text(*object),
        Name::Object(Some(by), object) => format!("{by}  {}", object_text(*object)),
        Name::Related(words, object) => format!("{words}  {}", object_text(*object)),
        Name::Called(called) => called.plain(),
    }
}

/// Draws a name, and the class of what it names if that fits, and a second line; true if anything was left out. A long name
/// loses its package, then its middle.
fn called_ui(row: &mut Row<'_>, area: Rect, called: &RowLabel, heap: &Heap) -> bool {
    let t = row.tokens;
    called.object.into_iter().for_each(|object| row.object(object));
    let (package, name) = called.split();
    let format =
        |font, color| egui::TextFormat { valign: egui::Align::Center, ..egui::TextFormat::simple(font, color) };
    // The second line of an owner is about other objects.
    let is_owner = matches!(called.more, SecondLine::Classes(_));
    let class = called.object.filter(|_| is_owner).map_or("", |object| split_class(&heap.class(object).name).1);
    let laid_out = |package: &str, name: &str, class: &str| {
        let mut job = egui::text::LayoutJob::default();
        job.append(package, 0.0, format(fonts::text(), t.muted));
        job.append(name, 0.0, format(fonts::medium(), t.text));
        if called.times > 1 {
            job.append(&format!("×{}", Count(called.times)), 7.0, format(fonts::medium(), t.accent));
        }
        if !class.is_empty() {
            job.append(class, 8.0, format(fonts::text(), t.label));
        }
        job.wrap = egui::text::TextWrapping::truncate_at_width(area.width());
        job.break_on_newline = false;
        row.ui.painter().layout_job(job)
    };
    let mut first = laid_out(package, name, class);
    if first.elided {
        first = laid_out(package, name, "");
    }
    let mut cut = first.elided;
    if cut {
        let beside = Beside::with(row.ui, "names", name);
        // Only its package tells it from a name beside it.
        let name = if beside.has_twin(name) { &*called.name } else { name };
        let beside = Beside::with(row.ui, "cut names", name);
        first = laid_out("", &beside.shorten(name, UsualCut::Middle, &|name| !laid_out("", name, "").elided), "");
    }
    if called.more.is_empty() {
        let middle = area.center().y;
        row.ui.painter().galley(egui::pos2(area.left(), middle - first.size().y / 2.0), first, t.text);
        return cut;
    }
    let total = |text: &str| elided(row.ui, text.to_owned(), fonts::small(), t.muted, area.width());
    let more = called.more.fitting(&|text| !total(text).elided);
    let second = total(&more);
    cut |= second.elided || more != called.more.plain();
    two_lines_ui(row.ui, area, (first, t.text), (second, t.muted));
    cut
}

/// Draws sizes in all dumps as a sparkline; its tooltip lists the dumps.
fn over_time_ui(row: &mut Row<'_>, context: &ViewContext<'_>, column: usize, sizes: &[Bytes]) {
    let (Some(cell), Some(over)) = (row.cell(column), context.dump.over_time.as_deref()) else { return };
    let area = Rect::from_center_size(cell.center(), vec2(cell.width() - 5.0, (cell.height() - 14.0).min(22.0)));
    sparkline::paint(row.ui.painter(), area, sizes, over.ends, row.tokens);
    let figures: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let every_time = if sizes.is_sorted_by(|one, next| one < next) { ", grew in every interval" } else { "" };
    let label = format!("Over time: {}{every_time}", figures.join(", "));
    let response = row.ui.interact(cell, Id::unique(("over time", row.index)), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &label));
    row.hover_in(column, || {
        let lines = over.dumps.iter().zip(sizes);
        let lines = lines.map(|(dump, size)| format!("{}: {}", short_name(&dump.opened.file), size.exact()));
        lines.collect::<Vec<_>>().join("\n")
    });
}

pub(super) fn draw(
    row: &mut Row<'_>,
    context: &mut ViewContext<'_>,
    (kind, columns): (&Kind, &[Column]),
    rows: &Rows,
    at: usize,
    open: bool,
) {
    let (Some(of), Some(cell)) = (rows.rows.get(at), row.cell(0)) else { return };
    let tokens = row.tokens;
    let mut left = cell.left() + sizes::INDENT * of.depth as f32;
    let heap = &context.dump.heap;
    // What an object is in the source comes first, once it is known; of a reference, the row says it.
    let lead = match of.name {
        Name::Object(None, object) | Name::Related(_, object) => context.labels.member_name(object, true),
        _ => None,
    };
    let (lead, qualified_lead) = lead.map_or_else(Default::default, |name| (name.to_string(), name.qualified_text()));
    let mut with_lead = |lead: &str| {
        let text = |name: ObjectName<'_>| name.after(lead).plain();
        plain(&of.name, |object| ObjectName::with(context.labels, heap, object, text))
    };
    let (label, qualified) = (with_lead(&lead), with_lead(&qualified_lead));
    if rows.is_outline {
        if rows.expands(at) {
            tree_row::disclosure_ui(row, kind.name, (left, cell), open, &label);
        }
        left += tree_row::DISCLOSURE;
        row.branch(of.depth, rows.expands(at).then_some(open));
    }
    // A long name extends over empty columns.
    let is_empty = |column: &usize| rows.cell(at, *column) == (&Value::Null, &CellStyle::Usual);
    let empty = row.columns_after_first().take_while(is_empty).filter_map(|column| row.cell(column));
    let right = empty.map(|cell| cell.right()).fold(cell.right(), f32::max);
    let mut area = Rect::from_min_max(egui::pos2(left.min(right), cell.top()), egui::pos2(right, cell.bottom()));
    let words = |row: &Row<'_>, area: Rect, text: &str, default, color| {
        let line = shortened(text, 400);
        let (galley, cut) = fitted(row.ui, "words", (&line, default), (fonts::text(), color), area.width());
        let width = galley.size().x;
        let at = egui::pos2(area.left(), area.center().y - galley.size().y / 2.0);
        row.ui.painter().galley(at, galley, color);
        (width, cut || line.len() < text.len())
    };
    let cut = match &of.name {
        Name::Qualified(text) => words(row, area, text, UsualCut::Middle, tokens.text).1,
        Name::Words(text) => words(row, area, text, UsualCut::End, tokens.text).1,
        Name::Class(class) => ObjectName { class, label: None, id: "" }.paint(row.ui, tokens, area),
        Name::Held(holder, class) => {
            ObjectName { class, label: None, id: "" }.after(holder).paint(row.ui, tokens, area)
        }
        Name::Called(called) => called_ui(row, area, called, heap),
        Name::Object(_, object) | Name::Related(_, object) => {
            let before = match &of.name {
                Name::Object(by, _) => by.as_deref(),
                Name::Related(words, _) => Some(*words),
                _ => None,
            };
            row.object(*object);
            if let Some(before) = before {
                let (width, _) = words(row, area, before, UsualCut::Middle, tokens.muted);
                area.min.x = (area.min.x + width + 8.0).min(area.max.x);
            }
            let is_label_first = kind.label_first && of.depth == 0 && lead.is_empty();
            let paint = |name: ObjectName<'_>| match name.label.filter(|_| is_label_first) {
                Some(label) => ObjectName { label: None, ..name }.after(label).paint(row.ui, tokens, area),
                None => name.after(&lead).paint(row.ui, tokens, area),
            };
            ObjectName::with(context.labels, heap, *object, paint) || label != qualified
        }
    };
    let reachable = context.dump.analysis.shown.shallow;
    for (column, Column { title, .. }) in columns.iter().enumerate().skip(1) {
        match rows.cell(at, column) {
            (Value::Null, CellStyle::Usual) => {}
            (_, CellStyle::OverTime(sizes)) => over_time_ui(row, context, column, sizes),
            (value, style @ CellStyle::Missing(why)) => {
                row.small_number(column, style.text(value));
                row.hover_in(column, || *why);
            }
            (Value::Bytes(bytes), CellStyle::Minor) => {
                row.small_size(column, *bytes);
                row.hover_in(column, || format!("{title}: {} bytes", bytes.exact()));
            }
            (Value::Bytes(bytes), _) => {
                // Some bytes are not in the heap, such as the gaps between objects.
                let total = reachable.max(rows.greatest(column));
                row.size_with_bar(column, *bytes, Share::of(*bytes, total));
                row.hover_in(column, || format!("{title}: {} bytes", bytes.exact()));
            }
            (Value::CountDelta(delta), _) => row.delta(column, delta.0, delta.to_string()),
            (Value::ByteDelta(delta), CellStyle::Bar(most @ 1..)) => {
                row.delta_with_bar(column, *delta, *most);
                row.hover_in(column, || format!("{} bytes", delta.exact()));
            }
            (Value::ByteDelta(delta), _) => row.delta(column, delta.0, delta.to_string()),
            (value @ Value::Change { before, after }, style) => {
                row.delta(column, CountDelta::between(*before, *after).0, style.text(value));
            }
            (value, style) => match value.words() {
                Some(words) => {
                    row.text(column, &*words, fonts::text(), tokens.muted);
                    row.hover_in(column, || &*words);
                }
                None => row.small_number(column, style.text(value)),
            },
        }
    }
    if row.pointer_in(0) {
        let removed = matches!(of.leads, RowTarget::BaselineObject(_) | RowTarget::BaselineClass(_));
        let hint = if removed { "Removed: press Enter or double-click to show it in the baseline" } else { "" };
        match (cut, removed) {
            (true, true) => row.hover(format!("{qualified}\n{hint}")),
            (true, false) => row.hover(&qualified),
            (false, true) => row.hover(hint),
            (false, false) => {}
        }
    }
    // Screen readers also announce the change.
    let grown = of.cells.iter().find(|cell| matches!(cell.style, CellStyle::Bar(_))).map(Cell::text);
    row.name(grown.map_or_else(|| label.clone(), |grown| format!("{label}, {grown}")));
}
