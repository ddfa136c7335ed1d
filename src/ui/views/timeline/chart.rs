//! Chart of live bytes by allocation time. A range is selected by dragging or by keys.

use eframe::egui::{self, Align2, CursorIcon, Id, Key, Modifiers, Rect, Response, Role, Sense, Ui, pos2, vec2};

use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{controls, elided};
use heaplens_analysis::javascript::timeline::Bar;
use heaplens_base::{Bytes, Count};
use heaplens_heap::Totals;

/// Minimum width of a column with its gap, in points.
const COLUMN: f32 = 4.0;
/// Height of the time axis, in points.
const TIMES: f32 = 18.0;
/// Minimum distance between two time labels, in points.
const BETWEEN: f32 = 90.0;
const MARGIN: f32 = 10.0;
/// Height of the caption, in points.
const WORDS: f32 = 18.0;

/// Selected range.
#[derive(Debug, Default)]
pub(super) struct Chart {
    /// First and last selected bar; `None` for all.
    chosen: Option<(usize, usize)>,
    /// Bar at which dragging began.
    from: Option<usize>,
    is_dragged: bool,
}

/// Column of the chart: one bar, or several that are too narrow to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChartColumn {
    first: usize,
    last: usize,
    totals: Totals,
}

/// Groups bars into at most `most` columns of equal time.
fn columns(bars: &[Bar], most: usize) -> Vec<Option<ChartColumn>> {
    let total = u128::from(bars.last().map_or(1, |bar| bar.micros).max(1));
    let count = bars.len().min(most).max(1);
    let mut columns: Vec<Option<ChartColumn>> = vec![None; count];
    for (at, bar) in bars.iter().enumerate() {
        // A bar ends at its time, so the last one belongs to the last column.
        let area = (u128::from(bar.micros.saturating_sub(1)) * count as u128 / total) as usize;
        let Some(column) = columns.get_mut(area.min(count - 1)) else { continue };
        match column {
            Some(column) => {
                column.last = at;
                column.totals.add(bar.totals);
            }
            None => *column = Some(ChartColumn { first: at, last: at, totals: bar.totals }),
        }
    }
    columns
}

/// Time as `1.25 s`, with enough digits to distinguish two samples.
pub(super) fn time(micros: u64) -> String {
    let millis = micros / 1_000;
    match millis {
        0..10_000 => format!("{}.{:02} s", millis / 1_000, millis % 1_000 / 10),
        _ => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
    }
}

/// Steps of 1, 2 or 5 times a power of ten, at least `least` long.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1.0).log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= least).unwrap_or(10.0);
    times * power
}

impl Chart {
    pub(super) fn choose_all(&mut self) {
        self.chosen = None;
    }

    pub(super) fn is_dragged(&self) -> bool {
        self.is_dragged
    }

