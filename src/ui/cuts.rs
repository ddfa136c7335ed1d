//! Cuts in the status bar and on the clipboard.

use eframe::egui;
use egui::{Button, Popup, RichText, Ui};

use super::command::Command;
use super::location::DumpKey;
use super::theme::{fonts, tokens};
use super::verb::{Verb, keys_text};
use heaplens_base::Count;
use heaplens_session::cuts::NAMED;
use heaplens_session::{Cuts, OpenDump};
use heaplens_tables::Question;

/// Command line that prints the effect of the cuts; `None` without cuts.
pub fn command_line(cuts: &Cuts, dump: &OpenDump) -> Option<Question> {
    let line = Question::new("summary", &dump.opened);
    let with = |line: Question, text| line.option("cut", text);
    (!cuts.is_empty()).then(|| cuts.texts(&dump.heap).into_iter().fold(line, with))
}

/// Status bar entry of the dump `of`: the cuts, their effect and an undo button. Draws nothing without cuts.
pub fn status_ui(ui: &mut Ui, cuts: &Cuts, of: DumpKey, dump: Option<&OpenDump>, commands: &mut Vec<Command>) {
    if cuts.is_empty() {
        return;
    }
    let t = tokens(ui);
    let link = |text: &str| Button::new(RichText::new(text).font(fonts::small()).color(t.accent)).frame(false);
    let about = format!("{}{}", Verb::UndoCut.entry().name, keys_text(ui.ctx(), Verb::UndoCut));
    if ui.add(link("Undo")).on_hover_text(about).clicked() {
        commands.push(Command::from(Verb::UndoCut));
    }
    let effect = cuts.effect();
    let text = RichText::new(cuts.status()).font(fonts::small()).color(t.text);
    let shown = ui.add(Button::new(text).frame(false).truncate());
    let shown = shown.on_hover_text("List the cuts and the remaining paths");
    Popup::menu(&shown).show(|ui| {
        ui.set_max_width(560.0);
        ui.label(RichText::new("Cuts: select one to undo it").font(fonts::small()).color(t.muted));
        for (at, cut) in cuts.all().iter().enumerate().take(NAMED) {
            let name = effect.and_then(|effect| effect.names.get(at)).map_or("…", String::as_str);
            if ui.add(Button::new(name).truncate()).clicked() {
                commands.push(Command::Cut(of, vec![cut.clone()]));
                ui.close();
            }
        }
        if cuts.all().len() > NAMED {
            let more = format!("and {} more", Count((cuts.all().len() - NAMED) as u64));
            ui.label(RichText::new(more).font(fonts::small()).color(t.faint));
        }
        if let Some(effect) = effect.filter(|effect| !effect.holder_names.is_empty()) {
            ui.separator();
            ui.label(RichText::new("Remaining paths: select one to cut it too").font(fonts::small()).color(t.muted));
            for (holder, name) in effect.what.other_holders.iter().zip(&effect.holder_names) {
                if ui.add(Button::new(name).truncate()).clicked() {
                    commands.push(Command::Cut(of, vec![holder.cut.clone()]));
                    ui.close();
                }
            }
        }
        ui.separator();
        let copies = ui
            .button("Copy command line of the cuts")
            .on_hover_text("Copy the heaplens command that computes what they free");
        if let Some(command) = dump.filter(|_| copies.clicked()).and_then(|dump| command_line(cuts, dump)) {
            commands.push(Command::Copy(format!("{command}\n"), "the command line".to_owned()));
            ui.close();
        }
        if ui.button("Undo all cuts").clicked() {
            commands.push(Command::ClearCuts);
            ui.close();
        }
    });
}
