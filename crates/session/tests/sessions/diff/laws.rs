//! Laws of every comparison, for any heaps.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{Growth, GrowthOwner, GrowthRow, MatchExtent, MatchMethod, MatchStatus, Matches, Pair};
use heaplens_base::Task;
use heaplens_heap::ObjectId;

use super::opened::compared;

/// Checks one comparison: matches are one to one, of one kind, and all sums are exact.
pub(super) fn hold(pair: Pair<'_>, actual: &Comparison) {
    matches_are_one_to_one(pair, &actual.matches);
    sums_are_exact(pair, actual);
}

fn matches_are_one_to_one(pair: Pair<'_>, matches: &Matches) {
    for before in pair.before.heap.objects() {
        if let MatchStatus::Matched(after, method) = matches.match_status_of_before(before) {
            assert_eq!(
                matches.match_status_of_after(after),
                MatchStatus::Matched(before, method),
                "the way back from {after:?}"
            );
            assert_eq!(matches.after(before), Some(after));
            assert_eq!(matches.method(after), Some(method));
            let kind_before = matches.kinds.of_before(pair.before.heap.class_id(before));
            let kind_after = matches.kinds.of_after(pair.after.heap.class_id(after));
            assert_eq!(kind_before, kind_after, "{before:?} and {after:?} are of two kinds, by {method:?}");
            let [one, other] = [(pair.before, before), (pair.after, after)].map(|(side, object)| {
                let class = side.heap.classes.of_object(object);
                class.map(|class| without_numbers(&side.heap.classes.get(class).name))
            });
            assert_eq!(one, other, "{before:?} and {after:?} are class objects of two classes, by {method:?}");
        }
    }
    for after in pair.after.heap.objects() {
        if let Some(before) = matches.before(after) {
            assert_eq!(matches.after(before), Some(after), "the way forth from {before:?}");
        }
    }
}

/// Name of a class without the address that the virtual machine appends to that of a hidden class, and of a generated
/// class without its number.
fn without_numbers(class: &str) -> String {
    let class = class.rfind("+0x").or_else(|| class.rfind("/0x")).map_or(class, |at| &class[..at]);
    let is_generated = ["$$", "$Proxy", "Accessor"].iter().any(|part| class.contains(part));
    class.chars().filter(|c| !is_generated || !c.is_ascii_digit()).collect()
}

fn sums_are_exact(pair: Pair<'_>, actual: &Comparison) {
    let Growth { rows, totals, by_how, alone, unknown } = &actual.growth;
    let shown = [pair.before, pair.after].map(|side| side.analysis.shown);
    assert_eq!([totals.before.objects, totals.after.objects], shown.map(|shown| shown.objects));
    assert_eq!([totals.before.shallow, totals.after.shallow], shown.map(|shown| shown.shallow));
    let bytes: i64 = rows.iter().map(|row| row.bytes.0).sum();
    let objects: i64 = rows.iter().map(|row| row.objects.0).sum();
    assert_eq!((bytes, objects), (totals.shallow().0, totals.objects().0), "bytes and objects of all rows");
    for row in rows {
        assert_eq!(row.parts.iter().map(|part| part.bytes.0).sum::<i64>(), row.bytes.0, "bytes of {:?}", row.owners);
        let objects = row.parts.iter().map(|part| part.added.cast_signed() - part.removed.cast_signed());
        assert_eq!(objects.sum::<i64>(), row.objects.0, "objects of {:?}", row.owners);
        assert!(!row.owners.is_empty(), "a row without owner");
    }
    let owners: Vec<GrowthOwner> = rows.iter().flat_map(|row| row.owners.iter().copied()).collect();
    assert_eq!(owners.iter().collect::<HashSet<_>>().len(), owners.len(), "an owner of two rows");
    let of_program = rows.iter().filter(|row| !row.is_of_engine);
    assert!(of_program.is_sorted_by_key(|row| std::cmp::Reverse(row.bytes.0 - row.code.0)), "most growth first");
    // Every object has one match method, or is added, removed or unknown.
    let all = by_how.iter().chain([alone, unknown]);
    let sum = |of: fn(&MatchExtent) -> u64| all.clone().map(of).sum::<u64>();
    assert_eq!(sum(|m| m.before_objects), totals.before.objects);
    assert_eq!(sum(|m| m.after_objects), totals.after.objects);
    assert_eq!(sum(|m| m.before_bytes), totals.before.shallow.0);
    assert_eq!(sum(|m| m.after_bytes), totals.after.shallow.0);
}

