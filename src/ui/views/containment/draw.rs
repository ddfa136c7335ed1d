//! Drawing of one row: name of the edge and the node, then its figures.

use crate::ui::ViewContext;
use crate::ui::views::histogram::distance_text;
use crate::ui::views::object_columns::exact;
use crate::ui::views::reference_row;
use crate::ui::widgets::Row;
use heaplens_base::Share;
use heaplens_tables::trees::reference_levels::Levels;

pub(super) fn row(row: &mut Row<'_>, context: &mut ViewContext<'_>, levels: &Levels) {
    let Some(reference) = reference_row::name_ui(row, context, levels, "containment", false) else { return };
    let (heap, analysis) = (&context.dump.heap, &context.dump.analysis);
    row.small_number(1, distance_text(analysis.shown_distance(heap, reference.object)));
    row.small_size(2, reference.shallow);
    row.size_with_bar(3, reference.retained, Share::of(reference.retained, analysis.shown.shallow));
    row.hover_in(2, || exact("Shallow", reference.shallow));
    row.hover_in(3, || exact("Retained", reference.retained));
}
