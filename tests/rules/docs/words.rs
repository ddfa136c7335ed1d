//! Checks the strings of the program and the manual against the language of the field: `words.txt` lists banned words
//! with their replacements. Terms are spelled as in the glossary.

use std::fmt::Write as _;
use std::path::Path;

use regex::Regex;

use super::{files, pages, read, root};

/// A form that is not written.
struct Banned {
    pattern: Regex,
    instead: String,
}

/// The list: `pattern | instead`, a case-insensitive regular expression; lines that begin with # are comments.
fn banned() -> Vec<Banned> {
    let list = read(&root().join("tests/docs/words.txt"));
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (pattern, instead) = line.rsplit_once(" | ").unwrap_or_else(|| panic!("no “ | ” in: {line}"));
        let pattern = Regex::new(&format!("(?i){pattern}")).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        Banned { pattern, instead: instead.to_owned() }
    };
    lines.map(entry).collect()
}

/// String literals of a Rust file with their lines, if they contain a space. Tests at the end of the file are left out.
fn texts(source: &str) -> Vec<(usize, String)> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut texts = Vec::new();
    let (mut line, mut chars) = (1, code.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '/' if chars.peek() == Some(&'/') => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        line += 1;
                        break;
                    }
                }
            }
            // A quotation mark as a character: '"'.
            '\'' if chars.peek() == Some(&'"') => {
                chars.next();
            }
            '"' => {
                let (begun, mut text) = (line, String::new());
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => {
                            let escaped = chars.next();
                            line += usize::from(escaped == Some('\n'));
                            text.push(' ');
                        }
                        c => {
                            line += usize::from(c == '\n');
                            text.push(c);
                        }
                    }
                }
                if text.trim().contains(' ') {
                    texts.push((begun, text));
                }
            }
            _ => {}
        }
    }
    texts
}

/// Lines of a page that are prose: no code, no generated answers.
fn prose(page: &str) -> Vec<(usize, String)> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for (at, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            let outside: Vec<&str> = line.split('`').step_by(2).collect();
            lines.push((at + 1, outside.join("…")));
        }
    }
    lines
}

fn check(what: &str, texts: impl Iterator<Item = (String, usize, String)>) {
    let banned = banned();
    let (mut actual, mut output) = (0, String::new());
    for (file, line, text) in texts {
        for rule in banned.iter().filter(|rule| rule.pattern.is_match(&text)) {
            actual += 1;
            let _ = writeln!(output, "{file}:{line}: {text:?}\n    {} → {}", rule.pattern, rule.instead);
        }
    }
    assert!(actual == 0, "{actual} {what} are not in plain words (tests/docs/words.txt):\n{output}");
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn texts_of_the_program_are_in_plain_words() {
    let mut files: Vec<_> =
        crate::imports::sources().iter().flat_map(|folder| files(&root().join(folder), "rs")).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name != "tests.rs"));
    let of_file = |path: &std::path::PathBuf| {
        let name = relative(path);
        texts(&read(path)).into_iter().map(move |(line, text)| (name.clone(), line, text)).collect::<Vec<_>>()
    };
    check("texts of the program", files.iter().flat_map(of_file));
}

#[test]
fn the_manual_is_in_plain_words() {
    let of_page = |path: &std::path::PathBuf| {
        let name = relative(path);
        prose(&read(path)).into_iter().map(move |(line, text)| (name.clone(), line, text)).collect::<Vec<_>>()
    };
    check("lines of the manual", pages().iter().flat_map(of_page));
}

#[test]
fn the_word_list_matches_its_examples() {
    let banned = banned();
    for text in [
        "284 kB for nothing",
        "Who holds it",
        "what it keeps alive",
        "as if it were gone",
        "A text that stands there already",
    ] {
        assert!(banned.iter().any(|rule| rule.pattern.is_match(text)), "{text}");
    }
    for text in ["Retained size of the selected objects", "Standard library", "Show the class histogram"] {
        assert!(!banned.iter().any(|rule| rule.pattern.is_match(text)), "{text}");
    }
    let source = "let a = \"two words\"; // \"not this one\"\nlet b = \"one\"; let c = '\"'; f(\"and\\\"this one\");\n#[cfg(test)] mod t { \"nor this\" }";
    let actual: Vec<String> = texts(source).into_iter().map(|(line, text)| format!("{line} {text}")).collect();
    assert_eq!(actual, ["1 two words", "2 and this one"]);
}

/// Titles of columns with their tooltips, in the source of a view. Titles that are no literals are in none.
fn columns(source: &str) -> Vec<(String, String)> {
    let pattern = r#"Column::(?:words|numbers)\(\s*"([^"]*)",\s*"([^"]*)"[^)]*\)(?:\s*\.about\(\s*"([^"]*)")?"#;
    let columns = Regex::new(pattern).expect("a pattern");
    // A long definition follows in a call of its own.
    let about =
        |actual: &regex::Captures<'_>| actual.get(3).or(actual.get(2)).map_or("", |about| about.as_str()).to_owned();
    columns.captures_iter(source).map(|actual| (actual[1].to_owned(), about(&actual))).collect()
}

#[test]
fn every_column_has_a_tooltip() {
    let files = files(&root().join("src/ui/views"), "rs");
    let columns: Vec<_> = files.iter().flat_map(|path| columns(&read(path))).collect();
    // Columns of tables of the command line have a definition, which the compiler demands.
    assert!(columns.len() > 100, "only {} columns found", columns.len());
    for (title, about) in columns {
        let is_defined = !about.is_empty() || !heaplens::glossary::terms_in(&title).is_empty();
        assert!(is_defined, "column “{title}” has no tooltip, and the glossary does not define it");
        assert!(about.len() <= 160, "column “{title}”: a tooltip of {} bytes", about.len());
        assert!(!about.ends_with('.') || about.contains(". "), "column “{title}”: a full stop after one sentence");
    }
}
