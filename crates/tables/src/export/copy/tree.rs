//! Rows as aligned text: a table, or a tree drawn with lines.

use super::{Row, Rows};
use crate::{columns::Value, export::printable::one_line};

/// Maximum number of indented levels.
const INDENTED: usize = 40;
/// Maximum number of characters per cell; a string in a heap may have a million.
const LONGEST: usize = 200;

/// Tree lines before each row: `├─ `, `│  ` and `└─ `.
fn lines(rows: &[Row]) -> Vec<String> {
    // Rows from the middle of an outline begin at the left.
    let least = rows.iter().map(|row| row.depth).min().unwrap_or(0);
    let depth = |row: &Row| row.depth - least;
    // From the last row up: levels that continue below.
    let mut goes_on: Vec<bool> = Vec::new();
    let mut lines: Vec<String> = Vec::with_capacity(rows.len());
    for row in rows.iter().rev() {
        let at = depth(row);
        goes_on.resize(at + 1, false);
        let shown = at.min(INDENTED);
        let mut line = String::new();
        for level in 1..=shown {
            let on = goes_on.get(level + at - shown).is_some_and(|&on| on);
            line.push_str(match (level == shown, on) {
                (true, true) => "├─ ",
                (true, false) => "└─ ",
                (false, true) => "│  ",
                (false, false) => "   ",
            });
        }
        if let Some(on) = goes_on.get_mut(at) {
            *on = true;
        }
        lines.push(line);
    }
    lines.reverse();
    lines
}

/// Text of each cell, with tree lines before the first.
fn texts(rows: &Rows) -> Vec<Vec<String>> {
    let shorter = |text: String| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    let one = |(row, line): (&Row, String)| {
        let mut texts: Vec<String> = row.cells.iter().map(|cell| shorter(cell.exact())).collect();
        if let Some(first) = texts.first_mut() {
            first.insert_str(0, &line);
        }
        texts.resize(rows.headings.len(), String::new());
        texts
    };
    rows.rows.iter().zip(lines(&rows.rows)).map(one).collect()
}

/// Aligned columns with headings: text left, numbers right.
pub(super) fn aligned(rows: &Rows) -> String {
    let texts = texts(rows);
    let width = |text: &String| text.chars().count();
    let mut widths: Vec<usize> = rows.headings.iter().map(width).collect();
    for row in &texts {
        widths.iter_mut().zip(row).for_each(|(most, text)| *most = (*most).max(width(text)));
    }
    let numbers = numbers(rows);
    let mut out = String::new();
    for row in std::iter::once(&rows.headings).chain(&texts) {
        let mut line = String::new();
        for ((text, &most), &number) in row.iter().zip(&widths).zip(&numbers) {
            let pad = " ".repeat(most - width(text));
            let (before, after) = if number { (pad.as_str(), "") } else { ("", pad.as_str()) };
            line.extend([if line.is_empty() { "" } else { "  " }, before, text, after]);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// True for columns of numbers.
pub(super) fn numbers(rows: &Rows) -> Vec<bool> {
    let is_number = |column: usize| {
        let mut cells = rows.rows.iter().filter_map(|row| row.cells.get(column)).peekable();
        column > 0 && cells.peek().is_some() && cells.all(Value::is_number)
    };
    (0..rows.headings.len()).map(is_number).collect()
}

/// Tab-separated cells, numbers as plain digits.
pub(super) fn cells(rows: &Rows) -> String {
    let clean = |text: String| one_line(&text);
    let mut out = rows.headings.join("\t") + "\n";
    for row in &rows.rows {
        let cells: Vec<String> = row.cells.iter().map(|cell| clean(cell.csv())).collect();
        out.push_str(&cells.join("\t"));
        out.push('\n');
    }
    out
}

/// True if any row is below another.
pub(super) fn is_tree(rows: &Rows) -> bool {
    rows.rows.windows(2).any(|two| two[0].depth != two[1].depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Value;

    fn rows(rows: &[(usize, &str, u64)]) -> Rows {
        let row = |&(depth, name, n): &(usize, &str, u64)| Row {
            depth,
            cells: vec![Value::text(name.to_owned()), Value::Count(n)],
        };
        Rows {
            headings: vec!["Object".to_owned(), "Retained size".to_owned()],
            rows: rows.iter().map(row).collect(),
            json: ("rows", Vec::new()),
        }
    }

    #[test]
    fn tree_lines_connect_rows_to_their_children() {
        let tree = rows(&[(3, "a", 9), (4, "b", 5), (5, "c", 1), (5, "d\n", 1), (4, "e", 2000), (3, "f", 1)]);
        let expected = "\
Object    Retained size
a                     9
├─ b                  5
│  ├─ c               1
│  └─ d               1
└─ e              2,000
f                     1
";
        assert_eq!(aligned(&tree), expected);
        assert_eq!(cells(&rows(&[(1, "a\tb", 2000)])), "Object\tRetained size\na b\t2000\n");
    }
}
