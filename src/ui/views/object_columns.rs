//! Columns shared by tables of objects: object, owner, age, retained size and share, shallow size, dominated objects; for
//! Android dumps also its heap and its retained size by heap.

use super::baseline_object;
use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::widgets::table::{place_of, place_of_key};
use crate::ui::widgets::{Column, ObjectName, Row, bar, line_ui, verdict_mark};
use eframe::egui::{Rect, pos2, vec2};
use heaplens_analysis::diff::MatchStatus;
use heaplens_analysis::dominator_tree::LevelOrder;
use heaplens_base::{ByteDelta, Bytes, Count, Share};
use heaplens_heap::{Amounts, Figure, ObjectId};
use heaplens_tables::export::ages;
use heaplens_tables::relations::OBJECTS;

const NUMBER: f32 = 80.0;

/// The columns. Columns without data in this dump are hidden but keep their index.
const COLUMNS: [Column; 16] = [
    Column::words("Object", "Class, label and id", 230.0),
    Column::numbers("Retained size", "", 152.0, 8),
    Column::numbers("Share", "", 74.0, 7),
    Column::numbers("Shallow size", "", 98.0, 6),
    Column::numbers("Dominated", "Objects that would be freed together with this one, at all levels below it", 96.0, 4),
    Column::words("Owner", "", 150.0).fixed(5).unsorted(),
    Column::numbers("Δ retained", "Change in retained size since the baseline", 96.0, 8),
    Column::of(OBJECTS.column("retained_app_bytes"), NUMBER, 7),
    Column::of(OBJECTS.column("retained_zygote_bytes"), NUMBER, 6),
    Column::of(OBJECTS.column("retained_image_bytes"), NUMBER, 4),
    Column::of(OBJECTS.column("retained_default_bytes"), NUMBER, 5),
    Column::of(OBJECTS.column("retained_other_bytes"), NUMBER, 5).titled("In others"),
    Column::of(OBJECTS.column("native_bytes"), NUMBER, 2),
    Column::of(OBJECTS.column("retained_native_bytes"), 100.0, 5),
    Column::of(OBJECTS.column("heap"), 70.0, 1),
    Column::of(OBJECTS.column("age"), 152.0, 3).unsorted(),
];
const RETAINED: usize = place_of(&COLUMNS, "Retained size");
const SHARE: usize = place_of(&COLUMNS, "Share");
const SHALLOW: usize = place_of(&COLUMNS, "Shallow size");
const DOMINATED: usize = place_of(&COLUMNS, "Dominated");
/// Column of the owner, after all others, so that their indices do not change.
const OWNER: usize = place_of(&COLUMNS, "Owner");
/// Column of the change in retained size, in comparisons.
const DELTA: usize = place_of(&COLUMNS, "Δ retained");
/// First column of the figures that only some formats have.
const FIGURES: usize = place_of_key(&COLUMNS, "retained_app_bytes");
/// Column of the heap that contains the object.
const HEAP: usize = place_of_key(&COLUMNS, "heap");

/// Column of the age, after all others, so that their indices do not change.
pub const AGE: usize = place_of_key(&COLUMNS, "age");
/// Width of the bar of an age, in points.
const AGE_BAR: f32 = 34.0;

/// Columns with data in this dump.
pub fn columns(context: &ViewContext<'_>) -> [Column; 16] {
    let dump = context.dump;
    let mut columns = COLUMNS;
    columns[DELTA].absent = context.comparing.is_none();
    columns[HEAP].absent = dump.heap.regions().is_none();
    for (column, figure) in columns[FIGURES..].iter_mut().zip(Figure::ALL) {
        column.absent = !dump.analysis.figures().any(|there| there == figure);
    }
    if !columns[FIGURES..AGE].iter().all(|column| column.absent) {
        // With several heaps, the retained size by heap matters more than the share.
        for (column, rank) in [(SHALLOW, 4), (SHARE, 3), (OWNER, 3), (DOMINATED, 2), (AGE, 1)] {
            columns[column].rank = rank;
        }
    }
    columns
}

/// Columns with an order of their own, besides the figures.
const ORDERS: [(usize, LevelOrder); 6] = [
    (0, LevelOrder::Class),
    (RETAINED, LevelOrder::Retained),
    (SHALLOW, LevelOrder::Shallow),
    (DOMINATED, LevelOrder::Dominated),
    (DELTA, LevelOrder::Growth),
    (HEAP, LevelOrder::Region),
];

/// True for columns of text, whose usual order is ascending; that of numbers is descending.
fn is_text(column: usize) -> bool {
    matches!(column, 0 | HEAP)
}

/// Order for a click on a column header.
pub fn order_of(column: usize) -> LevelOrder {
    let figure = || Figure::ALL.get(column.checked_sub(FIGURES)?).copied().map(LevelOrder::Figure);
    let order = ORDERS.iter().find(|(of, _)| *of == column).map(|&(_, order)| order);
    order.or_else(figure).unwrap_or(LevelOrder::Retained)
}

/// Sorted column of an order, and true for descending.
pub fn marked(order: LevelOrder, reversed: bool) -> Option<(usize, bool)> {
    let column = match order {
        LevelOrder::Figure(figure) => FIGURES + figure.index(),
        _ => ORDERS.iter().find(|(_, of)| *of == order)?.0,
    };
    Some((column, reversed == is_text(column)))
}

