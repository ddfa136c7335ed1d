//! Fields, statics and variables by name: matched in the background. Their list and the letter masks of their names are
//! computed once per dump.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use super::hits::{Hit, HitTarget, Hits};
use super::matching::{Fit, Matcher, Tier, mask};
use heaplens_analysis::DumpData;
use heaplens_analysis::variables::{Variable, VariableKind, VariableTarget, VariablesQuestion};
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::split_class;
use heaplens_session::{Jobs, OpenDump, Slot};

/// Minimum number of letters: fewer match nearly every name.
const MIN_LETTERS: usize = 3;
/// Maximum number of variables in a result; the others are only counted.
const MAX_RESULTS: usize = 200;
/// Number of names compared between two checkpoints.
const BLOCK: usize = 1 << 12;

/// Search for variables of one dump.
#[derive(Default)]
pub struct VariableSearch {
    key: Option<u64>,
    masks: Arc<OnceLock<Vec<u64>>>,
    /// Computes the list once, independent of typing.
    ready: Slot<()>,
    requested: Option<String>,
    matches: Slot<VariableMatches>,
}

/// Variables with matching names.
pub struct VariableMatches {
    /// The best, in their order.
    pub best: Vec<Variable>,
    /// Number of all matches.
    pub total: u64,
}

impl VariableSearch {
    /// Starts a search if the text changed, and takes over its result. The list of variables is computed before
    /// anything is typed.
    pub fn tick(&mut self, key: u64, open_dump: &OpenDump, jobs: &Jobs, text: &str) {
        if self.key != Some(key) {
            *self = Self { key: Some(key), ..Self::default() };
            let (masks, open_dump) = (self.masks.clone(), open_dump.clone());
            self.ready.ask(jobs, "list fields and variables", move |task| {
                let variables = open_dump.answer(&VariablesQuestion, task)?;
                masks.get_or_init(|| variables.iter().map(mask_of).collect());
                Ok(())
            });
        }
        self.ready.poll();
        self.matches.poll();
        if text.chars().filter(|c| c.is_alphanumeric()).count() < MIN_LETTERS {
            return self.drop_matches();
        }
        if self.requested.as_deref() == Some(text) {
            return;
        }
        self.requested = Some(text.to_owned());
        let (masks, open_dump, text) = (self.masks.clone(), open_dump.clone(), text.to_owned());
        self.matches.ask(jobs, "find fields and variables", move |task| {
            let variables = open_dump.answer(&VariablesQuestion, task)?;
            let masks = masks.get_or_init(|| variables.iter().map(mask_of).collect());
            Ok(find((open_dump.data(), variables.as_slice()), Some(masks), (text.as_str(), MAX_RESULTS), task)?)
        });
    }

    /// Cancels a running search.
    pub fn stop(&mut self) {
        if self.matches.is_running() {
            self.drop_matches();
        }
    }

    fn drop_matches(&mut self) {
        (self.requested, self.matches) = (None, Slot::default());
    }

    /// True while a search is running.
    pub fn is_running(&self) -> bool {
        self.matches.is_running()
    }

    /// The best matches for the text of `matcher`, and the number of all matches. While a search is running, those of
    /// the previous result that still match.
    pub fn hits(&self, dump: &OpenDump, matcher: &mut Matcher, most: usize) -> Hits {
        let Some(matches) = self.matches.get() else { return Hits::default() };
        let hit = |variable: &Variable| hit(dump, variable, matcher);
        let hits = Hits::of(matches.best.iter().filter_map(hit).take(most).collect());
        if self.is_running() { hits } else { Hits { total: matches.total, ..hits } }
    }
}

/// Variables whose names match a text, best first: by quality of the match, then those of the program before those of
/// the runtime, statics and variables of scripts before fields, short names before long ones; at most `most`.
pub fn find_variables(dump: DumpData<'_>, text: &str, most: usize, task: &Task) -> Result<VariableMatches, Cancelled> {
    let variables = dump.answer(&VariablesQuestion, task)?;
    find((dump, variables.as_slice()), None, (text, most), task)
}

fn mask_of(variable: &Variable) -> u64 {
    mask(&variable.declared_by) | mask(&variable.name)
}

/// Sort key of a match, with the index of the variable last.
type Rank = (Fit, bool, VariableKind, usize, Reverse<Bytes>, usize);

