//! Space of aligned text: which cells are cut, and to how many characters.

use std::borrow::Cow;

use crate::reports::elide::{self, Neighbours, UsualCut};

/// Space for a row of aligned text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextWidth {
    /// A file or a pipe: rows may have any length, cells at most [`LONGEST`] characters.
    #[default]
    Unlimited,
    /// A terminal with this number of columns: text is cut so that a row fits, numbers and ids never.
    Terminal(usize),
}

/// Maximum number of characters of a cell, so that one string of a dump does not fill the output.
pub const LONGEST: usize = 2_000;
/// Largest column that the others are aligned to in a file; longer text shifts the rest of its row.
const WIDEST_IN_FILE: usize = 120;
/// Narrowest columns that text is cut to: the second where the first makes no row fit.
const NARROWEST: [usize; 2] = [20, 12];
/// Longest title that cells narrower than it do not cut.
const LONGEST_TITLE: usize = 20;
/// Number of rows up to which names are cut where they have something in common: it compares all with each other.
const COMPARED: usize = 500;
/// Columns between two cells.
pub(super) const GAP: usize = 2;

/// What a column needs, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnSpace {
    /// So that nothing is cut.
    total: usize,
    /// So that no number and no id is cut.
    least: usize,
    /// The longest cell that may be cut.
    text: usize,
}

impl ColumnSpace {
    /// Space for a title and cells; of each cell its length, and whether it may be cut.
    pub(super) fn of(title: usize, cells: impl Iterator<Item = (usize, bool)>) -> Self {
        let start = Self { total: title, least: title.min(LONGEST_TITLE), text: 0 };
        cells.fold(start, |space, (length, may_cut)| Self {
            total: space.total.max(length),
            least: space.least.max(if may_cut { 0 } else { length }),
            text: space.text.max(if may_cut { length } else { 0 }),
        })
    }
}

impl TextWidth {
    /// Width of each column, in characters.
    pub(super) fn columns(self, spaces: &[ColumnSpace]) -> Vec<usize> {
        let Self::Terminal(columns) = self else {
            return spaces.iter().map(|space| space.total.min(WIDEST_IN_FILE)).collect();
        };
        let room = columns.saturating_sub(GAP * spaces.len().saturating_sub(1));
        let width = |space: &ColumnSpace, most: usize, narrowest: usize| {
            space.total.min(most.max(space.least).max(space.text.min(narrowest)))
        };
        let [first, second] = NARROWEST;
        let fits_first = spaces.iter().map(|space| width(space, 0, first)).sum::<usize>() <= room;
        let narrowest = if fits_first { first } else { second };
        let cut_to = |most: usize| spaces.iter().map(move |space| width(space, most, narrowest));
        // The largest column that fits: the widest columns are cut first, to the same width.
        let (mut least, mut most) = (0, spaces.iter().map(|space| space.total).max().unwrap_or_default() + 1);
        while least + 1 < most {
            let middle = least.midpoint(most);
            if cut_to(middle).sum::<usize>() <= room { least = middle } else { most = middle }
        }
        cut_to(least).collect()
    }

    /// Cuts the names of a column to its width.
    pub(super) fn cut_names(self, names: &mut [&mut String], width: usize) {
        if self == Self::Unlimited {
            return;
        }
        let fits = |name: &str| name.chars().count() <= width;
        let long: Vec<usize> = (0..names.len()).filter(|&at| !fits(names[at])).collect();
        let all: Vec<String> = if !long.is_empty() && names.len() <= COMPARED {
            names.iter().map(|name| name.as_str().to_owned()).collect()
        } else {
            Vec::new()
        };
        for at in long {
            *names[at] = elide::among(names[at], UsualCut::Middle, Neighbours::new(&all), &fits).into_owned();
        }
    }

    /// Cuts a title to the width of its column.
    pub(super) fn cut_title(self, title: &str, width: usize) -> Cow<'_, str> {
        match self {
            Self::Unlimited => Cow::Borrowed(title),
            Self::Terminal(_) => {
                elide::among(title, UsualCut::End, Neighbours::default(), &|title| title.chars().count() <= width)
            }
        }
    }
}

