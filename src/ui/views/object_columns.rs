//! Columns shared by tables of objects: object, owner, age, retained size and share, shallow size, dominated objects; for
//! Android dumps also its heap and its retained size by heap.

use super::baseline_object;
use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::widgets::table::{Align, ColumnName};
use crate::ui::widgets::{Column, ObjectName, Row, bar, line_ui, verdict_mark};
use eframe::egui::{Rect, pos2, vec2};
use heaplens_analysis::diff::MatchStatus;
use heaplens_analysis::dominator_tree::{Lead, LevelOrder};
use heaplens_base::{ByteDelta, Bytes, Count, Share};
use heaplens_heap::{Amounts, Figure, ObjectId};
use heaplens_tables::TableContext;
use heaplens_tables::columns as declared;
use heaplens_tables::export::{ages, parts};
use heaplens_tables::relations::OBJECTS;
use std::borrow::Cow;

const NUMBER: f32 = 80.0;

/// Key of the column of the change in retained size, which only comparisons have, and no command.
const GROWTH: &str = "delta_retained_bytes";
/// Key of the column of the age.
pub const AGE: &str = "age";
/// Width of the bar of an age, in points.
const AGE_BAR: f32 = 34.0;

/// Layout of the columns. Those without data in a dump are hidden.
const COLUMNS: [Column; 16] = [
    Column::words("Object", "Class, label and id", 230.0).key("class"),
    Column::numbers("Retained size", "", 152.0, 8).key("retained_bytes"),
    Column::numbers("Share", "", 74.0, 7).key("share"),
    Column::numbers("Shallow size", "", 98.0, 6).key("shallow_bytes"),
    Column::numbers("Dominated", "Objects that would be freed together with this one, at all levels below it", 96.0, 4)
        .key("dominated"),
    Column::words("Owner", "", 150.0).fixed(5).unsorted().key("owner"),
    Column::numbers("Δ retained", "Change in retained size since the baseline", 96.0, 8).key(GROWTH),
    Column::of(OBJECTS.column("retained_app_bytes"), NUMBER, 7),
    Column::of(OBJECTS.column("retained_zygote_bytes"), NUMBER, 6),
    Column::of(OBJECTS.column("retained_image_bytes"), NUMBER, 4),
    Column::of(OBJECTS.column("retained_default_bytes"), NUMBER, 5),
    Column::of(OBJECTS.column("retained_other_bytes"), NUMBER, 5).titled("In others"),
    Column::of(OBJECTS.column("native_bytes"), NUMBER, 2),
    Column::of(OBJECTS.column("retained_native_bytes"), 100.0, 5),
    Column::of(OBJECTS.column("heap"), 70.0, 1),
    Column::of(OBJECTS.column(AGE), 152.0, 3).unsorted(),
];

/// Figure of a column, if it is one that only some formats have.
fn figure_of(key: &str) -> Option<Figure> {
    Figure::ALL.into_iter().find(|figure| figure.key() == key)
}

/// The columns: those with a layout, and further ones that a row of an object has.
pub fn columns(context: &ViewContext<'_>) -> Vec<Column> {
    let dump = context.dump;
    let has_figure = |figure: Figure| dump.analysis.figures().any(|there| there == figure);
    let has_figures = dump.analysis.figures().next().is_some();
    let mut columns = COLUMNS.to_vec();
    for column in &mut columns {
        column.absent = match column.key {
            GROWTH => context.comparing.is_none(),
            "heap" => dump.heap.regions().is_none(),
            key => figure_of(key).is_some_and(|figure| !has_figure(figure)),
        };
        // With several heaps, the retained size by heap matters more than the share.
        column.rank = match column.key {
            "shallow_bytes" if has_figures => 4,
            "share" | "owner" if has_figures => 3,
            "dominated" if has_figures => 2,
            AGE if has_figures => 1,
            _ => column.rank,
        };
    }
    columns.extend(further(context).map(|column| Column::with_default_layout(column.info(0)).unsorted()));
    columns
}

/// Columns of an object that have no layout. Each row asks in each frame: conditions of the others are not evaluated.
fn further(context: &ViewContext<'_>) -> impl Iterator<Item = &'static declared::Column<ObjectId>> {
    let dump = TableContext::of(context.dump);
    let is_further = |key: &str| COLUMNS.iter().all(|column| column.key != key);
    let declared = parts::OBJECT.into_iter().flatten();
    declared.filter(move |column| is_further(column.heading.key) && column.heading.when.holds(dump))
}

/// Index of the column with a key.
pub fn index_of(key: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.key == key)
}

