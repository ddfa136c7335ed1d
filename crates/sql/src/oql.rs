//! Queries as Eclipse MAT writes them, translated to SQL: `SELECT toString(s) FROM INSTANCEOF java.lang.String s`.
//! What has no translation is an error that shows what to write. The grammar is that of MAT's help, "OQL Syntax".

mod from;

use std::borrow::Cow;
use std::fmt::Write;

use self::from::{Instances, instances};
use crate::error::QueryError;
use crate::tokens::{Token, TokenKind, tokens};
use heaplens_core::heap::Heap;

/// Attributes of objects, and what they are here.
const ATTRIBUTES: [(&str, &str); 8] = [
    ("objectId", "object"),
    ("objectAddress", "object"),
    ("usedHeapSize", "shallow_bytes"),
    ("retainedHeapSize", "retained_bytes"),
    ("clazz", "class"),
    ("displayName", "label"),
    ("technicalName", "address"),
    ("length", "length"),
];
/// Functions with one object as argument, and those here.
const FUNCTIONS: [(&str, &str); 4] =
    [("toString", "text"), ("toHex", "address"), ("classof", "class_of"), ("dominatorof", "dominator")];
/// Functions that return several objects, and what to write.
const MANY: [(&str, &str); 4] = [
    ("dominators", "SELECT d.* FROM \"Class\" s, objects d WHERE d.immediate_dominator = s.object"),
    ("outbounds", "SELECT r.target FROM \"Class\" s, refs r WHERE r.source = s.object"),
    ("inbounds", "SELECT r.source FROM \"Class\" s, refs r WHERE r.target = s.object"),
    ("root", "SELECT p.* FROM \"Class\" s, path(s.object) p"),
];

/// The same query in SQL; `None` if it is no query of MAT.
pub(crate) fn translate(query: &str, heap: &Heap) -> Result<Option<String>, QueryError> {
    let all: Vec<Token> = tokens(query).into_iter().filter(|token| token.kind != TokenKind::Space).collect();
    let Some(of) = instances(query, &all, heap) else { return Ok(None) };
    let mut translation = Translation { query, all: &all, of: &of, sql: String::new() };
    let mut at = 0;
    while at < all.len() {
        at = translation.token(at)?;
    }
    Ok(Some(translation.sql.trim().to_owned()))
}

struct Translation<'a> {
    query: &'a str,
    all: &'a [Token],
    /// What is selected from, by the place of its first token.
    of: &'a [Instances],
    sql: String,
}

