//! Pages of the manual, embedded from `docs/`, so that the help needs neither a network nor a folder. Pages for
//! contributors are left out. `tests/rules/docs.rs` checks that no page of a view or command is missing.

use std::sync::LazyLock;

use crate::ui::View;

/// The table of contents.
pub(super) const CONTENTS: &str = "README";
/// Scheme of links to pages in the prepared text.
pub(super) const SCHEME: &str = "manual:";

/// A page.
pub(super) struct Page {
    /// Path below `docs/`, without its ending: `views/leaks`.
    pub(super) path: &'static str,
    /// First heading.
    pub(super) title: &'static str,
    /// Text for the viewer: without pictures and comments, links to other pages as `manual:PATH`.
    pub(super) text: String,
    /// Title and text in lower case, for the search, which reads all pages in every frame.
    pub(super) searched: String,
}

macro_rules! pages {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../../docs/", $path, ".md")))),*]
    };
}

/// Path and source of each page, in reading order.
const SOURCES: &[(&str, &str)] = pages! {
    "README" "glossary" "coming-from" "cases/README" "cases/hikaricp" "cases/jackson" "cases/h2" "cases/netty" "cases/axios"
    "views/README" "views/overview" "views/process"
    "views/histogram" "views/dominators" "views/objects" "views/paths" "views/related" "views/route" "views/query" "views/containment"
    "views/roots" "views/ownership" "views/leaks" "views/policies" "views/growth" "views/detached" "views/retained-by" "views/timeline"
    "views/waste" "views/strings" "views/collections" "views/bitmaps" "views/gaps" "views/threads" "views/loaders"
    "views/finalizers" "views/closures" "views/native-contexts" "views/stars" "views/parse-warnings"
    "commands/report" "commands/overview" "commands/leaks" "commands/histogram" "commands/dominators" "commands/threads" "commands/summary" "commands/roots" "commands/loaders" "commands/sites" "commands/javascript" "commands/class-owners" "commands/finalizers"
    "commands/object" "commands/paths" "commands/query" "commands/objects" "commands/references" "commands/related" "commands/retained-set" "commands/route" "commands/search"
    "commands/waste" "commands/bitmaps" "commands/strings" "commands/collections" "commands/policies" "commands/gaps"
    "commands/diff" "commands/check" "commands/digest" "commands/fleet" "commands/take" "commands/watch" "commands/process" "commands/native"
    "commands/strip" "commands/secrets" "commands/index" "commands/export" "commands/mcp" "commands/desktop" "commands/generate" "commands/version"
    "command-line" "fleets" "assistants" "comparing" "sizes" "android" "perfetto" "v8" "javascript" "javascript-engines" "arkts" "hprof-text" "ibm" "heaproots" "process-record" "trust"
};

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let page = |&(path, source): &(&'static str, &'static str)| {
        let title = source.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(path);
        let text = prepare(path, source);
        Page { path, title, searched: format!("{title} {text}").to_lowercase(), text }
    };
    SOURCES.iter().map(page).collect()
});

/// All pages, in reading order.
pub(super) fn all() -> &'static [Page] {
    &PAGES
}

/// Page with this path, or the table of contents.
pub(super) fn find(path: &str) -> &'static Page {
    all().iter().find(|page| page.path == path).unwrap_or(&all()[0])
}

/// Path of the page about a view.
pub(super) fn of_view(view: View) -> &'static str {
    let mut paths = SOURCES.iter().map(|(path, _)| *path);
    paths.find(|path| path.strip_prefix("views/") == Some(view.info().argument)).unwrap_or(CONTENTS)
}

/// Removes content that the viewer cannot show, redirects links to other pages, and turns table rows into list entries,
/// which suit the width of the window better.
fn prepare(path: &str, source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut in_code = false;
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            text.push_str(line);
        } else if start.starts_with("<!--") || start.starts_with("![") {
            continue;
        } else if start.starts_with('|') {
            // Column titles and the separator line below them are no entries.
            let is_titles = lines.peek().is_some_and(|next| is_rule(next));
            if is_titles || is_rule(line) {
                continue;
            }
            resolve_links(path, &list_entry(start), &mut text);
        } else {
            resolve_links(path, line, &mut text);
        }
        text.push('\n');
    }
    text
}