/// A text of at most [`LONGEST`] characters: the middle of a longer one becomes `…`.
pub fn cut_long(text: String) -> String {
    // Bytes are at least as many as characters, and known.
    if text.len() <= LONGEST {
        return text;
    }
    let (head, tail) = (LONGEST * 2 / 5, LONGEST * 3 / 5 - 1);
    let Some((end, _)) = text.char_indices().nth(head) else { return text };
    let Some((begin, _)) = text.char_indices().nth_back(tail - 1) else { return text };
    if text.char_indices().nth(LONGEST).is_none() {
        return text;
    }
    let parts = text.get(..end).zip(text.get(begin..));
    parts.map_or_else(String::new, |(head, tail)| format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Value;
    use crate::export::table::write_text_by;
    use heaplens_base::Bytes;

    /// The lines of a table with a name, an id as text, a text and a size.
    fn lines(rows: &[(&str, &str)], width: TextWidth) -> Vec<String> {
        let cells = |&(name, text): &(&str, &str)| {
            let (name, text) = (Value::text(name.to_owned()), Value::text(text.to_owned()));
            vec![name, Value::text("0x7f00e1b60aa8"), text, Value::Bytes(Bytes(1_234_567))]
        };
        let mut out = Vec::new();
        let titles = ["Class", "Object", "Value", "Retained size"];
        write_text_by(&mut out, &titles, rows.iter().map(cells), width).expect("a vector takes all");
        String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
    }

    const SESSION: &str = "com.acme.checkout.sessions.replicated.SessionOfCustomer";

    #[test]
    fn rows_fit_the_terminal_and_numbers_are_never_cut() {
        let text = "lorem ipsum ".repeat(80_000);
        let cart = SESSION.replace("Session", "Cart");
        let rows = [(SESSION, &*text), (&*cart, "short"), ("byte[]", "")];
        for width in 73..400 {
            let lines = lines(&rows, TextWidth::Terminal(width));
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:#?}");
            assert!(lines[1..].iter().all(|line| line.contains("0x7f00e1b60aa8") && line.ends_with("1,234,567")));
            let names: Vec<&str> = lines.iter().map(|line| line.split("  ").next().unwrap_or_default()).collect();
            assert_ne!(names[1], names[2], "{width}");
        }
        // The longest text is cut first.
        let wide = lines(&rows, TextWidth::Terminal(160));
        assert!(wide[1].starts_with(SESSION) && wide[1].contains('…'), "{wide:#?}");
        let narrow = lines(&rows, TextWidth::Terminal(10));
        assert!(narrow[1].contains('…') && narrow[1].ends_with("1,234,567"), "{narrow:#?}");
        assert_eq!(lines(&[("byte[]", "")], TextWidth::Terminal(80)), lines(&[("byte[]", "")], TextWidth::Unlimited));
    }

    #[test]
    fn long_titles_are_cut_with_their_columns() {
        let (title, mut out) = ("sum(CASE WHEN a THEN b ELSE c END) ".repeat(10), Vec::new());
        let row = vec![Value::Count(7), Value::text("x".repeat(100))];
        let titles = [&*title, "text\nof two lines"];
        write_text_by(&mut out, &titles, [row].into_iter(), TextWidth::Terminal(60)).expect("a vector takes all");
        let text = String::from_utf8(out).expect("text");
        assert!(text.lines().count() == 2 && text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert!(text.starts_with("sum(CASE WHEN a THEN"), "{text}");
    }

    #[test]
    fn cells_in_files_have_both_ends_and_a_generous_length() {
        let long = format!("begin{}end", "ä".repeat(1_000_000));
        let lines = lines(&[(SESSION, &long), (&"n".repeat(LONGEST), "b")], TextWidth::Unlimited);
        let cell = lines[1].split("  ").find(|cell| cell.starts_with("begin")).expect("a cell");
        assert!(cell.starts_with("beginä") && cell.contains("ä…ä") && cell.ends_with("äend"), "{cell}");
        assert_eq!(cell.chars().count(), LONGEST);
        assert!(lines[2].starts_with(&"n".repeat(LONGEST)), "not longer than the longest");
        assert_eq!(cut_long("ä".repeat(LONGEST)), "ä".repeat(LONGEST));
    }
}
