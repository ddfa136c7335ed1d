//! `mcp` as a client of the protocol sees it: every tool on every kind of dump, wrong calls, calls at the same time, and
//! text of a heap that wants to be obeyed.

mod calls;
mod client;
mod injection;
mod starving;
mod tools;
