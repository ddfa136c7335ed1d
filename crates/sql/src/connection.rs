//! A connection to SQLite that reads what it is given, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::vtab::Module;
use rusqlite::{Connection, Result};

use crate::virtual_table::{RelationList, VirtualTable};
use heaplens_base::Bytes;

/// SQLite's view of the tables.
const MODULE: Module<'static, VirtualTable> = Module::read_only_module();
/// Longest query, in bytes, and deepest expression.
pub(crate) const LONGEST: i32 = 1 << 20;
const DEEPEST: i32 = 1_000;
/// Longest pattern of `LIKE`, in bytes: a match of long ones takes minutes in one instruction.
const LONGEST_PATTERN: i32 = 1_000;
/// Longest text or row, in bytes.
const LARGEST_VALUE: i32 = 256 << 20;
/// Memory for sorting and grouping, of all queries of the process.
pub(crate) const MEMORY: Bytes = Bytes(2 << 30);

/// A connection whose tables are those of a list. Statements that make tables are allowed while `is_building`.
pub(crate) fn open(list: &RelationList, is_building: &Arc<AtomicBool>) -> Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    connection.create_module("heap", &MODULE, Some(list.clone()))?;
    // Sorting stays in memory: a query writes no file.
    let settings = format!("PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = {}", MEMORY.0);
    connection.execute_batch(&settings)?;
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, DEEPEST),
        (Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE),
        (Limit::SQLITE_LIMIT_ATTACHED, 2),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN),
    ] {
        connection.set_limit(limit, most)?;
    }
    // A name in double quotes that does not exist is an error, not a text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    let building = Arc::clone(is_building);
    let judge = move |context: AuthContext<'_>| allowed(&context.action, building.load(Relaxed));
    connection.authorizer(Some(judge))?;
    Ok(connection)
}

/// Statements may read, and nothing else: no file, no other database, no setting.
fn allowed(action: &AuthAction<'_>, is_building: bool) -> Authorization {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if *function_name != "load_extension" => Authorization::Allow,
        _ if is_building => Authorization::Allow,
        _ => Authorization::Deny,
    }
}
