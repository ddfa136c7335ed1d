//! Verdicts of rules on findings, and lookup of the user's verdicts by object, class, or explanation of a finding.

use std::cmp::Reverse;
use std::ops::Range;

use super::rules::{LeakRules, Verdict, is_within};
use super::{finding::LeakFinding, fingerprint::general, kinds::Group};
use crate::rule_lines::matches;
use heaplens_base::Bytes;
use heaplens_heap::{Analysis, ObjectId};

/// Applies rules and verdicts anew. A user's verdict also applies to findings dominated by the judged object. Built-in rules
/// stop at a share of the heap: what dominates it is not normal, whatever holds it. The order of the findings is undefined
/// afterwards.
pub fn judge(analysis: &Analysis, rules: &LeakRules, findings: &mut [LeakFinding]) {
    for finding in findings.iter_mut() {
        finding.group = finding.unjudged;
        finding.verdict = rules.verdict(finding);
    }
    let judged: Vec<(ObjectId, Verdict)> = findings
        .iter()
        .filter_map(|finding| Some((finding.cut.first()?.to, finding.verdict.clone().filter(|v| v.is_of_user)?)))
        .collect();
    for finding in findings.iter_mut().filter(|finding| finding.verdict.is_none()) {
        let Some(to) = finding.cut.first().map(|cut| cut.to) else { continue };
        let above = judged.iter().find(|(above, _)| analysis.dominates(*above, to));
        finding.verdict = above.map(|(_, verdict)| verdict.clone());
    }
    for finding in findings.iter_mut() {
        if let Some(verdict) = &finding.verdict {
            finding.group = verdict.group;
        }
        if finding.group == Group::Normal && finding.is_dominating() {
            finding.group = Group::Leak;
        }
    }
    mark_nested(analysis, findings);
}

/// Says of each leak whether other leaks hold all its bytes.
fn mark_nested(analysis: &Analysis, findings: &mut [LeakFinding]) {
    let mut parts: Vec<(Range<u32>, Bytes, usize)> = Vec::new();
    for (at, finding) in findings.iter_mut().enumerate().filter(|(_, finding)| !finding.cut.is_empty()) {
        finding.within = None;
        if finding.group == Group::Leak {
            let frees = finding.frees;
            parts.extend(finding.cut.iter().filter_map(|cut| Some((analysis.subtree(cut.to)?, frees, at))));
        }
    }
    // Of findings about the same objects, the one that frees more has the bytes of the others.
    parts.sort_unstable_by_key(|(part, frees, at)| (part.start, Reverse(part.end), Reverse(*frees), *at));
    let mut around: Option<(u32, usize)> = None;
    let mut nested: Vec<Option<usize>> = vec![None; findings.len()];
    let mut outside: Vec<bool> = vec![false; findings.len()];
    for (part, _, at) in parts {
        match around.filter(|&(end, _)| part.start < end) {
            Some((_, outer)) if outer != at && nested[outer] != Some(at) => nested[at] = Some(outer),
            Some(_) => {}
            None => {
                around = Some((part.end, at));
                outside[at] = true;
            }
        }
    }
    for (at, outer) in nested.into_iter().enumerate().filter(|&(at, _)| !outside[at]) {
        // Objects that several places hold are part of none that frees less.
        let outer = outer.filter(|&outer| findings[at].frees <= findings[outer].frees);
        let Some(outer) = outer else { continue };
        findings[at].within = Some(findings[outer].label.clone());
        let part = (findings[at].frees, findings[at].certainty);
        findings[outer].certainty = certainty_of((findings[outer].frees, findings[outer].certainty), part);
    }
}

/// Certainty of a finding, given a part of it: what is mostly made of a likely leak is no less likely one.
fn certainty_of((frees, certainty): (Bytes, f64), (part, certainty_of_part): (Bytes, f64)) -> f64 {
    if part.0 >= frees.0 / 2 { certainty.max(certainty_of_part) } else { certainty }
}

impl LeakRules {
    /// The first rule that matches a finding, the user's before built-in ones. Built-in rules count only for findings
    /// without application objects: those are the application's memory whichever object holds them.
    fn verdict(&self, finding: &LeakFinding) -> Option<Verdict> {
        let holder = finding.holder.as_ref().map_or("", |holder| &holder.class);
        let class = finding.accumulated.as_ref().map_or("", |accumulated| &accumulated.class);
        // Patterns that were made of a finding of another dump leave out what differs.
        let name = general(&finding.name);
        let direct = |is_of_user: bool| {
            self.rules.iter().filter(move |rule| rule.is_of_user == is_of_user).find(|rule| {
                let says = |text: &str| !text.is_empty() && matches(&rule.pattern, text);
                let named = is_within(&rule.pattern, &finding.name) || is_within(&rule.pattern, &name) || says(holder);
                if rule.is_of_user { named || says(class) } else { named && finding.group == Group::Normal }
            })
        };
        let stated = direct(true).or_else(|| self.explaining(&finding.explained_by));
        stated.or_else(|| direct(false)).cloned()
    }

