//! Matches findings with known leaks of libraries. Only classes on the paths of findings are compared with patterns,
//! each once per dump.

use crate::answers::DumpData;
use std::borrow::Cow;
use std::collections::HashMap;

use super::certainty::certainty;
use super::evidence::Evidence;
use super::finding::{LeakFinding, ReferenceToCut};
use super::known_rules::{KnownLeaks, KnownPattern, PathElement};
use super::{fingerprint::general, kinds::Kind, query::LeakQuery};
use crate::naming::Namer;
use crate::rule_lines::matches;
use heaplens_heap::{ClassId, ClassKind, ObjectId};

/// Class of the variables that closures share, in V8 snapshots.
const VARIABLES: &str = "system / Context";
/// Minimum number of accumulated objects for a match by their class.
const SEVERAL: u64 = 5;
/// Objects of a list, from link to link, that are compared.
const LINKED: usize = 64;
/// Maximum number of objects below a link of which the next is the largest.
const SEVERAL_BELOW: usize = 64;
/// Maximum number of superclasses compared.
const SUPERCLASSES: usize = 64;

/// Gives each finding the first entry that matches it, which is evidence unless it is general, and the group that the entry
/// decides.
pub(super) fn mark(question: LeakQuery<'_>, findings: &mut [LeakFinding]) {
    let known = question.rules.known();
    let mut classes = ClassMatches { namer: question.namer, known, matching: HashMap::new() };
    for finding in findings {
        let steps = classes.steps(finding);
        let matched = known.patterns.iter().find(|pattern| classes.has(pattern, finding, &steps));
        if let Some(group) = matched.and_then(|pattern| pattern.group) {
            finding.group = group;
        }
        finding.known = matched.map(|pattern| Box::new(pattern.leak.clone()));
        if let Some(pattern) = matched.filter(|pattern| !pattern.is_general) {
            finding.evidence.push(Evidence::Known(pattern.leak.id.clone()));
            finding.certainty = certainty(&finding.evidence);
        }
    }
}

/// An object on the path of a finding.
struct Step<'a> {
    object: ObjectId,
    /// Its class, or the class that it represents.
    class: ClassId,
    /// Name of the reference to the next step; `None` of the last, and before omitted steps.
    reference: Option<Cow<'a, str>>,
    /// True if every path to the accumulation point passes it.
    dominates: bool,
    /// True if it is an object or a class of the application.
    is_of_application: bool,
}

/// Which class patterns match a class: compared on first use, superclasses included.
struct ClassMatches<'a> {
    namer: Namer<'a>,
    known: &'a KnownLeaks,
    matching: HashMap<ClassId, Vec<bool>>,
}

