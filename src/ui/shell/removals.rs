//! Removals in the row above a view: the switch between the heap before and after them, what they free, and their list
//! with switches, notes, and what still retains their targets.

use eframe::egui;
use egui::{Align, Button, Context, Id, Label, Layout, Popup, Rect, RichText, TextEdit, Ui, vec2};

use crate::ui::cuts::command_line;
use crate::ui::tab::Tab;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::controls;
use crate::ui::widgets::fitting::fitted;
use crate::ui::{Command, DumpKey, Verb};
use heaplens_base::Count;
use heaplens_session::cuts::{LONGEST_NAME, NAMED, Removal, removals};
use heaplens_session::{Cuts, OpenDump};
use heaplens_tables::reports::elide::UsualCut;

/// Width of the list.
const WIDTH: f32 = 560.0;
/// Maximum width of what they free.
const SUM: f32 = 420.0;
/// Maximum number of characters of a note.
const LONGEST_NOTE: usize = 2_000;
/// Height of the list before it scrolls.
const HEIGHT: f32 = 420.0;

/// Which heap is on screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeapOnScreen {
    Before,
    /// The one before, while the one after is derived.
    Derived,
    After,
}

/// What the row shows of the removals of a tab.
#[derive(Clone)]
pub struct RemovalsInfo {
    of: DumpKey,
    heap: HeapOnScreen,
    /// Name of the fix that they form; empty if it has none.
    fix: String,
    /// What they free, or how far the search for it is.
    sum: String,
    /// The same in full.
    status: String,
    is_retained: bool,
    has_active: bool,
}

impl RemovalsInfo {
    /// That of a tab; `None` without removals.
    pub fn of(tab: &Tab) -> Option<Self> {
        let cuts = &tab.cuts;
        if cuts.is_empty() {
            return None;
        }
        let percent = tab.after_progress().and_then(|progress| progress.percent());
        let deriving = percent.map(|percent| format!("  ·  deriving… {percent} %"));
        let failed = tab.after_error().map(|why| format!("  ·  {why}"));
        let others = cuts.effect().map_or(0, |effect| effect.what.other_references);
        let retained = (others > 0).then(|| match others {
            1 => "  ·  1 other reference still retains".to_owned(),
            others => format!("  ·  {} other references still retain", Count(others)),
        });
        let sum = cuts.sum().unwrap_or_else(|| cuts.status());
        let parts = [Some(sum), failed.or(deriving).or(retained)];
        Some(Self {
            of: tab.key,
            heap: match (tab.wants_after(), tab.is_after()) {
                (false, _) => HeapOnScreen::Before,
                (true, false) => HeapOnScreen::Derived,
                (true, true) => HeapOnScreen::After,
            },
            fix: cuts.fix_name().to_owned(),
            sum: parts.into_iter().flatten().collect(),
            status: cuts.status(),
            is_retained: others > 0,
            has_active: !cuts.active().is_empty(),
        })
    }

    /// True if the heap after them is on screen.
    pub fn is_after(&self) -> bool {
        self.heap == HeapOnScreen::After
    }
}

/// Draws the switch and the sum, from the right; returns the button that opens the list.
pub fn strip_ui(ui: &mut Ui, info: &RemovalsInfo, commands: &mut Vec<Command>) -> egui::Response {
    let t = tokens(ui);
    let color = if info.is_retained { t.warn } else { t.text };
    let width = (ui.available_width() - 150.0).clamp(60.0, SUM);
    let (galley, _) = fitted(ui, "removals", (&info.sum, UsualCut::End), (fonts::small(), color), width - 24.0);
    let fix = if info.fix.is_empty() { String::new() } else { format!("Fix \"{}\": ", info.fix) };
    let button = Button::new("").frame(true).min_size(vec2(galley.size().x + 26.0, 24.0));
    let shown = ui.add(button);
    shown.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Removals: {}. {fix}{}", info.sum, info.status))
    });
    let at = shown.rect.left_center() + vec2(8.0, -galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
    let arrow = Rect::from_center_size(shown.rect.right_center() - vec2(11.0, 0.0), vec2(12.0, 12.0));
    crate::ui::theme::icons::paint(ui.painter(), Icon::Open, arrow, 9.0, t.muted);
    let about = format!("{fix}{}\nList removals{}", info.status, keys_text(ui.ctx(), Verb::ListCuts));
    let shown = shown.on_hover_text(about);
    ui.add_space(6.0);
    let key = keys_text(ui.ctx(), Verb::BeforeAfter);
    let choices =
        [(true, "After", "Show the heap without the removed references"), (false, "Before", "Show the dump as it is")];
    ui.spacing_mut().item_spacing.x = 0.0;
    for (is_after, name, about) in choices {
        let is_chosen = (info.heap != HeapOnScreen::Before) == is_after;
        let ink = if is_chosen { t.on_accent } else { t.muted };
        let text = RichText::new(name).font(fonts::small_medium()).color(ink);
        let fill = if is_chosen { t.accent } else { t.raised };
        let button = Button::new(text).fill(fill).stroke((1.0, if is_chosen { t.accent } else { t.edge }));
        let response = ui.add_enabled(info.has_active || !is_after, button.min_size(vec2(52.0, 24.0)));
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::RadioButton, info.has_active, is_chosen, format!("{name} removals"))
        });
        if response.on_hover_text(format!("{about}{key}")).clicked() {
            commands.push(Command::ShowAfter(info.of, is_after));
        }
    }
    shown
}