/// True for the separator line between the titles and rows of a table.
fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.contains("--") && line.chars().all(|c| "|-: ".contains(c))
}

/// A table row as a list entry: the first cell in bold, then the others.
fn list_entry(row: &str) -> String {
    // A vertical bar in a cell is escaped with a backslash.
    let row = row.trim().trim_matches('|').replace("\\|", "\u{1}");
    let cells: Vec<&str> = row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let (first, rest) = cells.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
    // Some rows are headings, in bold already.
    let first = if first.contains("**") { first.to_owned() } else { format!("**{first}**") };
    let colon = if rest.is_empty() { "" } else { ": " };
    format!("- {first}{colon}{}", rest.join(" · ")).replace('\u{1}', "|")
}

/// Appends a line with its links resolved. A link to anything but a page or an https address becomes plain text.
fn resolve_links(from: &str, line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let (before, link) = (&rest[..at], &rest[at + 2..]);
        let (Some(name), Some(end)) = (before.rfind('['), link.find(')')) else { break };
        // Between backticks it is code, not a link.
        if before.matches('`').count() % 2 == 1 {
            out.push_str(&rest[..at + 2]);
            rest = link;
            continue;
        }
        let target = &link[..end];
        let (text, rest_of_line) = (&before[name + 1..], &link[end + 1..]);
        out.push_str(&before[..name]);
        match resolve(from, target) {
            // The viewer puts the smaller letters of code in a link above the line of the text around it.
            Some(page) => out.extend(["[", &text.replace('`', ""), "](", SCHEME, page, ")"]),
            None if target.starts_with("https://") => out.extend(["[", &text.replace('`', ""), "](", target, ")"]),
            None => out.push_str(text),
        }
        rest = rest_of_line;
    }
    out.push_str(rest);
}

/// Page that a link on the page `from` leads to; `None` if it is not in the manual.
fn resolve(from: &str, target: &str) -> Option<&'static str> {
    let file = target.split('#').next().unwrap_or_default();
    if file.is_empty() {
        return SOURCES.iter().map(|(path, _)| *path).find(|path| *path == from);
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.strip_suffix(".md")?.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    SOURCES.iter().map(|(path, _)| *path).find(|known| *known == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_its_page() {
        assert!(View::ALL.into_iter().all(|view| of_view(view) != CONTENTS));
    }

    #[test]
    fn links_lead_to_pages_and_pictures_are_left_out() {
        let text = prepare(
            "views/leaks",
            "See [`diff`](../commands/diff.md#x), [code](../../src/lib.rs) and `[no](link.md)`.\n![Picture](a.png)\n<!-- x -->\n",
        );
        assert_eq!(text, "See [diff](manual:commands/diff), code and `[no](link.md)`.\n");
    }

    #[test]
    fn rows_of_tables_are_entries_of_lists() {
        let text = prepare("README", "| key | use |\n|---|---|\n| X | cut \\| undo |\n| a | b | c |\n\nEnd\n");
        assert_eq!(text, "- **X**: cut | undo\n- **a**: b · c\n\nEnd\n");
        assert_eq!(prepare("README", "| a | b |\n|---|---|\n| **Views** | |\n"), "- **Views**\n");
    }

    #[test]
    fn every_page_has_a_title_and_no_dead_link() {
        for page in all() {
            assert!(!page.title.is_empty() && page.title != page.path, "{}", page.path);
            for link in page.text.split(SCHEME).skip(1) {
                let path = link.split(')').next().unwrap_or_default();
                assert!(all().iter().any(|page| page.path == path), "{}: {path}", page.path);
            }
        }
    }
}
