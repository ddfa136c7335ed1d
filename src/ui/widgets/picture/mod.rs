//! Chart of a tree: treemap, icicle or sunburst. The layout changes only with data, size or colours; a frame draws one
//! mesh and the texts that fit, and finds the cell under the pointer. The largest cells have names for screen readers;
//! all can be reached by keys.

mod area;
mod caption;
mod hatch;
mod icicle;
mod keys;
mod labels;
mod layout;
mod mesh;
mod sunburst;
mod treemap;

use std::cell::RefCell;
use std::sync::Arc;

use eframe::egui;
use egui::{Id, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, UiBuilder};

pub use self::area::Node;
use self::area::{Area, hit};
pub use self::caption::{Caption, CaptionDetail};
pub use self::hatch::hatching;
pub use self::keys::Step;
use self::layout::lay_out;
pub use self::layout::{levels, min_share};
use crate::ui::theme::tokens::Hue;
use crate::ui::theme::{Tokens, fonts, tokens};
use crate::ui::tooltips;
use crate::view::chart::Kind;
use heaplens_tables::export::printable::{one_line, shortened};

/// Number of cells with names for screen readers.
const NAMED: usize = 50;
/// Seconds until the label of the cell under the pointer is requested.
const REST: f64 = 0.1;

/// Content of a chart in one frame.
pub struct Picture<'a> {
    /// Name for screen readers, unique in the window.
    pub name: &'a str,
    /// Kind of chart.
    pub kind: Kind,
    /// Cells.
    pub nodes: &'a [Node],
    /// Changes whenever cells or colours change.
    pub version: u64,
    /// Colour of each cell.
    pub hue: &'a dyn Fn(usize) -> Hue,
    /// True for hatched cells: removed objects.
    pub hatched: &'a dyn Fn(usize) -> bool,
    /// Selected cell.
    pub chosen: Option<usize>,
}

/// Returns the text about a cell.
type Captions<'a> = &'a mut dyn FnMut(usize, CaptionDetail) -> Caption;

/// User input on the chart in this frame.
#[derive(Debug, Default, Clone, Copy)]
pub struct Output {
    /// Clicked cell.
    pub clicked: Option<usize>,
    /// Double-clicked cell.
    pub activated: Option<usize>,
}

/// A layout and the input that it was computed from.
struct CachedLayout {
    key: (Kind, Rect, u64, bool, u32),
    areas: Vec<Area>,
    mesh: Arc<Mesh>,
    spots: Vec<labels::Spot>,
    biggest: Vec<usize>,
}

/// State of a chart across frames.
#[derive(Default)]
pub struct State {
    cached: Option<CachedLayout>,
    /// Cell under the pointer, and since when (seconds).
    hovered: Option<(usize, f64)>,
}

impl State {
    /// Action of a key, relative to the selected cell.
    pub fn take_keys(&self, ui: &Ui, nodes: &[Node], chosen: Option<usize>) -> Option<Step> {
        let areas = self.cached.as_ref().map(|cached| &cached.areas[..]).filter(|areas| areas.len() == nodes.len())?;
        keys::take(ui, nodes, areas, chosen)
    }
}

