//! `docs/tables.md` says what the declarations of the tables say, and so do their rows.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::{env, fs};

use heaplens_base::Task;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_tables::columns::Value;

use heaplens_tables::reference::markdown;
use heaplens_tables::relations::RELATIONS;
use heaplens_tables::{RowQuery, TableContext};

#[test]
fn the_page_of_all_columns_is_generated() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables.md");
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&page, markdown()).expect("a writable page");
    }
    let written = fs::read_to_string(&page).expect("a readable page");
    assert!(written == markdown(), "docs/tables.md is outdated: run this test with UPDATE_GOLDEN=1");
}

#[test]
fn keys_are_unique_and_columns_defined() {
    for table in RELATIONS {
        let mut keys = HashSet::new();
        for column in table.columns {
            assert!(keys.insert(column.key), "{} twice in {}", column.key, table.command);
            assert!(!column.about.is_empty(), "{} without a definition in {}", column.key, table.command);
        }
    }
}

#[test]
fn rows_come_in_the_declared_order() {
    let task = &Task::new();
    let mut checked = BTreeSet::new();
    for file in ["leak-after.hprof.gz", "node/desk-final.heapsnapshot.gz"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(file);
        let dump = open_and_wait(&path, &OpenOptions::default(), task).expect("it opens");
        let context = TableContext::of(&dump);
        for relation in RELATIONS.iter().filter(|relation| relation.dumps.include(context.heap)) {
            let (Some(key), Some(_)) = (relation.order, relation.compute) else { continue };
            let Ok(table) = relation.table(context, &RowQuery::default(), task) else { continue };
            let column = table.column(key).unwrap_or_else(|| panic!("{relation:?}: no column {key}"));
            let values: Vec<Value<'_>> = (0..table.count()).map(|row| table.cell(context, row, column)).collect();
            let is_sorted = values.is_sorted_by(|one, next| one.order(next) != Ordering::Less);
            assert!(is_sorted, "{file}: {relation:?} is not sorted by {key}");
            checked.extend((values.len() > 1).then_some(relation.command));
        }
    }
    assert!(checked.len() >= 10, "{checked:?}");
}
