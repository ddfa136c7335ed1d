//! The card about the dump, and lists of the largest objects, classes, packages and threads.

use eframe::egui::{self, Rect, RichText, Sense, Ui, pos2, vec2};

use super::help::Card::{self, ByRetained, ByShallow, Health, Memory, Objects, Packages, Threads};
use super::rows::{ROW, Row, line};
use super::{CORNER, GAP, OverviewPage, columns, help};
use crate::ui::ViewContext;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{definition, waiting};
use heaplens_analysis::overview::{Mark, SumRow, Target};
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::{ThreadState, split_class};
use heaplens_tables::export::report::{NOT_SAID, runtime_objects};

/// Height of the stacked bar of memory types, in points.
const STACKED: f32 = 12.0;

/// Cards of each column, by number of columns.
const ONE: [&[Card]; 1] = [&[Memory, Objects, ByRetained, ByShallow, Packages, Threads, Health]];
const TWO: [&[Card]; 2] = [&[Objects, Threads, Packages, Health], &[Memory, ByRetained, ByShallow]];
const THREE: [&[Card]; 3] = [&[Objects, Threads, Packages], &[ByRetained, ByShallow], &[Memory, Health]];

impl OverviewPage {
    pub(super) fn cards_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let width = ui.available_width();
        let layout: &[&[Card]] = match columns(width) {
            1 => &ONE,
            2 => &TWO,
            _ => &THREE,
        };
        let each = (width - GAP * (layout.len() - 1) as f32) / layout.len() as f32;
        ui.horizontal_top(|ui| {
            for column in layout {
                ui.allocate_ui_with_layout(vec2(each, 0.0), egui::Layout::top_down(egui::Align::Min), |ui| {
                    ui.set_width(each);
                    let there: Vec<Card> = column.iter().copied().filter(|&card| self.has(card)).collect();
                    for card in there {
                        self.card_ui(ui, context, card);
                        ui.add_space(GAP);
                    }
                });
            }
        });
    }

    /// True if a card has contents for this dump.
    fn has(&self, card: Card) -> bool {
        let is_snapshot = self.known.glance.detached.is_some();
        match card {
            Memory => is_snapshot,
            Packages | Threads => !is_snapshot,
            _ => true,
        }
    }

    fn memory_ui(&mut self, ui: &mut Ui) {
        let (total, t) = (self.known.glance.memory.iter().map(|&(_, bytes)| bytes).sum(), tokens(ui));
        let (picture, _) = ui.allocate_exact_size(vec2(ui.available_width(), STACKED), Sense::HOVER);
        ui.add_space(6.0);
        let mut left = picture.left();
        for ((kind, bytes), hue) in self.known.glance.memory.clone().into_iter().zip(t.hues.iter().cycle()) {
            let width = picture.width() * Share::of(bytes, total).per_mille() as f32 / 1_000.0;
            let part = Rect::from_min_size(pos2(left, picture.top()), vec2((width - 1.0).max(0.0), picture.height()));
            ui.painter().rect_filled(part, 1.0, hue.fill);
            left += width;
            let (name, bytes, target, mark) = (kind.title(), Some(bytes), Target::Histogram, Some(hue.fill));
            self.rows.row_ui(ui, &Row { name, is_class: false, more: "", bytes, total, target, mark });
        }
    }

    fn card_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, card: Card) {
        let t = tokens(ui);
        let (title, help) = help::title(card);
        let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.border)).corner_radius(CORNER);
        frame.inner_margin(egui::Margin::symmetric(16, 12)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            definition::tooltip(ui.label(RichText::new(title).font(fonts::medium()).color(t.muted)), title, help);
            ui.add_space(6.0);
            match card {
                Health => self.health_ui(ui),
                Memory => self.memory_ui(ui),
                Objects => self.objects_ui(ui, context),
                ByRetained => self.list_ui(ui, self.known.glance.by_retained.clone(), true, |row| row.retained),
                ByShallow => self.list_ui(ui, self.known.glance.by_shallow.clone(), true, |row| row.shallow),
                Packages if let Some(closer) = &self.known.closer => {
                    self.list_ui(ui, closer.packages.clone(), false, |row| row.retained);
                }
                Threads if self.known.closer.is_some() => self.threads_ui(ui),
                Packages | Threads => {
                    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::HOVER);
                    waiting::progress_ui(ui, line, self.steps.progress().as_ref());
                }
            }
        });
    }

    /// Draws what is recorded, and the names of what is not in one line.
    fn health_ui(&self, ui: &mut Ui) {
        let facts = &self.known.glance.health;
        for fact in facts {
            if let Some(value) = &fact.value {
                fact_ui(ui, (fact.kind.title(), help::fact(fact.kind)), &line(value), fact.mark);
            }
        }
        let missing: Vec<&str> =
            facts.iter().filter(|fact| fact.value.is_none()).map(|fact| fact.kind.title()).collect();
        if !missing.is_empty() {
            let help = "Facts that this dump does not tell";
            fact_ui(ui, (NOT_SAID, help), &missing.join(", "), Mark::Plain);
        }
    }

    fn objects_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let total = self.known.glance.totals.shallow;
        let runtime = runtime_objects(&self.known.glance);
        let objects = std::mem::take(&mut self.known.glance.objects);
        // Those of the runtime are one row at its size.
        let at = runtime.as_ref().map(|(_, sum)| objects.partition_point(|object| object.retained >= *sum));
        for (number, row) in objects.iter().enumerate() {
            if let (true, Some((name, sum))) = (at == Some(number), &runtime) {
                self.runtime_ui(ui, name, *sum);
            }
            let label = row.label.as_deref().unwrap_or(&row.id);
            let is_class = row.class == "java.lang.Class" && row.label.is_some();
            let (bytes, target) = (Some(row.retained), Target::Object(row.object));
            // What it is in the source comes first, once it is known.
            let lead = context.labels.member_name(row.object, true).map(ToString::to_string);
            let class = format!("{} {label}", split_class(&row.class).1);
            let (name, more) = match &lead {
                _ if is_class => (label, "class"),
                Some(lead) => (lead.as_str(), class.as_str()),
                None => (row.class.as_str(), label),
            };
            let is_class = lead.is_none() || is_class;
            self.rows.row_ui(ui, &Row { name, is_class, more, bytes, total, target, mark: None });
        }
        if let (true, Some((name, sum))) = (at == Some(objects.len()), &runtime) {
            self.runtime_ui(ui, name, *sum);
        }
        self.known.glance.objects = objects;
    }

    fn runtime_ui(&mut self, ui: &mut Ui, name: &str, sum: Bytes) {
        let (total, bytes, target) = (self.known.glance.totals.shallow, Some(sum), Target::Dominators);
        self.rows.row_ui(ui, &Row { name, is_class: false, more: "", bytes, total, target, mark: None });
    }

    fn list_ui(&mut self, ui: &mut Ui, rows: Vec<SumRow>, is_class: bool, bytes: impl Fn(&SumRow) -> Bytes) {
        let total = self.known.glance.totals.shallow;
        for row in rows {
            let more = format!("×{}", Count(row.objects));
            let target = row.class.filter(|_| is_class).map_or(Target::Histogram, Target::Class);
            let bytes = Some(bytes(&row));
            self.rows.row_ui(ui, &Row { name: &row.name, is_class, more: &more, bytes, total, target, mark: None });
        }
    }

    fn threads_ui(&mut self, ui: &mut Ui) {
        let total = self.known.glance.totals.shallow;
        let threads = self.known.closer.as_ref().map(|closer| closer.threads.clone()).unwrap_or_default();
        for thread in &threads {
            let state = thread.state.map_or("", ThreadState::title).to_owned();
            let more = if thread.out_of_memory { "out of memory".to_owned() } else { state };
            let (name, bytes, target) = (&thread.name, Some(thread.retained), Target::Threads(thread.object));
            self.rows.row_ui(ui, &Row { name, is_class: false, more: &more, bytes, total, target, mark: None });
        }
    }
}

/// A fact about the dump: its name and tooltip, and its value beside the name.
fn fact_ui(ui: &mut Ui, (title, help): (&str, &str), value: &str, mark: Mark) {
    let t = tokens(ui);
    let width = ui.available_width();
    let names = (width * 0.36).min(150.0);
    let color = match mark {
        Mark::Careful => t.warn,
        _ if title == NOT_SAID => t.faint,
        _ => t.text,
    };
    let title_of = ui.painter().layout(title.to_owned(), fonts::text(), t.muted, names - 12.0);
    let value_of = ui.painter().layout(value.to_owned(), fonts::text(), color, (width - names - 8.0).max(60.0));
    let height = value_of.size().y.max(title_of.size().y).max(18.0) + 7.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{title}: {value}")));
    definition::tooltip_at_pointer(response, "", help);
    ui.painter().galley(rect.min, title_of, t.muted);
    let at = pos2(rect.left() + names, rect.top());
    if mark != Mark::Plain {
        let color = if mark == Mark::Good { t.good } else { t.warn };
        ui.painter().circle_filled(at + vec2(-8.0, 9.0), 3.0, color);
    }
    ui.painter().galley(at, value_of, color);
}
