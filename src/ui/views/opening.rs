//! Page of a dump that is being opened, or could not be: phases with times and rates on the left, known facts on the
//! right.

use std::path::Path;
use std::time::Duration;

use eframe::egui::{self, Rect, RichText, ScrollArea, Ui, vec2};
use egui_extras::{Column, TableBuilder};

use super::histogram::CensusView;
use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::{bar, controls, waiting};
use crate::ui::{Command, DumpKey, Verb};
use heaplens_base::{Bytes, Count, Progress, Share, Unit};
use heaplens_heap::steps::{STEPS, STORED};
use heaplens_session::DumpHandle;
use heaplens_session::dump::{OpenFailure, State};

/// The page.
#[derive(Default)]
pub struct Opening {
    census: CensusView,
}

impl Opening {
    /// Draws the page.
    pub fn ui(&mut self, ui: &mut Ui, dump: &DumpHandle, key: DumpKey, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        let panel = egui::Panel::left("phases").resizable(false).exact_size(340.0);
        let frame = egui::Frame::NONE.fill(t.panel).inner_margin(20.0);
        panel.frame(frame).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| left_ui(ui, dump, key, commands));
        });
        egui::CentralPanel::default().frame(egui::Frame::NONE.fill(t.surface)).show(ui, |ui| match dump.census() {
            Some(census) => self.census.ui(ui, census),
            None => {
                let area = ui.available_rect_before_wrap();
                match dump.state() {
                    State::Failed(_) => waiting::empty_ui(ui, area, Icon::Warning, "No objects were read", ""),
                    State::Cancelled => {
                        waiting::empty_ui(ui, area, Icon::Cross, "Cancelled before any object was counted", "");
                    }
                    _ => {
                        let hint = "The histogram appears here once all objects are counted";
                        waiting::empty_ui(ui, area, Icon::Lens, "Counting objects…", hint);
                    }
                }
            }
        });
    }
}

fn left_ui(ui: &mut Ui, dump: &DumpHandle, key: DumpKey, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    ui.spacing_mut().item_spacing.y = 8.0;
    let name = heaplens_session::files::file_name(dump.path());
    ui.add(egui::Label::new(RichText::new(name).font(fonts::heading()).color(t.text)).truncate());
    let path = dump.path().display().to_string();
    ui.add(egui::Label::new(RichText::new(&path).font(fonts::small()).color(t.faint)).truncate()).on_hover_text(path);
    if let Some(census) = dump.census() {
        let origin = &census.origin;
        let words = format!("{} · {}", origin.producer, origin.file_size);
        ui.add(egui::Label::new(RichText::new(words).font(fonts::small()).color(t.muted)).wrap());
    }
    ui.add_space(8.0);
    let progress = dump.progress();
    match dump.state() {
        State::Failed(failure) => failed_ui(ui, dump.path(), failure, key, commands),
        State::Cancelled => {
            ui.label(RichText::new("Cancelled").font(fonts::medium()).color(t.warn));
            if ui.button("Reopen").clicked() {
                commands.push(Command::Reopen(key));
            }
        }
        State::Opening | State::Ready => now_ui(ui, &progress),
    }
    ui.add_space(8.0);
    phases_ui(ui, &progress);
    if *dump.state() == State::Opening {
        coming_ui(ui, &progress);
    }
    if *dump.state() == State::Opening {
        ui.add_space(12.0);
        let button = ui.button("Cancel opening").on_hover_text("Esc");
        if button.clicked() {
            commands.push(Command::from(Verb::StopOpening));
        }
        ui.ctx().request_repaint_after(Duration::from_millis(50));
    }
}

fn now_ui(ui: &mut Ui, progress: &Progress) {
    let t = tokens(ui);
    let step = if progress.step.is_empty() { "Starting" } else { progress.step };
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{step}…")).font(fonts::medium()).color(t.text));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some(percent) = progress.percent() {
                ui.label(RichText::new(format!("{percent} %")).font(fonts::medium()).color(t.accent));
            }
        });
    });
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 6.0), egui::Sense::HOVER);
    let share = Share { part: progress.done.min(progress.total), total: progress.total };
    bar::paint(ui.painter(), rect, share, t);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, step);
        info.value = progress.percent().map(|p| p as f64);
        info
    });
    if progress.total == 0 {
        waiting::running_ui(ui, rect);
    }
    let (amount, rate) = amount(progress);
    ui.horizontal(|ui| {
        ui.label(RichText::new(amount).font(fonts::small()).color(t.muted));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(rate).font(fonts::small()).color(t.muted));
        });
    });
}

