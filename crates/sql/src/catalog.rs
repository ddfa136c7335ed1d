//! All tables and functions of a dump, and advice for queries that name others.

use std::sync::Arc;

use crate::error::Advice;
use crate::relation::{ColumnRole, SqlRelation};
use crate::relations::comparison::{self, Compared, Matches};
use crate::relations::dominator_tree::DominatorTree;
use crate::relations::texts::Texts;
use crate::relations::{
    findings, functions, objects::Objects, references::References, roots, stacks, statistics, typed,
};
use crate::source::QuerySource;
use crate::tokens::{Token, tokens};
use heaplens_heap::Heap;

/// A table or a function that returns rows.
pub struct CatalogTable {
    /// Name in queries.
    pub name: String,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// Columns and rows.
    pub(crate) relation: Arc<dyn SqlRelation>,
}

impl CatalogTable {
    /// Its columns.
    pub fn columns(&self) -> &[crate::relation::SqlColumn] {
        self.relation.columns()
    }
}

/// All of them, in the order of help.
pub(crate) fn tables(source: &Arc<QuerySource>) -> Vec<CatalogTable> {
    let of = || Arc::clone(source);
    let references = || Arc::new(References::new(of())) as Arc<dyn SqlRelation>;
    let mut all: Vec<(&str, &'static str, Arc<dyn SqlRelation>)> = vec![
        ("objects", "Every object of the heap", Arc::new(Objects::new(of()))),
        ("refs", "References between objects", references()),
        ("references", "Another name of refs; in queries in double quotes, since SQL has a word like it", references()),
        (
            "dominator_tree",
            "Objects in preorder of the dominator tree: a subtree is a range",
            Arc::new(DominatorTree::new(of())),
        ),
        ("texts", "Strings with their text", Arc::new(Texts::new(of()))),
        ("statistics", "Figures of the dump, one a row", Arc::new(statistics::table(of()))),
        ("roots", "GC roots", Arc::new(roots::table(of()))),
        ("frames", "Stack frames of threads", Arc::new(stacks::frames(of()))),
        ("locals", "Objects that stacks hold", Arc::new(stacks::locals(of()))),
        ("findings", "What the leak search finds", Arc::new(findings::table(of()))),
    ];
    all.extend(typed::tables(source));
    all.extend(functions::functions(source));
    let table = |(name, about, relation): (&str, &'static str, Arc<dyn SqlRelation>)| CatalogTable {
        name: name.to_owned(),
        about,
        relation,
    };
    all.into_iter().map(table).collect()
}

/// Tables of a comparison with an older dump.
pub(crate) fn compared(before: &Arc<QuerySource>, after: &Arc<QuerySource>) -> Vec<CatalogTable> {
    let compared = Compared::new(Arc::clone(before), Arc::clone(after));
    let growth: Arc<dyn SqlRelation> = Arc::new(comparison::growth(&compared));
    let matches: Arc<dyn SqlRelation> = Arc::new(Matches::new(&compared));
    vec![
        CatalogTable { name: "growth".to_owned(), about: "Growth since the older dump, by owner", relation: growth },
        CatalogTable { name: "matches".to_owned(), about: "Objects of both dumps, matched", relation: matches },
    ]
}

/// Classes, and columns of a table, named in advice.
const NAMED: usize = 3;
const COLUMNS: usize = 24;

/// What to write instead of a name that does not exist. SQLite has no code for it: its message is read, for advice only.
pub(crate) fn advice(heap: Option<&Heap>, tables: &[CatalogTable], query: &str, message: &str) -> Advice {
    let missing = message.split_once("no such table: ").map(|(_, name)| name.trim_start_matches("main."));
    let dotted = message.contains("near \".\"").then(|| dotted_name(query)).flatten();
    if let Some(name) = missing.or(dotted.as_deref()) {
        return Advice { text: table_advice(heap, tables, name), position: position(query, name) };
    }
    let Some((_, column)) = message.split_once("no such column: ") else { return Advice::default() };
    let name = column.rsplit('.').next().unwrap_or(column).to_lowercase();
    let has = |table: &&CatalogTable| table.columns().iter().any(|column| column.name.to_lowercase() == name);
    let with: Vec<&str> = tables.iter().filter(has).map(|table| &*table.name).collect();
    let text = if with.is_empty() { of_used(tables, query) } else { format!("Tables with it: {}", with.join(", ")) };
    Advice { text, position: None }
}

/// What to do about the schemas of two dumps, or of one before and after removals, in a query of one.
pub(crate) fn schema_advice(query: &str, message: &str) -> Option<Advice> {
    const ADVICE: &str = "before. and after. are the heap before and after removals (--cut REFERENCE), or an older dump \
                          and this one (--before DUMP)";
    let missing = |end: &str| message.split_once(end).map(|(_, name)| name.to_lowercase());
    let name = missing("no such table: ").or_else(|| missing("unknown database "))?;
    let schema = ["before", "after"].into_iter().find(|&schema| name.starts_with(schema))?;
    let is_schema = name.strip_prefix(schema).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    is_schema.then(|| Advice { text: ADVICE.to_owned(), position: position(query, schema) })
}

/// Columns of the tables that a query names.
fn of_used(tables: &[CatalogTable], query: &str) -> String {
    let is_used = |table: &&CatalogTable| position(query, &table.name).is_some();
    let columns = |table: &CatalogTable| {
        let shown = table.columns().iter().filter(|column| column.role == ColumnRole::Shown);
        let names: Vec<&str> = shown.take(COLUMNS).map(|column| &*column.name).collect();
        format!("Columns of {}: {}", table.name, names.join(", "))
    };
    tables.iter().filter(is_used).map(columns).collect::<Vec<_>>().join(". ")
}

fn table_advice(heap: Option<&Heap>, tables: &[CatalogTable], name: &str) -> String {
    let is_part = |class: &str| class.to_lowercase().contains(&name.to_lowercase());
    let all = heap.into_iter().flat_map(|heap| heap.classes.iter());
    let mut classes: Vec<&str> = all.map(|(_, class)| &*class.name).filter(|class| is_part(class)).collect();
    classes.sort_unstable_by_key(|class| class.len());
    classes.dedup();
    let quoted: Vec<String> = classes.iter().take(NAMED).map(|class| format!("\"{class}\"")).collect();
    if !quoted.is_empty() {
        return format!("A class is a table, in double quotes: {}", quoted.join(", "));
    }
    let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
    let or_class = if heap.is_some() { "; a class is a table, in double quotes" } else { "" };
    format!("Tables are {}{or_class}", names.join(", "))
}

/// Byte of a query where a name begins.
fn position(query: &str, name: &str) -> Option<usize> {
    let tokens = tokens(query);
    let is = |token: &&Token| token.name(query).is_some_and(|known| known.eq_ignore_ascii_case(name));
    tokens.iter().find(is).map(|token| token.range.start)
}

/// The first name with dots that is not in quotes.
fn dotted_name(query: &str) -> Option<String> {
    let words = query.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| word.contains('.')).map(str::to_owned).next()
}
