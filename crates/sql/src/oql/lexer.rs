//! Words of a query in OQL, which differ from those of SQL: `[` is an index, `//` a comment, `"` a text.

use std::ops::Range;

/// Kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LexemeKind {
    /// Name or keyword.
    Word,
    /// Text in single or double quotes.
    Text,
    /// Number.
    Number,
    /// Any other character, or several that belong together.
    Symbol,
}

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) kind: LexemeKind,
    /// Bytes of the query.
    pub(super) range: Range<usize>,
}

/// Symbols of several characters, longest first.
const SYMBOLS: [&str; 14] = ["===", "!==", "${", "<=", ">=", "!=", "<>", "==", "&&", "||", "[]", "=>", "::", "<<"];

impl Lexeme {
    /// Its text in the query.
    pub(super) fn text<'q>(&self, query: &'q str) -> &'q str {
        query.get(self.range.clone()).unwrap_or_default()
    }

    /// True if it is this keyword or symbol.
    pub(super) fn is(&self, query: &str, word: &str) -> bool {
        matches!(self.kind, LexemeKind::Word | LexemeKind::Symbol) && self.text(query).eq_ignore_ascii_case(word)
    }

    /// The text between the quotes; a doubled quote is one, as in SQL.
    pub(super) fn unquoted(&self, query: &str) -> String {
        let text = self.text(query);
        let quote = text.get(..1).unwrap_or_default();
        let inner = text.get(1..).unwrap_or_default();
        inner.strip_suffix(quote).unwrap_or(inner).replace(&quote.repeat(2), quote)
    }
}

/// All words of a query, without spaces and comments.
pub(super) fn lexemes(query: &str) -> Vec<Lexeme> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = query.get(at..).and_then(|rest| rest.chars().next()) {
        let (kind, length) = next(&query[at..], first);
        all.extend(kind.map(|kind| Lexeme { kind, range: at..at + length }));
        at += length;
    }
    all
}

/// Kind and length of the word at the beginning of a text; no kind for spaces and comments.
fn next(text: &str, first: char) -> (Option<LexemeKind>, usize) {
    let while_in = |is: fn(char) -> bool| text.find(|c: char| !is(c)).unwrap_or(text.len());
    let until = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |length| from + length + end.len());
    // In MAT `--1` is a number; with a space it is a comment of SQL.
    let is_comment =
        text.strip_prefix("--").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    match first {
        c if c.is_whitespace() => (None, while_in(char::is_whitespace)),
        _ if is_comment || text.starts_with("//") => (None, until("\n", 2)),
        _ if text.starts_with("/*") => (None, until("*/", 2)),
        '\'' | '"' | '`' => (Some(LexemeKind::Text), quoted(text, first)),
        c if c.is_ascii_digit() || c == '.' && text[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            (Some(LexemeKind::Number), number(text))
        }
        c if is_of_name(c) && !text.starts_with("${") => (Some(LexemeKind::Word), while_in(is_of_name)),
        c => {
            let symbol = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol));
            (Some(LexemeKind::Symbol), symbol.map_or(c.len_utf8(), |symbol| symbol.len()))
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Length of a number: digits, a fraction, an exponent, and the letter of its type.
fn number(text: &str) -> usize {
    let mut end = 0;
    let mut before = ' ';
    for c in text.chars() {
        let is_exponent = matches!(before, 'e' | 'E') && !text.starts_with("0x") && !text.starts_with("0X");
        if !(c.is_ascii_alphanumeric() || c == '.' || (matches!(c, '+' | '-') && is_exponent)) {
            break;
        }
        before = c;
        end += c.len_utf8();
    }
    end
}

/// Length of a text in quotes, in which a doubled quote is one.
fn quoted(text: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(length) = text[at..].find(quote) {
        at += length + 1;
        if !text[at..].starts_with(quote) {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_oql() {
        let query = "SELECT s[1:-1].@x, 3--2, 1.5e-3F, \"a\"\"b\" // end\nFROM a.B[] s WHERE ${snapshot} != 'c' -- sql";
        let all: Vec<&str> = lexemes(query).iter().map(|lexeme| lexeme.text(query)).collect();
        let expected = [
            "SELECT",
            "s",
            "[",
            "1",
            ":",
            "-",
            "1",
            "]",
            ".",
            "@",
            "x",
            ",",
            "3",
            "-",
            "-",
            "2",
            ",",
            "1.5e-3F",
            ",",
            "\"a\"\"b\"",
            "FROM",
            "a",
            ".",
            "B",
            "[]",
            "s",
            "WHERE",
            "${",
            "snapshot",
            "}",
            "!=",
            "'c'",
        ];
        assert_eq!(all, expected);
        assert_eq!(lexemes("\"a\"\"b\"").first().map(|text| text.unquoted("\"a\"\"b\"")), Some("a\"b".to_owned()));
    }
}
