//! Tables of commands and views as queries.

use heaplens_analysis::references::Direction;
use heaplens_analysis::{GroupBy, paths::merged::PathTargets, related::Relation};
use heaplens_core::heap::{Heap, ObjectId};
use heaplens_tables::dump::folded::{LevelParent, LevelQuery};
use heaplens_tables::{TableKind, TableQuery};

/// The query for the rows of a table, with its order and number of rows; `None` if no query has them. A filter of words
/// is left out: what it compares is not one column.
pub fn as_query(table: &TableQuery, heap: &Heap) -> Option<String> {
    let id = |object: ObjectId| (heap.address(object).0 as i64).to_string();
    let text = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let (select, order) = match &table.kind {
        TableKind::Classes => ("SELECT *\nFROM classes".to_owned(), "shallow_bytes DESC"),
        TableKind::Groups(GroupBy::Package) => ("SELECT *\nFROM packages".to_owned(), "shallow_bytes DESC"),
        TableKind::Objects => (format!("{OBJECTS}\nWHERE reachable"), ""),
        TableKind::ObjectsOf(class) => {
            let class = text(&heap.classes.get(*class).name);
            (format!("{OBJECTS}\nWHERE class = {class} AND reachable"), "")
        }
        TableKind::Level(of, class) if class.is_empty() => (level(of.map(id)), "retained_bytes DESC"),
        // The objects of its rows, without groups.
        TableKind::FoldedLevel(LevelQuery { place: LevelParent::Below(of), only: None, of_class, .. })
            if of_class.is_empty() =>
        {
            (level(of.map(id)), "retained_bytes DESC")
        }
        TableKind::References(of, Direction::Outgoing) => (
            format!("SELECT field, target, class_of(target) AS class, strength\nFROM refs\nWHERE source = {}", id(*of)),
            "",
        ),
        TableKind::References(of, Direction::Incoming) => (
            format!("SELECT field, source, class_of(source) AS class, strength\nFROM refs\nWHERE target = {}", id(*of)),
            "",
        ),
        TableKind::Threads => ("SELECT *\nFROM threads".to_owned(), "retained_bytes DESC"),
        TableKind::Strings => ("SELECT *\nFROM strings".to_owned(), "wasted_bytes DESC"),
        TableKind::Collections => ("SELECT *\nFROM collections".to_owned(), "wasted_bytes DESC"),
        TableKind::Waste => ("SELECT *\nFROM waste".to_owned(), "wasted_bytes DESC"),
        TableKind::Bitmaps => ("SELECT *\nFROM bitmaps".to_owned(), ""),
        TableKind::Loaders => ("SELECT *\nFROM loaders".to_owned(), "retained_bytes DESC"),
        TableKind::Finalizers => ("SELECT *\nFROM finalizers".to_owned(), "retained_bytes DESC"),
        TableKind::Roots => ("SELECT *\nFROM root_kinds".to_owned(), "retained_bytes DESC"),
        TableKind::Gaps => ("SELECT *\nFROM gaps".to_owned(), ""),
        TableKind::Sites => ("SELECT *\nFROM sites".to_owned(), ""),
        TableKind::Related(query) if query.by == Relation::Retained && query.without.is_empty() => {
            let PathTargets::Objects(objects) = &query.of else { return None };
            let [of] = objects[..] else { return None };
            let columns = "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes";
            (format!("{columns}\nFROM retained_set({})\nGROUP BY class", id(of)), "shallow_bytes DESC")
        }
        _ => return None,
    };
    // Keys of columns are the names of columns here.
    let order = match (&table.rows.sort, table.rows.reverse) {
        (Some(key), reverse) => {
            let is_text = ["class", "label", "name", "text", "group", "kind", "owner"].contains(&&**key);
            format!("\"{key}\"{}", if is_text == reverse { " DESC" } else { "" })
        }
        (None, _) => order.to_owned(),
    };
    let order = if order.is_empty() { order } else { format!("\nORDER BY {order}") };
    let limit = table.rows.top.map(|top| format!("\nLIMIT {top}")).unwrap_or_default();
    Some(format!("{select}{order}{limit}"))
}

/// A level of the dominator tree.
fn level(of: Option<String>) -> String {
    match of {
        Some(of) => format!("{OBJECTS}\nWHERE immediate_dominator = {of}"),
        None => format!("{OBJECTS}\nWHERE immediate_dominator IS NULL AND reachable"),
    }
}

const OBJECTS: &str = "SELECT id, class, label, shallow_bytes, retained_bytes\nFROM objects";
