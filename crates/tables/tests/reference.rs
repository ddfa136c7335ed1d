//! `docs/tables.md` says what the declarations of the tables say.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use heaplens_tables::reference::{all, markdown};

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
    for table in all() {
        let mut keys = HashSet::new();
        for column in &table.columns {
            assert!(keys.insert(column.key), "{} twice in {}", column.key, table.command);
            assert!(!column.about.is_empty(), "{} without a definition in {}", column.key, table.command);
        }
    }
}
