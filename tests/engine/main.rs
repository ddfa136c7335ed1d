//! The engine against naive references, real dumps and generated ones. Nothing here starts the program.

mod android;
mod cuts;
mod diff;
mod folding;
mod hprof;
mod ibm;
mod names;
mod outline;
mod owners;
mod ownership_naive;
mod paths;
mod rawheap;
mod stored_contents;
mod together;
mod traces;
mod true_sizes;
mod truncated;
mod v8;