/// True if the column at an index has a key.
pub fn is_column(index: usize, key: &str) -> bool {
    COLUMNS.get(index).is_some_and(|column| column.key == key)
}

/// True for columns of text, whose usual order is ascending; that of numbers is descending.
fn is_text(column: usize) -> bool {
    COLUMNS.get(column).is_some_and(|column| column.align == Align::Left)
}

/// Order for a click on a column header.
pub fn order_of(column: usize) -> LevelOrder {
    let figures = Figure::ALL.into_iter().map(LevelOrder::Figure);
    let mut orders = LevelOrder::ALL.into_iter().chain([LevelOrder::Growth, LevelOrder::Region]).chain(figures);
    orders.find(|order| is_column(column, key_of(*order))).unwrap_or_default()
}

/// Key of the column that an order sorts by.
fn key_of(order: LevelOrder) -> &'static str {
    if order == LevelOrder::Growth { GROWTH } else { order.key() }
}

/// Sorted column of an order, and true for descending.
pub fn marked(order: LevelOrder, reversed: bool) -> Option<(usize, bool)> {
    let column = index_of(key_of(order))?;
    Some((column, reversed == is_text(column)))
}

/// Order of a sorted column: the inverse of [`marked`].
pub fn unmarked(mark: Option<(usize, bool)>) -> (LevelOrder, bool) {
    let order = |(column, descending)| (order_of(column), descending == is_text(column));
    mark.map_or((LevelOrder::Address, false), order)
}

/// Draws a figure that only some formats have; empty if it is zero.
pub fn figure_ui(row: &mut Row<'_>, column: impl ColumnName, title: &str, bytes: Bytes) {
    if bytes == Bytes(0) {
        return row.text(column, "–", fonts::text(), row.tokens.faint);
    }
    row.small_size(column, bytes);
    row.hover_in(column, || format!("{title}: {} bytes", bytes.exact()));
}

fn figures_ui(row: &mut Row<'_>, figures: impl Iterator<Item = (Figure, Bytes)>) {
    for (figure, bytes) in figures {
        let title = index_of(figure.key()).and_then(|index| COLUMNS.get(index)).map_or("", |column| column.title);
        figure_ui(row, figure.key(), title, bytes);
    }
}

/// Draws the figures of a row of several objects.
pub fn group_figures_ui(row: &mut Row<'_>, context: &ViewContext<'_>, amounts: &Amounts) {
    figures_ui(row, context.dump.analysis.figures().zip(amounts.iter().copied()));
}

/// Fills the row of `object`; its name is drawn into `area` and announced by screen readers. It leads with what the object
/// is in the source, once that is known: in a dominator tree, below the top level, with the field of its dominator.
pub fn draw(
    row: &mut Row<'_>,
    context: &mut ViewContext<'_>,
    object: ObjectId,
    mut area: Rect,
    is_in_tree: bool,
) -> String {
    let verdict = context.verdict_of(object);
    let label = verdict.map(|verdict| verdict_mark::paint(row, &mut area, verdict));
    if context.is_freed(object) {
        row.hatch_freed();
    }
    let dump = context.dump;
    let analysis = &dump.analysis;
    let (retained, shallow) = (analysis.retained(object), dump.heap.shallow(object));
    let total = analysis.shown.shallow;
    let share = Share::of(retained, total);
    let lead = if is_in_tree {
        context.labels.lead(analysis, object, true)
    } else {
        context.labels.member_name(object, true).map(|name| Cow::Owned(Lead::ShortName(name.clone())))
    };
    let (lead, qualified_lead) = lead.map_or_else(Default::default, |lead| (lead.text(), lead.qualified_text()));
    let (name_cut, plain, qualified) = ObjectName::with(context.labels, &dump.heap, object, |name| {
        let named = name.after(&lead);
        (named.paint(row.ui, row.tokens, area), named.plain(), name.after(&qualified_lead).plain())
    });
    let is_shortened = name_cut || qualified != plain;
    row.object(object);
    row.size_with_bar("retained_bytes", retained, share);
    row.small_number("share", share.to_string());
    row.small_size("shallow_bytes", shallow);
    row.small_number("dominated", Count(analysis.dominated_count(object)).to_string());
    owner_ui(row, context, object);
    age_ui(row, context, object);
    delta_ui(row, context, object);
    figures_ui(row, analysis.figures().map(|figure| (figure, analysis.figure(&dump.heap, object, figure))));
    if let Some(name) = dump.heap.region_name(object) {
        row.text("heap", name, fonts::text(), row.tokens.muted);
    }
    for column in further(context) {
        row.value(column.heading.key, &column.cell(object, TableContext::of(dump)));
    }
    if is_shortened {
        row.hover_in(0, || qualified);
    }
    for column in ["retained_bytes", "share"] {
        row.hover_in(column, || retained_explained(context, object));
    }
    row.hover_in("shallow_bytes", || exact("Shallow", shallow));
    let plain = label.map_or_else(|| plain.clone(), |label| format!("{plain}, {}", label.to_lowercase()));
    row.name(plain.clone());
    plain
}

