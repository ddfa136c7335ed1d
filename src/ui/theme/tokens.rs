//! Every colour and size of the window, by what it is for. A dark and a light
//! table with the same names; text on any of their surfaces has at least the
//! contrast of WCAG AA (4.5 to 1), which a test holds.
#![expect(clippy::disallowed_methods, reason = "the one place where colours are made")]

use eframe::egui;
use egui::Color32;

/// Colours of one theme.
#[derive(Debug, Clone, Copy)]
pub struct Tokens {
    /// Whether this is the dark theme.
    pub dark: bool,
    /// Behind tables and texts.
    pub surface: Color32,
    /// Behind side panes and bars.
    pub panel: Color32,
    /// Cards, popups, fields to type in.
    pub raised: Color32,
    /// A row or button under the pointer.
    pub hover: Color32,
    /// The selected row.
    pub selected: Color32,
    /// Lines between areas.
    pub border: Color32,
    /// Lines around things to click.
    pub edge: Color32,
    /// What is read first.
    pub text: Color32,
    /// What is read second: packages, headers, units.
    pub muted: Color32,
    /// What is read on demand: ids, hints.
    pub faint: Color32,
    /// What can be clicked, what is selected.
    pub accent: Color32,
    /// Text on the accent colour.
    pub on_accent: Color32,
    /// The filled part of a bar.
    pub bar: Color32,
    /// The whole of a bar.
    pub track: Color32,
    /// Labels of objects: the text of strings, names of threads.
    pub label: Color32,
    /// Names of fields.
    pub field: Color32,
    /// GC roots.
    pub root: Color32,
    /// Something is missing.
    pub warn: Color32,
    /// Something failed.
    pub error: Color32,
    /// Everything is exact.
    pub good: Color32,
    /// Under popups.
    pub shadow: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const DARK: Tokens = Tokens {
    dark: true,
    surface: rgb(0x0f_1217),
    panel: rgb(0x14_181f),
    raised: rgb(0x1b_2029),
    hover: rgb(0x1a_1f27),
    selected: rgb(0x17_3537),
    border: rgb(0x23_2933),
    edge: rgb(0x34_3c49),
    text: rgb(0xe8_ebef),
    muted: rgb(0xa6_afbc),
    faint: rgb(0x95_9fae),
    accent: rgb(0x53_d3c6),
    on_accent: rgb(0x04_2320),
    bar: rgb(0x2f_9d94),
    track: rgb(0x22_2933),
    label: rgb(0xe6_b673),
    field: rgb(0xa3_bcf5),
    root: rgb(0xc8_aeff),
    warn: rgb(0xed_bb45),
    error: rgb(0xf8_8188),
    good: rgb(0x63_d091),
    shadow: Color32::from_black_alpha(110),
};

const LIGHT: Tokens = Tokens {
    dark: false,
    surface: rgb(0xff_ffff),
    panel: rgb(0xf6_f7f9),
    raised: rgb(0xff_ffff),
    hover: rgb(0xf0_f3f6),
    selected: rgb(0xd9_f1ee),
    border: rgb(0xe0_e4ea),
    edge: rgb(0xc6_cdd6),
    text: rgb(0x1a_1f27),
    muted: rgb(0x4d_5764),
    faint: rgb(0x5f_6975),
    accent: rgb(0x08_6d64),
    on_accent: rgb(0xff_ffff),
    bar: rgb(0x3f_aea4),
    track: rgb(0xe6_eaef),
    label: rgb(0x86_4f00),
    field: rgb(0x2b_4fab),
    root: rgb(0x64_3abc),
    warn: rgb(0x80_5200),
    error: rgb(0xaf_231c),
    good: rgb(0x17_6b3b),
    shadow: Color32::from_black_alpha(36),
};

/// The tokens of the theme that `ui` is drawn in.
pub fn tokens(ui: &egui::Ui) -> &'static Tokens {
    of(ui.visuals().dark_mode)
}

/// The tokens of the dark or the light theme.
pub fn of(dark: bool) -> &'static Tokens {
    if dark { &DARK } else { &LIGHT }
}

/// Sizes in points.
pub mod sizes {
    /// A row of a table.
    pub const ROW: f32 = 26.0;
    /// The header of a table.
    pub const HEADER: f32 = 30.0;
    /// Tool rows above tables and panes.
    pub const TOOLS: f32 = 40.0;
    /// Space left and right inside areas.
    pub const PAD: f32 = 12.0;
    /// Ordinary text.
    pub const TEXT: f32 = 13.5;
    /// Headers and hints.
    pub const SMALL: f32 = 12.0;
    /// Ids and values.
    pub const MONO: f32 = 12.0;
    /// The title of a page.
    pub const TITLE: f32 = 24.0;
    /// The title of a pane.
    pub const HEADING: f32 = 16.0;
    /// Rounded corners.
    pub const CORNER: u8 = 6;
    /// One level of a tree.
    pub const INDENT: f32 = 16.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(c: Color32) -> f64 {
        let part = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(c.r()) + 0.7152 * part(c.g()) + 0.0722 * part(c.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_has_the_contrast_of_wcag_aa_on_every_surface() {
        for t in [DARK, LIGHT] {
            let texts = [t.text, t.muted, t.faint, t.accent, t.label, t.field, t.root, t.warn, t.error, t.good];
            for surface in [t.surface, t.panel, t.raised, t.hover, t.selected] {
                for text in texts {
                    let ratio = contrast(text, surface);
                    assert!(ratio >= 4.5, "{text:?} on {surface:?}: {ratio:.2}, dark: {}", t.dark);
                }
            }
            assert!(contrast(t.on_accent, t.accent) >= 4.5);
            assert!(contrast(t.bar, t.surface) >= 2.5, "bars are seen");
        }
    }
}
