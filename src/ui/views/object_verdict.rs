//! Verdict of the user on the selected object, in the header of the inspector.

use eframe::egui::{Label, RichText, Role, Sense, Ui, WidgetInfo};
use heaplens_tables::RowTarget;

use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::{controls, verdict_mark};
use crate::ui::{Verb, ViewContext};
use heaplens_analysis::ObjectDetails;

/// Draws the button that sets a verdict.
pub(super) fn flag_ui(ui: &mut Ui, context: &mut ViewContext<'_>, details: &ObjectDetails) {
    let name = format!("{}{}", Verb::Verdict.entry().name, keys_text(ui.ctx(), Verb::Verdict));
    if controls::icon_button(ui, Icon::Flag, &name, true).clicked() {
        context.run_on(Verb::Verdict, RowTarget::Object(details.object));
    }
}

/// Draws the verdict, if any; a click changes it.
pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, details: &ObjectDetails) {
    let Some(verdict) = context.verdict_of(details.object) else { return };
    let t = tokens(ui);
    let sentence = verdict_mark::sentence(verdict, t);
    let (word, color) = verdict_mark::word(verdict.group, t);
    ui.horizontal(|ui| {
        controls::pill(ui, word, color, &sentence);
        let text = if verdict.reason.is_empty() { &verdict.pattern } else { &verdict.reason };
        let text = RichText::new(text).font(fonts::small()).color(t.muted);
        let shown = ui.add(Label::new(text).sense(Sense::click()).selectable(false).truncate());
        shown.widget_info(|| WidgetInfo::labeled(Role::Button, true, &sentence));
        if shown.on_hover_text(&sentence).clicked() {
            context.run_on(Verb::Verdict, RowTarget::Object(details.object));
        }
    });
}
