//! Parts that views are put together from. None knows what a dump is about;
//! all take plain values and say what the person did.

pub mod bar;
pub mod controls;
pub mod filter;
pub mod object_link;
pub mod picture;
pub mod table;
pub mod tree;
pub mod waiting;
