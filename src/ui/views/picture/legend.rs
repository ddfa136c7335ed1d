//! Legend: colours of a chart with their meaning and bytes.

use std::collections::BTreeMap;

use eframe::egui::{self, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::colour::{self, ColourBy, ColourRole};
use crate::ui::theme::tokens::LEVELS;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::elided;
use crate::ui::widgets::picture::{hatch_color, hatching};
use heaplens_base::{Bytes, Count};
use heaplens_heap::split_class;

/// Height of the legend, in points.
pub(super) const HEIGHT: f32 = 30.0;
/// Maximum number of names listed for a colour.
const LISTED: usize = 14;
/// Maximum width of a name, in points.
const MAX_WIDTH: f32 = 150.0;

/// Bytes by colour and kind, of everything below the root of a chart, drawn or not.
pub(super) type ColourTotals = BTreeMap<ColourRole, BTreeMap<String, u64>>;

/// Totals of kinds by name, which determines their colour.
pub(super) fn of_names(names: impl Iterator<Item = (String, u64)>) -> ColourTotals {
    let mut totals = ColourTotals::new();
    for (name, bytes) in names {
        *totals.entry(colour::of_name(&name)).or_default().entry(name).or_default() += bytes;
    }
    totals
}

/// Totals of colours that have one meaning each.
pub(super) fn of_roles(roles: BTreeMap<ColourRole, u64>) -> ColourTotals {
    let name = |role: ColourRole| match role {
        ColourRole::Level(depth) if depth as usize >= LEVELS => format!("Level {LEVELS} and below"),
        ColourRole::Level(depth) => format!("Level {depth}"),
        role => role.label().unwrap_or_default().to_owned(),
    };
    roles.into_iter().map(|(role, bytes)| (role, BTreeMap::from([(name(role), bytes)]))).collect()
}

/// A colour and its kinds, largest first.
struct Entry {
    paint: ColourRole,
    bytes: u64,
    kinds: Vec<(String, u64)>,
}

/// Colours, most bytes first.
pub(super) struct Legend {
    entries: Vec<Entry>,
    /// True if kinds are classes, whose package is omitted.
    of_classes: bool,
}

impl Legend {
    /// Sorts the colours of totals.
    pub(super) fn new(totals: ColourTotals, by: ColourBy) -> Self {
        let entry = |(paint, kinds): (ColourRole, BTreeMap<String, u64>)| {
            let mut kinds: Vec<(String, u64)> = kinds.into_iter().filter(|kind| kind.1 > 0).collect();
            kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            Entry { paint, bytes: kinds.iter().map(|kind| kind.1).sum(), kinds }
        };
        let mut entries: Vec<Entry> = totals.into_iter().map(entry).filter(|entry| entry.bytes > 0).collect();
        match by {
            ColourBy::Class | ColourBy::Package => entries.sort_by_key(|entry| std::cmp::Reverse(entry.bytes)),
            ColourBy::Growth => entries.sort_by_key(|entry| entry.paint.legend_index()),
            ColourBy::Depth => {}
        }
        Self { entries, of_classes: by == ColourBy::Class }
    }

    /// Draws as many colours as fit on one line. `has_rest` adds the colour of cells of several kinds, which have no
    /// total: their number depends on the space.
    pub(super) fn ui(&self, ui: &Ui, area: Rect, has_rest: bool) {
        let t = tokens(ui);
        let painter = ui.painter_at(area);
        let (mut left, middle) = (area.left(), area.center().y);
        // Changes form a scale, which always fits without figures; the largest ones have figures as long as these fit.
        let is_scale = self.entries.iter().any(|entry| entry.paint.label().is_some());
        let between = if is_scale { 13.0 } else { 18.0 };
        let wide = |text: String| ui.painter().layout_no_wrap(text, fonts::small(), t.muted).size().x;
        let label = |entry: &Entry| entry.paint.label().unwrap_or_default().to_owned();
        let mut room = area.width() - self.entries.iter().map(|entry| 16.0 + wide(label(entry)) + between).sum::<f32>();
        let mut figures = vec![!is_scale; self.entries.len()];
        let mut largest: Vec<usize> = (0..self.entries.len()).filter(|_| is_scale).collect();
        largest.sort_by_key(|&n| std::cmp::Reverse(self.entries[n].bytes));
        for n in largest {
            room -= 7.0 + wide(Bytes(self.entries[n].bytes).to_string());
            figures[n] = room >= 0.0;
        }
        let rest = Entry { paint: ColourRole::Rest, bytes: 0, kinds: vec![("Too small to draw".to_owned(), 0)] };
        for (n, entry) in self.entries.iter().chain(has_rest.then_some(&rest)).enumerate() {
            let Some((name, _)) = entry.kinds.first() else { continue };
            let is_class = self.of_classes && matches!(entry.paint, ColourRole::Kind(_));
            let mut text = if is_class { split_class(name).1.to_owned() } else { name.clone() };
            if text.is_empty() {
                text.clone_from(name);
            }
            let more = entry.kinds.len() - 1;
            let name = elided(ui, text.clone(), fonts::small(), t.muted, MAX_WIDTH);
            let has_figure = figures.get(n) == Some(&true);
            let figure = if !has_figure {
                String::new()
            } else if more > 0 {
                format!("and {} more · {}", Count(more as u64), Bytes(entry.bytes))
            } else {
                Bytes(entry.bytes).to_string()
            };
            let figure = ui.painter().layout_no_wrap(figure, fonts::small(), t.faint);
            let width = 16.0 + name.size().x + if has_figure { 7.0 + figure.size().x } else { 0.0 };
            if left + width > area.right() {
                break;
            }
            let rect = Rect::from_min_size(pos2(left, middle - 10.0), vec2(width, 20.0));
            let mark = Rect::from_center_size(pos2(left + 5.0, middle), vec2(10.0, 10.0));
            painter.rect_filled(mark, 2.0, entry.paint.hue(t).fill);
            if entry.paint == ColourRole::Gone {
                painter.add(hatching(mark, hatch_color(t)));
            }
            let at = |x: f32, galley: &egui::Galley| pos2(x, middle - galley.size().y / 2.0);
            let figure_left = left + 16.0 + name.size().x + 7.0;
            painter.galley(at(left + 16.0, &name), name, t.muted);
            painter.galley(at(figure_left, &figure), figure, t.faint);
            let response = ui.interact(rect, Id::unique(("legend of the chart", n)), Sense::HOVER);
            response.widget_info(|| {
                let size = if entry.bytes > 0 { format!(": {}", Bytes(entry.bytes)) } else { String::new() };
                let name = format!("Colour of {}{size}", entry.labels(LISTED).join(", "));
                egui::WidgetInfo::labeled(Role::Label, true, name)
            });
            response.on_hover_ui(|ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                for line in entry.labels(LISTED) {
                    ui.label(egui::RichText::new(line).font(fonts::small()).color(t.muted));
                }
            });
            left += width + between;
        }
    }
}

impl Entry {
    fn labels(&self, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = self
            .kinds
            .iter()
            .take(most)
            .map(|(name, bytes)| match bytes {
                0 => name.clone(),
                bytes => format!("{name} {}", Bytes(*bytes)),
            })
            .collect();
        if self.kinds.len() > most {
            lines.push(format!("… {} more", Count((self.kinds.len() - most) as u64)));
        }
        lines
    }
}
