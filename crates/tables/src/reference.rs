//! Reference of all tables of the command line, written from their declarations: `docs/tables.md`.

use std::fmt::Write;

use crate::columns::{ColumnInfo, Condition, TextPlace};
use crate::relations::RELATIONS;

const INTRODUCTION: &str = "\
# Columns of all tables

Each table of the command line with its columns: the key in CSV and JSON, which never changes, the type, the title in
text and in the window, and the definition. `--sort` takes a key. Commands that write a document in JSON nest some of
these columns ([fields](command-line.md#json)). Generated from the declarations in `crates/tables`; don't edit it.

| type | value |
|---|---|
| text | UTF-8 text |
| object id | address or id of an object, as text |
| u32, u64, i64 | whole number of 32 or 64 bits, with or without sign |
| u64, bytes; i64, bytes | size or difference of sizes in bytes |
| f64, share of 1 | 0.25 is 25 % |
| f64, relative change | 0.5 is 50 % more |
| bool | `yes` and `no`; in the table of threads `true` and `false` |

A cell without a value is empty in CSV, `null` in JSON and `–` in text.
";

/// The page `docs/tables.md`.
pub fn markdown() -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut tables = RELATIONS.to_vec();
    // The tables of a command are in the order of the list.
    tables.sort_by_key(|table| table.command.split(' ').next());
    for table in tables {
        // Writing to a string cannot fail.
        let _written = write!(
            page,
            "\n## {}\n\n| key | type | title | definition | only |\n|---|---|---|---|---|\n",
            table.command
        );
        let is_first_dump = |column: &&ColumnInfo| !matches!(column.when, Condition::Dump(1..));
        for column in table.columns.iter().filter(is_first_dump) {
            let (key, title, about) = (column.key, column.title, column.about);
            let _written =
                writeln!(page, "| `{key}` | {} | {title} | {about} | {} |", column.kind.name(), only(column));
        }
    }
    page
}

/// Where and when a column appears, if not always.
fn only(column: &ColumnInfo) -> String {
    let when = column.when.about();
    match (when, column.text) {
        ("", TextPlace::Omitted) => "CSV and JSON".to_owned(),
        (_, TextPlace::Omitted) => format!("CSV and JSON; {when}"),
        _ => when.to_owned(),
    }
}
