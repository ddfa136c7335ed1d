//! Memory over time: the whole heap as an area, the growth of classes as lines.

use eframe::egui;
use egui::{Align2, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, pos2, vec2};

use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::elided;
use heaplens_base::{Bytes, Count};
use heaplens_take::watch::{ClassSeries, History};

const MARGIN: f32 = 12.0;
/// Height of the words above the chart, in points.
const WORDS: f32 = 18.0;
/// Height of the times below the chart, in points.
const TIMES: f32 = 18.0;
/// Height of a line of the legend, in points.
const LEGEND: f32 = 18.0;
/// Width of the legend, in points.
const NAMES: f32 = 260.0;

/// Draws the chart.
pub(super) fn ui(ui: &mut Ui, history: &History, classes: &[&ClassSeries]) {
    let t = tokens(ui);
    let height = (ui.available_height() * 0.42).clamp(130.0, 260.0);
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::HOVER);
    ui.painter().rect_filled(full, 0.0, t.panel);
    ui.painter().hline(full.x_range(), full.bottom(), (1.0, t.border));
    let names = if classes.is_empty() || full.width() < 2.5 * NAMES { 0.0 } else { NAMES };
    let plot = Rect::from_min_max(full.min + vec2(MARGIN, 8.0 + WORDS), full.max - vec2(MARGIN + names, TIMES + 6.0));
    let rounds = history.rounds();
    let (Some(first), Some(last)) = (rounds.first(), rounds.last()) else { return };
    let used: Vec<u64> = rounds.iter().map(|round| round.used.map_or(0, |used| used.0)).collect();
    let most = used.iter().copied().max().unwrap_or(0).max(1);
    // What grew is small beside the heap: lines have a scale of their own, which the words at the right say.
    let growth = |series: &ClassSeries| -> Vec<u64> {
        let first = series.bytes.first().copied().unwrap_or(0);
        series.bytes.iter().map(|bytes| bytes.saturating_sub(first)).collect()
    };
    let lines: Vec<Vec<u64>> = classes.iter().map(|series| growth(series)).collect();
    let most_grown = lines.iter().flatten().copied().max().unwrap_or(0).max(1);
    let span = last.at.saturating_sub(first.at).as_secs_f32();
    let x = |at: usize| match rounds.get(at) {
        Some(round) if span > 0.0 => {
            plot.left() + plot.width() * (round.at.saturating_sub(first.at).as_secs_f32() / span)
        }
        _ => plot.left(),
    };
    let y = |bytes: u64, most: u64| plot.bottom() - plot.height() * (bytes as f64 / most as f64) as f32;
    let mut area = Mesh::default();
    let fill = t.panel.lerp_to_gamma(t.bar, 0.35);
    for at in 1..used.len() {
        let base = area.vertices.len() as u32;
        for point in [at - 1, at] {
            area.colored_vertex(pos2(x(point), y(used[point], most)), fill);
            area.colored_vertex(pos2(x(point), plot.bottom()), fill);
        }
        area.add_triangle(base, base + 1, base + 2);
        area.add_triangle(base + 1, base + 2, base + 3);
    }
    ui.painter().add(Shape::mesh(area));
    // A mesh has steps at its edge; a line hides them.
    let edge: Vec<Pos2> = used.iter().enumerate().map(|(at, &bytes)| pos2(x(at), y(bytes, most))).collect();
    ui.painter().add(Shape::line(edge, Stroke::new(1.0, t.bar)));
    ui.painter().hline(plot.x_range(), plot.bottom(), (1.0, t.border));
    for (point, line) in lines.iter().enumerate() {
        let color = t.hues[point % t.hues.len()].fill;
        let points: Vec<Pos2> = line.iter().enumerate().map(|(at, &bytes)| pos2(x(at), y(bytes, most_grown))).collect();
        ui.painter().add(Shape::line(points, Stroke::new(1.8, color)));
    }
    let small = fonts::small;
    let heap = format!("heap, up to {}", Bytes(most));
    ui.painter().text(plot.left_top() - vec2(0.0, WORDS), Align2::LEFT_TOP, heap, small(), t.muted);
    if !classes.is_empty() {
        let words = format!("growth of classes, up to {}", Bytes(most_grown));
        ui.painter().text(plot.right_top() - vec2(0.0, WORDS), Align2::RIGHT_TOP, words, small(), t.muted);
    }
    let bottom = plot.bottom() + 4.0;
    ui.painter().text(pos2(plot.left(), bottom), Align2::LEFT_TOP, "0:00", small(), t.faint);
    ui.painter().text(pos2(plot.right(), bottom), Align2::RIGHT_TOP, clock(span as u64), small(), t.faint);
    if names > 0.0 {
        for (point, series) in classes.iter().enumerate() {
            let left = pos2(plot.right() + MARGIN, full.top() + MARGIN + LEGEND * point as f32);
            let hue = t.hues[point % t.hues.len()].fill;
            ui.painter().circle_filled(left + vec2(4.0, 10.0), 4.0, hue);
            let name = elided(ui, series.class.clone(), small(), t.text, NAMES - 30.0);
            ui.painter().galley(left + vec2(14.0, 1.0), name, t.text);
        }
    }
    let rounds = Count(rounds.len() as u64).of("round", "rounds");
    let label = format!("Memory over time: {rounds}, heap up to {}", Bytes(most));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &label));
}

/// Time as `1:05`, with hours where there are some.
fn clock(seconds: u64) -> String {
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}
