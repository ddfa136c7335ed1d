//! Tests of the colours: text has the contrast of WCAG AA on every surface, and the colours of kinds in charts are
//! distinguishable, also with colour blindness.

use eframe::egui::Color32;

use super::tokens::{self, Hue, Tokens};

/// Contrast of ordinary text, WCAG 2 level AA.
const AA: f64 = 4.5;
/// Minimum difference (CIEDE2000) between distinguishable adjacent colours.
const APART: f64 = 12.0;

type Triple = [f64; 3];

/// Linear light of each channel.
fn linear(color: Color32) -> Triple {
    [color.r(), color.g(), color.b()].map(|v| {
        let v = f64::from(v) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: &[Triple; 3], v: Triple) -> Triple {
    matrix.map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum())
}

fn contrast(a: Color32, b: Color32) -> f64 {
    let luminance = |c| times(&[[0.2126, 0.7152, 0.0722]; 3], linear(c))[0];
    let (a, b): (f64, f64) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Colour vision without one of the three kinds of cones: Machado, Oliveira & Fernandes 2009, severity 1.
const COLOUR_VISIONS: [(&str, [Triple; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "tritanopia",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

/// CIE L*a*b* under D65.
fn lab(rgb: Triple) -> Triple {
    const XYZ: [Triple; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175_0],
        [0.019_333_9, 0.119_192_0, 0.950_304_1],
    ];
    let xyz = times(&XYZ, rgb.map(|v| v.clamp(0.0, 1.0)));
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let [x, y, z] = [f(xyz[0] / 0.950_47), f(xyz[1]), f(xyz[2] / 1.088_83)];
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000 (Sharma, Wu & Dalal 2005).
fn difference([l1, a1, b1]: Triple, [l2, a2, b2]: Triple) -> f64 {
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25_f64.powi(7))).sqrt();
    let g = 1.0 + 0.5 * (1.0 - seventh(f64::midpoint(a1.hypot(b1), a2.hypot(b2))));
    let (a1, a2) = (a1 * g, a2 * g);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 * c2 == 0.0;
    let turn = if grey { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
    let between = match (h1 - h2).abs() {
        _ if grey => h1 + h2,
        apart if apart <= 180.0 => f64::midpoint(h1, h2),
        _ if h1 + h2 < 360.0 => f64::midpoint(h1 + h2, 360.0),
        _ => f64::midpoint(h1 + h2, -360.0),
    };
    let (light, chroma) = (f64::midpoint(l1, l2), f64::midpoint(c1, c2));
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(between - 30.0) + 0.24 * cos(2.0 * between) + 0.32 * cos(3.0 * between + 6.0)
        - 0.20 * cos(4.0 * between - 63.0);
    let sl = 1.0 + 0.015 * (light - 50.0).powi(2) / (20.0 + (light - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * chroma, 1.0 + 0.015 * chroma * t);
    let rotation = 60.0 * (-((between - 275.0) / 25.0).powi(2)).exp();
    let rt = -2.0 * seventh(chroma) * rotation.to_radians().sin();
    let dl = (l2 - l1) / sl;
    let dc = (c2 - c1) / sc;
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin() / sh;
    (dl * dl + dc * dc + dh * dh + rt * dc * dh).sqrt()
}

fn themes() -> [&'static Tokens; 2] {
    [tokens::of(true), tokens::of(false)]
}

fn reads(text: Color32, on: Color32, what: &str, dark: bool) {
    let ratio = contrast(text, on);
    assert!(ratio >= AA, "{what}: {text:?} on {on:?}: {ratio:.2}, dark: {dark}");
}

/// Checks that fills are distinguishable with every colour vision.
fn are_distinct(hues: &[Hue], dark: bool) {
    for (vision, matrix) in &COLOUR_VISIONS {
        let seen: Vec<Triple> = hues.iter().map(|hue| lab(times(matrix, linear(hue.fill)))).collect();
        for (n, &a) in seen.iter().enumerate() {
            for (m, &b) in seen.iter().enumerate().skip(n + 1) {
                let apart = difference(a, b);
                assert!(apart >= APART, "{n} and {m} with {vision}: {apart:.1}, dark: {dark}");
            }
        }
    }
}

#[test]
fn text_has_the_contrast_of_wcag_aa_on_every_surface() {
    for t in themes() {
        let texts =
            [t.text, t.muted, t.faint, t.accent, t.label, t.field, t.root, t.warn, t.error, t.good, t.grew, t.shrank];
        for surface in [t.surface, t.panel, t.raised, t.hover, t.selected] {
            texts.iter().for_each(|&text| reads(text, surface, "text", t.dark));
        }
        reads(t.on_accent, t.accent, "on accent", t.dark);
        assert!(contrast(t.bar, t.surface) >= 2.5, "bars are seen");
        assert!(contrast(t.bar, t.track) >= 1.9, "the filled part of a bar differs from the rest");
    }
}

#[test]
fn text_has_contrast_on_every_chart_colour() {
    for t in themes() {
        for hue in t.hues.iter().chain(&t.ramp).chain(&t.change).chain([&t.rest]) {
            reads(hue.ink, hue.fill, "a cell", t.dark);
            let behind = t.tint(*hue);
            reads(behind.ink, behind.fill, "a header", t.dark);
            assert!(contrast(hue.fill, t.surface) >= 1.2, "{hue:?} is seen, dark: {}", t.dark);
        }
    }
}

#[test]
fn chart_colours_are_distinct_for_colour_blind_users() {
    for t in themes() {
        are_distinct(&[&t.hues[..], &[t.rest]].concat(), t.dark);
    }
}

#[test]
fn growth_colours_are_distinct_for_colour_blind_users() {
    for t in themes() {
        are_distinct(&t.change, t.dark);
    }
}

/// Test data of the authors of the formula.
#[test]
fn differences_are_those_of_the_paper() {
    for (a, b, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
    ] {
        assert!((difference(a, b) - expected).abs() < 1e-3, "{a:?} {b:?}: {}", difference(a, b));
    }
}