fn find(
    (dump, variables): (DumpData<'_>, &[Variable]),
    masks: Option<&Vec<u64>>,
    (text, most): (&str, usize),
    task: &Task,
) -> Result<VariableMatches, Cancelled> {
    let mut matcher = Matcher::new(text);
    let mut ranked: Vec<Rank> = Vec::new();
    for (block, of_block) in variables.chunks(BLOCK).enumerate() {
        task.checkpoint()?;
        for (at, variable) in of_block.iter().enumerate().map(|(at, variable)| (block * BLOCK + at, variable)) {
            let known = masks.and_then(|masks| masks.get(at)).copied();
            if !matcher.may_fit(known.unwrap_or_else(|| mask_of(variable))) {
                continue;
            }
            // Scattered letters match nearly every name with its class.
            let fit = fit(&mut matcher, variable).map(|(fit, _)| fit).filter(|fit| fit.tier < Tier::Scattered);
            let Some(fit) = fit else { continue };
            let length = variable.declared_by.len() + variable.name.len();
            let retained = Reverse(retained(dump, variable));
            ranked.push((fit, variable.is_of_runtime, variable.kind, length, retained, at));
        }
    }
    let total = ranked.len() as u64;
    if ranked.len() > most {
        ranked.select_nth_unstable(most);
        ranked.truncate(most);
    }
    ranked.sort_unstable();
    let best = ranked.into_iter().filter_map(|(.., at)| variables.get(at).cloned()).collect();
    Ok(VariableMatches { best, total })
}

/// Quality of a match of the name, of class and name, or of all of the title; and the byte offset of what matched.
fn fit(matcher: &mut Matcher, variable: &Variable) -> Option<(Fit, usize)> {
    let title = variable.title();
    let package = variable.package().len();
    let name = title.len() - variable.name.len();
    let mut best: Option<(Fit, usize)> = None;
    // Matches of the name alone are the best of their kind.
    for (start, more) in [(name, 0), (package, 1), (0, 2)] {
        let fit = title.get(start..).and_then(|text| matcher.fit(text, name - start));
        let fit = fit.map(|fit| Fit { skipped: fit.skipped.saturating_add(more), ..fit });
        best = match (best, fit) {
            (Some((known, _)), Some(fit)) if known <= fit => best,
            (_, Some(fit)) => Some((fit, start)),
            (_, None) => best,
        };
        if best.is_some_and(|(fit, _)| fit.tier <= Tier::Prefix) {
            break;
        }
    }
    best
}

/// Retained size of what a variable refers to, or of the instances that have it.
fn retained(dump: DumpData<'_>, variable: &Variable) -> Bytes {
    match variable.target {
        VariableTarget::Value(object) => dump.analysis.retained(object),
        VariableTarget::Declaring(_) => Bytes(0),
        VariableTarget::Instances(class) => dump.analysis.class_retained(class),
    }
}

/// Hit for a variable.
fn hit(dump: &OpenDump, variable: &Variable, matcher: &mut Matcher) -> Option<Hit> {
    let heap = &dump.heap;
    let (fit, start) = fit(matcher, variable)?;
    let title = variable.title();
    // The parts are those of the last text that was compared.
    matcher.fit(title.get(start..)?, title.len() - variable.name.len() - start);
    let matched_parts = matcher.matched_parts().into_iter().map(|part| part.start + start..part.end + start).collect();
    let kind = variable.kind.name();
    let (target, aside, more) = match variable.target {
        VariableTarget::Value(object) => {
            let class = split_class(&heap.class(object).name).1;
            let more = dump.analysis.retained(object).to_string();
            (HitTarget::Object(object), format!("{kind} · {class} {}", heap.id_text(object)), more)
        }
        VariableTarget::Declaring(object) => (HitTarget::Object(object), format!("{kind} · no object"), String::new()),
        VariableTarget::Instances(class) => {
            let noun = if variable.holders == 1 { "object" } else { "objects" };
            let more = format!("{} {noun} · {}", Count(variable.holders), dump.analysis.class_retained(class));
            (HitTarget::Class(class), kind.to_owned(), more)
        }
    };
    let package = variable.package().len();
    Some(Hit { package, matched_parts, aside, more, fit, ..Hit::plain(title, target) })
}
