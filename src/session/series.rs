//! More than two dumps of one program in the order of time: each is compared with
//! the next, and owners are followed along the chain.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::comparison::{Comparison, compare};
use crate::analysis::diff::growth::Owner;
use crate::analysis::diff::{Amount, Pair, Side};
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};
use crate::units::{ByteDelta, Bytes};

/// A class as it is told from others in every dump: its name and the class of its loader.
pub type ClassKey = (Box<str>, Option<Box<str>>);

/// A class over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSeries {
    /// Which.
    pub class: ClassKey,
    /// How much there was of it in each dump.
    pub amounts: Vec<Amount>,
}

/// Whose growth is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Followed {
    /// Owners that are alike: each by the first dump that it is in, and its object there.
    Objects(Vec<(usize, ObjectId)>),
    /// Objects of a class that no single object holds.
    Top(ClassKey),
}

/// An owner over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerSeries {
    /// Who.
    pub owner: Followed,
    /// The last dump it is in, and there the first of its objects.
    pub last: Option<(usize, ObjectId)>,
    /// In each dump what it retained, and how many objects those are. Of what nobody owns the class.
    pub amounts: Vec<Amount>,
    /// Bytes charged to it from each dump to the next, together.
    pub charged: ByteDelta,
}

/// All that is followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Series {
    /// Most growth charged first.
    pub owners: Vec<OwnerSeries>,
    /// Most growth of shallow size first, equal ones by name.
    pub classes: Vec<ClassSeries>,
}

/// Whether each is retained more than the one before.
pub fn grew_every_time(amounts: &[Amount]) -> bool {
    amounts.is_sorted_by(|before, after| before.retained < after.retained)
}

/// By how much the last is more than the first.
pub fn grown(amounts: &[Amount], of: fn(&Amount) -> Bytes) -> ByteDelta {
    let end = |amount: Option<&Amount>| amount.map_or(Bytes(0), of);
    ByteDelta::between(end(amounts.first()), end(amounts.last()))
}

/// Compares each of the dumps with the next.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn series(dumps: &[Side<'_>], task: &Task) -> Result<Series, Cancelled> {
    let pairs = dumps.windows(2).map(|pair| Pair { before: pair[0], after: pair[1] });
    let steps = pairs.map(|pair| compare(pair, task)).collect::<Result<Vec<_>, Cancelled>>()?;
    let classes = classes(&steps, dumps.len());
    let owners = owners(dumps, &steps, &classes);
    let mut classes: Vec<ClassSeries> =
        classes.into_iter().map(|(class, amounts)| ClassSeries { class, amounts }).collect();
    classes.sort_by_key(|row| Reverse(grown(&row.amounts, |amount| amount.shallow)));
    Ok(Series { owners, classes })
}

fn classes(steps: &[Comparison], dumps: usize) -> BTreeMap<ClassKey, Vec<Amount>> {
    let mut classes: BTreeMap<ClassKey, Vec<Amount>> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for row in &step.classes {
            let Some(kind) = step.matches.kinds.get(row.kind) else { continue };
            let key = (kind.name.clone(), kind.loader.clone());
            let amounts = classes.entry(key).or_insert_with(|| vec![Amount::default(); dumps]);
            (amounts[at], amounts[at + 1]) = (row.change.before, row.change.after);
        }
    }
    classes
}

/// What is charged to owners that are alike.
struct Group {
    members: Vec<(usize, ObjectId)>,
    charged: i64,
}

fn owners(dumps: &[Side<'_>], steps: &[Comparison], classes: &BTreeMap<ClassKey, Vec<Amount>>) -> Vec<OwnerSeries> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: BTreeMap<(usize, ObjectId), usize> = BTreeMap::new();
    let mut tops: BTreeMap<ClassKey, i64> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for row in &step.growth.rows {
            let objects = row.owners.iter().filter_map(|owner| match *owner {
                Owner::Object { before, .. } => Some(first_of(steps, at, before)),
                Owner::Top(_) => None,
            });
            let members: Vec<(usize, ObjectId)> = objects.collect();
            if let Some(known) = members.iter().find_map(|member| group_of.get(member).copied()) {
                groups[known].charged = groups[known].charged.saturating_add(row.bytes.0);
                // Those of another group stay there: what was told apart once is told apart.
                for member in members {
                    group_of.entry(member).or_insert_with(|| {
                        groups[known].members.push(member);
                        known
                    });
                }
            } else if !members.is_empty() {
                group_of.extend(members.iter().map(|&member| (member, groups.len())));
                groups.push(Group { members, charged: row.bytes.0 });
            }
            for owner in &row.owners {
                if let Owner::Top(kind) = *owner
                    && let Some(kind) = step.matches.kinds.get(kind)
                {
                    let charged = tops.entry((kind.name.clone(), kind.loader.clone())).or_default();
                    *charged = charged.saturating_add(row.bytes.0);
                }
            }
        }
    }
    let mut rows: Vec<OwnerSeries> = groups.into_iter().map(|group| followed(dumps, steps, group)).collect();
    rows.extend(tops.into_iter().map(|(class, charged)| OwnerSeries {
        amounts: classes.get(&class).cloned().unwrap_or_else(|| vec![Amount::default(); dumps.len()]),
        owner: Followed::Top(class),
        last: None,
        charged: ByteDelta(charged),
    }));
    // Equal ones stay in the order in which growth was charged to them.
    rows.sort_by_key(|row| Reverse(row.charged));
    rows
}

/// The first dump that an object of dump `at` is in, and the object there.
fn first_of(steps: &[Comparison], mut at: usize, mut object: ObjectId) -> (usize, ObjectId) {
    while let Some(before) = at.checked_sub(1)
        && let Some(earlier) = steps[before].matches.before(object)
    {
        (at, object) = (before, earlier);
    }
    (at, object)
}

/// What some owners retain in each dump.
fn followed(dumps: &[Side<'_>], steps: &[Comparison], group: Group) -> OwnerSeries {
    let mut present: Vec<Vec<ObjectId>> = vec![Vec::new(); dumps.len()];
    for &(first, object) in &group.members {
        let (mut at, mut object) = (first, object);
        present[at].push(object);
        while let Some(after) = steps.get(at).and_then(|step| step.matches.after(object)) {
            (at, object) = (at + 1, after);
            present[at].push(object);
        }
    }
    let amount = |(dump, objects): (&Side<'_>, &Vec<ObjectId>)| Amount {
        objects: objects.iter().map(|&object| dump.analyzed.dominated(object) + 1).sum(),
        shallow: objects.iter().map(|&object| dump.heap.shallow(object)).sum(),
        retained: dump.analyzed.retained_together(objects.iter().copied()),
    };
    let last = present.iter().enumerate().rev().find_map(|(at, objects)| Some((at, *objects.first()?)));
    OwnerSeries {
        last,
        amounts: dumps.iter().zip(&present).map(amount).collect(),
        owner: Followed::Objects(group.members),
        charged: ByteDelta(group.charged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_every_time() {
        let amounts = |sizes: &[u64]| -> Vec<Amount> {
            sizes.iter().map(|&size| Amount { retained: Bytes(size), ..Amount::default() }).collect()
        };
        assert!(grew_every_time(&amounts(&[1, 2, 5])) && !grew_every_time(&amounts(&[1, 3, 3])));
        assert_eq!(grown(&amounts(&[4, 9, 1]), |amount| amount.retained), ByteDelta(-3));
    }
}
