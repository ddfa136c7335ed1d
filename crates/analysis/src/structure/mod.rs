//! Structures: several objects that are one thing to an engineer, such as a map with its table, nodes and segments, a
//! timer with its wheel and buckets, or a tree with its inner nodes. They are recognized by shape, whoever wrote the
//! classes.
//!
//! A head is the object a structure begins at, [`Namer::short_name`](crate::naming::Namer::short_name) names any object
//! by the structure that it belongs to, and containers are the structures that hold shared objects directly.

mod class_holder;
mod closures;
mod constants;
mod containers;
mod direct_step;
mod growing;
mod head;
mod holder;
mod known_holders;
mod nearest;
mod of_object;
mod ownership_step;
mod promises;
mod script_holder;
mod short_name;
mod short_names;
mod source;
mod start;
mod symbols;
mod thread_locals;

pub(crate) use self::containers::{Container, containers, hold_all, sample_by_size};
pub(crate) use self::direct_step::direct_step;
pub(crate) use self::growing::growing_collection;
pub(crate) use self::head::{head, is_storage};
pub(crate) use self::ownership_step::{OwnerKind, OwnerRules, OwnerStart, OwnerStep, OwnerSteps};
pub(crate) use self::script_holder::leads_to_all;
pub use self::short_name::{Origin, ShortName};
pub(crate) use self::short_names::{by_field, field_of, of_structure};
pub(crate) use self::source::{file_of_context, is_module, is_scope_of_program, package_of};
pub(crate) use self::start::step_text;
pub(crate) use self::thread_locals::of_map as of_thread_locals;
