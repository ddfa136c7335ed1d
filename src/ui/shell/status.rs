//! The status bar: what the selection holds, in numbers, and how much there
//! is altogether.

use eframe::egui;
use egui::{RichText, Ui};

use crate::session::dump::State;
use crate::ui::place::{Place, View};
use crate::ui::tab::Tab;
use crate::ui::theme::{fonts, tokens};
use crate::ui::views::opening::{percent, seconds};
use crate::units::{Bytes, Count, Share};

/// Draws the bar.
pub fn ui(ui: &mut Ui, tab: Option<&Tab>, place: Option<Place>) {
    let t = tokens(ui);
    let (left, exact) = match (tab, place) {
        (Some(tab), Some(place)) => selection(tab, place),
        _ => ("Ready".to_owned(), String::new()),
    };
    let right = tab.map(totals).unwrap_or_default();
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let right = RichText::new(right).font(fonts::small()).color(t.faint);
        ui.add(egui::Label::new(right));
        ui.add_space(12.0);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let left = RichText::new(left).font(fonts::small()).color(t.text);
            let shown = ui.add(egui::Label::new(left).truncate());
            if !exact.is_empty() {
                shown.on_hover_text(exact);
            }
        });
    });
}

/// The selection in one line, and the same with all digits.
fn selection(tab: &Tab, place: Place) -> (String, String) {
    let Some(answers) = tab.answers() else {
        let progress = tab.dump.progress();
        return match tab.dump.state() {
            State::Opening => {
                let percent = percent(&progress).map(|p| format!(" {p} %")).unwrap_or_default();
                (
                    format!("{}{percent}", if progress.step.is_empty() { "Starting" } else { progress.step }),
                    String::new(),
                )
            }
            State::Failed(_) => ("Could not be opened".to_owned(), String::new()),
            State::Cancelled => ("Stopped".to_owned(), String::new()),
            State::Ready => (String::new(), String::new()),
        };
    };
    let analyzed = &answers.analyzed;
    let (objects, shallow, retained) = match (place.view, place.class, place.object) {
        (View::Histogram, Some(class), _) => {
            let totals = analyzed.class_totals(class);
            (totals.objects, totals.shallow, analyzed.class_retained(class))
        }
        (view, _, Some(object)) if view.is_about_objects() => {
            (1, answers.heap.shallow(object), analyzed.retained(object))
        }
        _ => return ("Nothing is selected".to_owned(), String::new()),
    };
    let share = Share::of(retained, analyzed.shown.shallow);
    let noun = if objects == 1 { "object" } else { "objects" };
    let text = format!("{} {noun}  ·  shallow {shallow}  ·  retained {retained}  ·  {share}", Count(objects));
    let exact = format!("Shallow {} bytes, retained {} bytes", shallow.exact(), retained.exact());
    (text, exact)
}

/// What the dump holds altogether.
fn totals(tab: &Tab) -> String {
    match (tab.answers(), tab.dump.census()) {
        (Some(answers), _) => {
            let (shown, lost) = (answers.analyzed.shown, answers.analyzed.unreachable);
            let reachable = format!("{} objects, {} reachable", Count(shown.objects), shown.shallow);
            let lost = (lost.shallow > Bytes(0)).then(|| format!("{} unreachable", lost.shallow));
            let opened = format!("opened in {}", seconds(tab.dump.progress().elapsed));
            [Some(reachable), lost, Some(opened)].into_iter().flatten().collect::<Vec<_>>().join("  ·  ")
        }
        (None, Some(census)) => format!("{} objects, {} in the file", Count(census.objects), census.shallow),
        (None, None) => String::new(),
    }
}