    /// The user's rules, in order of precedence.
    pub fn of_user(&self) -> impl Iterator<Item = &Verdict> {
        self.rules.iter().filter(|rule| rule.is_of_user)
    }

    /// The user's rule with exactly this pattern.
    pub fn of_pattern(&self, pattern: &str) -> Option<&Verdict> {
        self.of_user().find(|rule| rule.pattern == pattern)
    }

    /// The user's verdict on an object by its name or its class.
    pub fn of_object(&self, name: Option<&str>, class: &str) -> Option<&Verdict> {
        // Early exit: this runs for every row, and usually there are no verdicts.
        self.of_user().next()?;
        let general = name.map(general);
        let names = || [name, general.as_deref()].into_iter().flatten();
        self.of_user().find(|rule| {
            let named = names().any(|name| is_within(&rule.pattern, name));
            named || !class.is_empty() && matches(&rule.pattern, class)
        })
    }

    /// The user's verdict on one of a finding's explanations.
    fn explaining(&self, explained_by: &[String]) -> Option<&Verdict> {
        self.of_user().find(|rule| explained_by.iter().any(|text| is_within(&rule.pattern, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{leaks::pattern_of, waste::WasteKind};
    use heaplens_base::Bytes;

    #[test]
    fn what_is_mostly_made_of_a_likely_leak_is_as_likely() {
        let all = (Bytes(100), 0.2);
        assert!((certainty_of(all, (Bytes(60), 0.9)) - 0.9).abs() < f64::EPSILON);
        assert!((certainty_of(all, (Bytes(40), 0.9)) - 0.2).abs() < f64::EPSILON);
        assert!((certainty_of(all, (Bytes(60), 0.1)) - 0.2).abs() < f64::EPSILON);
    }

    #[test]
    fn an_object_matches_by_name_or_class() {
        let mut rules = LeakRules::default();
        assert_eq!(rules.of_object(Some("sun.misc.Launcher.x"), "sun.misc.Launcher"), None, "only the user is asked");
        rules.add("expected desk.Cache.ALL[*]  # warm\nleaking desk.Session").expect("rules");
        let pattern_of = |name, class| rules.of_object(name, class).map(|verdict| verdict.pattern.as_str());
        assert_eq!(pattern_of(Some("desk.Cache.ALL[\"a\"]"), "desk.Cart"), Some("desk.Cache.ALL[*]"));
        assert_eq!(pattern_of(Some("desk.Cache.ALL[\"a\"].cart"), "desk.Cart"), Some("desk.Cache.ALL[*]"));
        assert_eq!(pattern_of(Some("desk.Cache.ALL"), "java.util.HashMap"), None);
        assert_eq!(pattern_of(None, "desk.Session"), Some("desk.Session"));
        assert_eq!(pattern_of(None, "desk.Sessions"), None);
        assert_eq!(rules.of_pattern("desk.Session").map(|verdict| verdict.group.key()), Some("leak"));
        assert_eq!(rules.of_user().count(), 2);
    }

    #[test]
    fn verdicts_on_waste_match_the_stable_key_and_not_the_title() {
        let judged = |line: &str, kind: WasteKind| {
            let mut rules = LeakRules::default();
            rules.add(line).expect("a rule");
            let finding = LeakFinding::of_waste(kind, 3, Bytes(64), Bytes(1024));
            rules.verdict(&finding).map(|verdict| verdict.group)
        };
        for kind in WasteKind::ALL {
            let pattern = pattern_of(&LeakFinding::of_waste(kind, 3, Bytes(64), Bytes(1024)).name);
            assert_eq!(judged(&format!("expected {pattern}"), kind), Some(Group::Expected), "{pattern}");
        }
        // Lines that earlier versions wrote.
        assert_eq!(
            judged("expected  duplicate strings  # interned", WasteKind::DuplicateStrings),
            Some(Group::Expected)
        );
        assert_eq!(judged("leaking   unused room of*", WasteKind::UnusedBuffers), Some(Group::Leak));
        assert_eq!(judged("expected  Duplicate strings", WasteKind::DuplicateStrings), None);
    }
}
