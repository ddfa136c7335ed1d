//! The page as JSON, for programs.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::link;
use crate::export::identity::Identity;
use crate::export::leaks::finding_json;
use crate::story::{Story, StorySection};

/// Writes the page as one JSON object: identity, parts with their claims, and the findings that are told as holders.
///
/// # Errors
/// If writing fails.
pub fn write_story_json(mut out: impl Write, identity: &Identity, story: &Story) -> io::Result<()> {
    let part = |section: &StorySection| {
        let claims: Vec<Value> = section
            .claims
            .iter()
            .map(|claim| json!({"text": claim.text, "link": link(identity, &claim.lead).map(|link| link.to_string())}))
            .collect();
        json!({"part": section.part.name(), "title": section.part.title(), "claims": claims})
    };
    let answer = json!({
        "dump": identity,
        "parts": story.sections.iter().map(part).collect::<Vec<_>>(),
        "holders": story.holders.iter().map(|finding| finding_json(finding)).collect::<Vec<_>>(),
    });
    serde_json::to_writer(&mut out, &answer)?;
    writeln!(out)
}
