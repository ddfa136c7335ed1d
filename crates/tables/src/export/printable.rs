//! Text for a terminal and the clipboard. Names and strings of a dump may contain anything, also control sequences and
//! characters that are not seen: they become escapes ([`heaplens_base::invisible`]).

use std::borrow::Cow;
use std::io::{self, Write};

pub use heaplens_base::invisible::one_line;
use heaplens_base::invisible::visible;

/// Writer that escapes invisible characters except line breaks and tabs.
pub struct Printable<W>(pub W);

/// The first characters of a text, in one line.
pub fn shortened(text: &str, characters: usize) -> String {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    one_line(text.get(..end).unwrap_or_default())
}

/// Begin of a line of a leak trace, as LeakCanary writes it.
const OF_TRACE: &str = "\u{200b}  ";

/// Text of several lines with escapes for invisible characters, except where LeakCanary writes one.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(OF_TRACE) {
        return visible(text);
    }
    let line = |line| match str::strip_prefix(line, OF_TRACE) {
        Some(rest) => format!("{OF_TRACE}{}", visible(rest)),
        None => visible(line).into_owned(),
    };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
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
        self.0.write_all(printable(&text).as_bytes())?;
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
        assert_eq!(String::from_utf8(out.0).expect("text"), "a\\u{1b}[31mb\\u{9b}c\\u{202e}d\ne·€");
        let trace = "╰→ a\u{200b}\n\u{200b}     Leaking\u{e0041}\n";
        assert_eq!(printable(trace), "╰→ a\\u{200b}\n\u{200b}     Leaking\\u{e0041}\n");
    }
}
