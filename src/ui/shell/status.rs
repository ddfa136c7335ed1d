//! Status bar: counts and sizes of the selection, and totals of the dump. Unknown numbers are marked as such.

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::tab::Tab;
use crate::ui::theme::{fonts, tokens};
use crate::ui::views::opening::seconds;
use crate::ui::widgets::{definition, units};
use heaplens_analysis::holders::beside_dominators;
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::{VmRoots, split_class};
use heaplens_session::dump::State;
use heaplens_session::files::file_name;
use heaplens_session::open_dump::selection::{ObjectSet, RowTotals, Selection};

/// Maximum number of characters of a label.
const LABEL: usize = 40;
/// Maximum number of holders by name.
const MAX_HOLDERS: usize = 2;

/// Draws a status bar with one line of text.
pub fn line_ui(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).font(fonts::small()).color(tokens(ui).text);
    ui.add(egui::Label::new(text).truncate());
}

/// Draws the status bar. `shared` says that assistants may ask about the open dumps; empty if they may not.
pub fn ui(ui: &mut Ui, tab: Option<&mut Tab>, shared: &str) {
    let t = tokens(ui);
    let totals = tab.as_deref().map(totals).unwrap_or_default();
    let right = [shared, &totals].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ·  ");
    let is_open = tab.as_deref().and_then(Tab::open_dump).is_some();
    let is_incomplete = tab.as_deref().is_some_and(Tab::is_incomplete);
    let (left, exact) = tab.map_or_else(|| ("Ready".to_owned(), String::new()), |tab| selection(ui, tab));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let color = if is_incomplete { t.warn } else { t.faint };
        let right = RichText::new(right).font(fonts::small()).color(color);
        let shown = ui.add(egui::Label::new(right));
        if is_open {
            definition::tooltip(shown, "reachable, unreachable", "");
        }
        ui.add_space(12.0);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let left = RichText::new(left).font(fonts::small()).color(t.text);
            let shown = ui.add(egui::Label::new(left).truncate());
            if !exact.is_empty() {
                definition::tooltip(shown, "shallow, retained", &exact);
            }
        });
    });
}

/// The selection in one line, and its tooltip with exact bytes.
fn selection(ui: &Ui, tab: &mut Tab) -> (String, String) {
    let Some(dump) = tab.shown_dump().cloned() else {
        let progress = tab.dump.progress();
        let text = match tab.dump.state() {
            State::Opening => {
                let percent = progress.percent().map(|p| format!(" {p} %")).unwrap_or_default();
                format!("{}{percent}", if progress.step.is_empty() { "Starting" } else { progress.step })
            }
            State::Failed(_) => "Cannot be opened".to_owned(),
            State::Cancelled => "Cancelled".to_owned(),
            State::Ready => String::new(),
        };
        return (text, String::new());
    };
    let analysis = &dump.analysis;
    let (objects, shallow, retained) = match tab.selection().set() {
        ObjectSet::Nothing => {
            let text = match tab.selected_rows() {
                0 => "Nothing is selected".to_owned(),
                rows => format!("{} selected", Count(rows).of("row", "rows")),
            };
            return (text, String::new());
        }
        ObjectSet::Objects(_) => return several(ui, tab),
        &ObjectSet::Rows(RowTotals::Counted(rows)) => {
            return (format!("{}  ·  counting…", Count(rows).of("row", "rows")), String::new());
        }
        &ObjectSet::Rows(RowTotals::Objects(objects)) => {
            return (format!("{}  ·  counting…", Count(objects).of("object", "objects")), String::new());
        }
        &ObjectSet::Rows(RowTotals::Classes(classes, objects, shallow)) => {
            let (classes, objects) = (Count(classes).of("class", "classes"), Count(objects).of("object", "objects"));
            let size = units::written(ui.ctx(), shallow);
            return (format!("{classes}  ·  {objects}  ·  shallow {size}  ·  counting…"), String::new());
        }
        &ObjectSet::Rows(RowTotals::Summed(objects, shallow, retained)) => (objects, shallow, retained),
        &ObjectSet::Class(class) => {
            let totals = analysis.class_totals(class);
            (totals.objects, totals.shallow, analysis.class_retained(class))
        }
        &ObjectSet::Object(object) => (1, dump.heap.shallow(object), analysis.retained(object)),
    };
    let share = Share::of(retained, analysis.shown.shallow);
    let noun = if objects == 1 { "object" } else { "objects" };
    let [shallow_text, retained_text] = [shallow, retained].map(|size| units::written(ui.ctx(), size));
    let mut text =
        format!("{} {noun}  ·  shallow {shallow_text}  ·  retained {retained_text}  ·  {share}", Count(objects));
    if matches!(tab.selection().set(), ObjectSet::Rows(_)) && tab.selection().is_running() {
        text = format!("{text}  ·  counting holders…");
    }
    if let &ObjectSet::Object(object) = tab.selection().set() {
        let holder = match analysis.immediate_dominator(object) {
            Some(holder) => named(tab, holder),
            None => {
                let is_root = !analysis.roots().of(object).is_empty();
                beside_dominators(is_root, analysis.is_reachable(object)).to_owned()
            }
        };
        text = format!("{text}  ·  held by {holder}");
    }
    (text, format!("Shallow {} bytes, retained {} bytes", shallow.exact(), retained.exact()))
}

