//! The tools: few, and none does what another does. Each is a type with its arguments as fields, which is also their
//! schema.

mod compare;
mod explain;
mod histogram;
mod leaks;
mod list_dumps;
mod open_dump;
mod overview;
mod query;
mod rows;
mod screenshot;
mod search;
mod tool;
mod what_if;

use rmcp::model::JsonObject;

use self::tool::Tool;
use crate::answer::ToolResult;
use crate::arguments::{read, schema};
use crate::assistant::Assistant;
use heaplens_base::Task;

/// An entry of the list of tools.
pub(crate) struct ToolEntry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) schema: fn() -> JsonObject,
    /// True if it is answered at once, whatever other calls do.
    pub(crate) is_quick: bool,
    pub(crate) call: fn(JsonObject, &Assistant, &Task) -> ToolResult,
}

impl ToolEntry {
    const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            about: T::ABOUT,
            schema: schema::<T>,
            is_quick: T::IS_QUICK,
            call: |arguments, assistant, task| read::<T>(T::NAME, arguments)?.call(assistant, task),
        }
    }
}

/// All tools, in the order in which they are usually called.
pub(crate) const TOOLS: [ToolEntry; 11] = [
    ToolEntry::of::<list_dumps::ListDumps>(),
    ToolEntry::of::<open_dump::OpenDumpTool>(),
    ToolEntry::of::<overview::OverviewTool>(),
    ToolEntry::of::<leaks::Leaks>(),
    ToolEntry::of::<explain::Explain>(),
    ToolEntry::of::<what_if::WhatIf>(),
    ToolEntry::of::<histogram::Histogram>(),
    ToolEntry::of::<compare::Compare>(),
    ToolEntry::of::<search::Search>(),
    ToolEntry::of::<query::Query>(),
    ToolEntry::of::<screenshot::Screenshot>(),
];
