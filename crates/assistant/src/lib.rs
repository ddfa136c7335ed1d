//! Heap dumps for programs that ask: tools of the Model Context Protocol over the answers of heaplens. What a tool
//! answers is what the command of that question prints as JSON, cut to a budget.
//!
//! Text of a heap is data of a stranger: whoever chose a string, a key or a class name may have written it for the
//! program that reads the answer. So an answer has two parts (`answer.rs`): words of heaplens, which hold only numbers and
//! ids, and data within a fence, in which every text is cut and no text can end the fence (`fence.rs`). Values of the
//! program are hidden unless the user asked for them.
//!
//! [`Assistant`] is the dumps and the tools; [`serve_stdio`] and [`serve_stream`] let a client call them. Protocol:
//! <https://modelcontextprotocol.io/specification>.

mod allowed_paths;
mod answer;
mod arguments;
mod assistant;
mod batches;
mod budget;
mod calls;
mod connection;
mod dumps;
mod fence;
mod input;
mod open_dump;
mod pipe;
mod removals;
mod serve;
mod server;
mod tools;

pub use assistant::{Assistant, AssistantOptions, Picture, Pictures};
pub use serve::{serve_stdio, serve_stream};
