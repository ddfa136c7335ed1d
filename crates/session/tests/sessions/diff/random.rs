//! Random programs with random changes: the comparison finds these changes.

use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{GrowthOwner, GrowthRow, MatchMethod};
use heaplens_testkit::program::{Edit, Holder, Program};
use heaplens_testkit::world::ObjectPart;

use super::laws;
use super::opened::compared;
use super::programs::{Case, MODES, bytes};
use super::tally::Tally;

/// A program generated from `seed`, with a few kinds of change.
fn edited(seed: u64, stored: u32) -> Case {
    let edits = |program: &mut Program| (0..=seed % 7).filter_map(|_| program.edit()).collect();
    Case::new(seed, 2 + seed as u32 % 9, stored, edits)
}

/// A program generated from `seed`, with one change or none.
fn with(seed: u64, edit: impl Fn(&mut Program) -> Option<Edit>) -> Case {
    let stored = MODES[seed as usize % MODES.len()];
    Case::new(seed, 2 + seed as u32 % 9, stored, |program| edit(program).into_iter().collect())
}

/// Rows on a line each.
fn table(actual: &Comparison) -> String {
    let line = |row: &GrowthRow| {
        format!("    {:?}: {} objects, {} bytes, {} moved\n", row.owners, row.objects.0, row.bytes.0, row.moved.0)
    };
    actual.growth.rows.iter().map(line).collect()
}

#[test]
fn matched_objects_are_the_same() {
    let (mut wrong, mut guesses) = (Vec::new(), [(MatchMethod::Position, 0, 0), (MatchMethod::Rank, 0, 0)]);
    // A string taken over by a new holder is not matched to the former one at its address.
    for (stored, most_unmatched) in MODES.into_iter().zip([10, 20, 20]) {
        let mut tally = Tally::default();
        for seed in 0..100 {
            let case = edited(seed, stored);
            let actual = compared(case.pair());
            laws::hold(case.pair(), &actual);
            tally.add(&case, &actual);
        }
        eprintln!("{stored} % stay: {}", tally.line());
        tally.examples.iter().take(12).for_each(|example| eprintln!("  {example}"));
        for (method, right, misguessed) in &mut guesses {
            let (of_right, of_wrong) = tally.guesses(*method);
            (*right, *misguessed) = (*right + of_right, *misguessed + of_wrong);
        }
        let (unmatched, coincidences) = tally.per_ten_thousand();
        assert!(unmatched <= most_unmatched, "{unmatched} of ten thousand are unmatched, {stored} % stay");
        assert!(coincidences <= 10, "{coincidences} for ten thousand are matched by chance, {stored} % stay");
        wrong.append(&mut tally.wrong);
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    for (method, right, misguessed) in guesses {
        assert!(misguessed <= right, "a guess by {method:?} is right {right} times and wrong {misguessed} times");
    }
}

#[test]
fn growth_is_attributed_to_the_grown_owner() {
    let mut wrong = Vec::new();
    for seed in 0..120 {
        let case = with(seed, Program::grow);
        let [Edit { holder: Holder::Object(grown), .. }] = case.edits[..] else { continue };
        let (pair, actual) = (case.pair(), compared(case.pair()));
        laws::hold(pair, &actual);
        let grown = [&case.before, &case.after].map(|moment| moment.object((grown, ObjectPart::Whole)));
        let new = case.after.parts().filter(|&(part, _)| case.before.object(part).is_none());
        let both = case.after.parts().filter_map(|(part, after)| Some((case.before.object(part)?, after)));
        let larger: i64 = both.map(|(one, two)| bytes(pair.after, [two]) - bytes(pair.before, [one])).sum();
        let charged = larger + bytes(pair.after, new.map(|(_, object)| object));
        let first = actual.growth.rows.first().map(|row| (row.owners[0], row.bytes.0));
        let is_it = matches!(first, Some((GrowthOwner::Object { before, after, .. }, bytes))
            if [Some(before), Some(after)] == grown && bytes == charged);
        if !is_it {
            wrong.push(format!("{}: {grown:?} grew by {charged}:\n{}", case.name, table(&actual)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn swapping_mirrors_the_diff() {
    for seed in 0..60 {
        let case = edited(seed, MODES[seed as usize % MODES.len()]);
        laws::mirrored(case.pair(), &compared(case.pair()), &case.name);
    }
}

/// One idle program dumped twice, with objects moved by a collector.
#[test]
fn an_idle_program_did_not_change() {
    let mut wrong = Vec::new();
    for seed in 0..100 {
        let case = with(seed, |_| None);
        let actual = compared(case.pair());
        laws::hold(case.pair(), &actual);
        let mut tally = Tally::default();
        tally.add(&case, &actual);
        if actual.growth.rows.iter().any(|row| row.bytes.0 != 0 || row.objects.0 != 0) || !tally.wrong.is_empty() {
            wrong.push(format!("{}: {}\n{}{}", case.name, tally.line(), tally.wrong.join("\n"), table(&actual)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
