//! More than two dumps of one program in chronological order: owners and classes are followed from each to the next.

use std::{cmp::Reverse, collections::BTreeMap};

use super::chain::Chain;
use heaplens_analysis::diff::{Amount, GrowthOwner, growth::field_target, kinds::ComparedClasses};
use heaplens_base::{ByteDelta, Bytes, Cancelled, Task};
use heaplens_heap::ObjectId;

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

/// An owner that is followed: an object, or what a field of it holds in each dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesOwner {
    /// First dump that contains the object.
    pub dump: usize,
    /// The object there.
    pub object: ObjectId,
    /// The field, by [`GrowthOwnerField::number`](heaplens_analysis::diff::growth::OwnerField::number), if what it holds is replaced
    /// from dump to dump.
    pub field: Option<u64>,
}

/// Subject of a growth series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeriesKind {
    /// Similar owners.
    Objects(Vec<SeriesOwner>),
    /// Objects of a class without a single owner.
    Top(ClassKey),
}

/// An owner over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerSeries {
    /// The owner.
    pub owner: SeriesKind,
    /// By dump, its first object there; of a field, what that holds.
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
    members: Vec<SeriesOwner>,
    charged: i64,
}

impl SeriesOwner {
    /// The owner of a comparison of dump `at` with the next. `None` without a single owner.
    fn of(chain: &Chain<'_>, at: usize, owner: &GrowthOwner) -> Option<Self> {
        let GrowthOwner::Object { before, field, .. } = *owner else { return None };
        Some(Self { field: field.map(|field| field.number), ..Self::object(chain, at, before) })
    }

    /// An object of a dump.
    fn object(chain: &Chain<'_>, dump: usize, object: ObjectId) -> Self {
        let (dump, object) = chain.first(dump, object);
        Self { dump, object, field: None }
    }

    /// The structure in a dump, `None` if it is not there or not known.
    fn structure(&self, chain: &Chain<'_>, dump: usize) -> Option<ObjectId> {
        let object = chain.follow(self.dump, self.object, dump)?;
        match self.field {
            Some(field) => field_target(chain.side(dump)?, object, field),
            None => Some(object),
        }
    }
}

fn owners(
    chain: &Chain<'_>,
    classes: &BTreeMap<ClassKey, Vec<Amount>>,
    task: &Task,
) -> Result<Vec<OwnerSeries>, Cancelled> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: BTreeMap<SeriesOwner, usize> = BTreeMap::new();
    let mut tops: BTreeMap<ClassKey, i64> = BTreeMap::new();
    for (at, step) in chain.steps() {
        for row in &step.growth.rows {
            task.checkpoint()?;
            let members: Vec<SeriesOwner> =
                row.owners.iter().filter_map(|owner| SeriesOwner::of(chain, at, owner)).collect();
            // What a field holds is an owner by itself in intervals in which it is not replaced.
            let held = |at, structure: fn(&GrowthOwner) -> Option<ObjectId>| {
                let structures = row.owners.iter().filter(|owner| owner.field().is_some()).filter_map(structure);
                structures.map(move |object| SeriesOwner::object(chain, at, object))
            };
            let held: Vec<SeriesOwner> =
                held(at, GrowthOwner::structure_before).chain(held(at + 1, GrowthOwner::structure)).collect();
            let known = members.iter().chain(&held).find_map(|member| group_of.get(member).copied());
            if let Some(known) = known {
                groups[known].charged = groups[known].charged.saturating_add(row.bytes.0);
                // The field is the owner of what it holds.
                groups[known].members.retain(|member| !held.contains(member));
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
            let group = known.unwrap_or(groups.len().saturating_sub(1));
            held.into_iter().for_each(|held| _ = group_of.entry(held).or_insert(group));
            for owner in &row.owners {
                if let GrowthOwner::Top(kind) = *owner
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
    for member in &group.members {
        for (dump, present) in present.iter_mut().enumerate().skip(member.dump) {
            present.extend(member.structure(chain, dump));
        }
    }
    OwnerSeries {
        objects: present.iter().map(|objects| objects.first().copied()).collect(),
        amounts: present
            .into_iter()
            .enumerate()
            .map(|(at, mut objects)| {
                objects.sort_unstable();
                objects.dedup();
                chain.amount(at, &objects)
            })
            .collect(),
        owner: SeriesKind::Objects(group.members),
        charged: ByteDelta(group.charged),
    }
}

/// Retained size in each dump of the owners of a comparison's row, for any two compared dumps: `ends` are
/// their indices. In the two compared dumps by their own objects, in others by the objects they are followed to; of fields, by
/// what these hold.
pub fn of_owners(
    chain: &Chain<'_>,
    ends: (usize, usize),
    owners: &[GrowthOwner],
    kinds: &ComparedClasses,
    series: &Series,
) -> Vec<Bytes> {
    let (then, now) = ends;
    let at = |dump: usize| {
        let object = |owner: &GrowthOwner| {
            if dump == then {
                return owner.structure_before();
            }
            let GrowthOwner::Object { before, after, field, .. } = *owner else { return None };
            let object = chain.follow(now, after, dump).or_else(|| chain.follow(then, before, dump))?;
            match field {
                Some(field) => field_target(chain.side(dump)?, object, field.number),
                None => Some(object),
            }
        };
        let objects: Vec<ObjectId> = owners.iter().filter_map(object).collect();
        chain.amount(dump, &objects).retained
    };
    match owners {
        [GrowthOwner::Top(kind)] => {
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
