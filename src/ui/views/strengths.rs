//! Choice of the weakest reference strength to follow for paths.

use eframe::egui::{ComboBox, Response, Role, Ui, WidgetInfo};

use heaplens_heap::Strength;

/// Choices of the weakest strength.
const WISHES: [(Strength, &str); 4] = [
    (Strength::Strong, "Strong only"),
    (Strength::Soft, "Strong and soft"),
    (Strength::Weak, "All but phantom"),
    (Strength::Phantom, "All references"),
];

/// Label of the choice with this weakest strength.
pub fn name(weakest: Strength) -> &'static str {
    WISHES.iter().find(|(options, _)| *options == weakest).map_or("", |(_, name)| *name)
}

/// True if it is one of the choices.
pub fn is_offered(weakest: Strength) -> bool {
    WISHES.iter().any(|(options, _)| *options == weakest)
}

/// Draws the choice as a combo box; its selected text is [`name`].
pub fn choice_ui(ui: &mut Ui, combo: ComboBox, weakest: &mut Strength) -> Response {
    let shown = combo.show_ui(ui, |ui| {
        for (strength, name) in WISHES {
            ui.selectable_value(weakest, strength, name);
        }
    });
    // After the list: the choice may be new.
    let label = format!("References to follow: {}", name(*weakest));
    shown.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &label));
    shown.response
}