    /// Draws the chart; returns the selected bars.
    pub(super) fn ui(&mut self, ui: &mut Ui, bars: &[Bar]) -> (usize, usize) {
        let height = (ui.available_height() * 0.3).clamp(70.0, 160.0);
        let (total, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let t = tokens(ui);
        ui.painter().rect_filled(total, 0.0, t.panel);
        ui.painter().hline(total.x_range(), total.bottom(), (1.0, t.border));
        let plot = Rect::from_min_max(total.min + vec2(MARGIN, 6.0), total.max - vec2(MARGIN, TIMES + 4.0));
        let columns = columns(bars, (plot.width() / COLUMN).max(1.0) as usize);
        let width = plot.width() / columns.len() as f32;
        let response =
            ui.interact(plot.expand2(vec2(0.0, 6.0)), Id::unique("allocation timeline"), Sense::click_and_drag());
        let under = |response: &Response| {
            let x = response.interact_pointer_pos().or(response.hover_pos())?.x;
            let at = (((x - plot.left()) / width).max(0.0) as usize).min(columns.len() - 1);
            // Between two bars, the later one.
            columns.iter().skip(at).flatten().next().or(columns.iter().flatten().last()).copied()
        };
        self.pointed(&response, under(&response));
        self.keys(ui, &response, bars.len());
        let (first, last) = self.chosen.unwrap_or((0, bars.len().saturating_sub(1)));
        let (first, last) = (first.min(bars.len() - 1), last.min(bars.len() - 1));
        // Objects from before the recording would dwarf all others, so their bar is clipped.
        let is_before = |column: &&ChartColumn| column.first == 0 && columns.len() > 1;
        let came = columns.iter().flatten().filter(|column| !is_before(column));
        let most = came.map(|column| column.totals.shallow).max().unwrap_or_default();
        let x_of = |micros: u64| {
            let end = bars.last().map_or(1, |bar| bar.micros).max(1);
            plot.left() + plot.width() * (micros as f32 / end as f32)
        };
        if self.chosen.is_some() {
            let begins = first.checked_sub(1).map_or(0, |before| bars[before].micros);
            let range = Rect::from_x_y_ranges(x_of(begins)..=x_of(bars[last].micros), plot.top()..=plot.bottom());
            ui.painter().rect_filled(range, 2.0, t.selected);
        }
        for (at, column) in columns.iter().enumerate().filter_map(|(at, column)| Some((at, column.as_ref()?))) {
            let share = (column.totals.shallow.0 as f32 / most.0.max(1) as f32).min(1.0);
            let is_chosen = column.first >= first && column.last <= last;
            let tall = if column.totals.objects > 0 { ((plot.height() - WORDS) * share).max(1.5) } else { 0.0 };
            let left = plot.left() + width * at as f32;
            let gap = if width > COLUMN * 0.9 { 1.0 } else { 0.0 };
            let bar = Rect::from_min_max(pos2(left, plot.bottom() - tall), pos2(left + width - gap, plot.bottom()));
            let color = if is_before(&column) { t.track } else { t.bar };
            ui.painter().rect_filled(bar, 1.0, if is_chosen && self.chosen.is_some() { t.accent } else { color });
        }
        axis(ui, plot, bars, most);
        let words = range_text(bars, (first, last));
        let words = elided(ui, words, fonts::small(), t.muted, plot.width() * 0.7);
        ui.painter().galley(plot.right_top() - vec2(words.size().x, 0.0), words, t.muted);
        controls::focus_ring(ui, &response, plot.expand(4.0));
        let label =
            format!("Allocation timeline: {} samples, {}", Count(bars.len() as u64), range_text(bars, (first, last)));
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &label));
        let response = response.on_hover_cursor(CursorIcon::Crosshair);
        if let Some(column) = under(&response).filter(|_| response.hovered() && !response.dragged()) {
            response.on_hover_text_at_pointer(range_text(bars, (column.first, column.last)));
        }
        (first, last)
    }

    fn pointed(&mut self, response: &Response, at: Option<ChartColumn>) {
        self.is_dragged = response.dragged();
        let Some(at) = at else { return };
        if response.drag_started() || response.clicked() {
            self.from = Some(at.first);
            self.chosen = Some((at.first, at.last));
            response.request_focus();
        } else if response.dragged()
            && let Some(from) = self.from
        {
            self.chosen = Some((from.min(at.first), from.max(at.last)));
        }
    }

    /// Left and right move the selection, with Shift its end; Escape selects all.
    fn keys(&mut self, ui: &Ui, response: &Response, bars: usize) {
        if !response.has_focus() || bars == 0 {
            return;
        }
        let arrows = egui::EventFilter { horizontal_arrows: true, escape: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let pressed = |modifiers, key| ui.input_mut(|i| i.consume_key(modifiers, key));
        let (first, last) = self.chosen.unwrap_or((0, 0));
        let most = bars - 1;
        if pressed(Modifiers::SHIFT, Key::ArrowRight) {
            self.chosen = Some((first, (last + 1).min(most)));
        } else if pressed(Modifiers::SHIFT, Key::ArrowLeft) {
            self.chosen = Some((first, last.saturating_sub(1).max(first)));
        } else if pressed(Modifiers::NONE, Key::ArrowRight) && last < most {
            self.chosen = Some(if self.chosen.is_some() { (first + 1, last + 1) } else { (0, 0) });
        } else if pressed(Modifiers::NONE, Key::ArrowLeft) && first > 0 {
            self.chosen = Some((first - 1, last - 1));
        } else if pressed(Modifiers::NONE, Key::Escape) {
            self.chosen = None;
        }
    }
}