impl Picture<'_> {
    /// Draws the chart into `canvas`. `caption` returns the text about a cell.
    pub fn ui(&self, ui: &mut Ui, canvas: Rect, state: &mut State, caption: Captions<'_>) -> Output {
        let id = Id::unique(("picture", self.name));
        let tokens = tokens(ui);
        self.update(ui, canvas, state);
        let Some(cached) = &state.cached else { return Output::default() };
        let named = self.names_ui(ui, id, canvas, cached, caption);
        // Above the named widgets, so that the pointer hits only the chart.
        let response = ui.interact(canvas, id.with("pointer"), Sense::CLICK);
        let under = |pos: Option<Pos2>| pos.and_then(|pos| hit(self.nodes, &cached.areas, pos));
        let hovered = under(response.hover_pos());

        let painter = ui.painter_at(canvas);
        painter.add(Shape::Mesh(Arc::clone(&cached.mesh)));
        for spot in &cached.spots {
            let hue = self.hue_of(spot.cell, &cached.areas[spot.cell], tokens);
            labels::paint(ui, spot, &caption(spot.cell, CaptionDetail::Drawn), hue.ink);
        }
        let ring = |cell: usize, stroke: Stroke| {
            if let Some(area) = cached.areas.get(cell) {
                painter.add(Shape::closed_line(mesh::edge(area), stroke));
            }
        };
        if let Some(cell) = hovered.filter(|&cell| cell > 0) {
            ring(cell, Stroke::new(1.0, tokens.text));
        }
        if let Some(cell) = self.chosen.filter(|&cell| cached.areas.get(cell).is_some_and(Area::is_seen)) {
            ring(cell, Stroke::new(3.5, tokens.surface));
            ring(cell, Stroke::new(2.0, tokens.text));
        }
        hover_ui(ui, id, hovered, &mut state.hovered, caption);
        if hovered.is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.clicked() {
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        let pointed = under(response.interact_pointer_pos());
        let clicked = if response.clicked() { pointed } else { named };
        Output { clicked, activated: pointed.filter(|_| response.double_clicked()) }
    }

    /// Fill colour of a cell; cells behind their children are tinted only slightly.
    fn hue_of(&self, cell: usize, area: &Area, tokens: &Tokens) -> Hue {
        let hue = (self.hue)(cell);
        let is_behind = matches!(area, Area::Rect(_, header) if *header > 0.0 && header.is_finite());
        if is_behind { tokens.tint(hue) } else { hue }
    }

    /// Computes the layout again if its input has changed.
    fn update(&self, ui: &Ui, canvas: Rect, state: &mut State) {
        let tokens = tokens(ui);
        let scale = ui.pixels_per_point();
        let key = (self.kind, canvas, self.version, tokens.dark, scale.to_bits());
        if state.cached.as_ref().is_some_and(|cached| cached.key == key) {
            return;
        }
        let areas = lay_out(self.kind, self.nodes, canvas);
        let fill = |cell: usize| self.hue_of(cell, &areas[cell], tokens).fill;
        let mut mesh = mesh::of(self.kind, &areas, fill, scale);
        for cell in (0..areas.len()).filter(|&cell| (self.hatched)(cell)) {
            hatch::add(&mut mesh, &areas[cell], hatch_color(tokens));
        }
        let mesh = Arc::new(mesh);
        let spots = labels::spots(self.kind, self.nodes, &areas);
        let mut biggest: Vec<usize> = (1..areas.len()).filter(|&cell| areas[cell].is_seen()).collect();
        // Ties are broken by index, so that the named cells are stable.
        biggest.sort_by(|&a, &b| self.nodes[b].weight.cmp(&self.nodes[a].weight).then(a.cmp(&b)));
        biggest.truncate(NAMED);
        state.hovered = None;
        state.cached = Some(CachedLayout { key, areas, mesh, spots, biggest });
    }

    /// Names the largest cells for screen readers; returns the cell activated by one.
    fn names_ui(
        &self,
        ui: &mut Ui,
        id: Id,
        canvas: Rect,
        cached: &CachedLayout,
        caption: Captions<'_>,
    ) -> Option<usize> {
        let total = ui.interact(canvas, id, Sense::HOVER);
        total.widget_info(|| egui::WidgetInfo::labeled(Role::Tree, true, self.name));
        let mut inner = ui.new_child(UiBuilder::new().id_salt(id).max_rect(canvas).accessibility_parent(id));
        inner.set_clip_rect(canvas);
        // Texts are created only if a screen reader is active; the closure that does so cannot borrow mutably.
        let caption = RefCell::new(caption);
        let mut chosen = None;
        for (n, &cell) in cached.biggest.iter().enumerate() {
            let area = cached.areas[cell];
            // For an arc, a small area around its centre: its bounding rectangle may cover other cells.
            let target = match area {
                Area::Arc(_) => Rect::from_center_size(mesh::middle(&area), egui::Vec2::splat(6.0)),
                area => area.bounds(),
            };
            let response = inner.interact(target, id.with(("cell", n)), Sense::CLICK);
            response.widget_info(|| {
                let text = (caption.borrow_mut())(cell, CaptionDetail::Drawn).plain();
                egui::WidgetInfo::selected(Role::TreeItem, true, self.chosen == Some(cell), text)
            });
            if response.clicked() {
                chosen = Some(cell);
            }
        }
        chosen
    }
}

/// Colour of stripes, weak enough for readable text.
pub fn hatch_color(tokens: &Tokens) -> egui::Color32 {
    tokens.surface.lerp_to_gamma(tokens.shrank, if tokens.dark { 0.42 } else { 0.38 })
}

/// Shows the tooltip of the cell under the pointer; with its label once the pointer rests.
fn hover_ui(ui: &Ui, id: Id, hovered: Option<usize>, since: &mut Option<(usize, f64)>, caption: Captions<'_>) {
    let now = ui.input(|i| i.time);
    let Some(cell) = hovered else {
        *since = None;
        return;
    };
    let began = match *since {
        Some((before, began)) if before == cell => began,
        _ => {
            *since = Some((cell, now));
            now
        }
    };
    let is_resting = now - began >= REST;
    if !is_resting {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(REST));
    }
    if tooltips::are_hidden(ui.ctx()) {
        return;
    }
    let caption = caption(cell, if is_resting { CaptionDetail::Long } else { CaptionDetail::Bare });
    let tip = egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id.with("tip"), egui::PopupAnchor::Pointer);
    tip.gap(14.0).show(|ui| tip_ui(ui, &caption));
}

fn tip_ui(ui: &mut Ui, caption: &Caption) {
    let t = tokens(ui);
    ui.set_max_width(420.0);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        if !caption.lead.is_empty() {
            ui.label(egui::RichText::new(caption.lead).color(t.label));
        }
        if !caption.before.is_empty() {
            ui.label(egui::RichText::new(one_line(&caption.before)).color(t.muted));
        }
        ui.label(egui::RichText::new(one_line(&caption.name)).font(fonts::medium()).color(t.text));
        if !caption.label.is_empty() {
            let label = shortened(&caption.label, 160);
            ui.add_space(8.0);
            ui.label(egui::RichText::new(label).color(t.label));
        }
    });
    let size = [caption.size.as_str(), &caption.share].into_iter().filter(|s| !s.is_empty());
    ui.label(egui::RichText::new(size.collect::<Vec<_>>().join(" · ")).color(t.text));
    for line in &caption.more {
        ui.label(egui::RichText::new(line).font(fonts::small()).color(t.muted));
    }
}

#[cfg(test)]
mod tests;