/// Order of a sorted column: the inverse of [`marked`].
pub fn unmarked(mark: Option<(usize, bool)>) -> (LevelOrder, bool) {
    let order = |(column, descending)| (order_of(column), descending == is_text(column));
    mark.map_or((LevelOrder::Address, false), order)
}

/// Draws a figure that only some formats have; empty if it is zero.
pub fn figure_ui(row: &mut Row<'_>, column: usize, title: &str, bytes: Bytes) {
    if bytes == Bytes(0) {
        return row.text(column, "–", fonts::text(), row.tokens.faint);
    }
    row.small_size(column, bytes);
    row.hover_in(column, || format!("{title}: {} bytes", bytes.exact()));
}

fn figures_ui(row: &mut Row<'_>, figures: impl Iterator<Item = (Figure, Bytes)>) {
    for (figure, bytes) in figures {
        let column = FIGURES + figure.index();
        figure_ui(row, column, COLUMNS[column].title, bytes);
    }
}

/// Draws the figures of a row of several objects.
pub fn group_figures_ui(row: &mut Row<'_>, context: &ViewContext<'_>, amounts: &Amounts) {
    figures_ui(row, context.dump.analysis.figures().zip(amounts.iter().copied()));
}

/// Fills the row of `object`; its name is drawn into `area` and announced by screen readers.
pub fn draw(row: &mut Row<'_>, context: &mut ViewContext<'_>, object: ObjectId, mut area: Rect) -> String {
    let verdict = context.verdict_of(object);
    let label = verdict.map(|verdict| verdict_mark::paint(row, &mut area, verdict));
    let dump = context.dump;
    let analysis = &dump.analysis;
    let (retained, shallow) = (analysis.retained(object), dump.heap.shallow(object));
    let total = analysis.shown.shallow;
    let share = Share::of(retained, total);
    let (cut, plain) = ObjectName::with(context.labels, &dump.heap, object, |name| {
        (name.paint(row.ui, row.tokens, area), name.plain())
    });
    row.object(object);
    row.size_with_bar(RETAINED, retained, share);
    row.small_number(SHARE, share.to_string());
    row.small_size(SHALLOW, shallow);
    row.small_number(DOMINATED, Count(analysis.dominated_count(object)).to_string());
    owner_ui(row, context, object);
    age_ui(row, context, object);
    delta_ui(row, context, object);
    figures_ui(row, analysis.figures().map(|figure| (figure, analysis.figure(&dump.heap, object, figure))));
    if let Some(name) = dump.heap.region_name(object) {
        row.text(HEAP, name, fonts::text(), row.tokens.muted);
    }
    if cut {
        row.hover_in(0, || &plain);
    }
    for column in [RETAINED, SHARE] {
        row.hover_in(column, || retained_explained(context, object));
    }
    row.hover_in(SHALLOW, || exact("Shallow", shallow));
    let plain = label.map_or_else(|| plain.clone(), |label| format!("{plain}, {}", label.to_lowercase()));
    row.name(plain.clone());
    plain
}

/// Draws the owner of `object`; a dash if it has none.
pub fn owner_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, object: ObjectId) {
    if row.cell(OWNER).is_none() {
        return;
    }
    // The cell stays empty until the owner is known.
    match context.labels.owner(object).map(|owner| owner.map(|owner| owner.text.clone())) {
        Some(Some(owner)) => {
            owners_ui(row, &owner);
        }
        Some(None) => row.text(OWNER, "–", fonts::text(), row.tokens.faint),
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

/// True if the window is wide enough for the column of the owner.
pub fn shows_owner(row: &Row<'_>) -> bool {
    row.cell(OWNER).is_some()
}

/// Writes the owners of a row of shared objects.
pub fn owners_ui(row: &mut Row<'_>, owners: &str) {
    row.text(OWNER, owners, fonts::text(), row.tokens.muted);
    row.hover_in(OWNER, || owners);
}

/// Draws the change in retained size of a row of several objects.
pub fn group_delta_ui(row: &mut Row<'_>, retained: Bytes, then: Option<Bytes>) {
    let Some(then) = then.filter(|_| row.cell(DELTA).is_some()) else { return };
    let delta = ByteDelta::between(then, retained);
    row.delta(DELTA, delta.0, delta.to_string());
    row.hover_in(DELTA, || {
        let (delta, then) = (delta.exact(), then.exact());
        format!(
            "{delta} bytes; objects also in the baseline retained {then} there; removed objects are not in the tree"
        )
    });
}

/// Draws the change in retained size of `object`, or that it is new.
fn delta_ui(row: &mut Row<'_>, context: &ViewContext<'_>, object: ObjectId) {
    if row.cell(DELTA).is_none() {
        return;
    }
    match context.dump.match_status(object) {
        Some(MatchStatus::Matched(..)) => {
            if let Some((then, delta)) = baseline_object::retained(context, object) {
                row.delta(DELTA, delta.0, delta.to_string());
                row.hover_in(DELTA, || format!("{} bytes; {} in the baseline", delta.exact(), then.exact()));
            }
        }
        Some(MatchStatus::Alone) => row.delta(DELTA, 1, "new"),
        Some(MatchStatus::Unknown) => row.text(DELTA, "unknown", fonts::text(), row.tokens.faint),
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
