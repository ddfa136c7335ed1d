//! What can be written next in a query: tables, columns, functions, classes, keywords.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::catalog::{self, CatalogTable};
use crate::relation::ColumnRole;
use crate::relations::class_fields::{ClassFields, classes_named};
use crate::source::QuerySource;
use crate::tokens::{Token, TokenKind, tokens};
use crate::virtual_table::quoted;
use crate::{oql_functions, scalars};
use heaplens_heap::Heap;

/// Number of suggestions.
const MOST: usize = 12;
/// Characters of a word from which classes are suggested: every dump has thousands.
const FOR_CLASSES: usize = 2;

const KEYWORDS: [&str; 32] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "DESC",
    "ASC",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "GLOB",
    "BETWEEN",
    "IS NULL",
    "IS NOT NULL",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "AS",
    "DISTINCT",
    "HAVING",
    "WITH",
    "UNION ALL",
    "EXCEPT",
    "INTERSECT",
    "CASE",
    "WHEN",
    "THEN",
    "EXISTS",
];
const AGGREGATES: [&str; 6] = ["count(*)", "sum(", "min(", "max(", "avg(", "group_concat("];

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Text to insert.
    pub text: String,
    /// What it is: `table`, `column of objects`, `class`, …
    pub kind: String,
}

/// Names that queries of a dump may contain.
pub struct Completions {
    tables: Vec<(String, Vec<String>)>,
    functions: Vec<String>,
    classes: Vec<String>,
    /// Names of schemas, if there are two.
    schemas: &'static [&'static str],
}

/// Schemas of two heaps.
const SCHEMAS: &[&str] = &["before", "after"];

impl Completions {
    /// The names of a dump, with the fields of the classes that a query names. Reads instances of these classes.
    pub fn of(source: &Arc<QuerySource>, query: &str) -> Self {
        let heap = source.heap();
        let mut tables = catalog::tables(source);
        for name in classes_in(heap, query) {
            let Some(classes) = classes_named(heap, &name) else { continue };
            let relation = Arc::new(ClassFields::new(Arc::clone(source), classes));
            tables.push(CatalogTable { name, about: "", relation });
        }
        let names = Self::new(heap, &tables);
        if source.dump().reduction.is_some() { names.with_schemas() } else { names }
    }

    /// With the names of the schemas of two heaps, which a dump after removals has, and a comparison.
    #[must_use]
    pub fn with_schemas(self) -> Self {
        Self { schemas: SCHEMAS, ..self }
    }

    fn new(heap: &Heap, tables: &[CatalogTable]) -> Self {
        let columns = |table: &CatalogTable| {
            let shown = table.columns().iter().filter(|column| column.role != ColumnRole::Argument);
            shown.map(|column| column.name.clone()).collect()
        };
        let functions = scalars::ABOUT
            .iter()
            .chain(&oql_functions::ABOUT)
            .map(|(call, _)| call.split('(').next().unwrap_or(call).to_owned());
        let mut classes: Vec<String> = heap.classes.iter().map(|(_, class)| class.name.to_string()).collect();
        classes.sort_unstable();
        classes.dedup();
        Self {
            // A table of a class has its fields; the class itself is among the classes.
            tables: tables.iter().map(|table| (table.name.clone(), columns(table))).collect(),
            functions: functions.collect(),
            classes,
            schemas: &[],
        }
    }

    /// Suggestions for the word before a position of a query, best first, and the bytes that they replace.
    pub fn at(&self, query: &str, position: usize) -> (Vec<Completion>, Range<usize>) {
        let before = query.get(..position).unwrap_or(query);
        let all = tokens(before);
        let word_range = word(&all, before.len());
        let typed = &before[word_range.clone()];
        let word = typed.trim_start_matches('"').to_lowercase();
        let is_inside = all.last().is_some_and(|token| token.is_open && token.kind != TokenKind::QuotedName);
        let is_comment = all.last().is_some_and(|token| token.kind == TokenKind::Space && token.range.end == position)
            && before.get(word_range.start..).is_some_and(str::is_empty)
            && !before.ends_with(char::is_whitespace);
        let is_whole = KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(&word));
        if word.is_empty() || is_inside || is_comment || is_whole {
            return (Vec::new(), word_range);
        }
        let mut offers = Offers { word, seen: BTreeSet::new(), ranked: Vec::new() };
        let used = self.used(query);
        for (table, columns) in &self.tables {
            let text = if is_plain(table) { table.clone() } else { quoted(table) };
            offers.offer(table, "table", 1, &text);
            let is_used = used.contains(table.as_str());
            for column in columns {
                let text = if is_plain(column) { column.clone() } else { quoted(column) };
                let of = table.rsplit(['.', '$']).next().unwrap_or(table);
                offers.offer(column, &format!("column of {of}"), if is_used { 0 } else { 3 }, &text);
            }
        }
        self.schemas.iter().for_each(|schema| offers.offer(schema, "schema", 1, &format!("{schema}.")));
        self.functions.iter().for_each(|function| offers.offer(function, "function", 2, &format!("{function}(")));
        AGGREGATES.iter().for_each(|call| offers.offer(call, "function", 2, call));
        KEYWORDS.iter().for_each(|keyword| offers.offer(keyword, "keyword", 2, keyword));
        if offers.word.len() >= FOR_CLASSES {
            self.classes.iter().for_each(|class| offers.offer(class, "class", 4, &quoted(class)));
        }
        (offers.best(), word_range)
    }

    /// Tables that a query names, in small letters.
    fn used(&self, query: &str) -> BTreeSet<&str> {
        let names: BTreeSet<String> =
            tokens(query).iter().filter_map(|token| token.name(query)).map(|name| name.to_lowercase()).collect();
        self.tables.iter().map(|(table, _)| &**table).filter(|table| names.contains(&table.to_lowercase())).collect()
    }
}