/// Draws the owner of `object`; a dash if it has none.
pub fn owner_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, object: ObjectId) {
    if row.cell("owner").is_none() {
        return;
    }
    // The cell stays empty until the owner is known.
    match context.labels.owner_name(object) {
        Some(Some(owner)) => {
            owners_ui(row, &owner);
        }
        Some(None) => row.text("owner", "–", fonts::text(), row.tokens.faint),
        None => {}
    }
}

/// Draws the age of `object` as a bar from the oldest to the newest object, and in words.
pub fn age_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, object: ObjectId) {
    let Some(cell) = row.cell(AGE) else { return };
    // The cell stays empty until the age is known.
    let Some(age) = context.labels.age(object) else { return };
    let words = ages::short(age);
    let Some(interval) = age else {
        row.text(AGE, words, fonts::text(), row.tokens.faint);
        return row.hover_in(AGE, || ages::explained(None));
    };
    let track = Rect::from_center_size(pos2(cell.left() + AGE_BAR / 2.0, cell.center().y), vec2(AGE_BAR, 5.0));
    bar::paint_range(row.ui.painter(), track, (interval.from as f32, interval.to as f32), &row.on_selection());
    let area = cell.with_min_x((cell.left() + AGE_BAR + 8.0).min(cell.right()));
    line_ui(row.ui, area, words, fonts::text(), row.tokens.muted);
    row.hover_in(AGE, || ages::explained(age));
}

/// Writes the owners of a row of shared objects.
pub fn owners_ui(row: &mut Row<'_>, owners: &str) {
    row.text("owner", owners, fonts::text(), row.tokens.muted);
    row.hover_in("owner", || owners);
}

/// Draws the change in retained size of a row of several objects.
pub fn group_delta_ui(row: &mut Row<'_>, retained: Bytes, then: Option<Bytes>) {
    let Some(then) = then.filter(|_| row.cell(GROWTH).is_some()) else { return };
    let delta = ByteDelta::between(then, retained);
    row.delta(GROWTH, delta.0, delta.to_string());
    row.hover_in(GROWTH, || {
        let (delta, then) = (delta.exact(), then.exact());
        format!(
            "{delta} bytes; objects also in the baseline retained {then} there; removed objects are not in the tree"
        )
    });
}

/// Draws the change in retained size of `object`, or that it is new.
fn delta_ui(row: &mut Row<'_>, context: &ViewContext<'_>, object: ObjectId) {
    if row.cell(GROWTH).is_none() {
        return;
    }
    match context.dump.match_status(object) {
        Some(MatchStatus::Matched(..)) => {
            if let Some((then, delta)) = baseline_object::retained(context, object) {
                row.delta(GROWTH, delta.0, delta.to_string());
                row.hover_in(GROWTH, || format!("{} bytes; {} in the baseline", delta.exact(), then.exact()));
            }
        }
        Some(MatchStatus::Alone) => row.delta(GROWTH, 1, "new"),
        Some(MatchStatus::Unknown) => row.text(GROWTH, "unknown", fonts::text(), row.tokens.faint),
        None => {}
    }
}

/// Explanation of a retained size, with the figures of the object.
fn retained_explained(context: &ViewContext<'_>, object: ObjectId) -> String {
    let analysis = &context.dump.analysis;
    let (retained, shallow) = (analysis.retained(object), context.dump.heap.shallow(object));
    let (below, share) = (analysis.dominated_count(object), Share::of(retained, analysis.shown.shallow));
    let own = format!("shallow size {}", shallow.exact());
    let others = Bytes(retained.0.saturating_sub(shallow.0)).exact();
    let parts = match below {
        0 => own,
        1 => format!("{own} + {others} of the one object it dominates"),
        n => format!("{own} + {others} of the {} objects it dominates", Count(n)),
    };
    format!("{}: {parts}\n{share} of all reachable bytes", exact("Retained", retained))
}

/// Size in bytes with all digits.
pub fn exact(what: &str, bytes: Bytes) -> String {
    format!("{what} size {} bytes", bytes.exact())
}
