//! Positions of the columns in the room that a table has.

use super::arrangement::{Arrangement, MIN_WIDTH};
use super::columns::{Align, Column};

/// Positions of the columns.
pub(super) struct ColumnLayout {
    /// Left edge and width of each visible column, by column index.
    pub(super) spans: Vec<Option<(f32, f32)>>,
    pub(super) aligns: Vec<Align>,
    /// Keys of the columns.
    pub(super) keys: Vec<&'static str>,
    /// Column indices from left to right.
    pub(super) order: Vec<usize>,
}

/// Width that the names of rows need at most, in points.
const NAMES: f32 = 560.0;
/// Width that the names of rows have at least beside the last column of figures, in points.
const FEW_NAMES: f32 = 110.0;
/// Padding left and right of the text in a cell.
pub(super) const PAD: f32 = 12.0;

/// Computes the position of every column in a table of `available` points.
///
/// A column by which the table is sorted is hidden last: without it, the order of the rows looks like none.
pub(super) fn lay_out(
    columns: &[Column],
    sort: Option<(usize, bool)>,
    arrangement: &Arrangement,
    available: f32,
) -> ColumnLayout {
    let width = |i: usize| arrangement.width(&columns[i]);
    let is_sorted_by = |i: usize| sort.is_some_and(|(by, _)| by == i);
    let filling = columns.iter().position(|c| c.fills).unwrap_or(0);
    let mut visible: Vec<bool> = columns.iter().map(|column| !column.absent && !arrangement.hides(column)).collect();
    let others =
        |visible: &[bool]| -> Vec<usize> { (0..columns.len()).filter(|&i| i != filling && visible[i]).collect() };
    let rest = |visible: &[bool]| available - others(visible).into_iter().map(width).sum::<f32>();
    let min_width = columns.get(filling).map_or(0.0, |c| c.width);
    while rest(&visible) < min_width {
        let may_go = |&i: &usize| columns[i].rank < 9 && !arrangement.insists_on(&columns[i]);
        let candidates = || others(&visible).into_iter().filter(may_go);
        match candidates().min_by_key(|&i| (is_sorted_by(i), columns[i].rank)) {
            // Names without any figure answer nothing: the last column stays while something of the names does.
            Some(_) if candidates().count() == 1 && rest(&visible) >= FEW_NAMES => break,
            Some(i) => visible[i] = false,
            None => break,
        }
    }
    // In a wide table the columns of words share the room that the names of the rows do not need.
    let is_widened = |i: usize| i != filling && columns[i].align == Align::Left && !arrangement.sets_width(&columns[i]);
    let of_words: Vec<usize> = others(&visible).into_iter().filter(|&i| is_widened(i)).collect();
    let spare = (rest(&visible) - NAMES).max(0.0) * 0.5 / of_words.len().max(1) as f32;
    let width = |i: usize| width(i) + if of_words.contains(&i) { spare.min(width(i) * 1.5) } else { 0.0 };
    let rest = available - others(&visible).into_iter().map(width).sum::<f32>();
    let mut x = 0.0;
    let first = rest.max(MIN_WIDTH);
    let mut spans = vec![None; columns.len()];
    let order = arrangement.order(columns);
    for &i in order.iter().filter(|&&i| visible[i]) {
        let width = if i == filling { first } else { width(i) };
        spans[i] = Some((x, width));
        x += width;
    }
    let (aligns, keys) = columns.iter().map(|column| (column.align, column.key)).unzip();
    ColumnLayout { spans, aligns, keys, order }
}
