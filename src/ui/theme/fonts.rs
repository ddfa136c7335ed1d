//! Embedded fonts: IBM Plex Sans, whose digits have equal widths, so that columns of numbers align, and IBM Plex Mono
//! for ids and values. Their licence (OFL) is in the same folder. Missing glyphs come from the fonts of egui.

use std::sync::Arc;

use eframe::egui;
use egui::{FontData, FontDefinitions, FontFamily, FontId};

use super::sizes;

const MEDIUM: &str = "medium";
const BOLD: &str = "semibold";

/// Sets the fonts of a context.
pub fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::default();
    let embedded: [(&str, &'static [u8]); 4] = [
        ("plex-sans", include_bytes!("../../../assets/fonts/IBMPlexSans-Regular.ttf")),
        ("plex-sans-medium", include_bytes!("../../../assets/fonts/IBMPlexSans-Medium.ttf")),
        ("plex-sans-semibold", include_bytes!("../../../assets/fonts/IBMPlexSans-SemiBold.ttf")),
        ("plex-mono", include_bytes!("../../../assets/fonts/IBMPlexMono-Regular.ttf")),
    ];
    for (name, bytes) in embedded {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let families = [
        (FontFamily::Proportional, "plex-sans"),
        (FontFamily::Monospace, "plex-mono"),
        (FontFamily::Name(MEDIUM.into()), "plex-sans-medium"),
        (FontFamily::Name(BOLD.into()), "plex-sans-semibold"),
    ];
    for (family, first) in families {
        let names = fonts.families.entry(family).or_insert_with(|| fallback.clone());
        names.insert(0, first.to_owned());
    }
    ctx.set_fonts(fonts);
}

/// Regular text.
pub fn text() -> FontId {
    FontId::new(sizes::TEXT, FontFamily::Proportional)
}

/// Medium weight, for the subject of a line.
pub fn medium() -> FontId {
    FontId::new(sizes::TEXT, FontFamily::Name(MEDIUM.into()))
}

/// Headers and hints.
pub fn small() -> FontId {
    FontId::new(sizes::SMALL, FontFamily::Proportional)
}

/// Headers of columns.
pub fn small_medium() -> FontId {
    FontId::new(sizes::SMALL, FontFamily::Name(MEDIUM.into()))
}

/// Ids and values.
pub fn mono() -> FontId {
    FontId::new(sizes::MONO, FontFamily::Monospace)
}

/// Title of a pane.
pub fn heading() -> FontId {
    FontId::new(sizes::HEADING, FontFamily::Name(BOLD.into()))
}

/// Title of a page.
pub fn title() -> FontId {
    FontId::new(sizes::TITLE, FontFamily::Name(BOLD.into()))
}