/// `120 MB of 1.1 GB` and `850 MB/s`.
fn amount(progress: &Progress) -> (String, String) {
    let seconds = progress.step_elapsed.as_secs_f64();
    let rate = if seconds > 0.05 { (progress.done as f64 / seconds) as u64 } else { 0 };
    let (done, total) = (progress.done.min(progress.total.max(progress.done)), progress.total);
    let (amount, rate_text) = match progress.unit {
        Unit::Bytes => (format!("{} of {}", Bytes(done), Bytes(total)), format!("{}/s", Bytes(rate))),
        Unit::Objects => (format!("{} of {} objects", Count(done), Count(total)), format!("{}/s", short(rate))),
        Unit::Rows => (format!("{} of {} rows", Count(done), Count(total)), format!("{}/s", short(rate))),
        Unit::References => (format!("{} of {} references", Count(done), Count(total)), format!("{}/s", short(rate))),
    };
    (if total > 0 { amount } else { String::new() }, if rate > 0 { rate_text } else { String::new() })
}

/// `840`, `12 k`, `3.4 M`: rounded numbers for progress.
pub fn short(n: u64) -> String {
    match n {
        0..10_000 => Count(n).to_string(),
        10_000..1_000_000 => format!("{} k", n / 1_000),
        _ => format!("{}.{} M", n / 1_000_000, n % 1_000_000 / 100_000),
    }
}

/// `0.34 s`, `12 s`, `2 min 05 s`.
pub fn seconds(time: Duration) -> String {
    let s = time.as_secs_f64();
    match s {
        _ if s < 10.0 => format!("{s:.2} s"),
        _ if s < 60.0 => format!("{s:.1} s"),
        _ => format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60),
    }
}

fn phases_ui(ui: &mut Ui, progress: &Progress) {
    let t = tokens(ui);
    if progress.finished.is_empty() {
        return;
    }
    controls::caption(ui, "Done");
    let ends = egui::Layout::right_to_left(egui::Align::Center);
    let table =
        TableBuilder::new(ui).column(Column::exact(14.0)).column(Column::remainder()).column(Column::exact(70.0));
    table.vscroll(false).body(|body| {
        body.rows(20.0, progress.finished.len(), |mut row| {
            let Some(phase) = progress.finished.get(row.index()) else { return };
            row.col(|ui| icons::paint(ui.painter(), Icon::Check, ui.max_rect(), 10.0, t.good));
            row.col(|ui| {
                ui.label(RichText::new(phase.name).color(t.muted));
            });
            row.col(|ui| {
                ui.with_layout(ends, |ui| ui.label(RichText::new(seconds(phase.elapsed)).color(t.muted)));
            });
        });
    });
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Elapsed").font(fonts::small()).color(t.faint));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(seconds(progress.elapsed)).font(fonts::small()).color(t.faint));
        });
    });
}

/// What is still to come: the steps of the analysis, and the first page.
fn coming_ui(ui: &mut Ui, progress: &Progress) {
    let t = tokens(ui);
    let is_over = |step: &str| progress.step == step || progress.finished.iter().any(|phase| phase.name == step);
    let begun = if is_over(STORED) { STEPS.len() } else { 0 };
    let begun = STEPS.iter().rposition(|step| is_over(step)).map_or(begun, |at| at + 1);
    ui.add_space(8.0);
    controls::caption(ui, "Next");
    let overview = "Overview: findings, largest objects, classes";
    for step in STEPS[begun..].iter().copied().chain([overview]) {
        ui.horizontal(|ui| {
            let (area, _) = ui.allocate_exact_size(vec2(14.0, 18.0), egui::Sense::HOVER);
            ui.painter().circle_stroke(area.center(), 3.0, (1.2, t.edge));
            ui.add(egui::Label::new(RichText::new(step).color(t.faint)).truncate());
        });
    }
}

/// Draws a failed open: cause, location and advice.
fn failed_ui(ui: &mut Ui, path: &Path, failure: &OpenFailure, key: DumpKey, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.border)).corner_radius(8.0).inner_margin(12.0);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new("Cannot open this dump").font(fonts::medium()).color(t.error));
        let cause = super::parse_warnings::sentence(&failure.cause);
        ui.add(egui::Label::new(RichText::new(cause).color(t.text)).wrap().selectable(true));
        if !failure.advice.is_empty() {
            ui.add(egui::Label::new(RichText::new(failure.advice).color(t.muted)).wrap());
        }
    });
    let edge = Rect::from_min_size(shown.response.rect.min, vec2(3.0, shown.response.rect.height()));
    ui.painter().rect_filled(edge, 1.5, t.error);
    ui.add_space(sizes::PAD / 2.0);
    ui.horizontal(|ui| {
        if ui.button("Open another…").clicked() {
            commands.push(Command::from(Verb::Open));
        }
        if ui.button("Try again").on_hover_text(path.display().to_string()).clicked() {
            commands.push(Command::Reopen(key));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_readable_units() {
        assert_eq!(seconds(Duration::from_millis(340)), "0.34 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(short(999), "999");
        assert_eq!(short(12_345), "12 k");
        assert_eq!(short(3_450_000), "3.4 M");
    }
}
