//! What is not known, and which second dump or flag would tell.

use std::sync::Arc;

use super::page::{Claim, StoryInput};
use heaplens_analysis::leaks::LeakFinding;
use heaplens_analysis::leaks::words::capital;
use heaplens_analysis::overview::Target;
use heaplens_base::invisible::one_line;

pub(super) fn claims(input: StoryInput<'_>, holders: &[Arc<LeakFinding>]) -> Vec<Claim> {
    let mut claims = Vec::new();
    if input.earlier.is_none() {
        let uncertain = holders.iter().find(|finding| finding.is_uncertain());
        let what = match uncertain {
            Some(finding) if finding.label.is_empty() => "Whether the first of them grows".to_owned(),
            Some(finding) => format!("Whether {} grows", finding.whole_name()),
            None => "What grows".to_owned(),
        };
        let text = format!("{what}: one dump does not tell. Take another one later: heaplens report NEW --before THIS");
        claims.push(Claim::new(one_line(&text)));
    }
    let gap = |what: &str, why: &str| Claim::new(one_line(&format!("{}: {why}", capital(what)))).to(Target::Process);
    claims.extend(input.memory.gaps.iter().map(|gap_of| gap(&gap_of.what, &gap_of.why)));
    if input.shown.facts.is_redacted() {
        claims.push(Claim::new("Values, such as keys and names of threads, are hidden: --values shows them"));
    }
    claims
}