fn list_id() -> Id {
    Id::unique("list of removals")
}

/// Opens or closes the list.
pub fn toggle_list(ctx: &Context) {
    Popup::toggle_id(ctx, list_id());
}

/// Opens the list.
pub fn open_list(ctx: &Context) {
    Popup::open_id(ctx, list_id());
}

/// Draws the list below the button that opens it.
pub fn list_ui(button: &egui::Response, cuts: &Cuts, of: DumpKey, dump: &OpenDump, commands: &mut Vec<Command>) {
    if button.clicked() {
        toggle_list(&button.ctx);
    }
    let popup = Popup::from_response(button).id(list_id()).open_memory(None);
    popup.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 40.0));
        head_ui(ui, cuts, of, commands);
        egui::ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
            for (at, removal) in cuts.all().iter().enumerate().take(NAMED) {
                removal_ui(ui, cuts, (of, at), removal, commands);
            }
            if cuts.all().len() > NAMED {
                let more = format!("and {} more", Count((cuts.all().len() - NAMED) as u64));
                ui.label(RichText::new(more).font(fonts::small()).color(tokens(ui).faint));
            }
            missing_ui(ui, &cuts.missing(dump));
            holders_ui(ui, cuts, of, commands);
        });
        ui.separator();
        ui.horizontal(|ui| {
            let entry = Verb::CopyCuts.entry();
            if ui.button("Copy for ticket").on_hover_text(entry.about).clicked() {
                commands.push(Command::from(Verb::CopyCuts));
            }
            let copies = ui.button("Copy command line").on_hover_text("Copy the heaplens command that computes it");
            if let Some(command) = Some(copies).filter(egui::Response::clicked).and_then(|_| command_line(cuts, dump)) {
                commands.push(Command::Copy(format!("{command}\n"), "the command line".to_owned()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Put all back").on_hover_text("Empty the list; Undo brings it back").clicked() {
                    commands.push(Command::ClearCuts);
                    ui.close();
                }
            });
        });
    });
}

/// Title, undo and redo, and the name of the fix.
fn head_ui(ui: &mut Ui, cuts: &Cuts, of: DumpKey, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new(removals(cuts.all().len())).font(fonts::medium()).color(t.text));
        let note = "the dump is not changed";
        ui.label(RichText::new(note).font(fonts::small()).color(t.muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (is_redo, name, about, can) in [
                (true, "Redo", "Repeat the change of this list that was undone last", cuts.can_redo()),
                (false, "Undo", "Restore this list before its last change", cuts.can_undo()),
            ] {
                let button = ui.add_enabled(can, Button::new(name));
                if button.on_hover_text(about).clicked() {
                    commands.push(Command::UndoRemovals(of, is_redo));
                }
            }
        });
    });
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (verb, name) in [(Verb::ApplyFix, "Apply fix…"), (Verb::SaveFix, "Save fix…")] {
                if ui.button(name).on_hover_text(verb.entry().about).clicked() {
                    commands.push(Command::from(verb));
                    ui.close();
                }
            }
            let id = Id::unique(("name of the fix", of));
            let width = ui.available_width();
            let field = Field { text: cuts.fix_name(), label: "Name of the fix", width, longest: LONGEST_NAME };
            if let Some(name) = field.ui(ui, id, "Name of the fix") {
                commands.push(Command::NameFix(of, name));
            }
        });
    });
    ui.label(RichText::new(cuts.status()).font(fonts::small()).color(t.text));
    ui.separator();
}