/// Names in a query that are those of classes, and so of tables.
pub fn classes_in(heap: &Heap, query: &str) -> BTreeSet<String> {
    let names = tokens(query);
    let names = names.iter().filter_map(|token| token.name(query));
    names.filter(|name| classes_named(heap, name).is_some()).map(Cow::into_owned).collect()
}

/// The word that ends at a position: names with dots are one, since class names have them.
fn word(all: &[Token], end: usize) -> Range<usize> {
    let is_part = |token: &&Token| matches!(token.kind, TokenKind::Word | TokenKind::QuotedName);
    all.last().filter(is_part).map_or(end..end, |token| token.range.clone())
}

fn is_plain(name: &str) -> bool {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !["group", "from", "to", "index"].contains(&name)
}

/// Suggestions with their ranks: the smallest come first.
struct Offers {
    word: String,
    seen: BTreeSet<String>,
    ranked: Vec<(u32, usize, Completion)>,
}

impl Offers {
    fn offer(&mut self, name: &str, kind: &str, rank: u32, text: &str) {
        let lower = name.to_lowercase();
        // A class is known by its last part.
        let simple = lower.rsplit(['.', '$']).next().unwrap_or(&lower);
        let distance = match () {
            () if lower == self.word => return,
            () if lower.starts_with(&self.word) => 0,
            () if simple.starts_with(&self.word) => 1,
            () if self.word.len() > 2 && lower.contains(&self.word) => 2,
            () => return,
        };
        if self.seen.insert(text.to_owned()) {
            let completion = Completion { text: text.to_owned(), kind: kind.to_owned() };
            self.ranked.push((rank + 5 * distance, name.len(), completion));
        }
    }

    fn best(mut self) -> Vec<Completion> {
        self.ranked.sort_by(|a, b| (a.0, a.1, &a.2.text).cmp(&(b.0, b.1, &b.2.text)));
        self.ranked.into_iter().take(MOST).map(|(.., completion)| completion).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completions() -> Completions {
        let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Completions {
            tables: vec![
                ("objects".to_owned(), columns(&["id", "class", "retained_bytes"])),
                ("findings".to_owned(), columns(&["group", "name"])),
            ],
            functions: vec!["retained".to_owned(), "owner".to_owned()],
            classes: vec!["java.util.HashMap".to_owned(), "java.util.HashMap$Node".to_owned()],
            schemas: &[],
        }
    }

    fn texts(query: &str) -> Vec<String> {
        completions().at(query, query.len()).0.into_iter().map(|completion| completion.text).collect()
    }

    #[test]
    fn two_heaps_have_schemas() {
        let names = completions().with_schemas();
        let texts = |query: &str| names.at(query, query.len()).0.into_iter().map(|it| it.text).collect::<Vec<_>>();
        assert_eq!(texts("SELECT * FROM bef"), ["before."]);
        assert_eq!(texts("SELECT * FROM before.objects b JOIN aft"), ["after."]);
        assert!(completions().at("SELECT * FROM bef", 17).0.is_empty());
    }

    #[test]
    fn names_of_the_query_come_first() {
        assert_eq!(texts("SELECT * FROM obj")[0], "objects");
        assert_eq!(texts("SELECT ret")[..2], ["retained(", "retained_bytes"]);
        let query = "SELECT ret FROM objects";
        assert_eq!(completions().at(query, 10).0[0].text, "retained_bytes");
        assert_eq!(completions().at(query, 10).1, 7..10);
        assert_eq!(texts("SELECT * FROM HashM")[0], "\"java.util.HashMap\"");
        assert_eq!(texts("SELECT * FROM \"java.util.H")[0], "\"java.util.HashMap\"");
        assert_eq!(texts("SELECT gr")[0], "GROUP BY");
        assert!(texts("SELECT grou FROM findings").is_empty() || !texts("SELECT grou").is_empty());
        assert!(texts("SELECT 'obj").is_empty());
        assert!(texts("SELECT ").is_empty());
        assert!(texts("-- obj").is_empty());
    }
}
