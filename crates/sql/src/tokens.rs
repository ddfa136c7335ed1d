//! Words of a query, as SQLite divides it: for tables made on demand, for translation and for completion.

use std::borrow::Cow;
use std::ops::Range;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Name or keyword without quotes.
    Word,
    /// Name in double quotes, backquotes or brackets.
    QuotedName,
    /// Text in single quotes.
    Text,
    /// Number.
    Number,
    /// Any other character.
    Symbol,
    /// Space or comment.
    Space,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Kind.
    pub kind: TokenKind,
    /// Bytes of the query.
    pub range: Range<usize>,
    /// True if its end was not found: an unfinished text, name or comment.
    pub is_open: bool,
}

impl Token {
    /// Its text in the query.
    pub fn text<'q>(&self, query: &'q str) -> &'q str {
        &query[self.range.clone()]
    }

    /// The name it means; `None` unless it is a name or keyword.
    pub fn name<'q>(&self, query: &'q str) -> Option<Cow<'q, str>> {
        let text = self.text(query);
        match self.kind {
            TokenKind::Word => Some(text.into()),
            TokenKind::QuotedName => {
                let end = text.len() - usize::from(!self.is_open);
                let inner = text.get(1..end).unwrap_or_default();
                let quote = text.get(..1).unwrap_or_default();
                let doubled = quote.repeat(2);
                Some(if quote != "[" && inner.contains(&doubled) {
                    inner.replace(&doubled, quote).into()
                } else {
                    inner.into()
                })
            }
            _ => None,
        }
    }

    /// True if it is this keyword or symbol.
    pub fn is(&self, query: &str, word: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Symbol) && self.text(query).eq_ignore_ascii_case(word)
    }
}

/// All tokens of a query, without gaps.
pub fn tokens(query: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = query[at..].chars().next() {
        let (kind, length, is_open) = next(&query[at..], first);
        tokens.push(Token { kind, range: at..at + length, is_open });
        at += length;
    }
    tokens
}

/// Kind and length of the token at the beginning of a text, and whether its end is missing.
fn next(text: &str, first: char) -> (TokenKind, usize, bool) {
    let while_in = |is: fn(char) -> bool| text.find(|c: char| !is(c)).unwrap_or(text.len());
    let until = |end: &str, from: usize| match text[from..].find(end) {
        Some(offset) => (from + offset + end.len(), false),
        None => (text.len(), true),
    };
    match first {
        c if c.is_whitespace() => (TokenKind::Space, while_in(char::is_whitespace), false),
        '-' if text.starts_with("--") => (TokenKind::Space, until("\n", 2).0, false),
        '/' if text.starts_with("/*") => {
            let (length, is_open) = until("*/", 2);
            (TokenKind::Space, length, is_open)
        }
        '\'' => quoted(text, '\'', TokenKind::Text),
        '"' | '`' => quoted(text, first, TokenKind::QuotedName),
        '[' => {
            let (length, is_open) = until("]", 1);
            (TokenKind::QuotedName, length, is_open)
        }
        c if c.is_ascii_digit() => (TokenKind::Number, while_in(|c| c.is_ascii_alphanumeric() || c == '.'), false),
        c if is_of_name(c) => (TokenKind::Word, while_in(is_of_name), false),
        c => (TokenKind::Symbol, c.len_utf8(), false),
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

/// A text in quotes, in which a doubled quote is one.
fn quoted(text: &str, quote: char, kind: TokenKind) -> (TokenKind, usize, bool) {
    let mut at = 1;
    while let Some(length) = text[at..].find(quote) {
        at += length + 1;
        if !text[at..].starts_with(quote) {
            return (kind, at, false);
        }
        at += 1;
    }
    (kind, text.len(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_texts_and_comments_are_told_apart() {
        let query = "SELECT a.\"b\"\"c\", 'it''s', [x y] -- end\nFROM `t` /* open";
        let all = tokens(query);
        let names: Vec<String> = all.iter().filter_map(|token| token.name(query)).map(Cow::into_owned).collect();
        assert_eq!(names, ["SELECT", "a", "b\"c", "x y", "FROM", "t"]);
        assert_eq!(all.iter().filter(|token| token.kind == TokenKind::Text).count(), 1);
        assert!(all.last().is_some_and(|token| token.is_open));
        let joined: String = all.iter().map(|token| token.text(query)).collect();
        assert_eq!(joined, query);
        assert_eq!(tokens("\"").first().and_then(|token| token.name("\"")), Some("".into()));
    }
}
