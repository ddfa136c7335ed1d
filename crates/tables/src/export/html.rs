//! HTML pages: no scripts, nothing from elsewhere, light or dark as the reader's system is, and fit to be printed.

use std::io::{self, Write};

use super::report::short;
use crate::columns::Value;
use heaplens_base::invisible::visible;
use heaplens_base::{Bytes, Share};

/// Colours and shapes; the colours are those of the window.
const STYLE: &str = include_str!("page.css");

/// Writes a page with a title, which is not escaped yet, around its body.
pub fn write_page<W: Write>(mut out: W, title: &str, body: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">")?;
    // Nothing of a dump is run or fetched, whatever its names say.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(out, "<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>", escaped(title))?;
    body(&mut out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// A table of a page.
pub struct PageTable<'a> {
    /// Title.
    pub title: &'a str,
    /// Titles of the columns.
    pub columns: &'a [&'a str],
    /// Rows.
    pub rows: &'a [Vec<Value<'static>>],
    /// The column that is also drawn as a bar, and its 100 %.
    pub bar: Option<(usize, Bytes)>,
}

/// Writes a section with a table.
pub fn write_table(out: &mut impl Write, section: &PageTable<'_>) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{}</h2>\n<table>\n<thead>\n<tr>", escaped(section.title))?;
    let is_number = |at: usize| section.rows.first().is_some_and(|row| row.get(at).is_none_or(Value::is_number));
    for (at, name) in section.columns.iter().enumerate() {
        let class = if is_number(at) { " class=\"number\"" } else { "" };
        writeln!(out, "<th scope=\"col\"{class}>{name}</th>")?;
    }
    writeln!(out, "</tr>\n</thead>\n<tbody>")?;
    for row in section.rows {
        write!(out, "<tr>")?;
        for (at, cell) in row.iter().enumerate() {
            let text = escaped(&short(cell));
            match cell {
                // Ids are copied as a whole: no line ends inside one.
                value if !value.is_number() && section.columns.get(at) == Some(&"Id") => {
                    write!(out, "<td class=\"id\">{text}</td>")?;
                }
                value if !value.is_number() => write!(out, "<td>{text}</td>")?,
                Value::Bytes(bytes) => {
                    let drawn = section.bar.filter(|(column, _)| *column == at);
                    let bar = drawn.map(|(_, total)| bar(Share::of(*bytes, total))).unwrap_or_default();
                    write!(out, "<td class=\"number\" title=\"{} bytes\">{text}{bar}</td>", Bytes::exact(*bytes))?;
                }
                _ => write!(out, "<td class=\"number\">{text}</td>")?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

/// A share as a bar.
pub(super) fn bar(share: Share) -> String {
    let mille = share.per_mille().min(1_000);
    format!("<span class=\"bar\"><i style=\"width:{}.{}%\"></i></span>", mille / 10, mille % 10)
}

/// Text that is nothing but text, in an element or an attribute, with escapes for invisible characters.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
