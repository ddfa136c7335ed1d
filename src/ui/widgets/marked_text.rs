//! Short texts of the manual with marks for code and emphasis: `` `code` `` and `*emphasis*`.

use eframe::egui;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId};

use crate::ui::theme::fonts;

/// Kind of a part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Plain,
    Code,
    Emphasis,
}

/// The parts of a text between its marks. A mark without its partner is text.
fn parts(text: &str) -> Vec<(Mark, &str)> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let mut plain = text;
    while let Some(at) = rest.find(['`', '*']) {
        let (sign, inside) = (&rest[at..=at], &rest[at + 1..]);
        let mark = if sign == "`" { Mark::Code } else { Mark::Emphasis };
        // `**` and an asterisk before a space are no emphasis of one word.
        let is_mark = mark == Mark::Code || !inside.starts_with([' ', '*']);
        let end = inside.find(sign).filter(|&end| is_mark && end > 0);
        let Some(end) = end else {
            rest = inside;
            continue;
        };
        let before = plain.len() - rest.len() + at;
        if before > 0 {
            parts.push((Mark::Plain, &plain[..before]));
        }
        parts.push((mark, &inside[..end]));
        rest = &inside[end + 1..];
        plain = rest;
    }
    if !plain.is_empty() {
        parts.push((Mark::Plain, plain));
    }
    parts
}

/// The text without its marks.
pub fn plain(text: &str) -> String {
    parts(text).into_iter().map(|(_, part)| part).collect()
}

/// The text with code in the font of code, and with emphasis.
pub fn layout(text: &str, font: &FontId, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (mark, part) in parts(text) {
        let mut format = TextFormat::simple(font.clone(), color);
        match mark {
            Mark::Plain => {}
            Mark::Code => format.font_id = FontId { size: font.size - 0.5, ..fonts::mono() },
            Mark::Emphasis => format.italics = true,
        }
        job.append(part, 0.0, format);
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_not_shown() {
        use Mark::{Code, Emphasis, Plain};
        for (text, expected) in [
            ("", vec![]),
            ("no marks", vec![(Plain, "no marks")]),
            ("titles call it *before*.", vec![(Plain, "titles call it "), (Emphasis, "before"), (Plain, ".")]),
            ("`--cut`, `-x`", vec![(Code, "--cut"), (Plain, ", "), (Code, "-x")]),
            ("2 * 3 * 4", vec![(Plain, "2 * 3 * 4")]),
            ("`a*b` and *c `d", vec![(Code, "a*b"), (Plain, " and *c `d")]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
        assert_eq!(
            plain("else *not known*; on the command line `--cut`."),
            "else not known; on the command line --cut."
        );
    }

    #[test]
    fn no_term_of_the_glossary_shows_marks() {
        for term in crate::glossary::terms() {
            let shown = plain(&term.definition);
            assert!(!shown.contains(['`', '*']), "{}: {shown}", term.name);
            let laid_out = layout(&term.definition, &fonts::text(), Color32::BLACK);
            assert_eq!(laid_out.text, shown);
        }
    }
}
