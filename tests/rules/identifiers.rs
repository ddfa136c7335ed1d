//! Checks declared identifiers against `tests/docs/identifiers.txt`: functions, variables, parameters, fields, modules and
//! types are named by what they are, not by words that fit everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::imports::{read, rust_files};

const LIST: &str = "tests/docs/identifiers.txt";
/// Folders with Rust files of ours.
const FOLDERS: [&str; 5] = ["crates", "src", "tests", "benches", "fuzz"];
const KEYWORDS: [&str; 10] = ["mut", "ref", "box", "move", "self", "if", "in", "as", "dyn", "crate"];

/// The list: words with what is written instead, and what is left of them.
#[derive(Default)]
struct WordList {
    instead: BTreeMap<String, String>,
    /// Words that a file may declare: columns and keys that other programs read.
    keys: BTreeMap<String, BTreeSet<String>>,
    /// Maximum number of declarations below a folder.
    left: BTreeMap<String, usize>,
}

impl WordList {
    /// Reads `word | instead`, `FILE.rs: words` and `FOLDER/: number`; lines that begin with # are comments.
    fn parse(text: &str) -> Self {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((word, instead)) = line.split_once(" | ") {
                list.instead.insert(word.to_owned(), instead.to_owned());
            } else if let Some((folder, left)) = line.split_once("/: ") {
                list.left.insert(folder.to_owned(), left.parse().expect(line));
            } else {
                let (file, words) = line.split_once(": ").expect(line);
                list.keys.insert(file.to_owned(), words.split(' ').map(str::to_owned).collect());
            }
        }
        list
    }
}

/// A token with its line; literals are `"`.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

impl Token<'_> {
    fn is_name(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    /// True if a pattern with this token may bind it.
    fn is_variable(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_lowercase()) && !KEYWORDS.contains(&self.text)
    }
}

/// Length of the token that the text begins with, and true for a literal; 0 for a comment or a space to skip.
fn token(text: &str) -> (usize, bool) {
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let quote = text.trim_start_matches(['b', 'c', 'r', '#']);
    let prefix = text.len() - quote.len();
    let marks = text[..prefix].matches('#').count();
    if quote.starts_with('"') && text[..prefix].len() - marks < 3 && (marks == 0 || text[..prefix].contains('r')) {
        if text[..prefix].contains('r') {
            let end = format!("\"{}", "#".repeat(marks));
            return (quote[1..].find(&end).map_or(text.len(), |at| prefix + 1 + at + end.len()), true);
        }
        let mut escaped = false;
        let is_end = |c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        };
        return (quote[1..].find(is_end).map_or(text.len(), |at| prefix + at + 2), true);
    }
    if let Some(rest) = text.strip_prefix('\'') {
        let width = rest.chars().next().map_or(0, char::len_utf8);
        if let Some(escape) = rest.strip_prefix('\\') {
            let skipped = 1 + escape.chars().next().map_or(0, char::len_utf8);
            return (1 + skipped + rest[skipped..].find('\'').map_or(0, |at| at + 1), true);
        }
        if rest[width..].starts_with('\'') {
            return (width + 2, true);
        }
        return (1 + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()), true);
    }
    let pairs = ["::", "=>", "==", "!=", "<=", ">=", "->", "||", "&&", ".."];
    match pairs.iter().find(|pair| text.starts_with(*pair)) {
        _ if name > 0 => (name, false),
        Some(pair) => (pair.len(), false),
        None => (text.chars().next().map_or(0, char::len_utf8), false),
    }
}

/// Tokens of the code, without comments.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < source.len() {
        let text = &source[at..];
        let (length, part) = if text.starts_with("//") {
            (text.find('\n').unwrap_or(text.len()), None)
        } else if text.starts_with("/*") {
            (text.find("*/").map_or(text.len(), |end| end + 2), None)
        } else if text.starts_with(char::is_whitespace) {
            (text.chars().next().map_or(1, char::len_utf8), None)
        } else {
            let (length, is_literal) = token(text);
            (length, Some(if is_literal { "\"" } else { &text[..length] }))
        };
        tokens.extend(part.map(|text| Token { text, line }));
        line += text[..length].matches('\n').count();
        at += length;
    }
    tokens
}

/// Variables that a pattern binds: names of fields before a colon, paths and calls are none.
fn bound<'a>(pattern: &[Token<'a>], next: &str) -> Vec<Token<'a>> {
    let after = |at: usize| pattern.get(at + 1).map_or(next, |token| token.text);
    let is_path = |at: usize| at > 0 && matches!(pattern[at - 1].text, "::" | "." | "$");
    let is_bound =
        |at: &usize| pattern[*at].is_variable() && !is_path(*at) && !matches!(after(*at), "(" | "::" | "{" | "!" | ":");
    (0..pattern.len()).filter(is_bound).map(|at| pattern[at]).collect()
}

