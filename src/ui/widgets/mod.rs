//! Building blocks of views. They do not depend on dumps: they take plain values and return the user's input.

pub mod bar;
pub mod controls;
pub mod dates;
pub mod definition;
pub mod filter;
pub mod find;
pub mod fitting;
pub mod marked_text;
pub mod object_link;
pub mod object_menu;
pub mod object_name;
pub mod picture;
pub mod rail;
pub mod row_name;
pub mod sparkline;
pub mod table;
pub mod tabs;
pub mod text_selection;
pub mod toolbar;
pub mod tree_row;
pub mod units;
pub mod verdict_mark;
pub mod waiting;

pub use self::object_name::ObjectName;
pub use self::table::{Column, Row, Table, TableOutput, TableState, elided, line_at_right_ui, line_ui};
