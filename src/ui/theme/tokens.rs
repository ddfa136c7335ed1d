//! Colours and sizes of the window, by purpose. The dark and the light theme have the same names; text on any surface
//! has at least the contrast of WCAG AA (4.5 to 1), which a test checks.
#![expect(clippy::disallowed_methods, reason = "the one place where colours are made")]

use eframe::egui;
use egui::Color32;

/// Colours of one theme.
#[derive(Debug, Clone, Copy)]
pub struct Tokens {
    /// True for the dark theme.
    pub dark: bool,
    /// Background of tables and texts.
    pub surface: Color32,
    /// Background of side panes and bars.
    pub panel: Color32,
    /// Background of cards, popups and text fields.
    pub raised: Color32,
    /// Background of a row or button under the pointer.
    pub hover: Color32,
    /// Background of the selected row.
    pub selected: Color32,
    /// Lines between areas.
    pub border: Color32,
    /// Outlines of controls.
    pub edge: Color32,
    /// Primary text.
    pub text: Color32,
    /// Secondary text: packages, headers, units.
    pub muted: Color32,
    /// Tertiary text: ids, hints.
    pub faint: Color32,
    /// Links, selection and focus.
    pub accent: Color32,
    /// Text on the accent colour.
    pub on_accent: Color32,
    /// Filled part of a bar.
    pub bar: Color32,
    /// Empty part of a bar.
    pub track: Color32,
    /// Labels of objects: content of strings, names of threads.
    pub label: Color32,
    /// Field names.
    pub field: Color32,
    /// GC roots.
    pub root: Color32,
    /// Warnings.
    pub warn: Color32,
    /// Errors.
    pub error: Color32,
    /// Success.
    pub good: Color32,
    /// Growth since the baseline.
    pub grew: Color32,
    /// Decrease since the baseline.
    pub shrank: Color32,
    /// Shadow of popups.
    pub shadow: Color32,
    /// Kinds in charts, distinguishable also with colour blindness.
    pub hues: [Hue; HUES],
    /// Levels in charts, the top first.
    pub ramp: [Hue; LEVELS],
    /// Kinds of change, from shrunk over unchanged to new, and unknown.
    pub change: [Hue; CHANGES],
    /// Aggregated cells and cells without a kind.
    pub rest: Hue,
}

/// Number of colours for kinds in charts.
pub const HUES: usize = 8;
/// Number of colours for levels in charts.
pub const LEVELS: usize = 6;

/// Number of colours for changes in charts: shrunk to less than half, shrunk, unchanged, grown, grown to more than
/// double, new, unknown.
pub const CHANGES: usize = 7;

/// A fill colour and the colour of text on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hue {
    /// Fill colour.
    pub fill: Color32,
    /// Text colour.
    pub ink: Color32,
}

impl Tokens {
    /// A weaker colour for backgrounds: close to the surface.
    pub fn tint(&self, hue: Hue) -> Hue {
        Hue { fill: self.surface.lerp_to_gamma(hue.fill, if self.dark { 0.26 } else { 0.30 }), ink: self.text }
    }
}

/// A dark fill with light text.
const fn deep(hex: u32) -> Hue {
    Hue { fill: rgb(hex), ink: rgb(0xf4_f6f8) }
}

/// A light fill with dark text.
const fn pale(hex: u32) -> Hue {
    Hue { fill: rgb(hex), ink: rgb(0x0e_1216) }
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
    grew: rgb(0xf4_a85c),
    shrank: rgb(0x80_b8f7),
    shadow: Color32::from_black_alpha(110),
    hues: [
        pale(0x69_7cc3),
        pale(0xb9_b65e),
        deep(0x5b_4d7c),
        pale(0x74_bbe1),
        pale(0xe4_99a4),
        deep(0x43_6447),
        pale(0x7f_8438),
        pale(0xa3_7185),
    ],
    ramp: [deep(0x1c_5a56), deep(0x23_666a), deep(0x2c_6878), deep(0x3a_6582), deep(0x4a_5f84), deep(0x58_587f)],
    change: [
        pale(0x5f_a0ea),
        deep(0x2b_5486),
        Hue { fill: rgb(0x2d_333d), ink: rgb(0xd3_d8df) },
        deep(0x75_4a1c),
        pale(0xd0_7a2c),
        pale(0xfb_c364),
        pale(0x85_8b93),
    ],
    rest: Hue { fill: rgb(0x2a_313c), ink: rgb(0xa6_afbc) },
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
    grew: rgb(0x93_4700),
    shrank: rgb(0x1d_5ba6),
    shadow: Color32::from_black_alpha(36),
    hues: [
        pale(0x79_9fe4),
        pale(0xf0_de86),
        pale(0x9c_81a2),
        pale(0x8b_d8fe),
        pale(0xcd_a3b1),
        pale(0x7f_9375),
        pale(0xb1_8335),
        pale(0xbe_bd98),
    ],
    ramp: [pale(0x86_cfc6), pale(0x93_cbd3), pale(0xa0_c7de), pale(0xb1_c4e3), pale(0xc3_c3e4), pale(0xd2_c6e2)],
    change: [
        pale(0x5c_98de),
        pale(0xb4_d2f5),
        Hue { fill: rgb(0xe1_e4e8), ink: rgb(0x38_414c) },
        pale(0xfb_d2a0),
        pale(0xee_9a45),
        deep(0xb4_4a0a),
        pale(0x9a_a0a8),
    ],
    rest: Hue { fill: rgb(0xe6_e9ed), ink: rgb(0x42_4b57) },
};

/// Tokens of the theme of `ui`.
pub fn tokens(ui: &egui::Ui) -> &'static Tokens {
    of(ui.visuals().dark_mode)
}

/// Tokens of the dark or the light theme.
pub fn of(dark: bool) -> &'static Tokens {
    if dark { &DARK } else { &LIGHT }
}

/// Sizes in points.
pub mod sizes {
    /// Height of a table row.
    pub const ROW: f32 = 26.0;
    /// Height of a table header.
    pub const HEADER: f32 = 30.0;
    /// Height of toolbars above tables and panes.
    pub const TOOLS: f32 = 40.0;
    /// Maximum width of the help window.
    pub const HELP: f32 = 920.0;
    /// Padding left and right.
    pub const PAD: f32 = 12.0;
    /// Font size of regular text.
    pub const TEXT: f32 = 13.5;
    /// Font size of headers and hints.
    pub const SMALL: f32 = 12.0;
    /// Font size of ids and values.
    pub const MONO: f32 = 12.0;
    /// Font size of a page title.
    pub const TITLE: f32 = 24.0;
    /// Font size of a pane title.
    pub const HEADING: f32 = 16.0;
    /// Radius of rounded corners.
    pub const CORNER: u8 = 6;
    /// Indentation of a tree level.
    pub const INDENT: f32 = 16.0;
}
