//! The page for the person on call as text, Markdown, one HTML file and JSON. Equal pages give equal bytes.

mod boxes;
mod html;
mod json;
mod markdown;
mod text;
mod tree;

pub use self::html::{StoryViews, write_story_html};
pub use self::json::write_story_json;
pub use self::markdown::write_story_markdown;
pub use self::text::write_story_text;

use super::identity::Identity;
use super::links;
use crate::story::Lead;
use heaplens_session::Link;

/// Title of the page.
fn title(identity: &Identity) -> String {
    format!("Report on {}", super::printable::one_line(&identity.file))
}

/// Link to what a claim leads to.
fn link(identity: &Identity, lead: &Lead) -> Option<Link> {
    match lead {
        Lead::Nothing => None,
        Lead::View(target) => Some(links::view(identity, links::view_of(*target))),
        Lead::Finding(finding) => Some(links::leak(identity, finding)),
    }
}

/// A path as lines, each step below the one that refers to it.
fn drawn(path: &[String]) -> Vec<String> {
    let line = |(at, step): (usize, &String)| match at.checked_sub(1) {
        None => step.clone(),
        Some(depth) => format!("{}└ {step}", "  ".repeat(depth)),
    };
    path.iter().enumerate().map(line).collect()
}