/// A removal: its switch, its name, its note.
fn removal_ui(ui: &mut Ui, cuts: &Cuts, (of, at): (DumpKey, usize), removal: &Removal, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let name = cuts.name(removal).unwrap_or("…");
    ui.horizontal(|ui| {
        let mut is_on = removal.is_on;
        let switch = ui.checkbox(&mut is_on, "");
        switch.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::CheckBox, true, removal.is_on, format!("Removal {}: {name}", at + 1))
        });
        if switch.on_hover_text("Switch the removal on or off").changed() {
            commands.push(Command::SwitchCut(of, at, is_on));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let about = format!("Put back {name}");
            if controls::icon_button(ui, Icon::Cross, &about, true).clicked() {
                commands.push(Command::Cut(of, vec![removal.cut.clone()]));
            }
            let id = Id::unique(("note of removal", of, at));
            let label = format!("Note of removal {}", at + 1);
            let field = Field { text: &removal.note, label: &label, width: 150.0, longest: LONGEST_NOTE };
            if let Some(note) = field.ui(ui, id, "Note") {
                commands.push(Command::NoteCut(of, at, note));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let color = if removal.is_on { t.text } else { t.faint };
                let space = ui.available_width();
                let (galley, is_cut) = fitted(ui, "removal", (name, UsualCut::Middle), (fonts::small(), color), space);
                let shown = ui.label(galley);
                if is_cut {
                    shown.on_hover_text(name);
                }
            });
        });
    });
}

/// A field for a text that changes once the field is left.
struct Field<'a> {
    text: &'a str,
    label: &'a str,
    width: f32,
    /// Maximum number of characters.
    longest: usize,
}

impl Field<'_> {
    /// Draws the field; returns another text once it is typed.
    fn ui(&self, ui: &mut Ui, id: Id, hint: &str) -> Option<String> {
        let stored: Option<String> = ui.data(|data| data.get_temp(id));
        let mut typed = stored.unwrap_or_else(|| self.text.to_owned());
        let edit = TextEdit::singleline(&mut typed).hint_text(hint).desired_width(self.width).char_limit(self.longest);
        let field = ui.add(edit);
        let field = match self.text {
            "" => field.on_hover_text(self.label),
            text => field.on_hover_text(format!("{}: {text}", self.label)),
        };
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, self.label));
        if field.changed() {
            ui.data_mut(|data| data.insert_temp(id, typed.clone()));
        }
        if !field.lost_focus() {
            return None;
        }
        ui.data_mut(|data| data.remove::<String>(id));
        (typed != self.text).then_some(typed)
    }
}

/// References of an applied fix that the dump does not have.
fn missing_ui(ui: &mut Ui, missing: &[String]) {
    let t = tokens(ui);
    if missing.is_empty() {
        return;
    }
    ui.add_space(6.0);
    let (references, are) = (Count(missing.len() as u64).of("reference", "references"), missing.len() > 1);
    let why = format!("{references} of the fix {} not in this dump:", if are { "are" } else { "is" });
    ui.label(RichText::new(why).font(fonts::small()).color(t.warn));
    for name in missing.iter().take(NAMED) {
        ui.add(Label::new(RichText::new(name).font(fonts::small()).color(t.muted)).truncate());
    }
}

/// What still retains the targets: a click removes it, too.
fn holders_ui(ui: &mut Ui, cuts: &Cuts, of: DumpKey, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    let Some(effect) = cuts.effect().filter(|effect| !effect.holder_names.is_empty()) else { return };
    ui.add_space(6.0);
    let others = Count(effect.what.other_references).of("other reference", "other references");
    let why =
        format!("{} still retained through {others}: select one to remove it, too", effect.what.still_held.shallow);
    ui.label(RichText::new(why).font(fonts::small()).color(t.warn));
    for (holder, name) in effect.what.other_holders.iter().zip(&effect.holder_names) {
        if ui.add(Button::new(name).truncate()).clicked() {
            commands.push(Command::Cut(of, vec![holder.cut.clone()]));
        }
    }
}
