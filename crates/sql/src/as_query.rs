//! Tables of commands and views as queries: the same rows in the same order.
//!
//! A table of a command is a relation whose rows have their default order, so `ORDER BY rowid` is that order, and rows
//! with equal sort keys are in it too. Only the order by a column has to be written, and that is declared by the column.

use heaplens_analysis::dominator_tree::LevelOrder;
use heaplens_analysis::filter::heap_and_rest;
use heaplens_analysis::references::Direction;
use heaplens_analysis::{paths::merged::PathTargets, related};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_tables::columns::ColumnInfo;
use heaplens_tables::dump::folded::{LevelParent, LevelQuery};
use heaplens_tables::dump::objects::{ObjectsQuery, is_age, order_of};
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::dump::related::RelatedQuery;
use heaplens_tables::query::TableKind as _;
use heaplens_tables::query::{RowFilter, number_condition::NumberBound};
use heaplens_tables::relation::Relation;
use heaplens_tables::relations::{CLASSES, OBJECTS, REFERENCES};
use heaplens_tables::{ColumnKind, RowQuery, TableContext, TableQuery};

use crate::relations::typed;
use crate::virtual_table::quoted;

/// The query for the rows of a table, with its filter, order and range; `None` if no query has them.
pub fn as_query(table: &TableQuery, dump: TableContext<'_>) -> Option<String> {
    let (kind, rows) = (&*table.kind, &table.rows);
    let objects_query = kind.downcast::<ObjectsQuery>();
    let (select, mut conditions, order) = if let Some(relation) = kind.downcast::<&'static Relation>() {
        of_command(relation, rows, dump)?
    } else if let Some(query) = kind.downcast::<ReferencesQuery>() {
        references(*query, rows, dump)?
    } else if let Some(query) = kind.downcast::<RelatedQuery>() {
        retained_by_class(query, rows, dump)?
    } else if let Some(query) = kind.downcast::<LevelQuery>() {
        level(query, rows, dump)?
    } else {
        objects(objects_query?, rows, dump)?
    };
    if objects_query.is_none() {
        conditions.extend(of_numbers(rows));
    } else if !rows.numbers.is_empty() {
        // Places count the objects of the table, not those of the heap.
        return None;
    }
    let conditions = conditions.join("\n  AND ");
    let conditions = if conditions.is_empty() { conditions } else { format!("\nWHERE {conditions}") };
    let (select, group) = select;
    let order = if order.is_empty() { String::new() } else { format!("\nORDER BY {}", order.join(", ")) };
    Some(format!("{select}{conditions}{group}{order}{}", range(rows)))
}

