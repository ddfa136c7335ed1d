//! The page as Markdown, for a channel: at most [`LINES`] lines. The path is drawn if there is room for it.

use std::io::{self, Write};

use super::{drawn, link, title};
use crate::export::{identity::Identity, markdown::escaped};
use crate::story::{Claim, Story, StoryPart, StorySection};

/// Maximum number of lines.
const LINES: usize = 40;
/// Lines above the parts: title, identity, and the empty lines below them.
const HEAD: usize = 4;
/// Lines of a part besides its claims: title and an empty line below it.
const OF_PART: usize = 2;

/// Lines around a drawn path.
const FENCES: usize = 2;

/// Writes the page as Markdown. Of parts with many claims the last are left out if there are too many lines.
///
/// # Errors
/// If writing fails.
pub fn write_story_markdown(mut out: impl Write, identity: &Identity, story: &Story) -> io::Result<()> {
    writeln!(out, "## {}\n\n{}\n", escaped(&title(identity)), escaped(&identity.line()))?;
    let room = LINES.saturating_sub(HEAD + OF_PART * story.sections.len());
    let claims: usize = story.sections.iter().map(|section| section.claims.len()).sum();
    // The drawn path takes the line of its claim, and two around it.
    let is_drawn = !story.path.is_empty() && claims + story.path.len() + FENCES <= room + 1;
    let shown = shown(&story.sections, room);
    for (section, count) in story.sections.iter().zip(shown) {
        writeln!(out, "**{}**", section.part.title())?;
        if is_drawn && section.part == StoryPart::Path {
            writeln!(out, "```")?;
            // Backticks inside a name would end the block.
            drawn(&story.path).iter().try_for_each(|line| writeln!(out, "{}", line.replace('`', "'")))?;
            writeln!(out, "```\n")?;
            continue;
        }
        for claim in section.claims.iter().take(count) {
            let is_linked = section.part == StoryPart::Holders;
            writeln!(out, "- {}", sentence(identity, claim, is_linked))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A sentence; only those about holders have a link, which is long.
fn sentence(identity: &Identity, claim: &Claim, is_linked: bool) -> String {
    let text = escaped(&claim.text);
    let link = link(identity, &claim.lead).filter(|_| is_linked);
    link.map_or_else(|| text.clone(), |link| format!("{text} ([show]({link}))"))
}

/// Number of claims of each part that fit into `room` lines: at least one each, then from the longest.
fn shown(sections: &[StorySection], room: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = sections.iter().map(|section| section.claims.len()).collect();
    while counts.iter().sum::<usize>() > room {
        let Some(longest) = counts.iter_mut().rev().max_by_key(|count| **count).filter(|count| **count > 1) else {
            break;
        };
        *longest -= 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Lead;

    #[test]
    fn a_page_with_many_claims_has_at_most_forty_lines() {
        let claims = |count: usize| vec![Claim { text: "a".to_owned(), lead: Lead::Nothing }; count];
        let section = |part, count| StorySection { part, claims: claims(count) };
        let parts = [StoryPart::Cause, StoryPart::Memory, StoryPart::Holders, StoryPart::Unknown];
        let sections = parts.into_iter().zip([1, 30, 40, 2]).map(|(part, count)| section(part, count)).collect();
        let mut text = Vec::new();
        let story = Story { sections, ..Story::default() };
        write_story_markdown(&mut text, &Identity::default(), &story).expect("memory");
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(text.lines().count() <= LINES, "{text}");
        assert_eq!(text.matches("\n- a").count(), LINES - HEAD - 4 * OF_PART);
    }

    #[test]
    fn a_path_is_drawn_where_there_is_room() {
        let page = |steps: usize| {
            let path = (0..steps).map(|at| format!("step {at}")).collect();
            let claims = vec![Claim { text: "a line".to_owned(), lead: Lead::Nothing }];
            let story =
                Story { sections: vec![StorySection { part: StoryPart::Path, claims }], path, ..Story::default() };
            let mut text = Vec::new();
            write_story_markdown(&mut text, &Identity::default(), &story).expect("memory");
            String::from_utf8(text).expect("UTF-8")
        };
        let short = page(3);
        assert!(short.contains("```\nstep 0\n└ step 1\n  └ step 2\n```"), "{short}");
        for steps in [32, 33, 60] {
            let text = page(steps);
            assert!(text.lines().count() <= LINES, "{steps}: {text}");
            assert_eq!(text.contains("└"), steps == 32, "{text}");
        }
    }
}
