//! Choice of the weakest reference strength to follow for paths.

use eframe::egui::Ui;

use heaplens_core::heap::Strength;

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

/// Draws the choices.
pub fn choices_ui(ui: &mut Ui, weakest: &mut Strength) {
    for (options, name) in WISHES {
        ui.selectable_value(weakest, options, name);
    }
}
