//! Queries: what they select, in which order, and how many.

use super::Translator;
use super::ast::{Expr, Head, Item, Items, Query};
use super::from::own;
use super::refusal::refused;
use super::scope::{Rows, Scope};
use super::value::{Kind, Value};
use crate::error::QueryError;
use crate::virtual_table::quoted;

/// Columns of an object in the rows of a query.
const OWN: [&str; 4] = ["object", "class", "shallow_bytes", "retained_bytes"];

/// What becomes of the selected values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// Rows with columns.
    Rows,
    /// The objects, in the column `id`.
    Ids,
}

impl Translator<'_> {
    /// SQL for the rows of a query.
    pub(super) fn rows(&mut self, query: &Query) -> Result<String, QueryError> {
        self.query(query, Output::Rows, false)
    }

    /// SQL for the objects that a query selects, in the column `id`.
    pub(super) fn ids(&mut self, query: &Query) -> Result<String, QueryError> {
        self.query(query, Output::Ids, false)
    }

    fn query(&mut self, query: &Query, output: Output, is_part: bool) -> Result<String, QueryError> {
        let scope = self.from(&query.from)?;
        self.scopes.push(scope);
        let one = self.one(query, output, is_part || !query.unions.is_empty());
        self.scopes.pop();
        let mut sql = one?;
        for union in &query.unions {
            // MAT lists the rows of both.
            let part = self.query(union, output, true)?;
            let is_ranged = union.limit.is_some() || !union.order_by.is_empty() || !union.unions.is_empty();
            sql = format!("{sql}\nUNION ALL\n{}", if is_ranged { format!("SELECT * FROM ({part})") } else { part });
        }
        if query.unions.is_empty() {
            return Ok(sql);
        }
        // The order of a union is by its columns.
        let names: Vec<&str> = match &query.items {
            Items::List(items) => items.iter().map(|item| &*item.name).collect(),
            _ => OWN.to_vec(),
        };
        let mut terms = Vec::new();
        for (term, is_descending) in &query.order_by {
            let named = name_of(term).filter(|name| names.contains(name)).ok_or_else(|| {
                refused("the order of a UNION by an expression", query.at, "Order by the name of a column")
            })?;
            terms.push(format!("{}{}", quoted(named), if *is_descending { " DESC" } else { "" }));
        }
        let order = if terms.is_empty() { String::new() } else { format!("\nORDER BY {}", terms.join(", ")) };
        Ok(format!("{sql}{order}{}", self.limit(query)?))
    }

    /// One part of a union, or a whole query. The scope is the last one.
    fn one(&mut self, query: &Query, output: Output, is_part: bool) -> Result<String, QueryError> {
        let condition = query.condition.as_ref().map(|condition| self.truth(condition)).transpose()?;
        let mut condition = condition.map_or_else(String::new, |condition| format!("\nWHERE {condition}"));
        if query.is_retained_set {
            // Of all selected objects together: what two of them hold is retained by neither.
            let subject = self.subject(query)?;
            let Some(scope) = self.scopes.last_mut() else { return Ok(String::new()) };
            let ids = format!("SELECT group_concat({subject}) FROM {}{}", scope.sql, condition.replace('\n', " "));
            let retained = own(&format!("retained_set(({ids}))"));
            *scope = Scope {
                sql: format!("{retained} {}", scope.name),
                rows: Rows::Objects,
                alias: scope.alias.take(),
                name: scope.name.clone(),
            };
            condition.clear();
        }
        let Some(scope) = self.scopes.last() else { return Ok(String::new()) };
        let (table, name) = (scope.sql.clone(), scope.name.clone());
        let has_own_columns = !matches!(scope.rows, Rows::Columns(_));
        let distinct = if query.is_distinct { "DISTINCT " } else { "" };
        let selected = match &query.items {
            Items::Objects(item) => return self.flattened(query, item, &condition, output),
            Items::All if output == Output::Ids => format!("{} AS id", self.subject(query)?),
            Items::All if is_part && has_own_columns => OWN.map(|column| format!("{name}.{column}")).join(", "),
            Items::All => "*".to_owned(),
            Items::List(items) if output == Output::Ids => match &items[..] {
                [only] => format!("{} AS id", self.object_of(&only.value)?.sql),
                _ => {
                    return Err(refused(
                        "a query of several columns as objects",
                        query.at,
                        "Select one value, or give the query an alias",
                    ));
                }
            },
            Items::List(items) => {
                let items = items.iter().map(|item| self.item(item)).collect::<Result<Vec<_>, _>>()?;
                items.join(", ")
            }
        };
        let rest = if is_part && !query.unions.is_empty() { String::new() } else { self.rest(query)? };
        let group = self.groups(query)?;
        Ok(format!("SELECT {distinct}{selected}\nFROM {table}{condition}{group}{rest}"))
    }

    /// The current object of the innermost query.
    fn subject(&self, query: &Query) -> Result<String, QueryError> {
        match self.scopes.last() {
            Some(Scope { rows: Rows::Columns(_), .. }) | None => {
                Err(refused("a row of several columns as an object", query.at, "Select one value in the inner query"))
            }
            Some(scope) => Ok(format!("{}.object", scope.name)),
        }
    }

    fn item(&mut self, item: &Item) -> Result<String, QueryError> {
        let name = quoted(&item.name);
        if matches!(item.value, Expr::Star) {
            return Err(refused("* among other columns", query_begin(), "Name the columns"));
        }
        let value = self.expression(&item.value)?;
        let sql = match &value.kind {
            Kind::List(_) => {
                return Err(refused(
                    &format!("a column of several objects, {},", item.name),
                    at_of(&item.value),
                    format!("Write SELECT OBJECTS {} to list them, or {}.@length to count them", item.name, item.name),
                ));
            }
            Kind::Row(..) => {
                return Err(refused(
                    &format!("a row of several columns, {}, as a column", item.name),
                    at_of(&item.value),
                    "Name one of its columns",
                ));
            }
            // As a column of objects, so that it is written as one.
            Kind::Class | Kind::Object(None) if value.path.is_none() => {
                format!("(SELECT id FROM objects WHERE id = {})", value.sql)
            }
            _ => value.sql,
        };
        Ok(format!("{sql} AS {name}"))
    }

    /// `SELECT OBJECTS item`: the objects that the values are, without nulls.
    fn flattened(&mut self, query: &Query, item: &Item, condition: &str, output: Output) -> Result<String, QueryError> {
        let value = self.object_of(&item.value)?;
        let Some(scope) = self.scopes.last() else { return Ok(String::new()) };
        let table = scope.sql.clone();
        let subject = format!("{}.object", scope.name);
        if !query.group_by.is_empty() || query.having.is_some() {
            return Err(refused("GROUP BY with OBJECTS", query.at, "Leave out OBJECTS"));
        }
        let distinct = if query.is_distinct { "DISTINCT " } else { "" };
        let (inner, id) = match &value.kind {
            Kind::List(list) => {
                let on = if list.condition.is_empty() { String::new() } else { format!(" ON {}", list.condition) };
                let joined = format!("{table} CROSS JOIN {}{on}", list.from);
                if list.repeats {
                    let distinct = format!(
                        "SELECT DISTINCT {subject} AS subject, {} AS value FROM {joined}{condition}",
                        list.value
                    );
                    let name = self.new_name("v");
                    (format!("({distinct}) {name}"), format!("{name}.value"))
                } else {
                    let distinct = format!("SELECT {} AS value FROM {joined}{condition}", list.value);
                    let name = self.new_name("v");
                    (format!("({distinct}) {name}"), format!("{name}.value"))
                }
            }
            _ => {
                let name = self.new_name("v");
                (format!("(SELECT {} AS value FROM {table}{condition}) {name}", value.sql), format!("{name}.value"))
            }
        };
        let object = self.new_name("o");
        let columns = match output {
            Output::Ids => format!("{object}.id AS id"),
            Output::Rows => {
                format!("{object}.id AS object, {object}.class, {object}.shallow_bytes, {object}.retained_bytes")
            }
        };
        if !query.order_by.is_empty() && query.unions.is_empty() {
            let terms = own_terms(query, &object)?;
            let limit = self.limit(query)?;
            return Ok(format!(
                "SELECT {distinct}{columns}\nFROM {inner} CROSS JOIN objects {object} ON {object}.id = {id}\nORDER BY {terms}{limit}"
            ));
        }
        let limit = if query.unions.is_empty() { self.limit(query)? } else { String::new() };
        Ok(format!("SELECT {distinct}{columns}\nFROM {inner} CROSS JOIN objects {object} ON {object}.id = {id}{limit}"))
    }

    /// A value that is an object, or several.
    fn object_of(&mut self, value: &Expr) -> Result<Value, QueryError> {
        let translated = self.expression(value)?;
        match translated.kind {
            Kind::Text | Kind::Bool | Kind::Null | Kind::Row(..) => {
                Err(refused("a text or row as an object", at_of(value), "Select an object: s, s.field, classof(s)"))
            }
            Kind::Array => Ok(Value::new("", Kind::List(self.elements_of(&translated)))),
            _ => Ok(translated),
        }
    }

    fn groups(&mut self, query: &Query) -> Result<String, QueryError> {
        let mut sql = String::new();
        if !query.group_by.is_empty() {
            let terms = query
                .group_by
                .iter()
                .map(|term| Ok(self.expression(term)?.sql))
                .collect::<Result<Vec<_>, QueryError>>()?;
            sql = format!("\nGROUP BY {}", terms.join(", "));
        }
        if let Some(having) = &query.having {
            sql = format!("{sql}\nHAVING {}", self.truth(having)?);
        }
        Ok(sql)
    }

    /// Order and range.
    fn rest(&mut self, query: &Query) -> Result<String, QueryError> {
        let mut terms = Vec::new();
        for (term, is_descending) in &query.order_by {
            // The name of a column, or an expression.
            let is_item = |item: &&Item| name_of(term) == Some(&*item.name);
            let item = match &query.items {
                Items::List(items) => items.iter().find(is_item).map(|item| quoted(&item.name)),
                _ => None,
            };
            let sql = match item {
                Some(name) => name,
                None => self.expression(term)?.sql,
            };
            terms.push(format!("{sql}{}", if *is_descending { " DESC" } else { "" }));
        }
        let order = if terms.is_empty() { String::new() } else { format!("\nORDER BY {}", terms.join(", ")) };
        Ok(format!("{order}{}", self.limit(query)?))
    }

    fn limit(&mut self, query: &Query) -> Result<String, QueryError> {
        let Some((most, skip)) = &query.limit else { return Ok(String::new()) };
        let skip = match skip {
            Some(skip) => format!(" OFFSET {}", self.expression(skip)?.sql),
            None => String::new(),
        };
        Ok(format!("\nLIMIT {}{skip}", self.expression(most)?.sql))
    }
}

