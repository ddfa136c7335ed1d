//! Key figures of the dump, one tile each; in a comparison with the change since the baseline.

use eframe::egui::{self, Align2, Color32, Rect, Sense, Ui, vec2};

use super::{CORNER, GAP, OverviewPage, help};
use crate::ui::theme::{Tokens, fonts, tokens};
use crate::ui::widgets::definition;
use heaplens_analysis::overview::{Target, Totals};
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta};

/// A key figure.
struct Tile {
    /// Its name and definition.
    name: (&'static str, &'static str),
    figure: String,
    /// Change since the baseline, and its sign; `None` also if there is no change.
    change: Option<(String, i64)>,
    target: Target,
}

impl Tile {
    fn new(name: (&'static str, &'static str), figure: &impl ToString, target: Target) -> Self {
        Self { name, figure: figure.to_string(), change: None, target }
    }

    fn size(name: (&'static str, &'static str), now: Bytes, then: Option<Bytes>, target: Target) -> Self {
        let change = then.map(|then| ByteDelta::between(then, now)).filter(|delta| delta.0 != 0);
        let change = change.map(|delta| (delta.to_string(), delta.0));
        Self { change, ..Self::new(name, &now, target) }
    }

    fn count(name: (&'static str, &'static str), now: u64, then: Option<u64>, target: Target) -> Self {
        let change = then.map(|then| CountDelta::between(then, now)).filter(|delta| delta.0 != 0);
        let change = change.map(|delta| (delta.to_string(), delta.0));
        Self { change, ..Self::new(name, &Count(now), target) }
    }

    fn color(sign: i64, t: &Tokens) -> Color32 {
        if sign > 0 { t.grew } else { t.shrank }
    }

    /// Name for screen readers.
    fn spoken(&self) -> String {
        let change = self.change.as_ref().map(|(text, _)| format!(", {text} since the baseline")).unwrap_or_default();
        format!("{}: {}{change}", self.name.0, self.figure)
    }
}

impl OverviewPage {
    fn tiles(&self) -> Vec<Tile> {
        let now = self.known.glance.totals;
        let then = self.before.get().map(|glance| glance.totals);
        let size = |name, of: fn(Totals) -> Bytes, target| Tile::size(name, of(now), then.map(of), target);
        let count = |name, of: fn(Totals) -> u64, target| Tile::count(name, of(now), then.map(of), target);
        let mut tiles = vec![
            size(help::REACHABLE, |totals| totals.shallow, Target::Histogram),
            count(help::OBJECTS, |totals| totals.objects, Target::Histogram),
            size(help::UNREACHABLE, |totals| totals.unreachable, Target::Histogram),
            count(help::REFERENCES, |totals| totals.references, Target::Histogram),
            count(help::CLASSES, |totals| totals.classes, Target::Histogram),
        ];
        if let Some((nodes, bytes)) = self.known.glance.detached {
            let native = self.known.glance.memory.iter().filter(|(kind, _)| kind.is_native());
            let native: Bytes = native.map(|&(_, bytes)| bytes).sum();
            let then = self.before.get().and_then(|glance| glance.detached);
            tiles.extend([
                Tile::new(help::NATIVE, &native, Target::Histogram),
                Tile::count(help::DETACHED_NODES, nodes, then.map(|(nodes, _)| nodes), Target::Histogram),
                Tile::size(help::DETACHED_BYTES, bytes, then.map(|(_, bytes)| bytes), Target::Histogram),
            ]);
        } else {
            let closer = self.known.closer.as_ref();
            let threads = closer.map_or_else(|| "…".to_owned(), |closer| Count(closer.thread_count).to_string());
            let outside = self.known.glance.outside.bytes().to_string();
            tiles.extend([
                count(help::LOADERS, |totals| totals.loaders, Target::Loaders),
                count(help::ROOTS, |totals| totals.gc_roots, Target::Roots),
                Tile::new(help::THREADS, &threads, Target::Threads(None)),
                Tile::new(help::OUTSIDE, &outside, Target::Histogram),
            ]);
        }
        tiles
    }

    pub(super) fn tiles_ui(&mut self, ui: &mut Ui) {
        let tiles = self.tiles();
        let width = ui.available_width();
        // Changes need room beside the figures.
        let wide = if tiles.iter().any(|tile| tile.change.is_some()) { 1_240.0 } else { 940.0 };
        let per_row = if width >= wide { tiles.len() } else { tiles.len().div_ceil(2) };
        let size = vec2((width - 8.0 * (per_row - 1) as f32) / per_row as f32, 52.0);
        for row in tiles.chunks(per_row) {
            let (rect, _) = ui.allocate_exact_size(vec2(width, size.y), Sense::HOVER);
            for (at, tile) in row.iter().enumerate() {
                let area = Rect::from_min_size(rect.min + vec2((size.x + 8.0) * at as f32, 0.0), size);
                self.tile_ui(ui, area, tile);
            }
            ui.add_space(8.0);
        }
        ui.add_space(GAP - 4.0);
    }

    fn tile_ui(&mut self, ui: &Ui, area: Rect, tile: &Tile) {
        let t = tokens(ui);
        let (name, about) = tile.name;
        ui.painter().rect_filled(area, f32::from(CORNER), t.panel);
        ui.painter().text(area.min + vec2(10.0, 8.0), Align2::LEFT_TOP, name, fonts::small(), t.faint);
        let at = area.min + vec2(10.0, 26.0);
        let figure = ui.painter().text(at, Align2::LEFT_TOP, &tile.figure, fonts::medium(), t.text);
        if let Some((text, sign)) = &tile.change {
            let color = Tile::color(*sign, t);
            let change = ui.painter().layout_no_wrap(text.clone(), fonts::small(), color);
            // Without room for it, the tooltip and the name for screen readers have it.
            if figure.right() + 8.0 + change.size().x <= area.right() - 6.0 {
                let at = egui::pos2(figure.right() + 8.0, figure.center().y - change.size().y / 2.0 + 0.5);
                ui.painter().galley(at, change, color);
            }
        }
        let response = ui.interact(area, egui::Id::unique(("figure of the overview", name)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, tile.spoken()));
        if response.hovered() || response.has_focus() {
            let stroke = (1.0, if response.has_focus() { t.accent } else { t.edge });
            ui.painter().rect_stroke(area, f32::from(CORNER), stroke, egui::StrokeKind::Inside);
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.clicked() {
            self.rows.choose(tile.target);
        }
        let change = tile.change.as_ref().map(|(text, _)| format!(". {text} since the baseline"));
        definition::tooltip(response, name, &format!("{about}{}", change.unwrap_or_default()));
    }
}