/// Tokens of the pattern of a match arm that ends before `end`, which is its `=>`.
fn arm<'t, 'a>(tokens: &'t [Token<'a>], end: usize) -> &'t [Token<'a>] {
    let (mut start, mut depth, mut guard) = (end, 0_usize, end);
    while start > 0 {
        let follows = tokens[start].text;
        match tokens[start - 1].text {
            "}" if depth == 0 && !matches!(follows, "=>" | "|" | "if" | ")" | "@") => break,
            ")" | "]" | "}" => depth += 1,
            "{" | "," | ";" if depth == 0 => break,
            "(" | "[" | "{" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            "if" if depth == 0 => guard = start - 1,
            _ => {}
        }
        start -= 1;
    }
    &tokens[start..guard]
}

/// Declared names: items, variables, parameters, fields.
fn declared<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut names = Vec::new();
    for at in 0..tokens.len() {
        let (before, after) = (at.checked_sub(1).map_or("", text), text(at + 1));
        let end = |stop: &dyn Fn(&str) -> bool| (at + 1..tokens.len()).find(|&at| stop(text(at)));
        match text(at) {
            "let" => {
                let end = end(&|text| matches!(text, "=" | ";" | ":" | "else")).unwrap_or(tokens.len());
                names.extend(bound(&tokens[at + 1..end], if text(end) == ":" { "=" } else { text(end) }));
            }
            "for" if after != "<" && !matches!(before, ">" | ">>") && !tokens[at.saturating_sub(1)].is_name() => {
                let end = end(&|text| matches!(text, "in" | ";")).unwrap_or(tokens.len());
                names.extend(bound(&tokens[at + 1..end], "in"));
            }
            "|" if matches!(before, "(" | "," | "=" | "{" | ";" | "move" | "=>" | "return" | "[" | ":" | "&") => {
                if let Some(end) = end(&|text| text == "|") {
                    names.extend(bound(&tokens[at + 1..end], "|"));
                }
            }
            "=>" => names.extend(bound(arm(tokens, at), "=>")),
            _ if !tokens[at].is_name() => {}
            _ if matches!(before, "fn" | "mod" | "struct" | "enum" | "trait" | "type" | "const" | "static") => {
                names.push(tokens[at]);
            }
            _ if after == ":" && matches!(before, "(" | "," | "{" | "}" | "mut" | "pub" | ")" | "]" | "ref" | "|") => {
                names.push(tokens[at]);
            }
            _ => {}
        }
    }
    names.sort_by_key(|name| (name.line, name.text));
    names
}

#[test]
fn identifiers_are_named_by_what_they_are() {
    let list = WordList::parse(&read(LIST).expect(LIST));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused = String::new();
    for (file, source) in FOLDERS.into_iter().flat_map(rust_files) {
        let folder =
            list.left.keys().find(|folder| file.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/')));
        for name in declared(&tokens(&source)) {
            let Some(instead) = list.instead.get(&name.text.to_lowercase()) else { continue };
            if list.keys.get(&file).is_some_and(|keys| keys.contains(name.text)) {
                continue;
            }
            match folder {
                Some(folder) => *counts.entry(folder).or_default() += 1,
                None => {
                    let _ = writeln!(refused, "{file}:{}: {}: name it {instead}", name.line, name.text);
                }
            }
        }
    }
    assert!(refused.is_empty(), "names of the word list ({LIST}):\n{refused}");
    for (folder, left) in &list.left {
        let count = counts.get(folder.as_str()).copied().unwrap_or(0);
        assert!(count <= *left, "{folder}/ declares {count} names of the word list ({LIST}), {left} were left");
    }
}

#[test]
fn declarations_are_told_from_uses() {
    let source = r##"
        mod place; use a::place; struct Asked { place: u8, other: u8 }
        fn how(found: &str, rows: &[u8]) -> u8 { "place"; r#"let said = "1";"#; 'a'; rows.found() }
        let (said, Some(told)) = place::of(how(1)); // let gone = 1;
        for (kept, _) in found { f(|way, &whole| way + whole, |x: T| x); }
        match x { Found { place: index, least } if least > kept => (), Some(came) | Ok(came) => went(), }
        impl<'a> Lost for Place<'a> { fn f() {} }
    "##;
    let names: Vec<&str> = declared(&tokens(source)).into_iter().map(|name| name.text).collect();
    let expected = [
        "Asked", "other", "place", "place", "found", "how", "rows", "said", "told", "kept", "way", "whole", "x",
        "came", "came", "index", "least", "place", "f",
    ];
    assert_eq!(names, expected);
}
