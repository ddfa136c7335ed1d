//! More than two dumps of one program in chronological order: owners and classes are followed from each to the next.

use std::{cmp::Reverse, collections::BTreeMap};

use super::chain::Chain;
use heaplens_analysis::diff::{Amount, Owner, kinds::Kinds};
use heaplens_base::{ByteDelta, Bytes, Cancelled, Task};
use heaplens_core::heap::ObjectId;

/// Identity of a class in all dumps: its name and the class of its loader.
pub type ClassKey = (Box<str>, Option<Box<str>>);

/// A class over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSeries {
    /// Identity of the class.
    pub class: ClassKey,
    /// Its amount in each dump.
    pub amounts: Vec<Amount>,
}

/// Subject of a growth series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeriesKind {
    /// Similar owners: each by the first dump that contains it, and its object there.
    Objects(Vec<(usize, ObjectId)>),
    /// Objects of a class without a single owner.
    Top(ClassKey),
}

/// An owner over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerSeries {
    /// The owner.
    pub owner: SeriesKind,
    /// By dump, its first object there.
    pub objects: Vec<Option<ObjectId>>,
    /// Retained size and objects in each dump. Without a single owner, the amount of the class.
    pub amounts: Vec<Amount>,
    /// Sum of the bytes attributed to it over all intervals.
    pub charged: ByteDelta,
}

impl OwnerSeries {
    /// Last dump that contains it, and its first object there.
    pub fn last(&self) -> Option<(usize, ObjectId)> {
        self.objects.iter().enumerate().rev().find_map(|(at, object)| Some((at, (*object)?)))
    }
}

/// Owners and classes of all dumps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Series {
    /// Owners, largest growth first.
    pub owners: Vec<OwnerSeries>,
    /// Classes, largest growth of shallow size first, ties by name.
    pub classes: Vec<ClassSeries>,
}

/// True if the retained size grew in every interval.
pub fn grew_every_time(amounts: &[Amount]) -> bool {
    amounts.is_sorted_by(|before, after| before.retained < after.retained)
}

/// Difference between last and first.
pub fn grown(amounts: &[Amount], of: fn(&Amount) -> Bytes) -> ByteDelta {
    let end = |amount: Option<&Amount>| amount.map_or(Bytes(0), of);
    ByteDelta::between(end(amounts.first()), end(amounts.last()))
}

/// Follows all owners with growth through all dumps.
pub fn series(chain: &Chain<'_>, task: &Task) -> Result<Series, Cancelled> {
    let classes = classes(chain);
    let owners = owners(chain, &classes, task)?;
    let mut classes: Vec<ClassSeries> =
        classes.into_iter().map(|(class, amounts)| ClassSeries { class, amounts }).collect();
    classes.sort_by_key(|row| Reverse(grown(&row.amounts, |amount| amount.shallow)));
    Ok(Series { owners, classes })
}

fn classes(chain: &Chain<'_>) -> BTreeMap<ClassKey, Vec<Amount>> {
    let mut classes: BTreeMap<ClassKey, Vec<Amount>> = BTreeMap::new();
    for (at, step) in chain.steps() {
        for row in &step.classes {
            let Some(kind) = step.matches.kinds.get(row.kind) else { continue };
            let key = (kind.name.clone(), kind.loader.clone());
            let amounts = classes.entry(key).or_insert_with(|| vec![Amount::default(); chain.len()]);
            (amounts[at], amounts[at + 1]) = (row.change.before, row.change.after);
        }
    }
    classes
}

/// Growth of similar owners.
struct Group {
    members: Vec<(usize, ObjectId)>,
    charged: i64,
}