/// `SELECT … FROM …` with what comes after the conditions; the conditions; the terms of the order.
type Parts = ((String, &'static str), Vec<String>, Vec<String>);

/// A table of a command, which has a relation.
fn of_command(relation: &'static Relation, rows: &RowQuery, dump: TableContext<'_>) -> Option<Parts> {
    let name = relation.name?;
    let filter = rows.filter.trim();
    if rows.owners && !RowFilter::words_of(filter).is_empty() {
        // The table of queries has no owners to search.
        return None;
    }
    let conditions = if filter.is_empty() { None } else { Some(format!("filter = {}", text(filter))) };
    let mut order = by_declared(relation.columns, rows, dump)?;
    // Classes with equal figures are in the order of their names.
    let is_class_figure = matches!(rows.sort.as_deref(), Some("objects" | "shallow_bytes" | "retained_bytes"));
    if *relation == CLASSES && is_class_figure {
        order.insert(1, "class".to_owned());
    }
    let select = format!("SELECT *\nFROM {name}");
    Some(((select, ""), conditions.into_iter().collect(), order))
}

/// Terms of the order by a column of a table, then by the default order; nothing for the default order.
fn by_declared(columns: &[ColumnInfo], rows: &RowQuery, dump: TableContext<'_>) -> Option<Vec<String>> {
    let Some(key) = &rows.sort else {
        return Some(if rows.reverse { vec!["rowid DESC".to_owned()] } else { Vec::new() });
    };
    let is_named = |column: &ColumnInfo| column.heading.key == key || column.heading.alias == Some(key);
    let column = columns.iter().find(|column| is_named(column)).filter(|column| typed::shows(dump, column))?;
    let name = quoted(column.heading.key);
    let value = match column.kind {
        // As people read them: commands sort ids and numerals as text.
        ColumnKind::Object => format!("address({name})"),
        ColumnKind::Numeral => format!("CAST({name} AS TEXT)"),
        _ => name,
    };
    let is_descending = column.kind.is_number() != rows.reverse;
    Some(vec![directed(&value, is_descending), "rowid".to_owned()])
}

/// References of an object.
fn references(query: ReferencesQuery, rows: &RowQuery, dump: TableContext<'_>) -> Option<Parts> {
    let function = if query.direction == Direction::Incoming { "incoming" } else { "outgoing" };
    let select = format!("SELECT *\nFROM {function}({})", id(query.of, dump));
    let words = RowFilter::words_of(&rows.filter);
    let mut conditions = number_conditions(&REFERENCES, rows, dump)?;
    conditions.extend((!words.is_empty()).then(|| passes(&["class", "label"], &words)));
    Some(((select, ""), conditions, by_declared(REFERENCES.columns, rows, dump)?))
}

/// The retained set of an object, by class.
fn retained_by_class(query: &RelatedQuery, rows: &RowQuery, dump: TableContext<'_>) -> Option<Parts> {
    let PathTargets::Objects(objects) = &query.of else { return None };
    let [of] = objects[..] else { return None };
    if query.by != related::RelatedKind::Retained || !query.without.is_empty() {
        return None;
    }
    if !rows.filter.trim().is_empty() || !rows.numbers.is_empty() {
        return None;
    }
    let columns = "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes";
    let select = format!("{columns}\nFROM objects");
    let condition = format!("id IN (SELECT id FROM retained_set({}))", id(of, dump));
    // Two classes may have one name.
    let default = || ["shallow_bytes DESC", "class", "class_number"].map(str::to_owned);
    let order = match (rows.sort.as_deref(), rows.reverse) {
        (None, false) => default().to_vec(),
        (None, true) => flipped(default().to_vec()),
        (Some(key @ ("objects" | "shallow_bytes")), reverse) => {
            [directed(key, !reverse)].into_iter().chain(default()).collect()
        }
        (Some("class"), reverse) => [directed("class", reverse)].into_iter().chain(default()).collect(),
        (Some(_), _) => return None,
    };
    Some(((select, "\nGROUP BY class_number"), vec![condition], order))
}

/// Objects: all, or those of a class.
fn objects(query: &ObjectsQuery, rows: &RowQuery, dump: TableContext<'_>) -> Option<Parts> {
    let reachable = "reachable".to_owned();
    let (conditions, searched): (_, &[&str]) = match query {
        ObjectsQuery::All => (vec![reachable], &["class", "address", "label"]),
        // All are of the class: its name is not searched.
        ObjectsQuery::OfClass(class) => (vec![of_class(*class, dump), reachable], &["address", "label"]),
        ObjectsQuery::Listed(_) => return None,
    };
    // All objects are read in the order of their rows.
    let age_order = rows.sort.as_deref().is_some_and(is_age).then(|| by_age(rows.reverse));
    let (select, conditions, order) =
        of_objects((&OBJECTS, LevelOrder::Address, age_order), (conditions, searched), rows, dump)?;
    let order = if order == ["rowid"] { Vec::new() } else { order };
    Some((select, conditions, order))
}

/// A level of the dominator tree. Of a folded level the objects, without groups.
fn level(query: &LevelQuery, rows: &RowQuery, dump: TableContext<'_>) -> Option<Parts> {
    let LevelQuery { parent: LevelParent::Below(of), only: None, of_class, .. } = query else { return None };
    if !of_class.is_empty() {
        return None;
    }
    // In snapshots all is below one object.
    let conditions = match of.or_else(|| dump.analysis.top(dump.heap)) {
        Some(of) => vec![format!("immediate_dominator = {}", id(of, dump))],
        None => vec!["immediate_dominator IS NULL".to_owned(), "reachable".to_owned()],
    };
    let relation = query.relation()?;
    of_objects((relation, LevelOrder::Retained, None), (conditions, &["class", "label"]), rows, dump)
}

/// Objects that meet conditions: of a table with a default order, or in another order; words are searched in these
/// columns.
fn of_objects(
    (relation, default, order): (&'static Relation, LevelOrder, Option<Vec<String>>),
    (mut conditions, searched): (Vec<String>, &[&str]),
    rows: &RowQuery,
    dump: TableContext<'_>,
) -> Option<Parts> {
    conditions.extend(number_conditions(relation, rows, dump)?);
    let words = RowFilter::words_of(&rows.filter);
    let words = match heap_and_rest(&words) {
        Some((heap, rest)) => {
            conditions.push(format!("heap = {}", text(heap)));
            rest.to_owned()
        }
        None => words,
    };
    conditions.extend((!words.is_empty()).then(|| passes(searched, &words)));
    let order = match order {
        Some(order) => order,
        None => {
            let by = rows.sort.as_deref().map_or(Some(default), |key| order_of(dump, key).ok())?;
            let order = by_level_order(by);
            if rows.reverse { flipped(order) } else { order }
        }
    };
    let owner = if rows.owner { ", owner" } else { "" };
    let preview = if rows.preview { ", preview" } else { "" };
    let select = format!("SELECT id, class, label, shallow_bytes, retained_bytes{owner}{preview}\nFROM objects");
    Some(((select, ""), conditions, order))
}

/// Terms of the order by age, newest or oldest first; objects whose age is not known come last in both. Sums of equal
/// intervals may differ in their last digit.
fn by_age(is_oldest_first: bool) -> Vec<String> {
    let middle = directed("round(older_from + older_to, 9)", !is_oldest_first);
    ["older_from IS NULL".to_owned(), middle, "rowid".to_owned()].into()
}

/// Terms of an order of objects; those after the first decide between equal objects.
fn by_level_order(order: LevelOrder) -> Vec<String> {
    let size = |key: &str| vec![format!("{key} DESC"), "rowid".to_owned()];
    let by_name = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).chain(size("retained_bytes")).collect();
    match order {
        LevelOrder::Address => vec!["rowid".to_owned()],
        // Two classes may have one name.
        LevelOrder::Class => by_name(&["class", "class_number"]),
        LevelOrder::Region => by_name(&["heap"]),
        order => size(order.key()),
    }
}

/// The opposite order.
fn flipped(order: Vec<String>) -> Vec<String> {
    let flip = |term: String| term.strip_suffix(" DESC").map_or_else(|| format!("{term} DESC"), str::to_owned);
    order.into_iter().map(flip).collect()
}

fn directed(value: &str, is_descending: bool) -> String {
    format!("{value}{}", if is_descending { " DESC" } else { "" })
}

/// Condition for the objects of a class; loaders may have loaded classes of one name.
fn of_class(class: ClassId, dump: TableContext<'_>) -> String {
    let name = &dump.heap.classes.get(class).name;
    let is_alone = dump.heap.classes.iter().all(|(other, of)| other == class || of.name != *name);
    let number = if is_alone { String::new() } else { format!(" AND class_number = {}", class.raw()) };
    format!("class = {}{number}", text(name))
}

/// Conditions on numbers of a filter; `None` if the table has no such number.
fn number_conditions(relation: &Relation, rows: &RowQuery, dump: TableContext<'_>) -> Option<Vec<String>> {
    let filter = RowFilter::parse(&rows.filter).ok()?;
    let columns = relation.columns;
    let has = |column: &ColumnInfo| column.kind.is_number() && typed::shows(dump, column);
    let keys: Vec<&str> = columns.iter().map(|column| if has(column) { column.heading.key } else { "" }).collect();
    let reachable = dump.analysis.shown.shallow.0 as f64;
    let mut conditions = Vec::new();
    for condition in &filter.numbers {
        let column = columns.get(condition.position(&keys).ok()?)?;
        let key = column.heading.key;
        // A share of the reachable bytes is no column of objects.
        let value = if key == "share" { format!("retained_bytes / {reachable:?}") } else { quoted(key) };
        let total = match column.kind {
            ColumnKind::Bytes | ColumnKind::ByteDelta => Some(reachable),
            ColumnKind::Share | ColumnKind::Change => Some(1.0),
            _ => None,
        };
        let Some(bounds) = condition.bounds(total) else {
            // No row meets a percentage of a count.
            conditions.push("FALSE".to_owned());
            continue;
        };
        for NumberBound { percent_of, sign, value: bound } in bounds {
            let value = match percent_of {
                Some(total) => format!("{value} / {total:?} * 100.0"),
                None => value.clone(),
            };
            conditions.push(format!("{value} {sign} {}", number(bound)));
        }
    }
    Some(conditions)
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { (value as i64).to_string() } else { format!("{value:?}") }
}

/// Condition that one of the columns passes a filter of words.
fn passes(columns: &[&str], words: &str) -> String {
    let one = |column: &&str| format!("passes_filter({column}, {})", text(words));
    format!("({})", columns.iter().map(one).collect::<Vec<_>>().join(" OR "))
}

/// Condition for rows with these places in the default order.
fn of_numbers(rows: &RowQuery) -> Option<String> {
    let one = |range: &std::ops::RangeInclusive<u32>| format!("rowid BETWEEN {} AND {}", range.start(), range.end());
    let ranges: Vec<String> = rows.numbers.iter().map(one).collect();
    (!ranges.is_empty()).then(|| format!("({})", ranges.join(" OR ")))
}

fn range(rows: &RowQuery) -> String {
    match (rows.top, rows.skip) {
        (None, 0) => String::new(),
        (Some(top), 0) => format!("\nLIMIT {top}"),
        (top, skip) => format!("\nLIMIT {} OFFSET {skip}", top.map_or_else(|| "-1".to_owned(), |top| top.to_string())),
    }
}

/// The id of an object in queries.
fn id(object: ObjectId, dump: TableContext<'_>) -> String {
    (dump.heap.address(object).0 as i64).to_string()
}

fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
