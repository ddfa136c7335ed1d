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

pub use self::page::{Between, Claim, Earlier, HOLDERS, Lead, Story, StoryInput, StoryPart, StorySection, StoryStep};
pub use self::sample::{EntrySample, SampledEntry, sample};
pub use self::source::StorySource;

use std::sync::Arc;

use crate::export::hidden_values::{hide_in_finding, without_values};
use heaplens_base::{Cancelled, Task};

/// Makes the page.
///
/// # Errors
/// When `task` is cancelled.
pub fn story(input: StoryInput<'_>, task: &Task) -> Result<Story, Cancelled> {
    story_of(&StoryPart::ALL, input, task)
}

/// Makes parts of the page, given in their order.
///
/// # Errors
/// When `task` is cancelled.
pub fn story_of(parts: &[StoryPart], input: StoryInput<'_>, task: &Task) -> Result<Story, Cancelled> {
    let holders = suspects::leading(input);
    let has_path = parts.contains(&StoryPart::Path);
    let path = if has_path { path::steps(input, &holders, task)? } else { Vec::new() };
    let mut sections = Vec::new();
    for &part in parts {
        let claims = match part {
            StoryPart::Verdict => verdict::claims(input, &holders),
            StoryPart::Cause => cause::claims(input),
            StoryPart::Memory => memory::claims(input),
            StoryPart::Holders => holders::claims(input, &holders, task)?,
            StoryPart::Path => path::claims(input, &holders, &path),
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
    /// Adds the parts of a step, which replace those that were there.
    pub fn add(&mut self, step: StoryStep, parts: Self) {
        self.sections.retain(|section| !step.parts().contains(&section.part));
        self.sections.extend(parts.sections);
        self.sections.sort_by_key(|section| StoryPart::ALL.iter().position(|&part| part == section.part));
        if step >= StoryStep::Findings {
            self.holders = parts.holders;
        }
        if step.parts().contains(&StoryPart::Path) {
            self.path = parts.path;
        }
    }

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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use heaplens_analysis::diff::Pair;
    use heaplens_analysis::leaks::{BaselineQuery, LeakQuery, default_min_bytes, with_baseline};
    use heaplens_analysis::overview::WasteTotals;
    use heaplens_dump::Dump;
    use heaplens_session::comparison::compare_dumps;
    use heaplens_session::leaks::{LeakRules, found_and_wasted};

    fn opened(name: &str) -> Dump {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
        heaplens_dump::open(path).expect("it opens")
    }

    /// Told step by step, the page has the same sentences in the same order as all at once.
    #[test]
    fn steps_make_the_same_page() {
        let (task, rules) = (&Task::new(), &LeakRules::default());
        for (name, before) in [
            ("leak-after.hprof.gz", Some("leak-before.hprof.gz")),
            ("node/desk-final.heapsnapshot.gz", None),
            ("android/album.hprof.gz", None),
        ] {
            let (dump, before) = (opened(name), before.map(opened));
            let min_bytes = default_min_bytes(dump.analysis.shown.shallow);
            let searched = found_and_wasted(dump.data(), (rules, min_bytes), task, task);
            let (mut findings, totals) = searched.expect("not cancelled");
            let mut earlier = None;
            if let Some(before) = &before {
                let pair = Pair { before: before.data(), after: dump.data() };
                let compared = compare_dumps(pair, task).expect("not cancelled");
                let namer = dump.namer(task).expect("not cancelled");
                let question = LeakQuery { namer, with_ages: true, rules, min_bytes };
                let (matches, growth) = (&compared.matches, &compared.growth);
                let before_namer = before.namer(task).expect("not cancelled");
                let baseline = BaselineQuery { question, before: before_namer, matches, growth };
                findings = with_baseline(baseline, findings, task).expect("not cancelled");
                earlier = Some((before, growth.totals));
            }
            let of = (&dump, &dump);
            let mut source = StorySource::new(of, task).expect("not cancelled");
            let mut page = Story::default();
            for step in StoryStep::ALL {
                match step {
                    StoryStep::Findings => source.add_findings(of, findings.clone(), earlier, task),
                    StoryStep::Details => source.add_details(&dump, Some(WasteTotals::clone(&totals)), task),
                    StoryStep::Summary => source.add_memory(of, task),
                    StoryStep::Removals => Ok(()),
                }
                .expect("not cancelled");
                page.add(step, story_of(step.parts(), source.input(of), task).expect("not cancelled"));
            }
            assert_eq!(page, story(source.input(of), task).expect("not cancelled"), "{name}");
            assert_eq!(page.claims(StoryPart::Growth).is_empty(), before.is_none(), "{name}");
        }
    }
}