fn owners(
    chain: &Chain<'_>,
    classes: &BTreeMap<ClassKey, Vec<Amount>>,
    task: &Task,
) -> Result<Vec<OwnerSeries>, Cancelled> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: BTreeMap<(usize, ObjectId), usize> = BTreeMap::new();
    let mut tops: BTreeMap<ClassKey, i64> = BTreeMap::new();
    for (at, step) in chain.steps() {
        for row in &step.growth.rows {
            task.checkpoint()?;
            let objects = row.owners.iter().filter_map(|owner| match *owner {
                Owner::Object { before, .. } => Some(chain.first(at, before)),
                Owner::Top(_) => None,
            });
            let members: Vec<(usize, ObjectId)> = objects.collect();
            if let Some(known) = members.iter().find_map(|member| group_of.get(member).copied()) {
                groups[known].charged = groups[known].charged.saturating_add(row.bytes.0);
                // Owners of another group stay there: groups once separated are not merged.
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
    let mut rows = Vec::with_capacity(groups.len() + tops.len());
    for group in groups {
        task.checkpoint()?;
        rows.push(followed(chain, group));
    }
    rows.extend(tops.into_iter().map(|(class, charged)| OwnerSeries {
        amounts: classes.get(&class).cloned().unwrap_or_else(|| vec![Amount::default(); chain.len()]),
        owner: SeriesKind::Top(class),
        objects: vec![None; chain.len()],
        charged: ByteDelta(charged),
    }));
    // Ties stay in the order of attribution.
    rows.sort_by_key(|row| Reverse(row.charged));
    Ok(rows)
}

/// Retained size of some owners in each dump.
fn followed(chain: &Chain<'_>, group: Group) -> OwnerSeries {
    let mut present: Vec<Vec<ObjectId>> = vec![Vec::new(); chain.len()];
    for &(first, object) in &group.members {
        for (at, present) in present.iter_mut().enumerate().skip(first) {
            let Some(object) = chain.follow(first, object, at) else { break };
            present.push(object);
        }
    }
    OwnerSeries {
        objects: present.iter().map(|objects| objects.first().copied()).collect(),
        amounts: present.iter().enumerate().map(|(at, objects)| chain.amount(at, objects)).collect(),
        owner: SeriesKind::Objects(group.members),
        charged: ByteDelta(group.charged),
    }
}

/// Retained size in each dump of the owners of a comparison's row, for any two compared dumps: `ends` are
/// their indices. In the two compared dumps by their own objects, in others by the objects they are followed to.
pub fn of_owners(
    chain: &Chain<'_>,
    ends: (usize, usize),
    owners: &[Owner],
    kinds: &Kinds,
    series: &Series,
) -> Vec<Bytes> {
    let (then, now) = ends;
    let at = |dump: usize| {
        let object = |owner: &Owner| match *owner {
            Owner::Object { before, .. } if dump == then => Some(before),
            Owner::Object { before, after, .. } => {
                chain.follow(now, after, dump).or_else(|| chain.follow(then, before, dump))
            }
            Owner::Top(_) => None,
        };
        let objects: Vec<ObjectId> = owners.iter().filter_map(object).collect();
        chain.amount(dump, &objects).retained
    };
    match owners {
        [Owner::Top(kind)] => {
            let of_kind = |row: &&ClassSeries| {
                kinds.get(*kind).is_some_and(|kind| (&kind.name, &kind.loader) == (&row.class.0, &row.class.1))
            };
            let row = series.classes.iter().find(of_kind);
            row.map_or_else(Vec::new, |row| row.amounts.iter().map(|amount| amount.retained).collect())
        }
        _ => (0..chain.len()).map(at).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_in_every_interval_is_required() {
        let amounts = |sizes: &[u64]| -> Vec<Amount> {
            sizes.iter().map(|&size| Amount { retained: Bytes(size), ..Amount::default() }).collect()
        };
        assert!(grew_every_time(&amounts(&[1, 2, 5])) && !grew_every_time(&amounts(&[1, 3, 3])));
        assert_eq!(grown(&amounts(&[4, 9, 1]), |amount| amount.retained), ByteDelta(-3));
    }
}