/// The same for several objects, as far as numbers are available.
fn several(ui: &Ui, tab: &mut Tab) -> (String, String) {
    let selection: &Selection = tab.selection();
    let Some(held) = selection.held() else {
        let ObjectSet::Objects(objects) = selection.set() else { return Default::default() };
        let count = Count(objects.as_slice().len() as u64).of("object", "objects");
        return (format!("{count}  ·  counting…"), String::new());
    };
    let written = |size| units::written(ui.ctx(), size);
    let together = match (selection.exact(), selection.progress()) {
        (Some(exact), _) => format!("combined retained size {}", written(exact.retained)),
        (None, Some(_)) => format!("combined retained size at least {}, searching…", written(held.dominated)),
        (None, None) => format!("combined retained size at least {} (R: exact)", written(held.dominated)),
    };
    let digits = selection.exact().map_or(held.dominated, |exact| exact.retained);
    let total = tab.shown_dump().map_or(Bytes(0), |dump| dump.analysis.shown.shallow);
    let (objects, shallow) = (Count(held.objects), written(held.shallow));
    let mut text = format!("{objects} objects  ·  shallow {shallow}  ·  {together}  ·  {}", Share::of(digits, total));
    let tooltip = format!("Shallow {} bytes, retained {} bytes", held.shallow.exact(), digits.exact());
    // Millions of objects may have as many holders; only the first are named.
    let named_ones: Vec<_> = held.holders.iter().take(MAX_HOLDERS).map(|holder| holder.object).collect();
    let more = held.holders.len().saturating_sub(MAX_HOLDERS);
    let names: Vec<String> = named_ones
        .into_iter()
        .map(|holder| holder.map_or_else(|| "GC roots or several objects".to_owned(), |object| named(tab, object)))
        .collect();
    if !names.is_empty() {
        text = format!("{text}  ·  held by {}", names.join(", "));
    }
    if more > 0 {
        text = format!("{text} and {} more", Count(more as u64));
    }
    (text, tooltip)
}

/// Short name of an object.
fn named(tab: &mut Tab, object: heaplens_heap::ObjectId) -> String {
    let class = tab.open_dump().map(|dump| split_class(&dump.heap.class(object).name).1.to_owned());
    let class = class.unwrap_or_default();
    match tab.label(object) {
        Some(label) if class == "Class" => format!("class {}", split_class(label).1),
        Some(label) if label.chars().count() > LABEL => {
            format!("{class} {}…", label.chars().take(LABEL - 1).collect::<String>())
        }
        Some(label) => format!("{class} {label}"),
        None => class,
    }
}

/// Totals of the dump.
fn totals(tab: &Tab) -> String {
    match (tab.shown_dump(), tab.dump.census()) {
        (Some(dump), _) => {
            let (shown, unreachable) = (dump.analysis.shown, dump.analysis.unreachable);
            let reachable = format!("{}, {} reachable", Count(shown.objects).of("object", "objects"), shown.shallow);
            let unreachable = (unreachable.shallow > Bytes(0)).then(|| format!("{} unreachable", unreachable.shallow));
            let opened = format!("opened in {}", seconds(tab.dump.progress().elapsed));
            let mapped = tab.dump.facts().and_then(|facts| facts.mapped.as_ref());
            let named = mapped.map(|mapped| format!("names from {}", file_name(&mapped.file.path)));
            let ignores = dump.analysis.rules.vm_roots == VmRoots::Ignore;
            let roots = ignores.then(|| "zygote and boot-image roots ignored".to_owned());
            let owners = tab.opened().owner_rules.then(|| "only owning references".to_owned());
            let incomplete = tab.is_incomplete().then(|| "incomplete dump".to_owned());
            [named, roots, owners, incomplete, Some(reachable), unreachable, Some(opened)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("  ·  ")
        }
        (None, Some(census)) => {
            format!("{}, {} in the file", Count(census.objects).of("object", "objects"), census.shallow)
        }
        (None, None) => String::new(),
    }
}
