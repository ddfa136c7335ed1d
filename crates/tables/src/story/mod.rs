//! The page for the person on call: what happened, what fills the memory, who holds it, why it is alive, what grew, what a fix
//! frees, what to try tonight and tomorrow, and what is not known. Each sentence is a claim that the dump supports, and leads
//! to the view that shows it.

mod advice;
mod cause;
mod growth;
mod holders;
mod memory;
mod page;
mod path;
mod sample;
mod source;
mod suspects;
mod unknown;
mod verdict;

pub use self::page::{Claim, Earlier, HOLDERS, Lead, Story, StoryInput, StoryPart, StorySection};
pub use self::sample::{EntrySample, SampledEntry, sample};
pub use self::source::StorySource;

use self::page::PARTS;
use std::sync::Arc;

use crate::export::hidden_values::{hide_in_finding, without_values};
use heaplens_base::{Cancelled, Task};

/// Makes the page.
///
/// # Errors
/// When `task` is cancelled.
pub fn story(input: StoryInput<'_>, task: &Task) -> Result<Story, Cancelled> {
    let holders = suspects::leading(input);
    let path = path::steps(input, &holders, task)?;
    let mut sections = Vec::new();
    for part in PARTS {
        let claims = match part {
            StoryPart::Verdict => verdict::claims(input, &holders),
            StoryPart::Cause => cause::claims(input),
            StoryPart::Memory => memory::claims(input),
            StoryPart::Holders => holders::claims(input, &holders, task)?,
            StoryPart::Path => path::claims(&holders, &path),
            StoryPart::Growth => growth::claims(input, &holders),
            StoryPart::Fix => holders::fixes(input, &holders, task)?,
            StoryPart::Tonight => advice::tonight(input, &holders, task)?,
            StoryPart::Change => advice::change(input, &holders),
            StoryPart::Unknown => unknown::claims(input, &holders),
        };
        if !claims.is_empty() {
            sections.push(StorySection { part, claims });
        }
    }
    let mut story = Story { sections, holders, path };
    if input.shown.facts.is_redacted() {
        story.hide_values();
    }
    Ok(story)
}

impl Story {
    /// Hides keys and other texts of the program: what stands in quotes and brackets, and labels of objects.
    fn hide_values(&mut self) {
        for claim in self.sections.iter_mut().flat_map(|section| &mut section.claims) {
            claim.text = without_values(&claim.text);
            if let Lead::Finding(finding) = &mut claim.lead {
                hide_in_finding(Arc::make_mut(finding));
            }
        }
        self.path.iter_mut().for_each(|step| *step = without_values(step));
        self.holders.iter_mut().for_each(|finding| hide_in_finding(Arc::make_mut(finding)));
    }
}