impl Translation<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.all.get(at).is_some_and(|token| token.is(self.query, word))
    }

    fn text(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |token| token.text(self.query))
    }

    /// A name without its quotes.
    fn name(&self, at: usize) -> String {
        let name = self.all.get(at).and_then(|token| token.name(self.query));
        name.map_or_else(|| self.text(at).to_owned(), Cow::into_owned)
    }

    fn push(&mut self, text: &str) {
        // No space before a symbol that closes, nor after one that opens or joins.
        if !self.sql.is_empty() && !self.sql.ends_with(['(', '.']) && !text.starts_with([')', ',', '.']) {
            self.sql.push(' ');
        }
        self.sql.push_str(text);
    }

    /// Translates the tokens from a place on; returns the place after them.
    fn token(&mut self, at: usize) -> Result<usize, QueryError> {
        if let Some(instances) = self.of.iter().find(|instances| instances.tokens.start == at) {
            self.push(&instances.sql);
            return Ok(instances.tokens.end);
        }
        if self.is(at, "AS") && self.is(at + 1, "RETAINED") && self.is(at + 2, "SET") {
            let from = self.of.first().map_or_else(String::new, |instances| instances.table.clone());
            return Err(self.write_instead(
                at,
                "AS RETAINED SET",
                &format!("SELECT DISTINCT r.* FROM {from} s, retained_set(s.object) r"),
            ));
        }
        if let Some((name, sql)) = MANY.iter().find(|(name, _)| self.is(at, name) && self.is(at + 1, "(")) {
            return Err(self.write_instead(at, name, sql));
        }
        if let Some((_, ours)) = FUNCTIONS.iter().find(|(name, _)| self.is(at, name) && self.is(at + 1, "(")) {
            self.push(ours);
            self.sql.push('(');
            return Ok(at + 2);
        }
        let is_alias = |instances: &&Instances| instances.alias.as_deref().is_some_and(|alias| self.is(at, alias));
        if let Some(alias) = self.of.iter().find(is_alias).and_then(|instances| instances.alias.clone()) {
            return self.member(at, &alias);
        }
        if self.is(at, "@") {
            return self.attribute(at + 1, None);
        }
        // A comparison with null.
        let is_equal = self.is(at, "=") && !self.is(at + 1, "=");
        let (is_not, value) = match () {
            () if self.is(at, "!") && self.is(at + 1, "=") => (true, at + 2),
            () if self.is(at, "=") && self.is(at + 1, "=") => (false, at + 2),
            () => (false, at + 1),
        };
        if (is_equal || value == at + 2) && self.is(value, "null") {
            self.push(if is_not { "IS NOT NULL" } else { "IS NULL" });
            return Ok(value + 1);
        }
        if self.is(at, "LIKE") && self.all.get(at + 1).is_some_and(is_text) {
            return self.like(at);
        }
        match &self.all[at] {
            // Texts are in double quotes there.
            token if token.kind == TokenKind::QuotedName => {
                let text = token.name(self.query).unwrap_or_default().replace('\'', "''");
                self.push(&format!("'{text}'"));
            }
            token => {
                let text = token.text(self.query).to_owned();
                // Symbols of two characters stay together.
                if matches!(&*text, "=" | ">") && self.sql.ends_with(['!', '<', '>', '='])
                    || text == "|" && self.sql.ends_with('|')
                {
                    self.sql.push_str(&text);
                } else {
                    self.push(&text);
                }
            }
        }
        Ok(at + 1)
    }

    /// An alias, or a field or attribute of it.
    fn member(&mut self, at: usize, alias: &str) -> Result<usize, QueryError> {
        if !self.is(at + 1, ".") {
            self.push(&format!("{alias}.object"));
            return Ok(at + 1);
        }
        if self.is(at + 2, "@") {
            return self.attribute(at + 3, Some(alias));
        }
        let mut names = vec![self.name(at + 2)];
        let mut next = at + 3;
        while self.is(next, ".") && !self.is(next + 1, "@") {
            names.push(self.name(next + 1));
            next += 2;
        }
        if self.is(next, ".") {
            let path = names.join(".");
            let what = format!("@{} of the field {path}", self.text(next + 2));
            return Err(self.write_instead(next, &what, &format!("retained(field({alias}.object, '{path}'))")));
        }
        let mut sql = String::new();
        // Writing to a string cannot fail.
        let _written = match &names[..] {
            [one] => write!(sql, "{alias}.\"{one}\""),
            several => write!(sql, "field({alias}.object, '{}')", several.join(".")),
        };
        self.push(&sql);
        Ok(next)
    }

    /// An attribute, such as `@retainedHeapSize`.
    fn attribute(&mut self, at: usize, alias: Option<&str>) -> Result<usize, QueryError> {
        let name = self.text(at);
        let prefix = alias.map(|alias| format!("{alias}.")).unwrap_or_default();
        let Some((_, ours)) = ATTRIBUTES.iter().find(|(theirs, _)| *theirs == name) else {
            let known: Vec<String> = ATTRIBUTES.iter().map(|(theirs, _)| format!("@{theirs}")).collect();
            return Err(QueryError::Wrong {
                message: format!("the attribute @{name} has no translation"),
                position: self.all.get(at).map(|token| token.range.start),
                advice: format!("Those with one are {}", known.join(", ")),
            });
        };
        let sql = match *ours {
            "label" | "address" => format!("{ours}({prefix}object)"),
            "length" => format!("(SELECT count(*) FROM elements({prefix}object))"),
            column => format!("{prefix}{column}"),
        };
        self.push(&sql);
        Ok(at + 1)
    }

    /// `LIKE` with a regular expression, if it is one that SQL has: `.*` and texts.
    fn like(&mut self, at: usize) -> Result<usize, QueryError> {
        let token = &self.all[at + 1];
        let quoted = token.text(self.query);
        let regex = quoted.get(1..quoted.len() - usize::from(!token.is_open)).unwrap_or_default();
        let plain = regex.replace("''", "'").replace(".*", "\u{1}").replace("\\.", "\u{0}");
        if plain.contains(['.', '*', '+', '?', '[', '(', '|', '^', '\\', '{']) {
            let pattern = "text(s.object) LIKE '%part%'";
            return Err(self.write_instead(at + 1, &format!("the regular expression {quoted}"), pattern));
        }
        // As there, letters match in their case only.
        let pattern = plain.replace('\u{0}', ".").replace('\u{1}', "*").replace('\'', "''");
        self.push(&format!("GLOB '{pattern}'"));
        Ok(at + 2)
    }

    fn write_instead(&self, at: usize, what: &str, sql: &str) -> QueryError {
        QueryError::Wrong {
            message: format!("{what} has no translation"),
            position: self.all.get(at).map(|token| token.range.start),
            advice: format!("In SQL: {sql}"),
        }
    }
}

fn is_text(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Text | TokenKind::QuotedName)
}