/// Draws the time axis and the label of the tallest column.
fn axis(ui: &Ui, plot: Rect, bars: &[Bar], most: Bytes) {
    let t = tokens(ui);
    let total = bars.last().map_or(0, |bar| bar.micros) as f64;
    ui.painter().hline(plot.x_range(), plot.bottom(), (1.0, t.border));
    let step = step(total * f64::from(BETWEEN / plot.width().max(1.0)));
    let mut at = 0.0;
    while at <= total {
        let x = plot.left() + plot.width() * (at / total.max(1.0)) as f32;
        ui.painter().vline(x, plot.bottom()..=plot.bottom() + 3.0, (1.0, t.border));
        let (area, align) = if at == 0.0 { (plot.left(), Align2::LEFT_TOP) } else { (x, Align2::CENTER_TOP) };
        if x < plot.right() - 12.0 {
            ui.painter().text(pos2(area, plot.bottom() + 4.0), align, time(at as u64), fonts::small(), t.faint);
        }
        at += step;
    }
    ui.painter().text(plot.left_top(), Align2::LEFT_TOP, most.to_string(), fonts::small(), t.muted);
}

/// Description of a range: times and live objects.
pub(super) fn range_text(bars: &[Bar], (first, last): (usize, usize)) -> String {
    let mut totals = Totals::default();
    bars.get(first..=last).unwrap_or_default().iter().for_each(|bar| totals.add(bar.totals));
    let begins = first.checked_sub(1).and_then(|before| bars.get(before)).map_or(0, |bar| bar.micros);
    let ends = bars.get(last).map_or(0, |bar| bar.micros);
    let Totals { objects, shallow } = totals;
    let objects = Count(objects);
    let left = format!("{}, {shallow} {} still alive", objects.of("object", "objects"), objects.word("is", "are"));
    match ends {
        0 => format!("before the recording: {left}"),
        _ => format!("{} to {}: {left}", time(begins), time(ends)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(micros: u64, objects: u64) -> Bar {
        let totals = Totals { objects, shallow: Bytes(objects * 10) };
        Bar { micros, above: 0, last: 0, totals }
    }

    #[test]
    fn narrow_bars_are_merged_without_loss() {
        let bars: Vec<Bar> = (1..=1_000).map(|at| bar(at * 50_000, at)).collect();
        for most in [1, 7, 100, 999, 1_000, 5_000] {
            let columns = columns(&bars, most);
            assert!(columns.len() <= most);
            let objects: u64 = columns.iter().flatten().map(|column| column.totals.objects).sum();
            assert_eq!(objects, 500_500);
            let mut next = 0;
            for column in columns.iter().flatten() {
                assert_eq!(column.first, next);
                next = column.last + 1;
            }
            assert_eq!(next, bars.len());
        }
        assert_eq!(columns(&[bar(0, 3)], 10).len(), 1);
    }

    #[test]
    fn time_labels_are_at_round_steps() {
        let steps = [1.0, 3.0, 40_000.0, 60_000.0].map(|least| step(least) as u64);
        assert_eq!(steps, [1, 5, 50_000, 100_000]);
        assert_eq!(
            [time(0), time(50_000), time(1_259_000), time(12_340_000)],
            ["0.00 s", "0.05 s", "1.25 s", "12.3 s"]
        );
    }
}
