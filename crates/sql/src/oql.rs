//! Queries as Eclipse MAT writes them, translated to SQL: `SELECT toString(s) FROM INSTANCEOF java.lang.String s`.
//! What has no translation is an error that shows what to write. The grammar is that of MAT's help, "OQL Syntax", and of
//! its parser; each form is a line of `docs/commands/query.md`.
//!
//! A query is read ([`parser`]), then each part becomes SQL: what it selects from ([`from`]), its expressions
//! ([`expressions`]) with the attributes and methods of objects ([`members`]), and the query itself ([`queries`]).

mod ast;
mod detection;
mod expressions;
mod from;
mod lexer;
mod members;
mod parser;
mod queries;
mod refusal;
mod scope;
mod value;

use std::sync::Arc;

use self::scope::Scope;
use crate::catalog::CatalogTable;
use crate::error::QueryError;
use crate::source::QuerySource;

/// The same query in SQL; `None` if it is no query of MAT.
///
/// # Errors
/// If the query is wrong, or a form of OQL has no translation.
pub(crate) fn translate(
    query: &str,
    source: &Arc<QuerySource>,
    tables: &[CatalogTable],
) -> Result<Option<String>, QueryError> {
    // Tables of classes have no description.
    let is_table =
        |name: &str| tables.iter().any(|table| !table.about.is_empty() && table.name.eq_ignore_ascii_case(name));
    if !detection::is_oql(query, source.heap(), is_table)? {
        return Ok(None);
    }
    let parsed = parser::parse(query)?;
    let mut translator = Translator { source, scopes: Vec::new(), named: 0 };
    translator.rows(&parsed).map(Some)
}

/// Translates one query.
struct Translator<'a> {
    source: &'a Arc<QuerySource>,
    /// What the queries around the current expression select from, the innermost last.
    scopes: Vec<Scope>,
    /// Number of names made for tables.
    named: usize,
}

impl Translator<'_> {
    /// A name that the query does not use for anything else.
    fn new_name(&mut self, begin: &str) -> String {
        self.named += 1;
        let name = format!("{begin}{}", self.named);
        let is_used = |scope: &Scope| scope.alias.as_ref().is_some_and(|alias| alias.eq_ignore_ascii_case(&name));
        if self.scopes.iter().any(is_used) { self.new_name(begin) } else { name }
    }
}