/// The name that an expression consists of.
fn name_of(term: &Expr) -> Option<&str> {
    match term {
        Expr::Path(Head::Name(name), steps, _) if steps.is_empty() => Some(name),
        Expr::Text(name) => Some(name),
        _ => None,
    }
}

/// Byte of the query where an expression begins, as far as it is known.
pub(super) fn at_of(value: &Expr) -> usize {
    match value {
        Expr::Path(_, _, at)
        | Expr::Binary(_, _, _, at)
        | Expr::Like(_, _, _, at)
        | Expr::In(_, _, _, at)
        | Expr::Implements(_, _, at) => *at,
        Expr::Query(query) => query.at,
        Expr::Not(inner) | Expr::Minus(inner) | Expr::IsNull(inner, _) | Expr::Distinct(inner) => at_of(inner),
        Expr::Number(_) | Expr::Text(_) | Expr::Bool(_) | Expr::Null | Expr::Star => query_begin(),
    }
}

const fn query_begin() -> usize {
    0
}

/// Terms of an order by columns of objects.
fn own_terms(query: &Query, object: &str) -> Result<String, QueryError> {
    let mut terms = Vec::new();
    for (term, is_descending) in &query.order_by {
        let named = name_of(term).and_then(|name| OWN.iter().find(|column| **column == name)).ok_or_else(|| {
            refused("this order of OBJECTS", query.at, "Order by object, class, shallow_bytes or retained_bytes")
        })?;
        let column = if *named == "object" { "id" } else { named };
        terms.push(format!("{object}.{column}{}", if *is_descending { " DESC" } else { "" }));
    }
    Ok(terms.join(", "))
}
