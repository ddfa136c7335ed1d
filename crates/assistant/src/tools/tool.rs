//! What a tool is: its arguments, with the answer to them.

use rmcp::schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::answer::ToolResult;
use crate::assistant::Assistant;
use heaplens_base::Task;

/// A tool by its arguments.
pub(crate) trait Tool: DeserializeOwned + JsonSchema {
    /// Name.
    const NAME: &'static str;
    /// What it answers, and when to call it.
    const ABOUT: &'static str;
    /// True if it needs no dump: then it does not wait for calls that do.
    const IS_QUICK: bool = false;

    /// Answers a call.
    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult;
}
