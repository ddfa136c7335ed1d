//! Text for a terminal. Names and strings of a dump may contain anything, also control sequences: control characters,
//! and marks that change the text direction. They become spaces.

use std::borrow::Cow;
use std::io::{self, Write};

/// Writer that replaces control characters except line breaks.
pub struct Printable<W>(pub W);

/// True if a terminal would interpret the character instead of showing it.
pub fn is_order(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text in one line: line breaks and control characters become spaces.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_order(c) { ' ' } else { c }).collect()
}

/// Text for a spreadsheet cell. Spreadsheets run text that begins with certain characters as a formula: such
/// text gets an apostrophe before it. So does text that would begin a cell if the file were split
/// at semicolons or tabs, as in many European locales. Numbers and ids (`-3`, `@17`) are unchanged.
pub fn no_formula(text: &str) -> Cow<'_, str> {
    const PARTS: [char; 4] = [';', '\t', '\n', '\r'];
    if !text.contains(FORMULA) && !text.starts_with(PARTS) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 1);
    // A leading separator would shift the following cells.
    safe.push_str(if text.starts_with(['\t', '\r', '\n']) { "'" } else { "" });
    for part in text.split_inclusive(PARTS) {
        let formula = part.trim_start_matches(['"', ' ']);
        let (before, sign) = part.split_at(part.len() - formula.len());
        safe.push_str(before);
        if is_formula(sign.trim_end_matches(PARTS)) {
            safe.push('\'');
        }
        safe.push_str(sign);
    }
    if safe == text { Cow::Borrowed(text) } else { Cow::Owned(safe) }
}

/// First characters of formulas.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

fn is_formula(text: &str) -> bool {
    let is_number = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.strip_prefix(FORMULA).is_some_and(|rest| !is_number(rest) || text.starts_with('='))
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Input comes from whole strings; invalid UTF-8 becomes replacement characters.
        let text = String::from_utf8_lossy(bytes);
        let clean = |c: char| c == '\n' || !is_order(c);
        if text.chars().all(clean) {
            self.0.write_all(text.as_bytes())?;
        } else {
            let text: String = text.chars().map(|c| if clean(c) { c } else { ' ' }).collect();
            self.0.write_all(text.as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreadsheets_get_no_formulas() {
        for formula in ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "=1", "-a"] {
            assert_eq!(no_formula(formula), format!("'{formula}"));
        }
        for (text, safe) in [
            ("x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"),
            ("\"=1\"", "\"'=1\""),
            ("a\n\"@SUM(A1)\"", "a\n\"'@SUM(A1)\""),
            ("a\t -b;;=c", "a\t '-b;;'=c"),
            ("\t=1", "'\t'=1"),
            ("\n", "'\n"),
        ] {
            assert_eq!(no_formula(text), safe);
        }
        for text in ["", "-", "-3", "a;b=c", "(I;-1;)", "+4.5", "@17", "a=b", "desk.Session", "'=1", "−5"] {
            assert_eq!(no_formula(text), text);
        }
    }

    #[test]
    fn terminals_get_no_escape_sequences() {
        let mut out = Printable(Vec::new());
        out.write_all("a\u{1b}[31mb\u{9b}c\u{202e}d\ne·€".as_bytes()).expect("a vector takes all");
        assert_eq!(String::from_utf8(out.0).expect("text"), "a [31mb c d\ne·€");
    }
}