impl ClassMatches<'_> {
    /// The path of a finding; empty if it has none.
    fn steps<'f>(&mut self, finding: &'f LeakFinding) -> Vec<Step<'f>> {
        let Some(path) = &finding.path else { return Vec::new() };
        let mut steps: Vec<Step<'f>> = Vec::with_capacity(path.steps.len());
        for (at, step) in path.steps.iter().enumerate() {
            let is_after_gap = path.omission.is_some_and(|omission| omission.after == at);
            if let Some(before) = steps.last_mut().filter(|_| !is_after_gap) {
                before.reference = step.reference.as_deref().map(Cow::Borrowed);
            }
            let (class, is_of_application) = self.class_of(step.object);
            steps.push(Step {
                object: step.object,
                class,
                reference: None,
                dominates: step.dominates,
                is_of_application,
            });
        }
        // What leads from link to link is in no path to the first.
        if let (Kind::Chain, Some(first)) = (finding.kind, path.steps.last()) {
            let mut at = first.object;
            for _ in 0..LINKED {
                let Some(below) = self.largest_below(at) else { break };
                let (class, is_of_application) = self.class_of(below);
                if let Some(before) = steps.last_mut() {
                    let name = self.namer.contents.reference_names(self.namer.heap, at, below, 1).pop();
                    before.reference = name.map(|name| Cow::Owned(name.text));
                }
                steps.push(Step { object: below, class, reference: None, dominates: true, is_of_application });
                at = below;
            }
        }
        steps
    }

    /// The object directly below another in the dominator tree that retains most.
    fn largest_below(&self, object: ObjectId) -> Option<ObjectId> {
        let below = self.namer.analysis.dominator_children_with_retained(Some(object)).take(SEVERAL_BELOW);
        below.max_by_key(|&(child, retained)| (retained, std::cmp::Reverse(child))).map(|(child, _)| child)
    }

    /// The class of an object, or the one that it represents, and true if it is of the application.
    fn class_of(&mut self, object: ObjectId) -> (ClassId, bool) {
        let Namer { dump: DumpData { heap, .. }, index } = self.namer;
        let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
        let is_plain = heap.classes.get(class).kind == ClassKind::Plain;
        self.compare(class);
        (class, is_plain && !index.is_runtime(class))
    }

    /// Compares a class with all class patterns.
    fn compare(&mut self, class: ClassId) {
        let (known, classes) = (self.known, &self.namer.heap.classes);
        self.matching.entry(class).or_insert_with(|| {
            let above = |class: &ClassId| classes.get(*class).superclass;
            let chain: Vec<ClassId> = std::iter::successors(Some(class), above).take(SUPERCLASSES).collect();
            let is_named = |pattern: &String| chain.iter().any(|&class| matches(pattern, &classes.get(class).name));
            known.classes.iter().map(is_named).collect()
        });
    }

    /// True if a class that was compared, or one above it, matches a class pattern.
    fn is(&self, class: ClassId, pattern: usize) -> bool {
        self.matching.get(&class).and_then(|matching| matching.get(pattern)).copied().unwrap_or(false)
    }

    fn has(&mut self, pattern: &KnownPattern, finding: &LeakFinding, steps: &[Step<'_>]) -> bool {
        if matches!(finding.kind, Kind::Waste(_)) {
            return false;
        }
        let KnownPattern { paths, accumulated, names, kinds, present, .. } = pattern;
        let classes = &self.namer.heap.classes;
        (kinds.is_empty() || kinds.contains(&finding.kind.key()))
            && (present.is_empty() || present.iter().any(|name| classes.named(name).is_some()))
            && (names.iter().any(|name| is_named(name, &finding.name))
                || accumulated.iter().any(|&class| self.accumulates(class, finding))
                || paths.iter().any(|path| self.passes(path, pattern, finding, steps)))
    }

    /// True if the class that accumulates matches.
    fn accumulates(&mut self, pattern: usize, finding: &LeakFinding) -> bool {
        let Some(accumulated) = finding.accumulated.as_ref().filter(|accumulated| accumulated.objects >= SEVERAL)
        else {
            return false;
        };
        match self.namer.heap.classes.named(&accumulated.class) {
            Some(class) => {
                self.compare(class);
                self.is(class, pattern)
            }
            None => matches(&self.known.classes[pattern], &accumulated.class),
        }
    }

    /// True if the elements match steps of the path in this order, or the last one a reference to cut.
    fn passes(
        &mut self,
        elements: &[PathElement],
        pattern: &KnownPattern,
        finding: &LeakFinding,
        steps: &[Step<'_>],
    ) -> bool {
        let Some((last, before)) = elements.split_last() else { return false };
        // The first steps that match leave most of the path to the elements below.
        let mut from = 0;
        for element in before {
            let Some(at) = steps[from..].iter().position(|step| self.matches_step(element, step)) else { return false };
            from += at + 1;
        }
        let is_shared = finding.cut.len() as u64 + finding.unlisted > 1;
        let held_by = steps[from..]
            .iter()
            .rposition(|step| (step.dominates || is_shared || pattern.is_between_any) && self.matches_step(last, step));
        if let Some(at) = held_by {
            // One of many objects stands for all of them; else the last object is the holder.
            let end = if stands_for_many(finding.kind) { steps.len() - 1 } else { steps.len() };
            let between = steps.get(from + at + 1..end).unwrap_or_default();
            let is_foreign = |step: &Step<'_>| {
                if pattern.is_between_any {
                    self.is_static_holder(step, finding)
                } else {
                    self.is_foreign(step, elements)
                }
            };
            if !between.iter().any(is_foreign) {
                return true;
            }
        }
        // The path leads to one of several shared objects, through one of several holders.
        let cuts = finding.cut.len();
        is_shared
            && before.is_empty()
            && finding.cut.iter().filter(|cut| self.matches_cut(last, cut)).count() * 2 > cuts
    }

    fn matches_step(&self, element: &PathElement, step: &Step<'_>) -> bool {
        self.is(step.class, element.class)
            && element
                .field
                .as_ref()
                .is_none_or(|field| step.reference.as_ref().is_some_and(|name| matches(field, name)))
    }

    fn matches_cut(&mut self, element: &PathElement, cut: &ReferenceToCut) -> bool {
        let (class, _) = self.class_of(cut.from);
        element.field.as_ref().is_some_and(|field| matches(field, &cut.reference)) && self.is(class, element.class)
    }

    /// True of a class of the application that a finding does not free, and whose static field leads on: what is below
    /// the field is alive by it, whatever holds the class.
    fn is_static_holder(&self, step: &Step<'_>, finding: &LeakFinding) -> bool {
        let Namer { dump: DumpData { heap, analysis, .. }, .. } = self.namer;
        let is_freed = |object: ObjectId| finding.cut.iter().any(|cut| analysis.dominates(cut.to, object));
        let loader = heap.classes.of_object(step.object).and_then(|class| heap.classes.get(class).loader);
        step.is_of_application
            && heap.classes.of_object(step.object).is_some()
            && !is_freed(step.object)
            && !loader.is_some_and(is_freed)
    }

    /// True of an object of the application, or the variables of a function: a field or variable of its own, not the
    /// known one, holds what is below it. Other classes of the library in the pattern are its internals.
    fn is_foreign(&self, step: &Step<'_>, elements: &[PathElement]) -> bool {
        let class = &self.namer.heap.classes.get(step.class).name;
        if **class == *VARIABLES {
            return true;
        }
        let package = library(class);
        let is_internal = |element: &PathElement| {
            let of_pattern = library(&self.known.classes[element.class]);
            of_pattern.is_some() && of_pattern == package
        };
        step.is_of_application && !elements.iter().any(is_internal)
    }
}

/// True of kinds in which the last step of the path is one of the accumulated objects, or holds some of them.
fn stands_for_many(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Siblings | Kind::Shared | Kind::ThreadLocals | Kind::Thread | Kind::Finalizers | Kind::Cleaners
    )
}

/// True if a pattern matches the name of a finding, or the name without parts that differ from dump to dump.
fn is_named(pattern: &str, name: &str) -> bool {
    !name.is_empty() && (matches(pattern, name) || matches(pattern, &general(name)))
}

/// The first two parts of the package, which the classes of a library share: `org.quartz` of `org.quartz.Scheduler`.
fn library(class: &str) -> Option<&str> {
    let (end, _) = class.match_indices('.').nth(1)?;
    Some(&class[..end]).filter(|package| !package.contains('*'))
}
