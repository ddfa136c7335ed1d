//! The list of known leaks in the manual is that of the program. `UPDATE_GOLDEN=1` writes it.

use std::fmt::Write as _;

use heaplens_session::leaks::KnownLeaks;

use super::{read, root};

/// Heading of the list.
const LIST: &str = "## Built-in entries\n";

/// The list as the manual has it.
fn list() -> String {
    KnownLeaks::default().all().fold(String::from("\n"), |mut list, known| {
        let versions =
            if known.versions.is_empty() { String::new() } else { format!(" Versions: {}.", known.versions) };
        let (id, title, advice, source) = (&known.id, &known.title, &known.advice, &known.source);
        let code = |text: &str| text.replace('<', "\\<").replace('*', "\\*").replace('_', "\\_");
        let line = [title, ". ", advice, &versions, " Source: ", source, "."].concat();
        let _ = writeln!(list, "- `{id}`: {}", code(&line));
        list
    })
}

#[test]
fn the_manual_lists_the_known_leaks() {
    let file = root().join("docs/known-leaks.md");
    let page = read(&file);
    let (before, listed) = page.split_once(LIST).expect("the heading of the list");
    let list = list();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, [before, LIST, &list].concat()).expect("written");
    } else {
        assert!(listed == list, "docs/known-leaks.md differs: UPDATE_GOLDEN=1 writes the list");
    }
}
