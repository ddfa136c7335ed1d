//! What a view about the objects of a class shows while no class is selected: the largest classes, to choose one.

use eframe::egui::{self, RichText, Ui};

use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::units;
use crate::ui::{Command, SelectedBy, ViewContext};
use heaplens_base::Count;
use heaplens_heap::{ClassId, split_class};
use heaplens_tables::RowTarget;

/// Number of classes offered.
const OFFERED: usize = 12;

/// Draws the page: what the view answers, and the largest classes as links.
pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, question: &str) {
    let t = tokens(ui);
    let dump = context.dump;
    let mut classes: Vec<(ClassId, u64)> = dump
        .heap
        .classes
        .iter()
        .map(|(class, _)| (class, dump.analysis.class_totals(class).shallow.0))
        .filter(|&(_, shallow)| shallow > 0)
        .collect();
    let most = OFFERED.min(classes.len());
    if most < classes.len() {
        classes.select_nth_unstable_by_key(most, |&(class, shallow)| (std::cmp::Reverse(shallow), class));
    }
    classes.truncate(most);
    classes.sort_by_key(|&(class, shallow)| (std::cmp::Reverse(shallow), class));
    let frame = egui::Frame::NONE.inner_margin(egui::Margin::same(sizes::PAD as i8 * 2));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.label(RichText::new(question).font(fonts::medium()).color(t.text));
        let hint = "Choose one of the largest classes, or select a class or an object in any view";
        ui.label(RichText::new(hint).font(fonts::text()).color(t.muted));
        egui::ScrollArea::vertical().id_salt("classes to choose").show(ui, |ui| {
            egui::Grid::new("largest classes").spacing(egui::vec2(24.0, 8.0)).show(ui, |ui| {
                for (class, _) in classes {
                    let name = &dump.heap.classes.get(class).name;
                    let link = ui.link(RichText::new(split_class(name).1).font(fonts::medium()));
                    if link.on_hover_text(&**name).clicked() {
                        let target = RowTarget::Class(class);
                        context.push(Command::Select(context.location.dump, target, SelectedBy::Click));
                    }
                    let totals = dump.analysis.class_totals(class);
                    for text in
                        [Count(totals.objects).of("object", "objects"), units::written(ui.ctx(), totals.shallow)]
                    {
                        ui.label(RichText::new(text).font(fonts::small()).color(t.muted));
                    }
                    ui.end_row();
                }
            });
        });
    });
}
