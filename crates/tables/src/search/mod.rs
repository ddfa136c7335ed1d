//! Search of an open dump while a text is typed: classes, fields, threads and marked objects by name, objects by id or
//! address-free name, strings by content. Slow searches run in the background. Each search has a `key` of its dump, a
//! number that the caller chooses: with another key, the search begins anew.

pub mod classes;
pub mod hits;
pub mod marked;
pub mod matching;
pub mod names;
pub mod objects;
pub mod strings;
pub mod threads;
pub mod variables;
