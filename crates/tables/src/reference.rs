//! Reference of all tables of the command line, written from their declarations: `docs/tables.md`.

use std::fmt::Write;

use crate::columns::{ColumnInfo, Condition, TextPlace};
use crate::diff::{classes, owners, series, sides};
use crate::dump::{
    bitmaps, collections, drops, finalizers, folded, gaps, groups, javascript, javascript_leaks, level, loaders,
    merged, objects, ownership, path_steps, references, related, retained_set, roots, route, secrets, sites, strings,
    text_hits, threads, waste,
};
use crate::{export::leaks, table::infos};

/// A table as a command prints it.
pub struct TableReference {
    /// Command with the options that choose the table.
    pub command: &'static str,
    /// Its columns, in output order.
    pub columns: Vec<ColumnInfo>,
}

/// All tables, in the order of their commands.
pub fn all() -> Vec<TableReference> {
    let tables = [
        ("bitmaps", infos(bitmaps::COLUMNS)),
        ("collections", infos(collections::COLUMNS)),
        ("diff --of owners", infos(owners::COLUMNS)),
        ("diff --of classes", infos(classes::COLUMNS)),
        ("diff --of packages", infos(sides::PACKAGES)),
        ("diff --of loaders", infos(sides::CLASS_LOADERS)),
        ("diff --of threads", infos(sides::OF_THREADS)),
        ("diff --of strings", infos(sides::STRINGS)),
        ("diff --of collections", infos(sides::COLLECTIONS)),
        ("diff --of leaks", infos(sides::LEAKS)),
        ("diff --of owners, three dumps or more", infos(series::OWNERS)),
        ("diff --of classes, three dumps or more", infos(series::CLASSES)),
        ("dominators", infos(level::COLUMNS)),
        ("dominators --fold, --by, --shared", infos(folded::COLUMNS)),
        ("dominators --drops", infos(drops::COLUMNS)),
        ("finalizers", infos(finalizers::COLUMNS)),
        ("gaps", infos(gaps::COLUMNS)),
        ("histogram", infos(crate::dump::classes::COLUMNS)),
        ("histogram --by", infos(groups::COLUMNS)),
        ("javascript --of retained-by", infos(javascript::RETAINERS)),
        ("javascript --of native-contexts", infos(javascript::CONTEXTS)),
        ("javascript --of detached", infos(javascript::DETACHED)),
        ("javascript --of closures", infos(javascript::CLOSURES)),
        ("javascript --of timeline", infos(javascript::TIMELINE)),
        ("javascript --of timeline --between", infos(javascript::ALLOCATED)),
        ("leaks", infos(leaks::COLUMNS)),
        ("leaks --baseline --of stayed", infos(javascript_leaks::CLUSTERS)),
        ("leaks --baseline --of growing", infos(javascript_leaks::GROWING)),
        ("loaders", infos(loaders::COLUMNS)),
        ("objects", infos(objects::COLUMNS)),
        ("paths", infos(path_steps::COLUMNS)),
        ("paths --all", infos(merged::COLUMNS)),
        ("references", infos(references::COLUMNS)),
        ("related", infos(related::COLUMNS)),
        ("related --group", infos(related::GROUPS)),
        ("retained-set", infos(retained_set::COLUMNS)),
        ("roots", infos(roots::COLUMNS)),
        ("roots --ownership", infos(ownership::ROOTS)),
        ("roots --ownership --every-object", infos(ownership::OBJECTS)),
        ("route", infos(route::COLUMNS)),
        ("search", infos(text_hits::COLUMNS)),
        ("secrets", infos(secrets::COLUMNS)),
        ("sites", infos(sites::COLUMNS)),
        ("strings", infos(strings::COLUMNS)),
        ("threads", infos(threads::COLUMNS)),
        ("waste", infos(waste::COLUMNS)),
    ];
    tables.map(|(command, columns)| TableReference { command, columns }).into()
}

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
    for table in all() {
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
