//! Structures: several objects that are one thing to an engineer, such as a map with its table, nodes and segments, a
//! timer with its wheel and buckets, or a tree with its inner nodes. They are recognized by shape, whoever wrote the
//! classes.
//!
//! [`head()`] is the object a structure begins at, [`label()`] its name by class and field in the source, and
//! [`containers()`] are the structures that hold shared objects directly.

mod containers;
mod head;
mod holder;
mod label;
mod promises;
mod source;

pub(crate) use self::containers::{Container, containers, hold_all, sample_by_size};
pub(crate) use self::head::{head, is_inside, is_storage};
pub(crate) use self::holder::{LabelHolder, leads_to_all};
pub(crate) use self::label::{Label, field_of, field_of_runtime, label};
pub(crate) use self::source::{is_module, package_of};
