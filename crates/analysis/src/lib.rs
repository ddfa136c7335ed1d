//! Answers about a heap. An analysis is a function of the data of an opened dump ([`DumpData`]), and returns a plain
//! struct. None draws, prints, opens a file, or knows a format.
//!
//! These data are a [`Heap`](heaplens_heap::Heap) with what its file recorded, an
//! [`Analysis`](heaplens_heap::Analysis) with dominators, retained sizes and distances, and
//! [`Contents`](heaplens_heap::Contents), by which values of objects are read. Long work takes a
//! [`Task`](heaplens_base::Task), which reports progress and can be cancelled; the only error of most functions
//! is [`Cancelled`](heaplens_base::Cancelled). Sizes are in [`Bytes`](heaplens_base::Bytes).
//!
//! A question about a whole dump whose answer several places need is a [`Question`], asked by [`DumpData::answer`]: it is
//! computed once, shared, and kept on disk if the question says so.
//!
//! ```no_run
//! use heaplens_analysis::leaks::rules::LeakRules;
//! use heaplens_analysis::leaks::{LeakQuery, find_leaks, default_min_bytes};
//! use heaplens_base::Task;
//!
//! let (dump, task) = (heaplens_dump::open("app.hprof")?, Task::new());
//! let (namer, min_bytes) = (dump.namer(&task)?, default_min_bytes(dump.analysis.shown.shallow));
//! for finding in find_leaks(LeakQuery { namer, with_ages: true, rules: &LeakRules::default(), min_bytes }, &task)? {
//!     println!("{}: cutting it frees {}", finding.name, finding.frees);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions
//!
//! | Question | Answer |
//! |---|---|
//! | Which classes use most memory? | [`histogram::histogram`]; by package, loader or superclass [`grouping::groups`] |
//! | Which objects retain the most? | [`dominator_tree::level`], with grouped rows [`dominator_tree::folding`], in a chart [`dominator_tree::grouped`] |
//! | Why is an object alive? | [`paths::paths`]; many objects [`paths::merged`]; all roots [`roots::roots_by_kind`] |
//! | What leaks? | [`leaks::find_leaks`]; in Android dumps [`android::shark`], in several snapshots [`javascript::leaks`] |
//! | What is wasted? | [`waste::waste`], [`strings::duplicate_strings`], [`collections::collections`] |
//! | What would cutting a reference free? | [`cuts::what_if()`] |
//! | What changed between two dumps? | [`diff::growth`], by class [`diff::classes`], by object [`diff::matching`] |
//! | What is in an object, and around it? | [`object::describe`], [`references::references`], [`route::route`] |
//! | What tells an object from others of its class? | [`preview::preview`] |
//! | What is the name of an object, and who owns it? | [`naming::Namer`] |
//! | Who owns the objects of each class? | [`class_owners()`](class_owners::class_owners) |
//! | How much does each owner retain? | [`retained_by_owner()`](retained_by_owner::retained_by_owner) |
//! | What do some objects retain together, and who holds them? | [`retained::retained_set`], [`holders::holders`] |
//! | Which objects does a set retain, and which dominate, refer to, or are referred to by it? | [`related::related`] |
//! | What do threads retain? | [`threads::threads`], [`threads::stack`] |
//! | Which class loaders are still alive, and why? | [`loaders::loaders`] |
//! | Where were objects allocated? | [`sites::sites`] |
//! | When were objects allocated? | [`clock::Clock`], of tables and structures [`clock::Ages`] |
//! | Which fields, statics and variables does the program have? | [`variables::variables`] |
//! | Which strings contain a text? | [`search::search`] |
//! | Which strings are credentials? | [`secrets::secrets`] |
//! | What waits for finalization? | [`finalizers::finalizers`] |
//! | What is outside the heap, and who holds it? | [`process::process`], [`native_owners::native_owners`], [`native_memory`] |
//! | What is unreachable, or without recorded roots? | [`mod@unreachable`], [`ownership`] |
//! | Which `OutOfMemoryError`s were thrown, and of which kind? | [`out_of_memory::MemoryErrorsQuestion`] |
//! | Is the heap healthy, at a glance? | [`overview`] |
//!
//! # Order
//!
//! The modules are listed below in groups. A module imports only from groups above its own, so no analysis imports
//! another, except previews, related objects, waste, leaks and the overview, which are made of others. No two files import from each other.

pub mod answer_file;
mod class_prefixes;

pub mod runtime_classes;

// What questions are asked of, and their answers.
pub mod answers;

// What several analyses use.
pub mod captured_variables;
mod equal_contents;
pub mod extent;
mod fields;
pub mod filter;
mod libraries;
pub mod namesakes;
pub mod outline;
mod rows;
mod rule_lines;
mod virtual_machine;
pub use virtual_machine::started_millis;

// Names of objects, on which owners, cuts and leaks are based.
pub mod naming;
pub mod native_memory;

// The objects that have something outside the heap.
pub mod native_objects;

// Classes as sentences name them.
pub mod source_classes;

// The structure an object is part of, and its name in the source.
pub mod structure;

// Who holds memory outside the heap, by names in the source.
pub mod native_owners;

// Who owns the objects of each class, by names in the source.
pub mod class_owners;

// Equal strings, which a cut may mean.
pub mod strings;

pub mod cuts;

// Analyses, each by itself.
pub mod android;
pub mod clock;
pub mod collections;
pub mod diff;
pub mod dominator_tree;
pub mod finalizers;
pub mod gaps;
pub mod grouping;
pub mod histogram;
pub mod holders;
pub mod javascript;
pub mod loaders;
pub mod object;
pub mod out_of_memory;
pub mod ownership;
pub mod paths;
pub mod policies;
pub mod references;
pub mod retained;
pub mod retained_by_owner;
pub mod roots;
pub mod route;
pub mod search;
pub mod secrets;
pub mod sites;
pub mod threads;
pub mod unreachable;
pub mod variables;

// Analyses made of others.
pub mod entry_groups;
pub mod preview;
pub mod related;
pub mod waste;

// Waste as sentences name it.
pub mod waste_words;

pub mod leaks;

// The process around the heap.
pub mod process;

pub mod overview;

pub use self::answers::{Answers, DumpData, Question};
pub use self::paths::{PathStep, ReferencePath};
pub use self::{
    cuts::Cut, filter::TextFilter, grouping::GroupBy, leaks::LeakFinding, naming::Namer, object::ObjectDetails,
    overview::Overview, ownership::Ownership, references::Direction, runtime_classes::RuntimeClasses,
    threads::ThreadRow, waste::WasteKind,
};
