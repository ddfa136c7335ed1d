//! A tree as a picture: treemap, icicle or sunburst. The picture is laid out
//! when its data, its size or its colours change; a frame hands on one mesh,
//! writes the texts that fit and looks where the pointer is. Its biggest cells
//! have names for screen readers; all can be walked to by keys.

mod area;
mod hatch;
mod icicle;
mod keys;
mod labels;
mod mesh;
mod sunburst;
mod treemap;

use std::cell::RefCell;
use std::sync::Arc;

use eframe::egui;
use egui::{Id, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, UiBuilder};

use self::area::{Area, hit, lay_out};
pub use self::area::{Kind, Node};
pub use self::hatch::hatching;
pub use self::keys::Step;
use crate::ui::theme::tokens::Hue;
use crate::ui::theme::{Tokens, fonts, tokens};

/// Cells with a name for screen readers.
const NAMED: usize = 50;
/// Labels are asked for once the pointer has stayed on a cell so long, in seconds.
const SETTLED: f64 = 0.1;

/// A picture, as it is this frame.
pub struct Picture<'a> {
    /// Its name to screen readers, unique in the window.
    pub name: &'a str,
    /// How it is drawn.
    pub kind: Kind,
    /// The cells.
    pub nodes: &'a [Node],
    /// Another number whenever cells or colours are others.
    pub version: u64,
    /// The colour of each cell.
    pub hue: &'a dyn Fn(usize) -> Hue,
    /// Which cells are hatched: what is not there any more.
    pub hatched: &'a dyn Fn(usize) -> bool,
    /// The chosen cell.
    pub chosen: Option<usize>,
}

/// What a cell is called.
#[derive(Debug, Clone, Default)]
pub struct Caption {
    /// What kind of thing it is, where the name does not say.
    pub lead: &'static str,
    /// In front of the name where there is much room: the package.
    pub before: String,
    /// What it is.
    pub name: String,
    /// What people recognise it by.
    pub label: String,
    /// How big it is.
    pub size: String,
    /// How big a part of all.
    pub share: String,
    /// What else there is to say when it is pointed at.
    pub more: Vec<String>,
}

