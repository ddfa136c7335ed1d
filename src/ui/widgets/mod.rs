//! Parts that views are put together from. None knows what a dump is about;
//! all take plain values and say what the person did.

pub mod bar;
pub mod controls;
pub mod filter;
pub mod find;
pub mod object_link;
pub mod object_menu;
pub mod picture;
pub mod sparkline;
pub mod table;
pub mod tabs;
pub mod tree;
pub mod tree_row;
pub mod units;
pub mod verdict_mark;
pub mod waiting;
