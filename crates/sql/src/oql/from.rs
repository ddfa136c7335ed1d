//! What a query of MAT selects from: a class without quotes, with or without its subclasses, and an alias.

use std::ops::Range;

use crate::relations::class_fields::SUBCLASSES_TOO;
use crate::tokens::{Token, TokenKind};
use crate::virtual_table::quoted;
use heaplens_core::heap::Heap;

/// Words after a class that are no alias.
const KEYWORDS: [&str; 14] = [
    "WHERE",
    "UNION",
    "ORDER",
    "GROUP",
    "LIMIT",
    "HAVING",
    "JOIN",
    "LEFT",
    "INNER",
    "CROSS",
    "ON",
    "AS",
    "EXCEPT",
    "INTERSECT",
];

/// A class in `FROM`.
pub(super) struct Instances {
    /// Tokens of the class and the alias.
    pub(super) tokens: Range<usize>,
    /// The table in SQL.
    pub(super) table: String,
    /// The table with its alias.
    pub(super) sql: String,
    pub(super) alias: Option<String>,
}

/// The classes that a query selects from; `None` if it is no query of MAT: then each name in it is SQL.
pub(super) fn instances(query: &str, all: &[Token], heap: &Heap) -> Option<Vec<Instances>> {
    let is = |at: usize, word: &str| all.get(at).is_some_and(|token| token.is(query, word));
    let mut found = Vec::new();
    let mut is_of_mat = (1..all.len()).any(|at| is(at, "@"));
    for from in (0..all.len()).filter(|&at| is(at, "FROM")) {
        let mut at = from + 1;
        let too = is(at, "INSTANCEOF");
        let only_classes = is(at, "OBJECTS") && all.get(at + 1).is_some_and(|token| token.kind == TokenKind::Word);
        at += usize::from(too || only_classes && !is_keyword(all[at + 1].text(query)));
        let Some((name, end)) = class_name(query, all, at) else { continue };
        let is_class = heap.classes.named(&name).is_some();
        let is_marked = too || name.contains('.');
        if !is_class && !is_marked {
            continue;
        }
        is_of_mat |= is_marked && all[at].kind == TokenKind::Word && (is_class || too);
        let alias = all.get(end).filter(|token| token.kind == TokenKind::Word);
        let alias = alias.map(|token| token.text(query)).filter(|word| !is_keyword(word)).map(str::to_owned);
        let prefix = if too { SUBCLASSES_TOO } else { "" };
        let table = quoted(&format!("{prefix}{name}"));
        let sql = alias.as_ref().map_or_else(|| table.clone(), |alias| format!("{table} {alias}"));
        let end = end + usize::from(alias.is_some());
        found.push(Instances { tokens: from + 1..end, table, sql, alias });
    }
    is_of_mat.then_some(found)
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// A class name, in double quotes or of words with dots, and the place after it.
fn class_name(query: &str, all: &[Token], at: usize) -> Option<(String, usize)> {
    let first = all.get(at)?;
    if first.kind == TokenKind::QuotedName {
        return Some((first.name(query)?.into_owned(), at + 1));
    }
    if first.kind != TokenKind::Word {
        return None;
    }
    let mut name = first.text(query).to_owned();
    let mut end = at + 1;
    while let (Some(dot), Some(next)) = (all.get(end), all.get(end + 1)) {
        if !dot.is(query, ".") || next.kind != TokenKind::Word {
            break;
        }
        name = format!("{name}.{}", next.text(query));
        end += 2;
    }
    // An array: `char[]` is one name in brackets without anything in it.
    while let Some(brackets) = all.get(end).filter(|token| token.text(query) == "[]") {
        name.push_str(brackets.text(query));
        end += 1;
    }
    Some((name, end))
}
