//! Tells queries of MAT from SQL: both begin with `SELECT`.

use super::lexer::{Lexeme, LexemeKind, lexemes};
use super::parser::KEYWORDS;
use super::refusal;
use crate::error::QueryError;
use heaplens_heap::Heap;

/// Functions that only OQL has.
const FUNCTIONS: [&str; 12] = [
    "toString",
    "toHex",
    "classof",
    "dominatorof",
    "inbounds",
    "outbounds",
    "eval",
    "sizeof",
    "rsizeof",
    "referrers",
    "referees",
    "objectid",
];
/// Schemas of SQL, in front of a table.
const SCHEMAS: [&str; 4] = ["main", "before", "after", "temp"];

/// True if a query is OQL; an error if it is JavaScript, as in VisualVM.
pub(super) fn is_oql(query: &str, heap: &Heap, is_table: impl Fn(&str) -> bool) -> Result<bool, QueryError> {
    let all = lexemes(query);
    let words = Words { query, all: &all };
    let first_after_select = usize::from(words.is(0, "SELECT"));
    let begins_script = all.get(first_after_select).is_some_and(|lexeme| {
        let name = lexeme.text(query);
        lexeme.kind == LexemeKind::Word
            && refusal::is_of_visualvm(name)
            && (words.is(first_after_select + 1, "(") || words.is(first_after_select + 1, "."))
    });
    if begins_script || (words.is(0, "SELECT") && words.is(1, "{")) || words.is(0, "function") {
        let at = all.get(first_after_select).map_or(0, |lexeme| lexeme.range.start);
        return Err(refusal::visualvm("this query", at));
    }
    if !words.is(0, "SELECT") {
        return Ok(false);
    }
    Ok((1..all.len()).any(|at| words.is_of_oql(at, heap, &is_table)))
}

struct Words<'q> {
    query: &'q str,
    all: &'q [Lexeme],
}

impl Words<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.all.get(at).is_some_and(|lexeme| lexeme.is(self.query, word))
    }

    fn text(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |lexeme| lexeme.text(self.query))
    }

    fn is_kind(&self, at: usize, kind: LexemeKind) -> bool {
        self.all.get(at).is_some_and(|lexeme| lexeme.kind == kind)
    }

    fn is_name(&self, at: usize) -> bool {
        self.is_kind(at, LexemeKind::Word)
            && !KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(self.text(at)))
    }

    /// True if a word shows that the query is OQL.
    fn is_of_oql(&self, at: usize, heap: &Heap, is_table: &impl Fn(&str) -> bool) -> bool {
        let is_call = self.is(at + 1, "(");
        self.is(at, "@") && self.is_kind(at + 1, LexemeKind::Word)
            || self.is(at, "${")
            || (FUNCTIONS.contains(&self.text(at)) && is_call)
            || (self.is(at, "AS") && self.is(at + 1, "RETAINED") && self.is(at + 2, "SET"))
            || (self.is(at, "OBJECTS")
                && at <= 2
                && self.is_name(at + 1)
                && ["(", ".", "["].iter().any(|next| self.is(at + 2, next)))
            || (self.is(at, "IMPLEMENTS") && self.is_name(at + 1))
            || (self.is(at, "FROM") && self.selects_objects(at + 1, heap, is_table))
    }

    /// True if what follows `FROM` is no table of SQL.
    fn selects_objects(&self, at: usize, heap: &Heap, is_table: &impl Fn(&str) -> bool) -> bool {
        if self.is(at, "INSTANCEOF") || self.is_kind(at, LexemeKind::Number) {
            return true;
        }
        let is_class = |at: usize| self.is_name(at) && heap.classes.named(self.text(at)).is_some();
        if self.is(at, "OBJECTS") {
            // `objects` is a table too, and a name behind it an alias.
            let next = at + 1;
            return self.is_kind(next, LexemeKind::Number)
                || self.is(next, "(")
                || self.is(next, "INSTANCEOF")
                || self.is_kind(next, LexemeKind::Text) && self.has_pattern(next, heap)
                || self.is_name(next) && (self.is(next + 1, ".") || self.is(next + 1, "[]"))
                || is_class(next) && !self.is_used(self.text(next));
        }
        if self.is_kind(at, LexemeKind::Text) {
            return self.has_pattern(at, heap) && !is_table(&self.all[at].unquoted(self.query));
        }
        let is_schema = SCHEMAS.iter().any(|schema| self.is(at, schema));
        if self.is_name(at) && (self.is(at + 1, "[]") || self.is(at + 1, ".") && !is_schema) {
            return true;
        }
        // A class without a package: what SQL has no meaning for.
        is_class(at) && !is_table(self.text(at)) && self.is_alias_alone(at + 1)
    }

    /// True if a text in quotes is an expression, not the name of a class.
    fn has_pattern(&self, at: usize, heap: &Heap) -> bool {
        let text = self.all[at].unquoted(self.query);
        let is_table = text.starts_with("instanceof ") || text.starts_with("matching ") || text.starts_with("class ");
        heap.classes.named(&text).is_none()
            && !is_table
            && text.contains(['*', '\\', '+', '?', '|', '^', '(', '['])
            && self.text(at).starts_with('"')
    }

    /// True if a name is written in front of a column.
    fn is_used(&self, name: &str) -> bool {
        (0..self.all.len()).any(|at| self.is(at, name) && self.is(at + 1, "."))
    }

    /// True if the alias at a place stands for an object somewhere, or a text in double quotes is compared.
    fn is_alias_alone(&self, at: usize) -> bool {
        let alias = if self.is_name(at) { self.text(at) } else { return self.has_like() };
        let is_alone = |other: usize| other != at && self.is(other, alias) && !self.is(other + 1, ".");
        (1..self.all.len()).any(is_alone) || self.has_like()
    }

    fn has_like(&self) -> bool {
        (1..self.all.len()).any(|at| self.is(at, "LIKE") && self.text(at + 1).starts_with('"'))
    }
}