impl Caption {
    /// As one line.
    pub fn plain(&self) -> String {
        let name = format!("{}{}{}", self.lead, self.before, self.name);
        let name = if self.label.is_empty() { name } else { format!("{name} {}", self.label) };
        [name.as_str(), &self.size, &self.share].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// How much of a caption is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// What is at hand.
    Bare,
    /// What is drawn: what has to be read for it comes later.
    Drawn,
    /// All there is to say.
    Long,
}

/// What the person did.
#[derive(Debug, Default, Clone, Copy)]
pub struct Output {
    /// A cell was clicked.
    pub clicked: Option<usize>,
    /// A cell was double-clicked.
    pub activated: Option<usize>,
}

/// A picture as it was laid out, and for what.
struct Kept {
    question: (Kind, Rect, u64, bool, u32),
    areas: Vec<Area>,
    mesh: Arc<Mesh>,
    spots: Vec<labels::Spot>,
    biggest: Vec<usize>,
}

/// The state of a picture from frame to frame.
#[derive(Default)]
pub struct State {
    kept: Option<Kept>,
    /// The cell under the pointer, and since when.
    hovered: Option<(usize, f64)>,
}

impl State {
    /// What keys ask for, from the chosen cell on.
    pub fn take_keys(&self, ui: &Ui, nodes: &[Node], chosen: Option<usize>) -> Option<Step> {
        let areas = self.kept.as_ref().map(|kept| &kept.areas[..]).filter(|areas| areas.len() == nodes.len())?;
        keys::take(ui, nodes, areas, chosen)
    }
}

/// How many levels below the top a picture of this size shows at most.
pub fn levels(kind: Kind, size: egui::Vec2) -> u32 {
    match kind {
        Kind::Treemap => treemap::LEVELS,
        Kind::Icicle => icicle::levels(size.y),
        Kind::Sunburst => sunburst::levels(Rect::from_min_size(Pos2::ZERO, size)),
    }
}

/// The least part of the whole that a picture of this size shows.
pub fn least(kind: Kind, size: egui::Vec2) -> f64 {
    let points = match kind {
        Kind::Treemap => size.x * size.y / 40.0,
        Kind::Icicle => size.x / 3.0,
        Kind::Sunburst => sunburst::radii(Rect::from_min_size(Pos2::ZERO, size)).0 * std::f32::consts::TAU / 3.0,
    };
    1.0 / f64::from(points.max(1.0))
}

impl Picture<'_> {
    /// Draws the picture into `room`. `caption` says what a cell is called.
    pub fn ui(
        &self,
        ui: &mut Ui,
        room: Rect,
        state: &mut State,
        caption: &mut dyn FnMut(usize, Wanted) -> Caption,
    ) -> Output {
        let id = Id::unique(("picture", self.name));
        let tokens = tokens(ui);
        self.keep(ui, room, state);
        let Some(kept) = &state.kept else { return Output::default() };
        let named = self.names_ui(ui, id, room, kept, caption);
        // On top of what has names, so that the pointer meets the picture alone.
        let response = ui.interact(room, id.with("pointer"), Sense::CLICK);
        let under = |pos: Option<Pos2>| pos.and_then(|pos| hit(self.nodes, &kept.areas, pos));
        let hovered = under(response.hover_pos());

        let painter = ui.painter_at(room);
        painter.add(Shape::Mesh(Arc::clone(&kept.mesh)));
        for spot in &kept.spots {
            let hue = self.hue_of(spot.cell, &kept.areas[spot.cell], tokens);
            labels::paint(ui, spot, &caption(spot.cell, Wanted::Drawn), hue.ink);
        }
        let ring = |cell: usize, stroke: Stroke| {
            if let Some(area) = kept.areas.get(cell) {
                painter.add(Shape::closed_line(mesh::edge(area), stroke));
            }
        };
        if let Some(cell) = hovered.filter(|&cell| cell > 0) {
            ring(cell, Stroke::new(1.0, tokens.text));
        }
        if let Some(cell) = self.chosen.filter(|&cell| kept.areas.get(cell).is_some_and(Area::is_seen)) {
            ring(cell, Stroke::new(3.5, tokens.surface));
            ring(cell, Stroke::new(2.0, tokens.text));
        }
        hover_ui(ui, id, hovered, &mut state.hovered, caption);
        if hovered.is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        let pointed = response.interact_pointer_pos();
        let clicked = if response.clicked() { under(pointed) } else { named };
        if response.clicked() {
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        let activated = if response.double_clicked() { under(pointed) } else { None };
        Output { clicked, activated }
    }

    /// A cell in the colour it is drawn in: what others lie in is hardly coloured.
    fn hue_of(&self, cell: usize, area: &Area, tokens: &Tokens) -> Hue {
        let hue = (self.hue)(cell);
        let is_behind = matches!(area, Area::Rect(_, header) if *header > 0.0 && header.is_finite());
        if is_behind { tokens.tint(hue) } else { hue }
    }

    /// Lays the picture out if it is not the one that was.
    fn keep(&self, ui: &Ui, room: Rect, state: &mut State) {
        let tokens = tokens(ui);
        let scale = ui.pixels_per_point();
        let question = (self.kind, room, self.version, tokens.dark, scale.to_bits());
        if state.kept.as_ref().is_some_and(|kept| kept.question == question) {
            return;
        }
        let areas = lay_out(self.kind, self.nodes, room);
        let fill = |cell: usize| self.hue_of(cell, &areas[cell], tokens).fill;
        let mut mesh = mesh::of(self.kind, &areas, fill, scale);
        for cell in (0..areas.len()).filter(|&cell| (self.hatched)(cell)) {
            hatch::add(&mut mesh, &areas[cell], hatch_color(tokens));
        }
        let mesh = Arc::new(mesh);
        let spots = labels::spots(self.kind, self.nodes, &areas);
        let mut biggest: Vec<usize> = (1..areas.len()).filter(|&cell| areas[cell].is_seen()).collect();
        // The order of cells breaks ties, so that names do not wander.
        biggest.sort_by(|&a, &b| self.nodes[b].weight.cmp(&self.nodes[a].weight).then(a.cmp(&b)));
        biggest.truncate(NAMED);
        state.hovered = None;
        state.kept = Some(Kept { question, areas, mesh, spots, biggest });
    }

    /// Names for screen readers; the cell one of them chose.
    fn names_ui(
        &self,
        ui: &mut Ui,
        id: Id,
        room: Rect,
        kept: &Kept,
        caption: &mut dyn FnMut(usize, Wanted) -> Caption,
    ) -> Option<usize> {
        let whole = ui.interact(room, id, Sense::HOVER);
        whole.widget_info(|| egui::WidgetInfo::labeled(Role::Tree, true, self.name));
        let mut inner = ui.new_child(UiBuilder::new().id_salt(id).max_rect(room).accessibility_parent(id));
        inner.set_clip_rect(room);
        // Texts are made where somebody reads them: that is asked in a closure that changes nothing.
        let caption = RefCell::new(caption);
        let mut chosen = None;
        for (n, &cell) in kept.biggest.iter().enumerate() {
            let area = kept.areas[cell];
            // Around its middle: a reader that points there means this cell, as far as it is free.
            let place = match area {
                Area::Arc(_) => Rect::from_center_size(mesh::middle(&area), egui::Vec2::splat(6.0)),
                area => area.bounds(),
            };
            let response = inner.interact(place, id.with(("cell", n)), Sense::CLICK);
            response.widget_info(|| {
                let text = (caption.borrow_mut())(cell, Wanted::Drawn).plain();
                egui::WidgetInfo::selected(Role::TreeItem, true, self.chosen == Some(cell), text)
            });
            if response.clicked() {
                chosen = Some(cell);
            }
        }
        chosen
    }
}

/// The colour of stripes, through which text is still read.
pub fn hatch_color(tokens: &Tokens) -> egui::Color32 {
    tokens.surface.lerp_to_gamma(tokens.shrank, if tokens.dark { 0.42 } else { 0.38 })
}

/// Names the cell under the pointer; its label once the pointer has stayed there.
fn hover_ui(
    ui: &Ui,
    id: Id,
    hovered: Option<usize>,
    since: &mut Option<(usize, f64)>,
    caption: &mut dyn FnMut(usize, Wanted) -> Caption,
) {
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
    let settled = now - began >= SETTLED;
    if !settled {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(SETTLED));
    }
    let caption = caption(cell, if settled { Wanted::Long } else { Wanted::Bare });
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
            ui.label(egui::RichText::new(&caption.before).color(t.muted));
        }
        ui.label(egui::RichText::new(&caption.name).font(fonts::medium()).color(t.text));
        if !caption.label.is_empty() {
            let label: String = caption.label.chars().take(160).map(|c| if c.is_control() { ' ' } else { c }).collect();
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
