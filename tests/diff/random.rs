//! Random programs, changed at random: the comparison gives back what was done.

use std::collections::BTreeMap;

use heaplens::analysis::diff::growth::Owner;
use heaplens::analysis::diff::matches::{Fate, How};
use heaplens::session::comparison::Comparison;
use heaplens::synth::program::{Holder, Program};
use heaplens::synth::world::{Part, Piece};

use super::laws;
use super::opened::compared;
use super::programs::{Case, MODES, bytes};

/// What became of the objects of many cases.
#[derive(Debug, Default)]
struct Tally {
    /// Objects that the program kept.
    kept: u64,
    /// Of those, how many are matched to themselves, by how they are.
    right: BTreeMap<How, u64>,
    /// Matched to another that is alike in all it holds, below the same holder.
    twins: u64,
    /// Matched to what stands in its place now.
    replaced: u64,
    /// Told to be in one heap alone, though they are in both.
    lost: u64,
    /// Not known.
    unknown: u64,
    /// What is wrong beyond doubt.
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, case: &Case, found: &Comparison) {
        let (before_holders, after_holders) = (case.before.holders(), case.after.holders());
        for (part, before) in case.before.parts() {
            let truth = case.after.object(part);
            self.kept += u64::from(truth.is_some());
            let (other, how) = match (found.matches.fate_of_before(before), truth) {
                (Fate::Matched(other, how), Some(truth)) if other == truth => {
                    *self.right.entry(how).or_default() += 1;
                    continue;
                }
                (Fate::Matched(other, how), _) => (other, how),
                (Fate::Alone, Some(_)) => {
                    self.lost += 1;
                    continue;
                }
                (Fate::Unknown, Some(_)) => {
                    self.unknown += 1;
                    continue;
                }
                (Fate::Alone | Fate::Unknown, None) => continue,
            };
            let no_holders = Vec::new();
            let one = before_holders.get(&before).unwrap_or(&no_holders);
            let two = after_holders.get(&other).unwrap_or(&no_holders);
            let meets = |same_step: bool| {
                one.iter().any(|(holder, step)| {
                    let is_it = |(held_by, by): &(_, String)| Some(*held_by) == found.matches.after(*holder) && (!same_step || by == step);
                    two.iter().any(is_it)
                })
            };
            let other = case.after.part(other);
            let content = |part: Part| case.before.content_of(part, 3);
            let alike = other.is_some_and(|other| case.after.content_of(other, 3) == content(part));
            if alike && meets(false) {
                self.twins += 1;
            } else if meets(true) {
                self.replaced += 1;
            } else {
                let truth = truth.map_or("is gone", |_| "is there");
                let other = other.map_or_else(String::new, |other| case.after.content_of(other, 2));
                self.wrong.push(format!("{}: {} {truth}, matched by {how:?} to {other}", case.name, content(part)));
            }
        }
    }

    fn unmatched(&self) -> u64 {
        (self.lost + self.unknown) * 1000 / self.kept.max(1)
    }
}

#[test]
fn what_is_matched_is_the_same() {
    for (kept, most_unmatched) in MODES.into_iter().zip([20, 50, 80]) {
        let mut tally = Tally::default();
        for seed in 0..70 {
            let edits = |program: &mut Program| (0..1 + seed % 7).filter_map(|_| program.edit()).collect();
            let case = Case::new(seed, 2 + seed as u32 % 9, kept, edits);
            let found = compared(case.pair());
            laws::hold(case.pair(), &found);
            tally.add(&case, &found);
        }
        let count = tally.wrong.len();
        assert_eq!(count, 0, "of {} at {kept} %:\n{}", tally.kept, tally.wrong[..count.min(12)].join("\n"));
        assert!(tally.unmatched() <= most_unmatched, "{}‰ at {kept} %: {tally:?}", tally.unmatched());
    }
}

#[test]
fn growth_is_charged_to_what_grew() {
    for seed in 0..120 {
        let kept = MODES[seed as usize % MODES.len()];
        let case = Case::new(seed, 2 + seed as u32 % 9, kept, |program| program.grow().into_iter().collect());
        let [edit] = &case.edits[..] else { continue };
        let Holder::Thing(grown) = edit.holder else { continue };
        let (pair, found) = (case.pair(), compared(case.pair()));
        laws::hold(pair, &found);
        let grown = [&case.before, &case.after].map(|moment| moment.object((grown, Piece::Whole)));
        let new = case.after.parts().filter(|&(part, _)| case.before.object(part).is_none());
        let both = case.after.parts().filter_map(|(part, after)| Some((case.before.object(part)?, after)));
        let larger: i64 = both.map(|(one, two)| bytes(pair.after, [two]) - bytes(pair.before, [one])).sum();
        let charged = larger + bytes(pair.after, new.map(|(_, object)| object));
        let top = found.growth.rows.first().unwrap_or_else(|| panic!("{}: nothing grew", case.name));
        let Owner::Object { before, after, .. } = top.owners[0] else { panic!("{}: nobody grew: {top:?}", case.name) };
        assert_eq!([Some(before), Some(after)], grown, "{}: {:#?}", case.name, found.growth.rows);
        assert_eq!(top.bytes.0, charged, "{}: {:#?}", case.name, found.growth.rows);
    }
}

#[test]
fn back_is_the_mirror_of_forth() {
    for seed in 0..60 {
        let kept = MODES[seed as usize % MODES.len()];
        let edits = |program: &mut Program| (0..1 + seed % 7).filter_map(|_| program.edit()).collect();
        let case = Case::new(seed, 2 + seed as u32 % 9, kept, edits);
        laws::mirrored(case.pair(), &compared(case.pair()), &case.name);
    }
}

/// The same program dumped twice while it stood still, whatever a collector did.
#[test]
fn a_program_that_stood_still_did_not_change() {
    for seed in 0..60 {
        let kept = MODES[seed as usize % MODES.len()];
        let case = Case::new(seed, 2 + seed as u32 % 9, kept, |_| Vec::new());
        let found = compared(case.pair());
        laws::hold(case.pair(), &found);
        let rows: Vec<_> = found.growth.rows.iter().filter(|row| row.bytes.0 != 0).collect();
        assert!(rows.is_empty(), "{}: {rows:#?}", case.name);
        assert_eq!(found.growth.alone.before_objects, 0, "{}: what is in both is not in one alone", case.name);
    }
}
