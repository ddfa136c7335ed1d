//! Legend: colours of a chart with their meaning and bytes.

use std::collections::BTreeMap;

use eframe::egui::{self, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::colour::{ColourBy, ColourRole};
use crate::ui::theme::tokens::LEVELS;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::elided;
use crate::ui::widgets::picture::{Node, hatch_color, hatching};
use heaplens_base::{Bytes, Count};
use heaplens_core::heap::split_class;

/// Height of the legend, in points.
pub(super) const HEIGHT: f32 = 30.0;
/// Maximum number of names listed for a colour.
const LISTED: usize = 14;
/// Maximum width of a name, in points.
const MAX_WIDTH: f32 = 150.0;

/// A colour and its kinds, largest first.
struct Entry {
    paint: ColourRole,
    bytes: u64,
    kinds: Vec<(String, u64)>,
}

/// Colours, most bytes first.
#[derive(Default)]
pub(super) struct Legend {
    entries: Vec<Entry>,
    /// True if kinds are classes, whose package is omitted.
    of_classes: bool,
}

impl Legend {
    /// Sums the bytes of cells by colour and kind. A cell counts without the cells drawn below it.
    pub(super) fn new(nodes: &[Node], paints: &[ColourRole], kinds: &[Option<String>], by: ColourBy) -> Self {
        let mut found: BTreeMap<ColourRole, BTreeMap<String, u64>> = BTreeMap::new();
        for ((node, &paint), kind) in nodes.iter().zip(paints).zip(kinds).skip(1) {
            let below: u64 = node.below.clone().filter_map(|n| nodes.get(n as usize)).map(|n| n.weight).sum();
            let kind = match (paint, kind) {
                (ColourRole::Level(depth), _) if depth as usize >= LEVELS => format!("Level {LEVELS} and below"),
                (ColourRole::Level(depth), _) => format!("Level {depth}"),
                (ColourRole::Rest, _) => "Too small to draw".to_owned(),
                (ColourRole::Change(_) | ColourRole::Gone, _) => paint.label().unwrap_or_default().to_owned(),
                (ColourRole::Kind(_), kind) => kind.clone().unwrap_or_default(),
            };
            let paint =
                if let ColourRole::Level(depth) = paint { ColourRole::Level(depth.min(LEVELS as u32)) } else { paint };
            *found.entry(paint).or_default().entry(kind).or_default() += node.weight.saturating_sub(below);
        }
        let mut entries: Vec<Entry> = found
            .into_iter()
            .map(|(paint, kinds)| {
                let mut kinds: Vec<(String, u64)> = kinds.into_iter().collect();
                kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                Entry { paint, bytes: kinds.iter().map(|kind| kind.1).sum(), kinds }
            })
            .filter(|entry| entry.bytes > 0)
            .collect();
        if entries
            .iter()
            .all(|entry| !matches!(entry.paint, ColourRole::Level(_) | ColourRole::Change(_) | ColourRole::Gone))
        {
            // The rest comes last, as in the chart.
            entries.sort_by_key(|entry| (entry.paint == ColourRole::Rest, std::cmp::Reverse(entry.bytes)));
        } else if by == ColourBy::Growth {
            entries.sort_by_key(|entry| entry.paint.place());
        }
        Self { entries, of_classes: by == ColourBy::Class }
    }

    /// Draws as many colours as fit on one line.
    pub(super) fn ui(&self, ui: &Ui, area: Rect) {
        let t = tokens(ui);
        let painter = ui.painter_at(area);
        let (mut left, middle) = (area.left(), area.center().y);
        // Changes form a scale, which always fits without figures.
        let is_scale = self.entries.iter().any(|entry| entry.paint.label().is_some());
        let between = if is_scale { 13.0 } else { 18.0 };
        let told = |entry: &Entry| entry.paint.label().unwrap_or_default().to_owned();
        let wide = |text: String| ui.painter().layout_no_wrap(text, fonts::small(), t.muted).size().x;
        let whole: f32 =
            self.entries.iter().map(|entry| wide(told(entry) + &Bytes(entry.bytes).to_string()) + 23.0 + between).sum();
        let has_figures = !is_scale || whole <= area.width();
        for (n, entry) in self.entries.iter().enumerate() {
            let Some((name, _)) = entry.kinds.first() else { continue };
            let is_class = self.of_classes && matches!(entry.paint, ColourRole::Kind(_));
            let mut text = if is_class { split_class(name).1.to_owned() } else { name.clone() };
            if text.is_empty() {
                text.clone_from(name);
            }
            let more = entry.kinds.len() - 1;
            let name = elided(ui, text.clone(), fonts::small(), t.muted, MAX_WIDTH);
            let figure = if !has_figures {
                String::new()
            } else if more > 0 {
                format!("and {} more · {}", Count(more as u64), Bytes(entry.bytes))
            } else {
                Bytes(entry.bytes).to_string()
            };
            let figure = ui.painter().layout_no_wrap(figure, fonts::small(), t.faint);
            let width = 16.0 + name.size().x + if has_figures { 7.0 + figure.size().x } else { 0.0 };
            if left + width > area.right() {
                break;
            }
            let place = Rect::from_min_size(pos2(left, middle - 10.0), vec2(width, 20.0));
            let mark = Rect::from_center_size(pos2(left + 5.0, middle), vec2(10.0, 10.0));
            painter.rect_filled(mark, 2.0, entry.paint.hue(t).fill);
            if entry.paint == ColourRole::Gone {
                painter.add(hatching(mark, hatch_color(t)));
            }
            let at = |x: f32, galley: &egui::Galley| pos2(x, middle - galley.size().y / 2.0);
            let figure_left = left + 16.0 + name.size().x + 7.0;
            painter.galley(at(left + 16.0, &name), name, t.muted);
            painter.galley(at(figure_left, &figure), figure, t.faint);
            let response = ui.interact(place, Id::unique(("legend of the chart", n)), Sense::HOVER);
            response.widget_info(|| {
                let name = format!("Colour of {}: {}", entry.labels(LISTED).join(", "), Bytes(entry.bytes));
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
        let mut lines: Vec<String> =
            self.kinds.iter().take(most).map(|(name, bytes)| format!("{name} {}", Bytes(*bytes))).collect();
        if self.kinds.len() > most {
            lines.push(format!("… {} more", Count((self.kinds.len() - most) as u64)));
        }
        lines
    }
}
