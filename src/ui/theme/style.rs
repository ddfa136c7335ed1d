//! Applies the tokens to egui's style, for its menus, buttons and tooltips.

use eframe::egui;
use egui::{CornerRadius, Margin, Shadow, Stroke, TextStyle, Theme, Vec2, Visuals};

use super::fonts;
use super::tokens::{Tokens, of, sizes};

/// Installs the fonts and the style of both themes.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    ctx.set_visuals_of(Theme::Dark, visuals(of(true)));
    ctx.set_visuals_of(Theme::Light, visuals(of(false)));
    ctx.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Body, fonts::text()),
            (TextStyle::Button, fonts::text()),
            (TextStyle::Small, fonts::small()),
            (TextStyle::Monospace, fonts::mono()),
            (TextStyle::Heading, fonts::heading()),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(8.0, 6.0);
        style.spacing.button_padding = Vec2::new(10.0, 4.0);
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.interact_size.y = 26.0;
        style.spacing.menu_width = 260.0;
        style.spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.35;
        style.animation_time = 0.08;
    });
}

fn visuals(t: &Tokens) -> Visuals {
    let mut v = if t.dark { Visuals::dark() } else { Visuals::light() };
    let corner = CornerRadius::same(sizes::CORNER);
    v.panel_fill = t.panel;
    v.window_fill = t.raised;
    v.extreme_bg_color = t.surface;
    v.faint_bg_color = t.hover;
    v.code_bg_color = t.hover;
    v.text_edit_bg_color = Some(t.surface);
    v.window_stroke = Stroke::new(1.0, t.edge);
    v.window_corner_radius = CornerRadius::same(10);
    v.menu_corner_radius = CornerRadius::same(8);
    v.popup_shadow = Shadow { offset: [0, 6], blur: 18, spread: 0, color: t.shadow };
    v.window_shadow = Shadow { offset: [0, 12], blur: 32, spread: 0, color: t.shadow };
    v.hyperlink_color = t.accent;
    v.warn_fg_color = t.warn;
    v.error_fg_color = t.error;
    v.selection.bg_fill = t.selected;
    v.selection.stroke = Stroke::new(1.0, t.accent);
    v.weak_text_color = Some(t.muted);
    let widgets = [
        (&mut v.widgets.noninteractive, t.panel, t.border, t.text),
        (&mut v.widgets.inactive, t.raised, t.edge, t.text),
        (&mut v.widgets.hovered, t.hover, t.accent, t.text),
        (&mut v.widgets.active, t.selected, t.accent, t.text),
        (&mut v.widgets.open, t.hover, t.edge, t.text),
    ];
    for (w, fill, line, text) in widgets {
        w.bg_fill = fill;
        w.weak_bg_fill = fill;
        w.bg_stroke = Stroke::new(1.0, line);
        w.fg_stroke = Stroke::new(1.0, text);
        w.corner_radius = corner;
        w.expansion = 0.0;
    }
    v
}