/// Checks that a dump compared with itself has not changed.
pub(super) fn nothing_changed(pair: Pair<'_>, actual: &Comparison, name: &str) {
    // Unreachable objects are not compared.
    for object in pair.before.heap.objects().filter(|&object| pair.before.analysis.is_reachable(object)) {
        let match_status = actual.matches.match_status_of_before(object);
        assert!(
            matches!(match_status, MatchStatus::Matched(same, _) if same == object),
            "{name}: {object:?} became {match_status:?}"
        );
    }
    assert_eq!(actual.growth.rows, [], "{name}");
    assert_eq!((actual.growth.alone, actual.growth.unknown), <(MatchExtent, MatchExtent)>::default(), "{name}");
    for row in &actual.classes {
        assert_eq!(row.change.before, row.change.after, "{name}: {:?}", actual.matches.kinds.get(row.kind));
    }
}

/// Checks that the reverse comparison has the same rows with opposite signs.
pub(super) fn mirrored(pair: Pair<'_>, there: &Comparison, name: &str) {
    let back = &compared(pair.swapped());
    // Nor does it take to match anything anew.
    let swapped = there.swapped(pair.swapped(), &Task::new()).expect("not cancelled");
    assert_eq!((&swapped.classes, &swapped.growth.rows), (&back.classes, &back.growth.rows), "{name}");
    let sums = |of: &Growth| (of.totals, of.by_how, of.alone, of.unknown);
    assert_eq!(sums(&swapped.growth), sums(&back.growth), "{name}");
    for before in pair.before.heap.objects() {
        assert_eq!(
            there.matches.match_status_of_before(before),
            back.matches.match_status_of_after(before),
            "{name}: {before:?}"
        );
    }
    for after in pair.after.heap.objects() {
        assert_eq!(
            there.matches.match_status_of_after(after),
            back.matches.match_status_of_before(after),
            "{name}: {after:?}"
        );
    }
    assert_eq!(classes(there, false), classes(back, true), "{name}");
    let (one, other) = (&there.growth, &back.growth);
    assert_eq!((one.totals.before, one.totals.after), (other.totals.after, other.totals.before), "{name}");
    let turned = |m: &MatchExtent| MatchExtent {
        before_objects: m.after_objects,
        before_bytes: m.after_bytes,
        after_objects: m.before_objects,
        after_bytes: m.before_bytes,
    };
    assert_eq!(one.by_how, other.by_how.each_ref().map(turned), "{name}");
    assert_eq!((one.alone, one.unknown), (turned(&other.alone), turned(&other.unknown)), "{name}");
    let (one, other) = (rows(there, false), rows(back, true));
    let (one, other): (BTreeSet<_>, BTreeSet<_>) = (one.iter().collect(), other.iter().collect());
    let (there, back): (Vec<_>, Vec<_>) = (one.difference(&other).collect(), other.difference(&one).collect());
    assert!(there.is_empty() && back.is_empty(), "{name}: there alone {there:#?}, back alone {back:#?}");
}

/// Differences by the name and the loader of the class.
fn classes(actual: &Comparison, turned: bool) -> BTreeMap<String, [i64; 3]> {
    let sign = if turned { -1 } else { 1 };
    let rows = actual.classes.iter().map(|row| {
        let kind = actual.matches.kinds.get(row.kind).expect("a kind of this comparison");
        let change = [row.change.objects().0, row.change.shallow().0, row.change.retained().0];
        (format!("{} {:?}", kind.name, kind.loader), change.map(|n| n * sign))
    });
    rows.collect()
}

/// An owner, independent of the direction of the comparison.
type Known = Result<(ObjectId, ObjectId, MatchMethod, Option<[Option<ObjectId>; 2]>), String>;

/// Rows by owner: bytes, objects, moved bytes, and parts.
fn rows(actual: &Comparison, turned: bool) -> BTreeMap<BTreeSet<String>, (i64, i64, i64, BTreeSet<String>)> {
    let sign = if turned { -1 } else { 1 };
    // With its loader: several may define classes of one name.
    let name = |kind| {
        let kind = actual.matches.kinds.get(kind).expect("a kind of this comparison");
        format!("{} {:?}", kind.name, kind.loader)
    };
    let known = |owner: &GrowthOwner| -> Known {
        match *owner {
            GrowthOwner::Object { before, after, method, field } => {
                let field = field.map(|field| [field.before, field.after]);
                if !turned {
                    return Ok((before, after, method, field));
                }
                Ok((after, before, method, field.map(|[before, after]| [after, before])))
            }
            GrowthOwner::Top(kind) => Err(name(kind)),
        }
    };
    let row = |row: &GrowthRow| {
        let owners = row.owners.iter().map(|owner| format!("{:?}", known(owner))).collect();
        let parts = row.parts.iter().map(|part| {
            let (added, removed) = if turned { (part.removed, part.added) } else { (part.added, part.removed) };
            format!("{} +{added} -{removed} {} {}", name(part.kind), part.bytes.0 * sign, part.moved.0 * sign)
        });
        (owners, (row.bytes.0 * sign, row.objects.0 * sign, row.moved.0 * sign, parts.collect()))
    };
    actual.growth.rows.iter().map(row).collect()
}
